//! axpby, the ready kernel: its values, its refusals, and how it behaves in a lazy graph.

use kit::testing::{Random, assert_close, expect_dtype, expect_shape, values};
use kit::{Error, Result};
use mlx_rs::{Array, Dtype, Stream, ops, transforms, with_stream};
use solution_extensions::axpby;

/// The same by MLX's own operations, in f32, rounded once.
fn oracle(x: &Array, y: &Array, alpha: f32, beta: f32) -> Result<Array> {
    let (a, b) = (x.as_dtype(Dtype::Float32)?, y.as_dtype(Dtype::Float32)?);
    let scaled = |array, factor| ops::multiply(array, Array::from_f32(factor));
    Ok(ops::add(scaled(a, alpha)?, scaled(b, beta)?)?.as_dtype(x.dtype())?)
}

fn check(what: &str, x: &Array, y: &Array) -> Result<()> {
    assert_close(what, &axpby(x, y, 2.5, -1.5)?, &oracle(x, y, 2.5, -1.5)?)
}

#[test]
fn values_by_hand() -> Result<()> {
    let x = Array::from_slice(&[1.0f32, 2.0, 3.0], &[3]);
    let y = Array::from_slice(&[10.0f32, 20.0, 30.0], &[3]);
    assert_eq!(values(&axpby(&x, &y, 2.0, 0.5)?)?, [7.0, 14.0, 21.0]);
    Ok(())
}

#[test]
fn every_dtype_size_and_rank_agrees_with_mlx() -> Result<()> {
    let mut random = Random::new(1);
    for shape in [&[][..], &[1], &[7], &[1000], &[3, 5], &[2, 1, 9], &[2, 3, 4, 5], &[0], &[4, 0, 2]] {
        for dtype in [Dtype::Float32, Dtype::Float16, Dtype::Bfloat16] {
            let (x, y) = (random.normal(shape).as_dtype(dtype)?, random.normal(shape).as_dtype(dtype)?);
            check(&format!("{shape:?} {dtype:?}"), &x, &y)?;
        }
    }
    Ok(())
}

#[test]
fn views_of_any_layout_agree_with_mlx() -> Result<()> {
    let mut random = Random::new(2);
    let base = random.normal(&[4, 6, 5]);
    let dense = |shape: &[i32], random: &mut Random| random.normal(shape);
    let turned = base.transpose_axes(&[2, 0, 1])?;
    check("a transposed x", &turned, &dense(&[5, 4, 6], &mut random))?;
    check("a transposed y", &dense(&[5, 4, 6], &mut random), &turned)?;
    check("both transposed", &turned, &turned)?;
    let row = ops::broadcast_to(dense(&[1, 6, 1], &mut random), &[4, 6, 5])?;
    check("a broadcast y", &base, &row)?;
    let part = base.split_equal(3, 1)?.swap_remove(1);
    check("a slice that begins in the middle", &part, &dense(&[4, 2, 5], &mut random))?;
    check("an empty transposed view", &random.normal(&[0, 3]).transpose()?, &random.normal(&[3, 0]))
}

#[test]
fn another_shape_or_dtype_is_refused_with_both_values() {
    let x = Array::from_slice(&[1.0f32, 2.0], &[2]);
    let error = expect_shape(axpby(&x, &Array::from_slice(&[1.0f32], &[1]), 1.0, 1.0));
    assert_eq!(error.to_string(), "axpby: y: expected shape the shape of x = (2,), got (1,)");
    let whole = Array::from_slice(&[1i32, 2], &[2]);
    let error = expect_dtype(axpby(&whole, &whole, 1.0, 1.0));
    assert_eq!(error.to_string(), "axpby: x: expected dtype Float32, Float16 or Bfloat16, got Int32");
    expect_dtype(axpby(&x, &whole, 1.0, 1.0));
}

#[test]
fn a_chain_is_lazy_and_survives_its_handles() -> Result<()> {
    let mut random = Random::new(3);
    let (x, y) = (random.normal(&[64, 33]), random.normal(&[64, 33]));
    let want = oracle(&oracle(&ops::add(&x, &y)?, &y, 0.5, 2.0)?, &x, -1.0, 0.25)?;
    want.eval()?;
    let chained = {
        let sum = ops::add(&x, &y)?;
        let first = axpby(&sum, &y, 0.5, 2.0)?;
        axpby(&first, &x, -1.0, 0.25)?
    };
    drop((x, y));
    assert_close("a chain", &chained, &want)
}

