//! Day 1, attention: the contract a sentence at a time on inputs that can be checked by hand, then NumPy's answers in
//! double precision, MLX's own operators, and the reference on random inputs.

use kit::Result;
use kit::testing::{
    DTYPES, Random, Tolerance, array, assert_close, assert_close_within, doubles, expect_dtype,
    expect_invalid_argument, expect_shape, golden_tensors, tiny_model, values, zeros,
};
use mlx_rs::{Array, Dtype, fast, ops};
use solution_week1 as reference;
use week1::attention::{SimpleMultiHeadAttention, scaled_dot_product_attention};
use week1::basics::{linear, softmax};

/// The axes in front that every function must take: none, one, several, an axis of one.
const FRONTS: [&[i32]; 4] = [&[], &[3], &[2, 3], &[2, 1, 3]];

fn normal(random: &mut Random, dtype: Dtype, front: &[i32], back: &[i32]) -> Result<Array> {
    Ok(random.normal(&[front, back].concat()).as_dtype(dtype)?)
}

/// MLX's fused attention of the same values in f32, rounded to their dtype once. It takes exactly two axes in front.
fn fused(q: &Array, k: &Array, v: &Array, scale: f32, mask: Option<&Array>) -> Result<Array> {
    let wide = |x: &Array| x.as_dtype(Dtype::Float32)?.reshape(&[1, -1, x.dim(-2), x.dim(-1)]);
    let mask = mask.map(|mask| mask.as_dtype(Dtype::Float32)).transpose()?;
    let mask = mask.as_ref().map(Into::into);
    let mixed = fast::scaled_dot_product_attention(wide(q)?, wide(k)?, wide(v)?, scale, mask, None)?;
    Ok(mixed.reshape(q.shape())?.as_dtype(q.dtype())?)
}

#[test]
fn task_1_each_output_is_a_weighted_sum() -> Result<()> {
    let (x, w) = (array(&[1.0, 2.0], &[1, 2]), array(&[1.0, 0.0, 0.0, 1.0, 3.0, 4.0], &[3, 2]));
    assert_close("x · wᵀ", &linear(&x, &w, None)?, &array(&[1.0, 2.0, 11.0], &[1, 3]))?;
    let bias = array(&[10.0, 20.0, 30.0], &[3]);
    assert_close("x · wᵀ + bias", &linear(&x, &w, Some(&bias))?, &array(&[11.0, 22.0, 41.0], &[1, 3]))
}

#[test]
fn task_1_a_square_weight_is_transposed_too() -> Result<()> {
    let w = array(&[0.0, 1.0, 0.0, 0.0], &[2, 2]);
    assert_close("row 0 of w reads input 1", &linear(&array(&[5.0, 7.0], &[2]), &w, None)?, &array(&[7.0, 0.0], &[2]))
}

#[test]
fn task_1_axes_in_front_stay_and_the_dtype_too() -> Result<()> {
    let mut random = Random::new(11);
    for (dtype, name) in DTYPES {
        for front in FRONTS {
            let x = normal(&mut random, dtype, front, &[12])?;
            let w = normal(&mut random, dtype, &[], &[5, 12])?;
            let bias = normal(&mut random, dtype, &[], &[5])?;
            let rows = ops::addmm(&bias, x.reshape(&[-1, 12])?, w.transpose()?, 1.0, 1.0)?;
            let want = rows.reshape(&[front, &[5]].concat())?;
            assert_close(&format!("linear, {name}, axes {front:?} in front"), &linear(&x, &w, Some(&bias))?, &want)?;
        }
    }
    Ok(())
}

#[test]
fn task_1_agrees_with_numpy() -> Result<()> {
    let golden = golden_tensors("week1/day1.safetensors")?;
    for (_, name) in DTYPES {
        let at = |key: &str| &golden[&format!("linear.{name}.{key}")];
        let plain = linear(at("x"), at("w"), None)?;
        assert_close(&format!("linear, {name}"), &plain, at("y"))?;
        let biased = linear(at("x"), at("w"), Some(at("bias")))?;
        assert_close(&format!("linear with bias, {name}"), &biased, at("y_bias"))?;
    }
    Ok(())
}

