//! What is answered: the engine's own tokens, the same in pieces, the same again by the same seed.

use kit::{Engine, Request, Result, Sampling, SamplingLaw, law::SamplerConfig, testing::tiny_model};
use serde_json::{Value, json};
use std::ops::ControlFlow;

use crate::place::{Place, joined, usual};

const TEXT: &str = "/v1/completions";
const CHAT: &str = "/v1/chat/completions";
const PROMPT: &str = "The KV cache stores";

/// What the engine of Week 3 writes by itself: the text and the number of tokens.
fn alone(prompt: &str, max_tokens: usize, sampling: Sampling) -> Result<(String, usize)> {
    let checkpoint = tiny_model()?;
    let (tokenizer, engine) = (checkpoint.tokenizer()?, solution_week3::load(checkpoint, None)?);
    let (prompt, eos) = (tokenizer.encode(prompt)?, tokenizer.eos_ids().to_vec());
    let request = Request { prompt, max_tokens, eos, sampling };
    let tokens = Engine::generate(&*engine, &request, &mut |_| ControlFlow::Continue(()))?.tokens;
    Ok((tokenizer.decode(&tokens)?, tokens.len()))
}

#[test]
fn greedy_answers_are_those_of_generate() -> Result<()> {
    let (text, tokens) = alone(PROMPT, 24, Sampling::GREEDY)?;
    let place = Place::open(usual());
    let answer = place.answer(TEXT, &json!({ "model": "tiny", "prompt": PROMPT, "max_tokens": 24, "temperature": 0 }));
    assert_eq!(answer["choices"][0]["text"], json!(text));
    assert_eq!(answer["usage"]["completion_tokens"], json!(tokens));
    assert_eq!(answer["object"], "text_completion");
    let ids = tiny_model()?.tokenizer()?.encode(PROMPT)?;
    let by_ids = json!({ "prompt": ids, "max_tokens": 24, "temperature": 0 });
    assert_eq!(place.texts(TEXT, &by_ids).concat(), text);
    // A conversation is its template's text.
    let messages = json!([{ "role": "user", "content": [{ "type": "text", "text": "What is a KV cache?" }] }]);
    let whole =
        tiny_model()?.tokenizer()?.apply_chat_template(&[kit::Message::new("user", "What is a KV cache?")], false)?;
    let (text, tokens) = alone(&whole, 100, Sampling::GREEDY)?;
    let answer = place.answer(CHAT, &json!({ "messages": messages, "temperature": 0, "max_completion_tokens": 100 }));
    assert_eq!(answer["choices"][0]["message"]["content"], json!(text));
    assert_eq!(answer["choices"][0]["message"]["role"], "assistant");
    assert_eq!(answer["choices"][0]["finish_reason"], "stop");
    assert_eq!(answer["usage"]["completion_tokens"], json!(tokens));
    place.close();
    Ok(())
}

#[test]
fn each_law_draws_as_the_engine_alone_does() -> Result<()> {
    let filter_first = SamplingLaw::FilterFirst { temperature: 0.9, top_k: Some(12), top_p: Some(0.75) };
    let config = SamplerConfig::builder().temperature(0.9).top_k(12).top_p(0.75);
    let temper_first = config.presence_penalty(0.5).frequency_penalty(-0.25).build()?;
    let laws = [(filter_first, None), (SamplingLaw::TemperFirst(temper_first), Some((0.5, -0.25)))];
    let place = Place::open(usual());
    for (law, penalties) in laws {
        let expected = alone(PROMPT, 20, Sampling { law, seed: 7 })?.0;
        let mut body =
            json!({ "prompt": PROMPT, "max_tokens": 20, "temperature": 0.9, "top_k": 12, "top_p": 0.75, "seed": 7 });
        match penalties {
            None => body["law"] = json!("filter-first"),
            Some((presence, frequency)) => {
                body["presence_penalty"] = json!(presence);
                body["frequency_penalty"] = json!(frequency);
            }
        }
        assert_eq!(place.texts(TEXT, &body), [expected], "{body}");
    }
    place.close();
    Ok(())
}

