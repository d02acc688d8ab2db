//! Day 7, dispatch by shape: the rule by hand, against the table of the chapter, and as the layers use it; then the model
//! on the last rung.

use extensions::week2::{Path, quantized_matmul};
use kit::Result;
use kit::testing::{
    Random, Tolerance, assert_close_within, expect_invalid_argument, golden_json, golden_tensors, tiny_model,
};
use mlx_rs::{ops, ops::indexing::IndexOp};
use solution_week1::generate::greedy;
use std::ops::ControlFlow;
use week2::{
    dispatch::{PANEL, PathRule, Product, TILED_ROWS, path_for},
    generate::generate,
    model::{CachedLm, Qwen3Model, Rows},
    rung::Rung,
};

fn product(rows: i32, outputs: i32, inputs: i32, group_size: i32) -> Product {
    Product { rows, outputs, inputs, group_size }
}

#[test]
fn task_2_few_rows_take_the_matvec_whatever_the_shape() -> Result<()> {
    for rows in 1..TILED_ROWS {
        for (outputs, inputs) in [(1, 64), (1024, 1024), (151_936, 1024), (16, 3072)] {
            for threads in [1, 2, 64] {
                let path = path_for(&product(rows, outputs, inputs, 64), threads)?;
                assert_eq!(path, Path::Matvec, "{rows} rows, {outputs} outputs, {inputs} inputs, {threads} threads");
            }
        }
    }
    Ok(())
}

#[test]
fn task_2_enough_panels_for_the_threads_take_tiles() -> Result<()> {
    for rows in [TILED_ROWS, 64, 512] {
        for threads in [1, 2, 3, 8] {
            let outputs = PANEL * threads as i32;
            for outputs in [outputs, outputs - PANEL + 1, outputs + 1, 4096] {
                let path = path_for(&product(rows, outputs, 1024, 128), threads)?;
                assert_eq!(path, Path::Tiled, "{rows} rows, {outputs} outputs, {threads} threads");
            }
        }
    }
    Ok(())
}

#[test]
fn task_2_fewer_panels_than_threads_split_the_sums() -> Result<()> {
    // One panel: a part a thread. Two panels and five threads: six pieces, because four are too few.
    for (outputs, threads, parts) in
        [(PANEL, 2, 2), (1, 4, 4), (2 * PANEL, 5, 3), (2 * PANEL, 4, 2), (3 * PANEL, 4, 2), (2 * PANEL + 1, 4, 2)]
    {
        let path = path_for(&product(64, outputs, 1024, 64), threads)?;
        assert_eq!(path, Path::SplitK(parts), "{outputs} outputs on {threads} threads");
    }
    Ok(())
}

#[test]
fn task_2_there_are_never_more_parts_than_groups() -> Result<()> {
    for (inputs, group, parts) in [(128, 64, 2), (1024, 128, 8), (256, 64, 4)] {
        let path = path_for(&product(64, 1, inputs, group), 16)?;
        assert_eq!(path, Path::SplitK(parts), "{inputs} inputs in groups of {group} on 16 threads");
    }
    assert_eq!(path_for(&product(64, 1, 64, 64), 16)?, Path::Tiled, "one group is not split");
    assert_eq!(path_for(&product(64, 1, 1024, 64), usize::MAX)?, Path::SplitK(16), "more threads than a number holds");
    Ok(())
}

#[test]
fn task_2_agrees_with_the_table_of_the_chapter() -> Result<()> {
    let golden = golden_json("week2/day7.json")?;
    let known = ["tiled_rows", "panel"].map(|bound| golden[bound].as_i64().unwrap_or(-1) as i32);
    assert_eq!(known, [TILED_ROWS, PANEL], "the golden file is old");
    let cases = golden["cases"].as_array().map(Vec::as_slice).unwrap_or_default();
    assert!(cases.len() > 500, "only {} cases in the golden file", cases.len());
    for case in cases {
        let [rows, outputs, inputs, group_size, threads, path] =
            [0, 1, 2, 3, 4, 5].map(|column| case[column].as_i64().unwrap_or(-1) as i32);
        let product = product(rows, outputs, inputs, group_size);
        let expected = match path {
            0 => Path::Matvec,
            1 => Path::Tiled,
            parts => Path::SplitK(parts),
        };
        assert_eq!(path_for(&product, threads as usize)?, expected, "{product:?} on {threads} threads");
    }
    Ok(())
}

