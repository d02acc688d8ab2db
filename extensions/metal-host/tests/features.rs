//! What kernels use of the language, with values computed by hand, on every compiler that is there.
#![cfg(target_os = "linux")] // the host runs there

mod support;

use metal_host::{Arg, Checks, Grid, Library, Order, Result, Source};

/// Runs `test` with the compilers of this machine, of which at least one must be there.
fn on_compilers(file: &str, test: impl Fn(&Library) -> Result<()>) -> Result<()> {
    let mut ran = 0;
    for (family, names) in
        [("g++", &["g++"][..]), ("clang", &["clang++-19", "clang++-18", "clang++-17", "clang++-16", "clang++"][..])]
    {
        let source = Source::file(format!("tests/kernels/{file}.metal"));
        let fits =
            |name: &&&str| Library::compile(&Source::text("k.metal", ""), &support::options().compiler(name)).is_ok();
        match names.iter().find(fits) {
            Some(name) => {
                test(&Library::compile(&source, &support::options().compiler(name))?)?;
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
    on_compilers("features", |library| {
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
    on_compilers("features", |library| {
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

/// The values are those of the comments in the kernel.
#[test]
fn what_people_write() -> Result<()> {
    on_compilers("language", |library| {
        let x: Vec<f32> = (1..=8).map(|i| i as f32).collect();
        let sizes: Vec<u8> = [2i32.to_le_bytes(), 3i32.to_le_bytes(), 0.5f32.to_le_bytes(), [5, 7, 9, 11]].concat();
        let mut o = vec![0.0f32; 22];
        let args = [Arg::input(&x), Arg::output(&mut o), Arg::bytes(&sizes), Arg::input(&[0x21u8, 0x53])];
        library.kernel("l_values")?.dispatch(Grid::groups(1), 1, &args, &Checks::all())?;
        drop(args);
        let want = [
            6.5,
            18.0,
            10.0,
            6.0,
            11.0,
            13.25,
            33.0,
            3.5,
            6.0,
            3.0,
            0.333_984_38,
            3.0,
            3890.0,
            15.0,
            273.0,
            1.75,
            3.0,
            3.5,
            20.5,
            1.0,
            22.0,
            2.0,
        ];
        assert_values(&o, &want);
        let (mut sum, mut half) = ([0.0f32], [0u16]);
        library.kernel("l_scoped")?.dispatch(Grid::groups(1), 1, &[Arg::output(&mut sum)], &Checks::all())?;
        library.kernel("l_scoped_half")?.dispatch(Grid::groups(1), 1, &[Arg::output(&mut half)], &Checks::all())?;
        assert_eq!((sum[0], half[0]), (3.0, 0x4400));
        Ok(())
    })
}

#[test]
fn tiles_casts_and_parameters_of_a_group() -> Result<()> {
    on_compilers("language", |library| {
        let x: Vec<f32> = (0..64).map(|i| i as f32).collect();
        let mut o = vec![0.0f32; 256];
        let memory = [Arg::threadgroup_memory(256), Arg::threadgroup_memory(128)];
        let args: Vec<Arg> = [Arg::output(&mut o), Arg::input(&x)].into_iter().chain(memory).collect();
        library.kernel("l_group")?.dispatch(Grid::groups((2, 2)), (8, 8), &args, &Checks::all())?;
        drop(args);
        let value = |i: usize| {
            let (column, row) = (i % 8, i / 8);
            let turned = (column * 8 + row) as f32;
            // Turned, stored turned by the matrix, and the other terms in the order of the kernel.
            turned + turned * 1000.0 + 64.0 + column as f32 + row as f32 + 9.0 + 3.0 + 1.0 + 1.0
        };
        let want: Vec<f32> = (0..256).map(|i| value(i % 64)).collect();
        assert_values(&o, &want);
        Ok(())
    })
}
