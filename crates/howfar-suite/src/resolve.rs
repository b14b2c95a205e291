//! The resolved value: the suite with its defaults applied (suite and runner, sections A12 and C1). Never written back.

use howfar_wire::predicate::EffectiveRole;
use howfar_wire::suite::{
    Case, CaseId, CaseImport, CaseJudge, Defaults, JudgeSettings, Predicate, Provenance, Rubric,
    Step, SuiteIdentity, Target, ToolPolicy,
};
use howfar_wire::verdict::VerdictPolicy;
use howfar_wire::vocabulary::{CaseKind, Dialect, StandardCheckId};

use crate::AuthoredSuite;

/// The judge's passing score when the file names none.
pub const DEFAULT_JUDGE_THRESHOLD: f64 = 0.7;

/// A suite with its defaults applied.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedSuite {
    /// The dialect of the file.
    pub dialect: Dialect,
    /// Identity.
    pub suite: SuiteIdentity,
    /// The servers under test.
    pub target: Target,
    /// Where an imported file comes from.
    pub provenance: Option<Provenance>,
    /// What holds for the whole run.
    pub defaults: ResolvedDefaults,
    /// Every case, in file order, disabled ones included.
    pub cases: Vec<ResolvedCase>,
}

impl ResolvedSuite {
    /// The cases that are not disabled, in file order.
    pub fn enabled_cases(&self) -> impl Iterator<Item = &ResolvedCase> {
        self.cases.iter().filter(|case| !case.disabled)
    }

    /// The case with this id.
    pub fn case(&self, id: &CaseId) -> Option<&ResolvedCase> {
        self.cases.iter().find(|case| case.id == *id)
    }

    /// The judge settings that hold for a case.
    pub fn effective_judge(&self, case: &ResolvedCase) -> EffectiveJudge {
        effective_judge(self.defaults.judge.as_ref(), case.judge.as_ref())
    }
}

/// What holds for every case, with defaults applied.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedDefaults {
    /// The model.
    pub model: String,
    /// The provider of a bare model id.
    pub provider: Option<String>,
    /// The system prompt; absent when none is sent.
    pub system_prompt: Option<String>,
    /// The temperature; absent when none is sent.
    pub temperature: Option<f64>,
    /// Trials per case.
    pub iterations: u32,
    /// The fraction of gradeable trials that a case must pass.
    pub pass_threshold: f64,
    /// When a run has measured enough.
    pub validity: VerdictPolicy,
    /// The judge as authored.
    pub judge: Option<JudgeSettings>,
    /// What the model may call; absent for no restraint.
    pub tool_policy: Option<ToolPolicy>,
}

/// One case with its defaults applied.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedCase {
    /// The identity.
    pub id: CaseId,
    /// The title.
    pub title: String,
    /// A label to group by; null in the file is absent here.
    pub intent: Option<String>,
    /// A label of the author; null in the file is absent here.
    pub kind: Option<CaseKind>,
    /// What happens, in order.
    pub steps: Vec<Step>,
    /// Checks over the finished transcript, whatever the dialect calls the list.
    pub assertions: Vec<Predicate>,
    /// Suite-standard checks that this case leaves out; empty when the file names none.
    pub suppressed_standard_checks: Vec<StandardCheckId>,
    /// Whether the case is judged, as authored.
    pub judge: Option<CaseJudge>,
    /// Reference text for judges.
    pub expected_output: Option<String>,
    /// Whether the case passes only when no tool was called.
    pub is_negative_test: bool,
    /// The model.
    pub model: String,
    /// The provider of a bare model id; a case cannot override it.
    pub provider: Option<String>,
    /// Trials.
    pub iterations: u32,
    /// The fraction of gradeable trials that must pass.
    pub pass_threshold: f64,
    /// Whether runs leave the case out.
    pub disabled: bool,
    /// How the case was imported.
    pub import: Option<CaseImport>,
}

/// Why a case is not judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgeSkip {
    /// The case or the suite switched the judge off.
    Disabled,
    /// Nothing asked for the judge to run by itself.
    NotAutomatic,
}

