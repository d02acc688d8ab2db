//! The engines of others that a benchmark compares with: their names, and where `cargo xtask bench peers` puts them.

use std::path::PathBuf;

use crate::workspace::Workspace;

/// What is prepared at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Python packages, and OpenBLAS in front of MLX.
    MlxLm,
    /// A Python package that is built from C++ for this processor.
    LlamaCpp,
    /// A Rust program of this repository with a lock file of its own.
    Candle,
}

impl Part {
    /// In the order in which they are prepared: the quick one first.
    pub const ALL: [Self; 3] = [Self::MlxLm, Self::Candle, Self::LlamaCpp];

    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::MlxLm => "mlx-lm",
            Self::LlamaCpp => "llama.cpp",
            Self::Candle => "candle",
        }
    }
}

/// One engine of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer {
    /// Its name on the command line and the name of its program.
    pub name: &'static str,
    /// What brings it.
    pub part: Part,
    /// How its file of weights is packed; `None` for one that reads the checkpoint itself.
    pub packing: Option<&'static str>,
}

/// All of them. The first four are what `peers` stands for.
pub const PEERS: [Peer; 6] = [
    Peer { name: "mlx-lm", part: Part::MlxLm, packing: None },
    Peer { name: "llama.cpp-q4_1", part: Part::LlamaCpp, packing: Some("q4_1") },
    Peer { name: "llama.cpp-q4_0", part: Part::LlamaCpp, packing: Some("q4_0") },
    Peer { name: "candle-q4_0", part: Part::Candle, packing: Some("q4_0") },
    Peer { name: "candle-q4_1", part: Part::Candle, packing: Some("q4_1") },
    Peer { name: "mlx-lm-bf16", part: Part::MlxLm, packing: None },
];

/// The word for the first four.
pub const ALL_OF_THEM: &str = "peers";

impl Peer {
    /// The one of that name.
    pub fn named(name: &str) -> Option<Self> {
        PEERS.into_iter().find(|peer| peer.name == name)
    }

    /// The program that takes part.
    pub fn program(self, workspace: &Workspace) -> PathBuf {
        folder(workspace).join("bin").join(self.name)
    }
}

/// Everything that is prepared.
pub fn folder(workspace: &Workspace) -> PathBuf {
    workspace.root().join("target/peers")
}

/// The file of a model's weights in a packing.
pub fn weights(workspace: &Workspace, model: &str, packing: &str) -> PathBuf {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || "-._".contains(letter) { letter } else { '_' };
    folder(workspace).join("gguf").join(format!("{}-{packing}.gguf", model.chars().map(plain).collect::<String>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_names_of_files_too() {
        let root = std::path::Path::new("/course");
        let workspace = Workspace::at(root);
        let llama = Peer::named("llama.cpp-q4_1").expect("a peer");
        assert_eq!(llama.program(&workspace), root.join("target/peers/bin/llama.cpp-q4_1"));
        assert_eq!(
            weights(&workspace, "../models/a b", "q4_1"),
            root.join("target/peers/gguf/.._models_a_b-q4_1.gguf")
        );
        assert!(Peer::named("llama.cpp").is_none());
    }
}
