//! The last bytes of a stream.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use tokio::sync::watch;

/// Keeps the last bytes of a text stream.
#[derive(Debug)]
pub(crate) struct TextTail {
    limit: usize,
    bytes: Mutex<VecDeque<u8>>,
    ended: watch::Sender<bool>,
}

impl TextTail {
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, bytes: Mutex::new(VecDeque::new()), ended: watch::Sender::new(false) }
    }

    /// The stream is at its end: what is kept is all there is.
    pub(crate) fn end(&self) {
        self.ended.send_replace(true);
    }

    /// Waits for the end of the stream, at most for `limit`: a process that died has often written why a moment before
    /// its other streams closed.
    pub(crate) async fn wait_for_end(&self, limit: Duration) {
        let mut ended = self.ended.subscribe();
        let _ = tokio::time::timeout(limit, ended.wait_for(|ended| *ended)).await;
    }

    pub(crate) fn push(&self, chunk: &[u8]) {
        let mut bytes = self.bytes.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        bytes.extend(chunk);
        let over = bytes.len().saturating_sub(self.limit);
        bytes.drain(..over);
    }

    /// What is kept; bytes that are not UTF-8 are replaced.
    pub(crate) fn text(&self) -> String {
        let bytes: Vec<u8> = self
            .bytes
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .iter()
            .copied()
            .collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The last lines that are not blank, in order.
    pub(crate) fn last_lines(&self, count: usize) -> Vec<String> {
        let text = self.text();
        let mut lines: Vec<String> = text
            .lines()
            .rev()
            .filter(|line| !line.trim().is_empty())
            .take(count)
            .map(str::to_owned)
            .collect();
        lines.reverse();
        lines
    }
}
