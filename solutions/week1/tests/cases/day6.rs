//! Day 6, generation: the law of the next token, the loop on a scripted model, the detokeniser byte by byte, then
//! mlx-lm's greedy texts.

use kit::testing::{
    Random, assert_close, expect_dtype, expect_error, expect_invalid_argument, expect_non_finite, expect_shape,
    golden_json, tiny_model, values,
};
use kit::{CausalLm, Detokenizer, Error, Generation, Request, Result, Sampling, StopReason};
use mlx_rs::{Array, Dtype, ops::indexing::IndexOp};
use std::{cell::RefCell, fmt::Debug, ops::ControlFlow};
use week1::{
    detokenizer::StreamingDetokenizer,
    generate::{generate, greedy, next_logprobs},
    model::Qwen3Model,
};

/// Panics with both sides by name unless they are the same.
#[track_caller]
fn assert_same<G: PartialEq<E> + Debug, E: Debug>(what: &str, got: G, expected: E) {
    assert!(got == expected, "{what}\n  got      {got:?}\n  expected {expected:?}");
}

/// Log softmax of the last position in f64, rounded once.
fn by_hand(logits: &Array) -> Result<Array> {
    let (b, l, v) = (logits.dim(0) as usize, logits.dim(1) as usize, logits.dim(2) as usize);
    let all = values(logits)?;
    let mut out = Vec::new();
    for row in 0..b {
        let last: Vec<f64> = all[(row * l + l - 1) * v..][..v].iter().map(|&x| x.into()).collect();
        let most = last.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let log_sum = last.iter().map(|x| (x - most).exp()).sum::<f64>().ln();
        out.extend(last.iter().map(|x| (x - most - log_sum) as f32));
    }
    Ok(Array::from_slice(&out, &[b as i32, v as i32]))
}

#[test]
fn task_1_the_last_position_normalised_in_f32() -> Result<()> {
    for (seed, shape) in [(1, [1, 1, 5]), (2, [1, 7, 33]), (3, [3, 4, 20]), (4, [2, 1, 1])] {
        for dtype in [Dtype::Float32, Dtype::Float16, Dtype::Bfloat16] {
            let logits = Random::new(seed).normal(&shape).multiply(Array::from_f32(4.0))?.as_dtype(dtype)?;
            let logprobs = next_logprobs(&logits)?;
            assert_close(&format!("{dtype:?}"), &logprobs, &by_hand(&logits)?)?;
            assert_close("the reference", &logprobs, &solution_week1::generate::next_logprobs(&logits)?)?;
        }
    }
    Ok(())
}

#[test]
fn task_1_agrees_with_the_logsumexp_of_mlx() -> Result<()> {
    let logits = Random::new(5).uniform(-30.0, 30.0, &[2, 3, 4096]);
    let last = logits.index((.., -1, ..));
    assert_close("log softmax", &next_logprobs(&logits)?, &last.subtract(last.logsumexp_axis(-1, true)?)?)
}

#[test]
fn task_1_every_row_sums_to_one() -> Result<()> {
    let logprobs = next_logprobs(&Random::new(6).normal(&[4, 2, 1000]))?;
    assert_eq!(logprobs.shape(), [4, 1000]);
    for row in values(&logprobs)?.chunks(1000) {
        let mass: f64 = row.iter().map(|&v| f64::from(v).exp()).sum();
        assert!((mass - 1.0).abs() < 1e-5, "a row sums to {mass}");
    }
    Ok(())
}

#[test]
fn task_1_large_logits_do_not_overflow() -> Result<()> {
    for logits in [[1000.0, 999.0, -1000.0], [-5000.0, -5001.0, -5000.0], [3e38, 3e38, 0.0]] {
        let logits = Array::from_slice(&logits, &[1, 1, 3]);
        assert_close("far from zero", &next_logprobs(&logits)?, &by_hand(&logits)?)?;
    }
    let apart = Array::from_slice(&[1000.0_f32, 999.0, 998.0, -1000.0, -1001.0, -1002.0], &[2, 1, 3]);
    assert_close("rows far apart", &next_logprobs(&apart)?, &by_hand(&apart)?)?;
    let half = Array::from_slice(&[65504.0_f32, 65504.0, -65504.0], &[1, 1, 3]).as_dtype(Dtype::Float16)?;
    assert_close("the largest f16", &next_logprobs(&half)?, &by_hand(&half)?)
}

