//! The judges of a run: who grades which case, and every reason why one cannot (suite and runner, sections A5 and C1).

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use howfar_core::judge::{ModelLimits, judge_identity};
use howfar_runner::{AskedJudge, CaseJudge, CaseModel, JudgeBudget};
use howfar_suite::plan::{CasePlan, ModelPlan, plan_model, refusal};
use howfar_suite::{EffectiveJudge, JudgeSkip, ResolvedCase, ResolvedSuite};
use howfar_wire::Vocabulary as _;
use howfar_wire::chain::AuthoredMode;
use howfar_wire::finding::{Problem, Refusal};
use howfar_wire::judge::{JudgeRecord, JudgeSkipReason};
use howfar_wire::predicate::EffectiveRole;
use howfar_wire::scorecard::Role;
use howfar_wire::vocabulary::{ModelProvider, ProblemReason, RefusalCode, RefusalPhase};

use super::models::{ModelEnvironment, ModelShelf};
use super::prepare::PrepareError;

/// Where a suite names its judge's model.
pub(crate) const MODEL_POINTER: &str = "/defaults/judge/model";

/// Tokens kept free for the answer: some models reason before they write.
const OUTPUT_TOKENS: u32 = 4096;

/// How judges are asked.
#[derive(Debug, Clone, Args)]
pub(crate) struct JudgeFlags {
    /// The script of a `scripted/NAME` judge; the default is `NAME.script.yaml` beside the suite.
    #[arg(long, value_name = "FILE")]
    pub(crate) judge_script: Option<PathBuf>,
    /// The judge's own clock, for each trial, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 60_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) judge_timeout: u64,
    /// How many tokens the judge's model reads and writes at once, where howfar does not know it or the model takes more.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) judge_context_tokens: Option<u64>,
    /// At most this many calls to judges; a trial beyond them has no score.
    #[arg(long, value_name = "N")]
    pub(crate) judge_calls: Option<u64>,
}

impl Default for JudgeFlags {
    fn default() -> Self {
        Self {
            judge_script: None,
            judge_timeout: 60_000,
            judge_context_tokens: None,
            judge_calls: None,
        }
    }
}

/// The judge of one case, before its model is built.
pub(crate) struct PlannedJudge {
    record: JudgeRecord,
    model: Option<ModelPlan>,
}

/// The judges of the selected cases, in their order, with what a person should know of them.
pub(super) struct PlannedJudges {
    pub(super) judges: Vec<Option<PlannedJudge>>,
    pub(super) warnings: Vec<String>,
}

/// Plans the judges. `model` is named on the command line and stands before the suite's.
pub(super) fn plan_judges(
    suite: &ResolvedSuite,
    cases: &[(&ResolvedCase, &CasePlan)],
    model: Option<&str>,
    flags: &JudgeFlags,
    environment: &ModelEnvironment,
) -> Result<PlannedJudges, Refusal> {
    let mut planner =
        Planner { flags, environment, gates: Vec::new(), models: Vec::new(), warnings: Vec::new() };
    let mut judges = Vec::with_capacity(cases.len());
    for (case, plan) in cases {
        let declared = suite.defaults.judge.is_some() || case.judge.is_some();
        let mut effective = suite.effective_judge(case);
        effective.model = model.map(str::to_owned).or(effective.model);
        judges.push(declared.then(|| planner.judge(case, plan, effective)));
    }
    planner.finish(judges)
}

struct Planner<'a> {
    flags: &'a JudgeFlags,
    environment: &'a ModelEnvironment,
    /// Required judges that cannot run.
    gates: Vec<Problem>,
    /// Models that cannot be used.
    models: Vec<Problem>,
    warnings: Vec<String>,
}

