//! The dashboard in a real browser: every page of a store with runs of every kind, in light and dark, narrow and wide.

use howfar_core::run::report::derive_trial;
use howfar_store::Recorder;
use howfar_testkit::browser::Browser;
use howfar_testkit::samples::{Sample, setup};
use serde_json::{Value, json};

use crate::dashboard::{Dashboard, text};

/// Opens everything that is folded.
const UNFOLD: &str = "document.querySelectorAll('details').forEach(details => details.open = true)";

/// Where pictures of the pages go; nowhere without it.
const PICTURES: &str = "HOWFAR_PICTURES";

#[test]
fn every_page_is_quiet_and_asks_no_other_host() {
    let Some(browser) = Browser::start() else { return };
    let dashboard = Dashboard::over_every_kind();
    for page in dashboard.pages() {
        browser.open(&dashboard.url(&page));
        assert_eq!(browser.console(), Vec::<String>::new(), "{page}");
        let own = dashboard.origin();
        let foreign: Vec<_> =
            browser.requests().into_iter().filter(|url| !url.starts_with(&own)).collect();
        assert_eq!(foreign, Vec::<String>::new(), "{page}");
    }
}

#[test]
fn axe_finds_nothing_serious_on_any_page_in_light_and_dark() {
    let Some(browser) = Browser::start() else { return };
    let dashboard = Dashboard::over_every_kind();
    for page in dashboard.pages() {
        browser.open(&dashboard.url(&page));
        browser.run(UNFOLD);
        for scheme in ["light", "dark"] {
            browser.media(scheme, "screen");
            let Some(findings) = browser.serious_findings() else { return };
            assert_eq!(findings, Vec::<String>::new(), "{page} in {scheme}");
        }
    }
}

#[test]
fn no_page_is_wider_than_its_window() {
    let Some(browser) = Browser::start() else { return };
    let dashboard = Dashboard::over_every_kind();
    for (number, page) in dashboard.pages().into_iter().enumerate() {
        browser.open(&dashboard.url(&page));
        browser.run(UNFOLD);
        for width in [360, 768, 1280] {
            browser.size(width, 900);
            let wide = browser.run("return document.documentElement.scrollWidth");
            assert_eq!(wide, json!(width), "{page}");
        }
        if let Some(folder) = std::env::var_os(PICTURES) {
            browser.picture(&std::path::Path::new(&folder).join(format!("page-{number:02}.png")));
        }
    }
}

#[test]
fn what_a_hostile_server_and_model_wrote_is_inert() {
    let Some(browser) = Browser::start() else { return };
    let dashboard = Dashboard::over_every_kind();
    let runs = dashboard.runs();
    let loud =
        runs.iter().find(|run| text(run, "suiteId") == "s_test" && run["verdict"] == "failed");
    let id = text(loud.expect("the hostile server's run"), "runId");
    browser.open(&dashboard.url(&format!("/runs/{id}/cases/c_echo/trials/1")));
    browser.run(UNFOLD);
    let counts = browser.run(
        "return [document.scripts.length, document.images.length, document.querySelectorAll('style').length,
                 document.querySelectorAll('[onerror],[onclick],iframe,object,embed,base').length]",
    );
    assert_eq!(counts, json!([1, 0, 0, 0]));
    let shown = browser.run("return document.body.innerText");
    let shown = shown.as_str().expect("a page has text");
    assert!(shown.contains("<script>alert(5)</script>") && shown.contains("\\u{202e}"), "{shown}");
    assert!(!shown.contains(['\u{202e}', '\u{1b}']), "{shown}");
}

#[test]
fn keys_move_from_row_to_row_and_open_one() {
    let Some(browser) = Browser::start() else { return };
    let dashboard = Dashboard::over_every_kind();
    browser.open(&dashboard.url("/runs"));
    let press = |key: &str| {
        browser.run(&format!(
            "document.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true }}))"
        ));
        browser.run("return document.activeElement.textContent")
    };
    let runs = dashboard.runs();
    let id = |at: usize| Value::from(text(&runs[at], "runId"));
    assert_eq!([press("j"), press("j"), press("k")], [id(0), id(1), id(0)]);
}

#[test]
fn a_running_run_is_followed_until_it_ended() {
    let Some(browser) = Browser::start() else { return };
    let sample = Sample { number: 3, trials: 4 };
    let dashboard = Dashboard::over(|store| {
        Sample { number: 1, trials: 1 }.save(store, 1).expect("a new store takes a run");
    });
    let recorder = Recorder::open(dashboard.store()).expect("the store opens");
    recorder.begin(&sample.record(), &setup(), "sample.suite.yaml").expect("a run begins");
    browser.open(&dashboard.url(&format!("/runs/{}", sample.run_id())));
    for place in sample.places() {
        let evidence = sample.evidence(place);
        recorder.trial(&evidence, &derive_trial(&evidence).row, 10.0).expect("it is recorded");
    }
    wait_for(
        &browser,
        "document.querySelector('[data-live-count]')?.textContent.startsWith('4 of 4 trials')",
    );
    recorder.finish(&sample.report()).expect("the run ends");
    wait_for(&browser, "document.querySelector('.banner.v-passed') !== null");
}

/// Waits on the page until an expression holds there.
fn wait_for(browser: &Browser, condition: &str) {
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    let seen = format!(
        "const holds = () => Boolean({condition});
         return new Promise(done => {{
           const look = (left) => holds() || left === 0 ? done(holds()) : setTimeout(look, 50, left - 1);
           look(20);
         }})"
    );
    while browser.run(&seen) != json!(true) {
        assert!(std::time::Instant::now() < deadline, "it never came to hold: {condition}");
    }
}
