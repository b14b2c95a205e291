//! Finding the recording of a request.

use std::fmt;

use serde_json::Value;

use super::line::{Exchange, ExchangeMethod, TrialRef};
use crate::canon::{canonical, shortened};

/// The longest quote of a value in a message, in UTF-16 units.
const QUOTED: usize = 120;

/// A request that a replay asks the recording for.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// What is asked for.
    pub method: ExchangeMethod,
    /// Who is asked.
    pub name: String,
    /// Which trial asks; absent during setup.
    pub trial: Option<TrialRef>,
    /// The meaning of the request.
    pub request: Value,
}

/// A request without a recording. `Display` is one sentence that names the request and the first difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miss {
    /// What was asked for.
    pub method: ExchangeMethod,
    /// Who was asked.
    pub name: String,
    /// Which trial asked; absent during setup.
    pub trial: Option<TrialRef>,
    /// What is different from the nearest recording.
    pub difference: String,
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let who = if self.method.asks_model() { "model" } else { "server" };
        write!(f, "{} of {who} {:?}", self.method.as_str(), self.name)?;
        if let Some(trial) = &self.trial {
            write!(f, " in trial {} of case {:?}", trial.number, trial.case_id)?;
        }
        write!(f, " has no recording: {}", self.difference)
    }
}

/// Recorded exchanges. Each is given once; several of one request are given in recorded order, a trial's own first.
#[derive(Debug, Default)]
pub struct Tape {
    slots: Vec<Slot>,
}

#[derive(Debug)]
struct Slot {
    exchange: Exchange,
    /// The request as canonical text.
    text: String,
    used: bool,
}

impl Tape {
    /// A tape of these exchanges, in recorded order.
    pub fn new(exchanges: impl IntoIterator<Item = Exchange>) -> Self {
        let slot =
            |exchange: Exchange| Slot { text: canonical(&exchange.request), exchange, used: false };
        Self { slots: exchanges.into_iter().map(slot).collect() }
    }

    /// The recording of a question.
    ///
    /// # Errors
    /// When nothing was recorded for it, or everything that was has been given.
    pub fn take(&mut self, question: &Question) -> Result<Exchange, Miss> {
        let text = canonical(&question.request);
        let fits = |slot: &Slot| slot.is_of(question) && !slot.used && slot.text == text;
        let own = |slot: &&mut Slot| fits(slot) && slot.exchange.trial == question.trial;
        let found = match self.slots.iter_mut().find(own) {
            Some(slot) => Some(slot),
            None => self.slots.iter_mut().find(|slot| fits(slot)),
        };
        if let Some(slot) = found {
            slot.used = true;
            return Ok(slot.exchange.clone());
        }
        Err(Miss {
            method: question.method,
            name: question.name.clone(),
            trial: question.trial.clone(),
            difference: self.difference(question, &text),
        })
    }

    /// Whether the next exchange with this server that was not given yet is another connect: the recording had lost the
    /// connection by then.
    pub fn is_lost(&self, server: &str) -> bool {
        let mut left = self.slots.iter().filter(|slot| {
            !slot.used && !slot.exchange.method.asks_model() && slot.exchange.name == server
        });
        left.next().is_some_and(|slot| slot.exchange.method == ExchangeMethod::Connect)
    }

    /// What is different from the nearest recording.
    fn difference(&self, question: &Question, text: &str) -> String {
        let of: Vec<&Slot> = self.slots.iter().filter(|slot| slot.is_of(question)).collect();
        let same = of.iter().filter(|slot| slot.text == text).count();
        if same > 0 {
            let times = if same == 1 { "once".to_owned() } else { format!("{same} times") };
            return format!("it was recorded {times} and is asked for once more");
        }
        let nearest = of.iter().max_by_key(|slot| common_prefix(&slot.text, text));
        let Some(nearest) = nearest else {
            return "the cassette has no such exchange with it at all".to_owned();
        };
        match first_difference("", &nearest.exchange.request, &question.request) {
            Some((pointer, was, is)) => {
                let place = if pointer.is_empty() { "the request" } else { pointer.as_str() };
                format!("compared with the nearest recording, {place} was {was} and is {is}")
            }
            None => "the numbers of the request are written in another way".to_owned(),
        }
    }
}

impl Slot {
    fn is_of(&self, question: &Question) -> bool {
        self.exchange.method == question.method && self.exchange.name == question.name
    }
}

