//! Day 2, chunked prefill: what a step has time for, texts read in pieces against texts read whole, who is let in, then
//! random schedules under a budget.

use kit::testing::{Random, expect_error, expect_invalid_argument, golden, golden_tensors, tiny_model, values};
use kit::{Checkpoint, Error, Request, Result, Sampling, SamplingLaw};
use mlx_rs::{Array, Dtype};
use std::{cell::RefCell, collections::BTreeMap, fmt::Debug, ops::Range};
use week3::{
    admission::{Limits, Refusal, refusal},
    batch_cache::{BatchCache, Seen, Step},
    batch_model::{BatchLm, BatchModel, Rows},
    budget::{Piece, pieces},
    scheduler::{Event, Scheduler},
    sequence::{FinishReason, Sequence},
    slot_cache::SlotCache,
};

/// Panics with both sides by name unless they are the same.
#[track_caller]
fn assert_same<G: PartialEq<E> + Debug, E: Debug>(what: &str, got: G, expected: E) {
    assert!(got == expected, "{what}\n  got      {got:?}\n  expected {expected:?}");
}

fn piece(index: usize, tokens: usize) -> Piece {
    Piece { index, tokens }
}

#[test]
fn task_1_writers_come_first_and_the_rest_goes_to_the_oldest() -> Result<()> {
    for (unread, budget, expected) in [
        (&[][..], 8, vec![]),
        (&[1, 1, 1], 8, vec![]),
        (&[5], 8, vec![piece(0, 5)]),
        (&[20], 8, vec![piece(0, 8)]),
        (&[1, 20, 1], 8, vec![piece(1, 6)]),
        (&[3, 20, 4], 8, vec![piece(0, 3), piece(1, 5)]),
        (&[3, 2, 4], 9, vec![piece(0, 3), piece(1, 2), piece(2, 4)]),
        (&[8, 2], 8, vec![piece(0, 8)]),
        (&[2, 2], 1, vec![piece(0, 1)]),
        (&[1, 1, 1, 9, 5], 3, vec![piece(3, 1)]),
        (&[1, 1, 1, 9, 5], 2, vec![piece(3, 1)]),
        (&[2, 3], usize::MAX, vec![piece(0, 2), piece(1, 3)]),
    ] {
        assert_same(&format!("unread {unread:?}, budget {budget}"), pieces(unread, budget)?, expected);
    }
    Ok(())
}

#[test]
fn task_1_a_budget_is_kept_and_used_up_in_order_of_arrival() -> Result<()> {
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let unread: Vec<usize> = (0..random.int(0..9)).map(|_| random.int(1..30) as usize).collect();
        let budget = random.int(1..40) as usize;
        let got = pieces(&unread, budget)?;
        let what = format!("unread {unread:?}, budget {budget}, pieces {got:?}");
        let readers: Vec<usize> = (0..unread.len()).filter(|&index| unread[index] > 1).collect();
        let read: usize = got.iter().map(|piece| piece.tokens).sum();
        let room = budget.saturating_sub(unread.len() - readers.len()).max(1);
        let wanted: usize = readers.iter().map(|&index| unread[index]).sum();
        assert_same(&format!("{what}: tokens read"), read, room.min(wanted));
        let order: Vec<usize> = got.iter().map(|piece| piece.index).collect();
        assert_same(&format!("{what}: who reads"), &order[..], &readers[..order.len()]);
        let whole = got.iter().rev().skip(1).all(|piece| piece.tokens == unread[piece.index]);
        assert!(whole, "{what}: all but the last read all that they have");
        assert!(got.iter().all(|piece| (1..=unread[piece.index]).contains(&piece.tokens)), "{what}");
    }
    Ok(())
}

#[test]
fn task_1_no_budget_and_texts_without_work_are_refused() -> Result<()> {
    expect_invalid_argument(pieces(&[3], 0), "budget");
    expect_invalid_argument(pieces(&[], 0), "budget");
    expect_invalid_argument(pieces(&[3, 0], 5), "unread");
    assert_same("one of each", pieces(&[3, 1], 5)?, vec![piece(0, 3)]);
    Ok(())
}

fn no_text(_: u32) -> Result<Vec<u8>> {
    Ok(Vec::new())
}

