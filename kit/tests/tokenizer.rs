//! Chat templates as models publish them, and tokenizers that cannot be used.

use kit::{Message, Tokenizer, models::embedded};
use pretty_assertions::assert_eq;
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use std::path::Path;

/// A model's folder with the embedded tokenizer and another configuration of it.
fn with_config(config: &Value) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(embedded("tiny-qwen3").join("tokenizer.json"), folder.path().join("tokenizer.json")).expect("a copy");
    std::fs::write(folder.path().join("tokenizer_config.json"), config.to_string()).expect("a file");
    folder
}

fn rendered(template: &str, messages: &[Message], thinking: bool) -> kit::Result<String> {
    let folder = with_config(
        &json!({ "chat_template": template, "eos_token": "<|im_end|>", "bos_token": { "content": "<s>" } }),
    );
    Tokenizer::open(folder.path())?.apply_chat_template(messages, thinking)
}

fn conversation() -> Vec<Message> {
    vec![
        Message::new("system", "Be brief."),
        Message::new("user", "One?"),
        Message::new("assistant", "<think>\nhm\n</think>\n\nTwo."),
        Message::new("user", "Three?"),
    ]
}

/// Uses what the templates of the Qwen3 family use: blocks of their own lines, a macro, a namespace, reversed loops, tests,
/// Python's string methods, tools that may be none, and a switch for thinking.
const FAMILY: &str = r#"
{%- macro turn(role, text) -%}
    {{- '<' + role + '>' + text + '</' + role + '>\n' }}
{%- endmacro -%}
{%- if tools %}
    {{- raise_exception('no tools here') }}
{%- endif %}
{%- set ns = namespace(last=messages|length - 1, found=false) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if not ns.found and message.role == "user" and message.content is string and not(message.content.startswith('<tool>') and message.content.endswith('</tool>')) %}
        {%- set ns.found = true %}
        {%- set ns.last = index %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if message.content is string %}
        {%- set content = message.content %}
    {%- else %}
        {%- set content = '' %}
    {%- endif %}
    {%- if message.role == 'assistant' %}
        {%- set reasoning = '' %}
        {%- if message.reasoning_content is string %}
            {%- set reasoning = message.reasoning_content %}
        {%- elif '</think>' in content %}
            {%- set reasoning = content.split('</think>')[0].rstrip('\n').split('<think>')[-1].lstrip('\n') %}
            {%- set content = content.split('</think>')[-1].lstrip('\n') %}
        {%- endif %}
        {%- if loop.index0 > ns.last or (loop.last and reasoning) %}
            {{- turn('assistant', reasoning.strip('\n') + '|' + content) }}
        {%- else %}
            {{- turn('assistant', content) }}
        {%- endif %}
        {%- if message.tool_calls %}
            {{- message.tool_calls | tojson }}
        {%- endif %}
    {%- else %}
        {{- turn(message.role, content) }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<assistant>' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\n\n</think>\n\n' }}
    {%- endif %}
{%- endif %}"#;

#[test]
fn the_constructs_of_the_family_are_understood() -> kit::Result<()> {
    let turns =
        "<system>Be brief.</system>\n<user>One?</user>\n<assistant>Two.</assistant>\n<user>Three?</user>\n<assistant>";
    assert_eq!(rendered(FAMILY, &conversation(), true)?, turns);
    assert_eq!(rendered(FAMILY, &conversation(), false)?, format!("{turns}<think>\n\n</think>\n\n"));
    Ok(())
}

