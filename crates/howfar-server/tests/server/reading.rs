use howfar_server::read::{self, Paging, ReadError, RunFilter, TrialFilter, TrialName};
use howfar_store::{RunId, Store, TrialLane};
use howfar_testkit::samples::{Sample, case_id};
use howfar_wire::api::{IterationPage, ProblemType, TracePart};
use howfar_wire::summary::DiagnosticsPage;
use howfar_wire::vocabulary::{RunState, Stage, StageState, TaskVerdict, UndecidedReason, Verdict};

use crate::Stored;

type Tested = Result<(), Box<dyn std::error::Error>>;

fn limited(limit: u32) -> Paging {
    Paging { limit: Some(limit), cursor: None, ..Paging::default() }
}

#[tokio::test]
async fn runs_come_newest_first_and_each_on_one_page() -> Tested {
    let samples: Vec<_> = (0..7).map(|number| (Sample { number, trials: 1 }, 1)).collect();
    let stored = Stored::with(&samples);
    let store = stored.open().await?;
    let filter = RunFilter { suite_id: Some("s_sample".to_owned()), verdict: None };
    let mut paging = limited(3);
    let mut seen = Vec::new();
    loop {
        let page = read::runs(&store, &filter, &paging).await?;
        assert_eq!(page.total_runs, 7);
        seen.extend(page.runs.into_iter().map(|run| run.run_id));
        let Some(next) = page.next_cursor else { break };
        paging.cursor = Some(next);
    }
    let expected: Vec<_> = samples.iter().rev().map(|(sample, _)| sample.run_id()).collect();
    assert_eq!(seen, expected);
    Ok(())
}

#[tokio::test]
async fn runs_are_filtered_by_verdict() -> Tested {
    let runs = [
        (Sample { number: 0, trials: 5 }, 5),
        (Sample { number: 1, trials: 10 }, 10),
        (Sample { number: 2, trials: 10 }, 4),
    ];
    let stored = Stored::with(&runs);
    let store = stored.open().await?;
    for (verdict, expected) in
        [(Verdict::Passed, 0), (Verdict::Failed, 1), (Verdict::NotEstablished, 2)]
    {
        let filter = RunFilter { suite_id: None, verdict: Some(verdict) };
        let page = read::runs(&store, &filter, &Paging::default()).await?;
        assert_eq!((page.runs.len(), page.total_runs), (1, 1), "{verdict}");
        assert_eq!(page.runs[0].run_id, runs[expected].0.run_id());
    }
    Ok(())
}

#[tokio::test]
async fn runs_are_grouped_by_suite() -> Tested {
    let samples: Vec<_> = (0..3).map(|number| (Sample { number, trials: 1 }, 1)).collect();
    let stored = Stored::with(&samples);
    let store = stored.open().await?;
    let page = read::suites(&store, &Paging::default()).await?;
    assert_eq!((page.suites.len(), page.total_suites), (1, 1));
    assert_eq!(page.suites[0].runs, 3);
    assert_eq!(page.suites[0].last_run.run_id, samples[2].0.run_id());
    Ok(())
}

/// Every trial that a filter selects, three at a time.
async fn all(
    store: &Store,
    id: &RunId,
    filter: &TrialFilter,
) -> Result<Vec<(String, u32)>, ReadError> {
    let mut paging = limited(3);
    let mut seen = Vec::new();
    loop {
        let IterationPage { iterations, total_trials, next_cursor, .. } =
            read::iterations(store, id, filter, &paging).await?;
        seen.extend(iterations.into_iter().map(|row| (row.case_id, row.iteration_number)));
        paging.cursor = next_cursor;
        if paging.cursor.is_none() {
            assert_eq!(total_trials, seen.len() as u64);
            return Ok(seen);
        }
    }
}

#[tokio::test]
async fn trials_come_in_order_and_each_on_one_page() -> Tested {
    let (stored, id) = Stored::run(104);
    let store = stored.open().await?;
    let sample = Sample { number: 0, trials: 104 };
    let expected: Vec<_> = sample.places().map(|(case, trial)| (case_id(case), trial)).collect();
    assert_eq!(all(&store, &id, &TrialFilter::default()).await?, expected);
    Ok(())
}

#[tokio::test]
async fn trials_are_filtered_by_verdict_and_place() -> Tested {
    let (stored, id) = Stored::run(104);
    let store = stored.open().await?;
    let failed = TrialFilter { task_verdict: Some(TaskVerdict::Failed), ..TrialFilter::default() };
    assert_eq!(all(&store, &id, &failed).await?.len(), 10);
    let broken = TrialFilter {
        case_id: Some(case_id(0)),
        first_failed_stage: Some(Stage::Selection),
        ..TrialFilter::default()
    };
    assert_eq!(all(&store, &id, &broken).await?.len(), 10);
    Ok(())
}

