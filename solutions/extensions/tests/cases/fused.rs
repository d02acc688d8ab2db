//! Tasks 2.4.1 to 2.4.3: rms_norm, rope and swiglu, each in one pass over memory.

use extensions::tuning;
use extensions::week2::{rms_norm, rope, swiglu};
use kit::Result;
use kit::testing::{DTYPES, Random, Tolerance, array, assert_close, assert_close_within, values};
use mlx_rs::{Array, Dtype, fast, ops};

/// Two or three leading axes and a width, all with tails.
fn shape(random: &mut Random) -> Vec<i32> {
    let mut shape: Vec<i32> = (0..random.int(0..4)).map(|_| random.int(1..5)).collect();
    shape.push(random.int(1..70));
    shape
}

/// The same computed in f32 and rounded to `dtype`.
fn in_f32(dtype: Dtype, inputs: &[&Array], of: impl Fn(&[Array]) -> Result<Array>) -> Result<Array> {
    let wide: mlx_rs::error::Result<Vec<Array>> = inputs.iter().map(|input| input.as_dtype(Dtype::Float32)).collect();
    Ok(of(&wide?)?.as_dtype(dtype)?)
}

fn check_norm(what: &str, x: &Array, weight: &Array, eps: f32) -> Result<()> {
    let want = in_f32(x.dtype(), &[x, weight], |wide| Ok(fast::rms_norm(&wide[0], Some(&wide[1]), eps)?))?;
    assert_close(what, &rms_norm(x, weight, eps)?, &want)
}

fn norms(seed: u64, count: usize) -> Result<()> {
    let mut random = Random::new(seed);
    for case in 0..count {
        let shape = shape(&mut random);
        let (dtype, _) = DTYPES[case % 3];
        let x = random.normal(&shape).as_dtype(dtype)?;
        let weight = random.uniform(-2.0, 2.0, &shape[shape.len() - 1..]).as_dtype(dtype)?;
        check_norm(&format!("case {case}: {shape:?} {dtype:?}"), &x, &weight, [1e-6, 1e-5, 0.5][case % 3])?;
    }
    Ok(())
}

fn a_row_by_hand() -> Result<()> {
    let x = array(&[3.0, 4.0, 0.0, 0.0], &[1, 4]);
    let weight = array(&[1.0, 2.0, 1.0, 1.0], &[4]);
    // The mean of the squares is 25 / 4, its root 2.5.
    assert_close("rms_norm", &rms_norm(&x, &weight, 0.0)?, &array(&[1.2, 3.2, 0.0, 0.0], &[1, 4]))
}

#[test]
fn task_1_a_row_by_hand() -> Result<()> {
    a_row_by_hand()
}

#[test]
fn task_1_random_rows_agree_with_mlx() -> Result<()> {
    norms(241, 500)
}

/// A step of the ladder: a row by hand, then random ones.
fn norm_step(step: u8) -> Result<()> {
    tuning::on_every_set(step, || {
        a_row_by_hand()?;
        norms(2411, 60)
    })
}

#[test]
fn task_1_step_1_naive() -> Result<()> {
    norm_step(1)
}

#[test]
fn task_1_step_2_vectors() -> Result<()> {
    norm_step(2)
}

#[test]
fn task_1_step_3_threads() -> Result<()> {
    norm_step(3)
}

#[test]
fn task_1_eps_is_inside_the_root() -> Result<()> {
    let zeros = Array::zeros::<f32>(&[2, 33])?;
    let weight = Array::ones::<f32>(&[33])?;
    assert_close("a row of zeros", &rms_norm(&zeros, &weight, 1e-6)?, &zeros)?;
    check_norm("small values", &Array::full::<f32>(&[2, 33], Array::from_f32(1e-3))?, &weight, 1e-6)
}

