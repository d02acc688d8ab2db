//! Day 3, the paged cache: pages against a plain count, tables by hand, pages against slots bit by bit, shared beginnings,
//! then 10,000 lifetimes and schedules that run out of pages.

use kit::law::SamplerConfig;
use kit::serving::{Arrival, Ask, Counter, Ending, News, ServingSettings};
use kit::testing::{
    Random, Tolerance, array, assert_close, assert_close_within, expect_dtype, expect_error, expect_invalid_argument,
    expect_shape, golden, golden_tensors, tiny_model, values, zeros,
};
use kit::{BatchEvent, BatchSettings, Checkpoint, Request, Result, Sampling, SamplingLaw, StopReason};
use mlx_rs::{Array, Dtype, ops, ops::indexing::IndexOp};
use std::{
    collections::BTreeMap,
    fmt::Debug,
    ops::{ControlFlow, Range},
};
use week3::{
    admission::Refusal,
    batch_cache::{BatchCache, Seen},
    batch_model::{BatchLm, BatchModel, Rows},
    block_table::{BlockTable, StepTable, pages_of},
    page_arrays::gather,
    page_pool::{Ledger, Page, PagePool},
    paged_cache::PagedCache,
    prefix::{longest_common, share},
    scheduler::{Event, Scheduler},
    sequence::{FinishReason, Sequence},
    slot_cache::SlotCache,
};

/// Panics with both sides by name unless they are the same.
#[track_caller]
fn assert_same<G: PartialEq<E> + Debug, E: Debug>(what: &str, got: G, expected: E) {
    assert!(got == expected, "{what}\n  got      {got:?}\n  expected {expected:?}");
}

fn ids(pages: &[Page]) -> Vec<i32> {
    pages.iter().map(Page::id).collect()
}

#[test]
fn task_2_pages_come_lowest_first_and_return_when_the_last_handle_goes() -> Result<()> {
    let pool = PagePool::new(6)?;
    let first = pool.take(3)?;
    assert_same("three of a new pool", ids(&first), [0, 1, 2]);
    assert_same("pages that there are: 4 at first", pool.ledger().handles.len(), 4);
    let more = pool.take(3)?;
    assert_same("three more", ids(&more), [3, 4, 5]);
    assert_same("pages that there are: doubled, and no more than the limit", pool.ledger().handles.len(), 6);
    assert!(expect_error(pool.take(1)).to_string().contains("0 are free"), "a full pool says so");
    let other = first[1].share()?;
    assert_same("handles of page 1", other.handles(), 2);
    drop(first);
    assert_same("live pages: 1, 3, 4, 5", pool.ledger().live(), 4);
    drop(other);
    assert_same("live pages", (pool.ledger().live(), pool.ledger().available()), (3, 3));
    assert_same("the page that came back last is taken first", ids(&pool.take(1)?), [1]);
    drop(more);
    assert_same("all are free", (pool.ledger().live(), pool.ledger().faults), (0, 0));
    Ok(())
}

#[test]
fn task_2_all_or_nothing() -> Result<()> {
    let pool = PagePool::new(5)?;
    let held = pool.take(2)?;
    expect_error(pool.take(4));
    assert_same("live pages after a refused wish", pool.ledger().live(), 2);
    assert_same("three are still there", pool.take(3)?.len(), 3);
    drop(held);
    expect_invalid_argument(PagePool::new(0), "limit");
    Ok(())
}

#[test]
fn task_2_a_page_that_nobody_holds_is_not_given_back() -> Result<()> {
    let mut ledger = Ledger { limit: 4, ..Ledger::default() };
    for page in [0, -1, 9] {
        expect_invalid_argument(ledger.give_back(page), "page");
    }
    let page = ledger.take()?.expect("a page");
    ledger.share(page)?;
    ledger.give_back(page)?;
    assert_same("one handle is left", ledger.live(), 1);
    ledger.give_back(page)?;
    expect_invalid_argument(ledger.give_back(page), "page");
    expect_invalid_argument(ledger.share(page), "page");
    assert_same("free pages, each once", ledger.free.len(), 4);
    Ok(())
}

#[test]
fn task_2_a_ledger_is_a_count_of_handles() -> Result<()> {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let limit = random.int(1..20) as usize;
        let mut ledger = Ledger { limit, ..Ledger::default() };
        let mut plain: BTreeMap<i32, u32> = BTreeMap::new();
        for round in 0..60 {
            let held: Vec<i32> = plain.keys().copied().collect();
            let any = (!held.is_empty()).then(|| held[random.int(0..held.len() as i32) as usize]);
            match (random.int(0..4), any) {
                (0, Some(page)) => {
                    ledger.share(page)?;
                    *plain.entry(page).or_default() += 1;
                }
                (1, Some(page)) => {
                    ledger.give_back(page)?;
                    plain.entry(page).and_modify(|handles| *handles -= 1);
                    plain.retain(|_, handles| *handles > 0);
                }
                _ => match ledger.take()? {
                    Some(page) => assert_same("a page of nobody", plain.insert(page, 1), None),
                    None => assert_same("live pages of a full pool", plain.len(), limit),
                },
            }
            let what = format!("seed {seed}, round {round}");
            assert_same(&format!("{what}: live pages"), ledger.live(), plain.len());
            let counts = plain.iter().all(|(&page, &handles)| ledger.handles[page as usize] == handles);
            assert!(counts, "{what}: handles {:?}, expected {plain:?}", ledger.handles);
            assert_same(&format!("{what}: free pages"), ledger.free.len(), ledger.handles.len() - plain.len());
            assert!(ledger.handles.len() <= limit, "{what}: {} pages, the limit is {limit}", ledger.handles.len());
        }
    }
    Ok(())
}

