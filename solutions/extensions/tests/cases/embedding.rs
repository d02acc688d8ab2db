//! Task 3.4.1: rows of a packed table, unpacked with vectors.

use extensions::tuning;
use extensions::week2::quantized_embedding;
use kit::Result;
use kit::testing::{DTYPES, Random, Tolerance, array, assert_close, assert_close_within, values};
use mlx_rs::{Array, Dtype, ops};

/// Runs `test` with every step of the ladder and every set of instructions that this processor has.
fn every_form(test: impl Fn() -> Result<()>) -> Result<()> {
    (2..=3).try_for_each(|step| tuning::on_every_set(step, &test))
}

fn properties(seed: u64, count: usize) -> Result<()> {
    let mut random = Random::new(seed);
    for case in 0..count {
        let group = [64, 128][case % 2];
        let (rows, columns) = (random.int(1..30), group * random.int(1..4));
        let dtype = DTYPES[case % 3].0;
        let weight = random.ids(u32::MAX, &[rows, columns / 8]);
        let scales = random.uniform(-0.1, 0.1, &[rows, columns / group]).as_dtype(dtype)?;
        let biases = random.normal(&[rows, columns / group]).as_dtype(dtype)?;
        let shape: Vec<i32> = (0..random.int(0..4)).map(|_| random.int(0..5)).collect();
        let ids = random.ids(rows as u32, &shape);
        let got = quantized_embedding(&ids, &weight, &scales, &biases, group, 4)?;
        let (wide_scales, wide_biases) = (scales.as_dtype(Dtype::Float32)?, biases.as_dtype(Dtype::Float32)?);
        let table = ops::dequantize(&weight, &wide_scales, &wide_biases, group, 4)?;
        let want = table.take_axis(&ids, 0)?.as_dtype(dtype)?;
        assert_close(&format!("case {case}: {shape:?} of {rows}x{columns}, {dtype:?}"), &got, &want)?;
    }
    Ok(())
}

#[test]
fn task_1_codes_of_a_word_by_hand() -> Result<()> {
    // Lowest nibble first: the codes 0 to 7, then 8 to 15, four times; the second row is all ones.
    let words: Vec<u32> = [[0x7654_3210u32, 0xfedc_ba98]; 4].concat().into_iter().chain([0x1111_1111; 8]).collect();
    let weight = Array::from_slice(&words, &[2, 8]);
    let (scales, biases) = (array(&[2.0, 3.0], &[2, 1]), array(&[-1.0, 0.5], &[2, 1]));
    let got = values(&quantized_embedding(&Array::from_slice(&[1u32, 0], &[2]), &weight, &scales, &biases, 64, 4)?)?;
    assert_eq!(got[..64], [3.5; 64]);
    assert_eq!(got[64..80], std::array::from_fn::<f32, 16, _>(|code| 2.0 * code as f32 - 1.0));
    Ok(())
}

#[test]
fn task_1_random_lookups_agree_with_mlx() -> Result<()> {
    properties(341, 600)
}

#[test]
fn task_1_step_2_vectors() -> Result<()> {
    tuning::on_every_set(2, || properties(3411, 60))
}

#[test]
fn task_1_step_3_threads() -> Result<()> {
    tuning::on_every_set(3, || properties(3411, 60))
}

#[test]
fn task_1_every_group_has_its_own_scale_and_bias() -> Result<()> {
    every_form(|| {
        let weight = Array::zeros::<u32>(&[1, 64])?;
        let (scales, biases) = (array(&[9.0; 4], &[1, 4]), array(&[1.0, 2.0, 3.0, 4.0], &[1, 4]));
        let got = quantized_embedding(&Array::from_slice(&[0u32], &[1]), &weight, &scales, &biases, 128, 4)?;
        let want: Vec<f32> = (0..512).map(|at| (at / 128 + 1) as f32).collect();
        assert_close_within("biases of four groups", &got, &array(&want, &[1, 512]), Tolerance::EXACT)
    })
}

#[test]
fn task_1_ids_may_come_twice_and_in_any_order() -> Result<()> {
    let mut random = Random::new(3412);
    let weight = random.ids(u32::MAX, &[50, 16]);
    let (scales, biases) = (random.normal(&[50, 1]), random.normal(&[50, 1]));
    let ids: Vec<u32> = (0..400).map(|i| (i * 7 % 50) as u32).collect();
    let got = quantized_embedding(&Array::from_slice(&ids, &[20, 20]), &weight, &scales, &biases, 128, 4)?;
    let want = ops::dequantize(&weight, &scales, &biases, 128, 4)?.take_axis(Array::from_slice(&ids, &[20, 20]), 0)?;
    assert_close("400 lookups on several threads", &got, &want)
}
