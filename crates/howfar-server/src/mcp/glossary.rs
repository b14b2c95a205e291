//! The glossary as a resource: whole, and one list at a time.

use howfar_report::glossary::{
    Section, render_markdown, render_reading_rules, render_section, sections,
};
use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};

/// The whole glossary.
const GLOSSARY: &str = "howfar://glossary";

/// The media type of every text here.
const MARKDOWN: &str = "text/markdown";

/// The whole glossary, as it is listed.
pub(super) fn resource() -> Resource {
    Resource::new(GLOSSARY, "glossary")
        .with_title("Glossary of howfar")
        .with_description(
            "Every wire value with its words, its meaning and who should look next, after the rules of reading. One \
             list of it is at howfar://glossary/{vocabulary}.",
        )
        .with_mime_type(MARKDOWN)
        .with_size(whole().len() as u64)
}

/// One list of it, as it is listed.
pub(super) fn template() -> ResourceTemplate {
    ResourceTemplate::new("howfar://glossary/{vocabulary}", "glossary-vocabulary")
        .with_title("One list of the glossary")
        .with_description("The members of one closed list, for example stages, stageReasons or failureCategories.")
        .with_mime_type(MARKDOWN)
}

/// The text at a URI.
pub(super) fn read(uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let text = match uri.strip_prefix(GLOSSARY) {
        Some("" | "/") => whole(),
        Some(rest) => list(rest.trim_start_matches('/')).ok_or_else(|| not_found(uri))?,
        None => return Err(not_found(uri)),
    };
    let contents = ResourceContents::text(text, uri).with_mime_type(MARKDOWN);
    Ok(ReadResourceResult::new(vec![contents]))
}

fn whole() -> String {
    format!("# How to read\n\n{}\n{}", render_reading_rules(), render_markdown(&sections()))
}

fn list(vocabulary: &str) -> Option<String> {
    sections().iter().find(|section| section.vocabulary == vocabulary).map(render_section)
}

fn not_found(uri: &str) -> ErrorData {
    let names: Vec<&str> =
        sections().iter().map(|Section { vocabulary, .. }| *vocabulary).collect();
    let message = format!(
        "nothing is at {}; read {GLOSSARY}, or {GLOSSARY}/ with one of {}",
        howfar_report::sanitize(uri),
        names.join(", ")
    );
    ErrorData::resource_not_found(message, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(uri: &str) -> Option<String> {
        let read = read(uri).ok()?;
        match read.contents.into_iter().next()? {
            ResourceContents::TextResourceContents { text, .. } => Some(text),
            _ => None,
        }
    }

    #[test]
    fn the_whole_glossary_has_every_list() {
        let whole = text(GLOSSARY).expect("the glossary");
        assert!(
            sections()
                .iter()
                .all(|section| whole.contains(&format!("## {}\n", section.vocabulary)))
        );
    }

    #[test]
    fn every_list_is_at_its_own_address() {
        for section in sections() {
            let list = text(&format!("{GLOSSARY}/{}", section.vocabulary)).expect("a list");
            assert!(
                section
                    .entries
                    .iter()
                    .all(|entry| list.contains(&format!("| `{}` |", entry.value)))
            );
        }
    }

    #[test]
    fn an_unknown_list_is_answered_with_the_known_ones() {
        let error = read("howfar://glossary/stage").expect_err("no such list");
        assert!(error.message.contains("stageReasons"), "{}", error.message);
    }
}
