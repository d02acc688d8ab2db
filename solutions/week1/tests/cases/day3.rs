//! Day 3, grouped-query attention: who sees whom, who shares with whom, and Qwen3's attention as a whole. By hand first,
//! then NumPy and mlx-lm's module, MLX's fused attention, and the reference on random inputs.

use kit::Result;
use kit::testing::{
    DTYPES, Random, Tolerance, array, assert_close, assert_close_within, doubles, expect_dtype,
    expect_invalid_argument, expect_shape, golden_tensors, tiny_model, values, zeros,
};
use mlx_rs::{Array, Dtype, fast, ops};
use solution_week1 as reference;
use week1::grouped_attention::scaled_dot_product_attention_grouped;
use week1::mask::{Mask, causal_mask};
use week1::qwen3_attention::{Qwen3Attention, Qwen3AttentionWeights};
use week1::rope::RoPE;

/// The one key that must not be seen.
const NEVER: f32 = f32::NEG_INFINITY;

fn normal(random: &mut Random, dtype: Dtype, front: &[i32], back: &[i32]) -> Result<Array> {
    Ok(random.normal(&[front, back].concat()).as_dtype(dtype)?)
}

/// The part of an axis from `from` to `to`.
fn part(x: &Array, axis: i32, from: i32, to: i32) -> Result<Array> {
    Ok(x.take_axis(Array::from_iter(from..to, &[to - from]), axis)?)
}

/// MLX's fused attention of the same values in f32, rounded to their dtype once. It takes exactly one batch axis.
fn fused(q: &Array, k: &Array, v: &Array, scale: f32, mask: Mask<'_>) -> Result<Array> {
    use fast::ScaledDotProductAttentionMask as Fused;
    let wide = |x: &Array| x.as_dtype(Dtype::Float32)?.reshape(&[-1, x.dim(-3), x.dim(-2), x.dim(-1)]);
    let added = if let Mask::Array(mask) = mask { Some(mask.as_dtype(Dtype::Float32)?) } else { None };
    let mask = match mask {
        Mask::Causal => Some(Fused::Causal),
        _ => added.as_ref().map(Fused::Array),
    };
    let mixed = fast::scaled_dot_product_attention(wide(q)?, wide(k)?, wide(v)?, scale, mask, None)?;
    Ok(mixed.reshape(q.shape())?.as_dtype(q.dtype())?)
}

#[test]
fn task_1_a_query_sees_itself_and_the_past() -> Result<()> {
    let square = [0.0, NEVER, NEVER, 0.0, 0.0, NEVER, 0.0, 0.0, 0.0];
    assert_close("3 x 3", &causal_mask(3, 3, Dtype::Float32)?, &array(&square, &[3, 3]))?;
    // Two keys were there before the three queries.
    let wide = [0.0, 0.0, 0.0, NEVER, NEVER, 0.0, 0.0, 0.0, 0.0, NEVER, 0.0, 0.0, 0.0, 0.0, 0.0];
    assert_close("3 x 5", &causal_mask(3, 5, Dtype::Float32)?, &array(&wide, &[3, 5]))?;
    assert_close("one query sees all", &causal_mask(1, 4, Dtype::Float32)?, &zeros(&[1, 4]))?;
    assert_close("no query", &causal_mask(0, 4, Dtype::Float32)?, &zeros(&[0, 4]))
}

#[test]
fn task_1_every_dtype() -> Result<()> {
    for (dtype, name) in DTYPES {
        let want = array(&[0.0, 0.0, NEVER, 0.0, 0.0, 0.0], &[2, 3]).as_dtype(dtype)?;
        assert_close(name, &causal_mask(2, 3, dtype)?, &want)?;
    }
    for dtype in [Dtype::Int32, Dtype::Bool] {
        expect_dtype(causal_mask(2, 3, dtype));
    }
    Ok(())
}

