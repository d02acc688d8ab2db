//! Inputs that tests write down instead of drawing them.

use mlx_rs::{Array, Dtype};

/// The dtypes that every function of the course takes, with the names that messages and golden files use.
pub const DTYPES: [(Dtype, &str); 3] = [(Dtype::Float32, "f32"), (Dtype::Float16, "f16"), (Dtype::Bfloat16, "bf16")];

/// `values` in f32, in row-major order.
pub fn array(values: &[f32], shape: &[i32]) -> Array {
    Array::from_slice(values, shape)
}

/// Zeros in f32, evaluated.
pub fn zeros(shape: &[i32]) -> Array {
    array(&vec![0.0; shape.iter().product::<i32>() as usize], shape)
}

/// Zeros of a float dtype that no model of the course has.
pub fn doubles(shape: &[i32]) -> Array {
    Array::from_slice_f64(&vec![0.0; shape.iter().product::<i32>() as usize], shape)
}
