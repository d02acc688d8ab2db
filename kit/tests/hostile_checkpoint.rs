//! Damaged and malicious checkpoints: each is refused with one sentence, before anything is read or allocated.

mod forge;

use forge::{Forge, HIDDEN, Kind, SOUND};
use kit::Checkpoint;
use mlx_rs::Array;
use rand::{Rng, SeedableRng, rngs::StdRng};
use safetensors::Dtype;
use serde_json::{Value, json};
use std::path::Path;

/// The sentence that refuses the folder; it is one line and names a file.
fn refusal(folder: &Path) -> String {
    match Checkpoint::open(folder) {
        Ok(_) => panic!("the checkpoint must be refused"),
        Err(error) => {
            let sentence = error.to_string();
            assert!(!sentence.contains('\n') && sentence.len() < 500, "{sentence}");
            assert!(sentence.starts_with(&folder.display().to_string()), "{sentence}");
            sentence
        }
    }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Asserts that a change of a sound checkpoint is refused with all of `parts` in the sentence.
fn refused(change: impl Fn(&mut Forge), parts: &[&str]) {
    let (mut forge, folder) = (Forge::sound(), folder());
    change(&mut forge);
    forge.write(folder.path());
    let sentence = refusal(folder.path());
    for part in parts {
        assert!(sentence.contains(part), "{sentence:?} lacks {part:?}");
    }
}

fn config(name: &str, value: Value, parts: &[&str]) {
    refused(|forge| forge.config[name] = value.clone(), parts);
}

#[test]
fn sizes_out_of_range() {
    for (name, value) in [
        ("num_hidden_layers", json!(0)),
        ("hidden_size", json!(-1)),
        ("vocab_size", json!(1.5)),
        ("intermediate_size", json!("256")),
        ("num_attention_heads", json!(4294967296_u64)),
        ("max_position_embeddings", json!(0)),
        ("num_key_value_heads", json!(1e300)),
        ("head_dim", json!(2147483647)),
    ] {
        config(name, value.clone(), &["config.json: ", name, "must be a whole number from 1 to"]);
        if name != "head_dim" {
            let remove = |forge: &mut Forge| drop(forge.config.as_object_mut().expect("an object").remove(name));
            refused(remove, &[name, "is missing, but it must be"]);
        }
    }
}

#[test]
fn constants_out_of_range() {
    config("rms_norm_eps", json!(0), &["rms_norm_eps is 0, but it must be a positive number"]);
    config("rms_norm_eps", json!("NaN"), &["rms_norm_eps is \"NaN\""]);
    config("rope_theta", json!(-10000), &["rope_theta is -10000, but it must be a positive number"]);
    config("rope_theta", json!(1e300), &["rope_theta is 1e+300, but it must be a positive number that fits f32"]);
    config("tie_word_embeddings", json!(1), &["tie_word_embeddings is 1, but it must be true or false"]);
}

#[test]
fn sizes_that_contradict_each_other() {
    config("num_key_value_heads", json!(3), &["num_attention_heads 2 does not divide by num_key_value_heads 3"]);
    config("head_dim", json!(63), &["head_dim is 63, but rotations need an even one"]);
    config("head_dim", json!(16777216), &["num_attention_heads 2 times head_dim 16777216 is more than 16777216"]);
    refused(
        |forge| {
            forge.config["hidden_size"] = json!(129);
            forge.config["head_dim"] = json!(null);
        },
        &["head_dim is missing and hidden_size 129 does not divide by num_attention_heads 2"],
    );
}

#[test]
fn architectures_that_the_engine_does_not_compute() {
    config("model_type", json!("llama"), &["model_type is \"llama\", but this course reads \"qwen3\" and"]);
    config("model_type", json!(null), &["model_type is missing"]);
    config("model_type", json!("qwen3_moe"), &["num_experts"]);
    config(
        "rope_scaling",
        json!({ "type": "yarn", "factor": 4.0 }),
        &["rope_scaling is {", "yarn", "unscaled rotations only"],
    );
    config("rope_parameters", json!({ "rope_type": "yarn" }), &["rope_type is \"yarn\""]);
    config("use_sliding_window", json!(true), &["use_sliding_window is true"]);
    config("attention_bias", json!(true), &["attention_bias is true"]);
    config("hidden_act", json!("gelu"), &["hidden_act is \"gelu\", but Qwen3 uses \"silu\""]);
}

#[test]
fn packings_that_the_reader_does_not_know() {
    let packing = |value: Value, parts: &[&str]| config("quantization", value, parts);
    packing(
        json!({ "bits": 7, "group_size": 64 }),
        &["quantization.bits is 7, but it must be one of [2, 3, 4, 5, 6, 8]"],
    );
    packing(
        json!({ "bits": 4, "group_size": 16 }),
        &["quantization.group_size is 16, but it must be one of [32, 64, 128]"],
    );
    packing(
        json!({ "bits": 4, "group_size": 64, "mode": "mxfp4" }),
        &["quantization.mode is \"mxfp4\"", "\"affine\" only"],
    );
    packing(json!({ "bits": 4 }), &["group_size is missing"]);
    packing(json!("4bit"), &["quantization is \"4bit\", but it must be an object"]);
    config(
        "quantization_config",
        json!({ "bits": 8, "group_size": 64 }),
        &["quantization and quantization_config differ"],
    );
    refused(
        |forge| {
            forge.config["quantization"] = json!(null);
            forge.config["quantization_config"] = json!({ "quant_method": "awq", "bits": 4, "group_size": 128 });
        },
        &["quant_method is \"awq\"", "MLX's own packing"],
    );
    refused(
        |forge| forge.config["quantization"]["model.layers.0.mlp.up_proj"] = json!({ "bits": 9, "group_size": 64 }),
        &["model.layers.0.mlp.up_proj.bits is 9"],
    );
}

#[test]
fn tensors_that_contradict_the_configuration() {
    const Q: &str = "model.layers.1.self_attn.q_proj";
    let part = |part: &str| format!("{Q}.{part}");
    refused(|forge| drop(forge.tensors.remove(&part("weight"))), &["the tensor", Q, "weight is missing", "[128, 16]"]);
    refused(|forge| drop(forge.tensors.remove(&part("scales"))), &[Q, "scales is missing", "[128, 2]"]);
    refused(|forge| drop(forge.tensors.remove(&part("biases"))), &[Q, "biases is missing", "[128, 2]"]);
    refused(
        |forge| forge.floats(&part("scales"), &Array::from_slice(&[1.0_f32; 128], &[128, 1]), Dtype::BF16),
        &[Q, "scales has shape [128, 1], but config.json asks for [128, 2]"],
    );
    refused(
        |forge| forge.floats(&part("scales"), &Array::from_slice(&[1.0_f32; 256], &[128, 2]), Dtype::F16),
        &[Q, "scales has dtype F16", "biases BF16, but they must be the same"],
    );
    refused(
        |forge| forge.tensors.get_mut(&part("weight")).expect("packed").dtype = Dtype::F32,
        &[Q, "weight has dtype F32, but it must be U32"],
    );
    refused(
        |forge| forge.tensors.get_mut("model.norm.weight").expect("a norm").dtype = Dtype::I16,
        &["model.norm.weight has dtype I16, but it must be F32, F16, BF16"],
    );
    refused(
        |forge| forge.floats("model.norm.weight", &Array::from_slice(&[1.0_f32; 64], &[64]), Dtype::BF16),
        &["model.safetensors: the tensor model.norm.weight has shape [64], but config.json asks for [128]"],
    );
    refused(
        |forge| {
            forge.floats(
                "model.norm.weight",
                &Array::from_slice(&[1.0_f32; HIDDEN as usize], &[1, HIDDEN]),
                Dtype::BF16,
            )
        },
        &["model.norm.weight has shape [1, 128], but config.json asks for [128]"],
    );
    refused(
        |forge| forge.config["quantization"] = json!(null),
        &["embed_tokens.weight has dtype U32", "no quantization"],
    );
    refused(
        |forge| forge.config["quantization"]["bits"] = json!(8),
        &["has shape [96, 16], but config.json asks for [96, 32]"],
    );
    refused(|forge| forge.config["vocab_size"] = json!(97), &["embed_tokens.weight has shape [96, 16]", "[97, 16]"]);
    refused(|forge| forge.config["tie_word_embeddings"] = json!(false), &["lm_head.weight is missing"]);
    refused(
        |forge| forge.config["num_hidden_layers"] = json!(1),
        &["model.layers.1.", "is not part of the Qwen3 model"],
    );
    refused(|forge| forge.config["num_hidden_layers"] = json!(16777216), &["model.layers.2.", "is missing"]);
    refused(
        |forge| forge.floats(&part("bias"), &Array::from_slice(&[1.0_f32; 128], &[128]), Dtype::BF16),
        &[Q, "bias of shape [128] is not part of the Qwen3 model"],
    );
    let odd = Kind { heads: 1, head_dim: 96, packing: None, ..SOUND };
    let (mut forge, folder) = (Forge::new(odd), folder());
    let o_proj = "model.layers.0.self_attn.o_proj";
    forge.config["quantization"] = json!({ "bits": 4, "group_size": 64 });
    forge.tensors.insert(format!("{o_proj}.scales"), forge.tensors["model.norm.weight"].clone());
    forge.write(folder.path());
    let sentence = refusal(folder.path());
    assert!(
        sentence.contains("o_proj.weight has rows of 96 values, which do not divide into groups of 64"),
        "{sentence}"
    );
}

/// A file with this header and these values, and a sound configuration beside it.
fn raw(header: &str, values: &[u8]) -> String {
    let folder = folder();
    Forge::sound().write(folder.path());
    let bytes = [&(header.len() as u64).to_le_bytes(), header.as_bytes(), values].concat();
    std::fs::write(folder.path().join("model.safetensors"), bytes).expect("a file");
    refusal(folder.path())
}

#[test]
fn headers_that_lie() {
    let entry = |dtype: &str, shape: &str, offsets: &str| {
        format!(r#"{{"a":{{"dtype":"{dtype}","shape":{shape},"data_offsets":{offsets}}}}}"#)
    };
    for (header, values, part) in [
        ("", 0, "the header is not valid: "),
        ("[]", 0, "the header is not valid: "),
        ("{} {}", 0, "the header is not valid: "),
        ("{\"a\":1}", 0, "the header is not valid: the tensor a: "),
        ("{\"__metadata__\":{\"format\":1}}", 0, "the header is not valid: "),
        ("{}", 4, "the tensors take 0 bytes, but the file has 4 for them"),
        (&entry("Q4", "[1]", "[0,4]"), 4, "the tensor a: unknown variant `Q4`"),
        (&entry("F32", "[-1]", "[0,4]"), 4, "the tensor a: "),
        (&entry("F32", "[1]", "[0]"), 4, "the tensor a: "),
        (
            &entry("F32", "[2]", "[0,4]"),
            4,
            "the tensor a of shape [2] and dtype F32 takes 8 bytes, but its offsets are 0 to 4",
        ),
        (&entry("F32", "[1]", "[4,0]"), 4, "takes 4 bytes, but its offsets are 4 to 0"),
        (&entry("F32", "[1]", "[4,8]"), 8, "the tensor a begins at byte 4, but the one before it ends at 0"),
        (
            &entry("F32", "[2]", "[0,8]"),
            4,
            "the tensor a ends at byte 8 of the values, but the file has 4; it is truncated",
        ),
        (&entry("F32", "[1]", "[0,4]"), 5, "the tensors take 4 bytes, but the file has 5 for them"),
        (&entry("F32", "[4294967296,4294967296,4294967296]", "[0,0]"), 0, "has no size in bytes"),
        (&entry("F4", "[3]", "[0,1]"), 1, "has no size in bytes"),
        (&entry("F32", "[4611686018427387904]", "[0,18446744073709551615]"), 4, "has no size in bytes"),
    ] {
        let sentence = raw(header, &vec![0; values]);
        assert!(sentence.contains(part), "{sentence:?} lacks {part:?}");
    }
    let twice = r#"{"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}"#;
    assert!(raw(twice, &[]).contains("the tensor a is listed twice"));
    let overlap =
        r#"{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}}"#;
    assert!(raw(overlap, &[0; 6]).contains("the tensor b begins at byte 2, but the one before it ends at 4"));
    let deep = "[".repeat(100_000);
    assert!(raw(&deep, &[]).contains("the header is not valid: "));
}

#[test]
fn files_that_are_missing_cut_or_something_else() {
    let folder = folder();
    assert!(refusal(&folder.path().join("nowhere")).contains("this is not a folder"));
    assert!(refusal(folder.path()).contains("config.json: the file cannot be read"));
    Forge::sound().write(folder.path());
    let weights = folder.path().join("model.safetensors");
    let whole = std::fs::read(&weights).expect("weights");
    for (length, part) in [
        (0, "the file has 0 bytes, too few"),
        (7, "the file has 7 bytes, too few"),
        (20, "the file is truncated or not safetensors"),
        (whole.len() - 1, "it is truncated"),
    ] {
        std::fs::write(&weights, &whole[..length]).expect("a file");
        let sentence = refusal(folder.path());
        assert!(sentence.contains(part), "{sentence:?} lacks {part:?}");
    }
    std::fs::write(&weights, [&whole[..], &[0; 9]].concat()).expect("a file");
    assert!(refusal(folder.path()).contains("bytes, but the file has"));
    std::fs::write(&weights, [&u64::MAX.to_le_bytes(), &whole[8..]].concat()).expect("a file");
    assert!(refusal(folder.path()).contains("the header should have 18446744073709551615 bytes"));
    std::fs::remove_file(&weights).expect("removed");
    assert!(refusal(folder.path()).contains("has neither model.safetensors nor model.safetensors.index.json"));
    std::fs::write(folder.path().join("config.json"), "[1]").expect("a file");
    assert!(refusal(folder.path()).contains("config.json: the JSON is not an object"));
    std::fs::write(folder.path().join("config.json"), "{").expect("a file");
    assert!(refusal(folder.path()).contains("config.json: this is not JSON"));
    let vast = std::fs::File::create(folder.path().join("config.json")).expect("a file");
    vast.set_len(1 << 40).expect("a sparse file");
    assert!(refusal(folder.path()).contains("config.json: the file is larger than"));
    #[cfg(unix)]
    {
        std::fs::remove_file(folder.path().join("config.json")).expect("removed");
        std::os::unix::fs::symlink("/dev/zero", folder.path().join("config.json")).expect("a link");
        assert!(refusal(folder.path()).contains("config.json: this is not a regular file"));
    }
}

#[test]
fn an_index_that_lies() {
    let folder = folder();
    Forge::sound().write_shards(folder.path(), 2);
    let file = folder.path().join("model.safetensors.index.json");
    let index: Value = serde_json::from_slice(&std::fs::read(&file).expect("an index")).expect("JSON");
    let with = |change: &dyn Fn(&mut serde_json::Map<String, Value>)| {
        let mut changed = index.clone();
        change(changed["weight_map"].as_object_mut().expect("an object"));
        std::fs::write(&file, changed.to_string()).expect("an index");
        refusal(folder.path())
    };
    for shard in
        ["../model-00001-of-00002.safetensors", "/etc/passwd", "a\\b.safetensors", ".hidden.safetensors", "model.bin"]
    {
        let sentence = with(&|map| drop(map.insert("model.norm.weight".into(), json!(shard))));
        assert!(sentence.contains("a shard is a file name ending in .safetensors, without folders"), "{sentence}");
    }
    assert!(with(&|map| drop(map.insert("model.norm.weight".into(), json!(7)))).contains("should be in 7"));
    assert!(
        with(&|map| drop(map.insert("model.norm.weight".into(), json!("a.safetensors"))))
            .contains("a.safetensors: the file cannot be read")
    );
    assert!(
        with(&|map| drop(map.insert("ghost".into(), json!("model-00001-of-00002.safetensors"))))
            .contains("the tensor ghost should be in")
    );
    assert!(with(&|map| drop(map.remove("model.norm.weight"))).contains("the tensor model.norm.weight of model-0000"));
    let (one, two) = ("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors");
    let moved = with(&|map| {
        let swapped = if map["model.norm.weight"] == one { two } else { one };
        map.insert("model.norm.weight".into(), json!(swapped));
    });
    assert!(moved.contains("the tensor model.norm.weight should be in model-0000"), "{moved}");
    std::fs::write(&file, "{}").expect("an index");
    assert!(refusal(folder.path()).contains("weight_map is missing"));
}

#[test]
fn a_file_that_changes_after_the_check_is_noticed() {
    let folder = folder();
    Forge::sound().write(folder.path());
    let checkpoint = Checkpoint::open(folder.path()).expect("a sound checkpoint");
    let weights = std::fs::OpenOptions::new().write(true).open(folder.path().join("model.safetensors"));
    weights.and_then(|file| file.set_len(1000)).expect("cut");
    let error = checkpoint.weights().dense("model.norm").expect_err("the values are gone").to_string();
    assert!(error.contains("the tensor model.norm.weight cannot be read any more"), "{error}");
}

#[test]
fn random_damage_never_panics_and_never_reads_outside() {
    let folder = folder();
    Forge::sound().write(folder.path());
    let weights = folder.path().join("model.safetensors");
    let whole = std::fs::read(&weights).expect("weights");
    let header = 8 + u64::from_le_bytes(whole[..8].try_into().expect("8 bytes")) as usize;
    let mut random = StdRng::seed_from_u64(5);
    let mut refusals = 0;
    for _ in 0..400 {
        let mut damaged = whole.clone();
        for _ in 0..random.random_range(1..4) {
            let at = random.random_range(0..header);
            damaged[at] =
                if random.random() { random.random() } else { b"0123456789[]{}\",:"[random.random_range(0..17)] };
        }
        std::fs::write(&weights, &damaged).expect("a file");
        match Checkpoint::open(folder.path()) {
            Err(_) => refusals += 1,
            Ok(checkpoint) => drop(checkpoint.weights().dense("model.norm").expect("a checked tensor can be read")),
        }
    }
    assert!(refusals > 350, "only {refusals} of 400 damaged files were refused");
}
