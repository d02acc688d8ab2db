//! Comparisons of arrays: shape, dtype and finiteness first, then a bound from one table.

use mlx_rs::{Array, Dtype};

use crate::{Error, Result};

/// How far a value may be from the expected one: `abs + rel * |expected|`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// In units of the values.
    pub abs: f32,
    /// As a share of the expected value.
    pub rel: f32,
}

impl Tolerance {
    /// Nothing may differ.
    pub const EXACT: Self = Self { abs: 0.0, rel: 0.0 };

    /// The course's table: about two units in the last place of f16 and bf16, some hundred of f32, where sums of
    /// another order show; integers and booleans are exact.
    pub fn of(dtype: Dtype) -> Self {
        match dtype {
            Dtype::Float32 => Self { abs: 2e-5, rel: 2e-5 },
            Dtype::Float16 => Self { abs: 2e-3, rel: 2e-3 },
            Dtype::Bfloat16 => Self { abs: 1.6e-2, rel: 1.6e-2 },
            _ => Self::EXACT,
        }
    }

    fn bound(self, want: f64) -> f64 {
        f64::from(self.abs) + f64::from(self.rel) * want.abs()
    }
}

/// The values of an array in row-major order as f32. Evaluates it; any dtype and any strides will do.
pub fn values(array: &Array) -> Result<Vec<f32>> {
    copied(array, Dtype::Float32)
}

/// Asserts that `got` has the shape, the dtype and, within [`Tolerance::of`] its dtype, the values of `want`.
///
/// Infinities must agree in place and sign; NaN never passes. Errors: whatever evaluation returns, a stub's error
/// included. Panics with what differs, in at most six lines.
#[track_caller]
pub fn assert_close(what: &str, got: &Array, want: &Array) -> Result<()> {
    assert_close_within(what, got, want, Tolerance::of(want.dtype()))
}

/// [`assert_close`] with a bound of one's own.
#[track_caller]
pub fn assert_close_within(what: &str, got: &Array, want: &Array, tolerance: Tolerance) -> Result<()> {
    if got.shape() != want.shape() {
        panic!("{what}: another shape\n  got      {:?}\n  expected {:?}", got.shape(), want.shape());
    }
    if got.dtype() != want.dtype() {
        panic!("{what}: another dtype\n  got      {:?}\n  expected {:?}", got.dtype(), want.dtype());
    }
    let (got_values, want_values) = (exact(got)?, exact(want)?);
    let mut off = 0_usize;
    let mut worst: Option<(usize, f64)> = None;
    for (index, (&g, &w)) in got_values.iter().zip(&want_values).enumerate() {
        let excess = if g == w {
            0.0
        } else if g.is_finite() && w.is_finite() {
            (g - w).abs() - tolerance.bound(w)
        } else {
            f64::INFINITY
        };
        if excess > 0.0 {
            off += 1;
            if worst.is_none_or(|(_, most)| excess > most) {
                worst = Some((index, excess));
            }
        }
    }
    if let Some((index, _)) = worst {
        let (g, w) = (got_values[index], want_values[index]);
        panic!(
            "{what}: {off} of {} values differ, the worst at {:?} of {:?} {:?}\n  got      {g}\n  expected {w}\n  \
             bound    {:.3e}, off by {:.3e}",
            got_values.len(),
            coordinates(index, got.shape()),
            got.shape(),
            got.dtype(),
            tolerance.bound(w),
            (g - w).abs(),
        );
    }
    Ok(())
}

/// Values in a type that holds every compared dtype without rounding.
fn exact(array: &Array) -> Result<Vec<f64>> {
    Ok(match array.dtype() {
        Dtype::Float64 => copied::<f64>(array, Dtype::Float64)?,
        dtype if dtype.is_float() => copied::<f32>(array, Dtype::Float32)?.into_iter().map(f64::from).collect(),
        _ => copied::<i64>(array, Dtype::Int64)?.into_iter().map(|value| value as f64).collect(),
    })
}

fn copied<T: mlx_rs::ArrayElement + Clone>(array: &Array, dtype: Dtype) -> Result<Vec<T>> {
    if array.size() == 0 {
        array.eval()?;
        return Ok(Vec::new());
    }
    let row_major = array.as_dtype(dtype)?.contiguous()?;
    // A kernel that is still a stub refuses here, as an exception that says so.
    row_major.eval()?;
    row_major.to_vec_exact::<T>().map_err(|e| Error::Mlx(e.to_string()))
}

fn coordinates(mut index: usize, shape: &[i32]) -> Vec<usize> {
    let mut place = vec![0; shape.len()];
    for (axis, &length) in shape.iter().enumerate().rev() {
        place[axis] = index % length as usize;
        index /= length as usize;
    }
    place
}
