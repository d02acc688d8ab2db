//! What only the device has: dtypes, shapes, keys, and laws that travel to the host.

use kit::law::{Distribution, History, SamplerConfig};
use kit::testing::{
    Random, Tolerance, assert_close_within, doubles, expect_dtype, expect_invalid_argument, expect_non_finite,
    expect_shape, values, zeros,
};
use kit::{Error, Result};
use mlx_rs::{Array, Dtype, ops, random};
use solution_law::device_law::{
    Row, apply_penalties_mlx, deterministic_mlx_top_k_support, host_sparse_distribution, mlx_distribution_from_logits,
    row_keys, sample_token_ids_from_mlx_logits,
};
use solution_law::{distribution_from_logits, parity::CLOSE};

use crate::lane::{config, wide};

const HALVES: [Dtype; 2] = [Dtype::Float16, Dtype::Bfloat16];

/// In bf16 itself the answer would be 4.96875.
#[test]
fn penalties_of_half_precision_rows_are_taken_in_f32() -> Result<()> {
    let config = SamplerConfig::builder().presence_penalty(0.013).frequency_penalty(0.007).build()?;
    let history = History::of(&[0, 0, 0]);
    for dtype in HALVES {
        let logits = Array::from_slice(&[5.0_f32, 1.0], &[1, 2]).as_dtype(dtype)?;
        let got = apply_penalties_mlx(&logits, &[Row { config, history: Some(&history) }])?;
        assert_close_within(
            "penalised",
            &got,
            &Array::from_slice(&[4.966_f32, 1.0], &[1, 2]),
            Tolerance { abs: 1e-6, rel: 0.0 },
        )?;
        assert_eq!(values(&logits)?, [5.0, 1.0], "the caller's array");
    }
    Ok(())
}

/// Half precision rows have many ties, and a law of f32.
#[test]
fn half_precision_rows_follow_the_f64_law() -> Result<()> {
    let config = SamplerConfig::builder().temperature(0.7).top_k(40).top_p(0.9).frequency_penalty(0.7).build()?;
    let history = History::of(&[3, 5, 3, 100]);
    for dtype in HALVES {
        let logits = Random::new(31).normal(&[4, 900]).multiply(Array::from_f32(2.0))?.as_dtype(dtype)?;
        let row = Row { config, history: Some(&history) };
        let got = values(&mlx_distribution_from_logits(&logits, &[row; 4])?.to_dense()?)?;
        for (index, (row, got)) in values(&logits)?.chunks(900).zip(got.chunks(900)).enumerate() {
            let expected = distribution_from_logits(&wide(row), &config, &history)?;
            for (id, (g, e)) in got.iter().zip(expected).enumerate() {
                assert!((f64::from(*g) - e).abs() <= 2e-6, "{dtype:?} row {index} id {id}: {g} instead of {e}");
            }
        }
    }
    Ok(())
}

#[test]
fn laws_on_the_host_name_their_support_in_order() -> Result<()> {
    let none = f32::NEG_INFINITY;
    let logits = Array::from_slice(&[0.5, 2.0, none, 2.0, 0.5, 2.0, none, 2.0, 0.5, 2.0, none, 2.0], &[3, 4]);
    let rows = [config(1.0, 3, 1.0)?, config(1.0, 0, 1.0)?, config(0.0, 0, 1.0)?].map(Row::from);
    let laws = host_sparse_distribution(&logits, &rows)?;
    assert_eq!(laws[0].ids(), [1, 3, 0], "most likely first");
    assert_eq!(laws[1].ids(), [0, 1, 3], "by id, without the mask");
    assert_eq!((laws[2].ids(), laws[2].probs()), (&[1][..], &[1.0][..]));
    for law in &laws {
        assert_eq!(law.vocabulary(), 4);
        assert!((law.probs().iter().sum::<f64>() - 1.0).abs() < 1e-15);
    }
    // 2e^1.5 + 1 parts.
    assert!((laws[0].probs()[2] - 1.0 / (2.0 * 1.5_f64.exp() + 1.0)).abs() < 1e-7);
    Ok(())
}

/// What f32 cannot hold keeps its place in the support.
#[test]
fn a_probability_that_underflows_is_still_listed() -> Result<()> {
    let logits = Array::from_slice(&[0.0_f32, -200.0, f32::NEG_INFINITY], &[1, 3]);
    let law = host_sparse_distribution(&logits, &[config(1.0, 0, 1.0)?.into()])?.remove(0);
    assert_eq!((law.ids(), law.probs()), (&[0, 1][..], &[1.0, 0.0][..]));
    Ok(())
}

