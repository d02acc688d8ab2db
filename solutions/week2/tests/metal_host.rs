//! The whole engine on its Metal kernels, in the Metal host: the tokens are those of the C++ loops, which other tests
//! compare with mlx-lm.
#![cfg(target_os = "linux")] // the host runs there

use std::ops::ControlFlow;

use extensions::metal::{self, Watch};
use kit::Result;
use kit::testing::tiny_model;
use solution_week2::{
    generate::generate,
    model::{CachedLm, Qwen3Model},
    rung::Rung,
};
use week1::generate::greedy;

#[test]
fn the_engine_gives_the_same_tokens_through_every_kernel() -> Result<()> {
    let prompt = tiny_model()?.tokenizer()?.encode("What is a KV cache?")?;
    let answer = |rung| {
        let model = Qwen3Model::load(tiny_model()?, rung)?;
        let on = |_| ControlFlow::Continue(());
        generate(&model, &mut model.caches()?, &prompt, 3, &[4095], greedy, on)
    };
    let loops = answer(Rung::SplitK)?;
    metal::use_kernels(Some(Watch::Nothing))?;
    let kernels = answer(Rung::SplitK);
    metal::use_kernels(None)?;
    assert_eq!(kernels?, loops, "greedy tokens");
    Ok(())
}
