//! Connecting, listing, and freezing the environment of a run (suite and runner, sections B1 and B5).

use std::time::Duration;

use futures::future::join_all;
use howfar_core::chain::{PhaseOutcome, ServerSetup, attribute_failure, fold_setup, wants_canary};
use howfar_core::predicate::EvaluationContext;
use howfar_mcp::{
    BoundServer, CanaryVerdict, Catalog, ConnectOptions, Connection, SetupCause, SetupError,
    WireClock, connect, recorded_egress_canary,
};
use howfar_suite::plan::snapshot;
use howfar_wire::finding::{Problem, Refusal};
use howfar_wire::report::{Issue, ServerReport};
use howfar_wire::suite::{ToolPolicy, ToolPolicySnapshot};
use howfar_wire::vocabulary::{
    IssueCode, RefusalCategory, RefusalCode, RefusalPhase, SetupOutcome,
};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::Environment;
use super::attribution::setup_failure;
use super::catalog::{MergedCatalog, merge};
use super::server::Server;
use crate::clock::milliseconds;
use crate::options::RunOptions;
use crate::redact::Redactor;

/// How long the egress canary may take.
const CANARY_LIMIT: Duration = Duration::from_secs(5);

/// What setup needs.
#[derive(Clone, Copy)]
pub(crate) struct SetupRequest<'a> {
    pub(crate) bindings: &'a [BoundServer],
    pub(crate) options: &'a RunOptions,
    pub(crate) policy: Option<&'a ToolPolicy>,
    pub(crate) redactor: &'a Redactor,
    /// Variables that no child process inherits: the model keys.
    pub(crate) withheld_env: &'a [String],
}

/// One server after its connect and, when that worked, its listing.
struct Attempt {
    connected: Result<Connection, SetupError>,
    listed: Option<Result<Catalog, SetupError>>,
    list_times: (f64, f64),
}

/// Sets up every server of the run.
///
/// # Errors
///
/// A refusal: a tool policy that names no tool, a policy over an incomplete catalog, any failure under
/// `--strict-setup`, or the user's interrupt. Without `--strict-setup` a failure of a server is no refusal: the
/// environment says so, and the chain shows where it broke.
pub(crate) async fn set_up(
    request: SetupRequest<'_>,
    cancel: &CancellationToken,
) -> Result<Environment, Refusal> {
    let connect_options = ConnectOptions {
        setup_timeout: request.options.setup_timeout,
        withheld_env: request.withheld_env.to_vec(),
        traffic: request.options.traffic.clone(),
        ..ConnectOptions::default()
    };
    let attempts = tokio::select! {
        attempts = attempt_all(request.bindings, &connect_options) => attempts,
        () = cancel.cancelled() => return Err(cancelled()),
    };
    let setups = server_setups(&attempts, request);
    let egress_verified = run_canary(&attempts, &setups, request).await;
    let signals = fold_setup(&setups, egress_verified);
    let merged = merge(&catalogs(&attempts), attempts.len());
    let mut issues: Vec<Issue> =
        attempts.iter().filter_map(|attempt| attempt_issue(attempt, request)).collect();
    issues.extend(connection_findings(&attempts, request));
    issues.extend(merged.issues.iter().map(|issue| redacted(issue, request.redactor)));
    if request.options.strict_setup {
        refuse_strictly(&attempts, &merged, request)?;
    }
    let (policy, warnings) = freeze_policy(&attempts, &merged, request)?;
    let ready = attempts.iter().all(Attempt::succeeded);
    let reports = server_reports(&attempts, &setups, request);
    let servers = attempts.into_iter().zip(request.bindings).map(|(attempt, binding)| {
        Server::new(binding.clone(), connect_options.clone(), attempt.connected.ok())
    });
    Ok(Environment {
        servers: servers.collect(),
        owners: merged.owners,
        specs: merged.specs,
        inventory: merged.inventory,
        declarations: merged.declarations,
        declarations_state: merged.state,
        policy,
        evaluation: EvaluationContext::new(),
        signals,
        ready,
        reports,
        issues,
        warnings,
    })
}

impl Attempt {
    const fn succeeded(&self) -> bool {
        matches!((&self.connected, &self.listed), (Ok(_), Some(Ok(_))))
    }

    /// The error that ended the attempt.
    fn error(&self) -> Option<&SetupError> {
        match (&self.connected, &self.listed) {
            (Err(error), _) | (Ok(_), Some(Err(error))) => Some(error),
            (Ok(_), Some(Ok(_)) | None) => None,
        }
    }
}

