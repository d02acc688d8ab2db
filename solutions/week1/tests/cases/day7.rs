//! Day 7, sampling: one test a sentence of the contract, then mlx-lm's answers, then the reference on random rows.
//!
//! Frequencies are judged by Pearson's statistic. With an even number of degrees of freedom its tail is a finite sum,
//! so no table is needed. A right sampler fails such a test once in a million seeds; the seeds are fixed.

use kit::testing::{
    Random, assert_close, expect_dtype, expect_error, expect_invalid_argument, expect_non_finite, expect_shape,
    golden_json, tiny_model, values,
};
use kit::{Error, Request, Result, Sampling, SamplingLaw};
use mlx_rs::{Array, Dtype, random};
use std::{cmp::Ordering, fmt::Debug, ops::ControlFlow};
use week1::sampler::{draw, make_sampler, top_k, top_p};

/// Log probabilities (B, V) from probabilities; 0 becomes -inf.
fn rows(probabilities: &[&[f64]]) -> Array {
    let logs: Vec<f32> = probabilities.concat().iter().map(|p| p.ln() as f32).collect();
    Array::from_slice(&logs, &[probabilities.len() as i32, probabilities[0].len() as i32])
}

/// The same row `count` times (count, V).
fn repeated(row: &Array, count: i32) -> Result<Array> {
    Ok(mlx_rs::ops::broadcast_to(row, &[count, row.dim(1)])?)
}

fn ids(tokens: &Array) -> Result<Vec<u32>> {
    assert_eq!(tokens.dtype(), Dtype::Uint32, "ids have another dtype");
    assert_eq!(tokens.ndim(), 1, "ids are (B,), got {:?}", tokens.shape());
    Ok(values(tokens)?.iter().map(|&id| id as u32).collect())
}

/// Per row the ids above -inf.
fn kept(filtered: &Array) -> Result<Vec<Vec<usize>>> {
    let all = values(filtered)?;
    let row = |row: &[f32]| (0..row.len()).filter(|&i| row[i] > f32::NEG_INFINITY).collect();
    Ok(all.chunks(filtered.dim(1) as usize).map(row).collect())
}

/// Panics with both sides by name unless they are the same.
#[track_caller]
fn assert_same<G: PartialEq<E> + Debug, E: Debug>(what: &str, got: G, expected: E) {
    assert!(got == expected, "{what}\n  got      {got:?}\n  expected {expected:?}");
}

/// Ids with their log probabilities, at most twelve of them.
fn listed(row: &[f32], ids: impl Iterator<Item = usize>) -> String {
    let ids: Vec<usize> = ids.collect();
    let shown: Vec<String> = ids.iter().take(12).map(|&id| format!("{id} ({:?})", row[id])).collect();
    if ids.len() > 12 { format!("{} and {} more", shown.join(", "), ids.len() - 12) } else { shown.join(", ") }
}

/// Panics with the first row of `filtered` that keeps other ids than `expected`: the row itself if it is short, else
/// the ids that are wrong.
#[track_caller]
fn assert_kept(what: &str, before: &Array, filtered: &Array, expected: &[impl AsRef<[usize]>]) -> Result<()> {
    let got = kept(filtered)?;
    assert_same(&format!("{what}: rows"), got.len(), expected.len());
    let all = values(before)?;
    for (index, (got, expected)) in got.iter().zip(expected).enumerate() {
        let (expected, row) = (expected.as_ref(), &all[index * before.dim(1) as usize..][..before.dim(1) as usize]);
        if got != expected && row.len() <= 32 {
            panic!(
                "{what}, row {index}, log probabilities {row:?}: ids kept\n  got      {got:?}\n  expected {expected:?}"
            );
        }
        let extra = listed(row, got.iter().copied().filter(|id| !expected.contains(id)));
        let lost = listed(row, expected.iter().copied().filter(|id| !got.contains(id)));
        assert!(
            got == expected,
            "{what}, row {index} of {} entries: ids kept\n  got      {} ids, too many: {extra}\n  \
             expected {} ids, missing: {lost}",
            row.len(),
            got.len(),
            expected.len()
        );
    }
    Ok(())
}

/// A filter selects: same shape and dtype, survivors bit for bit, the rest -inf.
fn assert_selects(before: &Array, after: &Array) -> Result<()> {
    assert_eq!((after.shape(), after.dtype()), (before.shape(), before.dtype()));
    for (place, (&b, &a)) in values(before)?.iter().zip(&values(after)?).enumerate() {
        assert!(a == b || a == f32::NEG_INFINITY, "entry {place} was {b} and became {a}: filters do not rescale");
    }
    Ok(())
}

/// The places of a row, most likely first, lowest id first among equals.
fn ranked(row: &[f32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..row.len()).collect();
    // 0 and -0 are equals, which `total_cmp` denies; the rows hold no NaN.
    order.sort_by(|&a, &b| row[b].partial_cmp(&row[a]).unwrap_or(Ordering::Equal).then(a.cmp(&b)));
    order
}

