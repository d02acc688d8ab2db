//! The program around an engine, with engines that need no model: what it prints, where, and with which exit code.

use kit::{
    Checkpoint, Detokenizer, Drafts, Engine, Error, Generation, Request, Result, StopReason,
    front_end::{Console, Load, LoadWhole, Program, run},
    models,
};
use mlx_rs::Array;
use pretty_assertions::assert_eq;
use std::{
    io::Write,
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
};

/// Says the same text whatever it is asked.
struct Parrot {
    ids: Vec<u32>,
}

struct Lossy<'a> {
    bytes_of: &'a dyn Fn(u32) -> Result<Vec<u8>>,
}

impl Detokenizer for Lossy<'_> {
    fn push(&mut self, id: u32) -> Result<String> {
        Ok(String::from_utf8_lossy(&(self.bytes_of)(id)?).into_owned())
    }
    fn finish(&mut self) -> Result<String> {
        Ok(String::new())
    }
}

impl Engine for Parrot {
    fn logits(&self, _: &Array) -> Result<Array> {
        Err(Error::Mlx("no logits here".into()))
    }
    fn generate(&self, request: &Request, on_token: &mut dyn FnMut(u32) -> ControlFlow<()>) -> Result<Generation> {
        let mut tokens = Vec::new();
        for &id in self.ids.iter().take(request.max_tokens) {
            tokens.push(id);
            let asked_to_stop = on_token(id).is_break();
            if request.eos.contains(&id) {
                return Ok(Generation { tokens, stop: StopReason::Eos(id) });
            }
            if asked_to_stop {
                return Ok(Generation { tokens, stop: StopReason::Cancelled });
            }
        }
        Ok(Generation { tokens, stop: StopReason::MaxTokens })
    }
    fn detokenizer<'a>(&self, bytes_of: &'a dyn Fn(u32) -> Result<Vec<u8>>) -> Result<Box<dyn Detokenizer + 'a>> {
        Ok(Box::new(Lossy { bytes_of }))
    }
}

fn parrot(checkpoint: &Checkpoint) -> Result<Box<dyn Engine>> {
    let mut ids = checkpoint.tokenizer()?.encode("The KV cache stores keys.")?;
    ids.push(4095);
    Ok(Box::new(Parrot { ids }))
}

fn stub(_: &Checkpoint) -> Result<Box<dyn Engine>> {
    Err(Error::NotImplemented {
        task: "1.5.3".into(),
        item: "week1::model::Qwen3Model::load".into(),
        at: "week1/src/model.rs:31".into(),
    })
}

/// Exit code, stdout and stderr of a command line.
fn command(load: LoadWhole, line: &[&str]) -> (u8, String, String) {
    kit::mlx::use_cpu();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut console = Console { out: &mut out, err: &mut err, stop: &AtomicBool::new(false) };
    let arguments = ["program"].iter().chain(line).map(|argument| argument.to_string());
    let code = run(arguments, Program { who: "you", week: 1, load: Load::Whole(load) }, &mut console);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (code, text(out), text(err))
}

/// The one line that refuses a command line; nothing may be on stdout.
fn refusal(line: &[&str]) -> String {
    let (code, out, err) = command(parrot, line);
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
    err.trim_end().to_string()
}

#[test]
fn text_goes_to_stdout_and_figures_to_stderr() {
    let (code, out, err) = command(parrot, &["generate", "--prompt", "What is a KV cache?"]);
    assert_eq!((code, out.as_str()), (0, "The KV cache stores keys.\n"));
    assert!(err.starts_with("[end of text; prompt 14 tokens at "), "{err}");
    assert!(err.trim_end().ends_with("; you, week 1, cpu f32]"), "{err}");
}

#[test]
#[cfg(unix)]
fn arguments_that_are_not_text_are_refused_and_usage_names_the_command() {
    use std::os::unix::ffi::OsStringExt;
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut console = Console { out: &mut out, err: &mut err, stop: &AtomicBool::new(false) };
    let arguments = [b"program".to_vec(), b"generate".to_vec(), b"--prompt".to_vec(), vec![0xff]];
    let program = Program { who: "you", week: 1, load: Load::Whole(parrot) };
    assert_eq!(run(arguments.map(std::ffi::OsString::from_vec), program, &mut console), 2);
    assert!(String::from_utf8_lossy(&err).starts_with("error: invalid UTF-8"), "{err:?}");
    assert!(command(parrot, &["generate"]).2.contains("Usage: cargo xtask generate --prompt <PROMPT>"));
}

