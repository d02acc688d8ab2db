//! What both kinds of requests share: fields in, how the tokens are drawn and when the answers end out.

use kit::{Sampling, SamplingLaw, law::SamplerConfig};
use serde_json::Value;

use crate::{
    fault::{Answer, Fault},
    fields::{Fields, shown, wrong},
};

/// The most choices of a prompt.
pub const MOST_CHOICES: i64 = 128;
/// The most stop strings, and the most bytes of one.
const MOST_STOPS: (usize, usize) = (16, 256);
/// The most log probabilities beside a drawn token's.
pub const MOST_LOGPROBS: i64 = 20;

/// The law of a request that names none.
pub const DEFAULT_LAW: &str = "temper-first";

/// How a request is answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Choice number i of the answer draws by this seed plus i.
    pub sampling: Sampling,
    /// Texts that end a choice.
    pub stop: Vec<String>,
    /// Choices for each prompt.
    pub choices: usize,
    /// The most tokens of a choice; `None` where the request does not say.
    pub max_tokens: Option<usize>,
    /// Whether the answer comes piece by piece.
    pub stream: bool,
    /// Whether a last piece tells the number of tokens.
    pub include_usage: bool,
}

/// What the request is checked against.
#[derive(Debug, Clone)]
pub struct Known<'a> {
    /// The model's name.
    pub model: &'a str,
    /// V
    pub vocabulary: i64,
    /// Laws that the engine has not, each with the reason.
    pub missing_laws: &'a [(&'static str, String)],
}

/// Reads the fields that both kinds of requests have.
pub fn settings(fields: &mut Fields<'_>, known: &Known<'_>) -> Answer<Settings> {
    if let Some(model) = fields.text("model")?.filter(|model| *model != known.model) {
        let message = format!("the model {:?} is not here; this server has {:?}", clipped(model), known.model);
        return Err(Fault { field: Some("model".into()), ..Fault::not_found("model_not_found", message) });
    }
    let law = law(fields, known)?;
    // OpenAI's seeds are signed; any 64 bits will do.
    let seed = match fields.value("seed") {
        None => rand::random(),
        Some(value) => match (value.as_u64(), value.as_i64()) {
            (Some(seed), _) => seed,
            (None, Some(negative)) => negative as u64,
            (None, None) => return Err(wrong("seed", value, "a whole number of 64 bits")),
        },
    };
    let max_tokens =
        match (fields.whole("max_tokens", 1, i64::MAX)?, fields.whole("max_completion_tokens", 1, i64::MAX)?) {
            (Some(old), Some(new)) if old != new => {
                let message = format!("max_tokens is {old} and max_completion_tokens is {new}; give one of them");
                return Err(Fault::field("max_completion_tokens", message));
            }
            (old, new) => new.or(old),
        };
    let stream = fields.boolean("stream")?.unwrap_or(false);
    let choices = fields.whole("n", 1, MOST_CHOICES)?.unwrap_or(1) as usize;
    let settings = Settings {
        sampling: Sampling { law, seed },
        stop: stops(fields)?,
        choices,
        max_tokens: max_tokens.map(|most| usize::try_from(most).unwrap_or(usize::MAX)),
        stream,
        include_usage: include_usage(fields, stream)?,
    };
    fields.without_effect(&[
        "user",
        "metadata",
        "store",
        "service_tier",
        "safety_identifier",
        "prompt_cache_key",
        "prompt_cache_retention",
    ]);
    let is_empty = |value: &Value| value.as_object().is_some_and(|map| map.is_empty());
    fields.only("logit_bias", is_empty, "this server changes no logits but by penalties; leave it out")?;
    let is_one = |value: &Value| value.as_f64() == Some(1.0);
    let no_repetition = "the laws of this course have no such penalty; use presence_penalty or frequency_penalty";
    fields.only("repetition_penalty", is_one, no_repetition)?;
    let is_zero = |value: &Value| value.as_f64() == Some(0.0);
    fields.only("min_p", is_zero, "the laws of this course have no such filter; use top_p or top_k")?;
    Ok(settings)
}

