//! The glossary: every vocabulary with its members, each with an address.

use askama::Template;
use howfar_report::glossary::{Section, sections};

use super::frame::{Frame, Part};
use super::link;

/// The page.
#[derive(Template)]
#[template(path = "glossary.html")]
pub(super) struct GlossaryPage {
    frame: Frame,
    sections: Vec<Section>,
}

impl GlossaryPage {
    /// The page of every vocabulary.
    pub(super) fn new() -> Self {
        Self { frame: Frame::new("Glossary", Part::Glossary), sections: sections() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_member_of_every_list_has_an_address() {
        let shown = GlossaryPage::new().render().expect("it renders");
        for entry in sections().iter().flat_map(|section| &section.entries) {
            let anchor = link::glossary_anchor(entry.vocabulary, &entry.value);
            assert!(shown.contains(&format!("id=\"{anchor}\"")), "{anchor}");
        }
    }
}
