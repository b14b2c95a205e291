//! `howfar schema NAME`: the JSON Schema of a file or document, generated from its type.

use howfar_wire::analytics::StageAnalytics;
use howfar_wire::chain::{StageDerivation, StageInput};
use howfar_wire::compare::{CompareReport, RunComparison};
use howfar_wire::documents::RunDocuments;
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::finding::{Refusal, SuiteCheckDocument};
use howfar_wire::friction::{FrictionDocument, FrictionRollup, SuspectedConditionVerdict};
use howfar_wire::gate::{GateReport, RunGate};
use howfar_wire::grading::GradingPolicy;
use howfar_wire::judge::Judgement;
use howfar_wire::measurement::StageMeasurements;
use howfar_wire::record::RunList;
use howfar_wire::report::RunReport;
use howfar_wire::rollup::ScorerRollup;
use howfar_wire::score::{EvaluationConfig, ScoreDefinition, ScoreRow};
use howfar_wire::suite::SuiteFile;
use howfar_wire::suite_gate::SuiteGateReport;
use howfar_wire::summary::DecisionSummary;
use howfar_wire::verdict::{TrialStatistics, VerdictDecision};
use howfar_wire::vocabulary::ExitCode;
use schemars::Schema;
use serde_json::{Map, Value};

use crate::cli::SchemaArgs;
use crate::error::CommandError;
use crate::output;

/// One document with a schema.
struct Document {
    name: &'static str,
    about: &'static str,
    schema: fn() -> Schema,
}

/// A row of the list: the name, what the document is, and its type.
macro_rules! document {
    ($name:literal, $about:literal, $type:ty) => {
        Document { name: $name, about: $about, schema: || schemars::schema_for!($type) }
    };
}

/// Every document, by name.
const DOCUMENTS: &[Document] = &[
    document!("compare-report", "what `howfar compare` prints", CompareReport),
    document!(
        "decision-summary",
        "what was decided, with a diagnostic per trial that did not pass",
        DecisionSummary
    ),
    document!("derivation-input", "what `howfar derive` reads", StageInput<'static, Value>),
    document!("evaluation-config", "the scorers of a case, with their hash", EvaluationConfig),
    document!(
        "friction",
        "the friction signals of one trial; they report and never decide",
        FrictionDocument
    ),
    document!("friction-rollup", "the friction of a run: rates over its trials", FrictionRollup),
    document!("gate-report", "the gates of one run", GateReport),
    document!("goal-judgement", "what a judge said about one trial", Judgement),
    document!("grading-policy", "what decides pass and fail, read from any source", GradingPolicy),
    document!("refusal", "why a run was refused before it executed anything", Refusal),
    document!("run-comparison", "two runs compared: what may be, and what moved", RunComparison),
    document!("run-documents", "what `howfar derive --all` prints", RunDocuments),
    document!("run-gate", "what `howfar gate` prints", RunGate),
    document!("run-list", "what `howfar list` prints", RunList),
    document!("run-report", "what `howfar run` prints", RunReport),
    document!("score-definition", "one scorer, resolved", ScoreDefinition),
    document!("score-row", "one score of one trial", ScoreRow),
    document!("scorer-rollup", "scores over a run", ScorerRollup),
    document!("stage-analytics", "how far the trials of a run got", StageAnalytics),
    document!("stage-derivation", "what `howfar derive` prints per document", StageDerivation),
    document!("stage-measurements", "reach and latency of one trial's stages", StageMeasurements),
    document!("suite", "the suite file, in the words of dialect 2", SuiteFile),
    document!("suite-check", "what `howfar check` prints", SuiteCheckDocument),
    document!("suite-gate-report", "the conditions of a suite gate", SuiteGateReport),
    document!(
        "suspected-condition",
        "what a judge suspects behind a friction signal",
        SuspectedConditionVerdict
    ),
    document!(
        "trial-evidence",
        "what `howfar run --evidence` writes per trial",
        TrialEvidence<'static>
    ),
    document!(
        "trial-statistics",
        "pass@k and intervals beside a decision; never gating",
        TrialStatistics
    ),
    document!("verdict-decision", "a decision of verdict policy v2", VerdictDecision),
];

/// The description of the JSON API: no schema of one document, but it holds those of every answer.
const OPENAPI: (&str, &str) = ("openapi", "the JSON API of `howfar serve` (OpenAPI 3.1)");

pub(crate) fn run(args: &SchemaArgs) -> Result<ExitCode, CommandError> {
    if args.all {
        let all: Map<String, Value> = DOCUMENTS
            .iter()
            .map(|document| (document.name.to_owned(), (document.schema)().to_value()))
            .collect();
        output::json(&all)?;
        return Ok(ExitCode::Success);
    }
    let Some(name) = &args.name else {
        let line = |(name, about)| format!("{name:<20} {about}\n");
        let documents = DOCUMENTS.iter().map(|document| (document.name, document.about));
        output::text(&documents.chain([OPENAPI]).map(line).collect::<String>())?;
        return Ok(ExitCode::Success);
    };
    if name == OPENAPI.0 {
        output::json(&howfar_server::web::openapi())?;
        return Ok(ExitCode::Success);
    }
    let Some(document) = DOCUMENTS.iter().find(|document| document.name == name) else {
        let names = DOCUMENTS.iter().map(|document| document.name).chain([OPENAPI.0]);
        let names: Vec<_> = names.collect();
        return Err(CommandError::usage(format!("no schema is named {name:?}"))
            .hint(format!("the names are {}", names.join(", "))));
    };
    output::json(&(document.schema)())?;
    Ok(ExitCode::Success)
}