#[test]
fn a_stream_is_the_whole_answer_in_pieces() {
    let place = Place::open(usual());
    let messages = json!([{ "role": "user", "content": "Tell me about attention." }]);
    for (path, mut body) in [(TEXT, json!({ "prompt": PROMPT })), (CHAT, json!({ "messages": messages }))] {
        for stop in [json!(null), json!([" the", "e t"])] {
            body["seed"] = json!(3);
            body["n"] = json!(2);
            body["max_tokens"] = json!(30);
            body["stop"] = stop;
            body["stream_options"] = json!(null);
            let whole = place.answer(path, &body);
            body["stream_options"] = json!({ "include_usage": true });
            let mut pieces = place.pieces(path, &body);
            let usage = pieces.pop().expect("usage");
            assert_eq!(usage["usage"], whole["usage"]);
            assert_eq!(usage["choices"], json!([]));
            assert!(pieces.iter().all(|piece| piece["usage"].is_null() && piece["id"] == usage["id"]));
            for index in 0..2 {
                let choice = &whole["choices"][index as usize];
                let text = choice.get("text").unwrap_or(&choice["message"]["content"]);
                let (streamed, ends) = joined(&pieces, index);
                assert_eq!(json!(streamed), *text, "{body}");
                assert_eq!(json!(ends), json!([choice["finish_reason"]]));
            }
        }
    }
    place.close();
}

#[test]
fn the_same_seed_writes_the_same_text_whoever_else_asks() {
    let place = Place::open(usual());
    let body = |seed: u64| json!({ "prompt": PROMPT, "max_tokens": 16, "seed": seed, "temperature": 1.5 });
    let alone: Vec<String> = (0..6).map(|seed| place.texts(TEXT, &body(seed)).remove(0)).collect();
    assert!(alone.iter().any(|text| *text != alone[0]), "every seed writes {:?}", alone[0]);
    // Six at once, in four slots.
    let together: Vec<_> = (0..6).map(|seed| place.send(TEXT, &body(seed))).collect();
    for (connection, expected) in together.into_iter().zip(&alone) {
        assert_eq!(connection.reply().json()["choices"][0]["text"], json!(expected));
    }
    // Choice i draws by the seed plus i, and every prompt has its choices side by side.
    let mut many = body(0);
    many["n"] = json!(3);
    many["prompt"] = json!([PROMPT, PROMPT]);
    let expected: Vec<&String> = [0, 1, 2, 0, 1, 2].map(|seed| &alone[seed]).to_vec();
    assert_eq!(place.texts(TEXT, &many).iter().collect::<Vec<_>>(), expected);
    // Seeds of OpenAI's clients may be negative; without one every answer is another.
    let negative = json!({ "prompt": PROMPT, "max_tokens": 16, "seed": -5, "temperature": 1.5 });
    assert_eq!(place.texts(TEXT, &negative), place.texts(TEXT, &negative));
    let unseeded = json!({ "prompt": PROMPT, "max_tokens": 16, "temperature": 1.5 });
    let drawn: std::collections::BTreeSet<String> = (0..4).flat_map(|_| place.texts(TEXT, &unseeded)).collect();
    assert!(drawn.len() > 1, "{drawn:?}");
    place.close();
}

#[test]
fn a_stop_string_ends_the_text_before_itself() {
    let place = Place::open(usual());
    let whole = place.texts(TEXT, &json!({ "prompt": PROMPT, "max_tokens": 30, "temperature": 0 })).remove(0);
    let stop: String = whole.chars().skip(20).take(5).collect();
    let body = json!({ "prompt": PROMPT, "max_tokens": 30, "temperature": 0, "stop": stop });
    let answer = place.answer(TEXT, &body);
    let before = whole.split(&stop).next().expect("a beginning");
    assert_eq!(answer["choices"][0]["text"], json!(before));
    assert_eq!(answer["choices"][0]["finish_reason"], "stop");
    place.close();
}

