//! Names, ids and short texts from what a server says of itself. Its text is foreign: it is cut, put on one line, and
//! loses every character that does not show.

use crate::write::shows;

/// Parts of a server's own name that say nothing: every server is one.
const EMPTY_PARTS: [&str; 3] = ["mcp", "server", "servers"];

/// The longest id or name that is made here.
const MAX_NAME: usize = 60;

/// A short name for a server from the one that it gives itself: `mcp-servers/everything` becomes `everything`. Only
/// letters, digits, `-` and `_` are left; a name of which nothing is left becomes `server`.
pub fn starter_name(own_name: &str) -> String {
    let last = own_name.rsplit('/').find(|part| !part.trim().is_empty()).unwrap_or_default();
    let id = opaque(last);
    let kept: Vec<&str> = id
        .split('-')
        .filter(|part| !part.is_empty() && !EMPTY_PARTS.contains(&part.to_lowercase().as_str()))
        .collect();
    if kept.is_empty() { "server".to_owned() } else { kept.join("-") }
}

/// One id per tool name: the name with every other character than letters, digits, `-` and `_` replaced, and a number
/// where two would be the same.
pub fn starter_case_ids<'a>(tools: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for tool in tools {
        let base = match opaque(tool) {
            id if id.is_empty() => "tool".to_owned(),
            id => id,
        };
        let numbered = |n: usize| if n == 1 { base.clone() } else { format!("{base}-{n}") };
        let id = (1..).map(numbered).find(|id| !ids.contains(id));
        ids.push(id.expect("there are more numbers than ids"));
    }
    ids
}

fn opaque(text: &str) -> String {
    let word = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let id: String = text.chars().take(MAX_NAME).map(word).collect();
    id.trim_matches('-').to_owned()
}

/// The words of a name, in lower case: `get_weatherReport` is `get`, `weather`, `report`.
pub(super) fn name_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_lower = false;
    for c in name.chars() {
        let starts = !c.is_alphanumeric() || (c.is_uppercase() && after_lower);
        if starts && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let (true, Some(word)) = (c.is_alphanumeric(), words.last_mut()) {
            word.extend(c.to_lowercase());
        }
        after_lower = c.is_lowercase() || c.is_numeric();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The text on one line, cut to `limit` characters with an ellipsis, without characters that do not show.
pub(super) fn one_line(text: &str, limit: usize) -> String {
    let visible: String = text
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|c| shows(*c))
        .collect();
    let joined = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    if joined.chars().count() <= limit {
        return joined;
    }
    let cut: String = joined.chars().take(limit.saturating_sub(1)).collect();
    format!("{}…", cut.trim_end())
}

/// The first sentence of a description, without its full stop; empty when nothing is left of it.
pub(super) fn first_sentence(text: &str, limit: usize) -> String {
    let first_line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let end = first_line.find(". ").unwrap_or(first_line.len());
    let sentence = one_line(&first_line[..end], limit);
    sentence.trim_end_matches(['.', ':', ' ']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_name_loses_what_every_server_is() {
        assert_eq!(starter_name("mcp-servers/everything"), "everything");
        assert_eq!(starter_name("secure-filesystem-server"), "secure-filesystem");
        assert_eq!(starter_name("Wetter Köln"), "Wetter-K-ln");
        assert_eq!(starter_name("mcp-server"), "server");
        assert_eq!(starter_name(" /…/ "), "server");
    }

    #[test]
    fn case_ids_are_opaque_and_unique() {
        let ids = starter_case_ids(["a.b", "a b", "…", "c"].into_iter());
        assert_eq!(ids, ["a-b", "a-b-2", "tool", "c"]);
    }

    #[test]
    fn words_part_at_case_and_at_marks() {
        assert_eq!(name_words("get_weatherReport-v2"), ["get", "weather", "report", "v2"]);
        assert_eq!(name_words("--"), Vec::<String>::new());
    }

    #[test]
    fn foreign_text_is_one_line_that_shows() {
        assert_eq!(one_line("a\u{1b}[31m\n b\u{202e}c", 20), "a[31m bc");
        assert_eq!(one_line("abcdef", 4), "abc…");
    }

    #[test]
    fn a_sentence_ends_at_its_stop() {
        assert_eq!(first_sentence("\nAdds numbers. Then more.", 80), "Adds numbers");
        assert_eq!(first_sentence("Version 1.2 of it:", 80), "Version 1.2 of it");
    }
}