fn law(fields: &mut Fields<'_>, known: &Known<'_>) -> Answer<SamplingLaw> {
    let named = fields.text("law")?;
    let name = named.unwrap_or(DEFAULT_LAW);
    let temperature =
        fields.number("temperature", |t| (0.0..=2.0).contains(&t), "a number from 0 to 2")?.unwrap_or(1.0);
    let top_p = fields.number("top_p", |p| p > 0.0 && p <= 1.0, "a number above 0, at most 1")?;
    let top_k = fields.whole("top_k", -1, i64::from(i32::MAX))?.unwrap_or(0);
    let penalty = |fields: &mut Fields<'_>, name| {
        let fits = |penalty: f64| (-2.0..=2.0).contains(&penalty);
        Ok(fields.number(name, fits, "a number from -2 to 2")?.unwrap_or(0.0))
    };
    let presence = penalty(fields, "presence_penalty")?;
    let frequency = penalty(fields, "frequency_penalty")?;
    let penalised = presence != 0.0 || frequency != 0.0;
    let law = match name {
        // The most likely token under either law, and the engine's shortest way.
        "temper-first" | "filter-first" if temperature == 0.0 && !penalised && top_k <= known.vocabulary => {
            return Ok(Sampling::GREEDY.law);
        }
        "temper-first" => {
            let config = SamplerConfig::builder()
                .temperature(temperature)
                .top_p(top_p.unwrap_or(1.0))
                .top_k(top_k)
                .presence_penalty(presence)
                .frequency_penalty(frequency);
            SamplingLaw::TemperFirst(config.build().map_err(|error| Fault::field("temperature", error.to_string()))?)
        }
        "filter-first" if penalised => {
            let message = "the filter-first law has no penalties; leave presence_penalty and frequency_penalty out, or \
                           \"law\": \"filter-first\"";
            return Err(Fault::field("law", message));
        }
        "filter-first" if top_k > known.vocabulary => {
            let message = format!("top_k is {top_k}, but it must be at most the vocabulary, {}", known.vocabulary);
            return Err(Fault::field("top_k", message));
        }
        "filter-first" => {
            let top_k = (top_k > 0).then_some(top_k as i32);
            SamplingLaw::FilterFirst { temperature: temperature as f32, top_k, top_p: top_p.map(|p| p as f32) }
        }
        other => {
            let message = format!("law is {:?}, but it must be \"temper-first\" or \"filter-first\"", clipped(other));
            return Err(Fault::field("law", message));
        }
    };
    match known.missing_laws.iter().find(|(missing, _)| *missing == name) {
        Some((name, why)) => Err(Fault::field("law", format!("the law {name} is not there yet: {why}"))),
        None => Ok(law),
    }
}

fn stops(fields: &mut Fields<'_>) -> Answer<Vec<String>> {
    let Some(value) = fields.value("stop") else { return Ok(Vec::new()) };
    let listed = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    let texts: Option<Vec<String>> = listed.iter().map(|stop| stop.as_str().map(str::to_string)).collect();
    let (most, longest) = MOST_STOPS;
    let fits = |stop: &String| !stop.is_empty() && stop.len() <= longest;
    texts
        .filter(|texts| texts.len() <= most && texts.iter().all(fits))
        .ok_or_else(|| wrong("stop", value, &format!("a text or at most {most} of them, of 1 to {longest} bytes each")))
}

fn include_usage(fields: &mut Fields<'_>, stream: bool) -> Answer<bool> {
    let Some(options) = fields.object("stream_options")? else { return Ok(false) };
    if !stream {
        let message = format!("stream_options is {}, but it needs \"stream\": true", shown(&options.clone().into()));
        return Err(Fault::field("stream_options", message));
    }
    let mut options = Fields::of(options);
    let include = options.boolean("include_usage")?.unwrap_or(false);
    // Padding against those who count bytes on a wire; there is none here to leave out.
    options.only("include_obfuscation", |value| value == false, "this server pads nothing; leave it out")?;
    options.finish("stream_options.")?;
    Ok(include)
}

fn clipped(text: &str) -> String {
    text.chars().take(60).collect()
}
