//! Reading closed JSON objects: an unknown key is a problem, and so is a null where a key may be absent.

use howfar_wire::Vocabulary;
use serde_json::{Map, Value};

use crate::problem::Problems;

/// The largest integer below which every integer is a double: 2^53 − 1.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// One object of a document whose keys are all known.
pub(super) struct Closed<'v, 'p> {
    object: &'v Map<String, Value>,
    path: String,
    problems: &'p mut Problems,
}

impl<'v, 'p> Closed<'v, 'p> {
    /// `None`, with a problem, for anything but an object. Keys beyond `keys` are problems.
    pub(super) fn open(
        value: &'v Value,
        path: impl Into<String>,
        keys: &[&str],
        problems: &'p mut Problems,
    ) -> Option<Self> {
        let path = path.into();
        let Value::Object(object) = value else {
            problems.add(path, "is not an object");
            return None;
        };
        for key in object.keys().filter(|key| !keys.contains(&key.as_str())) {
            problems.add(join(&path, key), "is not a known key");
        }
        Some(Self { object, path, problems })
    }

    /// Records that something is wrong at a key.
    pub(super) fn fault(&mut self, key: &str, message: impl Into<String>) {
        self.problems.add(join(&self.path, key), message);
    }

    /// Whether the key is there, even with a null.
    pub(super) fn has(&self, key: &str) -> bool {
        self.object.contains_key(key)
    }

    /// A text that is not empty.
    pub(super) fn text(&mut self, key: &str) -> Option<String> {
        let text = self.object.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        self.found(key, text.map(str::to_owned), "is not a text, or is empty")
    }

    /// A number with an integral value from 0 to 2^53 − 1, however it is spelled.
    pub(super) fn integer(&mut self, key: &str) -> Option<u64> {
        let number = self.object.get(key).and_then(integer);
        self.found(key, number, "is not an integer from 0 to 2^53 - 1")
    }

    /// A flag.
    pub(super) fn flag(&mut self, key: &str) -> Option<bool> {
        let flag = self.object.get(key).and_then(Value::as_bool);
        self.found(key, flag, "is not true or false")
    }

    /// A member of a vocabulary.
    pub(super) fn member<V: Vocabulary>(&mut self, key: &str) -> Option<V> {
        let member = self.object.get(key).and_then(Value::as_str).and_then(V::from_wire);
        self.found(key, member, &format!("is not a member of {}", V::NAME))
    }

    /// A list whose entries are all of one type.
    pub(super) fn list<T>(
        &mut self,
        key: &str,
        read: impl Fn(&'v Value) -> Option<T>,
    ) -> Option<Vec<T>> {
        let items = self.object.get(key).and_then(Value::as_array);
        let items = items.and_then(|items| items.iter().map(read).collect());
        self.found(key, items, "is not a list, or holds an entry of another type")
    }

    /// What `read` makes of the value at a key, with the value's path; a missing key reads as null.
    pub(super) fn nested<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(&'v Value, String, &mut Problems) -> Option<T>,
    ) -> Option<T> {
        let value = self.object.get(key).unwrap_or(&Value::Null);
        read(value, join(&self.path, key), self.problems)
    }

    /// What `read` makes of each entry of a list, with the entry's path.
    pub(super) fn nested_list<T>(
        &mut self,
        key: &str,
        read: impl Fn(&'v Value, String, &mut Problems) -> Option<T>,
    ) -> Option<Vec<T>> {
        let Some(Value::Array(items)) = self.object.get(key) else {
            self.fault(key, "is not a list");
            return None;
        };
        let path = join(&self.path, key);
        let read =
            |(at, item): (usize, &'v Value)| read(item, format!("{path}.{at}"), self.problems);
        // Every entry is read, so that every problem is found.
        let read: Vec<Option<T>> = items.iter().enumerate().map(read).collect();
        read.into_iter().collect()
    }

    fn found<T>(&mut self, key: &str, value: Option<T>, message: &str) -> Option<T> {
        if value.is_none() {
            self.fault(key, message);
        }
        value
    }
}

/// A number with an integral value from 0 to 2^53 − 1.
pub(super) fn integer(value: &Value) -> Option<u64> {
    let number = value.as_f64().filter(|number| number.fract() == 0.0)?;
    (0.0..=MAX_SAFE_INTEGER as f64).contains(&number).then_some(number as u64)
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
