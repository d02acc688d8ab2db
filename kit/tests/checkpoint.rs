//! Sound checkpoints of every supported kind are read to the value.

mod forge;

use forge::{Forge, HIDDEN, INNER, Kind, LAYERS, SOUND, VOCABULARY};
use half::{bf16, f16};
use kit::{
    Checkpoint, LinearWeights,
    testing::{assert_close, values},
};
use mlx_rs::Array;
use pretty_assertions::assert_eq;
use safetensors::Dtype;
use std::path::Path;

const DTYPES: [Dtype; 3] = [Dtype::F32, Dtype::F16, Dtype::BF16];

fn floats(dtype: Dtype, bytes: &[u8]) -> Vec<f32> {
    match dtype {
        Dtype::F32 => bytes.chunks(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect(),
        Dtype::F16 => bytes.chunks(2).map(|b| f16::from_le_bytes([b[0], b[1]]).to_f32()).collect(),
        _ => bytes.chunks(2).map(|b| bf16::from_le_bytes([b[0], b[1]]).to_f32()).collect(),
    }
}

/// The values of a module by the definition of the packing: a stream of `bits` per value, lowest bits first.
fn unpacked(forge: &Forge, path: &str, packing: Option<(i32, i32)>) -> Vec<f32> {
    let tensor = |part: &str| &forge.tensors[&format!("{path}.{part}")];
    let weight = tensor("weight");
    let Some((bits, group_size)) = packing else { return floats(weight.dtype, &weight.bytes) };
    let (bits, group_size) = (bits as usize, group_size as usize);
    let scales = floats(tensor("scales").dtype, &tensor("scales").bytes);
    let biases = floats(tensor("biases").dtype, &tensor("biases").bytes);
    let byte = |at: usize| weight.bytes.get(at).copied().unwrap_or(0);
    (0..weight.bytes.len() * 8 / bits)
        .map(|index| {
            let (at, shift) = (index * bits / 8, index * bits % 8);
            let q = u16::from_le_bytes([byte(at), byte(at + 1)]) >> shift & ((1 << bits) - 1);
            scales[index / group_size] * f32::from(q) + biases[index / group_size]
        })
        .collect()
}

/// Opens what was forged and compares every module with its definition.
fn read_back(forge: &Forge, kind: Kind, folder: &Path) -> kit::Result<()> {
    kit::mlx::use_cpu();
    let checkpoint = Checkpoint::open(folder)?;
    let weights = checkpoint.weights();
    let (queries, keys) = (kind.heads * kind.head_dim, kind.kv_heads * kind.head_dim);
    let mut matrices = vec![("model.embed_tokens".to_string(), [VOCABULARY, HIDDEN])];
    for layer in 0..LAYERS {
        matrices.push((format!("model.layers.{layer}.self_attn.q_proj"), [queries, HIDDEN]));
        matrices.push((format!("model.layers.{layer}.self_attn.v_proj"), [keys, HIDDEN]));
        matrices.push((format!("model.layers.{layer}.self_attn.o_proj"), [HIDDEN, queries]));
        matrices.push((format!("model.layers.{layer}.mlp.down_proj"), [HIDDEN, INNER]));
    }
    if !kind.tied {
        matrices.push(("lm_head".to_string(), [VOCABULARY, HIDDEN]));
    }
    for (path, shape) in matrices {
        let expected = Array::from_slice(&unpacked(forge, &path, kind.packing), &shape);
        assert_close(&path, &weights.dense(&path)?, &expected)?;
        match (weights.linear(&path)?, kind.packing) {
            (LinearWeights::Dense { weight }, None) => assert_eq!(weight.shape(), shape),
            (LinearWeights::Quantized { weight, bits, group_size, .. }, Some(packing)) => {
                assert_eq!(((bits, group_size), weight.dim(1)), (packing, shape[1] * bits / 32));
            }
            _ => panic!("{path} is stored in another way"),
        }
    }
    let norm = weights.at("model").dense("norm")?;
    let stored = &forge.tensors["model.norm.weight"];
    assert_eq!(values(&norm)?, floats(stored.dtype, &stored.bytes));
    Ok(())
}

fn written(kind: Kind) -> (Forge, tempfile::TempDir) {
    let (forge, folder) = (Forge::new(kind), tempfile::tempdir().expect("a folder"));
    forge.write(folder.path());
    (forge, folder)
}

#[test]
fn dense_checkpoints_of_every_dtype() -> kit::Result<()> {
    for dtype in DTYPES {
        for tied in [true, false] {
            let kind = Kind { dtype, packing: None, tied, ..SOUND };
            let (forge, folder) = written(kind);
            read_back(&forge, kind, folder.path())?;
        }
    }
    Ok(())
}

#[test]
fn packed_checkpoints_of_every_width_and_group() -> kit::Result<()> {
    for bits in [2, 3, 4, 5, 6, 8] {
        for group_size in [32, 64, 128] {
            let kind = Kind {
                dtype: DTYPES[bits as usize % 3],
                packing: Some((bits, group_size)),
                tied: bits % 2 == 0,
                ..SOUND
            };
            let (forge, folder) = written(kind);
            read_back(&forge, kind, folder.path())?;
        }
    }
    Ok(())
}

#[test]
fn heads_from_mqa_to_mha_and_a_free_head_dim() -> kit::Result<()> {
    for (heads, kv_heads, head_dim) in [(4, 1, 32), (4, 2, 32), (4, 4, 32), (2, 1, 128), (1, 1, 256)] {
        let kind = Kind { heads, kv_heads, head_dim, ..SOUND };
        let (forge, folder) = written(kind);
        read_back(&forge, kind, folder.path())?;
    }
    let mut forge = Forge::new(Kind { heads: 4, head_dim: 32, ..SOUND });
    forge.config.as_object_mut().expect("an object").remove("head_dim");
    let folder = tempfile::tempdir().expect("a folder");
    forge.write(folder.path());
    assert_eq!(Checkpoint::open(folder.path())?.config().head_dim, 32);
    Ok(())
}

#[test]
fn shards_with_an_index() -> kit::Result<()> {
    for count in [1, 3] {
        let (forge, folder) = (Forge::sound(), tempfile::tempdir().expect("a folder"));
        forge.write_shards(folder.path(), count);
        read_back(&forge, SOUND, folder.path())?;
    }
    Ok(())
}

#[test]
fn one_module_may_be_packed_in_another_way_or_kept_dense() -> kit::Result<()> {
    let (mut forge, other) = (Forge::sound(), Forge::new(Kind { packing: Some((8, 32)), ..SOUND }));
    let dense = Forge::new(Kind { packing: None, ..SOUND });
    let (wide, plain) = ("model.layers.0.mlp.down_proj", "model.layers.1.self_attn.q_proj");
    for part in ["weight", "scales", "biases"] {
        let name = format!("{wide}.{part}");
        forge.tensors.insert(name.clone(), other.tensors[&name].clone());
        forge.tensors.remove(&format!("{plain}.{part}"));
    }
    forge.tensors.insert(format!("{plain}.weight"), dense.tensors[&format!("{plain}.weight")].clone());
    forge.config["quantization"][wide] = serde_json::json!({ "bits": 8, "group_size": 32 });
    forge.config["quantization"][plain] = false.into();
    let folder = tempfile::tempdir().expect("a folder");
    forge.write(folder.path());
    let checkpoint = Checkpoint::open(folder.path())?;
    for (path, packing, shape) in [(wide, Some((8, 32)), [HIDDEN, INNER]), (plain, None, [HIDDEN, HIDDEN])] {
        let expected = Array::from_slice(&unpacked(&forge, path, packing), &shape);
        assert_close(path, &checkpoint.weights().dense(path)?, &expected)?;
    }
    Ok(())
}

#[test]
fn harmless_extras_and_newer_spellings_are_accepted() -> kit::Result<()> {
    let mut forge = Forge::sound();
    let inv_freq = Array::from_slice(&[1.0_f32; 32], &[32]);
    forge.floats("model.layers.0.self_attn.rotary_emb.inv_freq", &inv_freq, Dtype::F32);
    forge.floats("lm_head.weight", &Array::from_slice(&[0.0_f32; 4], &[2, 2]), Dtype::F32);
    let config = forge.config.as_object_mut().expect("an object");
    config.remove("rope_theta");
    config.insert("rope_parameters".into(), serde_json::json!({ "rope_type": "default", "rope_theta": 5e5 }));
    config.insert("quantization_config".into(), config["quantization"].clone());
    let folder = tempfile::tempdir().expect("a folder");
    forge.write(folder.path());
    assert_eq!(Checkpoint::open(folder.path())?.config().rope_theta, 5e5);
    Ok(())
}
