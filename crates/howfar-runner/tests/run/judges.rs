//! When a judge is asked, and what a run that ends early leaves owed.

use std::sync::Arc;
use std::time::Duration;

use howfar_core::judge::{ModelLimits, judge_identity};
use howfar_runner::{AskedJudge, CaseJudge, JudgeBudget, Resumed, RunRequest};
use howfar_wire::chain::JudgeStatus;
use howfar_wire::judge::JudgeRecord;
use howfar_wire::scorecard::Role;
use howfar_wire::vocabulary::{RefusalKind, TaskVerdict, Termination, Verdict};

use crate::support::{PlayedModel, echoes, good, one_case, refused, request, run_to_end, says};

const CONTENT: &str = r#"{"score": 0.9, "reason": "done", "rubricHits": []}"#;

/// A run of one case with two trials and a required judge.
fn judged(judge: PlayedModel) -> RunRequest {
    let mut request = request(&one_case(2), PlayedModel::answering(echoes), &good());
    let limits = ModelLimits {
        context_tokens: Some(1_000_000),
        output_tokens: 100,
        input_bytes: None,
        modalities: Vec::new(),
    };
    let record = JudgeRecord {
        skip_reason: None,
        role: Role::Required,
        threshold: 0.7,
        model: Some("scripted/played".to_owned()),
        scripted: true,
        script_digest: None,
        rubric: None,
        identity: judge_identity(0.7),
    };
    let asked = AskedJudge {
        model: Arc::new(judge),
        limits,
        timeout: Duration::from_secs(60),
        budget: Arc::new(JudgeBudget::new(None)),
    };
    request.cases[0].judge = Some(CaseJudge { record, asked: Some(asked) });
    request
}

#[test]
fn a_trial_is_recorded_before_its_judge_is_asked() {
    let (report, observed) = run_to_end(judged(PlayedModel::answering(|_| says(CONTENT))));
    let told = [
        "started",
        "set up",
        "case c: 2",
        "recorded 1 of c",
        "trial 1 of c",
        "recorded 2 of c",
        "trial 2 of c",
    ];
    assert_eq!(observed.told, told);
    assert_eq!(report.expect("the run is not refused").verdict, Verdict::Passed);
    assert_eq!(observed.evidence[0].task_verdict, Some(TaskVerdict::Passed));
}

#[test]
fn a_judge_is_asked_once_per_trial_and_has_no_tools() {
    let (_, observed) = run_to_end(judged(PlayedModel::answering(|request| {
        assert!(request.tools.is_empty());
        assert_eq!(request.messages.len(), 1);
        says(CONTENT)
    })));
    let scored = observed.evidence.iter().filter_map(|evidence| evidence.judge.as_ref());
    assert_eq!(scored.filter(|judgement| judgement.status == JudgeStatus::Scored).count(), 2);
}

#[test]
fn a_required_judge_whose_key_is_rejected_stops_the_run() {
    let judge = PlayedModel::answering(|_| refused(RefusalKind::Credentials));
    let (report, observed) = run_to_end(judged(judge));
    let report = report.expect("the run is not refused");
    assert_eq!(report.metadata.termination, Termination::Stopped);
    assert_eq!(report.verdict, Verdict::NotEstablished);
    let judgement = observed.evidence[0].judge.as_ref().expect("it is owed");
    assert_eq!(judgement.status, JudgeStatus::Pending);
}

#[test]
fn what_is_owed_is_asked_for_and_no_trial_runs_again() {
    let judge = PlayedModel::answering(|_| refused(RefusalKind::Credentials));
    let (_, before) = run_to_end(judged(judge));
    let mut request = judged(PlayedModel::answering(|_| says(CONTENT)));
    let owed = before.evidence.into_iter().filter(|evidence| evidence.iteration_number == 1);
    request.resumed = Resumed { owed: owed.collect(), ..Resumed::default() };
    let (report, observed) = run_to_end(request);
    let told =
        ["started", "set up", "case c: 1", "trial 1 of c", "recorded 2 of c", "trial 2 of c"];
    assert_eq!(observed.told, told);
    assert_eq!(report.expect("the run is not refused").verdict, Verdict::Passed);
}
