//! Task 2.7.3, optional: the sum over the inputs in parts, as two Metal kernels.

use extensions::metal;
use extensions::week2::{Path, quantized_matmul};
use kit::Result;
use kit::testing::{DTYPES, Random, Tolerance, assert_close_within};
use mlx_rs::{Array, Dtype, ops};

/// A packed weight of K rows and N columns.
struct Packed {
    weight: Array,
    scales: Array,
    biases: Array,
    group: i32,
}

impl Packed {
    /// Every code, scales of both signs.
    fn random(random: &mut Random, outputs: i32, inputs: i32, group: i32, dtype: Dtype) -> Result<Self> {
        let parameters = [outputs, inputs / group];
        let weight = random.ids(u32::MAX, &[outputs, inputs / 8]);
        let scales = random.uniform(-0.03, 0.03, &parameters).as_dtype(dtype)?;
        let biases = random.uniform(-0.2, 0.2, &parameters).as_dtype(dtype)?;
        Ok(Self { weight, scales, biases, group })
    }

    /// Against MLX's own operator in f32, rounded to the dtype of x.
    fn check(&self, what: &str, x: &Array, path: Path) -> Result<()> {
        let got = quantized_matmul(x, &self.weight, &self.scales, &self.biases, self.group, 4, path)?;
        let [x32, scales, biases] = [x, &self.scales, &self.biases].map(|array| array.as_dtype(Dtype::Float32));
        let want = ops::quantized_matmul(x32?, &self.weight, scales?, &biases?, true, self.group, 4)?;
        // Sums of N products in f32, in any order, and one rounding.
        let one = Tolerance::of(x.dtype());
        let within = Tolerance { abs: one.abs + 1e-6 * (self.weight.shape()[1] * 8) as f32, rel: one.rel };
        assert_close_within(what, &got, &want.as_dtype(x.dtype())?, within)
    }
}

/// Each pair of dtypes with a size of its own: rows, outputs, groups.
fn products(seed: u64, path: Path, sizes: [[i32; 3]; 9]) -> Result<()> {
    let mut random = Random::new(seed);
    for (case, [rows, outputs, groups]) in sizes.into_iter().enumerate() {
        let group = [64, 128][case % 2];
        let ((dtype, _), (parameters, _)) = (DTYPES[case % 3], DTYPES[case / 3]);
        let packed = Packed::random(&mut random, outputs, group * groups, group, parameters)?;
        let x = random.normal(&[rows, group * groups]).as_dtype(dtype)?;
        let what = format!("{rows}x{} {dtype:?} by {outputs} outputs, group {group}, {parameters:?}", group * groups);
        packed.check(&what, &x, path)?;
    }
    Ok(())
}

#[test]
fn task_3_metal_one_part_is_the_whole_sum() -> Result<()> {
    metal::with_kernels(|| {
        let mut random = Random::new(2730);
        let packed = Packed::random(&mut random, 32, 128, 64, Dtype::Float32)?;
        packed.check("one part", &random.normal(&[32, 128]), Path::SplitK(1))
    })
}

#[test]
fn task_3_metal_parts_of_any_size_agree_with_mlx() -> Result<()> {
    // Three parts of as many groups as there are, or one more than that, or many.
    let sizes =
        [[1, 1, 3], [5, 33, 4], [33, 31, 5], [9, 7, 7], [2, 40, 3], [8, 16, 4], [17, 3, 8], [32, 1, 6], [1, 32, 3]];
    metal::with_kernels(|| products(2731, Path::SplitK(3), sizes))
}

#[test]
fn task_3_metal_a_part_a_group() -> Result<()> {
    metal::with_kernels(|| {
        let mut random = Random::new(2732);
        let packed = Packed::random(&mut random, 20, 512, 64, Dtype::Bfloat16)?;
        packed.check("eight parts", &random.normal(&[12, 512]).as_dtype(Dtype::Bfloat16)?, Path::SplitK(8))
    })
}
