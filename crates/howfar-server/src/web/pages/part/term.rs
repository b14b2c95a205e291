//! A value of a closed vocabulary in its words, with its meaning on hover and focus and a way to its glossary entry.

use std::collections::HashMap;
use std::sync::LazyLock;

use askama::Template;
use howfar_report::glossary;
use howfar_wire::Vocabulary;

use crate::web::pages::link;

/// What a term means: by vocabulary and wire value.
static MEANINGS: LazyLock<HashMap<(&'static str, String), String>> = LazyLock::new(|| {
    let sections = glossary::sections().into_iter();
    let meaning = |section: glossary::Section| {
        let about = section.about;
        section.entries.into_iter().map(move |entry| {
            let mut parts = vec![entry.meaning.unwrap_or_else(|| about.to_owned())];
            parts.extend(entry.next_owner.map(|owner| format!("Next: {owner}")));
            ((entry.vocabulary, entry.value), parts.join(" · "))
        })
    };
    sections.flat_map(meaning).collect()
});

/// A word with its entry. The title is shown on hover and read out; the tip is shown while the link has the focus.
#[derive(Debug, Template)]
#[template(
    source = r#"<span class="term"><a href="{{ href }}" title="{{ meaning }}">{{ words }}</a><span class="tip" aria-hidden="true">{{ meaning }}</span></span>"#,
    ext = "html"
)]
pub(in crate::web::pages) struct Term {
    href: String,
    words: &'static str,
    meaning: &'static str,
}

impl Term {
    /// The term of a member.
    pub(in crate::web::pages) fn of<V: Vocabulary>(member: V) -> Self {
        let key = (V::NAME, member.as_str().to_owned());
        Self {
            href: link::glossary(V::NAME, member.as_str()),
            words: member.label(),
            meaning: MEANINGS.get(&key).map_or(V::ABOUT, String::as_str),
        }
    }
}

#[cfg(test)]
mod tests {
    use howfar_wire::vocabulary::{FailureCategory, Stage};

    use super::*;

    #[test]
    fn a_term_leads_to_its_entry_and_says_who_looks_next() {
        let shown = Term::of(FailureCategory::Arguments).to_string();
        assert!(shown.contains("href=\"/glossary#failureCategories-arguments\""), "{shown}");
        assert!(shown.contains("Next: "), "{shown}");
    }

    #[test]
    fn every_link_has_a_meaning() {
        for &stage in Stage::ALL {
            assert!(!Term::of(stage).meaning.is_empty());
        }
    }
}
