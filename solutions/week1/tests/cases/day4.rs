//! Day 4, norm and MLP: the contract a sentence at a time, then NumPy in double precision and mlx-lm's module, MLX's own
//! operators, and the reference on random inputs.

use kit::Result;
use kit::testing::{
    DTYPES, Random, Tolerance, array, assert_close, assert_close_within, doubles, expect_dtype,
    expect_invalid_argument, expect_shape, golden_tensors, tiny_model, values, zeros,
};
use mlx_rs::{Array, Dtype, fast, ops};
use solution_week1 as reference;
use week1::mlp::{Qwen3Mlp, silu};
use week1::rms_norm::RMSNorm;

/// The axes in front that every layer must take: none, one, several, an axis of one.
const FRONTS: [&[i32]; 4] = [&[], &[3], &[2, 3], &[2, 1, 3]];

/// One step of a dtype at the value, two at most below it: for results that are rounded once.
fn one_step(dtype: Dtype) -> Tolerance {
    match dtype {
        Dtype::Float16 => Tolerance { abs: 1.2e-7, rel: 9.8e-4 },
        Dtype::Bfloat16 => Tolerance { abs: 1e-30, rel: 7.9e-3 },
        _ => Tolerance { abs: 1e-30, rel: 2e-6 },
    }
}

#[test]
fn task_1_divides_by_the_root_of_the_mean_square() -> Result<()> {
    // Mean square of 3, 4 is 12.5; of 1, 7 it is 25.
    let norm = RMSNorm::new(array(&[1.0, 2.0], &[2]), 1e-6)?;
    let root = 12.5_f32.sqrt();
    let want = array(&[3.0 / root, 8.0 / root, 0.2, 2.8], &[2, 2]);
    assert_close("rows of two", &norm.forward(&array(&[3.0, 4.0, 1.0, 7.0], &[2, 2]))?, &want)
}

#[test]
fn task_1_eps_is_added_to_the_mean_square() -> Result<()> {
    let norm = RMSNorm::new(array(&[1.0, 1.0], &[2]), 3.0)?;
    assert_close("1, 1 with eps 3", &norm.forward(&array(&[1.0, 1.0], &[2]))?, &array(&[0.5, 0.5], &[2]))?;
    let norm = RMSNorm::new(array(&[1.0, 1.0], &[2]), 1e-6)?;
    assert_close("a row of zeros", &norm.forward(&zeros(&[3, 2]))?, &zeros(&[3, 2]))
}

#[test]
fn task_1_rounds_before_the_weight_and_after() -> Result<()> {
    // Where one rounding at the end would give another last bit.
    let cases = [
        (Dtype::Bfloat16, [6.0, 8.0], [1.875, 1.5], [1.5859375, 1.703125]),
        (Dtype::Float16, [1.0, 6.0], [1.375, 1.625], [0.319_824_22, 2.265625]),
    ];
    for (dtype, x, weight, want) in cases {
        // The weight may come in f32: it is rounded to the dtype of x, and so is the answer.
        for weight_dtype in [dtype, Dtype::Float32] {
            let norm = RMSNorm::new(array(&weight, &[2]).as_dtype(weight_dtype)?, 1e-6)?;
            let got = norm.forward(&array(&x, &[2]).as_dtype(dtype)?)?;
            let want = array(&want, &[2]).as_dtype(dtype)?;
            assert_close_within(&format!("{dtype:?}, weight {weight_dtype:?}"), &got, &want, Tolerance::EXACT)?;
        }
    }
    // 1.005859375 lies between two bf16 numbers: the weight is rounded before the product.
    let norm = RMSNorm::new(array(&[1.005_859_4, 1.0], &[2]), 1e-6)?;
    let got = norm.forward(&array(&[6.0, 8.0], &[2]).as_dtype(Dtype::Bfloat16)?)?;
    let want = array(&[0.855_468_75, 1.1328125], &[2]).as_dtype(Dtype::Bfloat16)?;
    assert_close_within("an f32 weight over bf16", &got, &want, Tolerance::EXACT)?;
    let half = RMSNorm::new(array(&[1.0, 1.0], &[2]).as_dtype(Dtype::Bfloat16)?, 1e-6)?;
    assert_eq!(half.forward(&array(&[3.0, 4.0], &[2]))?.dtype(), Dtype::Float32, "the dtype of x decides");
    Ok(())
}

