//! Task 1.7.5, the temper-first law: one test a sentence of the contract, then MTPLX's answers, the reference, properties.

use kit::testing::{Random, expect_invalid_argument, expect_non_finite, golden_json, values};
use kit::{CausalLm, Engine, Request, Result, Sampling, SamplingLaw};
use mlx_rs::Array;
use std::ops::ControlFlow;
use week1::engine::ModelEngine;
use week1::law::{History, SamplerConfig, distribution_from_logits};

const NONE: i64 = 0;
const ALL: f64 = 1.0;

/// How far a probability may be off: the arithmetic is f64, and only the order of a sum is free.
const BOUND: f64 = 1e-12;

fn config(temperature: f64, top_p: f64, top_k: i64) -> Result<SamplerConfig> {
    SamplerConfig::builder().temperature(temperature).top_p(top_p).top_k(top_k).build()
}

/// The law without penalties.
fn law(logits: &[f64], temperature: f64, top_p: f64, top_k: i64) -> Result<Vec<f64>> {
    distribution_from_logits(logits, &config(temperature, top_p, top_k)?, &History::default())
}

/// The law after a completion, without filters.
fn after(logits: &[f64], temperature: f64, history: &History, presence: f64, frequency: f64) -> Result<Vec<f64>> {
    let config = SamplerConfig::builder().temperature(temperature).top_p(ALL).top_k(NONE);
    let config = config.presence_penalty(presence).frequency_penalty(frequency).build()?;
    distribution_from_logits(logits, &config, history)
}

fn logs(probs: &[f64]) -> Vec<f64> {
    probs.iter().map(|prob| prob.ln()).collect()
}

