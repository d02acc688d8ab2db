//! Tasks 2.3.2 and 2.3.3: products with packed weights, one output after the other and for few rows.

use extensions::tuning;
use extensions::week2::{Path, quantized_matmul};
use kit::Result;
use kit::testing::PackedWeight as Packed;
use kit::testing::{DTYPES, Random, Tolerance, array, assert_close_within, values};
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

/// `count` random products: any number of rows, outputs and groups, every dtype.
fn properties(seed: u64, count: usize, path: Path, most_rows: i32, most_outputs: i32) -> Result<()> {
    let mut random = Random::new(seed);
    for case in 0..count {
        let group = [64, 128][case % 2];
        let (rows, outputs) = (random.int(1..most_rows + 1), random.int(1..most_outputs + 1));
        let inputs = group * random.int(1..5);
        let ((dtype, _), (parameters, _)) = (DTYPES[case % 3], DTYPES[case / 3 % 3]);
        let packed = Packed::random(&mut random, outputs, inputs, group, parameters)?;
        let x = random.normal(&[rows, inputs]).as_dtype(dtype)?;
        let what =
            format!("case {case}: {rows}x{inputs} {dtype:?} by {outputs} outputs, group {group}, {parameters:?}");
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
    let one = |at: usize| {
        let mut x = vec![0.0f32; 128];
        x[at] = 1.0;
        array(&x, &[1, 128])
    };
    // 0.5 * code - 1, and -2 * 15 + 30.
    for (at, want) in
        [(0, -1.0), (1, -0.5), (7, 2.5), (8, 3.0), (15, 6.5), (16, -1.0), (63, 6.5), (64, 0.0), (127, 0.0)]
    {
        let got = values(&quantized_matmul(&one(at), &weight, &scales, &biases, 64, 4, path)?)?;
        assert_eq!(got, [want], "the weight of input {at}");
    }
    let ones = array(&[1.0; 128], &[1, 128]);
    let got = values(&quantized_matmul(&ones, &weight, &scales, &biases, 64, 4, path)?)?;
    assert_eq!(got, [4.0 * (0.5 * 120.0 - 16.0)], "the sum of all weights");
    Ok(())
}

#[test]
fn task_2_weights_by_hand() -> Result<()> {
    by_hand(Path::Vanilla)
}

#[test]
fn task_2_random_products_agree_with_mlx() -> Result<()> {
    properties(232, 500, Path::Vanilla, 6, 9)
}

#[test]
fn task_2_leading_axes_stay() -> Result<()> {
    let mut random = Random::new(1);
    let packed = Packed::random(&mut random, 5, 128, 64, Dtype::Float32)?;
    for shape in [&[128][..], &[3, 128], &[2, 1, 128], &[2, 3, 2, 128], &[0, 128], &[2, 0, 128]] {
        packed.check(&format!("{shape:?}"), &random.normal(shape), Path::Vanilla)?;
    }
    Ok(())
}

#[test]
fn task_2_views_are_read_where_their_elements_are() -> Result<()> {
    let mut random = Random::new(2);
    let packed = Packed::random(&mut random, 6, 128, 64, Dtype::Float32)?;
    let x = random.normal(&[128, 3]);
    packed.check("a transposed x", &x.transpose()?, Path::Vanilla)?;
    packed.check("a broadcast x", &ops::broadcast_to(random.normal(&[1, 128]), &[4, 128])?, Path::Vanilla)?;
    let turned = Packed {
        weight: packed.weight.transpose()?.contiguous()?.transpose()?,
        scales: packed.scales.transpose()?.contiguous()?.transpose()?,
        biases: ops::broadcast_to(array(&[-0.1], &[1, 1]), &[6, 2])?,
        group: 64,
    };
    turned.check("a transposed weight", &random.normal(&[2, 128]), Path::Vanilla)
}

#[test]
fn task_3_weights_by_hand() -> Result<()> {
    by_hand(Path::Matvec)
}

/// A step of the ladder: weights by hand, then random products.
fn matvec_step(step: u8) -> Result<()> {
    tuning::on_every_set(step, || {
        by_hand(Path::Matvec)?;
        properties(2330 + u64::from(step), 60, Path::Matvec, 9, 14)
    })
}

#[test]
fn task_3_step_1_the_affine_split() -> Result<()> {
    matvec_step(1)
}

#[test]
fn task_3_step_2_vectors() -> Result<()> {
    matvec_step(2)
}

#[test]
fn task_3_step_3_two_streams() -> Result<()> {
    matvec_step(3)
}

#[test]
fn task_3_step_4_threads() -> Result<()> {
    matvec_step(4)
}

#[test]
fn task_3_random_products_agree_with_mlx() -> Result<()> {
    properties(2332, 500, Path::Matvec, 9, 14)
}

#[test]
fn task_3_one_row_of_a_real_size() -> Result<()> {
    let mut random = Random::new(3);
    for (outputs, inputs, group) in [(1024, 1024, 64), (515, 3072, 128), (3, 9728, 64)] {
        let packed = Packed::random(&mut random, outputs, inputs, group, Dtype::Bfloat16)?;
        packed.check(&format!("{outputs}x{inputs}"), &random.normal(&[1, inputs]), Path::Matvec)?;
    }
    Ok(())
}

#[test]
fn task_3_the_number_of_threads_changes_no_bit() -> Result<()> {
    let mut random = Random::new(4);
    let packed = Packed::random(&mut random, 1003, 1024, 128, Dtype::Bfloat16)?;
    let x = random.normal(&[3, 1024]);
    let before = tuning::threads()?;
    let mut all = Vec::new();
    for threads in [1, 2, 3, 7] {
        tuning::set_threads(threads)?;
        all.push(values(&packed.times(&x, Path::Matvec)?)?);
    }
    tuning::set_threads(before)?;
    assert!(all.iter().all(|one| *one == all[0]), "another number of threads gave other values");
    Ok(())
}

#[test]
fn task_3_a_row_does_not_depend_on_its_neighbours() -> Result<()> {
    let mut random = Random::new(5);
    let packed = Packed::random(&mut random, 40, 256, 64, Dtype::Float32)?;
    let x = random.normal(&[8, 256]);
    let together = values(&packed.times(&x, Path::Matvec)?)?;
    for row in 0..8 {
        let alone = packed.times(&x.take_axis(Array::from_slice(&[row as u32], &[1]), 0)?, Path::Matvec)?;
        let got = array(&together[row * 40..(row + 1) * 40], &[1, 40]);
        assert_close_within(&format!("row {row}"), &got, &alone, bound(Dtype::Float32, 256))?;
    }
    Ok(())
}

#[test]
fn task_3_infinity_and_nan_stay_in_their_row() -> Result<()> {
    let packed = Packed::random(&mut Random::new(6), 9, 64, 64, Dtype::Float32)?;
    let mut x = vec![0.5f32; 192];
    x[3] = f32::NAN;
    x[64] = f32::INFINITY;
    let got = values(&packed.times(&array(&x, &[3, 64]), Path::Matvec)?)?;
    assert!(got[..9].iter().all(|value| value.is_nan()), "a NaN in the row makes the row NaN: {got:?}");
    assert!(got[9..18].iter().all(|value| !value.is_finite()), "an infinity stays: {got:?}");
    assert!(got[18..].iter().all(|value| value.is_finite()), "the third row has neither: {got:?}");
    Ok(())
}