#[test]
fn task_2_agrees_with_the_reference() -> Result<()> {
    use solution_week2::dispatch;
    let mut random = Random::new(71);
    for _ in 0..500 {
        let (rows, outputs, group_size) = (random.int(1..20), random.int(1..300), [64, 128][random.int(0..2) as usize]);
        let (inputs, threads) = (group_size * random.int(1..30), random.int(1..70) as usize);
        let got = path_for(&product(rows, outputs, inputs, group_size), threads)?;
        let same = dispatch::Product { rows, outputs, inputs, group_size };
        // The two weeks' kernels are two packages, so their paths are two types.
        let (got, reference) = (format!("{got:?}"), format!("{:?}", dispatch::path_for(&same, threads)?));
        assert_eq!(got, reference, "{same:?} on {threads} threads");
    }
    Ok(())
}

#[test]
fn task_2_more_threads_never_make_fewer_parts() -> Result<()> {
    let parts = |path| match path {
        Path::SplitK(parts) => parts,
        _ => 1,
    };
    let mut random = Random::new(72);
    for _ in 0..50 {
        let product = product(random.int(TILED_ROWS..600), random.int(1..400), 64 * random.int(1..50), 64);
        let mut before = 1;
        for threads in 1..40 {
            let now = parts(path_for(&product, threads)?);
            assert!(now >= before, "{product:?}: {before} parts, then {now} on {threads} threads");
            before = now;
        }
    }
    Ok(())
}

#[test]
fn task_2_every_path_is_one_that_the_kernel_takes_and_gives_mlxs_values() -> Result<()> {
    let mut random = Random::new(73);
    for (rows, outputs, inputs, threads) in [(1, 40, 128, 2), (9, 40, 128, 2), (9, 16, 640, 7), (12, 5, 192, 64)] {
        let path = path_for(&product(rows, outputs, inputs, 64), threads)?;
        let (weight, scales, biases) = ops::quantize(random.normal(&[outputs, inputs]), 64, 4)?;
        let x = random.normal(&[rows, inputs]);
        let got = quantized_matmul(&x, &weight, &scales, &biases, 64, 4, path)?;
        let oracle = ops::quantized_matmul(&x, &weight, &scales, &biases, true, 64, 4)?;
        let within = Tolerance { abs: 2e-4, rel: 1e-4 };
        assert_close_within(&format!("{rows} rows by {path:?}"), &got, &oracle, within)?;
    }
    Ok(())
}

#[test]
fn task_2_few_rows_need_a_thread_too_and_the_most_outputs_a_path() -> Result<()> {
    let few = Product { rows: 1, outputs: 64, inputs: 128, group_size: 64 };
    expect_invalid_argument(path_for(&few, 0), "threads");
    assert_eq!(path_for(&Product { rows: 64, outputs: i32::MAX, ..few }, 2)?, Path::Tiled);
    Ok(())
}

#[test]
fn task_2_refuses_what_is_no_product() -> Result<()> {
    let good = product(16, 32, 128, 64);
    expect_invalid_argument(path_for(&good, 0), "threads");
    for (name, bad) in [
        ("rows", Product { rows: 0, ..good }),
        ("rows", Product { rows: -3, ..good }),
        ("outputs", Product { outputs: 0, ..good }),
        ("inputs", Product { inputs: 0, ..good }),
        ("inputs", Product { inputs: 100, ..good }),
        ("group_size", Product { group_size: 0, ..good }),
        ("group_size", Product { group_size: -64, ..good }),
    ] {
        expect_invalid_argument(path_for(&bad, 2), name);
        let few = Product { rows: bad.rows.min(1), ..bad };
        expect_invalid_argument(path_for(&few, 2), name);
    }
    Ok(())
}

