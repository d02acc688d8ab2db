//! `--draft-model`: the name of a small model in, the engine that lets it guess out.

use super::{Program, refused};
use crate::{Checkpoint, Drafts, Engine, Error, Result, Tokenizer, models::Model};

/// Guesses at a time where nobody says how many.
const DEPTH: usize = 4;

/// The small model of the embedded one.
pub(super) const EMBEDDED: &str = "tiny-draft";

/// What the flags ask for.
#[derive(Debug, Clone, Copy)]
pub(super) struct DraftChoice<'a> {
    model: &'a str,
    depth: usize,
}

impl<'a> DraftChoice<'a> {
    /// Reads `--draft-model` and `--draft-tokens`. Errors: another week's engine; no guesses at all; a number of guesses
    /// without a model that makes them.
    pub(super) fn of(model: Option<&'a str>, depth: Option<usize>, program: Program<'_>) -> Result<Option<Self>> {
        match (model, depth) {
            (None, None) => Ok(None),
            (None, Some(_)) => Err(Error::Other("--draft-tokens needs --draft-model, the model that guesses".into())),
            (Some(_), _) if !matches!(program.load, super::Load::Drafted(..)) => Err(Error::Other(
                "--draft-model needs speculative decoding, which week 3 has: add --week 3 --who you or ref".into(),
            )),
            (Some(_), Some(0)) => refused("--draft-tokens", 0, "be at least 1"),
            (Some(model), depth) => Ok(Some(Self { model, depth: depth.unwrap_or(DEPTH) })),
        }
    }

    /// The engine of `checkpoint` at a stage that this model guesses for. Errors: as loading; a model whose `text` becomes other
    /// tokens than `prompt`, where both are given, so that its guesses would be another model's words.
    pub(super) fn engine(
        self,
        program: Program<'_>,
        checkpoint: &Checkpoint,
        stage: Option<&str>,
        read: Option<(&Tokenizer, &str)>,
    ) -> Result<Box<dyn Engine>> {
        let draft = Checkpoint::open(Model::named(self.model)?.folder()?)?;
        if let Some((tokenizer, text)) = read
            && draft.tokenizer()?.encode(text)? != tokenizer.encode(text)?
        {
            let must = "read a text as the same tokens as --model";
            return refused("--draft-model", self.model, must);
        }
        match program.load {
            super::Load::Drafted(_, drafted) => drafted(checkpoint, stage, &draft, self.depth),
            _ => program.load.engine(checkpoint, stage),
        }
    }
}

/// What became of the guesses, as a part of a line of figures.
pub(super) fn line(drafts: &Drafts, new_tokens: usize) -> String {
    let Drafts { windows, drafted, kept } = *drafts;
    let share = 100.0 * kept as f64 / drafted.max(1) as f64;
    // The first token comes from the pass over the prompt.
    let per_pass = new_tokens.saturating_sub(1) as f64 / windows.max(1) as f64;
    format!("{kept} of {drafted} drafts kept ({share:.0}%), {per_pass:.2} tokens a pass")
}
