//! Day 3, packed weights: unpacking by hand and against MLX's, layers and tables that stay packed, then the whole model
//! on packed weights against mlx-lm.

use kit::testing::{
    DTYPES, Random, Tolerance, array, assert_close, assert_close_within, expect_dtype, expect_invalid_argument,
    expect_shape, golden_json, golden_tensors, tiny_model, values, zeros,
};
use kit::{Checkpoint, Result};
use mlx_rs::{Array, Dtype, memory, ops, ops::indexing::IndexOp};
use solution_week1::{basics::linear, generate::greedy};
use std::ops::ControlFlow;
use week2::{
    dispatch::PathRule,
    generate::generate,
    model::{CachedLm, Qwen3Model, Rows},
    operators::{Embedding, Linear},
    quantized::dequantize,
    quantized_linear::{QuantizedEmbedding, QuantizedLinear},
    rung::Rung,
};

/// A packed weight, any number of axes in front.
#[derive(Clone)]
struct Packed {
    weight: Array,
    scales: Array,
    biases: Array,
    group: i32,
}

impl Packed {
    /// Every code, scales of both signs.
    fn random(random: &mut Random, front: &[i32], inputs: i32, group: i32, dtype: Dtype) -> Result<Self> {
        let words = [front, &[inputs / 8]].concat();
        let groups = [front, &[inputs / group]].concat();
        let weight = random.ids(u32::MAX, &words);
        let scales = random.uniform(-0.2, 0.2, &groups).as_dtype(dtype)?;
        let biases = random.uniform(-1.0, 1.0, &groups).as_dtype(dtype)?;
        Ok(Self { weight, scales, biases, group })
    }

    fn unpack(&self) -> Result<Array> {
        dequantize(&self.weight, &self.scales, &self.biases, self.group, 4)
    }

    /// MLX's values in f32.
    fn oracle(&self) -> Result<Array> {
        let wide = |x: &Array| x.as_dtype(Dtype::Float32);
        Ok(ops::dequantize(&self.weight, wide(&self.scales)?, &wide(&self.biases)?, self.group, 4)?)
    }

    fn layer(&self, rule: PathRule) -> QuantizedLinear {
        let Self { weight, scales, biases, group } = self.clone();
        QuantizedLinear { weight, scales, biases, group_size: group, bits: 4, rule }
    }

    fn table(&self, dtype: Dtype) -> QuantizedEmbedding {
        let Self { weight, scales, biases, group } = self.clone();
        QuantizedEmbedding { weight, scales, biases, group_size: group, bits: 4, dtype, rule: PathRule::Matvec }
    }
}

/// Words for a row of 64 codes, the same word eight times.
fn row_of(word: u32) -> Array {
    Array::from_slice(&[word; 8], &[1, 8])
}

fn ids(ids: &[u32], shape: &[i32]) -> Array {
    Array::from_slice(ids, shape)
}

#[test]
fn task_1_the_lowest_four_bits_come_first() -> Result<()> {
    let (one, zero) = (array(&[1.0], &[1, 1]), zeros(&[1, 1]));
    let got = dequantize(&row_of(0x7654_3210), &one, &zero, 64, 4)?;
    let counted: Vec<f32> = (0..64).map(|place| (place % 8) as f32).collect();
    assert_close_within("codes of 0x76543210", &got, &array(&counted, &[1, 64]), Tolerance::EXACT)
}

#[test]
fn task_1_the_highest_code_is_fifteen_and_not_negative() -> Result<()> {
    let (one, zero) = (array(&[1.0], &[1, 1]), zeros(&[1, 1]));
    let got = dequantize(&row_of(0xF000_0000), &one, &zero, 64, 4)?;
    let last: Vec<f32> = (0..64).map(|place| if place % 8 == 7 { 15.0 } else { 0.0 }).collect();
    assert_close_within("codes of 0xF0000000", &got, &array(&last, &[1, 64]), Tolerance::EXACT)
}

#[test]
fn task_1_a_value_is_scale_times_code_plus_bias() -> Result<()> {
    let got = dequantize(&row_of(0x0000_00A3), &array(&[-0.5], &[1, 1]), &array(&[4.0], &[1, 1]), 64, 4)?;
    assert_close_within("-0.5 · 3 + 4", &got.index((0, 0)), &array(&[2.5], &[]), Tolerance::EXACT)?;
    assert_close_within("-0.5 · 10 + 4", &got.index((0, 1)), &array(&[-1.0], &[]), Tolerance::EXACT)?;
    assert_close_within("-0.5 · 0 + 4", &got.index((0, 2)), &array(&[4.0], &[]), Tolerance::EXACT)
}

