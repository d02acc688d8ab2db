//! What is refused, where, and in which words.

use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

use crate::{
    client::Connection,
    place::{JSON, Place, usual},
};

const TEXT: &str = "/v1/completions";
const CHAT: &str = "/v1/chat/completions";

#[test]
fn a_body_that_will_not_do_is_refused_with_its_value() {
    let place = Place::open(usual());
    let raw = |body: &str, sentence: &str| {
        let reply = Connection::open(place.address, "POST", TEXT, &[JSON], body.as_bytes()).reply();
        assert_eq!(reply.status, 400, "{body}: {}", reply.body);
        assert!(reply.message().starts_with(sentence), "{body}\n  got      {}\n  expected {sentence}", reply.message());
    };
    raw("", "the body is not JSON: ");
    raw("{", "the body is not JSON: ");
    raw("{\"prompt\": \"a\", \"temperature\": NaN}", "the body is not JSON: ");
    raw("{\"prompt\": \"a\", \"temperature\": 1e999}", "the body is not JSON: ");
    raw(&"[".repeat(9000), "the body is not JSON: ");
    raw("\u{feff}{}", "the body is not JSON: ");
    raw("[1]", "the body is [1], but it must be a JSON object");
    raw("\"text\"", "the body is \"text\", but it must be a JSON object");

    let of_text = |name: &str, value: Value, sentence: &str| {
        let mut body = json!({ "prompt": "a", "max_tokens": 2 });
        body[name] = value;
        let reply = place.post(TEXT, &body);
        assert_eq!(reply.status, 400, "{body}: {}", reply.body);
        assert!(reply.message().starts_with(sentence), "{body}\n  got      {}\n  expected {sentence}", reply.message());
    };
    of_text("prompt", json!(null), "prompt is missing");
    of_text("prompt", json!(""), "prompt is \"\", but it must be a text");
    of_text("prompt", json!([]), "prompt is [], but it must be");
    of_text("prompt", json!([[]]), "prompt is [[]], but it must be");
    of_text("prompt", json!(["a", 1]), "prompt is [\"a\",1], but it must be");
    of_text("prompt", json!([1, "a"]), "prompt is [1,\"a\"], but it must be");
    of_text("prompt", json!([4096]), "prompt has the token id 4096, but ids are below the vocabulary, 4096");
    of_text("prompt", json!([-1]), "prompt has the token id -1");
    of_text("prompt", json!({}), "prompt is {}, but it must be");
    of_text("prompt", json!(vec![7; 2048]), "the prompt has 2048 tokens, but a text may have 2048");
    of_text("max_tokens", json!(0), "max_tokens is 0, but it must be a whole number of at least 1");
    of_text("max_tokens", json!(-3), "max_tokens is -3");
    of_text("max_tokens", json!(2.5), "max_tokens is 2.5");
    of_text("max_tokens", json!("9"), "max_tokens is \"9\"");
    of_text(
        "max_tokens",
        json!(9_000_000_000_000_000_000_u64),
        "the prompt has 1 tokens and max_tokens is 9000000000000000000",
    );
    of_text("max_tokens", json!(u64::MAX), "max_tokens is 18446744073709551615");
    of_text("max_completion_tokens", json!(3), "max_tokens is 2 and max_completion_tokens is 3");
    of_text("n", json!(0), "n is 0, but it must be a whole number from 1 to 128");
    of_text("n", json!(129), "n is 129");
    of_text("n", json!(21), "1 prompts with n = 21 are 21 texts, but this server lets 20 run and wait");
    of_text("temperature", json!(-0.1), "temperature is -0.1, but it must be a number from 0 to 2");
    of_text("temperature", json!(1e300), "temperature is 1e+300");
    of_text("temperature", json!(true), "temperature is true");
    of_text("top_p", json!(0), "top_p is 0, but it must be a number above 0, at most 1");
    of_text("top_p", json!(1.5), "top_p is 1.5");
    of_text("top_k", json!(-2), "top_k is -2, but it must be a whole number from -1 to 2147483647");
    of_text("presence_penalty", json!(2.1), "presence_penalty is 2.1, but it must be a number from -2 to 2");
    of_text("frequency_penalty", json!("x"), "frequency_penalty is \"x\"");
    of_text("repetition_penalty", json!(1.2), "repetition_penalty is 1.2, but the laws of this course");
    of_text("seed", json!(1.5), "seed is 1.5, but it must be a whole number of 64 bits");
    of_text("stop", json!(""), "stop is \"\", but it must be a text or at most 16");
    of_text("stop", json!(["a", ""]), "stop is [\"a\",\"\"]");
    of_text("stop", json!(vec!["a"; 17]), "stop is [\"a\",");
    of_text("stop", json!("x".repeat(257)), "stop is \"xxx");
    of_text("stop", json!([1]), "stop is [1]");
    of_text("law", json!("mtplx"), "law is \"mtplx\", but it must be \"temper-first\" or \"filter-first\"");
    of_text("logprobs", json!(21), "logprobs is 21, but it must be a whole number from 0 to 20");
    of_text("stream", json!("yes"), "stream is \"yes\", but it must be true or false");
    of_text(
        "stream_options",
        json!({ "include_usage": true }),
        "stream_options is {\"include_usage\":true}, but it needs",
    );
    of_text("echo", json!(true), "echo is true, but the prompt is not repeated here");
    of_text("best_of", json!(4), "best_of is 4, but every choice is returned");
    of_text("logit_bias", json!({ "5": -100 }), "logit_bias is {\"5\":-100}, but this server");
    of_text("tempreature", json!(0.5), "tempreature is not a field that this server knows; it knows ");
    of_text("messages", json!([]), "messages is not a field that this server knows");

    let mut law = json!({ "prompt": "a", "law": "filter-first", "top_k": 5000 });
    assert!(place.post(TEXT, &law).message().starts_with("top_k is 5000, but it must be at most the vocabulary, 4096"));
    law["temperature"] = json!(0);
    assert!(place.post(TEXT, &law).message().starts_with("top_k is 5000"));
    law = json!({ "prompt": "a", "law": "filter-first", "presence_penalty": 1 });
    assert!(place.post(TEXT, &law).message().starts_with("the filter-first law has no penalties"));
    let many = json!({ "prompt": "a", "n": 4, "max_tokens": 2000 });
    assert!(
        place
            .post(TEXT, &many)
            .message()
            .starts_with("4 texts of 2000 tokens are 8000, but this server has room for 4096")
    );
    let elsewhere = place.post(TEXT, &json!({ "model": "gpt", "prompt": "a" }));
    assert_eq!((elsewhere.status, elsewhere.json()["error"]["code"].as_str()), (404, Some("model_not_found")));
    // What changes nothing is let through.
    let harmless = json!({
        "prompt": "a", "max_tokens": 2, "temperature": null, "user": "me", "best_of": 1, "echo": false, "suffix": null,
        "logit_bias": {}, "repetition_penalty": 1.0, "top_k": -1, "store": false, "stop": [],
    });
    assert_eq!(place.post(TEXT, &harmless).status, 200);
    place.close();
}

