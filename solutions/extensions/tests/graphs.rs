//! The kernels of week 2 in lazy graphs: on two streams, with dropped handles, and on the threads of the pool.

use kit::testing::{Random, assert_close, values};
use kit::{Error, Result};
use mlx_rs::{Array, Dtype, Stream, ops, transforms::async_eval, with_stream};
use solution_extensions::tuning::{self, Instructions, MOST_THREADS};
use solution_extensions::week2::{Mask, Path, decode_attention, quantized_embedding, quantized_matmul};
use solution_extensions::week2::{rms_norm, rope, swiglu};
use std::process::Command;

/// A small block of a model, from ids to logits, through every kernel.
fn block(seed: u64) -> Result<Array> {
    let mut random = Random::new(seed);
    let weight = random.ids(u32::MAX, &[128, 16]);
    let (scales, biases) = (random.uniform(0.01, 0.02, &[128, 2]), random.uniform(-0.1, -0.05, &[128, 2]));
    let ids = random.ids(128, &[1, 6]);
    let times = |x: &Array, path| quantized_matmul(x, &weight, &scales, &biases, 64, 4, path);
    let x = quantized_embedding(&ids, &weight, &scales, &biases, 64, 4)?;
    let x = rms_norm(&x, &random.normal(&[128]), 1e-6)?;
    let heads = times(&x, Path::Tiled)?.reshape(&[1, 6, 4, 32])?;
    let heads = rope(&heads, &Array::from_slice(&[3i32], &[1]), 32, 1e4, false)?.transpose_axes(&[0, 2, 1, 3])?;
    let seen = decode_attention(&heads, &heads, &heads, Mask::Causal, 0.2)?;
    let x = seen.transpose_axes(&[0, 2, 1, 3])?.reshape(&[1, 6, 128])?;
    let gated = swiglu(&times(&x, Path::SplitK(2))?, &times(&x, Path::Matvec)?)?;
    times(&gated, Path::Vanilla)
}

#[test]
fn a_graph_is_lazy_and_survives_its_handles() -> Result<()> {
    let want = block(1)?;
    want.eval()?;
    for _ in 0..3 {
        // Every input and every array between was dropped when `block` returned.
        assert_close("a block", &block(1)?, &want)?;
    }
    Ok(())
}

#[test]
fn a_graph_that_nobody_asks_for_is_dropped_without_running() -> Result<()> {
    let far = Array::from_slice(&[1_000_000u32], &[1]);
    let late = ops::add(&far, &far)?;
    let (weight, scales) = (Array::zeros::<u32>(&[2, 8])?, Array::zeros::<f32>(&[2, 1])?);
    for _ in 0..100 {
        // It would fail if it ran.
        drop(quantized_embedding(&late, &weight, &scales, &scales, 64, 4)?);
        drop(block(2)?);
    }
    Ok(())
}

#[test]
fn two_streams_at_once_and_one_after_the_other() -> Result<()> {
    let (one, two) = (Stream::new(), Stream::new());
    let wants = [block(3)?, block(4)?];
    wants[0].eval()?;
    wants[1].eval()?;
    for _ in 0..10 {
        let first = with_stream(&one, || block(3))?;
        let second = with_stream(&two, || block(4))?;
        async_eval([&first, &second])?;
        let both = ops::add(&first, &second)?;
        assert_close("the first stream", &first, &wants[0])?;
        assert_close("the second stream", &second, &wants[1])?;
        assert_close("both", &both, &ops::add(&wants[0], &wants[1])?)?;
    }
    let x = Random::new(5).normal(&[64, 129]);
    let (mut got, mut want) = (x.clone(), x.clone());
    for step in 0..20 {
        let stream = if step % 2 == 0 { &one } else { &two };
        got = with_stream(stream, || swiglu(&got, &x))?;
        want = swiglu(&want, &x)?;
        want.eval()?;
    }
    assert_close("twenty steps on two streams", &got, &want)
}

#[test]
fn many_calls_from_several_threads() -> Result<()> {
    let thread = |seed: u64| std::thread::spawn(move || -> Result<Vec<f32>> { values(&block(seed)?) });
    for seed in 10..13 {
        let got = thread(seed).join().map_err(|_| Error::Other("the thread panicked".to_string()))??;
        assert_eq!(got, values(&block(seed)?)?);
    }
    Ok(())
}

#[test]
fn a_node_keeps_the_settings_it_was_built_with() -> Result<()> {
    let x = Random::new(6).normal(&[40, 300]);
    let before = tuning::threads()?;
    tuning::set_threads(3)?;
    tuning::set_version(Some(1));
    let naive = swiglu(&x, &x)?;
    tuning::set_version(None);
    tuning::set_threads(before)?;
    assert_close("the naive form, run later", &naive, &swiglu(&x, &x)?)
}

