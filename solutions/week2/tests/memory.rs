//! What caches and packed weights hold, and that it is given back. Alone in its program, because MLX counts for the whole
//! process.

use kit::{Result, testing::tiny_model};
use mlx_rs::{Array, memory, transforms::eval};
use solution_week2::{
    kv_cache::{BlockCache, ConcatCache, KvCache},
    model::{CachedLm, Qwen3Model, Rows},
    rung::Rung,
};

/// 1,024 tokens of 64 KiB, keys and values together.
const BYTES: usize = 64 << 20;

fn filled(cache: &mut dyn KvCache) -> Result<()> {
    let new = Array::ones::<f32>(&[1, 8, 1024, 1024])?;
    let (keys, values) = cache.update_and_fetch(&new, &new.multiply(Array::from_f32(2.0))?)?;
    Ok(eval([&keys, &values])?)
}

#[test]
fn dropped_caches_hold_no_memory() -> Result<()> {
    let before = memory::active_memory()?;
    for turn in 0..3 {
        let caches: [Box<dyn KvCache>; 2] = [Box::new(ConcatCache::default()), Box::new(BlockCache::new(256)?)];
        for mut cache in caches {
            filled(&mut *cache)?;
            let held = memory::active_memory()? - before;
            assert!(held >= BYTES && cache.held_bytes() == BYTES, "turn {turn}: {held} bytes of {BYTES} are held");
            drop(cache);
            let left = memory::active_memory()?.saturating_sub(before);
            assert!(left < 1 << 20, "turn {turn}: {left} bytes are still held");
        }
    }
    Ok(())
}

#[test]
fn a_packed_model_holds_what_is_stored_and_unpacks_nothing() -> Result<()> {
    let checkpoint = tiny_model()?;
    let file = checkpoint.folder().join("model.safetensors");
    let stored = std::fs::metadata(&file).map_err(|e| kit::Error::Other(e.to_string()))?.len() as usize;
    memory::reset_peak_memory()?;
    let before = memory::active_memory()?;
    let model = Qwen3Model::load(checkpoint, Rung::HIGHEST)?;
    let held = memory::active_memory()? - before;
    assert!(held <= stored + stored / 20, "the model holds {held} bytes, its file has {stored}");
    let tokens = Array::from_slice(&[1_u32, 2, 3], &[1, 3]);
    model.forward(&tokens, 0, &mut model.caches()?, Rows::Last)?.eval()?;
    let peak = memory::peak_memory()? - before;
    // Caches of 256 tokens in f32, room that is about to become one, a few rows of activations.
    let config = checkpoint.config();
    let caches = (2 * config.num_hidden_layers * config.num_key_value_heads * config.head_dim * 256 * 4) as usize;
    assert!(peak <= held + caches + stored / 4, "{peak} bytes at most, {held} of weights and {caches} of caches");
    drop(model);
    let left = memory::active_memory()?.saturating_sub(before);
    assert!(left < stored / 50, "{left} bytes are still held");
    Ok(())
}
