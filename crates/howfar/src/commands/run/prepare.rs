//! Preflight: everything about a run that can be wrong before anything is started (suite and runner, sections B1 and
//! B2). Files are read here; no network is touched.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use howfar_core::predicate::CompiledChecks;
use howfar_mcp::BoundServer;
use howfar_runner::{
    CaseJudge, CaseModel, PlannedCase, Resumed, RunIdentity, RunOptions, RunRequest, ready_case,
};
use howfar_suite::plan::{
    Approval, CasePlan, ModelPlan, PlanOptions, check_target, import_decisions, plan_cases,
    plan_models, refusal, select_cases,
};
use howfar_suite::{
    AuthoredSuite, ResolvedCase, ResolvedSuite, SuiteParse, parse_suite_bytes, resolve, source_hash,
};
use howfar_wire::Vocabulary as _;
use howfar_wire::chain::AuthoredMode;
use howfar_wire::finding::{Finding, Problem, Refusal};
use howfar_wire::report::SuiteIdentity;
use howfar_wire::suite::CaseId;
use howfar_wire::vocabulary::{PredicateKind, RefusalCode, RefusalPhase};
use serde_json::Value;

use super::bindings::{BindingFlags, bind};
use super::cassette::Cassette;
use super::judges::{JudgeFlags, plan_judges};
use super::models::{ModelEnvironment, ModelShelf};
use crate::cli::RunArgs;
use crate::error::CommandError;

/// The kinds of checks that this version evaluates: all that need no rendered widget.
static SUPPORTED_KINDS: LazyLock<Vec<PredicateKind>> = LazyLock::new(|| {
    PredicateKind::ALL.iter().copied().filter(|kind| !kind.needs_render()).collect()
});

/// A suite's bytes with what the rest needs to know of their origin.
pub(crate) struct SuiteSource {
    /// The file as the user named it.
    pub(crate) name: String,
    /// The bytes as read.
    pub(crate) bytes: Vec<u8>,
}

/// Where `scripted/NAME` finds its script.
pub(crate) enum ScriptSource {
    /// `NAME.script.yaml` in this folder.
    Beside(PathBuf),
    /// This file, whatever the name.
    File(PathBuf),
    /// This text.
    Text {
        /// The name for messages.
        name: String,
        /// The script.
        text: String,
    },
}

/// What the caller decides about a run.
pub(crate) struct Prepare {
    pub(crate) source: SuiteSource,
    /// The ids to run; `None` runs every enabled case.
    pub(crate) cases: Option<Vec<CaseId>>,
    pub(crate) approvals: Vec<Approval>,
    pub(crate) options: RunOptions,
    pub(crate) scripts: ScriptSource,
    pub(crate) base_url: Option<String>,
    pub(crate) bindings: BindingFlags,
    pub(crate) judges: JudgeChoice,
    pub(crate) cassette: Cassette,
}

/// What the caller decides about judges.
pub(crate) struct JudgeChoice {
    /// The model, in place of the one that the suite names.
    pub(crate) model: Option<String>,
    /// How they are asked.
    pub(crate) flags: JudgeFlags,
    /// Where `scripted/NAME` judges find their script.
    pub(crate) scripts: ScriptSource,
}

/// Why a run could not be prepared.
pub(crate) enum PrepareError {
    /// A file or the command line.
    Command(CommandError),
    /// A refusal with its problems.
    Refused(Refusal),
}

impl From<CommandError> for PrepareError {
    fn from(error: CommandError) -> Self {
        Self::Command(error)
    }
}

impl From<Refusal> for PrepareError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// Prepares the run that a command line asks for.
pub(super) fn from_args(args: &RunArgs, cassette: &Cassette) -> Result<RunRequest, PrepareError> {
    let Some(file) = &args.file else { return Err(CommandError::usage("no suite file").into()) };
    let milliseconds = std::time::Duration::from_millis;
    let options = RunOptions {
        concurrency: args.concurrency,
        iteration_timeout: milliseconds(args.iteration_timeout),
        setup_timeout: milliseconds(args.setup_timeout),
        max_steps: args.max_steps,
        strict_setup: args.strict_setup,
        egress_canary: args.egress_canary.clone(),
        traffic: cassette.traffic(),
        replayed_from: cassette.replayed_from(),
    };
    let cases = (!args.cases.is_empty()).then(|| args.cases.iter().cloned().map(CaseId).collect());
    let choices = from_file(args, file, cases, options)?;
    prepare(Prepare { cassette: cassette.clone(), ..choices })
}