/// Panics unless `drawn` looks like draws from `law`, whose positive entries must be odd in number.
fn assert_drawn_from(what: &str, drawn: &[u32], law: &[f64]) {
    let mut counts = vec![0_usize; law.len()];
    drawn.iter().for_each(|&id| counts[id as usize] += 1);
    let mut statistic = 0.0;
    let mut support = 0;
    for (id, (&count, &p)) in counts.iter().zip(law).enumerate() {
        assert!(p > 0.0 || count == 0, "{what}: id {id} has probability 0 and was drawn {count} times");
        if p > 0.0 {
            let expected = p * drawn.len() as f64;
            assert!(expected >= 5.0, "{what}: {expected} expected draws of id {id} are too few to judge");
            statistic += (count as f64 - expected).powi(2) / expected;
            support += 1;
        }
    }
    assert!(support % 2 == 1, "{what}: {support} categories give an odd number of degrees of freedom");
    let (mut term, mut tail) = ((-statistic / 2.0).exp(), 0.0);
    for i in 0..(support - 1) / 2 {
        tail += term;
        term *= statistic / 2.0 / f64::from(i + 1);
    }
    if support > 1 && tail <= 1e-6 {
        let share = |id: usize| counts[id] as f64 / drawn.len() as f64;
        let excess = |id: &usize| (share(*id) - law[*id]).powi(2) / law[*id];
        let worst = (0..law.len()).filter(|&id| law[id] > 0.0).max_by(|a, b| excess(a).total_cmp(&excess(b)));
        let worst = worst.expect("more than one id can be drawn");
        panic!(
            "{what}: {} draws do not follow the law\n  worst id {worst}: drawn in a share of {:.4}, expected {:.4}\n  \
             right draws are this far off once in a million times or less",
            drawn.len(),
            share(worst),
            law[worst]
        );
    }
}

/// `p^(1/T)`, normalised over the kept ids.
fn tempered(probabilities: &[f64], temp: f64) -> Vec<f64> {
    let weights: Vec<f64> = probabilities.iter().map(|p| p.powf(1.0 / temp)).collect();
    weights.iter().map(|w| w / weights.iter().sum::<f64>()).collect()
}

/// Calls with a row that nothing can be drawn from must name the row.
fn assert_refuses_bad_rows(mut call: impl FnMut(&Array) -> Result<Array>) -> Result<()> {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let (good, none) = ([-1.0, -2.0, -0.5], [-inf, -inf, -inf]);
    let bad_rows = [[-1.0, nan, -2.0], [nan, nan, nan], [-1.0, -2.0, inf], [-inf, inf, -1.0], [-inf, nan, -inf], none];
    call(&Array::from_slice(&good, &[1, 3]))?;
    for bad in bad_rows {
        for dtype in [Dtype::Float32, Dtype::Float16, Dtype::Bfloat16] {
            // The last row is bad too, but the first bad row is named.
            let batch = Array::from_slice(&[good, good, bad, good, [nan; 3]].concat(), &[5, 3]).as_dtype(dtype)?;
            let error = expect_non_finite(call(&batch));
            assert!(matches!(error, Error::NonFinite { row: 2, .. }), "row 2 is {bad:?}, but: {error}");
        }
    }
    Ok(())
}

#[test]
fn task_1_zero_takes_the_most_likely_token_of_every_row() -> Result<()> {
    let batch = rows(&[&[0.1, 0.6, 0.3], &[0.5, 0.2, 0.3], &[0.0, 0.0, 1.0]]);
    assert_same("T = 0, three rows: ids", ids(&draw(&batch, 0.0, &random::key(0)?)?)?, [1, 0, 2]);
    Ok(())
}

#[test]
fn task_1_zero_settles_ties_by_the_lowest_id() -> Result<()> {
    let many = Array::from_slice(&[vec![-9.0_f32; 700], vec![-7.0; 3397]].concat(), &[1, 4097]);
    assert_same("T = 0, ids 700 to 4096 are equally likely: id", ids(&draw(&many, 0.0, &random::key(0)?)?)?, [700]);
    let tie = Array::from_slice(&[3.0_f32, 21.375, 21.375], &[1, 3]).as_dtype(Dtype::Bfloat16)?;
    assert_same("T = 0, bf16 [3, 21.375, 21.375]: id", ids(&draw(&tie, 0.0, &random::key(1)?)?)?, [1]);
    Ok(())
}

#[test]
fn task_1_frequencies_follow_the_tempered_law() -> Result<()> {
    let law = [0.4, 0.25, 0.2, 0.1, 0.05];
    let batch = repeated(&rows(&[&law]), 20_000)?;
    for (seed, temp) in [(1, 0.5), (2, 1.0), (3, 2.0), (4, 7.5)] {
        let drawn = ids(&draw(&batch, temp, &random::key(seed)?)?)?;
        assert_drawn_from(&format!("T = {temp}"), &drawn, &tempered(&law, f64::from(temp)));
    }
    Ok(())
}

#[test]
fn task_1_frequencies_follow_mlx_softmax_in_every_dtype() -> Result<()> {
    let logits = Random::new(5).normal(&[1, 9]);
    for (seed, dtype) in [(6, Dtype::Float32), (7, Dtype::Float16), (8, Dtype::Bfloat16)] {
        let row = logits.as_dtype(dtype)?;
        let scaled = row.as_dtype(Dtype::Float32)?.divide(Array::from_f32(0.8))?;
        let law: Vec<f64> = values(&mlx_rs::ops::softmax_axis(&scaled, -1, true)?)?.iter().map(|&p| p.into()).collect();
        let drawn = ids(&draw(&repeated(&row, 20_000)?, 0.8, &random::key(seed)?)?)?;
        assert_drawn_from(&format!("{dtype:?}"), &drawn, &law);
    }
    Ok(())
}

