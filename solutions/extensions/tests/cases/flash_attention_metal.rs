//! Task 3.5.3, optional: paged_attention for many query tokens as a Metal kernel.

use extensions::metal;
use extensions::week3::{PagedPath, paged_attention_by};
use kit::Result;
use kit::testing::{DTYPES, Random, assert_close, values};
use kit::testing::{PagedSizes as Sizes, PagedTexts as Texts};
use mlx_rs::{Array, Dtype, ops};

/// The kernel on such texts.
trait Attend {
    fn attend(&self, scale: f32, causal: bool) -> Result<Array>;
    fn check(&self, what: &str, scale: f32, causal: bool) -> Result<()>;
}

impl Attend for Texts {
    fn attend(&self, scale: f32, causal: bool) -> Result<Array> {
        let (table, lens) = (self.block_table(), self.context_lens());
        paged_attention_by(PagedPath::Flash, &self.query, &self.keys, &self.values, &table, &lens, scale, causal)
    }

    fn check(&self, what: &str, scale: f32, causal: bool) -> Result<()> {
        assert_close(what, &self.attend(scale, causal)?, &self.oracle(scale, causal)?)
    }
}

#[test]
fn task_3_metal_rows_and_keys_around_a_tile_agree_with_mlx() -> Result<()> {
    metal::with_each_step(2, || {
        let mut random = Random::new(3531);
        for (case, length) in [1, 15, 16, 17, 33].into_iter().enumerate() {
            for more in [0, 1, 15, 40] {
                let sizes = Sizes { heads: 1, group: 2, length, page: 16, dims: 16 };
                let texts = Texts::random(&mut random, sizes, &[length + more], DTYPES[case % 3].0)?;
                texts.check(&format!("{length} queries after {more} keys"), 0.25, true)?;
                texts.check(&format!("{length} queries and {more} keys, all seen"), 0.25, false)?;
            }
        }
        Ok(())
    })
}

#[test]
fn task_3_metal_every_width_of_a_head_and_several_texts() -> Result<()> {
    metal::with_each_step(2, || {
        let mut random = Random::new(3532);
        for (case, dims) in [1, 7, 8, 31, 33, 64, 128, 256].into_iter().enumerate() {
            let sizes = Sizes { heads: 2, group: 1, length: 9, page: [4, 5, 32][case % 3], dims };
            let texts = Texts::random(&mut random, sizes, &[30, 0, 9], DTYPES[case % 3].0)?;
            texts.check(&format!("D = {dims}"), 1.0 / (dims as f32).sqrt(), true)?;
        }
        Ok(())
    })
}

#[test]
fn task_3_metal_keys_that_no_query_of_a_tile_sees_are_not_read() -> Result<()> {
    metal::with_each_step(2, || {
        let mut random = Random::new(3533);
        // Keys and queries are the same tokens: the first 16 queries see their own 16 keys and nothing behind them.
        let sizes = Sizes { heads: 1, group: 1, length: 64, page: 16, dims: 8 };
        let mut texts = Texts::random(&mut random, sizes, &[64], Dtype::Float32)?;
        let want = values(&texts.oracle(0.3, true)?)?;
        let last = texts.table[0][3];
        let poison: Vec<bool> = (0..5).map(|page| page == last).collect();
        let poison = Array::from_slice(&poison, &[5, 1, 1, 1]);
        texts.values = ops::select(&poison, Array::from_f32(f32::NAN), &texts.values)?;
        let got = values(&texts.attend(0.3, true)?)?;
        let seen = 48 * 8;
        for (at, (got, want)) in got.iter().zip(&want).take(seen).enumerate() {
            assert!(
                (got - want).abs() < 1e-4,
                "element {at} is {got}, not {want}: a tile read keys that it does not see"
            );
        }
        assert!(got[got.len() - 8..].iter().all(|value| value.is_nan()), "the last query sees every key");
        Ok(())
    })
}

#[test]
fn task_3_metal_large_scores_do_not_overflow() -> Result<()> {
    metal::with_each_step(2, || {
        let mut random = Random::new(3534);
        let sizes = Sizes { heads: 1, group: 1, length: 20, page: 4, dims: 8 };
        let mut texts = Texts::random(&mut random, sizes, &[50], Dtype::Float32)?;
        texts.query = ops::multiply(&texts.query, Array::from_f32(200.0))?;
        texts.check("scores of hundreds", 1.0, true)
    })
}