async fn attempt_all(bindings: &[BoundServer], options: &ConnectOptions) -> Vec<Attempt> {
    let connecting = bindings.iter().map(|bound| connect(&bound.name, &bound.binding, options));
    let connected = join_all(connecting).await;
    let listing = connected.into_iter().map(|connected| async {
        let started = milliseconds(options.clock.now());
        let listed = match &connected {
            Ok(connection) => Some(connection.list_tools().await),
            Err(_) => None,
        };
        Attempt {
            connected,
            listed,
            list_times: (started, milliseconds(WireClock::now(options.clock))),
        }
    });
    join_all(listing).await
}

fn server_setups(attempts: &[Attempt], request: SetupRequest<'_>) -> Vec<ServerSetup> {
    let failure = |error: &SetupError| {
        let text = request.redactor.text(&error.to_string());
        // Whoever shows the failure names the server beside it.
        let bare = text.strip_prefix(&format!("server \"{}\" ", error.server));
        setup_failure(error, bare.map_or_else(|| text.clone(), str::to_owned))
    };
    let setup = |(attempt, bound): (&Attempt, &BoundServer)| {
        let connect = match &attempt.connected {
            Ok(connection) => {
                let info = connection.info();
                outcome(None, milliseconds(info.started), milliseconds(info.ended))
            }
            Err(error) => outcome(
                Some(failure(error)),
                milliseconds(error.started),
                milliseconds(error.ended),
            ),
        };
        let list = attempt.listed.as_ref().map(|listed| {
            let (started, ended) = attempt.list_times;
            outcome(listed.as_ref().err().map(&failure), started, ended)
        });
        ServerSetup { name: bound.name.clone(), connect: Some(connect), list }
    };
    attempts.iter().zip(request.bindings).map(setup).collect()
}

fn outcome(
    failure: Option<howfar_core::chain::SetupFailure>,
    started_at_ms: f64,
    ended_at_ms: f64,
) -> PhaseOutcome {
    PhaseOutcome { failure, started_at_ms, ended_at_ms }
}

/// Whether our own network path works, asked only when a connection failed on the server's side.
async fn run_canary(
    attempts: &[Attempt],
    setups: &[ServerSetup],
    request: SetupRequest<'_>,
) -> Option<bool> {
    if !wants_canary(setups) {
        return None;
    }
    let mut verified = true;
    for (attempt, bound) in attempts.iter().zip(request.bindings) {
        let Err(error) = &attempt.connected else { continue };
        let address = request.options.egress_canary.as_deref();
        let traffic = &request.options.traffic;
        match recorded_egress_canary(traffic, &bound.binding, error, address, CANARY_LIMIT).await {
            CanaryVerdict::Verified => {}
            CanaryVerdict::NotVerified => verified = false,
            CanaryVerdict::NotRun => return None,
        }
    }
    Some(verified)
}

fn catalogs(attempts: &[Attempt]) -> Vec<(usize, &Catalog)> {
    let mut listed = Vec::with_capacity(attempts.len());
    for (at, attempt) in attempts.iter().enumerate() {
        if let Some(Ok(catalog)) = &attempt.listed {
            listed.push((at, catalog));
        }
    }
    listed
}

fn attempt_issue(attempt: &Attempt, request: SetupRequest<'_>) -> Option<Issue> {
    let error = attempt.error()?;
    Some(Issue {
        code: IssueCode::SetupFailed,
        phase: RefusalPhase::Setup,
        category: RefusalCategory::Setup,
        message: request.redactor.text(&error.to_string()),
        case_id: None,
        iteration_number: None,
        server: Some(error.server.clone()),
    })
}

/// What servers did that they should not while being set up.
fn connection_findings(attempts: &[Attempt], request: SetupRequest<'_>) -> Vec<Issue> {
    let mut issues = Vec::new();
    for attempt in attempts {
        let Ok(connection) = &attempt.connected else { continue };
        for finding in connection.findings() {
            let message = request.redactor.text(&finding.text);
            issues.push(super::catalog::catalog_issue(connection.server(), message));
        }
    }
    issues
}

fn redacted(issue: &Issue, redactor: &Redactor) -> Issue {
    Issue { message: redactor.text(&issue.message), ..issue.clone() }
}

fn refuse_strictly(
    attempts: &[Attempt],
    merged: &MergedCatalog,
    request: SetupRequest<'_>,
) -> Result<(), Refusal> {
    let failed = |attempt: &&Attempt| attempt.error().is_some();
    if let Some(error) = attempts.iter().find(failed).and_then(Attempt::error) {
        let code = match (&error.cause, attempts.iter().any(|attempt| attempt.connected.is_err())) {
            (SetupCause::Timeout { .. }, _) => RefusalCode::SetupTimeout,
            (_, true) => RefusalCode::ServerConnectFailed,
            (_, false) => RefusalCode::ToolCatalogFailed,
        };
        let errors = attempts.iter().filter_map(Attempt::error);
        let problems = errors.map(|error| Problem {
            message: request.redactor.text(&error.to_string()),
            server: Some(error.server.clone()),
            ..Problem::default()
        });
        return Err(setup_refusal(code, problems.collect()));
    }
    if merged.collisions.is_empty() {
        return Ok(());
    }
    let problem = |(tool, first, second): &(String, String, String)| Problem {
        message: format!("servers {first:?} and {second:?} both expose a tool named {tool:?}"),
        server: Some(second.clone()),
        tool_name: Some(tool.clone()),
        ..Problem::default()
    };
    Err(setup_refusal(
        RefusalCode::ToolNameConflict,
        merged.collisions.iter().map(problem).collect(),
    ))
}

