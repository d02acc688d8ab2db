//! Kernels of the kinds that a language model needs, against plain loops in f64, each in every order and with all checks.
#![cfg(target_os = "linux")] // the host runs there

mod support;

use metal_host::{Arg, Checks, Constants, Grid, Library, Result};
use support::{BF16, F16, F32, Format, Random, close, library, run};

fn axpby_in<T: Format>(elementwise: &Library) -> Result<()> {
    let n = 5000;
    let mut random = Random::new(1);
    let (x, y) = (random.normal(n), random.normal(n));
    let mut out = vec![T::Bits::default(); n];
    let (px, py) = (T::pack(&x), T::pack(&y));
    let args = [
        Arg::input(&px),
        Arg::input(&py),
        Arg::output(&mut out),
        Arg::value(1.5f32),
        Arg::value(-0.25f32),
        Arg::value(n as u32),
    ];
    let name = format!("axpby_{}", T::NAME);
    run(&elementwise.kernel(&name)?, Grid::threads(n), 256, &args)?;
    let (x, y) = (T::stored(&x), T::stored(&y));
    let want: Vec<f64> = x.iter().zip(&y).map(|(&x, &y)| 1.5 * f64::from(x) - 0.25 * f64::from(y)).collect();
    let tolerance = if size_of::<T::Bits>() == 4 { 1e-6 } else { 5e-3 };
    close(&name, &T::unpack(&out), &want, tolerance);
    Ok(())
}

#[test]
fn axpby_in_three_formats() -> Result<()> {
    let elementwise = library("elementwise")?;
    axpby_in::<F32>(&elementwise)?;
    axpby_in::<F16>(&elementwise)?;
    axpby_in::<BF16>(&elementwise)
}

#[test]
fn a_function_constant_changes_a_copy_of_the_library() -> Result<()> {
    let plain = library("elementwise")?;
    let clipped = plain.specialise(&Constants::new().name("clip_output", true))?;
    let by_index = plain.specialise(&Constants::new().index(0, true))?;
    let x = [3.0f32, -0.5, -7.0];
    let result = |library: &Library| -> Result<Vec<f32>> {
        let mut out = vec![0.0f32; 3];
        let args = [
            Arg::input(&x),
            Arg::input(&x),
            Arg::output(&mut out),
            Arg::value(1f32),
            Arg::value(0f32),
            Arg::value(3u32),
        ];
        library.kernel("axpby_f32")?.dispatch(Grid::threads(3), 32, &args, &Checks::all())?;
        drop(args);
        Ok(out)
    };
    assert_eq!(result(&clipped)?, [1.0, -0.5, -1.0]);
    assert_eq!(result(&by_index)?, [1.0, -0.5, -1.0]);
    // The library it was made from is as it was.
    assert_eq!(result(&plain)?, x);
    Ok(())
}

#[test]
fn swiglu_on_a_grid_of_two_dimensions() -> Result<()> {
    let mut random = Random::new(2);
    let (gate, up) = (random.normal(8 * 512), random.normal(8 * 512));
    let (pg, pu) = (BF16::pack(&gate), BF16::pack(&up));
    let mut out = vec![0u16; 8 * 512];
    let args = [Arg::input(&pg), Arg::input(&pu), Arg::output(&mut out)];
    run(&library("elementwise")?.kernel("swiglu_bf16")?, Grid::threads((128, 8)), (32, 4), &args)?;
    let pairs = BF16::stored(&gate).into_iter().zip(BF16::stored(&up));
    let want: Vec<f64> = pairs.map(|(g, u)| f64::from(g) / (1.0 + f64::from(-g).exp()) * f64::from(u)).collect();
    close("swiglu", &BF16::unpack(&out), &want, 5e-3);
    Ok(())
}

#[test]
fn rope_in_place() -> Result<()> {
    let (positions, heads, width, offset) = (7, 4, 64, 3);
    let half = width / 2;
    let x = Random::new(3).normal(positions * heads * width);
    let mut want = vec![0.0f64; x.len()];
    for p in 0..positions {
        for h in 0..heads {
            for i in 0..half {
                let angle = (p + offset) as f64 * 10000f64.powf(-(i as f64) / half as f64);
                let at = (p * heads + h) * width + i;
                let (a, b) = (f64::from(x[at]), f64::from(x[at + half]));
                want[at] = a * angle.cos() - b * angle.sin();
                want[at + half] = b * angle.cos() + a * angle.sin();
            }
        }
    }
    let constants: Vec<u8> = [
        (half as i32).to_le_bytes(),
        (heads as i32).to_le_bytes(),
        10000f32.log2().to_le_bytes(),
        (offset as i32).to_le_bytes(),
    ]
    .concat();
    let kernel = library("elementwise")?.kernel("rope_f32")?;
    for checks in [Checks::none(), Checks::all()] {
        let mut rotated = x.clone();
        let args = [Arg::in_out(&mut rotated), Arg::bytes(&constants)];
        kernel.dispatch(Grid::threads((half, heads, positions)), (32, 4, 1), &args, &checks)?;
        close("rope", &rotated, &want, 1e-5);
    }
    Ok(())
}

