//! The HTML report in a real browser: opened from a file, in light and dark, narrow, wide and printed.

use std::path::PathBuf;

use howfar_testkit::browser::Browser;
use howfar_testkit::hostile::Mode;
use howfar_testkit::program::ProgramSpec;

use crate::html::bench as hostile_bench;
use crate::support::{Bench, howfar};

/// A script whose calls and answers are as hostile as the server.
pub(crate) const LOUD_SCRIPT: &str = "\
scripts:
  - turns:
      - call: { tool: \"<img src=x onerror=alert(2)>\", arguments: { \"</script>\": \"<script>alert(3)</script>\" } }
      - call: { tool: echo, arguments: { text: \"\\u202ehello </details></style><script>alert(4)</script>\" } }
      - say: \"<script>alert(5)</script> done\"
";

/// The page of a run, in a folder that lives as long as its bench.
fn page(bench: &Bench) -> PathBuf {
    let output = bench.run(&["--reporter", "html", "--out", "report.html"]);
    assert!(bench.home.work().join("report.html").is_file(), "{}", output.stderr);
    bench.home.work().join("report.html")
}

/// A server whose tools, descriptions and results are full of markup and control characters.
fn loud() -> Bench {
    hostile_bench(Mode::Ansi).script(LOUD_SCRIPT)
}

/// The demo's suite against the demo's server: every link but the first two breaks once.
pub(crate) fn demo() -> Bench {
    let server = ProgramSpec::new(howfar()).arg("demo-server");
    let bench = Bench::new(&[("shop", server)], "scripted/shop", "");
    let written = bench.home.invoke(howfar()).args(["demo", "--write", "demo"]).run();
    assert_eq!(written.code, Some(0), "{}", written.stderr);
    for name in ["suite.yaml", "script.yaml"] {
        let text = bench.home.read(&format!("demo/shop.{name}"));
        bench.home.write(if name == "suite.yaml" { name } else { "shop.script.yaml" }, &text);
    }
    bench
}

#[test]
fn nothing_is_requested_and_the_console_stays_empty() {
    let Some(browser) = Browser::start() else { return };
    let bench = loud();
    let path = page(&bench);
    browser.open_file(&path, "");
    assert_eq!(browser.console(), Vec::<String>::new());
    let foreign: Vec<_> =
        browser.requests().into_iter().filter(|url| !url.starts_with("file://")).collect();
    assert_eq!(foreign, Vec::<String>::new());
}

#[test]
fn what_a_hostile_server_and_model_wrote_is_inert() {
    let Some(browser) = Browser::start() else { return };
    let bench = loud();
    browser.open_file(&page(&bench), "");
    let counts = browser.run(
        "return [document.scripts.length, document.images.length, document.querySelectorAll('style').length,
                 document.querySelectorAll('[onerror],[onclick],iframe,object,embed,base,form').length]",
    );
    assert_eq!(counts, serde_json::json!([0, 0, 1, 0]));
    let shown = browser.run(
        "document.querySelectorAll('details').forEach(details => details.open = true);
         return document.body.innerText",
    );
    let shown = shown.as_str().expect("a page has text");
    assert!(shown.contains("<script>alert(5)</script>") && shown.contains("\\u{202e}"), "{shown}");
    assert!(!shown.contains(['\u{202e}', '\u{1b}']), "{shown}");
}

#[test]
fn axe_finds_nothing_serious_in_light_and_dark() {
    let Some(browser) = Browser::start() else { return };
    for bench in [demo(), loud()] {
        browser.open_file(&page(&bench), "");
        browser.run("document.querySelectorAll('details').forEach(details => details.open = true)");
        for scheme in ["light", "dark"] {
            browser.media(scheme, "screen");
            let Some(findings) = browser.serious_findings() else { return };
            assert_eq!(findings, Vec::<String>::new(), "{scheme}");
        }
    }
}

#[test]
fn no_page_is_wider_than_its_window() {
    let Some(browser) = Browser::start() else { return };
    for bench in [demo(), loud()] {
        browser.open_file(&page(&bench), "");
        browser.run("document.querySelectorAll('details').forEach(details => details.open = true)");
        for width in [360, 400, 800, 1280] {
            browser.size(width, 900);
            let wide = browser.run("return document.documentElement.scrollWidth");
            assert_eq!(wide, serde_json::json!(width));
        }
    }
}

#[test]
fn an_address_of_a_trial_opens_it_in_place() {
    let Some(browser) = Browser::start() else { return };
    let bench = demo();
    browser.open_file(&page(&bench), "#case-c_delivery_day-trial-2");
    let seen = "const target = document.querySelector(':target');
                return target !== null && target.checkVisibility()";
    assert_eq!(browser.run(seen), serde_json::json!(true));
    let open = browser.run("return document.querySelectorAll('details.case[open]').length");
    assert_eq!(open, serde_json::json!(5), "four failed cases, and the one that was asked for");
}

#[test]
fn what_is_folded_on_the_screen_is_printed() {
    let Some(browser) = Browser::start() else { return };
    let bench = demo();
    browser.open_file(&page(&bench), "");
    let cards = "return [...document.querySelectorAll('.card .body')].filter(card => card.checkVisibility()).length";
    let on_screen = browser.run(cards);
    browser.media("light", "print");
    let printed = browser.run(cards);
    assert_eq!((on_screen, printed), (serde_json::json!(1), serde_json::json!(30)));
}

#[test]
fn of_trials_that_did_the_same_the_first_one_is_printed_with_its_messages() {
    let Some(browser) = Browser::start() else { return };
    let bench = demo();
    browser.open_file(&page(&bench), "");
    browser.media("light", "print");
    let printed = browser.run(
        "return [...document.querySelectorAll('.story')].map(story =>
           [...story.querySelectorAll('.messages')].filter(list => list.checkVisibility()).length)",
    );
    assert_eq!(printed, serde_json::json!([1, 1, 1, 1, 1]));
    let handles =
        browser.run("return getComputedStyle(document.querySelector('summary')).listStyleType");
    assert_eq!(handles, serde_json::json!("none"));
}

#[test]
fn paper_is_white_on_a_dark_screen_too() {
    let Some(browser) = Browser::start() else { return };
    let bench = demo();
    browser.open_file(&page(&bench), "");
    let colours = "const style = getComputedStyle(document.body); return [style.backgroundColor, style.color]";
    browser.media("dark", "print");
    assert_eq!(browser.run(colours), serde_json::json!(["rgb(255, 255, 255)", "rgb(28, 29, 31)"]));
}