#[test]
fn task_1_agrees_with_the_reference() -> Result<()> {
    let mut random = Random::new(12);
    for _ in 0..20 {
        let (inputs, outputs) = (random.int(1..9), random.int(1..9));
        let (x, w) = (random.normal(&[2, 3, inputs]), random.normal(&[outputs, inputs]));
        let bias = random.normal(&[outputs]);
        let got = linear(&x, &w, Some(&bias))?;
        assert_close("linear", &got, &reference::basics::linear(&x, &w, Some(&bias))?)?;
    }
    Ok(())
}

#[test]
fn task_1_shapes_that_do_not_fit_are_refused_with_both_sides() -> Result<()> {
    let (x, w) = (zeros(&[2, 4]), zeros(&[3, 4]));
    let refusal = expect_shape(linear(&x, &zeros(&[3, 5]), None)).to_string();
    assert!(refusal.contains('4') && refusal.contains("(3, 5)"), "both shapes belong in the message: {refusal}");
    expect_shape(linear(&x, &zeros(&[4]), None));
    expect_shape(linear(&x, &zeros(&[1, 3, 4]), None));
    expect_shape(linear(&zeros(&[]), &w, None));
    for bias in [&[4][..], &[1], &[1, 3], &[2, 3]] {
        expect_shape(linear(&x, &w, Some(&zeros(bias))));
    }
    Ok(())
}

#[test]
fn task_1_dtypes_do_not_mix() -> Result<()> {
    let (x, w, bias) = (array(&[0.0; 4], &[1, 4]), array(&[0.0; 12], &[3, 4]), array(&[0.0; 3], &[3]));
    let half = |array: &Array| array.as_dtype(Dtype::Float16);
    expect_dtype(linear(&half(&x)?, &w, None));
    expect_dtype(linear(&x, &half(&w)?, None));
    expect_dtype(linear(&x, &w, Some(&half(&bias)?)));
    let whole = |array: &Array| array.as_dtype(Dtype::Int32);
    expect_dtype(linear(&whole(&x)?, &whole(&w)?, None));
    expect_dtype(linear(&doubles(&[1, 4]), &doubles(&[3, 4]), None));
    Ok(())
}

#[test]
fn task_2_shares_are_proportional_to_the_exponentials() -> Result<()> {
    let x = array(&[1.0_f32.ln(), 2.0_f32.ln(), 5.0_f32.ln()], &[3]);
    assert_close("1 : 2 : 5", &softmax(&x, 0)?, &array(&[0.125, 0.25, 0.625], &[3]))?;
    let square = array(&[0.0, 0.0, 0.0, 3.0_f32.ln()], &[2, 2]);
    assert_close("along rows", &softmax(&square, 1)?, &array(&[0.5, 0.5, 0.25, 0.75], &[2, 2]))?;
    assert_close("along columns", &softmax(&square, 0)?, &array(&[0.5, 0.25, 0.5, 0.75], &[2, 2]))
}

#[test]
fn task_2_large_values_do_not_overflow() -> Result<()> {
    let e = std::f32::consts::E;
    let pair = [1.0 / (1.0 + e), e / (1.0 + e)];
    for (base, dtype) in [(1000.0, Dtype::Float32), (-1000.0, Dtype::Float32), (500.0, Dtype::Float16)] {
        let x = array(&[base, base + 1.0], &[2]).as_dtype(dtype)?;
        assert_close(&format!("{base} and {base} + 1"), &softmax(&x, -1)?, &array(&pair, &[2]).as_dtype(dtype)?)?;
    }
    let rows = array(&[3e38, -3e38, -3e38, -3e38], &[2, 2]);
    assert_close("rows far apart", &softmax(&rows, -1)?, &array(&[1.0, 0.0, 0.5, 0.5], &[2, 2]))
}

