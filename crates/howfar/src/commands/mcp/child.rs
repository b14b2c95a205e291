//! Runs that the MCP server orders: each is a `howfar run` of its own, ended with the server.

use std::io;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use futures::future::BoxFuture;
use howfar_server::mcp::{RunProgress, RunSuite, SuiteOrder, SuiteRunEnd};
use howfar_wire::report::RunReport;
use howfar_wire::vocabulary::ExitCode;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio_util::sync::CancellationToken;

use crate::commands::run::TrialCount;
use crate::error::CommandError;

/// How long a run may take to end its trials in flight and to write what finished.
const GRACE: Duration = Duration::from_secs(20);

/// How much of what a run says is kept, in bytes: its last words are its error.
const KEPT_TALK: usize = 4_000;

/// Starts `howfar run` for each order.
pub(super) struct ChildRuns {
    program: PathBuf,
    folder: PathBuf,
    store: PathBuf,
}

impl ChildRuns {
    /// Runs in `folder`, where `.mcp.json` is looked for, kept in the store at `store`.
    pub(super) fn new(folder: PathBuf, store: PathBuf) -> Result<Self, CommandError> {
        let program = std::env::current_exe().map_err(|error| {
            CommandError::new(
                ExitCode::Setup,
                format!("cannot tell where this program is: {error}"),
            )
        })?;
        Ok(Self { program, folder, store })
    }

    fn command(&self, order: &SuiteOrder) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("run").arg(&order.file).args(["--supervised", "--format", "json", "--store"]);
        command.arg(&self.store);
        command.args(order.case_ids.iter().map(|id| format!("--case={id}")));
        command.current_dir(&self.folder).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    async fn supervise(
        &self,
        order: SuiteOrder,
        progress: &(dyn Fn(RunProgress) + Send + Sync),
        cancel: CancellationToken,
    ) -> io::Result<SuiteRunEnd> {
        let mut child = self.command(&order).spawn()?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let (report, talk, status) =
            tokio::join!(whole(stdout), listen(stderr, progress), ended(child, cancel));
        Ok(run_end(&report?, talk, status?))
    }
}

impl RunSuite for ChildRuns {
    fn run<'a>(
        &'a self,
        order: SuiteOrder,
        progress: &'a (dyn Fn(RunProgress) + Send + Sync),
        cancel: CancellationToken,
    ) -> BoxFuture<'a, SuiteRunEnd> {
        Box::pin(async move {
            let ended = self.supervise(order, progress, cancel).await;
            ended.unwrap_or_else(|error| {
                let message = format!("cannot run `howfar run`: {error}");
                SuiteRunEnd::Unreported { message, exit: None }
            })
        })
    }
}

/// Waits for the run. A supervised run ends in order when its stdin closes; one that does not is killed.
async fn ended(mut child: Child, cancel: CancellationToken) -> io::Result<ExitStatus> {
    let stdin = child.stdin.take();
    tokio::select! {
        status = child.wait() => return status,
        () = cancel.cancelled() => drop(stdin),
    }
    if let Ok(status) = tokio::time::timeout(GRACE, child.wait()).await {
        return status;
    }
    child.kill().await?;
    child.wait().await
}

async fn whole(pipe: Option<impl AsyncRead + Unpin>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        pipe.read_to_end(&mut bytes).await?;
    }
    Ok(bytes)
}

/// Reads what the run says line by line: counts of trials are progress, the rest is talk, of which the end is kept.
async fn listen(
    pipe: Option<impl AsyncRead + Unpin>,
    progress: &(dyn Fn(RunProgress) + Send + Sync),
) -> String {
    let mut talk = String::new();
    let Some(pipe) = pipe else { return talk };
    let mut lines = BufReader::new(pipe).split(b'\n');
    while let Ok(Some(line)) = lines.next_segment().await {
        if let Ok(TrialCount { finished_trials, configured_trials }) = serde_json::from_slice(&line)
        {
            progress(RunProgress { finished_trials, configured_trials });
            continue;
        }
        talk.push_str(&String::from_utf8_lossy(&line));
        talk.push('\n');
        while talk.len() > KEPT_TALK {
            let end = talk.find('\n').map_or(talk.len(), |end| end + 1);
            talk.drain(..end);
        }
    }
    talk
}

fn run_end(stdout: &[u8], talk: String, status: ExitStatus) -> SuiteRunEnd {
    let exit = status
        .code()
        .and_then(|code| ExitCode::ALL.into_iter().find(|known| i32::from(known.code()) == code));
    match (serde_json::from_slice::<RunReport>(stdout), exit) {
        (Ok(report), Some(exit)) => SuiteRunEnd::Reported { report: Box::new(report), exit },
        (Ok(_) | Err(_), exit) => SuiteRunEnd::Unreported { message: talk.trim().to_owned(), exit },
    }
}
