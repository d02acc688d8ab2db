//! Day 1, continuous batching: one request by itself, slots against plain lists, a batch against the same texts alone and
//! against mlx-lm, the scheduler on a scripted model, then 200 random schedules.

use kit::law::SamplerConfig;
use kit::testing::{
    DTYPES, Random, Tolerance, array, assert_close, assert_close_within, expect_dtype, expect_error,
    expect_invalid_argument, expect_non_finite, expect_shape, golden, golden_json, golden_tensors, tiny_model, values,
    zeros,
};
use kit::{Checkpoint, Error, Request, Result, Sampling, SamplingLaw};
use mlx_rs::{Array, Dtype, Stream, fast, ops, ops::indexing::IndexOp, with_stream};
use solution_week1::{generate::next_logprobs, sampler::make_sampler};
use std::{cell::RefCell, collections::BTreeMap, fmt::Debug};
use week3::{
    admission::Refusal,
    batch_attention::attend,
    batch_cache::{BatchCache, Seen, Step},
    batch_model::{BatchLm, BatchModel, Rows},
    scheduler::{Event, Scheduler},
    sequence::{FinishReason, Sequence, may_become},
    slot_cache::{SlotCache, row_mask},
};

/// Panics with both sides by name unless they are the same.
#[track_caller]
fn assert_same<G: PartialEq<E> + Debug, E: Debug>(what: &str, got: G, expected: E) {
    assert!(got == expected, "{what}\n  got      {got:?}\n  expected {expected:?}");
}

/// Sixteen tokens with texts of their own; 15 is special.
fn bytes_of(id: u32) -> Result<Vec<u8>> {
    const PIECES: [&[u8]; 16] = [
        b"a", b"b", b"ab", b"STO", b"P", b"S", b"TOP", b" ", b"\xc3", b"\xa4", b"STOPS", b"x\n", b"\n", b"end", b".",
        b"",
    ];
    match PIECES.get(id as usize) {
        Some(piece) => Ok(piece.to_vec()),
        None => Err(Error::Other(format!("there is no token {id}"))),
    }
}

fn drawn(temperature: f32, seed: u64) -> Sampling {
    Sampling { law: SamplingLaw::FilterFirst { temperature, top_k: Some(12), top_p: Some(0.95) }, seed }
}

/// Presence and frequency penalties, so that a request's own tokens change its law.
fn penalised(seed: u64) -> Result<Sampling> {
    let config = SamplerConfig::builder().temperature(0.9).top_k(0).presence_penalty(1.0).frequency_penalty(0.8);
    Ok(Sampling { law: SamplingLaw::TemperFirst(config.build()?), seed })
}

fn request(prompt: &[u32], max_tokens: usize, eos: &[u32], sampling: Sampling) -> Request {
    Request { prompt: prompt.to_vec(), max_tokens, eos: eos.to_vec(), sampling }
}

fn sequence(id: u64, prompt: &[u32], max_tokens: usize, eos: &[u32]) -> Result<Sequence<'static>> {
    Sequence::new(id, request(prompt, max_tokens, eos, Sampling::GREEDY), Vec::new(), &bytes_of)
}

/// A greedy request that ends at these texts.
fn stopping(stops: &[&str], max_tokens: usize) -> Result<Sequence<'static>> {
    let stop = stops.iter().map(|stop| stop.to_string()).collect();
    Sequence::new(0, request(&[1], max_tokens, &[15], Sampling::GREEDY), stop, &bytes_of)
}

/// What each token makes final, and how it ended.
fn pushed(mut sequence: Sequence<'_>, tokens: &[u32]) -> Result<(Vec<String>, Option<FinishReason>)> {
    let texts = tokens.iter().map(|&token| sequence.push(token)).collect::<Result<_>>()?;
    if sequence.finish.is_some() {
        assert_same("text that waits behind the end", sequence.held.as_str(), "");
    }
    Ok((texts, sequence.finish))
}

#[test]
fn task_1_a_request_takes_the_most_likely_token_or_draws_by_its_own_seed() -> Result<()> {
    let mut greedy = sequence(0, &[1], 5, &[])?;
    assert_same("the largest of three", greedy.choose(&array(&[0.0, 2.0, 1.0], &[1, 1, 3]))?, 1);
    assert_same("the first of equals", greedy.choose(&array(&[3.0, 2.0, 3.0], &[1, 1, 3]))?, 0);
    let rows: Vec<Array> = (0..8).map(|row| Random::new(row).normal(&[1, 1, 16])).collect();
    for seed in 0..4 {
        let mut own = Sequence::new(0, request(&[1], 9, &[], drawn(1.3, seed)), Vec::new(), &bytes_of)?;
        let mut sampler = make_sampler(1.3, Some(12), Some(0.95), seed)?;
        for row in &rows {
            let expected = sampler.sample(&next_logprobs(row)?)?;
            assert_same(&format!("seed {seed}"), own.choose(row)?, values(&expected)?[0] as u32);
        }
    }
    Ok(())
}

#[test]
fn task_1_penalties_count_the_tokens_of_this_request_alone() -> Result<()> {
    let config = SamplerConfig::builder().temperature(0.0).frequency_penalty(1.0).build()?;
    let sampling = Sampling { law: SamplingLaw::TemperFirst(config), seed: 0 };
    let new = || Sequence::new(0, request(&[2, 2, 2], 9, &[], sampling), Vec::new(), &bytes_of);
    // Apart by 0.6: after two draws of 2 the next best is ahead, and they take turns.
    let logits = array(&[0.0, 0.0, 2.0, 1.4, 0.0], &[1, 1, 5]);
    let (mut first, mut second) = (new()?, new()?);
    let chosen = (0..4).map(|_| first.choose(&logits)).collect::<Result<Vec<_>>>()?;
    assert_same("four tokens of the first request", chosen, [2, 3, 2, 3]);
    assert_same("the first token of another request", second.choose(&logits)?, 2);
    Ok(())
}

#[test]
fn task_1_whoever_watches_a_draw_sees_the_row_and_the_token() -> Result<()> {
    let (seen, row) = (RefCell::new(Vec::new()), Random::new(3).normal(&[1, 1, 16]));
    let plain = Sequence::new(0, request(&[1], 9, &[], drawn(1.3, 5)), Vec::new(), &bytes_of)?;
    let expected = { plain }.choose(&row)?;
    let own = Sequence::new(0, request(&[1], 9, &[], drawn(1.3, 5)), Vec::new(), &bytes_of)?;
    let mut watched = own.watched(|logprobs, token| {
        seen.borrow_mut().push((values(logprobs)?, token));
        Ok(())
    });
    assert_same("a token that was watched", watched.choose(&row)?, expected);
    assert_same("what was seen", seen.borrow().clone(), vec![(values(&next_logprobs(&row)?)?, expected)]);
    let refusing = sequence(0, &[1], 5, &[])?;
    let error = expect_error(refusing.watched(|_, _| Err(Error::Other("no".into()))).choose(&row));
    assert_same("the watcher's error", error.to_string(), "no".to_string());
    Ok(())
}

