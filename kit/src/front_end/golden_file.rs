//! The file that `verify` reads: prompts, ids and logits that an independent program computed.

use serde::Deserialize;
use std::path::Path;

use crate::{Error, Message, Result, checkpoint::fields::read_small};

/// The whole file. Fields that only other commands need are skipped.
#[derive(Deserialize)]
pub(super) struct GoldenFile {
    /// The model by the course's name.
    pub(super) model: String,
    pub(super) eos_ids: Vec<u32>,
    pub(super) cases: Vec<Case>,
}

/// One prompt with its expected continuation.
#[derive(Deserialize)]
pub(super) struct Case {
    pub(super) name: String,
    /// A conversation; else `raw`.
    pub(super) messages: Option<Vec<Message>>,
    /// Plain text.
    pub(super) raw: Option<String>,
    pub(super) prompt_ids: Vec<u32>,
    /// The greedy continuation in bf16, of which the first `safe_tokens` hold in any arithmetic.
    pub(super) ids: Vec<u32>,
    pub(super) safe_tokens: usize,
    /// The greedy continuation in f32.
    pub(super) ids_float32: Vec<u32>,
    /// The logits after the prompt in f32.
    pub(super) logits_float32: Option<Logits>,
}

/// A row of logits in short.
#[derive(Deserialize)]
pub(super) struct Logits {
    pub(super) top20: Top,
    pub(super) stats: Stats,
}

/// The largest logits.
#[derive(Deserialize)]
pub(super) struct Top {
    pub(super) ids: Vec<u32>,
    pub(super) values: Vec<f64>,
}

/// Figures of the whole row; `std` is over all V entries, `l2` the root of the sum of squares.
#[derive(Deserialize)]
pub(super) struct Stats {
    pub(super) mean: f64,
    pub(super) std: f64,
    pub(super) max: f64,
    pub(super) min: f64,
    pub(super) argmax: u32,
    pub(super) l2: f64,
}

/// Reads and checks the file. Errors: a sentence with the file's name and what is wrong in it.
pub(super) fn read(file: &Path) -> Result<GoldenFile> {
    let golden: GoldenFile = serde_json::from_slice(&read_small(file)?)
        .map_err(|e| Error::checkpoint(file, format!("this is not a golden file: {e}")))?;
    let wrong = |case: &Case, what: &str| Err(Error::checkpoint(file, format!("the case {} {what}", case.name)));
    if golden.cases.is_empty() {
        return Err(Error::checkpoint(file, "the file has no cases, so nothing would be verified"));
    }
    for case in &golden.cases {
        if case.messages.is_some() == case.raw.is_some() {
            return wrong(case, "must have either messages or raw");
        }
        if case.prompt_ids.is_empty() || case.ids_float32.is_empty() {
            return wrong(case, "has no prompt_ids or no ids_float32");
        }
        if case.safe_tokens == 0 || case.safe_tokens > case.ids.len() {
            return wrong(case, &format!("has {} safe_tokens of {} ids", case.safe_tokens, case.ids.len()));
        }
        if case
            .logits_float32
            .as_ref()
            .is_some_and(|row| row.top20.ids.is_empty() || row.top20.ids.len() != row.top20.values.len())
        {
            return wrong(case, "has a top20 whose ids and values are not as many");
        }
    }
    Ok(golden)
}
