//! A request's body in, checked work for the engine out.
//!
//! Two kinds of bodies ask for text, `/v1/completions` and `/v1/chat/completions`; behind this file they are the same:
//! prompts of token ids, settings, and how the answer is to be worded.

use kit::{Message, Request, Tokenizer, serving::Ask};
use serde_json::Value;

use crate::{
    fault::{Answer, Fault},
    fields::{Fields, shown, wrong},
    message::message,
    settings::{Known, MOST_LOGPROBS, Settings, settings},
};

/// How an answer is worded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wording {
    /// `/v1/completions`
    Text,
    /// `/v1/chat/completions`
    Chat,
}

/// What a text may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Tokens of a text, prompt and answer together.
    pub positions: usize,
    /// Tokens of all texts together.
    pub tokens: usize,
    /// Texts that may run or wait at the same time.
    pub texts: usize,
}

/// A checked request.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// How its answer is worded.
    pub wording: Wording,
    /// How it is drawn.
    pub settings: Settings,
    /// The ids of each prompt.
    pub prompts: Vec<Vec<u32>>,
    /// The most tokens of a choice.
    pub max_tokens: usize,
    /// How many of the best tokens are told beside each drawn one; `None` without log probabilities.
    pub logprobs: Option<usize>,
}

/// The OpenAI default of `/v1/completions`.
const FEW_TOKENS: usize = 16;

impl Job {
    /// Reads a body. Errors: whatever does not fit, as a sentence.
    pub fn read(body: &[u8], wording: Wording, tokenizer: &Tokenizer, known: &Known<'_>, room: Room) -> Answer<Self> {
        let body: Value =
            serde_json::from_slice(body).map_err(|error| Fault::body(format!("the body is not JSON: {error}")))?;
        let Some(map) = body.as_object() else {
            return Err(Fault::body(format!("the body is {}, but it must be a JSON object", shown(&body))));
        };
        let mut fields = Fields::of(map);
        let settings = settings(&mut fields, known)?;
        let (prompts, logprobs) = match wording {
            Wording::Text => {
                let logprobs = fields.whole("logprobs", 0, MOST_LOGPROBS)?.map(|most| most as usize);
                fields.only("echo", |value| value == false, "the prompt is not repeated here; leave it out")?;
                fields.only("suffix", |value| value == "", "this model only writes forwards; leave it out")?;
                if let Some(value) =
                    fields.value("best_of").filter(|value| value.as_u64() != Some(settings.choices as u64))
                {
                    let message = format!("best_of is {}, but every choice is returned; use n", shown(value));
                    return Err(Fault::field("best_of", message));
                }
                (prompts(&mut fields, tokenizer, known.vocabulary)?, logprobs)
            }
            Wording::Chat => (vec![conversation(&mut fields, tokenizer)?], chat_logprobs(&mut fields)?),
        };
        fields.finish("")?;
        let max_tokens = max_tokens(wording, &settings, &prompts, room)?;
        Ok(Self { wording, settings, prompts, max_tokens, logprobs })
    }

    /// A request to the engine for every choice of every prompt, in the order of the answer; their ids begin at `first`.
    pub fn asks(&self, first: u64, eos: &[u32]) -> Vec<Ask> {
        let choices = |prompt| (0..self.settings.choices as u64).map(move |choice| (prompt, choice));
        let ask = |(id, (prompt, choice)): (u64, (&Vec<u32>, u64))| {
            let mut sampling = self.settings.sampling;
            sampling.seed = sampling.seed.wrapping_add(choice);
            let request = Request { prompt: prompt.clone(), max_tokens: self.max_tokens, eos: eos.to_vec(), sampling };
            Ask { id, request, stop: self.settings.stop.clone(), logprobs: self.logprobs }
        };
        (first..).zip(self.prompts.iter().flat_map(choices)).map(ask).collect()
    }

    /// How many texts it asks for.
    pub fn texts(&self) -> usize {
        self.prompts.len() * self.settings.choices
    }

    /// Tokens of all prompts.
    pub fn prompt_tokens(&self) -> usize {
        self.prompts.iter().map(Vec::len).sum()
    }
}

/// What a choice may have, if there is room for it.
fn max_tokens(wording: Wording, settings: &Settings, prompts: &[Vec<u32>], room: Room) -> Answer<usize> {
    let longest = prompts.iter().map(Vec::len).max().unwrap_or(0);
    let texts = prompts.len() * settings.choices;
    if texts > room.texts {
        let message = format!(
            "{} prompts with n = {} are {texts} texts, but this server lets {} run and wait; ask for fewer",
            prompts.len(),
            settings.choices,
            room.texts
        );
        return Err(Fault::field("n", message));
    }
    let left = room.positions.saturating_sub(longest);
    if left == 0 {
        let message = format!(
            "the prompt has {longest} tokens, but a text may have {}, prompt and answer together; shorten it",
            room.positions
        );
        return Err(Fault::too_long(message));
    }
    let usual = match wording {
        Wording::Text => FEW_TOKENS.min(left),
        Wording::Chat => left.min(room.tokens / texts).max(1),
    };
    let max_tokens = settings.max_tokens.unwrap_or(usual);
    if max_tokens > left {
        let message = format!(
            "the prompt has {longest} tokens and max_tokens is {max_tokens}, but a text may have {}, prompt and answer \
             together; use max_tokens {left}",
            room.positions
        );
        return Err(Fault::too_long(message));
    }
    if max_tokens.saturating_mul(texts) > room.tokens {
        let message = format!(
            "{texts} texts of {max_tokens} tokens are {}, but this server has room for {} (--pages); ask for fewer",
            max_tokens.saturating_mul(texts),
            room.tokens
        );
        return Err(Fault::too_long(message));
    }
    Ok(max_tokens)
}

