//! Task 3.5.3, optional: paged_attention for many query tokens as a Metal kernel.

use extensions::week3::{PagedPath, paged_attention_by};
use extensions::{metal, tuning};
use kit::Result;
use kit::testing::{DTYPES, Random, assert_close, values};
use mlx_rs::fast::ScaledDotProductAttentionMask;
use mlx_rs::{Array, Dtype, fast, ops};

/// With each step of the ladder, on the Metal rung.
fn each_step(test: impl Fn() -> Result<()>) -> Result<()> {
    for step in [1, 2] {
        tuning::set_version(Some(step));
        let result = metal::with_kernels(&test);
        tuning::set_version(None);
        result?;
    }
    Ok(())
}

/// Texts in pages, and queries over them.
struct Texts {
    query: Array,
    keys: Array,
    values: Array,
    table: Vec<Vec<i32>>,
    contexts: Vec<i32>,
}

/// What [`Texts::random`] draws: heads, query heads a key head, query tokens, slots of a page, width of a head.
#[derive(Debug, Clone, Copy)]
struct Sizes {
    heads: i32,
    group: i32,
    length: i32,
    page: i32,
    dims: i32,
}

impl Texts {
    /// Pages in any order, one more than the texts need; each text has as many as it needs, in any order.
    fn random(random: &mut Random, sizes: Sizes, contexts: &[i32], dtype: Dtype) -> Result<Self> {
        let Sizes { heads, group, length, page, dims } = sizes;
        let needed: Vec<i32> = contexts.iter().map(|keys| (keys + page - 1) / page).collect();
        let total = needed.iter().sum::<i32>() + 1;
        let mut free: Vec<i32> = (0..total).collect();
        for i in 0..free.len() {
            let other = random.int(i as i32..total) as usize;
            free.swap(i, other);
        }
        let table = needed.iter().map(|&count| free.split_off(free.len() - count as usize)).collect();
        Ok(Self {
            query: random.normal(&[contexts.len() as i32, heads * group, length, dims]).as_dtype(dtype)?,
            keys: random.normal(&[total, heads, page, dims]).as_dtype(dtype)?,
            values: random.normal(&[total, heads, page, dims]).as_dtype(dtype)?,
            table,
            contexts: contexts.to_vec(),
        })
    }

    /// The table as an array, padded with -1.
    fn block_table(&self) -> Array {
        let columns = self.table.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let padded = self.table.iter().flat_map(|row| (0..columns).map(move |at| row.get(at).copied().unwrap_or(-1)));
        Array::from_iter(padded, &[self.table.len() as i32, columns as i32])
    }

    fn attend(&self, scale: f32, causal: bool) -> Result<Array> {
        let contexts = Array::from_slice(&self.contexts, &[self.contexts.len() as i32]);
        let (table, path) = (self.block_table(), PagedPath::Flash);
        paged_attention_by(path, &self.query, &self.keys, &self.values, &table, &contexts, scale, causal)
    }

    /// The keys or values of a text as (1, H, S, D), in f32.
    fn gathered(&self, pages: &Array, text: usize) -> Result<Array> {
        let (row, keys) = (&self.table[text], self.contexts[text]);
        let &[_, heads, page, dims] = pages.shape() else { unreachable!("pages have four axes") };
        let taken = pages.take_axis(Array::from_slice(row, &[row.len() as i32]), 0)?.as_dtype(Dtype::Float32)?;
        let lying = taken.transpose_axes(&[1, 0, 2, 3])?.reshape(&[1, heads, row.len() as i32 * page, dims])?;
        Ok(ops::split_at_indices(&lying, &[keys], 2)?.swap_remove(0))
    }

    /// MLX's own operator on gathered pages in f32, rounded to the dtype of the query; zeros for an idle text.
    fn oracle(&self, scale: f32, causal: bool) -> Result<Array> {
        let mut texts = Vec::new();
        let queries = ops::split_equal(&self.query, self.contexts.len() as i32, 0)?;
        for (text, query) in queries.iter().enumerate() {
            let query = query.as_dtype(Dtype::Float32)?;
            if self.contexts[text] == 0 {
                texts.push(ops::zeros_like(&query)?);
                continue;
            }
            let (keys, values) = (self.gathered(&self.keys, text)?, self.gathered(&self.values, text)?);
            let mask = causal.then_some(ScaledDotProductAttentionMask::Causal);
            texts.push(fast::scaled_dot_product_attention(query, keys, values, scale, mask, None)?);
        }
        Ok(ops::concatenate(&texts, 0)?.as_dtype(self.query.dtype())?)
    }

    /// On the rung that is chosen against MLX.
    fn check(&self, what: &str, scale: f32, causal: bool) -> Result<()> {
        assert_close(what, &self.attend(scale, causal)?, &self.oracle(scale, causal)?)
    }
}

#[test]
fn task_3_metal_rows_and_keys_around_a_tile_agree_with_mlx() -> Result<()> {
    each_step(|| {
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
    each_step(|| {
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
    each_step(|| {
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
    each_step(|| {
        let mut random = Random::new(3534);
        let sizes = Sizes { heads: 1, group: 1, length: 20, page: 4, dims: 8 };
        let mut texts = Texts::random(&mut random, sizes, &[50], Dtype::Float32)?;
        texts.query = ops::multiply(&texts.query, Array::from_f32(200.0))?;
        texts.check("scores of hundreds", 1.0, true)
    })
}
