//! Tokens and ends in, the objects of OpenAI's interface out, whole or piece by piece.

use kit::{Tokenizer, serving::Logprobs};
use serde_json::{Map, Value, json};

use crate::{
    job::{Job, Wording},
    site::{Site, now},
};

/// What OpenAI's interface says for a probability of 0, which JSON has no number for.
const IMPOSSIBLE: f32 = -9999.0;

/// A token that was drawn, where log probabilities are told.
#[derive(Debug, Clone)]
pub struct DrawnToken {
    /// Its id.
    pub token: u32,
    /// Characters of the answer before what became final with it.
    pub offset: usize,
    /// The model's log probabilities there.
    pub logprobs: Logprobs,
}

/// A choice that has ended.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Its text.
    pub text: String,
    /// Its tokens, where log probabilities are told.
    pub drawn: Vec<DrawnToken>,
    /// `stop` or `length`.
    pub finish: &'static str,
}

/// Names and numbers that all pieces of an answer share.
pub struct Words {
    wording: Wording,
    id: String,
    created: u64,
    model: String,
    with_logprobs: bool,
    /// Whether every piece has a field for the usage.
    with_usage: bool,
}

impl Words {
    /// The words of one answer.
    pub fn of(job: &Job, site: &Site) -> Self {
        let number = site.numbers(1);
        let id = match job.wording {
            Wording::Text => format!("cmpl-{:x}-{number}", site.began),
            Wording::Chat => format!("chatcmpl-{:x}-{number}", site.began),
        };
        Self {
            wording: job.wording,
            id,
            created: now(),
            model: site.model.clone(),
            with_logprobs: job.logprobs.is_some(),
            with_usage: job.settings.include_usage,
        }
    }

    /// The whole answer.
    pub fn whole(&self, choices: &[Choice], usage: Value, tokenizer: &Tokenizer) -> Value {
        let choice = |(index, choice): (usize, &Choice)| {
            let logprobs = self.logprobs(&choice.drawn, tokenizer);
            match self.wording {
                Wording::Text => {
                    json!({ "index": index, "text": choice.text, "logprobs": logprobs, "finish_reason": choice.finish })
                }
                Wording::Chat => json!({
                    "index": index,
                    "message": { "role": "assistant", "content": choice.text, "refusal": null },
                    "logprobs": logprobs,
                    "finish_reason": choice.finish,
                }),
            }
        };
        let object = match self.wording {
            Wording::Text => "text_completion",
            Wording::Chat => "chat.completion",
        };
        let choices: Vec<Value> = choices.iter().enumerate().map(choice).collect();
        json!({
            "id": self.id, "object": object, "created": self.created, "model": self.model,
            "choices": choices, "usage": usage,
        })
    }

    /// The first piece of a choice, where there is one before its text.
    pub fn opening(&self, index: usize) -> Option<Value> {
        let opening = json!({ "index": index, "delta": { "role": "assistant", "content": "" },
            "logprobs": null, "finish_reason": null });
        (self.wording == Wording::Chat).then(|| self.piece(vec![opening], Value::Null))
    }

    /// More text of a choice.
    pub fn text(&self, index: usize, text: &str, drawn: &[DrawnToken], tokenizer: &Tokenizer) -> Value {
        let logprobs = self.logprobs(drawn, tokenizer);
        let choice = match self.wording {
            Wording::Text => json!({ "index": index, "text": text, "logprobs": logprobs, "finish_reason": null }),
            Wording::Chat => json!({ "index": index, "delta": { "content": text },
                "logprobs": logprobs, "finish_reason": null }),
        };
        self.piece(vec![choice], Value::Null)
    }

    /// The last piece of a choice.
    pub fn end(&self, index: usize, finish: &str) -> Value {
        let choice = match self.wording {
            Wording::Text => json!({ "index": index, "text": "", "logprobs": null, "finish_reason": finish }),
            Wording::Chat => json!({ "index": index, "delta": {}, "logprobs": null, "finish_reason": finish }),
        };
        self.piece(vec![choice], Value::Null)
    }

    /// The last piece of an answer that tells its usage.
    pub fn usage(&self, usage: Value) -> Value {
        self.piece(Vec::new(), usage)
    }

    fn piece(&self, choices: Vec<Value>, usage: Value) -> Value {
        let object = match self.wording {
            Wording::Text => "text_completion",
            Wording::Chat => "chat.completion.chunk",
        };
        let mut piece = json!({
            "id": self.id, "object": object, "created": self.created, "model": self.model, "choices": choices,
        });
        if self.with_usage {
            piece["usage"] = usage;
        }
        piece
    }

    fn logprobs(&self, drawn: &[DrawnToken], tokenizer: &Tokenizer) -> Value {
        if !self.with_logprobs {
            return Value::Null;
        }
        match self.wording {
            Wording::Text => legacy(drawn, tokenizer),
            Wording::Chat => {
                let content = drawn.iter().map(|DrawnToken { token, logprobs, .. }| {
                    let top = logprobs.top.iter().map(|(id, logprob)| entry(*id, *logprob, tokenizer));
                    let top: Vec<Value> = top.map(Value::Object).collect();
                    let mut entry = entry(*token, logprobs.drawn, tokenizer);
                    entry.insert("top_logprobs".into(), top.into());
                    Value::Object(entry)
                });
                json!({ "content": content.collect::<Vec<_>>(), "refusal": null })
            }
        }
    }
}

/// How many tokens an answer took.
pub fn usage(prompt: usize, answer: usize) -> Value {
    json!({ "prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer })
}

fn entry(id: u32, logprob: f32, tokenizer: &Tokenizer) -> Map<String, Value> {
    let bytes = tokenizer.bytes_of(id).unwrap_or_default();
    let mut entry = Map::new();
    entry.insert("token".into(), String::from_utf8_lossy(&bytes).into());
    entry.insert("logprob".into(), number(logprob));
    entry.insert("bytes".into(), bytes.into());
    entry
}

/// The form of `/v1/completions`: a list of each kind. Two of the best tokens may have one text; the better one stays.
fn legacy(drawn: &[DrawnToken], tokenizer: &Tokenizer) -> Value {
    let text = |id| String::from_utf8_lossy(&tokenizer.bytes_of(id).unwrap_or_default()).into_owned();
    let top = |token: &DrawnToken| {
        let mut best = Map::new();
        for (id, logprob) in &token.logprobs.top {
            best.entry(text(*id)).or_insert_with(|| number(*logprob));
        }
        Value::Object(best)
    };
    json!({
        "tokens": drawn.iter().map(|token| text(token.token)).collect::<Vec<_>>(),
        "token_logprobs": drawn.iter().map(|token| number(token.logprobs.drawn)).collect::<Vec<_>>(),
        "top_logprobs": drawn.iter().map(top).collect::<Vec<_>>(),
        "text_offset": drawn.iter().map(|token| token.offset).collect::<Vec<_>>(),
    })
}

fn number(logprob: f32) -> Value {
    logprob.max(IMPOSSIBLE).into()
}
