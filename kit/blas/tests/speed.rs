//! A matrix product in MLX against the BLAS that its wheel brings, in one process and in the dev profile.
#![cfg(target_os = "linux")]

use std::error::Error;
use std::ffi::c_int;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

extern crate blas as _;

#[path = "../examples/product/mod.rs"]
mod product;

/// Rows and columns of the matrices.
const SIZE: i32 = 1024;
/// How many times faster MLX must be with this crate than the wheel's BLAS is.
const FACTOR: f64 = 10.0;

type Sgemm = unsafe extern "C" fn(
    c_int,
    c_int,
    c_int,
    c_int,
    c_int,
    c_int,
    f32,
    *const f32,
    c_int,
    *const f32,
    c_int,
    f32,
    *mut f32,
    c_int,
);

/// The BLAS that libmlx has loaded from beside itself.
fn wheels_blas() -> Result<libloading::Library, Box<dyn Error>> {
    let maps = std::fs::read_to_string("/proc/self/maps")?;
    let mut loaded = maps.lines().filter_map(|line| line.find('/').map(|at| &line[at..]));
    let path = loaded.find(|path| path.contains("mlx_cpu.libs/libblas"));
    let path = path.ok_or("libmlx has loaded no BLAS of its own; set MLX up without MLX_ROOT: cargo xtask setup")?;
    // SAFETY: the library is loaded already, so nothing of it runs now.
    Ok(unsafe { libloading::Library::new(path) }?)
}

#[test]
fn mlx_multiplies_ten_times_faster_than_with_the_wheels_blas() -> Result<(), Box<dyn Error>> {
    let mut random = StdRng::seed_from_u64(1);
    let count = (SIZE * SIZE) as usize;
    let (a, b): (Vec<f32>, Vec<f32>) = (0..count).map(|_| (random.random::<f32>(), random.random::<f32>())).unzip();
    let ours = || product::of_squares(&a, &b, SIZE);
    let product = ours()?;

    let library = wheels_blas()?;
    // SAFETY: this is the function's type in cblas.h.
    let wheels: libloading::Symbol<Sgemm> = unsafe { library.get(b"cblas_sgemm") }?;
    let mut c = vec![0f32; count];
    let (x, y, z) = (a.as_ptr(), b.as_ptr(), c.as_mut_ptr());

    let (mut fast, mut slow) = (Vec::new(), Vec::new());
    let calls = blas::calls();
    // Interleaved, so that a busy moment of the machine hits both.
    for _ in 0..3 {
        for _ in 0..3 {
            let started = Instant::now();
            ours()?;
            fast.push(started.elapsed());
        }
        let started = Instant::now();
        // SAFETY: row-major square matrices of `SIZE` without gaps, alive until after the call.
        unsafe { wheels(101, 111, 111, SIZE, SIZE, SIZE, 1.0, x, SIZE, y, SIZE, 0.0, z, SIZE) };
        slow.push(started.elapsed());
    }
    assert!(blas::calls() >= calls + 9, "MLX did not call this crate: {} calls", blas::calls() - calls);

    let worst = product.iter().zip(&c).map(|(x, y)| (x - y).abs()).fold(0f32, f32::max);
    // Sums of 1024 products of numbers up to 1: about 256, with 24 bits each.
    assert!(worst < 1e-2, "the two differ by {worst}");
    let (fast, slow) = (median(fast), median(slow));
    let factor = slow.as_secs_f64() / fast.as_secs_f64();
    println!("f32 {SIZE}³: {fast:.1?} here, {slow:.1?} with the wheel's BLAS, {factor:.1} times");
    assert!(factor >= FACTOR, "{fast:.1?} against {slow:.1?} is only {factor:.1} times, expected {FACTOR}");
    Ok(())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