#[test]
fn a_node_that_nobody_asks_for_is_dropped_without_running() -> Result<()> {
    let x = Array::from_slice(&[1.0f32; 16], &[16]);
    for _ in 0..1000 {
        drop(axpby(&x, &x, 1.0, 1.0)?);
    }
    assert_eq!(values(&axpby(&x, &x, 1.0, 1.0)?)?, [2.0; 16]);
    Ok(())
}

#[test]
fn two_streams_wait_for_each_other() -> Result<()> {
    let (one, two) = (Stream::new(), Stream::new());
    let mut random = Random::new(4);
    let (x, y) = (random.normal(&[256, 257]), random.normal(&[256, 257]));
    let mut got = ops::add(&x, &y)?;
    let mut want = ops::add(&x, &y)?;
    for step in 0..40 {
        let stream = if step % 2 == 0 { &one } else { &two };
        got = with_stream(stream, || axpby(&got, &y, 0.5, 0.25))?;
        want = oracle(&want, &y, 0.5, 0.25)?;
    }
    assert_close("forty steps on two streams", &got, &want)
}

#[test]
fn many_calls_in_one_graph() -> Result<()> {
    let ones = Array::from_slice(&[1.0f32; 64], &[64]);
    let mut sum = Array::from_slice(&[0.0f32; 64], &[64]);
    for _ in 0..5000 {
        sum = axpby(&sum, &ones, 1.0, 1.0)?;
    }
    assert_eq!(values(&sum)?, [5000.0; 64]);
    Ok(())
}

#[test]
fn calls_from_several_threads_are_right_one_after_the_other() -> Result<()> {
    let thread = |seed: u64| {
        std::thread::spawn(move || -> Result<Vec<f32>> {
            let x = Random::new(seed).normal(&[100]);
            values(&ops::subtract(axpby(&x, &x, 2.0, 1.0)?, oracle(&x, &x, 2.0, 1.0)?)?)
        })
    };
    for seed in 0..4 {
        let difference = thread(seed).join().expect("the thread does not panic")?;
        assert!(difference.iter().all(|value| value.abs() < 1e-5), "{difference:?}");
    }
    Ok(())
}

#[test]
fn compile_keeps_nodes_of_other_constants_apart() -> Result<()> {
    let x = Array::from_slice(&[1.0f32, 2.0], &[2]);
    let both = |x: &Array| -> std::result::Result<Array, mlx_rs::error::Exception> {
        let refused = |error: Error| mlx_rs::error::Exception::custom(error.to_string());
        let once = axpby(x, x, 1.0, 1.0).map_err(refused)?;
        let again = axpby(x, x, 1.0, 1.0).map_err(refused)?;
        let other = axpby(x, x, 10.0, 1.0).map_err(refused)?;
        ops::add(ops::add(once, again)?, other)
    };
    let mut compiled = transforms::compile::compile(both, false);
    assert_eq!(values(&compiled(&x)?)?, [15.0, 30.0]);
    Ok(())
}

#[test]
fn derivatives_are_refused_with_a_sentence() {
    let refused = |error: Error| mlx_rs::error::Exception::custom(error.to_string());
    let function = |inputs: &[Array]| Ok(vec![axpby(&inputs[0], &inputs[0], 1.0, 1.0).map_err(refused)?]);
    let x = Array::from_slice(&[1.0f32], &[1]);
    let one = std::slice::from_ref(&x);
    let jvp = transforms::fallible_jvp(function, one, one).expect_err("axpby has no derivative");
    assert_eq!(
        jvp.what().split(" at ").next(),
        Some("solution_extensions::axpby has no derivative (jvp); write it with array operations where you need that")
    );
    let vjp = transforms::fallible_vjp(function, one, one).expect_err("axpby has no derivative");
    assert!(vjp.what().contains("solution_extensions::axpby has no derivative (vjp)"), "{vjp}");
}