fn request(prompt: &[u32], max_tokens: usize, eos: &[u32], sampling: Sampling) -> Request {
    Request { prompt: prompt.to_vec(), max_tokens, eos: eos.to_vec(), sampling }
}

fn sequence(id: u64, prompt: &[u32], max_tokens: usize) -> Result<Sequence<'static>> {
    Sequence::new(id, request(prompt, max_tokens, &[], Sampling::GREEDY), Vec::new(), &no_text)
}

/// A cache that counts and keeps nothing.
struct Places(Vec<Option<i32>>);

impl BatchCache for Places {
    fn slots(&self) -> usize {
        self.0.len()
    }
    fn length(&self, slot: usize) -> Option<i32> {
        self.0[slot]
    }
    fn join(&mut self, slot: usize) -> Result<()> {
        self.0[slot] = Some(0);
        Ok(())
    }
    fn leave(&mut self, slot: usize) -> Result<()> {
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
}

/// Sixteen tokens; after every id comes the next one. Writes down what it is asked.
#[derive(Default)]
struct Counter(RefCell<Vec<String>>, RefCell<bool>);

impl BatchLm for Counter {
    fn layers(&self) -> usize {
        1
    }
    fn positions(&self) -> usize {
        1000
    }
    fn forward(&self, tokens: &Array, slots: &[usize], cache: &mut dyn BatchCache, rows: Rows) -> Result<Array> {
        assert_same("rows of logits that are asked for", rows, Rows::Last);
        assert_same("the dtype of ids", tokens.dtype(), Dtype::Uint32);
        let ids: Vec<u32> = values(tokens)?.iter().map(|&id| id as u32).collect();
        let lists: Vec<_> = ids.chunks(tokens.dim(1) as usize).collect();
        self.0.borrow_mut().push(format!("{lists:?} in {slots:?}"));
        if *self.1.borrow() {
            return Err(Error::Other("the model is out of order".into()));
        }
        let step = cache.begin(slots, tokens.dim(1))?;
        let mut logits = vec![0.0_f32; slots.len() * 16];
        for (row, list) in lists.iter().enumerate() {
            logits[row * 16 + ((list[list.len() - 1] + 1) % 16) as usize] = 9.0;
        }
        cache.commit(step)?;
        Ok(Array::from_slice(&logits, &[slots.len() as i32, 1, 16]))
    }
}

/// Events in short: `1:5` is token 5 of request 1, `1 MaxTokens` its end.
fn told(events: &[Event]) -> Vec<String> {
    let short = |event: &Event| match event {
        Event::Token { id, token, .. } => format!("{id}:{token}"),
        Event::Finished { id, reason } => format!("{id} {reason:?}"),
    };
    events.iter().map(short).collect()
}

#[test]
fn task_2_a_prompt_is_read_in_pieces_and_chooses_after_the_last() -> Result<()> {
    let model = Counter::default();
    let mut scheduler = Scheduler::new(&model, Box::new(Places(vec![None; 2])));
    scheduler.step_tokens = Some(3);
    scheduler.submit(sequence(1, &[1, 2, 3, 4, 5, 6, 7], 2)?);
    let none: [&str; 0] = [];
    assert_same("step 1", told(&scheduler.step()?), none);
    assert_same("step 2", told(&scheduler.step()?), none);
    // One token is left: it is a row among those who write.
    assert_same("step 3", told(&scheduler.step()?), ["1:8"]);
    assert_same("step 4", told(&scheduler.step()?), ["1:9", "1 MaxTokens"]);
    let expected = ["[[1, 2, 3]] in [0]", "[[4, 5, 6]] in [0]", "[[7]] in [0]", "[[8]] in [0]"];
    assert_same("what was asked", model.0.take(), expected);
    scheduler.submit(sequence(2, &[1, 2, 3, 4, 5], 1)?);
    assert_same("step 5", told(&scheduler.step()?), none);
    assert_same("step 6: the last piece has two tokens", told(&scheduler.step()?), ["2:6", "2 MaxTokens"]);
    assert_same("what was asked", model.0.take(), ["[[1, 2, 3]] in [0]", "[[4, 5]] in [0]"]);
    Ok(())
}

#[test]
fn task_2_who_writes_gets_a_token_a_step_while_others_read() -> Result<()> {
    let model = Counter::default();
    let mut scheduler = Scheduler::new(&model, Box::new(Places(vec![None; 3])));
    scheduler.step_tokens = Some(4);
    scheduler.submit(sequence(1, &[0], 9)?);
    scheduler.submit(sequence(2, &[1, 2, 3, 4, 5, 6, 7], 9)?);
    scheduler.submit(sequence(3, &[9, 9], 9)?);
    assert_same("step 1", told(&scheduler.step()?), ["1:1"]);
    assert_same("step 2", told(&scheduler.step()?), ["1:2"]);
    assert_same("step 3: 2 writes too, 3 reads what is left", told(&scheduler.step()?), ["3:10", "1:3", "2:8"]);
    let expected = [
        "[[1, 2, 3]] in [1]",
        "[[0]] in [0]",
        "[[4, 5, 6]] in [1]",
        "[[1]] in [0]",
        "[[9, 9]] in [2]",
        "[[2], [7]] in [0, 1]",
    ];
    assert_same("what was asked", model.0.take(), expected);
    Ok(())
}

#[test]
fn task_2_a_step_reads_for_several_while_its_budget_lasts() -> Result<()> {
    let model = Counter::default();
    let mut scheduler = Scheduler::new(&model, Box::new(Places(vec![None; 3])));
    scheduler.step_tokens = Some(7);
    for (id, prompt) in [(1, &[1, 2, 3][..]), (2, &[4, 5]), (3, &[6, 7, 8, 9])] {
        scheduler.submit(sequence(id, prompt, 9)?);
    }
    assert_same("step 1", told(&scheduler.step()?), ["1:4", "2:6"]);
    assert_same("what was asked", model.0.take(), ["[[1, 2, 3]] in [0]", "[[4, 5]] in [1]", "[[6, 7]] in [2]"]);
    assert_same("step 2", told(&scheduler.step()?), ["3:10", "1:5", "2:7"]);
    assert_same("what was asked", model.0.take(), ["[[8, 9]] in [2]", "[[4], [6]] in [0, 1]"]);
    Ok(())
}

#[test]
fn task_2_a_failed_piece_is_read_again() -> Result<()> {
    let model = Counter::default();
    let mut scheduler = Scheduler::new(&model, Box::new(Places(vec![None; 1])));
    scheduler.step_tokens = Some(2);
    scheduler.submit(sequence(1, &[1, 2, 3, 4, 5], 1)?);
    scheduler.step()?;
    *model.1.borrow_mut() = true;
    assert_same("the error", expect_error(scheduler.step()).to_string(), "the model is out of order");
    *model.1.borrow_mut() = false;
    scheduler.step()?;
    assert_same("the last step", told(&scheduler.step()?), ["1:6", "1 MaxTokens"]);
    scheduler.step_tokens = Some(0);
    scheduler.submit(sequence(2, &[1, 2], 1)?);
    expect_invalid_argument(scheduler.step(), "budget");
    Ok(())
}

/// A random model of two layers: 96 tokens, 256 positions.
fn serving() -> Result<BatchModel> {
    BatchModel::load(&Checkpoint::open(golden("week3/serving"))?)
}

/// The tokens of requests that all come at once, and the most tokens that a step fed.
fn answers<M: BatchLm>(model: &M, slots: usize, budget: Option<usize>, requests: &[Request]) -> Result<Vec<Vec<u32>>> {
    let cache = SlotCache::new(model.layers(), slots, 16)?;
    let mut scheduler = Scheduler::new(model, Box::new(cache));
    scheduler.step_tokens = budget;
    for (id, request) in (0..).zip(requests) {
        scheduler.submit(Sequence::new(id, request.clone(), Vec::new(), &no_text)?);
    }
    let mut answers = vec![Vec::new(); requests.len()];
    for time in 0.. {
        if scheduler.is_idle() {
            break;
        }
        assert!(time < 2000, "the schedule does not end");
        let read = |scheduler: &Scheduler<'_, M>| {
            scheduler
                .running
                .iter()
                .map(|running| (running.sequence.id, running.sequence.read))
                .collect::<BTreeMap<_, _>>()
        };
        let before = read(&scheduler);
        let unread = |running: &week3::scheduler::Running<'_>| running.sequence.unread().len();
        let writers: Vec<u64> = scheduler
            .running
            .iter()
            .filter(|running| unread(running) == 1)
            .map(|running| running.sequence.id)
            .collect();
        let events = scheduler.step()?;
        let served: Vec<u64> = events
            .iter()
            .filter_map(|event| if let Event::Token { id, .. } = event { Some(*id) } else { None })
            .collect();
        assert!(writers.iter().all(|id| served.contains(id)), "step {time}: {writers:?} write, {served:?} were served");
        let fed: usize = read(&scheduler).iter().map(|(id, read)| read - before.get(id).unwrap_or(&0)).sum();
        let most = budget.unwrap_or(usize::MAX).max(scheduler.cache.slots() + 1);
        assert!(fed <= most, "step {time} has fed {fed} tokens, the budget is {budget:?}");
        for event in events {
            if let Event::Token { id, token, .. } = event {
                answers[id as usize].push(token);
            }
        }
    }
    Ok(answers)
}