#[test]
fn task_1_rows_without_a_law_and_other_shapes_are_refused() -> Result<()> {
    let mut greedy = sequence(0, &[1], 5, &[])?;
    expect_non_finite(greedy.choose(&array(&[f32::NAN; 4], &[1, 1, 4])));
    for shape in [&[1, 2, 4][..], &[2, 1, 4], &[1, 4], &[1, 1, 1, 4]] {
        expect_shape(greedy.choose(&zeros(shape)));
    }
    expect_dtype(greedy.choose(&Array::from_slice(&[1_i32, 2], &[1, 1, 2])));
    assert_same("the token after refused ones", greedy.choose(&array(&[0.0, 1.0], &[1, 1, 2]))?, 1);
    Ok(())
}

#[test]
fn task_1_text_comes_token_by_token_and_characters_stay_whole() -> Result<()> {
    let (texts, finish) = pushed(sequence(0, &[1], 9, &[])?, &[0, 8, 9, 7])?;
    assert_same("texts of a, half an ä, its other half, a space", texts, ["a", "", "ä", " "]);
    assert_same("the end", finish, None);
    let (texts, finish) = pushed(sequence(0, &[1], 2, &[])?, &[0, 8])?;
    assert_same("half a character at the very end", texts, ["a", "\u{fffd}"]);
    assert_same("the end", finish, Some(FinishReason::MaxTokens));
    Ok(())
}

#[test]
fn task_1_an_end_id_or_the_last_token_ends_the_request() -> Result<()> {
    let (texts, finish) = pushed(sequence(0, &[1], 3, &[14, 15])?, &[0, 15])?;
    assert_same("the end", (texts.concat(), finish), ("a".to_string(), Some(FinishReason::Eos(15))));
    let (_, finish) = pushed(sequence(0, &[1], 2, &[15])?, &[0, 15])?;
    assert_same("an end id as the last token", finish, Some(FinishReason::Eos(15)));
    let (texts, finish) = pushed(sequence(0, &[1], 2, &[15])?, &[0, 1])?;
    assert_same("two tokens", (texts.concat(), finish), ("ab".to_string(), Some(FinishReason::MaxTokens)));
    let mut counted = sequence(0, &[7, 7, 7], 2, &[7])?;
    counted.push(0)?;
    assert_same("an end id in the prompt", (counted.tokens.clone(), counted.finish.clone()), (vec![0], None));
    Ok(())
}

#[test]
fn task_1_a_token_without_bytes_is_an_error() -> Result<()> {
    let mut own = sequence(0, &[1], 9, &[])?;
    let error = expect_error(own.push(16)).to_string();
    assert!(error.contains("no token 16"), "{error}");
    assert_same("the answer without it", own.tokens.len(), 0);
    assert_same("the next token", own.push(0)?.as_str(), "a");
    Ok(())
}

#[test]
fn task_1_a_stop_string_ends_the_text_before_itself() -> Result<()> {
    let end = |stop: &str| Some(FinishReason::StopString(stop.into()));
    let (texts, finish) = pushed(stopping(&["STOP"], 9)?, &[0, 3, 4])?;
    assert_same("over two tokens: texts", texts, ["a", "", ""]);
    assert_same("over two tokens: the end", finish, end("STOP"));
    let (texts, finish) = pushed(stopping(&["STOP"], 9)?, &[0, 10])?;
    assert_same("inside of a token: texts", texts, ["a", ""]);
    assert_same("inside of a token: the end", finish, end("STOP"));
    let (texts, _) = pushed(stopping(&["\n"], 9)?, &[11])?;
    assert_same("what stands before it in the same token", texts, ["x"]);
    let (_, finish) = pushed(stopping(&["P", "STOP"], 9)?, &[3, 4])?;
    assert_same("of two that end together, the one that begins first", finish, end("STOP"));
    for tokens in [&[10][..], &[3, 4]] {
        let (texts, finish) = pushed(stopping(&["STOP", "TO"], 9)?, &tokens[..1])?;
        let what = format!("of two, the one that ends first, in {tokens:?}");
        assert_same(&what, (texts.concat(), finish), ("S".to_string(), end("TO")));
    }
    let both = Sequence::new(0, request(&[1], 9, &[4], Sampling::GREEDY), vec!["STOP".into()], &bytes_of)?;
    let (texts, finish) = pushed(both, &[3, 4])?;
    assert_same("with an end id", (texts.concat(), finish), (String::new(), end("STOP")));
    let (_, finish) = pushed(stopping(&["STOP"], 2)?, &[3, 4])?;
    assert_same("at the last token", finish, end("STOP"));
    Ok(())
}

#[test]
fn task_1_what_only_looked_like_a_stop_string_is_shown_after_all() -> Result<()> {
    let (texts, _) = pushed(stopping(&["STOP"], 9)?, &[5, 0, 3, 3, 4])?;
    assert_same("S, a, STO, STO, P", texts, ["", "Sa", "", "STO", ""]);
    let (texts, finish) = pushed(stopping(&["STOP"], 2)?, &[0, 3])?;
    assert_same(
        "a beginning at the very end",
        (texts.concat(), finish),
        ("aSTO".into(), Some(FinishReason::MaxTokens)),
    );
    let (texts, finish) = pushed(stopping(&["STOP"], 9)?, &[3, 15])?;
    assert_same("a beginning before an end id", (texts.concat(), finish), ("STO".into(), Some(FinishReason::Eos(15))));
    let stops = ["abab".to_string(), "ba".to_string()];
    for (text, waits) in [("", 0), ("x", 0), ("a", 1), ("xab", 2), ("aba", 3), ("abab", 2), ("b", 1)] {
        assert_same(&format!("bytes of {text:?} that may become a stop string"), may_become(text, &stops), waits);
    }
    Ok(())
}

#[test]
fn task_1_text_and_stop_are_the_same_however_it_is_cut() -> Result<()> {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let ids: Vec<u32> = (0..12).map(|_| random.int(0..15) as u32).collect();
        let whole: Vec<u8> = ids.iter().map(|&id| bytes_of(id)).collect::<Result<Vec<_>>>()?.concat();
        let whole = String::from_utf8_lossy(&whole).into_owned();
        let stops = [["TOP", "ab"], ["\n", "end."], ["STOPS", "Sa"], ["STOP", "TO"], ["ab", "abab"]][seed as usize % 5];
        // The one that ends first, then the one that begins first.
        let ends = stops.iter().filter_map(|stop| Some((whole.find(stop)? + stop.len(), whole.find(stop)?)));
        let first = ends.min().map(|(_, at)| at);
        let mut own = stopping(&stops, ids.len())?;
        let mut text = String::new();
        for &id in ids.iter() {
            if own.finish.is_none() {
                text += &own.push(id)?;
            }
        }
        let what = format!("{stops:?} in {whole:?}");
        assert_same(&what, text.as_str(), first.map_or(whole.as_str(), |at| &whole[..at]));
        assert_same(&what, matches!(own.finish, Some(FinishReason::StopString(_))), first.is_some());
    }
    Ok(())
}

