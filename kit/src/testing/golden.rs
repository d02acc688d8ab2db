//! Golden files: answers of independent programs, committed under `solutions/*/tests/golden/`.

use mlx_rs::Array;
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use crate::{Error, Result};

/// The place of a golden file: `week1/rope.safetensors` is `solutions/week1/tests/golden/rope.safetensors`.
///
/// The path is found from the workspace, so a test may be compiled from any folder.
pub fn golden(path: &str) -> PathBuf {
    let (package, file) = path.split_once('/').unwrap_or(("", path));
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("solutions").join(package).join("tests/golden").join(file)
}

/// A golden JSON file, parsed. Errors: a sentence with the file's name.
pub fn golden_json(path: &str) -> Result<serde_json::Value> {
    let file = golden(path);
    let text = std::fs::read(&file).map_err(|e| unreadable(&file, &e))?;
    serde_json::from_slice(&text).map_err(|e| unreadable(&file, &e))
}

/// The arrays of a golden safetensors file by name. Errors: a sentence with the file's name.
pub fn golden_tensors(path: &str) -> Result<HashMap<String, Array>> {
    let file = golden(path);
    Array::load_safetensors(&file).map_err(|e| unreadable(&file, &e))
}

fn unreadable(file: &Path, why: &dyn std::fmt::Display) -> Error {
    Error::Other(format!("the golden file {} cannot be read: {why}", file.display()))
}
