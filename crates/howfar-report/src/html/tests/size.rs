//! How large a page gets: 1,000 trials of two turns stay below 600 KB, whatever they say.

use super::*;

/// Twenty cases of fifty trials of two turns; every tenth trial breaks.
fn large(answer: &dyn Fn(usize) -> String) -> (RunReport, Kept) {
    let mut kept = Kept::default();
    let cases = (0..20).map(|number| {
        let id = format!("c_case_number_{number}");
        let trials = (0..50).map(|index| {
            let answer = answer(number * 50 + index);
            let position = u32::try_from(index + 1).expect("small");
            let text = evidence(&id, position, &two_turns(&answer), index as f64 / 7.0);
            kept.0.insert((id.clone(), position), text);
            let trial = match index % 10 {
                9 => broke(Stage::Call, StageReason::ArgumentMismatch, FailureCategory::Arguments),
                _ => held(),
            };
            TrialReport {
                duration_ms: 220.0 + index as f64 / 7.0,
                ..two_turn_trial(trial, &answer)
            }
        });
        case(&id, &format!("The case with the number {number}"), trials.collect())
    });
    (report(cases.collect()), kept)
}

#[test]
fn a_thousand_equal_trials_keep_a_row_and_a_strip_each() {
    let (report, mut kept) = large(&|_| "It costs 94 euros a night.".to_owned());
    let page = page(&report, &mut kept);
    assert!(page.len() <= 600_000, "{} bytes", page.len());
    assert_eq!(page.matches("<svg class=\"strip\"").count(), 1_000);
    assert_eq!(page.matches("<ol class=\"chain\">").count(), 40, "two stories of each case");
}

#[test]
fn a_thousand_different_answers_fit_and_what_is_left_out_is_said() {
    let (report, mut kept) =
        large(&|trial| format!("{trial}: {}", "It costs 94 euros. ".repeat(60)));
    let page = page(&report, &mut kept);
    assert!(page.len() <= 600_000, "{} bytes", page.len());
    assert!(page.contains("left out to keep this page small"));
    let broken = page.matches("class=\"story failed\"").count();
    assert_eq!(broken, 20, "what broke is described first");
}

#[test]
fn a_single_huge_message_does_not_make_a_huge_page() {
    let mut kept = Kept::default();
    let messages = [json!({"role": "user", "content": "x".repeat(2_000_000)})];
    kept.0.insert(("c".to_owned(), 1), evidence("c", 1, &messages, 0.0));
    let page = page(&report(vec![case("c", "Case", vec![held()])]), &mut kept);
    assert!(page.len() < 60_000, "{} bytes", page.len());
    assert!(page.contains("2000000 characters in all"));
}