#[test]
fn task_2_minus_infinity_gets_exactly_nothing() -> Result<()> {
    let shares = values(&softmax(&array(&[1.0, f32::NEG_INFINITY, 1.0], &[3]), -1)?)?;
    assert_eq!(shares, [0.5, 0.0, 0.5]);
    Ok(())
}

#[test]
fn task_2_a_row_without_shares_is_not_a_number() -> Result<()> {
    let (never, always) = (f32::NEG_INFINITY, f32::INFINITY);
    let shares = values(&softmax(&array(&[never, never, 0.0, always, 2.0, 2.0], &[3, 2]), 1)?)?;
    assert!(shares[0].is_nan() && shares[1].is_nan(), "nothing but -inf became {:?}", &shares[..2]);
    assert!(shares[2..4].iter().any(|share| share.is_nan()), "+inf became {:?}", &shares[2..4]);
    assert_eq!(shares[4..], [0.5, 0.5], "the row beside them");
    Ok(())
}

#[test]
fn task_2_half_precision_is_summed_in_f32() -> Result<()> {
    // A bf16 sum of ones stops at 256, an f16 sum at 2048.
    for dtype in [Dtype::Bfloat16, Dtype::Float16] {
        let shares = values(&softmax(&array(&[0.0; 8192], &[8192]).as_dtype(dtype)?, -1)?)?;
        assert!(shares.iter().all(|&share| share == 1.0 / 8192.0), "{dtype:?}: 1/8192 became {}", shares[0]);
    }
    Ok(())
}

#[test]
fn task_2_agrees_with_numpy_along_every_axis() -> Result<()> {
    let golden = golden_tensors("week1/day1.safetensors")?;
    for (_, name) in DTYPES {
        for axis in 0..3 {
            let (x, want) = (&golden[&format!("softmax.{name}.x")], &golden[&format!("softmax.{name}.axis{axis}")]);
            assert_close(&format!("softmax, {name}, axis {axis}"), &softmax(x, axis)?, want)?;
            assert_close(&format!("softmax, {name}, axis {}", axis - 3), &softmax(x, axis - 3)?, want)?;
        }
    }
    Ok(())
}

#[test]
fn task_2_agrees_with_mlx_and_the_reference() -> Result<()> {
    let mut random = Random::new(13);
    for (dtype, name) in DTYPES {
        let x = random.uniform(-20.0, 20.0, &[3, 4, 5]).as_dtype(dtype)?;
        for axis in -3..3 {
            let got = softmax(&x, axis)?;
            assert_close(&format!("MLX, {name}, axis {axis}"), &got, &ops::softmax_axis(&x, axis, true)?)?;
            assert_close(&format!("reference, {name}, axis {axis}"), &got, &reference::basics::softmax(&x, axis)?)?;
        }
    }
    Ok(())
}

#[test]
fn task_2_sums_to_one_and_ignores_a_shift() -> Result<()> {
    let x = Random::new(14).normal(&[6, 33]);
    let before = values(&x)?;
    let shares = softmax(&x, 1)?;
    assert_close("sum of each row", &shares.sum_axis(1, false)?, &array(&[1.0; 6], &[6]))?;
    assert_close("all scores 64 higher", &softmax(&x.add(Array::from_f32(64.0))?, 1)?, &shares)?;
    assert_eq!(values(&x)?, before, "the caller's array changed");
    Ok(())
}

#[test]
fn task_2_axis_and_dtype_are_checked() -> Result<()> {
    let x = array(&[0.0; 6], &[2, 3]);
    for axis in [2, -3, i32::MAX, i32::MIN] {
        expect_invalid_argument(softmax(&x, axis), "axis");
    }
    expect_invalid_argument(softmax(&Array::from_f32(1.0), 0), "axis");
    expect_dtype(softmax(&x.as_dtype(Dtype::Int32)?, 0));
    expect_dtype(softmax(&doubles(&[2, 3]), 0));
    Ok(())
}

