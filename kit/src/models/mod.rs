//! The models that the course knows by name: a name or a path flows in, a model's folder flows out.

use std::path::{Path, PathBuf};

/// The folder of a model that is part of the repository: `tiny-qwen3` or `tiny-qwen3-draft`.
pub fn embedded(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(folder)
}