#[test]
fn task_1_never_draws_a_masked_token() -> Result<()> {
    let batch = repeated(&rows(&[&[0.0, 0.5, 0.0, 0.3, 0.2, 0.0]]), 50_000)?;
    for temp in [0.3, 1.0, 50.0] {
        let drawn = ids(&draw(&batch, temp, &random::key(9)?)?)?;
        assert_drawn_from(&format!("T = {temp}"), &drawn, &tempered(&[0.0, 0.5, 0.0, 0.3, 0.2, 0.0], temp.into()));
    }
    Ok(())
}

#[test]
fn task_1_rows_do_not_look_at_each_other() -> Result<()> {
    let batch = rows(&[&[0.0, 0.0, 1.0], &[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0]]);
    assert_same("T = 1, three rows of one possible id: ids", ids(&draw(&batch, 1.0, &random::key(0)?)?)?, [2, 0, 1]);
    Ok(())
}

#[test]
fn task_1_a_tiny_temperature_is_greedy() -> Result<()> {
    let batch = rows(&[&[0.3, 0.31, 0.29, 0.1], &[0.1, 0.2, 0.3, 0.4]]);
    for dtype in [Dtype::Float32, Dtype::Float16] {
        for temp in [1e-4, 1e-30, f32::MIN_POSITIVE] {
            let drawn = ids(&draw(&batch.as_dtype(dtype)?, temp, &random::key(3)?)?)?;
            assert_same(&format!("T = {temp}, {dtype:?}, two rows: ids"), drawn, [1, 3]);
        }
    }
    Ok(())
}

#[test]
fn task_1_a_tiny_temperature_keeps_ties() -> Result<()> {
    let batch = repeated(&rows(&[&[0.2, 0.4, 0.4]]), 64)?;
    for temp in [1e-4, 1e-7, f32::MIN_POSITIVE] {
        let drawn = ids(&draw(&batch, temp, &random::key(3)?)?)?;
        for id in [1, 2] {
            assert!(drawn.contains(&id), "T = {temp} is not 0: ids 1 and 2 are equally likely, got {drawn:?}");
        }
        assert!(!drawn.contains(&0), "T = {temp} draws the least likely id");
    }
    Ok(())
}

#[test]
fn task_1_a_very_unlikely_row_has_a_law() -> Result<()> {
    let batch = Array::from_slice(&[-3e38_f32, -2.9e38, -3.1e38, -1e5, -1e5 - 30.0, -1e5 - 40.0], &[2, 3]);
    for temp in [0.0, 1.0] {
        assert_same(&format!("T = {temp}, two rows: ids"), ids(&draw(&batch, temp, &random::key(0)?)?)?, [1, 0]);
    }
    // Divided by the smallest temperature there is, -12 would be -inf.
    let low = Array::from_slice(&[-12.0_f32, -10.0, -11.0], &[1, 3]);
    assert_same(
        "T = f32::MIN_POSITIVE, [-12, -10, -11]: id",
        ids(&draw(&low, f32::MIN_POSITIVE, &random::key(0)?)?)?,
        [1],
    );
    Ok(())
}

#[test]
fn task_1_the_key_alone_decides() -> Result<()> {
    let batch = repeated(&rows(&[&[0.125; 8]]), 64)?;
    let first = ids(&draw(&batch, 1.0, &random::key(11)?)?)?;
    random::seed(99)?;
    random::normal::<f32>(&[16], None, None, None)?.eval()?;
    assert_eq!(ids(&draw(&batch, 1.0, &random::key(11)?)?)?, first, "same key, other ids");
    assert_ne!(ids(&draw(&batch, 1.0, &random::key(12)?)?)?, first, "another key, same 64 ids");
    Ok(())
}

#[test]
fn task_1_refuses_a_bad_temperature() -> Result<()> {
    let row = rows(&[&[0.5, 0.5]]);
    for temp in [-1.0, -1e-9, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let error = expect_invalid_argument(draw(&row, temp, &random::key(0)?), "temp");
        assert!(error.to_string().contains(&temp.to_string()), "the message should hold {temp}: {error}");
    }
    Ok(())
}

#[test]
fn task_1_refuses_rows_without_a_law_at_every_temperature() -> Result<()> {
    for temp in [0.0, 0.7, 1.0] {
        assert_refuses_bad_rows(|batch| draw(batch, temp, &random::key(0)?))?;
    }
    Ok(())
}

#[test]
fn task_1_refuses_other_shapes_and_dtypes() -> Result<()> {
    for shape in [&[6][..], &[1, 2, 3]] {
        expect_shape(draw(&Array::from_slice(&[-1.0_f32; 6], shape), 0.5, &random::key(0)?));
    }
    for empty in [[2, 0], [0, 4]] {
        expect_shape(draw(&Array::zeros::<f32>(&empty)?, 0.5, &random::key(0)?));
    }
    expect_dtype(draw(&Array::from_slice(&[1, 2, 3], &[1, 3]), 0.0, &random::key(0)?));
    expect_dtype(draw(&Array::from_slice_f64(&[-1.0, -2.0], &[1, 2]), 0.0, &random::key(0)?));
    Ok(())
}

