//! The primer's kernels, one after the other, with all checks: `cargo run -q -p metal-host --example primer [WORD]` runs
//! those whose name has the word in it. Edit a `.metal` file beside this one and run again.

use std::path::Path;
use std::process::ExitCode;

use metal_host::{Arg, Checks, Grid, Library, Options, Result, Source};

/// Runs a kernel of a file of this folder, as the Metal host looks at everything.
fn launch(file: &str, kernel: &str, threads: usize, group: usize, args: &[Arg]) -> Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/primer").join(file);
    let kernel = Library::compile(&Source::file(path), &Options::default())?.kernel(kernel)?;
    kernel.dispatch(Grid::threads(threads), group, args, &Checks::all()).map(drop)
}

type Step = fn() -> Result<(Vec<f32>, &'static str)>;

/// File, what it shows, and its launch: the result, and how that is to be read.
const STEPS: [(&str, Step); 5] = [
    ("1-threads.metal", || {
        let mut out = vec![0.0f32; 10];
        launch("1-threads.metal", "squares", 16, 16, &[Arg::output(&mut out), Arg::value(10u32)])?;
        Ok((out, "16 threads, 10 elements: each thread squares its own place"))
    }),
    ("2-groups.metal", || {
        let mut out = vec![0.0f32; 24];
        launch("2-groups.metal", "places", 24, 8, &[Arg::output(&mut out)])?;
        Ok((out, "3 groups of 8 threads: group, then place in the group"))
    }),
    ("3-simd-groups.metal", || {
        let mut out = vec![0.0f32; 3];
        launch("3-simd-groups.metal", "sums", 96, 96, &[Arg::output(&mut out)])?;
        Ok((out, "3 SIMD groups of 32 lanes: the sums of 0 to 31, 32 to 63, 64 to 95"))
    }),
    ("4-memory.metal", || {
        let (x, mut out) = ([0.0f32, 0.0, 0.0, 8.0, 0.0, 0.0, 4.0, 4.0], vec![0.0f32; 8]);
        launch("4-memory.metal", "smooth", 8, 8, &[Arg::input(&x), Arg::output(&mut out), Arg::value(8i32)])?;
        Ok((out, "a row of 8, each element with a quarter of its neighbours"))
    }),
    ("5-barriers.metal", || {
        let x: Vec<f32> = (0..64).map(|i| i as f32).collect();
        let mut out = vec![0.0f32; 64];
        launch("5-barriers.metal", "turned", 64, 64, &[Arg::input(&x), Arg::output(&mut out)])?;
        Ok((out, "64 threads turn a row around through threadgroup memory"))
    }),
];

fn main() -> ExitCode {
    let word = std::env::args().nth(1).unwrap_or_default();
    let mut failed = false;
    for (file, step) in STEPS.iter().filter(|(file, _)| file.contains(&word)) {
        match step() {
            Ok((out, what)) => println!("{file}: {what}\n  {}", shown(&out)),
            Err(error) => {
                println!("{file}:\n{error}");
                failed = true;
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The first numbers, and the last.
fn shown(values: &[f32]) -> String {
    let text = |values: &[f32]| values.iter().map(f32::to_string).collect::<Vec<_>>().join(" ");
    match values.len() {
        0..=12 => text(values),
        n => format!("{} … {}", text(&values[..10]), text(&values[n - 2..])),
    }
}
