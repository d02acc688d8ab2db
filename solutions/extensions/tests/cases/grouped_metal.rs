//! Task 3.6.5, optional: grouped_quantized_matmul as a Metal kernel.

use extensions::metal;
use extensions::week3::grouped_quantized_matmul;
use kit::Result;
use kit::testing::PackedExperts as Experts;
use kit::testing::{DTYPES, Random, Tolerance, array, assert_close, assert_close_within, values};
use mlx_rs::{Array, Dtype, ops};

/// The kernel on such weights.
trait Product {
    fn times(&self, x: &Array, ids: &[u32]) -> Result<Array>;
}

impl Product for Experts {
    fn times(&self, x: &Array, ids: &[u32]) -> Result<Array> {
        let ids = Array::from_slice(ids, &[ids.len() as i32]);
        grouped_quantized_matmul(x, &self.weight, &self.scales, &self.biases, &ids, self.group, 4)
    }
}

/// What sums of a few hundred products of numbers around 1 may differ by, in another order.
fn tolerance(dtype: Dtype) -> Tolerance {
    match dtype {
        Dtype::Float32 => Tolerance { abs: 2e-4, rel: 2e-5 },
        other => Tolerance::of(other),
    }
}

#[test]
fn task_5_metal_two_experts_by_hand() -> Result<()> {
    // All codes are 1. Expert 0 makes 1 of each, expert 1 makes 10.
    let experts = Experts {
        weight: Array::full::<u32>(&[2, 1, 8], Array::from_slice(&[0x1111_1111u32], &[1]))?,
        scales: array(&[1.0, 10.0], &[2, 1, 1]),
        biases: array(&[0.0, 0.0], &[2, 1, 1]),
        group: 64,
    };
    let x = Array::full::<f32>(&[3, 64], Array::from_f32(1.0))?;
    metal::with_each_step(2, || {
        assert_close("three rows", &experts.times(&x, &[1, 0, 1])?, &array(&[640.0, 64.0, 640.0], &[3, 1]))
    })
}

#[test]
fn task_5_metal_random_rows_agree_with_mlx() -> Result<()> {
    metal::with_each_step(2, || {
        let mut random = Random::new(3651);
        for case in 0..18 {
            // Outputs that neither four nor a group's outputs divide.
            let sizes = [random.int(1..7), random.int(1..40), random.int(1..6), [64, 128][case % 2]];
            let dtype = DTYPES[case / 2 % 3].0;
            let experts = Experts::random(&mut random, sizes, DTYPES[case % 3].0)?;
            let rows = random.int(1..12);
            let x = random.normal(&[rows, sizes[2] * sizes[3]]).as_dtype(dtype)?;
            let ids: Vec<u32> = (0..rows).map(|_| random.int(0..sizes[0]) as u32).collect();
            let what = format!("case {case}: {rows} rows to {ids:?}, {sizes:?}, {dtype:?}");
            assert_close_within(&what, &experts.times(&x, &ids)?, &experts.oracle(&x, &ids)?, tolerance(dtype))?;
        }
        Ok(())
    })
}

#[test]
fn task_5_metal_an_expert_that_is_not_there_is_not_a_number() -> Result<()> {
    metal::with_each_step(2, || {
        let mut random = Random::new(3652);
        let experts = Experts::random(&mut random, [2, 5, 1, 64], Dtype::Float32)?;
        // Not known yet when the node is built: an id that is known is refused.
        let ids = ops::add(Array::from_slice(&[1u32, 1], &[2]), Array::from_slice(&[0u32, 1], &[2]))?;
        let Experts { weight, scales, biases, .. } = &experts;
        let x = random.normal(&[2, 64]);
        let got = values(&grouped_quantized_matmul(&x, weight, scales, biases, &ids, 64, 4)?)?;
        assert!(got[..5].iter().all(|value| value.is_finite()), "expert 1 is there: {got:?}");
        assert!(got[5..].iter().all(|value| value.is_nan()), "expert 2 is not: {got:?}");
        Ok(())
    })
}

#[test]
fn task_5_metal_every_second_output_of_wider_experts() -> Result<()> {
    metal::with_each_step(2, || {
        let mut random = Random::new(3653);
        let Experts { weight, scales, biases, group } = Experts::random(&mut random, [3, 14, 2, 64], Dtype::Float32)?;
        // A view, as far as rows can be told from each other by one step.
        let second =
            |all: Array| -> Result<Array> { Ok(ops::split_equal(&all.reshape(&[3, 7, -1])?, 2, 2)?.remove(1)) };
        let experts = Experts { weight: second(weight)?, scales: second(scales)?, biases: second(biases)?, group };
        let x = random.normal(&[5, 128]);
        let ids = [2, 0, 1, 2, 0];
        assert_close_within("views", &experts.times(&x, &ids)?, &experts.oracle(&x, &ids)?, tolerance(Dtype::Float32))
    })
}