#[test]
fn task_2_keeps_the_k_most_likely() -> Result<()> {
    let batch = rows(&[&[0.1, 0.4, 0.2, 0.3], &[0.7, 0.1, 0.15, 0.05]]);
    for (k, expected) in [(1, [vec![1], vec![0]]), (2, [vec![1, 3], vec![0, 2]]), (3, [vec![1, 2, 3], vec![0, 1, 2]])] {
        let filtered = top_k(&batch, k)?;
        assert_kept(&format!("k = {k}"), &batch, &filtered, &expected)?;
        assert_selects(&batch, &filtered)?;
    }
    Ok(())
}

#[test]
fn task_2_ties_go_to_the_lowest_id() -> Result<()> {
    let equal = rows(&[&[0.25; 4]]);
    assert_kept("k = 2", &equal, &top_k(&equal, 2)?, &[[0, 1]])?;
    let batch = rows(&[&[0.1, 0.3, 0.3, 0.3], &[0.3, 0.1, 0.3, 0.3], &[0.4, 0.2, 0.2, 0.2]]);
    assert_kept("k = 2", &batch, &top_k(&batch, 2)?, &[[1, 2], [0, 2], [0, 1]])?;
    let tie = Array::from_slice(&[21.375_f32, 3.0, 21.375], &[1, 3]).as_dtype(Dtype::Bfloat16)?;
    assert_kept("k = 1, bf16", &tie, &top_k(&tie, 1)?, &[[0]])?;
    let all_equal = Array::from_slice(&[-8.0_f32; 4096], &[1, 4096]);
    assert_kept("k = 100", &all_equal, &top_k(&all_equal, 100)?, &[(0..100).collect::<Vec<_>>()])
}

#[test]
fn task_2_the_whole_vocabulary_is_an_equal_copy() -> Result<()> {
    let batch = rows(&[&[0.1, 0.4, 0.2, 0.3], &[0.5, 0.0, 0.0, 0.5]]);
    assert_close("k = V", &top_k(&batch, 4)?, &batch)
}

#[test]
fn task_2_refuses_k_outside_the_vocabulary() -> Result<()> {
    let batch = rows(&[&[0.1, 0.4, 0.2, 0.3]]);
    expect_invalid_argument(top_k(&batch, 0), "k");
    for k in [5, 100, usize::MAX] {
        let text = expect_invalid_argument(top_k(&batch, k), "k").to_string();
        assert!(text.contains(&k.to_string()) && text.contains('4'), "the message should name {k} and 4: {text}");
    }
    Ok(())
}

#[test]
fn task_2_fewer_finite_entries_than_k_all_stay() -> Result<()> {
    let row = rows(&[&[0.0, 0.6, 0.0, 0.4, 0.0]]);
    assert_close("k = 3 of 2 finite", &top_k(&row, 3)?, &row)
}

#[test]
fn task_2_the_caller_keeps_an_unchanged_array() -> Result<()> {
    let row = rows(&[&[0.1, 0.4, 0.2, 0.3]]);
    let before = values(&row)?;
    top_k(&row, 1)?.eval()?;
    assert_same("the caller's array", values(&row)?, before);
    Ok(())
}

#[test]
fn task_2_refuses_rows_without_a_law() -> Result<()> {
    assert_refuses_bad_rows(|batch| top_k(batch, 2))?;
    assert_refuses_bad_rows(|batch| top_k(batch, 3))
}

#[test]
fn task_2_random_rows_in_every_dtype_agree_with_a_sort_and_the_reference() -> Result<()> {
    let mut source = Random::new(21);
    for dtype in [Dtype::Float32, Dtype::Float16, Dtype::Bfloat16] {
        for round in 0..8 {
            let (b, v) = (source.int(1..5), source.int(2..400));
            // Every second batch is coarse, so that most entries are tied.
            let drawn = source.normal(&[b, v]).multiply(Array::from_f32(2.0))?;
            let logits = if round % 2 == 0 { drawn } else { drawn.round(None)? };
            let logprobs = logits.as_dtype(dtype)?;
            let k = source.int(1..v + 1) as usize;
            let filtered = top_k(&logprobs, k)?;
            let sorted = |row: &[f32]| {
                let mut best = ranked(row)[..k].to_vec();
                best.sort_unstable();
                best
            };
            let expected: Vec<_> = values(&logprobs)?.chunks(v as usize).map(sorted).collect();
            assert_kept(
                &format!("Random::new(21), round {round}, ({b}, {v}) {dtype:?}, k = {k}"),
                &logprobs,
                &filtered,
                &expected,
            )?;
            assert_selects(&logprobs, &filtered)?;
            assert_close("twice", &top_k(&filtered, k)?, &filtered)?;
            assert_close("the reference", &filtered, &solution_week1::sampler::top_k(&logprobs, k)?)?;
        }
    }
    Ok(())
}

