//! Task 2.7.1: products with packed weights whose inner axis is split into parts.

use extensions::tuning;
use extensions::week2::{Path, quantized_matmul};
use kit::Result;
use kit::testing::PackedWeight as Packed;
use kit::testing::{DTYPES, Random, Tolerance, assert_close_within, values};
use mlx_rs::{Array, Dtype};

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

/// `count` random products with every number of parts that the groups allow.
fn properties(seed: u64, count: usize) -> Result<()> {
    let mut random = Random::new(seed);
    for case in 0..count {
        let group = [64, 128][case % 2];
        let (rows, outputs, groups) = (random.int(1..14), random.int(1..36), random.int(1..8));
        let (inputs, splits) = (group * groups, random.int(1..groups + 1));
        let ((dtype, _), (parameters, _)) = (DTYPES[case % 3], DTYPES[case / 3 % 3]);
        let packed = Packed::random(&mut random, outputs, inputs, group, parameters)?;
        let x = random.normal(&[rows, inputs]).as_dtype(dtype)?;
        let what =
            format!("case {case}: {rows}x{inputs} {dtype:?} by {outputs} outputs, group {group}, {splits} parts");
        packed.check(&what, &x, Path::SplitK(splits))?;
    }
    Ok(())
}

#[test]
fn task_1_random_products_agree_with_mlx() -> Result<()> {
    properties(2711, 500)
}

#[test]
fn task_1_every_set_of_instructions_agrees_with_mlx() -> Result<()> {
    tuning::on_every_set(1, || properties(2712, 40))
}

#[test]
fn task_1_as_many_parts_as_groups_and_parts_that_do_not_divide_them() -> Result<()> {
    let mut random = Random::new(2713);
    let packed = Packed::random(&mut random, 23, 64 * 11, 64, Dtype::Bfloat16)?;
    let x = random.normal(&[5, 64 * 11]);
    for splits in 1..=11 {
        packed.check(&format!("11 groups in {splits} parts"), &x, Path::SplitK(splits))?;
    }
    Ok(())
}

#[test]
fn task_1_every_group_is_summed_once() -> Result<()> {
    let groups = 9;
    // Group g has scale 0 and bias 2^g: a sum tells which groups are in it.
    let biases: Vec<f32> = (0..groups).map(|group| 2.0f32.powi(group)).collect();
    let packed = Packed {
        weight: Random::new(7).ids(u32::MAX, &[1, 8 * groups]),
        scales: Array::zeros::<f32>(&[1, groups])?,
        biases: Array::from_slice(&biases, &[1, groups]),
        group: 64,
    };
    let x = Array::full::<f32>(&[1, 64 * groups], Array::from_f32(1.0 / 64.0))?;
    for splits in 1..=groups {
        assert_eq!(values(&packed.times(&x, Path::SplitK(splits))?)?, [511.0], "{splits} parts");
    }
    Ok(())
}

#[test]
fn task_1_parts_are_added_in_f32_and_in_their_order() -> Result<()> {
    // 2^24 + 1 is 2^24 in f32, so that in their order the parts give 0; backwards or in f64 they give 1.
    let outputs = 37;
    let row = [16_777_216.0f32, 1.0, -16_777_216.0];
    let packed = Packed {
        weight: Random::new(8).ids(u32::MAX, &[outputs, 24]),
        scales: Array::zeros::<f32>(&[outputs, 3])?,
        biases: Array::from_slice(&row.repeat(outputs as usize), &[outputs, 3]),
        group: 64,
    };
    let x = Array::full::<f32>(&[1, 192], Array::from_f32(1.0 / 64.0))?;
    assert_eq!(values(&packed.times(&x, Path::SplitK(3))?)?, vec![0.0; outputs as usize]);
    Ok(())
}

#[test]
fn task_1_parts_are_as_equal_as_whole_groups_allow() -> Result<()> {
    // 11 groups in 4 parts: no part has more than three, so that groups 6 and 10 are never in the same one, and groups 1
    // to 9 never all in the first. What is added to 2^24 within a part is lost a 64th at a time.
    let large = 16_777_216.0f32;
    let mut biases = [0.0f32; 22];
    (biases[0], biases[6], biases[10]) = (-large, large, 1.0);
    biases[11..].fill(1.0);
    biases[11] = large;
    let packed = Packed {
        weight: Random::new(9).ids(u32::MAX, &[2, 88]),
        scales: Array::zeros::<f32>(&[2, 11])?,
        biases: Array::from_slice(&biases, &[2, 11]),
        group: 64,
    };
    let x = Array::full::<f32>(&[1, 704], Array::from_f32(1.0 / 64.0))?;
    let got = values(&packed.times(&x, Path::SplitK(4))?)?;
    assert_eq!(got[0], 1.0, "a part has five groups, or the parts are not added in their order");
    assert!(got[1] > large, "the first part has summed all groups");
    Ok(())
}

#[test]
fn task_1_the_number_of_threads_changes_no_bit() -> Result<()> {
    let mut random = Random::new(2714);
    let packed = Packed::random(&mut random, 77, 1024, 64, Dtype::Bfloat16)?;
    let x = random.normal(&[11, 1024]);
    let before = tuning::threads()?;
    let mut all = Vec::new();
    for threads in [1, 2, 5] {
        tuning::set_threads(threads)?;
        all.push(values(&packed.times(&x, Path::SplitK(5))?)?);
    }
    tuning::set_threads(before)?;
    assert!(all.iter().all(|one| *one == all[0]), "another number of threads gave other values");
    Ok(())
}

#[test]
fn task_1_a_real_size() -> Result<()> {
    let mut random = Random::new(2715);
    let packed = Packed::random(&mut random, 128, 3072, 128, Dtype::Bfloat16)?;
    packed.check("32 tokens", &random.normal(&[32, 3072]), Path::SplitK(4))
}