#[test]
fn the_budget_of_tokens_and_the_raw_prompt_are_used() {
    let (code, out, err) = command(parrot, &["main", "--raw", "--prompt", "She", "--max-tokens", "2"]);
    assert_eq!((code, out.as_str()), (0, "The KV\n"));
    assert!(err.starts_with("[--max-tokens reached; prompt 1 tokens at "), "{err}");
}

#[test]
fn json_is_one_line_of_figures() {
    let (code, out, err) = command(parrot, &["generate", "--prompt", "Hi", "--json", "--seed", "7"]);
    assert_eq!((code, err.as_str(), out.lines().count()), (0, "", 1));
    let figures: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(figures["text"], "The KV cache stores keys.");
    assert_eq!((figures["stop"].as_str(), figures["seed"].as_u64()), (Some("eos"), Some(7)));
    assert_eq!(figures["law"], "filter-first");
    assert!(figures["decode_tokens_per_second"].as_f64().expect("a number") > 0.0);
    assert!(figures["peak_memory_bytes"].is_u64());
}

#[test]
fn a_stub_is_one_calm_line_and_exit_code_1() {
    let (code, out, err) = command(stub, &["generate", "--prompt", "Hi"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert_eq!(err.lines().count(), 1);
    assert!(err.starts_with("Not started: task 1.5.3, "), "{err}");
    assert!(err.contains("Chapter: book/src/week1-05-") && err.contains("cargo xtask hint 1.5.3"), "{err}");
}

/// An engine whose last stage is not written.
fn by_stage(checkpoint: &Checkpoint, stage: Option<&str>) -> Result<Box<dyn Engine>> {
    if stage == Some("low") { parrot(checkpoint) } else { stub(checkpoint) }
}

#[test]
fn a_stage_that_is_not_written_names_the_highest_that_works() {
    let said = |line: &[&str]| {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut console = Console { out: &mut out, err: &mut err, stop: &AtomicBool::new(false) };
        let arguments = ["program", "generate", "--prompt", "Hi"].iter().chain(line).map(|word| word.to_string());
        // Of another than the learner, so that no file of theirs is looked at.
        let load = Load::Staged(by_stage, &["low", "middle", "high"]);
        let code = run(arguments, Program { who: "ref", week: 2, load }, &mut console);
        (code, String::from_utf8(err).expect("UTF-8"))
    };
    let (code, err) = said(&[]);
    assert!(code == 1 && err.starts_with("Not started: task 1.5.3, "), "{err}");
    assert!(err.ends_with(". Until then, this works: --checkpoint low\n"), "{err}");
    let (code, err) = said(&["--checkpoint", "low"]);
    assert!(code == 0 && err.trim_end().ends_with("; ref, week 2 low, cpu f32]"), "{err}");
}

#[test]
fn a_random_model_is_for_measuring() {
    let folder = models::random::folder("qwen3-tiny");
    if !folder.exists() {
        let made = command(parrot, &["make-checkpoint", "qwen3-tiny", "--random"]);
        assert_eq!(made.0, 0, "{}", made.2);
    }
    let line = refusal(&["generate", "--prompt", "Hi", "--model", "qwen3-tiny-random"]);
    assert!(line.ends_with("it has no tokenizer; cargo xtask bench --model qwen3-tiny-random"), "{line}");
}

#[test]
fn bad_settings_are_refused_with_their_value() {
    let with = |more: &[&str]| refusal(&[&["generate", "--prompt", "Hi"], more].concat());
    assert_eq!(with(&["--temp", "NaN"]), "--temp is NaN, but it must be a finite number of at least 0");
    assert_eq!(with(&["--temp", "-1"]), "--temp is -1, but it must be a finite number of at least 0");
    assert_eq!(with(&["--sampler-temp", "inf"]), "--temp is inf, but it must be a finite number of at least 0");
    assert_eq!(with(&["--sampler-top-k", "5000"]), "--top-k is 5000, but it must be at most the vocabulary, 4096");
    assert_eq!(with(&["--sampler-top-p", "nan"]), "--top-p is NaN, but it must be a number");
    assert_eq!(with(&["--max-tokens", "0"]), "--max-tokens is 0, but it must be at least 1");
    assert_eq!(with(&["--law", "top-p"]), "--law is top-p, but it must be filter-first or temper-first");
    let no_penalties = "needs --law temper-first: the filter-first law has no penalties";
    assert_eq!(with(&["--presence-penalty", "0"]), format!("--presence-penalty {no_penalties}"));
    assert_eq!(with(&["--frequency-penalty", "1"]), format!("--frequency-penalty {no_penalties}"));
    let week_3 = "--draft-model needs speculative decoding, which week 3 has: add --week 3 --who you or ref";
    assert_eq!(with(&["--draft-model", "tiny-draft"]), week_3);
    assert_eq!(with(&["--draft-tokens", "3"]), "--draft-tokens needs --draft-model, the model that guesses");
    assert!(with(&["--backend", "cuda"]).contains("finds no GPU"));
    assert_eq!(with(&["--backend", "abacus"]), "--backend is abacus, but it must be cpu, metal, metal-host or cuda");
    assert_eq!(refusal(&["generate", "--prompt", ""]), "--prompt is empty, but it must hold some text");
}

/// Says nothing but how it was asked to choose.
struct Asked;

impl Engine for Asked {
    fn logits(&self, _: &Array) -> Result<Array> {
        Err(Error::Mlx("no logits here".into()))
    }
    fn generate(&self, request: &Request, _: &mut dyn FnMut(u32) -> ControlFlow<()>) -> Result<Generation> {
        Err(Error::Other(format!("{:?}", request.sampling)))
    }
    fn detokenizer<'a>(&self, bytes_of: &'a dyn Fn(u32) -> Result<Vec<u8>>) -> Result<Box<dyn Detokenizer + 'a>> {
        Ok(Box::new(Lossy { bytes_of }))
    }
}

