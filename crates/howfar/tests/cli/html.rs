//! `howfar run --reporter html`: one page, with the evidence of every trial.

use howfar_testkit::hostile::{self, Mode};

use crate::support::{Bench, howfar};

/// A case whose only call fails its arguments.
pub(crate) const CASES: &str = "\
  - id: c_echo
    title: Echo
    iterations: 2
    steps:
      - { id: p, kind: prompt, prompt: say hello }
      - { id: r, kind: assert, assertion: { type: toolCalledWith, toolName: echo, args: { args: { text: goodbye } } } }
    assertions: [ { type: responseContains, needle: done } ]
";

/// A script that calls the tool `echo` once.
pub(crate) const SCRIPT: &str = "\
scripts:
  - turns:
      - call: { tool: echo, arguments: { text: hello <b>you</b> } }
      - say: done
";

/// A bench around one hostile server.
pub(crate) fn bench(mode: Mode) -> Bench {
    Bench::new(&[("server", hostile::command(mode))], "scripted/script", CASES).script(SCRIPT)
}

#[test]
fn the_page_goes_to_stdout_with_messages_and_time_line() {
    let output = bench(Mode::Ok).run(&["--reporter", "html"]);
    assert_eq!(output.code, Some(1), "{}", output.stderr);
    let page = output.stdout;
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"), "{page}");
    assert!(page.contains("say hello") && page.contains("class=\"timeline\""), "{page}");
    assert!(page.contains("differs at <code>text</code>") && page.contains("hello &#60;b&#62;you"));
}

#[test]
fn the_page_goes_to_a_file_whole() {
    let bench = bench(Mode::Ok);
    let output = bench.run(&["--reporter", "html", "--out", "report.html"]);
    assert_eq!(output.code, Some(1), "{}", output.stderr);
    assert_eq!(bench.home.read("report.html"), output.stdout);
}

#[test]
fn a_stored_run_gives_the_same_page() {
    let bench = bench(Mode::Ok);
    let page = bench.run(&["--reporter", "html"]).stdout;
    let exported = bench.home.invoke(howfar()).args(["export", "latest", "--format", "html"]).run();
    assert_eq!(exported.code, Some(0), "{}", exported.stderr);
    assert_eq!(exported.stdout, page);
}
