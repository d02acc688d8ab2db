//! Day 5, the model: lookup and block by hand, then mlx-lm's hidden states layer by layer, then its logits.

use kit::testing::{
    Random, Tolerance, assert_close, assert_close_within, expect_dtype, expect_invalid_argument, expect_shape, golden,
    golden_json, golden_tensors, tiny_model, values,
};
use kit::{CausalLm, Checkpoint, Error, Result};
use mlx_rs::{Array, Dtype, fast, ops, ops::indexing::IndexOp};
use std::fs;
use week1::{
    block::TransformerBlock,
    embedding::Embedding,
    mask::Mask,
    mlp::Qwen3Mlp,
    model::Qwen3Model,
    qwen3_attention::{Qwen3Attention, Qwen3AttentionWeights},
    rms_norm::RMSNorm,
    rope::RoPE,
};

const FLOATS: [Dtype; 3] = [Dtype::Float32, Dtype::Float16, Dtype::Bfloat16];

/// `what` of a golden file, or a sentence that says it is missing.
fn part<'a>(file: &'a std::collections::HashMap<String, Array>, what: &str) -> Result<&'a Array> {
    file.get(what).ok_or_else(|| Error::Other(format!("the golden file has no {what}")))
}

#[test]
fn task_1_ids_of_any_shape_pick_rows() -> Result<()> {
    for (dtype, size) in FLOATS.into_iter().flat_map(|dtype| [(dtype, 7), (dtype, 3)]) {
        let table = Random::new(1).normal(&[size, 3]);
        let embedding = Embedding::new(table.as_dtype(dtype)?)?;
        for shape in [&[][..], &[4], &[2, 3], &[1, 2, 2]] {
            let ids = Random::new(2).ids(size as u32, shape);
            let byte = ids.as_dtype(Dtype::Uint8)?;
            for ids in [ids.as_dtype(Dtype::Int32)?, ids.as_dtype(Dtype::Int64)?, byte, ids] {
                let rows = values(&table.as_dtype(dtype)?)?;
                let expected: Vec<f32> =
                    values(&ids)?.iter().flat_map(|&id| rows[id as usize * 3..][..3].to_vec()).collect();
                let expected = Array::from_slice(&expected, &[shape, &[3]].concat()).as_dtype(dtype)?;
                assert_close("rows of the table", &embedding.forward(&ids)?, &expected)?;
            }
        }
    }
    Ok(())
}

#[test]
fn task_1_the_first_and_the_last_id_are_valid_and_no_id_at_all_too() -> Result<()> {
    let table = Random::new(3).normal(&[5, 2]);
    let embedding = Embedding::new(table.clone())?;
    assert_close(
        "ids 0 and 4",
        &embedding.forward(&Array::from_slice(&[0_u32, 4], &[2]))?,
        &ops::stack(&[table.index(0), table.index(4)], 0)?,
    )?;
    let none = embedding.forward(&Array::from_slice::<u32>(&[], &[1, 0]))?;
    assert_eq!(none.shape(), [1, 0, 2]);
    Ok(())
}

#[test]
fn task_1_ids_outside_the_table_are_refused_by_name() -> Result<()> {
    let embedding = Embedding::new(Random::new(4).normal(&[5, 2]))?;
    for id in [5, 6, 100_000, i32::MAX, -1, -5, i32::MIN] {
        let ids = Array::from_slice(&[0, 4, id, 2], &[2, 2]);
        let text = expect_invalid_argument(embedding.forward(&ids), "ids").to_string();
        assert!(text.contains(&id.to_string()) && text.contains('5'), "the message should name {id} and 5: {text}");
    }
    expect_invalid_argument(embedding.forward(&Array::from_slice(&[u32::MAX], &[1])), "ids");
    // Cut to 32 bits, this is id 1.
    expect_invalid_argument(embedding.forward(&Array::from_slice(&[(1_i64 << 32) + 1], &[1])), "ids");
    Ok(())
}

#[test]
fn task_1_ids_are_integers() -> Result<()> {
    let embedding = Embedding::new(Random::new(5).normal(&[5, 2]))?;
    expect_dtype(embedding.forward(&Array::from_slice(&[1.0_f32, 2.0], &[2])));
    expect_dtype(embedding.forward(&Array::from_slice(&[true, false], &[2])));
    Ok(())
}