#[test]
fn task_2_a_row_sees_its_own_text_up_to_its_own_token() -> Result<()> {
    let (see, not) = (0.0, f32::NEG_INFINITY);
    let mask = row_mask(&[2, 0], 2)?;
    let expected = [[see, see, see, not], [see, see, see, see], [see, not, not, not], [see, see, not, not]].concat();
    assert_close("offsets 2 and 0, two tokens each", &mask, &array(&expected, &[2, 1, 2, 4]))?;
    assert_close("one row of one token", &row_mask(&[3], 1)?, &zeros(&[1, 1, 1, 4]))?;
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let offsets: Vec<i32> = (0..random.int(1..5)).map(|_| random.int(0..9)).collect();
        let tokens = random.int(1..5);
        let longest = offsets.iter().max().expect("a row") + tokens;
        let mut expected = Vec::new();
        for &offset in &offsets {
            for query in 0..tokens {
                expected.extend((0..longest).map(|key| if key <= offset + query { see } else { not }));
            }
        }
        let expected = array(&expected, &[offsets.len() as i32, 1, tokens, longest]);
        assert_close(&format!("offsets {offsets:?}, {tokens} tokens"), &row_mask(&offsets, tokens)?, &expected)?;
    }
    Ok(())
}

/// The plain model of a slot: a (1, H, 1, D) slice a token.
type Plain = Vec<(Array, Array)>;

/// Keys and values of two heads of four features.
fn pair(random: &mut Random, rows: i32, tokens: i32) -> (Array, Array) {
    (random.normal(&[rows, 2, tokens, 4]), random.normal(&[rows, 2, tokens, 4]))
}

/// Asserts that each row of what was seen begins with its slot's list.
#[track_caller]
fn assert_sees(what: &str, seen: &Seen, texts: &[&Plain]) -> Result<()> {
    let (keys, values) = seen.dense().expect("keys and values side by side");
    let longest = texts.iter().map(|text| text.len()).max().unwrap_or(0) as i32;
    assert_same(&format!("{what}: the shape"), keys.shape(), [texts.len() as i32, 2, longest, 4]);
    for (row, text) in (0..).zip(texts) {
        let own = (row..row + 1, .., ..text.len() as i32, ..);
        let joined =
            |which: fn(&(Array, Array)) -> &Array| ops::concatenate(&text.iter().map(which).collect::<Vec<_>>(), 2);
        let name = |name: &str| format!("{what}: {name} of row {row}");
        assert_close_within(&name("keys"), &keys.index(own.clone()), &joined(|token| &token.0)?, Tolerance::EXACT)?;
        assert_close_within(&name("values"), &values.index(own), &joined(|token| &token.1)?, Tolerance::EXACT)?;
    }
    assert!(self::values(&keys.sum(false)?)?[0].is_finite(), "{what}: what is behind a row is finite");
    Ok(())
}

/// One pass of one layer: writes the pair, returns what was seen, makes it count.
fn pass(cache: &mut SlotCache, slots: &[usize], keys: &Array, values: &Array) -> Result<Seen> {
    let step = cache.begin(slots, keys.dim(2))?;
    let seen = cache.update(&step, 0, keys, values)?;
    cache.commit(step)?;
    Ok(seen)
}

#[test]
fn task_2_slots_are_lists_that_do_not_know_each_other() -> Result<()> {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut cache = SlotCache::new(1, 4, random.int(1..6))?;
        let mut plain: Vec<Option<Plain>> = vec![None; 4];
        for round in 0..10 {
            let slot = random.int(0..4) as usize;
            match (&plain[slot], random.int(0..3)) {
                (None, _) => {
                    cache.join(slot)?;
                    plain[slot] = Some(Plain::new());
                }
                (Some(_), 0) => {
                    cache.leave(slot)?;
                    plain[slot] = None;
                }
                _ => {}
            }
            let mut rows: Vec<usize> = (0..4).filter(|&slot| plain[slot].is_some() && random.int(0..3) > 0).collect();
            if random.int(0..2) == 0 {
                rows.reverse();
            }
            if rows.is_empty() {
                continue;
            }
            let tokens = random.int(1..4);
            let (keys, values) = pair(&mut random, rows.len() as i32, tokens);
            let seen = pass(&mut cache, &rows, &keys, &values)?;
            for (row, &slot) in (0..).zip(&rows) {
                let token = |x: &Array, l: i32| x.index((row..row + 1, .., l..l + 1, ..));
                let text = plain[slot].as_mut().expect("a text");
                text.extend((0..tokens).map(|l| (token(&keys, l), token(&values, l))));
            }
            let texts: Vec<&Plain> = rows.iter().filter_map(|&slot| plain[slot].as_ref()).collect();
            assert_sees(&format!("seed {seed}, round {round}, slots {rows:?}"), &seen, &texts)?;
            let lengths: Vec<Option<i32>> = (0..4).map(|slot| cache.length(slot)).collect();
            let expected: Vec<_> = plain.iter().map(|text| text.as_ref().map(|text| text.len() as i32)).collect();
            assert_same(&format!("seed {seed}, round {round}: lengths"), lengths, expected);
        }
    }
    Ok(())
}

#[test]
fn task_2_attention_of_a_row_is_that_of_its_text_alone() -> Result<()> {
    let mut random = Random::new(5);
    let mut cache = SlotCache::new(1, 3, 4)?;
    let mut texts = Vec::new();
    for (slot, tokens) in [(0, 9), (1, 1), (2, 40)] {
        cache.join(slot)?;
        let (keys, values) = pair(&mut random, 1, tokens);
        pass(&mut cache, &[slot], &keys, &values)?;
        texts.push((keys, values));
    }
    let (keys, values) = pair(&mut random, 3, 2);
    let query = random.normal(&[3, 4, 2, 4]);
    let step = cache.begin(&[0, 1, 2], 2)?;
    let seen = cache.update(&step, 0, &keys, &values)?;
    let got = attend(&query, &seen, &step)?;
    for (row, (old_keys, old_values)) in (0..).zip(&texts) {
        let own = |x: &Array| x.index(row..row + 1);
        let all_keys = ops::concatenate(&[old_keys, &own(&keys)], 2)?;
        let all_values = ops::concatenate(&[old_values, &own(&values)], 2)?;
        let causal = fast::ScaledDotProductAttentionMask::Causal;
        let expected =
            fast::scaled_dot_product_attention(own(&query), all_keys, all_values, 0.5, causal, None::<&Array>)?;
        assert_close(&format!("row {row}, beside MLX's fused attention"), &own(&got), &expected)?;
    }
    Ok(())
}

#[test]
fn task_2_what_a_text_has_left_behind_reaches_nobody() -> Result<()> {
    let mut cache = SlotCache::new(1, 2, 8)?;
    (0..2).try_for_each(|slot| cache.join(slot))?;
    let mut random = Random::new(3);
    let broken = Array::full::<f32>(&[1, 2, 6, 4], Array::from_f32(f32::NAN))?;
    pass(&mut cache, &[1], &broken, &broken)?;
    let (keys, values) = pair(&mut random, 1, 7);
    pass(&mut cache, &[0], &keys, &values)?;
    cache.leave(1)?;
    assert_same("the length of a slot without a text", cache.length(1), None);
    cache.join(1)?;
    assert_same("the length of a new text", cache.length(1), Some(0));
    let (keys, values) = pair(&mut random, 2, 1);
    let step = cache.begin(&[0, 1], 1)?;
    let seen = cache.update(&step, 0, &keys, &values)?;
    let got = attend(&random.normal(&[2, 2, 1, 4]), &seen, &step)?;
    assert_close("attention over a single key is its value", &got.index(1..2), &values.index(1..2))?;
    assert!(kit::testing::values(&got)?.iter().all(|x| x.is_finite()), "every row is finite");
    Ok(())
}

