//! MLX's own kernels, compiled from the headers that every MLX wheel carries, run unchanged, against plain loops in f64.
//!
//! They fill SIMD-group matrices by their own arithmetic of lanes, so they also say whether this host's layout is right.
#![cfg(target_os = "linux")] // the host runs there

mod support;

use metal_host::{Arg, Checks, Constants, Grid, Library, Result, Source};
use support::attention::Shape;
use support::mlx::{ABSENT, library, run, run_for_races};
use support::{Random, close, product};

#[test]
#[cfg_attr(not(mlx_headers), ignore = "skipped: MLX's headers are not there")]
fn sdpa_vector() -> Result<()> {
    let shape = Shape { heads: 8, groups: 2, queries: 1, keys: 200, width: 64, causal: false };
    let library = library(&["sdpa_vector.h"], "instantiate_kernel(\"sdpa\", sdpa_vector, float, 64, 64)")?;
    let constants = (20..26).fold(Constants::new(), |c, index| c.index(index, false));
    let mut random = Random::new(1);
    let (q, kv) = (shape.heads * shape.width, shape.groups * shape.keys * shape.width);
    let (q, k, v) = (random.normal(q), random.normal(kv), random.normal(kv));
    let mut out = vec![0.0f32; q.len()];
    let (head, row) = ((shape.keys * shape.width) as u64, shape.width as u64);
    let args = [
        Arg::input(&q),
        Arg::input(&k),
        Arg::input(&v),
        Arg::output(&mut out),
        Arg::value((shape.heads / shape.groups) as i32),
        Arg::value(shape.keys as i32),
        Arg::value(head),
        Arg::value(row),
        Arg::value(head),
        Arg::value(row),
        Arg::value(shape.scale()),
    ];
    let kernel = library.specialise(&constants)?.kernel("sdpa")?;
    run(&kernel, (shape.heads, 1, 1), 1024, &args)?;
    run_for_races(&kernel, (1, 1, 1), 1024, &args)?;
    close("sdpa_vector", &out, &shape.attend(&q, &k, &v), 1e-5);
    Ok(())
}

fn steel_gemm(m: usize, n: usize, k: usize) -> Result<()> {
    let headers = ["steel/gemm/gemm.h", "steel/gemm/kernels/steel_gemm_fused.h"];
    let library = library(&headers, "instantiate_kernel(\"g\", gemm, float, 32, 32, 16, 2, 2, false, false, float)")?;
    let aligned = Constants::new()
        .index(200, m.is_multiple_of(32))
        .index(201, n.is_multiple_of(32))
        .index(202, k.is_multiple_of(16));
    let constants = aligned.index(10, false).index(100, false).index(110, false);
    let mut random = Random::new(2);
    let (a, b, mut c) = (random.normal(m * k), random.normal(k * n), vec![0.0f32; m * n]);
    let tiles = (n.div_ceil(32), m.div_ceil(32));
    let numbers = [m, n, k, k, n, n, tiles.0, tiles.1].map(|n| (n as i32).to_le_bytes()).concat();
    let ends = [0, (k / 16) as i32, 1, 0].map(i32::to_le_bytes).concat();
    let parameters = [numbers, vec![0; 24], ends].concat();
    let args = [Arg::input(&a), Arg::input(&b), Arg::unbound(), Arg::output(&mut c), Arg::bytes(&parameters)];
    let kernel = library.specialise(&constants)?.kernel("g")?;
    run(&kernel, tiles, (32, 2, 2), &args)?;
    run_for_races(&kernel, (1, 1, 1), (32, 2, 2), &args)?;
    close("steel gemm", &c, &product(&a, &b, k, n), 1e-5);
    Ok(())
}

#[test]
#[cfg_attr(not(mlx_headers), ignore = "skipped: MLX's headers are not there")]
fn steel_gemm_of_whole_tiles() -> Result<()> {
    steel_gemm(64, 256, 256)
}

#[test]
#[cfg_attr(not(mlx_headers), ignore = "skipped: MLX's headers are not there")]
fn steel_gemm_with_tails() -> Result<()> {
    steel_gemm(50, 70, 37)
}

