//! The pages of the dashboard, without a socket and without a browser.

use std::net::SocketAddr;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use howfar_server::read::Source;
use howfar_server::web::{Access, App, router};
use howfar_testkit::headings::skipped_levels;
use howfar_testkit::links::dead_links;
use howfar_testkit::samples::{Sample, case_id, setup};
use howfar_wire::chain::StageEvidence;
use tower::ServiceExt as _;

use crate::Stored;

/// The status and the text of the answer to a `GET`.
async fn get(stored: &Stored, path: &str) -> (StatusCode, String) {
    let address = SocketAddr::from(([127, 0, 0, 1], 7357));
    let access = Access::new(address, None).expect("loopback needs no token");
    let app = App::new(Source::new(stored.path.clone()), jiff::tz::TimeZone::UTC, access);
    let request = Request::get(path).header("host", "127.0.0.1:7357").body(Body::empty());
    let request = request.expect("a request");
    let answer = router(app).oneshot(request).await.expect("a router answers");
    let status = answer.status();
    let body = axum::body::to_bytes(answer.into_body(), usize::MAX).await.expect("a whole body");
    (status, String::from_utf8(body.to_vec()).expect("a page is UTF-8"))
}

/// The text of a page that is there.
async fn page(stored: &Stored, path: &str) -> String {
    let (status, text) = get(stored, path).await;
    assert_eq!(status, StatusCode::OK, "{path}: {text}");
    text
}

fn run(trials: u32) -> (Stored, String) {
    let (stored, id) = Stored::run(trials);
    (stored, format!("/runs/{id}"))
}

#[tokio::test]
async fn an_empty_store_says_what_fills_it() {
    let stored = Stored::with(&[]);
    let text = page(&stored, "/").await;
    assert!(text.contains("howfar run SUITE") && text.contains("howfar demo"), "{text}");
    assert!(page(&stored, "/runs").await.contains("howfar run SUITE"));
}

#[tokio::test]
async fn a_suite_is_shown_with_its_last_verdict_and_its_series() {
    let samples: Vec<_> = (0..3).map(|number| (Sample { number, trials: 1 }, 1)).collect();
    let stored = Stored::with(&samples);
    let text = page(&stored, "/").await;
    assert!(text.contains("href=\"/suites/s_sample\"") && text.contains("3 runs stored"), "{text}");
    assert_eq!(text.matches("class=\"v-passed\"").count(), 3, "{text}");
    let text = page(&stored, "/suites/s_sample").await;
    assert_eq!(
        text.matches("<circle class=\"dot\"").count(),
        3 * 3,
        "three links are measured: {text}"
    );
}

#[tokio::test]
async fn runs_of_different_cases_are_not_joined_and_the_blocker_is_named() {
    let stored = Stored::with(&[
        (Sample { number: 0, trials: 20 }, 20),
        (Sample { number: 1, trials: 120 }, 120),
    ]);
    let text = page(&stored, "/suites/s_sample").await;
    assert!(text.contains("the runs ran different cases"), "{text}");
    assert_eq!(text.matches("<path class=\"line\"").count(), 0, "{text}");
}

/// Where the pager of a page leads: `next` or `prev`.
fn way(text: &str, relation: &str) -> String {
    let link = text.split(&format!("rel=\"{relation}\" href=\"")).nth(1);
    let address = link.and_then(|rest| rest.split('"').next()).expect("a way there");
    address.replace("&#38;", "&")
}

#[tokio::test]
async fn runs_are_filtered_and_paged() {
    let samples: Vec<_> = (0..60).map(|number| (Sample { number, trials: 1 }, 1)).collect();
    let stored = Stored::with(&samples);
    let text = page(&stored, "/runs?suite=s_sample&verdict=passed").await;
    assert!(text.contains("runs 1 to 50 of 60"), "{text}");
    let last = page(&stored, &way(&text, "next")).await;
    assert!(last.contains("runs 51 to 60 of 60"), "{last}");
    let back = page(&stored, &way(&last, "prev")).await;
    assert!(back.contains("runs 1 to 50 of 60"), "{back}");
    assert!(page(&stored, "/runs?verdict=failed").await.contains("No stored run is like that"));
}

