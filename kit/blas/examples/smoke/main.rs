//! The smoke test of `cargo xtask setup`: MLX is linked, is found when the program runs, and computes.

// Named so that it is linked; see the crate's own page.
extern crate blas as _;

#[path = "../product/mod.rs"]
mod product;

use std::process::ExitCode;

use mlx_sys as c;

fn main() -> ExitCode {
    let a = [1.0, 2.0, 3.0, 4.0];
    match product::of_squares(&a, &a, 2) {
        Ok(values) if values == [7.0, 10.0, 15.0, 22.0] => {
            println!("[[1 2] [3 4]]² = [[7 10] [15 22]] on the {}", device());
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

/// What MLX computes on where nobody says otherwise: `GPU` or `CPU`.
fn device() -> &'static str {
    // SAFETY: the handle is used before it is freed, and the kind is written before it is read.
    unsafe {
        let (mut device, mut kind) = (c::mlx_device_new(), c::mlx_device_type__MLX_CPU);
        let known = c::mlx_get_default_device(&mut device) == 0 && c::mlx_device_get_type(&mut kind, device) == 0;
        c::mlx_device_free(device);
        if known && kind == c::mlx_device_type__MLX_GPU { "GPU" } else { "CPU" }
    }
}