/// A value of any type.
fn anything(chance: &mut StdRng) -> Value {
    match chance.random_range(0..12) {
        0 => Value::Null,
        1 => json!(chance.random_bool(0.5)),
        2 => json!(chance.random_range(-3..9)),
        3 => json!(chance.random_range(-2.0..2.0)),
        4 => json!(chance.random::<i64>()),
        5 => json!(chance.random::<f64>() * 1e300),
        6 => json!(""),
        7 => json!("\u{0}<|im_end|>\u{fffd}e\u{301}"),
        8 => json!("x".repeat(chance.random_range(1..400))),
        9 => json!({ "role": "user", "type": "text", "content": "a", "include_usage": true }),
        10 => (0..chance.random_range(0..3)).map(|_| anything(chance)).collect(),
        _ => json!([{ "role": "user", "content": anything(chance) }]),
    }
}

#[test]
fn whatever_comes_is_answered_or_refused() {
    const NAMES: [&str; 22] = [
        "model",
        "prompt",
        "messages",
        "max_tokens",
        "max_completion_tokens",
        "n",
        "temperature",
        "top_p",
        "top_k",
        "seed",
        "stop",
        "law",
        "presence_penalty",
        "frequency_penalty",
        "logprobs",
        "top_logprobs",
        "stream",
        "stream_options",
        "logit_bias",
        "echo",
        "tools",
        "chat_template_kwargs",
    ];
    let (place, mut chance, mut answered) = (Place::open(usual()), StdRng::seed_from_u64(11), 0);
    for round in 0..400 {
        let (path, mut body) = match round % 2 {
            0 => (TEXT, json!({ "prompt": "a", "max_tokens": 2 })),
            _ => (CHAT, json!({ "messages": [{ "role": "user", "content": "a" }], "max_tokens": 2 })),
        };
        for _ in 0..chance.random_range(1..3) {
            body[NAMES[chance.random_range(0..NAMES.len())]] = anything(&mut chance);
        }
        // More than a few tokens are for other tests.
        if body["max_tokens"].is_null() {
            body["max_tokens"] = json!(3);
        }
        let reply = place.post(path, &body);
        match reply.status {
            200 => answered += 1,
            400 | 404 => assert!(reply.message().len() > 10, "{body}: {}", reply.body),
            status => panic!("{status} for {body}: {}", reply.body),
        }
    }
    assert!((10..390).contains(&answered), "{answered} of 400 were answered");
    place.wait_for("pages_live", 0.0);
    place.close();
}

