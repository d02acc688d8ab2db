//! What belongs to the course: MLX, downloaded weights, the book.

use std::path::PathBuf;
use std::process::Command;

use super::check::{Check, Need};
use super::first_line;
use crate::commands::setup::{self, MLX_VERSION};
use crate::workspace::Workspace;

/// MLX; optional because every command that needs it sets it up.
pub fn mlx(workspace: &Workspace) -> Check {
    let name = "MLX";
    let fix = "cargo xtask setup (every command that needs MLX also does it by itself)";
    match setup::installed(workspace) {
        Some(origin) if origin.from_source => {
            Check::fine(name, Need::Optional, format!("{MLX_VERSION}, built from source by Cargo"))
        }
        Some(origin) if origin.is_here(workspace) => {
            Check::fine(name, Need::Optional, format!("{MLX_VERSION} in .mlx"))
        }
        Some(origin) => {
            let found = format!("{MLX_VERSION} was set up in {}", origin.root.display());
            Check::missing(name, Need::Optional, found, fix)
        }
        None => Check::missing(name, Need::Optional, format!("{MLX_VERSION} is not set up"), fix),
    }
}

/// Models from Hugging Face; the tiny one is part of the repository.
pub fn weights() -> Check {
    let name = "Weights";
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache/huggingface"));
    let cache = std::env::var_os("HF_HOME").map(PathBuf::from).or_else(home).unwrap_or_default().join("hub");
    let folders = std::fs::read_dir(cache).into_iter().flatten().flatten();
    let names = folders.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        Some(name.strip_prefix("models--")?.rsplit("--").next()?.to_string())
    });
    let mut models: Vec<String> = names.filter(|name| name.starts_with("Qwen3-")).collect();
    models.sort();
    match models.is_empty() {
        true => Check::missing(
            name,
            Need::Optional,
            "only tiny, part of the course",
            "cargo xtask fetch qwen3-0.6b (0.4 GB)",
        ),
        false => Check::fine(name, Need::Optional, format!("tiny, {}", models.join(", "))),
    }
}

/// mdBook on the machine; the course builds its own where there is none.
pub fn book() -> Check {
    match first_line(Command::new("mdbook").arg("--version")) {
        Some(version) => Check::fine("Book", Need::Optional, version),
        None => Check::fine("Book", Need::Optional, "no mdbook, none needed: cargo xtask book serve"),
    }
}