#[test]
fn task_3_a_rewind_gives_back_the_pages_that_are_empty() -> Result<()> {
    let pool = PagePool::new(9)?;
    let mut table = BlockTable::default();
    table.append(9, pool.take(3)?, 4)?;
    for (tokens, left, pages) in [(0, 9, 3), (1, 8, 2), (3, 5, 2), (1, 4, 1), (4, 0, 0)] {
        table.rewind(tokens, 4)?;
        assert_same(
            &format!("{left} tokens"),
            (table.length, table.pages.len(), pool.ledger().live()),
            (left, pages, pages),
        );
    }
    table.append(5, pool.take(2)?, 4)?;
    for tokens in [-1, 6, i32::MAX, i32::MIN] {
        expect_invalid_argument(table.rewind(tokens, 4), "tokens");
        assert_same("after a refused rewind", (table.length, table.pages.len()), (5, 2));
    }
    expect_invalid_argument(table.append(3, pool.take(1)?, 4), "fresh");
    expect_invalid_argument(table.append(4, Vec::new(), 4), "fresh");
    assert_same("after refused appends", (table.length, pool.ledger().live()), (5, 2));
    table.rewind(5, 4)?;
    assert_same("two pages at once", (table.length, table.pages.len(), pool.ledger().live()), (0, 0, 0));
    Ok(())
}

#[test]
fn task_3_rows_are_padded_to_the_longest() -> Result<()> {
    let handles = [1, 2, 1, 0, 1];
    let table = StepTable::new(vec![vec![4, 1, 0], vec![], vec![1]], &[9, 0, 4], 4, &handles)?;
    let ints = |values: &[i32], shape: &[i32]| Array::from_slice(values, shape);
    assert_close("the table", &table.block_table, &ints(&[4, 1, 0, -1, -1, -1, 1, -1, -1], &[3, 3]))?;
    assert_close("the lengths", &table.context_lens, &ints(&[9, 0, 4], &[3]))?;
    assert_same("the rows", table.rows, vec![vec![4, 1, 0], vec![], vec![1]]);
    Ok(())
}

#[test]
fn task_3_every_malformed_table_is_refused() -> Result<()> {
    let handles = [1, 2, 1, 0];
    let refused = |rows: &[&[i32]], lengths: &[i32], name: &str| {
        let rows = rows.iter().map(|row| row.to_vec()).collect();
        expect_invalid_argument(StepTable::new(rows, lengths, 4, &handles), name);
    };
    refused(&[&[0]], &[4, 4], "context_lens");
    refused(&[&[0], &[1]], &[4], "context_lens");
    refused(&[&[]], &[-1], "context_lens");
    refused(&[&[0]], &[5], "block_table");
    refused(&[&[0, 1]], &[4], "block_table");
    refused(&[&[0]], &[0], "block_table");
    refused(&[&[]], &[1], "block_table");
    refused(&[&[4]], &[1], "block_table");
    refused(&[&[i32::MAX]], &[1], "block_table");
    refused(&[&[-1]], &[1], "block_table");
    refused(&[&[0, -1]], &[8], "block_table");
    refused(&[&[3]], &[1], "block_table");
    refused(&[&[0], &[1, 2, 1]], &[4, 12], "block_table");
    refused(&[&[0, 0]], &[8], "block_table");
    StepTable::new(vec![vec![0, 1], vec![1, 2]], &[8, 7], 4, &handles)?;
    Ok(())
}

/// One pass of one layer: writes the pair, returns what was seen, makes it count.
fn pass(cache: &mut dyn BatchCache, slots: &[usize], keys: &Array, values: &Array) -> Result<Seen> {
    let step = cache.begin(slots, keys.dim(2))?;
    let seen = cache.update(&step, 0, keys, values)?;
    cache.commit(step)?;
    Ok(seen)
}

/// Keys and values of two heads of four features.
fn pair(random: &mut Random, rows: i32, tokens: i32) -> (Array, Array) {
    (random.normal(&[rows, 2, tokens, 4]), random.normal(&[rows, 2, tokens, 4]))
}

fn dense(seen: &Seen) -> (&Array, &Array) {
    seen.dense().expect("keys and values side by side")
}

#[test]
fn task_4_texts_are_gathered_from_their_pages() -> Result<()> {
    // Behind the end of the second text stands what is no number.
    let pages = array(&[0., 1., 2., f32::NAN, 4., 5., 6., 7.], &[4, 1, 2, 1]);
    let got = gather(&pages, &[vec![2, 0, 3], vec![1], vec![]], &[5, 1, 0])?;
    let expected = [[4., 5., 0., 1., 6.], [2., 0., 0., 0., 0.], [0.; 5]].concat();
    assert_close("three texts of 5, 1 and 0 tokens", &got, &array(&expected, &[3, 1, 5, 1]))?;
    let half = gather(&pages.as_dtype(Dtype::Float16)?, &[vec![3, 1]], &[3])?;
    assert_close("f16", &half, &array(&[6., 7., 2.], &[1, 1, 3, 1]).as_dtype(Dtype::Float16)?)
}