#[test]
fn pythons_methods_and_filters_are_there() -> kit::Result<()> {
    let expression = |source: &str| rendered(&format!("{{{{ {source} }}}}"), &conversation(), false);
    for (source, expected) in [
        ("'  a b '.strip()", "a b"),
        ("'xxaxx'.strip('x') + 'xa'.lstrip('x') + 'ax'.rstrip('x')", "aaa"),
        ("'a,b,c'.split(',')[1]", "b"),
        ("'a,b,c'.split(',', 1)[-1]", "b,c"),
        ("'a,b,c'.rsplit(',', 1)[0]", "a,b"),
        ("' a  b '.split()|length", "2"),
        ("'a\nb'.splitlines()[-1]", "b"),
        ("'Ab'.upper() + 'Ab'.lower()", "ABab"),
        ("'aXbX'.replace('X', '-')", "a-b-"),
        ("'abc'.find('c')", "2"),
        ("'abc'.find('d')", "-1"),
        ("'abab'.count('ab')", "2"),
        ("'abc'.endswith(('x', 'c'))", "True"),
        ("{'a': 1}.get('b', 2)", "2"),
        ("{'a': 1}.items()|list|length", "1"),
        ("{'a': [1, '<&>é']}|tojson", "{\"a\": [1, \"<&>é\"]}"),
        ("[1]|tojson(indent=2)", "[\n  1\n]"),
        ("messages[0]['content']", "Be brief."),
        ("bos_token + eos_token", "<s><|im_end|>"),
        ("(tools is none) and (nothing is undefined)", "True"),
    ] {
        assert_eq!(expression(source)?, expected, "{source}");
    }
    Ok(())
}

#[test]
fn a_line_with_only_a_block_leaves_nothing() -> kit::Result<()> {
    let template = "{% for message in messages %}\n    {% if message.role == 'user' %}\n{{ message.content }}\n    {% endif %}\n{% endfor %}\n";
    assert_eq!(rendered(template, &conversation(), false)?, "One?\nThree?\n");
    Ok(())
}

#[test]
fn a_failing_template_is_one_sentence() {
    for (template, part) in [
        ("{{ raise_exception('roles must alternate') }}", "the chat template failed in line 1: roles must alternate"),
        ("{% for x in %}", "the chat template failed in line 1: "),
        ("\n{{ messages[0].content.explode() }}", "the chat template failed in line 2: string has no method explode"),
        (
            "{% for a in range(9999) %}{% for b in range(9999) %}{{ a }}{% endfor %}{% endfor %}",
            "the chat template failed",
        ),
    ] {
        let sentence = rendered(template, &conversation(), false).expect_err("a refusal").to_string();
        assert!(sentence.contains(part) && sentence.contains("tokenizer_config.json: "), "{sentence}");
    }
}

#[test]
fn templates_are_found_where_models_keep_them() -> kit::Result<()> {
    let named =
        json!({ "chat_template": [{ "name": "tools", "template": "T" }, { "name": "default", "template": "D" }] });
    let folder = with_config(&named);
    assert_eq!(Tokenizer::open(folder.path())?.apply_chat_template(&[], false)?, "D");
    std::fs::write(folder.path().join("chat_template.jinja"), "J").expect("a file");
    assert_eq!(Tokenizer::open(folder.path())?.apply_chat_template(&[], false)?, "J");
    let none = with_config(&json!({}));
    let error = Tokenizer::open(none.path())?.apply_chat_template(&[], false).expect_err("no template").to_string();
    assert!(error.ends_with("this model has no chat template; use --raw to continue plain text"), "{error}");
    Ok(())
}