#[test]
fn task_1_more_queries_than_keys_are_refused() -> Result<()> {
    for (l, s) in [(4, 3), (1, 0), (-1, 3), (0, -1), (i32::MAX, 1)] {
        let refusal = expect_invalid_argument(causal_mask(l, s, Dtype::Float32), "l").to_string();
        assert!(refusal.contains(&l.to_string()) && refusal.contains(&s.to_string()), "both numbers: {refusal}");
    }
    Ok(())
}

#[test]
fn task_1_agrees_with_mlx_and_the_reference() -> Result<()> {
    let mut random = Random::new(31);
    for _ in 0..8 {
        let s = random.int(1..12);
        let l = random.int(1..s + 1);
        let (q, k) = (random.normal(&[1, 2, l, 4]), random.normal(&[1, 2, s, 4]));
        let mask = causal_mask(l, s, Dtype::Float32)?;
        let ours = fused(&q, &k, &k, 0.5, Mask::Array(&mask))?;
        assert_close(&format!("MLX's causal mode, {l} x {s}"), &ours, &fused(&q, &k, &k, 0.5, Mask::Causal)?)?;
        assert_close(&format!("{l} x {s}"), &mask, &reference::mask::causal_mask(l, s, Dtype::Float32)?)?;
    }
    Ok(())
}

#[test]
fn task_2_neighbouring_query_heads_share_a_key_value_head() -> Result<()> {
    // One key a head: every query gets its head's value, whatever the scores.
    let q = Random::new(32).normal(&[4, 1, 2]);
    let (k, v) = (zeros(&[2, 1, 2]), array(&[1.0, 1.0, 9.0, 9.0], &[2, 1, 2]));
    let want = array(&[1.0, 1.0, 1.0, 1.0, 9.0, 9.0, 9.0, 9.0], &[4, 1, 2]);
    let got = scaled_dot_product_attention_grouped(&q, &k, &v, None, Mask::None)?;
    assert_close("heads 0, 1 read head 0; heads 2, 3 read head 1", &got, &want)
}

#[test]
fn task_2_agrees_with_numpy() -> Result<()> {
    let golden = golden_tensors("week1/day3.safetensors")?;
    for (_, name) in DTYPES {
        for heads in [6, 3, 1] {
            let at = |key: &str| &golden[&format!("grouped.{name}.{heads}.{key}")];
            let attend = |scale, mask| scaled_dot_product_attention_grouped(at("q"), at("k"), at("v"), scale, mask);
            let what = format!("{name}, 6 query heads over {heads}");
            assert_close(&what, &attend(None, Mask::None)?, at("plain"))?;
            assert_close(&format!("{what}, causal, scale 0.4"), &attend(Some(0.4), Mask::Causal)?, at("causal"))?;
            assert_close(&format!("{what}, array mask"), &attend(None, Mask::Array(at("mask")))?, at("masked"))?;
        }
    }
    Ok(())
}

#[test]
fn task_2_agrees_with_mlx_for_any_axes_in_front() -> Result<()> {
    let mut random = Random::new(33);
    for (dtype, name) in DTYPES {
        for (front, heads) in [(&[][..], 2), (&[3], 1), (&[2, 2], 6), (&[2], 3)] {
            let q = normal(&mut random, dtype, front, &[6, 3, 8])?;
            let k = normal(&mut random, dtype, front, &[heads, 7, 8])?;
            let v = normal(&mut random, dtype, front, &[heads, 7, 8])?;
            let mask = normal(&mut random, dtype, &[], &[3, 7])?;
            for mask in [Mask::None, Mask::Causal, Mask::Array(&mask)] {
                for scale in [None, Some(0.8)] {
                    let got = scaled_dot_product_attention_grouped(&q, &k, &v, scale, mask)?;
                    let want = fused(&q, &k, &v, scale.unwrap_or(8.0_f32.powf(-0.5)), mask)?;
                    let what = format!("{name}, axes {front:?} in front, 6 heads over {heads}, scale {scale:?}");
                    assert_close(&what, &got, &want)?;
                }
            }
        }
    }
    Ok(())
}