#[test]
fn rms_norm_for_widths_that_fit_and_that_do_not() -> Result<()> {
    let kernel = library("norm")?.kernel("rms_norm_f32")?;
    for (width, threads) in [(1000, 256), (4096, 1024), (64, 32), (96, 96)] {
        let mut random = Random::new(width as u64);
        let (x, weight) = (random.normal(3 * width), random.normal(width));
        let mut out = vec![0.0f32; 3 * width];
        let args =
            [Arg::input(&x), Arg::input(&weight), Arg::output(&mut out), Arg::value(width as u32), Arg::value(1e-5f32)];
        run(&kernel, Grid::groups(3), threads, &args)?;
        close(&format!("rms_norm, width {width}"), &out, &rms_norm(&x, &weight), 1e-5);
    }
    Ok(())
}

/// Rows of x, each divided by its root mean square, times the weight.
fn rms_norm(x: &[f32], weight: &[f32]) -> Vec<f64> {
    let row = |row: &[f32]| {
        let mean = row.iter().map(|&v| f64::from(v) * f64::from(v)).sum::<f64>() / row.len() as f64;
        let scale = 1.0 / (mean + 1e-5).sqrt();
        row.iter().zip(weight).map(|(&v, &w)| f64::from(v) * scale * f64::from(w)).collect::<Vec<_>>()
    };
    x.chunks(weight.len()).flat_map(row).collect()
}

fn quantized_in<T: Format>(library: &Library, group: usize, tolerance: f64) -> Result<()> {
    let (outputs, inputs, rows) = (256, 1024, 2);
    let mut random = Random::new(group as u64);
    let weights = support::quantized::Weights::of(&random.normal(outputs * inputs), inputs, group);
    let x = random.normal(rows * inputs);
    let px = T::pack(&x);
    let mut out = vec![T::Bits::default(); rows * outputs];
    let args = [
        Arg::input(&weights.packed),
        Arg::input(&weights.scales),
        Arg::input(&weights.biases),
        Arg::input(&px),
        Arg::output(&mut out),
        Arg::value(inputs as i32),
        Arg::value(outputs as i32),
    ];
    let name = format!("qgemv4_{}_gs{group}", T::NAME);
    run(&library.kernel(&name)?, Grid::groups((outputs / 8, rows)), 64, &args)?;
    close(&name, &T::unpack(&out), &support::product_transposed(&T::stored(&x), &weights.values, inputs), tolerance);
    Ok(())
}

#[test]
fn quantized_matvec_in_three_formats_and_two_group_sizes() -> Result<()> {
    let library = library("qgemv")?;
    quantized_in::<F32>(&library, 64, 1e-5)?;
    quantized_in::<F32>(&library, 128, 1e-5)?;
    quantized_in::<F16>(&library, 64, 1e-3)?;
    quantized_in::<BF16>(&library, 64, 5e-3)?;
    quantized_in::<BF16>(&library, 128, 5e-3)
}

fn gemm_in<T: Format>(library: &Library) -> Result<()> {
    let (m, n, k) = (64, 256, 250);
    let mut random = Random::new(4);
    let (a, b) = (random.normal(m * k), random.normal(k * n));
    let (pa, pb) = (T::pack(&a), T::pack(&b));
    let mut c = vec![0.0f32; m * n];
    let sizes = Arg::value([m as i32, n as i32, k as i32, 0]);
    let args = [Arg::input(&pa), Arg::input(&pb), Arg::output(&mut c), sizes];
    let name = format!("gemm_{}", T::NAME);
    run(&library.kernel(&name)?, Grid::groups((n / 32, m / 32)), 128, &args)?;
    close(&name, &c, &support::product(&T::stored(&a), &T::stored(&b), k, n), 1e-5);
    Ok(())
}

#[test]
fn matrix_product_with_simdgroup_matrices() -> Result<()> {
    let library = library("gemm")?;
    gemm_in::<F32>(&library)?;
    gemm_in::<F16>(&library)?;
    gemm_in::<BF16>(&library)
}