#[test]
fn task_2_a_slot_is_cleared_in_every_layer() -> Result<()> {
    let mut cache = SlotCache::new(2, 2, 8)?;
    (0..2).try_for_each(|slot| cache.join(slot))?;
    let broken = Array::full::<f32>(&[1, 2, 6, 4], Array::from_f32(f32::NAN))?;
    let step = cache.begin(&[1], 6)?;
    (0..2).try_for_each(|layer| cache.update(&step, layer, &broken, &broken).map(drop))?;
    cache.commit(step)?;
    cache.leave(1)?;
    for (keys, values) in cache.storage.iter().flatten() {
        assert_close("keys that are left", keys, &zeros(keys.shape()))?;
        assert_close("values that are left", values, &zeros(values.shape()))?;
    }
    Ok(())
}

#[test]
fn task_2_what_a_dropped_step_has_written_reaches_nobody() -> Result<()> {
    let mut random = Random::new(8);
    for slots in [[0, 1], [2, 0]] {
        let mut cache = SlotCache::new(1, 3, 8)?;
        slots.iter().try_for_each(|&slot| cache.join(slot))?;
        let broken = Array::full::<f32>(&[1, 2, 3, 4], Array::from_f32(f32::NAN))?;
        let lost = cache.begin(&slots[1..], 3)?;
        cache.update(&lost, 0, &broken, &broken)?;
        drop(lost);
        let (keys, values) = pair(&mut random, 1, 5);
        pass(&mut cache, &slots[..1], &keys, &values)?;
        let (keys, values) = pair(&mut random, 2, 1);
        let seen = pass(&mut cache, &slots, &keys, &values)?;
        let (keys, values) = seen.dense().expect("keys and values side by side");
        for seen in [keys, values] {
            let all = kit::testing::values(seen)?;
            assert!(all.iter().all(|x| x.is_finite()), "slots {slots:?}: finite behind the end of a row: {all:?}");
        }
    }
    Ok(())
}

#[test]
fn task_2_a_step_counts_once_and_where_it_was_begun() -> Result<()> {
    let mut cache = SlotCache::new(1, 2, 8)?;
    (0..2).try_for_each(|slot| cache.join(slot))?;
    let (keys, values) = pair(&mut Random::new(2), 1, 1);
    let (first, second) = (cache.begin(&[0], 1)?, cache.begin(&[0], 1)?);
    cache.update(&first, 0, &keys, &values)?;
    cache.commit(first)?;
    expect_invalid_argument(cache.update(&second, 0, &keys, &values), "step");
    expect_invalid_argument(cache.commit(second), "step");
    let gone = cache.begin(&[1], 1)?;
    cache.leave(1)?;
    expect_invalid_argument(cache.commit(gone), "step");
    let mut other = SlotCache::new(1, 9, 8)?;
    other.join(8)?;
    let foreign = other.begin(&[8], 1)?;
    expect_invalid_argument(cache.update(&foreign, 0, &keys, &values), "step");
    expect_invalid_argument(cache.commit(foreign), "step");
    assert_same("lengths", (cache.length(0), cache.length(1)), (Some(1), None));
    Ok(())
}

#[test]
fn task_2_what_was_seen_stays_and_a_dropped_step_leaves_no_trace() -> Result<()> {
    let mut random = Random::new(4);
    let mut cache = SlotCache::new(1, 2, 2)?;
    cache.join(1)?;
    let (keys, values) = pair(&mut random, 1, 3);
    let old = pass(&mut cache, &[1], &keys, &values)?;
    let lost = pair(&mut random, 1, 2);
    let step = cache.begin(&[1], 2)?;
    cache.update(&step, 0, &lost.0, &lost.1)?;
    drop(step);
    assert_same("tokens after a dropped step", cache.length(1), Some(3));
    let more = pair(&mut random, 1, 1);
    let token = |x: &Array, l: i32| x.index((.., .., l..l + 1, ..));
    let mut text: Plain = (0..3).map(|l| (token(&keys, l), token(&values, l))).collect();
    let before = text.clone();
    text.push(more.clone());
    assert_sees("one more token", &pass(&mut cache, &[1], &more.0, &more.1)?, &[&text])?;
    assert_sees("the first answer, afterwards", &old, &[&before])
}

#[test]
fn task_2_what_does_not_fit_is_refused_and_changes_nothing() -> Result<()> {
    let mut cache = SlotCache::new(2, 2, 4)?;
    cache.join(0)?;
    expect_invalid_argument(cache.leave(1), "slot");
    expect_invalid_argument(cache.leave(2), "slot");
    let step = cache.begin(&[0], 2)?;
    let (keys, values) = pair(&mut Random::new(2), 1, 2);
    cache.update(&step, 0, &keys, &values)?;
    expect_invalid_argument(cache.update(&step, 2, &keys, &values), "layer");
    for shape in [&[1, 2, 1, 4][..], &[2, 2, 2, 4], &[1, 3, 2, 4], &[1, 2, 2, 5], &[2, 2, 4]] {
        expect_shape(cache.update(&step, 0, &zeros(shape), &zeros(shape)));
    }
    expect_shape(cache.update(&step, 0, &keys, &zeros(&[1, 2, 2, 5])));
    expect_dtype(cache.update(&step, 0, &keys.as_dtype(Dtype::Float16)?, &values.as_dtype(Dtype::Float16)?));
    expect_dtype(cache.update(&step, 1, &keys, &values.as_dtype(Dtype::Float16)?));
    assert_same("tokens after refused calls", cache.length(0), Some(0));
    for (dtype, name) in DTYPES {
        let mut cache = SlotCache::new(1, 1, 4)?;
        cache.join(0)?;
        let (keys, values) = (keys.as_dtype(dtype)?, values.as_dtype(dtype)?);
        let seen = pass(&mut cache, &[0], &keys, &values)?;
        assert_close(name, seen.dense().expect("keys and values side by side").0, &keys)?;
    }
    Ok(())
}

/// A random model of two layers, packed in 4 bits: 96 tokens, 256 positions.
fn serving() -> Result<BatchModel> {
    BatchModel::load(&Checkpoint::open(golden("week3/serving"))?)
}

fn ids(ids: &[u32]) -> Array {
    Array::from_slice(ids, &[1, ids.len() as i32])
}

/// A cache of `slots` texts for the model, all of them begun.
fn begun(model: &impl BatchLm, slots: usize) -> Result<SlotCache> {
    let mut cache = SlotCache::new(model.layers(), slots, 16)?;
    (0..slots).try_for_each(|slot| cache.join(slot))?;
    Ok(cache)
}

/// Logits are near 4; sums of another order differ by some units of the sixth place.
const LOGITS: Tolerance = Tolerance { abs: 5e-4, rel: 5e-4 };

