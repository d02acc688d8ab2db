//! Task 1.7.6, optional: exp, sin and cos as your own kernels.

use extensions::{cos, exp, sin};
use kit::Result;
use kit::testing::{Random, Tolerance, assert_close, assert_close_within, expect_dtype, values};
use mlx_rs::{Array, Dtype, Stream, ops, with_stream};

/// A function under test, MLX's own of that name, and the name.
type Function = (&'static str, fn(&Array) -> Result<Array>, fn(&Array) -> mlx_rs::error::Result<Array>);

const FUNCTIONS: [Function; 3] =
    [("exp", exp, |x| ops::exp(x)), ("sin", sin, |x| ops::sin(x)), ("cos", cos, |x| ops::cos(x))];

/// A correctly rounded result and one that came through another f32 library differ by at most this much.
fn one_rounding(dtype: Dtype) -> Tolerance {
    match dtype {
        Dtype::Float16 => Tolerance { abs: 1e-7, rel: 5.2e-4 },
        Dtype::Bfloat16 => Tolerance { abs: 1e-7, rel: 4.1e-3 },
        _ => Tolerance { abs: 1e-6, rel: 1e-6 },
    }
}

#[test]
fn task_6_exp_of_values_known_by_heart() -> Result<()> {
    let x = Array::from_slice(&[0.0f32, 1.0, -1.0, std::f32::consts::LN_2, 10.0], &[5]);
    let want = Array::from_slice(&[1.0f32, std::f32::consts::E, 0.367_879_44, 2.0, 22_026.467], &[5]);
    assert_close("exp", &exp(&x)?, &want)
}

#[test]
fn task_6_sin_and_cos_of_quarter_turns_in_radians() -> Result<()> {
    let quarter = std::f32::consts::FRAC_PI_2;
    let x = Array::from_slice(&[0.0, quarter, 2.0 * quarter, 3.0 * quarter, -quarter], &[5]);
    assert_close("sin", &sin(&x)?, &Array::from_slice(&[0.0f32, 1.0, 0.0, -1.0, -1.0], &[5]))?;
    assert_close("cos", &cos(&x)?, &Array::from_slice(&[1.0f32, 0.0, -1.0, 0.0, 0.0], &[5]))
}

#[test]
fn task_6_every_size_and_dtype_agrees_with_mlx() -> Result<()> {
    let mut random = Random::new(176);
    for (name, ours, mlx) in FUNCTIONS {
        for shape in [&[1][..], &[7], &[2, 3, 5], &[33, 31], &[1, 4, 1, 64]] {
            for dtype in [Dtype::Float32, Dtype::Float16, Dtype::Bfloat16] {
                let x = random.uniform(-6.0, 6.0, shape).as_dtype(dtype)?;
                assert_close(&format!("{name} of {shape:?} {dtype:?}"), &ours(&x)?, &mlx(&x)?)?;
            }
        }
    }
    Ok(())
}

#[test]
fn task_6_half_types_are_computed_in_f32_and_rounded_once() -> Result<()> {
    let mut random = Random::new(4);
    for (name, ours, mlx) in FUNCTIONS {
        for dtype in [Dtype::Float16, Dtype::Bfloat16] {
            let x = random.uniform(-5.0, 5.0, &[4096]).as_dtype(dtype)?;
            let got = ours(&x)?;
            assert_eq!(got.dtype(), dtype, "{name} keeps the dtype");
            let exact = mlx(&x.as_dtype(Dtype::Float32)?)?;
            let what = format!("{name} of {dtype:?} against f32");
            assert_close_within(&what, &got.as_dtype(Dtype::Float32)?, &exact, one_rounding(dtype))?;
        }
    }
    Ok(())
}

#[test]
fn task_6_views_are_read_where_their_elements_are() -> Result<()> {
    let base = Random::new(8).normal(&[6, 10]);
    let column = Array::from_slice(&[0.5f32, -1.5, 2.5], &[3, 1]);
    let every_other = Array::from_slice(&[1u32, 3, 5], &[3]);
    let views = [
        ("transposed", base.transpose()?),
        ("broadcast", ops::broadcast_to(&column, &[3, 4])?),
        ("rows 1, 3, 5", base.take_axis(&every_other, 0)?.transpose()?),
    ];
    for (what, view) in views {
        for (name, ours, mlx) in FUNCTIONS {
            assert_close(&format!("{name} of a {what} view"), &ours(&view)?, &mlx(&view)?)?;
        }
    }
    Ok(())
}

#[test]
fn task_6_the_ends_of_the_number_line() -> Result<()> {
    let x = Array::from_slice(&[200.0f32, -200.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN], &[5]);
    let got = values(&exp(&x)?)?;
    assert_eq!(&got[..4], &[f32::INFINITY, 0.0, f32::INFINITY, 0.0]);
    assert!(got[4].is_nan(), "exp of NaN is NaN, got {}", got[4]);
    for (name, ours, _) in &FUNCTIONS[1..] {
        let got = values(&ours(&x)?)?;
        assert!(got[..2].iter().all(|value| value.abs() <= 1.0), "{name} of a large angle is {got:?}");
        assert!(got[2..].iter().all(|value| value.is_nan()), "{name} of infinity and NaN is {got:?}");
    }
    Ok(())
}

#[test]
fn task_6_large_angles_keep_their_place_on_the_circle() -> Result<()> {
    let x = Random::new(31).uniform(-5000.0, 5000.0, &[500]);
    let squares = ops::add(sin(&x)?.square()?, cos(&x)?.square()?)?;
    assert_close("sin² + cos²", &squares, &Array::ones::<f32>(&[500])?)?;
    let double = ops::multiply(&x, Array::from_f32(2.0))?;
    let product = ops::multiply(ops::multiply(sin(&x)?, cos(&x)?)?, Array::from_f32(2.0))?;
    assert_close("sin 2x = 2 sin x cos x", &product, &sin(&double)?)
}

#[test]
fn task_6_exp_turns_sums_into_products() -> Result<()> {
    let mut random = Random::new(12);
    let (a, b) = (random.uniform(-3.0, 3.0, &[257]), random.uniform(-3.0, 3.0, &[257]));
    let product = ops::multiply(exp(&a)?, exp(&b)?)?;
    assert_close("exp(a) exp(b)", &product, &exp(&ops::add(&a, &b)?)?)
}

#[test]
fn task_6_silu_on_your_exp_is_the_silu_of_the_model() -> Result<()> {
    let x = Random::new(21).normal(&[3, 64]);
    let own = ops::divide(&x, ops::add(Array::from_f32(1.0), exp(&ops::negative(&x)?)?)?)?;
    assert_close("silu", &own, &mlx_rs::nn::silu(&x)?)
}

#[test]
fn task_6_the_reference_gives_the_same() -> Result<()> {
    let mut random = Random::new(77);
    let x = random.normal(&[5, 129]);
    assert_close("exp", &exp(&x)?, &solution_extensions::exp(&x)?)?;
    assert_close("sin", &sin(&x)?, &solution_extensions::sin(&x)?)?;
    assert_close("cos", &cos(&x)?, &solution_extensions::cos(&x)?)
}

#[test]
fn task_6_the_argument_is_not_changed() -> Result<()> {
    let x = Random::new(5).normal(&[4, 33]);
    let before = values(&x)?;
    for (name, ours, _) in FUNCTIONS {
        let first = values(&ours(&x)?)?;
        assert_eq!(values(&x)?, before, "{name} wrote into its argument");
        assert_eq!(values(&ours(&x)?)?, first, "{name} gave another answer the second time");
    }
    Ok(())
}

#[test]
fn task_6_a_chain_on_another_stream_waits_for_its_inputs() -> Result<()> {
    let stream = Stream::new();
    let x = Random::new(6).normal(&[64, 65]);
    let got = with_stream(&stream, || -> Result<Array> { cos(&exp(&sin(&ops::add(&x, &x)?)?)?) })?;
    let double = ops::add(&x, &x)?;
    assert_close("cos(exp(sin(2x)))", &got, &ops::cos(ops::exp(ops::sin(&double)?)?)?)
}

#[test]
fn task_6_whole_numbers_are_refused_and_nothing_is_fine() -> Result<()> {
    let (one, none) = (Array::from_f32(0.5), Array::zeros::<f32>(&[0, 3])?);
    for (name, ours, mlx) in FUNCTIONS {
        assert_close(name, &ours(&one)?, &mlx(&one)?)?;
        assert_eq!(values(&ours(&none)?)?.len(), 0, "{name} of no elements");
        expect_dtype(ours(&Array::from_slice(&[1i32, 2], &[2])));
    }
    Ok(())
}
