//! Two models as one engine: the small one guesses, the large one decides, and nobody who reads the text can tell.
//!
//! In: two checkpoints with the same vocabulary, then requests. Out: tokens and text whose law is that of the large model
//! alone, and what became of the drafts.

use crate::{
    batch_model::{BatchLm, BatchModel},
    engine::{ServingEngine, choose_kernels},
    reader::Reader,
    sequence::{FinishReason, Sequence},
    speculative::{Decoded, Plan, Rule, decode},
    stage::Stage,
};
use kit::{
    BatchEvent, BatchSettings, Checkpoint, Detokenizer, Drafts, Engine, Error, Generation, Request, Result, StopReason,
    law::Uniforms,
};
use mlx_rs::Array;
use std::{cell::Cell, ops::ControlFlow};

/// Loads both models for the stage of that name, the highest one by default; `depth` is the number of drafts in a window.
///
/// With `--backend metal-host` the kernels of both are those of `kernels/*.metal`.
///
/// Errors: as [`Stage::named`], [`BatchModel::load`] and [`DraftedEngine::new`].
pub fn load(target: &Checkpoint, stage: Option<&str>, draft: &Checkpoint, depth: usize) -> Result<Box<dyn Engine>> {
    let stage = Stage::named(stage)?;
    choose_kernels()?;
    let serving = ServingEngine { model: BatchModel::load(target)?, stage };
    Ok(Box::new(DraftedEngine::new(serving, BatchModel::load(draft)?, depth)?))
}

/// A target behind a scheduler, and a draft that guesses for it where one text is answered alone.
pub struct DraftedEngine<M> {
    /// The target.
    pub serving: ServingEngine<M>,
    /// The draft.
    pub draft: M,
    /// Drafts in a window.
    pub depth: usize,
    last: Cell<Option<Drafts>>,
}

impl<M: BatchLm> DraftedEngine<M> {
    /// Errors: `InvalidArgument` about the draft model for another vocabulary than the target's, about the number of
    /// drafts for 0.
    pub fn new(serving: ServingEngine<M>, draft: M, depth: usize) -> Result<Self> {
        let refused =
            |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
        let (own, other) = (serving.model.vocabulary(), draft.vocabulary());
        if own != other {
            return refused(
                "the draft model",
                format!("one of {other} tokens"),
                format!("have the {own} of the model"),
            );
        }
        if depth == 0 {
            return refused("the number of drafts", "0".into(), "be at least 1".into());
        }
        Ok(Self { serving, draft, depth, last: Cell::new(None) })
    }

    /// Answers `sequence` to its end: its own law, seed, stop tokens and strings, and most tokens.
    ///
    /// `on_token` hears of every token, with the text that became final by it, and may break off, which cancels the
    /// sequence. Errors: as [`decode`] and [`Sequence::push`].
    pub fn answer(
        &self,
        sequence: &mut Sequence<'_>,
        on_token: &mut dyn FnMut(u32, String) -> ControlFlow<()>,
    ) -> Result<Decoded> {
        let Request { prompt, max_tokens, eos, sampling } = sequence.request.clone();
        let ids = |ids: Vec<u32>| ids.into_iter().map(|id| id as usize).collect::<Vec<_>>();
        let (target, draft, depth, rule) = (sampling.law, sampling.law, self.depth, Rule::Token);
        let plan = Plan { target, draft, depth, rule, stop: ids(eos), max_tokens };
        let stage = self.serving.stage;
        let (mut target, mut draft) = (Reader::new(&self.serving.model, stage)?, Reader::new(&self.draft, stage)?);
        let mut chance = Uniforms::seeded(sampling.seed);
        let decoded = decode(&mut target, &mut draft, &ids(prompt), &plan, &mut chance, &mut |token| {
            let text = sequence.push(token as u32)?;
            if on_token(token as u32, text).is_break() {
                sequence.cancel();
                return Ok(ControlFlow::Break(()));
            }
            Ok(match sequence.finish {
                Some(FinishReason::StopString(_)) => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            })
        })?;
        let Decoded { windows, drafted, kept, .. } = decoded;
        self.last.set(Some(Drafts { windows, drafted, kept }));
        Ok(decoded)
    }
}

impl<M: BatchLm> Engine for DraftedEngine<M> {
    fn logits(&self, tokens: &Array) -> Result<Array> {
        self.serving.logits(tokens)
    }

    fn generate(&self, request: &Request, on_token: &mut dyn FnMut(u32) -> ControlFlow<()>) -> Result<Generation> {
        // Text is the front end's business here.
        let no_text = |_| Ok(Vec::new());
        if request.max_tokens == 0 && !request.prompt.is_empty() {
            return Ok(Generation { tokens: Vec::new(), stop: StopReason::MaxTokens });
        }
        let mut sequence = Sequence::new(0, request.clone(), Vec::new(), &no_text)?;
        let decoded = self.answer(&mut sequence, &mut |token, _| on_token(token))?;
        Ok(Generation { tokens: sequence.tokens, stop: decoded.stop })
    }

    fn batches(&self) -> bool {
        true
    }

    /// The target alone: its step reads many texts already.
    fn batch(
        &self,
        requests: &[Request],
        settings: BatchSettings,
        bytes_of: &dyn Fn(u32) -> Result<Vec<u8>>,
        report: &mut dyn FnMut(BatchEvent) -> ControlFlow<()>,
    ) -> Result<()> {
        self.serving.batch(requests, settings, bytes_of, report)
    }

    fn detokenizer<'a>(&self, bytes_of: &'a dyn Fn(u32) -> Result<Vec<u8>>) -> Result<Box<dyn Detokenizer + 'a>> {
        self.serving.detokenizer(bytes_of)
    }

    fn drafts(&self) -> Option<Drafts> {
        self.last.get()
    }
}