/// Appends, rewinds, ends and dropped steps of three slots, shared beginnings if asked for; after each, the texts are those
/// of plain lists.
fn as_slots(seed: u64, sharing: bool) -> Result<()> {
    let mut random = Random::new(seed);
    let page_size = random.int(1..6);
    let mut paged = PagedCache::new(1, 3, page_size, 60)?;
    let mut texts: Vec<Option<Vec<(Array, Array)>>> = vec![None; 3];
    for round in 0..14 {
        let slot = random.int(0..3) as usize;
        match (&mut texts[slot], random.int(0..5)) {
            (text @ None, _) => {
                paged.join(slot)?;
                *text = Some(Vec::new());
                let other = (slot + 1) % 3;
                let length = paged.length(other).unwrap_or(0);
                if sharing && length > 0 {
                    let tokens = random.int(1..length + 1);
                    paged.share(other, slot, tokens)?;
                    let beginning = texts[other].iter().flatten().take(tokens as usize).cloned().collect();
                    texts[slot] = Some(beginning);
                }
            }
            (Some(_), 0) => {
                paged.leave(slot)?;
                texts[slot] = None;
            }
            (Some(text), 1) => {
                let tokens = random.int(0..text.len() as i32 + 1);
                paged.rewind(slot, tokens)?;
                text.truncate(text.len() - tokens as usize);
            }
            _ => {}
        }
        let rows: Vec<usize> = (0..3).rev().filter(|&slot| texts[slot].is_some() && random.int(0..3) > 0).collect();
        if rows.is_empty() {
            continue;
        }
        let tokens = random.int(1..8);
        let (keys, values) = pair(&mut random, rows.len() as i32, tokens);
        let lost = paged.begin(&rows, 3)?;
        let (odd, _) = pair(&mut random, rows.len() as i32, 3);
        paged.update(&lost, 0, &odd, &odd)?;
        drop(lost);
        let seen = pass(&mut paged, &rows, &keys, &values)?;
        for (row, &slot) in (0..).zip(&rows) {
            let token = |x: &Array, l: i32| x.index((row..row + 1, .., l..l + 1, ..));
            let text = texts[slot].as_mut().expect("a text");
            text.extend((0..tokens).map(|l| (token(&keys, l), token(&values, l))));
            let own = (row..row + 1, .., ..text.len() as i32, ..);
            let joined =
                |which: fn(&(Array, Array)) -> &Array| ops::concatenate(&text.iter().map(which).collect::<Vec<_>>(), 2);
            let what = format!("seed {seed}, round {round}, page size {page_size}, slot {slot} of {rows:?}");
            assert_close_within(&what, &dense(&seen).0.index(own.clone()), &joined(|pair| &pair.0)?, Tolerance::EXACT)?;
            assert_close_within(&what, &dense(&seen).1.index(own), &joined(|pair| &pair.1)?, Tolerance::EXACT)?;
        }
        let lengths: Vec<usize> = texts.iter().flatten().map(Vec::len).collect();
        if sharing {
            continue;
        }
        let expected: usize = lengths.iter().map(|&length| pages_of(length as i32, page_size)).sum();
        assert_same(&format!("seed {seed}, round {round}: live pages of {lengths:?}"), paged.report().live, expected);
        let waste = expected * page_size as usize - lengths.iter().sum::<usize>();
        assert_same("places behind the ends", paged.report().empty_places, waste);
    }
    (0..3).filter(|&slot| texts[slot].is_some()).try_for_each(|slot| paged.leave(slot))?;
    assert_same("live pages at the end", (paged.report().live, paged.pool.ledger().faults), (0, 0));
    Ok(())
}

#[test]
fn task_4_pages_hold_what_lists_would() -> Result<()> {
    (0..40).try_for_each(|seed| as_slots(seed, false))
}

#[test]
fn task_4_what_was_seen_stays_and_what_was_left_behind_reaches_nobody() -> Result<()> {
    let mut random = Random::new(3);
    let mut cache = PagedCache::new(1, 2, 4, 8)?;
    cache.join(0)?;
    let broken = Array::full::<f32>(&[1, 2, 7, 4], Array::from_f32(f32::NAN))?;
    pass(&mut cache, &[0], &broken, &broken)?;
    cache.leave(0)?;
    (0..2).try_for_each(|slot| cache.join(slot))?;
    let (keys, values) = pair(&mut random, 1, 5);
    let first = pass(&mut cache, &[0], &keys, &values)?;
    let (more, _) = pair(&mut random, 2, 1);
    let seen = pass(&mut cache, &[0, 1], &more, &more)?;
    assert!(self::values(dense(&seen).0)?.iter().all(|x| x.is_finite()), "keys are finite everywhere");
    cache.rewind(0, 6)?;
    pass(&mut cache, &[0], &pair(&mut random, 1, 8).0, &pair(&mut random, 1, 8).1)?;
    assert_close_within("the first answer, afterwards", dense(&first).0, &keys, Tolerance::EXACT)?;
    assert_close_within("its values", dense(&first).1, &values, Tolerance::EXACT)
}

#[test]
fn task_4_what_does_not_fit_is_refused_and_takes_no_page() -> Result<()> {
    let mut cache = PagedCache::new(2, 2, 4, 3)?;
    cache.join(0)?;
    expect_invalid_argument(cache.begin(&[1], 1), "slot");
    expect_invalid_argument(cache.begin(&[0, 0], 1), "slots");
    expect_invalid_argument(cache.begin(&[0], 0), "tokens");
    assert!(cache.fits(&[(0, 12)]) && !cache.fits(&[(0, 13)]) && !cache.fits(&[(0, 8), (9, 5)]), "twelve places");
    let error = expect_error(cache.begin(&[0], 13)).to_string();
    assert!(error.contains("pages"), "{error}");
    assert_same("live pages after refused steps", cache.report().live, 0);
    let step = cache.begin(&[0], 5)?;
    assert_same("live pages of a step", cache.report().live, 2);
    let (keys, values) = pair(&mut Random::new(2), 1, 5);
    expect_invalid_argument(cache.update(&step, 2, &keys, &values), "layer");
    for shape in [&[1, 2, 4, 4][..], &[2, 2, 5, 4], &[2, 5, 4]] {
        expect_shape(cache.update(&step, 0, &zeros(shape), &zeros(shape)));
    }
    expect_dtype(cache.update(&step, 0, &keys, &values.as_dtype(Dtype::Float16)?));
    drop(step);
    assert_same("after a dropped step", (cache.report().live, cache.length(0)), (0, Some(0)));
    Ok(())
}

