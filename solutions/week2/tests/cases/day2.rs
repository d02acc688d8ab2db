//! Day 2, measuring: medians and their intervals against NumPy, SciPy and an enumeration of all coin rows, costs
//! against the arrays of mlx-lm's models, the bandwidth probe under a clock that the test moves.

use kit::testing::{Random, expect_error, expect_invalid_argument, golden_json, tiny_model, values};
use kit::{Config, LinearWeights, Quantization, Result};
use mlx_rs::Array;
use solution_week2 as reference;
use std::{cell::Cell, collections::BTreeMap, fmt::Debug};
use week2::{
    bandwidth::{clock, read_bandwidth, sum_words},
    roofline::{Bound, Cost, Machine, Storage, ceiling, cost},
    samples::Samples,
};

/// Panics with both sides by name unless they are the same.
#[track_caller]
fn assert_same<G: PartialEq<E> + Debug, E: Debug>(what: &str, got: G, expected: E) {
    assert!(got == expected, "{what}\n  got      {got:?}\n  expected {expected:?}");
}

/// Panics unless two numbers agree to twelve digits.
#[track_caller]
fn assert_near(what: &str, got: f64, expected: f64) {
    let bound = 1e-12 * expected.abs().max(1.0);
    assert!((got - expected).abs() <= bound, "{what}\n  got      {got}\n  expected {expected}");
}

/// Positive numbers of a few sizes, as f64.
fn drawn(seed: u64, count: i32) -> Result<Vec<f64>> {
    let drawn = values(&Random::new(seed).normal(&[count]).exp()?)?;
    Ok(drawn.into_iter().map(f64::from).collect())
}

#[test]
fn task_1_quantiles_by_hand() -> Result<()> {
    let samples = Samples::new(&[30.0, 10.0, 40.0, 20.0])?;
    assert_same("in rising order", &samples.sorted[..], &[10.0, 20.0, 30.0, 40.0][..]);
    for (p, expected) in [(0.0, 10.0), (0.5, 25.0), (1.0, 40.0), (0.25, 17.5), (0.9, 37.0)] {
        assert_near(&format!("quantile {p} of 10, 20, 30, 40"), samples.quantile(p)?, expected);
    }
    assert_near("the median of three", Samples::new(&[9.0, 1.0, 5.0])?.median()?, 5.0);
    assert_near("the spread of 10, 20, 30, 40", samples.spread()?, 15.0);
    let one = Samples::new(&[7.5])?;
    assert_same("one sample: median and spread", (one.median()?, one.spread()?), (7.5, 0.0));
    let negative = Samples::new(&[-2.0, 1.0, -3.0, 0.0])?;
    assert_same("the order of negative numbers", &negative.sorted[..], &[-3.0, -2.0, 0.0, 1.0][..]);
    Ok(())
}

#[test]
fn task_1_quantiles_are_numpys() -> Result<()> {
    let file = golden_json("week2/day2.json")?;
    let cases = file["quantiles"].as_array().into_iter().flatten();
    let mut compared = 0;
    for case in cases {
        let list: Vec<f64> =
            case["values"].as_array().into_iter().flatten().filter_map(|value| value.as_f64()).collect();
        let (p, expected) = (case["p"].as_f64().unwrap_or(-1.0), case["quantile"].as_f64().unwrap_or(-1.0));
        assert_near(&format!("quantile {p} of {} values", list.len()), Samples::new(&list)?.quantile(p)?, expected);
        compared += 1;
    }
    assert!(compared >= 40, "only {compared} quantiles in the golden file");
    Ok(())
}

#[test]
fn task_1_agrees_with_the_order_of_mlx() -> Result<()> {
    let list = drawn(61, 101)?;
    let floats: Vec<f32> = list.iter().map(|&value| value as f32).collect();
    let sorted = values(&mlx_rs::ops::sort_axis(Array::from_slice(&floats, &[101]), 0)?)?;
    let samples = Samples::new(&list)?;
    for (p, place) in [(0.0, 0), (0.25, 25), (0.5, 50), (0.99, 99), (1.0, 100)] {
        assert_near(&format!("quantile {p}"), samples.quantile(p)?, f64::from(sorted[place]));
    }
    Ok(())
}

