//! Room for requests: who is let in, who joins when, and who gives way.
//!
//! In: the scheduler's two queues and what the cache says of its room. Out: the same queues, changed. The rule: texts
//! join in order of arrival, each when its whole text fits beside those who run; when pages run out in a step, the youngest
//! gives way and waits in front of all others. The oldest never gives way, so it ends, and then the next is the oldest.

use crate::{
    admission::{Limits, Refusal, refusal},
    batch_model::BatchLm,
    prefix::longest_common,
    scheduler::{Running, Scheduler},
    sequence::Sequence,
};
use kit::Result;

impl<'a, M: BatchLm + ?Sized> Scheduler<'a, M> {
    /// Lets a request in behind all others, or says why not. `waiting` is how many may wait until the next step, free
    /// slots or not: 0 lets nobody in.
    ///
    /// Errors: as [`refusal`].
    pub fn offer(&mut self, sequence: Sequence<'a>, waiting: usize) -> Result<Option<Refusal>> {
        let unknown = |id: &u32| *id as usize >= self.model.vocabulary();
        if let Some(id) = sequence.request.prompt.iter().copied().find(unknown) {
            return Ok(Some(Refusal::UnknownToken(id)));
        }
        let running: Vec<u64> = self.running.iter().map(|running| running.sequence.id).collect();
        let queue: Vec<u64> = self.waiting.iter().map(|sequence| sequence.id).collect();
        let limits = Limits { waiting, positions: self.model.positions().min(self.cache.capacity()) };
        let refusal = refusal(sequence.id, &sequence.request, &running, &queue, &limits)?;
        if refusal.is_none() {
            self.submit(sequence);
        }
        Ok(refusal)
    }

    /// The request that waits longest, if the cache has room for it; nobody overtakes it.
    pub fn next_waiting(&mut self) -> Option<Sequence<'a>> {
        let text = self.waiting.front()?.unread().len();
        // No slot has this number: the text is yet to come.
        let mut rows = vec![(usize::MAX, text as i32)];
        rows.extend(self.running.iter().map(|running| (running.slot, running.sequence.unread().len() as i32)));
        // Alone, whatever does not fit fails with a reason instead of waiting for ever.
        if self.running.is_empty() || self.cache.fits(&rows) { self.waiting.pop_front() } else { None }
    }

    /// Sees to it that `most` unread tokens of each of some running requests fit, by index; returns who is still there.
    ///
    /// Errors: as [`adopt`](Self::adopt) and [`preempt`](Self::preempt).
    pub fn make_way(&mut self, indices: &[usize], most: usize) -> Result<Vec<usize>> {
        let mut indices = indices.to_vec();
        indices.retain(|&index| index < self.running.len());
        for &index in &indices {
            self.adopt(index)?;
        }
        loop {
            indices.retain(|&index| index < self.running.len());
            let needs = |&index: &usize| {
                let Running { slot, sequence } = &self.running[index];
                (*slot, sequence.unread().len().min(most) as i32)
            };
            if self.running.len() <= 1 || self.cache.fits(&indices.iter().map(needs).collect::<Vec<_>>()) {
                return Ok(indices);
            }
            self.preempt()?;
        }
    }

    /// Takes over the longest beginning that another running text has, before anything is read. Errors: as
    /// [`longest_common`] and [`share`](crate::prefix::share).
    pub fn adopt(&mut self, index: usize) -> Result<()> {
        if !self.cache.shares() || self.running[index].sequence.read > 0 {
            return Ok(());
        }
        let cached: Vec<(usize, Vec<u32>)> =
            self.running.iter().map(|running| (running.slot, running.sequence.cached())).collect();
        let Running { slot, sequence } = &mut self.running[index];
        if let Some((from, tokens)) = longest_common(&sequence.unread(), &cached)? {
            self.cache.share(from, *slot, tokens as i32)?;
            sequence.read = tokens;
        }
        Ok(())
    }

    /// Lets the youngest running request give way: its slot and its pages are
    /// free, and it waits in front of all others.
    ///
    /// Its tokens, its chance and its text stay; prompt and answer so far are
    /// read again when it is back. Without a running request nothing happens.
    /// Errors: as [`BatchCache::leave`](crate::batch_cache::BatchCache::leave).
    pub fn preempt(&mut self) -> Result<()> {
        // SOLUTION 3.3.5 self.cache, self.waiting, self.running
        let Some(youngest) = self.running.last() else { return Ok(()) };
        // Only who has left the cache leaves the list.
        self.cache.leave(youngest.slot)?;
        if let Some(Running { mut sequence, .. }) = self.running.pop() {
            sequence.read = 0;
            self.waiting.push_front(sequence);
        }
        Ok(())
        // END SOLUTION
    }
}
