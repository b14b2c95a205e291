//! May two runs be compared (run-documents 7.9)?

use howfar_wire::analytics::StageAnalytics;
use howfar_wire::vocabulary::{Materialization, ParityBlocker as Blocker, Vocabulary as _};

/// What a comparison reads of one analytics document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParitySide<'a> {
    /// The group of runs that may be compared.
    pub run_group_id: Option<&'a str>,
    /// The identity of the run's configuration.
    pub config_revision: Option<&'a str>,
    /// The identity of the cases that ran.
    pub case_set_fingerprint: Option<&'a str>,
    /// The newest analyzer level.
    pub stage_analyzer_version: u64,
    /// The newest measurement schema.
    pub measurements_schema_version: u64,
    /// Whether trials of several levels or schemas were counted.
    pub has_mixed_versions: bool,
    /// What the counts count, by its wire name; a foreign unit is only ever compared.
    pub measurement_unit: &'a str,
    /// Whether the counts can still change.
    pub materialization_state: Materialization,
}

impl<'a> From<&'a StageAnalytics> for ParitySide<'a> {
    fn from(document: &'a StageAnalytics) -> Self {
        Self {
            run_group_id: document.run_group_id.as_deref(),
            config_revision: document.config_revision.as_deref(),
            case_set_fingerprint: document.case_set_fingerprint.as_deref(),
            stage_analyzer_version: document.stage_analyzer_version,
            measurements_schema_version: document.measurements_schema_version,
            has_mixed_versions: document.source_stage_analyzer_versions.is_some()
                || document.source_measurements_schema_versions.is_some(),
            measurement_unit: document.measurement_unit.as_str(),
            materialization_state: document.materialization_state,
        }
    }
}

/// Every reason why two runs may not be compared, in emission order; none is the only yes.
pub fn parity_blockers(a: &ParitySide<'_>, b: &ParitySide<'_>) -> Vec<Blocker> {
    let provisional =
        |side: &ParitySide<'_>| side.materialization_state == Materialization::Provisional;
    let when = |holds: bool, blocker| holds.then_some(blocker);
    [
        identity(
            a.run_group_id,
            b.run_group_id,
            Blocker::MissingRunGroup,
            Blocker::DifferentRunGroup,
        ),
        identity(
            a.config_revision,
            b.config_revision,
            Blocker::MissingConfigIdentity,
            Blocker::DifferentConfigIdentity,
        ),
        identity(
            a.case_set_fingerprint,
            b.case_set_fingerprint,
            Blocker::MissingCaseSetIdentity,
            Blocker::DifferentCaseSetIdentity,
        ),
        when(a.has_mixed_versions || b.has_mixed_versions, Blocker::MixedSourceVersions),
        when(
            a.stage_analyzer_version != b.stage_analyzer_version,
            Blocker::DifferentAnalyzerVersion,
        ),
        when(
            a.measurements_schema_version != b.measurements_schema_version,
            Blocker::DifferentMeasurementsVersion,
        ),
        when(a.measurement_unit != b.measurement_unit, Blocker::DifferentMeasurementUnit),
        when(provisional(a) || provisional(b), Blocker::Provisional),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Two absent identities are not equal ones.
fn identity(
    a: Option<&str>,
    b: Option<&str>,
    missing: Blocker,
    different: Blocker,
) -> Option<Blocker> {
    match (a, b) {
        (Some(a), Some(b)) => (a != b).then_some(different),
        (Some(_) | None, None) | (None, Some(_)) => Some(missing),
    }
}
