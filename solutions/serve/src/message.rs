//! One message of a chat, as a client sends it.

use kit::Message;
use serde_json::{Map, Value};

use crate::{
    fault::Answer,
    fields::{Fields, wrong},
};

/// The message `at` that place of the list. Errors: a fault about its field.
pub fn message(at: usize, map: &Map<String, Value>) -> Answer<Message> {
    let mut fields = Fields::of(map);
    let at = format!("messages[{at}]");
    let role = match fields.text("role")? {
        Some(role @ ("system" | "user" | "assistant")) => role,
        Some("developer") => "system",
        _ => {
            let role = map.get("role").unwrap_or(&Value::Null);
            return Err(wrong(&format!("{at}.role"), role, "system, developer, user or assistant"));
        }
    };
    let content = fields.value("content").unwrap_or(&Value::Null);
    let text = match content {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => parts.iter().map(part).collect(),
        _ => None,
    };
    let text =
        text.ok_or_else(|| wrong(&format!("{at}.content"), content, "a text or a list of parts of type text"))?;
    // What an answer's message has beside its text, where a client sends it back.
    let none = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
    fields.only("tool_calls", none, "this server calls no tools; leave it out")?;
    fields.only("annotations", none, "the messages are plain text here; leave it out")?;
    for name in ["refusal", "audio", "function_call"] {
        fields.only(name, |_| false, "the messages are plain text here; leave it out")?;
    }
    fields.finish(&format!("{at}."))?;
    Ok(Message::new(role, text))
}

/// The text of one part of a message.
fn part(value: &Value) -> Option<&str> {
    if value["type"] == "text" { value["text"].as_str() } else { None }
}