#[test]
fn task_2_agrees_with_the_reference() -> Result<()> {
    let mut random = Random::new(34);
    for _ in 0..8 {
        let (heads, group) = (random.int(1..4), random.int(1..4));
        let s = random.int(1..7);
        let l = random.int(1..s + 1);
        let (q, k) = (random.normal(&[2, heads * group, l, 4]), random.normal(&[2, heads, s, 4]));
        let v = random.normal(&[2, heads, s, 4]);
        let got = scaled_dot_product_attention_grouped(&q, &k, &v, None, Mask::Causal)?;
        let same = reference::grouped_attention::scaled_dot_product_attention_grouped;
        let want = same(&q, &k, &v, None, reference::mask::Mask::Causal)?;
        assert_close(&format!("{group} heads over each of {heads}, {l} x {s}"), &got, &want)?;
    }
    Ok(())
}

#[test]
fn task_2_array_masks_broadcast_and_may_be_of_another_float_dtype() -> Result<()> {
    let mut random = Random::new(35);
    let (q, k, v) = (random.normal(&[2, 4, 3, 8]), random.normal(&[2, 2, 5, 8]), random.normal(&[2, 2, 5, 8]));
    for shape in [&[3, 5][..], &[5], &[4, 3, 5], &[4, 1, 5], &[2, 1, 3, 5], &[1, 1, 1, 5], &[2, 4, 3, 5], &[2, 4, 3, 1]]
    {
        for dtype in [Dtype::Float32, Dtype::Bfloat16, Dtype::Float16] {
            let mask = random.normal(shape).as_dtype(dtype)?;
            let got = scaled_dot_product_attention_grouped(&q, &k, &v, None, Mask::Array(&mask))?;
            let full = ops::broadcast_to(mask.as_dtype(Dtype::Float32)?, &[2, 4, 3, 5])?;
            let want = fused(&q, &k, &v, 8.0_f32.powf(-0.5), Mask::Array(&full))?;
            assert_close(&format!("a {dtype:?} mask {shape:?} over f32"), &got, &want)?;
        }
    }
    // Half-precision queries keep their dtype under an f32 mask.
    let half = |x: &Array| x.as_dtype(Dtype::Bfloat16);
    let mask = causal_mask(3, 5, Dtype::Float32)?;
    let got = scaled_dot_product_attention_grouped(&half(&q)?, &half(&k)?, &half(&v)?, None, Mask::Array(&mask))?;
    let want = fused(&half(&q)?, &half(&k)?, &half(&v)?, 8.0_f32.powf(-0.5), Mask::Causal)?;
    assert_close("an f32 mask over bf16", &got, &want)
}

#[test]
fn task_2_a_query_that_sees_nothing_gets_zeros() -> Result<()> {
    let mut random = Random::new(36);
    for (dtype, name) in DTYPES {
        let q = normal(&mut random, dtype, &[4], &[2, 8])?;
        let k = normal(&mut random, dtype, &[2], &[3, 8])?;
        let v = normal(&mut random, dtype, &[2], &[3, 8])?;
        let mask = array(&[0.5, -0.5, 0.0, NEVER, NEVER, NEVER], &[2, 3]);
        let got = scaled_dot_product_attention_grouped(&q, &k, &v, None, Mask::Array(&mask))?;
        assert_close(&format!("{name}, query 1"), &part(&got, 1, 1, 2)?, &zeros(&[4, 1, 8]).as_dtype(dtype)?)?;
        let open = array(&[0.5, -0.5, 0.0], &[1, 3]).as_dtype(dtype)?;
        let first = part(&q, 1, 0, 1)?;
        let want = fused(&first, &k, &v, 8.0_f32.powf(-0.5), Mask::Array(&open))?;
        assert_close(&format!("{name}, query 0"), &part(&got, 1, 0, 1)?, &want)?;
    }
    Ok(())
}