#[test]
fn task_1_a_token_that_never_comes_stays_at_minus_infinity() -> Result<()> {
    let logits = Array::from_slice(&[f32::NEG_INFINITY, 0.0, 0.0, f32::NEG_INFINITY], &[1, 1, 4]);
    let half = -(2_f32.ln());
    let expected = Array::from_slice(&[f32::NEG_INFINITY, half, half, f32::NEG_INFINITY], &[1, 4]);
    assert_close("two of four", &next_logprobs(&logits)?, &expected)
}

#[test]
fn task_1_a_row_without_a_law_is_seen_to_have_none() -> Result<()> {
    for bad in [[0.0, f32::NAN, 1.0], [0.0, f32::INFINITY, 1.0], [f32::NEG_INFINITY; 3]] {
        let batch = Array::from_slice(&[[0.0, 1.0, 2.0], bad].concat(), &[2, 1, 3]);
        let error = expect_non_finite(greedy(&next_logprobs(&batch)?));
        assert!(matches!(error, Error::NonFinite { row: 1, .. }), "row 1 is {bad:?}, but: {error}");
    }
    Ok(())
}

#[test]
fn task_1_refuses_other_shapes_and_dtypes() -> Result<()> {
    for shape in [&[6][..], &[2, 3], &[1, 1, 2, 3]] {
        expect_shape(next_logprobs(&Array::from_slice(&[0.5_f32; 6], shape)));
    }
    expect_shape(next_logprobs(&Array::zeros::<f32>(&[1, 0, 3])?));
    expect_dtype(next_logprobs(&Array::from_slice(&[1, 2, 3], &[1, 1, 3])));
    expect_dtype(next_logprobs(&Array::from_slice_f64(&[1.0, 2.0, 3.0], &[1, 1, 3])));
    Ok(())
}

/// Sixteen tokens; after every id comes the next one, after 15 comes 0. Writes down what it is asked.
#[derive(Default)]
struct Counter {
    events: RefCell<Vec<String>>,
    fail_at: Option<usize>,
}

impl CausalLm for Counter {
    fn forward(&self, tokens: &Array) -> Result<Array> {
        let ids = values(tokens)?;
        assert_eq!(tokens.shape(), [1, ids.len() as i32], "the loop asks with one row");
        self.events.borrow_mut().push(format!("model {:?}", ids.iter().map(|&id| id as u32).collect::<Vec<_>>()));
        if self.fail_at == Some(ids.len()) {
            return Err(Error::Other("the model is out of order".into()));
        }
        let mut logits = vec![0.0_f32; ids.len() * 16];
        ids.iter().enumerate().for_each(|(place, &id)| logits[place * 16 + (id as usize + 1) % 16] = 9.0);
        Ok(Array::from_slice(&logits, &[1, ids.len() as i32, 16]))
    }
}

impl Counter {
    /// Greedy, without a wish to stop.
    fn continued(&self, prompt: &[u32], max_tokens: usize, eos: &[u32]) -> Result<Generation> {
        let on_token = |id| {
            self.events.borrow_mut().push(format!("token {id}"));
            ControlFlow::Continue(())
        };
        generate(self, prompt, max_tokens, eos, greedy, on_token)
    }
}

fn made(tokens: &[u32], stop: StopReason) -> Generation {
    Generation { tokens: tokens.to_vec(), stop }
}

#[test]
fn task_2_asks_with_the_whole_text_and_shows_every_token_at_once() -> Result<()> {
    let model = Counter::default();
    assert_same("after [7, 3]", model.continued(&[7, 3], 3, &[])?, made(&[4, 5, 6], StopReason::MaxTokens));
    let expected = ["model [7, 3]", "token 4", "model [7, 3, 4]", "token 5", "model [7, 3, 4, 5]", "token 6"];
    assert_same("what was asked and shown, in order", model.events.take(), expected);
    Ok(())
}

#[test]
fn task_2_any_end_id_ends_the_text_and_is_part_of_it() -> Result<()> {
    for (eos, end) in [(&[5][..], 5), (&[9, 5], 5), (&[5, 9], 5), (&[12, 9, 15], 9)] {
        let expected: Vec<u32> = (3..=end).collect();
        let model = Counter::default();
        let what = format!("after [2], eos = {eos:?}");
        assert_same(&what, model.continued(&[2], 10, eos)?, made(&expected, StopReason::Eos(end)));
        let last = model.events.take().pop().unwrap_or_default();
        assert_same(&format!("{what}: the end id is shown, and nothing asked after it"), last, format!("token {end}"));
    }
    Ok(())
}

#[test]
fn task_2_an_end_id_in_the_prompt_ends_nothing() -> Result<()> {
    let model = Counter::default();
    let got = model.continued(&[5, 2, 5], 2, &[5])?;
    assert_same("after [5, 2, 5], eos = [5]", got, made(&[6, 7], StopReason::MaxTokens));
    Ok(())
}

