//! Canonical arguments, and which pagination keys changed (friction, sections A6 and A11).

use howfar_wire::Vocabulary as _;
use howfar_wire::canon::canonical;
use howfar_wire::vocabulary::PaginationKey;
use serde_json::Value;

/// The deepest nesting that has a canonical form.
const MAX_DEPTH: usize = 512;

/// The arguments as canonical JSON; absent ones as `null`. `None` when they are nested too deep to have such a form.
pub fn canonical_arguments(arguments: Option<&Value>) -> Option<String> {
    let arguments = arguments.unwrap_or(&Value::Null);
    fits(arguments, MAX_DEPTH).then(|| canonical(arguments))
}

/// The canonical arguments of one call, with and without its pagination keys.
#[derive(Debug)]
pub(super) struct ArgumentText {
    whole: String,
    /// `None` when the arguments have no pagination key.
    without_pages: Option<String>,
}

impl ArgumentText {
    /// `None` when the arguments have no canonical form.
    pub(super) fn of(arguments: Option<&Value>) -> Option<Self> {
        let whole = canonical_arguments(arguments)?;
        let has_page = PaginationKey::ALL.iter().any(|key| argument(arguments, *key).is_some());
        let without_pages = arguments.filter(|_| has_page).map(|arguments| {
            let mut rest = arguments.clone();
            if let Value::Object(rest) = &mut rest {
                rest.retain(|key, _| PaginationKey::from_wire(key).is_none());
            }
            canonical(&rest)
        });
        Some(Self { whole, without_pages })
    }

    pub(super) fn whole(&self) -> &str {
        &self.whole
    }

    /// The arguments beside the page. Arguments that are no object are left as they are.
    pub(super) fn without_pages(&self) -> &str {
        self.without_pages.as_deref().unwrap_or(&self.whole)
    }
}

/// The pagination keys that appear, disappear or change from one call to the next, in the order of the list.
pub(super) fn changed_pages(
    prior: Option<&Value>,
    current: Option<&Value>,
) -> impl Iterator<Item = PaginationKey> {
    PaginationKey::ALL.iter().copied().filter(move |key| {
        match (argument(prior, *key), argument(current, *key)) {
            (None, None) => false,
            (Some(before), Some(after)) => canonical(before) != canonical(after),
            (None, Some(_)) | (Some(_), None) => true,
        }
    })
}

fn argument(arguments: Option<&Value>, key: PaginationKey) -> Option<&Value> {
    arguments?.as_object()?.get(key.as_str())
}

/// Whether a value has at most so many levels of arrays and objects.
fn fits(value: &Value, levels: usize) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
        Value::Array(items) => levels > 0 && items.iter().all(|item| fits(item, levels - 1)),
        Value::Object(object) => levels > 0 && object.values().all(|item| fits(item, levels - 1)),
    }
}
