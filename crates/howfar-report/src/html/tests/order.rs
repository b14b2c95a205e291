//! What stands on a page, and in which order.

use super::*;

fn broken_call() -> TrialReport {
    broke(Stage::Call, StageReason::ArgumentMismatch, FailureCategory::Arguments)
}

#[test]
fn a_page_answers_in_the_order_of_every_page() {
    let page = page(&report(vec![case("c", "Case", vec![held(), broken_call()])]), &mut NoEvidence);
    let order = [
        "Where it stopped first",
        "How much was measured",
        "Where the chain broke",
        "Cases by link",
        "The evidence",
        "Who should look next",
        "How the run was made",
    ];
    let places: Vec<_> = order.iter().map(|words| page.find(words)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}");
}

#[test]
fn trials_that_did_the_same_share_one_description() {
    let trials = vec![held(), broken_call(), held(), held()];
    let page = page(&report(vec![case("c", "Case", trials)]), &mut NoEvidence);
    assert!(page.contains("<b>trials 1, 3 and 4</b>") && page.contains("<b>trial 2</b>"), "{page}");
    assert_eq!(page.matches("<ol class=\"chain\">").count(), 2);
    for anchor in
        ["case-c", "case-c-trial-1", "case-c-trial-2", "case-c-trial-4", "case-c-trial-2-call"]
    {
        assert_eq!(page.matches(&format!("id=\"{anchor}\"")).count(), 1, "{anchor}");
    }
}

#[test]
fn every_link_leads_to_a_place_on_the_page() {
    let trials = vec![
        held(),
        broken_call(),
        unmeasured(IterationStatus::TimedOut, StageReason::LifecycleStopped),
    ];
    let page = page(&report(vec![case("c", "Case", trials)]), &mut NoEvidence);
    for target in page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(page.contains(&format!("id=\"{target}\"")), "{target}");
    }
    assert!(!page.contains("href=\"h") && !page.contains("<script"));
}

#[test]
fn messages_of_an_earlier_trial_are_not_repeated() {
    let same = two_turns("94 euros a night.");
    let mut kept = Kept::default();
    for number in 1..=3 {
        let answer = if number == 2 { two_turns("I do not know.") } else { same.clone() };
        let text = evidence("c", number, &answer, f64::from(number));
        kept.0.insert(("c".to_owned(), number), text);
    }
    let page = page(&report(vec![case("c", "Case", vec![held(), held(), held()])]), &mut kept);
    assert_eq!(page.matches("94 euros a night.").count(), 1);
    assert!(page.contains("I do not know."), "another answer stands at its trial");
    assert!(page.contains("Messages as in <a href=\"#case-c-trial-1\">trial 1</a>"), "{page}");
    assert_eq!(page.matches("class=\"timeline\"").count(), 3);
}

#[test]
fn an_empty_run_says_what_would_fill_the_page() {
    let mut empty = report(Vec::new());
    empty.analytics = None;
    let page = page(&empty, &mut NoEvidence);
    assert!(
        page.contains("no trial was planned") && page.contains("No case was selected"),
        "{page}"
    );
}