/// The decision per tool, frozen. A policy cannot be kept over a catalog that was not read whole.
fn freeze_policy(
    attempts: &[Attempt],
    merged: &MergedCatalog,
    request: SetupRequest<'_>,
) -> Result<(Option<ToolPolicySnapshot>, Vec<String>), Refusal> {
    let Some(policy) = request.policy else { return Ok((None, Vec::new())) };
    if !attempts.iter().all(Attempt::succeeded) {
        // No trial will run: the environment is not ready.
        return Ok((None, Vec::new()));
    }
    let incomplete = catalogs(attempts).into_iter().filter(|(_, catalog)| !catalog.complete);
    let problems: Vec<_> = incomplete
        .map(|(_, catalog)| Problem {
            message: format!(
                "the catalog of server {:?} could not be read whole, so the suite's tool policy cannot be kept; \
                 mend the listing or remove `defaults.toolPolicy`",
                catalog.server
            ),
            server: Some(catalog.server.clone()),
            ..Problem::default()
        })
        .collect();
    if !problems.is_empty() {
        return Err(setup_refusal(RefusalCode::ToolCatalogFailed, problems));
    }
    let tools: Vec<(&str, Option<&Value>)> = merged
        .inventory
        .iter()
        .map(|tool| (tool.name.as_str(), tool.annotations.as_ref()))
        .collect();
    let (snapshot, unmatched) = snapshot(policy, &tools)?;
    let warning =
        |name: String| format!("`toolPolicy.allow` names {name:?}, which no server offers");
    Ok((Some(snapshot), unmatched.into_iter().map(warning).collect()))
}

fn server_reports(
    attempts: &[Attempt],
    setups: &[ServerSetup],
    request: SetupRequest<'_>,
) -> Vec<ServerReport> {
    let rows = attempts.iter().zip(setups).zip(request.bindings);
    rows.map(|((attempt, setup), bound)| server_report(attempt, setup, bound)).collect()
}

fn server_report(attempt: &Attempt, setup: &ServerSetup, bound: &BoundServer) -> ServerReport {
    let info = attempt.connected.as_ref().ok().map(Connection::info);
    let phases = [setup.connect.as_ref(), setup.list.as_ref()];
    let failure = phases.into_iter().flatten().find_map(|phase| phase.failure.as_ref());
    let catalog = match &attempt.listed {
        Some(Ok(catalog)) => Some(catalog),
        Some(Err(_)) | None => None,
    };
    let quarantined = catalog.map(|catalog| {
        let label = |entry: &howfar_mcp::QuarantinedEntry| {
            entry.name.clone().unwrap_or_else(|| format!("entry {}", entry.index))
        };
        catalog.quarantined.iter().map(label).collect()
    });
    ServerReport {
        name: bound.name.clone(),
        source: bound.source_label.clone(),
        transport: bound.binding.transport().as_str().to_owned(),
        connection: phase_outcome(setup.connect.as_ref()).unwrap_or(SetupOutcome::Failed),
        discovery: phase_outcome(setup.list.as_ref()),
        attribution: failure.map(attribute_failure),
        protocol_version: info.map(|info| info.protocol_version.clone()),
        server_info: info.and_then(|info| {
            let version = info.server_version().filter(|version| !version.is_empty());
            Some([info.server_name()?, version.unwrap_or_default()].join(" ").trim().to_owned())
        }),
        tools: catalog.map(|catalog| catalog.tools.len() as u64),
        quarantined: quarantined.unwrap_or_default(),
        error: failure.map(|failure| failure.message.clone()),
    }
}

fn phase_outcome(phase: Option<&PhaseOutcome>) -> Option<SetupOutcome> {
    let failed = phase?.failure.is_some();
    Some(if failed { SetupOutcome::Failed } else { SetupOutcome::Ok })
}

fn cancelled() -> Refusal {
    let message = "interrupted while the servers were set up; nothing ran".to_owned();
    Refusal {
        code: RefusalCode::Cancelled,
        phase: RefusalPhase::Setup,
        category: RefusalCategory::Cancelled,
        problems: vec![Problem { message, ..Problem::default() }],
    }
}

fn setup_refusal(code: RefusalCode, problems: Vec<Problem>) -> Refusal {
    Refusal { code, phase: RefusalPhase::Setup, category: RefusalCategory::Setup, problems }
}