#[test]
fn task_1_half_types_are_rounded_once() -> Result<()> {
    let mut random = Random::new(2412);
    for dtype in [Dtype::Float16, Dtype::Bfloat16] {
        let (x, weight) = (random.normal(&[7, 301]).as_dtype(dtype)?, random.normal(&[301]).as_dtype(dtype)?);
        let exact = in_f32(Dtype::Float32, &[&x, &weight], |wide| Ok(fast::rms_norm(&wide[0], Some(&wide[1]), 1e-6)?))?;
        let got = rms_norm(&x, &weight, 1e-6)?.as_dtype(Dtype::Float32)?;
        let rel = if dtype == Dtype::Float16 { 5.2e-4 } else { 4.1e-3 };
        assert_close_within(&format!("{dtype:?}"), &got, &exact, Tolerance { abs: 1e-6, rel })?;
    }
    Ok(())
}

#[test]
fn task_1_views_and_empty_arrays() -> Result<()> {
    let mut random = Random::new(2413);
    let weight = random.normal(&[20]);
    check_norm("transposed", &random.normal(&[20, 3]).transpose()?, &weight, 1e-5)?;
    check_norm("broadcast", &ops::broadcast_to(random.normal(&[1, 20]), &[3, 20])?, &weight, 1e-5)?;
    check_norm("a broadcast weight", &random.normal(&[3, 20]), &ops::broadcast_to(array(&[1.5], &[1]), &[20])?, 1e-5)?;
    let none = rms_norm(&Array::zeros::<f32>(&[0, 20])?, &weight, 1e-5)?;
    assert_eq!((none.shape(), values(&none)?.len()), (&[0, 20][..], 0));
    Ok(())
}

#[test]
fn task_1_rows_of_a_real_size() -> Result<()> {
    let mut random = Random::new(2414);
    let x = ops::multiply(random.normal(&[9, 4096]), Array::from_f32(50.0))?;
    check_norm("4096 wide", &x, &random.normal(&[4096]), 1e-6)
}

/// A random case of rope.
struct Turn {
    x: Array,
    offsets: Array,
    dims: i32,
    base: f32,
    traditional: bool,
    last: i32,
}

impl Turn {
    fn random(random: &mut Random, case: usize, farthest: i32) -> Result<Self> {
        let (batch, length, heads) = (random.int(1..4), random.int(1..6), random.int(1..4));
        let width = random.int(2..41);
        let dims = 2 * random.int(1..width / 2 + 1);
        let offsets: Vec<i32> = (0..batch).map(|_| random.int(0..farthest)).collect();
        Ok(Self {
            x: random.normal(&[batch, length, heads, width]).as_dtype(DTYPES[case % 3].0)?,
            last: offsets.iter().max().map_or(0, |offset| offset + length),
            offsets: Array::from_slice(&offsets, &[batch]),
            dims,
            base: [10_000.0, 1_000_000.0, 500.0][case / 3 % 3],
            traditional: case.is_multiple_of(2),
        })
    }

    /// MLX rotates (B, H, L, D).
    fn check(&self, what: &str) -> Result<()> {
        let got = rope(&self.x, &self.offsets, self.dims, self.base, self.traditional)?;
        let want = in_f32(self.x.dtype(), &[&self.x], |wide| {
            let heads_first = wide[0].transpose_axes(&[0, 2, 1, 3])?;
            let (dims, base) = (self.dims, self.base);
            let turned = fast::rope_dynamic(&heads_first, dims, self.traditional, base, 1.0, &self.offsets, None)?;
            Ok(turned.transpose_axes(&[0, 2, 1, 3])?)
        })?;
        let one = Tolerance::of(self.x.dtype());
        // MLX's angle is a product in f32, off by some 2^-23 of it; ours is not.
        let tolerance = Tolerance { abs: one.abs + 8e-7 * self.last as f32, ..one };
        let what = format!(
            "{what}: {:?} {:?}, dims {}, base {}, traditional {}",
            self.x.shape(),
            self.x.dtype(),
            self.dims,
            self.base,
            self.traditional
        );
        assert_close_within(&what, &got, &want, tolerance)
    }
}

fn turns(seed: u64, count: usize) -> Result<()> {
    let mut random = Random::new(seed);
    (0..count).try_for_each(|case| Turn::random(&mut random, case, 300)?.check(&format!("case {case}")))
}

