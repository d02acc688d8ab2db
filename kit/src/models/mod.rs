//! The models that the course knows by name: a name or a path flows in, a model's folder flows out.

mod download;
mod hub;
pub mod random;

use std::path::{Path, PathBuf};

pub use download::fetch;
pub use hub::Hub;

use crate::{Error, Result};

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Model {
    /// A folder: part of the repository, or given by its path.
    Folder(PathBuf),
    /// A repository of the hub, fetched on request.
    Hub {
        /// The course's name for it, `qwen3-0.6b`.
        name: &'static str,
        /// The hub's name for it.
        repository: &'static str,
    },
}

/// The course's names and the hub's. The sizes without `qwen3-` are names too.
const HUB: [(&str, &str); 4] = [
    ("qwen3-0.6b", "Qwen/Qwen3-0.6B-MLX-4bit"),
    ("qwen3-1.7b", "Qwen/Qwen3-1.7B-MLX-4bit"),
    ("qwen3-4b", "Qwen/Qwen3-4B-MLX-4bit"),
    ("qwen3-8b", "Qwen/Qwen3-8B-MLX-4bit"),
];

/// Known, but of an architecture that no week before the third computes.
const MIXTURE_OF_EXPERTS: &str = "qwen3-30b-a3b";

/// The folder of a model that is part of the repository: `tiny-qwen3` or `tiny-qwen3-draft`.
pub fn embedded(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(folder)
}

impl Model {
    /// Reads `tiny`, `tiny-draft`, a name of the hub's models in any case, or the path of a folder.
    ///
    /// Errors: `InvalidArgument` with the known names.
    pub fn named(name: &str) -> Result<Self> {
        let lower = name.to_lowercase();
        let long = if lower.starts_with("qwen3-") { lower.clone() } else { format!("qwen3-{lower}") };
        if ["tiny", "tiny-qwen3"].contains(&lower.as_str()) {
            return Ok(Self::Folder(embedded("tiny-qwen3")));
        }
        if ["tiny-draft", "tiny-qwen3-draft"].contains(&lower.as_str()) {
            return Ok(Self::Folder(embedded("tiny-qwen3-draft")));
        }
        if let Some(name) = random::named(&lower) {
            let folder = random::folder(name);
            if folder.join("config.json").is_file() {
                return Ok(Self::Folder(folder));
            }
            let how = format!("make it first: cargo xtask make-checkpoint {name} --random --seed 0");
            return Err(Error::Other(format!("{name}-random is not on this machine yet; {how}")));
        }
        if let Some(&(name, repository)) = HUB.iter().find(|(known, _)| *known == long) {
            return Ok(Self::Hub { name, repository });
        }
        if long == MIXTURE_OF_EXPERTS {
            return Err(Error::Other(format!(
                "{MIXTURE_OF_EXPERTS} is a mixture of experts, which comes in week 3; use qwen3-8b or a smaller one"
            )));
        }
        if Path::new(name).is_dir() {
            return Ok(Self::Folder(PathBuf::from(name)));
        }
        let known: Vec<_> = HUB.iter().map(|(name, _)| *name).collect();
        Err(Error::InvalidArgument {
            name: "the model".into(),
            value: format!("{name:?}"),
            must: format!("be tiny, tiny-draft, {}, {MIXTURE_OF_EXPERTS} or the path of a folder", known.join(", ")),
        })
    }

    /// The model's folder. Errors: a model of the hub that has not been fetched, with the command that does it.
    pub fn folder(&self) -> Result<PathBuf> {
        match self {
            Self::Folder(folder) => Ok(folder.clone()),
            Self::Hub { name, repository } => Hub::from_env()?.folder(name, repository),
        }
    }
}