#[test]
fn task_4_a_step_counts_once_and_where_it_was_begun() -> Result<()> {
    let mut cache = PagedCache::new(1, 2, 4, 9)?;
    (0..2).try_for_each(|slot| cache.join(slot))?;
    let (first, second) = (cache.begin(&[0, 1], 1)?, cache.begin(&[1, 0], 1)?);
    cache.commit(first)?;
    expect_invalid_argument(cache.commit(second), "step");
    assert_same("lengths and pages", (cache.length(0), cache.length(1), cache.report().live), (Some(1), Some(1), 2));
    let mut slots = SlotCache::new(1, 2, 4)?;
    slots.join(0)?;
    cache.leave(0)?;
    cache.join(0)?;
    expect_invalid_argument(cache.commit(slots.begin(&[0], 1)?), "step");
    let mut wide = SlotCache::new(1, 5, 4)?;
    wide.join(4)?;
    let foreign = wide.begin(&[4], 1)?;
    expect_invalid_argument(cache.update(&foreign, 0, &zeros(&[1, 2, 1, 4]), &zeros(&[1, 2, 1, 4])), "step");
    Ok(())
}

#[test]
fn task_4_a_shared_page_is_copied_before_it_is_written() -> Result<()> {
    let mut random = Random::new(6);
    let mut cache = PagedCache::new(1, 2, 4, 9)?;
    (0..2).try_for_each(|slot| cache.join(slot))?;
    let (keys, values) = pair(&mut random, 1, 6);
    pass(&mut cache, &[0], &keys, &values)?;
    let pages = cache.table(0)?.pages.iter().map(Page::share).collect::<Result<Vec<_>>>()?;
    cache.table(1)?.append(6, pages, 4)?;
    assert_same("live and shared pages", (cache.report().live, cache.report().shared), (2, 2));
    let (more, _) = pair(&mut random, 1, 1);
    let second = pass(&mut cache, &[1], &more, &more)?;
    let expected = ops::concatenate(&[&keys, &more], 2)?;
    assert_close_within("the second text", dense(&second).0, &expected, Tolerance::EXACT)?;
    assert_same("the end is copied, the beginning is not", (cache.report().live, cache.report().shared), (3, 1));
    let (other, _) = pair(&mut random, 1, 1);
    let first = pass(&mut cache, &[0], &other, &other)?;
    assert_close_within("the first text", dense(&first).0, &ops::concatenate(&[&keys, &other], 2)?, Tolerance::EXACT)?;
    assert_same("alone with its end, the first text writes in place", cache.report().live, 3);
    Ok(())
}

/// A random model of two layers: 96 tokens, 256 positions.
fn serving() -> Result<BatchModel> {
    BatchModel::load(&Checkpoint::open(golden("week3/serving"))?)
}

#[test]
fn task_4_the_model_has_the_same_bits_on_pages_and_in_slots() -> Result<()> {
    let (model, golden) = (serving()?, golden_tensors("week3/serving.safetensors")?);
    let mut paged = PagedCache::new(model.layers(), 3, 4, 40)?;
    let mut slots = SlotCache::new(model.layers(), 3, 16)?;
    for slot in 0..3 {
        paged.join(slot)?;
        slots.join(slot)?;
        let text = &golden[&format!("{slot}.ids")];
        let got = model.forward(text, &[slot], &mut paged, Rows::All)?;
        let expected = model.forward(text, &[slot], &mut slots, Rows::All)?;
        assert_close_within(&format!("text {slot}"), &got, &expected, Tolerance::EXACT)?;
    }
    for seed in 0..6 {
        let tokens = Random::new(seed).ids(96, &[3, 1]);
        let got = model.forward(&tokens, &[2, 0, 1], &mut paged, Rows::Last)?;
        let expected = model.forward(&tokens, &[2, 0, 1], &mut slots, Rows::Last)?;
        assert_close_within(&format!("token {seed} of three"), &got, &expected, Tolerance::EXACT)?;
    }
    Ok(())
}

#[test]
fn task_5_the_longest_beginning_wins_and_a_token_is_left_to_read() -> Result<()> {
    let cached = [(4, vec![1, 2, 9]), (0, vec![1, 2, 3, 4, 5]), (2, vec![1, 2, 3, 4, 7]), (1, vec![])];
    for (text, expected) in [
        (&[1, 2, 3, 4, 7, 8][..], Some((2, 5))),
        (&[1, 2, 3, 4, 5], Some((0, 4))),
        (&[1, 2, 3, 9], Some((0, 3))),
        (&[1, 2, 9], Some((4, 2))),
        (&[1, 5], Some((4, 1))),
        (&[1], None),
        (&[], None),
        (&[7, 1, 2], None),
    ] {
        assert_same(&format!("{text:?}"), longest_common(text, &cached)?, expected);
    }
    assert_same("nobody is there", longest_common(&[1, 2], &[])?, None);
    Ok(())
}