#[test]
fn task_3_mixes_values_by_the_match_of_query_and_key() -> Result<()> {
    // The query meets the two keys with scores 2 ln 3 and 0; times 1/sqrt(4) that is 3 : 1.
    let q = array(&[2.0 * 3.0_f32.ln(), 0.0, 0.0, 0.0], &[1, 4]);
    let k = array(&[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0], &[2, 4]);
    let v = array(&[4.0, 8.0, 0.0, 0.0, 0.0, 0.0, 4.0, 8.0], &[2, 4]);
    let want = array(&[3.0, 6.0, 1.0, 2.0], &[1, 4]);
    assert_close("3 : 1", &scaled_dot_product_attention(&q, &k, &v, None, None)?, &want)?;
    // A scale of 0 levels the scores; the mask then decides alone.
    let mask = array(&[0.0, 3.0_f32.ln()], &[1, 2]);
    let masked = scaled_dot_product_attention(&q, &k, &v, Some(0.0), Some(&mask))?;
    assert_close("scale 0, mask 1 : 3", &masked, &array(&[1.0, 2.0, 3.0, 6.0], &[1, 4]))
}

#[test]
fn task_3_any_axes_in_front_any_lengths_every_dtype() -> Result<()> {
    let mut random = Random::new(15);
    for (dtype, name) in DTYPES {
        for front in FRONTS {
            let q = normal(&mut random, dtype, front, &[4, 8])?;
            let k = normal(&mut random, dtype, front, &[6, 8])?;
            let v = normal(&mut random, dtype, front, &[6, 8])?;
            let mask = normal(&mut random, dtype, &[], &[4, 6])?;
            for (scale, mask) in [(None, None), (Some(0.5), None), (None, Some(&mask)), (Some(0.5), Some(&mask))] {
                let got = scaled_dot_product_attention(&q, &k, &v, scale, mask)?;
                let want = fused(&q, &k, &v, scale.unwrap_or(8.0_f32.powf(-0.5)), mask)?;
                let what = format!("{name}, axes {front:?} in front, scale {scale:?}, mask {}", mask.is_some());
                assert_close(&what, &got, &want)?;
            }
        }
    }
    Ok(())
}

#[test]
fn task_3_agrees_with_numpy() -> Result<()> {
    let golden = golden_tensors("week1/day1.safetensors")?;
    for (_, name) in DTYPES {
        let at = |key: &str| &golden[&format!("attention.{name}.{key}")];
        let plain = scaled_dot_product_attention(at("q"), at("k"), at("v"), None, None)?;
        assert_close(&format!("attention, {name}"), &plain, at("plain"))?;
        let masked = scaled_dot_product_attention(at("q"), at("k"), at("v"), Some(0.7), Some(at("mask")))?;
        assert_close(&format!("attention, scale and mask, {name}"), &masked, at("scaled_masked"))?;
    }
    Ok(())
}

#[test]
fn task_3_agrees_with_the_reference() -> Result<()> {
    let mut random = Random::new(16);
    for _ in 0..10 {
        let (l, s, width) = (random.int(1..6), random.int(1..6), random.int(1..9));
        let (q, k, v) = (random.normal(&[3, l, width]), random.normal(&[3, s, width]), random.normal(&[3, s, width]));
        let mask = random.normal(&[3, 1, s]);
        let got = scaled_dot_product_attention(&q, &k, &v, None, Some(&mask))?;
        let want = reference::attention::scaled_dot_product_attention(&q, &k, &v, None, Some(&mask))?;
        assert_close(&format!("L {l}, S {s}, D {width}"), &got, &want)?;
    }
    Ok(())
}

