//! Conformance of the glossary: every list of a `vocabulary.json` is one of its sections, with the same members in the
//! same order, and every word that such a file states is the label that a person reads.

use std::process::ExitCode;

use howfar_report::glossary::{self, Section};
use howfar_testkit::vectors::{VectorFile, run};
use serde_json::{Map, Value};

const FILE: &str = "vocabulary.json";

fn main() -> ExitCode {
    let files = [
        VectorFile { area: "derivation", file: FILE, check: derivation },
        VectorFile { area: "friction", file: FILE, check: friction },
        VectorFile { area: "run-documents", file: FILE, check: run_documents },
    ];
    run(env!("CARGO_MANIFEST_DIR"), &files)
}

/// Keys of a file and the sections that tell them.
type Names = &'static [(&'static str, &'static str)];

fn derivation(file: &Value) -> Result<(), String> {
    let names: Names = &[
        ("stages", "stages"),
        ("states", "stageStates"),
        ("reasons", "stageReasons"),
        ("failureCategories", "failureCategories"),
        ("iterationStatuses", "iterationStatuses"),
        ("chatSources", "chatSources"),
    ];
    // Keys of a document are no vocabulary.
    told(file, names, &["metadataKeys"])
}

fn friction(file: &Value) -> Result<(), String> {
    let names: Names = &[
        ("signalKinds", "frictionSignalKinds"),
        ("notMeasuredReasons", "frictionNotMeasuredReasons"),
        ("orderings", "callOrderings"),
        ("paginationKeys", "paginationKeys"),
        ("suspectedConditions", "suspectedConditions"),
        ("confidences", "conditionConfidences"),
        ("skipReasons", "conditionSkipReasons"),
    ];
    told(file, names, &[])
}

/// Every key of the file is the name of a section, and gives the word of each member.
fn run_documents(file: &Value) -> Result<(), String> {
    let sections = glossary::sections();
    for (name, words) in object(file)? {
        let section = section(&sections, name)?;
        let members: Vec<_> = section.entries.iter().map(|entry| entry.value.as_str()).collect();
        let stated: Vec<_> = object(words)?.keys().map(String::as_str).collect();
        if members != stated {
            return Err(format!("{name} has {members:?}, not {stated:?}"));
        }
        words_hold(section, words)?;
    }
    Ok(())
}

fn told(file: &Value, names: Names, no_vocabulary: &[&str]) -> Result<(), String> {
    let sections = glossary::sections();
    for (key, stated) in object(file)?.iter().filter(|(_, stated)| stated.is_array()) {
        if no_vocabulary.contains(&key.as_str()) {
            continue;
        }
        let name = names.iter().find(|name| name.0 == key);
        let section = section(&sections, name.ok_or(format!("no section is known for {key}"))?.1)?;
        let members: Value = section.entries.iter().map(|entry| entry.value.clone()).collect();
        if members != *stated {
            return Err(format!("{key} has {members}, not {stated}"));
        }
        words_hold(section, &file["words"][key])?;
    }
    Ok(())
}

/// Every word that is stated is the label.
fn words_hold(section: &Section, words: &Value) -> Result<(), String> {
    for (value, word) in words.as_object().into_iter().flatten() {
        let entry = section.entries.iter().find(|entry| entry.value == *value);
        let label = entry.map(|entry| entry.label.as_str());
        if label != word.as_str() {
            return Err(format!("{value} reads {label:?}, not {word}"));
        }
    }
    Ok(())
}

fn section<'a>(sections: &'a [Section], name: &str) -> Result<&'a Section, String> {
    let found = sections.iter().find(|section| section.vocabulary == name);
    found.ok_or(format!("the glossary has no section {name}"))
}

fn object(value: &Value) -> Result<&Map<String, Value>, String> {
    value.as_object().ok_or_else(|| format!("{value} is not an object"))
}