fn one_turn_by_hand() -> Result<()> {
    // Position 1 with base^0 = 1 turns by one radian; position 0 not at all.
    let x = array(&[1.0, 0.0, 1.0, 0.0], &[1, 2, 1, 2]);
    let offsets = Array::from_slice(&[0i32], &[1]);
    let want = array(&[1.0, 0.0, 0.540_302_3, 0.841_471], &[1, 2, 1, 2]);
    assert_close("halves", &rope(&x, &offsets, 2, 10_000.0, false)?, &want)?;
    assert_close("neighbours", &rope(&x, &offsets, 2, 10_000.0, true)?, &want)
}

#[test]
fn task_2_one_radian_by_hand() -> Result<()> {
    one_turn_by_hand()
}

#[test]
fn task_2_random_turns_agree_with_mlx() -> Result<()> {
    turns(242, 500)
}

/// A step of the ladder: a turn by hand, random ones, and positions far away.
fn rope_step(step: u8) -> Result<()> {
    tuning::on_every_set(step, || {
        one_turn_by_hand()?;
        turns(2421, 60)?;
        only_distances_count()
    })
}

#[test]
fn task_2_step_1_naive() -> Result<()> {
    rope_step(1)
}

#[test]
fn task_2_step_2_one_table() -> Result<()> {
    rope_step(2)
}

#[test]
fn task_2_step_3_vectors() -> Result<()> {
    rope_step(3)
}

#[test]
fn task_2_step_4_threads() -> Result<()> {
    rope_step(4)
}

#[test]
fn task_2_what_is_behind_dims_is_copied() -> Result<()> {
    let x = Random::new(2422).normal(&[2, 3, 2, 24]);
    let offsets = Array::from_slice(&[5i32, 9], &[2]);
    let behind: Vec<u32> = (10..24).collect();
    let behind = Array::from_slice(&behind, &[14]);
    for traditional in [false, true] {
        let got = rope(&x, &offsets, 10, 10_000.0, traditional)?;
        assert_eq!(values(&got.take_axis(&behind, 3)?)?, values(&x.take_axis(&behind, 3)?)?);
    }
    Ok(())
}

#[test]
fn task_2_each_row_has_its_own_offset() -> Result<()> {
    let mut random = Random::new(2423);
    let x = random.normal(&[3, 4, 2, 16]);
    let all = rope(&x, &Array::from_slice(&[7i32, 0, 100], &[3]), 16, 10_000.0, false)?;
    for (row, offset) in [7i32, 0, 100].into_iter().enumerate() {
        let one = Array::from_slice(&[row as u32], &[1]);
        let alone = rope(&x.take_axis(&one, 0)?, &Array::from_slice(&[offset], &[1]), 16, 10_000.0, false)?;
        assert_close(&format!("row {row}"), &all.take_axis(&one, 0)?, &alone)?;
    }
    Ok(())
}

/// The product of a query at m and a key at n depends on m - n alone, however far both are.
fn only_distances_count() -> Result<()> {
    let mut random = Random::new(2424);
    let (q, k) = (random.normal(&[1, 1, 1, 64]), random.normal(&[1, 1, 1, 64]));
    let product = |m: i32, n: i32| -> Result<f32> {
        let at = |position: i32| Array::from_slice(&[position], &[1]);
        let (q, k) = (rope(&q, &at(m), 64, 10_000.0, false)?, rope(&k, &at(n), 64, 10_000.0, false)?);
        Ok(values(&ops::multiply(q, k)?.sum(None)?)?[0])
    };
    let near = product(12, 5)?;
    for shift in [1, 100, 30_000] {
        let far = product(12 + shift, 5 + shift)?;
        assert!((near - far).abs() < 1e-4, "12 and 5 give {near}, {shift} later {far}");
    }
    Ok(())
}

#[test]
fn task_2_turns_keep_lengths_and_differences_of_positions() -> Result<()> {
    only_distances_count()
}

