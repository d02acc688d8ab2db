//! Tasks 2.4.4 to 2.4.6, optional: rms_norm, rope and swiglu as Metal kernels.

use extensions::metal;
use extensions::week2::{rms_norm, rope, swiglu};
use kit::Result;
use kit::testing::{DTYPES, Random, Tolerance, array, assert_close, assert_close_within, values};
use mlx_rs::{Array, Dtype, fast, ops};

/// The same computed in f32 and rounded to `dtype`.
fn in_f32(dtype: Dtype, inputs: &[&Array], of: impl Fn(&[Array]) -> Result<Array>) -> Result<Array> {
    let wide: mlx_rs::error::Result<Vec<Array>> = inputs.iter().map(|input| input.as_dtype(Dtype::Float32)).collect();
    Ok(of(&wide?)?.as_dtype(dtype)?)
}

fn check_norm(what: &str, x: &Array, weight: &Array, eps: f32) -> Result<()> {
    let want = in_f32(x.dtype(), &[x, weight], |wide| Ok(fast::rms_norm(&wide[0], Some(&wide[1]), eps)?))?;
    assert_close(what, &rms_norm(x, weight, eps)?, &want)
}

#[test]
fn task_4_metal_a_row_by_hand() -> Result<()> {
    let x = array(&[3.0, 4.0, 0.0, 0.0], &[1, 4]);
    let weight = array(&[1.0, 2.0, 1.0, 1.0], &[4]);
    // The mean of the squares is 25 / 4, its root 2.5.
    let want = array(&[1.2, 3.2, 0.0, 0.0], &[1, 4]);
    metal::with_each_step(2, || assert_close("rms_norm", &rms_norm(&x, &weight, 0.0)?, &want))
}

#[test]
fn task_4_metal_rows_of_every_width_agree_with_mlx() -> Result<()> {
    metal::with_each_step(2, || {
        let mut random = Random::new(2441);
        // Around a SIMD group, around a whole group, and wider than any group.
        for (case, width) in [1, 2, 31, 32, 33, 64, 100, 255, 1023, 1024, 1025, 2500].into_iter().enumerate() {
            let dtype = DTYPES[case % 3].0;
            let x = random.normal(&[2, 3, width]).as_dtype(dtype)?;
            let weight = random.uniform(-2.0, 2.0, &[width]).as_dtype(dtype)?;
            check_norm(&format!("{width} wide, {dtype:?}"), &x, &weight, [1e-6, 1e-5, 0.5][case % 3])?;
        }
        Ok(())
    })
}

#[test]
fn task_4_metal_views_zeros_and_empty_arrays() -> Result<()> {
    metal::with_each_step(2, || {
        let mut random = Random::new(2442);
        let weight = random.normal(&[40]);
        check_norm("transposed", &random.normal(&[40, 3]).transpose()?, &weight, 1e-5)?;
        check_norm("zeros", &Array::zeros::<f32>(&[2, 40])?, &weight, 1e-6)?;
        check_norm("small values", &Array::full::<f32>(&[2, 40], Array::from_f32(1e-3))?, &weight, 1e-6)?;
        let none = rms_norm(&Array::zeros::<f32>(&[0, 40])?, &weight, 1e-5)?;
        assert_eq!(values(&none)?.len(), 0);
        // An empty array launches nothing, so a kernel that is not there passes; another row shows it.
        check_norm("one row", &random.normal(&[1, 40]), &weight, 1e-5)
    })
}

/// MLX rotates (B, H, L, D).
fn check_rope(what: &str, x: &Array, offsets: &[i32], dims: i32, base: f32, traditional: bool) -> Result<()> {
    let offsets = Array::from_slice(offsets, &[offsets.len() as i32]);
    let want = in_f32(x.dtype(), &[x], |wide| {
        let heads_first = wide[0].transpose_axes(&[0, 2, 1, 3])?;
        let turned = fast::rope_dynamic(&heads_first, dims, traditional, base, 1.0, &offsets, None)?;
        Ok(turned.transpose_axes(&[0, 2, 1, 3])?)
    })?;
    // MLX's own angle is a product in f32; positions here are below 1,000.
    let one = Tolerance::of(x.dtype());
    let within = Tolerance { abs: one.abs + 8e-4, rel: one.rel };
    assert_close_within(what, &rope(x, &offsets, dims, base, traditional)?, &want, within)
}

