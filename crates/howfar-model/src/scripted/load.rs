//! From a script's text to a checked script.

use std::fmt;
use std::time::Duration;

use serde_saphyr::{Location, Spanned};

use super::Script;
use super::document::{CallDocument, RuleDocument, ScriptDocument, TurnDocument, WhenDocument};
use super::rule::{Act, Call, CallArguments, Rule, Turn};
use super::template::{ArgumentTemplate, Template};
use crate::conversation::Usage;

/// The longest `delayMs`.
const MAX_DELAY_MS: u64 = 60_000;

/// A script that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptError {
    /// The script's file as the caller named it.
    pub file: String,
    /// What is wrong, in file order; never empty.
    pub problems: Vec<ScriptProblem>,
}

/// One thing that is wrong with a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptProblem {
    /// The line, from 1; `None` when the reader did not know it.
    pub line: Option<u64>,
    /// The column, from 1; `None` when the reader did not know it.
    pub column: Option<u64>,
    /// What is wrong, in one lower-case sentence.
    pub message: String,
}

impl std::error::Error for ScriptError {}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, problem) in self.problems.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            f.write_str(&self.file)?;
            for number in [problem.line, problem.column].into_iter().flatten() {
                write!(f, ":{number}")?;
            }
            write!(f, ": {}", problem.message)?;
        }
        Ok(())
    }
}

/// Reads and checks a script.
pub(super) fn load(file: &str, text: &str) -> Result<Script, ScriptError> {
    let failed = |problems| ScriptError { file: file.to_owned(), problems };
    if text.trim().is_empty() {
        let message = "the file is empty; it needs `scripts`".to_owned();
        return Err(failed(vec![ScriptProblem { line: None, column: None, message }]));
    }
    let options = serde_saphyr::options! { strict_booleans: true, with_snippet: false };
    let document: ScriptDocument = serde_saphyr::from_str_with_options(text, options)
        .map_err(|error| failed(vec![syntax_problem(&error)]))?;
    let mut checks = Checks::default();
    let rules = checks.rules(document);
    if checks.problems.is_empty() {
        Ok(Script { file: file.to_owned(), rules })
    } else {
        Err(failed(checks.problems))
    }
}

fn syntax_problem(error: &serde_saphyr::Error) -> ScriptProblem {
    let message = without_reader_words(&error.without_snippet().to_string());
    let Some(at) = error.location() else {
        return ScriptProblem { line: None, column: None, message };
    };
    let (line, column) = (at.line(), at.column());
    // The reader's text repeats the position, which stands in front of every problem here.
    let repeated = format!(" at line {line}, column {column}");
    let message = message.strip_suffix(&repeated).unwrap_or(&message).to_owned();
    ScriptProblem { line: Some(line), column: Some(column), message }
}

/// The reader's message without what it advises programmers, and with the author's words for what YAML calls otherwise.
fn without_reader_words(message: &str) -> String {
    const ADVICE: [&str; 2] = [
        "; use from_str_multiple or from_str_multiple_with_options",
        ", set DuplicateKeyPolicy in Options if acceptable",
    ];
    let plain = ADVICE.iter().fold(message.to_owned(), |text, advice| text.replace(advice, ""));
    plain
        .replace("expected mapping start", "expected an object of named fields")
        .replace("expected sequence start", "expected a list")
}

/// Collects problems while the checked script is built; what is wrong is replaced by something empty.
#[derive(Default)]
struct Checks {
    problems: Vec<ScriptProblem>,
}

impl Checks {
    fn problem(&mut self, at: Location, message: impl Into<String>) {
        self.problems.push(ScriptProblem {
            line: Some(at.line()),
            column: Some(at.column()),
            message: message.into(),
        });
    }

    fn rules(&mut self, document: ScriptDocument) -> Vec<Rule> {
        if document.scripts.is_empty() {
            let message = "`scripts` holds no rule".to_owned();
            self.problems.push(ScriptProblem { line: None, column: None, message });
        }
        let mut answers_everything = None;
        let mut rules = Vec::new();
        for Spanned { value, referenced, .. } in document.scripts {
            if let Some(line) = answers_everything {
                let message = format!("never reached: the rule in line {line} has no condition");
                self.problem(referenced, message);
            }
            let rule = self.rule(value, referenced);
            if rule.when.is_always() {
                answers_everything = answers_everything.or(Some(rule.line));
            }
            rules.push(rule);
        }
        rules
    }