#[test]
fn task_2_a_head_may_see_nothing_while_others_do() -> Result<()> {
    let mut random = Random::new(37);
    for front in [&[4][..], &[2, 4]] {
        let pair = [&front[..front.len() - 1], &[2]].concat();
        let q = normal(&mut random, Dtype::Float32, front, &[1, 8])?;
        let k = normal(&mut random, Dtype::Float32, &pair, &[3, 8])?;
        let v = normal(&mut random, Dtype::Float32, &pair, &[3, 8])?;
        // Head 1 of the first pair of query heads, and head 2 of the second pair.
        let rows = [[0.0; 3], [NEVER; 3], [NEVER; 3], [0.5, -0.5, 0.0]].concat();
        let got = scaled_dot_product_attention_grouped(&q, &k, &v, None, Mask::Array(&array(&rows, &[4, 1, 3])))?;
        let axis = front.len() as i32 - 1;
        let blind = part(&got, axis, 1, 3)?;
        assert_close(&format!("axes {front:?}, the blind heads"), &blind, &zeros(blind.shape()))?;
        let seeing = values(&part(&got, axis, 0, 1)?)?;
        assert!(seeing.iter().all(|x| x.is_finite() && *x != 0.0), "axes {front:?}, head 0: {seeing:?}");
    }
    Ok(())
}

#[test]
fn task_2_not_a_number_is_not_hidden() -> Result<()> {
    let q = array(&[f32::NAN, 1.0], &[1, 1, 2]);
    let k = array(&[1.0, 1.0], &[1, 1, 2]);
    let got = values(&scaled_dot_product_attention_grouped(&q, &k, &k, None, Mask::None)?)?;
    assert!(got.iter().all(|value| value.is_nan()), "a NaN query became {got:?}: only masked rows are zeros");
    Ok(())
}

#[test]
fn task_2_later_keys_change_nothing() -> Result<()> {
    let mut random = Random::new(37);
    let (q, k, v) = (random.normal(&[4, 5, 8]), random.normal(&[2, 5, 8]), random.normal(&[2, 5, 8]));
    let before = (values(&q)?, values(&k)?, values(&v)?);
    let text = scaled_dot_product_attention_grouped(&q, &k, &v, None, Mask::Causal)?;
    for end in 1..=5 {
        let cut = |x: &Array| part(x, 1, 0, end);
        let prefix = scaled_dot_product_attention_grouped(&cut(&q)?, &cut(&k)?, &cut(&v)?, None, Mask::Causal)?;
        assert_close(&format!("the first {end} tokens alone"), &prefix, &cut(&text)?)?;
        let last = scaled_dot_product_attention_grouped(
            &part(&q, 1, end - 1, end)?,
            &cut(&k)?,
            &cut(&v)?,
            None,
            Mask::Causal,
        )?;
        assert_close(&format!("token {} over its past", end - 1), &last, &part(&text, 1, end - 1, end)?)?;
    }
    assert_eq!((values(&q)?, values(&k)?, values(&v)?), before, "the caller's arrays changed");
    Ok(())
}

#[test]
fn task_2_scores_beyond_the_range_of_f16_still_count() -> Result<()> {
    let half = |x: Array| x.as_dtype(Dtype::Float16);
    let q = half(array(&[300.0; 128], &[2, 1, 64]))?;
    let k = half(array(&[[300.0; 64], [150.0; 64]].concat(), &[1, 2, 64]))?;
    let v = half(array(&[[1.0; 64], [2.0; 64]].concat(), &[1, 2, 64]))?;
    let got = scaled_dot_product_attention_grouped(&q, &k, &v, None, Mask::None)?;
    assert_close("the first key wins", &got, &half(array(&[1.0; 128], &[2, 1, 64]))?)
}

