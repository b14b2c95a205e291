//! A server whose names, descriptions, results and errors are hostile text is inert wherever its text is shown.
//!
//! Each row of a table is one surface: what it shows, and what it is read by. Hostile text has to arrive there, so that a
//! surface that shows nothing does not pass by accident.

use howfar_testkit::home::Home;
use howfar_testkit::hostile::{self, LOUD, Mode};

use crate::support::{Bench, howfar};

/// Who reads a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reader {
    /// A terminal, or the log of a CI job.
    Terminal,
    /// A person who opens a file.
    Editor,
    /// An XML reader.
    Xml,
    /// A browser.
    Browser,
    /// A renderer of Markdown.
    Markdown,
    /// The log of a job that reads annotations.
    JobLog,
}

/// One surface with what it shows.
type Surface = (&'static str, Reader, String);

/// A model that calls a tool that fails and repeats what it said, before checks that do not hold.
fn bench(mode: Mode) -> Bench {
    let tool = serde_json::json!(format!("echo {LOUD}"));
    let cases = format!(
        "  - id: c_loud\n    title: Loud\n    steps:\n      - {{ id: p, kind: prompt, prompt: go }}\n      \
         - {{ id: r, kind: assert, assertion: {{ type: toolCalledWith, toolName: {tool}, args: {{ args: {{}} }} }} }}\n    \
         assertions: [ {{ type: responseContains, needle: never }}, {{ type: noToolErrors }} ]\n"
    );
    let script = "scripts:\n  - turns:\n      - call: { tool: add, arguments: { a: 1, b: 2 } }\n      - say: \"${results.add.text}\"\n";
    Bench::new(&[("server", hostile::command(mode))], "scripted/script", &cases).script(script)
}

/// What a run of a server leaves on every surface. The run is a step of a CI job.
fn surfaces(mode: Mode) -> Vec<Surface> {
    let bench = bench(mode);
    let summary = bench.home.work().join("summary.md").display().to_string();
    let run = |args: &[&str]| {
        let step =
            bench.home.invoke(howfar()).args(["run", "suite.yaml"]).args(args.iter().copied());
        step.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", &summary).run()
    };
    let told = |args: &[&str]| {
        let output = bench.home.invoke(howfar()).args(args.iter().copied()).run();
        format!("{}{}", output.stdout, output.stderr)
    };
    let suite = bench.home.read("suite.yaml").replace("\"echo ", "\"no ");
    bench.home.write("unknown.yaml", &suite);
    let story = run(&["--format", "human"]);
    let junit = run(&["--reporter", "junit-xml"]);
    vec![
        ("run", Reader::Terminal, story.stdout),
        ("run, annotations", Reader::JobLog, story.stderr),
        ("run, story beside a document", Reader::JobLog, junit.stderr),
        ("junit", Reader::Xml, junit.stdout),
        ("the job's summary", Reader::Markdown, bench.home.read("summary.md")),
        ("show", Reader::Terminal, told(&["show", "--format", "human", "--verbose"])),
        ("export markdown", Reader::Markdown, told(&["export", "--as", "markdown"])),
        ("export html", Reader::Browser, told(&["export", "--as", "html"])),
        (
            "check",
            Reader::Terminal,
            told(&["check", "unknown.yaml", "--against", ".mcp.json", "--format", "human"]),
        ),
        ("trace", Reader::Terminal, told(&["trace", "latest", "c_loud", "1", "--format", "human"])),
        ("list", Reader::Terminal, told(&["list", "--format", "human"])),
    ]
}

#[test]
fn names_results_and_errors_are_inert_on_every_surface() {
    for surface in surfaces(Mode::Ansi) {
        assert_inert(
            &surface,
            &["list", "run, annotations", "the job's summary", "export markdown"],
        );
    }
}

#[test]
fn an_error_of_the_setup_is_inert_on_every_surface() {
    for surface in surfaces(Mode::LoudErr) {
        assert_inert(&surface, &["list"]);
    }
}

#[test]
fn what_init_says_and_writes_is_inert_and_loads() {
    let home = Home::new();
    let spec = hostile::command(Mode::Ansi);
    let command = format!("'{}' ansi", spec.program.display());
    let output = home
        .invoke(howfar())
        .args(["init", "--server", "it", "--command", &command, "--format", "human"])
        .run();
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let check = home.invoke(howfar()).args(["check", "it.suite.yaml", "--format", "human"]).run();
    assert_eq!(check.code, Some(0), "{}", check.stdout);
    for (name, reader, text) in [
        ("init", Reader::Terminal, output.stdout),
        ("the suite", Reader::Editor, home.read("it.suite.yaml")),
        ("the script", Reader::Editor, home.read("it.script.yaml")),
    ] {
        assert_inert(&(name, reader, text), &[]);
    }
}

/// Says which surface is not inert, and shows it.
fn assert_inert((name, reader, text): &Surface, silent: &[&str]) {
    let arrives = text.contains("dlrow");
    assert_eq!(arrives, !silent.contains(name), "{name}: hostile text arrives: {arrives}\n{text}");
    let seen = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!text.contains(seen), "{name}: {:?}", text.chars().find(|c| seen(*c)));
    assert!(reader == &Reader::Editor || !text.contains("##["), "{name}: a command\n{text}");
    let commands: Vec<&str> =
        text.lines().filter(|line| line.trim_start().starts_with("::")).collect();
    let markup = ["<script", "<b>bold", "<img"];
    match reader {
        Reader::Editor => {}
        Reader::Terminal => assert!(commands.is_empty(), "{name}: {commands:?}"),
        Reader::JobLog => {
            let ours = |line: &&str| {
                line.starts_with("::error title=c_loud%3A Loud::")
                    || line.starts_with("::notice title=c_loud%3A Loud::")
            };
            assert!(commands.iter().all(ours), "{name}: {commands:?}");
        }
        Reader::Xml | Reader::Browser => {
            assert!(commands.is_empty(), "{name}: {commands:?}");
            assert!(!markup.iter().any(|tag| text.contains(tag)), "{name}: markup\n{text}");
        }
        Reader::Markdown => {
            let plain = outside_of_code(text);
            let live = ["<", "loud", "![", "](", "@", "tick"];
            assert!(!live.iter().any(|part| plain.contains(part)), "{name}: live\n{plain}");
        }
    }
}

/// The Markdown without what stands in code spans: a span ends at a run of backticks as long as the one it began with.
fn outside_of_code(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('`') {
        let run = rest[start..].chars().take_while(|c| *c == '`').count();
        plain.push_str(&rest[..start]);
        let body = &rest[start + run..];
        let Some(end) = closing(body, run) else { break };
        rest = &body[end + run..];
    }
    plain + rest
}

/// Where the run of exactly this many backticks begins.
fn closing(body: &str, length: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(start) = body[at..].find('`') {
        let run = body[at + start..].chars().take_while(|c| *c == '`').count();
        if run == length {
            return Some(at + start);
        }
        at += start + run;
    }
    None
}