#[test]
fn a_conversation_that_will_not_do_is_refused_with_its_place() {
    let place = Place::open(usual());
    let wrong = |messages: Value, sentence: &str| {
        let reply = place.post(CHAT, &json!({ "messages": messages, "max_tokens": 2 }));
        assert_eq!(reply.status, 400, "{messages}: {}", reply.body);
        assert!(
            reply.message().starts_with(sentence),
            "{messages}\n  got      {}\n  expected {sentence}",
            reply.message()
        );
    };
    wrong(json!(null), "messages is missing");
    wrong(json!([]), "messages is [], but it must be a list");
    wrong(json!("hello"), "messages is \"hello\"");
    wrong(json!(["hello"]), "messages[0] is \"hello\", but it must be an object");
    wrong(
        json!([{ "role": "user", "content": "a" }, { "role": "tool", "content": "b" }]),
        "messages[1].role is \"tool\"",
    );
    wrong(json!([{ "content": "a" }]), "messages[0].role is null");
    wrong(json!([{ "role": "user" }]), "messages[0].content is null, but it must be a text");
    wrong(json!([{ "role": "user", "content": [{ "type": "image_url" }] }]), "messages[0].content is [{");
    wrong(json!([{ "role": "user", "content": "a", "nmae": "x" }]), "messages[0].nmae is not a field");
    let reply = place.post(CHAT, &json!({ "messages": [{ "role": "user", "content": "a" }], "tools": [{}] }));
    assert!(reply.message().starts_with("tools is [{}], but this server calls no tools"), "{}", reply.message());
    let reply = place.post(CHAT, &json!({ "messages": [{ "role": "user", "content": "a" }], "top_logprobs": 2 }));
    assert!(reply.message().starts_with("top_logprobs is 2, but it needs"), "{}", reply.message());
    let long = "word ".repeat(3000);
    let reply = place.post(CHAT, &json!({ "messages": [{ "role": "user", "content": long }] }));
    assert_eq!((reply.status, reply.json()["error"]["code"].as_str()), (400, Some("context_length_exceeded")));
    place.close();
}

#[test]
fn addresses_methods_types_and_sizes_have_their_own_status() {
    let place = Place::open(usual());
    let asked = |method: &str, path: &str, headers: &[&str], body: &[u8]| {
        let reply = Connection::open(place.address, method, path, headers, body).reply();
        (reply.status, reply.message())
    };
    let (status, message) = asked("GET", "/v2/nothing", &[], b"");
    assert!(status == 404 && message.starts_with("there is no /v2/nothing; this server has /v1/models"), "{message}");
    let (status, message) = asked("GET", TEXT, &[], b"");
    assert_eq!((status, message.as_str()), (405, "/v1/completions answers to POST, not to GET"));
    let (status, message) = asked("POST", TEXT, &["Content-Type: text/plain"], b"{}");
    assert_eq!(
        (status, message.as_str()),
        (415, "the content type is \"text/plain\", but it must be application/json")
    );
    let (status, message) = asked("POST", TEXT, &[JSON], &vec![b' '; (1 << 16) + 1]);
    assert_eq!(
        (status, message.as_str()),
        (413, "the body has more than 65536 bytes (--body-limit); send a shorter one")
    );
    // A page of another site whose name was pointed at this machine.
    let (status, message) = asked("GET", "/v1/models", &["Host: evil.example:8000"], b"");
    assert!(status == 403 && message.contains("\"evil.example:8000\""), "{message}");
    for host in ["Host: localhost:1", "Host: 127.0.0.1", "Host: [::1]:8000"] {
        assert_eq!(Connection::open(place.address, "GET", "/v1/models", &[host], b"").reply().status, 200, "{host}");
    }
    place.close();
}

#[test]
fn a_key_is_demanded_where_there_is_one() {
    let mut settings = usual();
    settings.key = Some("a-key-of-16-char".into());
    let place = Place::open(settings);
    let asked = |path: &str, headers: &[&str]| Connection::open(place.address, "GET", path, headers, b"").reply();
    for path in ["/v1/models", "/metrics", "/v1/nothing"] {
        let reply = asked(path, &[]);
        assert_eq!((reply.status, reply.header("www-authenticate")), (401, Some("Bearer")), "{path}");
        assert!(reply.message().starts_with("this server asks for its key"), "{}", reply.message());
        for wrong in ["a-key-of-16-chaR", "a-key-of-16-cha", "a-key-of-16-charr"] {
            let reply = asked(path, &[&format!("Authorization: Bearer {wrong}")]);
            assert_eq!(reply.status, 401);
            assert!(!reply.body.contains(wrong), "the key is repeated: {}", reply.body);
        }
    }
    let key = "Authorization: Bearer a-key-of-16-char";
    assert_eq!(asked("/v1/models", &[key]).status, 200);
    // Other machines know it by other names.
    assert_eq!(asked("/v1/models", &[key, "Host: model.example"]).status, 200);
    assert_eq!(asked("/health", &[]).status, 200);
    assert_eq!(asked("/", &[]).status, 200);
    let body = json!({ "prompt": "a", "max_tokens": 2 }).to_string();
    let post =
        |headers: &[&str]| Connection::open(place.address, "POST", TEXT, headers, body.as_bytes()).reply().status;
    assert_eq!((post(&[JSON]), post(&[JSON, key])), (401, 200));
    place.close();
}