/// Running sums of 151,936 f32 values would be off by more than the margin; integers are not.
#[test]
fn a_nucleus_of_the_whole_vocabulary_of_a_model_ends_where_f64_ends_it() -> Result<()> {
    let vocabulary = 151_936;
    let logits = Random::new(7).normal(&[1, vocabulary]).multiply(Array::from_f32(3.0))?;
    for p in [0.9, 0.99] {
        let config = config(1.0, 0, p)?;
        let law = host_sparse_distribution(&logits, &[config.into()])?.remove(0);
        let expected = distribution_from_logits(&wide(&values(&logits)?), &config, &History::default())?;
        let kept = expected.iter().filter(|&&p| p > 0.0).count();
        // 1e-5 of mass are at most this many tokens of the least likely that stay.
        let least = expected.iter().copied().filter(|&p| p > 0.0).fold(1.0, f64::min) * p;
        let margin = (1e-5 / least).ceil() as usize;
        assert!(law.ids().len().abs_diff(kept) <= margin, "p {p}: {} instead of {kept} ± {margin}", law.ids().len());
    }
    Ok(())
}

#[test]
fn a_flat_row_of_a_large_vocabulary_ends_where_f64_ends_it() -> Result<()> {
    // A share of 14316.46 units of 2^-31: what is left over is the same for each of the tokens before the edge.
    let vocabulary = 150_001;
    let logits = Array::from_slice(&vec![0.0_f32; vocabulary], &[1, vocabulary as i32]);
    let config = SamplerConfig::builder().temperature(1.0).top_k(0).top_p(0.9).build()?;
    let law = host_sparse_distribution(&logits, &[Row::from(config)])?;
    let kept = distribution_from_logits(&vec![0.0; vocabulary], &config, &History::default())?;
    // A margin of 1e-5 is one token and a half.
    let kept = kept.iter().filter(|prob| **prob > 0.0).count();
    assert!(law[0].ids().len().abs_diff(kept) <= 1, "{} tokens, f64 keeps {kept}", law[0].ids().len());
    Ok(())
}

#[test]
fn many_tiny_weights_beside_the_best_are_not_lost() -> Result<()> {
    let config = SamplerConfig::builder().temperature(1.0).top_k(0).top_p(1.0).build()?;
    for (vocabulary, weight) in [(64, 5.9e-8_f64), (4096, 6.1e-8), (151_936, 1.7e-7)] {
        let mut row = vec![weight.ln() as f32; vocabulary];
        row[0] = 0.0;
        let logits = Array::from_slice(&row, &[1, vocabulary as i32]);
        let law = values(&mlx_distribution_from_logits(&logits, &[Row::from(config)])?.to_dense()?)?;
        let wide: Vec<f64> = row.iter().map(|&z| z.into()).collect();
        let expected = distribution_from_logits(&wide, &config, &History::default())?;
        let off = (f64::from(law[0]) - expected[0]).abs();
        assert!(off <= CLOSE, "V = {vocabulary}, weights {weight:e}: {off:e}");
    }
    Ok(())
}

#[test]
fn penalties_below_the_rounding_of_a_logit_give_no_nan() -> Result<()> {
    // In f32 2^24 + 1 is 2^24: of four equals two gain 1, which at T = 0.001 is a factor of exp(1000).
    let logits = Array::from_slice(&[16_777_216.0_f32; 4], &[1, 4]);
    let history = History::of(&[1, 2]);
    let config = SamplerConfig::builder().temperature(0.001).presence_penalty(-1.0);
    for (top_k, top_p) in [(0, 1.0), (0, 0.9), (3, 0.9)] {
        let config = config.top_k(top_k).top_p(top_p).build()?;
        let row = [Row { config, history: Some(&history) }];
        let law = &host_sparse_distribution(&logits, &row)?[0];
        let (one, two) = (law.probability(1)?, law.probability(2)?);
        assert!((one - 0.5).abs() <= CLOSE && (two - 0.5).abs() <= CLOSE, "k {top_k}, p {top_p}: {one} and {two}");
        let token = sample_token_ids_from_mlx_logits(&logits, &row, &row_keys(3, 1)?)?;
        let token = values(&token)?[0];
        assert!([1.0, 2.0].contains(&token), "k {top_k}, p {top_p}: drew {token}");
    }
    Ok(())
}

#[test]
fn the_callers_logits_stay() -> Result<()> {
    let logits = Random::new(2).normal(&[2, 300]);
    let before = values(&logits)?;
    let history = History::of(&[1, 2, 3]);
    let rows = [config(0.5, 10, 0.9)?, config(0.0, 0, 1.0)?].map(|config| Row { config, history: Some(&history) });
    sample_token_ids_from_mlx_logits(&logits, &rows, &row_keys(1, 2)?)?.eval()?;
    deterministic_mlx_top_k_support(&logits, 5)?.eval()?;
    assert_eq!(values(&logits)?, before);
    Ok(())
}