#[test]
fn task_1_the_table_has_two_axes_and_floats() -> Result<()> {
    expect_shape(Embedding::new(Array::from_slice(&[1.0_f32, 2.0], &[2])));
    expect_shape(Embedding::new(Array::from_slice(&[1.0_f32, 2.0], &[1, 2, 1])));
    expect_dtype(Embedding::new(Array::from_slice(&[1, 2], &[1, 2])));
    expect_dtype(Embedding::new(Array::from_slice_f64(&[1.0, 2.0], &[1, 2])));
    Ok(())
}

#[test]
fn task_1_as_linear_gives_one_logit_for_each_row() -> Result<()> {
    let mut source = Random::new(6);
    for (dtype, size) in FLOATS.into_iter().flat_map(|dtype| [(dtype, 11), (dtype, 4)]) {
        let table = source.normal(&[size, 4]);
        let (table, embedding) = (table.as_dtype(dtype)?, Embedding::new(table.as_dtype(dtype)?)?);
        for shape in [&[4][..], &[3, 4], &[2, 3, 4]] {
            let x = source.normal(shape).as_dtype(dtype)?;
            let expected = ops::matmul(&x, table.transpose()?)?;
            assert_close("x · tableᵀ", &embedding.as_linear(&x)?, &expected)?;
            let reference = solution_week1::embedding::Embedding::new(table.clone())?;
            assert_close("the reference", &embedding.as_linear(&x)?, &reference.as_linear(&x)?)?;
        }
    }
    expect_shape(Embedding::new(source.normal(&[11, 4]))?.as_linear(&source.normal(&[2, 3])));
    Ok(())
}

#[test]
fn task_1_the_embedded_model_starts_like_mlx_lm() -> Result<()> {
    let file = golden_tensors("week1/tiny_qwen3.safetensors")?;
    let embedding = Embedding::new(tiny_model()?.weights().at("model").dense("embed_tokens")?)?;
    let first = part(&file, "question.hidden")?.index((0..1, .., ..));
    assert_close("embed_tokens", &embedding.forward(part(&file, "question.ids")?)?, &first)
}

/// A random block: E = 32, four query heads on two key-value heads, D = 16, I = 48.
struct RandomBlock {
    attention: Qwen3AttentionWeights,
    mlp: [Array; 3],
    norms: [Array; 2],
}

impl RandomBlock {
    fn new(seed: u64) -> Result<Self> {
        let mut source = Random::new(seed);
        let scale = |a: Array, by: f32| a.multiply(Array::from_f32(by));
        let mut matrix = |rows, columns| scale(source.normal(&[rows, columns]), 1.0 / (columns as f32).sqrt());
        let attention = Qwen3AttentionWeights {
            q_proj: matrix(64, 32)?,
            k_proj: matrix(32, 32)?,
            v_proj: matrix(32, 32)?,
            o_proj: matrix(32, 64)?,
            q_norm: Random::new(seed + 1).uniform(0.5, 1.5, &[16]),
            k_norm: Random::new(seed + 2).uniform(0.5, 1.5, &[16]),
        };
        let mlp = [matrix(48, 32)?, matrix(48, 32)?, matrix(32, 48)?];
        let norms = [3, 4].map(|more| Random::new(seed + more).uniform(0.5, 1.5, &[32]));
        Ok(Self { attention, mlp, norms })
    }

    /// The tensors of mlx-lm's golden block.
    fn golden(file: &std::collections::HashMap<String, Array>) -> Result<Self> {
        let weight = |name: &str| Ok::<_, Error>(part(file, &format!("{name}.weight"))?.clone());
        let attention = Qwen3AttentionWeights {
            q_proj: weight("self_attn.q_proj")?,
            k_proj: weight("self_attn.k_proj")?,
            v_proj: weight("self_attn.v_proj")?,
            o_proj: weight("self_attn.o_proj")?,
            q_norm: weight("self_attn.q_norm")?,
            k_norm: weight("self_attn.k_norm")?,
        };
        let mlp = [weight("mlp.gate_proj")?, weight("mlp.up_proj")?, weight("mlp.down_proj")?];
        Ok(Self { attention, mlp, norms: [weight("input_layernorm")?, weight("post_attention_layernorm")?] })
    }

