//! Engines with `--backend metal-host`, in a process of their own, because the rung is the process's.
#![cfg(target_os = "linux")] // the host runs there

use extensions::{metal, week2::Path};
use kit::testing::{tiny_answers, tiny_model};
use kit::{Checkpoint, Request, Result, Sampling, mlx, models};
use solution_week3::{drafted_engine, engine};
use std::ops::ControlFlow;
use week2::dispatch::{PathRule, Product, TILED_ROWS};

/// Tokens that are compared.
const TOKENS: usize = 3;

#[test]
fn both_engines_choose_metal_kernels_and_answer_as_mlx_lm_does() -> Result<()> {
    mlx::use_metal_host();
    let answers = tiny_answers()?;
    let answer = answers.iter().min_by_key(|answer| answer.prompt.len()).expect("a prompt");
    let sampling = Sampling::GREEDY;
    let request = Request { prompt: answer.prompt.clone(), max_tokens: TOKENS, eos: Vec::new(), sampling };
    let rows = |rows| Product { rows, outputs: 64, inputs: 64, group_size: 64 };
    let draft = Checkpoint::open(models::embedded("tiny-qwen3-draft"))?;
    for drafts in [true, false] {
        metal::use_kernels(None)?;
        assert_eq!(PathRule::Tiled.path(&rows(1))?, Path::Tiled);
        let engine = match drafts {
            true => drafted_engine::load(tiny_model()?, None, &draft, 2)?,
            false => engine::load(tiny_model()?, None)?,
        };
        assert!(metal::launches_kernels(), "with drafts: {drafts}");
        assert_eq!(PathRule::Tiled.path(&rows(TILED_ROWS - 1))?, Path::Matvec);
        assert_eq!(PathRule::Tiled.path(&rows(TILED_ROWS))?, Path::Tiled);
        let got = engine.generate(&request, &mut |_| ControlFlow::Continue(()))?;
        assert_eq!(got.tokens, answer.tokens[..TOKENS], "with drafts: {drafts}");
    }
    Ok(())
}