#[test]
fn task_1_refuses_what_nothing_can_be_said_about() -> Result<()> {
    expect_invalid_argument(Samples::new(&[]), "values");
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for list in [vec![bad], vec![1.0, bad], vec![bad, 1.0, 2.0]] {
            expect_invalid_argument(Samples::new(&list), "values");
        }
    }
    let samples = Samples::new(&[1.0, 2.0])?;
    for p in [-0.1, 1.1, f64::NAN] {
        expect_invalid_argument(samples.quantile(p), "p");
    }
    for confidence in [0.0, 1.0, -0.5, 1.5, f64::NAN] {
        expect_invalid_argument(samples.median_interval(confidence), "confidence");
    }
    Ok(())
}

#[test]
fn task_1_too_few_samples_are_told_how_many_it_takes() -> Result<()> {
    for (confidence, needed) in [(0.95, 6), (0.9, 5), (0.99, 8), (0.6, 3)] {
        let samples = |count| Samples::new(&drawn(63, count)?);
        let error = expect_invalid_argument(samples(needed - 1)?.median_interval(confidence), "confidence");
        let text = error.to_string();
        assert!(text.contains(&format!("at least {needed}")), "{confidence} with {} samples: {text}", needed - 1);
        let interval = samples(needed)?.median_interval(confidence)?;
        let whole = samples(needed)?.sorted;
        let ends = (whole[0], whole[whole.len() - 1]);
        assert_same(&format!("{confidence} with {needed} samples"), (interval.low, interval.high), ends);
    }
    Ok(())
}

#[test]
fn task_1_intervals_are_those_of_the_binomial_distribution() -> Result<()> {
    let file = golden_json("week2/day2.json")?;
    let mut compared = 0;
    for case in file["intervals"].as_array().into_iter().flatten() {
        let number = |name: &str| case[name].as_f64().unwrap_or(-1.0);
        let (n, r, confidence) = (number("n") as i32, number("r") as usize, number("confidence"));
        let samples = Samples::new(&drawn(67, n)?)?;
        let interval = samples.median_interval(confidence)?;
        let what = format!("{confidence} with {n} samples");
        let ends = (samples.sorted[r - 1], samples.sorted[n as usize - r]);
        assert_same(&what, (interval.low, interval.high), ends);
        let (got, expected) = (interval.coverage, number("coverage"));
        assert!((got - expected).abs() < 1e-9, "{what}: coverage\n  got      {got}\n  expected {expected}");
        compared += 1;
    }
    assert!(compared >= 8, "only {compared} intervals in the golden file");
    Ok(())
}

/// Each sample is below (0) or above (1) the true median, by a fair coin: all rows of `n` coins, counted.
#[test]
fn task_1_the_coverage_is_the_share_of_all_coin_rows() -> Result<()> {
    for (n, confidence) in [(3, 0.7), (6, 0.95), (9, 0.5), (10, 0.95), (12, 0.9)] {
        let places: Vec<f64> = (1..=n).map(f64::from).collect();
        let interval = Samples::new(&places)?.median_interval(confidence)?;
        // With k samples below it, the median lies between the k-th and the (k + 1)-th smallest.
        let inside = |row: &u32| {
            let below = f64::from(row.count_ones());
            interval.low <= below && below + 1.0 <= interval.high
        };
        let share = (0..1_u32 << n).filter(inside).count() as f64 / f64::from(1_u32 << n);
        assert_near(&format!("coverage of {n} samples at {confidence}"), interval.coverage, share);
        assert!(share >= confidence, "{n} samples cover {share}, asked for {confidence}");
    }
    Ok(())
}

#[test]
fn task_1_says_the_same_as_the_reference() -> Result<()> {
    for seed in 70..90 {
        let list = drawn(seed, Random::new(seed).int(8..40))?;
        let (samples, expected) = (Samples::new(&list)?, reference::samples::Samples::new(&list)?);
        let (got, want) = (samples.median_interval(0.95)?, expected.median_interval(0.95)?);
        assert_same(&format!("seed {seed}: interval"), (got.low, got.high), (want.low, want.high));
        assert_near(&format!("seed {seed}: spread"), samples.spread()?, expected.spread()?);
    }
    Ok(())
}

