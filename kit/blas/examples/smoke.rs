//! The smoke test of `cargo xtask setup`: MLX is linked, is found when the program runs, and computes.

// Named so that it is linked; see the crate's own page.
extern crate blas as _;

use std::process::ExitCode;

use mlx_rs::Array;

fn main() -> ExitCode {
    match square() {
        Ok(values) if values == [7.0, 10.0, 15.0, 22.0] => {
            println!("[[1 2] [3 4]]² = [[7 10] [15 22]]");
            ExitCode::SUCCESS
        }
        Ok(values) => {
            eprintln!("[[1 2] [3 4]]² came out as {values:?}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("MLX: {error}");
            ExitCode::FAILURE
        }
    }
}

fn square() -> Result<Vec<f32>, mlx_rs::error::Exception> {
    let a = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]);
    let product = a.matmul(&a)?;
    product.eval()?;
    Ok(product.as_slice::<f32>().to_vec())
}