/// Runs one filter over mlx-lm's cases. Under "differ" the file gives the course's own law.
fn assert_golden(filter: &str, apply: impl Fn(&Array, f64) -> Result<Array>) -> Result<()> {
    let file = golden_json("week1/sampling.json")?;
    let mut seen = 0;
    for case in ["agree", "differ"].iter().flat_map(|part| file[part].as_array().into_iter().flatten()) {
        if case["filter"] != filter {
            continue;
        }
        let entries =
            case["logprobs"].as_array().into_iter().flatten().flat_map(|row| row.as_array().into_iter().flatten());
        let flat: Vec<f32> = entries.map(|v| v.as_f64().map_or(f32::NEG_INFINITY, |v| v as f32)).collect();
        let rows = case["kept"].as_array().into_iter().flatten();
        let expected: Vec<Vec<usize>> = rows
            .map(|row| row.as_array().into_iter().flatten().filter_map(|id| Some(id.as_u64()? as usize)).collect())
            .collect();
        let dtype = match case["dtype"].as_str() {
            Some("float16") => Dtype::Float16,
            Some("bfloat16") => Dtype::Bfloat16,
            _ => Dtype::Float32,
        };
        let b = expected.len();
        let logprobs = Array::from_slice(&flat, &[b as i32, (flat.len() / b) as i32]).as_dtype(dtype)?;
        let value = case["value"].as_f64().unwrap_or(f64::NAN);
        let what = format!("{filter} {value}, {dtype:?}, case {seen} of it in sampling.json");
        assert_kept(&what, &logprobs, &apply(&logprobs, value)?, &expected)?;
        seen += 1;
    }
    assert!(seen >= 25, "only {seen} cases of {filter} in the golden file");
    Ok(())
}

#[test]
fn task_2_keeps_what_mlx_lm_keeps() -> Result<()> {
    assert_golden("top_k", |logprobs, k| top_k(logprobs, k as usize))
}

#[test]
fn task_3_keeps_the_token_that_crosses_p() -> Result<()> {
    for (row, p, expected) in [
        (&[0.5, 0.3, 0.15, 0.05][..], 0.6, vec![0, 1]),
        (&[0.5, 0.41, 0.09], 0.9, vec![0, 1]),
        (&[0.9, 0.05, 0.05], 0.5, vec![0]),
        (&[0.05, 0.2, 0.6, 0.15], 0.7, vec![1, 2]),
        (&[0.1, 0.2, 0.3, 0.4], 0.95, vec![0, 1, 2, 3]),
    ] {
        let row = rows(&[row]);
        let filtered = top_p(&row, p)?;
        assert_kept(&format!("p = {p}"), &row, &filtered, &[expected])?;
        assert_selects(&row, &filtered)?;
    }
    Ok(())
}

#[test]
fn task_3_a_mass_of_exactly_p_is_enough() -> Result<()> {
    let row = rows(&[&[0.125, 0.5, 0.25, 0.125]]);
    // The mass of id 1 as MLX computes it, which is 0.5 or its neighbour.
    let half = values(&row.exp()?)?[1];
    assert_kept(&format!("p = {half}, the mass of id 1"), &row, &top_p(&row, half)?, &[[1]])?;
    Ok(())
}

#[test]
fn task_3_a_tiny_p_keeps_the_most_likely_token() -> Result<()> {
    let batch = rows(&[&[0.2, 0.3, 0.5], &[0.4, 0.3, 0.3], &[0.3, 0.3, 0.4]]);
    for p in [1e-6, 1e-30] {
        assert_kept(&format!("p = {p}"), &batch, &top_p(&batch, p)?, &[[2], [0], [2]])?;
    }
    Ok(())
}

#[test]
fn task_3_rows_do_not_look_at_each_other() -> Result<()> {
    let batch = rows(&[&[0.4, 0.3, 0.2, 0.1], &[0.1, 0.2, 0.3, 0.4], &[0.02, 0.95, 0.02, 0.01]]);
    assert_kept("p = 0.5", &batch, &top_p(&batch, 0.5)?, &[vec![0, 1], vec![2, 3], vec![1]])
}

#[test]
fn task_3_a_thinned_row_is_not_rescaled() -> Result<()> {
    let thinned = rows(&[&[0.4, 0.3, 0.0, 0.0], &[0.0, 0.4, 0.0, 0.3]]);
    // Rescaled, the first token would hold 0.571 and stand alone.
    assert_kept("p = 0.5", &thinned, &top_p(&thinned, 0.5)?, &[[0, 1], [1, 3]])?;
    assert_close("p above the mass that is left", &top_p(&thinned, 0.9)?, &thinned)
}

#[test]
fn task_3_ties_go_to_the_lowest_id() -> Result<()> {
    let equal = rows(&[&[0.25; 4]]);
    assert_kept("p = 0.4", &equal, &top_p(&equal, 0.4)?, &[[0, 1]])?;
    let batch = rows(&[&[0.2, 0.4, 0.2, 0.2], &[0.2, 0.2, 0.2, 0.4]]);
    assert_kept("p = 0.55", &batch, &top_p(&batch, 0.55)?, &[[0, 1], [0, 3]])?;
    let all_equal = Array::from_slice(&[-(4096_f32.ln()); 4096], &[1, 4096]);
    let expected = (0..=409).collect::<Vec<_>>(); // 409 / 4096 < 0.1 <= 410 / 4096
    assert_kept("p = 0.1", &all_equal, &top_p(&all_equal, 0.1)?, &[expected])
}

#[test]
fn task_3_one_is_an_equal_copy_even_where_the_running_sum_reaches_it_early() -> Result<()> {
    // In f32, 1 + 1e-9 is 1: a sum says that the tail is not needed.
    let mut law = vec![1e-9; 64];
    law[7] = 1.0;
    let row = rows(&[&law]);
    assert_close("p = 1", &top_p(&row, 1.0)?, &row)
}

