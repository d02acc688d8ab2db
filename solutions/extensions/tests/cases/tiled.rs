//! Task 2.6.1: products with packed weights in blocks, for prefill.

use extensions::tuning;
use extensions::week2::{Path, quantized_matmul};
use kit::Result;
use kit::testing::PackedWeight as Packed;
use kit::testing::{DTYPES, Random, Tolerance, assert_close_within, values};
use mlx_rs::{Array, Dtype, ops};

/// The kernel on such a weight.
trait Product {
    fn times(&self, x: &Array, path: Path) -> Result<Array>;
    fn check(&self, what: &str, x: &Array, path: Path) -> Result<()>;
}

impl Product for Packed {
    fn times(&self, x: &Array, path: Path) -> Result<Array> {
        quantized_matmul(x, &self.weight, &self.scales, &self.biases, self.group, 4, path)
    }

    fn check(&self, what: &str, x: &Array, path: Path) -> Result<()> {
        let got = self.times(x, path)?;
        if x.size() == 0 {
            // MLX's operator divides by the number of rows.
            let mut shape = x.shape().to_vec();
            shape[x.ndim() - 1] = self.weight.shape()[0];
            assert_eq!((got.shape(), values(&got)?.len()), (&shape[..], 0), "{what}");
            return Ok(());
        }
        let inputs = self.weight.shape()[1] * 8;
        assert_close_within(what, &got, &self.oracle(x)?, bound(x.dtype(), inputs))
    }
}

/// Sums of N products in f32, in any order, and one rounding to the dtype.
fn bound(dtype: Dtype, inputs: i32) -> Tolerance {
    let one = Tolerance::of(dtype);
    Tolerance { abs: one.abs + 2e-7 * inputs as f32, rel: one.rel }
}

/// `count` random products; tails in every dimension: rows, outputs, and inputs that are not whole blocks.
fn properties(seed: u64, count: usize, most_rows: i32, most_outputs: i32) -> Result<()> {
    let mut random = Random::new(seed);
    for case in 0..count {
        let group = [64, 128][case % 2];
        let (rows, outputs) = (random.int(1..most_rows + 1), random.int(1..most_outputs + 1));
        let inputs = group * random.int(1..6);
        let ((dtype, _), (parameters, _)) = (DTYPES[case % 3], DTYPES[case / 3 % 3]);
        let packed = Packed::random(&mut random, outputs, inputs, group, parameters)?;
        let x = random.normal(&[rows, inputs]).as_dtype(dtype)?;
        let what =
            format!("case {case}: {rows}x{inputs} {dtype:?} by {outputs} outputs, group {group}, {parameters:?}");
        packed.check(&what, &x, Path::Tiled)?;
    }
    Ok(())
}

#[test]
fn task_1_random_products_agree_with_mlx() -> Result<()> {
    properties(2611, 500, 20, 40)
}

#[test]
fn task_1_every_tail_of_rows_and_outputs() -> Result<()> {
    let mut random = Random::new(2612);
    for rows in 1..=13 {
        for outputs in [1, 7, 8, 9, 15, 16, 17, 31, 32, 33] {
            let packed = Packed::random(&mut random, outputs, 64, 64, Dtype::Float32)?;
            packed.check(&format!("{rows} rows by {outputs} outputs"), &random.normal(&[rows, 64]), Path::Tiled)?;
        }
    }
    Ok(())
}

#[test]
fn task_1_every_tail_of_the_inner_axis() -> Result<()> {
    let mut random = Random::new(2613);
    for groups in 1..=13 {
        let inputs = 64 * groups;
        let packed = Packed::random(&mut random, 21, inputs, 64, Dtype::Bfloat16)?;
        packed.check(&format!("{inputs} inputs"), &random.normal(&[7, inputs]), Path::Tiled)?;
    }
    Ok(())
}

/// A step of the ladder: the weights themselves, then random products.
fn tiled_step(step: u8) -> Result<()> {
    tuning::on_every_set(step, || {
        the_identity()?;
        properties(2614 + u64::from(step), 30, 15, 37)
    })
}

#[test]
fn task_1_step_1_blocks() -> Result<()> {
    tiled_step(1)
}

#[test]
fn task_1_step_2_sums_in_registers() -> Result<()> {
    tiled_step(2)
}

#[test]
fn task_1_step_3_threads() -> Result<()> {
    tiled_step(3)
}

#[test]
fn task_1_a_prompt_of_a_real_size() -> Result<()> {
    let mut random = Random::new(2615);
    let packed = Packed::random(&mut random, 259, 1024, 128, Dtype::Bfloat16)?;
    packed.check("65 tokens", &random.normal(&[65, 1024]), Path::Tiled)
}

#[test]
fn task_1_leading_axes_and_views() -> Result<()> {
    let mut random = Random::new(2616);
    let packed = Packed::random(&mut random, 19, 128, 64, Dtype::Float16)?;
    for shape in [&[128][..], &[2, 5, 128], &[0, 128]] {
        packed.check(&format!("{shape:?}"), &random.normal(shape), Path::Tiled)?;
    }
    let turned = random.normal(&[128, 9]);
    packed.check("a transposed x", &turned.transpose()?, Path::Tiled)
}

#[test]
fn task_1_the_number_of_threads_changes_no_bit() -> Result<()> {
    let mut random = Random::new(2617);
    let packed = Packed::random(&mut random, 333, 512, 64, Dtype::Bfloat16)?;
    let x = random.normal(&[19, 512]);
    let before = tuning::threads()?;
    let mut all = Vec::new();
    for threads in [1, 2, 3, 7] {
        tuning::set_threads(threads)?;
        all.push(values(&packed.times(&x, Path::Tiled)?)?);
    }
    tuning::set_threads(before)?;
    assert!(all.iter().all(|one| *one == all[0]), "another number of threads gave other values");
    Ok(())
}

/// The identity times a weight: nothing is summed, so that a wrong number tells its place.
fn the_identity() -> Result<()> {
    let mut random = Random::new(2618);
    let packed = Packed::random(&mut random, 18, 320, 64, Dtype::Float32)?;
    let weights = ops::dequantize(&packed.weight, &packed.scales, &packed.biases, 64, 4)?;
    let identity = Array::eye::<f32>(320, None, None)?;
    let tolerance = Tolerance { abs: 1e-6, rel: 1e-6 };
    assert_close_within("weights", &packed.times(&identity, Path::Tiled)?, &weights.transpose()?, tolerance)
}

#[test]
fn task_1_the_identity_gives_the_weights_themselves() -> Result<()> {
    the_identity()
}
