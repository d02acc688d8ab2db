//! What kernels use of the language, with values computed by hand, on every compiler that is there.

mod support;

use metal_host::{Arg, Checks, Grid, Library, Order, Result, Source};

/// Runs `test` with the compilers of this machine, of which at least one must be there.
fn on_compilers(test: impl Fn(&Library) -> Result<()>) -> Result<()> {
    let mut ran = 0;
    for (family, names) in [
        ("g++", &["g++"][..]),
        ("clang", &["clang++-19", "clang++-18", "clang++-17", "clang++-16", "clang++-15", "clang++"][..]),
    ] {
        let source = Source::file("tests/kernels/features.metal");
        let compile = |name: &&str| Library::compile(&source, &support::options().compiler(name)).ok();
        match names.iter().find_map(compile) {
            Some(library) => {
                test(&library)?;
                ran += 1;
            }
            None => println!("skipped: {family} is not installed, or too old"),
        }
    }
    assert!(ran > 0, "no compiler fits");
    Ok(())
}

fn assert_values(got: &[f32], want: &[f32]) {
    for (i, (g, w)) in got.iter().zip(want).enumerate() {
        assert!((g - w).abs() <= 1e-5 * w.abs().max(1.0), "o[{i}] is {g}, expected {w}");
    }
    assert_eq!(got.len(), want.len());
}

#[test]
fn vectors_literals_unions_templates() -> Result<()> {
    on_compilers(|library| {
        let mut o = vec![0.0f32; 17];
        let args =
            [Arg::output(&mut o), Arg::value([1f32, 2.0, 3.0, 4.0]), Arg::value([0f32, 1.0, 2.0, 3.0, 4.0, 5.0])];
        library.kernel("f_vectors")?.dispatch(Grid::groups(1), 1, &args, &Checks::all())?;
        drop(args);
        let fused = 2.0 * 3.0 + 0.5 + 2.0 + 1.0 + 8.0 + 5.0;
        let want =
            [2.0, 1.0, 5.0, 543.0, 8.0, 5.0, 1.0, 1122.0, 20.0, -2.0, 11.0, fused, 1.0, 2.0, 65505.5, 6.0, 0.251];
        assert_values(&o, &want);
        Ok(())
    })
}

#[test]
fn groups_atomics_and_simd_operations() -> Result<()> {
    on_compilers(|library| {
        let x: Vec<f32> = (0..64).map(|i| i as f32).collect();
        // Thread t sees what thread 63 - t stored: twice its number.
        let v: Vec<f32> = (0..64).map(|t| 2.0 * (63 - t) as f32).collect();
        let lanes = &v[32..];
        let above = v.iter().filter(|&&v| v > 60.0).count() as f32;
        let want = [
            v[40],
            lanes.iter().sum(),
            lanes[0],
            8.0,
            v[41],
            v[38],
            v[37],
            v[32],
            v[39],
            32.0 + 96.0,
            1.0,
            8.0 + 9.0 + 10.0 + 11.0,
            11.0,
            above,
            26.0,
        ];
        for order in [Order::Forward, Order::Reverse, Order::Interleaved, Order::Random(11)] {
            let (mut o, mut count, mut sum) = (vec![0.0f32; 15], [0u32], [0.0f32]);
            let args = [Arg::output(&mut o), Arg::input(&x), Arg::in_out(&mut count), Arg::in_out(&mut sum)];
            let report =
                library.kernel("f_groups")?.dispatch(Grid::groups(1), 64, &args, &Checks::all().order(order))?;
            drop(args);
            assert!(report.warnings.is_empty(), "{:?}", report.warnings);
            assert_values(&o, &want);
            assert_eq!((count[0], sum[0]), (64, 32.0));
        }
        Ok(())
    })
}