#[test]
fn task_2_half_precision_is_rounded_once() -> Result<()> {
    let share = 1.0 / (1.0 + 1.0_f32.exp());
    for (dtype, ulp) in [(Dtype::Float16, 9.8e-4), (Dtype::Bfloat16, 7.9e-3)] {
        let bound = Tolerance { abs: 0.0, rel: ulp };
        let half = |x: &[f32], shape: &[i32]| array(x, shape).as_dtype(dtype);
        // Shares of nearly a half mix values that nearly cancel: shares in half precision would cancel them.
        let q = half(&[1.0, 1.0], &[2, 1, 1])?;
        let (k, v) = (half(&[0.5_f32.powi(10), 0.0], &[1, 2, 1])?, half(&[1000.0, -1000.0], &[1, 2, 1])?);
        let got = scaled_dot_product_attention_grouped(&q, &k, &v, Some(1.0), Mask::None)?;
        let want = half(&[1000.0 * 0.5_f32.powi(11).tanh(); 2], &[2, 1, 1])?;
        assert_close_within(&format!("{dtype:?}, f32 shares"), &got, &want, bound)?;
        // f16 ends before this mask, and bf16 sees one number.
        let (k, v) = (half(&[0.0; 2], &[1, 2, 1])?, half(&[0.0, 1.0], &[1, 2, 1])?);
        let mask = array(&[-100_000.0, -100_001.0], &[1, 2]);
        let got = scaled_dot_product_attention_grouped(&q, &k, &v, Some(1.0), Mask::Array(&mask))?;
        assert_close_within(&format!("{dtype:?}, f32 mask"), &got, &half(&[share; 2], &[2, 1, 1])?, bound)?;
    }
    Ok(())
}

#[test]
fn task_2_what_does_not_fit_is_refused() -> Result<()> {
    let (q, k) = (zeros(&[2, 4, 3, 8]), zeros(&[2, 2, 5, 8]));
    let attend =
        |q: &Array, k: &Array, v: &Array, mask: Mask<'_>| scaled_dot_product_attention_grouped(q, k, v, None, mask);
    let three = zeros(&[2, 3, 5, 8]);
    expect_shape(attend(&q, &three, &three, Mask::None));
    let none = zeros(&[2, 0, 5, 8]);
    expect_shape(attend(&q, &none, &none, Mask::None));
    for bad in [&[2, 2, 5, 4][..], &[1, 2, 5, 8], &[2, 5, 8], &[2, 2, 2, 5, 8]] {
        expect_shape(attend(&q, &zeros(bad), &zeros(bad), Mask::None));
    }
    expect_shape(attend(&q, &k, &zeros(&[2, 2, 6, 8]), Mask::None));
    expect_shape(attend(&q, &k, &zeros(&[2, 2, 5, 4]), Mask::None));
    expect_shape(attend(&q, &k, &zeros(&[2, 1, 5, 8]), Mask::None));
    expect_shape(attend(&zeros(&[3, 8]), &zeros(&[5, 8]), &zeros(&[5, 8]), Mask::None));
    for bad in [&[3, 4][..], &[2, 3, 5], &[1, 2, 4, 3, 5], &[4, 5]] {
        expect_shape(attend(&q, &k, &k, Mask::Array(&zeros(bad))));
    }
    expect_dtype(attend(&q, &k, &k, Mask::Array(&zeros(&[3, 5]).as_dtype(Dtype::Bool)?)));
    expect_dtype(attend(&doubles(&[4, 3, 8]), &doubles(&[2, 5, 8]), &doubles(&[2, 5, 8]), Mask::None));
    let half = k.as_dtype(Dtype::Bfloat16)?;
    expect_dtype(attend(&q, &half, &k, Mask::None));
    expect_dtype(attend(&q, &k, &half, Mask::None));
    expect_invalid_argument(attend(&zeros(&[2, 4, 6, 8]), &k, &k, Mask::Causal), "l");
    Ok(())
}