/// The sizes that the golden file's models have.
fn config(name: &str) -> Config {
    let (hidden_size, num_hidden_layers, num_attention_heads, intermediate_size, tie_word_embeddings) = match name {
        "qwen3-0.6b" => (1024, 28, 16, 3072, true),
        "qwen3-4b" => (2560, 36, 32, 9728, true),
        "qwen3-8b" => (4096, 36, 32, 12288, false),
        other => panic!("the golden file has a model {other}"),
    };
    Config {
        hidden_size,
        num_hidden_layers,
        num_attention_heads,
        num_key_value_heads: 8,
        head_dim: 128,
        intermediate_size,
        vocab_size: 151_936,
        rms_norm_eps: 1e-6,
        rope_theta: 1e6,
        max_position_embeddings: 40_960,
        tie_word_embeddings,
        quantization: None,
        quantization_overrides: BTreeMap::new(),
        experts: None,
    }
}

#[test]
fn task_2_a_model_small_enough_for_paper() -> Result<()> {
    let small = Config {
        hidden_size: 2,
        num_hidden_layers: 1,
        num_attention_heads: 2,
        num_key_value_heads: 1,
        head_dim: 2,
        intermediate_size: 3,
        vocab_size: 5,
        max_position_embeddings: 8,
        ..config("qwen3-0.6b")
    };
    // q, o: 8 + 8; k, v: 4 + 4; MLP: 18; head: 10. Norms: 4 + 4 + 2. One row of the embedding: 2.
    let decoded =
        Cost { weight_bytes: 4 * (24 + 18 + 10 + 10 + 2), cache_bytes: 4 * 2 * 2 * (4 + 1), flops: 2 * (52 + 32) };
    assert_same("one token after three", cost(&small, 3, 1, Storage::F32)?, decoded);
    let prompt = Cost { weight_bytes: 4 * (62 + 6), cache_bytes: 4 * 4 * (3 + 3), flops: 2 * (3 * 42 + 10 + 8 * 6) };
    assert_same("a prompt of three", cost(&small, 0, 3, Storage::F32)?, prompt);
    Ok(())
}

#[test]
fn task_2_costs_are_those_of_mlx_lms_arrays() -> Result<()> {
    let file = golden_json("week2/day2.json")?;
    let mut compared = 0;
    for case in file["costs"].as_array().into_iter().flatten() {
        let number = |name: &str| case[name].as_u64().unwrap_or_default();
        let packing = |name: &str| case["packing"][name].as_u64().map(|value| value as u32);
        let storage = match (packing("bits"), packing("group")) {
            (Some(bits), Some(group)) => Storage::packed(bits, group),
            _ => Storage::F32,
        };
        let name = case["model"].as_str().unwrap_or_default();
        let got = cost(&config(name), number("cached") as i32, number("new") as i32, storage)?;
        let (weight_bytes, cache_bytes, flops) = (number("weight_bytes"), number("cache_bytes"), number("flops"));
        let what = format!("{name}, {storage:?}, {} + {} tokens", case["cached"], case["new"]);
        assert_same(&what, got, Cost { weight_bytes, cache_bytes, flops });
        compared += 1;
    }
    assert!(compared >= 40, "only {compared} costs in the golden file");
    Ok(())
}

#[test]
fn task_2_a_decoded_token_reads_the_whole_file_of_the_embedded_model() -> Result<()> {
    let checkpoint = tiny_model()?;
    let (config, root) = (checkpoint.config(), checkpoint.weights().at("model"));
    let module = |path: &str| -> Result<usize> {
        Ok(match root.linear(path)? {
            LinearWeights::Dense { weight } => weight.nbytes(),
            LinearWeights::Quantized { weight, scales, biases, .. } => {
                weight.nbytes() + scales.nbytes() + biases.nbytes()
            }
        })
    };
    let table = module("embed_tokens")?;
    let mut bytes = table + table / config.vocab_size as usize + module("norm")?;
    for layer in 0..config.num_hidden_layers {
        for name in ["q_proj", "k_proj", "v_proj", "o_proj", "q_norm", "k_norm"] {
            bytes += module(&format!("layers.{layer}.self_attn.{name}"))?;
        }
        for name in ["mlp.gate_proj", "mlp.up_proj", "mlp.down_proj", "input_layernorm", "post_attention_layernorm"] {
            bytes += module(&format!("layers.{layer}.{name}"))?;
        }
    }
    let Some(Quantization { bits, group_size }) = config.quantization else { panic!("the embedded model is packed") };
    let got = cost(config, 0, 1, Storage::packed(bits as u32, group_size as u32))?;
    assert_same("weight bytes", got.weight_bytes, bytes as u64);
    Ok(())
}