#[test]
fn log_probabilities_are_the_models_own() {
    let place = Place::open(usual());
    let body = json!({ "prompt": PROMPT, "max_tokens": 8, "temperature": 0, "logprobs": 3 });
    let answer = place.answer(TEXT, &body);
    let logprobs = &answer["choices"][0]["logprobs"];
    let list = |name: &str| logprobs[name].as_array().expect("a list").clone();
    assert_eq!(list("tokens").len(), 8);
    let text: String = list("tokens").iter().map(|token| token.as_str().expect("a text")).collect();
    assert_eq!(answer["choices"][0]["text"], json!(text));
    for (drawn, top) in list("token_logprobs").iter().zip(list("top_logprobs")) {
        let top: Vec<f64> =
            top.as_object().expect("an object").values().map(|value| value.as_f64().expect("a number")).collect();
        let best = top.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert_eq!(drawn.as_f64(), Some(best), "greedy takes the best");
        assert!(top.len() == 3 && top.iter().map(|logprob| logprob.exp()).sum::<f64>() < 1.0 + 1e-6, "{top:?}");
    }
    // The law does not change them, and neither do pieces.
    let messages = json!([{ "role": "user", "content": "Hello" }]);
    let body = json!({ "messages": messages, "max_tokens": 6, "seed": 1, "logprobs": true, "top_logprobs": 2 });
    let whole = place.answer(CHAT, &body);
    let content = whole["choices"][0]["logprobs"]["content"].as_array().expect("content").clone();
    assert_eq!(json!(content.len()), whole["usage"]["completion_tokens"]);
    assert!(content.iter().all(|token| token["top_logprobs"].as_array().is_some_and(|top| top.len() == 2)));
    let mut warm = body.clone();
    warm["temperature"] = json!(0.01);
    let first = &place.answer(CHAT, &warm)["choices"][0]["logprobs"]["content"][0];
    assert_eq!(first["top_logprobs"], content[0]["top_logprobs"]);
    let pieces = place.pieces(CHAT, &body);
    let entries = |piece: &Value| piece["choices"][0]["logprobs"]["content"].as_array().cloned().unwrap_or_default();
    assert_eq!(pieces.iter().flat_map(entries).collect::<Vec<_>>(), content);
    place.close();
}

#[test]
fn models_health_and_counts_are_told() {
    let place = Place::open(usual());
    let models = place.get("/v1/models").json();
    assert_eq!(models["data"][0]["id"], "tiny");
    assert_eq!(models["data"][0]["max_model_len"], json!(2048));
    assert_eq!(place.get("/v1/models/tiny").json(), models["data"][0]);
    assert_eq!(place.get("/v1/models/huge").message(), "the model \"huge\" is not here; this server has \"tiny\"");
    assert_eq!(place.get("/health").json(), json!({ "status": "ok", "model": "tiny" }));
    let answer = place.answer(TEXT, &json!({ "prompt": PROMPT, "max_tokens": 5, "temperature": 0 }));
    place.pieces(TEXT, &json!({ "prompt": PROMPT, "max_tokens": 3 }));
    place.wait_for("pages_live", 0.0);
    assert_eq!(place.metric("generated_tokens_total"), 8.0);
    assert_eq!(place.metric("prompt_tokens_total"), 2.0 * answer["usage"]["prompt_tokens"].as_f64().expect("a number"));
    assert_eq!(place.metric("requests_total{path=\"/v1/completions\",status=\"200\"}"), 2.0);
    assert_eq!(place.metric("choices_total{reason=\"length\"}"), 2.0);
    assert_eq!(place.metric("first_token_seconds_count"), 2.0);
    assert_eq!(place.metric("token_gap_seconds_count"), 6.0);
    assert_eq!(place.metric("pages_limit"), 256.0);
    let page = place.get("/");
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(!page.body.contains("http://") && !page.body.contains("https://"), "the page names another place");
    assert_eq!(place.close().finished, 2);
}
