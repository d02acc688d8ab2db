//! Day 4, paged attention: what a step hands over, rows against gathered pages, bits alone and among others, then tokens
//! of whole schedules.

use extensions::week2::{Mask, decode_attention};
use extensions::week3::{PagedPath, paged_attention_by, paged_cache_update};
use kit::testing::{
    Random, Tolerance, assert_close, assert_close_within, expect_invalid_argument, golden, golden_tensors, tiny_model,
    zeros,
};
use kit::{BatchEvent, BatchSettings, Checkpoint, Request, Result, Sampling, SamplingLaw};
use mlx_rs::{Array, ops, ops::indexing::IndexOp};
use std::{collections::BTreeMap, fmt::Debug, ops::ControlFlow, ops::Range};
use week3::{
    batch_attention::attend,
    batch_cache::{BatchCache, Seen},
    batch_model::{BatchLm, BatchModel, Rows},
    block_table::pages_of,
    page_arrays::gather,
    paged_attention::{Reading, attend_by_rows, attend_pages},
    paged_cache::PagedCache,
    scheduler::{Event, Scheduler},
    sequence::Sequence,
    tiles::KERNEL,
};

/// Panics with both sides by name unless they are the same.
#[track_caller]
fn assert_same<G: PartialEq<E> + Debug, E: Debug>(what: &str, got: G, expected: E) {
    assert!(got == expected, "{what}\n  got      {got:?}\n  expected {expected:?}");
}

/// A cache whose pages are read in this way, with a text in every slot.
fn cache_of(reading: Reading, layers: usize, slots: usize, page_size: i32) -> Result<PagedCache> {
    let mut cache = PagedCache::new(layers, slots, page_size, 200)?;
    cache.reading = reading;
    (0..slots).try_for_each(|slot| cache.join(slot))?;
    Ok(cache)
}

#[test]
fn task_3_a_step_hands_over_its_layers_pages_and_the_lengths_with_the_new_tokens() -> Result<()> {
    let mut random = Random::new(1);
    let mut cache = cache_of(Reading::InTiles, 2, 2, 4)?;
    let mut texts: Vec<[Array; 2]> = (0..2).map(|_| [0; 2].map(|_| zeros(&[2, 2, 0, 8]))).collect();
    for (tokens, length) in [(3, 3), (2, 5), (4, 9)] {
        let step = cache.begin(&[1, 0], tokens)?;
        for (layer, text) in texts.iter_mut().enumerate() {
            let new = [0; 2].map(|_| random.normal(&[2, 2, tokens, 8]));
            let seen = cache.update(&step, layer, &new[0], &new[1])?;
            for (old, new) in text.iter_mut().zip(&new) {
                *old = ops::concatenate(&[&*old, new], 2)?;
            }
            let Seen::Pages { keys, values, table, lens } = seen else { panic!("{seen:?} are no pages") };
            assert_same("lengths with the new tokens", lens.as_slice::<i32>(), [length; 2]);
            assert_same("a row of the table for each text", table.shape(), [2, pages_of(length, 4) as i32]);
            let ids = table.as_slice::<i32>();
            let rows: Vec<Vec<i32>> = ids.chunks(table.dim(1) as usize).map(<[i32]>::to_vec).collect();
            for (what, pages, expected) in [("keys", keys, &text[0]), ("values", values, &text[1])] {
                let got = gather(&pages, &rows, &[length; 2])?;
                assert_close_within(&format!("{what} of layer {layer}"), &got, expected, Tolerance::EXACT)?;
            }
        }
        cache.commit(step)?;
    }
    Ok(())
}

#[test]
fn task_3_queries_see_their_own_text_up_to_themselves() -> Result<()> {
    let mut random = Random::new(2);
    // Text 0 lies on pages 3 and 1, text 1 on page 0; behind the ends nothing is a number.
    let mut pages = || random.normal(&[4, 2, 4, 16]);
    let (keys, values) = (pages(), pages());
    let broken = Array::full::<f32>(&[4, 2, 4, 16], Array::from_f32(f32::NAN))?;
    let slots = ops::arange::<_, i32>(0, 16, 1)?.reshape(&[4, 1, 4, 1])?;
    let used = Array::from_slice(&[0, 1, 2, 4, 5, 6, 12, 13, 14, 15], &[10]);
    let own = slots.expand_dims(-1)?.eq(&used)?.any_axis(-1, false)?;
    let (keys, values) = (ops::select(&own, &keys, &broken)?, ops::select(&own, &values, &broken)?);
    let table = Array::from_slice(&[3, 1, 0, -1], &[2, 2]);
    let lens = Array::from_slice(&[7, 3], &[2]);
    let query = random.normal(&[2, 4, 3, 16]);
    let got = attend_pages(&query, [&keys, &values], &table, &lens)?;
    for (row, ids, length) in [(0, vec![3, 1], 7), (1, vec![0], 3)] {
        let side_by_side = |pages: &Array| gather(pages, std::slice::from_ref(&ids), &[length]);
        let alone = query.index(row..row + 1);
        let expected = decode_attention(&alone, &side_by_side(&keys)?, &side_by_side(&values)?, Mask::Causal, 0.25)?;
        assert_close(&format!("text {row}"), &got.index(row..row + 1), &expected)?;
    }
    let few = Array::from_slice(&[7, 2], &[2]);
    expect_invalid_argument(attend_pages(&query, [&keys, &values], &table, &few), "context_lens");
    Ok(())
}