/// What the caller decides, with the suite read from a file and everything else as the command line says.
pub(super) fn from_file(
    args: &RunArgs,
    file: &Path,
    cases: Option<Vec<CaseId>>,
    options: RunOptions,
) -> Result<Prepare, CommandError> {
    let source = read_suite(file)?;
    let folder = file.parent().map_or_else(|| PathBuf::from("."), Path::to_owned);
    let scripts = ScriptSource::of(args.script.as_deref(), &folder);
    let judges = JudgeChoice {
        model: args.judge_model.clone(),
        flags: args.judge.clone(),
        scripts: ScriptSource::of(args.judge.judge_script.as_deref(), &folder),
    };
    let reason = args.approval_reason.clone().unwrap_or_default();
    let approval = |case_id: &String| Approval { case_id: case_id.clone(), reason: reason.clone() };
    Ok(Prepare {
        source,
        cases,
        approvals: args.allow_approximated.iter().map(approval).collect(),
        options,
        scripts,
        base_url: args.base_url.clone(),
        bindings: BindingFlags {
            servers: args.servers.clone(),
            url: args.url.clone(),
            headers: args.headers.clone(),
            command: args.command.clone(),
            config: args.mcp_config.clone(),
        },
        judges,
        cassette: Cassette::Off,
    })
}

impl ScriptSource {
    /// The file that was named, whatever the name of the script; else the folder of the suite.
    pub(crate) fn of(file: Option<&Path>, folder: &Path) -> Self {
        match file {
            Some(path) => Self::File(path.to_owned()),
            None => Self::Beside(folder.to_owned()),
        }
    }
}

/// Reads a suite file.
pub(crate) fn read_suite(path: &Path) -> Result<SuiteSource, CommandError> {
    let name = path.display().to_string();
    match std::fs::read(path) {
        Ok(bytes) => Ok(SuiteSource { name, bytes }),
        Err(error) => {
            Err(CommandError::usage(format!("cannot read the suite file {name}: {error}")))
        }
    }
}

/// Prepares a run, in the order of the phases: the file, the selection, the cases, imports, the target, models, keys,
/// bindings. Every problem of one phase is reported together.
pub(crate) fn prepare(prepare: Prepare) -> Result<RunRequest, PrepareError> {
    let (authored, mut warnings) = load(&prepare.source)?;
    let suite = resolve(&authored);
    let (selected, selection) = select_cases(&suite, prepare.cases.as_deref())?;
    let plan_options = PlanOptions {
        supported_kinds: &SUPPORTED_KINDS,
        gating_judge: true,
        standard_checks: true,
    };
    let plans = plan_cases(&suite, &selected, &plan_options)?;
    import_decisions(&suite, &selected, &prepare.approvals)?;
    check_target(&suite.target)?;
    let environment = environment(&prepare);
    let model_plans = model_plans(&selected, &plans, &environment)?;
    let judged: Vec<_> = selected.iter().copied().zip(&plans).collect();
    let JudgeChoice { model: judge_model, flags, scripts: judge_scripts } = &prepare.judges;
    let judges = plan_judges(&suite, &judged, judge_model.as_deref(), flags, &environment)?;
    warnings.extend(judges.warnings.iter().cloned());
    let known: Vec<_> = model_plans.iter().flatten().chain(judges.models()).cloned().collect();
    let cassette = &prepare.cassette;
    let bindings = bindings(&suite, &prepare, &mut warnings)?;
    ModelEnvironment::check_keys(&known)?;
    let mut shelf = ModelShelf::new(&environment, &prepare.scripts).with_cassette(cassette);
    let judge_shelf = ModelShelf::new(&environment, judge_scripts).with_cassette(cassette);
    let judges = judges.build(judge_shelf.of_judges(), flags)?;
    let mut cases = Vec::with_capacity(selected.len());
    let mut checks = CompiledChecks::default();
    for (((case, plan), model), judge) in selected.iter().zip(&plans).zip(&model_plans).zip(judges)
    {
        let model = model.as_ref().map(|plan| shelf.model(plan)).transpose()?;
        let asked = Asked { model, judge };
        cases.push(planned(&authored, &suite, case, plan, asked, &mut checks));
    }
    let imported =
        selected.iter().zip(plans).filter(|(case, _)| case.import.is_some()).map(|(_, plan)| plan);
    let imported = imported.collect();
    let bound_secrets = bindings.iter().flat_map(|bound| bound.binding.secrets());
    let secrets = bound_secrets.chain(environment.secrets()).collect();
    Ok(RunRequest {
        identity: identity(&suite),
        suite: suite_identity(&suite, &prepare.source),
        reporting_mode: authored.file().reporting_mode.to_string(),
        declared_hosts: suite.target.hosts.iter().map(|host| host.name.clone()).collect(),
        declared_environment: suite.target.environment.clone(),
        selection,
        cases,
        imported,
        bindings,
        tool_policy: suite.defaults.tool_policy.clone(),
        validity: suite.defaults.validity,
        options: prepare.options,
        secrets,
        withheld_env: ModelEnvironment::key_variables(),
        warnings,
        resumed: Resumed::default(),
    })
}

