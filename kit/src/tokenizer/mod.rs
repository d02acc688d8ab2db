//! Text to ids and back: `tokenizer.json`, the chat template and the end ids of a model's folder.

mod byte_level;
mod chat_template;

use serde::Deserialize;
use std::path::{Path, PathBuf};
use tokenizers::DecoderWrapper;

pub use chat_template::Message;

use crate::{
    Error, Result,
    checkpoint::fields::{Fields, read_json},
};
use chat_template::ChatTemplate;

/// A byte-level BPE tokenizer with the chat template of its model.
pub struct Tokenizer {
    file: PathBuf,
    inner: tokenizers::Tokenizer,
    template: Option<ChatTemplate>,
    eos: Vec<u32>,
}

impl Tokenizer {
    /// Reads `tokenizer.json` and, where they are there, `tokenizer_config.json`, `chat_template.jinja` and
    /// `generation_config.json` of `folder`. Errors: [`Error::Checkpoint`] with the file and the reason.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self> {
        let folder = folder.as_ref();
        let file = folder.join("tokenizer.json");
        if !file.is_file() {
            return Err(Error::checkpoint(
                &file,
                "the tokenizer is missing; a model's folder needs its tokenizer.json",
            ));
        }
        let root = serde_json::Value::Object(read_json(&file)?);
        let inner = tokenizers::Tokenizer::deserialize(root)
            .map_err(|e| Error::checkpoint(&file, format!("this is not a tokenizer: {e}")))?;
        if !matches!(inner.get_decoder(), Some(DecoderWrapper::ByteLevel(_))) {
            return Err(Error::checkpoint(&file, "the decoder is not ByteLevel, the only one that this course reads"));
        }
        let template = ChatTemplate::open(folder)?;
        let eos = end_ids(folder)?;
        Ok(Self { file, inner, template, eos })
    }

    /// The ids of a text. Special tokens that are spelled out in it become their ids; none is added.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>> {
        let encoding = self.inner.encode_fast(text, false).map_err(|e| self.refused(format!("cannot encode: {e}")))?;
        Ok(encoding.get_ids().to_vec())
    }

    /// The text of ids, without special tokens; bytes that are not UTF-8 become U+FFFD.
    pub fn decode(&self, ids: &[u32]) -> Result<String> {
        self.inner.decode(ids, true).map_err(|e| self.refused(format!("cannot decode: {e}")))
    }

    /// The bytes that an id adds to a text. Empty for special tokens and for ids that no token has, since embeddings are
    /// often padded with unused rows.
    pub fn bytes_of(&self, id: u32) -> Result<Vec<u8>> {
        if let Some(added) = self.inner.get_added_tokens_decoder().get(&id) {
            return Ok(if added.special { Vec::new() } else { added.content.as_bytes().to_vec() });
        }
        let Some(token) = self.inner.id_to_token(id) else { return Ok(Vec::new()) };
        byte_level::bytes(&token).ok_or_else(|| {
            self.refused(format!("the token {token:?} with id {id} has a character that stands for no byte"))
        })
    }

    /// The ids that end an answer.
    pub fn eos_ids(&self) -> &[u32] {
        &self.eos
    }

    /// The largest id that a token has.
    pub fn largest_id(&self) -> Option<u32> {
        self.inner.get_vocab(true).into_values().max()
    }

    /// The prompt of a conversation, ready for [`Tokenizer::encode`], up to where the assistant's answer begins.
    ///
    /// `thinking` asks a Qwen3 model to think first; templates without that switch ignore it. Errors: no template, or
    /// the template's own refusal.
    pub fn apply_chat_template(&self, messages: &[Message], thinking: bool) -> Result<String> {
        match &self.template {
            Some(template) => template.render(messages, thinking),
            None => Err(self.refused("this model has no chat template; use --raw to continue plain text")),
        }
    }

    fn refused(&self, what: impl Into<String>) -> Error {
        Error::checkpoint(&self.file, what)
    }
}

/// `eos_token_id` of `generation_config.json`, else of `config.json`: one id or a list.
fn end_ids(folder: &Path) -> Result<Vec<u32>> {
    for name in ["generation_config.json", "config.json"] {
        let file = folder.join(name);
        if !file.is_file() {
            continue;
        }
        let root = read_json(&file)?;
        let fields = Fields::new(&file, &root);
        let Some(value) = fields.get("eos_token_id") else { continue };
        let listed = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        let ids: Option<Vec<u32>> = listed.iter().map(|id| id.as_u64().and_then(|id| u32::try_from(id).ok())).collect();
        return ids.ok_or_else(|| {
            fields.refused(format!(
                "eos_token_id is {}, but it must be an id or a list of ids",
                fields.shown("eos_token_id")
            ))
        });
    }
    Ok(Vec::new())
}
