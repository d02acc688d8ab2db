//! How long kernels take on this machine, which says nothing about a GPU:
//! `cargo run --release -p metal-host --example speed`, from the crate's folder.

use std::time::{Duration, Instant};

use metal_host::{Arg, Checks, Grid, Kernel, Library, Options, Result, Size, Source};

/// The best of several runs on one processor.
fn best(name: &str, kernel: &Kernel, grid: Grid, group: impl Into<Size>, args: &[Arg]) -> Result<()> {
    let group = group.into();
    let time = |checks: &Checks| -> Result<Duration> {
        (0..7)
            .map(|_| kernel.dispatch(grid, group, args, checks).map(|r| r.time))
            .try_fold(Duration::MAX, |a, b| Ok(a.min(b?)))
    };
    let (plain, all) = (time(&Checks::none().workers(1))?, time(&Checks::none())?);
    println!(
        "{name:44} {:9.3} ms on one processor, {:9.3} ms on all",
        plain.as_secs_f64() * 1e3,
        all.as_secs_f64() * 1e3
    );
    Ok(())
}

fn main() -> Result<()> {
    let library =
        |file: &str| Library::compile(&Source::file(format!("tests/kernels/{file}.metal")), &Options::default());
    let numbers = |n: usize| -> Vec<f32> { (0..n).map(|i| (i % 17) as f32 / 16.0 - 0.5).collect() };

    let (n, x) = (1 << 20, numbers(1 << 20));
    let mut out = numbers(n);
    let args = [Arg::input(&x), Arg::input(&x), Arg::output(&mut out), Arg::value(1.5f32), Arg::value(0.5f32)];
    best("axpby, 2^20 elements", &library("axpby")?.kernel("axpby_float32")?, Grid::threads(n), 256, &args)?;

    let kernel = library("axpby")?.kernel("axpby_float32")?;
    let began = Instant::now();
    for _ in 0..10_000 {
        kernel.dispatch(Grid::threads(32), 32, &args, &Checks::none())?;
    }
    println!("{:44} {:9.3} ms", "a launch of 32 threads", began.elapsed().as_secs_f64() / 10_000.0 * 1e3);

    let (packed, scales) = (vec![0x7531_8642u32; 1024 * 128], vec![0x3c00u16; 1024 * 16]);
    let mut y = numbers(1024);
    let args = [
        Arg::input(&packed),
        Arg::input(&scales),
        Arg::input(&scales),
        Arg::input(&x[..1024]),
        Arg::output(&mut y),
        Arg::value(1024i32),
        Arg::value(1024i32),
    ];
    best(
        "4-bit matvec, 1024 x 1024, groups of 64",
        &library("qgemv")?.kernel("qgemv4_f32_gs64")?,
        Grid::groups((128, 1)),
        64,
        &args,
    )?;

    let mut c = numbers(64 * 256);
    let sizes = Arg::value([64i32, 256, 256, 0]);
    let args = [Arg::input(&x[..64 * 256]), Arg::input(&x[..256 * 256]), Arg::output(&mut c), sizes];
    best(
        "matrix product, 64 x 256 x 256, f32",
        &library("gemm")?.kernel("gemm_f32")?,
        Grid::groups((8, 2)),
        128,
        &args,
    )?;

    let kv = numbers(8 * 1024 * 64);
    let mut o = numbers(16 * 64);
    let constants = Arg::value([16i32, 8, 1024, 0.125f32.to_bits() as i32]);
    let args = [Arg::input(&x[..16 * 64]), Arg::input(&kv), Arg::input(&kv), Arg::output(&mut o), constants];
    best(
        "decode attention, 16 heads of 64, 1024 keys",
        &library("decode")?.kernel("attn_decode_f32_d64")?,
        Grid::groups(16),
        256,
        &args,
    )?;

    let mut o = numbers(64 * 4096);
    let args = [
        Arg::input(&x[..64 * 4096]),
        Arg::input(&x[..4096]),
        Arg::output(&mut o),
        Arg::value(4096u32),
        Arg::value(1e-5f32),
    ];
    best("rms_norm, 64 rows of 4096", &library("norm")?.kernel("rms_norm_f32")?, Grid::groups(64), 1024, &args)
}
