//! `howfar init`: what it writes runs at once, and it writes nothing that it should not.

use howfar_testkit::home::{Home, Output};
use howfar_testkit::hostile::{self, Mode};
use howfar_testkit::program::ProgramSpec;

use crate::support::howfar;

/// The check that is written where a tried call answered.
const RESULT_CHECK: &str = "\n      - type: noToolErrors\n";

/// The command line of a program, each word quoted.
fn command_line(spec: &ProgramSpec) -> String {
    let program = spec.program.display().to_string();
    let words = std::iter::once(&program).chain(&spec.args);
    words.map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ")
}

/// `howfar init` for a program named `it`, with further arguments.
fn init(home: &Home, spec: &ProgramSpec, args: &[&str]) -> Output {
    let command = command_line(spec);
    let all = ["init", "--server", "it", "--command", &command].into_iter();
    home.invoke(howfar()).args(all.chain(args.iter().copied())).run()
}

/// Writes a suite for the server, runs it by the command that init gives, and wants it to pass.
fn runs_green(home: &Home, spec: &ProgramSpec, args: &[&str]) -> Vec<String> {
    let output = init(home, spec, args);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let document = output.json();
    assert!(home.read(".mcp.json").contains("\"it\""), "{}", home.read(".mcp.json"));
    assert_eq!(document["coverage"].as_array().map(Vec::len), Some(6), "{document}");
    let next = document["next"].as_str().unwrap_or_default();
    let words: Vec<&str> = next.split(' ').skip(1).collect();
    let invocation = home.invoke(howfar()).args(words);
    let run = spec.env.iter().fold(invocation, |run, (name, value)| run.env(name, value)).run();
    assert_eq!(run.code, Some(0), "{}\n{}", run.stderr, home.read("it.suite.yaml"));
    let cases = document["cases"].as_array().into_iter().flatten();
    cases.map(|case| format!("{} {}", case["tool"], case["tried"]).replace('"', "")).collect()
}

#[test]
fn reading_tools_are_tried_and_the_suite_runs_green() {
    let home = Home::new();
    let cases = runs_green(&home, &hostile::command(Mode::Ok), &[]);
    assert_eq!(cases, ["echo answered", "add answered"]);
    assert!(home.read("it.suite.yaml").contains(RESULT_CHECK));
}

#[test]
fn an_undeclared_tool_is_tried_only_when_asked_for() {
    let spec = hostile::command(Mode::Nulls);
    let home = Home::new();
    let cases = runs_green(&home, &spec, &["--tool", "add"]);
    assert_eq!(cases, ["add notTried"]);
    let suite = home.read("it.suite.yaml");
    assert!(suite.contains("does not declare itself read-only"), "{suite}");
    assert!(!suite.contains(RESULT_CHECK), "{suite}");
    let cases = runs_green(&home, &spec, &["--tool", "add", "--try-calls", "--force"]);
    assert_eq!(cases, ["add answered"]);
}