#[test]
fn task_2_views_and_no_tokens() -> Result<()> {
    let mut random = Random::new(2425);
    let x = random.normal(&[2, 3, 4, 16]).transpose_axes(&[0, 2, 1, 3])?;
    let offsets = ops::broadcast_to(Array::from_slice(&[3i32], &[1]), &[2])?;
    Turn { x, offsets, dims: 16, base: 10_000.0, traditional: false, last: 7 }.check("a transposed x")?;
    let none = rope(&Array::zeros::<f32>(&[1, 0, 2, 8])?, &Array::from_slice(&[3i32], &[1]), 8, 1e4, false)?;
    assert_eq!((none.shape(), values(&none)?.len()), (&[1, 0, 2, 8][..], 0));
    Ok(())
}

fn check_swiglu(what: &str, gate: &Array, up: &Array) -> Result<()> {
    let want = in_f32(gate.dtype(), &[gate, up], |wide| {
        Ok(ops::multiply(ops::multiply(&wide[0], ops::sigmoid(&wide[0])?)?, &wide[1])?)
    })?;
    assert_close(what, &swiglu(gate, up)?, &want)
}

fn gates(seed: u64, count: usize) -> Result<()> {
    let mut random = Random::new(seed);
    for case in 0..count {
        let shape = shape(&mut random);
        let (dtype, _) = DTYPES[case % 3];
        let gate = random.uniform(-12.0, 12.0, &shape).as_dtype(dtype)?;
        let up = random.normal(&shape).as_dtype(dtype)?;
        check_swiglu(&format!("case {case}: {shape:?} {dtype:?}"), &gate, &up)?;
    }
    Ok(())
}

fn gates_by_hand() -> Result<()> {
    let (gate, up) = (array(&[0.0, 1.0, -1.0, 20.0], &[4]), array(&[5.0, 2.0, 2.0, 0.5], &[4]));
    assert_close("swiglu", &swiglu(&gate, &up)?, &array(&[0.0, 1.462_117_2, -0.537_882_9, 10.0], &[4]))
}

#[test]
fn task_3_values_by_hand() -> Result<()> {
    gates_by_hand()
}

#[test]
fn task_3_random_gates_agree_with_mlx() -> Result<()> {
    gates(243, 500)
}

/// A step of the ladder: gates by hand, random ones, far ones.
fn swiglu_step(step: u8) -> Result<()> {
    tuning::on_every_set(step, || {
        gates_by_hand()?;
        gates(2431, 60)?;
        far_gates()
    })
}

#[test]
fn task_3_step_1_naive() -> Result<()> {
    swiglu_step(1)
}

#[test]
fn task_3_step_2_vectors() -> Result<()> {
    swiglu_step(2)
}

#[test]
fn task_3_step_3_threads() -> Result<()> {
    swiglu_step(3)
}

fn far_gates() -> Result<()> {
    let mut gate = vec![100.0f32, -100.0, 88.0, -88.0, 1e30, -1e30, f32::NAN, f32::INFINITY];
    gate.resize(40, 1.0);
    let got = values(&swiglu(&array(&gate, &[40]), &Array::ones::<f32>(&[40])?)?)?;
    assert_eq!(got[0], 100.0);
    assert_eq!((got[4], got[7]), (1e30, f32::INFINITY));
    assert!(got[1].abs() < 1e-30 && got[3].abs() < 1e-30 && got[5].abs() < 1e-30, "closed gates: {got:?}");
    assert!((got[2] - 88.0).abs() < 1e-4 && got[6].is_nan(), "{got:?}");
    Ok(())
}

#[test]
fn task_3_far_gates_are_open_or_closed_and_nan_stays() -> Result<()> {
    far_gates()
}

#[test]
fn task_3_views_scalars_and_empty_arrays() -> Result<()> {
    let mut random = Random::new(2432);
    let gate = random.normal(&[6, 5]).transpose()?;
    check_swiglu("transposed", &gate, &random.normal(&[5, 6]))?;
    check_swiglu("broadcast", &random.normal(&[5, 6]), &ops::broadcast_to(random.normal(&[6]), &[5, 6])?)?;
    check_swiglu("one number", &Array::from_f32(0.3), &Array::from_f32(2.0))?;
    assert_eq!(values(&swiglu(&Array::zeros::<f32>(&[0, 3])?, &Array::zeros::<f32>(&[0, 3])?)?)?.len(), 0);
    Ok(())
}