#[test]
fn task_5_a_beginning_is_held_twice_and_kept_once() -> Result<()> {
    let mut random = Random::new(4);
    for tokens in [1, 3, 4, 5, 8, 9] {
        let mut cache = PagedCache::new(1, 3, 4, 12)?;
        (0..3).try_for_each(|slot| cache.join(slot))?;
        let (keys, values) = pair(&mut random, 1, 9);
        pass(&mut cache, &[0], &keys, &values)?;
        share(&mut cache, 0, 2, tokens)?;
        let what = format!("{tokens} of 9 tokens");
        assert_same(&what, (cache.length(0), cache.length(2)), (Some(9), Some(tokens)));
        assert_same(
            &format!("{what}: live and shared pages"),
            (cache.report().live, cache.report().shared),
            (3, pages_of(tokens, 4)),
        );
        // All three pages are shared, or the last one of the first text is its own, with three places left.
        assert_same(&format!("{what}: empty places"), cache.report().empty_places, if tokens == 9 { 0 } else { 3 });
        let (more, _) = pair(&mut random, 2, 2);
        let seen = pass(&mut cache, &[0, 2], &more, &more)?;
        let first = ops::concatenate(&[&keys, &more.index(0..1)], 2)?;
        let second = ops::concatenate(&[&keys.index((.., .., ..tokens, ..)), &more.index(1..2)], 2)?;
        assert_close_within(&format!("{what}: the first"), &dense(&seen).0.index(0..1), &first, Tolerance::EXACT)?;
        let own = (1..2, .., ..tokens + 2, ..);
        assert_close_within(&format!("{what}: the second"), &dense(&seen).0.index(own), &second, Tolerance::EXACT)?;
        cache.leave(0)?;
        let (last, _) = pair(&mut random, 1, 1);
        let seen = pass(&mut cache, &[2], &last, &last)?;
        let expected = ops::concatenate(&[&second, &last], 2)?;
        assert_close_within(&format!("{what}: when the first has gone"), dense(&seen).0, &expected, Tolerance::EXACT)?;
        cache.leave(2)?;
        assert_same(&format!("{what}: live pages at the end"), cache.report().live, 0);
    }
    Ok(())
}

#[test]
fn task_5_what_cannot_be_shared_is_refused() -> Result<()> {
    let mut cache = PagedCache::new(1, 3, 4, 12)?;
    (0..2).try_for_each(|slot| cache.join(slot))?;
    let (keys, values) = pair(&mut Random::new(1), 1, 5);
    pass(&mut cache, &[0], &keys, &values)?;
    for tokens in [0, -1, 6] {
        expect_invalid_argument(share(&mut cache, 0, 1, tokens), "tokens");
    }
    expect_invalid_argument(share(&mut cache, 2, 1, 1), "slot");
    expect_invalid_argument(share(&mut cache, 0, 2, 1), "slot");
    expect_invalid_argument(share(&mut cache, 1, 0, 1), "to");
    expect_invalid_argument(share(&mut cache, 0, 0, 1), "to");
    assert_same("nothing has changed", (cache.length(1), cache.report().live, cache.report().shared), (Some(0), 2, 0));
    share(&mut cache, 0, 1, 5)?;
    assert_same("all of it", cache.length(1), Some(5));
    Ok(())
}

fn no_text(_: u32) -> Result<Vec<u8>> {
    Ok(Vec::new())
}

fn request(prompt: &[u32], max_tokens: usize, sampling: Sampling) -> Request {
    Request { prompt: prompt.to_vec(), max_tokens, eos: vec![0], sampling }
}

#[test]
fn task_5_the_youngest_gives_way_and_waits_in_front() -> Result<()> {
    let model = serving()?;
    let mut scheduler = Scheduler::new(&model, Box::new(PagedCache::new(2, 2, 4, 20)?));
    for id in 0..3 {
        let request = request(&[5, 6, 7 + id as u32], 4, Sampling::GREEDY);
        scheduler.submit(Sequence::new(id, request, Vec::new(), &no_text)?);
    }
    scheduler.step()?;
    let tokens = scheduler.running[1].sequence.tokens.clone();
    assert_same("tokens of request 1", tokens.len(), 1);
    scheduler.running[1].sequence.held.push_str("half a stop");
    scheduler.preempt()?;
    assert_same("the text that waits", scheduler.waiting[0].held.as_str(), "half a stop");
    let waiting: Vec<(u64, usize)> =
        scheduler.waiting.iter().map(|sequence| (sequence.id, sequence.unread().len())).collect();
    assert_same("who waits, with how many unread tokens", waiting, [(1, 4), (2, 3)]);
    assert_same("its tokens stay", &scheduler.waiting[0].tokens, &tokens);
    assert_same("who runs", scheduler.running.iter().map(|running| running.sequence.id).collect::<Vec<_>>(), [0]);
    assert_same("its slot is free", scheduler.cache.length(1), None);
    scheduler.preempt()?;
    scheduler.preempt()?;
    let waiting: Vec<u64> = scheduler.waiting.iter().map(|sequence| sequence.id).collect();
    assert_same("who waits when nobody runs", waiting, [0, 1, 2]);
    Ok(())
}

#[test]
fn task_5_the_youngest_is_the_last_to_come_whatever_its_slot() -> Result<()> {
    let model = serving()?;
    let mut scheduler = Scheduler::new(&model, Box::new(PagedCache::new(2, 3, 4, 40)?));
    for (id, most) in [(0, 1), (1, 9), (2, 9), (3, 9)] {
        let request = request(&[5, 6, 7 + id as u32], most, Sampling::GREEDY);
        scheduler.submit(Sequence::new(id, request, Vec::new(), &no_text)?);
    }
    scheduler.step()?;
    scheduler.step()?;
    let running = |scheduler: &Scheduler<'_, BatchModel>| -> Vec<(u64, usize)> {
        scheduler.running.iter().map(|running| (running.sequence.id, running.slot)).collect()
    };
    assert_same(
        "requests and slots: the first has gone, the last has its slot",
        running(&scheduler),
        [(1, 1), (2, 2), (3, 0)],
    );
    scheduler.preempt()?;
    assert_same("who stays", running(&scheduler), [(1, 1), (2, 2)]);
    assert_same("who waits", scheduler.waiting[0].id, 3);
    Ok(())
}

#[test]
fn task_5_shared_pages_hold_what_lists_would() -> Result<()> {
    (100..130).try_for_each(|seed| as_slots(seed, true))
}

