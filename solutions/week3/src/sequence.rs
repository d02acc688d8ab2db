//! One request's life, from its prompt to the reason why it ended.
//!
//! In: a request with settings of its own, then a row of logits for each token. Out: the token that this request draws
//! from it, and the text that can no longer change. Everything that chance or a penalty depends on lives in here, so no
//! other request can touch it.

use kit::{Error, Request, Result, Sampling, SamplingLaw};
use mlx_rs::Array;
use week1::{detokenizer::StreamingDetokenizer, engine::temper_first, generate::greedy, sampler::make_sampler};

/// The bytes of a token, none for special ones.
pub type BytesOf<'a> = &'a dyn Fn(u32) -> Result<Vec<u8>>;

/// Draws: log probabilities (1, V) to an id, (1,).
pub type Sample<'a> = Box<dyn FnMut(&Array) -> Result<Array> + 'a>;

/// Why a sequence ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FinishReason {
    /// The text came to this one of the request's stop strings, which is not part of it.
    StopString(String),
    /// This end id came; it is the last of the tokens.
    Eos(u32),
    /// As many tokens came as were asked for.
    MaxTokens,
    /// The caller wants no more.
    Cancelled,
    /// No token can be drawn for this request; the others go on.
    Failed(String),
}

impl std::fmt::Display for FinishReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::StopString(text) => write!(f, "stop string {text:?}"),
            Self::Eos(id) => write!(f, "end token {id}"),
            Self::MaxTokens => write!(f, "--max-tokens reached"),
            Self::Cancelled => write!(f, "cancelled"),
            Self::Failed(why) => write!(f, "failed: {why}"),
        }
    }
}

/// A request on its way.
pub struct Sequence<'a> {
    /// The caller's name for it.
    pub id: u64,
    /// The prompt and the settings.
    pub request: Request,
    /// Texts that end the answer.
    pub stop: Vec<String>,
    /// The tokens chosen so far.
    pub tokens: Vec<u32>,
    /// How many tokens of prompt and answer a cache holds.
    pub read: usize,
    /// Text that may become a part of a stop string; nobody has seen it.
    pub held: String,
    /// Set once, when it ends.
    pub finish: Option<FinishReason>,
    sample: Sample<'a>,
    detokenizer: StreamingDetokenizer<'a>,
}

impl<'a> Sequence<'a> {
    /// A request that nothing has been done for.
    ///
    /// Errors: `InvalidArgument` about `prompt` when empty, about
    /// `max_tokens` when 0, about `stop` for an empty text; as the samplers.
    pub fn new(id: u64, request: Request, stop: Vec<String>, bytes_of: BytesOf<'a>) -> Result<Self> {
        let refused = |name: &str, value: &str, must: &str| {
            Err(Error::InvalidArgument { name: name.into(), value: value.into(), must: must.into() })
        };
        if request.prompt.is_empty() {
            return refused("prompt", "empty", "hold at least one token id");
        }
        if request.max_tokens == 0 {
            return refused("max_tokens", "0", "be at least 1");
        }
        if stop.iter().any(String::is_empty) {
            return refused("stop", "an empty text", "hold at least one character each");
        }
        let (sample, detokenizer) = (sampler_of(request.sampling)?, StreamingDetokenizer::new(bytes_of));
        let (tokens, held) = (Vec::new(), String::new());
        Ok(Self { id, request, stop, tokens, read: 0, held, finish: None, sample, detokenizer })
    }

    /// The same, but `see` hears of every draw: the log probabilities, (1, V),
    /// and the id. Its errors are the draw's.
    pub fn watched(mut self, mut see: impl FnMut(&Array, u32) -> Result<()> + 'a) -> Self {
        let mut sample = self.sample;
        self.sample = Box::new(move |logprobs| {
            let chosen = sample(logprobs)?;
            // Of another shape or dtype it is refused where it arrives.
            if chosen.shape() == [1] && chosen.dtype() == mlx_rs::Dtype::Uint32 {
                chosen.eval()?;
                see(logprobs, chosen.item_exact::<u32>())?;
            }
            Ok(chosen)
        });
        self
    }

