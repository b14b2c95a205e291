//! Counts by vocabulary member, and rates with what left their denominators (run-documents, section 0).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};

use crate::shape::nullable;
use crate::vocabulary::RateState;

/// How often each member occurred, in contract order. A member that did not occur has no key; a stored 0 means the same.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent, bound(deserialize = "K: Ord + Deserialize<'de>"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counts<K>(BTreeMap<K, u64>);

impl<K: Copy + Ord> Counts<K> {
    /// No member occurred.
    pub const fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// How often `member` occurred.
    pub fn get(&self, member: K) -> u64 {
        self.0.get(&member).copied().unwrap_or(0)
    }

    /// Sets how often `member` occurred.
    pub fn set(&mut self, member: K, count: u64) {
        if count == 0 {
            self.0.remove(&member);
        } else {
            self.0.insert(member, count);
        }
    }

    /// Counts `member` `count` times more.
    pub fn add(&mut self, member: K, count: u64) {
        self.set(member, self.get(member).saturating_add(count));
    }

    /// Counts everything that `other` counted.
    pub fn merge(&mut self, other: &Self) {
        for (member, count) in other.iter() {
            self.add(member, count);
        }
    }

    /// The members that occurred, in contract order, each with its count.
    pub fn iter(&self) -> impl Iterator<Item = (K, u64)> {
        self.0.iter().filter(|(_, count)| **count > 0).map(|(member, count)| (*member, *count))
    }

    /// Whether no member occurred.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// How often any member occurred.
    pub fn total(&self) -> u64 {
        self.iter().map(|(_, count)| count).sum()
    }
}

impl<K: Copy + Ord> Default for Counts<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Copy + Ord> PartialEq for Counts<K> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<K: Copy + Ord> FromIterator<(K, u64)> for Counts<K> {
    fn from_iter<I: IntoIterator<Item = (K, u64)>>(counts: I) -> Self {
        let mut all = Self::new();
        for (member, count) in counts {
            all.add(member, count);
        }
        all
    }
}

impl<K: Copy + Ord + Serialize> Serialize for Counts<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

/// A quotient of two counts, and what left its denominator.
///
/// Over a denominator of 0 nothing is measured: that is neither 0 % nor 100 %.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    bound(serialize = "K: Copy + Ord + Serialize", deserialize = "K: Ord + Deserialize<'de>")
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rate<K: Copy + Ord> {
    /// Whether there is a denominator.
    pub state: RateState,
    /// Numerator over denominator as a fraction, exact and never rounded; `null` without a denominator.
    #[serde(deserialize_with = "nullable")]
    pub value: Option<f64>,
    /// What was counted.
    pub numerator: u64,
    /// What it was counted among.
    pub denominator: u64,
    /// What left the denominator, by reason.
    pub exclusions: Counts<K>,
}

impl<K: Copy + Ord> Rate<K> {
    /// The rate of two counts; not measured when the denominator is 0.
    pub fn of(numerator: u64, denominator: u64, exclusions: Counts<K>) -> Self {
        if denominator == 0 {
            return Self::not_measured(exclusions);
        }
        let value = Some(numerator as f64 / denominator as f64);
        Self { state: RateState::Measured, value, numerator, denominator, exclusions }
    }

    /// The rate over nothing.
    pub const fn not_measured(exclusions: Counts<K>) -> Self {
        let state = RateState::NotMeasured;
        Self { state, value: None, numerator: 0, denominator: 0, exclusions }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::vocabulary::TrialExclusionReason as Reason;

    #[test]
    fn a_count_of_zero_has_no_key() {
        let mut counts: Counts<Reason> =
            serde_json::from_value(json!({"skipped": 0, "notTerminal": 2})).expect("counts");
        counts.add(Reason::Cancelled, 0);
        let written = serde_json::to_string(&counts).expect("counts are JSON");
        assert_eq!(written, r#"{"notTerminal":2}"#);
        assert_eq!(counts, [(Reason::NotTerminal, 2)].into_iter().collect());
    }

    #[test]
    fn a_rate_over_nothing_has_no_value() {
        let rate = Rate::<Reason>::of(0, 0, Counts::new());
        assert_eq!(rate.value, None);
        assert_eq!(serde_json::to_value(&rate).expect("JSON")["value"], json!(null));
    }

    #[test]
    fn a_rate_without_the_key_value_is_refused() {
        let rate =
            json!({"state": "notMeasured", "numerator": 0, "denominator": 0, "exclusions": {}});
        assert!(serde_json::from_value::<Rate<Reason>>(rate).is_err());
    }
}
