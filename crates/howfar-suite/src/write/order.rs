//! The order of keys, per object.

use howfar_wire::vocabulary::Dialect;

/// The order of an object's keys, and of the objects below them.
pub(super) struct KeyOrder {
    keys: &'static [&'static str],
    inside: &'static [(&'static str, &'static KeyOrder)],
}

impl KeyOrder {
    /// The position of a key; every key that is not listed comes last.
    pub(super) fn rank(&self, key: &str) -> usize {
        self.keys.iter().position(|listed| *listed == key).unwrap_or(self.keys.len())
    }

    /// The order of the object, or of the objects of the list, below a key.
    pub(super) fn inside(&self, key: &str) -> Option<&'static KeyOrder> {
        self.inside.iter().find(|(name, _)| *name == key).map(|(_, order)| *order)
    }
}

/// The order of a file in its own dialect.
pub(super) const fn suite_file(dialect: Dialect) -> &'static KeyOrder {
    match dialect {
        Dialect::One => &FILE_ONE,
        Dialect::Two => &FILE_TWO,
    }
}

const FILE_KEYS: &[&str] = &[
    "schemaVersion",
    "mode",
    "reportingMode",
    "suite",
    "target",
    "defaults",
    "provenance",
    "cases",
];

static FILE_ONE: KeyOrder = KeyOrder {
    keys: FILE_KEYS,
    inside: &[
        ("suite", &SUITE),
        ("target", &TARGET),
        ("defaults", &DEFAULTS),
        ("provenance", &PROVENANCE),
        ("cases", &CASE_ONE),
    ],
};

static FILE_TWO: KeyOrder = KeyOrder {
    keys: FILE_KEYS,
    inside: &[
        ("suite", &SUITE),
        ("target", &TARGET),
        ("defaults", &DEFAULTS),
        ("provenance", &PROVENANCE),
        ("cases", &CASE_TWO),
    ],
};

static SUITE: KeyOrder = KeyOrder { keys: &["id", "name", "description"], inside: &[] };

static TARGET: KeyOrder = KeyOrder {
    keys: &["servers", "environment", "hosts"],
    inside: &[("servers", &SERVER), ("hosts", &HOST)],
};

static SERVER: KeyOrder = KeyOrder { keys: &["name", "id"], inside: &[] };

static HOST: KeyOrder =
    KeyOrder { keys: &["name", "id", "servers"], inside: &[("servers", &SERVER)] };

static DEFAULTS: KeyOrder = KeyOrder {
    keys: &[
        "judge",
        "model",
        "provider",
        "iterations",
        "repetitions",
        "passThreshold",
        "captureLevel",
        "toolPolicy",
        "validity",
        "systemPrompt",
        "temperature",
    ],
    inside: &[("toolPolicy", &TOOL_POLICY), ("validity", &VALIDITY)],
};

static TOOL_POLICY: KeyOrder = KeyOrder { keys: &["mode", "allow", "deny"], inside: &[] };

static VALIDITY: KeyOrder = KeyOrder {
    keys: &["minEligibleTrials", "minCompletionRate", "maxEvaluatorErrorRate"],
    inside: &[],
};

static PROVENANCE: KeyOrder = KeyOrder {
    keys: &[
        "sourceHash",
        "sourceFormat",
        "sourceFormatVersion",
        "converter",
        "converterVersion",
        "model",
        "discoverySnapshotHash",
        "reportHash",
        "importedAt",
    ],
    inside: &[],
};

static CASE_ONE: KeyOrder = KeyOrder {
    keys: &[
        "judge",
        "id",
        "title",
        "intent",
        "kind",
        "disabled",
        "model",
        "repetitions",
        "passThreshold",
        "isNegativeTest",
        "expectedOutput",
        "steps",
        "checks",
        "suppressedSuiteStandardCheckIds",
        "assertions",
        "import",
    ],
    inside: &[("import", &IMPORT)],
};

static CASE_TWO: KeyOrder = KeyOrder {
    keys: &[
        "judge",
        "id",
        "title",
        "intent",
        "kind",
        "disabled",
        "model",
        "iterations",
        "passThreshold",
        "isNegativeTest",
        "expectedOutput",
        "steps",
        "assertions",
        "suppressedSuiteStandardCheckIds",
        "import",
    ],
    inside: &[("import", &IMPORT)],
};

static IMPORT: KeyOrder = KeyOrder { keys: &["status", "sourceCaseKey", "note"], inside: &[] };