/// The sampling that a command line asks an engine for.
fn asked(more: &[&str]) -> String {
    let line = [&["generate", "--prompt", "Hi"], more].concat();
    let (code, out, err) = command(|_| Ok(Box::new(Asked)), &line);
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    err.trim_end().to_string()
}

#[test]
fn flags_choose_the_law_and_what_is_not_given_is_its_default() {
    assert_eq!(asked(&[]), "Sampling { law: FilterFirst { temperature: 0.0, top_k: None, top_p: None }, seed: 0 }");
    assert_eq!(
        asked(&["--law", "filter-first", "--temp", ".7", "--top-k", "-3", "--sampler-top-p", "1.5", "--seed", "9"]),
        "Sampling { law: FilterFirst { temperature: 0.7, top_k: Some(-3), top_p: Some(1.5) }, seed: 9 }"
    );
    let temper_first = |config: &str| format!("Sampling {{ law: TemperFirst(SamplerConfig {{ {config} }}), seed: 0 }}");
    assert_eq!(
        asked(&["--law", "temper-first"]),
        temper_first("temperature: 0.6, top_p: 0.95, top_k: 20, presence_penalty: 0.0, frequency_penalty: 0.0")
    );
    // Settings that the other law refuses: greedy below 0, a k above the vocabulary. Nothing is rounded to f32.
    let line = "--law temper-first --temp -1 --top-p .58 --top-k 5000 --presence-penalty -.5 --frequency-penalty 2";
    assert_eq!(
        asked(&line.split(' ').collect::<Vec<_>>()),
        temper_first("temperature: -1.0, top_p: 0.58, top_k: 5000, presence_penalty: -0.5, frequency_penalty: 2.0")
    );
}

#[test]
fn the_temper_first_law_refuses_what_is_no_setting() {
    let with = |more: &[&str]| refusal(&[&["generate", "--prompt", "Hi", "--law", "temper-first"], more].concat());
    assert_eq!(with(&["--temp", "nan"]), "--temp is NaN, but it must be a number");
    assert_eq!(with(&["--top-p", "nan"]), "--top-p is NaN, but it must be a number");
    let range = "but it must be a number from -2 to 2";
    assert_eq!(with(&["--presence-penalty", "2.5"]), format!("--presence-penalty is 2.5, {range}"));
    assert_eq!(with(&["--frequency-penalty", "nan"]), format!("--frequency-penalty is NaN, {range}"));
}

#[test]
fn a_prompt_must_fit_the_model() {
    let long = "word ".repeat(3000);
    let line = refusal(&["generate", "--raw", "--prompt", &long]);
    assert!(line.contains("but the model has 2048 positions, prompt and answer together; shorten it"), "{line}");
    let line = refusal(&["generate", "--raw", "--prompt", "She", "--max-tokens", "4096"]);
    assert_eq!(
        line,
        "the prompt has 1 tokens and --max-tokens is 4096, but the model has 2048 positions; use --max-tokens 2047"
    );
}

#[test]
fn an_unknown_model_lists_the_known_ones() {
    let line = refusal(&["generate", "--prompt", "Hi", "--model", "gpt-5"]);
    assert!(
        line.contains("\"gpt-5\"") && line.contains("tiny, tiny-draft, qwen3-0.6b, qwen3-1.7b, qwen3-4b, qwen3-8b"),
        "{line}"
    );
    assert!(refusal(&["generate", "--prompt", "Hi", "--model", "Qwen3-30B-A3B"]).contains("comes in week 3"));
}

