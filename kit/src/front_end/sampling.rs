//! The law of the draw: flags in, checked settings out.

use super::{arguments::LawFlags, refused};
use crate::{Error, Result, SamplingLaw, law::SamplerConfig};

/// The law that the flags ask for. Errors: `InvalidArgument` for an unknown law and for settings that it refuses; `Other`
/// for penalties with a law that has none.
pub(super) fn law(flags: &LawFlags) -> Result<SamplingLaw> {
    let &LawFlags { temp, top_p, presence_penalty, frequency_penalty, .. } = flags;
    if top_p.is_some_and(f64::is_nan) {
        return refused("--top-p", "NaN", "be a number");
    }
    let penalties = [("--presence-penalty", presence_penalty), ("--frequency-penalty", frequency_penalty)];
    match flags.law.as_str() {
        "filter-first" => {
            if let Some((name, _)) = penalties.iter().find(|(_, penalty)| penalty.is_some()) {
                let what = format!("{name} needs --law temper-first: the filter-first law has no penalties");
                return Err(Error::Other(what));
            }
            filter_first(flags)
        }
        "temper-first" => {
            if temp.is_some_and(f64::is_nan) {
                return refused("--temp", "NaN", "be a number");
            }
            for (name, penalty) in penalties {
                if penalty.is_some_and(|penalty| !(-2.0..=2.0).contains(&penalty)) {
                    return refused(name, penalty.unwrap_or_default(), "be a number from -2 to 2");
                }
            }
            temper_first(flags)
        }
        other => refused("--law", other, "be filter-first or temper-first"),
    }
}

fn filter_first(flags: &LawFlags) -> Result<SamplingLaw> {
    let temp = flags.temp.unwrap_or(0.0);
    let temperature = temp as f32;
    if !(temperature.is_finite() && temperature >= 0.0) {
        return refused("--temp", temp, "be a finite number of at least 0");
    }
    // Larger than i32 is larger than any vocabulary, which is refused once the model is known.
    let top_k = flags.top_k.map(|k| k.clamp(i32::MIN.into(), i32::MAX.into()) as i32);
    Ok(SamplingLaw::FilterFirst { temperature, top_k, top_p: flags.top_p.map(|p| p as f32) })
}

/// What is not given is the law's own default.
fn temper_first(flags: &LawFlags) -> Result<SamplingLaw> {
    let own = SamplerConfig::default();
    let config = SamplerConfig::builder()
        .temperature(flags.temp.unwrap_or(own.temperature()))
        .top_p(flags.top_p.unwrap_or(own.top_p()))
        .top_k(flags.top_k.unwrap_or(own.top_k()))
        .presence_penalty(flags.presence_penalty.unwrap_or(own.presence_penalty()))
        .frequency_penalty(flags.frequency_penalty.unwrap_or(own.frequency_penalty()));
    Ok(SamplingLaw::TemperFirst(config.build()?))
}

/// The filter-first law refuses a k above the vocabulary; for the temper-first law it is off.
pub(super) fn check_top_k(flags: &LawFlags, vocabulary: i32) -> Result<()> {
    match flags.top_k {
        Some(k) if k > vocabulary.into() && flags.law == "filter-first" => {
            refused("--top-k", k, &format!("be at most the vocabulary, {vocabulary}"))
        }
        _ => Ok(()),
    }
}
