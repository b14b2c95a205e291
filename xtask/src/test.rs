//! `cargo xtask test`: sets up the peers, then runs the tests group by group.
//!
//! A test that needs a peer has the name of the peer's group in its path (`node_peers`, `python_peers`, `browser::`), so
//! that each group runs and is named by itself. Every group knows where the peers lie: a test that forgot the name still
//! runs against its peer, in the first group.

use std::path::Path;

use anyhow::Result;

use crate::peers::{self, PEERS_VARIABLE};
use crate::step::{Outcome, Summary, cargo, stream};

/// One group of peers: its name in the summary, its name in the paths of its tests, and how it is set up.
struct PeerGroup {
    name: &'static str,
    filter: &'static str,
    set_up: fn(&Path) -> Result<()>,
}

const PEER_GROUPS: &[PeerGroup] = &[
    PeerGroup { name: "node-peers", filter: "node_peers", set_up: peers::set_up_node },
    PeerGroup { name: "python-peers", filter: "python_peers", set_up: peers::set_up_python },
    PeerGroup { name: "browser", filter: "browser::", set_up: peers::set_up_browser },
];

/// Runs every group, or, with `arguments`, one `cargo test` with these arguments and all peers.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<Summary> {
    let set_up: Vec<Result<()>> =
        PEER_GROUPS.iter().map(|group| announce_set_up(root, group)).collect();
    let mut summary = Summary::default();
    if !arguments.is_empty() {
        for (group, set_up) in PEER_GROUPS.iter().zip(set_up) {
            if let Err(error) = set_up {
                summary.outcome(group.name, || not_set_up(&error));
            }
        }
        summary.group("selected", || cargo_test(root, scope(arguments), arguments));
        return Ok(summary);
    }
    let mut core = vec!["--no-fail-fast", "--"];
    core.extend(PEER_GROUPS.iter().flat_map(|group| ["--skip", group.filter]));
    summary.group("core", || cargo_test(root, &["--workspace"], &core));
    for (group, set_up) in PEER_GROUPS.iter().zip(set_up) {
        match set_up {
            Ok(()) => {
                let tests = ["--tests", "--no-fail-fast", "--", group.filter];
                summary.group(group.name, || cargo_test(root, &["--workspace"], &tests));
            }
            Err(error) => {
                summary.outcome(group.name, || not_set_up(&error));
            }
        }
    }
    Ok(summary)
}

/// Runs the conformance tests alone.
pub(crate) fn run_vectors(root: &Path) -> Result<Summary> {
    let mut summary = Summary::default();
    summary.group("vectors", || {
        cargo_test(root, &["--workspace"], &["--no-fail-fast", "--", "vectors"])
    });
    Ok(summary)
}

/// Runs the test of killed runs as large as it was asked for: 20 kills at other moments each time, over 500 trials.
pub(crate) fn run_kills(root: &Path) -> Result<Summary> {
    let moment = std::time::UNIX_EPOCH.elapsed().map_or(1, |time| time.as_secs());
    let mut summary = Summary::default();
    summary.group("kills", || {
        println!("HOWFAR_KILL_SEED={moment} repeats these moments");
        let mut command = cargo(root, &["test", "--package", "howfar", "--test", "cli", "killed"]);
        command.env("HOWFAR_KILLS", "20").env("HOWFAR_KILL_TRIALS", "500");
        if std::env::var_os("HOWFAR_KILL_SEED").is_none() {
            command.env("HOWFAR_KILL_SEED", moment.to_string());
        }
        stream(&mut command)
    });
    Ok(summary)
}

fn announce_set_up(root: &Path, group: &PeerGroup) -> Result<()> {
    println!("\n== set up {}", group.name);
    let result = (group.set_up)(root);
    if let Err(error) = &result {
        println!("== set up {}: {error:#}", group.name);
    }
    result
}

fn not_set_up(error: &anyhow::Error) -> Outcome {
    Outcome::Skipped(format!("{error:#}"))
}

/// The whole workspace, unless the arguments choose packages themselves.
fn scope(arguments: &[&str]) -> &'static [&'static str] {
    let own = arguments.iter().take_while(|argument| **argument != "--");
    let chooses = |argument: &&str| argument.starts_with("-p") || argument.starts_with("--package");
    if own.copied().any(|argument| chooses(&argument)) { &[] } else { &["--workspace"] }
}

fn cargo_test(root: &Path, scope: &[&str], arguments: &[&str]) -> Result<()> {
    let mut command = cargo(root, &["test"]);
    command.args(scope).args(arguments).env(PEERS_VARIABLE, peers::folder(root));
    stream(&mut command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_that_choose_a_package_replace_the_workspace() {
        assert_eq!(scope(&["-p", "howfar-core"]), &[] as &[&str]);
        assert_eq!(scope(&["--package=howfar-core", "stage"]), &[] as &[&str]);
    }

    #[test]
    fn arguments_of_the_test_program_keep_the_workspace() {
        assert_eq!(scope(&["stage"]), &["--workspace"]);
        assert_eq!(scope(&["--", "-p"]), &["--workspace"]);
    }
}
