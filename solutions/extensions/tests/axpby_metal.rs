//! axpby as a Metal kernel: rows, and views of any layout, also such that run backwards.

use kit::Result;
use kit::testing::{DTYPES, Random, assert_close};
use mlx_rs::{Array, Dtype, ops};
use solution_extensions::{axpby, metal};

/// Both rungs against MLX's own operations in f32, rounded once.
fn check(what: &str, x: &Array, y: &Array) -> Result<()> {
    let wide = |array: &Array, factor| ops::multiply(array.as_dtype(Dtype::Float32)?, Array::from_f32(factor));
    let want = ops::add(wide(x, 2.5)?, wide(y, -1.5)?)?.as_dtype(x.dtype())?;
    assert_close(what, &axpby(x, y, 2.5, -1.5)?, &want)?;
    metal::with_kernels(|| assert_close(&format!("{what}, in Metal"), &axpby(x, y, 2.5, -1.5)?, &want))
}

#[test]
fn rows_and_views_agree_with_mlx() -> Result<()> {
    let mut random = Random::new(21);
    for (dtype, _) in DTYPES {
        for shape in [&[1][..], &[1000], &[2, 3, 4, 5]] {
            let (x, y) = (random.normal(shape).as_dtype(dtype)?, random.normal(shape).as_dtype(dtype)?);
            check(&format!("{shape:?} {dtype:?}"), &x, &y)?;
        }
        let base = random.normal(&[4, 6, 5]).as_dtype(dtype)?;
        let turned = base.transpose_axes(&[2, 0, 1])?;
        check("a transposed x", &turned, &random.normal(&[5, 4, 6]).as_dtype(dtype)?)?;
        check("a slice from the middle", &base.split_equal(3, 1)?.swap_remove(1), &base.split_equal(3, 1)?[2])?;
        let row = ops::broadcast_to(random.normal(&[1, 6, 1]).as_dtype(dtype)?, &[4, 6, 5])?;
        check("a broadcast y", &base, &row)?;
    }
    Ok(())
}

#[test]
fn axes_that_run_backwards() -> Result<()> {
    let mut random = Random::new(22);
    let (x, y) = (random.normal(&[4, 6]), random.normal(&[24]));
    // Element (i, j) of the views is x[3 - i, j], x[i, 5 - j], x[3 - i, 5 - j].
    for (strides, first) in [([-6i64, 1], 18), ([6, -1], 5), ([-6, -1], 23)] {
        let view = x.as_strided(&[4, 6][..], &strides[..], first)?;
        let other = y.as_strided(&[4, 6][..], &[-1i64, 4][..], 3)?;
        check(&format!("strides {strides:?}"), &view, &other)?;
    }
    Ok(())
}