fn random_requests(random: &mut Random, count: i32, vocabulary: i32, longest: i32) -> Vec<Request> {
    let law =
        |seed| Sampling { law: SamplingLaw::FilterFirst { temperature: 1.0, top_k: Some(20), top_p: None }, seed };
    (0..count)
        .map(|number| {
            let prompt: Vec<u32> = (0..random.int(1..longest)).map(|_| random.int(0..vocabulary) as u32).collect();
            let sampling = if number % 2 == 0 { Sampling::GREEDY } else { law(random.int(0..99) as u64) };
            request(&prompt, random.int(1..7) as usize, &[0], sampling)
        })
        .collect()
}

/// Budgets of these seeds give the tokens that whole prompts give.
fn same_in_pieces<M: BatchLm>(model: &M, vocabulary: i32, seeds: Range<u64>, longest: i32) -> Result<()> {
    for seed in seeds {
        let mut random = Random::new(seed);
        let requests = random_requests(&mut random, 3, vocabulary, longest);
        let (slots, budget) = (random.int(1..4) as usize, random.int(1..12) as usize);
        let whole = answers(model, 3, None, &requests)?;
        let got = answers(model, slots, Some(budget), &requests)?;
        assert_same(&format!("seed {seed}: {slots} slots, {budget} tokens a step, {requests:?}"), got, whole);
    }
    Ok(())
}