/// Texts that grow, end, share and go back: attention in place against attention over what was gathered.
fn as_gathered(seed: u64) -> Result<()> {
    let mut random = Random::new(seed);
    let page_size = random.int(1..20);
    let mut caches = [cache_of(Reading::Gathered, 1, 3, page_size)?, cache_of(Reading::ByRows, 1, 3, page_size)?];
    for round in 0..8 {
        let (slot, other) = (random.int(0..3) as usize, random.int(0..3) as usize);
        let (length, kept) = (caches[0].length(slot).unwrap_or(0), caches[0].length(other).unwrap_or(0));
        match random.int(0..4) {
            0 => {
                let tokens = random.int(0..length + 1);
                caches.iter_mut().try_for_each(|cache| cache.rewind(slot, tokens))?;
            }
            1 if slot != other && kept > 0 => {
                for cache in &mut caches {
                    cache.leave(slot)?;
                    cache.join(slot)?;
                    cache.share(other, slot, kept)?;
                }
            }
            _ => {}
        }
        let rows: Vec<usize> = [2, 0, 1].into_iter().filter(|_| random.int(0..4) > 0).collect();
        if rows.is_empty() {
            continue;
        }
        let (count, tokens) = (rows.len() as i32, [1, 1, 2, 9, 30][random.int(0..5) as usize]);
        let [keys, values] = [0; 2].map(|_| random.normal(&[count, 2, tokens, 16]));
        let query = random.normal(&[count, 6, tokens, 16]);
        let [gathered, in_place] = &mut caches;
        let answer = |cache: &mut PagedCache| -> Result<Array> {
            let step = cache.begin(&rows, tokens)?;
            let seen = cache.update(&step, 0, &keys, &values)?;
            assert_same("side by side", seen.dense().is_some(), cache.reading == Reading::Gathered);
            let answer = attend(&query, &seen, &step)?;
            answer.eval()?;
            cache.commit(step)?;
            Ok(answer)
        };
        let (expected, got) = (answer(gathered)?, answer(in_place)?);
        let what = format!("seed {seed}, round {round}, pages of {page_size}, {tokens} tokens of {rows:?}");
        assert_close(&what, &got, &expected)?;
    }
    Ok(())
}

#[test]
fn task_3_many_queries_are_read_a_few_at_a_time() -> Result<()> {
    // Day 5's kernel is not needed before Day 5, and pieces see what the whole would.
    let mut random = Random::new(6);
    let (keys, values) = (random.normal(&[6, 2, 8, 16]), random.normal(&[6, 2, 8, 16]));
    let table = Array::from_slice(&[4, 0, 2, 1, 3, 5], &[2, 3]);
    let lens = Array::from_slice(&[23, 19], &[2]);
    let query = random.normal(&[2, 4, 19, 16]);
    let got = attend_by_rows(&query, [&keys, &values], &table, &lens)?;
    let want = paged_attention_by(PagedPath::Decode, &query, &keys, &values, &table, &lens, 0.25, true)?;
    assert_close_within("19 queries, at most 8 at a time", &got, &want, Tolerance::EXACT)
}

#[test]
fn task_3_in_place_answers_as_gathered() -> Result<()> {
    (0..30).try_for_each(as_gathered)
}

/// A random model of two layers: 96 tokens, 256 positions.
fn serving() -> Result<BatchModel> {
    BatchModel::load(&Checkpoint::open(golden("week3/serving"))?)
}

