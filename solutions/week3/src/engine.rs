//! Week 3 as the front end sees it: a scheduler behind [`kit::Engine`].
//!
//! In: a checkpoint, then requests, one at a time or many. Out: logits for comparisons, token ids, text. A request gives
//! the same tokens alone and in a batch.

use crate::{
    batch_model::{BatchLm, BatchModel},
    scheduler::{Event, Scheduler},
    sequence::{FinishReason, Sequence},
    stage::Stage,
};
use extensions::metal::{self, Watch};
use kit::{
    BatchEvent, BatchSettings, Checkpoint, Detokenizer, Engine, Error, Generation, Request, Result, StopReason, mlx,
    serving::{Counter, ServingSettings},
};
use mlx_rs::Array;
use std::ops::ControlFlow;
use week1::detokenizer::StreamingDetokenizer;
use week2::model::Rows;

/// Loads the model of `checkpoint` for the stage of that name, the highest
/// one by default. With `--backend metal-host` the kernels are those of
/// `kernels/*.metal`.
///
/// Errors: as [`Stage::named`] and [`BatchModel::load`].
pub fn load(checkpoint: &Checkpoint, stage: Option<&str>) -> Result<Box<dyn Engine>> {
    let stage = Stage::named(stage)?;
    choose_kernels()?;
    Ok(Box::new(ServingEngine { model: BatchModel::load(checkpoint)?, stage }))
}

/// Metal kernels in place of the loops, where `--backend metal-host` asks for
/// them.
///
/// Errors: as [`metal::use_kernels`].
pub(crate) fn choose_kernels() -> Result<()> {
    if mlx::on_metal_host() {
        // Week 2's kernels may be another package's.
        week2::metal::use_kernels(Some(week2::metal::Watch::Nothing))?;
        metal::use_kernels(Some(Watch::Nothing))?;
    }
    Ok(())
}

/// Any batched model behind a scheduler.
pub struct ServingEngine<M> {
    /// What gives the logits.
    pub model: M,
    /// Where it keeps its texts.
    pub stage: Stage,
}

impl<M: BatchLm> Engine for ServingEngine<M> {
    fn logits(&self, tokens: &Array) -> Result<Array> {
        let slots: Vec<usize> = (0..tokens.dim(0) as usize).collect();
        let mut cache = self.stage.cache(self.model.layers(), slots.len(), self.model.positions())?;
        slots.iter().try_for_each(|&slot| cache.join(slot))?;
        self.model.forward(tokens, &slots, &mut *cache, Rows::All)
    }

    fn generate(&self, request: &Request, on_token: &mut dyn FnMut(u32) -> ControlFlow<()>) -> Result<Generation> {
        // Text is the front end's business here.
        let no_text = |_| Ok(Vec::new());
        if request.max_tokens == 0 && !request.prompt.is_empty() {
            return Ok(Generation { tokens: Vec::new(), stop: StopReason::MaxTokens });
        }
        let cache = self.stage.cache(self.model.layers(), 1, self.model.positions())?;
        let mut scheduler = Scheduler::new(&self.model, cache);
        scheduler.submit(Sequence::new(0, request.clone(), Vec::new(), &no_text)?);
        let (mut tokens, mut enough) = (Vec::new(), false);
        loop {
            for event in scheduler.step()? {
                let stop = match event {
                    Event::Token { token, .. } => {
                        tokens.push(token);
                        enough = on_token(token).is_break();
                        if enough {
                            // False where this token has ended it.
                            scheduler.cancel(0);
                        }
                        continue;
                    }
                    Event::Finished { reason: FinishReason::Eos(id), .. } => StopReason::Eos(id),
                    Event::Finished { reason: FinishReason::Cancelled, .. } => StopReason::Cancelled,
                    Event::Finished { reason: FinishReason::Failed(why), .. } => return Err(Error::Other(why)),
                    Event::Finished { .. } if enough => StopReason::Cancelled,
                    Event::Finished { .. } => StopReason::MaxTokens,
                };
                return Ok(Generation { tokens, stop });
            }
        }
    }

    fn batches(&self) -> bool {
        true
    }

    fn batch(
        &self,
        requests: &[Request],
        settings: BatchSettings<'_>,
        bytes_of: &dyn Fn(u32) -> Result<Vec<u8>>,
        report: &mut dyn FnMut(BatchEvent) -> ControlFlow<()>,
    ) -> Result<()> {
        let (layers, BatchSettings { slots, step_tokens, pages, stop }) = (self.model.layers(), settings);
        let cache = match pages {
            Some(pages) => self.stage.pages(layers, slots, pages)?,
            None => self.stage.cache(layers, slots, self.model.positions())?,
        };
        let mut scheduler = Scheduler::new(&self.model, cache);
        scheduler.step_tokens = step_tokens;
        for (request, asked) in requests.iter().enumerate() {
            let sequence = Sequence::new(request as u64, asked.clone(), stop.to_vec(), bytes_of)?;
            if let Some(refusal) = scheduler.offer(sequence, requests.len())? {
                let refused = BatchEvent::Finished { request, reason: format!("refused: {refusal}") };
                if report(refused).is_break() {
                    return Ok(());
                }
            }
        }
        while !scheduler.is_idle() {
            for event in scheduler.step()? {
                let told = match event {
                    Event::Token { id, text, .. } => BatchEvent::Token { request: id as usize, text },
                    Event::Finished { id, reason } => {
                        BatchEvent::Finished { request: id as usize, reason: reason.to_string() }
                    }
                };
                if report(told).is_break() {
                    return Ok(());
                }
            }
            let (running, waiting) = (scheduler.running.len(), scheduler.waiting.len());
            let (held_bytes, pages) = (scheduler.cache.held_bytes(), scheduler.cache.pages());
            if report(BatchEvent::Step { running, waiting, held_bytes, pages }).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }

    fn serve(
        &self,
        settings: ServingSettings,
        bytes_of: &dyn Fn(u32) -> Result<Vec<u8>>,
        counter: &mut dyn Counter,
    ) -> Result<()> {
        crate::serving::serve(&self.model, self.stage, settings, bytes_of, counter)
    }

    fn detokenizer<'a>(&self, bytes_of: &'a dyn Fn(u32) -> Result<Vec<u8>>) -> Result<Box<dyn Detokenizer + 'a>> {
        Ok(Box::new(StreamingDetokenizer::new(bytes_of)))
    }
}