/// How the servers are reached; a replay reaches none, and says when its recording was cut off.
fn bindings(
    suite: &ResolvedSuite,
    prepare: &Prepare,
    warnings: &mut Vec<String>,
) -> Result<Vec<BoundServer>, PrepareError> {
    let targets: Vec<_> = suite.target.servers.iter().map(|server| server.name.clone()).collect();
    Ok(match &prepare.cassette {
        Cassette::Off | Cassette::Record(_) => bind(&targets, &prepare.bindings)?,
        Cassette::Replay(player) => {
            warnings.extend(player.warning());
            player.bindings(&targets)?
        }
    })
}

/// What is known of models; a replay asks none and needs no key.
fn environment(prepare: &Prepare) -> ModelEnvironment {
    let environment = ModelEnvironment::read(prepare.base_url.as_deref());
    match &prepare.cassette {
        Cassette::Off | Cassette::Record(_) => environment,
        Cassette::Replay(_) => environment.without_asking(),
    }
}

fn load(source: &SuiteSource) -> Result<(Box<AuthoredSuite>, Vec<String>), PrepareError> {
    let parsed = parse_suite_bytes(&source.bytes).map_err(|error| {
        CommandError::usage(format!("cannot read the suite file {}: {error}", source.name))
    })?;
    match parsed {
        SuiteParse::Valid { suite, warnings } => {
            let text = |warning: &howfar_wire::finding::Warning| match warning.pointer.as_str() {
                "" => warning.message.clone(),
                pointer => format!("{pointer}: {}", warning.message),
            };
            Ok((suite, warnings.iter().map(text).collect()))
        }
        SuiteParse::Invalid { findings, .. } => Err(invalid_file(&findings, source).into()),
    }
}

fn invalid_file(findings: &[Finding], source: &SuiteSource) -> Refusal {
    let problem = |finding: &Finding| {
        let place = finding.location.map(|at| format!(" (line {}, column {})", at.line, at.column));
        Problem {
            message: format!("{}{}", finding.message, place.unwrap_or_default()),
            pointer: (!finding.pointer.is_empty()).then(|| finding.pointer.clone()),
            ..Problem::default()
        }
    };
    let mut problems: Vec<_> = findings.iter().map(problem).collect();
    let message = format!("`howfar check {}` shows each place in the file", source.name);
    problems.push(Problem { message, ..Problem::default() });
    refusal(RefusalCode::SuiteFileInvalid, RefusalPhase::Validation, problems)
}

/// The model of each case; `None` for a case without prompts, which never touches one.
fn model_plans(
    selected: &[&ResolvedCase],
    plans: &[CasePlan],
    environment: &ModelEnvironment,
) -> Result<Vec<Option<ModelPlan>>, Refusal> {
    let needs_model = |plan: &CasePlan| plan.mode == AuthoredMode::ModelDriven;
    let driven: Vec<&ResolvedCase> = selected
        .iter()
        .zip(plans)
        .filter(|(_, plan)| needs_model(plan))
        .map(|(case, _)| *case)
        .collect();
    let mut planned = plan_models(&driven, &environment.settings)?.into_iter();
    Ok(plans.iter().map(|plan| needs_model(plan).then(|| planned.next()).flatten()).collect())
}

/// The model that answers in a case, and the judge that grades it.
struct Asked {
    model: Option<CaseModel>,
    judge: Option<CaseJudge>,
}

fn planned(
    authored: &AuthoredSuite,
    suite: &ResolvedSuite,
    case: &ResolvedCase,
    plan: &CasePlan,
    Asked { model, judge }: Asked,
    checks: &mut CompiledChecks,
) -> PlannedCase {
    let written = authored.value().get("cases").and_then(Value::as_array);
    let same = |value: &&Value| value.get("id").and_then(Value::as_str) == Some(case.id.0.as_str());
    let written = written.and_then(|cases| cases.iter().find(same)).cloned().unwrap_or_default();
    ready_case(suite, case, plan, &written, model, judge, checks)
}

fn identity(suite: &ResolvedSuite) -> RunIdentity {
    let now = jiff::Timestamp::now();
    RunIdentity {
        run_id: format!("r_{}", uuid::Uuid::now_v7().simple()),
        suite_id: suite.suite.id.clone(),
        started_at: format!("{now:.3}"),
        started_at_ms: u64::try_from(now.as_millisecond()).unwrap_or_default(),
    }
}

fn suite_identity(suite: &ResolvedSuite, source: &SuiteSource) -> SuiteIdentity {
    SuiteIdentity {
        id: suite.suite.id.clone(),
        name: suite.suite.name.clone(),
        schema_version: suite.dialect.to_string(),
        source_hash: source_hash(&source.bytes),
    }
}
