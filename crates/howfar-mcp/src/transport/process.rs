//! A child process in its own group, and its certain end.

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop, ProcessGroup};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::StdioBinding;

/// SIGTERM on every system that has process groups.
const SIGTERM: i32 = 15;

/// The streams of a started child.
pub(super) struct ChildStreams {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
    pub(super) stderr: ChildStderr,
}

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChildExit {
    /// The exit code; absent when a signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it; absent when it exited by itself.
    pub signal: Option<i32>,
}

impl ChildExit {
    /// The end of the sentence "the process …".
    pub(crate) fn describe(self) -> String {
        match (self.code, self.signal) {
            (Some(code), _) => format!("exited with code {code}"),
            (None, Some(signal)) => format!("was ended by signal {signal}"),
            (None, None) => "ended".to_owned(),
        }
    }
}

/// A running child. Its supervisor task ends it when this handle is dropped.
#[derive(Debug)]
pub(crate) struct ChildProcess {
    stop: CancellationToken,
    exit: watch::Receiver<Option<ChildExit>>,
}

/// Starts a child in its own process group.
pub(super) fn spawn(
    binding: &StdioBinding,
    withheld_env: &[String],
    grace: Duration,
) -> std::io::Result<(ChildProcess, ChildStreams)> {
    let mut command = Command::new(&binding.command);
    command.args(&binding.args);
    for name in withheld_env {
        command.env_remove(name);
    }
    command.envs(&binding.env);
    if let Some(cwd) = &binding.cwd {
        command.current_dir(cwd);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut wrap = CommandWrap::from(command);
    wrap.wrap(KillOnDrop);
    #[cfg(unix)]
    wrap.wrap(ProcessGroup::leader());
    let mut child = GroupGuard { child: wrap.spawn()? };
    let streams = child
        .take_streams()
        .ok_or_else(|| std::io::Error::other("the child has no standard streams"))?;
    let stop = CancellationToken::new();
    let (sender, exit) = watch::channel(None);
    tokio::spawn(supervise(child, stop.clone(), sender, grace));
    Ok((ChildProcess { stop, exit }, streams))
}

impl ChildProcess {
    /// How the child ended, if it did.
    pub(crate) fn exit(&self) -> Option<ChildExit> {
        *self.exit.borrow()
    }

    /// Waits at most `limit` for the child to end.
    pub(crate) async fn wait(&self, limit: Duration) -> Option<ChildExit> {
        let mut exit = self.exit.clone();
        let ended = tokio::time::timeout(limit, exit.wait_for(Option::is_some)).await;
        match ended {
            Ok(Ok(exit)) => *exit,
            Ok(Err(_)) | Err(_) => None,
        }
    }

    /// Asks the supervisor to end the child: it waits for a voluntary end (close standard input first), then sends
    /// SIGTERM to the group, then SIGKILL.
    pub(crate) fn stop(&self) {
        self.stop.cancel();
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Kills the whole group when dropped, also when a runtime that shuts down drops the supervisor task.
struct GroupGuard {
    child: Box<dyn ChildWrapper>,
}

impl GroupGuard {
    fn take_streams(&mut self) -> Option<ChildStreams> {
        Some(ChildStreams {
            stdin: self.child.stdin().take()?,
            stdout: self.child.stdout().take()?,
            stderr: self.child.stderr().take()?,
        })
    }
}

impl Drop for GroupGuard {
    fn drop(&mut self) {
        // Fails when the group is already gone, which is the aim.
        let _ = self.child.start_kill();
    }
}

async fn supervise(
    mut guard: GroupGuard,
    stop: CancellationToken,
    sender: watch::Sender<Option<ChildExit>>,
    grace: Duration,
) {
    let status = tokio::select! {
        status = guard.child.wait() => status,
        () = stop.cancelled() => end(&mut guard, grace).await,
    };
    // Whatever the leader left behind in its group goes with it.
    drop(guard);
    sender.send_replace(Some(exit_of(status.ok())));
}

async fn end(guard: &mut GroupGuard, grace: Duration) -> std::io::Result<ExitStatus> {
    if let Ok(status) = tokio::time::timeout(grace, guard.child.wait()).await {
        return status;
    }
    #[cfg(unix)]
    let _ = guard.child.signal(SIGTERM);
    if let Ok(status) = tokio::time::timeout(grace, guard.child.wait()).await {
        return status;
    }
    let _ = guard.child.start_kill();
    guard.child.wait().await
}

fn exit_of(status: Option<ExitStatus>) -> ChildExit {
    #[cfg(unix)]
    let signal = status.and_then(|status| std::os::unix::process::ExitStatusExt::signal(&status));
    #[cfg(not(unix))]
    let signal = None;
    ChildExit { code: status.and_then(|status| status.code()), signal }
}
