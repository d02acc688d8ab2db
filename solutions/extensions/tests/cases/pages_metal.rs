//! Tasks 3.4.4 and 3.4.5, optional: quantized_embedding and paged_attention as Metal kernels.

use extensions::week2::quantized_embedding;
use extensions::week3::paged_attention;
use extensions::{metal, tuning};
use kit::Result;
use kit::testing::{DTYPES, Random, array, assert_close, values};
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

#[test]
fn task_4_metal_codes_of_a_word_by_hand() -> Result<()> {
    // Lowest nibble first: the codes 0 to 7, then 8 to 15, four times; the second row is all ones.
    let words: Vec<u32> = [[0x7654_3210u32, 0xfedc_ba98]; 4].concat().into_iter().chain([0x1111_1111; 8]).collect();
    let weight = Array::from_slice(&words, &[2, 8]);
    let (scales, biases) = (array(&[2.0, 3.0], &[2, 1]), array(&[-1.0, 0.5], &[2, 1]));
    each_step(|| {
        let got =
            values(&quantized_embedding(&Array::from_slice(&[1u32, 0], &[2]), &weight, &scales, &biases, 64, 4)?)?;
        assert_eq!(got[..64], [3.5; 64]);
        assert_eq!(got[64..80], std::array::from_fn::<f32, 16, _>(|code| 2.0 * code as f32 - 1.0));
        Ok(())
    })
}

#[test]
fn task_4_metal_random_lookups_agree_with_mlx() -> Result<()> {
    each_step(|| {
        let mut random = Random::new(3441);
        for case in 0..24 {
            let group = [64, 128][case % 2];
            let (rows, columns) = (random.int(1..30), group * random.int(1..4));
            let dtype = DTYPES[case % 3].0;
            let weight = random.ids(u32::MAX, &[rows, columns / 8]);
            let scales = random.uniform(-0.1, 0.1, &[rows, columns / group]).as_dtype(dtype)?;
            let biases = random.normal(&[rows, columns / group]).as_dtype(dtype)?;
            let shape: Vec<i32> = (0..random.int(0..4)).map(|_| random.int(1..5)).collect();
            let ids = random.ids(rows as u32, &shape);
            let got = quantized_embedding(&ids, &weight, &scales, &biases, group, 4)?;
            let (wide_scales, wide_biases) = (scales.as_dtype(Dtype::Float32)?, biases.as_dtype(Dtype::Float32)?);
            let table = ops::dequantize(&weight, &wide_scales, &wide_biases, group, 4)?;
            let want = table.take_axis(&ids, 0)?.as_dtype(dtype)?;
            assert_close(&format!("case {case}: {shape:?} of {rows}x{columns}, {dtype:?}"), &got, &want)?;
        }
        Ok(())
    })
}

#[test]
fn task_4_metal_an_id_that_the_table_lacks_is_not_a_number() -> Result<()> {
    each_step(|| {
        let mut random = Random::new(3442);
        let (weight, scales) = (random.ids(u32::MAX, &[3, 8]), random.normal(&[3, 1]));
        // Not known yet when the node is built: an id that is known is refused.
        let ids = ops::add(Array::from_slice(&[2u32, 1], &[2]), Array::from_slice(&[0u32, 4], &[2]))?;
        let got = values(&quantized_embedding(&ids, &weight, &scales, &scales, 64, 4)?)?;
        assert!(got[..64].iter().all(|value| value.is_finite()), "row 2 is there: {:?}", &got[..4]);
        assert!(got[64..].iter().all(|value| value.is_nan()), "row 5 is not: {:?}", &got[64..68]);
        Ok(())
    })
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
        paged_attention(&self.query, &self.keys, &self.values, &self.block_table(), &contexts, scale, causal)
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
fn task_5_metal_two_keys_by_hand() -> Result<()> {
    // Scores ln 3 and 0 give the weights 3/4 and 1/4. A page has one slot: key 0 is in page 2, key 1 in page 0.
    let texts = Texts {
        query: array(&[1.0, 0.0], &[1, 1, 1, 2]),
        keys: array(&[0.0, 5.0, 9.0, 9.0, 1.0, 5.0], &[3, 1, 1, 2]),
        values: array(&[0.0, 20.0, 9.0, 9.0, 10.0, 0.0], &[3, 1, 1, 2]),
        table: vec![vec![2, 0]],
        contexts: vec![2],
    };
    each_step(|| {
        let got = texts.attend(3.0f32.ln(), true)?;
        assert_close("weights 3/4 and 1/4", &got, &array(&[7.5, 5.0], &[1, 1, 1, 2]))
    })
}

#[test]
fn task_5_metal_texts_in_pages_agree_with_mlx() -> Result<()> {
    // Fewer keys than SIMD groups and more, D around a SIMD group and up to 256, an idle text among others.
    let cases: [(Sizes, &[i32]); 7] = [
        (Sizes { heads: 1, group: 1, length: 1, page: 1, dims: 1 }, &[1]),
        (Sizes { heads: 2, group: 3, length: 1, page: 4, dims: 31 }, &[7, 0, 9]),
        (Sizes { heads: 3, group: 2, length: 2, page: 16, dims: 32 }, &[9, 33]),
        (Sizes { heads: 1, group: 4, length: 3, page: 8, dims: 33 }, &[40, 3]),
        (Sizes { heads: 2, group: 2, length: 1, page: 16, dims: 64 }, &[65, 16, 17]),
        (Sizes { heads: 1, group: 2, length: 8, page: 5, dims: 128 }, &[20]),
        (Sizes { heads: 1, group: 1, length: 2, page: 3, dims: 256 }, &[17]),
    ];
    each_step(|| {
        let mut random = Random::new(3451);
        for (case, (sizes, contexts)) in cases.into_iter().enumerate() {
            let texts = Texts::random(&mut random, sizes, contexts, DTYPES[case % 3].0)?;
            let scale = 1.0 / (sizes.dims as f32).sqrt();
            texts.check(&format!("{sizes:?}, causal"), scale, true)?;
            texts.check(&format!("{sizes:?}, all seen"), scale, false)?;
        }
        Ok(())
    })
}

#[test]
fn task_5_metal_slots_behind_the_context_are_never_read() -> Result<()> {
    each_step(|| {
        let mut random = Random::new(3452);
        let sizes = Sizes { heads: 1, group: 2, length: 2, page: 8, dims: 16 };
        let mut texts = Texts::random(&mut random, sizes, &[11], Dtype::Float32)?;
        let want = texts.oracle(0.25, true)?;
        want.eval()?;
        let last = texts.table[0][1];
        let poison: Vec<bool> = (0..3).flat_map(|page| (0..8).map(move |slot| page == last && slot >= 3)).collect();
        let poison = Array::from_slice(&poison, &[3, 1, 8, 1]);
        texts.keys = ops::select(&poison, Array::from_f32(f32::NAN), &texts.keys)?;
        texts.values = ops::select(&poison, Array::from_f32(f32::NAN), &texts.values)?;
        assert_close("with NaN behind the context", &texts.attend(0.25, true)?, &want)
    })
}

#[test]
fn task_5_metal_large_scores_do_not_overflow() -> Result<()> {
    each_step(|| {
        let mut random = Random::new(3453);
        let sizes = Sizes { heads: 1, group: 1, length: 1, page: 4, dims: 8 };
        let mut texts = Texts::random(&mut random, sizes, &[30], Dtype::Float32)?;
        texts.query = ops::multiply(&texts.query, Array::from_f32(200.0))?;
        texts.check("scores of hundreds", 1.0, true)
    })
}
