//! The embedded model, for end-to-end tests, and what mlx-lm says with it.

use std::sync::OnceLock;

use crate::{Checkpoint, Error, Result, models};

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

/// A prompt of the golden file of `tiny`, and mlx-lm's greedy answer in f32, 48 ids at most.
#[derive(Debug, Clone)]
pub struct TinyAnswer {
    /// The file's name for it.
    pub name: String,
    /// The ids of the prompt.
    pub prompt: Vec<u32>,
    /// The ids that follow, with the end id where the answer ends.
    pub tokens: Vec<u32>,
}

/// All of them. Errors: a sentence where the file cannot be read.
pub fn tiny_answers() -> Result<Vec<TinyAnswer>> {
    let path = models::embedded("golden/tiny_qwen3.json");
    let broken = |why: String| Error::Other(format!("the golden file {} cannot be read: {why}", path.display()));
    let file = std::fs::read(&path).map_err(|e| broken(e.to_string()))?;
    let file: serde_json::Value = serde_json::from_slice(&file).map_err(|e| broken(e.to_string()))?;
    let ids = |value: &serde_json::Value| {
        value.as_array().into_iter().flatten().filter_map(|id| Some(id.as_u64()? as u32)).collect()
    };
    let answer = |case: &serde_json::Value| TinyAnswer {
        name: case["name"].as_str().unwrap_or_default().into(),
        prompt: ids(&case["prompt_ids"]),
        tokens: ids(&case["ids_float32"]),
    };
    Ok(file["cases"].as_array().into_iter().flatten().map(answer).collect())
}