/// Random weights of H_q heads over H, D features each; norms near 1.
fn weights(random: &mut Random, [hidden, query_heads, heads, width]: [i32; 4]) -> Qwen3AttentionWeights {
    Qwen3AttentionWeights {
        q_proj: random.uniform(-0.5, 0.5, &[query_heads * width, hidden]),
        k_proj: random.uniform(-0.5, 0.5, &[heads * width, hidden]),
        v_proj: random.uniform(-0.5, 0.5, &[heads * width, hidden]),
        o_proj: random.uniform(-0.5, 0.5, &[hidden, query_heads * width]),
        q_norm: random.uniform(0.5, 1.5, &[width]),
        k_norm: random.uniform(0.5, 1.5, &[width]),
    }
}

/// The same weights in another dtype.
fn cast(weights: &Qwen3AttentionWeights, dtype: Dtype) -> Result<Qwen3AttentionWeights> {
    Ok(Qwen3AttentionWeights {
        q_proj: weights.q_proj.as_dtype(dtype)?,
        k_proj: weights.k_proj.as_dtype(dtype)?,
        v_proj: weights.v_proj.as_dtype(dtype)?,
        o_proj: weights.o_proj.as_dtype(dtype)?,
        q_norm: weights.q_norm.as_dtype(dtype)?,
        k_norm: weights.k_norm.as_dtype(dtype)?,
    })
}

/// A whole layer rounds to half precision in several places, MLX in others than ours.
fn three_times(tolerance: Tolerance) -> Tolerance {
    Tolerance { abs: 3.0 * tolerance.abs, rel: 3.0 * tolerance.rel }
}

/// The layer on MLX's fused operators.
fn fused_layer(
    w: &Qwen3AttentionWeights,
    [query_heads, heads, width]: [i32; 3],
    x: &Array,
    mask: Mask<'_>,
) -> Result<Array> {
    let (batch, length) = (x.dim(0), x.dim(1));
    let split = |weight: &Array, heads: i32| -> Result<Array> {
        Ok(x.matmul(weight.transpose()?)?.reshape(&[batch, length, heads, width])?.swap_axes(1, 2)?)
    };
    let turned = |x: Array, norm: &Array| -> Result<Array> {
        Ok(fast::rope(fast::rms_norm(x, Some(norm), 1e-6)?, width, false, 1e4, 1.0, 0, None)?)
    };
    let (q, k) = (turned(split(&w.q_proj, query_heads)?, &w.q_norm)?, turned(split(&w.k_proj, heads)?, &w.k_norm)?);
    let mixed = fused(&q, &k, &split(&w.v_proj, heads)?, (width as f32).powf(-0.5), mask)?;
    Ok(mixed.swap_axes(1, 2)?.reshape(&[batch, length, query_heads * width])?.matmul(w.o_proj.transpose()?)?)
}

#[test]
fn task_3_agrees_with_mlx_lm_s_module() -> Result<()> {
    let golden = golden_tensors("week1/day3.safetensors")?;
    let at = |key: &str| golden[&format!("qwen3.{key}")].clone();
    let weights = Qwen3AttentionWeights {
        q_proj: at("q_proj"),
        k_proj: at("k_proj"),
        v_proj: at("v_proj"),
        o_proj: at("o_proj"),
        q_norm: at("q_norm"),
        k_norm: at("k_norm"),
    };
    let attention = Qwen3Attention::new(weights, 4, 2, 1e-6, RoPE::new(8, 1e4, false)?)?;
    assert_close("no mask", &attention.forward(&at("x"), Mask::None)?, &at("plain"))?;
    assert_close("causal", &attention.forward(&at("x"), Mask::Causal)?, &at("causal"))
}