#[test]
fn task_1_statistics_are_f32() -> Result<()> {
    let mut random = Random::new(41);
    // 1000² overflows f16; 256 ones fill a bf16 sum.
    let sign = ops::select(
        random.normal(&[32, 64]).lt(Array::from_f32(0.0))?,
        Array::from_f32(-1000.0),
        Array::from_f32(1000.0),
    )?;
    let norm = RMSNorm::new(array(&[1.0; 64], &[64]).as_dtype(Dtype::Float16)?, 1e-6)?;
    let got = norm.forward(&sign.as_dtype(Dtype::Float16)?)?;
    assert_close("f16 of ±1000", &got, &sign.divide(Array::from_f32(1000.0))?.as_dtype(Dtype::Float16)?)?;
    let ones = array(&[1.0; 4096], &[4096]).as_dtype(Dtype::Bfloat16)?;
    let norm = RMSNorm::new(ones.clone(), 1e-6)?;
    assert_close_within("4,096 ones in bf16", &norm.forward(&ones)?, &ones, Tolerance::EXACT)
}

#[test]
fn task_1_agrees_with_numpy() -> Result<()> {
    let golden = golden_tensors("week1/day4.safetensors")?;
    for (dtype, name) in DTYPES {
        let norm = RMSNorm::new(golden[&format!("norm.{name}.weight")].clone(), 1e-6)?;
        for size in ["usual", "large", "tiny"] {
            let at = |key: &str| &golden[&format!("norm.{name}.{size}.{key}")];
            assert_close_within(&format!("{name}, {size}"), &norm.forward(at("x"))?, at("y"), one_step(dtype))?;
        }
    }
    Ok(())
}

#[test]
fn task_1_agrees_with_mlx_and_the_reference() -> Result<()> {
    let mut random = Random::new(42);
    for (dtype, name) in DTYPES {
        for front in FRONTS {
            let width = random.int(1..130);
            let weight = random.uniform(0.5, 1.5, &[width]).as_dtype(dtype)?;
            let x = random.normal(&[front, &[width]].concat()).as_dtype(dtype)?;
            let before = values(&x)?;
            let got = RMSNorm::new(weight.clone(), 1e-5)?.forward(&x)?;
            let what = format!("{name}, axes {front:?} in front of {width}");
            assert_close(&what, &got, &fast::rms_norm(&x, Some(&weight), 1e-5)?)?;
            assert_close(&what, &got, &reference::rms_norm::RMSNorm::new(weight, 1e-5)?.forward(&x)?)?;
            assert_eq!(values(&x)?, before, "the caller's array changed");
        }
    }
    Ok(())
}

#[test]
fn task_1_the_size_of_a_row_does_not_matter() -> Result<()> {
    let mut random = Random::new(43);
    let norm = RMSNorm::new(random.uniform(0.5, 1.5, &[16]), 1e-9)?;
    let x = random.normal(&[4, 16]);
    let scales = array(&[0.1, 1.0, 30.0, 1e15], &[4, 1]);
    assert_close("rows at other sizes", &norm.forward(&x.multiply(scales)?)?, &norm.forward(&x)?)
}

#[test]
fn task_1_weight_eps_and_x_are_checked() -> Result<()> {
    for eps in [0.0, -1e-6, f32::NAN, f32::INFINITY] {
        expect_invalid_argument(RMSNorm::new(zeros(&[4]), eps), "eps");
    }
    expect_shape(RMSNorm::new(zeros(&[1, 4]), 1e-6));
    expect_shape(RMSNorm::new(zeros(&[]), 1e-6));
    expect_dtype(RMSNorm::new(zeros(&[4]).as_dtype(Dtype::Int32)?, 1e-6));
    expect_dtype(RMSNorm::new(doubles(&[4]), 1e-6));
    let norm = RMSNorm::new(zeros(&[4]), 1e-6)?;
    for bad in [&[2, 5][..], &[2, 1], &[4, 1], &[]] {
        expect_shape(norm.forward(&zeros(bad)));
    }
    let narrow = RMSNorm::new(zeros(&[1]), 1e-6)?;
    expect_shape(narrow.forward(&zeros(&[2, 4])));
    expect_dtype(norm.forward(&zeros(&[2, 4]).as_dtype(Dtype::Int32)?));
    expect_dtype(norm.forward(&doubles(&[2, 4])));
    Ok(())
}

#[test]
fn task_2_is_x_times_its_sigmoid() -> Result<()> {
    // sigmoid(ln 3) is 3/4, sigmoid(-ln 3) is 1/4.
    let three = 3.0_f32.ln();
    let want = array(&[0.0, 0.75 * three, -0.25 * three], &[3]);
    assert_close("0, ln 3, -ln 3", &silu(&array(&[0.0, three, -three], &[3]))?, &want)
}