/// A text, a list of texts, a list of ids, or a list of lists of ids.
fn prompts(fields: &mut Fields<'_>, tokenizer: &Tokenizer, vocabulary: i64) -> Answer<Vec<Vec<u32>>> {
    let Some(value) = fields.value("prompt") else {
        return Err(Fault::field("prompt", "prompt is missing; give a text to continue"));
    };
    let must = "a text, a list of texts, a list of token ids or a list of such lists, none of them empty";
    let refused = || wrong("prompt", value, must);
    let ids = |list: &[Value]| -> Answer<Vec<u32>> {
        let id = |value: &Value| match value.as_i64() {
            Some(id) if (0..vocabulary).contains(&id) => Ok(id as u32),
            Some(id) => {
                let message = format!("prompt has the token id {id}, but ids are below the vocabulary, {vocabulary}");
                Err(Fault::field("prompt", message))
            }
            None => Err(refused()),
        };
        list.iter().map(id).collect()
    };
    let prompts: Vec<Vec<u32>> = match value {
        Value::String(text) => vec![encoded(tokenizer, text)?],
        Value::Array(list) if list.first().is_some_and(Value::is_number) => vec![ids(list)?],
        Value::Array(list) => {
            let one = |value: &Value| match value {
                Value::String(text) => encoded(tokenizer, text),
                Value::Array(list) => ids(list),
                _ => Err(refused()),
            };
            list.iter().map(one).collect::<Answer<_>>()?
        }
        _ => return Err(refused()),
    };
    if prompts.is_empty() || prompts.iter().any(Vec::is_empty) { Err(refused()) } else { Ok(prompts) }
}

fn encoded(tokenizer: &Tokenizer, text: &str) -> Answer<Vec<u32>> {
    tokenizer.encode(text).map_err(|error| Fault::field("prompt", error.to_string()))
}

/// The ids of a conversation, up to where the answer begins.
fn conversation(fields: &mut Fields<'_>, tokenizer: &Tokenizer) -> Answer<Vec<u32>> {
    let none = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
    let no_tools = "this server calls no tools; leave it out";
    fields.only("tools", none, no_tools)?;
    fields.only("functions", none, no_tools)?;
    fields.only("tool_choice", |value| value == "none", no_tools)?;
    fields.only("function_call", |value| value == "none", no_tools)?;
    fields.without_effect(&["parallel_tool_calls"]);
    let is_text = |value: &Value| value["type"] == "text";
    fields.only("response_format", is_text, "the answer is plain text here; leave it out")?;
    let mut thinking = false;
    if let Some(switches) = fields.object("chat_template_kwargs")? {
        let mut switches = Fields::of(switches);
        thinking = switches.boolean("enable_thinking")?.unwrap_or(false);
        switches.finish("chat_template_kwargs.")?;
    }
    let Some(value) = fields.value("messages") else {
        return Err(Fault::field("messages", "messages is missing; give a list of messages with role and content"));
    };
    let must = "a list of messages, not empty, each with role and content";
    let listed = value.as_array().filter(|list| !list.is_empty()).ok_or_else(|| wrong("messages", value, must))?;
    let message = |(at, value): (usize, &Value)| match value.as_object() {
        Some(map) => message(at, map),
        None => Err(wrong(&format!("messages[{at}]"), value, "an object with role and content")),
    };
    let messages: Vec<Message> = listed.iter().enumerate().map(message).collect::<Answer<_>>()?;
    let whole = tokenizer.apply_chat_template(&messages, thinking);
    encoded(tokenizer, &whole.map_err(|error| Fault::field("messages", error.to_string()))?)
        .map_err(|fault| Fault { field: Some("messages".into()), ..fault })
}

fn chat_logprobs(fields: &mut Fields<'_>) -> Answer<Option<usize>> {
    let wanted = fields.boolean("logprobs")?.unwrap_or(false);
    match fields.whole("top_logprobs", 0, MOST_LOGPROBS)? {
        Some(most) if !wanted && most > 0 => {
            Err(Fault::field("top_logprobs", format!("top_logprobs is {most}, but it needs \"logprobs\": true")))
        }
        most => Ok(wanted.then_some(most.unwrap_or(0) as usize)),
    }
}
