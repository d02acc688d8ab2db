//! Task 2.6.2, optional: products of many rows in tiles, as a Metal kernel with SIMD-group matrices.

use extensions::metal;
use extensions::week2::{Path, quantized_matmul};
use kit::Result;
use kit::testing::PackedWeight as Packed;
use kit::testing::{DTYPES, Random, Tolerance, assert_close_within};
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
fn task_2_metal_one_whole_tile() -> Result<()> {
    metal::with_each_step(2, || {
        let mut random = Random::new(2620);
        let packed = Packed::random(&mut random, 32, 128, 64, Dtype::Float32)?;
        packed.check("32 x 128 by 32", &random.normal(&[32, 128]), Path::Tiled)
    })
}

#[test]
fn task_2_metal_tails_in_every_dimension_agree_with_mlx() -> Result<()> {
    let sizes =
        [[1, 1, 1], [31, 33, 1], [33, 31, 2], [40, 64, 1], [64, 40, 1], [8, 70, 2], [70, 8, 1], [32, 1, 2], [1, 32, 3]];
    metal::with_each_step(2, || products(2621, Path::Tiled, sizes))
}