#[test]
fn usage_errors_are_exit_code_2_and_help_is_0() {
    let (code, out, err) = command(parrot, &["generate"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("--prompt"), "{err}");
    let (code, out, err) = command(parrot, &["generate", "--help"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("--max-tokens") && out.contains("--draft-model"), "{out}");
}

#[test]
fn a_wish_to_stop_ends_with_130_and_keeps_the_text() {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let stop = AtomicBool::new(true);
    let mut console = Console { out: &mut out, err: &mut err, stop: &stop };
    let arguments = ["program", "generate", "--prompt", "Hi"].map(String::from);
    let code = run(arguments, Program { who: "you", week: 1, load: Load::Whole(parrot) }, &mut console);
    assert_eq!((code, out.as_slice()), (130, b"The\n".as_slice()));
    assert!(String::from_utf8_lossy(&err).starts_with("[stopped; "));
    assert!(stop.load(Ordering::SeqCst));
}

/// A reader that closes after the first piece.
struct ClosedPipe {
    pieces: usize,
}

impl Write for ClosedPipe {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.pieces += 1;
        if self.pieces > 1 { Err(std::io::ErrorKind::BrokenPipe.into()) } else { Ok(bytes.len()) }
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let (mut out, mut err) = (ClosedPipe { pieces: 0 }, Vec::new());
    let mut console = Console { out: &mut out, err: &mut err, stop: &AtomicBool::new(false) };
    let arguments = ["program", "generate", "--prompt", "Hi"].map(String::from);
    let code = run(arguments, Program { who: "you", week: 1, load: Load::Whole(parrot) }, &mut console);
    assert_eq!((code, String::from_utf8_lossy(&err).as_ref(), out.pieces), (0, "", 2));
}

#[test]
fn verify_counts_the_cases_that_differ() {
    let golden = models::embedded("golden/tiny_qwen3.json");
    let folder = tempfile::tempdir().expect("a folder");
    let mut value: serde_json::Value =
        serde_json::from_slice(&std::fs::read(golden).expect("committed")).expect("JSON");
    let cases = value["cases"].as_array_mut().expect("cases");
    cases.retain(|case| case["logits_float32"].is_null());
    cases.truncate(2);
    let tokenizer = kit::testing::tiny_model().and_then(Checkpoint::tokenizer).expect("the embedded model");
    let mut said = tokenizer.encode("The KV cache stores keys.").expect("ids");
    said.push(4095);
    cases[0]["ids_float32"] = said.into();
    let file = folder.path().join("golden.json");
    std::fs::write(&file, value.to_string()).expect("a file");
    let (code, out, err) = command(parrot, &["verify", file.to_str().expect("UTF-8")]);
    assert_eq!((code, err.as_str()), (1, ""));
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines[0], "tiny-qwen3 on you, week 1, cpu f32: 2 cases");
    assert!(lines[1].contains("chat_system_rope  passed  25 prompt ids, 8 greedy ids"), "{out}");
    assert!(lines[2].contains("chat_word_kettle  FAILED  generated id 0 is "), "{out}");
    assert_eq!(lines[3], "1 passed, 1 failed");
}

#[test]
fn verify_refuses_files_it_cannot_judge() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |text: &str| {
        let file = folder.path().join("golden.json");
        std::fs::write(&file, text).expect("a file");
        refusal(&["verify", file.to_str().expect("UTF-8")])
    };
    assert!(refused("{").contains("this is not a golden file: "));
    assert!(
        refused(r#"{"model":"tiny","eos_ids":[],"cases":[]}"#)
            .ends_with("the file has no cases, so nothing would be verified")
    );
    let case = r#"{"name":"a","raw":"x","prompt_ids":[1],"ids":[1],"ids_float32":[1],"safe_tokens":"#;
    let file = |rest: &str| format!(r#"{{"model":"tiny","eos_ids":[],"cases":[{case}{rest}]}}"#);
    assert!(refused(&file("2}")).ends_with("the case a has 2 safe_tokens of 1 ids"));
    assert!(refused(&file(r#"1,"messages":[]}"#)).ends_with("the case a must have either messages or raw"));
    assert!(refusal(&["verify", "no-such-file.json"]).contains("no-such-file.json: the file cannot be read"));
    assert!(refusal(&["verify", "x.json", "--speculative"]).contains("add --week 3"));
}

/// An engine that was told how many tokens to guess.
struct Guessing(Parrot, usize);

impl Engine for Guessing {
    fn logits(&self, tokens: &Array) -> Result<Array> {
        self.0.logits(tokens)
    }
    fn generate(&self, request: &Request, on_token: &mut dyn FnMut(u32) -> ControlFlow<()>) -> Result<Generation> {
        self.0.generate(request, on_token)
    }
    fn detokenizer<'a>(&self, bytes_of: &'a dyn Fn(u32) -> Result<Vec<u8>>) -> Result<Box<dyn Detokenizer + 'a>> {
        self.0.detokenizer(bytes_of)
    }
    fn drafts(&self) -> Option<Drafts> {
        Some(Drafts { windows: 3, drafted: 3 * self.1, kept: 4 })
    }
}

fn guessing(checkpoint: &Checkpoint, _: Option<&str>, draft: &Checkpoint, depth: usize) -> Result<Box<dyn Engine>> {
    assert_eq!((checkpoint.config().num_hidden_layers, draft.config().num_hidden_layers), (8, 2));
    let mut ids = checkpoint.tokenizer()?.encode("The KV cache stores keys.")?;
    ids.push(4095);
    Ok(Box::new(Guessing(Parrot { ids }, depth)))
}

#[test]
fn a_draft_model_is_loaded_beside_the_model_and_its_guesses_are_counted() {
    let said = |line: &[&str]| {
        kit::mlx::use_cpu();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut console = Console { out: &mut out, err: &mut err, stop: &AtomicBool::new(false) };
        let arguments = ["program", "generate", "--prompt", "Hi"].iter().chain(line).map(|word| word.to_string());
        let code = run(
            arguments,
            Program { who: "ref", week: 3, load: Load::Drafted(&Load::Whole(parrot), guessing) },
            &mut console,
        );
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (code, text(out), text(err))
    };
    let (code, _, err) = said(&["--draft-model", "tiny-draft"]);
    assert!(code == 0 && err.contains("; 4 of 12 drafts kept (33%), 2.33 tokens a pass; "), "{err}");
    let (code, out, _) = said(&["--draft-model", "Tiny-Qwen3-Draft", "--draft-tokens", "2", "--json"]);
    let figures: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, &figures["drafts"]), (0, &serde_json::json!({ "windows": 3, "drafted": 6, "kept": 4 })));
    let (code, _, err) = said(&[]);
    assert!(code == 0 && !err.contains("drafts"), "{err}");
    let (code, _, err) = said(&["--draft-model", "tiny-draft", "--draft-tokens", "0"]);
    assert_eq!((code, err.as_str()), (2, "--draft-tokens is 0, but it must be at least 1\n"));
}

#[test]
fn a_batch_needs_prompts_and_an_engine_that_answers_many() {
    let folder = std::env::temp_dir().join(format!("front-end-batch-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let (some, none) = (folder.join("prompts.txt"), folder.join("empty.txt"));
    std::fs::write(&some, "Hi\n").and_then(|()| std::fs::write(&none, "\n \n")).expect("two files");
    let run = |file: &std::path::Path| command(parrot, &["batch", file.to_str().expect("a path in UTF-8")]);
    let (code, out, err) = run(&some);
    assert!(code == 2 && out.is_empty() && err.contains("--week 3"), "{code} {out:?} {err:?}");
    let (code, _, err) = run(&none);
    assert!(code == 2 && err.contains("holds no prompt"), "{code} {err:?}");
    let refused = |flags: &[&str], sentence: &str| {
        let file = some.to_str().expect("a path in UTF-8");
        let (code, out, err) = command(parrot, &[&["batch", file], flags].concat());
        assert!(code == 2 && out.is_empty() && err.contains(sentence), "{flags:?}: {code} {out:?} {err:?}");
    };
    refused(&["--top-k", "5000"], "--top-k is 5000, but it must be at most the vocabulary, 4096");
    refused(&["--top-p", "NaN"], "--top-p is NaN");
    refused(&["--temp=-1"], "--temp is -1, but it must be a finite number");
    refused(&["--law", "mine"], "--law is mine, but it must be filter-first or temper-first");
    refused(&["--presence-penalty", "1"], "--presence-penalty needs --law temper-first");
    refused(&["--law", "temper-first", "--frequency-penalty", "3"], "--frequency-penalty is 3");
    refused(&["--stop", ""], "--stop is empty, but it must hold some text");
    let (code, _, err) = run(&folder.join("missing.txt"));
    assert!(code == 2 && err.contains("missing.txt cannot be read"), "{code} {err:?}");
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}