#[test]
fn end_ten_thousand_lifetimes_leave_no_page_behind() -> Result<()> {
    let mut random = Random::new(12);
    let mut cache = PagedCache::new(1, 8, 4, 40)?;
    let (mut lifetimes, mut refused, mut shared) = (0, 0, 0);
    while lifetimes < 10_000 {
        let slot = random.int(0..8) as usize;
        let Some(length) = cache.length(slot) else {
            cache.join(slot)?;
            let other = random.int(0..8) as usize;
            if other != slot && cache.length(other).is_some_and(|length| length > 0) && random.int(0..2) == 0 {
                let tokens = random.int(1..cache.length(other).expect("a text") + 1);
                cache.share(other, slot, tokens)?;
                shared += 1;
            }
            continue;
        };
        match random.int(0..8) {
            0..=3 => match cache.begin(&[slot], random.int(1..20)) {
                Ok(step) if random.int(0..4) > 0 => cache.commit(step)?,
                Ok(dropped) => drop(dropped),
                Err(_) => refused += 1,
            },
            4 => cache.rewind(slot, random.int(0..length + 1))?,
            _ => {
                cache.leave(slot)?;
                lifetimes += 1;
            }
        }
    }
    assert!(refused > 100 && shared > 1000, "{refused} steps found no page, {shared} texts began as another");
    (0..8)
        .filter(|&slot| cache.length(slot).is_some())
        .collect::<Vec<_>>()
        .into_iter()
        .try_for_each(|slot| cache.leave(slot))?;
    let report = cache.report();
    assert_same("live pages", (report.live, report.shared, report.empty_places, report.holes), (0, 0, 0, 0));
    assert_same("handles dropped without a page", cache.pool.ledger().faults, 0);
    assert_same("free pages", cache.pool.ledger().free.len(), 40);
    Ok(())
}

/// A request with its stop strings; it may be cancelled after a number of tokens.
#[derive(Debug)]
struct Asked {
    request: Request,
    stop: Vec<String>,
    cancel_after: Option<usize>,
}

/// Some ids have a letter, so that texts and stop strings of a few letters come about.
fn letters(id: u32) -> Result<Vec<u8>> {
    Ok(vec![b"abc"[(id % 3) as usize]])
}

/// Tokens, text and end of each request; how often one gave way.
struct Outcome {
    answers: BTreeMap<u64, (Vec<u32>, String, Option<FinishReason>)>,
    gave_way: usize,
}

/// Runs requests that come one a step; the oldest running one must come nearer to its end in every step.
fn run<'a, M: BatchLm>(
    model: &'a M,
    cache: Box<dyn BatchCache + 'a>,
    budget: Option<usize>,
    requests: &[Asked],
) -> Result<Outcome> {
    let mut scheduler = Scheduler::new(model, cache);
    scheduler.step_tokens = budget;
    let mut outcome = Outcome { answers: BTreeMap::new(), gave_way: 0 };
    let mut had_slot: Vec<u64> = Vec::new();
    for time in 0.. {
        if let Some(Asked { request, stop, .. }) = requests.get(time) {
            let sequence = Sequence::new(time as u64, request.clone(), stop.clone(), &letters)?;
            assert_same("a request that fits alone", scheduler.offer(sequence, 99)?, None);
        }
        if scheduler.is_idle() && time >= requests.len() {
            break;
        }
        assert!(time < 3000, "the schedule does not end");
        let progress = |scheduler: &Scheduler<'_, M>| {
            let oldest = scheduler.running.first().map(|running| &running.sequence);
            oldest.map(|oldest| (oldest.id, oldest.read + oldest.tokens.len()))
        };
        let before = progress(&scheduler);
        let mut cancelled = Vec::new();
        for event in scheduler.step()? {
            match event {
                Event::Token { id, token, text } => {
                    let (tokens, told, _) = outcome.answers.entry(id).or_default();
                    tokens.push(token);
                    told.push_str(&text);
                    // After so many tokens, wherever the schedule is then.
                    if requests[id as usize].cancel_after == Some(tokens.len()) {
                        cancelled.push(id);
                    }
                }
                Event::Finished { id, reason } => outcome.answers.entry(id).or_default().2 = Some(reason),
            }
        }
        for id in cancelled {
            scheduler.cancel(id);
        }
        if let Some((id, old)) =
            before.filter(|(id, _)| outcome.answers.get(id).is_none_or(|answer| answer.2.is_none()))
        {
            let nearer = progress(&scheduler).is_some_and(|(same, new)| same == id && new > old);
            assert!(nearer, "step {time}: the oldest, {id}, has not come nearer to its end");
        }
        let waiting = scheduler.waiting.iter().map(|sequence| sequence.id);
        let queue: Vec<u64> = scheduler.running.iter().map(|running| running.sequence.id).chain(waiting).collect();
        assert!(queue.is_sorted(), "step {time}: {queue:?} have not the order in which they came");
        let running: Vec<u64> = scheduler.running.iter().map(|running| running.sequence.id).collect();
        outcome.gave_way += scheduler.waiting.iter().filter(|sequence| had_slot.contains(&sequence.id)).count();
        had_slot = running;
    }
    Ok(outcome)
}