#[test]
fn task_3_rows_of_different_lengths_have_the_logits_of_mlx_lm() -> Result<()> {
    let (model, golden) = (serving()?, golden_tensors("week3/serving.safetensors")?);
    let mut cache = begun(&model, 3)?;
    let mut newest = Vec::new();
    for slot in 0..3_usize {
        let text = &golden[&format!("{slot}.ids")];
        let length = text.dim(1);
        if length > 1 {
            model.forward(&text.index((.., ..length - 1)), &[slot], &mut cache, Rows::Last)?;
        }
        newest.push(text.index((.., length - 1..)));
        let alone = model.forward(text, &[0], &mut begun(&model, 1)?, Rows::All)?;
        assert_close_within(&format!("text {slot} alone"), &alone, &golden[&format!("{slot}.logits")], LOGITS)?;
    }
    let got = model.forward(&ops::concatenate(&newest, 0)?, &[0, 1, 2], &mut cache, Rows::Last)?;
    assert_same("the shape of three rows", got.shape(), [3, 1, 96]);
    for slot in 0..3_i32 {
        let expected = golden[&format!("{slot}.logits")].index((.., -1.., ..));
        assert_close_within(&format!("text {slot} in a batch"), &got.index(slot..slot + 1), &expected, LOGITS)?;
    }
    assert_same("lengths", [cache.length(0), cache.length(1), cache.length(2)], [Some(5), Some(1), Some(12)]);
    Ok(())
}

#[test]
fn task_3_a_row_has_the_same_bits_alone_and_in_any_batch() -> Result<()> {
    let model = serving()?;
    for seed in 0..6 {
        let mut random = Random::new(seed);
        let slots = random.int(2..9) as usize;
        let mut together = begun(&model, slots)?;
        let mut alone: Vec<SlotCache> = (0..slots).map(|_| begun(&model, 1)).collect::<Result<_>>()?;
        for (slot, own) in alone.iter_mut().enumerate() {
            let length = random.int(1..40);
            let prompt = random.ids(96, &[1, length]);
            model.forward(&prompt, &[slot], &mut together, Rows::Last)?;
            model.forward(&prompt, &[0], own, Rows::Last)?;
        }
        for _ in 0..3 {
            let rows: Vec<usize> = (0..slots).filter(|_| random.int(0..3) > 0).collect();
            if rows.is_empty() {
                continue;
            }
            let tokens = random.ids(96, &[rows.len() as i32, 1]);
            let got = model.forward(&tokens, &rows, &mut together, Rows::Last)?;
            for (row, &slot) in (0..).zip(&rows) {
                let own = model.forward(&tokens.index(row..row + 1), &[0], &mut alone[slot], Rows::Last)?;
                let what = format!("seed {seed}: slot {slot} of {rows:?}");
                assert_close_within(&what, &got.index(row..row + 1), &own, Tolerance::EXACT)?;
            }
        }
    }
    Ok(())
}

#[test]
fn task_3_the_embedded_model_is_that_of_week_2() -> Result<()> {
    let checkpoint = tiny_model()?;
    let model = BatchModel::load(checkpoint)?;
    let text = Random::new(8).ids(4096, &[2, 7]);
    let got = model.forward(&text, &[1, 0], &mut begun(&model, 2)?, Rows::All)?;
    let whole = solution_week1::model::Qwen3Model::load(checkpoint)?;
    let expected = kit::CausalLm::forward(&whole, &text)?;
    assert_close_within("two texts beside Week 1's model", &got, &expected, LOGITS)
}

/// A cache of which one layer fails: at once, or `late`, when what it gave is evaluated.
struct Refusing {
    inner: SlotCache,
    layer: usize,
    late: bool,
}

/// 0, which nobody can evaluate: this product of MLX's is for f32 alone, and says so when it is computed.
fn never() -> Result<Array> {
    let ones = ops::ones::<f32>(&[1, 8, 8])?.as_dtype(Dtype::Float16)?;
    let first = Array::from_slice(&[0_u32], &[1]);
    let product = with_stream(&Stream::cpu(), || ops::gather_mm(&ones, &ones, &first, &first, None))?;
    Ok(product.sum(None)?.as_dtype(Dtype::Float32)?.multiply(Array::from_f32(0.0))?)
}

impl BatchCache for Refusing {
    fn slots(&self) -> usize {
        self.inner.slots()
    }
    fn length(&self, slot: usize) -> Option<i32> {
        self.inner.length(slot)
    }
    fn join(&mut self, slot: usize) -> Result<()> {
        self.inner.join(slot)
    }
    fn leave(&mut self, slot: usize) -> Result<()> {
        self.inner.leave(slot)
    }
    fn begin(&mut self, slots: &[usize], tokens: i32) -> Result<Step> {
        self.inner.begin(slots, tokens)
    }
    fn update(&mut self, step: &Step, layer: usize, keys: &Array, values: &Array) -> Result<Seen> {
        if layer == self.layer && !self.late {
            return Err(Error::Other("this layer is full".into()));
        }
        match self.inner.update(step, layer, keys, values)? {
            Seen::Dense(keys, values) if layer == self.layer => Ok(Seen::Dense(keys.add(never()?)?, values)),
            seen => Ok(seen),
        }
    }
    fn commit(&mut self, step: Step) -> Result<()> {
        self.inner.commit(step)
    }
    fn held_bytes(&self) -> usize {
        self.inner.held_bytes()
    }
}

#[test]
fn task_3_what_fails_leaves_every_text_as_long_as_it_was() -> Result<()> {
    let model = serving()?;
    let mut cache = begun(&model, 2)?;
    model.forward(&ids(&[1, 2, 3]), &[0], &mut cache, Rows::Last)?;
    let mut refused = |tokens: &Array, slots: &[usize]| model.forward(tokens, slots, &mut cache, Rows::Last);
    expect_shape(refused(&ids(&[1, 2]), &[0, 1]));
    expect_shape(refused(&Array::from_slice(&[1_u32], &[1]), &[0]));
    expect_invalid_argument(refused(&ids(&[96]), &[0]), "ids");
    expect_invalid_argument(refused(&Array::from_slice(&[1_u32, 2], &[2, 1]), &[0, 0]), "slots");
    expect_invalid_argument(refused(&ids(&[1]), &[2]), "slot");
    expect_invalid_argument(refused(&Array::zeros::<u32>(&[1, 0])?, &[0]), "tokens");
    expect_invalid_argument(refused(&ids(&[1; 254]), &[0]), "tokens");
    assert_same("lengths after refused calls", [cache.length(0), cache.length(1)], [Some(3), Some(0)]);
    model.forward(&ids(&[1; 253]), &[0], &mut cache, Rows::Last)?;
    assert_same("a text of exactly the longest size", cache.length(0), Some(256));
    let both = Array::from_slice(&[1_u32, 2], &[2, 1]);
    expect_invalid_argument(model.forward(&both, &[1, 0], &mut cache, Rows::Last), "tokens");
    assert_same("a short text and a full one", [cache.length(0), cache.length(1)], [Some(256), Some(0)]);
    // Attention by itself, of hidden states that are not those of the step.
    let mut cache = begun(&model, 2)?;
    let step = cache.begin(&[0, 1], 3)?;
    let (attention, width) = (&model.layers[0].self_attn, model.layers[0].self_attn.q_proj.inputs());
    for shape in [[2, 2, width], [1, 3, width], [3, 2, width], [2, 3, width / 2]] {
        expect_shape(attention.forward(&zeros(&shape), 0, &step, &mut cache));
    }
    for layer in 0..2 {
        let mut cache = Refusing { inner: begun(&model, 1)?, layer, late: false };
        let error = expect_error(model.forward(&ids(&[1, 2]), &[0], &mut cache, Rows::Last));
        assert_same("the error", error.to_string(), "this layer is full");
        assert_same(&format!("tokens after layer {layer} has failed"), cache.length(0), Some(0));
    }
    Ok(())
}

