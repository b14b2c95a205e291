//! Child processes: what they inherit, and that none is left behind.

use std::fs::File;
use std::io::Read;
use std::process::Command;

use howfar_mcp::{ConnectOptions, Connection, ServerBinding, connect};

use crate::script::{Script, options};

/// The reading end of a named pipe: it ends exactly when the last process that holds the other end is gone.
struct LifeLine {
    pipe: File,
    _folder: tempfile::TempDir,
}

impl LifeLine {
    /// Returns when every holder is gone.
    fn wait(mut self) {
        let mut bytes = Vec::new();
        self.pipe.read_to_end(&mut bytes).expect("the pipe reads");
    }

    async fn ended(self) {
        tokio::task::spawn_blocking(|| self.wait()).await.expect("the reader does not panic");
    }
}

/// A peer with a grandchild that ignores the end of its input and SIGTERM; the life line is held when this returns.
async fn stubborn() -> (Connection, LifeLine) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&path).status().is_ok_and(|status| status.success()));
    let holder = format!("(trap '' TERM; exec sleep 1000) > '{}' &", path.display());
    let script = Script::initialized().runs("trap '' TERM").runs(&holder).runs("sleep 1000");
    let options =
        ConnectOptions { shutdown_grace: std::time::Duration::from_millis(50), ..options() };
    let connection = connect("s", &script.binding(), &options).await.expect("a session");
    // Opening a pipe waits for its other end, so nobody is killed before the pipe is held.
    let pipe = tokio::task::spawn_blocking(move || File::open(path))
        .await
        .expect("the opener does not panic");
    (connection, LifeLine { pipe: pipe.expect("the pipe opens"), _folder: folder })
}

#[tokio::test]
async fn shutdown_ends_the_whole_group() {
    let (connection, line) = stubborn().await;
    connection.shutdown().await;
    line.ended().await;
    assert_eq!(connection.child_exit().and_then(|exit| exit.signal), Some(9));
}

#[tokio::test]
async fn dropping_the_last_handle_ends_the_whole_group() {
    let (connection, line) = stubborn().await;
    let clone = connection.clone();
    drop(connection);
    drop(clone);
    line.ended().await;
}

#[test]
fn the_end_of_the_runtime_ends_the_whole_group() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let (connection, line) = runtime.block_on(stubborn());
    drop(runtime);
    line.wait();
    drop(connection);
}

#[tokio::test]
async fn a_server_that_ends_with_its_input_is_not_signalled() {
    let connection = Script::initialized().connected().await;
    connection.shutdown().await;
    connection.shutdown().await;
    assert_eq!(connection.child_exit().map(|exit| (exit.code, exit.signal)), Some((Some(0), None)));
}

#[tokio::test]
async fn withheld_variables_do_not_reach_the_child_but_its_own_do() {
    let script = Script::initialized().runs(r#"printf '%s' "home=$HOME own=$OWN" >&2; exit"#);
    let ServerBinding::Stdio(mut stdio) = script.binding() else {
        panic!("a script is a stdio binding")
    };
    stdio.env.insert("OWN".to_owned(), "1".to_owned());
    let options =
        ConnectOptions { withheld_env: vec!["HOME".to_owned(), "OWN".to_owned()], ..options() };
    let connection = connect("s", &ServerBinding::Stdio(stdio), &options).await.expect("a session");
    let _ = connection.list_tools().await;
    assert_eq!(connection.stderr_tail(), "home= own=1");
}
