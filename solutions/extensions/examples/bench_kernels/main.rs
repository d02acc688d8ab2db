//! What `cargo run -p extensions --example bench_kernels` prints: every step of every kernel's ladder beside
//! MLX's own operator.
//!
//! All forms of a kernel take turns, seven rounds after one to warm up; a row is the median. Bandwidth is measured in
//! the same rounds, and every form's values are compared with MLX's before it is timed. A word as argument picks the
//! kernels whose name has it: `-- matvec`.
extern crate solution_extensions as extensions; // SOLUTION-ONLY

mod cases;
mod weights;

use std::hint::black_box;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use extensions::tuning;
use kit::Result;
use kit::testing::values;
use mlx_rs::{Array, transforms::eval};

/// Rounds that count.
const ROUNDS: usize = 7;
/// Bytes that a round of a small product reads, over copies of its weight: more than a cache holds, as in a model.
const COLD: usize = 128 << 20;

type Run<'a> = Box<dyn Fn() -> Result<Vec<Array>> + 'a>;

/// One form of a kernel: how it is called, which step of the ladder it is, and what it computes.
struct Form<'a> {
    name: String,
    step: Option<u8>,
    run: Run<'a>,
}

/// A kernel at one size.
struct Case<'a> {
    name: String,
    /// What one call must read and write.
    bytes: usize,
    /// Multiplications and additions of one call.
    flops: usize,
    /// The first is MLX's.
    forms: Vec<Form<'a>>,
}

fn main() -> ExitCode {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    match cases::run(&wanted) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Lets the forms take turns and prints a row for each.
fn measure(case: &Case<'_>) -> Result<()> {
    let threads = tuning::threads()?;
    let want = values(&(case.forms[0].run)()?[0])?;
    let mut seconds = vec![Vec::new(); case.forms.len()];
    let mut bandwidths = Vec::new();
    let memory = vec![1_u64; COLD / 8];
    for round in 0..=ROUNDS {
        bandwidths.push(read_bandwidth(&memory, threads));
        for (form, seconds) in case.forms.iter().zip(&mut seconds) {
            tuning::set_version(form.step);
            let start = Instant::now();
            let results = (form.run)()?;
            eval(&results)?;
            seconds.push(start.elapsed().as_secs_f64() / results.len() as f64);
            if round == 0 {
                compare(&form.name, &values(&results[0])?, &want);
                seconds.clear();
            }
        }
    }
    tuning::set_version(None);
    let bandwidth = median(&mut bandwidths);
    let mlx = median(&mut seconds[0]);
    println!("\n{} (read bandwidth {bandwidth:.1} GB/s)", case.name);
    for (form, seconds) in case.forms.iter().zip(&mut seconds) {
        let time = median(seconds);
        let spread = (seconds[seconds.len() - 1] - seconds[0]) / time * 100.0;
        let rate = case.bytes as f64 / time / 1e9;
        println!(
            "  {:20} {:9.3} ms ±{spread:3.0} %  {rate:6.2} GB/s {:4.0} %  {:7.2} GFLOP/s  {:8.2}x mlx",
            form.name,
            time * 1e3,
            rate / bandwidth * 100.0,
            case.flops as f64 / time / 1e9,
            mlx / time
        );
    }
    Ok(())
}

/// Panics when a form computes something else: a fast wrong kernel is no kernel.
fn compare(name: &str, got: &[f32], want: &[f32]) {
    let largest = want.iter().fold(0.0f32, |largest, value| largest.max(value.abs()));
    let off = got.iter().zip(want).fold(0.0f32, |off, (got, want)| off.max((got - want).abs()));
    assert!(got.len() == want.len() && off <= 1e-3 * largest, "{name} is off by {off}, the largest value is {largest}");
}

/// GB/s of reading `memory` on all threads at once.
fn read_bandwidth(memory: &[u64], threads: usize) -> f64 {
    let start = Instant::now();
    thread::scope(|scope| {
        for part in memory.chunks(memory.len().div_ceil(threads)) {
            scope.spawn(move || black_box(part.iter().fold(0_u64, |sum, value| sum ^ value)));
        }
    });
    size_of_val(memory) as f64 / start.elapsed().as_secs_f64() / 1e9
}

fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