#[test]
fn task_3_refuses_p_outside_its_range() -> Result<()> {
    let row = rows(&[&[0.5, 0.3, 0.2]]);
    for p in [f32::NAN, 0.0, -0.1, 1.000_001, 2.0, f32::INFINITY] {
        let error = expect_invalid_argument(top_p(&row, p), "p");
        assert!(error.to_string().contains(&p.to_string()), "the message should hold {p}: {error}");
    }
    Ok(())
}

#[test]
fn task_3_refuses_rows_without_a_law() -> Result<()> {
    assert_refuses_bad_rows(|batch| top_p(batch, 0.9))?;
    assert_refuses_bad_rows(|batch| top_p(batch, 1.0))
}

#[test]
fn task_3_the_caller_keeps_an_unchanged_array() -> Result<()> {
    let row = rows(&[&[0.1, 0.4, 0.2, 0.3]]);
    let before = values(&row)?;
    top_p(&row, 0.3)?.eval()?;
    assert_same("the caller's array", values(&row)?, before);
    Ok(())
}

#[test]
fn task_3_half_precision_rows_are_summed_in_f32() -> Result<()> {
    // 4,096 entries near 1/4096: a bf16 sum stops growing long before one half.
    let logits = Random::new(31).uniform(-0.05, 0.05, &[1, 4096]);
    let logprobs = logits.subtract(logits.logsumexp_axis(-1, true)?)?;
    for dtype in [Dtype::Bfloat16, Dtype::Float16] {
        let row = logprobs.as_dtype(dtype)?;
        let mut masses: Vec<f64> = values(&row)?.iter().map(|&v| f64::from(v).exp()).collect();
        masses.sort_by(|a, b| b.total_cmp(a));
        let running = masses.iter().scan(0.0, |sum, mass| {
            let before = *sum;
            *sum += mass;
            Some(before)
        });
        let needed = running.take_while(|&before| before < 0.5).count();
        let got = kept(&top_p(&row, 0.5)?)?[0].len();
        assert!(got.abs_diff(needed) <= 1, "{dtype:?}: kept {got} tokens, the mass 0.5 needs {needed}");
    }
    Ok(())
}

#[test]
fn task_3_random_rows_keep_the_shortest_beginning_that_reaches_p() -> Result<()> {
    let mut source = Random::new(32);
    for dtype in [Dtype::Float32, Dtype::Float16, Dtype::Bfloat16] {
        for round in 0..8 {
            let (b, v) = (source.int(1..5), source.int(2..300));
            let logits = source.normal(&[b, v]).multiply(Array::from_f32(2.0))?;
            let logprobs = logits.subtract(logits.logsumexp_axis(-1, true)?)?.as_dtype(dtype)?;
            let p = source.int(1..1000) as f32 / 1000.0;
            let filtered = top_p(&logprobs, p)?;
            assert_selects(&logprobs, &filtered)?;
            for (index, (row, kept)) in values(&logprobs)?.chunks(v as usize).zip(kept(&filtered)?).enumerate() {
                let what = format!("Random::new(32), round {round}, row {index} of ({b}, {v}) {dtype:?}, p = {p}");
                let mut beginning = ranked(row)[..kept.len()].to_vec();
                let mass = |ids: &[usize]| ids.iter().map(|&id| f64::from(row[id]).exp()).sum::<f64>();
                let (all, all_but_last) = (mass(&beginning), mass(&beginning[..kept.len() - 1]));
                assert!(
                    all > f64::from(p) - 1e-5 || kept.len() == row.len(),
                    "{what}: the {} ids kept have the mass {all}",
                    kept.len()
                );
                assert!(
                    all_but_last < f64::from(p) + 1e-5,
                    "{what}: of {} ids kept, one less had {all_but_last}",
                    kept.len()
                );
                beginning.sort_unstable();
                assert_same(&format!("{what}: ids kept"), kept, beginning);
            }
            assert_close("the reference", &filtered, &solution_week1::sampler::top_p(&logprobs, p)?)?;
        }
    }
    Ok(())
}

#[test]
fn task_3_keeps_what_mlx_lm_keeps() -> Result<()> {
    assert_golden("top_p", |logprobs, p| top_p(logprobs, p as f32))
}

#[test]
fn task_4_zero_is_greedy_with_any_filter() -> Result<()> {
    let batch = rows(&[&[0.1, 0.45, 0.45], &[0.5, 0.2, 0.3]]);
    for (k, p) in [(None, None), (Some(2), None), (None, Some(0.3)), (Some(3), Some(0.9))] {
        let mut sampler = make_sampler(0.0, k, p, 0)?;
        let what = format!("T = 0, k = {k:?}, p = {p:?}, two rows: ids");
        assert_same(&what, ids(&sampler.sample(&batch)?)?, [1, 0]);
        assert_same(&format!("{what}, a second time"), ids(&sampler.sample(&batch)?)?, [1, 0]);
    }
    Ok(())
}

#[test]
fn task_4_a_filter_of_one_token_is_greedy() -> Result<()> {
    let tie = Array::from_slice(&[21.375_f32, 3.0, 21.375], &[1, 3]);
    for (k, p) in [(Some(1), None), (None, Some(1e-4)), (Some(1), Some(0.5))] {
        let drawn = make_sampler(1.0, k, p, 3)?.sample(&repeated(&tie, 500)?)?;
        let other = ids(&drawn)?.into_iter().find(|&id| id != 0);
        assert_same(&format!("k = {k:?}, p = {p:?}, 500 draws: first id other than 0"), other, None);
    }
    Ok(())
}