#[test]
fn task_1_each_group_has_its_own_scale_and_bias() -> Result<()> {
    for (group, groups) in [(64, 4), (128, 2)] {
        let weight = ids(&[0x1111_1111; 64], &[2, 32]);
        let scales: Vec<f32> = (1..=2 * groups).map(|number| number as f32).collect();
        let biases: Vec<f32> = scales.iter().map(|scale| scale * 100.0).collect();
        let shape = [2, groups];
        let got = dequantize(&weight, &array(&scales, &shape), &array(&biases, &shape), group, 4)?;
        let expected: Vec<f32> =
            scales.iter().flat_map(|scale| std::iter::repeat_n(scale * 101.0, group as usize)).collect();
        assert_close_within(&format!("groups of {group}"), &got, &array(&expected, &[2, 256]), Tolerance::EXACT)?;
    }
    Ok(())
}

#[test]
fn task_1_agrees_with_values_unpacked_by_mlx_in_python() -> Result<()> {
    let golden = golden_tensors("week2/day3.safetensors")?;
    for group in [64, 128] {
        for (_, dtype) in DTYPES {
            let of = |array: &str| &golden[&format!("unpack.{group}.{dtype}.{array}")];
            let got = dequantize(of("weight"), of("scales"), of("biases"), group, 4)?;
            assert_close(&format!("groups of {group}, {dtype}"), &got, of("values"))?;
        }
    }
    Ok(())
}

#[test]
fn task_1_agrees_with_mlx_on_random_weights_with_any_axes_in_front() -> Result<()> {
    let mut random = Random::new(31);
    for group in [64, 128] {
        for front in [&[] as &[i32], &[1], &[3], &[2, 1, 3]] {
            for inputs in [128, 384] {
                let packed = Packed::random(&mut random, front, inputs, group, Dtype::Float32)?;
                let got = packed.unpack()?;
                let rows = front.iter().product::<i32>();
                // MLX's operator wants two axes.
                let flat = |x: &Array| x.reshape(&[rows, -1]);
                let Packed { weight, scales, biases, group } = &packed;
                let [weight, scales, biases] = [flat(weight)?, flat(scales)?, flat(biases)?];
                let oracle = Packed { weight, scales, biases, group: *group }.oracle()?;
                let oracle = oracle.reshape(&[front, &[inputs]].concat())?;
                assert_close(&format!("{front:?} rows of {inputs}, groups of {group}"), &got, &oracle)?;
            }
        }
    }
    Ok(())
}

#[test]
fn task_1_small_floats_are_rounded_once() -> Result<()> {
    let mut random = Random::new(32);
    for (dtype, name) in DTYPES {
        let packed = Packed::random(&mut random, &[7], 256, 64, dtype)?;
        let got = packed.unpack()?;
        // A fused multiply-add and two operations may differ in the last bit of f32, which a rounding can carry up.
        let once = packed.oracle()?.as_dtype(dtype)?;
        assert_close(name, &got, &once)?;
        let off = values(&got)?.iter().zip(values(&once)?).filter(|(got, once)| **got != *once).count();
        assert!(dtype == Dtype::Float32 || off <= 2, "{name}: {off} of 1792 values are rounded more than once");
    }
    Ok(())
}

#[test]
fn task_1_agrees_with_the_reference() -> Result<()> {
    let mut random = Random::new(33);
    for (dtype, name) in DTYPES {
        for group in [64, 128] {
            let packed = Packed::random(&mut random, &[2, 5], 256, group, dtype)?;
            let got = packed.unpack()?;
            let Packed { weight, scales, biases, .. } = &packed;
            let reference = solution_week2::quantized::dequantize(weight, scales, biases, group, 4)?;
            assert_close(&format!("{name}, groups of {group}"), &got, &reference)?;
        }
    }
    Ok(())
}

#[test]
fn task_1_what_was_packed_comes_back_within_half_a_step() -> Result<()> {
    let mut random = Random::new(34);
    for group in [64, 128] {
        let dense = random.normal(&[6, 256]);
        let (weight, scales, biases) = ops::quantize(&dense, group, 4)?;
        let got = values(&dequantize(&weight, &scales, &biases, group, 4)?)?;
        let steps = values(&scales)?;
        for (place, (got, dense)) in got.iter().zip(values(&dense)?).enumerate() {
            let step = steps[place / group as usize].abs();
            // MLX moves a group's scale so that its largest value is exact; the other end may then be a step off.
            assert!((got - dense).abs() <= 1.01 * step, "value {place}: {dense} became {got}, a step is {step}");
        }
    }
    Ok(())
}