#[test]
fn settings_out_of_range_are_refused() -> Result<()> {
    for threads in [0, MOST_THREADS + 1, usize::MAX] {
        let error = kit::testing::expect_invalid_argument(tuning::set_threads(threads), "threads");
        assert_eq!(error.to_string(), format!("threads is {threads}, but it must be from 1 to 256"));
    }
    assert!(tuning::instructions()?.available() && Instructions::Baseline.available());
    for set in Instructions::ALL.into_iter().filter(|set| !set.available()) {
        kit::testing::expect_invalid_argument(tuning::set_instructions(set), "instructions");
    }
    Ok(())
}

/// Runs in a process of its own, with TINY_LLM_THREADS as the parent says.
#[test]
#[ignore = "a part of the next test"]
fn threads_of_the_environment() -> Result<()> {
    let x = Array::from_slice(&[1.0f32; 4], &[4]);
    match swiglu(&x, &x) {
        Ok(_) => println!("threads: {}", tuning::threads()?),
        Err(error) => println!("refused: {error}"),
    }
    Ok(())
}

#[test]
fn one_setting_says_how_many_threads() -> Result<()> {
    let program = std::env::current_exe().map_err(|error| Error::Other(error.to_string()))?;
    let said = |threads: &str| -> Result<String> {
        let mut child = Command::new(&program);
        child.args(["--exact", "threads_of_the_environment", "--ignored", "--nocapture"]);
        let output =
            child.env("TINY_LLM_THREADS", threads).output().map_err(|error| Error::Other(error.to_string()))?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    assert!(said("3")?.contains("threads: 3\n"));
    for wrong in ["0", "-1", "257", "many", "2.5", "4 "] {
        let want = format!("TINY_LLM_THREADS is {wrong}, but it must be a whole number from 1 to 256");
        let got = said(wrong)?;
        assert!(got.contains(&want), "{wrong}: {got}");
    }
    Ok(())
}

#[test]
fn half_types_go_through_every_kernel() -> Result<()> {
    let mut random = Random::new(7);
    for dtype in [Dtype::Float16, Dtype::Bfloat16] {
        let x = random.normal(&[2, 3, 4, 16]).as_dtype(dtype)?;
        let offsets = Array::from_slice(&[1i32, 2], &[2]);
        assert_eq!(rope(&x, &offsets, 8, 1e4, true)?.dtype(), dtype);
        assert_eq!(rms_norm(&x, &random.normal(&[16]).as_dtype(dtype)?, 1e-5)?.dtype(), dtype);
        assert_eq!(swiglu(&x, &x)?.dtype(), dtype);
        assert_eq!(decode_attention(&x, &x, &x, Mask::None, 0.2)?.dtype(), dtype);
        let weight = random.ids(u32::MAX, &[5, 8]);
        let parameters = random.normal(&[5, 1]).as_dtype(dtype)?;
        let row = quantized_embedding(&Array::from_slice(&[4u32], &[1]), &weight, &parameters, &parameters, 64, 4)?;
        let [wide_parameters, wide_row] = [&parameters, &row].map(|array| array.as_dtype(Dtype::Float32));
        let wide_parameters = wide_parameters?;
        let all = ops::dequantize(&weight, &wide_parameters, &wide_parameters, 64, 4)?;
        let want = all.take_axis(Array::from_slice(&[4u32], &[1]), 0)?;
        assert_close("a row", &wide_row?.as_dtype(dtype)?, &want.as_dtype(dtype)?)?;
    }
    Ok(())
}

#[test]
fn random_lookups_agree_with_mlx() -> Result<()> {
    let mut random = Random::new(8);
    for case in 0..500 {
        let group = [64, 128][case % 2];
        let (rows, columns) = (random.int(1..30), group * random.int(1..4));
        let weight = random.ids(u32::MAX, &[rows, columns / 8]);
        let scales = random.uniform(-0.1, 0.1, &[rows, columns / group]);
        let biases = random.normal(&[rows, columns / group]);
        let shape: Vec<i32> = (0..random.int(0..4)).map(|_| random.int(0..5)).collect();
        let ids = random.ids(rows as u32, &shape);
        let got = quantized_embedding(&ids, &weight, &scales, &biases, group, 4)?;
        let table = ops::dequantize(&weight, &scales, &biases, group, 4)?;
        let want = table.take_axis(&ids, 0)?;
        assert_close(&format!("case {case}: {shape:?} of {rows}x{columns}"), &got, &want)?;
    }
    Ok(())
}
