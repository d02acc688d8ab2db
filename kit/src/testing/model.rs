//! The embedded model, for end-to-end tests.

use std::sync::OnceLock;

use crate::{Checkpoint, Result, models};

/// The checkpoint of the embedded model `tiny`, opened once per process.
pub fn tiny_model() -> Result<&'static Checkpoint> {
    static TINY: OnceLock<Checkpoint> = OnceLock::new();
    match TINY.get() {
        Some(checkpoint) => Ok(checkpoint),
        None => {
            let opened = Checkpoint::open(models::embedded("tiny-qwen3"))?;
            Ok(TINY.get_or_init(|| opened))
        }
    }
}