    fn block(&self, dtype: Dtype) -> Result<TransformerBlock> {
        let cast = |a: &Array| a.as_dtype(dtype);
        let [gate, up, down] = &self.mlp;
        let a = &self.attention;
        let attention = Qwen3AttentionWeights {
            q_proj: cast(&a.q_proj)?,
            k_proj: cast(&a.k_proj)?,
            v_proj: cast(&a.v_proj)?,
            o_proj: cast(&a.o_proj)?,
            q_norm: cast(&a.q_norm)?,
            k_norm: cast(&a.k_norm)?,
        };
        Ok(TransformerBlock {
            input_layernorm: RMSNorm::new(cast(&self.norms[0])?, 1e-6)?,
            self_attn: Qwen3Attention::new(attention, 4, 2, 1e-6, RoPE::new(16, 10_000.0, false)?)?,
            post_attention_layernorm: RMSNorm::new(cast(&self.norms[1])?, 1e-6)?,
            mlp: Qwen3Mlp::new(cast(gate)?, cast(up)?, cast(down)?)?,
        })
    }

    /// The block on MLX's fused operators, in f32. `causal` as in `fast::scaled_dot_product_attention`.
    fn fused(&self, x: &Array, causal: bool) -> Result<Array> {
        let (b, l) = (x.dim(0), x.dim(1));
        let linear = |x: &Array, w: &Array| ops::matmul(x, w.transpose()?);
        let heads = |x: &Array, w: &Array, n: i32| linear(x, w)?.reshape(&[b, l, n, 16]);
        let turn = |x: Array| fast::rope(x.swap_axes(1, 2)?, 16, false, 10_000.0, 1.0, 0, None);
        let a = &self.attention;
        let read = fast::rms_norm(x, Some(&self.norms[0]), 1e-6)?;
        let q = turn(fast::rms_norm(heads(&read, &a.q_proj, 4)?, Some(&a.q_norm), 1e-6)?)?;
        let k = turn(fast::rms_norm(heads(&read, &a.k_proj, 2)?, Some(&a.k_norm), 1e-6)?)?;
        let v = heads(&read, &a.v_proj, 2)?.swap_axes(1, 2)?;
        let mask = causal.then_some(fast::ScaledDotProductAttentionMask::Causal);
        let attended = fast::scaled_dot_product_attention(q, k, v, 0.25, mask, None)?;
        let x = x.add(linear(&attended.swap_axes(1, 2)?.reshape(&[b, l, 64])?, &a.o_proj)?)?;
        let read = fast::rms_norm(&x, Some(&self.norms[1]), 1e-6)?;
        let gate = linear(&read, &self.mlp[0])?;
        let gated = gate.multiply(ops::sigmoid(&gate)?)?.multiply(linear(&read, &self.mlp[1])?)?;
        Ok(x.add(linear(&gated, &self.mlp[2])?)?)
    }
}

#[test]
fn task_2_the_block_of_mlx_lm() -> Result<()> {
    let file = golden_tensors("week1/block.safetensors")?;
    let block = RandomBlock::golden(&file)?.block(Dtype::Float32)?;
    let x = part(&file, "x")?;
    assert_close("causal", &block.forward(x, Mask::Causal)?, part(&file, "causal")?)?;
    assert_close("unmasked", &block.forward(x, Mask::None)?, part(&file, "unmasked")?)
}

#[test]
fn task_2_the_block_on_fused_operators() -> Result<()> {
    for (seed, shape) in [(10, [1, 1, 32]), (20, [1, 13, 32]), (30, [3, 6, 32])] {
        let random = RandomBlock::new(seed)?;
        let x = Random::new(seed + 9).normal(&shape);
        let block = random.block(Dtype::Float32)?;
        assert_close("causal", &block.forward(&x, Mask::Causal)?, &random.fused(&x, true)?)?;
        assert_close("unmasked", &block.forward(&x, Mask::None)?, &random.fused(&x, false)?)?;
    }
    Ok(())
}

#[test]
fn task_2_half_precision_stays_half_precision() -> Result<()> {
    let random = RandomBlock::new(40)?;
    let x = Random::new(49).normal(&[2, 7, 32]);
    let exact = random.fused(&x, true)?;
    for (dtype, bound) in [(Dtype::Float16, 0.01), (Dtype::Bfloat16, 0.08)] {
        let got = random.block(dtype)?.forward(&x.as_dtype(dtype)?, Mask::Causal)?;
        assert_eq!(got.dtype(), dtype);
        assert_close_within("in f32", &got.as_dtype(Dtype::Float32)?, &exact, Tolerance { abs: bound, rel: bound })?;
    }
    Ok(())
}

