//! The README's example runs, and the report below it is what is printed.
#![cfg(target_os = "linux")] // the host runs there

mod support;

use metal_host::{Arg, Checks, Grid, Kind, Library, Result, Source};

/// The text of a README's block, without its fences.
fn block(language: &str) -> String {
    let readme = include_str!("../README.md");
    let start = format!("```{language}\n");
    let from = readme.find(&start).unwrap_or_else(|| panic!("no {language} block")) + start.len();
    readme[from..from + readme[from..].find("```").expect("the block ends")].to_string()
}

#[test]
fn the_example_runs() -> Result<()> {
    let library = Library::compile(&Source::file("tests/kernels/axpby.metal"), &support::options())?;
    let (x, y, mut out) = (vec![1.0f32; 1000], vec![2.0f32; 1000], vec![0.0f32; 1000]);
    let args = [Arg::input(&x), Arg::input(&y), Arg::output(&mut out), Arg::value(3.0f32), Arg::value(0.5f32)];
    library.kernel("axpby_float32")?.dispatch(Grid::threads(1000), 256, &args, &Checks::all())?;
    assert_eq!(out[999], 4.0);
    // These lines are the README's, but for the place of the file and of the cache.
    let here = include_str!("readme.rs")
        .replace("tests/kernels/axpby.metal", "axpby.metal")
        .replace("support::options()", "Options::default()");
    for line in block("rust").lines().filter(|l| !l.is_empty() && !l.starts_with("use ")) {
        assert!(here.contains(line), "this test does not run the README's line: {line}");
    }
    Ok(())
}

#[test]
fn the_report_is_what_is_printed() -> Result<()> {
    let library = Library::compile(&Source::file("tests/kernels/axpby.metal"), &support::options())?;
    let (x, y, mut out) = (vec![1.0f32; 1000], vec![2.0f32; 1001], vec![0.0f32; 1001]);
    let args = [Arg::input(&x), Arg::input(&y), Arg::output(&mut out), Arg::value(3.0f32), Arg::value(0.5f32)];
    let result = library.kernel("axpby_float32")?.dispatch(Grid::threads(1001), 256, &args, &Checks::all());
    let error = result.expect_err("the grid is larger than x");
    assert_eq!(error.kind(), Some(Kind::OutOfBounds));
    assert_eq!(error.to_string().replace("tests/kernels/", "") + "\n", block("text"));
    Ok(())
}

/// The kernels of the primer run, and none of the checks has anything to say.
#[test]
fn the_primer_runs() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut run = std::process::Command::new(cargo);
    run.args(["run", "--quiet", "--package", "metal-host", "--example", "primer"])
        .env("METAL_HOST_CACHE", support::cache());
    let output = run.output().expect("cargo runs: it runs this test");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let numbers: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("  ")).collect();
    let expected = [
        "0 1 4 9 16 25 36 49 64 81",
        "0 0.01 0.02 0.03 0.04 0.05 0.06 0.07 1 1.01 … 2.06 2.07",
        "496 1520 2544",
        "0 0 2 4 2 1 3 4",
        "63 62 61 60 59 58 57 56 55 54 … 1 0",
    ];
    assert_eq!(numbers, expected);
}