#[test]
fn task_3_the_model_has_the_same_bits_alone_and_among_others_in_pieces_and_whole() -> Result<()> {
    let (model, golden) = (serving()?, golden_tensors("week3/serving.safetensors")?);
    let mut together = cache_of(Reading::ByRows, model.layers(), 3, 4)?;
    let mut alone =
        [0; 3].map(|_| cache_of(Reading::ByRows, model.layers(), 1, 16)).into_iter().collect::<Result<Vec<_>>>()?;
    let mut gathered = cache_of(Reading::Gathered, model.layers(), 3, 4)?;
    for slot in 0..3 {
        let text = &golden[&format!("{slot}.ids")];
        let whole = model.forward(text, &[slot], &mut together, Rows::All)?;
        let cut = text.dim(1) / 3;
        let mut pieces = Vec::new();
        for part in [0..cut, cut..text.dim(1)] {
            if !part.is_empty() {
                let piece = text.index((.., part));
                pieces.push(model.forward(&piece, &[0], &mut alone[slot], Rows::All)?);
            }
        }
        let pieces = ops::concatenate(&pieces, 1)?;
        assert_close_within(&format!("text {slot}, cut at {cut}"), &pieces, &whole, Tolerance::EXACT)?;
        let expected = model.forward(text, &[slot], &mut gathered, Rows::All)?;
        assert_close_within(&format!("text {slot}, gathered"), &whole, &expected, LOGITS)?;
    }
    for seed in 0..6 {
        let tokens = Random::new(seed).ids(96, &[3, 1]);
        let slots = [2, 0, 1];
        let got = model.forward(&tokens, &slots, &mut together, Rows::Last)?;
        let expected = model.forward(&tokens, &slots, &mut gathered, Rows::Last)?;
        assert_close_within(&format!("token {seed} of three, gathered"), &got, &expected, LOGITS)?;
        for (row, slot) in (0..).zip(slots) {
            let own = (row..row + 1, ..);
            let expected = model.forward(&tokens.index(own.clone()), &[0], &mut alone[slot], Rows::Last)?;
            let what = format!("token {seed} of text {slot}");
            assert_close_within(&what, &got.index(row..row + 1), &expected, Tolerance::EXACT)?;
        }
    }
    Ok(())
}

/// Of logits of some 10, through layers that add in another order.
const LOGITS: Tolerance = Tolerance { abs: 2e-4, rel: 1e-5 };

fn request(prompt: &[u32], max_tokens: usize, sampling: Sampling) -> Request {
    Request { prompt: prompt.to_vec(), max_tokens, eos: vec![0], sampling }
}

/// The tokens of requests that come one a step.
fn tokens_of<M: BatchLm>(
    model: &M,
    cache: PagedCache,
    budget: Option<usize>,
    requests: &[Request],
) -> Result<BTreeMap<u64, Vec<u32>>> {
    let no_text = |_| Ok(Vec::new());
    let mut scheduler = Scheduler::new(model, Box::new(cache));
    scheduler.step_tokens = budget;
    let mut tokens: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
    let mut waiting = requests.iter().zip(0..);
    loop {
        match waiting.next() {
            Some((request, id)) => scheduler.submit(Sequence::new(id, request.clone(), Vec::new(), &no_text)?),
            None if scheduler.is_idle() => return Ok(tokens),
            None => {}
        }
        for event in scheduler.step()? {
            if let Event::Token { id, token, .. } = event {
                tokens.entry(id).or_default().push(token);
            }
        }
    }
}

/// Schedules with tight pools, shared beginnings and budgets: the tokens of a request are those that it has alone.
fn same_alone_and_in_a_batch<M: BatchLm>(model: &M, vocabulary: i32, seeds: Range<u64>) -> Result<()> {
    let empty = |slots, page_size, limit| -> Result<PagedCache> {
        let mut cache = PagedCache::new(model.layers(), slots, page_size, limit)?;
        cache.reading = Reading::ByRows;
        Ok(cache)
    };
    for seed in seeds {
        let mut random = Random::new(seed);
        let beginning: Vec<u32> = (0..random.int(1..12)).map(|_| random.int(0..vocabulary) as u32).collect();
        let requests: Vec<Request> = (0..4)
            .map(|number| {
                let mut prompt = beginning[..random.int(0..beginning.len() as i32 + 1) as usize].to_vec();
                prompt.extend((0..random.int(1..12)).map(|_| random.int(0..vocabulary) as u32));
                let law = SamplingLaw::FilterFirst { temperature: 1.0, top_k: Some(20), top_p: None };
                let sampling = if number % 2 == 0 { Sampling::GREEDY } else { Sampling { law, seed } };
                request(&prompt, random.int(1..14) as usize, sampling)
            })
            .collect();
        let page_size = random.int(1..20);
        let longest = requests.iter().map(|request| (request.prompt.len() + request.max_tokens) as i32).max();
        let limit = pages_of(longest.unwrap_or(1), page_size) + random.int(1..6) as usize;
        let budget = (random.int(0..2) == 0).then(|| random.int(1..9) as usize);
        let got = tokens_of(model, empty(3, page_size, limit)?, budget, &requests)?;
        for (request, id) in requests.iter().zip(0..) {
            let alone = tokens_of(model, empty(1, 16, 40)?, None, std::slice::from_ref(request))?;
            let what =
                format!("seed {seed}, request {id}: {limit} pages of {page_size}, budget {budget:?}, {requests:?}");
            assert_same(&what, got.get(&id), alone.get(&0));
        }
    }
    Ok(())
}