#[test]
fn task_3_a_mask_of_minus_infinity_hides_a_key() -> Result<()> {
    let mut random = Random::new(17);
    for (dtype, name) in DTYPES {
        let q = normal(&mut random, dtype, &[2], &[3, 4])?;
        let k = normal(&mut random, dtype, &[2], &[2, 4])?;
        let v = normal(&mut random, dtype, &[2], &[2, 4])?;
        let with_one_more = |x: &Array, more: f32| -> Result<Array> {
            Ok(ops::concatenate(
                &[x.clone(), ops::broadcast_to(Array::from_f32(more).as_dtype(dtype)?, &[2, 1, 4])?],
                1,
            )?)
        };
        let (more_k, more_v) = (with_one_more(&k, 40.0)?, with_one_more(&v, 900.0)?);
        let alone = scaled_dot_product_attention(&q, &k, &v, None, None)?;
        // The mask may be of another float dtype than the query: it is added to f32 scores.
        for mask_dtype in [Dtype::Float32, Dtype::Float16, Dtype::Bfloat16] {
            let mask = array(&[0.0, 0.0, f32::NEG_INFINITY], &[1, 3]).as_dtype(mask_dtype)?;
            let hidden = scaled_dot_product_attention(&q, &more_k, &more_v, None, Some(&mask))?;
            assert_close(&format!("{name}, the third key hidden by a mask of {mask_dtype:?}"), &hidden, &alone)?;
        }
    }
    Ok(())
}

#[test]
fn task_3_scores_beyond_the_range_of_f16_still_count() -> Result<()> {
    // 300 · 300 · 64 / 8 is 720,000; f16 ends at 65,504.
    let q = array(&[300.0; 64], &[1, 64]).as_dtype(Dtype::Float16)?;
    let k = array(&[[300.0; 64], [150.0; 64]].concat(), &[2, 64]).as_dtype(Dtype::Float16)?;
    let v = array(&[[1.0; 64], [2.0; 64]].concat(), &[2, 64]).as_dtype(Dtype::Float16)?;
    let want = array(&[1.0; 64], &[1, 64]).as_dtype(Dtype::Float16)?;
    assert_close("the first key wins", &scaled_dot_product_attention(&q, &k, &v, None, None)?, &want)
}

#[test]
fn task_3_half_precision_is_rounded_once() -> Result<()> {
    let share = |odds: f32| 1.0 / (1.0 + odds.exp());
    let (slight, small, even) = ((0.5_f32.powi(11)).tanh(), share(9.6), share(1.0));
    for dtype in [Dtype::Float16, Dtype::Bfloat16] {
        let attend = |q: [f32; 2], k: [f32; 4], v: [f32; 4], scale: f32, mask: Option<&Array>| -> Result<Array> {
            let [q, k, v] = [array(&q, &[1, 2]), array(&k, &[2, 2]), array(&v, &[2, 2])];
            let (q, k, v) = (q.as_dtype(dtype)?, k.as_dtype(dtype)?, v.as_dtype(dtype)?);
            scaled_dot_product_attention(&q, &k, &v, Some(scale), mask)
        };
        let check = |what: &str, got: Array, want: [f32; 2]| {
            let ulp = if dtype == Dtype::Float16 { 9.8e-4 } else { 7.9e-3 };
            let want = array(&want, &[1, 2]).as_dtype(dtype)?;
            assert_close_within(&format!("{dtype:?}, {what}"), &got, &want, Tolerance { abs: 0.0, rel: ulp })
        };
        // Shares of nearly a half mix values that nearly cancel: shares in half precision would cancel them.
        let got = attend([1.0, 0.0], [0.5_f32.powi(10), 0.0, 0.0, 0.0], [1000.0, 500.0, -1000.0, -500.0], 1.0, None)?;
        check("f32 shares", got, [1000.0 * slight, 500.0 * slight])?;
        // 3 · 0.1 · 32 is 9.6; a query scaled in bf16 makes it 9.625.
        let got = attend([3.0, 0.0], [0.0, 0.0, -32.0, 0.0], [0.0, 0.0, 1024.0, 512.0], 0.1, None)?;
        check("f32 scale", got, [1024.0 * small, 512.0 * small])?;
        // f16 ends before this mask, and bf16 sees one number.
        let mask = array(&[-100_000.0, -100_001.0], &[1, 2]);
        let got = attend([0.0; 2], [0.0; 4], [0.0, 0.0, 1.0, 2.0], 1.0, Some(&mask))?;
        check("f32 mask", got, [even, 2.0 * even])?;
    }
    Ok(())
}