#[test]
fn task_2_what_adds_nothing_changes_nothing() -> Result<()> {
    let mut random = RandomBlock::new(50)?;
    random.attention.o_proj = Array::zeros::<f32>(&[32, 64])?;
    random.mlp[2] = Array::zeros::<f32>(&[32, 48])?;
    let x = Random::new(59).normal(&[2, 5, 32]);
    let same = random.block(Dtype::Float32)?.forward(&x, Mask::Causal)?;
    assert_close_within("the residual stream", &same, &x, Tolerance::EXACT)
}

#[test]
fn task_2_a_later_token_changes_nothing_before_it() -> Result<()> {
    let block = RandomBlock::new(60)?.block(Dtype::Float32)?;
    let x = Random::new(69).normal(&[1, 8, 32]);
    let changed = ops::concatenate(&[x.index((.., ..7, ..)), Random::new(70).normal(&[1, 1, 32])], 1)?;
    let (before, after) = (block.forward(&x, Mask::Causal)?, block.forward(&changed, Mask::Causal)?);
    assert_close("tokens 0 to 6", &after.index((.., ..7, ..)), &before.index((.., ..7, ..)))
}

/// Compares the states after every layer and names the first layer that differs.
#[test]
fn task_3_hidden_states_after_every_layer() -> Result<()> {
    let model = Qwen3Model::load(tiny_model()?)?;
    let file = golden_tensors("week1/tiny_qwen3.safetensors")?;
    let expected = part(&file, "question.hidden")?; // (1 + layers, L, E)
    let mut hidden = model.embed_tokens.forward(part(&file, "question.ids")?)?;
    let mut table = String::from("after            largest |Δ|   root mean square\n");
    let mut first = None;
    for step in 0..expected.dim(0) {
        let name = if step == 0 { "embed_tokens".into() } else { format!("layers.{}", step - 1) };
        if step > 0 {
            let Some(layer) = model.layers.get(step as usize - 1) else { panic!("{name} is missing") };
            hidden = layer.forward(&hidden, Mask::Causal)?;
        }
        let (got, want) = (values(&hidden)?, values(&expected.index((step, .., ..)))?);
        let largest = got
            .iter()
            .zip(&want)
            .map(|(g, w)| (g - w).abs())
            .fold(0.0, |a: f32, b| if b > a || b.is_nan() { b } else { a });
        let size = (want.iter().map(|w| w * w).sum::<f32>() / want.len() as f32).sqrt();
        table += &format!("{name:14} {largest:13.2e} {size:18.3}\n");
        if first.is_none() && (got.len() != want.len() || largest.is_nan() || largest > 1e-4 * size.max(1.0)) {
            first = Some(name);
        }
    }
    print!("{table}");
    assert!(first.is_none(), "the first layer that differs is {}\n{table}", first.unwrap_or_default());
    assert_eq!(model.layers.len() as i32, expected.dim(0) - 1, "the number of layers");
    Ok(())
}

#[test]
fn task_3_all_layers_share_one_pair_of_tables() -> Result<()> {
    let model = Qwen3Model::load(tiny_model()?)?;
    let made = |layer: usize| model.layers[layer].self_attn.rope.tables.positions_made();
    let before = made(7);
    model.layers[0].forward(&Random::new(80).normal(&[1, 40, 256]), Mask::Causal)?.eval()?;
    assert!(before < 40 && made(7) >= 40, "layer 0 has seen 40 positions, layer 7 has tables for {}", made(7));
    Ok(())
}

#[test]
fn task_3_the_head_is_tied_when_the_configuration_says_so() -> Result<()> {
    let tied = Qwen3Model::load(tiny_model()?)?;
    assert!(tied.lm_head.is_none(), "the embedded model has no lm_head");
    let untied = Qwen3Model::load(&Checkpoint::open(golden("week1/untied_mqa"))?)?;
    assert_eq!(untied.lm_head.map(|head| head.shape().to_vec()), Some(vec![97, 32]));
    assert_eq!((tied.max_position_embeddings, untied.max_position_embeddings), (2048, 64));
    Ok(())
}