#[test]
fn task_4_supports_of_filter_first() -> Result<()> {
    for (row, temp, k, p, expected) in [
        (&[0.4, 0.3, 0.2, 0.1][..], 1.0, Some(2), Some(0.5), vec![0, 1]), // rescaled in between: 0 alone
        (&[0.5, 0.3, 0.15, 0.05], 2.0, None, Some(0.75), vec![0, 1]),     // tempered first: 2 as well
        (&[0.4, 0.2, 0.2, 0.2], 2.0, None, Some(0.58), vec![0, 1]),       // tempered first: 0, 1 and 2
        (&[0.1, 0.2, 0.3, 0.4], 1.5, Some(3), None, vec![1, 2, 3]),
        (&[0.4, 0.3, 0.2, 0.1], 1.0, Some(2), Some(0.95), vec![0, 1]),
    ] {
        let drawn = ids(&make_sampler(temp, k, p, 5)?.sample(&repeated(&rows(&[row]), 2_000)?)?)?;
        let mut seen: Vec<_> = drawn.iter().map(|&id| id as usize).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_same(&format!("ids ever drawn from {row:?}, T = {temp}, k = {k:?}, p = {p:?}"), seen, expected);
    }
    Ok(())
}

#[test]
fn task_4_frequencies_follow_the_laws_of_mlx_lm() -> Result<()> {
    let file = golden_json("week1/sampling.json")?;
    let mut judged = 0;
    for (seed, chain) in file["chains"].as_array().into_iter().flatten().enumerate() {
        let list =
            |name: &str| chain[name].as_array().into_iter().flatten().filter_map(|v| v.as_f64()).collect::<Vec<_>>();
        let number = |name: &str| chain[name].as_f64().unwrap_or(f64::NAN);
        let logprobs: Vec<f32> = list("logprobs").iter().map(|&v| v as f32).collect();
        let mut law = vec![0.0; logprobs.len()];
        list("ids").iter().zip(list("probs")).for_each(|(&id, p)| law[id as usize] = p);
        let row = Array::from_slice(&logprobs, &[1, law.len() as i32]);
        let (temp, k, p) = (number("temp") as f32, number("top_k") as i32, number("top_p") as f32);
        let mut sampler = make_sampler(temp, Some(k), Some(p), seed as u64)?;
        let drawn = ids(&sampler.sample(&repeated(&row, 20_000)?)?)?;
        let what = format!("T = {temp}, k = {k}, p = {p}");
        if law.iter().all(|&p| p == 0.0 || p > 0.001) && law.iter().filter(|&&p| p > 0.0).count() % 2 == 1 {
            assert_drawn_from(&what, &drawn, &law);
            judged += 1;
        }
        assert!(drawn.iter().all(|&id| law[id as usize] > 0.0), "{what}: an id outside {:?}", list("ids"));
    }
    assert!(judged >= 5, "only {judged} chains could be judged");
    Ok(())
}

#[test]
fn task_4_successive_draws_follow_the_law() -> Result<()> {
    let law = [0.3, 0.0, 0.45, 0.25];
    let mut sampler = make_sampler(0.8, None, None, 41)?;
    let batch = repeated(&rows(&[&law]), 8)?;
    let mut drawn = Vec::new();
    for _ in 0..250 {
        drawn.extend(ids(&sampler.sample(&batch)?)?);
    }
    assert_drawn_from("250 draws of 8 rows", &drawn, &tempered(&law, 0.8));
    Ok(())
}

/// The ids of `count` draws of a fair row of 64 tokens.
fn stream(seed: u64, count: usize, mut between: impl FnMut() -> Result<()>) -> Result<Vec<u32>> {
    let row = rows(&[&[1.0 / 64.0; 64]]);
    let mut sampler = make_sampler(1.0, Some(60), Some(0.9), seed)?;
    let mut drawn = Vec::new();
    for _ in 0..count {
        between()?;
        drawn.extend(ids(&sampler.sample(&row)?)?);
    }
    Ok(drawn)
}

#[test]
fn task_4_same_seed_same_tokens_whatever_else_draws() -> Result<()> {
    let quiet = stream(17, 24, || Ok(()))?;
    let mut other = make_sampler(1.0, None, None, 17)?;
    let noisy = stream(17, 24, || {
        random::seed(5)?;
        random::uniform::<_, f32>(0.0, 1.0, &[7], None)?.eval()?;
        other.sample(&rows(&[&[0.5, 0.5]]))?.eval()?;
        Ok(())
    })?;
    assert_same("seed 17, ids with other draws in between", noisy, quiet);
    Ok(())
}

#[test]
fn task_4_the_random_state_of_the_process_is_left_alone() -> Result<()> {
    let next = || -> Result<Vec<f32>> { values(&random::uniform::<_, f32>(0.0, 1.0, &[4], None)?) };
    random::seed(5)?;
    let undisturbed = next()?;
    random::seed(5)?;
    make_sampler(1.0, None, None, 17)?.sample(&rows(&[&[0.5, 0.5]]))?.eval()?;
    assert_eq!(next()?, undisturbed, "a sampler has a key of its own");
    Ok(())
}