#[tokio::test]
async fn a_run_is_told_in_the_order_of_every_page() {
    let (stored, run) = run(20);
    let text = page(&stored, &run).await;
    let order = [
        "verdict v-failed",
        "How much was measured",
        "Where the chain broke",
        "The evidence",
        "Who should look next",
    ];
    let places: Vec<_> = order.iter().map(|words| text.find(words)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}: {text}");
    assert!(text.contains(&format!("{run}/trials?stage=selection&#38;state=failed")), "{text}");
}

#[tokio::test]
async fn a_cut_off_run_says_how_it_goes_on() {
    let sample = Sample { number: 0, trials: 20 };
    let stored = Stored::with(&[(sample, 7)]);
    let text = page(&stored, &format!("/runs/{}", sample.run_id())).await;
    assert!(text.contains("no verdict established") && text.contains("7 of 20 trials finished"));
    assert!(text.contains(&format!("howfar run --resume {}", sample.run_id())), "{text}");
}

#[tokio::test]
async fn a_lane_of_the_funnel_leads_to_its_trials() {
    let (stored, run) = run(20);
    let text = page(&stored, &format!("{run}/trials?stage=selection&state=failed")).await;
    assert!(text.contains("<h1>Trials <small>2 trials</small>"), "{text}");
    let (status, text) = get(&stored, &format!("{run}/trials?stage=middle&state=failed")).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(text.contains("is none of stages"), "{text}");
}

#[tokio::test]
async fn a_case_leads_to_its_trials_and_a_trial_shows_its_chain() {
    let (stored, run) = run(20);
    let case = format!("{run}/cases/{}", case_id(0));
    let text = page(&stored, &case).await;
    assert!(text.contains(&format!("{case}/trials/20")) && text.contains("Wilson, n = 20"));
    let text = page(&stored, &format!("{case}/trials/10")).await;
    assert_eq!(text.matches("<li class=\"card ").count(), 6, "{text}");
    assert_eq!(text.matches("<details open>").count(), 1, "only the first failed card: {text}");
    assert!(text.contains("Missing <b>1</b>") && text.contains("Where is order 10?"), "{text}");
}

#[tokio::test]
async fn each_absence_has_its_own_answer() {
    let (stored, run) = run(1);
    for (path, words) in [
        ("/runs/r_none".to_owned(), "no stored run answers to"),
        (format!("{run}/cases/c_none"), "has no case"),
        (format!("{run}/cases/{}/trials/9", case_id(0)), "holds no trial 9"),
        ("/suites/none".to_owned(), "no run of a suite"),
        ("/nowhere".to_owned(), "there is nothing here"),
    ] {
        let (status, text) = get(&stored, &path).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
        assert!(text.contains(words) && text.contains("<main"), "{path}: {text}");
    }
}

#[tokio::test]
async fn an_address_that_cannot_be_read_is_answered_by_a_page() {
    let (stored, run) = run(1);
    for path in [
        "/runs?suite=a&suite=b".to_owned(),
        "/runs?verdcit=failed".to_owned(),
        "/?cursor=none".to_owned(),
        format!("{run}/trials?kind=failed"),
        format!("{run}/cases/{}/trials/first", case_id(0)),
        "/runs/%FF".to_owned(),
    ] {
        let (status, text) = get(&stored, &path).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{path}: {text}");
        assert!(text.contains("<h1>A parameter is invalid</h1>"), "{path}: {text}");
    }
}

#[tokio::test]
async fn ids_with_odd_characters_are_looked_for_and_shown_as_text() {
    let (stored, run) = run(1);
    for odd in ["..%2F..%2Fetc%2Fpasswd", "%3Cscript%3E", "a%00b", "%E2%80%AE", "'%20OR%201=1"] {
        let odd_pages =
            [format!("/runs/{odd}"), format!("{run}/cases/{odd}"), format!("/suites/{odd}")];
        for path in odd_pages {
            let (status, text) = get(&stored, &path).await;
            assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
            assert!(!text.contains(['\0', '\u{202e}']) && !text.contains("<script>"), "{path}");
        }
    }
}

#[tokio::test]
async fn headings_leave_no_level_out() {
    let (stored, run) = run(20);
    let case = format!("{run}/cases/{}", case_id(0));
    for path in
        ["/", "/runs", "/glossary", "/suites/s_sample", &run, &case, &format!("{case}/trials/10")]
    {
        assert_eq!(skipped_levels(&page(&stored, path).await), Vec::<String>::new(), "{path}");
    }
}

