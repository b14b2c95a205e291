//! The tools of two runs in words: whether the model saw the same ones, and which of them servers declare otherwise.

use howfar_wire::compare::{CompareCatalogs, ToolChange, ToolDifference};
use howfar_wire::vocabulary::Vocabulary as _;

use crate::layout::{Paragraph, Style};
use crate::text::{clip, count};

/// How many tools a line names.
pub(crate) const TOOLS_OF_A_LINE: usize = 12;

/// The most characters of the name of a server or a tool.
const MAX_CHARACTERS: usize = 128;

/// What a comparison says of the tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolsCompared {
    /// One sentence; it ends with a colon when tools are listed.
    pub sentence: &'static str,
    /// The tools that servers declare otherwise.
    pub tools: Vec<ToolWords>,
    /// How many more there are.
    pub left_out: u64,
}

/// One tool that its server declares otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolWords {
    /// Its name, after its server's name when the tools are of several servers. Foreign text: not sanitized.
    pub name: String,
    /// "added", "removed", or the parts that changed: "description, input schema".
    pub what: String,
}

impl ToolsCompared {
    /// At most so many tools; the others are counted with those that are left out.
    pub(crate) fn at_most(mut self, limit: usize) -> Self {
        self.left_out += self.tools.len().saturating_sub(limit) as u64;
        self.tools.truncate(limit);
        self
    }

    /// "and 3 more tools; …": what stands after the last tool.
    pub(crate) fn rest(&self) -> Option<String> {
        let more = || count(self.left_out, "more tool");
        (self.left_out > 0).then(|| format!("and {}; the JSON document has more of them", more()))
    }
}

/// What a comparison says of the tools. It says what differs, never what comes of it.
pub fn tools_compared(catalogs: &CompareCatalogs) -> ToolsCompared {
    let differences = catalogs.tools.as_deref();
    let sentence = match (catalogs.changed, differences) {
        (None, _) => "The tools that the model saw are not known on both sides.",
        (Some(true), None) => "The tools that the model saw differ; in what is not known.",
        (Some(true), Some([])) => {
            "The tools that the model saw differ, but servers declare them alike: the order differs, or which of them the \
             model was let see."
        }
        (Some(true), Some(_)) => "The tools that the model saw differ:",
        (Some(false), None | Some([])) => "The model saw the same tools.",
        (Some(false), Some(_)) => "The model saw the same tools. Servers declare otherwise:",
    };
    let differences = differences.filter(|_| catalogs.changed.is_some()).unwrap_or_default();
    let (first, mut others) = (differences.first(), differences.iter());
    let several = others.any(|tool| first.is_some_and(|it| it.server_name != tool.server_name));
    ToolsCompared {
        sentence,
        tools: differences.iter().map(|tool| words(tool, several)).collect(),
        left_out: catalogs.tools_left_out,
    }
}

fn words(tool: &ToolDifference, with_server: bool) -> ToolWords {
    let name = clip(&tool.tool_name, MAX_CHARACTERS);
    let server = clip(&tool.server_name, MAX_CHARACTERS);
    ToolWords {
        name: if with_server { format!("{server}/{name}") } else { name.into_owned() },
        what: match tool.change {
            ToolChange::Added | ToolChange::Removed => tool.change.label().to_owned(),
            ToolChange::Changed => {
                let parts: Vec<_> = tool.parts.iter().map(|part| part.label()).collect();
                parts.join(", ")
            }
        },
    }
}

/// The sentence with the first tools, for a terminal.
pub(super) fn paragraph(catalogs: &CompareCatalogs) -> Paragraph {
    let compared = tools_compared(catalogs).at_most(TOOLS_OF_A_LINE);
    let mut line = Paragraph::new(2, 4).text(Style::Plain, compared.sentence);
    let last = compared.tools.len().saturating_sub(1);
    for (at, tool) in compared.tools.iter().enumerate() {
        let comma = if at == last && compared.left_out == 0 { "" } else { "," };
        line =
            line.foreign(tool.name.clone()).text(Style::Plain, format!("({}){comma}", tool.what));
    }
    match compared.rest() {
        Some(rest) => line.text(Style::Plain, rest),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use howfar_wire::compare::ToolPart;

    use super::*;

    fn tool(server: &str, name: &str, change: ToolChange, parts: &[ToolPart]) -> ToolDifference {
        let (server_name, tool_name) = (server.to_owned(), name.to_owned());
        ToolDifference { server_name, tool_name, change, parts: parts.to_vec() }
    }

    fn catalogs(changed: Option<bool>, tools: Option<Vec<ToolDifference>>) -> CompareCatalogs {
        CompareCatalogs { base: None, compare: None, changed, tools, tools_left_out: 0 }
    }

    #[test]
    fn the_server_is_named_where_there_are_several() {
        let parts = [ToolPart::Description, ToolPart::InputSchema];
        let find = tool("shop", "find", ToolChange::Changed, &parts);
        let told = |tools| {
            let compared = tools_compared(&catalogs(Some(true), Some(tools))).tools;
            compared.into_iter().map(|it| format!("{} ({})", it.name, it.what)).collect::<Vec<_>>()
        };
        assert_eq!(told(vec![find.clone()]), ["find (description, input schema)"]);
        let both = told(vec![find, tool("depot", "ship", ToolChange::Added, &[])]);
        assert_eq!(both, ["shop/find (description, input schema)", "depot/ship (added)"]);
    }

    #[test]
    fn what_is_not_known_is_not_called_the_same() {
        let sentence = |changed, tools| tools_compared(&catalogs(changed, tools)).sentence;
        assert!(sentence(None, None).contains("not known"));
        assert!(sentence(Some(true), None).contains("not known"));
        assert!(sentence(Some(true), Some(Vec::new())).contains("the order differs"));
        assert!(sentence(Some(false), Some(Vec::new())).contains("the same tools"));
    }

    #[test]
    fn a_line_counts_the_tools_that_it_leaves_out() {
        let many = (0..15).map(|at| tool("shop", &format!("t{at}"), ToolChange::Removed, &[]));
        let all =
            CompareCatalogs { tools_left_out: 2, ..catalogs(Some(true), Some(many.collect())) };
        let compared = tools_compared(&all).at_most(TOOLS_OF_A_LINE);
        assert_eq!((compared.tools.len(), compared.left_out), (12, 5));
        assert!(compared.rest().is_some_and(|rest| rest.starts_with("and 5 more tools")));
    }
}