#[test]
fn end_tokens_are_the_same_alone_and_in_a_batch() -> Result<()> {
    same_alone_and_in_a_batch(&serving()?, 96, 0..10)
}

#[test]
fn end_tokens_are_the_same_in_ten_more_schedules() -> Result<()> {
    same_alone_and_in_a_batch(&serving()?, 96, 10..20)
}

#[test]
fn end_tokens_of_the_embedded_model_are_the_same_alone_and_in_a_batch() -> Result<()> {
    same_alone_and_in_a_batch(&BatchModel::load(tiny_model()?)?, 4096, 100..102)
}

#[test]
fn end_the_engine_answers_as_on_gathered_pages_and_in_slots() -> Result<()> {
    let checkpoint = tiny_model()?;
    let tokenizer = checkpoint.tokenizer()?;
    let prompts = ["She was very", "The KV cache", "fn main() {"];
    let requests: Vec<Request> =
        prompts.iter().map(|text| Ok(request(&tokenizer.encode(text)?, 6, Sampling::GREEDY))).collect::<Result<_>>()?;
    let mut answers = Vec::new();
    for (stage, pages) in [("slots", None), ("gathered-pages", Some(3)), ("paged-attention", Some(3))] {
        let engine = week3::load(checkpoint, Some(stage))?;
        let mut texts = vec![String::new(); prompts.len()];
        let settings = BatchSettings { slots: 2, step_tokens: Some(4), pages, stop: &[] };
        engine.batch(&requests, settings, &|id| tokenizer.bytes_of(id), &mut |event| {
            if let BatchEvent::Token { request, text } = event {
                texts[request].push_str(&text);
            }
            ControlFlow::Continue(())
        })?;
        let alone = requests
            .iter()
            .map(|request| engine.generate(request, &mut |_| ControlFlow::Continue(())))
            .collect::<Result<Vec<_>>>()?;
        answers.push((texts, alone));
    }
    assert!(answers[0].0.iter().all(|text| !text.is_empty()), "{answers:?}");
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:?}");
    Ok(())
}

#[test]
fn end_stages_are_chosen_by_name() -> Result<()> {
    let checkpoint = Checkpoint::open(golden("week3/serving"))?;
    let tokens = Random::new(5).ids(96, &[1, 20]);
    let logits = |stage| week3::load(&checkpoint, stage)?.logits(&tokens);
    let in_place = logits(Some("paged-attention"))?;
    assert_close_within("gathered", &logits(Some("gathered-pages"))?, &in_place, LOGITS)?;
    expect_invalid_argument(week3::load(&checkpoint, Some("slot")).map(|_| ()), "--checkpoint");
    let settings = BatchSettings { slots: 1, step_tokens: None, pages: Some(3), stop: &[] };
    let slots = week3::load(&checkpoint, Some("slots"))?;
    let requests = [request(&[1, 2], 2, Sampling::GREEDY)];
    let refused = slots.batch(&requests, settings, &|_| Ok(Vec::new()), &mut |_| ControlFlow::Continue(()));
    expect_invalid_argument(refused, "--pages");
    Ok(())
}

#[test]
fn end_a_text_that_grows_in_pages_answers_as_one_in_a_row() -> Result<()> {
    let mut random = Random::new(34);
    let (mut key_pages, mut value_pages) = (zeros(&[8, 2, 16, 32]), zeros(&[8, 2, 16, 32]));
    let (mut keys, mut values) = (zeros(&[1, 2, 0, 32]), zeros(&[1, 2, 0, 32]));
    let table = Array::from_slice(&[5, 0, 7, 2, 3, -1], &[1, 6]);
    let row = table.reshape(&[6])?;
    let mut context = 0;
    for length in [7, 1, 1, 30, 1, 25, 1, 1, 9] {
        let (key, value) = (random.normal(&[1, 2, length, 32]), random.normal(&[1, 2, length, 32]));
        key_pages = paged_cache_update(&key_pages, &key, &row, context)?;
        value_pages = paged_cache_update(&value_pages, &value, &row, context)?;
        keys = ops::concatenate(&[&keys, &key], 2)?;
        values = ops::concatenate(&[&values, &value], 2)?;
        context += length;
        let query = random.normal(&[1, 4, length, 32]);
        let lens = Array::from_slice(&[context], &[1]);
        let got = attend_by_rows(&query, [&key_pages, &value_pages], &table, &lens)?;
        let want = decode_attention(&query, &keys, &values, Mask::Causal, 1.0 / 32.0f32.sqrt())?;
        assert_close(&format!("{length} of {context} tokens"), &got, &want)?;
    }
    assert!(context > KERNEL.keys, "the text is longer than a tile");
    Ok(())
}
