//! Task 3.6.1: every row times the packed weight of its own expert.

use extensions::tuning;
use extensions::week3::grouped_quantized_matmul;
use kit::Result;
use kit::testing::PackedExperts as Experts;
use kit::testing::{DTYPES, Random, Tolerance, array, assert_close, assert_close_within, values, zeros};
use kit::testing::{expect_dtype, expect_error, expect_invalid_argument, expect_shape};
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

/// Runs `test` with every step of the ladder and every set of instructions that this processor has.
fn every_form(test: impl Fn() -> Result<()>) -> Result<()> {
    (1..=3).try_for_each(|step| tuning::on_every_set(step, &test))
}

/// What sums of a few hundred products of numbers around 1 may differ by, in another order.
fn tolerance(dtype: Dtype) -> Tolerance {
    match dtype {
        Dtype::Float32 => Tolerance { abs: 2e-4, rel: 2e-5 },
        other => Tolerance::of(other),
    }
}

fn properties(seed: u64, count: usize) -> Result<()> {
    let mut random = Random::new(seed);
    for case in 0..count {
        let sizes = [random.int(1..7), random.int(1..40), random.int(1..4), [64, 128][case % 2]];
        let dtype = DTYPES[case / 2 % 3].0;
        let experts = Experts::random(&mut random, sizes, DTYPES[case % 3].0)?;
        let rows = random.int(1..20);
        let x = random.normal(&[rows, sizes[2] * sizes[3]]).as_dtype(dtype)?;
        let ids: Vec<u32> = (0..rows).map(|_| random.int(0..sizes[0]) as u32).collect();
        let what = format!("case {case}: {rows} rows to {ids:?}, {sizes:?}, {dtype:?}");
        assert_close_within(&what, &experts.times(&x, &ids)?, &experts.oracle(&x, &ids)?, tolerance(dtype))?;
    }
    Ok(())
}

#[test]
fn task_1_two_experts_by_hand() -> Result<()> {
    // All codes are 1. Expert 0 makes 1 of each, expert 1 makes 10.
    let experts = Experts {
        weight: Array::full::<u32>(&[2, 1, 8], Array::from_slice(&[0x1111_1111u32], &[1]))?,
        scales: array(&[1.0, 10.0], &[2, 1, 1]),
        biases: zeros(&[2, 1, 1]),
        group: 64,
    };
    let x = ops::ones::<f32>(&[3, 64])?;
    assert_close("10, 1, 10 times 64", &experts.times(&x, &[1, 0, 1])?, &array(&[640.0, 64.0, 640.0], &[3, 1]))
}

#[test]
fn task_1_random_rows_agree_with_mlx() -> Result<()> {
    properties(361, 500)
}

#[test]
fn task_1_step_1_naive() -> Result<()> {
    tuning::on_every_set(1, || properties(3611, 30))
}

#[test]
fn task_1_step_2_side_by_side() -> Result<()> {
    tuning::on_every_set(2, || properties(3611, 30))
}

#[test]
fn task_1_step_3_threads() -> Result<()> {
    tuning::on_every_set(3, || properties(3611, 30))
}

#[test]
fn task_1_experts_without_rows_and_one_with_all() -> Result<()> {
    every_form(|| {
        let mut random = Random::new(3612);
        let experts = Experts::random(&mut random, [8, 150, 2, 64], Dtype::Float32)?;
        let x = random.normal(&[40, 128]);
        for ids in [vec![7u32; 40], vec![0; 40], (0..40).map(|row| if row % 2 == 0 { 6 } else { 1 }).collect()] {
            let got = experts.times(&x, &ids)?;
            assert_close_within(&format!("{ids:?}"), &got, &experts.oracle(&x, &ids)?, tolerance(Dtype::Float32))?;
        }
        Ok(())
    })
}

#[test]
fn task_1_a_row_is_the_same_alone_and_among_others() -> Result<()> {
    let mut random = Random::new(3613);
    let experts = Experts::random(&mut random, [3, 33, 2, 64], Dtype::Float32)?;
    let x = random.normal(&[9, 128]);
    let ids = [2u32, 0, 2, 1, 2, 2, 0, 2, 1];
    let together = values(&experts.times(&x, &ids)?)?;
    for (row, one) in ops::split_equal(&x, 9, 0)?.iter().enumerate() {
        let alone = experts.times(one, &ids[row..=row])?;
        let want = array(&together[row * 33..(row + 1) * 33], &[1, 33]);
        assert_close_within(&format!("row {row}"), &alone, &want, Tolerance { abs: 1e-5, rel: 1e-5 })?;
    }
    Ok(())
}