#[test]
fn task_2_refuses_texts_that_do_not_exist() -> Result<()> {
    let config = config("qwen3-0.6b");
    expect_invalid_argument(cost(&config, -1, 1, Storage::F32), "cached");
    for (cached, new) in [(0, 0), (0, -1), (5, 0), (40_960, 1), (0, 40_961), (40_000, 1_000)] {
        expect_invalid_argument(cost(&config, cached, new, Storage::F32), "new");
    }
    cost(&config, 40_959, 1, Storage::F32)?;
    cost(&config, 0, 40_960, Storage::F32)?;
    Ok(())
}

#[test]
fn task_2_the_longer_of_two_times_is_the_ceiling() -> Result<()> {
    let pass = Cost { weight_bytes: 900, cache_bytes: 100, flops: 6_000 };
    let at = |bytes_per_second, flops_per_second| ceiling(&pass, &Machine { bytes_per_second, flops_per_second });
    for (bytes, flops, seconds, bound) in [
        (100.0, 1_000.0, 10.0, Bound::Memory),
        (1_000.0, 1_000.0, 6.0, Bound::Compute),
        (100.0, 600.0, 10.0, Bound::Memory),
    ] {
        let got = at(bytes, flops)?;
        assert_near("seconds", got.seconds, seconds);
        assert_same(&format!("{bytes} bytes/s, {flops} flops/s"), got.bound, bound);
    }
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        expect_invalid_argument(at(bad, 1.0), "bytes_per_second");
        expect_invalid_argument(at(1.0, bad), "flops_per_second");
    }
    Ok(())
}

#[test]
fn task_2_says_the_same_as_the_reference() -> Result<()> {
    let mut random = Random::new(91);
    for _ in 0..50 {
        let name = ["qwen3-0.6b", "qwen3-4b", "qwen3-8b"][random.int(0..3) as usize];
        let (cached, new) = (random.int(0..20_000), random.int(1..20_000));
        let (bits, group) = ([2, 4, 8][random.int(0..3) as usize], [32, 64, 128][random.int(0..3) as usize]);
        let got = cost(&config(name), cached, new, Storage::packed(bits, group))?;
        let want =
            reference::roofline::cost(&config(name), cached, new, reference::roofline::Storage::packed(bits, group))?;
        let what = format!("{name}, {bits} bits in groups of {group}, {cached} + {new} tokens");
        let numbers = (want.weight_bytes, want.cache_bytes, want.flops);
        assert_same(&what, (got.weight_bytes, got.cache_bytes, got.flops), numbers);
    }
    Ok(())
}

/// Words whose sum tells which of them were read.
fn powers(count: usize) -> Vec<u64> {
    (0..count as u64).map(|place| place.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (place << 7)).collect()
}

#[test]
fn task_3_every_word_is_read_once_by_any_number_of_threads() -> Result<()> {
    for count in [0, 1, 2, 7, 8, 9, 1_000, 1_023] {
        let words = powers(count);
        let expected = words.iter().fold(0_u64, |sum, word| sum.wrapping_add(*word));
        for threads in [1, 2, 3, 5, 8, 64] {
            assert_same(&format!("{count} words, {threads} threads"), sum_words(&words, threads)?, expected);
        }
    }
    Ok(())
}

#[test]
fn task_3_a_sum_beyond_64_bits_wraps_around() -> Result<()> {
    for threads in [1, 2, 3] {
        assert_same("three of the largest word", sum_words(&[u64::MAX; 3], threads)?, u64::MAX - 2);
    }
    let ones = vec![u64::MAX; 40];
    assert_same("forty of the largest word", sum_words(&ones, 4)?, 40_u64.wrapping_neg());
    Ok(())
}

