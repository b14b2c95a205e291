//! What every page has around its own part: title, place in the dashboard, way back.

/// The part of the dashboard that a page belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Suites and their trends.
    Suites,
    /// Runs, cases and trials.
    Runs,
    /// Two runs.
    Compare,
    /// The vocabularies.
    Glossary,
    /// None of them.
    Nowhere,
}

impl Part {
    /// The parts of the main navigation: address and words.
    const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::Suites, "/", "Suites"),
        (Self::Runs, "/runs", "Runs"),
        (Self::Compare, "/compare", "Compare"),
        (Self::Glossary, "/glossary", "Glossary"),
    ];
}

/// The frame of a page.
#[derive(Debug)]
pub(super) struct Frame {
    /// The title of the window, without the product's name.
    pub(super) title: String,
    /// The part whose link is marked.
    pub(super) part: Part,
    /// The way back, outermost first: address and words. The page itself is not in it.
    pub(super) crumbs: Vec<(String, String)>,
}

impl Frame {
    /// A page without a way back.
    pub(super) fn new(title: impl Into<String>, part: Part) -> Self {
        Self { title: title.into(), part, crumbs: Vec::new() }
    }

    /// Adds a page to the way back.
    pub(super) fn below(mut self, address: String, words: impl Into<String>) -> Self {
        self.crumbs.push((address, words.into()));
        self
    }

    /// The links of the main navigation: address, words, whether the page belongs there.
    pub(super) fn parts(&self) -> [(&'static str, &'static str, bool); 4] {
        Part::ALL.map(|(part, address, words)| (address, words, part == self.part))
    }
}
