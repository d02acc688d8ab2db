//! Chat templates: messages in, the prompt's text out.
//!
//! Models ship their prompt format as a Jinja template written for Python, so this file supplies what such templates use
//! besides the language: Python's string and dictionary methods, `raise_exception` and Python's `tojson`.

use minijinja::{
    Environment, ErrorKind, State, UndefinedBehavior, Value, context,
    syntax::SyntaxConfig,
    value::{Kwargs, ValueKind, from_args},
};
use std::path::{Path, PathBuf};

use crate::{
    Error, Result,
    checkpoint::fields::{Fields, read_json, read_small},
};

/// Steps after which a template is stopped: a template comes with a download, and could loop for ever.
const MOST_STEPS: u64 = 2_000_000;

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
pub struct Message {
    /// `system`, `user` or `assistant`.
    pub role: String,
    /// The text.
    pub content: String,
}

impl Message {
    /// A message of the given role.
    pub fn new(role: impl Into<String>, content: impl Into<String>) -> Self {
        Self { role: role.into(), content: content.into() }
    }

    fn value(&self) -> Value {
        context! { role => self.role.as_str(), content => self.content.as_str() }
    }
}

pub(super) struct ChatTemplate {
    file: PathBuf,
    source: String,
    bos_token: String,
    eos_token: String,
}

impl ChatTemplate {
    /// The template of `chat_template.jinja`, else of `tokenizer_config.json`; `None` when there is none.
    pub(super) fn open(folder: &Path) -> Result<Option<Self>> {
        let config = folder.join("tokenizer_config.json");
        let root = if config.is_file() { read_json(&config)? } else { serde_json::Map::new() };
        let fields = Fields::new(&config, &root);
        let jinja = folder.join("chat_template.jinja");
        let (file, source) = if jinja.is_file() {
            let text = String::from_utf8(read_small(&jinja)?)
                .map_err(|e| Error::checkpoint(&jinja, format!("the template is not UTF-8: {e}")))?;
            (jinja, text)
        } else {
            match fields.get("chat_template") {
                None => return Ok(None),
                Some(serde_json::Value::String(source)) => (config.clone(), source.clone()),
                Some(serde_json::Value::Array(named)) => match named.iter().find(|one| one["name"] == "default") {
                    Some(one) if one["template"].is_string() => {
                        (config.clone(), one["template"].as_str().unwrap_or_default().to_string())
                    }
                    _ => return Err(fields.refused("chat_template is a list without one named \"default\"")),
                },
                Some(_) => return Err(fields.refused("chat_template is neither a text nor a list of named texts")),
            }
        };
        let token = |name| match fields.get(name) {
            Some(serde_json::Value::String(text)) => text.clone(),
            Some(object) => object["content"].as_str().unwrap_or_default().to_string(),
            None => String::new(),
        };
        Ok(Some(Self { file, source, bos_token: token("bos_token"), eos_token: token("eos_token") }))
    }

    pub(super) fn render(&self, messages: &[Message], thinking: bool) -> Result<String> {
        let render = || {
            environment()?.template_from_str(&self.source)?.render(context! {
                messages => messages.iter().map(Message::value).collect::<Vec<_>>(),
                tools => Value::from(()),
                documents => Value::from(()),
                add_generation_prompt => true,
                enable_thinking => thinking,
                bos_token => self.bos_token.as_str(),
                eos_token => self.eos_token.as_str(),
            })
        };
        render().map_err(|e| {
            let line = e.line().map_or(String::new(), |line| format!(" in line {line}"));
            Error::checkpoint(
                &self.file,
                format!("the chat template failed{line}: {}", e.detail().unwrap_or(&e.to_string())),
            )
        })
    }
}

fn environment() -> std::result::Result<Environment<'static>, minijinja::Error> {
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?;
    let mut environment = Environment::new();
    // What Python's users of such templates set: blocks leave no line of their own, missing names print nothing.
    environment.set_syntax(syntax);
    environment.set_undefined_behavior(UndefinedBehavior::Lenient);
    environment.set_fuel(Some(MOST_STEPS));
    environment.add_function("raise_exception", |message: String| -> std::result::Result<(), minijinja::Error> {
        Err(minijinja::Error::new(ErrorKind::InvalidOperation, message))
    });
    environment.add_filter("tojson", to_json);
    environment.set_unknown_method_callback(python_method);
    Ok(environment)
}

