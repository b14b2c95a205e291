//! The order of keys, per object.

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

pub(super) static SUITE_FILE: KeyOrder = KeyOrder {
    keys: &[
        "schemaVersion",
        "mode",
        "reportingMode",
        "suite",
        "target",
        "defaults",
        "provenance",
        "cases",
    ],
    inside: &[
        ("suite", &SUITE),
        ("target", &TARGET),
        ("defaults", &DEFAULTS),
        ("provenance", &PROVENANCE),
        ("cases", &CASE),
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

/// Both dialects: a file of one dialect has none of the other's words. `checks` and the suppressed ids stand before an
/// `assertions` list of dialect 1, which [`CASE`] can rank so because dialect 2 has no `checks`.
static CASE: KeyOrder = KeyOrder {
    keys: &[
        "judge",
        "id",
        "title",
        "intent",
        "kind",
        "disabled",
        "model",
        "iterations",
        "repetitions",
        "passThreshold",
        "isNegativeTest",
        "expectedOutput",
        "steps",
        "checks",
        "assertions",
        "suppressedSuiteStandardCheckIds",
        "import",
    ],
    inside: &[("import", &IMPORT)],
};

static IMPORT: KeyOrder = KeyOrder { keys: &["status", "sourceCaseKey", "note"], inside: &[] };
