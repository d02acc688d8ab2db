//! Generation: the law of the next token, the loop, text as it arrives.

use kit::{CausalLm, Detokenizer, Error, Generation, Result, StopReason};
use mlx_rs::{Array, ops::indexing::IndexOp};
use std::ops::ControlFlow;

use crate::inputs::Inputs;
use crate::parity::{Case, Function, both};

/// In the order of the tasks.
pub fn functions() -> Vec<Function> {
    vec![
        Function { task: "1.6.1", name: "next_logprobs", case: next_logprobs, most: u32::MAX },
        Function { task: "1.6.2", name: "generate", case: generate, most: u32::MAX },
        Function { task: "1.6.3", name: "StreamingDetokenizer", case: detokenize, most: u32::MAX },
    ]
}

fn next_logprobs(inputs: &mut Inputs) -> Result<Case> {
    let dtype = inputs.dtype();
    let (b, l, v) = (inputs.size(1, 3), inputs.size(1, 5), inputs.size(1, 40));
    let logits = inputs.normal("logits", &[b, l, v], dtype)?.multiply(Array::from_f32(10.0).as_dtype(dtype)?)?;
    Ok(Case::new(both!(week => Ok(vec![week::generate::next_logprobs(&logits)?]))))
}

/// A model whose next token depends on the last two alone.
struct Table {
    /// (V, V)
    logits: Array,
}

impl CausalLm for Table {
    fn forward(&self, tokens: &Array) -> Result<Array> {
        let length = tokens.dim(1);
        let last = self.logits.take_axis(tokens, 0)?; // (1, L, V)
        let before = self.logits.take_axis(tokens.index((.., ..length - 1)), 0)?;
        let first = mlx_rs::ops::zeros_like(last.index((.., ..1, ..)))?;
        let before = mlx_rs::ops::concatenate(&[first, before], 1)?;
        Ok(last.add(before.multiply(Array::from_f32(0.5))?)?)
    }
}

fn generate(inputs: &mut Inputs) -> Result<Case> {
    let v = inputs.size(4, 16);
    let model = Table { logits: inputs.normal("model", &[v, v], mlx_rs::Dtype::Float32)? };
    let length = inputs.size(1, 5);
    let prompt = ids_of(&inputs.ids(v, &[length]))?;
    let ends = inputs.size(0, 2);
    let eos = ids_of(&inputs.ids(v, &[ends]))?;
    let (most, patience) = (inputs.size(0, 12) as usize, inputs.size(1, 16) as usize);
    inputs.note(format!("prompt {prompt:?}, ends {eos:?}, at most {most}, broken off after {patience}"));
    Ok(Case::new(both!(week => {
        let mut seen = Vec::new();
        let sample = |logprobs: &Array| Ok(mlx_rs::ops::indexing::argmax_axis(logprobs, -1, false)?);
        let on_token = |id: u32| {
            seen.push(id);
            if seen.len() >= patience { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let Generation { tokens, stop } = week::generate::generate(&model, &prompt, most, &eos, sample, on_token)?;
        let reason = match stop {
            StopReason::Eos(id) => [0, id],
            StopReason::MaxTokens => [1, 0],
            StopReason::Cancelled => [2, 0],
        };
        Ok([&tokens[..], &seen, &reason].map(|ids| Array::from_slice(ids, &[ids.len() as i32])).to_vec())
    })))
}

/// Pieces of a text that is cut anywhere, some of them no UTF-8 at all.
fn detokenize(inputs: &mut Inputs) -> Result<Case> {
    const ALPHABET: [&str; 6] = ["a", " ", "ß", "€", "𝄞", "\u{fffd}"];
    let count = inputs.size(1, 12);
    let mut bytes: Vec<u8> = Vec::new();
    for _ in 0..count {
        bytes.extend(ALPHABET[inputs.size(0, 5) as usize].bytes());
        if inputs.one_in(6) {
            bytes.push(inputs.size(128, 255) as u8);
        }
    }
    let mut pieces: Vec<Vec<u8>> = Vec::new();
    while !bytes.is_empty() {
        let length = inputs.size(0, 3).min(bytes.len() as i32) as usize;
        pieces.push(bytes.drain(..length).collect());
    }
    inputs.note(format!("pieces {pieces:02x?}"));
    let bytes_of =
        |id: u32| pieces.get(id as usize).cloned().ok_or_else(|| Error::Other(format!("there is no token {id}")));
    Ok(Case::new(both!(week => {
        let mut stream = week::detokenizer::StreamingDetokenizer::new(&bytes_of);
        let mut texts = Vec::new();
        for id in 0..pieces.len() as u32 {
            texts.push(stream.push(id)?);
        }
        texts.push(stream.finish()?);
        let text = |text: &String| Array::from_slice(text.as_bytes(), &[text.len() as i32]);
        Ok(texts.iter().map(text).collect())
    })))
}

fn ids_of(array: &Array) -> Result<Vec<u32>> {
    Ok(kit::testing::values(array)?.into_iter().map(|id| id as u32).collect())
}