#[test]
fn task_2_the_tails_keep_their_last_bits() -> Result<()> {
    // Far out, silu(-x) is -x exp(-x): small, but not zero, and right to the last bits.
    let far = [-8.0_f32, -10.0, -12.0, -20.0, -40.0, -60.0, -80.0, -85.0];
    for (dtype, count) in [(Dtype::Float32, 8), (Dtype::Bfloat16, 8), (Dtype::Float16, 3)] {
        let exact: Vec<f32> = far.iter().map(|&x| (f64::from(x) / (1.0 + (-f64::from(x)).exp())) as f32).collect();
        let x = array(&far[..count], &[count as i32]).as_dtype(dtype)?;
        let want = array(&exact[..count], &[count as i32]).as_dtype(dtype)?;
        let bound = Tolerance { rel: one_step(dtype).rel.max(1e-5), ..one_step(dtype) };
        assert_close_within(&format!("{dtype:?}, left tail"), &silu(&x)?, &want, bound)?;
    }
    Ok(())
}

#[test]
fn task_2_nothing_overflows() -> Result<()> {
    let big = [1e2, 1e4, 1e30, 3e38];
    assert_close("large x stays", &silu(&array(&big, &[4]))?, &array(&big, &[4]))?;
    assert_close("minus large x vanishes", &silu(&array(&big.map(|x: f32| -x), &[4]))?, &zeros(&[4]))?;
    let half = array(&[15.0, 60_000.0, -60_000.0], &[3]).as_dtype(Dtype::Float16)?;
    assert_close("f16", &silu(&half)?, &array(&[15.0, 60_000.0, 0.0], &[3]).as_dtype(Dtype::Float16)?)
}

#[test]
fn task_2_agrees_with_numpy() -> Result<()> {
    let golden = golden_tensors("week1/day4.safetensors")?;
    for (dtype, name) in DTYPES {
        let at = |key: &str| &golden[&format!("silu.{name}.{key}")];
        let bound = Tolerance { rel: one_step(dtype).rel.max(1e-5), ..one_step(dtype) };
        assert_close_within(&format!("{name}, -80 to 80"), &silu(at("x"))?, at("y"), bound)?;
    }
    Ok(())
}

#[test]
fn task_2_agrees_with_mlx_and_the_reference() -> Result<()> {
    let mut random = Random::new(44);
    for (dtype, name) in DTYPES {
        for front in FRONTS {
            let x = random.uniform(-20.0, 20.0, &[front, &[10]].concat()).as_dtype(dtype)?;
            let before = values(&x)?;
            let got = silu(&x)?;
            assert_close(&format!("MLX, {name}"), &got, &x.multiply(ops::sigmoid(&x)?)?)?;
            assert_close(&format!("reference, {name}"), &got, &reference::mlp::silu(&x)?)?;
            assert_eq!(values(&x)?, before, "the caller's array changed");
        }
    }
    assert_close("a scalar", &silu(&Array::from_f32(0.0))?, &Array::from_f32(0.0))?;
    expect_dtype(silu(&Array::from_int(1)));
    expect_dtype(silu(&doubles(&[1])));
    Ok(())
}

#[test]
fn task_2_x_and_minus_x_differ_by_x() -> Result<()> {
    let x = Random::new(45).uniform(-30.0, 30.0, &[200]);
    let difference = silu(&x)?.subtract(silu(&x.negative()?)?)?;
    assert_close("silu(x) - silu(-x)", &difference, &x)
}

fn three_weights(random: &mut Random, hidden: i32, inner: i32, dtype: Dtype) -> Result<[Array; 3]> {
    let mut weight = |shape: &[i32]| -> Result<Array> { Ok(random.uniform(-0.5, 0.5, shape).as_dtype(dtype)?) };
    Ok([weight(&[inner, hidden])?, weight(&[inner, hidden])?, weight(&[hidden, inner])?])
}

fn build(weights: &[Array; 3]) -> Result<Qwen3Mlp> {
    let [gate, up, down] = weights.clone();
    Qwen3Mlp::new(gate, up, down)
}

#[test]
fn task_3_the_gate_decides_how_much_of_a_feature_passes() -> Result<()> {
    // One feature in, two inner ones: gates 30 and -30 are open and shut.
    let mlp = build(&[array(&[30.0, -30.0], &[2, 1]), array(&[5.0, 7.0], &[2, 1]), array(&[1.0, 1.0], &[1, 2])])?;
    assert_close("30 · 5 + 0 · 7", &mlp.forward(&array(&[1.0], &[1]))?, &array(&[150.0], &[1]))
}

