//! From the start to the end of a server: a socket and an engine in, answers until somebody asks it to stop.

use kit::serving::ServingSettings;
use std::{future::Future, net::SocketAddr, sync::Arc, time::Duration};
use tokio::{net::TcpListener, sync::oneshot, time::timeout};

use crate::{
    engine_room::{Call, EngineRoom},
    routes,
    site::Site,
};

/// After all answers are cancelled, the time for their last words.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// How a server is run.
#[derive(Debug, Clone)]
pub struct ServerSettings {
    /// How the engine serves.
    pub serving: ServingSettings,
    /// The model's name in requests.
    pub model: String,
    /// What every request must show.
    pub key: Option<String>,
    /// The most bytes of a body.
    pub body_limit: usize,
    /// How long answers may go on after the wish to stop.
    pub grace: Duration,
}

/// What was left when a server ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// Answers that came to their end.
    pub finished: u64,
    /// Answers that were broken off, by their clients or by the end.
    pub cancelled: u64,
    /// Pages that a text still held.
    pub live_pages: usize,
}

/// A tokio runtime for one thread.
pub fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

/// Serves until `stop` is there: then new requests are refused, those that run have `grace`, and what is left is cancelled.
///
/// Errors: a socket that fails; whatever ended the engine before.
pub async fn serve(
    listener: TcpListener,
    room: EngineRoom,
    settings: ServerSettings,
    stop: impl Future<Output = ()>,
) -> kit::Result<Ended> {
    let ServerSettings { serving, model, key, body_limit, grace } = settings;
    let site = Arc::new(Site::of(&room, model, serving, key, body_limit));
    let (close, closed) = oneshot::channel::<()>();
    let (engine_ended, engine_end) = oneshot::channel();
    let EngineRoom { calls, load, thread, .. } = room;
    let waiting = std::thread::Builder::new().name("engine's end".into()).spawn(move || {
        let end = thread.join().unwrap_or_else(|_| Err(kit::Error::Other("the engine's thread has panicked".into())));
        // Nobody asks any more where the server has ended first.
        engine_ended.send(end).unwrap_or_default();
    });
    waiting.map_err(|e| kit::Error::Other(format!("a thread cannot be started: {e}")))?;
    let failed = |e: std::io::Error| kit::Error::Other(format!("the server's socket has failed: {e}"));
    let server = axum::serve(listener, routes::router(Arc::clone(&site)))
        .with_graceful_shutdown(async { closed.await.unwrap_or_default() });
    let mut server = std::pin::pin!(server.into_future());
    let mut engine_end = std::pin::pin!(engine_end);
    tokio::select! {
        ended = &mut server => return Err(ended.err().map_or_else(|| kit::Error::Other("the server has ended".into()), failed)),
        ended = &mut engine_end => {
            let early = kit::Error::Other("the engine has ended by itself".into());
            return Err(ended.ok().and_then(Result::err).unwrap_or(early));
        }
        () = stop => {}
    }
    site.close();
    close.send(()).unwrap_or_default();
    if timeout(grace, &mut server).await.is_err() {
        calls.send(Call::CancelAll).unwrap_or_default();
        timeout(LAST_WORDS, &mut server).await.map_or(Ok(()), |ended| ended.map_err(failed))?;
    }
    calls.send(Call::Close).unwrap_or_default();
    timeout(LAST_WORDS, engine_end).await.ok();
    let held = *load.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    Ok(Ended {
        finished: site.metrics.choices("stop") + site.metrics.choices("length"),
        cancelled: site.metrics.choices("cancelled"),
        live_pages: held.live_pages,
    })
}

/// An address in a browser's words.
pub fn url(address: SocketAddr) -> String {
    format!("http://{address}")
}
