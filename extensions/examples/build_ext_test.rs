//! What `cargo xtask build-ext-test` runs: axpby from Rust, through C++, on MLX, compared with MLX's own operations.

use std::process::ExitCode;

use kit::Result;
use mlx_rs::{Array, ops};

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            println!("c correct: False");
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Small whole numbers, so that the comparison is exact.
fn run() -> Result<bool> {
    let a = Array::from_iter(0..12, &[3, 4]).as_dtype(mlx_rs::Dtype::Float32)?;
    let b = a.transpose()?.reshape(&[3, 4])?;
    let (alpha, beta) = (4.0, 2.0);
    let c = extensions::axpby(&a, &b, alpha, beta)?;
    let expected = ops::add(ops::multiply(&a, Array::from_f32(alpha))?, ops::multiply(&b, Array::from_f32(beta))?)?;
    let correct = c.shape() == expected.shape()
        && c.dtype() == expected.dtype()
        && kit::testing::values(&c)? == kit::testing::values(&expected)?;
    let shape: Vec<String> = c.shape().iter().map(i32::to_string).collect();
    println!("c shape: ({})", shape.join(", "));
    println!("c dtype: {}", format!("{:?}", c.dtype()).to_lowercase());
    println!("c correct: {}", if correct { "True" } else { "False" });
    Ok(correct)
}