#[test]
fn task_3_the_configuration_decides_about_eps_and_head() -> Result<()> {
    let mut config = golden_json("week1/untied_mqa/config.json")?;
    config["rms_norm_eps"] = 0.125.into();
    config["tie_word_embeddings"] = true.into();
    let folder = std::env::temp_dir().join(format!("tiny-llm-day5-{}", std::process::id()));
    let written = fs::create_dir_all(&folder)
        .and_then(|()| fs::copy(golden("week1/untied_mqa/model.safetensors"), folder.join("model.safetensors")))
        .and_then(|_| fs::write(folder.join("config.json"), config.to_string()));
    let model = match written {
        Ok(()) => Checkpoint::open(&folder).and_then(|checkpoint| Qwen3Model::load(&checkpoint)),
        Err(error) => Err(Error::Other(format!("{} cannot be written: {error}", folder.display()))),
    };
    fs::remove_dir_all(&folder).map_err(|error| Error::Other(format!("{}: {error}", folder.display())))?;
    let model = model?;
    assert!(model.lm_head.is_none(), "the checkpoint holds an lm_head, but the configuration ties the head");
    let mut places = vec![("the last norm", model.norm.eps)];
    for layer in &model.layers {
        places.push(("input_layernorm", layer.input_layernorm.eps));
        places.push(("self_attn", layer.self_attn.rms_norm_eps));
        places.push(("post_attention_layernorm", layer.post_attention_layernorm.eps));
    }
    places.iter().for_each(|(place, eps)| assert_eq!(*eps, 0.125, "rms_norm_eps of {place}"));
    Ok(())
}

#[test]
fn task_3_tensors_arrive_unpacked_in_the_activation_dtype() -> Result<()> {
    for (folder, shape) in [("week1/untied_mqa", [97, 32]), ("week1/packed_tied", [61, 64])] {
        let checkpoint = Checkpoint::open(golden(folder))?;
        let model = Qwen3Model::load(&checkpoint)?;
        let table = &model.embed_tokens.weight;
        assert_eq!((table.shape(), table.dtype()), (&shape[..], kit::activation_dtype()), "{folder}");
        let reference = solution_week1::model::Qwen3Model::load(&checkpoint)?;
        assert_close("embed_tokens", table, &reference.embed_tokens.weight)?;
    }
    Ok(())
}

#[test]
fn task_3_every_module_of_a_random_model_is_in_its_place() -> Result<()> {
    for folder in ["week1/untied_mqa", "week1/packed_tied"] {
        let checkpoint = Checkpoint::open(golden(folder))?;
        let (model, reference) =
            (Qwen3Model::load(&checkpoint)?, solution_week1::model::Qwen3Model::load(&checkpoint)?);
        assert_eq!(model.layers.len(), reference.layers.len(), "{folder}");
        let x = Random::new(81).normal(&[2, 6, checkpoint.config().hidden_size]);
        for (index, (layer, expected)) in model.layers.iter().zip(&reference.layers).enumerate() {
            let expected = expected.forward(&x, solution_week1::mask::Mask::Causal)?;
            assert_close(&format!("{folder}, layers.{index}"), &layer.forward(&x, Mask::Causal)?, &expected)?;
        }
        assert_close("norm", &model.norm.forward(&x)?, &reference.norm.forward(&x)?)?;
    }
    Ok(())
}

/// Logits (.., V) as rows of f64.
fn rows(logits: &Array) -> Result<Vec<Vec<f64>>> {
    let flat: Vec<f64> = values(logits)?.iter().map(|&v| v.into()).collect();
    Ok(flat.chunks(logits.dim(-1) as usize).map(<[f64]>::to_vec).collect())
}

fn log_softmax(row: &[f64]) -> Vec<f64> {
    let most = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let log_sum = row.iter().map(|v| (v - most).exp()).sum::<f64>().ln() + most;
    row.iter().map(|v| v - log_sum).collect()
}

fn best(row: &[f64]) -> usize {
    (0..row.len()).fold(0, |best, id| if row[id] > row[best] { id } else { best })
}

/// At every position: entries within 1e-3, the same winner, and a divergence below 1e-6 nats.
fn assert_same_law(what: &str, got: &Array, want: &Array) -> Result<()> {
    assert_close_within(what, got, want, Tolerance { abs: 1e-3, rel: 0.0 })?;
    for (position, (got, want)) in rows(got)?.iter().zip(&rows(want)?).enumerate() {
        assert_eq!(best(got), best(want), "{what}: another winner at position {position}");
        let (p, q) = (log_softmax(want), log_softmax(got));
        let divergence: f64 = p.iter().zip(&q).map(|(p, q)| p.exp() * (p - q)).sum();
        assert!(divergence < 1e-6, "{what}: KL {divergence:.1e} at position {position}");
    }
    Ok(())
}