#[test]
fn task_2_the_layers_of_the_last_rung_ask_the_rule() -> Result<()> {
    let wrong = Product { rows: 0, outputs: 1, inputs: 64, group_size: 64 };
    expect_invalid_argument(PathRule::of(Rung::SplitK).path(&wrong), "rows");
    for rung in [Rung::QuantizedMatvec, Rung::DecodeAttention] {
        assert_eq!(PathRule::of(rung), PathRule::Matvec, "{rung:?}");
    }
    assert_eq!(PathRule::of(Rung::TiledMatmul), PathRule::Rows);
    expect_invalid_argument(PathRule::of(Rung::Int16Activations).path(&wrong), "rows");
    for rows in [1, TILED_ROWS - 1, TILED_ROWS, 200] {
        let product = product(rows, 1024, 1024, 64);
        let [path, with_int16] = [Rung::SplitK, Rung::Int16Activations].map(|rung| PathRule::of(rung).path(&product));
        let expected = if rows < TILED_ROWS { Path::MatvecInt16 } else { path? };
        assert_eq!(with_int16?, expected, "{rows} rows");
    }
    Ok(())
}

/// Logits of the embedded model, in f32.
const LOGITS: Tolerance = Tolerance { abs: 1e-3, rel: 0.0 };

/// The pieces of a text that mlx-lm has seen, each after the ones before it: the last row of logits after each.
fn as_mlx_lm(rung: Rung) -> Result<()> {
    let golden = golden_tensors("week2/day1.safetensors")?;
    let model = Qwen3Model::load(tiny_model()?, rung)?;
    let (mut caches, mut offset) = (model.caches()?, 0);
    for number in 0..5 {
        let tokens = &golden[&format!("model.{number}.ids")];
        let last = model.forward(tokens, offset, &mut caches, Rows::Last)?.index((0, 0));
        offset += tokens.dim(1);
        let what = format!("{rung:?}, piece {number}");
        assert_close_within(&what, &last, &golden[&format!("model.{number}.last")], LOGITS)?;
    }
    Ok(())
}

/// Logits of two texts at once and the greedy tokens after a prompt, on a rung and on the one below.
fn as_the_rung_below(rung: Rung, below: Rung) -> Result<()> {
    let (model, lower) = (Qwen3Model::load(tiny_model()?, rung)?, Qwen3Model::load(tiny_model()?, below)?);
    let tokens = Random::new(70).ids(4000, &[2, 43]);
    let (mut caches, mut lower_caches) = (model.caches()?, lower.caches()?);
    for (from, to) in [(0, 36), (36, 37), (37, 38), (38, 43)] {
        let piece = tokens.index((.., from..to));
        let got = model.forward(&piece, from, &mut caches, Rows::All)?;
        let expected = lower.forward(&piece, from, &mut lower_caches, Rows::All)?;
        assert_close_within(&format!("{rung:?} and {below:?}, tokens {from} to {to}"), &got, &expected, LOGITS)?;
    }
    let prompt = tiny_model()?.tokenizer()?.encode("What is a KV cache, and why does it make a model faster?")?;
    let on = |_| ControlFlow::Continue(());
    let got = generate(&model, &mut model.caches()?, &prompt, 12, &[4095], greedy, on)?;
    let expected = generate(&lower, &mut lower.caches()?, &prompt, 12, &[4095], greedy, on)?;
    assert_eq!(got, expected, "greedy tokens on {rung:?} and on {below:?}");
    Ok(())
}

#[test]
fn end_the_model_on_split_sums_answers_as_on_the_rung_below() -> Result<()> {
    as_the_rung_below(Rung::SplitK, Rung::TiledMatmul)
}

#[test]
fn end_the_model_on_split_sums_answers_as_mlx_lm() -> Result<()> {
    as_mlx_lm(Rung::SplitK)
}

#[test]
fn end_the_model_on_the_last_rung_answers_as_on_the_one_below() -> Result<()> {
    as_the_rung_below(Rung::Int16Activations, Rung::SplitK)
}

#[test]
fn end_the_model_on_the_last_rung_answers_as_mlx_lm() -> Result<()> {
    as_mlx_lm(Rung::Int16Activations)
}

#[test]
fn end_the_model_on_many_threads_answers_as_mlx_lm() -> Result<()> {
    // As many threads as make the rule split the sums of every layer.
    let before = extensions::tuning::threads()?;
    extensions::tuning::set_threads(200)?;
    let answered = as_mlx_lm(Rung::SplitK);
    extensions::tuning::set_threads(before)?;
    answered
}
