//! Ctrl-C, SIGTERM and a terminal that closes: the first ends the run and keeps what finished, the second leaves at once.

use tokio_util::sync::CancellationToken;

use crate::output;

/// Watches for interrupts. The first cancels `cancel`; the returned future ends at the second.
pub(super) async fn watch(cancel: CancellationToken) {
    interrupted().await;
    output::say(
        "interrupted: ending the trials in flight and writing what finished (again to leave at once)",
    );
    cancel.cancel();
    interrupted().await;
}

/// Cancels `cancel` when stdin closes: whoever supervises the run is gone, or wants it to end.
///
/// A thread of its own reads, because a read of stdin that is under way would hold the runtime at its end.
pub(super) fn end_with_stdin(cancel: CancellationToken) {
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        cancel.cancel();
    });
}

/// Ends at the next SIGINT, SIGTERM or SIGHUP; a server that does not read its stdin would outlive an unwatched one.
/// Where signals cannot be watched, it never ends.
#[cfg(unix)]
pub(crate) async fn interrupted() {
    use tokio::signal::unix::{SignalKind, signal};
    let mut kinds = vec![SignalKind::interrupt(), SignalKind::terminate()];
    if !hangup_is_ignored() {
        kinds.push(SignalKind::hangup());
    }
    let mut watched: Vec<_> = kinds.into_iter().filter_map(|kind| signal(kind).ok()).collect();
    if watched.is_empty() {
        return std::future::pending().await;
    }
    let next = watched.iter_mut().map(|signal| Box::pin(signal.recv()));
    futures::future::select_all(next).await;
}

/// Whether whoever started this process wants it to outlive the terminal, as `nohup` does. Watching the signal would
/// undo that. Only Linux tells.
#[cfg(unix)]
fn hangup_is_ignored() -> bool {
    /// The bit of SIGHUP, which is signal 1.
    const HANGUP: u64 = 1;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask & HANGUP != 0)
}

/// Ends at the next Ctrl-C.
#[cfg(not(unix))]
pub(crate) async fn interrupted() {
    let _ = tokio::signal::ctrl_c().await;
}
