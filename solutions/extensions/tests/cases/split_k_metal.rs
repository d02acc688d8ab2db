//! Task 2.7.3, optional: the sum over the inputs in parts, as two Metal kernels.

use extensions::metal;
use extensions::week2::{Path, quantized_matmul};
use kit::Result;
use kit::testing::PackedWeight as Packed;
use kit::testing::{DTYPES, Random, Tolerance, assert_close_within, values};
use mlx_rs::{Array, Dtype};

/// The kernel on such a weight.
trait Product {
    fn check(&self, what: &str, x: &Array, path: Path) -> Result<()>;
}

impl Product for Packed {
    fn check(&self, what: &str, x: &Array, path: Path) -> Result<()> {
        let got = quantized_matmul(x, &self.weight, &self.scales, &self.biases, self.group, 4, path)?;
        // Sums of N products in f32, in any order, and one rounding.
        let one = Tolerance::of(x.dtype());
        let within = Tolerance { abs: one.abs + 1e-6 * (self.weight.shape()[1] * 8) as f32, rel: one.rel };
        assert_close_within(what, &got, &self.oracle(x)?, within)
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

#[test]
fn task_3_metal_the_sum_of_the_parts_is_rounded_once() -> Result<()> {
    // 64 and then six times 1/64, which 64 swallows in 16 bits, and 64 off again: 6/64 only where the sum stays in f32.
    let mut parts = [1.0 / 64.0; 8];
    (parts[0], parts[7]) = (64.0f32, -64.0);
    let packed = Packed {
        weight: Random::new(2733).ids(u32::MAX, &[3, 64]),
        scales: Array::zeros::<f32>(&[3, 8])?,
        biases: Array::from_slice(&parts.repeat(3), &[3, 8]),
        group: 64,
    };
    metal::with_kernels(|| {
        for dtype in [Dtype::Float16, Dtype::Bfloat16] {
            let x = Array::full::<f32>(&[9, 512], Array::from_f32(1.0 / 64.0))?.as_dtype(dtype)?;
            let Packed { weight, scales, biases, group } = &packed;
            let got = quantized_matmul(&x, weight, scales, biases, *group, 4, Path::SplitK(8))?;
            assert_eq!(values(&got)?, [6.0 / 64.0; 27], "{dtype:?}");
        }
        Ok(())
    })
}
