//! The reasons of `toolInputMatches` and `toolResultMatches` (predicates 7.2).

use howfar_suite::pattern::MatchBounds;

use super::pattern_rule::{PatternRule, Tally};
use super::text::{ITEMS_SHOWN, cut, more_in_list, scrub};

const PATTERN_CAP: usize = 120;

/// The words in which calls and results differ.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words {
    /// `call` or `result`.
    pub(super) unit: &'static str,
    /// What a key of a unit is called.
    pub(super) member: &'static str,
    /// Whose content is matched: `its` or `their`.
    pub(super) whose: &'static str,
    /// What is matched without a path.
    pub(super) whole: &'static str,
    /// Why a unit could not be read.
    pub(super) unreadable: &'static str,
}

/// What was counted in one scope.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counted {
    pub(super) tally: Tally,
    /// Units without the key.
    pub(super) missing: u64,
}

impl Words {
    /// How many units matched, and why others could not.
    pub(super) fn counted(self, rule: &PatternRule, counted: Counted) -> String {
        let Counted { tally, missing } = counted;
        let all = match rule.patterns.len() {
            1 => "the pattern".to_owned(),
            several => format!("all {several} patterns"),
        };
        let place = match &rule.key {
            None => format!("{} {}", self.whose, self.whole),
            Some(key) => format!("{} \"{key}\" {}", self.whose, self.member),
        };
        let matched = match tally.matched {
            0 => "none".to_owned(),
            some => some.to_string(),
        };
        let mut text = format!("{matched} matched {all} in {place}");
        if let Some(max) = too_many(tally, rule.bounds) {
            text.push_str(&format!(", allowed at most {max}"));
        }
        if let Some(key) = rule.key.as_ref().filter(|_| missing > 0) {
            let units = self.units(missing);
            text.push_str(&format!(", {units} had no \"{key}\" {}", self.member));
        }
        if tally.unreadable > 0 {
            text.push_str(&format!(
                ", {} could not be read ({})",
                tally.unreadable, self.unreadable
            ));
        }
        text
    }

    /// What the bounds ask for.
    pub(super) fn expected(self, bounds: MatchBounds) -> String {
        let unit = self.unit;
        let wanted = match (bounds.min, bounds.max) {
            (min, None) => format!("at least {min} matching {unit}(s)"),
            (_, Some(0)) => format!("no matching {unit}"),
            (min, Some(max)) if min == max => format!("exactly {min} matching {unit}(s)"),
            (0, Some(max)) => format!("at most {max} matching {unit}(s)"),
            (min, Some(max)) => format!("{min} to {max} matching {unit}s"),
        };
        format!("expected {wanted} (min/max count matching {unit}s, not all {unit}s)")
    }

    /// `1 call`, `2 calls`.
    pub(super) fn units(self, count: u64) -> String {
        format!("{count} {}{}", self.unit, if count == 1 { "" } else { "s" })
    }
}

/// The ceiling that more units than allowed have broken.
pub(super) fn too_many(tally: Tally, bounds: MatchBounds) -> Option<u64> {
    bounds.max.filter(|max| tally.matched > *max)
}

/// The patterns as reasons end with them.
pub(super) fn patterns_shown(rule: &PatternRule) -> String {
    let shown = |text: &str| format!("/{}/{}", cut(&scrub(text), PATTERN_CAP), rule.flags);
    let patterns: Vec<String> =
        rule.patterns.iter().take(ITEMS_SHOWN).map(|pattern| shown(&pattern.text)).collect();
    format!("Patterns: {}{}", patterns.join(", "), more_in_list(rule.patterns.len()))
}

/// Units that did not match, of `total`.
pub(super) fn samples_shown(samples: &[String], total: usize) -> String {
    format!(". Got: [{}{}]", samples.join(", "), more_in_list(total))
}
