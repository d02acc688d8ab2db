//! A request that the engine works on, as the handler holds it: news out, and a cancellation when it is dropped early.

use kit::{
    StopReason,
    serving::{Ending, News},
};
use std::{
    sync::{Arc, mpsc},
    time::Instant,
};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::{
    engine_room::Call,
    fault::{Answer, Fault},
    job::Job,
    site::Site,
};

/// The engine's work for one request. Whoever drops it before the end, because its client is gone, cancels the rest, and
/// the pages are free after the next step.
pub struct Ticket {
    site: Arc<Site>,
    calls: mpsc::Sender<Call>,
    news: UnboundedReceiver<News>,
    first: u64,
    /// When each choice had its last token; `None` before the first.
    heard: Vec<Option<Instant>>,
    ended: Vec<bool>,
    began: Instant,
    accepted: bool,
}

/// What is told of a choice, by its index.
#[derive(Debug)]
pub enum Told {
    /// A token.
    Token(News),
    /// Its end: `stop` or `length`.
    End(&'static str),
}

impl Ticket {
    /// Hands a job in and waits until it is let in.
    ///
    /// Errors: 429 where the queue is full, 400 for what the engine can never do, 503 where there is no engine any more.
    pub async fn take(site: &Arc<Site>, job: &Job) -> Answer<Self> {
        let texts = job.texts();
        let first = site.numbers(texts as u64);
        let (listener, news) = unbounded_channel();
        let calls = site.calls.clone();
        let began = Instant::now();
        if calls.send(Call::Asks(job.asks(first, site.tokenizer.eos_ids()), listener)).is_err() {
            return Err(Fault::engine("it has ended"));
        }
        let (heard, ended) = (vec![None; texts], vec![false; texts]);
        let mut ticket = Self { site: Arc::clone(site), calls, news, first, heard, ended, began, accepted: false };
        for _ in 0..texts {
            match ticket.news.recv().await {
                Some(News::Accepted { .. }) => {}
                Some(News::Refused { reason, temporary, .. }) => {
                    // None of them is in.
                    ticket.ended.fill(true);
                    return Err(if temporary { Fault::busy(reason) } else { Fault::field("prompt", reason) });
                }
                _ => return Err(Fault::engine("it has ended")),
            }
        }
        ticket.accepted = true;
        site.metrics.prompts(job.prompt_tokens());
        Ok(ticket)
    }

    /// The next token or end of a choice, with its index; `None` when all have ended.
    ///
    /// Errors: an engine that has failed; a server that shuts down.
    pub async fn next(&mut self) -> Answer<Option<(usize, Told)>> {
        if self.ended.iter().all(|ended| *ended) {
            return Ok(None);
        }
        let Some(news) = self.news.recv().await else { return Err(Fault::engine("it has ended")) };
        match news {
            News::Token { id, .. } => {
                let (index, now) = (self.index(id), Instant::now());
                let before = self.heard[index].replace(now);
                self.site.metrics.token(before.is_none(), now - before.unwrap_or(self.began));
                Ok(Some((index, Told::Token(news))))
            }
            News::Finished { id, ending } => {
                let index = self.index(id);
                self.ended[index] = true;
                let reason = match ending {
                    Ending::StopString(_) | Ending::Stopped(StopReason::Eos(_)) => "stop",
                    Ending::Stopped(StopReason::MaxTokens) => "length",
                    Ending::Stopped(StopReason::Cancelled) => {
                        self.site.metrics.choice("cancelled");
                        return Err(Fault::closing());
                    }
                    Ending::Failed(why) => {
                        self.site.metrics.choice("failed");
                        return Err(Fault::engine(&why));
                    }
                };
                self.site.metrics.choice(reason);
                Ok(Some((index, Told::End(reason))))
            }
            News::Accepted { .. } | News::Refused { .. } | News::Step(_) => {
                Err(Fault::engine(&format!("it said {news:?} in the middle of an answer")))
            }
        }
    }

    fn index(&self, id: u64) -> usize {
        (id - self.first) as usize
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let open = || (self.first..).zip(&self.ended).filter(|(_, ended)| !**ended).map(|(id, _)| id);
        let ids: Vec<u64> = open().collect();
        for _ in &ids {
            self.site.metrics.choice("cancelled");
        }
        if self.accepted {
            self.site.metrics.whole(self.began.elapsed());
        }
        if !ids.is_empty() {
            // An engine that has ended holds nothing.
            self.calls.send(Call::Cancel(ids)).unwrap_or_default();
        }
    }
}
