//! Every barrier of five kernels, once deleted and once weakened: 14 wrong kernels, and whether each is noticed without
//! knowing what the kernel should compute.
#![cfg(target_os = "linux")] // the host runs there

mod support;

use metal_host::{Arg, Checks, Error, Grid, Kind, Library, Order, Report, Result, Source};
use support::Random;

const BARRIER: &str = "threadgroup_barrier(mem_flags::mem_threadgroup);";
const WEAKENED: &str = "simdgroup_barrier(mem_flags::mem_threadgroup);";

/// A small launch of a kernel of the library.
type Launch = fn(&Library, &Checks) -> Result<Report>;

/// File, how many barriers it has, and a launch.
const CASES: [(&str, usize, Launch); 5] =
    [("norm", 1, norm), ("gemm", 2, gemm), ("decode", 1, decode), ("paged", 1, paged), ("flash", 2, flash)];

fn norm(library: &Library, checks: &Checks) -> Result<Report> {
    let mut random = Random::new(1);
    let (x, weight, mut out) = (random.normal(512), random.normal(256), vec![0.0f32; 512]);
    let args = [Arg::input(&x), Arg::input(&weight), Arg::output(&mut out), Arg::value(256u32), Arg::value(1e-5f32)];
    library.kernel("rms_norm_f32")?.dispatch(Grid::groups(2), 128, &args, checks)
}

fn gemm(library: &Library, checks: &Checks) -> Result<Report> {
    let mut random = Random::new(2);
    let (a, b, mut c) = (random.normal(32 * 48), random.normal(48 * 32), vec![0.0f32; 32 * 32]);
    let args = [Arg::input(&a), Arg::input(&b), Arg::output(&mut c), Arg::value([32i32, 32, 48, 0])];
    library.kernel("gemm_f32")?.dispatch(Grid::groups(1), 128, &args, checks)
}

fn decode(library: &Library, checks: &Checks) -> Result<Report> {
    let mut random = Random::new(3);
    let (q, k, v, mut out) = (random.normal(128), random.normal(40 * 64), random.normal(40 * 64), vec![0.0f32; 128]);
    let constants = Arg::value([2i32, 1, 40, 0.125f32.to_bits() as i32]);
    let args = [Arg::input(&q), Arg::input(&k), Arg::input(&v), Arg::output(&mut out), constants];
    library.kernel("attn_decode_f32_d64")?.dispatch(Grid::groups(2), 256, &args, checks)
}

fn paged(library: &Library, checks: &Checks) -> Result<Report> {
    use support::{F16, Format};
    let mut random = Random::new(4);
    let (q, k, v) = (random.normal(128), random.normal(4 * 16 * 64), random.normal(4 * 16 * 64));
    let (q, k, v, mut out) = (F16::pack(&q), F16::pack(&k), F16::pack(&v), vec![0u16; 128]);
    let args = [
        Arg::input(&q),
        Arg::input(&k),
        Arg::input(&v),
        Arg::value([2i32, 0, 3, 1]),
        Arg::value([55i32]),
        Arg::output(&mut out),
        Arg::value([2i32, 1, 16, 4, 0.125f32.to_bits() as i32]),
        Arg::threadgroup_memory((4 * 64 + 8) * 4),
    ];
    library.kernel("attn_paged_f16_d64")?.dispatch(Grid::groups((2, 1)), 128, &args, checks)
}

fn flash(library: &Library, checks: &Checks) -> Result<Report> {
    let mut random = Random::new(5);
    let (q, k, v) = (random.normal(32 * 64), random.normal(64 * 64), random.normal(64 * 64));
    let mut out = vec![0.0f32; 32 * 64];
    let constants = Arg::value([1i32, 1, 32, 64, 0.125f32.to_bits() as i32, 0]);
    let args = [Arg::input(&q), Arg::input(&k), Arg::input(&v), Arg::output(&mut out), constants];
    library.kernel("flash_f32_d64")?.dispatch(Grid::groups((1, 1)), 128, &args, checks)
}

fn text(file: &str) -> String {
    let path = format!("tests/kernels/{file}.metal");
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The file with its n-th barrier replaced; lines stay where they are.
fn mutant(file: &str, n: usize, by: &str) -> Result<Library> {
    let text = text(file);
    let at = text.match_indices(BARRIER).nth(n).unwrap_or_else(|| panic!("{file} has no barrier {n}")).0;
    let text = format!("{}{by}{}", &text[..at], &text[at + BARRIER.len()..]);
    Library::compile(&Source::text(&format!("{file}.metal"), &text), &support::options())
}

/// Every mutant: its name and its library.
fn mutants(mut check: impl FnMut(&str, &Library, Launch) -> Result<()>) -> Result<usize> {
    let mut count = 0;
    for (file, barriers, launch) in CASES {
        assert_eq!(text(file).matches(BARRIER).count(), barriers, "barriers of {file}");
        for n in 0..barriers {
            for (by, how) in [("", "deleted"), (WEAKENED, "weakened")] {
                check(&format!("{file}, barrier {n} {how}"), &mutant(file, n, by)?, launch)?;
                count += 1;
            }
        }
    }
    Ok(count)
}

fn is_race(result: Result<Report>) -> std::result::Result<Error, String> {
    match result {
        Ok(_) => Err("nothing was found".into()),
        Err(error) if error.kind() == Some(Kind::Race) => Ok(error),
        Err(error) => Err(format!("another mistake was found: {error}")),
    }
}

#[test]
fn right_kernels_are_right_in_every_way() -> Result<()> {
    for (file, _, launch) in CASES {
        let library = support::library(file)?;
        for order in [Order::Forward, Order::Reverse, Order::Interleaved, Order::Random(7)] {
            let report = launch(&library, &Checks::all().order(order))?;
            assert!(report.warnings.is_empty(), "{file}: {:?}", report.warnings);
        }
        launch(&library, &Checks::races())?;
    }
    Ok(())
}

#[test]
fn all_fourteen_are_noticed_by_comparing_orders() -> Result<()> {
    let count = mutants(|name, library, launch| {
        match is_race(launch(library, &Checks::all())) {
            Ok(error) => {
                println!("{name}: {error}\n");
                // Where the compiler has no ThreadSanitizer, the lines are missing and that is said.
                let lines = error.findings()[0].places.len();
                assert!(lines == 2 || error.to_string().contains("no ThreadSanitizer"), "{name}: {error}");
            }
            Err(why) => panic!("{name}: {why}"),
        }
        Ok(())
    })?;
    assert_eq!(count, 14);
    Ok(())
}

#[test]
fn all_fourteen_are_noticed_by_thread_sanitizer_with_both_lines() -> Result<()> {
    let count = mutants(|name, library, launch| {
        match is_race(launch(library, &Checks::none().sanitizer(metal_host::Sanitizer::Thread))) {
            Ok(error) => {
                let places = &error.findings()[0].places;
                assert_eq!(places.len(), 2, "{name}: {error}");
                for place in places {
                    assert!(place.file.ends_with(".metal") && place.text.is_some(), "{name}: {error}");
                }
                println!("{name}: lines {} and {}", places[0].line, places[1].line);
            }
            Err(why) => panic!("{name}: {why}"),
        }
        Ok(())
    })?;
    assert_eq!(count, 14);
    Ok(())
}
