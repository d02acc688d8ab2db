//! Day 6, mixture of experts: the router against a sort, the block and the model against mlx-lm.

use kit::testing::{
    Random, Tolerance, array, assert_close_within, expect_dtype, expect_invalid_argument, expect_shape, golden,
    golden_tensors, values, zeros,
};
use kit::{Checkpoint, Result};
use mlx_rs::{Array, Dtype, ops};
use week3::moe::{CachedLm, ExpertLinear, FeedForward, Linear, Moe, Qwen3MoeModel, Rows, Rung, route_topk};

/// What f32 may lose in another order of sums, for numbers around 1.
const CLOSE: Tolerance = Tolerance { abs: 2e-5, rel: 2e-5 };

fn ids(array: &Array) -> Result<Vec<u32>> {
    assert_eq!(array.dtype(), Dtype::Uint32);
    Ok(array.contiguous()?.as_slice::<u32>().to_vec())
}

/// The random checkpoint of tests/golden/day6.py.
fn tiny_moe() -> Result<Checkpoint> {
    Checkpoint::open(golden("week3/tiny_moe"))
}

#[test]
fn task_2_two_rows_by_hand() -> Result<()> {
    // Shares 1/8, 4/8, 1/8, 2/8 and 2/8, 2/8, 3/8, 1/8.
    let logits = ops::log(array(&[1.0, 4.0, 1.0, 2.0, 2.0, 2.0, 3.0, 1.0], &[2, 4]))?;
    let routing = route_topk(&logits, 2, false)?;
    assert_eq!(ids(&routing.ids)?, [1, 3, 2, 0]);
    let want = array(&[0.5, 0.25, 0.375, 0.25], &[2, 2]);
    assert_close_within("shares", &routing.weights, &want, CLOSE)?;
    let normalized = route_topk(&logits, 2, true)?;
    let want = array(&[2.0 / 3.0, 1.0 / 3.0, 0.6, 0.4], &[2, 2]);
    assert_close_within("normalised", &normalized.weights, &want, CLOSE)
}

#[test]
fn task_2_of_equals_the_lowest_id() -> Result<()> {
    let logits = array(&[1.0, 2.0, 2.0, 1.0, 2.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], &[2, 6]);
    assert_eq!(ids(&route_topk(&logits, 4, true)?.ids)?, [1, 2, 4, 0, 0, 1, 2, 3]);
    // Far below the others in f32, the shares are all 0.
    let logits = array(&[-201.0, 0.0, -200.0, -199.0], &[1, 4]);
    assert_eq!(ids(&route_topk(&logits, 3, true)?.ids)?, [1, 0, 2]);
    Ok(())
}

#[test]
fn task_2_random_rows_agree_with_a_sort() -> Result<()> {
    let mut random = Random::new(362);
    for case in 0..300 {
        let (rows, experts) = (random.int(1..6), random.int(1..40));
        let k = random.int(1..experts + 1);
        // Few different values, so that many are equal.
        let logits = ops::floor(random.uniform(-3.0, 3.0, &[rows, experts]))?;
        let dtype = [Dtype::Float32, Dtype::Bfloat16][case % 2];
        let routing = route_topk(&logits.as_dtype(dtype)?, k, case % 3 == 0)?;
        assert_eq!(routing.ids.shape(), [rows, k]);
        assert_eq!((routing.weights.shape(), routing.weights.dtype()), (&[rows, k][..], Dtype::Float32));
        let (got, shares) = (ids(&routing.ids)?, values(&routing.weights)?);
        for (row, logits) in values(&logits)?.chunks(experts as usize).enumerate() {
            let mut order: Vec<u32> = (0..experts as u32).collect();
            order.sort_by(|&a, &b| logits[b as usize].total_cmp(&logits[a as usize]).then(a.cmp(&b)));
            let at = row * k as usize;
            assert_eq!(got[at..at + k as usize], order[..k as usize], "case {case}, row {row}: {logits:?}");
            let exp = |id: &u32| f64::from(logits[*id as usize]).exp();
            let of: &[u32] = if case % 3 == 0 { &order[..k as usize] } else { &order };
            let total: f64 = of.iter().map(exp).sum();
            for (id, share) in order.iter().zip(&shares[at..at + k as usize]) {
                assert!((exp(id) / total - f64::from(*share)).abs() < 1e-6, "case {case}, row {row}: {shares:?}");
            }
        }
    }
    Ok(())
}