#[test]
fn task_2_max_tokens_is_a_count_of_new_tokens() -> Result<()> {
    for max_tokens in [0, 1, 20] {
        let stopped = Counter::default().continued(&[0, 0, 0], max_tokens, &[])?;
        let expected: Vec<u32> = (1..=max_tokens as u32).map(|id| id % 16).collect();
        let what = format!("after [0, 0, 0], max_tokens = {max_tokens}");
        assert_same(&what, stopped, made(&expected, StopReason::MaxTokens));
    }
    for max_tokens in [3, usize::MAX] {
        let got = Counter::default().continued(&[1], max_tokens, &[4])?;
        let what = format!("after [1], eos = [4], max_tokens = {max_tokens}");
        assert_same(&what, got, made(&[2, 3, 4], StopReason::Eos(4)));
    }
    Ok(())
}

#[test]
fn task_2_the_caller_may_break_off() -> Result<()> {
    for (break_at, max_tokens, eos, expected) in [
        (6, 10, &[][..], made(&[4, 5, 6], StopReason::Cancelled)),
        (4, 10, &[], made(&[4], StopReason::Cancelled)),
        (6, 3, &[], made(&[4, 5, 6], StopReason::Cancelled)),
        (6, 10, &[6], made(&[4, 5, 6], StopReason::Eos(6))),
    ] {
        let model = Counter::default();
        let stop_there = |id| if id == break_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let what = format!("after [3], max_tokens = {max_tokens}, eos = {eos:?}, broken off at {break_at}");
        let asked = expected.tokens.len();
        assert_same(&what, generate(&model, &[3], max_tokens, eos, greedy, stop_there)?, expected);
        assert_same(&format!("{what}: times that the model was asked"), model.events.take().len(), asked);
    }
    Ok(())
}

#[test]
fn task_2_an_empty_prompt_is_refused() -> Result<()> {
    for max_tokens in [0, 5] {
        let model = Counter::default();
        expect_invalid_argument(model.continued(&[], max_tokens, &[1]), "prompt");
        assert!(model.events.borrow().is_empty(), "the model was asked about nothing");
    }
    Ok(())
}

#[test]
fn task_2_errors_of_model_and_sampler_pass_through() -> Result<()> {
    let model = Counter { fail_at: Some(3), ..Counter::default() };
    assert_eq!(expect_error(model.continued(&[1], 9, &[])).to_string(), "the model is out of order");
    let refuse = |_: &Array| Err(Error::Other("no choice".into()));
    let refused = generate(&Counter::default(), &[1], 9, &[], refuse, |_| ControlFlow::Continue(()));
    assert_eq!(expect_error(refused).to_string(), "no choice");
    let two = |_: &Array| Ok(Array::from_slice(&[1_u32, 2], &[2]));
    expect_error(generate(&Counter::default(), &[1], 9, &[], two, |_| ControlFlow::Continue(())));
    Ok(())
}

#[test]
fn task_2_the_sampler_decides_and_sees_normalised_log_probabilities() -> Result<()> {
    let mut seen = Vec::new();
    let last_id = |logprobs: &Array| {
        seen.push((logprobs.shape().to_vec(), logprobs.dtype(), values(&logprobs.exp()?.sum(false)?)?[0]));
        Ok(Array::from_slice(&[15_u32], &[1]))
    };
    let made_by_it = generate(&Counter::default(), &[1, 2], 3, &[], last_id, |_| ControlFlow::Continue(()))?;
    assert_same("tokens of a sampler that always says 15", made_by_it.tokens, [15, 15, 15]);
    for (shape, dtype, mass) in seen {
        assert_same("what the sampler sees", (shape, dtype), (vec![1, 16], Dtype::Float32));
        assert!((mass - 1.0).abs() < 1e-5, "a row with the mass {mass}");
    }
    Ok(())
}

/// A model whose logits are not numbers.
struct Broken;

impl CausalLm for Broken {
    fn forward(&self, tokens: &Array) -> Result<Array> {
        Ok(Array::from_slice(&[f32::NAN; 8], &[1, 2, 4]).index((.., ..tokens.dim(1), ..)))
    }
}

#[test]
fn task_2_greedy_refuses_logits_that_are_not_numbers() -> Result<()> {
    expect_non_finite(generate(&Broken, &[1], 3, &[], greedy, |_| ControlFlow::Continue(())));
    Ok(())
}

