//! What is written is what was there: a random checkpoint goes into a file and comes back.

use std::fs;

use kit::{Checkpoint, Result, models::random, testing::values};
use peers::{gguf, metadata::Value, metadata::tensors, packing::Packing, read::Gguf};

/// The bytes of a small random checkpoint in that packing, beside the checkpoint.
fn written(packing: Packing, check: impl FnOnce(&Checkpoint, &Gguf<'_>, gguf::Written) -> Result<()>) -> Result<()> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    random::write("qwen3-tiny", 3, folder.path())?;
    let checkpoint = Checkpoint::open(folder.path())?;
    let file = folder.path().join("new/model.gguf");
    let written = gguf::write(&checkpoint, packing, &file)?;
    let bytes = fs::read(&file).expect("the file is there");
    assert_eq!(bytes.len() as u64, written.bytes);
    check(&checkpoint, &Gguf::parse(&bytes).expect("a GGUF file"), written)
}

#[test]
fn q4_1_holds_every_weight_exactly() -> Result<()> {
    written(Packing::Q4_1, |checkpoint, file, written| {
        assert_eq!(written.rounded, 0, "scales of this size fit into f16");
        let all = tensors(checkpoint.config());
        assert_eq!((all.len(), file.tensors.len()), (8 * 11 + 2, 8 * 11 + 2));
        for tensor in all {
            let want = values(&checkpoint.weights().dense(&tensor.module)?)?;
            let got = file.values(&tensor.name).expect("the tensor is there");
            assert_eq!(got.len(), want.len(), "{}", tensor.name);
            let off = got.iter().zip(&want).map(|(got, want)| (got - want).abs()).fold(0.0, f32::max);
            // scale · code + bias in f32, with one rounding or two.
            assert!(off <= 1e-7, "{} is off by {off}", tensor.name);
        }
        Ok(())
    })
}

#[test]
fn q4_0_is_as_near_as_four_bits_without_a_bias_can_be() -> Result<()> {
    written(Packing::Q4_0, |checkpoint, file, _| {
        for (module, name) in [("model.embed_tokens", "token_embd"), ("model.layers.5.mlp.down_proj", "blk.5.ffn_down")]
        {
            let want = values(&checkpoint.weights().dense(module)?)?;
            let got = file.values(&format!("{name}.weight")).expect("the tensor is there");
            for (got, want) in got.chunks_exact(32).zip(want.chunks_exact(32)) {
                let step = want.iter().fold(0.0_f32, |most, value| most.max(value.abs())) / 8.0;
                for (got, want) in got.iter().zip(want) {
                    // Codes end at 15, one step short of the other side's farthest value.
                    assert!((got - want).abs() <= 1.01 * step, "{name}: {got} for {want}, step {step}");
                }
            }
        }
        Ok(())
    })
}

#[test]
fn the_table_names_what_other_engines_ask_for() -> Result<()> {
    written(Packing::Q4_1, |_, file, _| {
        let number = |name: &str| file.entries.get(&format!("qwen3.{name}")).cloned();
        for (name, value) in [
            ("block_count", 8),
            ("embedding_length", 256),
            ("feed_forward_length", 768),
            ("attention.head_count", 4),
            ("attention.head_count_kv", 2),
            ("attention.key_length", 128),
            ("context_length", 40_960),
            ("vocab_size", 4096),
        ] {
            assert_eq!(number(name), Some(Value::U32(value)), "{name}");
        }
        assert_eq!(number("rope.freq_base"), Some(Value::F32(1e6)));
        assert_eq!(file.entries["general.architecture"], Value::Text("qwen3".into()));
        let (dimensions, kind, place) = &file.tensors["blk.0.attn_q.weight"];
        assert_eq!((dimensions.as_slice(), *kind, place % 32), (&[256, 512][..], 3, 0));
        Ok(())
    })
}

#[test]
fn a_file_that_cannot_be_written_is_a_sentence() -> Result<()> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    random::write("qwen3-tiny", 3, folder.path())?;
    let checkpoint = Checkpoint::open(folder.path())?;
    let file = folder.path().join("config.json/model.gguf");
    let refused = gguf::write(&checkpoint, Packing::Q4_1, &file).expect_err("config.json is no folder").to_string();
    assert!(refused.contains("model.gguf cannot be written: "), "{refused}");
    Ok(())
}