#[test]
fn task_4_logits_of_the_embedded_model_are_those_of_mlx_lm() -> Result<()> {
    let model = Qwen3Model::load(tiny_model()?)?;
    let file = golden_tensors("week1/tiny_qwen3.safetensors")?;
    for case in ["question", "batch"] {
        let logits = model.forward(part(&file, &format!("{case}.ids"))?)?;
        assert_same_law(case, &logits, part(&file, &format!("{case}.logits"))?)?;
    }
    Ok(())
}

#[test]
fn task_4_logits_of_random_models_are_those_of_mlx_lm() -> Result<()> {
    let file = golden_tensors("week1/random_models.safetensors")?;
    for name in ["untied_mqa", "packed_tied"] {
        let model = Qwen3Model::load(&Checkpoint::open(golden(&format!("week1/{name}")))?)?;
        let ids = part(&file, &format!("{name}.ids"))?;
        for ids in [ids, &ids.as_dtype(Dtype::Int32)?] {
            assert_same_law(name, &model.forward(ids)?, part(&file, &format!("{name}.logits"))?)?;
        }
    }
    Ok(())
}

fn random_model() -> Result<Qwen3Model> {
    Qwen3Model::load(&Checkpoint::open(golden("week1/untied_mqa"))?)
}

#[test]
fn task_4_a_beginning_has_the_logits_it_has_alone() -> Result<()> {
    let model = random_model()?;
    let ids = Random::new(90).ids(97, &[1, 12]);
    let all = model.forward(&ids)?;
    for length in [1, 2, 7] {
        let alone = model.forward(&ids.index((.., ..length)))?;
        assert_close(&format!("{length} of 12 tokens"), &alone, &all.index((.., ..length, ..)))?;
    }
    Ok(())
}

#[test]
fn task_4_rows_of_a_batch_do_not_look_at_each_other() -> Result<()> {
    let model = random_model()?;
    let ids = Random::new(91).ids(97, &[3, 5]);
    let batch = model.forward(&ids)?;
    assert_eq!(batch.shape(), [3, 5, 97]);
    for row in 0..3 {
        let alone = model.forward(&ids.index((row..row + 1, ..)))?;
        assert_close(&format!("row {row}"), &alone, &batch.index((row..row + 1, .., ..)))?;
    }
    Ok(())
}

#[test]
fn task_4_bf16_weights_give_bf16_logits_close_to_f32() -> Result<()> {
    let file = golden_tensors("week1/random_models.safetensors")?;
    let checkpoint = Checkpoint::open(golden("week1/untied_mqa"))?;
    let (config, weights) = (checkpoint.config(), checkpoint.weights());
    let half = |path: &str, name: &str| weights.at(path).dense(name)?.as_dtype(Dtype::Bfloat16).map_err(Error::from);
    let rope = RoPE::new(config.head_dim, config.rope_theta, false)?;
    let mut layers = Vec::new();
    for layer in 0..config.num_hidden_layers {
        let at = |name: &str| format!("model.layers.{layer}{name}");
        let attention = Qwen3AttentionWeights {
            q_proj: half(&at(".self_attn"), "q_proj")?,
            k_proj: half(&at(".self_attn"), "k_proj")?,
            v_proj: half(&at(".self_attn"), "v_proj")?,
            o_proj: half(&at(".self_attn"), "o_proj")?,
            q_norm: half(&at(".self_attn"), "q_norm")?,
            k_norm: half(&at(".self_attn"), "k_norm")?,
        };
        let mlp = [half(&at(".mlp"), "gate_proj")?, half(&at(".mlp"), "up_proj")?, half(&at(".mlp"), "down_proj")?];
        let [gate, up, down] = mlp;
        layers.push(TransformerBlock {
            input_layernorm: RMSNorm::new(half(&at(""), "input_layernorm")?, config.rms_norm_eps)?,
            self_attn: Qwen3Attention::new(attention, 4, 1, config.rms_norm_eps, rope.clone())?,
            post_attention_layernorm: RMSNorm::new(half(&at(""), "post_attention_layernorm")?, config.rms_norm_eps)?,
            mlp: Qwen3Mlp::new(gate, up, down)?,
        });
    }
    let model = Qwen3Model {
        embed_tokens: Embedding::new(half("model", "embed_tokens")?)?,
        layers,
        norm: RMSNorm::new(half("model", "norm")?, config.rms_norm_eps)?,
        lm_head: Some(half("", "lm_head")?),
        max_position_embeddings: 64,
    };
    let logits = model.forward(part(&file, "untied_mqa.ids")?)?;
    assert_eq!(logits.dtype(), Dtype::Bfloat16);
    let expected = part(&file, "untied_mqa.logits")?;
    let bound = Tolerance { abs: 0.1, rel: 0.05 };
    assert_close_within("bf16", &logits.as_dtype(Dtype::Float32)?, expected, bound)
}

