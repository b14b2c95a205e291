//! Standard input and output of a child process as a transport.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::Mutex;

use super::TransportFault;
use super::frames::{FrameSender, FrameTransport, Outbound};
use super::process::{ChildProcess, spawn};
use crate::answer::TransportFailure;
use crate::recorder::{Line, LineSplitter, Recorder, TextTail};
use crate::{ConnectOptions, StdioBinding};

/// Bytes of standard error that are kept.
const STDERR_KEPT: usize = 64 * 1024;

/// How long a failed write waits for the end of the server's output.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// A started child with its transport.
pub(crate) struct StdioLink {
    pub(crate) transport: FrameTransport<LineWriter>,
    pub(crate) child: ChildProcess,
    pub(crate) stderr: Arc<TextTail>,
}

/// Starts the child and its readers.
pub(crate) fn open(
    binding: &StdioBinding,
    options: &ConnectOptions,
    recorder: &Arc<Recorder>,
) -> std::io::Result<StdioLink> {
    let (child, streams) = spawn(binding, &options.withheld_env, options.shutdown_grace)?;
    let stderr = Arc::new(TextTail::new(STDERR_KEPT));
    let errors = tokio::spawn(keep_tail(streams.stderr, Arc::clone(&stderr)));
    let transport = over_streams(
        streams.stdout,
        streams.stdin,
        options.max_message_bytes,
        recorder,
        Some(errors),
    );
    Ok(StdioLink { transport, child, stderr })
}

/// A transport over a pair of byte streams. `before_end` is waited for (shortly) before the end of the stream is
/// recorded, so that what a dying child says on standard error is known by then.
pub(crate) fn over_streams(
    reader: impl AsyncRead + Send + Unpin + 'static,
    writer: impl AsyncWrite + Send + Unpin + 'static,
    limit: usize,
    recorder: &Arc<Recorder>,
    before_end: Option<tokio::task::JoinHandle<()>>,
) -> FrameTransport<LineWriter> {
    let outbound =
        LineWriter { writer: Mutex::new(Some(Box::new(writer))), recorder: Arc::clone(recorder) };
    let (transport, sender) = FrameTransport::new(Arc::new(outbound));
    tokio::spawn(read_lines(reader, limit, Arc::clone(recorder), sender, before_end));
    transport
}

/// Writes one message per line.
pub(crate) struct LineWriter {
    writer: Mutex<Option<Box<dyn AsyncWrite + Send + Unpin>>>,
    recorder: Arc<Recorder>,
}

impl Outbound for LineWriter {
    async fn deliver(&self, message: Value) -> Result<(), TransportFault> {
        let mut text = message.to_string();
        text.push('\n');
        let mut guard = self.writer.lock().await;
        let Some(writer) = guard.as_mut() else {
            return Err(TransportFault("the child's standard input is closed".to_owned()));
        };
        self.recorder.outgoing(&message);
        let written = async {
            writer.write_all(text.as_bytes()).await?;
            writer.flush().await
        };
        let Err(error) = written.await else { return Ok(()) };
        drop(guard);
        // A server that ended can be met here first, while what it said is still on its way through the other pipes.
        self.recorder.wait_for_end(LAST_WORDS).await;
        let detail = format!("the server closed its standard input ({error})");
        self.recorder.failed_aside(TransportFailure::Closed { detail: detail.clone() });
        Err(TransportFault(detail))
    }

    async fn close(&self) {
        // Dropping the pipe closes it, which is how a stdio server is told to end.
        self.writer.lock().await.take();
    }
}

async fn read_lines(
    mut reader: impl AsyncRead + Unpin,
    limit: usize,
    recorder: Arc<Recorder>,
    sender: FrameSender,
    before_end: Option<tokio::task::JoinHandle<()>>,
) {
    let mut splitter = LineSplitter::new(limit);
    let mut chunk = vec![0_u8; 64 * 1024];
    let detail = loop {
        match reader.read(&mut chunk).await {
            Ok(0) => break "the server closed its standard output".to_owned(),
            Ok(count) => {
                if !pass_lines(splitter.push(&chunk[..count]), limit, &recorder, &sender).await {
                    break "the connection was closed".to_owned();
                }
            }
            Err(error) => break format!("the server's standard output: {error}"),
        }
    };
    pass_lines(splitter.finish(), limit, &recorder, &sender).await;
    if let Some(task) = before_end {
        let _ = tokio::time::timeout(Duration::from_millis(200), task).await;
    }
    recorder.ended(TransportFailure::Closed { detail });
}

async fn pass_lines(
    lines: impl IntoIterator<Item = Line>,
    limit: usize,
    recorder: &Recorder,
    sender: &FrameSender,
) -> bool {
    for line in lines {
        let open = match line {
            Line::Whole(text) => sender.receive(recorder, &text).await,
            Line::TooLong { start } => sender.pass(recorder.oversized(&start, limit, None)).await,
        };
        if !open {
            return false;
        }
    }
    true
}

async fn keep_tail(mut stream: impl AsyncRead + Unpin, tail: Arc<TextTail>) {
    let mut chunk = vec![0_u8; 8 * 1024];
    while let Ok(count) = stream.read(&mut chunk).await {
        if count == 0 {
            break;
        }
        tail.push(&chunk[..count]);
    }
    tail.end();
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tokio::io::duplex;

    use super::*;
    use crate::WireClock;

    #[tokio::test]
    async fn a_write_that_fails_waits_for_what_the_server_said_last() {
        let recorder = Arc::new(Recorder::new(WireClock::start()));
        let (ours, mut theirs) = duplex(64);
        let (input, closed) = duplex(64);
        drop(closed);
        let (_transport, sender) = FrameTransport::<LineWriter>::new(Arc::new(LineWriter {
            writer: Mutex::new(None),
            recorder: Arc::clone(&recorder),
        }));
        tokio::spawn(read_lines(ours, 1024, Arc::clone(&recorder), sender, None));
        let writer = LineWriter {
            writer: Mutex::new(Some(Box::new(input))),
            recorder: Arc::clone(&recorder),
        };
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize"});
        let writes = async {
            let written = writer.deliver(request).await;
            (written.is_err(), recorder.first_noise())
        };
        let says = async {
            theirs.write_all(b"a banner\n").await.expect("the reader is there");
            drop(theirs);
        };
        let ((failed, noise), ()) = tokio::join!(writes, says);
        assert!(failed);
        assert_eq!(noise.as_deref(), Some("a banner"));
    }
}
