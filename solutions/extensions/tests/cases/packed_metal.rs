//! Tasks 2.3.5 and 2.3.6, optional: products with packed weights as Metal kernels.

use extensions::metal;
use extensions::week2::{Path, quantized_matmul};
use kit::Result;
use kit::testing::PackedWeight as Packed;
use kit::testing::{DTYPES, Random, Tolerance, array, assert_close_within, values};
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

/// Two groups of 64: codes 0 to 15 in order, then all 15.
fn by_hand(path: Path) -> Result<()> {
    let ramp = [0x7654_3210_u32, 0xfedc_ba98];
    let words: Vec<u32> = (0..8).map(|i| ramp[i % 2]).chain([u32::MAX; 8]).collect();
    let weight = Array::from_slice(&words, &[1, 16]);
    let (scales, biases) = (array(&[0.5, -2.0], &[1, 2]), array(&[-1.0, 30.0], &[1, 2]));
    // 0.5 * code - 1, and -2 * 15 + 30.
    for (at, want) in [(0, -1.0), (1, -0.5), (7, 2.5), (8, 3.0), (15, 6.5), (63, 6.5), (64, 0.0), (127, 0.0)] {
        let mut x = vec![0.0f32; 128];
        x[at] = 1.0;
        let got = quantized_matmul(&array(&x, &[1, 128]), &weight, &scales, &biases, 64, 4, path)?;
        assert_eq!(values(&got)?, [want], "the weight of input {at}");
    }
    Ok(())
}

#[test]
fn task_5_metal_weights_by_hand() -> Result<()> {
    metal::with_kernels(|| by_hand(Path::Vanilla))
}

#[test]
fn task_5_metal_products_agree_with_mlx() -> Result<()> {
    let sizes = [[1, 1, 1], [2, 7, 1], [3, 33, 2], [5, 4, 3], [1, 100, 2], [4, 9, 1], [7, 3, 2], [2, 65, 1], [6, 5, 4]];
    metal::with_kernels(|| products(2351, Path::Vanilla, sizes))
}

#[test]
fn task_6_metal_weights_by_hand() -> Result<()> {
    metal::with_each_step(2, || by_hand(Path::Matvec))
}

#[test]
fn task_6_metal_products_agree_with_mlx() -> Result<()> {
    // Outputs that no number of SIMD groups divides; rows of fewer words than lanes, and of more.
    let sizes = [[1, 1, 1], [1, 9, 1], [2, 37, 2], [3, 8, 5], [1, 63, 3], [4, 6, 2], [2, 3, 9], [1, 65, 4], [5, 2, 7]];
    metal::with_each_step(2, || products(2361, Path::Matvec, sizes))
}

#[test]
fn task_6_metal_infinity_and_nan_stay_in_their_row() -> Result<()> {
    metal::with_each_step(2, || {
        let packed = Packed::random(&mut Random::new(6), 9, 64, 64, Dtype::Float32)?;
        let mut x = vec![0.5f32; 128];
        x[3] = f32::NAN;
        let Packed { weight, scales, biases, group } = &packed;
        let got = quantized_matmul(&array(&x, &[2, 64]), weight, scales, biases, *group, 4, Path::Matvec)?;
        let got = values(&got)?;
        assert!(got[..9].iter().all(|value| value.is_nan()), "a NaN in the row makes the row NaN: {got:?}");
        assert!(got[9..].iter().all(|value| value.is_finite()), "the second row has none: {got:?}");
        Ok(())
    })
}