/// Python's `json.dumps`: no HTML escapes, a space after `:` and `,`, or lines with `indent`.
fn to_json(value: Value, options: Kwargs) -> std::result::Result<String, minijinja::Error> {
    let indent: Option<usize> = options.get("indent")?;
    let failed = |e: serde_json::Error| minijinja::Error::new(ErrorKind::BadSerialization, e.to_string());
    let mut text = Vec::new();
    match indent {
        Some(width) => {
            let spaces = " ".repeat(width.min(16));
            let formatter = serde_json::ser::PrettyFormatter::with_indent(spaces.as_bytes());
            serde::Serialize::serialize(&value, &mut serde_json::Serializer::with_formatter(&mut text, formatter))
        }
        None => serde::Serialize::serialize(&value, &mut serde_json::Serializer::with_formatter(&mut text, Spaced)),
    }
    .map_err(failed)?;
    String::from_utf8(text).map_err(|e| minijinja::Error::new(ErrorKind::BadSerialization, e.to_string()))
}

/// JSON on one line with a space after `:` and `,`.
struct Spaced;

impl serde_json::ser::Formatter for Spaced {
    fn begin_array_value<W: ?Sized + std::io::Write>(&mut self, writer: &mut W, first: bool) -> std::io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }
    fn begin_object_key<W: ?Sized + std::io::Write>(&mut self, writer: &mut W, first: bool) -> std::io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }
    fn begin_object_value<W: ?Sized + std::io::Write>(&mut self, writer: &mut W) -> std::io::Result<()> {
        writer.write_all(b": ")
    }
}

/// The methods of Python's `str` and `dict` that chat templates call.
fn python_method(
    _: &mut State<'_, '_>,
    object: &Value,
    method: &str,
    args: &[Value],
) -> std::result::Result<Value, minijinja::Error> {
    let unknown =
        || minijinja::Error::new(ErrorKind::UnknownMethod, format!("{} has no method {method}", object.kind()));
    if object.kind() == ValueKind::Map {
        return match method {
            "get" => {
                let (key, otherwise): (Value, Option<Value>) = from_args(args)?;
                let found = object.get_item(&key)?;
                Ok(if found.is_undefined() { otherwise.unwrap_or(Value::from(())) } else { found })
            }
            "keys" => Ok(object.try_iter()?.collect()),
            "values" => object.try_iter()?.map(|key| object.get_item(&key)).collect(),
            "items" => {
                object.try_iter()?.map(|key| Ok(Value::from(vec![key.clone(), object.get_item(&key)?]))).collect()
            }
            _ => Err(unknown()),
        };
    }
    let text = object.as_str().ok_or_else(unknown)?;
    match method {
        "startswith" | "endswith" => {
            let (affixes,): (Value,) = from_args(args)?;
            let affixes = if affixes.as_str().is_some() { vec![affixes] } else { affixes.try_iter()?.collect() };
            let fits =
                |affix: &str| if method == "startswith" { text.starts_with(affix) } else { text.ends_with(affix) };
            Ok(affixes.iter().filter_map(Value::as_str).any(fits).into())
        }
        "strip" | "lstrip" | "rstrip" => {
            let (set,): (Option<String>,) = from_args(args)?;
            let cut = |c: char| set.as_ref().map_or(c.is_whitespace(), |set| set.contains(c));
            let text = if method == "rstrip" { text } else { text.trim_start_matches(cut) };
            Ok(if method == "lstrip" { text } else { text.trim_end_matches(cut) }.into())
        }
        "split" | "rsplit" => {
            let (separator, most): (Option<String>, Option<usize>) = from_args(args)?;
            Ok(split(text, separator.as_deref(), most, method == "rsplit").into())
        }
        "splitlines" => Ok(text.lines().collect()),
        "replace" => {
            let (from, to): (String, String) = from_args(args)?;
            Ok(text.replace(&from, &to).into())
        }
        "upper" => Ok(text.to_uppercase().into()),
        "lower" => Ok(text.to_lowercase().into()),
        "find" => {
            let (part,): (String,) = from_args(args)?;
            Ok(text.find(&part).map_or(-1, |at| text[..at].chars().count() as i64).into())
        }
        "count" => {
            let (part,): (String,) = from_args(args)?;
            Ok(text.matches(&part).count().into())
        }
        _ => Err(unknown()),
    }
}

fn split(text: &str, separator: Option<&str>, most: Option<usize>, from_the_right: bool) -> Vec<String> {
    let parts = most.map_or(usize::MAX, |most| most.saturating_add(1));
    let owned = |part: &str| part.to_string();
    match separator {
        None => text.split_whitespace().map(owned).collect(),
        Some(separator) if from_the_right => {
            let mut split: Vec<String> = text.rsplitn(parts, separator).map(owned).collect();
            split.reverse();
            split
        }
        Some(separator) => text.splitn(parts, separator).map(owned).collect(),
    }
}