#[test]
fn task_2_a_text_has_the_same_tokens_however_it_is_cut() -> Result<()> {
    same_in_pieces(&serving()?, 96, 0..24, 20)
}

#[test]
fn task_2_the_embedded_model_does_not_see_the_cuts() -> Result<()> {
    same_in_pieces(&BatchModel::load(tiny_model()?)?, 4096, 50..53, 40)
}

const LIMITS: Limits = Limits { waiting: 2, positions: 10 };

fn asked(prompt: usize, max_tokens: usize) -> Request {
    request(&vec![1; prompt], max_tokens, &[], Sampling::GREEDY)
}

#[test]
fn task_3_a_request_that_fits_is_let_in() -> Result<()> {
    for (prompt, max_tokens) in [(1, 1), (9, 1), (1, 9), (5, 5)] {
        assert_same("a request that fits", refusal(7, &asked(prompt, max_tokens), &[1, 2], &[3], &LIMITS)?, None);
    }
    assert_same("an empty engine", refusal(0, &asked(1, 1), &[], &[], &LIMITS)?, None);
    Ok(())
}

#[test]
fn task_3_a_text_that_could_outgrow_its_place_is_refused_for_good() -> Result<()> {
    for (prompt, max_tokens) in [(10, 1), (1, 10), (6, 5), (11, 1), (3, usize::MAX)] {
        let got = refusal(7, &asked(prompt, max_tokens), &[], &[], &LIMITS)?;
        let expected = Refusal::TooLong { prompt, max_tokens, positions: 10 };
        assert!(!expected.is_temporary());
        assert_same("a text that is too long", got, Some(expected));
    }
    let text = refusal(7, &asked(6, 5), &[], &[], &LIMITS)?.map(|refusal| refusal.to_string()).unwrap_or_default();
    assert!(["6", "5", "10"].iter().all(|number| text.contains(number)), "{text}");
    Ok(())
}