#[test]
fn task_2_what_has_no_router_is_refused() -> Result<()> {
    route_topk(&zeros(&[2, 4]), 4, false)?.weights.eval()?;
    for k in [0, -1, 5, i32::MAX] {
        let error = expect_invalid_argument(route_topk(&zeros(&[2, 4]), k, false), "k");
        assert_eq!(error.to_string(), format!("k is {k}, but it must be from 1 to the experts, 4"));
    }
    expect_shape(route_topk(&zeros(&[4]), 2, false));
    expect_shape(route_topk(&zeros(&[0, 4]), 2, false));
    expect_shape(route_topk(&zeros(&[1, 2, 4]), 2, false));
    expect_dtype(route_topk(&zeros(&[2, 4]).as_dtype(Dtype::Int32)?, 2, false));
    Ok(())
}

/// A block of dense weights.
fn random_block(random: &mut Random, [width, inner, experts, k]: [i32; 4], normalize: bool) -> Result<Moe> {
    let scale = Array::from_f32(0.3);
    let mut weight = |shape: &[i32]| ops::multiply(random.normal(shape), &scale);
    Ok(Moe {
        gate: Linear::Dense(weight(&[experts, width])?),
        gate_proj: ExpertLinear::Dense(weight(&[experts, inner, width])?),
        up_proj: ExpertLinear::Dense(weight(&[experts, inner, width])?),
        down_proj: ExpertLinear::Dense(weight(&[experts, width, inner])?),
        experts_per_token: k,
        normalize,
        rung: Rung::KvCache,
    })
}

/// All experts on all tokens, then the router's weights or 0.
fn by_all_experts(moe: &Moe, x: &Array) -> Result<Array> {
    let dense = |layer: &ExpertLinear| match layer {
        ExpertLinear::Dense(weight) => weight.clone(),
        ExpertLinear::Quantized { weight, .. } => weight.clone(),
    };
    let (gate, up, down) = (dense(&moe.gate_proj), dense(&moe.up_proj), dense(&moe.down_proj));
    let shares = ops::softmax_axis(moe.gate.forward(x)?, -1, true)?; // (N, X)
    let experts = moe.gate_proj.experts();
    let mut rows = values(&shares)?;
    for row in rows.chunks_mut(experts as usize) {
        let mut order: Vec<usize> = (0..row.len()).collect();
        order.sort_by(|&a, &b| row[b].total_cmp(&row[a]).then(a.cmp(&b)));
        order[moe.experts_per_token as usize..].iter().for_each(|&expert| row[expert] = 0.0);
        let total: f32 = row.iter().sum();
        if moe.normalize {
            row.iter_mut().for_each(|share| *share /= total);
        }
    }
    let mut sum = ops::zeros_like(x)?;
    for (expert, weights) in ops::split_equal(array(&rows, shares.shape()), experts, -1)?.iter().enumerate() {
        let of = |all: &Array| -> Result<Array> {
            Ok(all.take_axis(Array::from_slice(&[expert as u32], &[1]), 0)?.squeeze_axes(&[0])?.t())
        };
        let (gated, upped) = (x.matmul(of(&gate)?)?, x.matmul(of(&up)?)?);
        let silu = gated.multiply(ops::sigmoid(&gated)?)?;
        sum = sum.add(silu.multiply(upped)?.matmul(of(&down)?)?.multiply(weights)?)?;
    }
    Ok(sum)
}

#[test]
fn task_3_random_blocks_agree_with_all_experts() -> Result<()> {
    let mut random = Random::new(363);
    for case in 0..60 {
        let experts = random.int(1..7);
        let sizes = [random.int(1..20), random.int(1..20), experts, random.int(1..experts + 1)];
        let moe = random_block(&mut random, sizes, case % 2 == 0)?;
        let rows = random.int(1..9);
        let x = random.normal(&[rows, sizes[0]]);
        let what = format!("case {case}: {sizes:?}, {rows} rows");
        assert_close_within(&what, &moe.forward(&x)?, &by_all_experts(&moe, &x)?, CLOSE)?;
    }
    Ok(())
}

