//! Task 3.5.1: attention of many queries over pages, in tiles of queries times tiles of keys.

use extensions::tuning;
use extensions::week3::{PagedPath, TILE_KEYS, TILE_QUERIES, paged_attention, paged_attention_by};
use kit::Result;
use kit::testing::{DTYPES, Random, assert_close, values};
use kit::testing::{PagedSizes as Sizes, PagedTexts as Texts};
use mlx_rs::{Array, Dtype, ops};

/// The kernel on such texts.
trait Attend {
    fn attend(&self, scale: f32, causal: bool) -> Result<Array>;
    fn check(&self, what: &str, scale: f32, causal: bool) -> Result<()>;
    fn off(&self, scale: f32) -> Result<(f64, f64)>;
}

impl Attend for Texts {
    fn attend(&self, scale: f32, causal: bool) -> Result<Array> {
        let (table, lens) = (self.block_table(), self.context_lens());
        paged_attention_by(PagedPath::Flash, &self.query, &self.keys, &self.values, &table, &lens, scale, causal)
    }

    fn check(&self, what: &str, scale: f32, causal: bool) -> Result<()> {
        assert_close(what, &self.attend(scale, causal)?, &self.oracle(scale, causal)?)
    }

    fn off(&self, scale: f32) -> Result<(f64, f64)> {
        self.off_from_doubles(&self.attend(scale, true)?, scale)
    }
}

/// Runs `test` with every step of the ladder and every set of instructions that this processor has.
fn every_form(test: impl Fn() -> Result<()>) -> Result<()> {
    (1..=3).try_for_each(|step| tuning::on_every_set(step, &test))
}

fn properties(seed: u64, count: usize) -> Result<()> {
    let mut random = Random::new(seed);
    for case in 0..count {
        let sizes = Sizes {
            heads: random.int(1..3),
            group: random.int(1..4),
            length: random.int(1..80),
            page: random.int(1..40),
            dims: random.int(1..50),
        };
        let texts = random.int(1..3);
        let contexts: Vec<i32> =
            (0..texts).map(|_| if random.int(0..6) == 0 { 0 } else { random.int(sizes.length..160) }).collect();
        let dtype = DTYPES[case % 3].0;
        let texts = Texts::random(&mut random, sizes, &contexts, dtype)?;
        let what = format!("case {case}: {sizes:?}, {contexts:?} keys, {dtype:?}");
        texts.check(&what, 1.0 / (sizes.dims as f32).sqrt(), case % 2 == 0)?;
    }
    Ok(())
}

#[test]
fn task_1_random_prompts_agree_with_mlx() -> Result<()> {
    properties(351, 500)
}

#[test]
fn task_1_step_1_tiles() -> Result<()> {
    tuning::on_every_set(1, || properties(3511, 24))
}

#[test]
fn task_1_step_2_sums_in_registers() -> Result<()> {
    tuning::on_every_set(2, || properties(3511, 24))
}

#[test]
fn task_1_step_3_threads() -> Result<()> {
    tuning::on_every_set(3, || properties(3511, 24))
}

#[test]
fn task_1_every_number_of_rows_and_keys_around_a_tile() -> Result<()> {
    let mut random = Random::new(3512);
    for length in [1, 5, 6, 7, TILE_QUERIES - 1, TILE_QUERIES, TILE_QUERIES + 1] {
        for more in [0, 1, TILE_KEYS - 1, TILE_KEYS, TILE_KEYS + 1, 200] {
            for group in [1, 2] {
                let sizes = Sizes { heads: 1, group, length, page: 16, dims: 16 };
                let texts = Texts::random(&mut random, sizes, &[length + more], Dtype::Float32)?;
                texts.check(&format!("{length} queries after {more} keys, group {group}"), 0.25, true)?;
                texts.check(&format!("{length} queries and {more} keys, all seen, group {group}"), 0.25, false)?;
            }
        }
    }
    Ok(())
}

#[test]
fn task_1_every_width_of_a_head() -> Result<()> {
    let mut random = Random::new(3513);
    for dims in [1, 7, 8, 15, 16, 17, 31, 32, 33, 64, 80, 128, 255, 256] {
        let sizes = Sizes { heads: 2, group: 1, length: 20, page: 8, dims };
        let texts = Texts::random(&mut random, sizes, &[90], Dtype::Float32)?;
        texts.check(&format!("D = {dims}"), 1.0 / (dims as f32).sqrt(), true)?;
    }
    Ok(())
}

#[test]
fn task_1_sums_in_f64_are_as_good_as_equal_at_every_length() -> Result<()> {
    let mut random = Random::new(3514);
    for context in [1, 63, 64, 65, 1000, 8192] {
        let sizes = Sizes { heads: 1, group: 2, length: context.min(12), page: 16, dims: 32 };
        for (dtype, _) in DTYPES {
            let texts = Texts::random(&mut random, sizes, &[context], dtype)?;
            let (off, largest) = texts.off(0.18)?;
            // Half a unit in the last place of the dtype, and what f32 loses on the way.
            let rounding =
                [0.0, largest / 2048.0, largest / 256.0][DTYPES.iter().position(|d| d.0 == dtype).unwrap_or(0)];
            assert!(off <= rounding + 2e-6, "{context} keys, {dtype:?}: off by {off:e}, the largest is {largest}");
        }
    }
    Ok(())
}