#[tokio::test]
async fn trials_are_filtered_by_their_lane_of_the_funnel() -> Tested {
    let (stored, id) = Stored::run(20);
    let store = stored.open().await?;
    for (state, expected) in [(StageState::Failed, 2), (StageState::Passed, 18)] {
        let lane = Some(TrialLane::State(Stage::Selection, state));
        let filter = TrialFilter { lane, ..TrialFilter::default() };
        assert_eq!(all(&store, &id, &filter).await?.len(), expected, "{state}");
    }
    let excluded = TrialFilter { lane: Some(TrialLane::Excluded), ..TrialFilter::default() };
    assert_eq!(all(&store, &id, &excluded).await?, []);
    Ok(())
}

#[tokio::test]
async fn a_case_has_its_verdict_its_counts_and_its_tallies() -> Tested {
    let (stored, id) = Stored::run(104);
    let store = stored.open().await?;
    let page = read::cases(&store, &id, &limited(1)).await?;
    assert_eq!((page.cases.len(), page.total_cases), (1, 2));
    let case = &page.cases[0];
    assert_eq!((case.trials.configured, case.trials.stored), (100, 100));
    assert_eq!((case.trials.passed, case.trials.failed), (90, 10));
    let selection = &case.chain.links[Stage::Selection.index()];
    assert_eq!(selection.states.get(StageState::Failed), 10);
    assert_eq!(case.chain.first_failed_stages.get(Stage::Selection), 10);
    assert_eq!(read::case(&store, &id, &case_id(0)).await?, *case);
    Ok(())
}

#[tokio::test]
async fn a_run_that_ended_says_what_was_decided() -> Tested {
    let (stored, id) = Stored::run(20);
    let head = read::run_head(&stored.open().await?, &id).await?;
    assert_eq!(head.run.verdict, Verdict::Failed);
    assert_eq!(head.complete, Some(true));
    assert_eq!(head.undecided, None);
    assert_eq!(head.counts.and_then(|counts| counts.failed), Some(1));
    assert_eq!(head.population.executed_iterations, 20);
    assert_eq!(head.trials.task_verdicts.get(TaskVerdict::Failed), 2);
    Ok(())
}

#[tokio::test]
async fn a_decision_summary_pages_what_did_not_pass() -> Tested {
    let (stored, id) = Stored::run(204);
    let store = stored.open().await?;
    let whole = read::decision_summary(&store, &id, &Paging::default()).await?;
    assert_eq!((whole.verdict, whole.diagnostics.complete), (Verdict::Failed, true));
    assert_eq!((whole.diagnostics.items.len(), whole.diagnostics.scanned_iterations), (20, 204));
    let (mut paging, mut items, mut scanned) = (limited(7), Vec::new(), 0);
    loop {
        let page = read::decision_summary(&store, &id, &paging).await?.diagnostics;
        assert!(!page.complete, "no page of several is the whole");
        scanned += page.scanned_iterations;
        items.extend(page.items);
        let Some(next) = page.next_cursor else { break };
        paging.cursor = Some(next);
    }
    assert_eq!((items, scanned), (whole.diagnostics.items, 204));
    Ok(())
}

#[tokio::test]
async fn a_decision_summary_is_the_one_that_is_derived() -> Tested {
    let sample = Sample { number: 0, trials: 120 };
    let (stored, id) = Stored::run(sample.trials);
    let evidence: Vec<_> = sample.places().map(|place| sample.evidence(place)).collect();
    let derived = howfar_core::run::documents_of_evidence(&evidence);
    let derived = derived.and_then(|all| all.decision_summary).map(|summary| summary.diagnostics);
    let read = read::decision_summary(&stored.open().await?, &id, &Paging::default()).await?;
    // Evidence has titles of its own.
    let untitled = |mut page: DiagnosticsPage| {
        page.items.iter_mut().for_each(|item| item.title = None);
        page
    };
    assert_eq!(Some(untitled(read.diagnostics)), derived.map(untitled));
    Ok(())
}

#[tokio::test]
async fn a_decision_summary_of_a_run_without_an_end_is_never_complete() -> Tested {
    let sample = Sample { number: 0, trials: 20 };
    let stored = Stored::with(&[(sample, 10)]);
    let id = RunId::new(sample.run_id());
    let summary = read::decision_summary(&stored.open().await?, &id, &Paging::default()).await?;
    assert_eq!(summary.undecided.map(|why| why.reason), Some(UndecidedReason::RunNotTerminal));
    assert_eq!((summary.run_status.as_str(), summary.decision), ("running", None));
    assert_eq!((summary.diagnostics.items.len(), summary.diagnostics.complete), (1, false));
    Ok(())
}