#[test]
fn task_4_seeds_and_draws_differ() -> Result<()> {
    let first = stream(17, 24, || Ok(()))?;
    assert!(first.iter().any(|&id| id != first[0]), "24 draws of 1 in 54 are all {}: is the key split?", first[0]);
    for seed in [0, 18, u64::from(u32::MAX) + 18, u64::MAX] {
        assert_ne!(stream(seed, 24, || Ok(()))?, first, "seed {seed} repeats seed 17");
    }
    Ok(())
}

#[test]
fn task_4_none_and_values_outside_the_range_switch_a_filter_off() -> Result<()> {
    let row = rows(&[&[0.02, 0.3, 0.18, 0.25, 0.25]]);
    let draw_64 = |k, p| ids(&make_sampler(1.3, k, p, 8)?.sample(&repeated(&row, 64)?)?);
    let unfiltered = draw_64(None, None)?;
    for k in [0, -1, i32::MIN, 5] {
        assert_same(
            &format!("64 ids with k = {k} are those without a filter"),
            draw_64(Some(k), None)?,
            unfiltered.clone(),
        );
    }
    for p in [0.0, -0.5, f32::NEG_INFINITY, 1.0, 1.5, f32::INFINITY] {
        assert_same(
            &format!("64 ids with p = {p} are those without a filter"),
            draw_64(None, Some(p))?,
            unfiltered.clone(),
        );
    }
    Ok(())
}

#[test]
fn task_4_refuses_bad_settings_when_the_sampler_is_made() -> Result<()> {
    make_sampler(0.7, Some(5), Some(0.9), 0)?;
    for temp in [-1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let error = expect_invalid_argument(make_sampler(temp, None, None, 0), "temp");
        assert!(error.to_string().contains(&temp.to_string()), "the message should hold {temp}: {error}");
    }
    for temp in [0.0, 1.0] {
        expect_invalid_argument(make_sampler(temp, None, Some(f32::NAN), 0), "top_p");
    }
    Ok(())
}

#[test]
fn task_4_refuses_k_above_the_vocabulary_also_when_greedy() -> Result<()> {
    let row = rows(&[&[0.1, 0.2, 0.7]]);
    for temp in [0.0, 0.5] {
        let mut sampler = make_sampler(temp, Some(4), None, 0)?;
        let text = expect_error(sampler.sample(&row)).to_string();
        assert!(text.contains('4') && text.contains('3'), "the message should name 4 and 3: {text}");
        assert_eq!(ids(&sampler.sample(&rows(&[&[0.0, 0.0, 1.0, 0.0]]))?)?, [2], "a longer row is fine");
    }
    Ok(())
}

#[test]
fn task_4_refuses_rows_without_a_law_on_every_path() -> Result<()> {
    for temp in [0.0, 0.9] {
        for (k, p) in [(None, None), (Some(2), None), (None, Some(0.9)), (Some(3), Some(1.0))] {
            let mut sampler = make_sampler(temp, k, p, 1)?;
            assert_refuses_bad_rows(|batch| sampler.sample(batch))?;
        }
    }
    Ok(())
}

#[test]
fn task_4_the_caller_keeps_an_unchanged_array() -> Result<()> {
    let row = rows(&[&[0.1, 0.4, 0.2, 0.3]]);
    let before = values(&row)?;
    make_sampler(0.7, Some(3), Some(0.6), 2)?.sample(&row)?.eval()?;
    assert_same("the caller's array", values(&row)?, before);
    Ok(())
}

#[test]
fn task_4_rows_of_a_batch_are_drawn_independently() -> Result<()> {
    let batch = rows(&[&[0.9, 0.1, 0.0, 0.0], &[0.0, 0.0, 0.2, 0.8], &[0.3, 0.3, 0.3, 0.1]]);
    let mut sampler = make_sampler(1.0, Some(3), Some(0.85), 4)?;
    for _ in 0..40 {
        let drawn = ids(&sampler.sample(&batch)?)?;
        assert!(drawn[0] == 0 && drawn[1] >= 2 && drawn[2] <= 2, "rows borrowed each other's filter: {drawn:?}");
    }
    Ok(())
}

#[test]
fn end_the_embedded_model_writes_the_same_text_for_the_same_seed() -> Result<()> {
    let checkpoint = tiny_model()?;
    let prompt = checkpoint.tokenizer()?.encode("She was very")?;
    let engine = week1::load(checkpoint)?;
    let text = |temperature: f32, seed: u64| {
        let law = SamplingLaw::FilterFirst { temperature, top_k: Some(40), top_p: Some(0.95) };
        let sampling = Sampling { law, seed };
        let request = Request { prompt: prompt.clone(), max_tokens: 3, eos: vec![4093, 4095], sampling };
        Ok::<_, Error>(engine.generate(&request, &mut |_| ControlFlow::Continue(()))?.tokens)
    };
    let first = text(1.5, 1)?;
    assert_eq!(text(1.5, 1)?, first, "seed 1, twice");
    assert!(text(1.5, 2)? != first || text(1.5, 3)? != first, "seeds 1, 2 and 3 write the same: {first:?}");
    assert_eq!(text(0.0, 1)?, text(0.0, 2)?, "greedy texts know no seed");
    Ok(())
}