#[test]
fn task_1_tiles_that_no_query_sees_are_not_visited() -> Result<()> {
    every_form(|| {
        let mut random = Random::new(3515);
        // Keys and queries are the same tokens: tile 0 of the queries sees its own keys and nothing behind them.
        let length = 4 * TILE_QUERIES;
        let sizes = Sizes { heads: 1, group: 1, length, page: TILE_KEYS, dims: 8 };
        let mut texts = Texts::random(&mut random, sizes, &[length], Dtype::Float32)?;
        let want = values(&texts.attend(0.3, true)?)?;
        // NaN in the values of the last tile of keys: a weight of 0 times NaN is NaN. The last tile of queries sees it.
        let last = texts.table[0][texts.table[0].len() - 1];
        let pages = texts.values.shape()[0];
        let poison: Vec<bool> = (0..pages).map(|page| page == last).collect();
        let poison = Array::from_slice(&poison, &[pages, 1, 1, 1]);
        texts.values = ops::select(&poison, Array::from_f32(f32::NAN), &texts.values)?;
        let got = values(&texts.attend(0.3, true)?)?;
        let seen = (3 * TILE_QUERIES * 8) as usize;
        assert_eq!(got[..seen], want[..seen], "a tile of queries visited keys that it does not see");
        assert!(got[got.len() - 8..].iter().all(|value| value.is_nan()), "the last query sees every key");
        Ok(())
    })
}

#[test]
fn task_1_slots_behind_the_context_are_never_read() -> Result<()> {
    every_form(|| {
        let mut random = Random::new(3516);
        let sizes = Sizes { heads: 1, group: 2, length: 10, page: 64, dims: 16 };
        let mut texts = Texts::random(&mut random, sizes, &[70], Dtype::Float32)?;
        let want = texts.attend(0.25, true)?;
        want.eval()?;
        let last = texts.table[0][1];
        let poison: Vec<bool> = (0..3).flat_map(|page| (0..64).map(move |slot| page == last && slot >= 6)).collect();
        let poison = Array::from_slice(&poison, &[3, 1, 64, 1]);
        texts.keys = ops::select(&poison, Array::from_f32(f32::NAN), &texts.keys)?;
        texts.values = ops::select(&poison, Array::from_f32(f32::NAN), &texts.values)?;
        assert_close("with NaN behind the context", &texts.attend(0.25, true)?, &want)
    })
}

#[test]
fn task_1_large_scores_do_not_overflow() -> Result<()> {
    every_form(|| {
        let mut random = Random::new(3517);
        let sizes = Sizes { heads: 1, group: 1, length: 30, page: 16, dims: 32 };
        let mut texts = Texts::random(&mut random, sizes, &[200], Dtype::Float32)?;
        texts.query = ops::multiply(&texts.query, Array::from_f32(60.0))?;
        texts.check("scores of some hundred", 1.0, true)
    })
}

#[test]
fn task_1_an_idle_text_gets_zeros() -> Result<()> {
    let mut random = Random::new(3518);
    let sizes = Sizes { heads: 1, group: 1, length: 9, page: 4, dims: 4 };
    let texts = Texts::random(&mut random, sizes, &[0, 20], Dtype::Float16)?;
    let got = values(&texts.attend(0.3, true)?)?;
    assert_eq!(got[..36], [0.0; 36]);
    assert!(got[36..].iter().all(|value| value.is_finite() && *value != 0.0), "{got:?}");
    Ok(())
}

#[test]
fn task_1_the_number_of_threads_changes_no_bit() -> Result<()> {
    let sizes = Sizes { heads: 2, group: 2, length: 120, page: 16, dims: 32 };
    let texts = Texts::random(&mut Random::new(3519), sizes, &[150, 130], Dtype::Float32)?;
    let before = tuning::threads()?;
    let mut all = Vec::new();
    for threads in [1, 2, 5] {
        tuning::set_threads(threads)?;
        all.push(values(&texts.attend(0.2, true)?)?);
    }
    tuning::set_threads(before)?;
    assert!(all.iter().all(|one| *one == all[0]), "another number of threads gave other values");
    Ok(())
}

#[test]
fn task_1_a_query_gets_the_bits_that_decoding_gives_it() -> Result<()> {
    let mut random = Random::new(35111);
    for case in 0..60 {
        let length = random.int(1..100);
        let (heads, group, page) = (random.int(1..3), random.int(1..4), random.int(1..40));
        let sizes = Sizes { heads, group, length, page, dims: [64, 128, 32, 80][case % 4] };
        let contexts = [random.int(length..300)];
        let texts = Texts::random(&mut random, sizes, &contexts, DTYPES[case % 3].0)?;
        let (table, lens) = (texts.block_table(), Array::from_slice(&contexts, &[1]));
        let (keys, all) = (&texts.keys, &texts.values);
        let rows = paged_attention_by(PagedPath::Decode, &texts.query, keys, all, &table, &lens, 0.1, true)?;
        let what = format!("case {case}: {sizes:?}, {contexts:?} keys");
        let same = values(&texts.attend(0.1, true)?)? == values(&rows)?;
        assert!(same, "{what}: the cut of a prompt would change its text");
    }
    Ok(())
}

#[test]
fn task_1_many_queries_take_this_path_by_themselves() -> Result<()> {
    let sizes = Sizes { heads: 1, group: 2, length: 40, page: 16, dims: 32 };
    let texts = Texts::random(&mut Random::new(35110), sizes, &[100], Dtype::Float32)?;
    let (table, contexts) = (texts.block_table(), Array::from_slice(&[100], &[1]));
    let chosen = paged_attention(&texts.query, &texts.keys, &texts.values, &table, &contexts, 0.2, true)?;
    assert_eq!(values(&chosen)?, values(&texts.attend(0.2, true)?)?);
    Ok(())
}
