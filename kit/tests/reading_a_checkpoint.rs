//! The page "Reading a checkpoint": its code is run here, and its commands print what it shows.
//!
//! The lines between `BOOK name` and `END BOOK` are shown in book/src/reading-a-checkpoint.md.

use kit::{Checkpoint, Result, models::embedded, testing::values};
use mlx_rs::{Dtype, ops::indexing::IndexOp};
use pretty_assertions::assert_eq;

const PAGE: &str = include_str!("../../book/src/reading-a-checkpoint.md");

#[test]
fn a_module_is_three_tensors() -> Result<()> {
    // BOOK triplet
    let checkpoint = Checkpoint::open(embedded("tiny-qwen3"))?;
    let attention = checkpoint.weights().at("model.layers.0").at("self_attn");

    let weight = attention.tensor("q_proj.weight")?;
    assert_eq!((weight.shape(), weight.dtype()), (&[512, 32][..], Dtype::Uint32));
    let scales = attention.tensor("q_proj.scales")?;
    assert_eq!((scales.shape(), scales.dtype()), (&[512, 2][..], Dtype::Bfloat16));
    // END BOOK
    assert_eq!(attention.tensor("q_proj.biases")?.shape(), [512, 2]);
    Ok(())
}

#[test]
fn a_weight_is_code_times_scale_plus_bias() -> Result<()> {
    let checkpoint = Checkpoint::open(embedded("tiny-qwen3"))?;
    let attention = checkpoint.weights().at("model.layers.0").at("self_attn");
    // BOOK unpack
    let word = attention.tensor("q_proj.weight")?.index((0, 0)).item_exact::<u32>();
    assert_eq!(word, 0x8099_8788);
    let codes: Vec<u32> = (0..8).map(|i| (word >> (4 * i)) & 0xf).collect();
    assert_eq!(codes, [8, 8, 7, 8, 9, 9, 0, 8]);

    let scale = attention.tensor("q_proj.scales")?.index((0, 0)).item_cast::<f32>();
    let bias = attention.tensor("q_proj.biases")?.index((0, 0)).item_cast::<f32>();
    assert_eq!((scale, bias), (-0.025390625, 0.203125));

    let by_hand: Vec<f32> = codes.iter().map(|&c| c as f32 * scale + bias).collect();
    let unpacked = attention.dense("q_proj")?.index((0, ..8));
    assert_eq!(by_hand, values(&unpacked)?);
    // END BOOK
    Ok(())
}

#[test]
fn the_numbers_of_the_page_are_those_of_the_file() -> Result<()> {
    let file = std::fs::read(embedded("tiny-qwen3/model.safetensors")).expect("the embedded model is there");
    let length = u64::from_le_bytes(file[..8].try_into().expect("eight bytes")) as usize;
    let header: serde_json::Value = serde_json::from_slice(&file[8..8 + length]).expect("the header is JSON");
    let tensors = header.as_object().expect("an object").iter().filter(|(name, _)| *name != "__metadata__");
    let (mut packed, mut floats) = ((0, 0), (0, 0));
    for (_, entry) in tensors {
        let offsets = entry["data_offsets"].as_array().expect("two offsets");
        let bytes = offsets[1].as_u64().expect("a number") - offsets[0].as_u64().expect("a number");
        let sum = if entry["dtype"] == "U32" { &mut packed } else { &mut floats };
        *sum = (sum.0 + 1, sum.1 + bytes);
    }
    assert_eq!((length, packed, floats), (21_422, (57, 4_456_448), (147, 291_328)));
    assert_eq!(file.len() as u64, 8 + length as u64 + packed.1 + floats.1);
    for number in ["21,422", "57", "147", "4,456,448", "291,328", "4,769,206"] {
        assert!(PAGE.contains(number), "{number} is not in the page");
    }
    Ok(())
}

/// Column widths differ between systems, so words are compared.
#[cfg(unix)]
#[test]
fn the_commands_print_what_the_page_shows() {
    let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
    let blocks: Vec<&str> = PAGE.split("```console\n").skip(1).filter_map(|rest| rest.split("\n```").next()).collect();
    assert_eq!(blocks.len(), 4);
    for block in blocks {
        let (command, shown) = block.strip_prefix("$ ").and_then(|rest| rest.split_once('\n')).expect("a command");
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        let ran = std::process::Command::new("sh").args(["-c", command]).current_dir(root).output().expect("sh starts");
        assert_eq!(words(&String::from_utf8_lossy(&ran.stdout)), words(shown), "{command}");
    }
}

#[test]
fn a_file_that_was_cut_is_refused_with_the_sentence_of_the_page() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let whole = embedded("tiny-qwen3");
    for name in ["config.json", "tokenizer.json", "tokenizer_config.json", "generation_config.json"] {
        std::fs::copy(whole.join(name), folder.path().join(name)).expect("the file is copied");
    }
    let bytes = std::fs::read(whole.join("model.safetensors")).expect("the embedded model is there");
    std::fs::write(folder.path().join("model.safetensors"), &bytes[..4_000_000]).expect("the file is written");
    let refusal = Checkpoint::open(folder.path()).map(|_| ()).expect_err("a truncated file").to_string();
    let sentence = refusal.split("model.safetensors: ").last().expect("a sentence");
    assert!(PAGE.replace('\n', " ").contains(sentence), "the page does not show: {sentence}");
}