fn steel_attention(queries: usize, keys: usize, causal: bool) -> Result<()> {
    let shape = Shape { heads: 4, groups: 2, queries, keys, width: 64, causal };
    let header = "steel/attn/kernels/steel_attention.h";
    // Newer versions of MLX have a width of values of its own.
    let path = format!("{}/mlx/backend/metal/kernels/{header}", env!("MLX_INCLUDE"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}; {ABSENT}"));
    let value_width = if text.contains("int BV,") { "64, " } else { "" };
    let library = library(
        &[header],
        &format!("instantiate_kernel(\"a\", attention, float, 32, 32, 64, {value_width}4, 1, float, float)"),
    )?;
    let aligned = Constants::new().index(200, queries.is_multiple_of(32)).index(201, keys.is_multiple_of(32));
    let constants = aligned.index(300, false).index(301, causal).index(302, false);
    let mut random = Random::new(3);
    let (q, kv) = (shape.heads * queries * 64, shape.groups * keys * 64);
    let (q, k, v) = (random.normal(q), random.normal(kv), random.normal(kv));
    let mut out = vec![0.0f32; q.len()];
    let first =
        [1, shape.heads, 64, queries, keys, shape.heads / shape.groups].map(|n| (n as i32).to_le_bytes()).concat();
    let counts =
        [queries.div_ceil(32), keys.div_ceil(32), queries / 32, keys / 32, queries % 32, keys % 32, keys - queries];
    let counts = counts.map(|n| (n as i32).to_le_bytes()).concat();
    let strides =
        |heads: usize, rows: usize| [heads * rows * 64, rows * 64, 64].map(|n| (n as i64).to_le_bytes()).concat();
    let (of_q, of_k) = (strides(shape.heads, queries), strides(shape.groups, keys));
    let parameters =
        [first, shape.scale().to_le_bytes().to_vec(), counts, of_q.clone(), of_k.clone(), of_k, of_q].concat();
    let args = [Arg::input(&q), Arg::input(&k), Arg::input(&v), Arg::output(&mut out), Arg::bytes(&parameters)];
    run(&library.specialise(&constants)?.kernel("a")?, (queries.div_ceil(32), shape.heads, 1), (32, 4, 1), &args)?;
    close("steel attention", &out, &shape.attend(&q, &k, &v), 2e-5);
    Ok(())
}

#[test]
#[cfg_attr(not(mlx_headers), ignore = "skipped: MLX's headers are not there")]
fn steel_attention_causal() -> Result<()> {
    steel_attention(64, 64, true)
}

#[test]
#[cfg_attr(not(mlx_headers), ignore = "skipped: MLX's headers are not there")]
fn steel_attention_causal_with_tails() -> Result<()> {
    steel_attention(45, 77, true)
}

#[test]
#[cfg_attr(not(mlx_headers), ignore = "skipped: MLX's headers are not there")]
fn steel_attention_of_all_keys() -> Result<()> {
    steel_attention(45, 77, false)
}

#[test]
#[cfg_attr(not(mlx_headers), ignore = "skipped: MLX's headers are not there")]
fn softmax_and_logsumexp() -> Result<()> {
    let instances = "instantiate_kernel(\"softmax\", softmax_single_row, float)\ninstantiate_kernel(\"logsumexp\", logsumexp, float)";
    let library = library(&["softmax.h", "logsumexp.h"], instances)?;
    let (rows, width) = (3, 500);
    let x = Random::new(4).normal(rows * width);
    let (mut softmax, mut logsumexp) = (vec![0.0f32; rows * width], vec![0.0f32; rows]);
    let args = [Arg::input(&x), Arg::output(&mut softmax), Arg::value(width as i32)];
    run(&library.kernel("softmax")?, rows, 128, &args)?;
    let args = [Arg::input(&x), Arg::output(&mut logsumexp), Arg::value(width as i32)];
    run(&library.kernel("logsumexp")?, rows, 128, &args)?;
    let total = |row: &[f32]| row.iter().map(|&v| f64::from(v).exp()).sum::<f64>();
    let want: Vec<f64> =
        x.chunks(width).flat_map(|row| row.iter().map(move |&v| f64::from(v).exp() / total(row))).collect();
    close("softmax", &softmax, &want, 1e-6);
    close("logsumexp", &logsumexp, &x.chunks(width).map(|row| total(row).ln()).collect::<Vec<_>>(), 1e-6);
    Ok(())
}

#[test]
#[cfg_attr(not(mlx_headers), ignore = "skipped: MLX's headers are not there")]
fn kernel_in_the_style_of_an_extension() -> Result<()> {
    // A view with strides: every second row of x, and y transposed.
    let options = support::options().include(env!("MLX_INCLUDE"));
    let library = Library::compile(&Source::file("tests/kernels/mlx_style.metal"), &options)?;
    let mut random = Random::new(5);
    let (x, y) = (random.normal(6 * 8 * 10), random.normal(10 * 4 * 6));
    let (shape, of_x, of_y) = ([6i32, 4, 10], [80i64, 20, 1], [1i64, 6, 24]);
    let mut out = vec![0.0f32; 240];
    let args = [
        Arg::input(&x),
        Arg::input(&y),
        Arg::output(&mut out),
        Arg::value(2.0f32),
        Arg::value(-1.0f32),
        Arg::value(shape),
        Arg::value(of_x),
        Arg::value(of_y),
        Arg::value(3i32),
    ];
    let kernel = library.kernel("axpby_general_float32")?;
    kernel.dispatch(Grid::threads(240), 64, &args, &Checks::all())?;
    let at = |i: usize, strides: [i64; 3]| {
        ((i / 40) as i64 * strides[0] + (i / 10 % 4) as i64 * strides[1] + (i % 10) as i64 * strides[2]) as usize
    };
    let want: Vec<f64> = (0..240).map(|i| 2.0 * f64::from(x[at(i, of_x)]) - f64::from(y[at(i, of_y)])).collect();
    close("axpby of views", &out, &want, 1e-6);
    Ok(())
}