#[test]
fn task_3_what_fails_when_it_is_computed_fails_before_the_text_grows() -> Result<()> {
    let model = serving()?;
    for layer in 0..2 {
        let mut cache = Refusing { inner: begun(&model, 1)?, layer, late: true };
        expect_error(model.forward(&ids(&[1, 2]), &[0], &mut cache, Rows::Last));
        assert_same(&format!("tokens after layer {layer} could not be computed"), cache.length(0), Some(0));
    }
    Ok(())
}

/// A cache that counts and keeps nothing, so that the scheduler can be tested without Tasks 2 and 3.
struct Places(Vec<Option<i32>>, bool);

impl BatchCache for Places {
    fn slots(&self) -> usize {
        self.0.len()
    }
    fn length(&self, slot: usize) -> Option<i32> {
        self.0[slot]
    }
    fn join(&mut self, slot: usize) -> Result<()> {
        assert_same("a slot that is joined", self.0[slot], None);
        assert!(self.1 || self.0.iter().all(Option::is_none), "slot {slot} is joined beside a text, without room");
        self.0[slot] = Some(0);
        Ok(())
    }
    fn leave(&mut self, slot: usize) -> Result<()> {
        assert!(self.0[slot].is_some(), "slot {slot} is left twice");
        self.0[slot] = None;
        Ok(())
    }
    fn begin(&mut self, slots: &[usize], tokens: i32) -> Result<Step> {
        let offsets: Vec<i32> = slots.iter().map(|&slot| self.0[slot].expect("a text")).collect();
        // A step of one row has no mask; nobody looks at it here.
        let one = Step::new(&slots[..1], offsets[..1].to_vec(), tokens)?;
        Ok(Step { slots: slots.to_vec(), offsets, ..one })
    }
    fn update(&mut self, _: &Step, _: usize, keys: &Array, values: &Array) -> Result<Seen> {
        Ok(Seen::Dense(keys.clone(), values.clone()))
    }
    fn commit(&mut self, step: Step) -> Result<()> {
        step.slots.iter().for_each(|&slot| self.0[slot] = self.0[slot].map(|length| length + step.tokens));
        Ok(())
    }
    fn held_bytes(&self) -> usize {
        0
    }
    fn fits(&self, _rows: &[(usize, i32)]) -> bool {
        self.1
    }
}

/// Sixteen tokens; after every id comes the next one, after 14 comes 0, after 13 nothing that is a number. Writes down
/// what it is asked.
#[derive(Default)]
struct Counter {
    asked: RefCell<Vec<String>>,
    fail: RefCell<bool>,
    /// The id at which a pass fails.
    fails_at: RefCell<Option<u32>>,
}

impl BatchLm for Counter {
    fn layers(&self) -> usize {
        1
    }
    fn positions(&self) -> usize {
        1000
    }
    fn vocabulary(&self) -> usize {
        16
    }
    fn forward(&self, tokens: &Array, slots: &[usize], cache: &mut dyn BatchCache, rows: Rows) -> Result<Array> {
        assert_same("rows of logits that are asked for", rows, Rows::Last);
        assert_same("the dtype of ids", tokens.dtype(), Dtype::Uint32);
        assert_same("rows of ids", tokens.dim(0), slots.len() as i32);
        let ids: Vec<u32> = values(tokens)?.iter().map(|&id| id as u32).collect();
        let lists: Vec<_> = ids.chunks(tokens.dim(1) as usize).collect();
        self.asked.borrow_mut().push(format!("{lists:?} in {slots:?}"));
        if ids.iter().any(|&id| id >= 16) {
            return week3::batch_cache::refused("ids", format!("{ids:?}"), "be below 16");
        }
        if *self.fail.borrow() || self.fails_at.borrow().is_some_and(|id| ids.contains(&id)) {
            return Err(Error::Other("the model is out of order".into()));
        }
        let step = cache.begin(slots, tokens.dim(1))?;
        let mut logits = vec![0.0_f32; slots.len() * 16];
        for (row, list) in lists.iter().enumerate() {
            match list[list.len() - 1] {
                13 => logits[row * 16..][..16].fill(f32::NAN),
                id => logits[row * 16 + ((id + 1) % 15) as usize] = 9.0,
            }
        }
        cache.commit(step)?;
        Ok(Array::from_slice(&logits, &[slots.len() as i32, 1, 16]))
    }
}

fn places(slots: usize) -> Box<dyn BatchCache> {
    Box::new(Places(vec![None; slots], true))
}

/// Events in short: `1:5` is token 5 of request 1, `1 Eos(5)` its end.
fn told(events: &[Event]) -> Vec<String> {
    let short = |event: &Event| match event {
        Event::Token { id, token, .. } => format!("{id}:{token}"),
        Event::Finished { id, reason } => format!("{id} {reason:?}"),
    };
    events.iter().map(short).collect()
}

#[test]
fn task_4_a_prompt_goes_in_whole_and_then_everyone_gets_one_token_a_step() -> Result<()> {
    let model = Counter::default();
    let mut scheduler = Scheduler::new(&model, places(3));
    assert_same("a step without requests", told(&scheduler.step()?), Vec::<String>::new());
    scheduler.submit(sequence(1, &[7, 3], 3, &[])?);
    scheduler.submit(sequence(2, &[5, 9, 1], 9, &[4])?);
    assert_same("step 1", told(&scheduler.step()?), ["1:4", "2:2"]);
    assert_same("what was asked", model.asked.take(), ["[[7, 3]] in [0]", "[[5, 9, 1]] in [1]"]);
    assert_same("step 2", told(&scheduler.step()?), ["1:5", "2:3"]);
    assert_same("what was asked", model.asked.take(), ["[[4], [2]] in [0, 1]"]);
    scheduler.submit(sequence(3, &[6], 9, &[])?);
    scheduler.submit(sequence(4, &[8, 8], 1, &[])?);
    let events = scheduler.step()?;
    let finished = ["1 MaxTokens", "2 Eos(4)"];
    assert_same("step 3: tokens", &told(&events)[..3], ["1:6", "2:4", "3:7"]);
    let mut ends = told(&events)[3..].to_vec();
    ends.sort();
    assert_same("step 3: ends", ends, finished);
    assert_same("what was asked", model.asked.take(), ["[[5], [3], [6]] in [0, 1, 2]"]);
    assert_same("step 4", told(&scheduler.step()?), ["4:9", "3:8", "4 MaxTokens"]);
    assert_same("what was asked", model.asked.take(), ["[[8, 8]] in [0]", "[[7]] in [2]"]);
    assert!(!scheduler.is_idle(), "request 3 goes on");
    Ok(())
}

#[test]
fn task_4_first_come_first_served_in_the_lowest_free_slot() -> Result<()> {
    let model = Counter::default();
    let mut scheduler = Scheduler::new(&model, places(2));
    for (id, most) in [(0, 3), (1, 1), (2, 2), (3, 1), (4, 1)] {
        scheduler.submit(sequence(id, &[id as u32], most, &[])?);
    }
    let slots = |scheduler: &Scheduler<'_, Counter>| {
        scheduler.running.iter().map(|running| (running.sequence.id, running.slot)).collect::<Vec<_>>()
    };
    assert_same("step 1", told(&scheduler.step()?), ["0:1", "1:2", "1 MaxTokens"]);
    assert_same("who has a slot", slots(&scheduler), [(0, 0)]);
    assert_same("step 2", told(&scheduler.step()?), ["0:2", "2:3"]);
    assert_same("who has a slot", slots(&scheduler), [(0, 0), (2, 1)]);
    let mut third = told(&scheduler.step()?);
    third.sort();
    assert_same("step 3", third, ["0 MaxTokens", "0:3", "2 MaxTokens", "2:4"]);
    assert_same("step 4", told(&scheduler.step()?)[..2].to_vec(), ["3:4", "4:5"]);
    assert!(scheduler.is_idle(), "nothing is left");
    assert_same("a step when all is done", told(&scheduler.step()?), Vec::<String>::new());
    Ok(())
}

