//! The smoke test of `cargo xtask setup`: MLX is linked, is found when the program runs, and computes.

// Named so that it is linked; see the crate's own page.
extern crate blas as _;

#[path = "../product/mod.rs"]
mod product;

use std::process::ExitCode;

fn main() -> ExitCode {
    let a = [1.0, 2.0, 3.0, 4.0];
    match product::of_squares(&a, &a, 2) {
        Ok(values) if values == [7.0, 10.0, 15.0, 22.0] => {
            println!("[[1 2] [3 4]]² = [[7 10] [15 22]]");
            ExitCode::SUCCESS
        }
        Ok(values) => {
            eprintln!("[[1 2] [3 4]]² came out as {values:?}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
