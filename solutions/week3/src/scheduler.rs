//! Many requests over one model: who reads, who writes, who waits.
//!
//! In: requests, at any time. Out of every step: events with tokens, text and endings. Between two steps requests join
//! and leave. The order of service: first come, first served. The oldest waiting request takes the lowest free slot, and
//! every request in a slot gets one token a step once its text is read (a cache in pages can make the youngest wait
//! again), so whoever waits, waits only for those
//! who came before.

use crate::{
    batch_cache::BatchCache,
    batch_model::BatchLm,
    sequence::{FinishReason, Sequence},
};
use kit::{Error, Result};
use mlx_rs::{Array, ops::indexing::TryIndexOp};
use std::collections::VecDeque;

/// What happened to a request in a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// It has a new token; `text` is what became final with it, often nothing.
    Token {
        /// The request.
        id: u64,
        /// The token, end ids included.
        token: u32,
        /// To be shown.
        text: String,
    },
    /// It has ended and holds nothing any more. The last event of a request.
    Finished {
        /// The request.
        id: u64,
        /// Why.
        reason: FinishReason,
    },
}

/// A request that has a slot.
pub struct Running<'a> {
    /// Its place in the cache.
    pub slot: usize,
    /// The request.
    pub sequence: Sequence<'a>,
}

/// Requests, a model and its cache.
pub struct Scheduler<'a, M: ?Sized> {
    /// What gives the logits.
    pub model: &'a M,
    /// What the texts remember.
    pub cache: Box<dyn BatchCache + 'a>,
    /// Requests without a slot, in order of arrival.
    pub waiting: VecDeque<Sequence<'a>>,
    /// Requests with a slot, in order of arrival; all came before all of
    /// `waiting`.
    pub running: Vec<Running<'a>>,
    /// The most tokens of a step, read and written; `None` reads every
    /// prompt whole.
    pub step_tokens: Option<usize>,
    /// What has happened and nobody knows yet: a step that fails keeps it for
    /// the next one.
    pub events: Vec<Event>,
}

impl<'a, M: BatchLm + ?Sized> Scheduler<'a, M> {
    /// A scheduler without requests. `cache` is empty.
    pub fn new(model: &'a M, cache: Box<dyn BatchCache + 'a>) -> Self {
        Self { model, cache, waiting: VecDeque::new(), running: Vec::new(), step_tokens: None, events: Vec::new() }
    }

    /// Puts a request behind all others, whatever it is;
    /// [`offer`](Self::offer) looks at it first.
    pub fn submit(&mut self, sequence: Sequence<'a>) {
        self.waiting.push_back(sequence);
    }

    /// Ends a request at the next step; false where there is none of that id.
    pub fn cancel(&mut self, id: u64) -> bool {
        let running = self.running.iter_mut().map(|running| &mut running.sequence);
        match running.chain(&mut self.waiting).find(|sequence| sequence.id == id) {
            Some(sequence) => {
                sequence.cancel();
                true
            }
            None => false,
        }
    }