#[tokio::test]
async fn a_run_without_an_end_establishes_nothing() -> Tested {
    let sample = Sample { number: 0, trials: 20 };
    let stored = Stored::with(&[(sample, 7)]);
    let store = stored.open().await?;
    let id = RunId::new(sample.run_id());
    let head = read::run_head(&store, &id).await?;
    assert_eq!((head.run.state, head.run.verdict), (RunState::CutOff, Verdict::NotEstablished));
    assert_eq!(head.undecided.map(|why| why.reason), Some(UndecidedReason::RunNotTerminal));
    assert_eq!((head.counts, head.decision, head.complete), (None, None, None));
    assert_eq!(head.population.executed_iterations, 7);
    assert_eq!(head.population.not_started_iterations, 13);
    assert_eq!(read::analytics(&store, &id).await?.included_trials, 7);
    Ok(())
}

#[tokio::test]
async fn what_is_absent_is_named() -> Tested {
    let sample = Sample { number: 0, trials: 2 };
    let stored = Stored::with(&[(sample, 0)]);
    let store = stored.open().await?;
    let (id, nowhere) = (RunId::new(sample.run_id()), RunId::new("r_nowhere"));
    let kind = |error: ReadError| error.kind();
    let name = |case: &str, iteration| TrialName { case_id: case.to_owned(), iteration };
    let no_run = read::analytics(&store, &nowhere).await.map_err(kind);
    assert_eq!(no_run.err(), Some(ProblemType::RunNotFound));
    let no_document = read::analytics(&store, &id).await.map_err(kind);
    assert_eq!(no_document.err(), Some(ProblemType::DocumentNotFound));
    let no_case = read::trial(&store, &id, &name("nowhere", 1)).await.map_err(kind);
    assert_eq!(no_case.err(), Some(ProblemType::CaseNotFound));
    let no_trial = read::trial(&store, &id, &name(&case_id(0), 1)).await.map_err(kind);
    assert_eq!(no_trial.err(), Some(ProblemType::TrialNotFound));
    let no_suite = read::trend(&store, "nowhere", &Paging::default()).await.map_err(kind);
    assert_eq!(no_suite.err(), Some(ProblemType::SuiteNotFound));
    Ok(())
}

#[tokio::test]
async fn a_trial_has_its_chain_and_its_trace() -> Tested {
    let (stored, id) = Stored::run(10);
    let store = stored.open().await?;
    let name = TrialName { case_id: case_id(0), iteration: 10 };
    let trial = read::trial(&store, &id, &name).await?;
    assert_eq!(trial.trial.first_failed_stage, Some(Stage::Selection));
    let chain = read::trial_chain(&store, &id, &name).await?;
    assert_eq!(chain.stage_results, trial.trial.stage_results);
    assert_eq!(chain.next_owner, trial.next_owner);
    let first = read::trace(&store, &id, &name, TracePart::Messages, &limited(1)).await?;
    assert_eq!((first.total_items, first.first_item), (2, 0));
    let rest = Paging { limit: None, cursor: first.next_cursor, ..Paging::default() };
    let rest = read::trace(&store, &id, &name, TracePart::Messages, &rest).await?;
    assert_eq!((rest.first_item, rest.messages.map(|items| items.len())), (1, Some(1)));
    assert_eq!(rest.next_cursor, None);
    Ok(())
}

#[tokio::test]
async fn a_series_says_where_it_breaks() -> Tested {
    let samples = [
        (Sample { number: 0, trials: 2 }, 2),
        (Sample { number: 1, trials: 2 }, 1),
        (Sample { number: 2, trials: 3 }, 3),
        (Sample { number: 3, trials: 3 }, 3),
    ];
    let stored = Stored::with(&samples);
    let store = stored.open().await?;
    let series = read::trend(&store, "s_sample", &limited(3)).await?;
    let blockers: Vec<_> = series
        .points
        .iter()
        .map(|point| point.to_older.as_ref().and_then(|between| between.blockers.clone()))
        .collect();
    assert_eq!(blockers, [Some(Vec::new()), None, None]);
    assert!(series.points[2].to_older.is_some(), "the oldest shown run has an older neighbour");
    assert_eq!(series.points[1].run.run_id, samples[2].0.run_id());
    let rest = Paging { limit: Some(3), cursor: series.next_cursor, ..Paging::default() };
    let rest = read::trend(&store, "s_sample", &rest).await?;
    assert_eq!(rest.points.len(), 1);
    assert_eq!(rest.points[0].to_older, None);
    Ok(())
}
