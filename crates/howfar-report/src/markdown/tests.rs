use howfar_wire::report::TrialReport;
use howfar_wire::vocabulary::{FailureCategory, IterationStatus, SetupOutcome};
use insta::assert_snapshot;

use super::*;
use crate::fixture::{broke, case, held, report, server, unmeasured};

fn markdown(report: &RunReport) -> String {
    let mut out = String::new();
    let options = MarkdownOptions { exit: ExitCode::MeasuredFailure, artifact: None };
    render_markdown(report, &options, &mut out).expect("a string takes text");
    out
}

fn wrong_tool() -> TrialReport {
    broke(Stage::Selection, StageReason::MissingToolCall, FailureCategory::Selection)
}

fn outage() -> TrialReport {
    let mut trial = unmeasured(IterationStatus::Failed, StageReason::ProviderError);
    trial.error = Some("HTTP 503 | from the `provider`".into());
    trial
}

#[test]
fn one_of_each_verdict() {
    let report = report(vec![
        case("a", "Finds | a hotel", vec![held()]),
        case("b", "Books", vec![wrong_tool(), held(), wrong_tool()]),
        case("c", "Cancels", vec![outage()]),
        case("d", "Never ran", vec![]),
    ]);
    assert_snapshot!(markdown(&report), @r#"
    ## ? INCONCLUSIVE: `Hotel desk`

    **1 of 4 case variants passed · 1 failed · 1 inconclusive · 1 not run**

    because a case graded nothing at all

    ### How much was measured

    5 of 5 configured trials executed · 4 gradeable · excluded: 1 trial (execution broke)

    | Verdict | Case | Trials | First failed link |
    | --- | --- | --- | --- |
    | ✓ PASS | `a` `Finds \| a hotel` | 1 of 1 gradeable trial passed · needs 100 % · 1 configured | – |
    | ✗ FAIL | `b` `Books` | 1 of 3 gradeable trials passed · needs 100 % · 3 configured | Selection |
    | ? N/M | `c` `Cancels` | no gradeable trial · needs 100 % · 1 configured | – |
    | □ SKIP | `d` `Never ran` | no gradeable trial · needs 100 % · 0 configured | – |

    ### Where the chain broke

    - `b`: trials 1 and 3: first failed link Selection, because an expected tool call was never made; next: review tool selection and the tool catalog

    ### Not measured

    - case `c`: inconclusive; first error: `` HTTP 503 | from the `provider` ``
    - case `d`: not run
    - link Connection: 1 trial, because the model provider failed the call, so this stage was never measured
    - link Discovery: 1 trial, because the model provider failed the call, so this stage was never measured
    - link Selection: 1 trial, because the model provider failed the call, so this stage was never measured
    - link Tool call: 1 trial, because the model provider failed the call, so this stage was never measured
    - link Response: 1 trial, because the model provider failed the call, so this stage was never measured

    ### Who should look next

    - **tool selection**: review tool selection and the tool catalog · `b`
    - **no category**: inspect the case trace; no failure category was recorded · `c`

    Exit 1: a measured failure · run `run-1`
    "#);
}

#[test]
fn a_server_that_failed_to_connect_is_quoted_as_code() {
    let mut report = report(vec![case("a", "Finds", vec![held()])]);
    let mut failed = server("booking");
    failed.connection = SetupOutcome::Failed;
    failed.error = Some("<b>no</b> @team".into());
    report.metadata.execution.servers = vec![failed];
    let text = markdown(&report);
    assert!(text.contains("- server `booking`: connection failed: `<b>no</b> @team`"), "{text}");
}

#[test]
fn the_report_is_linked_when_its_place_is_known() {
    let report = report(vec![case("a", "Finds", vec![held()])]);
    let linked = |url: &str| {
        let artifact = Artifact { name: "report.html".into(), url: Some(url.into()) };
        let mut out = String::new();
        let options = MarkdownOptions { exit: ExitCode::Success, artifact: Some(&artifact) };
        render_markdown(&report, &options, &mut out).expect("a string takes text");
        out.lines().last().map(str::to_owned)
    };
    let end = "Exit 0: completed and passed · run `run-1` · report: `report.html`";
    let url = "https://ci.example/runs/7";
    assert_eq!(linked(url), Some(format!("{end} among the [artifacts of this job's run]({url})")));
    assert_eq!(linked("javascript:alert(1)"), Some(end.to_owned()));
    assert_eq!(linked("https://e.example/) <b>"), Some(end.to_owned()));
}

#[test]
fn a_long_run_says_what_it_left_out() {
    let cases = (0..150).map(|at| case(&format!("c{at}"), "Books", vec![wrong_tool()])).collect();
    let text = markdown(&report(cases));
    assert!(text.contains("… and 50 more cases; the JSON report lists them"), "{text}");
    assert!(text.contains("… and 50 more places"), "{text}");
}
