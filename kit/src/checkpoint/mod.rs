//! A model's folder: untrusted files in, a checked configuration and arrays by path out.
//!
//! A checkpoint may come from anywhere, so [`Checkpoint::open`] compares `config.json`, the safetensors headers and the
//! files' lengths with each other before any value is read. Every refusal is one sentence.

mod config;
mod experts;
pub(crate) mod fields;
mod header;
mod layout;
mod shards;
mod weights;

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

pub use config::{Config, Quantization};
pub use experts::Experts;
pub use weights::{LinearWeights, Weights};

use crate::{Error, Result, Tokenizer};

/// A model's folder whose files agree with each other.
pub struct Checkpoint {
    folder: PathBuf,
    config: Config,
    tensors: HashMap<String, header::Stored>,
}

impl Checkpoint {
    /// Reads `config.json` and the headers of the safetensors files in `folder`.
    ///
    /// Errors: [`Error::Checkpoint`] with the file, the tensor or field, and both values.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self> {
        let folder = folder.as_ref().to_path_buf();
        if !folder.is_dir() {
            return Err(Error::checkpoint(&folder, "this is not a folder"));
        }
        let config = Config::open(&folder.join("config.json"))?;
        let (list, tensors) = shards::read_tensors(&folder)?;
        layout::check(&list, &config, &tensors)?;
        Ok(Self { folder, config, tensors })
    }

    /// The folder it was read from.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The sizes of the model.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Bytes of all tensors as they are stored.
    pub(crate) fn stored_bytes(&self) -> u64 {
        let bits = |tensor: &header::Stored| tensor.shape.iter().product::<u64>() * tensor.dtype.bitsize() as u64;
        self.tensors.values().map(|tensor| bits(tensor) / 8).sum()
    }

    /// The arrays, from the root.
    pub fn weights(&self) -> Weights<'_> {
        Weights::new(self)
    }

    /// The tokenizer of the same folder. Errors: as [`Tokenizer::open`], and when it has ids that the embedding lacks.
    pub fn tokenizer(&self) -> Result<Tokenizer> {
        let tokenizer = Tokenizer::open(&self.folder)?;
        match tokenizer.largest_id() {
            Some(id) if i64::from(id) >= i64::from(self.config.vocab_size) => Err(Error::checkpoint(
                &self.folder.join("tokenizer.json"),
                format!("the tokenizer has id {id}, but the model's vocab_size is {}", self.config.vocab_size),
            )),
            _ => Ok(tokenizer),
        }
    }
}