#[test]
fn task_3_a_token_is_the_same_alone_and_among_others() -> Result<()> {
    let mut random = Random::new(3631);
    let moe = random_block(&mut random, [16, 8, 5, 2], true)?;
    let x = random.normal(&[3, 4, 16]);
    let together = moe.forward(&x)?;
    assert_eq!(together.shape(), [3, 4, 16]);
    let rows = together.reshape(&[12, 16])?;
    for (row, one) in ops::split_equal(&x.reshape(&[12, 16])?, 12, 0)?.iter().enumerate() {
        let want = rows.take_axis(Array::from_slice(&[row as u32], &[1]), 0)?;
        assert_close_within(&format!("token {row}"), &moe.forward(one)?, &want, CLOSE)?;
    }
    Ok(())
}

#[test]
fn task_3_packed_experts_agree_with_mlx_lm() -> Result<()> {
    let (checkpoint, want) = (tiny_moe()?, golden_tensors("week3/day6.safetensors")?);
    let experts = checkpoint.config().experts_of(0).expect("layer 0 has experts").clone();
    let weights = checkpoint.weights();
    for rung in [Rung::KvCache, Rung::SplitK] {
        let moe = Moe::load(&weights.at("model.layers.0.mlp"), &experts, rung)?;
        assert_close_within(&format!("{rung:?}"), &moe.forward(&want["x"])?, &want["y"], CLOSE)?;
    }
    Ok(())
}

#[test]
fn task_3_half_types_come_out_as_they_went_in() -> Result<()> {
    let mut random = Random::new(3632);
    let mut moe = random_block(&mut random, [16, 8, 5, 2], true)?;
    let x = random.normal(&[4, 16]);
    let want = moe.forward(&x)?;
    for layer in [&mut moe.gate_proj, &mut moe.up_proj, &mut moe.down_proj] {
        if let ExpertLinear::Dense(weight) = layer {
            *weight = weight.as_dtype(Dtype::Bfloat16)?;
        }
    }
    if let Linear::Dense(weight) = &mut moe.gate {
        *weight = weight.as_dtype(Dtype::Bfloat16)?;
    }
    let got = moe.forward(&x.as_dtype(Dtype::Bfloat16)?)?;
    assert_eq!(got.dtype(), Dtype::Bfloat16);
    let far = Tolerance { abs: 0.1, rel: 0.05 };
    assert_close_within("bf16", &got.as_dtype(Dtype::Float32)?, &want, far)
}

#[test]
fn task_4_layers_are_what_the_configuration_says() -> Result<()> {
    let model = Qwen3MoeModel::load(&tiny_moe()?, Rung::HIGHEST)?;
    let sparse: Vec<bool> = model.layers.iter().map(|layer| matches!(layer.mlp, FeedForward::Sparse(_))).collect();
    assert_eq!(sparse, [true, false, true]);
    Ok(())
}

#[test]
fn task_4_logits_agree_with_mlx_lm() -> Result<()> {
    let (checkpoint, want) = (tiny_moe()?, golden_tensors("week3/day6.safetensors")?);
    for rung in [Rung::KvCache, Rung::SplitK] {
        let model = Qwen3MoeModel::load(&checkpoint, rung)?;
        let got = model.forward(&want["ids"], 0, &mut model.caches()?, Rows::All)?;
        let near = Tolerance { abs: 1e-3, rel: 0.0 };
        assert_close_within(&format!("logits, {rung:?}"), &got, &want["logits"], near)?;
    }
    Ok(())
}

#[test]
fn task_4_token_by_token_gives_the_same_logits() -> Result<()> {
    let (checkpoint, want) = (tiny_moe()?, golden_tensors("week3/day6.safetensors")?);
    let model = Qwen3MoeModel::load(&checkpoint, Rung::HIGHEST)?;
    let mut caches = model.caches()?;
    let columns = ops::split_equal(&want["ids"], 11, 1)?;
    let mut steps = Vec::new();
    for (offset, ids) in columns.iter().enumerate() {
        steps.push(model.forward(ids, offset as i32, &mut caches, Rows::Last)?);
    }
    let near = Tolerance { abs: 1e-3, rel: 0.0 };
    assert_close_within("logits", &ops::concatenate(&steps, 1)?, &want["logits"], near)?;
    expect_invalid_argument(model.forward(&want["ids"], 0, &mut [], Rows::All), "caches");
    Ok(())
}
