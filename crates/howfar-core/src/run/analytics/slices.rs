//! Which slices there are, and which trials belong to them (run-documents 7.3).

use std::cmp::Reverse;
use std::collections::HashMap;

use howfar_wire::analytics::{
    AnalyticsTrial, CategoryCount, Slice, SliceDimension, SliceRow, SliceTruncation,
};
use howfar_wire::canon;
use howfar_wire::rate::Counts;
use howfar_wire::vocabulary::{ExclusionDetail, FailureCategory};
use serde_json::json;

use super::Excluded;
use super::tally::StageTallies;

/// The rows of all slices in the order of the document, and the dimensions that were cut.
pub(super) fn slices(
    trials: &[AnalyticsTrial],
    exclusions: &[Option<ExclusionDetail>],
) -> (Vec<SliceRow>, Option<Vec<SliceTruncation>>) {
    let mut all = AllSlices::default();
    for (trial, exclusion) in trials.iter().zip(exclusions) {
        for (dimension, key, slice) in memberships(trial) {
            let counting = all.slice(dimension, key, slice);
            match exclusion {
                Some(detail) => counting.excluded.add(detail.class(), 1),
                None => counting.include(trial),
            }
        }
    }
    all.into_rows()
}

/// What a slice has counted so far.
struct Counting {
    slice: Slice,
    /// The sort key inside the dimension.
    key: String,
    included: u64,
    excluded: Excluded,
    categories: Counts<FailureCategory>,
    stages: StageTallies,
}

impl Counting {
    fn new(slice: Slice, key: String) -> Self {
        Self {
            slice,
            key,
            included: 0,
            excluded: Excluded::new(),
            categories: Counts::new(),
            stages: StageTallies::default(),
        }
    }

    fn include(&mut self, trial: &AnalyticsTrial) {
        self.included += 1;
        if let Some(category) = trial.failure_category {
            self.categories.add(category, 1);
        }
        self.stages.add(trial);
    }

    fn into_row(self) -> SliceRow {
        let categories = self.categories.iter();
        SliceRow {
            slice: self.slice,
            included_trials: self.included,
            excluded_trials: self.excluded,
            failure_categories: categories
                .map(|(category, count)| CategoryCount { category, count })
                .collect(),
            stages: self.stages.into_tallies(),
        }
    }
}

/// Every slice met so far, by dimension.
struct AllSlices {
    overall: Counting,
    dimensions: [(SliceDimension, Dimension); 3],
}

#[derive(Default)]
struct Dimension {
    index: HashMap<String, usize>,
    slices: Vec<Counting>,
}

impl Default for AllSlices {
    fn default() -> Self {
        Self {
            overall: Counting::new(Slice::Overall {}, String::new()),
            dimensions: [
                (SliceDimension::Intent, Dimension::default()),
                (SliceDimension::Model, Dimension::default()),
                (SliceDimension::Host, Dimension::default()),
            ],
        }
    }
}

impl AllSlices {
    /// The slice of a dimension with this key; made, as `slice`, when it is new.
    fn slice(&mut self, dimension: SliceDimension, key: String, slice: Slice) -> &mut Counting {
        let at = match dimension {
            SliceDimension::Overall => return &mut self.overall,
            SliceDimension::Intent => 0,
            SliceDimension::Model => 1,
            SliceDimension::Host => 2,
        };
        let Dimension { index, slices } = &mut self.dimensions[at].1;
        let at = *index.entry(key).or_insert_with_key(|key| {
            slices.push(Counting::new(slice, key.clone()));
            slices.len() - 1
        });
        &mut slices[at]
    }

    fn into_rows(self) -> (Vec<SliceRow>, Option<Vec<SliceTruncation>>) {
        let mut rows = vec![self.overall.into_row()];
        let mut truncation = Vec::new();
        for (dimension, Dimension { index: _, mut slices }) in self.dimensions {
            let distinct_values = slices.len() as u64;
            slices.sort_by(|a, b| canon::utf16_cmp(&a.key, &b.key));
            if slices.len() > cap(dimension) {
                slices.sort_by_key(|slice| Reverse(slice.included));
                slices.truncate(cap(dimension));
                slices.sort_by(|a, b| canon::utf16_cmp(&a.key, &b.key));
                let retained = slices.len() as u64;
                truncation.push(SliceTruncation { dimension, distinct_values, retained });
            }
            rows.extend(slices.into_iter().map(Counting::into_row));
        }
        (rows, Some(truncation).filter(|cut| !cut.is_empty()))
    }
}

/// How many slices a dimension has at most.
pub(super) const fn cap(dimension: SliceDimension) -> usize {
    match dimension {
        SliceDimension::Overall => 1,
        SliceDimension::Intent => 50,
        SliceDimension::Model | SliceDimension::Host => 25,
    }
}

/// The slices that a trial belongs to, each with its sort key.
fn memberships(trial: &AnalyticsTrial) -> Vec<(SliceDimension, String, Slice)> {
    let mut slices = vec![(SliceDimension::Overall, String::new(), Slice::Overall {})];
    let intent = trial.intent.as_deref().map(canon::es_trim).filter(|intent| !intent.is_empty());
    let intent = intent.map(str::to_owned);
    // An absent intent sorts last.
    let key = intent.clone().unwrap_or_else(|| "\u{ffff}".to_owned());
    slices.push((SliceDimension::Intent, key, Slice::Intent { intent }));
    if let (Some(provider), Some(model)) = (&trial.provider, &trial.model) {
        let key = canon::stringify(&json!([provider, model]));
        let slice = Slice::Model { provider: provider.clone(), model: model.clone() };
        slices.push((SliceDimension::Model, key, slice));
    }
    if let Some(host_key) = &trial.host_key {
        let slice = Slice::Host {
            host_key: host_key.clone(),
            host_name: trial.host_name.clone(),
            execution_engine: trial.execution_engine.clone(),
        };
        slices.push((SliceDimension::Host, host_key.clone(), slice));
    }
    slices
}

#[cfg(test)]
mod tests {
    use howfar_wire::vocabulary::IterationStatus;

    use super::*;

    #[test]
    fn over_the_cap_the_slice_with_the_fewest_counted_trials_goes() {
        let trial = |at: usize| AnalyticsTrial {
            provider: Some("p".to_owned()),
            model: Some(format!("m{at:02}")),
            ..AnalyticsTrial::new(at.to_string(), IterationStatus::Completed)
        };
        let trials: Vec<_> = (0..26).map(trial).collect();
        let exclusions: Vec<_> =
            (0..26).map(|at| (at == 0).then_some(ExclusionDetail::ChainMissing)).collect();
        let (rows, truncation) = slices(&trials, &exclusions);
        let models: Vec<_> = rows
            .into_iter()
            .filter_map(|row| match row.slice {
                Slice::Model { provider: _, model } => Some(model),
                Slice::Overall {} | Slice::Intent { .. } | Slice::Host { .. } => None,
            })
            .collect();
        assert_eq!(models.len(), 25);
        assert_eq!((&*models[0], &*models[24]), ("m01", "m25"));
        let dimension = SliceDimension::Model;
        let cut = SliceTruncation { dimension, distinct_values: 26, retained: 25 };
        assert_eq!(truncation, Some(vec![cut]));
    }
}