#[test]
fn task_3_the_order_of_keys_does_not_matter() -> Result<()> {
    let mut random = Random::new(18);
    let (q, k, v) = (random.normal(&[3, 4]), random.normal(&[5, 4]), random.normal(&[5, 4]));
    let before = (values(&q)?, values(&k)?, values(&v)?);
    let order = Array::from_slice(&[3_i32, 1, 4, 0, 2], &[5]);
    let got = scaled_dot_product_attention(&q, &k.take_axis(&order, 0)?, &v.take_axis(&order, 0)?, None, None)?;
    assert_close("keys and values moved together", &got, &scaled_dot_product_attention(&q, &k, &v, None, None)?)?;
    assert_eq!((values(&q)?, values(&k)?, values(&v)?), before, "the caller's arrays changed");
    Ok(())
}

#[test]
fn task_3_what_does_not_fit_is_refused() -> Result<()> {
    let (q, k) = (zeros(&[2, 3, 4]), zeros(&[2, 5, 4]));
    let attend =
        |q: &Array, k: &Array, v: &Array, mask: Option<&Array>| scaled_dot_product_attention(q, k, v, None, mask);
    expect_shape(attend(&q, &zeros(&[2, 5, 3]), &zeros(&[2, 5, 3]), None));
    for value in [&[2, 6, 4][..], &[2, 5, 6], &[1, 5, 4], &[5, 4]] {
        expect_shape(attend(&q, &k, &zeros(value), None));
    }
    expect_shape(attend(&q, &zeros(&[1, 5, 4]), &zeros(&[1, 5, 4]), None));
    expect_shape(attend(&q, &zeros(&[5, 4]), &zeros(&[5, 4]), None));
    expect_shape(attend(&zeros(&[4]), &zeros(&[4]), &zeros(&[4]), None));
    for mask in [&[3, 4][..], &[4, 5], &[3, 3, 5], &[1, 2, 3, 5]] {
        expect_shape(attend(&q, &k, &k, Some(&zeros(mask))));
    }
    let half = k.as_dtype(Dtype::Float16)?;
    expect_dtype(attend(&q, &half, &k, None));
    expect_dtype(attend(&q, &k, &half, None));
    expect_dtype(attend(&q, &k, &k, Some(&zeros(&[3, 5]).as_dtype(Dtype::Bool)?)));
    let whole = |x: &Array| x.as_dtype(Dtype::Int32);
    expect_dtype(attend(&whole(&q)?, &whole(&k)?, &whole(&k)?, None));
    expect_dtype(attend(&q, &k, &k, Some(&whole(&zeros(&[3, 5]))?)));
    expect_dtype(attend(&doubles(&[2, 3, 4]), &doubles(&[2, 5, 4]), &doubles(&[2, 5, 4]), None));
    Ok(())
}

fn four_weights(random: &mut Random, hidden: i32, dtype: Dtype) -> Result<[Array; 4]> {
    let mut weight = || -> Result<Array> { Ok(random.uniform(-0.6, 0.6, &[hidden, hidden]).as_dtype(dtype)?) };
    Ok([weight()?, weight()?, weight()?, weight()?])
}

fn build(hidden: i32, heads: i32, weights: &[Array; 4]) -> Result<SimpleMultiHeadAttention> {
    let [wq, wk, wv, wo] = weights.clone();
    SimpleMultiHeadAttention::new(hidden, heads, wq, wk, wv, wo)
}