#[test]
fn task_1_refuses_what_is_no_packed_weight() -> Result<()> {
    let mut random = Random::new(35);
    let Packed { weight, scales, biases, .. } = Packed::random(&mut random, &[3], 128, 64, Dtype::Float32)?;
    for bits in [0, 2, 8, -4] {
        expect_invalid_argument(dequantize(&weight, &scales, &biases, 64, bits), "bits");
    }
    for group in [0, 32, 96, 256, -64] {
        expect_invalid_argument(dequantize(&weight, &scales, &biases, group, 4), "group_size");
    }
    expect_dtype(dequantize(&weight.as_dtype(Dtype::Int32)?, &scales, &biases, 64, 4));
    expect_dtype(dequantize(&weight, &scales.as_dtype(Dtype::Int32)?, &biases, 64, 4));
    expect_dtype(dequantize(&weight, &scales, &biases.as_dtype(Dtype::Float16)?, 64, 4));
    expect_shape(dequantize(&weight, &scales, &biases, 128, 4));
    expect_shape(dequantize(&weight, &scales.index((.., ..1)), &biases, 64, 4));
    expect_shape(dequantize(&weight, &scales, &biases.index((..2, ..)), 64, 4));
    expect_shape(dequantize(&weight.index((.., ..9)), &scales, &biases, 64, 4));
    expect_shape(dequantize(&ids(&[1], &[]), &array(&[1.0], &[]), &array(&[1.0], &[]), 64, 4));
    Ok(())
}

#[test]
fn task_4_a_packed_layer_is_week_1s_linear_with_unpacked_weights() -> Result<()> {
    let mut random = Random::new(41);
    for group in [64, 128] {
        for front in [&[] as &[i32], &[1], &[5], &[2, 3]] {
            let packed = Packed::random(&mut random, &[24], 256, group, Dtype::Float32)?;
            let x = random.normal(&[front, &[256]].concat());
            let got = packed.layer(PathRule::Matvec).forward(&x)?;
            let expected = linear(&x, &packed.oracle()?, None)?;
            assert_close_within(&format!("x {front:?}, groups of {group}"), &got, &expected, SUMS)?;
        }
    }
    Ok(())
}

/// Sums of some hundred products, in another order.
const SUMS: Tolerance = Tolerance { abs: 2e-4, rel: 1e-4 };

#[test]
fn task_4_a_packed_layer_agrees_with_mlx_nn() -> Result<()> {
    let golden = golden_tensors("week2/day3.safetensors")?;
    for group in [64, 128] {
        let of = |name: &str| golden[&format!("linear.{group}.{name}")].clone();
        let packed = Packed { weight: of("weight"), scales: of("scales"), biases: of("biases"), group };
        let got = packed.layer(PathRule::Matvec).forward(&of("x"))?;
        assert_close_within(&format!("groups of {group}"), &got, &of("y"), SUMS)?;
    }
    Ok(())
}

#[test]
fn task_4_a_packed_layer_agrees_with_mlxs_operator_and_keeps_the_dtype_of_x() -> Result<()> {
    let mut random = Random::new(42);
    for (dtype, name) in DTYPES {
        let packed = Packed::random(&mut random, &[40], 128, 64, Dtype::Bfloat16)?;
        let x = random.normal(&[3, 128]).as_dtype(dtype)?;
        let got = packed.layer(PathRule::Matvec).forward(&x)?;
        assert_eq!(got.dtype(), dtype, "a layer's answer to {name}");
        let wide = |x: &Array| x.as_dtype(Dtype::Float32);
        let (scales, biases) = (wide(&packed.scales)?, wide(&packed.biases)?);
        let oracle = ops::quantized_matmul(wide(&x)?, &packed.weight, scales, &biases, true, 64, 4)?;
        let bound = if dtype == Dtype::Float32 { SUMS } else { Tolerance::of(dtype) };
        assert_close_within(name, &got, &oracle.as_dtype(dtype)?, bound)?;
    }
    Ok(())
}

#[test]
fn task_4_a_packed_layer_agrees_with_the_reference() -> Result<()> {
    use solution_week2::{dispatch, quantized_linear};
    let mut random = Random::new(43);
    for rows in [1, 2, 7] {
        let packed = Packed::random(&mut random, &[17], 256, 128, Dtype::Float16)?;
        let x = random.normal(&[1, rows, 256]);
        let got = packed.layer(PathRule::Matvec).forward(&x)?;
        let Packed { weight, scales, biases, group } = packed;
        let rule = dispatch::PathRule::Matvec;
        let reference = quantized_linear::QuantizedLinear { weight, scales, biases, group_size: group, bits: 4, rule };
        assert_close(&format!("{rows} rows"), &got, &reference.forward(&x)?)?;
    }
    Ok(())
}

