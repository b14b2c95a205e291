use howfar_wire::report::TrialReport;
use howfar_wire::vocabulary::{
    FailureCategory, IterationStatus, RefusalKind, Stage, StageReason, Verdict,
};
use insta::assert_snapshot;

use super::*;
use crate::fixture::{broke, case, held, report, unmeasured};

mod shape;

fn junit(report: &RunReport, human: &str) -> String {
    let mut out = String::new();
    render_junit(report, human, &mut out).expect("a string takes text");
    shape::check(&out);
    out
}

fn wrong_tool() -> TrialReport {
    broke(Stage::Selection, StageReason::MissingToolCall, FailureCategory::Selection)
}

fn outage() -> TrialReport {
    let mut trial = unmeasured(IterationStatus::Failed, StageReason::ProviderError);
    trial.error = Some("HTTP 503 <from the provider>".into());
    trial.refusal = Some(RefusalKind::Unavailable);
    trial
}

#[test]
fn one_of_each_verdict() {
    let report = report(vec![
        case("a", "Finds <a> \"hotel\" & more", vec![held()]),
        case("b", "Books", vec![wrong_tool(), held(), wrong_tool()]),
        case("c", "Cancels", vec![outage()]),
        case("d", "Never ran", vec![]),
    ]);
    assert_snapshot!(junit(&report, "the story\n"), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="eval-local-run" tests="4" skipped="2" failures="1" errors="0" time="1.234">
        <testsuite name="eval-local-run" tests="4" skipped="2" errors="0" failures="1" time="1.234">
            <properties>
                <property name="execution" value="local"/>
                <property name="engine" value="emulated"/>
                <property name="host" value="none"/>
                <property name="scripted" value="false"/>
                <property name="verdictAuthority" value="local-policy-v2"/>
                <property name="verdict" value="inconclusive"/>
                <property name="termination" value="completed"/>
                <property name="complete" value="true"/>
                <property name="unit" value="case"/>
                <property name="suite" value="hotels"/>
                <property name="suiteSourceHash" value="0000000000000000000000000000000000000000000000000000000000000000"/>
                <property name="judge" value="none"/>
                <property name="upload" value="off"/>
            </properties>
            <testcase name="Finds &lt;a&gt; &quot;hotel&quot; &amp; more" classname="howfar.eval-local-run.eval-case" time="0.420"/>
            <testcase name="Books" classname="howfar.eval-local-run.eval-case" time="0.420">
                <failure message="1 of 3 gradeable trials passed; 3 configured; needs 100 %" type="measuredFailure">trials 1 and 3: first failed link Selection, because an expected tool call was never made; next: review tool selection and the tool catalog</failure>
            </testcase>
            <testcase name="Cancels" classname="howfar.eval-local-run.eval-case" time="0.420">
                <skipped message="inconclusive: no gradeable trial; 1 configured; first error: HTTP 503 &lt;from the provider&gt;"/>
            </testcase>
            <testcase name="Never ran" classname="howfar.eval-local-run.eval-case" time="0.420">
                <skipped message="not run"/>
            </testcase>
            <system-out>the story</system-out>
        </testsuite>
    </testsuites>
    "#);
}

#[test]
fn counts_match_when_read_back() {
    let report = report(vec![
        case("a", "First", vec![held()]),
        case("b", "Second", vec![wrong_tool()]),
        case("c", "Third", vec![outage()]),
    ]);
    let read = Report::deserialize_from_str(&junit(&report, "")).expect("our own XML reads back");
    assert_eq!((read.tests, read.failures, read.errors, read.skipped), (3, 1, 0, 1));
    let suite = &read.test_suites[0];
    assert_eq!(suite.name.as_str(), "eval-local-run");
    assert_eq!(suite.time, Some(Duration::from_millis(1234)));
}

#[test]
fn only_a_measured_failure_is_a_failure() {
    let broken_grader = TrialReport { evaluator_error: true, task_verdict: None, ..held() };
    for trial in [
        outage(),
        broken_grader,
        unmeasured(IterationStatus::TimedOut, StageReason::LifecycleStopped),
    ] {
        let report = report(vec![case("a", "First", vec![trial])]);
        let xml = junit(&report, "");
        assert!(!xml.contains("<failure") && !xml.contains("<error"), "{xml}");
        assert!(xml.contains("<skipped"), "{xml}");
    }
}

#[test]
fn an_interrupted_run_says_so() {
    let mut report = report(vec![case("a", "First", vec![held()])]);
    report.verdict = Verdict::NotEstablished;
    report.metadata.verdict = Verdict::NotEstablished;
    report.metadata.complete = false;
    let xml = junit(&report, "");
    assert!(xml.contains(r#"<property name="verdict" value="notEstablished"/>"#), "{xml}");
    assert!(xml.contains(r#"<property name="complete" value="false"/>"#), "{xml}");
}

#[test]
fn characters_that_xml_forbids_are_shown_as_escapes() {
    let hostile = "\u{0}\u{1b}[31m\u{fffe}\u{202e}]]>";
    let report = report(vec![case("a", hostile, vec![outage()])]);
    let xml = junit(&report, hostile);
    assert!(xml.contains(r"\u{0}\u{1b}[31m\u{fffe}\u{202e}]]&gt;"), "{xml}");
}

#[test]
fn a_class_name_has_safe_characters_only() {
    assert_eq!(
        class_name("eval-local-run", "Ünsafe/one two"),
        "howfar.eval-local-run.-nsafe-one-two"
    );
}

proptest::proptest! {
    #[test]
    fn any_text_gives_a_document_of_the_common_shape(text in proptest::prelude::any::<String>()) {
        let mut trial = outage();
        trial.error = Some(text.clone());
        let report = report(vec![case("a", &text, vec![trial]), case(&text, &text, vec![wrong_tool()])]);
        junit(&report, &text);
    }
}