#[test]
fn task_4_a_cancelled_request_leaves_at_the_next_step_wherever_it_is() -> Result<()> {
    let model = Counter::default();
    let mut scheduler = Scheduler::new(&model, places(1));
    (1..=3).try_for_each(|id| -> Result<()> {
        scheduler.submit(sequence(id, &[id as u32, 0], 9, &[])?);
        Ok(())
    })?;
    assert_same("step 1", told(&scheduler.step()?), ["1:1"]);
    assert!(scheduler.cancel(1) && scheduler.cancel(2), "both are there");
    assert!(!scheduler.cancel(7), "there is no request 7");
    assert_same("step 2", told(&scheduler.step()?), ["1 Cancelled", "2 Cancelled", "3:1"]);
    assert!(!scheduler.cancel(1), "request 1 has gone");
    assert_same("requests left", (scheduler.running.len(), scheduler.waiting.len()), (1, 0));
    Ok(())
}

#[test]
fn task_4_what_fails_in_one_request_ends_it_alone() -> Result<()> {
    let model = Counter::default();
    let mut scheduler = Scheduler::new(&model, places(2));
    scheduler.submit(sequence(1, &[12], 9, &[])?);
    scheduler.submit(sequence(2, &[1], 4, &[])?);
    assert_same("step 1", told(&scheduler.step()?), ["1:13", "2:2"]);
    let second = told(&scheduler.step()?);
    assert_same("step 2: the other one goes on", &second[0], "2:3");
    assert!(second[1].starts_with("1 Failed(") && second[1].contains("NaN"), "{second:?}");
    assert_same("step 3", told(&scheduler.step()?), ["2:4"]);
    *model.fail.borrow_mut() = true;
    let error = expect_error(scheduler.step());
    assert_same("an error of the model", error.to_string(), "the model is out of order");
    *model.fail.borrow_mut() = false;
    assert_same("the same step once more", told(&scheduler.step()?), ["2:5", "2 MaxTokens"]);
    Ok(())
}

#[test]
fn task_4_a_step_that_fails_loses_no_event() -> Result<()> {
    let model = Counter::default();
    let mut scheduler = Scheduler::new(&model, places(3));
    scheduler.submit(sequence(1, &[1], 9, &[])?);
    assert_same("step 1", told(&scheduler.step()?), ["1:2"]);
    scheduler.cancel(1);
    scheduler.submit(sequence(2, &[2, 0], 9, &[])?);
    scheduler.submit(sequence(3, &[11, 0], 9, &[])?);
    model.fails_at.replace(Some(11));
    expect_error(scheduler.step());
    model.fails_at.replace(None);
    assert_same("the next step", told(&scheduler.step()?), ["1 Cancelled", "2:1", "3:1", "2:2"]);
    assert_same("the step after it", told(&scheduler.step()?), ["2:3", "3:2"]);
    Ok(())
}

#[test]
fn task_4_an_unknown_id_ends_its_own_request_alone() -> Result<()> {
    let model = Counter::default();
    let mut scheduler = Scheduler::new(&model, places(3));
    scheduler.submit(sequence(1, &[1], 2, &[])?);
    scheduler.submit(sequence(2, &[16], 9, &[])?);
    scheduler.submit(sequence(3, &[16, 2], 9, &[])?);
    let mut first = told(&scheduler.step()?);
    first.sort();
    assert_same("the good one goes on", &first[0], "1:2");
    assert!(first.len() == 3 && first[1].starts_with("2 Failed(") && first[2].starts_with("3 Failed("), "{first:?}");
    assert_same("step 2", told(&scheduler.step()?), ["1:3", "1 MaxTokens"]);
    let refused = scheduler.offer(sequence(4, &[1, 16], 9, &[])?, 9)?;
    assert_same("at the door", refused, Some(Refusal::UnknownToken(16)));
    assert!(scheduler.is_idle(), "nobody was let in");
    Ok(())
}

#[test]
fn task_4_without_room_nobody_joins_and_nobody_overtakes() -> Result<()> {
    let model = Counter::default();
    let mut scheduler = Scheduler::new(&model, Box::new(Places(vec![None; 2], false)));
    for id in 1..=3 {
        scheduler.submit(sequence(id, &[id as u32], 2, &[])?);
    }
    let mut all = Vec::new();
    for step in 0..6 {
        all.extend(told(&scheduler.step()?));
        assert!(scheduler.running.len() <= 1, "step {step}: a second one has joined");
    }
    let expected = ["1:2", "1:3", "1 MaxTokens", "2:3", "2:4", "2 MaxTokens", "3:4", "3:5", "3 MaxTokens"];
    assert_same("one after the other", all, expected);
    Ok(())
}

#[test]
fn task_4_who_has_read_a_part_goes_on_reading() -> Result<()> {
    let model = Counter::default();
    let mut scheduler = Scheduler::new(&model, places(1));
    let mut half = sequence(1, &[1, 2, 3, 4], 2, &[])?;
    half.read = 1;
    scheduler.submit(half);
    assert_same("step 1", told(&scheduler.step()?), ["1:5"]);
    assert_same("what was asked", model.asked.take(), ["[[2, 3, 4]] in [0]"]);
    Ok(())
}

/// Requests of a random schedule: when each comes, when it is cancelled if ever, and what it is.
struct Plan {
    arrival: usize,
    cancel: Option<usize>,
    request: Request,
}

fn plans(random: &mut Random, vocabulary: i32, count: i32, longest: i32) -> Result<Vec<Plan>> {
    let mut arrival = 0;
    (0..count)
        .map(|number| {
            arrival += random.int(0..3) as usize;
            let prompt = (0..random.int(1..longest)).map(|_| random.int(0..vocabulary) as u32).collect::<Vec<_>>();
            let seed = random.int(0..1000) as u64;
            let sampling = match number % 3 {
                0 => Sampling::GREEDY,
                1 => drawn(1.0, seed),
                _ => penalised(seed)?,
            };
            let cancel = (random.int(0..6) == 0).then(|| arrival + random.int(0..6) as usize);
            let most = random.int(1..9) as usize;
            Ok(Plan { arrival, cancel, request: request(&prompt, most, &[0, 1], sampling) })
        })
        .collect()
}

/// The tokens of a request and its end, if it came.
type Answer = (Vec<u32>, Option<FinishReason>);