impl Planner<'_> {
    fn judge(
        &mut self,
        case: &ResolvedCase,
        plan: &CasePlan,
        effective: EffectiveJudge,
    ) -> PlannedJudge {
        let mut planned = PlannedJudge { record: record_of(effective), model: None };
        if planned.record.skip_reason.is_some() {
            return planned;
        }
        if plan.mode == AuthoredMode::ModelFree {
            planned.record.skip_reason = Some(JudgeSkipReason::NoRequest);
            let message = "the judge gates this case, and the case has no prompt, so there is no request to grade; \
                           write `judge: { enabled: false }` in the case, or make its role advisory";
            self.cannot_run(case, &planned.record, message, None);
            return planned;
        }
        let Some(model) = planned.record.model.clone() else {
            planned.record.skip_reason = Some(JudgeSkipReason::NoModel);
            let message = "the judge should run by itself (`autoRun`) and no model is named for it; write \
                           `defaults.judge.model: provider/model` in the suite, or pass --judge-model; \
                           or make its role advisory, or disable it";
            self.cannot_run(case, &planned.record, message, Some(MODEL_POINTER));
            return planned;
        };
        match plan_model(&model, None, &self.environment.settings) {
            Ok(model) => {
                if context_tokens(&model, self.flags).is_none() {
                    let message = format!(
                        "nobody said how many tokens the judge's model {} reads at once, so no trial can be \
                         graded; pass --judge-context-tokens N, or make its role advisory, or disable it",
                        model.effective_model
                    );
                    self.cannot_run(case, &planned.record, &message, Some(MODEL_POINTER));
                }
                planned.record.model = Some(model.effective_model.clone());
                planned.record.scripted = model.provider == ModelProvider::Scripted;
                planned.model = Some(model);
            }
            Err(error) => self.models.push(Problem {
                message: format!("judge: {error}"),
                model: Some(model),
                pointer: Some(MODEL_POINTER.to_owned()),
                ..Problem::default()
            }),
        }
        planned
    }

    /// A required judge that cannot run is refused. An advisory one decides nothing, so the run goes on and says so.
    fn cannot_run(
        &mut self,
        case: &ResolvedCase,
        record: &JudgeRecord,
        message: &str,
        pointer: Option<&str>,
    ) {
        match record.role {
            Role::Required => self.gates.push(Problem {
                message: message.to_owned(),
                reason: Some(ProblemReason::GatingJudge),
                case_id: Some(case.id.0.clone()),
                pointer: pointer.map(str::to_owned),
                ..Problem::default()
            }),
            Role::Advisory if record.skip_reason != Some(JudgeSkipReason::NoRequest) => {
                let message = match pointer {
                    Some(pointer) => format!("{pointer}: {message}"),
                    None => message.to_owned(),
                };
                if !self.warnings.contains(&message) {
                    self.warnings.push(message);
                }
            }
            Role::Advisory => {}
        }
    }

    fn finish(self, judges: Vec<Option<PlannedJudge>>) -> Result<PlannedJudges, Refusal> {
        let phase = RefusalPhase::Validation;
        if !self.gates.is_empty() {
            return Err(refusal(RefusalCode::JudgeUnsupported, phase, self.gates));
        }
        if !self.models.is_empty() {
            let mut problems = self.models;
            problems.dedup();
            return Err(refusal(RefusalCode::ModelUnsupported, phase, problems));
        }
        Ok(PlannedJudges { judges, warnings: self.warnings })
    }
}

/// How a case is judged by its suite (suite and runner, section C1).
fn record_of(effective: EffectiveJudge) -> JudgeRecord {
    JudgeRecord {
        skip_reason: effective.skip.map(|skip| match skip {
            JudgeSkip::Disabled => JudgeSkipReason::Disabled,
            JudgeSkip::NotAutomatic => JudgeSkipReason::NotAutomatic,
        }),
        role: match effective.role {
            EffectiveRole::Gating => Role::Required,
            EffectiveRole::Advisory => Role::Advisory,
        },
        threshold: effective.threshold,
        model: effective.model,
        scripted: false,
        script_digest: None,
        rubric: effective.rubric,
        identity: judge_identity(effective.threshold),
    }
}

/// How many tokens the model takes, as the person says, else as is known.
pub(crate) fn context_tokens(model: &ModelPlan, flags: &JudgeFlags) -> Option<u64> {
    let known = || howfar_model::context_tokens(model.provider.as_str(), &model.name);
    flags.judge_context_tokens.or_else(known)
}

/// The judge that is asked, from its built model.
pub(crate) fn asked_judge(
    model: &CaseModel,
    plan: &ModelPlan,
    flags: &JudgeFlags,
    budget: &Arc<JudgeBudget>,
) -> AskedJudge {
    AskedJudge {
        model: Arc::clone(&model.model),
        limits: ModelLimits {
            context_tokens: context_tokens(plan, flags),
            output_tokens: u64::from(OUTPUT_TOKENS),
            input_bytes: None,
            modalities: Vec::new(),
        },
        timeout: Duration::from_millis(flags.judge_timeout),
        budget: Arc::clone(budget),
    }
}

impl PlannedJudges {
    /// The models that judges need.
    pub(super) fn models(&self) -> impl Iterator<Item = &ModelPlan> {
        self.judges.iter().flatten().filter_map(|judge| judge.model.as_ref())
    }

    /// Builds the judges, in the order of the cases.
    pub(super) fn build(
        self,
        shelf: ModelShelf<'_>,
        flags: &JudgeFlags,
    ) -> Result<Vec<Option<CaseJudge>>, PrepareError> {
        let mut shelf = shelf.with_output_tokens(OUTPUT_TOKENS);
        let budget = Arc::new(JudgeBudget::new(flags.judge_calls));
        let mut built = Vec::with_capacity(self.judges.len());
        for judge in self.judges {
            let Some(PlannedJudge { mut record, model }) = judge else {
                built.push(None);
                continue;
            };
            let mut asked = None;
            if let Some(plan) = model {
                let model = shelf.model(&plan)?;
                record.script_digest.clone_from(&model.script_digest);
                asked = Some(asked_judge(&model, &plan, flags, &budget));
            }
            built.push(Some(CaseJudge { record, asked }));
        }
        Ok(built)
    }
}