#[test]
fn task_5_metal_a_quarter_turn_by_hand() -> Result<()> {
    metal::with_each_step(2, || {
        // Pair 0 turns by its position in radians.
        let x = array(&[1.0, 2.0, 3.0, 4.0, 9.0], &[1, 1, 1, 5]);
        let (s, c) = 3.0f32.sin_cos();
        let got = rope(&x, &Array::from_slice(&[3], &[1]), 2, 10_000.0, false)?;
        let want = array(&[c - 2.0 * s, s + 2.0 * c, 3.0, 4.0, 9.0], &[1, 1, 1, 5]);
        assert_close("a pair and what stays", &got, &want)
    })
}

#[test]
fn task_5_metal_random_turns_agree_with_mlx() -> Result<()> {
    metal::with_each_step(2, || {
        let mut random = Random::new(2451);
        for case in 0..36 {
            // One head to nine: whole fours and what is left.
            let (batch, length, heads) = (random.int(1..4), random.int(1..5), random.int(1..10));
            let width = random.int(2..41);
            let dims = 2 * random.int(1..width / 2 + 1);
            let dtype = DTYPES[case % 3].0;
            let x = random.normal(&[batch, length, heads, width]).as_dtype(dtype)?;
            let offsets: Vec<i32> = (0..batch).map(|_| random.int(0..900)).collect();
            let what = format!("case {case}: {:?}, dims {dims}, {offsets:?}, {dtype:?}", x.shape());
            check_rope(&what, &x, &offsets, dims, [10_000.0, 1e6, 500.0][case / 3 % 3], case.is_multiple_of(2))?;
        }
        Ok(())
    })
}

#[test]
fn task_5_metal_far_positions_keep_their_angle() -> Result<()> {
    metal::with_each_step(2, || {
        // Neighbours (1, 0) become cosine and sine of position * 500^(-i/3).
        let x = array(&[1.0, 0.0, 1.0, 0.0, 1.0, 0.0], &[1, 1, 1, 6]);
        for position in [1_000, 40_959, 1_000_003] {
            let angle = |i: i32| f64::from(position) * 500f64.powf(-f64::from(i) / 3.0);
            let turned: Vec<f32> = (0..3).flat_map(|i| [angle(i).cos() as f32, angle(i).sin() as f32]).collect();
            let got = rope(&x, &Array::from_slice(&[position], &[1]), 6, 500.0, true)?;
            assert_close(&format!("position {position}"), &got, &array(&turned, &[1, 1, 1, 6]))?;
        }
        Ok(())
    })
}

fn check_gate(what: &str, gate: &Array, up: &Array) -> Result<()> {
    let want = in_f32(gate.dtype(), &[gate, up], |wide| {
        let silu = ops::multiply(&wide[0], ops::sigmoid(&wide[0])?)?;
        Ok(ops::multiply(silu, &wide[1])?)
    })?;
    assert_close(what, &swiglu(gate, up)?, &want)
}

#[test]
fn task_6_metal_values_by_hand() -> Result<()> {
    let (gate, up) = (array(&[0.0, 100.0, -100.0, 1.0], &[4]), array(&[5.0, 2.0, 3.0, 0.0], &[4]));
    metal::with_each_step(2, || assert_close("swiglu", &swiglu(&gate, &up)?, &array(&[0.0, 200.0, 0.0, 0.0], &[4])))
}

#[test]
fn task_6_metal_every_size_agrees_with_mlx() -> Result<()> {
    metal::with_each_step(2, || {
        let mut random = Random::new(2461);
        for (case, size) in [1, 2, 3, 4, 5, 7, 8, 63, 1000, 1023, 1025, 4097].into_iter().enumerate() {
            let dtype = DTYPES[case % 3].0;
            let gate = ops::multiply(random.normal(&[size]), Array::from_f32(4.0))?.as_dtype(dtype)?;
            check_gate(&format!("{size} elements, {dtype:?}"), &gate, &random.normal(&[size]).as_dtype(dtype)?)?;
        }
        check_gate("a view", &random.normal(&[6, 5]).transpose()?, &random.normal(&[5, 6]))
    })
}
