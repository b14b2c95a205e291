//! `howfar schema NAME`: the JSON Schema of a file or document, generated from its type.

use howfar_wire::chain::{StageDerivation, StageInput};
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::finding::SuiteCheckDocument;
use howfar_wire::friction::{FrictionDocument, FrictionRollup, SuspectedConditionVerdict};
use howfar_wire::record::RunList;
use howfar_wire::report::RunReport;
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

const DOCUMENTS: &[Document] = &[
    Document {
        name: "derivation-input",
        about: "what `howfar derive` reads",
        schema: || schemars::schema_for!(StageInput<'static, Value>),
    },
    Document {
        name: "friction",
        about: "the friction signals of one trial; they report and never decide",
        schema: || schemars::schema_for!(FrictionDocument),
    },
    Document {
        name: "friction-rollup",
        about: "the friction of a run: rates over its trials",
        schema: || schemars::schema_for!(FrictionRollup),
    },
    Document {
        name: "run-list",
        about: "what `howfar list` prints",
        schema: || schemars::schema_for!(RunList),
    },
    Document {
        name: "run-report",
        about: "what `howfar run` prints",
        schema: || schemars::schema_for!(RunReport),
    },
    Document {
        name: "stage-derivation",
        about: "what `howfar derive` prints per document",
        schema: || schemars::schema_for!(StageDerivation),
    },
    Document {
        name: "suspected-condition",
        about: "what a judge suspects behind a friction signal",
        schema: || schemars::schema_for!(SuspectedConditionVerdict),
    },
    Document {
        name: "suite-check",
        about: "what `howfar check` prints",
        schema: || schemars::schema_for!(SuiteCheckDocument),
    },
    Document {
        name: "trial-evidence",
        about: "what `howfar run --evidence` writes per trial",
        schema: || schemars::schema_for!(TrialEvidence<'static>),
    },
];

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
        let line = |document: &Document| format!("{:<20} {}\n", document.name, document.about);
        output::text(&DOCUMENTS.iter().map(line).collect::<String>())?;
        return Ok(ExitCode::Success);
    };
    let Some(document) = DOCUMENTS.iter().find(|document| document.name == name) else {
        let names: Vec<_> = DOCUMENTS.iter().map(|document| document.name).collect();
        return Err(CommandError::usage(format!("no schema is named {name:?}"))
            .hint(format!("the names are {}", names.join(", "))));
    };
    output::json(&(document.schema)())?;
    Ok(ExitCode::Success)
}