#[test]
fn task_4_texts_longer_than_the_model_was_made_for_are_refused() -> Result<()> {
    let model = random_model()?;
    assert_eq!(model.forward(&Array::zeros::<u32>(&[1, 64])?)?.shape(), [1, 64, 97]);
    assert_eq!(model.forward(&Array::zeros::<u32>(&[3, 40])?)?.shape(), [3, 40, 97], "three texts of 40 ids");
    for length in [65, 1000] {
        let refused = model.forward(&Array::zeros::<u32>(&[1, length])?);
        let text = expect_invalid_argument(refused, "tokens").to_string();
        assert!(text.contains(&length.to_string()) && text.contains("64"), "should name {length} and 64: {text}");
    }
    Ok(())
}

#[test]
fn task_4_refuses_other_shapes_and_unknown_ids() -> Result<()> {
    let model = random_model()?;
    expect_shape(model.forward(&Array::zeros::<u32>(&[5])?));
    expect_shape(model.forward(&Array::zeros::<u32>(&[1, 1, 5])?));
    expect_shape(model.forward(&Array::zeros::<u32>(&[1, 0])?));
    expect_invalid_argument(model.forward(&Array::from_slice(&[3_u32, 97], &[1, 2])), "ids");
    expect_dtype(model.forward(&Array::zeros::<f32>(&[1, 5])?));
    Ok(())
}

#[test]
fn end_the_embedded_model_knows_how_its_answer_begins() -> Result<()> {
    let checkpoint = tiny_model()?;
    let tokenizer = checkpoint.tokenizer()?;
    let prompt = tokenizer.encode("<|im_start|>user\nWhat is a KV cache?<|im_end|>\n<|im_start|>assistant\nThe KV")?;
    let ids = Array::from_slice(&prompt, &[1, prompt.len() as i32]);
    let logits = Qwen3Model::load(checkpoint)?.forward(&ids)?;
    let last = rows(&logits)?.pop().unwrap_or_default();
    let next = tokenizer.decode(&[best(&last) as u32])?;
    assert!(next == " cache", "after \"The KV\"\n  got      {next:?}\n  expected \" cache\"");
    // A model that is nearly right still says " cache": mlx-lm's logits say more, at every token of the question.
    let file = golden_tensors("week1/tiny_qwen3.safetensors")?;
    assert_close_within("ids", &ids.index((.., ..14)), part(&file, "question.ids")?, Tolerance::EXACT)?;
    assert_same_law("the question", &logits.index((.., ..14, ..)), part(&file, "question.logits")?)
}

/// One pass over prompt and answer gives every token of the answer, where generation asks once a token.
#[test]
fn end_the_embedded_model_s_next_tokens_are_mlx_lm_s() -> Result<()> {
    let model = Qwen3Model::load(tiny_model()?)?;
    let file = golden_json("week1/generation.json")?;
    let mut compared = 0;
    for case in file["cases"].as_array().into_iter().flatten() {
        let ids = |name: &str| {
            let list = case[name].as_array().into_iter().flatten();
            list.filter_map(|id| Some(id.as_u64()? as u32)).collect::<Vec<_>>()
        };
        let (prompt, expected) = (ids("prompt"), ids("tokens"));
        let text = [&prompt[..], &expected].concat();
        let law = rows(&model.forward(&Array::from_slice(&text, &[1, text.len() as i32]))?)?;
        let got: Vec<u32> = law[prompt.len() - 1..text.len() - 1].iter().map(|row| best(row) as u32).collect();
        assert!(got == expected, "{}: next tokens\n  got      {got:?}\n  expected {expected:?}", case["name"]);
        compared += got.len();
    }
    assert!(compared >= 30, "only {compared} tokens in the golden file");
    Ok(())
}
