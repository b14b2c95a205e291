use howfar_wire::analytics::SetupTally;
use howfar_wire::matching::ArgumentMismatch;
use howfar_wire::rate::{Counts, Rate};
use howfar_wire::report::{PolicyBlock, SkippedCase};
use howfar_wire::scorecard::{CheckOutcome, Provenance, Role, Scorecard};
use howfar_wire::transcript::ToolCall;
use howfar_wire::vocabulary::{
    Attribution, CaseState, CaseVerdict, FailureCategory, IterationStatus, PolicyReason,
    RefusalKind, SafetyClass, SetupOutcome, Stage, StageReason, Termination, Verdict,
    VerdictDecisionReason,
};
use insta::assert_snapshot;
use serde_json::json;

use super::*;
use crate::fixture::{
    broke, call, case, check, cite, held, report, server, trial, turn, unmeasured,
};

const WIDE: StoryOptions<'_> = StoryOptions {
    width: 100,
    ascii: false,
    color: false,
    verbose: false,
    exit: ExitCode::Success,
    more: None,
};

fn story(report: &RunReport, options: &StoryOptions<'_>) -> String {
    let mut out = String::new();
    render_story(report, options, &mut out).expect("a string takes text");
    out
}

/// The lines from a heading to the next one.
fn section(story: &str, heading: &str) -> String {
    let lines =
        story.lines().skip_while(|line| *line != heading).take_while(|line| !line.is_empty());
    lines.map(|line| format!("{line}\n")).collect()
}

fn failed(exit: ExitCode) -> StoryOptions<'static> {
    StoryOptions { exit, ..WIDE }
}

fn selection_failure() -> TrialReport {
    let mut trial =
        broke(Stage::Selection, StageReason::MissingToolCall, FailureCategory::Selection);
    let mut turn = turn();
    turn.missing = vec![ToolCall::new("search_hotels", json!({"city": "Porto", "nights": 2}))];
    turn.unexpected = vec![ToolCall::new("get_weather", json!({"city": "Porto"}))];
    trial.tool_calls = vec![call("get_weather", &json!({"city": "Porto"}))];
    trial.turns = vec![turn];
    let mut advice = check(Stage::Discovery, "toolDescriptionsPresent", CheckOutcome::Failed);
    advice.role = Some(Role::Advisory);
    advice.reason = "book_room has no description".into();
    trial.scorecard = Scorecard::new(vec![
        advice,
        check(Stage::UserValue, "responseContains", CheckOutcome::NotMeasured),
    ]);
    trial
}

