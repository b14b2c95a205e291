//! One function per route: it names the place, asks, and gives the answer on.

use howfar_report::glossary as words;
use howfar_wire::analytics::StageAnalytics;
use howfar_wire::api::{
    API_SCHEMA_VERSION, CasePage, CaseRow, GlossaryEntry, GlossaryPage, GlossarySection,
    IterationPage, RunHead, RunPage, SuiteList, SuiteTrend, TalliedChain, TracePage, TrialChain,
    TrialDetail,
};
use howfar_wire::compare::RunComparison;
use howfar_wire::friction::FrictionRollup;
use howfar_wire::gate::GatePolicy;
use howfar_wire::summary::DecisionSummary;
use serde_json::Value;

use super::parameters::{Comparison, Glossary, Nothing, Pages, Runs, Trace, Trials};
use super::question::Question;
use crate::read::{self, Paging, ReadError, RunFilter, TrialFilter};

type Answer<T> = Result<T, ReadError>;

pub(super) async fn suites(asked: Question<Pages>) -> Answer<SuiteList> {
    read::suites(&asked.store, &asked.query.paging()).await
}

pub(super) async fn trend(asked: Question<Pages>) -> Answer<SuiteTrend> {
    let suite = asked.place("suite").to_owned();
    read::trend(&asked.store, &suite, &asked.query.paging()).await
}

pub(super) async fn runs(asked: Question<Runs>) -> Answer<RunPage> {
    let Runs { suite, verdict, limit, cursor } = asked.query;
    let filter = RunFilter { suite_id: suite, verdict };
    read::runs(&asked.store, &filter, &Paging { limit, cursor, ..Paging::default() }).await
}

pub(super) async fn run(asked: Question<Nothing>) -> Answer<RunHead> {
    read::run_head(&asked.store, &asked.run().await?).await
}

pub(super) async fn cases(asked: Question<Pages>) -> Answer<CasePage> {
    let run = asked.run().await?;
    read::cases(&asked.store, &run, &asked.query.paging()).await
}

pub(super) async fn case(asked: Question<Nothing>) -> Answer<CaseRow> {
    read::case(&asked.store, &asked.run().await?, asked.place("case")).await
}

pub(super) async fn run_chain(asked: Question<Nothing>) -> Answer<TalliedChain> {
    read::run_chain(&asked.store, &asked.run().await?).await
}

pub(super) async fn case_chain(asked: Question<Nothing>) -> Answer<TalliedChain> {
    read::case_chain(&asked.store, &asked.run().await?, asked.place("case")).await
}

pub(super) async fn iterations(asked: Question<Trials>) -> Answer<IterationPage> {
    let run = asked.run().await?;
    let query = asked.query;
    let filter = TrialFilter {
        case_id: query.case,
        status: query.status,
        task_verdict: query.verdict,
        first_failed_stage: query.broke,
        failure_category: query.category,
        lane: read::lane(query.stage, query.state, query.excluded)?,
    };
    let paging = Paging { limit: query.limit, cursor: query.cursor, ..Paging::default() };
    read::iterations(&asked.store, &run, &filter, &paging).await
}

pub(super) async fn trial(asked: Question<Nothing>) -> Answer<TrialDetail> {
    read::trial(&asked.store, &asked.run().await?, &asked.trial()?).await
}

pub(super) async fn trial_chain(asked: Question<Nothing>) -> Answer<TrialChain> {
    read::trial_chain(&asked.store, &asked.run().await?, &asked.trial()?).await
}

pub(super) async fn trace(asked: Question<Trace>) -> Answer<TracePage> {
    let (run, trial) = (asked.run().await?, asked.trial()?);
    let Trace { part, limit, cursor } = asked.query;
    let paging = Paging { limit, cursor, ..Paging::default() };
    read::trace(&asked.store, &run, &trial, part.unwrap_or_default(), &paging).await
}

pub(super) async fn decision_summary(asked: Question<Pages>) -> Answer<DecisionSummary> {
    let run = asked.run().await?;
    read::decision_summary(&asked.store, &run, &asked.query.paging()).await
}

pub(super) async fn analytics(asked: Question<Nothing>) -> Answer<StageAnalytics> {
    read::analytics(&asked.store, &asked.run().await?).await
}

pub(super) async fn friction(asked: Question<Nothing>) -> Answer<FrictionRollup> {
    read::friction(&asked.store, &asked.run().await?).await
}

pub(super) async fn comparison(asked: Question<Comparison>) -> Answer<RunComparison> {
    let base = asked.query.base.as_deref();
    read::comparison(&asked.store, asked.place("run"), base, GatePolicy::default()).await
}

/// A document of a run that has no route of its own: the run comes first, so that its absence is not taken for ours.
pub(super) async fn document(asked: Question<Nothing>) -> Answer<Value> {
    asked.run().await?;
    Err(ReadError::NotServed { document: asked.place("document").to_owned() })
}

pub(super) async fn glossary(asked: Question<Glossary>) -> Answer<GlossaryPage> {
    let mut sections: Vec<_> = words::sections().into_iter().map(section).collect();
    if let Some(value) = &asked.query.value {
        for section in &mut sections {
            section.entries.retain(|entry| entry.value == *value);
        }
        sections.retain(|section| !section.entries.is_empty());
    }
    Ok(GlossaryPage { schema_version: API_SCHEMA_VERSION, kind: "glossary".to_owned(), sections })
}

fn section(section: words::Section) -> GlossarySection {
    let entry = |entry: words::Entry| GlossaryEntry {
        value: entry.value,
        label: entry.label,
        meaning: entry.meaning,
        next_owner: entry.next_owner,
    };
    GlossarySection {
        vocabulary: section.vocabulary.to_owned(),
        about: section.about.to_owned(),
        place: section.place.words().to_owned(),
        entries: section.entries.into_iter().map(entry).collect(),
    }
}
