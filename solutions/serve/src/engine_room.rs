//! The thread that owns the engine, and how the rest of the program talks to it.
//!
//! MLX is not made for several threads, so one of them loads the model and takes every step. In: calls through a channel,
//! from any thread. Out: news through a channel of each caller's own. Nothing here waits for a socket.

use kit::{
    Checkpoint, Engine, Error, Request, Result, Sampling, SamplingLaw, Tokenizer,
    front_end::LoadStaged,
    law::SamplerConfig,
    models::Model,
    serving::{Arrival, Ask, Counter, Ending, Load, News, ServingSettings},
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread::JoinHandle,
};
use tokio::sync::mpsc::UnboundedSender;

/// What the engine's thread is told.
pub enum Call {
    /// Requests, and where their news go.
    Asks(Vec<Ask>, UnboundedSender<News>),
    /// Nobody waits for these any more.
    Cancel(Vec<u64>),
    /// All that are here end now.
    CancelAll,
    /// So do they here, and then the engine.
    Close,
}

/// An engine at work.
pub struct EngineRoom {
    /// Calls to it.
    pub calls: mpsc::Sender<Call>,
    /// Its tokenizer.
    pub tokenizer: Arc<Tokenizer>,
    /// V
    pub vocabulary: usize,
    /// The most tokens of a text.
    pub positions: usize,
    /// Laws that the engine has not, and why.
    pub missing_laws: Vec<(&'static str, String)>,
    /// What it held after its last step.
    pub load: Arc<Mutex<Load>>,
    /// Ends when the engine does.
    pub thread: JoinHandle<Result<()>>,
}

struct Ready {
    tokenizer: Arc<Tokenizer>,
    vocabulary: usize,
    positions: usize,
    missing_laws: Vec<(&'static str, String)>,
}

impl EngineRoom {
    /// Loads a model, for the stage of that name, on a thread of its own and lets it answer once, so that whatever is missing shows before anybody asks.
    ///
    /// Errors: whatever loading and the first answer return.
    pub fn open(model: &str, stage: Option<&str>, load: LoadStaged, settings: ServingSettings) -> Result<Self> {
        let (calls, called) = mpsc::channel();
        let (tell_ready, ready) = mpsc::sync_channel(1);
        let (model, stage) = (model.to_string(), stage.map(str::to_string));
        let held = Arc::new(Mutex::new(Load::default()));
        let told = Arc::clone(&held);
        let work = move || {
            let prepared = || -> Result<_> {
                let checkpoint = Checkpoint::open(Model::named(&model)?.folder()?)?;
                let (tokenizer, config) = (Arc::new(checkpoint.tokenizer()?), checkpoint.config());
                let engine = load(&checkpoint, stage.as_deref())?;
                let missing_laws = rehearse(&*engine, settings, &tokenizer)?;
                let ready = Ready {
                    tokenizer,
                    vocabulary: config.vocab_size as usize,
                    positions: config.max_position_embeddings as usize,
                    missing_laws,
                };
                Ok((engine, ready))
            };
            let (engine, tokenizer) = match prepared() {
                Ok((engine, ready)) => {
                    let tokenizer = Arc::clone(&ready.tokenizer);
                    // Nobody is left to serve where the other side is gone.
                    if tell_ready.send(Ok(ready)).is_err() {
                        return Ok(());
                    }
                    (engine, tokenizer)
                }
                Err(error) => {
                    tell_ready.send(Err(error)).unwrap_or_default();
                    return Ok(());
                }
            };
            let mut switchboard = Switchboard { called, listeners: HashMap::new(), load: told, closing: false };
            engine.serve(settings, &|id| tokenizer.bytes_of(id), &mut switchboard)
        };
        let thread = std::thread::Builder::new()
            .name("engine".into())
            .spawn(work)
            .map_err(|e| Error::Other(format!("the engine's thread cannot be started: {e}")))?;
        let ended = || Error::Other("the engine's thread has ended while the model was loaded".into());
        let Ready { tokenizer, vocabulary, positions, missing_laws } = ready.recv().map_err(|_| ended())??;
        Ok(Self { calls, tokenizer, vocabulary, positions, missing_laws, load: held, thread })
    }
}

/// Calls in, news to whom they concern out.
struct Switchboard {
    called: mpsc::Receiver<Call>,
    listeners: HashMap<u64, UnboundedSender<News>>,
    load: Arc<Mutex<Load>>,
    closing: bool,
}

impl Counter for Switchboard {
    fn arrivals(&mut self, idle: bool) -> Option<Vec<Arrival>> {
        if self.closing && idle {
            return None;
        }
        let mut arrivals = Vec::new();
        loop {
            let wait = idle && arrivals.is_empty();
            let call = if wait { self.called.recv().ok() } else { self.called.try_recv().ok() };
            match call {
                Some(Call::Asks(asks, listener)) => {
                    self.listeners.extend(asks.iter().map(|ask| (ask.id, listener.clone())));
                    arrivals.push(Arrival::Asks(asks));
                }
                Some(Call::Cancel(ids)) => arrivals.extend(ids.into_iter().map(Arrival::Cancel)),
                Some(Call::CancelAll) => arrivals.extend(self.listeners.keys().copied().map(Arrival::Cancel)),
                Some(Call::Close) => {
                    arrivals.extend(self.listeners.keys().copied().map(Arrival::Cancel));
                    self.closing = true;
                    return Some(arrivals);
                }
                // All callers are gone.
                None if wait => return None,
                None => return Some(arrivals),
            }
        }
    }