#[test]
fn a_call_without_an_answer_is_written_disabled() {
    let home = Home::new();
    let output = init(&home, &hostile::command(Mode::Crash), &["--tool", "echo", "--try-calls"]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    assert_eq!(output.json()["cases"][0]["tried"], "noAnswer");
    assert!(home.read("it.suite.yaml").contains("disabled: true"));
}

#[test]
fn hostile_names_stay_text_and_the_suite_runs_green() {
    let home = Home::new();
    let output = init(&home, &hostile::command(Mode::Ansi), &["--format", "human"]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    for text in [output.stdout, home.read("it.suite.yaml"), home.read("it.script.yaml")] {
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
        assert!(!text.contains(['\u{202e}', '\u{2066}']), "{text:?}");
    }
    let run = home.invoke(howfar()).args(["run", "it.suite.yaml"]).run();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn a_tool_that_cannot_be_used_is_named_and_the_others_get_cases() {
    let home = Home::new();
    let output = init(&home, &hostile::command(Mode::StrSchema), &[]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let document = output.json();
    assert_eq!(document["server"]["quarantined"].as_array().map(Vec::len), Some(1));
}

#[test]
fn an_unusable_schema_gets_no_schema_check() {
    let home = Home::new();
    let spec = hostile::command(Mode::InvalidSchema);
    runs_green(&home, &spec, &["--tool", "echo", "--tool", "add", "--try-calls"]);
    let suite = home.read("it.suite.yaml");
    assert!(suite.contains("# No argumentsMatchToolSchema"), "{suite}");
}

#[test]
fn a_server_that_does_not_start_exits_4_and_writes_nothing() {
    let home = Home::new();
    let output = init(&home, &hostile::command(Mode::Exit), &[]);
    assert_eq!(output.code, Some(4));
    assert!(output.stderr.contains("exited with code 1"), "{}", output.stderr);
    assert!(!home.work().join(".mcp.json").exists());
}

#[test]
fn a_server_without_tools_exits_4() {
    let home = Home::new();
    let output = init(&home, &hostile::command(Mode::NoTools), &[]);
    assert_eq!(output.code, Some(4));
    assert!(output.stderr.contains("lists no tool"), "{}", output.stderr);
}

#[test]
fn an_unknown_tool_is_a_usage_error_with_a_suggestion() {
    let home = Home::new();
    let output = init(&home, &hostile::command(Mode::Ok), &["--tool", "ehco"]);
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("did you mean echo?"), "{}", output.stderr);
}

#[test]
fn nothing_that_exists_is_overwritten_without_force() {
    let home = Home::new();
    home.write("it.suite.yaml", "mine");
    let spec = hostile::command(Mode::Ok);
    let output = init(&home, &spec, &[]);
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("there is it.suite.yaml"), "{}", output.stderr);
    assert_eq!(home.read("it.suite.yaml"), "mine");
    assert_eq!(init(&home, &spec, &["--force"]).code, Some(0));
    assert_ne!(home.read("it.suite.yaml"), "mine");
}

#[test]
fn a_configuration_of_the_user_stays_and_the_next_command_reaches_the_server() {
    let home = Home::new();
    let mine = r#"{"mcpServers":{"other":{"command":"other"}}}"#;
    home.write(".mcp.json", mine);
    let spec = hostile::command(Mode::Ok);
    let output = init(&home, &spec, &[]);
    assert_eq!(home.read(".mcp.json"), mine);
    let next = output.json()["next"].to_string();
    assert!(next.contains("--command "), "{next}");
    assert_eq!(init(&home, &spec, &["--force"]).code, Some(0));
    let config = home.read(".mcp.json");
    assert!(config.contains("other") && config.contains("\"it\""), "{config}");
}

#[test]
fn a_server_of_the_configuration_is_found_by_its_name() {
    let home = Home::new();
    let spec = hostile::command(Mode::Ok);
    let entry = serde_json::json!({ "command": spec.program, "args": spec.args });
    let config = serde_json::json!({ "mcpServers": { "a": entry, "b": { "command": "nowhere" } } });
    home.write(".mcp.json", &config.to_string());
    let several = home.invoke(howfar()).args(["init"]).run();
    assert_eq!(several.code, Some(2));
    assert!(several.stderr.contains("a, b"), "{}", several.stderr);
    let output = home.invoke(howfar()).args(["init", "--server", "a", "--dir", "suites"]).run();
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    assert_eq!(output.json()["next"], "howfar run suites/a.suite.yaml");
    let run = home.invoke(howfar()).args(["run", "suites/a.suite.yaml"]).run();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn no_server_at_all_says_how_to_name_one() {
    let home = Home::new();
    let output = home.invoke(howfar()).args(["init"]).run();
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("howfar init --command"), "{}", output.stderr);
}

#[test]
fn no_secret_is_written_or_printed() {
    let home = Home::new();
    let spec = hostile::command(Mode::Ok);
    let command = format!("{} --api-key s3cret-of-args", command_line(&spec));
    let args = ["init", "--server", "it", "--command", &command, "--env", "TOKEN=s3cret-of-env"];
    let output = home.invoke(howfar()).args(args).run();
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let files = ["it.suite.yaml", "it.script.yaml", ".mcp.json"].map(|file| home.read(file));
    for text in files.iter().chain([&output.stdout, &output.stderr]) {
        assert!(!text.contains("s3cret"), "{text}");
    }
    assert!(files[2].contains("${MCP_SECRET}") && files[2].contains("${TOKEN}"), "{}", files[2]);
}

#[test]
fn a_header_becomes_a_reference() {
    let home = Home::new();
    let peer = hostile::http();
    let header = "Authorization: Bearer s3cret-of-header";
    let args = ["init", "--server", "it", "--url", &peer.url("/ok"), "--header", header];
    let output = home.invoke(howfar()).args(args).run();
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let config = home.read(".mcp.json");
    assert!(config.contains("${MCP_AUTHORIZATION}") && !config.contains("s3cret"), "{config}");
    let run = home.invoke(howfar()).args(["run", "it.suite.yaml"]);
    let run = run.env("MCP_AUTHORIZATION", "Bearer s3cret-of-header").run();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

mod node_peers {
    use howfar_testkit::home::Home;
    use howfar_testkit::peers;

    use super::runs_green;

    #[test]
    fn the_suite_of_everything_runs_green() {
        let Some(server) = peers::node("everything") else { return };
        let cases = runs_green(&Home::new(), &server, &[]);
        assert_eq!(cases.len(), 5, "{cases:?}");
        assert!(cases.iter().all(|case| case.ends_with(" answered")), "{cases:?}");
    }

    #[test]
    fn the_suite_of_filesystem_asks_for_the_folder_that_it_serves() {
        let Some(server) = peers::node("filesystem") else { return };
        let home = Home::new();
        let file = home.write("served/a.txt", "a");
        let server = server.arg_path(file.parent().expect("a file lies in a folder"));
        let cases = runs_green(&home, &server, &[]);
        assert!(cases.contains(&"list_directory answered".to_owned()), "{cases:?}");
        assert!(home.read("it.suite.yaml").contains("/served"));
    }

    #[test]
    fn a_call_that_answers_with_an_error_is_written_as_that_and_runs_green() {
        let Some(server) = peers::node("filesystem") else { return };
        let home = Home::new();
        let server = server.arg_path(home.work());
        let cases = runs_green(&home, &server, &["--tool", "read_text_file"]);
        assert_eq!(cases, ["read_text_file toolError"]);
        let suite = home.read("it.suite.yaml");
        assert!(suite.contains("it answered with an error: "), "{suite}");
        assert!(!suite.contains(super::RESULT_CHECK), "{suite}");
    }

    #[test]
    fn the_suite_of_memory_only_reads() {
        let Some(server) = peers::node("memory") else { return };
        let home = Home::new();
        let file = home.work().join("memory.json");
        let file = file.to_str().expect("paths of tests are UTF-8");
        let variable = format!("MEMORY_FILE_PATH={file}");
        let server = server.env("MEMORY_FILE_PATH", file);
        let cases = runs_green(&home, &server, &["--env", &variable]);
        assert_eq!(cases, ["read_graph answered", "search_nodes answered", "open_nodes answered"]);
    }
}

mod python_peers {
    use howfar_testkit::home::Home;
    use howfar_testkit::peers;

    use super::runs_green;

    #[test]
    fn the_suite_of_time_takes_its_zone_from_the_description() {
        let Some(server) = peers::python("time") else { return };
        let cases = runs_green(&Home::new(), &server, &[]);
        assert_eq!(cases, ["get_current_time answered", "convert_time answered"]);
    }

    #[test]
    fn the_suite_of_git_reads_the_repository() {
        let Some(server) = peers::python("git") else { return };
        let home = Home::new();
        let repository = home.work().join("repository");
        let git = |args: &[&str]| {
            let status =
                std::process::Command::new("git").current_dir(home.work()).args(args).status();
            assert!(status.is_ok_and(|status| status.success()), "git {args:?}");
        };
        git(&["init", "--quiet", "repository"]);
        let name = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-C", "repository"];
        git(&[&name[..], &["commit", "--quiet", "--allow-empty", "--message", "first"]].concat());
        let server = server.arg("--repository").arg_path(&repository);
        let cases = runs_green(&home, &server, &[]);
        assert_eq!(cases.len(), 5, "{cases:?}");
        assert!(cases.iter().all(|case| case.ends_with(" answered")), "{cases:?}");
    }

    #[test]
    fn the_suite_of_sqlite_asks_for_what_does_not_speak_of_a_change() {
        let Some(server) = peers::python("sqlite") else { return };
        let home = Home::new();
        let server = server.arg("--db-path").arg_path(&home.work().join("test.db"));
        let cases = runs_green(&home, &server, &[]);
        assert_eq!(
            cases,
            ["list_tables notTried", "read_query notTried", "describe_table notTried"]
        );
    }
}
