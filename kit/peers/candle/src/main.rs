//! candle's quantised Qwen3 as a contestant of `cargo xtask bench`.
//!
//! In: a GGUF file and how long prompt and answer are. Out, a line of JSON each: that the model is loaded, then the
//! figures of a trial for every line on stdin. The words of both sides are those of `kit/src/front_end/trials.rs`.

use std::{
    env,
    fs::File,
    io::{BufRead, Write},
    process::ExitCode,
    time::Instant,
};

use candle_core::{Device, Tensor, quantized::gguf_file};
use candle_transformers::models::quantized_qwen3::ModelWeights;
use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Outcome<()> {
    let start = Instant::now();
    let path = argument("--checkpoint")?;
    let (prompt_tokens, new_tokens) = (argument("--prompt-tokens")?.parse()?, argument("--new-tokens")?.parse()?);
    let mut file = File::open(&path).map_err(|e| format!("{path} cannot be opened: {e}"))?;
    let content = gguf_file::Content::read(&mut file)?;
    let vocabulary = content.metadata.get("qwen3.vocab_size").ok_or("the file names no qwen3.vocab_size")?.to_u32()?;
    let mut model = ModelWeights::from_gguf(content, &mut file, &Device::Cpu)?;
    let prompt: Vec<u32> = (0..prompt_tokens).map(|place: u64| ((place * 7919 + 17) % u64::from(vocabulary)) as u32).collect();
    let ready = json!({
        "device": "cpu",
        "versions": { "candle": CANDLE },
        "threads": candle_core::utils::get_num_threads(),
        "load_seconds": start.elapsed().as_secs_f64(),
    });
    say(&ready)?;
    for line in std::io::stdin().lock().lines() {
        match line?.trim() {
            "trial" => say(&trial(&mut model, &prompt, new_tokens)?)?,
            "ceiling" => say(&Value::Null)?,
            other => return Err(format!("{other:?} is neither trial nor ceiling").into()),
        }
    }
    Ok(())
}

/// The version in Cargo.toml.
const CANDLE: &str = "0.11.1";

/// The word after a flag.
fn argument(flag: &str) -> Outcome<String> {
    env::args().skip_while(|word| word != flag).nth(1).ok_or_else(|| format!("{flag} is missing").into())
}

fn say(figures: &Value) -> Outcome<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{figures}")?;
    Ok(out.flush()?)
}

/// One greedy generation; the first token ends the time of the prompt.
fn trial(model: &mut ModelWeights, prompt: &[u32], new_tokens: usize) -> Outcome<Value> {
    let start = Instant::now();
    model.clear_kv_cache();
    let mut next = best(model, prompt, 0)?;
    let first = start.elapsed().as_secs_f64();
    let mut tokens = vec![next];
    while tokens.len() < new_tokens {
        next = best(model, &[next], prompt.len() + tokens.len() - 1)?;
        tokens.push(next);
    }
    Ok(json!({
        "prompt_tokens": prompt.len(),
        "prefill_seconds": first,
        "decode_seconds": start.elapsed().as_secs_f64() - first,
        "tokens": tokens,
        "peak_resident_bytes": peak_resident_bytes(),
    }))
}

/// The most likely id after `ids`, the first of which stands at `offset`.
fn best(model: &mut ModelWeights, ids: &[u32], offset: usize) -> Outcome<u32> {
    let input = Tensor::new(ids, &Device::Cpu)?.unsqueeze(0)?; // (1, L)
    let logits = model.forward(&input, offset)?.squeeze(0)?.to_vec1::<f32>()?; // (V,)
    let best = (0..logits.len()).max_by(|&a, &b| logits[a].total_cmp(&logits[b]));
    Ok(best.ok_or("there are no logits")? as u32)
}

/// The most memory that this process had at one time, where the system tells (Linux).
fn peak_resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024)
}
