//! Answers: a document, a byte budget, and what was left out to keep it.

use rmcp::model::{CallToolResult, ContentBlock};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::failure::ToolFailure;

/// How many bytes of JSON an answer has at most when nobody asks for a number.
pub const DEFAULT_ANSWER_BYTES: u32 = 32_000;

/// The smallest budget that may be asked for.
pub const MIN_ANSWER_BYTES: u32 = 4_000;

/// The largest budget that may be asked for.
pub const MAX_ANSWER_BYTES: u32 = 400_000;

/// A text is never cut shorter than this many characters.
const KEPT_CHARACTERS: usize = 400;

/// A list is never cut shorter than this many items.
const KEPT_ITEMS: usize = 20;

/// What is kept free for the `leftOut` list itself.
const ROOM_FOR_NOTES: usize = 1_500;

/// What every tool answers: its document, and what the answer leaves out.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Answer<T> {
    /// The document.
    pub(super) document: T,
    /// What the answer leaves out to keep its byte budget, and how to get it; empty when nothing was left out.
    pub(super) left_out: Vec<LeftOut>,
}

impl<T> Answer<T> {
    /// A whole document.
    pub(super) const fn whole(document: T) -> Self {
        Self { document, left_out: Vec::new() }
    }
}

/// Something that an answer leaves out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct LeftOut {
    /// What, with its place in the document and its unit.
    pub(super) what: String,
    /// How to get it.
    pub(super) how: String,
}

/// How many bytes an answer may have, checked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget(usize);

impl Budget {
    /// The budget that the caller asks for, or the usual one.
    pub(super) fn of(asked: Option<u32>) -> Result<Self, ToolFailure> {
        match asked.unwrap_or(DEFAULT_ANSWER_BYTES) {
            bytes @ MIN_ANSWER_BYTES..=MAX_ANSWER_BYTES => Ok(Self(bytes as usize)),
            bytes => Err(ToolFailure::parameter(
                "maxBytes",
                format!("is {bytes}; it goes from {MIN_ANSWER_BYTES} to {MAX_ANSWER_BYTES}"),
            )),
        }
    }

    /// What is left of the budget when `bytes` are spent.
    pub(super) const fn less(self, bytes: usize) -> Self {
        Self(self.0.saturating_sub(bytes))
    }

    /// Half of what a document may have.
    pub(super) const fn half(self) -> usize {
        self.for_document() / 2
    }

    /// How many bytes a document may have, so that notes fit beside it.
    const fn for_document(self) -> usize {
        self.0.saturating_sub(ROOM_FOR_NOTES)
    }
}

/// How many bytes a value has as JSON text.
pub(super) fn bytes_of(value: &impl Serialize) -> usize {
    serde_json::to_vec(value).map_or(usize::MAX, |text| text.len())
}

/// The largest page that keeps the budget: `ask` is asked again for fewer items until the page fits or has one item.
/// `asked` is how many items the caller wants at most.
pub(super) async fn page_within<P, A>(
    budget: Budget,
    asked: u32,
    items: impl Fn(&P) -> usize,
    mut ask: impl FnMut(u32) -> A,
) -> Result<(P, Vec<LeftOut>), ToolFailure>
where
    P: Serialize,
    A: Future<Output = Result<P, ToolFailure>>,
{
    let mut page = ask(asked).await?;
    let (first, mut held) = (items(&page), items(&page));
    loop {
        let bytes = bytes_of(&page);
        if bytes <= budget.for_document() || held <= 1 {
            break;
        }
        // A little less than the share that would fit, so that one more round is rare; always fewer than before.
        let share = held.saturating_mul(budget.for_document()) * 9 / bytes.saturating_mul(10);
        held = share.clamp(1, held - 1);
        page = ask(u32::try_from(held).unwrap_or(1)).await?;
        held = items(&page).max(1);
    }
    let mut left_out = Vec::new();
    if held < first {
        left_out.push(LeftOut {
            what: format!(
                "{} of {first} items of this page, to keep the byte budget",
                first - held
            ),
            how: "call again with `cursor` set to `nextCursor`, or with a larger `maxBytes`"
                .to_owned(),
        });
    }
    Ok((page, left_out))
}

/// An answer as a tool result that keeps the budget: long texts and long lists are shortened, each with a note. `whole`
/// says where the whole document is, on the command line.
pub(super) fn tool_result<T: Serialize>(
    answer: &Answer<T>,
    budget: Budget,
    whole: &str,
) -> Result<CallToolResult, ToolFailure> {
    let full = bytes_of(answer);
    let mut value = serde_json::to_value(answer).map_err(|error| ToolFailure::internal(&error))?;
    if full > budget.0 {
        let notes = shorten(&mut value["document"], budget.for_document());
        let how = how_to_get(full, whole);
        let note = |what| serde_json::json!(LeftOut { what, how: how.clone() });
        let notes: Vec<Value> = notes.into_iter().map(note).collect();
        if let Some(left_out) = value["leftOut"].as_array_mut() {
            left_out.extend(notes);
        }
        if bytes_of(&value) > budget.0 {
            return Err(ToolFailure::too_large(full, &how_to_get(full, whole)));
        }
    }
    let text = serde_json::to_string(&value).map_err(|error| ToolFailure::internal(&error))?;
    let mut result = CallToolResult::structured(value);
    // The same document as text. What could deceive whoever reads it is a JSON escape there.
    result.content = vec![ContentBlock::text(howfar_report::sanitize_json(&text).into_owned())];
    Ok(result)
}

