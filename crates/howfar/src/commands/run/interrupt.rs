//! Ctrl-C: the first ends the run and keeps what finished, the second leaves at once.

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

/// Ends at the next SIGINT or SIGTERM. Where signals cannot be watched, it never ends.
#[cfg(unix)]
async fn interrupted() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else {
        let _ = tokio::signal::ctrl_c().await;
        return;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
}

/// Ends at the next Ctrl-C.
#[cfg(not(unix))]
async fn interrupted() {
    let _ = tokio::signal::ctrl_c().await;
}