    fn tell(&mut self, news: News) {
        let (id, last) = match &news {
            News::Step(load) => {
                *self.load.lock().unwrap_or_else(PoisonError::into_inner) = *load;
                return;
            }
            News::Accepted { id } | News::Token { id, .. } => (*id, false),
            News::Refused { id, .. } | News::Finished { id, .. } => (*id, true),
        };
        let heard = self.listeners.get(&id).is_some_and(|listener| listener.send(news).is_ok());
        if last || !heard {
            // Who does not listen any more has said so, or will.
            self.listeners.remove(&id);
        }
    }
}

/// Lets the engine answer a greedy request, then one of each law. Returns the laws that are still to be written.
fn rehearse(
    engine: &dyn Engine,
    settings: ServingSettings,
    tokenizer: &Tokenizer,
) -> Result<Vec<(&'static str, String)>> {
    let temper_first = SamplingLaw::TemperFirst(SamplerConfig::default());
    let filter_first = SamplingLaw::FilterFirst { temperature: 1.0, top_k: Some(2), top_p: Some(0.5) };
    rehearse_one(engine, settings, tokenizer, Sampling::GREEDY.law)?;
    let mut missing = Vec::new();
    for (name, law) in [("temper-first", temper_first), ("filter-first", filter_first)] {
        match rehearse_one(engine, settings, tokenizer, law) {
            Ok(()) => {}
            Err(Error::NotImplemented { task, .. }) => missing.push((name, format!("task {task} is still to do"))),
            Err(error) => return Err(error),
        }
    }
    Ok(missing)
}

fn rehearse_one(engine: &dyn Engine, settings: ServingSettings, tokenizer: &Tokenizer, law: SamplingLaw) -> Result<()> {
    let request = Request { prompt: vec![1, 2], max_tokens: 2, eos: Vec::new(), sampling: Sampling { law, seed: 0 } };
    let ask = Ask { id: 0, request, stop: Vec::new(), logprobs: Some(1) };
    let mut rehearsal = Rehearsal { ask: Some(ask), ending: None };
    engine.serve(settings, &|id| tokenizer.bytes_of(id), &mut rehearsal)?;
    match rehearsal.ending {
        Some(Ending::Stopped(_)) => Ok(()),
        other => Err(Error::Other(format!("the engine's first answer has ended as {other:?}"))),
    }
}

/// One request, and the end of the engine when it has ended.
struct Rehearsal {
    ask: Option<Ask>,
    ending: Option<Ending>,
}

impl Counter for Rehearsal {
    fn arrivals(&mut self, idle: bool) -> Option<Vec<Arrival>> {
        match self.ask.take() {
            Some(ask) => Some(vec![Arrival::Asks(vec![ask])]),
            None if idle => None,
            None => Some(Vec::new()),
        }
    }

    fn tell(&mut self, news: News) {
        match news {
            News::Finished { ending, .. } => self.ending = Some(ending),
            News::Refused { reason, .. } => self.ending = Some(Ending::Failed(reason)),
            _ => {}
        }
    }
}