#[test]
fn task_3_a_full_queue_and_a_second_request_of_an_id_are_refused() -> Result<()> {
    let got = refusal(7, &asked(1, 1), &[1], &[2, 3], &LIMITS)?;
    let more = refusal(7, &asked(1, 1), &[1], &[2, 3, 4], &LIMITS)?;
    assert_same("a fourth in the queue", more, Some(Refusal::QueueFull { waiting: 3 }));
    assert_same("a third in the queue", got.clone(), Some(Refusal::QueueFull { waiting: 2 }));
    assert!(got.is_some_and(|refusal| refusal.is_temporary()), "a queue gets shorter");
    for (running, waiting) in [(&[7][..], &[][..]), (&[], &[7]), (&[7], &[1, 2]), (&[1], &[7, 2])] {
        assert_same("its id is there", refusal(7, &asked(1, 1), running, waiting, &LIMITS)?, Some(Refusal::SameId(7)));
    }
    let got = refusal(7, &asked(11, 1), &[7], &[2, 3], &LIMITS)?;
    assert_same(
        "too long, twice and too many",
        got,
        Some(Refusal::TooLong { prompt: 11, max_tokens: 1, positions: 10 }),
    );
    Ok(())
}

#[test]
fn task_3_a_scheduler_offers_its_queue_and_its_positions() -> Result<()> {
    let model = Counter::default();
    let mut scheduler = Scheduler::new(&model, Box::new(Places(vec![None; 1])));
    let mut offered = Vec::new();
    for id in [0, 1, 1, 2, 3] {
        offered.push(scheduler.offer(sequence(id, &[1, 2], 2)?, 3)?);
    }
    let expected = [None, None, Some(Refusal::SameId(1)), None, Some(Refusal::QueueFull { waiting: 3 })];
    assert_same("five requests, three places to wait", offered, expected);
    scheduler.step()?;
    assert_same("after a step one place is free", scheduler.offer(sequence(3, &[1], 1)?, 3)?, None);
    let long = scheduler.offer(sequence(9, &[1; 999], 2)?, 99)?;
    assert_same(
        "a model of 1000 positions",
        long,
        Some(Refusal::TooLong { prompt: 999, max_tokens: 2, positions: 1000 }),
    );
    assert_same("who waits", scheduler.waiting.iter().map(|sequence| sequence.id).collect::<Vec<_>>(), [1, 2, 3]);
    Ok(())
}

#[test]
fn end_greedy_tokens_in_pieces_are_those_of_mlx_lm() -> Result<()> {
    let golden = golden_tensors("week3/serving.safetensors")?;
    let list = |name: String| -> Result<Vec<u32>> { Ok(values(&golden[&name])?.iter().map(|&id| id as u32).collect()) };
    let requests = (0..3)
        .map(|text| Ok(request(&list(format!("{text}.ids"))?, 12, &[], Sampling::GREEDY)))
        .collect::<Result<Vec<_>>>()?;
    for budget in [1, 4, 5] {
        for (text, tokens) in answers(&serving()?, 2, Some(budget), &requests)?.into_iter().enumerate() {
            assert_same(&format!("text {text}, {budget} tokens a step"), tokens, list(format!("{text}.greedy"))?);
        }
    }
    Ok(())
}

#[test]
fn end_whoever_is_let_in_is_answered() -> Result<()> {
    for seed in 0..80 {
        let mut random = Random::new(seed);
        let model = Counter::default();
        let slots = random.int(1..4) as usize;
        let mut scheduler = Scheduler::new(&model, Box::new(Places(vec![None; slots])));
        scheduler.step_tokens = Some(random.int(1..9) as usize);
        let (mut let_in, mut ended) = (Vec::new(), Vec::new());
        for time in 0..400 {
            if time < 40 && random.int(0..2) == 0 {
                let prompt = vec![1; random.int(1..30) as usize];
                let refused = scheduler.offer(sequence(time, &prompt, random.int(1..9) as usize)?, 4)?;
                match refused {
                    None => let_in.push(time),
                    Some(refusal) => assert_same("the reason", refusal, Refusal::QueueFull { waiting: 4 }),
                }
            }
            for event in scheduler.step()? {
                if let Event::Finished { id, reason } = event {
                    assert_same("the end", reason, FinishReason::MaxTokens);
                    ended.push(id);
                }
            }
        }
        ended.sort_unstable();
        assert_same(&format!("seed {seed}: requests that ended"), ended, let_in);
    }
    Ok(())
}