#[test]
fn task_3_agrees_with_mlx_in_every_dtype() -> Result<()> {
    let mut random = Random::new(38);
    for (dtype, name) in DTYPES {
        for [hidden, query_heads, heads, width] in [[12, 4, 2, 8], [10, 4, 1, 4], [16, 2, 2, 6], [12, 2, 2, 6]] {
            let weights = cast(&weights(&mut random, [hidden, query_heads, heads, width]), dtype)?;
            let x = normal(&mut random, dtype, &[3], &[5, hidden])?;
            let rope = RoPE::new(width, 1e4, false)?;
            let attention = Qwen3Attention::new(weights.clone(), query_heads, heads, 1e-6, rope)?;
            for mask in [Mask::None, Mask::Causal] {
                let want = fused_layer(&weights, [query_heads, heads, width], &x, mask)?;
                let what = format!("{name}, E {hidden}, {query_heads} heads of {width} over {heads}, {mask:?}");
                assert_close_within(&what, &attention.forward(&x, mask)?, &want, three_times(Tolerance::of(dtype)))?;
            }
        }
    }
    Ok(())
}

#[test]
fn task_3_agrees_with_the_reference() -> Result<()> {
    use reference::{mask, qwen3_attention, rope};
    let mut random = Random::new(39);
    for heads in [1, 2, 3, 6] {
        let w = weights(&mut random, [9, 6, heads, 4]);
        let x = random.normal(&[2, 4, 9]);
        let same = qwen3_attention::Qwen3AttentionWeights {
            q_proj: w.q_proj.clone(),
            k_proj: w.k_proj.clone(),
            v_proj: w.v_proj.clone(),
            o_proj: w.o_proj.clone(),
            q_norm: w.q_norm.clone(),
            k_norm: w.k_norm.clone(),
        };
        let got = Qwen3Attention::new(w, 6, heads, 1e-5, RoPE::new(4, 1e6, false)?)?.forward(&x, Mask::Causal)?;
        let same = qwen3_attention::Qwen3Attention::new(same, 6, heads, 1e-5, rope::RoPE::new(4, 1e6, false)?)?;
        assert_close(&format!("6 heads over {heads}"), &got, &same.forward(&x, mask::Mask::Causal)?)?;
    }
    Ok(())
}

#[test]
fn task_3_the_size_of_queries_and_keys_is_normed_away() -> Result<()> {
    let mut random = Random::new(40);
    let plain = weights(&mut random, [12, 4, 2, 8]);
    let x = random.normal(&[1, 5, 12]);
    let layer = |w: Qwen3AttentionWeights| -> Result<Array> {
        Qwen3Attention::new(w, 4, 2, 1e-6, RoPE::new(8, 1e4, false)?)?.forward(&x, Mask::Causal)
    };
    let mut louder = plain.clone();
    louder.q_proj = plain.q_proj.multiply(Array::from_f32(32.0))?;
    louder.k_proj = plain.k_proj.multiply(Array::from_f32(8.0))?;
    assert_close("q_proj x 32, k_proj x 8", &layer(louder)?, &layer(plain)?)
}

#[test]
fn task_3_a_token_does_not_see_the_next() -> Result<()> {
    let mut random = Random::new(41);
    let rope = RoPE::new(8, 1e4, false)?;
    let attention = Qwen3Attention::new(weights(&mut random, [12, 4, 2, 8]), 4, 2, 1e-6, rope.clone())?;
    let x = random.normal(&[2, 6, 12]);
    let before = values(&x)?;
    let text = attention.forward(&x, Mask::Causal)?;
    assert_close(
        "the first four tokens",
        &attention.forward(&part(&x, 1, 0, 4)?, Mask::Causal)?,
        &part(&text, 1, 0, 4)?,
    )?;
    let made = rope.tables.positions_made();
    assert!(
        made >= 6,
        "the layer did not turn with the tables that were handed in: 6 tokens, and {made} positions in the tables; \
         are heads and positions swapped?"
    );
    assert_eq!(values(&x)?, before, "the caller's array changed");
    Ok(())
}

