//! What the tests share: where compiled kernels go, random data, comparison.
#![allow(dead_code)] // each test file uses its own part

pub mod attention;
pub mod mlx;
pub mod quantized;

use std::path::PathBuf;

use metal_host::{Arg, Checks, Grid, Kernel, Library, Options, Order, Report, Result, Size, Source};

/// Compiled kernels stay in the target folder.
pub fn cache() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

pub fn options() -> Options {
    Options::default().cache(cache())
}

/// A file of `kernels/`.
pub fn library(file: &str) -> Result<Library> {
    Library::compile(&Source::file(format!("tests/kernels/{file}.metal")), &options())
}

/// Runs a kernel the five ways that must not matter, and again with everything compared.
pub fn run(kernel: &Kernel, grid: Grid, group: impl Into<Size>, args: &[Arg]) -> Result<Vec<Report>> {
    let group = group.into();
    let ways = [
        Checks::none(),
        Checks::none().order(Order::Random(3)),
        Checks::none().order(Order::Reverse),
        Checks::none().order(Order::Interleaved),
        Checks::guarded(),
        Checks::all(),
    ];
    ways.iter().map(|checks| kernel.dispatch(grid, group, args, checks)).collect()
}

/// Pseudo-random numbers, the same in every run.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e3779b97f4a7c15) + 1)
    }

    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    /// About normal: the sum of twelve uniform numbers.
    pub fn normal(&mut self, n: usize) -> Vec<f32> {
        (0..n).map(|_| (0..12).map(|_| self.next()).sum::<f32>() - 6.0).collect()
    }
}

/// Number formats by their bits, with what a comparison of their results may be off.
pub trait Format: Copy {
    type Bits: metal_host::Element + Default;
    const NAME: &'static str;
    fn bits(value: f32) -> Self::Bits;
    fn value(bits: Self::Bits) -> f32;

    fn pack(values: &[f32]) -> Vec<Self::Bits> {
        values.iter().map(|&v| Self::bits(v)).collect()
    }
    fn unpack(bits: &[Self::Bits]) -> Vec<f32> {
        bits.iter().map(|&b| Self::value(b)).collect()
    }
    /// What is left of values that were stored.
    fn stored(values: &[f32]) -> Vec<f32> {
        Self::unpack(&Self::pack(values))
    }
}
#[derive(Clone, Copy)]
pub struct F32;
#[derive(Clone, Copy)]
pub struct F16;
#[derive(Clone, Copy)]
pub struct BF16;
impl Format for F32 {
    type Bits = f32;
    const NAME: &'static str = "f32";
    fn bits(value: f32) -> f32 {
        value
    }
    fn value(bits: f32) -> f32 {
        bits
    }
}
impl Format for F16 {
    type Bits = u16;
    const NAME: &'static str = "f16";
    fn bits(value: f32) -> u16 {
        half::f16::from_f32(value).to_bits()
    }
    fn value(bits: u16) -> f32 {
        half::f16::from_bits(bits).to_f32()
    }
}
impl Format for BF16 {
    type Bits = u16;
    const NAME: &'static str = "bf16";
    fn bits(value: f32) -> u16 {
        half::bf16::from_f32(value).to_bits()
    }
    fn value(bits: u16) -> f32 {
        half::bf16::from_bits(bits).to_f32()
    }
}

/// The largest difference, as a part of the largest expected value. NaN is never close.
pub fn close(what: &str, got: &[f32], want: &[f64], tolerance: f64) {
    assert_eq!(got.len(), want.len(), "{what}: number of values");
    let largest = want.iter().fold(1e-30f64, |m, w| m.max(w.abs()));
    for (i, (&g, &w)) in got.iter().zip(want).enumerate() {
        let error = (f64::from(g) - w).abs() / largest;
        assert!(
            error <= tolerance,
            "{what}: element {i} is {g}, expected {w}; off by {error:.1e}, bound {tolerance:.0e}"
        );
    }
}

/// a (rows, k) times b (k, n).
pub fn product(a: &[f32], b: &[f32], k: usize, n: usize) -> Vec<f64> {
    let mut c = vec![0.0; a.len() / k * n];
    for (row, out) in a.chunks(k).zip(c.chunks_mut(n)) {
        for (&x, weights) in row.iter().zip(b.chunks(n)) {
            for (o, &w) in out.iter_mut().zip(weights) {
                *o += f64::from(x) * f64::from(w);
            }
        }
    }
    c
}

/// a (rows, k) times the transpose of b (n, k).
pub fn product_transposed(a: &[f32], b: &[f32], k: usize) -> Vec<f64> {
    let dot = |x: &[f32], y: &[f32]| x.iter().zip(y).map(|(&x, &y)| f64::from(x) * f64::from(y)).sum();
    a.chunks(k).flat_map(|row| b.chunks(k).map(move |w| dot(row, w))).collect()
}