fn refusal(folder: &Path) -> String {
    match Tokenizer::open(folder) {
        Ok(_) => panic!("the tokenizer must be refused"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn unusable_files_are_refused_with_their_name() {
    let empty = tempfile::tempdir().expect("a folder");
    assert!(
        refusal(empty.path())
            .ends_with("tokenizer.json: the tokenizer is missing; a model's folder needs its tokenizer.json")
    );
    let folder = with_config(&json!({ "chat_template": 1 }));
    assert!(
        refusal(folder.path())
            .ends_with("tokenizer_config.json: chat_template is neither a text nor a list of named texts")
    );
    let folder = with_config(&json!({ "chat_template": [] }));
    assert!(refusal(folder.path()).contains("a list without one named \"default\""));
    let folder = with_config(&json!({}));
    std::fs::write(folder.path().join("generation_config.json"), r#"{"eos_token_id":[1,-2]}"#).expect("a file");
    assert!(
        refusal(folder.path())
            .contains("generation_config.json: eos_token_id is [1,-2], but it must be an id or a list of ids")
    );
    let file = folder.path().join("tokenizer.json");
    let text = std::fs::read_to_string(&file).expect("a tokenizer");
    std::fs::write(&file, &text[..text.len() / 2]).expect("a file");
    assert!(refusal(folder.path()).contains("tokenizer.json: this is not JSON: "));
    let mut other: Value = serde_json::from_str(&text).expect("JSON");
    other["decoder"] = json!({ "type": "WordPiece", "prefix": "##", "cleanup": true });
    std::fs::write(&file, other.to_string()).expect("a file");
    assert!(refusal(folder.path()).contains("tokenizer.json: the decoder is not ByteLevel"));
}

#[test]
fn end_ids_come_from_the_generation_configuration_first() -> kit::Result<()> {
    let folder = with_config(&json!({}));
    assert!(Tokenizer::open(folder.path())?.eos_ids().is_empty());
    std::fs::write(folder.path().join("config.json"), r#"{"eos_token_id":7}"#).expect("a file");
    assert_eq!(Tokenizer::open(folder.path())?.eos_ids(), [7]);
    std::fs::write(folder.path().join("generation_config.json"), r#"{"eos_token_id":[8,9]}"#).expect("a file");
    assert_eq!(Tokenizer::open(folder.path())?.eos_ids(), [8, 9]);
    Ok(())
}

#[test]
fn an_added_token_that_is_not_special_has_bytes() -> kit::Result<()> {
    let folder = with_config(&json!({}));
    let file = folder.path().join("tokenizer.json");
    let mut tokenizer: Value = serde_json::from_slice(&std::fs::read(&file).expect("a tokenizer")).expect("JSON");
    let added = tokenizer["added_tokens"].as_array_mut().expect("a list");
    added.push(json!({ "id": 4096, "content": "<think>", "special": false, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false }));
    std::fs::write(&file, tokenizer.to_string()).expect("a file");
    let tokenizer = Tokenizer::open(folder.path())?;
    assert_eq!(tokenizer.encode("<think>")?, [4096]);
    assert_eq!((tokenizer.bytes_of(4096)?, tokenizer.decode(&[4096])?), (b"<think>".to_vec(), "<think>".to_string()));
    Ok(())
}

/// Replaces or removes one random part of a JSON value, rarely inside long lists.
fn damage(value: &mut Value, random: &mut StdRng) {
    let deeper = random.random_bool(0.8);
    match value {
        Value::Object(map) if deeper && !map.is_empty() => {
            let key = map.keys().nth(random.random_range(0..map.len())).cloned().unwrap_or_default();
            if random.random_bool(0.1) {
                map.remove(&key);
            } else {
                damage(&mut map[&key], random);
            }
        }
        Value::Array(list) if deeper && !list.is_empty() => {
            let at = random.random_range(0..list.len());
            if random.random_bool(0.1) {
                list.remove(at);
            } else {
                damage(&mut list[at], random);
            }
        }
        other => {
            let kinds = [
                json!(null),
                json!(true),
                json!(-1),
                json!(1e300),
                json!("("),
                json!(""),
                json!([]),
                json!({}),
                json!(4294967295_u32),
            ];
            *other = kinds[random.random_range(0..kinds.len())].clone();
        }
    }
}

#[test]
fn random_damage_of_a_tokenizer_never_panics() {
    let folder = with_config(&json!({}));
    let file = folder.path().join("tokenizer.json");
    let whole: Value = serde_json::from_slice(&std::fs::read(&file).expect("a tokenizer")).expect("JSON");
    let mut random = StdRng::seed_from_u64(9);
    let mut refusals = 0;
    for _ in 0..30 {
        let mut damaged = whole.clone();
        damage(&mut damaged, &mut random);
        std::fs::write(&file, damaged.to_string()).expect("a file");
        match Tokenizer::open(folder.path()) {
            Err(_) => refusals += 1,
            Ok(tokenizer) => {
                if let Ok(ids) = tokenizer.encode("The KV cache 🦀 <|im_end|>") {
                    ids.iter().for_each(|&id| drop(tokenizer.bytes_of(id)));
                    drop(tokenizer.decode(&ids));
                }
            }
        }
    }
    assert!(refusals > 5, "only {refusals} of 30 damaged files were refused");
}
