//! What all requests share.

use kit::{
    Tokenizer,
    serving::{Load, ServingSettings},
};
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, AtomicU64, Ordering},
    mpsc,
};

use crate::{
    engine_room::{Call, EngineRoom},
    job::Room,
    metrics::Metrics,
    settings::Known,
};

/// Tokens of a page.
const PAGE_SIZE: usize = 16;

/// The server's side of the engine.
pub struct Site {
    /// The model's name, as requests give it.
    pub model: String,
    /// The model's tokenizer.
    pub tokenizer: Arc<Tokenizer>,
    /// Calls to the engine.
    pub calls: mpsc::Sender<Call>,
    /// What is counted.
    pub metrics: Metrics,
    /// Demanded from every request; `None` where only this machine can ask.
    pub key: Option<String>,
    /// The most bytes of a body.
    pub body_limit: usize,
    /// When the server began, in seconds of Unix time.
    pub began: u64,
    /// How the engine serves.
    pub settings: ServingSettings,
    positions: usize,
    vocabulary: usize,
    missing_laws: Vec<(&'static str, String)>,
    load: Arc<Mutex<Load>>,
    next: AtomicU64,
    closing: AtomicBool,
}

impl Site {
    /// The site of an engine.
    pub fn of(
        room: &EngineRoom,
        model: String,
        settings: ServingSettings,
        key: Option<String>,
        body_limit: usize,
    ) -> Self {
        Self {
            model,
            tokenizer: Arc::clone(&room.tokenizer),
            calls: room.calls.clone(),
            metrics: Metrics::default(),
            key,
            body_limit,
            began: now(),
            settings,
            positions: room.positions,
            vocabulary: room.vocabulary,
            missing_laws: room.missing_laws.clone(),
            load: Arc::clone(&room.load),
            next: AtomicU64::new(0),
            closing: AtomicBool::new(false),
        }
    }

    /// What requests are checked against.
    pub fn known(&self) -> Known<'_> {
        Known { model: &self.model, vocabulary: self.vocabulary as i64, missing_laws: &self.missing_laws }
    }

    /// What texts may hold.
    pub fn room(&self) -> Room {
        let ServingSettings { slots, pages, queue, .. } = self.settings;
        let tokens = pages.saturating_mul(PAGE_SIZE);
        Room { positions: self.positions.min(tokens), tokens, texts: slots.saturating_add(queue) }
    }

    /// What the engine held after its last step.
    pub fn load(&self) -> Load {
        *self.load.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// So many numbers that nobody else has; the first of them.
    pub fn numbers(&self, count: u64) -> u64 {
        self.next.fetch_add(count, Ordering::Relaxed)
    }

    /// No new requests from here on.
    pub fn close(&self) {
        self.closing.store(true, Ordering::SeqCst);
    }

    /// Whether [`close`](Self::close) was called.
    pub fn is_closing(&self) -> bool {
        self.closing.load(Ordering::SeqCst)
    }
}

/// Seconds of Unix time.
pub fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