/// What a computation takes beyond what is there before it.
fn extra_memory(compute: impl FnOnce() -> Result<Array>) -> Result<usize> {
    memory::reset_peak_memory()?;
    let before = memory::active_memory()?;
    compute()?.eval()?;
    Ok(memory::peak_memory()?.saturating_sub(before))
}

#[test]
fn task_4_nothing_is_unpacked_but_the_rows_that_are_asked_for() -> Result<()> {
    let mut random = Random::new(44);
    let packed = Packed::random(&mut random, &[4096], 512, 64, Dtype::Bfloat16)?;
    let (layer, table) = (packed.layer(PathRule::Matvec), packed.table(Dtype::Float32));
    let x = random.normal(&[1, 512]);
    mlx_rs::transforms::eval([&packed.weight, &packed.scales, &packed.biases, &x])?;
    let dense = 4096 * 512 * 4;
    for (what, taken) in [
        ("a packed layer", extra_memory(|| layer.forward(&x))?),
        ("two rows of a packed table", extra_memory(|| table.forward(&ids(&[7, 4095], &[1, 2])))?),
        ("a packed head", extra_memory(|| table.as_linear(&x))?),
    ] {
        assert!(taken < dense / 16, "{what} took {taken} bytes; all values are {dense}");
    }
    Ok(())
}

#[test]
fn task_4_a_packed_layer_refuses_other_features_and_no_rows() -> Result<()> {
    let mut random = Random::new(45);
    let packed = Packed::random(&mut random, &[8], 128, 64, Dtype::Float32)?;
    let (layer, table) = (packed.layer(PathRule::Matvec), packed.table(Dtype::Float32));
    for x in [zeros(&[2, 64]), zeros(&[2, 256]), zeros(&[128, 2]), zeros(&[0, 128]), zeros(&[])] {
        expect_shape(layer.forward(&x));
        expect_shape(table.as_linear(&x));
    }
    expect_dtype(layer.forward(&ids(&[1; 128], &[1, 128])));
    expect_dtype(table.as_linear(&ids(&[1; 128], &[1, 128])));
    Ok(())
}

#[test]
fn task_4_a_packed_table_gives_the_rows_of_the_ids() -> Result<()> {
    let mut random = Random::new(46);
    for group in [64, 128] {
        let packed = Packed::random(&mut random, &[11], 256, group, Dtype::Float32)?;
        let (table, all) = (packed.table(Dtype::Float32), packed.oracle()?);
        for (list, shape) in [(&[10_u32][..], &[1, 1][..]), (&[0, 3, 3, 10], &[2, 2]), (&[5, 1, 0], &[3])] {
            let got = table.forward(&ids(list, shape))?;
            let expected = all.take_axis(ids(list, shape), 0)?;
            assert_close(&format!("{list:?} as {shape:?}, groups of {group}"), &got, &expected)?;
            let signed = table.forward(&ids(list, shape).as_dtype(Dtype::Int32)?)?;
            assert_close_within("the same ids as i32", &signed, &got, Tolerance::EXACT)?;
        }
    }
    Ok(())
}

#[test]
fn task_4_a_table_with_small_scales_gives_rows_of_its_own_dtype() -> Result<()> {
    let mut random = Random::new(47);
    for (stored, _) in DTYPES {
        let packed = Packed::random(&mut random, &[9], 128, 64, stored)?;
        for (dtype, name) in DTYPES {
            let got = packed.table(dtype).forward(&ids(&[8, 2], &[1, 2]))?;
            assert_eq!(got.dtype(), dtype, "rows of a table in {name}, scales in {stored:?}");
            let exact = packed.oracle()?.take_axis(ids(&[8, 2], &[1, 2]), 0)?;
            // In f32 the rows are those of the packed numbers, not rounded on the way.
            assert_close(&format!("{name} from {stored:?}"), &got, &exact.as_dtype(dtype)?)?;
        }
    }
    Ok(())
}