#[test]
fn end_greedy_tokens_of_the_embedded_model_are_those_of_mlx_lm() -> Result<()> {
    let file = golden_json("week1/generation.json")?;
    let model = Qwen3Model::load(tiny_model()?)?;
    let mut compared = 0;
    for case in file["cases"].as_array().into_iter().flatten() {
        let ids = |name: &str| {
            let list = case[name].as_array().into_iter().flatten();
            list.filter_map(|id| Some(id.as_u64()? as u32)).collect::<Vec<_>>()
        };
        // Each text is taken up three tokens before its end: without a cache, every token costs the whole text.
        let (mut text, mut expected) = (ids("prompt"), ids("tokens"));
        let rest = expected.split_off(expected.len().saturating_sub(3));
        text.extend(expected);
        let got = generate(&model, &text, 3, &[4095, 4093], greedy, |_| ControlFlow::Continue(()))?;
        let stop = if case["ended"] == true { StopReason::Eos(4095) } else { StopReason::MaxTokens };
        assert_same(&format!("{} after {text:?}", case["name"]), got, made(&rest, stop));
        compared += 1;
    }
    assert!(compared >= 3, "only {compared} texts in the golden file");
    Ok(())
}

/// Panics unless `tokens` come out as `expected`, the last of which is what `finish` gives.
#[track_caller]
fn assert_pieces(tokens: &[&[u8]], expected: &[&str]) -> Result<()> {
    let bytes: Vec<String> = tokens.iter().map(|token| format!("b\"{}\"", token.escape_ascii())).collect();
    assert_same(&format!("the tokens {}, then the end", bytes.join(" ")), pieces(tokens)?, expected);
    Ok(())
}

/// The texts that come out, piece by piece; the last is what `finish` gives.
fn pieces(tokens: &[&[u8]]) -> Result<Vec<String>> {
    let bytes_of = |id: u32| Ok(tokens[id as usize].to_vec());
    let mut detokenizer = StreamingDetokenizer::new(&bytes_of);
    let mut texts = Vec::new();
    for id in 0..tokens.len() as u32 {
        texts.push(detokenizer.push(id)?);
    }
    texts.push(detokenizer.finish()?);
    Ok(texts)
}

#[test]
fn task_3_whole_characters_come_out_at_once() -> Result<()> {
    assert_pieces(
        &[b"Hello", b",", b" wor", b"ld", b"!\n", "é日🦀".as_bytes()],
        &["Hello", ",", " wor", "ld", "!\n", "é日🦀", ""],
    )
}

#[test]
fn task_3_a_split_character_comes_out_with_its_last_byte() -> Result<()> {
    assert_pieces(&[b"a\xC3", b"\xA9b"], &["a", "éb", ""])?;
    assert_pieces(&[b"\xE6", b"\x97", b"\xA5\xE6\x9C", b"\xAC"], &["", "", "日", "本", ""])?;
    assert_pieces(&[b" \xF0", b"\x9F", b"\xA6", b"\x80."], &[" ", "", "", "🦀.", ""])?;
    Ok(())
}

#[test]
fn task_3_special_tokens_have_no_text_and_disturb_nothing() -> Result<()> {
    assert_pieces(&[b"", b"x\xF0\x9F", b"", b"\xA6\x80", b""], &["", "x", "", "🦀", "", ""])?;
    Ok(())
}

#[test]
fn task_3_each_invalid_piece_becomes_one_replacement_character() -> Result<()> {
    assert_pieces(&[b"a\x80b"], &["a\u{FFFD}b", ""])?;
    assert_pieces(&[b"\xFF", b"\xC0\x80"], &["\u{FFFD}", "\u{FFFD}\u{FFFD}", ""])?;
    assert_pieces(&[b"\xE2\x82", b"A"], &["", "\u{FFFD}A", ""])?;
    assert_pieces(&[b"\xF0\x9F\xA6", b"\xF0\x9F", b"\xA6\x80"], &["", "\u{FFFD}", "🦀", ""])?;
    assert_pieces(&[b"\xED\xA0\x80"], &["\u{FFFD}\u{FFFD}\u{FFFD}", ""])?;
    Ok(())
}

#[test]
fn task_3_an_unfinished_end_becomes_one_replacement_character() -> Result<()> {
    assert_pieces(&[b"so \xF0\x9F\xA6"], &["so ", "\u{FFFD}"])?;
    assert_pieces(&[], &[""])?;
    let bytes_of = |id: u32| Ok(if id == 0 { b"\xE2".to_vec() } else { b"\x82\xAC".to_vec() });
    let mut detokenizer = StreamingDetokenizer::new(&bytes_of);
    assert_eq!(
        (detokenizer.push(0)?, detokenizer.finish()?, detokenizer.finish()?),
        ("".into(), "\u{FFFD}".into(), "".into())
    );
    assert_eq!((detokenizer.push(0)?, detokenizer.push(1)?), ("".into(), "€".into()), "a new text after the end");
    Ok(())
}