#[test]
fn task_4_agrees_with_mlx_own_module() -> Result<()> {
    let golden = golden_tensors("week1/day1.safetensors")?;
    let at = |key: &str| golden[&format!("heads.{key}")].clone();
    let attention = build(15, 3, &[at("wq"), at("wk"), at("wv"), at("wo")])?;
    let (q, k, v) = (at("q"), at("k"), at("v"));
    assert_close("without a mask", &attention.forward(&q, &k, &v, None)?, &at("plain"))?;
    assert_close("a mask for each head", &attention.forward(&q, &k, &v, Some(&at("mask")))?, &at("masked"))
}

#[test]
fn task_4_any_axes_in_front_every_dtype() -> Result<()> {
    let mut random = Random::new(19);
    for (dtype, name) in DTYPES {
        let weights = four_weights(&mut random, 12, dtype)?;
        let attention = build(12, 3, &weights)?;
        for front in FRONTS {
            let x = normal(&mut random, dtype, front, &[5, 12])?;
            let y = normal(&mut random, dtype, front, &[7, 12])?;
            let mask = normal(&mut random, dtype, &[], &[5, 7])?;
            // MLX's operators: one batch axis, heads of four features.
            let heads = |x: &Array, w: &Array| -> Result<Array> {
                let projected = x.reshape(&[-1, x.dim(-2), 12])?.matmul(w.transpose()?)?;
                Ok(projected.reshape(&[-1, x.dim(-2), 3, 4])?.transpose_axes(&[0, 2, 1, 3])?)
            };
            let (q, k, v) = (heads(&x, &weights[0])?, heads(&y, &weights[1])?, heads(&y, &weights[2])?);
            let mixed = fast::scaled_dot_product_attention(q, k, v, 0.5, &mask, None)?;
            let joined = mixed.transpose_axes(&[0, 2, 1, 3])?.reshape(&[-1, 12])?;
            let want = joined.matmul(weights[3].transpose()?)?.reshape(x.shape())?;
            let got = attention.forward(&x, &y, &y, Some(&mask))?;
            assert_close(&format!("{name}, axes {front:?} in front"), &got, &want)?;
        }
    }
    Ok(())
}

#[test]
fn task_4_agrees_with_the_reference() -> Result<()> {
    let mut random = Random::new(20);
    for heads in [1, 2, 4, 8] {
        let weights = four_weights(&mut random, 8, Dtype::Float32)?;
        let (q, k, v) = (random.normal(&[2, 3, 8]), random.normal(&[2, 5, 8]), random.normal(&[2, 5, 8]));
        let got = build(8, heads, &weights)?.forward(&q, &k, &v, None)?;
        let [wq, wk, wv, wo] = weights;
        let want = reference::attention::SimpleMultiHeadAttention::new(8, heads, wq, wk, wv, wo)?;
        assert_close(&format!("{heads} heads"), &got, &want.forward(&q, &k, &v, None)?)?;
    }
    Ok(())
}

#[test]
fn task_4_heads_do_not_see_each_other() -> Result<()> {
    // With identity weights head h reads and writes the features h·D to (h+1)·D and nothing else.
    let identity = Array::eye::<f32>(6, None, None)?;
    let attention = build(6, 3, &[identity.clone(), identity.clone(), identity.clone(), identity])?;
    let mut random = Random::new(21);
    let (first, second) = (random.normal(&[4, 4]), random.normal(&[4, 2]));
    let other = random.normal(&[4, 2]);
    let run = |last: &Array| -> Result<Array> {
        let x = ops::concatenate(&[&first, last], -1)?;
        Ok(attention.forward(&x, &x, &x, None)?.split_at_indices(&[4], -1)?.swap_remove(0))
    };
    assert_close("heads 0 and 1 while head 2 changes", &run(&other)?, &run(&second)?)
}