fn common_prefix(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

/// The first place where two values differ, as a pointer, with both values quoted there.
fn first_difference(pointer: &str, was: &Value, is: &Value) -> Option<(String, String, String)> {
    match (was, is) {
        (Value::Object(before), Value::Object(now)) => {
            let names = before.keys().chain(now.keys().filter(|name| !before.contains_key(*name)));
            names.into_iter().find_map(|name| {
                inside(&format!("{pointer}/{name}"), before.get(name), now.get(name))
            })
        }
        (Value::Array(before), Value::Array(now)) => (0..before.len().max(now.len()))
            .find_map(|at| inside(&format!("{pointer}/{at}"), before.get(at), now.get(at))),
        _ if was == is => None,
        _ => Some((pointer.to_owned(), quoted(Some(was)), quoted(Some(is)))),
    }
}

fn inside(
    pointer: &str,
    was: Option<&Value>,
    is: Option<&Value>,
) -> Option<(String, String, String)> {
    match (was, is) {
        (Some(was), Some(is)) => first_difference(pointer, was, is),
        (None, None) => None,
        (Some(_), None) | (None, Some(_)) => Some((pointer.to_owned(), quoted(was), quoted(is))),
    }
}

fn quoted(value: Option<&Value>) -> String {
    value.map_or_else(
        || "absent".to_owned(),
        |value| shortened(&value.to_string(), QUOTED).into_owned(),
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::cassette::ExchangeAnswer;

    fn trial(number: u32) -> Option<TrialRef> {
        Some(TrialRef { case_id: "c".to_owned(), number })
    }

    fn call(number: u32, request: Value, answer: &str) -> Exchange {
        Exchange {
            method: ExchangeMethod::CallTool,
            name: "s".to_owned(),
            trial: trial(number),
            request,
            answer: ExchangeAnswer::Result { result: json!(answer), http: None },
            duration_ms: 1.0,
            findings: Vec::new(),
        }
    }

    fn question(number: u32, request: Value) -> Question {
        let method = ExchangeMethod::CallTool;
        Question { method, name: "s".to_owned(), trial: trial(number), request }
    }

    /// What a tape gives for questions, one after the other: the answer, or the miss.
    fn check(tape: Vec<Exchange>, questions: &[Question], expected: &[&str]) {
        let mut tape = Tape::new(tape);
        let given: Vec<String> = questions
            .iter()
            .map(|question| match tape.take(question).map(|exchange| exchange.answer) {
                Ok(ExchangeAnswer::Result { result, .. }) => {
                    result.as_str().unwrap_or_default().to_owned()
                }
                Ok(other) => other.kind().to_owned(),
                Err(miss) => miss.difference,
            })
            .collect();
        assert_eq!(given, expected);
    }

    #[test]
    fn a_request_is_found_by_content_whatever_the_order_of_its_keys() {
        let tape = vec![call(1, json!({"a": 1, "b": 2}), "x")];
        check(tape, &[question(1, json!({"b": 2, "a": 1}))], &["x"]);
    }

    #[test]
    fn one_request_gets_its_recordings_in_order_and_its_own_first() {
        let tape =
            || vec![call(1, json!({}), "1a"), call(2, json!({}), "2"), call(1, json!({}), "1b")];
        let asked = |number| question(number, json!({}));
        check(tape(), &[asked(2), asked(1), asked(1)], &["2", "1a", "1b"]);
        check(tape(), &[asked(3), asked(3)], &["1a", "2"]);
    }

    #[test]
    fn a_recording_is_given_once() {
        let asked = || question(1, json!({}));
        let more = "it was recorded once and is asked for once more";
        check(vec![call(1, json!({}), "x")], &[asked(), asked()], &["x", more]);
    }

    #[test]
    fn a_miss_names_the_first_difference_to_the_nearest_recording() {
        let tape = vec![
            call(1, json!({"args": {"q": "far"}, "tool": "other"}), "x"),
            call(1, json!({"args": {"q": "a", "n": 1}, "tool": "find"}), "y"),
        ];
        let asked = question(1, json!({"args": {"q": "a", "n": 2}, "tool": "find"}));
        let text = "compared with the nearest recording, /args/n was 1 and is 2";
        check(tape, &[asked], &[text]);
    }

    #[test]
    fn a_miss_without_any_recording_says_so() {
        let text = "the cassette has no such exchange with it at all";
        check(Vec::new(), &[question(1, json!({}))], &[text]);
    }

    #[test]
    fn a_connection_is_lost_when_a_connect_comes_next() {
        let mut connect = call(1, Value::Null, "");
        connect.method = ExchangeMethod::Connect;
        let mut tape = Tape::new([call(1, json!({}), "x"), connect]);
        assert!(!tape.is_lost("s"));
        tape.take(&question(1, json!({}))).expect("it is recorded");
        assert!(tape.is_lost("s"));
        assert!(!tape.is_lost("t"));
    }
}
