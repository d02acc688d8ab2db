//! Tasks 3.4.4 and 3.4.5, optional: quantized_embedding and paged_attention as Metal kernels.

use extensions::metal;
use extensions::week2::quantized_embedding;
use extensions::week3::paged_attention;
use kit::Result;
use kit::testing::{DTYPES, Random, array, assert_close, values};
use kit::testing::{PagedSizes as Sizes, PagedTexts as Texts};
use mlx_rs::{Array, Dtype, ops};

#[test]
fn task_4_metal_codes_of_a_word_by_hand() -> Result<()> {
    // Lowest nibble first: the codes 0 to 7, then 8 to 15, four times; the second row is all ones.
    let words: Vec<u32> = [[0x7654_3210u32, 0xfedc_ba98]; 4].concat().into_iter().chain([0x1111_1111; 8]).collect();
    let weight = Array::from_slice(&words, &[2, 8]);
    let (scales, biases) = (array(&[2.0, 3.0], &[2, 1]), array(&[-1.0, 0.5], &[2, 1]));
    metal::with_each_step(2, || {
        let got =
            values(&quantized_embedding(&Array::from_slice(&[1u32, 0], &[2]), &weight, &scales, &biases, 64, 4)?)?;
        assert_eq!(got[..64], [3.5; 64]);
        assert_eq!(got[64..80], std::array::from_fn::<f32, 16, _>(|code| 2.0 * code as f32 - 1.0));
        Ok(())
    })
}

#[test]
fn task_4_metal_random_lookups_agree_with_mlx() -> Result<()> {
    metal::with_each_step(2, || {
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
    metal::with_each_step(2, || {
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

/// The kernel on such texts.
trait Attend {
    fn attend(&self, scale: f32, causal: bool) -> Result<Array>;
    fn check(&self, what: &str, scale: f32, causal: bool) -> Result<()>;
}

impl Attend for Texts {
    fn attend(&self, scale: f32, causal: bool) -> Result<Array> {
        let (table, lens) = (self.block_table(), self.context_lens());
        paged_attention(&self.query, &self.keys, &self.values, &table, &lens, scale, causal)
    }

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
    metal::with_each_step(2, || {
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
    metal::with_each_step(2, || {
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
    metal::with_each_step(2, || {
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
    metal::with_each_step(2, || {
        let mut random = Random::new(3453);
        let sizes = Sizes { heads: 1, group: 1, length: 1, page: 4, dims: 8 };
        let mut texts = Texts::random(&mut random, sizes, &[30], Dtype::Float32)?;
        texts.query = ops::multiply(&texts.query, Array::from_f32(200.0))?;
        texts.check("scores of hundreds", 1.0, true)
    })
}