/// The judge settings that hold for one case.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectiveJudge {
    /// Why the case is not judged; absent when it is.
    pub skip: Option<JudgeSkip>,
    /// What a low score means for the trial.
    pub role: EffectiveRole,
    /// The score that passes.
    pub threshold: f64,
    /// The judge's model; absent when the file names none, and then there is no silent default.
    pub model: Option<String>,
    /// What the judge grades against.
    pub rubric: Option<Rubric>,
}

/// Applies the defaults (suite and runner, section A12).
pub fn resolve(authored: &AuthoredSuite) -> ResolvedSuite {
    let file = authored.file();
    let defaults = &file.defaults;
    ResolvedSuite {
        dialect: file.schema_version,
        suite: file.suite.clone(),
        target: file.target.clone(),
        provenance: file.provenance.clone(),
        defaults: ResolvedDefaults {
            model: defaults.model.clone(),
            provider: defaults.provider.clone(),
            system_prompt: defaults.system_prompt.clone(),
            temperature: defaults.temperature,
            iterations: defaults.iterations,
            pass_threshold: defaults.pass_threshold,
            validity: VerdictPolicy::of(defaults.validity),
            judge: defaults.judge.clone(),
            tool_policy: defaults.tool_policy.clone(),
        },
        cases: file.cases.iter().map(|case| resolved_case(case, defaults)).collect(),
    }
}

/// The settings of section C1: case over suite over default.
pub fn effective_judge(suite: Option<&JudgeSettings>, case: Option<&CaseJudge>) -> EffectiveJudge {
    let enabled = case
        .and_then(|judge| judge.enabled)
        .or_else(|| suite.and_then(|judge| judge.enabled))
        .unwrap_or(true);
    let automatic = suite.and_then(|judge| judge.auto_run).unwrap_or(false);
    let skip = match (enabled, automatic) {
        (false, _) => Some(JudgeSkip::Disabled),
        (true, false) => Some(JudgeSkip::NotAutomatic),
        (true, true) => None,
    };
    let role = match suite.and_then(|judge| judge.role.as_deref()) {
        Some("gating" | "required") => EffectiveRole::Gating,
        Some(_) | None => EffectiveRole::Advisory,
    };
    EffectiveJudge {
        skip,
        role,
        threshold: suite.and_then(|judge| judge.threshold).unwrap_or(DEFAULT_JUDGE_THRESHOLD),
        model: suite.and_then(|judge| judge.model.clone()),
        rubric: suite.and_then(|judge| judge.rubric.clone()),
    }
}

fn resolved_case(case: &Case, defaults: &Defaults) -> ResolvedCase {
    ResolvedCase {
        id: case.id.clone(),
        title: case.title.clone(),
        intent: case.intent.clone(),
        kind: case.kind,
        steps: case.steps.clone(),
        assertions: case.assertions.clone(),
        suppressed_standard_checks: case
            .suppressed_suite_standard_check_ids
            .clone()
            .unwrap_or_default(),
        judge: case.judge.clone(),
        expected_output: case.expected_output.clone(),
        is_negative_test: case.is_negative_test.unwrap_or(false),
        model: case.model.clone().unwrap_or_else(|| defaults.model.clone()),
        provider: defaults.provider.clone(),
        iterations: case.iterations.unwrap_or(defaults.iterations),
        pass_threshold: case.pass_threshold.unwrap_or(defaults.pass_threshold),
        disabled: case.disabled.unwrap_or(false),
        import: case.import.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judge_that_nobody_asked_for_is_skipped() {
        assert_eq!(effective_judge(None, None).skip, Some(JudgeSkip::NotAutomatic));
        let suite = JudgeSettings { auto_run: Some(true), ..JudgeSettings::default() };
        let off = CaseJudge { enabled: Some(false) };
        assert_eq!(effective_judge(Some(&suite), Some(&off)).skip, Some(JudgeSkip::Disabled));
        assert_eq!(effective_judge(Some(&suite), None).skip, None);
    }

    #[test]
    fn required_and_gating_are_one_role() {
        let role = |word: &str| {
            let suite = JudgeSettings { role: Some(word.to_owned()), ..JudgeSettings::default() };
            effective_judge(Some(&suite), None).role
        };
        assert_eq!(role("required"), role("gating"));
        assert_eq!(role("advisory"), EffectiveRole::Advisory);
    }
}