#[test]
fn task_4_head_counts_and_shapes_are_checked() -> Result<()> {
    let weights = four_weights(&mut Random::new(22), 6, Dtype::Float32)?;
    for heads in [4, 0, -3, 12] {
        expect_invalid_argument(build(6, heads, &weights), "num_heads");
    }
    for place in 0..4 {
        for shape in [&[5, 6][..], &[6, 5], &[5, 5], &[6], &[1, 6, 6]] {
            let mut bad = weights.clone();
            bad[place] = zeros(shape);
            expect_shape(build(6, 3, &bad));
        }
    }
    let attention = build(6, 3, &weights)?;
    let (x, wide) = (zeros(&[2, 4, 6]), zeros(&[2, 4, 7]));
    expect_shape(attention.forward(&wide, &x, &x, None));
    expect_shape(attention.forward(&x, &wide, &x, None));
    expect_shape(attention.forward(&x, &x, &wide, None));
    expect_shape(attention.forward(&x, &zeros(&[3, 4, 6]), &zeros(&[3, 4, 6]), None));
    expect_shape(attention.forward(&zeros(&[6]), &x, &x, None));
    expect_shape(attention.forward(&x, &x, &x, Some(&zeros(&[2, 4, 4]))));
    expect_dtype(attention.forward(&x.as_dtype(Dtype::Float16)?, &x, &x, None));
    Ok(())
}

#[test]
fn end_the_embedded_model_s_values_are_mlx_lm_s() -> Result<()> {
    let golden = golden_tensors("week1/tiny_layer.safetensors")?;
    let weight = tiny_model()?.weights().at("model.layers.0").dense("self_attn.v_proj")?;
    let value = linear(&golden["normed"], &weight, None)?;
    assert_close("v_proj of layer 0", &value, &golden["value"])?;
    // One head of two attending over its own values: rows of shares, so no output leaves the values' range.
    let mixed = scaled_dot_product_attention(&value, &value, &value, None, None)?;
    let (lowest, highest) = (value.min_axis(1, true)?, value.max_axis(1, true)?);
    assert_close("inside the range", &ops::minimum(ops::maximum(&mixed, lowest)?, highest)?, &mixed)
}

/// Query heads 0 and 1 of the layer read key-value head 0, heads 2 and 3 read head 1. So heads 0 and 2 are a plain
/// attention of two heads, heads 1 and 3 are another, and the layer's output is the sum of both.
#[test]
fn end_the_embedded_model_s_attention_by_heads_is_mlx_lm_s() -> Result<()> {
    let golden = golden_tensors("week1/tiny_layer.safetensors")?;
    let layer = tiny_model()?.weights().at("model.layers.0.self_attn");
    let (v_proj, o_proj) = (layer.dense("v_proj")?, layer.dense("o_proj")?);
    let (query, key) = (&golden["query_turned"], golden["key_turned"].reshape(&[1, 8, 256])?); // (1, 8, 4, 128)
    let past = |place: i32| if place % 8 <= place / 8 { 0.0 } else { f32::NEG_INFINITY };
    let mask = array(&(0..64).map(past).collect::<Vec<f32>>(), &[8, 8]);
    let as_they_are = Array::eye::<f32>(256, None, None)?;
    let mut sum = zeros(&[1, 8, 256]);
    for heads in [[0, 2], [1, 3]] {
        let heads = Array::from_slice(&heads, &[2]);
        let query = query.take_axis(&heads, 2)?.reshape(&[1, 8, 256])?;
        let back = o_proj.reshape(&[256, 4, 128])?.take_axis(&heads, 1)?.reshape(&[256, 256])?;
        let attention = build(256, 2, &[as_they_are.clone(), as_they_are.clone(), v_proj.clone(), back])?;
        sum = sum.add(attention.forward(&query, &key, &golden["normed"], Some(&mask))?)?;
    }
    assert_close("attention of layer 0, by heads", &sum, &golden["attended"])
}