#[test]
fn task_3_a_trial_is_timed_and_nothing_else() -> Result<()> {
    for (bytes, trials) in [(8_000, 5), (80, 1), (16, 3)] {
        let asked = Cell::new(0);
        // The n-th trial takes n seconds; between trials a long time passes.
        let now = || {
            let call = asked.get();
            asked.set(call + 1);
            let trial = f64::from(call / 2 + 1);
            1_000.0 * trial + if call % 2 == 1 { trial } else { 0.0 }
        };
        let speeds = read_bandwidth(bytes, 2, trials, now)?;
        assert_same(&format!("questions to the clock in {trials} trials"), asked.get(), 2 * trials as i32);
        let mut expected: Vec<f64> = (1..=trials).map(|trial| bytes as f64 / trial as f64).collect();
        expected.reverse();
        assert_same(&format!("bytes a second of {bytes} bytes"), speeds.sorted, expected);
    }
    Ok(())
}

#[test]
fn task_3_a_real_clock_sees_the_work() -> Result<()> {
    let (bytes, trials) = (8 << 20, 4);
    let mut whole = clock();
    let start = whole();
    let speeds = read_bandwidth(bytes, 2, trials, clock())?;
    let took = whole() - start;
    assert_same("samples", speeds.sorted.len(), trials);
    let timed: f64 = speeds.sorted.iter().map(|speed| bytes as f64 / speed).sum();
    assert!(timed <= took, "the trials took {timed} s of a call that took {took} s");
    // One reading to warm up, and the memory to make, are the rest; no machine spends 100 times as long on them.
    assert!(timed >= took / 100.0, "the trials took {timed} s of a call that took {took} s: what was read?");
    Ok(())
}

#[test]
fn task_3_memory_and_warm_up_come_before_the_first_trial() -> Result<()> {
    let (mut time, mut asked) = (clock(), Vec::new());
    let start = time();
    read_bandwidth(8 << 20, 1, 5, || {
        asked.push(time());
        asked[asked.len() - 1]
    })?;
    let before = asked[0] - start;
    let shortest = asked.chunks(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    assert!(before >= shortest / 2.0, "{before} s before the first question, but a reading takes {shortest} s");
    Ok(())
}

#[test]
fn task_3_refuses_what_cannot_be_measured() -> Result<()> {
    let second = || {
        let time = Cell::new(0.0);
        move || {
            time.set(time.get() + 1.0);
            time.get()
        }
    };
    expect_invalid_argument(sum_words(&[1, 2], 0), "threads");
    expect_invalid_argument(read_bandwidth(64, 0, 1, second()), "threads");
    for bytes in [0, 1, 63] {
        expect_invalid_argument(read_bandwidth(bytes, 1, 1, second()), "bytes");
    }
    expect_invalid_argument(read_bandwidth(64, 1, 0, second()), "trials");
    let stopped = expect_error(read_bandwidth(64, 1, 1, || 5.0));
    assert!(stopped.to_string().contains("64 bytes"), "a clock that stands still: {stopped}");
    let backwards = Cell::new(9.0);
    let error = expect_error(read_bandwidth(64, 1, 1, || {
        backwards.set(backwards.get() - 1.0);
        backwards.get()
    }));
    assert!(error.to_string().contains("64 bytes"), "a clock that runs backwards: {error}");
    Ok(())
}

#[test]
fn end_a_token_has_a_ceiling_on_this_machine() -> Result<()> {
    let speed = read_bandwidth(4 << 20, 2, 6, clock())?;
    let interval = speed.median_interval(0.95)?;
    assert!(interval.low <= speed.median()? && speed.median()? <= interval.high, "{interval:?}");
    let machine = Machine { bytes_per_second: speed.median()?, flops_per_second: f64::MAX };
    let at = |context| ceiling(&cost(tiny_model()?.config(), context, 1, Storage::F32)?, &machine);
    let (short, long) = (at(0)?, at(2_000)?);
    assert_same("what bounds a token", (short.bound, long.bound), (Bound::Memory, Bound::Memory));
    assert!(0.0 < short.seconds && short.seconds < long.seconds, "{short:?}, {long:?}");
    Ok(())
}
