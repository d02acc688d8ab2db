//! How kernels run: on how many threads, with which instructions, and which step of their ladder.
//!
//! The settings are those of the process. A node of the graph keeps the ones it was built with.

use std::ffi::c_int;

use kit::{Error, Result};

use crate::border;

unsafe extern "C" {
    #[link_name = concat!(env!("EXT_PREFIX"), "threads")]
    fn c_threads(threads: *mut c_int) -> c_int;
    #[link_name = concat!(env!("EXT_PREFIX"), "set_threads")]
    fn c_set_threads(threads: c_int) -> c_int;
    #[link_name = concat!(env!("EXT_PREFIX"), "instructions")]
    fn c_instructions(set: *mut c_int) -> c_int;
    #[link_name = concat!(env!("EXT_PREFIX"), "has_instructions")]
    fn c_has_instructions(set: c_int) -> c_int;
    #[link_name = concat!(env!("EXT_PREFIX"), "set_instructions")]
    fn c_set_instructions(set: c_int) -> c_int;
    #[link_name = concat!(env!("EXT_PREFIX"), "set_version")]
    fn c_set_version(version: c_int);
}

/// The most threads that [`set_threads`] and `TINY_LLM_THREADS` take.
pub const MOST_THREADS: usize = 256;

/// A set of instructions that the loops are compiled for. The numbers are those of include/ext/tuning.h.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instructions {
    /// SSE2 on x86-64, NEON on arm64: four f32 at a time.
    Baseline = 0,
    /// AVX2, FMA and F16C: eight f32 at a time.
    Avx2 = 1,
    /// AVX-512: sixteen f32 at a time.
    Avx512 = 2,
}

impl Instructions {
    /// All of them, the plainest first.
    pub const ALL: [Self; 3] = [Self::Baseline, Self::Avx2, Self::Avx512];

    /// Whether this processor has them, and this build the loops for them.
    pub fn available(self) -> bool {
        // SAFETY: the function takes a number and asks the processor.
        unsafe { c_has_instructions(self as c_int) == 1 }
    }
}

/// How many threads a kernel may use, the stream's own included: what [`set_threads`] said, else `TINY_LLM_THREADS`,
/// else as many as the machine gives this process.
///
/// Errors: a sentence when `TINY_LLM_THREADS` is not a whole number from 1 to 256.
pub fn threads() -> Result<usize> {
    let mut threads = 0;
    // SAFETY: the pointer is valid for a write during the call.
    border::status(unsafe { c_threads(&mut threads) })?;
    usize::try_from(threads).map_err(|_| Error::Other(format!("{threads} is not a number of threads")))
}

/// Sets the number of threads of kernels built from now on.
///
/// Errors: `InvalidArgument` about `threads` unless 1 to [`MOST_THREADS`].
pub fn set_threads(threads: usize) -> Result<()> {
    let must = || Error::InvalidArgument {
        name: "threads".to_string(),
        value: threads.to_string(),
        must: format!("be from 1 to {MOST_THREADS}"),
    };
    let count = c_int::try_from(threads).map_err(|_| must())?;
    if !(1..=MOST_THREADS).contains(&threads) {
        return Err(must());
    }
    // SAFETY: the function takes a number.
    border::status(unsafe { c_set_threads(count) })
}

/// The instructions that kernels use: the best that the processor has, unless [`set_instructions`] said otherwise.
///
/// Errors: as [`threads`].
pub fn instructions() -> Result<Instructions> {
    let mut set = 0;
    // SAFETY: the pointer is valid for a write during the call.
    border::status(unsafe { c_instructions(&mut set) })?;
    let known = Instructions::ALL.into_iter().find(|known| *known as c_int == set);
    known.ok_or_else(|| Error::Other(format!("{set} is not a set of instructions")))
}

/// Sets the instructions of kernels built from now on.
///
/// Errors: `InvalidArgument` about `instructions` when the processor does not have them.
pub fn set_instructions(set: Instructions) -> Result<()> {
    if !set.available() {
        let (name, value) = ("instructions".to_string(), format!("{set:?}"));
        return Err(Error::InvalidArgument { name, value, must: "be what this processor has".to_string() });
    }
    // SAFETY: the function takes a number.
    border::status(unsafe { c_set_instructions(set as c_int) })
}

/// Picks a step of the ladder for kernels built from now on: 1 is the naive form, and a number beyond a kernel's last
/// step is its last. `None` is the fastest.
pub fn set_version(version: Option<u8>) {
    // SAFETY: the function takes a number.
    unsafe { c_set_version(version.map_or(0, c_int::from)) }
}

/// Runs `body` with that step of the ladder, on each set of instructions that this processor has, up to the first error.
/// Afterwards the fastest step runs again on the instructions of before, even where `body` panics.
///
/// Errors: as [`instructions`]; those of `body`.
pub fn on_every_set(step: u8, body: impl Fn() -> Result<()>) -> Result<()> {
    struct Before(Instructions);
    impl Drop for Before {
        fn drop(&mut self) {
            set_version(None);
            // SAFETY: the function takes a number; the processor has had these instructions before.
            unsafe { c_set_instructions(self.0 as c_int) };
        }
    }
    let _before = Before(instructions()?);
    set_version(Some(step));
    let on = |set: Instructions| set_instructions(set).and_then(|()| body());
    Instructions::ALL.into_iter().filter(|set| set.available()).try_for_each(on)
}
