//! Refusals at the door: an array of the wrong shape or dtype becomes one sentence with both sides in it.
//!
//! `op` names the operation and the argument, `linear: w`; `letters` is the shape as the documentation writes it.

use mlx_rs::{Array, Dtype};

use crate::{Error, Result};

/// Stands in [`check_shape`] for an axis of any size.
pub const ANY: i32 = -1;

/// Refuses an array that has not exactly the axes of `want`; [`ANY`] fits every size.
///
/// ```
/// use kit::{ANY, check_shape};
/// let w = mlx_rs::Array::from_slice(&[1.0f32; 6], &[3, 2]);
/// assert!(check_shape("linear: w", &w, "(O, I)", &[ANY, 2]).is_ok());
/// let refusal = check_shape("linear: w", &w, "(O, I)", &[ANY, 4]).unwrap_err();
/// assert_eq!(refusal.to_string(), "linear: w: expected shape (O, I) = (_, 4), got (3, 2)");
/// ```
pub fn check_shape(op: &str, array: &Array, letters: &str, want: &[i32]) -> Result<()> {
    let fits = |(&size, &wanted): (&i32, &i32)| wanted == ANY || size == wanted;
    if array.ndim() == want.len() && array.shape().iter().zip(want).all(fits) {
        return Ok(());
    }
    Err(Error::Shape {
        op: op.to_string(),
        expected: format!("{letters} = {}", shape_text(want)),
        got: shape_text(array.shape()),
    })
}

/// Refuses an array that has fewer than `axes` axes; the ones in front are free. `letters` is `(.., L, E)`.
pub fn check_axes(op: &str, array: &Array, letters: &str, axes: usize) -> Result<()> {
    if array.ndim() >= axes {
        return Ok(());
    }
    Err(Error::Shape { op: op.to_string(), expected: letters.to_string(), got: shape_text(array.shape()) })
}

/// Refuses an array that cannot be broadcast to `shape`: more axes, or a size that is neither 1 nor the one in `shape`.
pub fn check_broadcast(op: &str, array: &Array, letters: &str, shape: &[i32]) -> Result<()> {
    let from_the_end = array.shape().iter().rev().zip(shape.iter().rev());
    if array.ndim() <= shape.len() && from_the_end.into_iter().all(|(&size, &wanted)| size == 1 || size == wanted) {
        return Ok(());
    }
    Err(Error::Shape {
        op: op.to_string(),
        expected: format!("one that broadcasts to {letters} = {}", shape_text(shape)),
        got: shape_text(array.shape()),
    })
}

/// Refuses an array whose dtype is not `want`.
pub fn check_dtype(op: &str, array: &Array, want: Dtype) -> Result<()> {
    if array.dtype() == want {
        return Ok(());
    }
    Err(Error::Dtype { op: op.to_string(), expected: format!("{want:?}"), got: format!("{:?}", array.dtype()) })
}

/// Refuses an array that is not Float32, Float16 or Bfloat16, the dtypes that activations and weights have.
pub fn check_float(op: &str, array: &Array) -> Result<()> {
    if matches!(array.dtype(), Dtype::Float32 | Dtype::Float16 | Dtype::Bfloat16) {
        return Ok(());
    }
    Err(Error::Dtype {
        op: op.to_string(),
        expected: "Float32, Float16 or Bfloat16".to_string(),
        got: format!("{:?}", array.dtype()),
    })
}

/// `(2, _, 3)`, and `(5,)` for one axis.
fn shape_text(shape: &[i32]) -> String {
    let size = |&size: &i32| if size == ANY { "_".to_string() } else { size.to_string() };
    match shape {
        [only] => format!("({},)", size(only)),
        _ => format!("({})", shape.iter().map(size).collect::<Vec<_>>().join(", ")),
    }
}