#[test]
fn task_1_no_rows_and_views() -> Result<()> {
    let mut random = Random::new(3614);
    let experts = Experts::random(&mut random, [3, 10, 1, 64], Dtype::Float32)?;
    assert_eq!(experts.times(&zeros(&[0, 64]), &[])?.shape(), [0, 10]);
    let turned = random.normal(&[64, 5]).transpose_axes(&[1, 0])?;
    let ids = [2, 1, 0, 0, 2];
    let want = experts.oracle(&turned.contiguous()?, &ids)?;
    assert_close_within("x turned", &experts.times(&turned, &ids)?, &want, tolerance(Dtype::Float32))
}

#[test]
fn task_1_parts_for_other_numbers_of_threads_give_the_same() -> Result<()> {
    let mut random = Random::new(3615);
    let experts = Experts::random(&mut random, [4, 300, 2, 64], Dtype::Float32)?;
    let x = random.normal(&[12, 128]);
    let ids: Vec<u32> = (0..12).map(|row| row % 4).collect();
    let before = tuning::threads()?;
    let mut all = Vec::new();
    for threads in [1, 2, 5] {
        tuning::set_threads(threads)?;
        all.push(experts.times(&x, &ids)?);
    }
    tuning::set_threads(before)?;
    for other in &all[1..] {
        assert_close_within("other threads", other, &all[0], Tolerance { abs: 1e-5, rel: 1e-5 })?;
    }
    Ok(())
}

#[test]
fn task_1_what_does_not_fit_is_refused() -> Result<()> {
    let experts = Experts::random(&mut Random::new(3616), [3, 5, 2, 64], Dtype::Float32)?;
    let x = zeros(&[2, 128]);
    experts.times(&x, &[0, 2])?.eval()?;
    let error = expect_error(experts.times(&x, &[0, 3]));
    assert!(error.to_string().contains("row 1 goes to expert 3, but there are 3"), "{error}");
    // Computed later: the sentence comes from the evaluation.
    let late = ops::add(Array::from_slice(&[1u32, 2], &[2]), Array::from_slice(&[1u32, 1], &[2]))?;
    let Experts { weight, scales, biases, .. } = &experts;
    let with =
        |x: &Array, ids: &Array, group, bits| grouped_quantized_matmul(x, weight, scales, biases, ids, group, bits);
    expect_error(with(&x, &late, 64, 4).and_then(|out| Ok(out.eval()?)));
    expect_error(with(&x, &Array::from_slice(&[0, -1], &[2]), 64, 4).and_then(|out| Ok(out.eval()?)));
    let ids = Array::from_slice(&[0u32, 1], &[2]);
    expect_invalid_argument(with(&x, &ids, 64, 8), "bits");
    expect_invalid_argument(with(&x, &ids, 32, 4), "group_size");
    expect_shape(with(&zeros(&[2, 64]), &ids, 64, 4));
    expect_shape(with(&zeros(&[3, 128]), &ids, 64, 4));
    expect_shape(with(&zeros(&[1, 2, 128]), &ids, 64, 4));
    expect_shape(with(&x, &ids, 128, 4));
    expect_dtype(with(&x.as_dtype(Dtype::Int32)?, &ids, 64, 4));
    expect_dtype(with(&x, &zeros(&[2]), 64, 4));
    expect_dtype(grouped_quantized_matmul(&x, &weight.as_dtype(Dtype::Int32)?, scales, biases, &ids, 64, 4));
    expect_dtype(grouped_quantized_matmul(&x, weight, scales, &biases.as_dtype(Dtype::Float16)?, &ids, 64, 4));
    expect_shape(grouped_quantized_matmul(&x, weight, &zeros(&[3, 5, 1]), biases, &ids, 64, 4));
    let none = [Array::zeros::<u32>(&[0, 5, 16])?, zeros(&[0, 5, 2]), zeros(&[0, 5, 2])];
    let nobody = grouped_quantized_matmul(&x, &none[0], &none[1], &none[2], &ids, 64, 4);
    expect_invalid_argument(nobody, "experts");
    Ok(())
}