    /// Whether nothing is left to do.
    pub fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.running.is_empty()
    }

    /// Takes out every request that has ended, running or waiting, frees its
    /// slot, and adds [`Event::Finished`] for it to `events`.
    ///
    /// Errors: as [`BatchCache::leave`].
    pub fn retire(&mut self) -> Result<()> {
        // SOLUTION 3.1.4 self.cache, self.waiting, self.running, self.events
        for index in (0..self.running.len()).rev() {
            if let Some(reason) = self.running[index].sequence.finish.clone() {
                self.cache.leave(self.running[index].slot)?;
                let gone = self.running.remove(index);
                self.events.push(Event::Finished { id: gone.sequence.id, reason });
            }
        }
        self.waiting.retain(|sequence| match sequence.finish.clone() {
            Some(reason) => {
                self.events.push(Event::Finished { id: sequence.id, reason });
                false
            }
            None => true,
        });
        Ok(())
        // END SOLUTION
    }

    /// Gives the lowest free slots to those who wait longest, as long as
    /// [`next_waiting`](Self::next_waiting) lets one in: where the cache has no
    /// room for the first, nobody overtakes it.
    ///
    /// Errors: as [`BatchCache::join`].
    pub fn join(&mut self) -> Result<()> {
        // SOLUTION 3.1.4 self.cache, self.waiting, self.running
        while let Some(slot) = (0..self.cache.slots()).find(|&slot| self.cache.length(slot).is_none()) {
            let Some(sequence) = self.next_waiting() else { break };
            if let Err(error) = self.cache.join(slot) {
                self.waiting.push_front(sequence);
                return Err(error);
            }
            self.running.push(Running { slot, sequence });
        }
        Ok(())
        // END SOLUTION
    }

    /// One step: ended requests leave, waiting ones join; texts of which more
    /// than one token is unread are read; all others get their next token in
    /// one pass of the model; those that have ended leave.
    ///
    /// So every running request gets exactly one token, unless its text is
    /// read in pieces. Without requests nothing happens. Errors: whatever model and cache return; what has happened
    /// before is told by the next step. What concerns a single request ends that request as [`FinishReason::Failed`].
    pub fn step(&mut self) -> Result<Vec<Event>> {
        // SOLUTION 3.1.4 self.model, self.cache, self.running, self.events
        self.retire()?;
        self.join()?;
        let (reading, writing): (Vec<usize>, Vec<usize>) =
            (0..self.running.len()).partition(|&index| self.running[index].sequence.unread().len() > 1);
        self.read(&reading)?;
        if !writing.is_empty() {
            self.feed(&writing, 1)?;
        }
        self.retire()?;
        Ok(std::mem::take(&mut self.events))
        // END SOLUTION
    }

    /// Reads texts, by index: each alone and whole, or pieces of them where a
    /// step has a budget.
    pub fn read(&mut self, indices: &[usize]) -> Result<()> {
        if let Some(budget) = self.step_tokens {
            return self.read_pieces(budget);
        }
        indices.iter().try_for_each(|&index| self.feed(&[index], usize::MAX))
    }

    /// Reads what [`pieces`](crate::budget::pieces) gives a step of `budget`
    /// tokens: each piece alone, in their order.
    ///
    /// Whoever has read the last piece of its text gets a token in this step.
    /// Errors: as [`pieces`](crate::budget::pieces) and [`step`](Self::step).
    pub fn read_pieces(&mut self, budget: usize) -> Result<()> {
        // SOLUTION 3.2.2 self.running, budget
        let unread: Vec<usize> = self.running.iter().map(|running| running.sequence.unread().len()).collect();
        for piece in crate::budget::pieces(&unread, budget)? {
            self.feed(&[piece.index], piece.tokens)?;
        }
        Ok(())
        // END SOLUTION
    }

    /// Feeds the next `most` unread tokens of some running requests, by
    /// index, as many of each, in one pass; whoever has read all of its text
    /// then gets a token. Where a cache in pages has no room, the youngest
    /// give way first, and may be missing then.
    ///
    /// Errors: as [`step`](Self::step).
    pub fn feed(&mut self, indices: &[usize], most: usize) -> Result<()> {
        use week2::model::Rows;

        let indices = self.make_way(indices, most)?;
        if indices.is_empty() {
            return Ok(());
        }
        let (mut tokens, mut slots, mut length) = (Vec::<u32>::new(), Vec::new(), 0);
        for &index in &indices {
            let Running { slot, sequence } = &self.running[index];
            let unread = sequence.unread();
            length = unread.len().min(most);
            tokens.extend(&unread[..length]);
            slots.push(*slot);
        }
        let tokens = Array::from_slice(&tokens, &[indices.len() as i32, length as i32]); // (B, L)
        let logits = match self.model.forward(&tokens, &slots, &mut *self.cache, Rows::Last) {
            // Some row asks for what cannot be. Nothing has changed, so each can be asked by itself.
            Err(Error::InvalidArgument { .. }) if indices.len() > 1 => {
                return indices.iter().try_for_each(|&index| self.feed(&[index], most));
            }
            Err(error) if indices.len() == 1 && self.is_its_own_fault(indices[0], length, &error) => {
                self.running[indices[0]].sequence.finish = Some(FinishReason::Failed(error.to_string()));
                return Ok(());
            }
            logits => logits?, // (B, 1, V)
        };
        for (row, index) in (0..).zip(indices) {
            let sequence = &mut self.running[index].sequence;
            sequence.read += length;
            if sequence.unread().is_empty() {
                // A row of its own, so that no law depends on how many rows there are.
                self.events.extend(next_token(sequence, &logits.try_index(row..row + 1)?)?);
            }
        }
        Ok(())
    }

    /// Whether a pass of one request alone must fail again: its arguments are
    /// wrong, or there is no room for it though nobody else has any.
    fn is_its_own_fault(&self, index: usize, tokens: usize, error: &Error) -> bool {
        let alone = self.running.len() == 1;
        matches!(error, Error::InvalidArgument { .. })
            || alone && !self.cache.fits(&[(self.running[index].slot, tokens as i32)])
    }
}

/// Lets a request draw its token; what fails ends the request.
fn next_token(sequence: &mut Sequence<'_>, logits: &Array) -> Result<Option<Event>> {
    let drawn = sequence.choose(logits).and_then(|token| Ok((token, sequence.push(token)?)));
    match drawn {
        Ok((token, text)) => Ok(Some(Event::Token { id: sequence.id, token, text })),
        // A task that is still to do concerns everyone.
        Err(stub @ Error::NotImplemented { .. }) => Err(stub),
        Err(error) => {
            sequence.finish = Some(FinishReason::Failed(error.to_string()));
            Ok(None)
        }
    }
}
