//! A program in a temporary home sees nothing of the developer's.

use std::time::Duration;

use howfar_testkit::home::{Home, Output};

fn shell(home: &Home, script: &str) -> Output {
    home.invoke("/bin/sh").args(["-c", script]).run()
}

#[test]
fn output_and_exit_code_are_given() {
    let output = shell(&Home::new(), "echo out; echo err >&2; exit 4");
    assert_eq!(output, Output { stdout: "out\n".into(), stderr: "err\n".into(), code: Some(4) });
}

#[test]
fn the_environment_holds_nothing_but_what_is_set() {
    let home = Home::new();
    let output = home.invoke("/usr/bin/env").env("EXTRA", "1").run();
    let mut names: Vec<&str> = output
        .stdout
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(name, _)| name)
        .collect();
    names.retain(|name| *name != "LLVM_PROFILE_FILE");
    names.sort_unstable();
    assert_eq!(names, ["EXTRA", "HOME", "LANG", "NO_COLOR", "PATH", "TZ"]);
}

#[test]
fn files_are_written_where_the_program_runs() {
    let home = Home::new();
    home.write("suites/one.yaml", "name: one\n");
    let output = shell(&home, "cat suites/one.yaml > copy");
    assert_eq!(output.code, Some(0));
    assert_eq!(home.read("copy"), "name: one\n");
}

#[test]
fn stdin_is_what_was_set() {
    let home = Home::new();
    assert_eq!(home.invoke("/bin/cat").stdin("hello").run().stdout, "hello");
}

#[test]
fn a_snapshot_names_no_folder_of_the_machine() {
    let home = Home::new();
    let output = shell(&home, "pwd; echo $HOME >&2");
    let snapshot = home.snapshot(&output);
    assert_eq!(snapshot, "exit code: 0\n--- stdout ---\n[work]\n\n--- stderr ---\n[home]\n");
}

#[test]
#[should_panic(expected = "did not end within 50ms")]
fn a_program_that_does_not_end_is_killed() {
    let output = Home::new()
        .invoke("/bin/sh")
        .args(["-c", "mkfifo pipe && cat pipe"])
        .within(Duration::from_millis(50))
        .run();
    drop(output);
}
