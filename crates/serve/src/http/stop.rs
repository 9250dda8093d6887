//! When the server is asked to end.

/// Waits for an interrupt or a request to end.
#[cfg(unix)]
pub(super) async fn asked() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut end)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate())) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = end.recv() => {}
    }
}

/// Waits for Ctrl-C or a console that is closed.
#[cfg(windows)]
pub(super) async fn asked() {
    use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close};
    let (Ok(mut interrupt), Ok(mut pause), Ok(mut close)) = (ctrl_c(), ctrl_break(), ctrl_close()) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = pause.recv() => {}
        _ = close.recv() => {}
    }
}