/// Tight pools, shared beginnings and budgets give the tokens that slots give; requests do give way.
fn same_on_pages<M: BatchLm>(model: &M, vocabulary: i32, seeds: Range<u64>) -> Result<()> {
    let mut gave_way = 0;
    let config = SamplerConfig::builder().temperature(0.9).top_k(0).presence_penalty(1.0).frequency_penalty(0.8);
    let penalised = config.build()?;
    for seed in seeds {
        let mut random = Random::new(seed);
        let beginning: Vec<u32> = (0..random.int(1..12)).map(|_| random.int(0..vocabulary) as u32).collect();
        let requests: Vec<Asked> = (0..4)
            .map(|number| {
                let mut prompt = beginning[..random.int(0..beginning.len() as i32 + 1) as usize].to_vec();
                prompt.extend((0..random.int(1..8)).map(|_| random.int(0..vocabulary) as u32));
                let law = SamplingLaw::FilterFirst { temperature: 1.0, top_k: Some(20), top_p: None };
                let sampling = match number {
                    0 | 2 => Sampling::GREEDY,
                    1 => Sampling { law, seed },
                    _ => Sampling { law: SamplingLaw::TemperFirst(penalised), seed },
                };
                let stop =
                    (0..random.int(0..3)).map(|_| ["abca", "bb", "caab", "acbc"][random.int(0..4) as usize].into());
                let stop = stop.collect();
                let request = request(&prompt, random.int(1..14) as usize, sampling);
                Asked { request, stop, cancel_after: (random.int(0..4) == 0).then(|| random.int(1..8) as usize) }
            })
            .collect();
        let page_size = random.int(1..6);
        let longest =
            requests.iter().map(|Asked { request, .. }| (request.prompt.len() + request.max_tokens) as i32).max();
        let limit = pages_of(longest.unwrap_or(1), page_size) + random.int(1..6) as usize;
        let budget = (random.int(0..2) == 0).then(|| random.int(1..9) as usize);
        let paged = PagedCache::new(model.layers(), 3, page_size, limit)?;
        let got = run(model, Box::new(paged), budget, &requests)?;
        let expected = run(model, Box::new(SlotCache::new(model.layers(), 4, 16)?), None, &requests)?;
        let what = format!("seed {seed}: {limit} pages of {page_size}, budget {budget:?}, {requests:?}");
        assert_same(&what, got.answers, expected.answers);
        gave_way += got.gave_way;
    }
    assert!(gave_way > 0, "in these schedules nobody ever gave way");
    Ok(())
}

#[test]
fn end_tokens_are_the_same_when_pages_run_out() -> Result<()> {
    same_on_pages(&serving()?, 96, 0..26)
}

#[test]
fn end_the_embedded_model_has_the_same_tokens_on_pages() -> Result<()> {
    same_on_pages(&BatchModel::load(tiny_model()?)?, 4096, 100..104)
}

#[test]
fn end_what_could_never_fit_is_refused_at_the_door() -> Result<()> {
    let model = serving()?;
    let mut scheduler = Scheduler::new(&model, Box::new(PagedCache::new(2, 2, 4, 3)?));
    let offered = |scheduler: &mut Scheduler<'_, BatchModel>, prompt: usize, most: usize| {
        let request = request(&vec![3; prompt], most, Sampling::GREEDY);
        scheduler.offer(Sequence::new(7, request, Vec::new(), &no_text)?, 9)
    };
    let expected = Refusal::TooLong { prompt: 9, max_tokens: 4, positions: 12 };
    assert_same("13 tokens for 3 pages of 4", offered(&mut scheduler, 9, 4)?, Some(expected));
    assert_same("12 tokens", offered(&mut scheduler, 8, 4)?, None);
    while !scheduler.is_idle() {
        scheduler.step()?;
    }
    Ok(())
}

#[test]
fn end_a_common_beginning_takes_its_pages_once() -> Result<()> {
    let model = serving()?;
    let mut scheduler = Scheduler::new(&model, Box::new(PagedCache::new(2, 4, 4, 40)?));
    let beginning: Vec<u32> = (1..33).collect();
    for id in 0..4 {
        let request = request(&[&beginning[..], &[40 + id as u32, 50]].concat(), 2, Sampling::GREEDY);
        scheduler.submit(Sequence::new(id, request, Vec::new(), &no_text)?);
    }
    scheduler.step()?;
    // Four times 34 tokens are 36 pages of 4; the beginning of 32 fills 8, and each text has one of its own.
    assert_same(
        "bytes of 16 pages: 2 layers, keys and values, 2 heads of 32 features",
        scheduler.cache.held_bytes(),
        16 * 4 * 2 * 2 * 2 * 32 * 4,
    );
    let read: Vec<Option<i32>> = (0..4).map(|slot| scheduler.cache.length(slot)).collect();
    assert_same("lengths", read, vec![Some(34); 4]);
    Ok(())
}

/// Arrivals in their order, one list before each step, and what was told.
#[derive(Default)]
struct Script {
    arrivals: Vec<Vec<Arrival>>,
    told: Vec<News>,
    most_live: usize,
}

impl Counter for Script {
    fn arrivals(&mut self, idle: bool) -> Option<Vec<Arrival>> {
        match self.arrivals.is_empty() {
            true if idle => None,
            true => Some(Vec::new()),
            false => Some(self.arrivals.remove(0)),
        }
    }

    fn tell(&mut self, news: News) {
        if let News::Step(load) = &news {
            self.most_live = self.most_live.max(load.live_pages);
        }
        self.told.push(news);
    }
}

impl Script {
    fn tokens(&self, wanted: u64) -> Vec<u32> {
        let token = |news: &News| match news {
            News::Token { id, token, .. } if *id == wanted => Some(*token),
            _ => None,
        };
        self.told.iter().filter_map(token).collect()
    }

    fn end(&self, wanted: u64) -> Option<Ending> {
        let end = |news: &News| match news {
            News::Finished { id, ending } if *id == wanted => Some(ending.clone()),
            _ => None,
        };
        self.told.iter().find_map(end)
    }
}

