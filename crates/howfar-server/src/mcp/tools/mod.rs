//! One file per tool.

mod compare_runs;
mod get_analytics;
mod get_chain;
mod get_run;
mod get_trace;
mod list_iterations;
mod list_runs;
mod list_suites;
mod run_suite;
mod validate_suite;

pub(super) use compare_runs::CompareRuns;
pub(super) use get_analytics::GetAnalytics;
pub(super) use get_chain::GetChain;
pub(super) use get_run::GetRun;
pub(super) use get_trace::GetTrace;
pub(super) use list_iterations::ListIterations;
pub(super) use list_runs::ListRuns;
pub(super) use list_suites::ListSuites;
pub(super) use run_suite::RunSuiteTool;
pub(super) use validate_suite::ValidateSuite;