#[test]
fn task_3_every_weight_is_checked() -> Result<()> {
    let good = weights(&mut Random::new(42), [12, 4, 2, 8]);
    let build = |weights: Qwen3AttentionWeights, query_heads: i32, heads: i32| {
        Qwen3Attention::new(weights, query_heads, heads, 1e-6, RoPE::new(8, 1e4, false)?)
    };
    for (query_heads, heads) in [(4, 3), (4, 0), (0, 2), (-4, -2), (2, 4)] {
        expect_invalid_argument(build(good.clone(), query_heads, heads), "num_attention_heads");
    }
    expect_shape(build(good.clone(), 2, 2));
    expect_shape(build(good.clone(), 4, 4));
    let spoil: [fn(&mut Qwen3AttentionWeights) -> &mut Array; 6] = [
        |w| &mut w.q_proj,
        |w| &mut w.k_proj,
        |w| &mut w.v_proj,
        |w| &mut w.o_proj,
        |w| &mut w.q_norm,
        |w| &mut w.k_norm,
    ];
    for spoil in spoil {
        for axis in 0..spoil(&mut good.clone()).ndim() {
            let mut bad = good.clone();
            let weight = spoil(&mut bad);
            let mut shape = weight.shape().to_vec();
            shape[axis] += 1;
            *weight = zeros(&shape);
            expect_shape(build(bad, 4, 2));
        }
    }
    let attention = build(good, 4, 2)?;
    for bad in [&[2, 5, 11][..], &[5, 12], &[1, 2, 5, 12]] {
        expect_shape(attention.forward(&zeros(bad), Mask::Causal));
    }
    expect_shape(attention.forward(&zeros(&[2, 5, 12]), Mask::Array(&zeros(&[5, 6]))));
    expect_dtype(attention.forward(&zeros(&[2, 5, 12]).as_dtype(Dtype::Float16)?, Mask::Causal));
    Ok(())
}

#[test]
fn end_the_embedded_model_s_attention_is_mlx_lm_s() -> Result<()> {
    let golden = golden_tensors("week1/tiny_layer.safetensors")?;
    let config = tiny_model()?.config();
    let at = tiny_model()?.weights().at("model.layers.0.self_attn");
    let weights = Qwen3AttentionWeights {
        q_proj: at.dense("q_proj")?,
        k_proj: at.dense("k_proj")?,
        v_proj: at.dense("v_proj")?,
        o_proj: at.dense("o_proj")?,
        q_norm: at.dense("q_norm")?,
        k_norm: at.dense("k_norm")?,
    };
    let rope = RoPE::new(golden["query"].dim(3), config.rope_theta, false)?;
    let (query_heads, heads) = (golden["query"].dim(2), golden["key_turned"].dim(2));
    let attention = Qwen3Attention::new(weights, query_heads, heads, config.rms_norm_eps, rope)?;
    let got = attention.forward(&golden["normed"], Mask::Causal)?;
    assert_close("attention of layer 0", &got, &golden["attended"])
}

#[test]
fn end_the_last_tokens_alone_attend_as_in_mlx_lm() -> Result<()> {
    let golden = golden_tensors("week1/tiny_layer.safetensors")?;
    let o_proj = tiny_model()?.weights().at("model.layers.0.self_attn").dense("o_proj")?;
    let (key, value) = (golden["key_turned"].swap_axes(1, 2)?, golden["value"].reshape(&[1, 8, 2, 128])?);
    let value = value.swap_axes(1, 2)?;
    for length in [1, 3, 8] {
        let last = |x: &Array| part(x, 1, 8 - length, 8);
        let query = last(&golden["query_turned"])?.swap_axes(1, 2)?;
        let mask = causal_mask(length, 8, Dtype::Float32)?;
        for (name, mask) in [("Mask::Causal", Mask::Causal), ("causal_mask", Mask::Array(&mask))] {
            let heads = scaled_dot_product_attention_grouped(&query, &key, &value, None, mask)?;
            let got = heads.swap_axes(1, 2)?.reshape(&[1, length, 512])?.matmul(o_proj.transpose()?)?;
            assert_close(&format!("the last {length} of 8 tokens, {name}"), &got, &last(&golden["attended"])?)?;
        }
    }
    Ok(())
}