    fn rule(&mut self, rule: RuleDocument, at: Location) -> Rule {
        let when = rule.when.unwrap_or_default();
        self.condition(&when, at);
        if rule.turns.is_empty() {
            self.problem(at, "`turns` holds no turn");
        }
        let turns = rule.turns.into_iter().map(|turn| self.turn(turn)).collect();
        Rule { line: at.line(), when, turns }
    }

    fn condition(&mut self, when: &WhenDocument, at: Location) {
        if when.prompt == Some(0) || when.trials.iter().flatten().any(|trial| *trial == 0) {
            self.problem(at, "`prompt` and `trials` count from 1");
        }
        let empty_catalog = when.catalog.as_ref().is_some_and(|catalog| {
            [&catalog.tool, &catalog.description_contains, &catalog.has_argument]
                .iter()
                .all(|condition| condition.is_none())
        });
        if empty_catalog {
            self.problem(
                at,
                "`catalog` needs at least one of `tool`, `descriptionContains`, `hasArgument`",
            );
        }
    }

    fn turn(&mut self, turn: Spanned<TurnDocument>) -> Turn {
        let Spanned { value: turn, referenced: at, .. } = turn;
        let delay = turn.delay_ms.unwrap_or(0);
        if delay > MAX_DELAY_MS {
            self.problem(at, format!("`delayMs` is at most {MAX_DELAY_MS}"));
        }
        let act = match turn.error {
            Some(failure) => {
                if turn.say.is_some() || turn.call.is_some() || turn.calls.is_some() {
                    self.problem(at, "a turn with `error` neither says nor calls anything");
                }
                Act::Fail(failure)
            }
            None => self.answer(turn, at),
        };
        Turn { line: at.line(), delay: Duration::from_millis(delay), act }
    }

    fn answer(&mut self, turn: TurnDocument, at: Location) -> Act {
        if turn.call.is_some() && turn.calls.is_some() {
            self.problem(at, "a turn has `call` or `calls`, not both");
        }
        let calls: Vec<_> = turn.call.into_iter().chain(turn.calls.into_iter().flatten()).collect();
        if turn.say.is_none() && calls.is_empty() {
            self.problem(at, "a turn needs `say`, `call`, `calls` or `error`");
        }
        let say = turn.say.map(|say| self.checked(Template::parse(&say), at)).unwrap_or_default();
        let cost_usd = turn.usage.and_then(|usage| usage.cost_usd);
        if cost_usd.is_some_and(|cost| !cost.is_finite() || cost < 0.0) {
            self.problem(at, "`costUsd` is a number from 0");
        }
        let usage = turn.usage.map(|usage| Usage { input: usage.input, output: usage.output });
        let calls = calls.into_iter().map(|call| self.call(call)).collect();
        Act::Answer {
            say: say.unwrap_or_default(),
            calls,
            usage,
            cost_usd,
            finish_reason: turn.finish_reason,
        }
    }

    fn call(&mut self, call: Spanned<CallDocument>) -> Call {
        let Spanned { value: call, referenced: at, .. } = call;
        if call.arguments.is_some() && call.arguments_text.is_some() {
            self.problem(at, "a call has `arguments` or `argumentsText`, not both");
        }
        let arguments = match call.arguments_text {
            Some(text) => CallArguments::Text(text),
            None => {
                let object = call.arguments.unwrap_or_default().into();
                let template = self.checked(ArgumentTemplate::parse(object), at);
                CallArguments::Object(template.unwrap_or(ArgumentTemplate::List(Vec::new())))
            }
        };
        Call { tool: call.tool, arguments }
    }

    fn checked<T>(&mut self, parsed: Result<T, String>, at: Location) -> Option<T> {
        parsed.map_err(|message| self.problem(at, message)).ok()
    }
}