fn how_to_get(full: usize, whole: &str) -> String {
    match u32::try_from(full) {
        Ok(bytes) if bytes <= MAX_ANSWER_BYTES => {
            let enough = bytes.div_ceil(1_000) * 1_000;
            format!("call again with `maxBytes: {}`", enough.min(MAX_ANSWER_BYTES))
        }
        Ok(_) | Err(_) => format!("on the command line: {whole}"),
    }
}

/// Shortens texts, then lists, the largest first, until the value has at most `bytes`. Gives a line on each.
fn shorten(value: &mut Value, bytes: usize) -> Vec<String> {
    let mut notes = Vec::new();
    for kind in [Kind::Text, Kind::List] {
        loop {
            let size = bytes_of(value);
            if size <= bytes {
                return notes;
            }
            let Some(pointer) = largest(value, kind) else { break };
            let Some(found) = value.pointer_mut(&pointer) else { break };
            notes.push(cut(found, &pointer, size - bytes));
        }
    }
    notes
}

/// What can be shortened without changing the shape of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    List,
}

/// Where the largest text or list is that may still be cut.
fn largest(value: &Value, kind: Kind) -> Option<String> {
    let mut best: Option<(usize, String)> = None;
    let mut open = vec![(value, String::new())];
    while let Some((value, pointer)) = open.pop() {
        let size = match value {
            Value::String(text) if kind == Kind::Text && text.len() > 4 * KEPT_CHARACTERS => {
                text.len()
            }
            Value::Array(items) if kind == Kind::List && items.len() > KEPT_ITEMS => {
                bytes_of(value)
            }
            _ => 0,
        };
        if size > best.as_ref().map_or(0, |(size, _)| *size) {
            best = Some((size, pointer.clone()));
        }
        match value {
            Value::Array(items) => open.extend(
                items.iter().enumerate().map(|(at, item)| (item, format!("{pointer}/{at}"))),
            ),
            Value::Object(members) => open.extend(members.iter().map(|(name, member)| {
                let name = name.replace('~', "~0").replace('/', "~1");
                (member, format!("{pointer}/{name}"))
            })),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    best.map(|(_, pointer)| pointer)
}

/// Cuts at least `excess` bytes, as far as the bounds allow, and says so.
fn cut(value: &mut Value, pointer: &str, excess: usize) -> String {
    match value {
        Value::String(text) => {
            let whole = text.chars().count();
            let keep = whole.saturating_sub(excess + 100).max(KEPT_CHARACTERS).min(whole);
            let kept: String = text.chars().take(keep).collect();
            *text = format!("{kept}… ({whole} characters in all)");
            format!("{pointer}: {} of {whole} characters", whole - keep)
        }
        Value::Array(items) => {
            let whole = items.len();
            let mut freed = 0;
            while items.len() > KEPT_ITEMS && freed <= excess {
                freed += items.pop().map_or(0, |item| bytes_of(&item) + 1);
            }
            format!("{pointer}: the last {} of {whole} items", whole - items.len())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn budget(bytes: u32) -> Budget {
        Budget::of(Some(bytes)).expect("a budget in bounds")
    }

    fn answered(document: Value, bytes: u32) -> Value {
        let result = tool_result(&Answer::whole(document), budget(bytes), "howfar show RUN");
        result.map(|result| result.structured_content.unwrap_or_default()).unwrap_or_default()
    }

    #[test]
    fn a_document_within_the_budget_is_whole() {
        let answer = answered(json!({ "a": "x".repeat(2_000) }), 4_000);
        assert_eq!(answer["leftOut"], json!([]));
        assert_eq!(answer["document"]["a"].as_str().map(str::len), Some(2_000));
    }

    #[test]
    fn a_cut_text_says_its_length_and_how_to_get_the_rest() {
        let answer = answered(json!({ "a": "x".repeat(50_000), "b": "short" }), 8_000);
        assert!(bytes_of(&answer) <= 8_000);
        assert_eq!(answer["document"]["b"], "short");
        assert!(
            answer["document"]["a"]
                .as_str()
                .is_some_and(|text| text.ends_with("(50000 characters in all)"))
        );
        assert_eq!(answer["leftOut"][0]["how"], "call again with `maxBytes: 51000`");
    }

    #[test]
    fn a_cut_list_says_how_many_items_it_lost() {
        let answer = answered(
            json!({ "ids": (0..5_000).map(|n| format!("case-{n}")).collect::<Vec<_>>() }),
            8_000,
        );
        let kept = answer["document"]["ids"].as_array().map_or(0, Vec::len);
        let note = format!("/ids: the last {} of 5000 items", 5_000 - kept);
        assert_eq!(answer["leftOut"][0]["what"], note.as_str());
    }

    #[test]
    fn what_cannot_be_shortened_is_refused_with_the_way_to_it() {
        let wide: Value =
            (0..5_000).map(|n| (n.to_string(), json!(n))).collect::<serde_json::Map<_, _>>().into();
        let failure = tool_result(&Answer::whole(wide), budget(4_000), "howfar show RUN");
        assert!(failure.is_err_and(|failure| failure.to_string().contains("maxBytes")));
    }

    #[test]
    fn deceptive_characters_are_escapes_in_the_text_and_the_value_is_unchanged() {
        let answer = Answer::whole(json!({ "a": "\u{202e}evil\u{1b}[31m" }));
        let result = tool_result(&answer, budget(4_000), "").expect("a small answer");
        let text = result.content[0].as_text().map(|text| text.text.clone()).unwrap_or_default();
        assert!(text.is_ascii() && text.contains("\\u202e"), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).ok(), result.structured_content);
    }
}