/// exp(z / T), divided by its sum.
fn tempered(logits: &[f64], temperature: f64) -> Vec<f64> {
    let weights: Vec<f64> = logits.iter().map(|z| (z / temperature).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

/// Panics with the first token whose probability is off, or that is kept by one side alone.
#[track_caller]
fn assert_law(what: &str, got: &[f64], expected: &[f64], bound: f64) {
    assert_eq!(got.len(), expected.len(), "{what}: number of probabilities");
    for (id, (&got, &expected)) in got.iter().zip(expected).enumerate() {
        let same = (got - expected).abs() <= bound && (got > 0.0) == (expected > 0.0);
        assert!(same, "{what}: token {id}\n  got      {got:?}\n  expected {expected:?} within {bound:?}");
    }
}

#[test]
fn task_5_without_settings_it_is_the_softmax() -> Result<()> {
    assert_law("T = 1", &law(&[1.0, 3.0, 2.0], 1.0, ALL, NONE)?, &tempered(&[1.0, 3.0, 2.0], 1.0), BOUND);
    assert_law("one token", &law(&[-0.7], 0.6, 0.5, 1)?, &[1.0], BOUND);
    Ok(())
}

#[test]
fn task_5_the_temperature_divides_the_logits_once() -> Result<()> {
    for temperature in [0.3, 0.5, 2.0, 10.0] {
        let expected = tempered(&[1.0, 3.0, 2.0], temperature);
        let what = format!("logits 1, 3, 2 at T = {temperature}");
        assert_law(&what, &law(&[1.0, 3.0, 2.0], temperature, ALL, NONE)?, &expected, BOUND);
    }
    Ok(())
}

#[test]
fn task_5_the_filters_see_the_tempered_law() -> Result<()> {
    // Each row, T, p, k, and the law to four digits; filters before the temperature keep other tokens in all of them.
    let four = 5e-5;
    let flat = logs(&[0.4, 0.2, 0.2, 0.2]);
    assert_law("hot, p = 0.58", &law(&flat, 2.0, 0.58, NONE)?, &[0.4142, 0.2929, 0.2929, 0.0], four);
    let falling = logs(&[0.5, 0.3, 0.15, 0.05]);
    assert_law("hot, p = 0.75", &law(&falling, 2.0, 0.75, NONE)?, &[0.4306, 0.3335, 0.2359, 0.0], four);
    assert_law("cold, p = 0.8", &law(&[3.0, 2.0, 1.0], 0.5, 0.8, NONE)?, &[1.0, 0.0, 0.0], four);
    let five = logs(&[0.35, 0.3, 0.2, 0.1, 0.05]);
    assert_law("p = 0.7, k = 3", &law(&five, 0.7, 0.7, 3)?, &[0.5548, 0.4452, 0.0, 0.0, 0.0], four);
    Ok(())
}

#[test]
fn task_5_nothing_is_rescaled_between_the_filters() -> Result<()> {
    let row = logs(&[0.4, 0.3, 0.2, 0.1]);
    assert_law("k = 2, p = 0.5", &law(&row, 1.0, 0.5, 2)?, &[4.0 / 7.0, 3.0 / 7.0, 0.0, 0.0], BOUND);
    assert_law("k = 3, p = 0.65", &law(&row, 1.0, 0.65, 3)?, &[4.0 / 7.0, 3.0 / 7.0, 0.0, 0.0], BOUND);
    Ok(())
}

#[test]
fn task_5_ties_at_the_edge_go_to_the_lowest_ids() -> Result<()> {
    assert_law("four equals, p = 0.5", &law(&[1.5; 4], 0.7, 0.5, NONE)?, &[0.5, 0.5, 0.0, 0.0], BOUND);
    assert_law("three tie at k = 2", &law(&[1.0, 5.0, 1.0, 1.0], 1e9, ALL, 2)?, &[0.5, 0.5, 0.0, 0.0], 1e-8);
    Ok(())
}

#[test]
fn task_5_filters_that_are_off_keep_all() -> Result<()> {
    let whole = tempered(&[0.5, 2.0, 1.0], 1.5);
    // The last two would be 1 and 2 in 32 bits.
    for k in [0, -1, 3, 4, i64::MAX, i64::MIN, (1 << 32) + 1, (1 << 32) + 2] {
        assert_law(&format!("k = {k} of 3"), &law(&[0.5, 2.0, 1.0], 1.5, ALL, k)?, &whole, BOUND);
    }
    for p in [0.0, -0.5, 1.0, 1.5, f64::INFINITY] {
        assert_law(&format!("p = {p}"), &law(&[0.5, 2.0, 1.0], 1.5, p, NONE)?, &whole, BOUND);
    }
    Ok(())
}

#[test]
fn task_5_zero_and_below_take_the_first_maximum() -> Result<()> {
    for temperature in [0.0, -0.0, -1.0, f64::NEG_INFINITY] {
        let got = law(&[1.0, 5.0, 5.0, 1.5], temperature, 0.3, 2)?;
        assert_law(&format!("T = {temperature}"), &got, &[0.0, 1.0, 0.0, 0.0], 0.0);
    }
    Ok(())
}

#[test]
fn task_5_no_temperature_overflows() -> Result<()> {
    for temperature in [5e-324, 1e-300, 1e-6] {
        let got = law(&[1.0, 3.0, 2.0, 3.0], temperature, ALL, NONE)?;
        assert_law(&format!("two maxima at T = {temperature:e}"), &got, &[0.0, 0.5, 0.0, 0.5], BOUND);
    }
    assert_law("logits up to 1e308, T = 0.1", &law(&[1e308, -1e308, 0.0], 0.1, ALL, NONE)?, &[1.0, 0.0, 0.0], BOUND);
    for temperature in [1e300, f64::INFINITY] {
        assert_law(&format!("T = {temperature:e}"), &law(&[1.0, 9.0], temperature, ALL, NONE)?, &[0.5, 0.5], BOUND);
    }
    Ok(())
}

#[test]
fn task_5_penalties_move_the_raw_logits() -> Result<()> {
    let history = History::of(&[0, 0, 2]);
    // Frequency 0.5: two times token 0, once token 2. The division by T comes after, and makes it more.
    let expected = tempered(&[2.0, 1.0, 0.0], 0.5);
    assert_law("frequency 0.5", &after(&[3.0, 1.0, 0.5], 0.5, &history, 0.0, 0.5)?, &expected, BOUND);
    assert_law("presence 1", &after(&[3.0, 1.0, 1.0], 0.5, &history, 1.0, 0.0)?, &expected, BOUND);
    let both = after(&[3.75, 1.0, 1.25], 0.5, &history, 0.75, 0.5)?;
    assert_law("presence 0.75 and frequency 0.5", &both, &expected, BOUND);
    assert_law("no penalty", &after(&[2.0, 1.0, 0.0], 0.5, &history, 0.0, 0.0)?, &expected, BOUND);
    Ok(())
}

#[test]
fn task_5_penalties_decide_who_survives() -> Result<()> {
    let row = [2.0, 1.5, 1.0];
    let settings = SamplerConfig::builder().temperature(1.0).top_p(ALL).top_k(1).presence_penalty(1.25);
    let got = distribution_from_logits(&row, &settings.build()?, &History::of(&[0]))?;
    assert_law("top-k 1 after token 0 was said", &got, &[0.0, 1.0, 0.0], BOUND);
    let greedy = after(&row, 0.0, &History::of(&[0]), 1.25, 0.0)?;
    assert_law("greedy after token 0 was said", &greedy, &[0.0, 1.0, 0.0], 0.0);
    let tie = after(&[2.0, 1.0], 0.0, &History::of(&[0]), 1.0, 0.0)?;
    assert_law("greedy at a tie that the penalty makes", &tie, &[1.0, 0.0], 0.0);
    Ok(())
}

#[test]
fn task_5_the_whole_history_counts() -> Result<()> {
    let counted = History::from_counts([(1, 0), (2, 3)])?;
    let expected = tempered(&[1.0, 1.0, -1.5], 1.0);
    assert_law("a count of 0 and one of 3", &after(&[1.0; 3], 1.0, &counted, 1.0, 0.5)?, &expected, BOUND);
    let guarded = History::default().guard(0, 5.0)?.guard(1, -1.0)?;
    let expected = tempered(&[-4.0, 2.0, 1.0], 1.0);
    assert_law("the loop guard alone", &after(&[1.0; 3], 1.0, &guarded, 0.0, 0.0)?, &expected, BOUND);
    Ok(())
}

#[test]
fn task_5_rows_without_a_law_are_refused_at_every_temperature() -> Result<()> {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    for row in [&[1.0, nan, 0.0][..], &[nan, 1.0], &[1.0, inf], &[-inf, -inf], &[nan, nan], &[inf, nan, -inf]] {
        for temperature in [1.0, 0.3, 0.0, -1.0, inf] {
            expect_non_finite(law(row, temperature, 0.9, 2));
        }
    }
    for temperature in [1.0, 0.0] {
        assert_law("-inf beside a finite logit", &law(&[-inf, 2.0], temperature, 0.9, NONE)?, &[0.0, 1.0], 0.0);
    }
    Ok(())
}

#[test]
fn task_5_a_history_of_another_vocabulary_is_refused() -> Result<()> {
    for (presence, frequency, temperature) in [(0.5, 0.0, 1.0), (0.0, 0.5, 0.0), (0.0, 0.0, 1.0)] {
        let refused = after(&[1.0, 2.0], temperature, &History::of(&[2]), presence, frequency);
        expect_invalid_argument(refused, "a token id");
    }
    Ok(())
}

#[test]
fn task_5_agrees_with_mtplx() -> Result<()> {
    let file = golden_json("week1/law.json")?;
    let (mut answered, mut refused) = (0, 0);
    for case in file["cases"].as_array().into_iter().flatten() {
        // The texts nan, inf and -inf are read by Rust as they are.
        let numbers = |name: &str| -> Vec<f64> {
            let entries = case[name].as_array().into_iter().flatten();
            entries.filter_map(|v| v.as_str().map_or(v.as_f64(), |text| text.parse().ok())).collect()
        };
        let setting = |name: &str| case[name].as_str().map_or(case[name].as_f64(), |text| text.parse().ok());
        let config = SamplerConfig::builder()
            .temperature(setting("temperature").expect("a temperature"))
            .top_p(setting("top_p").expect("a top_p"))
            .top_k(case["top_k"].as_i64().expect("a top_k"))
            .presence_penalty(setting("presence_penalty").unwrap_or(0.0))
            .frequency_penalty(setting("frequency_penalty").unwrap_or(0.0))
            .build()?;
        let counts = case["token_counts"].as_object().into_iter().flatten();
        let mut history =
            History::from_counts(counts.filter_map(|(id, count)| Some((id.parse().ok()?, count.as_i64()?))))?;
        for (id, amount) in case["overlay"].as_object().into_iter().flatten() {
            history = history.guard(id.parse().expect("an id"), amount.as_f64().expect("an amount"))?;
        }
        let what = format!("{} of law.json", case["id"].as_str().expect("an id"));
        let got = distribution_from_logits(&numbers("logits"), &config, &history);
        if case["error"].is_string() {
            expect_non_finite(got);
            refused += 1;
            continue;
        }
        let mut expected = vec![0.0; numbers("logits").len()];
        let ids = case["expect"]["ids"].as_array().into_iter().flatten();
        for (id, prob) in ids.zip(case["expect"]["probs"].as_array().into_iter().flatten()) {
            expected[id.as_u64().expect("an id") as usize] = prob.as_f64().expect("a probability");
        }
        assert_law(&what, &got?, &expected, BOUND);
        answered += 1;
    }
    assert!(answered >= 95 && refused >= 5, "only {answered} answers and {refused} refusals in the golden file");
    Ok(())
}

/// A row, settings and a history from a random source.
fn question(source: &mut Random) -> Result<(Vec<f64>, SamplerConfig, History)> {
    let vocabulary = source.int(2..60);
    let mut logits: Vec<f64> = values(&source.normal(&[vocabulary]))?.iter().map(|&z| 3.0 * f64::from(z)).collect();
    if source.int(0..3) == 0 {
        // Ties, and tokens that can never come.
        logits.iter_mut().for_each(|z| *z = z.round());
        logits[0] = f64::NEG_INFINITY;
    }
    let temperatures = [0.0, 0.1, 0.6, 1.0, 1.7, 30.0];
    let config = SamplerConfig::builder()
        .temperature(temperatures[source.int(0..6) as usize])
        .top_p(f64::from(source.int(1..110)) / 100.0)
        .top_k(i64::from(source.int(-1..vocabulary + 3)))
        .presence_penalty(f64::from(source.int(-25..26)) / 10.0)
        .frequency_penalty(f64::from(source.int(-25..26)) / 10.0)
        .build()?;
    let said: Vec<usize> = (0..source.int(0..20)).map(|_| source.int(0..vocabulary) as usize).collect();
    Ok((logits, config, History::of(&said)))
}

#[test]
fn task_5_agrees_with_the_reference_on_random_rows() -> Result<()> {
    let mut source = Random::new(75);
    for round in 0..400 {
        let (logits, config, history) = question(&mut source)?;
        let got = distribution_from_logits(&logits, &config, &history)?;
        let expected = solution_week1::law::distribution_from_logits(&logits, &config, &history)?;
        assert_law(&format!("Random::new(75), round {round}, {config:?}"), &got, &expected, BOUND);
        let sum: f64 = got.iter().sum();
        assert!((sum - 1.0).abs() <= BOUND, "Random::new(75), round {round}: the sum is {sum:?}");
    }
    Ok(())
}

#[test]
fn task_5_a_constant_on_all_logits_changes_nothing() -> Result<()> {
    let mut source = Random::new(76);
    for round in 0..100 {
        let (logits, config, history) = question(&mut source)?;
        // Multiples of 1/64, so that the sum with 16 is exact and no tie is made or lost.
        let row: Vec<f64> = logits.iter().map(|z| (z * 64.0).round() / 64.0).collect();
        let settings = config_without_penalties(&config)?;
        let got = distribution_from_logits(&row, &settings, &history)?;
        let moved: Vec<f64> = row.iter().map(|z| z + 16.0).collect();
        let what = format!("Random::new(76), round {round}: 16 more on every logit");
        assert_law(&what, &distribution_from_logits(&moved, &settings, &history)?, &got, BOUND);
    }
    Ok(())
}

fn config_without_penalties(settings: &SamplerConfig) -> Result<SamplerConfig> {
    config(settings.temperature(), settings.top_p(), settings.top_k())
}

#[test]
fn task_5_stricter_settings_keep_fewer_tokens() -> Result<()> {
    let mut source = Random::new(77);
    for round in 0..60 {
        let (logits, settings, history) = question(&mut source)?;
        let kept = |p: f64, k: i64| -> Result<Vec<bool>> {
            let law = distribution_from_logits(&logits, &config(settings.temperature(), p, k)?, &history)?;
            Ok(law.iter().map(|&prob| prob > 0.0).collect())
        };
        for (narrow, wide) in [
            (kept(0.3, NONE)?, kept(0.8, NONE)?),
            (kept(ALL, 1)?, kept(ALL, 4)?),
            (kept(0.8, 4)?, kept(0.8, NONE)?),
            (kept(0.8, 4)?, kept(ALL, 4)?),
        ] {
            let extra = narrow.iter().zip(&wide).position(|(narrow, wide)| *narrow && !*wide);
            assert_eq!(extra, None, "Random::new(77), round {round}: a token that the wider setting does not keep");
            assert!(narrow.contains(&true), "Random::new(77), round {round}: nobody survives");
        }
    }
    Ok(())
}

/// Says the same logits after every text.
struct Constant(Vec<f32>);

impl CausalLm for Constant {
    fn forward(&self, tokens: &Array) -> Result<Array> {
        let row = Array::from_slice(&self.0, &[1, 1, self.0.len() as i32]);
        Ok(mlx_rs::ops::broadcast_to(row, &[1, tokens.dim(1), self.0.len() as i32])?)
    }
}

/// The tokens that an engine adds to the prompt 0, 0, 0.
fn tokens(logits: &[f32], config: SamplerConfig, seed: u64, count: usize) -> Result<Vec<u32>> {
    let engine = ModelEngine { model: Constant(logits.to_vec()) };
    let sampling = Sampling { law: SamplingLaw::TemperFirst(config), seed };
    let request = Request { prompt: vec![0, 0, 0], max_tokens: count, eos: Vec::new(), sampling };
    Ok(engine.generate(&request, &mut |_| ControlFlow::Continue(()))?.tokens)
}

#[test]
fn end_the_engine_counts_what_it_said_and_not_the_prompt() -> Result<()> {
    let greedy = SamplerConfig::builder().temperature(0.0);
    // 2.5 wins until it is 1.25, then 1.5, which becomes 0.25, and so on: each draw costs its token 1.25.
    let got = tokens(&[2.5, 1.5, 0.0, -9.0], greedy.frequency_penalty(1.25).build()?, 0, 6)?;
    assert_eq!(got, [0, 1, 0, 1, 0, 2], "greedy with frequency penalty 1.25");
    let got = tokens(&[2.5, 1.5, 0.0, -9.0], greedy.presence_penalty(1.25).build()?, 0, 4)?;
    assert_eq!(got, [0, 1, 0, 0], "greedy with presence penalty 1.25");
    Ok(())
}

#[test]
fn end_the_same_seed_gives_the_same_tokens() -> Result<()> {
    let config = config(2.0, 0.58, NONE)?;
    let row = [0.4_f32, 0.2, 0.2, 0.2].map(f32::ln);
    let first = tokens(&row, config, 7, 60)?;
    assert_eq!(tokens(&row, config, 7, 60)?, first, "seed 7 again");
    assert_ne!(tokens(&row, config, 8, 60)?, first, "seed 8");
    let mut seen = first.clone();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, [0, 1, 2], "what 60 draws from the worked example contain");
    Ok(())
}