/// Views with strides of their own are rows like others.
#[test]
fn transposed_logits_are_read_right() -> Result<()> {
    let logits = Random::new(3).normal(&[200, 3]);
    let turned = logits.transpose()?;
    let copy = Array::from_slice(&values(&turned)?, &[3, 200]);
    let rows = [config(0.7, 20, 0.9)?, config(1.0, 0, 0.8)?, config(1.0, 0, 1.0)?].map(Row::from);
    let law = |logits: &Array| values(&mlx_distribution_from_logits(logits, &rows)?.to_dense()?);
    assert_eq!(law(&turned)?, law(&copy)?);
    assert_eq!(host_sparse_distribution(&turned, &rows)?, host_sparse_distribution(&copy, &rows)?);
    assert_eq!(
        values(&deterministic_mlx_top_k_support(&turned, 9)?)?,
        values(&deterministic_mlx_top_k_support(&copy, 9)?)?
    );
    Ok(())
}

#[test]
fn tokens_are_u32_and_keys_decide() -> Result<()> {
    let logits = ops::zeros::<f32>(&[64, 50])?;
    let rows = vec![Row::from(config(1.0, 0, 1.0)?); 64];
    let (keys, others) = (row_keys(1, 64)?, row_keys(2, 64)?);
    let tokens = sample_token_ids_from_mlx_logits(&logits, &rows, &keys)?;
    assert_eq!((tokens.dtype(), tokens.shape()), (Dtype::Uint32, &[64][..]));
    let tokens = values(&tokens)?;
    assert!(tokens.iter().any(|id| *id != tokens[0]), "64 keys, one token");
    // One key changes, and one token at most.
    let mut changed = keys.clone();
    changed[9] = others[9].clone();
    let again = values(&sample_token_ids_from_mlx_logits(&logits, &rows, &changed)?)?;
    assert_eq!((&again[..9], &again[10..]), (&tokens[..9], &tokens[10..]));
    assert_ne!(values(&sample_token_ids_from_mlx_logits(&logits, &rows, &others)?)?, tokens);
    Ok(())
}

#[test]
fn wrong_shapes_dtypes_and_counts_are_refused() -> Result<()> {
    let row = Row::from(SamplerConfig::default());
    let keys = row_keys(1, 2)?;
    let sample =
        |logits: &Array, rows: usize, keys: &[Array]| sample_token_ids_from_mlx_logits(logits, &vec![row; rows], keys);
    for shape in [&[4][..], &[1, 2, 4], &[0, 4], &[2, 0]] {
        expect_shape(sample(&zeros(shape), 2, &keys));
        expect_shape(host_sparse_distribution(&zeros(shape), &[row; 2]));
        expect_shape(apply_penalties_mlx(&zeros(shape), &[row; 2]));
        expect_shape(deterministic_mlx_top_k_support(&zeros(shape), 1));
    }
    let ints = Array::from_slice(&[1_i32, 2], &[1, 2]);
    for wrong in [&ints, &doubles(&[1, 2])] {
        expect_dtype(sample(wrong, 1, &keys[..1]));
        expect_dtype(apply_penalties_mlx(wrong, &[row]));
        expect_dtype(deterministic_mlx_top_k_support(wrong, 1));
    }
    let logits = zeros(&[2, 4]);
    expect_invalid_argument(sample(&logits, 1, &keys), "the number of settings");
    expect_invalid_argument(sample(&logits, 3, &keys), "the number of settings");
    expect_invalid_argument(sample(&logits, 2, &keys[..1]), "the number of keys");
    expect_shape(sample(&logits, 2, &[keys[0].clone(), random::key(1)?.reshape(&[1, 2])?]));
    expect_dtype(sample(&logits, 2, &[keys[0].clone(), zeros(&[2])]));
    expect_invalid_argument(deterministic_mlx_top_k_support(&logits, 0), "k");
    let law = mlx_distribution_from_logits(&logits, &[row; 2])?;
    expect_invalid_argument(law.sample(&keys[..1]), "the number of keys");
    Ok(())
}

#[test]
fn a_guard_beyond_f32_is_refused() -> Result<()> {
    let history = History::default().guard(1, 1e31)?;
    let row = Row { config: SamplerConfig::default(), history: Some(&history) };
    expect_invalid_argument(apply_penalties_mlx(&zeros(&[1, 2]), &[row]), "what token 1 loses");
    Ok(())
}

/// Half precision rows are refused as they come, and a large finite bf16 is no infinity.
#[test]
fn half_precision_rows_are_refused_by_number() -> Result<()> {
    for dtype in HALVES {
        let logits = Array::from_slice(&[1.0, 2.0, f32::NAN, 1.0], &[2, 2]).as_dtype(dtype)?;
        let error = expect_non_finite(host_sparse_distribution(&logits, &[config(0.0, 0, 1.0)?.into(); 2]));
        assert!(matches!(error, Error::NonFinite { row: 1, .. }), "{error}");
    }
    let large = Array::from_slice(&[3e38_f32, -3e38], &[1, 2]).as_dtype(Dtype::Bfloat16)?;
    assert_eq!(host_sparse_distribution(&large, &[config(1.0, 0, 1.0)?.into()])?[0].probs(), [1.0, 0.0]);
    Ok(())
}