#[test]
fn a_run_that_passed() {
    let report = report(vec![case("find-hotel", "Finds a hotel", vec![held(), held()])]);
    assert_snapshot!(story(&report, &WIDE), @r"
    Hotel desk (hotels) · openai/gpt-x

    What was decided
      ✓ PASSED · 1 of 1 case variant passed
        because every measured case met its threshold

    How much was measured
      2 of 2 configured trials executed · 2 gradeable
      0 tool calls in 1.23 s of wall time
      PASS  find-hotel  2 of 2 gradeable trials passed · needs 100 % · 2 configured

    Where the chain broke
      Connection  ✓✓ · 2 passed
      Discovery   ✓✓ · 2 passed
      Selection   ✓✓ · 2 passed
      Tool call   ✓✓ · 2 passed
      Response    ✓✓ · 2 passed
      User value  ✓✓ · 2 passed
      Unit: trial. One row per link; a trial is in every row, so rows are never summed.

    The evidence
      every trial did what its case asks, and no link failed

    Who should look next
      nobody needs to: no trial is in a failure category

    Also
      upload    off: nothing was uploaded

    ✓ PASSED · exit 0: completed and passed · more: howfar explain passed
    ");
}

#[test]
fn a_selection_failure_with_folded_trials() {
    let trials = vec![selection_failure(), held(), selection_failure()];
    let report = report(vec![
        case("find-hotel", "Finds a hotel", trials),
        case("weather", "Tells the weather", vec![held()]),
    ]);
    assert_snapshot!(story(&report, &failed(ExitCode::MeasuredFailure)), @r#"
    Hotel desk (hotels) · openai/gpt-x

    What was decided
      ✗ FAILED · 1 of 2 case variants passed · 1 failed
        because a case did not meet its pass threshold

    How much was measured
      4 of 4 configured trials executed · 4 gradeable
      2 tool calls in 1.23 s of wall time
      FAIL  find-hotel  1 of 3 gradeable trials passed · needs 100 % · 3 configured
      PASS  weather     1 of 1 gradeable trial passed · needs 100 % · 1 configured

    Where the chain broke
      Connection  ✓✓✓✓ · 4 passed
      Discovery   ✓✓✓✓ · 4 passed
      Selection   ✓✓✗✗ · 2 passed · 2 failed
      Tool call   ✓✓⇥⇥ · 2 passed · 2 never reached
      Response    ✓✓⇥⇥ · 2 passed · 2 never reached
      User value  ✓✓⇥⇥ · 2 passed · 2 never reached
      Unit: trial. One row per link; a trial is in every row, so rows are never summed.
      ✗ Selection   first failed link of 2 trials · find-hotel

    The evidence
      FAIL  find-hotel · Finds a hotel
        trials 1 and 3 of 3: failed · first failed link: Selection
          ✓ passed Connection, Discovery ✗ failed Selection ⇥ never ran Tool call, Response, User value
          because   an expected tool call was never made
          missing   search_hotels {"city": "Porto", "nights": 2}
          extra     get_weather {"city": "Porto"}
          checks    1 required not measured · 1 advisory
          ? not measured responseContains (This case, User value): responseContains says so

    Who should look next
      tool selection  review tool selection and the tool catalog · find-hotel

    Advice (advisory checks decide nothing)
      toolDescriptionsPresent (This case, Discovery, 2 trials): book_room has no description
        asks Every tool of every server has a description of at least `minLength` characters (20 unless
              given).

    Also
      upload    off: nothing was uploaded

    ✗ FAILED · exit 1: a measured failure · more: howfar explain missingToolCall
    "#);
}

#[test]
fn rows_of_the_matcher_are_told_by_the_calls() {
    let mut trial = selection_failure();
    let mut route = check(Stage::Selection, "toolCalls:match", CheckOutcome::Failed);
    route.provenance = Provenance::Route;
    trial.scorecard = Scorecard::new(vec![route]);
    let report = report(vec![case("find-hotel", "Finds a hotel", vec![trial])]);
    assert!(!story(&report, &WIDE).contains("toolCalls:match"));
    let verbose = story(&report, &StoryOptions { verbose: true, ..WIDE });
    assert!(verbose.contains("toolCalls:match (Route, Selection):"), "{verbose}");
    assert!(verbose.contains("called    get_weather"), "{verbose}");
}

#[test]
fn checks_of_a_trial_that_never_ran_are_not_listed() {
    let mut trial = unmeasured(IterationStatus::TimedOut, StageReason::LifecycleStopped);
    trial.scorecard = Scorecard::new(vec![check(
        Stage::UserValue,
        "responseContains",
        CheckOutcome::NotMeasured,
    )]);
    let report = report(vec![case("find-hotel", "Finds a hotel", vec![trial])]);
    let evidence = section(&story(&report, &WIDE), "The evidence");
    assert!(evidence.contains("1 required not measured"), "{evidence}");
    assert!(!evidence.contains("responseContains"), "{evidence}");
}

#[test]
fn other_arguments_stand_below_each_other() {
    let mut trial = broke(Stage::Call, StageReason::ArgumentMismatch, FailureCategory::Arguments);
    let mut turn = turn();
    turn.argument_mismatches = vec![ArgumentMismatch {
        tool_name: "search_hotels".into(),
        expected_args: json!({"city": "Porto"}),
        actual_args: json!({"city": "Lisbon", "nights": 2}),
    }];
    trial.turns = vec![turn];
    let report = report(vec![case("find-hotel", "Finds a hotel", vec![trial])]);
    assert_snapshot!(section(&story(&report, &WIDE), "The evidence"), @r#"
    The evidence
      FAIL  find-hotel · Finds a hotel
        trial 1 of 1: failed · first failed link: Tool call
          ✓ passed Connection, Discovery, Selection ✗ failed Tool call ⇥ never ran Response, User value
          because   the call arguments did not match what the case expects
          mismatch  search_hotels with other arguments
          expected  {"city": "Porto"}
          actual    {"city": "Lisbon", "nights": 2}
    "#);
}

#[test]
fn calls_at_another_place_are_a_group_of_their_own() {
    let mut trial =
        broke(Stage::Selection, StageReason::MissingToolCall, FailureCategory::Selection);
    let mut turn = turn();
    turn.missing =
        vec![ToolCall::new("search", json!({})), ToolCall::new("book", json!({"id": 1}))];
    turn.unexpected = vec![ToolCall::new("book", json!({"id": 1}))];
    trial.tool_calls = vec![call("book", &json!({"id": 1}))];
    trial.turns = vec![turn];
    let report = report(vec![case("book", "Books", vec![trial])]);
    assert_snapshot!(section(&story(&report, &WIDE), "The evidence"), @r#"
    The evidence
      FAIL  book · Books
        trial 1 of 1: failed · first failed link: Selection
          ✓ passed Connection, Discovery ✗ failed Selection ⇥ never ran Tool call, Response, User value
          because   an expected tool call was never made
          missing   search {}
          order     book (made at another place) {"id": 1}
    "#);
}

#[test]
fn a_tool_error_is_quoted() {
    let mut trial = broke(Stage::Response, StageReason::ToolError, FailureCategory::ServerData);
    let mut failing = call("search_hotels", &json!({}));
    failing.error = Some("upstream answered 503".into());
    trial.tool_calls = vec![failing];
    cite(&mut trial, Stage::Response, &["search_hotels: upstream answered 503"]);
    let report = report(vec![case("find-hotel", "Finds a hotel", vec![trial])]);
    assert_snapshot!(section(&story(&report, &WIDE), "The evidence"), @r#"
    The evidence
      FAIL  find-hotel · Finds a hotel
        trial 1 of 1: failed · first failed link: Response
          ✓ passed Connection, Discovery, Selection, Tool call ✗ failed Response ⇥ never ran User value
          because   the server reported a tool error
          error of  search_hotels "upstream answered 503"
    "#);
}

#[test]
fn a_failed_check_on_the_answer_shows_the_answer() {
    let mut trial =
        broke(Stage::UserValue, StageReason::PredicateFailed, FailureCategory::UserValue);
    let mut row = check(Stage::UserValue, "responseContains", CheckOutcome::Failed);
    row.reason = "the answer does not contain \"Hotel Sol\"".into();
    cite(&mut trial, Stage::UserValue, &[&row.reason]);
    trial.scorecard =
        Scorecard::new(vec![row, check(Stage::Selection, "firstToolWas", CheckOutcome::Passed)]);
    trial.final_message = Some("I found nothing.\nSorry!".into());
    let report = report(vec![case("find-hotel", "Finds a hotel", vec![trial])]);
    assert_snapshot!(section(&story(&report, &WIDE), "The evidence"), @r#"
    The evidence
      FAIL  find-hotel · Finds a hotel
        trial 1 of 1: failed · first failed link: User value
          ✓ passed Connection, Discovery, Selection, Tool call, Response ✗ failed User value
          because   a check on the result did not hold
          checks    1 of 2 required passed
          ✗ failed  responseContains (This case, User value): the answer does not contain "Hotel Sol"
          answer    "I found nothing.\nSorry!"
    "#);
}

#[test]
fn a_server_that_refuses_the_session() {
    let mut trial = broke(Stage::Connection, StageReason::ConnectFailed, FailureCategory::Setup);
    trial.status = IterationStatus::SetupFailed;
    trial.task_verdict = None;
    let line = "HTTP 401 Unauthorized: {\"error\":\"invalid_token\"}";
    cite(&mut trial, Stage::Connection, &[line]);
    let mut report = report(vec![case("find-hotel", "Finds a hotel", vec![trial])]);
    let mut server = server("booking");
    server.connection = SetupOutcome::Failed;
    server.discovery = None;
    server.attribution = Some(Attribution::Theirs);
    server.error = Some(line.into());
    report.metadata.execution.servers = vec![server];
    assert_snapshot!(story(&report, &failed(ExitCode::Setup)), @r#"
    Hotel desk (hotels) · openai/gpt-x

    What was decided
      ? INCONCLUSIVE · 0 of 1 case variant passed · 1 inconclusive
        because a case graded nothing at all

    How much was measured
      1 of 1 configured trial executed · 0 gradeable · excluded: 1 trial (environment not prepared)
      0 tool calls in 1.23 s of wall time
      N/M   find-hotel  no gradeable trial · needs 100 % · 1 configured

    Where the chain broke
      Connection  not measured
      Discovery   not measured
      Selection   not measured
      Tool call   not measured
      Response    not measured
      User value  not measured
      Unit: trial. One row per link; a trial is in every row, so rows are never summed.
      In no row: 1 trial (environment not prepared: 1)
      ✗ Connection  first failed link of 1 trial · find-hotel

    The evidence
      ✗ server booking (http, bound by --url): connection failed
        the error points at the server's side
        "HTTP 401 Unauthorized: {"error":"invalid_token"}"
      N/M   find-hotel · Finds a hotel
        trial 1 of 1: setup failed · first failed link: Connection
          ✗ failed Connection ⇥ never ran Discovery, Selection, Tool call, Response, User value
          because   the configured server was reached and initialize failed there

    Who should look next
      setup           check the server connection and environment configuration · find-hotel

    Also
      upload    off: nothing was uploaded

    ? INCONCLUSIVE · exit 4: a server could not be set up, or a file could not be written · more:
      howfar explain connectFailed
    "#);
}

#[test]
fn a_provider_outage_blames_no_server() {
    let mut trial = unmeasured(IterationStatus::Failed, StageReason::ProviderError);
    trial.error = Some("HTTP 503 from the model provider".into());
    trial.refusal = Some(RefusalKind::Unavailable);
    let report = report(vec![case("find-hotel", "Finds a hotel", vec![trial])]);
    assert_snapshot!(story(&report, &failed(ExitCode::Incomplete)), @r#"
    Hotel desk (hotels) · openai/gpt-x

    What was decided
      ? INCONCLUSIVE · 0 of 1 case variant passed · 1 inconclusive
        because a case graded nothing at all

    How much was measured
      1 of 1 configured trial executed · 0 gradeable · excluded: 1 trial (execution broke)
      0 tool calls in 1.23 s of wall time
      N/M   find-hotel  no gradeable trial · needs 100 % · 1 configured
            first error: HTTP 503 from the model provider

    Where the chain broke
      Connection  not measured
      Discovery   not measured
      Selection   not measured
      Tool call   not measured
      Response    not measured
      User value  not measured
      Unit: trial. One row per link; a trial is in every row, so rows are never summed.
      In no row: 1 trial (execution broke: 1)

    The evidence
      N/M   find-hotel · Finds a hotel
        trial 1 of 1: execution failed · no link failed
          ? not measured Connection, Discovery, Selection, Tool call, Response
            – not applicable User value
          because   the model provider failed the call, so this stage was never measured
          provider  the provider is unavailable
          error     "HTTP 503 from the model provider"

    Who should look next
      model provider  nothing on the server is indicated; run again when the provider answers ·
                      find-hotel

    Also
      upload    off: nothing was uploaded

    ? INCONCLUSIVE · exit 5: not enough was measured to decide · more: howfar explain providerError
    "#);
}

#[test]
fn a_missed_floor_shows_its_rate() {
    let mut report = report(vec![case("find-hotel", "Finds a hotel", vec![held(), held()])]);
    let decision = report.metadata.decision.as_mut().expect("a decision was made");
    decision.reasons = vec![VerdictDecisionReason::CompletionRateBelowMinimum];
    decision.validity.completion_rate = Rate::of(2, 3, Counts::new());
    let text = story(&report, &WIDE);
    assert!(
        text.contains("  2 of 3 attempted trials completed (66.67 %) · needs 80 %\n"),
        "{text}"
    );
    let decision = report.metadata.decision.as_mut().expect("a decision was made");
    decision.reasons = vec![VerdictDecisionReason::CompletionRateNotMeasured];
    decision.validity.completion_rate = Rate::of(0, 0, Counts::new());
    let text = story(&report, &WIDE);
    assert!(
        text.contains("  completed: not measured, no trial was attempted · needs 80 %\n"),
        "{text}"
    );
}

#[test]
fn a_failed_setup_phase_names_its_trials() {
    let mut report = report(vec![case("find-hotel", "Finds a hotel", vec![held()])]);
    report.analytics.as_mut().expect("trials were planned").setup = vec![SetupTally {
        phase: Stage::Discovery,
        unique_attempts: 1,
        failed_attempts: 1,
        server_attributed_failures: 1,
        impacted_trials: 3,
        latency: None,
    }];
    let text = story(&report, &WIDE);
    assert!(
        text.contains("  Setup: Discovery failed, on the server's side · 3 trials affected\n"),
        "{text}"
    );
}

#[test]
fn an_interrupted_run_is_partial() {
    let mut report = report(vec![case("a", "First", vec![held()]), case("b", "Second", vec![])]);
    report.verdict = Verdict::NotEstablished;
    report.passed = false;
    report.metadata.termination = Termination::Aborted;
    report.metadata.complete = false;
    report.metadata.population.configured_iterations = 5;
    report.metadata.cases[0].configured_iterations = 2;
    report.metadata.cases[0].state = CaseState::Interrupted;
    report.metadata.cases[1].configured_iterations = 3;
    report.metadata.selection.skipped =
        vec![SkippedCase { case_id: "old".into(), reason: "disabled".into() }];
    assert_snapshot!(story(&report, &failed(ExitCode::Incomplete)), @r"
    Hotel desk (hotels) · openai/gpt-x

    What was decided
      □ NO VERDICT ESTABLISHED · 1 of 2 case variants passed · 1 not run
        because the run stopped before it finished, so its recorded counts describe a sample rather than
        the run
        partial decision over what was measured: inconclusive, because a case graded nothing at all

    How much was measured
      1 of 5 configured trials executed · 1 gradeable · excluded: 4 trials (never started)
      0 tool calls in 1.23 s of wall time
      PARTIAL  run interrupted by the user: the counts describe a sample, not the run
      PASS  a  1 of 1 gradeable trial passed · needs 100 % · interrupted · 2 configured
      SKIP  b  not run · needs 100 % · 3 configured
      SKIP  disabled in the file: old

    Where the chain broke
      Connection  ✓ · 1 passed
      Discovery   ✓ · 1 passed
      Selection   ✓ · 1 passed
      Tool call   ✓ · 1 passed
      Response    ✓ · 1 passed
      User value  ✓ · 1 passed
      Unit: trial. One row per link; a trial is in every row, so rows are never summed.

    The evidence
      no trial with evidence failed; what did not run is not evidence

    Who should look next
      nobody can be named: nothing that was measured is in a failure category

    Also
      upload    off: nothing was uploaded

    □ NO VERDICT ESTABLISHED · exit 5: not enough was measured to decide · more:
      howfar explain notEstablished
    ");
}

#[test]
fn a_zero_denominator_has_no_bar_and_no_percent() {
    let report = report(vec![case(
        "a",
        "First",
        vec![trial([
            (StageState::Passed, StageReason::Observed),
            (StageState::Passed, StageReason::Observed),
            (StageState::NotApplicable, StageReason::NotAuthored),
            (StageState::NotMeasured, StageReason::NoEvidenceCaptured),
            (StageState::NotMeasured, StageReason::NoEvidenceCaptured),
            (StageState::NotApplicable, StageReason::NotAuthored),
        ])],
    )]);
    assert_snapshot!(section(&story(&report, &WIDE), "Where the chain broke"), @r"
    Where the chain broke
      Connection  ✓            · 1 passed
      Discovery   ✓            · 1 passed
      Selection   not measured · 1 not applicable
      Tool call   not measured · 1 not known to be reached
      Response    not measured · 1 not known to be reached
      User value  not measured · 1 not applicable
      Unit: trial. One row per link; a trial is in every row, so rows are never summed.
    ");
}

#[test]
fn hostile_text_is_shown_as_text() {
    let mut trial = selection_failure();
    trial.tool_calls[0].error = Some("\u{1b}[2J\u{202e}gnp.exe\u{0}\r\nFAKE: ✓ PASSED".into());
    let report = report(vec![case("find-hotel", "Finds \u{2066}a hotel", vec![trial])]);
    let story = story(&report, &WIDE);
    assert!(story.chars().all(|character| character == '\n' || !character.is_control()));
    assert_snapshot!(section(&story, "The evidence"), @r#"
    The evidence
      FAIL  find-hotel · Finds \u{2066}a hotel
        trial 1 of 1: failed · first failed link: Selection
          ✓ passed Connection, Discovery ✗ failed Selection ⇥ never ran Tool call, Response, User value
          because   an expected tool call was never made
          missing   search_hotels {"city": "Porto", "nights": 2}
          extra     get_weather {"city": "Porto"}
          error of  get_weather "\u{1b}[2J\u{202e}gnp.exe\u{0}\r\nFAKE: ✓ PASSED"
          checks    1 required not measured · 1 advisory
          ? not measured responseContains (This case, User value): responseContains says so
    "#);
}

#[test]
fn sixty_columns_are_enough() {
    let report = report(vec![case("find-hotel", "Finds a hotel", vec![selection_failure()])]);
    assert_snapshot!(story(&report, &StoryOptions { width: 60, ..WIDE }), @r#"
    Hotel desk (hotels) · openai/gpt-x

    What was decided
      ✗ FAILED · 0 of 1 case variant passed · 1 failed
        because a case did not meet its pass threshold

    How much was measured
      1 of 1 configured trial executed · 1 gradeable
      1 tool call in 1.23 s of wall time
      FAIL  find-hotel  0 of 1 gradeable trial passed · needs
            100 % · 1 configured

    Where the chain broke
      Connection  ✓            · 1 passed
      Discovery   ✓            · 1 passed
      Selection   ✗            · 1 failed
      Tool call   not measured · 1 never reached
      Response    not measured · 1 never reached
      User value  not measured · 1 never reached
      Unit: trial. One row per link; a trial is in every row, so
      rows are never summed.
      ✗ Selection   first failed link of 1 trial · find-hotel

    The evidence
      FAIL  find-hotel · Finds a hotel
        trial 1 of 1: failed · first failed link: Selection
          ✓ passed Connection, Discovery ✗ failed Selection
            ⇥ never ran Tool call, Response, User value
          because   an expected tool call was never made
          missing   search_hotels {"city": "Porto", "nights": 2}
          extra     get_weather {"city": "Porto"}
          checks    1 required not measured · 1 advisory
          ? not measured responseContains (This case, User
                    value): responseContains says so

    Who should look next
      tool selection  review tool selection and the tool catalog
                      · find-hotel

    Advice (advisory checks decide nothing)
      toolDescriptionsPresent (This case, Discovery, 1 trial):
        book_room has no description
        asks Every tool of every server has a description of at
              least `minLength` characters (20 unless given).

    Also
      upload    off: nothing was uploaded

    ✗ FAILED · exit 0: completed and passed · more:
      howfar explain missingToolCall
    "#);
}

#[test]
fn ascii_needs_no_other_character() {
    let mut trial = selection_failure();
    trial.final_message = Some("Olá".into());
    let report = report(vec![case("find-hotel", "Olá", vec![trial])]);
    let story = story(&report, &StoryOptions { ascii: true, verbose: true, ..WIDE });
    assert!(story.is_ascii());
    assert_snapshot!(section(&story, "The evidence"), @r#"
    The evidence
      FAIL  find-hotel | Ol\u{e1}
        trial 1 of 1: failed | first failed link: Selection
          + passed Connection, Discovery x failed Selection > never ran Tool call, Response, User value
          because   an expected tool call was never made
          missing   search_hotels {"city": "Porto", "nights": 2}
          extra     get_weather {"city": "Porto"}
          called    get_weather {"city": "Porto"}
          checks    1 required not measured | 1 advisory
          ? not measured responseContains (This case, User value): responseContains says so
          answer    "Ol\u{e1}"
    "#);
}

#[test]
fn a_scripted_model_is_said_so_and_blocked_calls_are_told() {
    let mut trial = selection_failure();
    trial.policy_blocks = vec![PolicyBlock {
        case_id: "find-hotel".into(),
        iteration_number: 1,
        tool_name: "drop_all".into(),
        tool_call_id: None,
        reason: PolicyReason::DestructiveDefaultDeny,
        classification: SafetyClass::Destructive,
    }];
    let mut report = report(vec![case("find-hotel", "Finds a hotel", vec![trial])]);
    report.metadata.execution.scripted = true;
    let story = story(&report, &WIDE);
    assert!(story.contains("A script answered in place of a model"), "{story}");
    assert!(
        story.contains("blocked   drop_all by the tool policy: declares itself destructive"),
        "{story}"
    );
}

#[test]
fn a_long_run_stays_short() {
    let cases: Vec<_> = (0..300)
        .map(|index| case(&format!("case-{index}"), "Same", vec![selection_failure()]))
        .collect();
    let text = story(&report(cases.clone()), &WIDE);
    assert!(text.lines().count() < 200, "{}", text.lines().count());
    assert!(text.contains("… and 260 more cases; the JSON report lists them"));
    let verbose = story(&report(cases), &StoryOptions { verbose: true, ..WIDE });
    assert!(!verbose.contains("more case"));
}

#[test]
fn every_case_verdict_has_its_own_word() {
    let words = CaseVerdict::ALL.iter().map(|&verdict| measured::verdict_word(verdict).0);
    assert_eq!(words.collect::<Vec<_>>(), ["PASS", "FAIL", "N/M", "SKIP"]);
}

mod properties {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_line_is_wider_than_the_width(
            width in 60_usize..=100,
            title in "[ -~]{0,120}",
            error in "\\PC{0,400}",
            verbose: bool,
        ) {
            let mut trial = selection_failure();
            trial.error = Some(error);
            let report = report(vec![case("find-hotel", &title.replace(|c: char| c != ' ' && !c.is_alphabetic(), " "), vec![trial])]);
            let story = story(&report, &StoryOptions { width, verbose, ..WIDE });
            for line in story.lines() {
                prop_assert!(crate::text::columns(line) <= width, "{line:?}");
            }
        }

        #[test]
        fn no_control_character_reaches_the_output(text in any::<String>(), ascii: bool) {
            let mut trial = selection_failure();
            trial.error = Some(text.clone());
            trial.final_message = Some(text.clone());
            let mut report = report(vec![case(&text, &text, vec![trial])]);
            report.metadata.warnings = vec![text];
            let story = story(&report, &StoryOptions { ascii, verbose: true, ..WIDE });
            prop_assert!(story.chars().all(|c| c == '\n' || crate::sanitize(&c.to_string()) == c.to_string()));
        }
    }
}

#[test]
fn friction_stands_beside_its_benign_reading_and_counts_its_trials() {
    let input = json!({
        "version": 1, "state": "measured", "callCount": 2, "resultAvailableCount": 2, "timedCallCount": 2,
        "identifierSignals": { "state": "measured" },
        "signals": [{
            "kind": "identicalRetry", "toolName": "search_hotels", "callIndex": 1,
            "priorCallIndex": 0, "afterError": false,
        }],
    });
    let Ok(friction) = serde_json::from_value(input) else { panic!("a friction document") };
    let mut trial = held();
    trial.friction = Some(friction);
    let report = report(vec![case("find-hotel", "Finds a hotel", vec![trial])]);
    let friction = section(&story(&report, &WIDE), "Friction (report-only: decides nothing)");
    assert!(friction.contains("find-hotel (1 trial): search_hotels"), "{friction}");
    assert!(friction.contains("benign reading"), "{friction}");
}
