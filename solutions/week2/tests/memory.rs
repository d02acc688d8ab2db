//! A cache that is dropped gives its memory back. Alone in its program, because MLX counts for the whole process.

use kit::Result;
use mlx_rs::{Array, memory, transforms::eval};
use solution_week2::kv_cache::{BlockCache, ConcatCache, KvCache};

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