#[test]
fn task_3_agrees_with_mlx_lm_s_module() -> Result<()> {
    let golden = golden_tensors("week1/day4.safetensors")?;
    for size in ["small", "middle"] {
        let at = |key: &str| golden[&format!("mlp.{size}.{key}")].clone();
        let mlp = build(&[at("gate_proj"), at("up_proj"), at("down_proj")])?;
        assert_close(size, &mlp.forward(&at("x"))?, &at("y"))?;
    }
    Ok(())
}

#[test]
fn task_3_any_axes_in_front_every_dtype() -> Result<()> {
    let mut random = Random::new(46);
    for (dtype, name) in DTYPES {
        let weights = three_weights(&mut random, 6, 11, dtype)?;
        for front in FRONTS {
            let x = random.normal(&[front, &[6]].concat()).as_dtype(dtype)?;
            // MLX's own operators.
            let project = |x: &Array, w: &Array| x.matmul(w.transpose()?);
            let gate = project(&x, &weights[0])?;
            let gated = gate.multiply(ops::sigmoid(&gate)?)?.multiply(project(&x, &weights[1])?)?;
            let want = project(&gated, &weights[2])?;
            assert_close(&format!("{name}, axes {front:?} in front"), &build(&weights)?.forward(&x)?, &want)?;
        }
    }
    Ok(())
}

#[test]
fn task_3_agrees_with_the_reference() -> Result<()> {
    let mut random = Random::new(47);
    for _ in 0..8 {
        let (hidden, inner) = (random.int(1..20), random.int(1..20));
        let weights = three_weights(&mut random, hidden, inner, Dtype::Float32)?;
        let x = random.normal(&[1, 4, hidden]);
        let before = values(&x)?;
        let got = build(&weights)?.forward(&x)?;
        let [gate, up, down] = weights;
        let want = reference::mlp::Qwen3Mlp::new(gate, up, down)?.forward(&x)?;
        assert_close(&format!("E {hidden}, I {inner}"), &got, &want)?;
        assert_eq!(values(&x)?, before, "the caller's array changed");
    }
    Ok(())
}

#[test]
fn task_3_weights_and_x_are_checked() -> Result<()> {
    let good = [zeros(&[6, 4]), zeros(&[6, 4]), zeros(&[4, 6])];
    for (place, shape) in
        [(0, &[5, 4][..]), (0, &[6]), (1, &[6, 5]), (1, &[4, 6]), (2, &[6, 4]), (2, &[5, 6]), (2, &[1, 4, 6])]
    {
        let mut bad = good.clone();
        bad[place] = zeros(shape);
        expect_shape(build(&bad));
    }
    for place in 0..3 {
        let mut bad = good.clone();
        bad[place] = good[place].as_dtype(Dtype::Float16)?;
        expect_dtype(build(&bad));
    }
    let whole = |x: &Array| x.as_dtype(Dtype::Int32);
    expect_dtype(build(&[whole(&good[0])?, whole(&good[1])?, whole(&good[2])?]));
    expect_dtype(build(&[doubles(&[6, 4]), doubles(&[6, 4]), doubles(&[4, 6])]));
    let mlp = build(&good)?;
    for bad in [&[2, 5][..], &[6], &[]] {
        expect_shape(mlp.forward(&zeros(bad)));
    }
    expect_dtype(mlp.forward(&zeros(&[2, 4]).as_dtype(Dtype::Bfloat16)?));
    Ok(())
}

#[test]
fn end_the_embedded_model_s_norm_and_mlp_are_mlx_lm_s() -> Result<()> {
    let golden = golden_tensors("week1/tiny_layer.safetensors")?;
    let config = tiny_model()?.config();
    let at = tiny_model()?.weights().at("model.layers.0");
    let norm = RMSNorm::new(at.dense("post_attention_layernorm")?, config.rms_norm_eps)?;
    let normed = norm.forward(&golden["hidden"])?;
    assert_close("post_attention_layernorm of layer 0", &normed, &golden["post_normed"])?;
    let mlp = Qwen3Mlp::new(at.dense("mlp.gate_proj")?, at.dense("mlp.up_proj")?, at.dense("mlp.down_proj")?)?;
    assert_close("mlp of layer 0", &mlp.forward(&normed)?, &golden["mlp"])
}