#[tokio::test]
async fn a_page_holds_no_style_and_no_script_of_its_own() {
    let (stored, run) = run(20);
    let case = format!("{run}/cases/{}", case_id(0));
    for path in
        ["/", "/runs", "/glossary", "/suites/s_sample", &run, &case, &format!("{case}/trials/10")]
    {
        let text = page(&stored, path).await;
        assert_eq!(text.matches("<script").count(), 1, "{path}");
        for forbidden in ["<style", " style=", " onclick=", "javascript:", "http://", "https://"] {
            assert!(!text.contains(forbidden), "{path}: {forbidden}");
        }
    }
}

#[tokio::test]
async fn a_case_of_many_trials_shows_a_page_of_them() {
    let (stored, run) = run(60);
    let text = page(&stored, &format!("{run}/cases/{}", case_id(0))).await;
    assert!(text.contains("trials 1 to 50 of 60"), "{text}");
    let last = page(&stored, &way(&text, "next")).await;
    assert!(last.contains("trials 51 to 60 of 60"), "{last}");
}

#[tokio::test]
async fn comparable_runs_are_compared_with_their_interval() {
    let runs = [0, 1].map(|number| Sample { number, trials: 20 });
    let stored = Stored::with(&runs.map(|run| (run, 20)));
    let path = format!("/compare?run={}", runs[1].run_id());
    let text = page(&stored, &path).await;
    assert!(text.contains("did not fall by more than chance explains"), "{text}");
    assert!(text.contains("95 % interval") && text.contains("still failing"), "{text}");
    assert!(!text.contains("not compared"), "{text}");
}

#[tokio::test]
async fn the_cases_of_a_comparison_are_paged() {
    let runs = [0, 1].map(|number| Sample { number, trials: 120 });
    let stored = Stored::with(&runs.map(|run| (run, run.trials)));
    let path = format!("/compare?run={}&from=2", runs[1].run_id());
    let text = page(&stored, &path).await;
    assert!(text.contains("cases 2 to 2 of 2"), "{text}");
    assert_eq!(text.matches("<details class=\"case\"").count(), 1, "{text}");
    let back = page(&stored, &way(&text, "prev")).await;
    assert_eq!(back.matches("<details class=\"case\"").count(), 2, "{back}");
}

#[tokio::test]
async fn runs_that_may_not_be_compared_are_refused_by_the_name_of_the_blocker() {
    let runs = [Sample { number: 0, trials: 20 }, Sample { number: 1, trials: 120 }];
    let stored = Stored::with(&runs.map(|run| (run, run.trials)));
    let path = format!("/compare?run={}&base={}", runs[1].run_id(), runs[0].run_id());
    let text = page(&stored, &path).await;
    assert!(text.contains("not compared") && text.contains("the runs ran different cases"));
    assert!(text.contains("no trend is shown") && text.contains("What can still be said"));
    assert!(!text.contains("class=\"interval\""), "{text}");
}

#[tokio::test]
async fn a_run_without_a_base_says_so() {
    let (stored, run) = run(5);
    let text = page(&stored, &run.replace("/runs/", "/compare?run=")).await;
    assert!(text.contains("no complete run of its suite began before it"), "{text}");
    assert!(page(&stored, "/compare").await.contains("<datalist id=\"runs\"><option"));
}

#[tokio::test]
async fn links_within_a_page_lead_somewhere() {
    let sample = Sample { number: 0, trials: 1 };
    let stored = Stored::with(&[]);
    let evidence = sample.evidence((0, 1));
    let recorder = howfar_store::Recorder::open(&stored.path).expect("a new store");
    let begun = recorder.begin(&sample.record(), &setup(), "sample.suite.yaml");
    let mut row = howfar_core::run::report::derive_trial(&evidence).row;
    let cited = Some(vec!["run-connect-shop".to_owned()]);
    row.stage_results[0].evidence =
        Some(StageEvidence { span_ids: cited, ..StageEvidence::default() });
    begun.and_then(|()| recorder.trial(&evidence, &row, 10.0)).expect("a store takes a trial");
    let run = format!("/runs/{}", sample.run_id());
    let case = format!("{run}/cases/{}", case_id(0));
    let trial = format!("{case}/trials/1");
    assert!(page(&stored, &trial).await.contains("span run-connect-shop"));
    for path in ["/", "/runs", "/suites/s_sample", "/glossary", &run, &case, &trial] {
        assert_eq!(dead_links(&page(&stored, path).await), Vec::<String>::new(), "{path}");
    }
}
