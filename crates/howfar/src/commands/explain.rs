//! `howfar explain [VALUE]`: the glossary, whole or one value.

use std::fmt::Write as _;

use howfar_wire::vocabulary::ExitCode;

use crate::cli::{ExplainArgs, GlossaryFormat};
use crate::error::CommandError;
use crate::output;
use howfar_report::glossary::{self, Entry, Section};

pub(crate) fn run(args: &ExplainArgs) -> Result<ExitCode, CommandError> {
    match &args.value {
        Some(value) => explain_value(value, args.format())?,
        None => explain_all(args.format())?,
    }
    Ok(ExitCode::Success)
}

fn explain_value(value: &str, format: GlossaryFormat) -> Result<(), CommandError> {
    let entries = glossary::entries_for(value);
    if entries.is_empty() {
        let error = CommandError::usage(format!("no glossary entry is named {value:?}"));
        return Err(match glossary::suggestions(value).as_slice() {
            [] => error.hint("run `howfar explain` to see every value"),
            near => error.hint(format!("did you mean {}?", near.join(", "))),
        });
    }
    match format {
        GlossaryFormat::Json => output::json(&serde_json::json!({ "entries": entries })),
        GlossaryFormat::Human | GlossaryFormat::Markdown | GlossaryFormat::Skill => {
            output::text(&entries.iter().map(entry_text).collect::<Vec<_>>().join("\n"))
        }
    }
}

fn explain_all(format: GlossaryFormat) -> Result<(), CommandError> {
    let sections = glossary::sections();
    match format {
        GlossaryFormat::Json => output::json(&serde_json::json!({ "vocabularies": sections })),
        GlossaryFormat::Human => output::text(&human(&sections)),
        GlossaryFormat::Markdown => output::text(&glossary::render_markdown(&sections)),
        GlossaryFormat::Skill => output::text(&glossary::render_skill(&sections)),
    }
}

fn entry_text(entry: &Entry) -> String {
    let mut out = format!("{}  ({}, {})\n", entry.value, entry.vocabulary, entry.place.words());
    let _ = writeln!(out, "  words       {}", entry.label);
    if let Some(meaning) = &entry.meaning {
        let _ = writeln!(out, "  meaning     {meaning}");
    }
    if let Some(owner) = &entry.next_owner {
        let _ = writeln!(out, "  look next   {owner}");
    }
    out
}

fn human(sections: &[Section]) -> String {
    let mut out = String::new();
    for section in sections {
        let _ = writeln!(
            out,
            "{} — {}\n  {}",
            section.vocabulary,
            section.place.words(),
            section.about
        );
        for entry in &section.entries {
            let _ = writeln!(out, "    {:<32} {}", entry.value, entry.label);
        }
        out.push('\n');
    }
    out.push_str("`howfar explain VALUE` says more about one value.\n");
    out
}