#[test]
fn end_the_engine_serves_whoever_comes_between_two_steps() -> Result<()> {
    let (checkpoint, mut script) = (tiny_model()?, Script::default());
    let (engine, tokenizer) = (week3::load(checkpoint, Some("gathered-pages"))?, checkpoint.tokenizer()?);
    let prompt = tokenizer.encode("The KV cache")?;
    let alone = engine.generate(&request(&prompt, 8, Sampling::GREEDY), &mut |_| ControlFlow::Continue(()))?.tokens;
    let ask = |id, max_tokens, logprobs| Ask {
        id,
        request: request(&prompt, max_tokens, Sampling::GREEDY),
        stop: Vec::new(),
        logprobs,
    };
    script.arrivals = vec![
        vec![Arrival::Asks(vec![ask(1, 40, None)])],
        vec![],
        // Two slots and nobody may wait: one more is let in, two together are not.
        vec![Arrival::Asks(vec![ask(2, 8, None), ask(3, 8, None)]), Arrival::Asks(vec![ask(4, 8, Some(2))])],
        vec![Arrival::Cancel(99)],
        vec![Arrival::Cancel(1)],
        vec![Arrival::Asks(vec![ask(5, 0, None)]), Arrival::Asks(vec![ask(6, 5000, None)])],
    ];
    let settings = ServingSettings { slots: 2, step_tokens: 8, pages: 40, queue: 0 };
    engine.serve(settings, &|id| tokenizer.bytes_of(id), &mut script)?;

    let refusal = |wanted: u64| {
        let refusal = |news: &News| match news {
            News::Refused { id, reason, temporary } if *id == wanted => Some((reason.clone(), *temporary)),
            _ => None,
        };
        script.told.iter().find_map(refusal)
    };
    assert_same("accepted", script.told.iter().filter(|news| matches!(news, News::Accepted { .. })).count(), 2);
    for id in [2, 3] {
        let (reason, temporary) = refusal(id).unwrap_or_default();
        assert!(temporary && reason.contains("are waiting"), "{id}: {reason:?}");
    }
    for (id, piece) in [(5, "max_tokens is 0"), (6, "5000 are asked for")] {
        let (reason, temporary) = refusal(id).unwrap_or((String::new(), true));
        assert!(!temporary && reason.contains(piece), "{id}: {reason:?}");
    }
    assert_same("beside another", script.tokens(4), alone.clone());
    assert_same("its end", script.end(4), Some(Ending::Stopped(StopReason::MaxTokens)));
    assert_same("cancelled", script.end(1), Some(Ending::Stopped(StopReason::Cancelled)));
    let first = script.tokens(1);
    assert!(!first.is_empty() && first.len() < 8 && alone.starts_with(&first), "{first:?} of {alone:?}");
    for news in &script.told {
        if let News::Token { id: 4, token, logprobs: Some(logprobs), .. } = news {
            let [(best, most), (_, second)] = logprobs.top[..] else { panic!("{logprobs:?}") };
            assert!(best == *token && most == logprobs.drawn && second <= most && most < 0.0, "{logprobs:?}");
        }
    }
    let has_logprobs = |news: &&News| matches!(news, News::Token { logprobs: Some(_), .. });
    assert_same("tokens with log probabilities", script.told.iter().filter(has_logprobs).count(), 8);
    assert!(script.most_live > 0, "pages are counted");
    let last = script.told.iter().rev().find_map(|news| if let News::Step(load) = news { Some(*load) } else { None });
    assert_same("pages at the end", last.map(|load| (load.running, load.waiting, load.live_pages)), Some((0, 0, 0)));
    Ok(())
}

#[test]
fn end_the_engine_answers_a_list_of_requests_on_pages_as_in_slots() -> Result<()> {
    let (checkpoint, mut answers) = (tiny_model()?, Vec::new());
    let (engine, tokenizer) = (week3::load(checkpoint, Some("gathered-pages"))?, checkpoint.tokenizer()?);
    let prompts = ["She was very", "The KV cache", "fn main() {"];
    let requests: Vec<Request> =
        prompts.iter().map(|text| Ok(request(&tokenizer.encode(text)?, 6, Sampling::GREEDY))).collect::<Result<_>>()?;
    for (step_tokens, pages) in [(None, None), (Some(2), None), (None, Some(3)), (Some(3), Some(2))] {
        let (mut texts, mut most) = (vec![(String::new(), Vec::new()); prompts.len()], 0);
        let settings = BatchSettings { slots: 2, step_tokens, pages, stop: &[] };
        engine.batch(&requests, settings, &|id| tokenizer.bytes_of(id), &mut |event| {
            match event {
                BatchEvent::Token { request, text } => texts[request].0.push_str(&text),
                BatchEvent::Finished { request, reason } => texts[request].1.push(reason),
                BatchEvent::Step { running, pages: report, .. } => {
                    assert!(running <= 2, "{running} run in two slots");
                    let report = report.expect("texts are in pages");
                    let limit = pages.unwrap_or(report.pages);
                    assert!(report.live <= report.pages && report.pages <= limit, "{report:?}, at most {limit} pages");
                    most = most.max(report.live);
                }
            }
            ControlFlow::Continue(())
        })?;
        assert!(texts.iter().all(|(text, ends)| !text.is_empty() && ends.len() == 1), "{texts:?}");
        assert!(most >= 2, "two texts of two slots hold at least two pages, not {most}");
        answers.push(texts);
    }
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:?}");
    // A stop string is what the second text has behind its first two characters.
    let first = answers[0][1].0.clone();
    let stop = [first.chars().skip(2).take(3).collect::<String>()];
    let mut ended = (String::new(), Vec::new());
    let settings = BatchSettings { slots: 2, step_tokens: None, pages: None, stop: &stop };
    engine.batch(&requests[1..2], settings, &|id| tokenizer.bytes_of(id), &mut |event| {
        match event {
            BatchEvent::Token { text, .. } => ended.0.push_str(&text),
            BatchEvent::Finished { reason, .. } => ended.1.push(reason),
            BatchEvent::Step { .. } => {}
        }
        ControlFlow::Continue(())
    })?;
    let before = first.split(&stop[0]).next().unwrap_or_default().to_string();
    assert_same("a text up to its stop string", ended, (before, vec![format!("stop string {:?}", stop[0])]));
    let mut events = 0;
    let settings = BatchSettings { slots: 2, step_tokens: None, pages: None, stop: &[] };
    engine.batch(&requests, settings, &|id| tokenizer.bytes_of(id), &mut |_| {
        events += 1;
        ControlFlow::Break(())
    })?;
    assert_same("events of a batch that is broken off at once", events, 1);
    Ok(())
}