    /// The tokens that no cache holds: all of them at first, the newest one
    /// while the answer grows.
    pub fn unread(&self) -> Vec<u32> {
        self.request.prompt.iter().chain(&self.tokens).skip(self.read).copied().collect()
    }

    /// The tokens that a cache holds.
    pub fn cached(&self) -> Vec<u32> {
        self.request.prompt.iter().chain(&self.tokens).take(self.read).copied().collect()
    }

    /// This request's next token: `logits` (1, 1, V) are those behind its
    /// last one. The request's own law, chance and history decide.
    ///
    /// Errors: `Shape` and `Dtype` unless the sampler gives one u32; whatever
    /// the sampler returns.
    pub fn choose(&mut self, logits: &Array) -> Result<u32> {
        // SOLUTION 3.1.1 self.sample, logits
        use kit::{check_dtype, check_shape};
        use mlx_rs::Dtype;
        use week1::generate::next_logprobs;

        check_shape("sequence: logits", logits, "(1, 1, V)", &[1, 1, kit::ANY])?;
        let chosen = (self.sample)(&next_logprobs(logits)?)?;
        check_shape("sequence: the sampled id", &chosen, "(1,)", &[1])?;
        check_dtype("sequence: the sampled id", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        Ok(chosen.item_exact::<u32>())
        // END SOLUTION
    }

    /// Appends `token` to the answer; returns the text that is final now.
    ///
    /// Text that could still become a stop string waits in `held`. Sets
    /// `finish` for the stop string that ends first (of those that end
    /// together, the one that begins first), else for an end id,
    /// else at `max_tokens`; then nothing waits any more, and what stands
    /// before the stop string is all that is returned of it.
    /// Errors: whatever the detokenizer returns.
    pub fn push(&mut self, token: u32) -> Result<String> {
        // SOLUTION 3.1.1 self.request, self.stop, self.tokens, self.held, self.finish, self.detokenizer, token
        use kit::Detokenizer;

        // A token without a text is none.
        let text = self.detokenizer.push(token)?;
        self.tokens.push(token);
        self.held.push_str(&text);
        let last = if self.request.eos.contains(&token) {
            Some(FinishReason::Eos(token))
        } else if self.tokens.len() >= self.request.max_tokens {
            Some(FinishReason::MaxTokens)
        } else {
            None
        };
        if last.is_some() {
            self.held.push_str(&self.detokenizer.finish()?);
        }
        let found = self.stop.iter().filter_map(|stop| Some((self.held.find(stop)?, stop)));
        if let Some((at, stop)) = found.min_by_key(|(at, stop)| (at + stop.len(), *at)) {
            self.finish = Some(FinishReason::StopString(stop.clone()));
            self.held.truncate(at);
            return Ok(std::mem::take(&mut self.held));
        }
        self.finish = last;
        let waits = if self.finish.is_some() { 0 } else { may_become(&self.held, &self.stop) };
        let waiting = self.held.split_off(self.held.len() - waits);
        Ok(std::mem::replace(&mut self.held, waiting))
        // END SOLUTION
    }

    /// Ends the sequence, unless it has ended by itself.
    pub fn cancel(&mut self) {
        self.finish.get_or_insert(FinishReason::Cancelled);
    }
}

/// How many bytes at the end of `text` are the beginning of one of `stops`,
/// at most. A whole one does not count.
pub fn may_become(text: &str, stops: &[String]) -> usize {
    let beginnings = stops.iter().flat_map(|stop| stop.char_indices().skip(1).map(|(end, _)| &stop[..end]));
    beginnings.filter(|beginning| text.ends_with(beginning)).map(str::len).max().unwrap_or(0)
}

/// The law and the chance of one request.
fn sampler_of<'a>(sampling: Sampling) -> Result<Sample<'a>> {
    Ok(match sampling.law {
        SamplingLaw::FilterFirst { temperature: 0.0, top_k: None, top_p: None } => Box::new(greedy),
        SamplingLaw::FilterFirst { temperature, top_k, top_p } => {
            let mut sampler = make_sampler(temperature, top_k, top_p, sampling.seed)?;
            Box::new(move |logprobs| sampler.sample(logprobs))
        }
        SamplingLaw::TemperFirst(config) => Box::new(temper_first(config, sampling.seed)),
    })
}
