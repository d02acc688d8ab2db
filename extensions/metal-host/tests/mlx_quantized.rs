//! MLX's own kernels for 4-bit weights, run unchanged, against plain loops in f64.
#![cfg(target_os = "linux")] // the host runs there

mod support;

use metal_host::{Arg, Library, Result};
use support::mlx::{library, run};
use support::quantized::Weights;
use support::{BF16, F16, F32, Format, Random, close, product_transposed};

fn quantized() -> Result<Library> {
    let headers = ["steel/gemm/gemm.h", "quantized_utils.h", "quantized.h"];
    let instances = r#"
instantiate_kernel("qmv_f32", affine_qmv_fast, float, 64, 4, false)
instantiate_kernel("qmv_bf16", affine_qmv_fast, bfloat16_t, 64, 4, false)
instantiate_kernel("qmm_f32", affine_qmm_t, float, 64, 4, true, false)
instantiate_kernel("qmm_f16", affine_qmm_t, half, 64, 4, true, false)
"#;
    library(&headers, instances)
}

/// x (rows, inputs) times the transpose of 4-bit weights (outputs, inputs), by the kernel for one row or for many.
fn quantized_product<T: Format>(name: &str, rows: usize, inputs: usize, outputs: usize, tolerance: f64) -> Result<()> {
    let mut random = Random::new(rows as u64);
    let weights: Vec<f32> = random.normal(outputs * inputs).iter().map(|w| w / 32.0).collect();
    let weights = Weights::of(&weights, inputs, 64);
    let (scales, biases) = (T::pack(&BF16::unpack(&weights.scales)), T::pack(&BF16::unpack(&weights.biases)));
    let x = random.normal(rows * inputs);
    let packed = T::pack(&x);
    let mut y = vec![T::Bits::default(); rows * outputs];
    let many = rows > 1;
    let mut args = vec![
        Arg::input(&weights.packed),
        Arg::input(&scales),
        Arg::input(&biases),
        Arg::input(&packed),
        Arg::output(&mut y),
    ];
    args.extend([Arg::value(inputs as i32), Arg::value(outputs as i32)]);
    if many {
        args.push(Arg::value(rows as i32));
    }
    // Not batched: numbers of axes, shapes and strides that the kernel does not read.
    args.extend([Arg::value(0i32), Arg::value(0i32), Arg::value(0i64), Arg::value(0i32), Arg::value(0i32)]);
    args.extend((0..3).map(|_| Arg::value(0i64)));
    let (grid, group) = if many {
        ((outputs.div_ceil(32), rows.div_ceil(32), 1), (32, 2, 2))
    } else {
        ((1, outputs / 8, 1), (32, 2, 1))
    };
    run(&quantized()?.kernel(name)?, grid, group, &args)?;
    drop(args);
    close(name, &T::unpack(&y), &product_transposed(&T::stored(&x), &weights.values, inputs), tolerance);
    Ok(())
}

#[test]
#[cfg_attr(not(mlx_headers), ignore = "skipped: MLX's headers are not there")]
fn affine_qmv_fast_f32() -> Result<()> {
    quantized_product::<F32>("qmv_f32", 1, 1024, 1024, 1e-5)
}

#[test]
#[cfg_attr(not(mlx_headers), ignore = "skipped: MLX's headers are not there")]
fn affine_qmv_fast_bf16() -> Result<()> {
    quantized_product::<BF16>("qmv_bf16", 1, 1024, 1024, 5e-3)
}

#[test]
#[cfg_attr(not(mlx_headers), ignore = "skipped: MLX's headers are not there")]
fn affine_qmm_t_f32() -> Result<()> {
    quantized_product::<F32>("qmm_f32", 40, 512, 128, 1e-5)
}

#[test]
#[cfg_attr(not(mlx_headers), ignore = "skipped: MLX's headers are not there")]
fn affine_qmm_t_f16() -> Result<()> {
    quantized_product::<F16>("qmm_f16", 40, 512, 128, 5e-3)
}