/// Runs the plans to their end; checks in every step that each running request gets one token and that the running ones
/// came before the waiting ones.
fn run<M: BatchLm>(model: &M, slots: usize, plans: &[Plan]) -> Result<Vec<Answer>> {
    let no_text = |_: u32| Ok(Vec::new());
    let cache = SlotCache::new(model.layers(), slots, 16)?;
    let mut scheduler = Scheduler::new(model, Box::new(cache));
    let mut answers: BTreeMap<u64, Answer> = BTreeMap::new();
    for time in 0.. {
        for (id, plan) in (0..).zip(plans) {
            if plan.arrival == time {
                scheduler.submit(Sequence::new(id, plan.request.clone(), Vec::new(), &no_text)?);
            }
            if plan.cancel == Some(time) {
                scheduler.cancel(id);
            }
        }
        if scheduler.is_idle() && plans.iter().all(|plan| plan.arrival <= time) {
            break;
        }
        let mut served = Vec::new();
        for event in scheduler.step()? {
            match event {
                Event::Token { id, token, .. } => {
                    served.push(id);
                    answers.entry(id).or_default().0.push(token);
                }
                Event::Finished { id, reason } => {
                    assert_same("an end comes once", answers.entry(id).or_default().1.replace(reason), None);
                }
            }
        }
        served.sort_unstable();
        let once = served.windows(2).all(|pair| pair[0] < pair[1]);
        assert!(once, "step {time}: tokens of {served:?}, and nobody gets two");
        let after: Vec<u64> = scheduler.running.iter().map(|running| running.sequence.id).collect();
        assert!(after.iter().all(|id| served.contains(id)), "step {time}: {after:?} run, {served:?} got a token");
        let waiting: Vec<u64> = scheduler.waiting.iter().map(|sequence| sequence.id).collect();
        let order = [after.clone(), waiting.clone()].concat();
        assert!(order.windows(2).all(|pair| pair[0] < pair[1]), "step {time}: {after:?} run, {waiting:?} wait");
        assert!(waiting.is_empty() || served.len() == slots, "step {time}: {waiting:?} wait, {served:?} were served");
        assert!(time < 1000, "the schedule does not end");
    }
    Ok(answers.into_values().collect())
}

/// Schedules `seeds`: whatever the batch, a request has the tokens that it has alone.
fn same_alone<M: BatchLm>(
    model: &M,
    vocabulary: i32,
    seeds: std::ops::Range<u64>,
    count: i32,
    longest: i32,
) -> Result<()> {
    for seed in seeds {
        let mut random = Random::new(seed);
        let plans = plans(&mut random, vocabulary, count, longest)?;
        let slots = random.int(2..6) as usize;
        let together = run(model, slots, &plans)?;
        assert_same(&format!("schedule {seed}: answers"), together.len(), plans.len());
        for (id, (plan, (tokens, finish))) in plans.into_iter().zip(together).enumerate() {
            let alone = Plan { arrival: 0, cancel: None, request: plan.request };
            let what = format!("schedule {seed}, {slots} slots, request {id}, {:?}", alone.request);
            let (expected, end) = run(model, 1, &[alone])?.pop().expect("an answer");
            if finish == Some(FinishReason::Cancelled) {
                assert_same(&what, &tokens[..], &expected[..tokens.len()]);
            } else {
                assert_same(&what, (tokens, finish), (expected, end));
            }
        }
    }
    Ok(())
}

#[test]
fn end_tokens_are_the_same_alone_and_in_any_batch_first_eighth() -> Result<()> {
    same_alone(&serving()?, 96, 0..24, 4, 12)
}

#[test]
fn end_tokens_are_the_same_alone_and_in_any_batch_second_eighth() -> Result<()> {
    same_alone(&serving()?, 96, 24..48, 4, 12)
}

#[test]
fn end_tokens_are_the_same_alone_and_in_any_batch_third_eighth() -> Result<()> {
    same_alone(&serving()?, 96, 48..72, 4, 12)
}

#[test]
fn end_tokens_are_the_same_alone_and_in_any_batch_fourth_eighth() -> Result<()> {
    same_alone(&serving()?, 96, 72..96, 4, 12)
}

#[test]
fn end_tokens_are_the_same_alone_and_in_any_batch_fifth_eighth() -> Result<()> {
    same_alone(&serving()?, 96, 96..120, 4, 12)
}

#[test]
fn end_tokens_are_the_same_alone_and_in_any_batch_sixth_eighth() -> Result<()> {
    same_alone(&serving()?, 96, 120..144, 4, 12)
}

#[test]
fn end_tokens_are_the_same_alone_and_in_any_batch_seventh_eighth() -> Result<()> {
    same_alone(&serving()?, 96, 144..168, 4, 12)
}

#[test]
fn end_tokens_are_the_same_alone_and_in_any_batch_eighth_eighth() -> Result<()> {
    same_alone(&serving()?, 96, 168..190, 4, 12)
}

/// Half of the schedules of the embedded model: of ten, or of as many as `TINY_LLM_SCHEDULES` says.
fn half() -> u64 {
    let Ok(count) = std::env::var("TINY_LLM_SCHEDULES") else { return 5 };
    match count.parse::<u64>() {
        Ok(count @ 1..) => count.div_ceil(2),
        _ => panic!("TINY_LLM_SCHEDULES is {count:?}: how many random schedules to run, 1 or more"),
    }
}

#[test]
fn end_the_embedded_model_gives_the_same_alone_and_in_any_batch_first_half() -> Result<()> {
    same_alone(&BatchModel::load(tiny_model()?)?, 4096, 190..190 + half(), 3, 8)
}

#[test]
fn end_the_embedded_model_gives_the_same_alone_and_in_any_batch_second_half() -> Result<()> {
    same_alone(&BatchModel::load(tiny_model()?)?, 4096, 190 + half()..190 + 2 * half(), 3, 8)
}

#[test]
fn end_greedy_tokens_of_a_batch_are_those_of_mlx_lm() -> Result<()> {
    let file = golden_json("week1/generation.json")?;
    let cases: Vec<(Vec<u32>, Vec<u32>)> = file["cases"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|case| {
            let list = |name: &str| {
                let ids = case[name].as_array().into_iter().flatten();
                ids.filter_map(|id| Some(id.as_u64()? as u32)).collect::<Vec<_>>()
            };
            (list("prompt"), list("tokens"))
        })
        .collect();
    assert!(cases.len() >= 3, "only {} texts in the golden file", cases.len());
    let plan = |(arrival, (prompt, _)): (usize, &(Vec<u32>, Vec<u32>))| {
        let request = request(prompt, 8, &[4095, 4093], Sampling::GREEDY);
        Plan { arrival, cancel: None, request }
    };
    let answers = run(&BatchModel::load(tiny_model()?)?, 2, &cases.iter().enumerate().map(plan).collect::<Vec<_>>())?;
    for ((prompt, expected), (tokens, _)) in cases.iter().zip(answers) {
        assert_same(&format!("after {prompt:?}"), &tokens[..], &expected[..expected.len().min(8)]);
    }
    let golden = golden_tensors("week3/serving.safetensors")?;
    let plans: Vec<Plan> = (0..3)
        .map(|text| {
            let prompt: Vec<u32> = values(&golden[&format!("{text}.ids")])?.iter().map(|&id| id as u32).collect();
            Ok(Plan { arrival: 0, cancel: None, request: request(&prompt, 12, &[], Sampling::GREEDY) })
        })
        .collect::<Result<_>>()?;
    for (text, (tokens, _)) in run(&serving()?, 3, &plans)?.into_iter().enumerate() {
        let expected: Vec<u32> = values(&golden[&format!("{text}.greedy")])?.iter().map(|&id| id as u32).collect();
        assert_same(&format!("text {text} of the random model"), tokens, expected);
    }
    Ok(())
}
