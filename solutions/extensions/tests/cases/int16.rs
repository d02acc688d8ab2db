//! Task 2.7.4: products with packed weights for few rows, in 16-bit integers.

use extensions::tuning;
use extensions::week2::{Path, quantized_matmul};
use kit::Result;
use kit::testing::PackedWeight as Packed;
use kit::testing::{DTYPES, Random, Tolerance, array, assert_close_within, values};
use mlx_rs::{Array, Dtype};

/// What the largest of eight numbers is rounded to.
const MOST: f32 = 32_767.0;

/// The kernel on such a weight.
trait Product {
    fn times(&self, x: &Array) -> Result<Array>;
    fn rounding(&self, x: &Array) -> Result<Vec<f32>>;
}

impl Product for Packed {
    fn times(&self, x: &Array) -> Result<Array> {
        quantized_matmul(x, &self.weight, &self.scales, &self.biases, self.group, 4, Path::MatvecInt16)
    }

    /// Half a step of each eight of x times what their weights can be: how far rounding can move an output.
    fn rounding(&self, x: &Array) -> Result<Vec<f32>> {
        let (outputs, groups) = (self.scales.shape()[0] as usize, self.scales.shape()[1] as usize);
        let (group, x) = (self.group as usize, values(&x.as_dtype(Dtype::Float32)?)?);
        let wide = |array: &Array| values(&array.as_dtype(Dtype::Float32)?);
        let (scales, biases) = (wide(&self.scales)?, wide(&self.biases)?);
        let mut bounds = Vec::new();
        for row in x.chunks(groups * group) {
            let steps = |of_group: &[f32]| of_group.chunks(8).map(|x| largest(x) / MOST).sum::<f32>();
            let steps: Vec<f32> = row.chunks(group).map(steps).collect();
            for at in (0..outputs).map(|k| k * groups) {
                let weight = |g: usize| biases[at + g].abs().max((15.0 * scales[at + g] + biases[at + g]).abs());
                bounds.push((0..groups).map(|g| 0.502 * 8.0 * steps[g] * weight(g)).sum());
            }
        }
        Ok(bounds)
    }
}