#[test]
fn task_4_a_packed_table_agrees_with_mlx_nn_and_the_reference() -> Result<()> {
    use solution_week2::{dispatch, quantized_linear};
    let golden = golden_tensors("week2/day3.safetensors")?;
    let of = |name: &str| golden[&format!("embedding.{name}")].clone();
    let packed = Packed { weight: of("weight"), scales: of("scales"), biases: of("biases"), group: 64 };
    let table = packed.table(Dtype::Float32);
    let got = (table.forward(&of("ids"))?, table.as_linear(&of("hidden"))?);
    assert_close("rows", &got.0, &of("rows"))?;
    assert_close_within("logits", &got.1, &of("logits"), SUMS)?;
    let Packed { weight, scales, biases, group } = packed;
    let (dtype, rule) = (Dtype::Float32, dispatch::PathRule::Matvec);
    let reference =
        quantized_linear::QuantizedEmbedding { weight, scales, biases, group_size: group, bits: 4, dtype, rule };
    assert_close("rows of the reference", &got.0, &reference.forward(&of("ids"))?)?;
    assert_close("logits of the reference", &got.1, &reference.as_linear(&of("hidden"))?)
}

#[test]
fn task_4_the_head_scores_every_row_of_the_table() -> Result<()> {
    let mut random = Random::new(48);
    let packed = Packed::random(&mut random, &[37], 128, 128, Dtype::Bfloat16)?;
    let table = packed.table(Dtype::Float32);
    for front in [&[] as &[i32], &[1, 1], &[2, 3]] {
        let x = random.normal(&[front, &[128]].concat());
        let got = table.as_linear(&x)?;
        assert_close_within(&format!("x {front:?}"), &got, &linear(&x, &packed.oracle()?, None)?, SUMS)?;
    }
    Ok(())
}

#[test]
fn task_4_a_packed_table_refuses_ids_that_it_does_not_have() -> Result<()> {
    let mut random = Random::new(49);
    let table = Packed::random(&mut random, &[11], 128, 64, Dtype::Float32)?.table(Dtype::Float32);
    for id in [11, u32::MAX] {
        expect_invalid_argument(table.forward(&ids(&[0, id], &[1, 2])), "ids");
    }
    expect_invalid_argument(table.forward(&Array::from_slice(&[3, -1], &[2])), "ids");
    expect_dtype(table.forward(&array(&[1.0], &[1, 1])));
    Ok(())
}

/// A checkpoint whose matrices stay packed on the rung of this day.
fn packed_model(checkpoint: &Checkpoint) -> Result<Qwen3Model> {
    let model = Qwen3Model::load(checkpoint, Rung::QuantizedMatvec)?;
    assert!(matches!(model.embed_tokens, Embedding::Quantized(_)), "the table was unpacked");
    let packed = |layer: &Linear| matches!(layer, Linear::Quantized(_));
    assert!(model.layers.iter().all(|layer| packed(&layer.self_attn.o_proj) && packed(&layer.mlp.down_proj)));
    Ok(model)
}

#[test]
fn end_logits_of_the_packed_model_are_those_of_mlx_lm() -> Result<()> {
    let golden = golden_tensors("week2/day3.safetensors")?;
    let model = packed_model(tiny_model()?)?;
    let logits = model.forward(&golden["model.ids"], 0, &mut model.caches()?, Rows::Last)?;
    let within = Tolerance { abs: 1e-3, rel: 0.0 };
    assert_close_within("the last row", &logits.index((0, 0)), &golden["model.last"], within)
}

#[test]
fn end_a_packed_model_answers_as_the_unpacked_one() -> Result<()> {
    let (model, dense) = (packed_model(tiny_model()?)?, Qwen3Model::load(tiny_model()?, Rung::KvCache)?);
    let tokens = Random::new(61).ids(4000, &[2, 6]);
    let got = model.forward(&tokens, 0, &mut model.caches()?, Rows::All)?;
    let expected = dense.forward(&tokens, 0, &mut dense.caches()?, Rows::All)?;
    assert_close_within("logits", &got, &expected, Tolerance { abs: 1e-3, rel: 0.0 })
}

#[test]
fn end_greedy_tokens_of_the_packed_model_are_those_of_mlx_lm() -> Result<()> {
    let model = packed_model(tiny_model()?)?;
    let file = golden_json("week1/generation.json")?;
    let cases = file["cases"].as_array().map(Vec::as_slice).unwrap_or_default();
    assert!(cases.len() >= 3, "only {} texts in the golden file", cases.len());
    for case in cases {
        let ids = |name: &str| -> Vec<u32> {
            let list = case[name].as_array().into_iter().flatten();
            list.filter_map(|id| Some(id.as_u64()? as u32)).collect()
        };
        let (prompt, tokens) = (ids("prompt"), ids("tokens"));
        let first = &tokens[..tokens.len().min(6)];
        let on = |_| ControlFlow::Continue(());
        let got = generate(&model, &mut model.caches()?, &prompt, first.len(), &[4095, 4093], greedy, on)?;
        assert_eq!(got.tokens, first, "{} after {prompt:?}", case["name"]);
    }
    Ok(())
}
