//! The embedded models against the golden file that an independent program wrote.

use kit::{Checkpoint, LinearWeights, Message, models, testing::tiny_model};
use mlx_rs::Dtype;
use pretty_assertions::assert_eq;
use serde_json::Value;

fn golden() -> Value {
    let file = models::embedded("golden/tiny_qwen3.json");
    serde_json::from_slice(&std::fs::read(file).expect("the golden file is committed")).expect("it is JSON")
}

fn ids(value: &Value) -> Vec<u32> {
    serde_json::from_value(value.clone()).expect("a list of ids")
}

#[test]
fn prompts_have_the_golden_text_and_ids() -> kit::Result<()> {
    let tokenizer = tiny_model()?.tokenizer()?;
    let golden = golden();
    assert_eq!(tokenizer.eos_ids(), ids(&golden["eos_ids"]));
    let cases = golden["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 12);
    for case in cases {
        let text = match case["raw"].as_str() {
            Some(raw) => raw.to_string(),
            None => {
                let messages: Vec<Message> = serde_json::from_value(case["messages"].clone()).expect("messages");
                tokenizer.apply_chat_template(&messages, false)?
            }
        };
        assert_eq!(text, case["prompt_text"].as_str().expect("a text"));
        assert_eq!(tokenizer.encode(&text)?, ids(&case["prompt_ids"]));
    }
    Ok(())
}

#[test]
fn ids_become_the_golden_text_whole_and_byte_by_byte() -> kit::Result<()> {
    let tokenizer = tiny_model()?.tokenizer()?;
    for case in golden()["cases"].as_array().expect("cases") {
        // The golden text spells the end token out.
        let (ids, text) = (ids(&case["ids"]), case["text"].as_str().expect("a text").trim_end_matches("<|im_end|>"));
        assert_eq!(tokenizer.decode(&ids)?, text);
        let bytes: Vec<u8> = ids.iter().map(|&id| tokenizer.bytes_of(id)).collect::<kit::Result<Vec<_>>>()?.concat();
        assert_eq!(String::from_utf8_lossy(&bytes), text);
    }
    assert!(tokenizer.bytes_of(4095)?.is_empty() && tokenizer.bytes_of(1_000_000)?.is_empty());
    assert_eq!(tokenizer.largest_id(), Some(4095));
    Ok(())
}

#[test]
fn weights_come_packed_and_unpacked() -> kit::Result<()> {
    let checkpoint = tiny_model()?;
    let config = checkpoint.config();
    assert_eq!((config.num_hidden_layers, config.hidden_size, config.vocab_size), (8, 256, 4096));
    let attention = checkpoint.weights().at("model.layers.7").at("self_attn");
    assert_eq!(attention.dense("q_proj")?.shape(), [512, 256]);
    assert_eq!(attention.dense("q_proj")?.dtype(), kit::activation_dtype());
    assert_eq!(attention.dense("q_norm")?.shape(), [128]);
    assert_eq!(attention.tensor("q_norm.weight")?.dtype(), Dtype::Bfloat16);
    assert!(attention.has("q_proj.scales") && !attention.has("q_proj.bias"));
    let LinearWeights::Quantized { weight, scales, biases, group_size, bits } = attention.linear("q_proj")? else {
        panic!("the embedded model is packed");
    };
    assert_eq!((weight.shape(), weight.dtype()), (&[512, 32][..], Dtype::Uint32));
    assert_eq!((scales.shape(), biases.shape(), group_size, bits), (&[512, 2][..], &[512, 2][..], 128, 4));
    Ok(())
}

#[test]
fn the_draft_model_opens_and_shares_the_tokenizer() -> kit::Result<()> {
    let draft = Checkpoint::open(models::embedded("tiny-qwen3-draft"))?;
    assert_eq!((draft.config().num_hidden_layers, draft.config().num_attention_heads), (2, 2));
    let text = "The KV cache 🦀";
    assert_eq!(draft.tokenizer()?.encode(text)?, tiny_model()?.tokenizer()?.encode(text)?);
    Ok(())
}
