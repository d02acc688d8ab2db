//! The comparison and expectation helpers reject what they should.

use kit::testing::{Random, Tolerance, assert_close, assert_close_within, expect_error, expect_shape, golden, values};
use mlx_rs::{Array, Dtype};
use std::panic::{AssertUnwindSafe, catch_unwind};

fn floats(values: &[f32]) -> Array {
    Array::from_slice(values, &[values.len() as i32])
}

/// The message of the panic, or nothing when the comparison passed.
fn verdict(got: &Array, want: &Array) -> Option<String> {
    match catch_unwind(AssertUnwindSafe(|| assert_close("x", got, want))) {
        Ok(result) => result.map(|()| None).expect("both arrays evaluate"),
        Err(panic) => Some(*panic.downcast::<String>().expect("a formatted message")),
    }
}

#[test]
fn equal_arrays_pass_and_small_differences_stay_within_the_bound() {
    let want = floats(&[1.0, -2.0, f32::INFINITY, f32::NEG_INFINITY, 0.0]);
    assert_eq!(verdict(&want, &want), None);
    assert_eq!(verdict(&floats(&[1.0 + 1e-5]), &floats(&[1.0])), None);
}

#[test]
fn the_message_names_the_worst_value() {
    let got = Array::from_slice(&[1.0_f32, 2.1, 3.0, 9.0], &[2, 2]);
    let want = Array::from_slice(&[1.0_f32, 2.0, 3.0, 4.0], &[2, 2]);
    let message = verdict(&got, &want).expect("must differ");
    assert!(message.contains("2 of 4 values differ, the worst at [1, 1] of [2, 2]"), "{message}");
    assert!(message.contains("got      9") && message.contains("expected 4"), "{message}");
    assert!(message.lines().count() <= 6);
}

#[test]
fn shape_dtype_and_finiteness_are_compared() {
    let one = floats(&[1.0]);
    assert!(verdict(&one, &floats(&[1.0, 1.0])).expect("shape").contains("another shape"));
    let half = one.as_dtype(Dtype::Float16).expect("a cast");
    assert!(verdict(&one, &half).expect("dtype").contains("another dtype"));
    for (got, want) in [
        (f32::NAN, f32::NAN),
        (f32::NAN, 1.0),
        (1.0, f32::NAN),
        (f32::INFINITY, f32::NEG_INFINITY),
        (f32::INFINITY, 3e38),
        (0.0, f32::NEG_INFINITY),
    ] {
        assert!(verdict(&floats(&[got]), &floats(&[want])).is_some(), "{got} must not pass for {want}");
    }
}

#[test]
fn integers_are_exact_and_views_are_read_in_row_major_order() -> kit::Result<()> {
    let ids = Array::from_slice(&[16_777_217_u32], &[1]);
    assert!(verdict(&ids, &Array::from_slice(&[16_777_216_u32], &[1])).is_some());
    let matrix = Array::from_slice(&[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3]);
    assert_eq!(values(&matrix.transpose()?)?, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    assert!(values(&Array::from_slice::<f32>(&[], &[0, 3]))?.is_empty());
    Ok(())
}

#[test]
fn a_bound_of_ones_own_is_used() {
    let (got, want) = (floats(&[1.05]), floats(&[1.0]));
    assert!(verdict(&got, &want).is_some());
    assert_close_within("x", &got, &want, Tolerance { abs: 0.1, rel: 0.0 }).expect("within the bound");
}

#[test]
fn a_stub_is_never_the_expected_error() {
    let stub = || -> kit::Result<()> { kit::stub!("1.7.2") };
    let panic = catch_unwind(|| expect_error(stub())).expect_err("a stub must not pass");
    let message = panic.downcast::<String>().expect("a formatted message");
    assert!(message.starts_with("not implemented: task 1.7.2, "), "{message}");
    catch_unwind(|| expect_shape::<()>(Err(kit::Error::Other("else".into())))).expect_err("another kind must not pass");
    catch_unwind(|| expect_error(Ok(()))).expect_err("Ok must not pass");
}

#[test]
fn random_inputs_repeat_and_have_the_right_law() -> kit::Result<()> {
    let drawn = values(&Random::new(7).normal(&[10_000]))?;
    assert_eq!(drawn, values(&Random::new(7).normal(&[10_000]))?);
    assert_ne!(drawn[..8], values(&Random::new(8).normal(&[10_000]))?[..8]);
    let mean = drawn.iter().sum::<f32>() / 1e4;
    let variance = drawn.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / 1e4;
    assert!(mean.abs() < 0.05 && (variance - 1.0).abs() < 0.05, "mean {mean}, variance {variance}");
    let ids = Random::new(7).ids(3, &[2, 50]);
    assert_eq!((ids.dtype(), ids.shape()), (Dtype::Uint32, &[2, 50][..]));
    assert!(values(&ids)?.iter().all(|&id| id < 3.0));
    Ok(())
}

#[test]
fn golden_files_lie_beside_the_master_tests() {
    assert!(golden("week1/rope.safetensors").ends_with("solutions/week1/tests/golden/rope.safetensors"));
}
