//! The routes of the API: what is asked, with which parameters, and what answers.

use axum::routing::{MethodRouter, get};
use howfar_wire::analytics::StageAnalytics;
use howfar_wire::api::{
    CasePage, CaseRow, GlossaryPage, IterationPage, RunChange, RunHead, RunPage, RunProgress,
    SuiteList, SuiteTrend, TalliedChain, TracePage, TrialChain, TrialDetail,
};
use howfar_wire::compare::RunComparison;
use howfar_wire::friction::FrictionRollup;
use howfar_wire::summary::DecisionSummary;
use schemars::{JsonSchema as _, Schema, SchemaGenerator};
use serde_json::Value;

use super::answers;
use super::events;
use super::parameters::{Comparison, Glossary, Nothing, Pages, Runs, Trace, Trials};
use super::question::answering;
use crate::web::App;

/// One route.
pub(super) struct Route {
    /// The path below `/api/v1`; places in braces.
    pub(super) path: &'static str,
    /// The name of the question.
    pub(super) operation: &'static str,
    /// What is asked, in one sentence.
    pub(super) about: &'static str,
    /// What may stand behind the `?`.
    pub(super) parameters: fn(&mut SchemaGenerator) -> Schema,
    /// How the answer comes.
    pub(super) kind: Kind,
    /// The answer; of a stream, the data of one event.
    pub(super) answer: fn(&mut SchemaGenerator) -> Schema,
    /// What answers.
    pub(super) handler: fn() -> MethodRouter<App>,
}

/// How an answer comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// One JSON document.
    Document,
    /// One JSON document of a run, which a run need not have.
    RunDocument,
    /// No answer but a problem.
    NotServed,
    /// Server-sent events.
    Events,
}

macro_rules! route {
    ($kind:ident $path:literal, $operation:literal, $about:literal, $query:ty => $answer:ty, $handler:expr) => {
        Route {
            path: $path,
            operation: $operation,
            about: $about,
            parameters: <$query>::json_schema,
            kind: Kind::$kind,
            answer: SchemaGenerator::subschema_for::<$answer>,
            handler: || $handler,
        }
    };
    ($kind:ident $path:literal, $operation:literal, $about:literal, $query:ty => $answer:ty; $function:path) => {
        route!($kind $path, $operation, $about, $query => $answer, answering::<$query, $answer, _, _>($function))
    };
}

/// Every route.
pub(super) const ROUTES: &[Route] = &[
    route!(Document "/suites", "listSuites", "The suites of which runs are stored.", Pages => SuiteList; answers::suites),
    route!(Document "/suites/{suite}/trend", "getSuiteTrend", "The runs of one suite side by side: a series, never a sum.", Pages => SuiteTrend; answers::trend),
    route!(Document "/runs", "listRuns", "Stored runs, newest first.", Runs => RunPage; answers::runs),
    route!(Document "/runs/{run}", "getRun", "What was decided about a run, and how much was measured.", Nothing => RunHead; answers::run),
    route!(Document "/runs/{run}/cases", "listCases", "The cases of a run, each with its verdict, its counts and its tallied chain.", Pages => CasePage; answers::cases),
    route!(Document "/runs/{run}/cases/{case}", "getCase", "One case of a run.", Nothing => CaseRow; answers::case),
    route!(Document "/runs/{run}/cases/{case}/chain", "getCaseChain", "The chains of a case's trials, tallied.", Nothing => TalliedChain; answers::case_chain),
    route!(Document "/runs/{run}/chain", "getRunChain", "The chains of all trials of a run, tallied.", Nothing => TalliedChain; answers::run_chain),
    route!(Document "/runs/{run}/iterations", "listIterations", "The stored trials of a run, case by case.", Trials => IterationPage; answers::iterations),
    route!(Document "/runs/{run}/cases/{case}/iterations/{iteration}", "getTrial", "One trial with its chain, calls and scorecard.", Nothing => TrialDetail; answers::trial),
    route!(Document "/runs/{run}/cases/{case}/iterations/{iteration}/chain", "getTrialChain", "The six rows of one trial.", Nothing => TrialChain; answers::trial_chain),
    route!(Document "/runs/{run}/cases/{case}/iterations/{iteration}/trace", "getTrace", "One trial as it happened: messages, spans or calls.", Trace => TracePage; answers::trace),
    route!(RunDocument "/runs/{run}/decision-summary", "getDecisionSummary", "What was decided about a run, by which rule set, and a page of the trials that did not pass.", Pages => DecisionSummary; answers::decision_summary),
    route!(RunDocument "/runs/{run}/analytics", "getAnalytics", "How far the trials of a run got: the funnel.", Nothing => StageAnalytics; answers::analytics),
    route!(RunDocument "/runs/{run}/friction", "getFriction", "The friction of a run: report-only patterns over its gradeable trials.", Nothing => FrictionRollup; answers::friction),
    route!(RunDocument "/runs/{run}/comparison", "compareRuns", "A run compared with a base run: parity blockers first, then cases, links and intervals.", Comparison => RunComparison; answers::comparison),
    route!(NotServed "/runs/{run}/documents/{document}", "getDocument", "A document of a run that has no route of its own in this build.", Nothing => Value; answers::document),
    route!(Events "/runs/{run}/events", "watchRun", "How far a run is, as long as it runs: the event `progress`, first at once and then whenever something changed.", Nothing => RunProgress, get(events::run)),
    route!(Events "/events", "watchRuns", "Runs that begin, go on or end: the event `run`.", Nothing => RunChange, get(events::all)),
    route!(Document "/glossary", "getGlossary", "Every wire value with its words, its meaning and its next owner.", Glossary => GlossaryPage; answers::glossary),
    route!(Document "/openapi.json", "getDescription", "This description.", Nothing => Value, get(super::openapi::handler)),
];
