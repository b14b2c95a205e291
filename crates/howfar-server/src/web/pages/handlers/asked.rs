//! What the query of an address asks for. A parameter that does not exist, and a value that is no member of its vocabulary,
//! are refused, never ignored.

use howfar_store::TrialLane;
use howfar_wire::Vocabulary;
use howfar_wire::vocabulary::{Stage, StageState};

use crate::read::{ReadError, TrialFilter};
use crate::web::pages::link;
use crate::web::pages::runs::RunsFilter;

/// Where in a list a page begins.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::web::pages) struct Place {
    #[serde(default)]
    from: String,
}

impl Place {
    /// How many items stand before the page.
    pub(super) fn skip(&self) -> Result<u32, ReadError> {
        skip(&self.from)
    }
}

/// Which runs.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::web::pages) struct RunsAsked {
    #[serde(default)]
    suite: String,
    #[serde(default)]
    verdict: String,
    #[serde(default)]
    from: String,
}

impl RunsAsked {
    pub(super) fn filter(&self) -> Result<RunsFilter, ReadError> {
        let suite = Some(self.suite.clone()).filter(|suite| !suite.is_empty());
        Ok(RunsFilter { suite, verdict: member("verdict", &self.verdict)? })
    }

    /// How many items stand before the page.
    pub(super) fn skip(&self) -> Result<u32, ReadError> {
        skip(&self.from)
    }

    /// The address of the first page of these runs.
    pub(super) fn address(&self) -> String {
        address("/runs", &[("suite", &self.suite), ("verdict", &self.verdict)])
    }
}

/// Which trials of a run.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(in crate::web::pages) struct TrialsAsked {
    case: String,
    /// A link, together with `state`.
    stage: String,
    state: String,
    /// `excluded`.
    lane: String,
    /// The first failed link.
    first: String,
    category: String,
    status: String,
    graded: String,
    from: String,
}

impl TrialsAsked {
    pub(super) fn filter(&self) -> Result<TrialFilter, ReadError> {
        Ok(TrialFilter {
            case_id: Some(self.case.clone()).filter(|case| !case.is_empty()),
            status: member("status", &self.status)?,
            task_verdict: member("graded", &self.graded)?,
            first_failed_stage: member("first", &self.first)?,
            failure_category: member("category", &self.category)?,
            lane: self.lane()?,
        })
    }

    fn lane(&self) -> Result<Option<TrialLane>, ReadError> {
        let stage: Option<Stage> = member("stage", &self.stage)?;
        let state: Option<StageState> = member("state", &self.state)?;
        match (stage, state, self.lane.as_str()) {
            (None, None, "") => Ok(None),
            (None, None, "excluded") => Ok(Some(TrialLane::Excluded)),
            (Some(stage), Some(state), "") => Ok(Some(TrialLane::State(stage, state))),
            (Some(_), None, "") | (None, Some(_), "") => {
                let why = "asks for both a stage and a state".to_owned();
                Err(ReadError::InvalidParameter { name: "stage", why })
            }
            (_, _, other) => {
                let why = format!("is {other:?}; it is excluded, alone, or absent");
                Err(ReadError::InvalidParameter { name: "lane", why })
            }
        }
    }

    /// How many items stand before the page.
    pub(super) fn skip(&self) -> Result<u32, ReadError> {
        skip(&self.from)
    }

    /// The address of the first page of these trials.
    pub(super) fn address(&self, trials: &str) -> String {
        let parts = [
            ("case", &self.case),
            ("stage", &self.stage),
            ("state", &self.state),
            ("lane", &self.lane),
            ("first", &self.first),
            ("category", &self.category),
            ("status", &self.status),
            ("graded", &self.graded),
        ];
        address(trials, &parts.map(|(name, value)| (name, value.as_str())))
    }

    /// What the trials have in common, in words that follow "Only trials".
    pub(super) fn words(&self, filter: &TrialFilter) -> Vec<String> {
        let mut words = Vec::new();
        words.extend(filter.case_id.as_ref().map(|case| format!("of case {case}")));
        words.extend(filter.lane.map(|lane| match lane {
            TrialLane::State(stage, state) => {
                format!("whose link {} is: {}", stage.label(), state.label())
            }
            TrialLane::Excluded => "that stand in no bar of the funnel".to_owned(),
        }));
        let first = filter.first_failed_stage;
        words.extend(first.map(|stage| format!("whose first failed link is {}", stage.label())));
        let bucket = filter.failure_category;
        words.extend(bucket.map(|bucket| format!("in the bucket: {}", bucket.label())));
        words.extend(filter.status.map(|status| format!("with the status: {}", status.label())));
        words
            .extend(filter.task_verdict.map(|verdict| format!("that grading {}", verdict.label())));
        words
    }
}

/// Which two runs.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
pub(in crate::web::pages) struct CompareAsked {
    pub(super) run: String,
    pub(super) base: String,
    /// The first case of the page.
    from: String,
}

impl CompareAsked {
    /// How many cases stand before the page.
    pub(super) fn skip(&self) -> Result<u32, ReadError> {
        skip(&self.from)
    }
}

/// How many items stand before the one from which on a page shows them; items count from 1.
fn skip(from: &str) -> Result<u32, ReadError> {
    if from.is_empty() {
        return Ok(0);
    }
    let place = from.parse::<u32>().ok().and_then(|place| place.checked_sub(1));
    place.ok_or_else(|| ReadError::InvalidParameter {
        name: "from",
        why: format!("is {from:?}; items count from 1"),
    })
}

/// A member of a vocabulary; an empty text asks for none.
fn member<V: Vocabulary>(name: &'static str, text: &str) -> Result<Option<V>, ReadError> {
    if text.is_empty() {
        return Ok(None);
    }
    let unknown =
        || ReadError::InvalidParameter { name, why: format!("{text:?} is none of {}", V::NAME) };
    V::from_wire(text).map(Some).ok_or_else(unknown)
}

/// An address with the parameters that are not empty.
fn address(path: &str, parameters: &[(&str, &str)]) -> String {
    let given = parameters.iter().filter(|(_, value)| !value.is_empty());
    let pairs: Vec<String> =
        given.map(|(name, value)| format!("{name}={}", link::encoded(value))).collect();
    if pairs.is_empty() { path.to_owned() } else { format!("{path}?{}", pairs.join("&")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_member_is_refused() {
        let asked = TrialsAsked { first: "middle".to_owned(), ..TrialsAsked::default() };
        let refused = asked.filter().expect_err("it is no link").to_string();
        assert!(refused.contains("first") && refused.contains("stages"), "{refused}");
    }

    #[test]
    fn a_stage_alone_is_no_lane() {
        let asked = TrialsAsked { stage: "call".to_owned(), ..TrialsAsked::default() };
        assert!(asked.filter().is_err());
    }

    #[test]
    fn pages_count_from_one() {
        assert_eq!((skip("").ok(), skip("1").ok(), skip("51").ok()), (Some(0), Some(0), Some(50)));
        for refused in ["0", "-1", "a", "99999999999"] {
            assert!(skip(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn the_first_page_keeps_what_was_asked_for() {
        let asked = RunsAsked { suite: "a&b".to_owned(), ..RunsAsked::default() };
        assert_eq!(asked.address(), "/runs?suite=a%26b");
    }
}