#[test]
fn task_3_an_unknown_id_is_an_error_and_changes_nothing() -> Result<()> {
    let bytes_of = |id: u32| match id {
        0 => Ok(b"\xC3".to_vec()),
        1 => Ok(b"\xA9".to_vec()),
        _ => Err(Error::Other(format!("no id {id}"))),
    };
    let mut detokenizer = StreamingDetokenizer::new(&bytes_of);
    assert_eq!(detokenizer.push(0)?, "");
    assert_eq!(expect_error(detokenizer.push(7)).to_string(), "no id 7");
    assert_eq!(detokenizer.push(1)?, "é");
    Ok(())
}

/// How many bytes at the end may still become a character.
fn unfinished(bytes: &[u8]) -> usize {
    let may_grow =
        |tail: &[u8]| std::str::from_utf8(tail).is_err_and(|e| e.valid_up_to() == 0 && e.error_len().is_none());
    (1..=bytes.len().min(3)).rev().find(|&n| may_grow(&bytes[bytes.len() - n..])).unwrap_or(0)
}

#[test]
fn task_3_random_bytes_in_random_pieces_read_like_the_whole() -> Result<()> {
    let mut source = Random::new(61);
    let characters = ["a", " ", "ß", "日", "🦀", "\n"];
    for _ in 0..300 {
        let mut bytes = Vec::new();
        for _ in 0..source.int(0..12) {
            match source.int(0..4) {
                0 => bytes.push(source.int(0..256) as u8),
                1 => bytes.extend(&characters[source.int(0..6) as usize].as_bytes()[..1]),
                _ => bytes.extend(characters[source.int(0..6) as usize].as_bytes()),
            }
        }
        let mut cuts = vec![0, bytes.len()];
        (0..4).for_each(|_| cuts.push(source.int(0..bytes.len() as i32 + 1) as usize));
        cuts.sort_unstable();
        let tokens: Vec<&[u8]> = cuts.windows(2).map(|cut| &bytes[cut[0]..cut[1]]).collect();
        let texts = pieces(&tokens)?;
        assert_eq!(texts.concat(), String::from_utf8_lossy(&bytes), "{tokens:x?}");
        for (count, cut) in cuts[1..].iter().enumerate() {
            let said = texts[..=count].concat();
            let ready = &bytes[..cut - unfinished(&bytes[..*cut])];
            assert_eq!(said, String::from_utf8_lossy(ready), "after {} pieces of {tokens:x?}", count + 1);
        }
    }
    Ok(())
}

#[test]
fn task_3_the_tokenizer_of_the_embedded_model_comes_back_as_text() -> Result<()> {
    let tokenizer = tiny_model()?.tokenizer()?;
    let bytes_of = |id| tokenizer.bytes_of(id);
    let text = "Ferris 🦀 says: «größer», 日本語, \t and naïve café…\n";
    let mut detokenizer = StreamingDetokenizer::new(&bytes_of);
    let mut streamed = String::new();
    for id in tokenizer.encode(text)? {
        streamed += &detokenizer.push(id)?;
    }
    streamed += &detokenizer.finish()?;
    assert_same("encoded and streamed", streamed, text);
    Ok(())
}

#[test]
fn end_the_embedded_model_answers_in_text() -> Result<()> {
    let checkpoint = tiny_model()?;
    let tokenizer = checkpoint.tokenizer()?;
    let bytes_of = |id| tokenizer.bytes_of(id);
    // The answer has begun, so that the test takes half the time.
    let question = "<|im_start|>user\nShow me an emoji.<|im_end|>\n<|im_start|>assistant\n";
    let prompt = tokenizer.encode(&format!("{question}The mascot of Rust is"))?;
    let engine = week1::load(checkpoint)?;
    let mut detokenizer = engine.detokenizer(&bytes_of)?;
    let mut pieces = Vec::new();
    let sampling = Sampling::GREEDY;
    let request = Request { prompt, max_tokens: 30, eos: tokenizer.eos_ids().to_vec(), sampling };
    let made = engine.generate(&request, &mut |id| {
        pieces.push(detokenizer.push(id));
        ControlFlow::Continue(())
    })?;
    pieces.push(detokenizer.finish());
    let text = pieces.into_iter().collect::<Result<Vec<_>>>()?.concat();
    assert_same("the rest of the answer", text, " Ferris the crab: 🦀");
    assert_same("the reason to stop", made.stop, StopReason::Eos(4095));
    Ok(())
}
