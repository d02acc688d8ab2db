//! How a launch is executed, and what is looked at.

use std::time::Duration;

use crate::compile::Sanitizer;

/// In which order the threads of a group run. Kernels that are right give the same in every order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// SIMD groups one after the other, each as far as it comes. Shows missing barriers best.
    Forward,
    /// The same from the last thread.
    Reverse,
    /// SIMD groups take turns.
    Interleaved,
    /// Any thread next; the number is the seed.
    Random(u64),
}

/// What a launch is checked for.
#[derive(Clone, Debug)]
pub struct Checks {
    pub(crate) guarded: bool,
    pub(crate) compared: bool,
    pub(crate) order: Order,
    pub(crate) sanitizer: Option<Sanitizer>,
    pub(crate) workers: u32,
    pub(crate) limit: Duration,
}

impl Checks {
    /// None: the kernel runs where the buffers are, on every processor. What it does outside of them happens to this
    /// process. Only for kernels that passed the checks.
    pub fn none() -> Self {
        Checks {
            guarded: false,
            compared: false,
            order: Order::Forward,
            sanitizer: None,
            workers: 0,
            limit: Duration::from_secs(10),
        }
    }

    /// One run on copies of the buffers, between pages that fault: accesses outside, divergent barriers, divisions by
    /// zero, too much threadgroup memory.
    pub fn guarded() -> Self {
        Checks { guarded: true, workers: 1, ..Checks::none() }
    }

    /// Guarded runs in forward and in reverse order with different content of all memory that is not initialised. Whatever
    /// differs is a missing barrier, memory that was read before it was written, or an access just behind a buffer; further
    /// runs say which, and where it is a barrier, ThreadSanitizer says which lines.
    pub fn all() -> Self {
        Checks { compared: true, ..Checks::guarded() }
    }

    /// All, and ThreadSanitizer in any case: it also sees races that change no result here. Compiles for seconds, once.
    pub fn races() -> Self {
        Checks::all().sanitizer(Sanitizer::Thread)
    }

    /// Runs in this order; a comparison starts from it.
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Runs once more under a sanitizer, in a process of its own.
    pub fn sanitizer(mut self, sanitizer: Sanitizer) -> Self {
        self.sanitizer = Some(sanitizer);
        self
    }

    /// How long a checked run may take, 10 seconds otherwise; a kernel that takes longer counts as endless.
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Uses so many processors instead of all, where nothing is checked.
    pub fn workers(mut self, workers: u32) -> Self {
        self.workers = workers;
        self
    }
}

impl Default for Checks {
    fn default() -> Self {
        Checks::all()
    }
}