fn largest(x: &[f32]) -> f32 {
    x.iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// Whole numbers up to 32,767 in steps of a power of two; every eight hold the largest, so that nothing is rounded.
fn whole(random: &mut Random, rows: i32, inputs: i32) -> Result<Array> {
    let mut x: Vec<f32> =
        random.uniform(-MOST, MOST, &[rows, inputs]).as_slice::<f32>().iter().map(|x| x.round()).collect();
    for eight in x.chunks_mut(8) {
        eight[random.int(0..8) as usize] = if random.int(0..2) == 0 { MOST } else { -MOST };
        let step = 2.0f32.powi(random.int(-20..-8));
        eight.iter_mut().for_each(|x| *x *= step);
    }
    Ok(array(&x, &[rows, inputs]))
}

/// Sums of N products in f32, in any order, relative to their largest terms.
fn sums(inputs: i32, x: &Array) -> Result<Tolerance> {
    Ok(Tolerance { abs: 3e-7 * inputs as f32 * largest(&values(x)?).max(1.0) + 1e-5, rel: 1e-5 })
}

/// `count` products of whole numbers, which no path may round, then of any numbers, within the bound of their rounding.
fn properties(seed: u64, count: usize) -> Result<()> {
    let mut random = Random::new(seed);
    for case in 0..count {
        let group = [64, 128][case % 2];
        let (rows, outputs, inputs) = (random.int(1..10), random.int(1..15), group * random.int(1..12));
        let ((dtype, _), (parameters, _)) = (DTYPES[case % 3], DTYPES[case / 3 % 3]);
        let packed = Packed::random(&mut random, outputs, inputs, group, parameters)?;
        let what = format!("case {case}: {rows}x{inputs} by {outputs} outputs, group {group}, {parameters:?}");
        let x = whole(&mut random, rows, inputs)?;
        assert_close_within(&format!("{what}, whole x"), &packed.times(&x)?, &packed.oracle(&x)?, sums(inputs, &x)?)?;
        let x = random.normal(&[rows, inputs]).as_dtype(dtype)?;
        let got = packed.times(&x)?;
        assert_eq!(got.dtype(), dtype, "{what}");
        let (got, want) =
            (values(&got.as_dtype(Dtype::Float32)?)?, values(&packed.oracle(&x.as_dtype(Dtype::Float32)?)?)?);
        let (within, rounding) = (sums(inputs, &x)?, packed.rounding(&x)?);
        let one = Tolerance::of(dtype);
        for (i, bound) in rounding.iter().enumerate() {
            let bound = bound + within.abs + one.abs + one.rel * want[i].abs();
            let off = (got[i] - want[i]).abs();
            assert!(off <= bound, "{what}, {dtype:?} x: element {i} is {}, not {}: {off} > {bound}", got[i], want[i]);
        }
    }
    Ok(())
}

/// A weight whose row n holds code 1 at input n alone, scale 1 and bias 0: it shows x as the kernel sees it.
fn mirror(inputs: i32, group: i32) -> Result<Packed> {
    let words = inputs / 8;
    let mut weight = vec![0u32; (inputs * words) as usize];
    for n in 0..inputs {
        weight[(n * words + n / 8) as usize] = 1 << (4 * (n % 8));
    }
    Ok(Packed {
        weight: Array::from_slice(&weight, &[inputs, words]),
        scales: Array::ones::<f32>(&[inputs, inputs / group])?,
        biases: Array::zeros::<f32>(&[inputs, inputs / group])?,
        group,
    })
}

/// A step of the ladder: x as it is seen, then random products.
fn int16_step(step: u8) -> Result<()> {
    tuning::on_every_set(step, || {
        nearest_of_each_eight()?;
        properties(2740 + u64::from(step), 40)
    })
}

/// Every x comes out within half a step of its own eight, whatever the sizes of the numbers beside them.
fn nearest_of_each_eight() -> Result<()> {
    let mut random = Random::new(274);
    for group in [64, 128] {
        let packed = mirror(3 * group, group)?;
        let mut x = values(&random.normal(&[1, 3 * group]))?;
        for eight in x.chunks_mut(8) {
            let size = 10.0f32.powi(random.int(-30..5));
            eight.iter_mut().for_each(|x| *x *= size);
        }
        let got = values(&packed.times(&array(&x, &[1, 3 * group]))?)?;
        for (at, (x, got)) in x.chunks(8).zip(got.chunks(8)).enumerate() {
            let step = largest(x) / MOST;
            for (x, got) in x.iter().zip(got) {
                let off = (got - x).abs() / step;
                assert!(off <= 0.51, "word {at} has steps of {step}, and {x} became {got}, {off} steps off");
            }
        }
    }
    Ok(())
}

#[test]
fn task_4_step_1_whole_numbers() -> Result<()> {
    int16_step(1)
}

#[test]
fn task_4_step_2_pairs() -> Result<()> {
    int16_step(2)
}

#[test]
fn task_4_step_3_threads() -> Result<()> {
    int16_step(3)
}

#[test]
fn task_4_random_products_are_as_near_as_their_rounding_allows() -> Result<()> {
    properties(274, 500)
}

#[test]
fn task_4_weights_by_hand() -> Result<()> {
    // 0.5 * code - 1 for the first group, -2 * code + 30 for the second; codes 0 to 15 in turn.
    let words: Vec<u32> = (0..16).map(|i| [0x7654_3210_u32, 0xfedc_ba98][i % 2]).collect();
    let weight = Array::from_slice(&words, &[1, 16]);
    let (scales, biases) = (array(&[0.5, -2.0], &[1, 2]), array(&[-1.0, 30.0], &[1, 2]));
    for (at, want) in [(0, -1.0), (1, -0.5), (7, 2.5), (15, 6.5), (63, 6.5), (64, 30.0), (65, 28.0), (127, 0.0)] {
        let mut x = vec![0.0f32; 128];
        x[at] = -MOST;
        let got =
            values(&quantized_matmul(&array(&x, &[1, 128]), &weight, &scales, &biases, 64, 4, Path::MatvecInt16)?)?;
        assert_eq!(got, [-MOST * want], "{MOST} times the weight of input {at}, negative");
    }
    Ok(())
}

#[test]
fn task_4_the_largest_sums_fit() -> Result<()> {
    // All codes 15, all x the largest: 128 * 15 * 32,767 is below 2^31, but 2^15 or 2^24 are not enough.
    for group in [64, 128] {
        let packed = Packed {
            weight: Array::full::<u32>(&[3, group / 8], Array::from_slice(&[u32::MAX], &[1]))?,
            scales: Array::ones::<f32>(&[3, 1])?,
            biases: Array::zeros::<f32>(&[3, 1])?,
            group,
        };
        for sign in [1.0, -1.0] {
            let x = Array::full::<f32>(&[2, group], Array::from_f32(sign * 2.0))?;
            let want = Array::full::<f32>(&[2, 3], Array::from_f32(sign * 30.0 * group as f32))?;
            let within = Tolerance { abs: 0.0, rel: 1e-6 };
            assert_close_within(&format!("groups of {group}"), &packed.times(&x)?, &want, within)?;
        }
    }
    Ok(())
}

#[test]
fn task_4_eight_zeros_are_zero_and_a_tiny_one_stays_small() -> Result<()> {
    let packed = mirror(128, 64)?;
    let mut x = vec![0.0f32; 128];
    assert_eq!(values(&packed.times(&array(&x, &[1, 128]))?)?, x, "zeros");
    x[70] = 1e-38;
    let got = values(&packed.times(&array(&x, &[1, 128]))?)?;
    assert!(got.iter().all(|value| value.abs() < 1e-30), "numbers near 0 became {got:?}");
    Ok(())
}

#[test]
fn task_4_weights_of_zero_give_zero() -> Result<()> {
    // 1 * 8 - 8: what was rounded away of x must not come back by the bias.
    let mut random = Random::new(2748);
    let packed = Packed {
        weight: Array::full::<u32>(&[5, 24], Array::from_slice(&[0x8888_8888_u32], &[1]))?,
        scales: Array::ones::<f32>(&[5, 3])?,
        biases: Array::full::<f32>(&[5, 3], Array::from_f32(-8.0))?,
        group: 64,
    };
    let x = random.normal(&[3, 192]);
    let zeros = Array::zeros::<f32>(&[3, 5])?;
    assert_close_within("weights of 0", &packed.times(&x)?, &zeros, Tolerance { abs: 3e-5, rel: 0.0 })
}

#[test]
fn task_4_the_number_of_threads_changes_no_bit() -> Result<()> {
    let mut random = Random::new(2744);
    let packed = Packed::random(&mut random, 1003, 1024, 128, Dtype::Bfloat16)?;
    let x = random.normal(&[3, 1024]);
    let before = tuning::threads()?;
    let mut all = Vec::new();
    for threads in [1, 2, 3, 7] {
        tuning::set_threads(threads)?;
        all.push(values(&packed.times(&x)?)?);
    }
    tuning::set_threads(before)?;
    assert!(all.iter().all(|one| *one == all[0]), "another number of threads gave other values");
    Ok(())
}

#[test]
fn task_4_a_row_has_the_same_bits_beside_any_others() -> Result<()> {
    let mut random = Random::new(2745);
    let packed = Packed::random(&mut random, 40, 576, 64, Dtype::Float32)?;
    let x = random.normal(&[9, 576]);
    let together = values(&packed.times(&x)?)?;
    for row in 0..9 {
        let alone = packed.times(&x.take_axis(Array::from_slice(&[row as u32], &[1]), 0)?)?;
        assert_eq!(values(&alone)?, together[row * 40..(row + 1) * 40], "row {row}");
    }
    Ok(())
}

#[test]
fn task_4_infinity_and_nan_stay_in_their_row() -> Result<()> {
    let packed = Packed::random(&mut Random::new(2746), 9, 128, 64, Dtype::Float32)?;
    let mut x = vec![0.5f32; 384];
    x[3] = f32::NAN;
    x[130] = f32::INFINITY;
    let got = values(&packed.times(&array(&x, &[3, 128]))?)?;
    assert!(got[..9].iter().all(|value| value.is_nan()), "a NaN in the row makes the row NaN: {got:?}");
    assert!(got[9..18].iter().all(|value| !value.is_finite()), "an infinity stays: {got:?}");
    assert!(got[18..].iter().all(|value| value.is_finite()), "the third row has neither: {got:?}");
    Ok(())
}

#[test]
fn task_4_one_row_of_a_real_size() -> Result<()> {
    let mut random = Random::new(2747);
    for (outputs, inputs, group) in [(1024, 1024, 64), (515, 3072, 128), (3, 9728, 64)] {
        let packed = Packed::random(&mut random, outputs, inputs, group, Dtype::Bfloat16)?;
        let x = whole(&mut random, 1, inputs)?;
        let what = format!("{outputs}x{inputs}");
        assert_close_within(&what, &packed.times(&x)?, &packed.oracle(&x)?, sums(inputs, &x)?)?;
    }
    Ok(())
}
