//! The scheduler behind a counter: requests arrive while others run.
//!
//! In: what has arrived, asked for before each step. Out: news of every request. Everything that MLX touches stays on the
//! thread that calls [`serve`]; whoever listens on a socket lives on another one.

use crate::{
    admission::Refusal,
    batch_model::BatchLm,
    scheduler::{Event, Scheduler},
    sequence::{BytesOf, FinishReason, Sequence},
    stage::Stage,
};
use kit::{
    Error, Result, StopReason,
    serving::{Arrival, Ask, Counter, Ending, Load, Logprobs, News, ServingSettings},
};
use mlx_rs::Array;
use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

/// The log probabilities of draws that nobody has been told of, by request.
type Drawn = Rc<RefCell<BTreeMap<u64, Logprobs>>>;

/// Answers whoever comes to `counter`, until that closes. What concerns a
/// single request ends that request; a step that fails ends all that are
/// here, and the next ones find an empty cache.
///
/// Errors: `NotImplemented`, which no other request could do without; as
/// [`Stage::pages`].
pub fn serve<M: BatchLm>(
    model: &M,
    stage: Stage,
    settings: ServingSettings,
    bytes_of: BytesOf<'_>,
    counter: &mut dyn Counter,
) -> Result<()> {
    let drawn = Drawn::default();
    let mut scheduler = empty(model, stage, settings)?;
    while let Some(arrivals) = counter.arrivals(scheduler.is_idle()) {
        for arrival in arrivals {
            match arrival {
                Arrival::Asks(asks) => {
                    let room = settings.queue + (settings.slots - scheduler.running.len());
                    let ids: Vec<u64> = asks.iter().map(|ask| ask.id).collect();
                    let refused = enter(&mut scheduler, asks, room, bytes_of, &drawn)?;
                    for id in ids {
                        counter.tell(match &refused {
                            Some((reason, temporary)) => {
                                News::Refused { id, reason: reason.clone(), temporary: *temporary }
                            }
                            None => News::Accepted { id },
                        });
                    }
                }
                Arrival::Cancel(id) => {
                    // False where it has just ended.
                    scheduler.cancel(id);
                }
            }
        }
        match scheduler.step() {
            Ok(events) => events.into_iter().for_each(|event| counter.tell(news_of(event, &drawn))),
            Err(stub @ Error::NotImplemented { .. }) => return Err(stub),
            Err(error) => {
                let running = scheduler.running.iter().map(|running| running.sequence.id);
                let all: Vec<u64> = running.chain(scheduler.waiting.iter().map(|sequence| sequence.id)).collect();
                for id in all {
                    counter.tell(News::Finished { id, ending: Ending::Failed(error.to_string()) });
                }
                scheduler = empty(model, stage, settings)?;
            }
        }
        counter.tell(News::Step(Load {
            running: scheduler.running.len(),
            waiting: scheduler.waiting.len(),
            live_pages: scheduler.cache.live_pages().unwrap_or(0),
            cache_bytes: scheduler.cache.held_bytes(),
        }));
    }
    Ok(())
}

fn empty<'a, M: BatchLm>(model: &'a M, stage: Stage, settings: ServingSettings) -> Result<Scheduler<'a, M>> {
    let ServingSettings { slots, step_tokens, pages, .. } = settings;
    let cache = match stage {
        Stage::Slots => stage.cache(model.layers(), slots, model.positions())?,
        _ => stage.pages(model.layers(), slots, pages)?,
    };
    let mut scheduler = Scheduler::new(model, cache);
    scheduler.step_tokens = Some(step_tokens);
    Ok(scheduler)
}

/// Lets all of `asks` in, or none: then a sentence, and whether it may be otherwise later. `room` may wait.
///
/// Errors: `NotImplemented`; as [`Scheduler::offer`].
fn enter<'a, M: BatchLm>(
    scheduler: &mut Scheduler<'a, M>,
    asks: Vec<Ask>,
    room: usize,
    bytes_of: BytesOf<'a>,
    drawn: &Drawn,
) -> Result<Option<(String, bool)>> {
    let before = scheduler.waiting.len();
    for ask in asks {
        let Ask { id, request, stop, logprobs } = ask;
        let refusal = match Sequence::new(id, request, stop, bytes_of) {
            Ok(sequence) => {
                let drawn = Rc::clone(drawn);
                let sequence = match logprobs {
                    None => sequence,
                    Some(most) => sequence.watched(move |row, token| {
                        drawn.borrow_mut().insert(id, logprobs_of(row, token, most)?);
                        Ok(())
                    }),
                };
                let refusal = scheduler.offer(sequence, room)?;
                refusal.map(|refusal: Refusal| (refusal.to_string(), refusal.is_temporary()))
            }
            Err(stub @ Error::NotImplemented { .. }) => return Err(stub),
            Err(error) => Some((error.to_string(), false)),
        };
        if refusal.is_some() {
            scheduler.waiting.truncate(before);
            return Ok(refusal);
        }
    }
    Ok(None)
}

/// `row` (1, V): the drawn token's log probability, and the `most` best.
fn logprobs_of(row: &Array, token: u32, most: usize) -> Result<Logprobs> {
    let values = kit::testing::values(row)?;
    let drawn = values.get(token as usize).copied().unwrap_or(f32::NEG_INFINITY);
    let mut ids: Vec<u32> = (0..values.len() as u32).collect();
    let better = |a: &u32, b: &u32| values[*b as usize].total_cmp(&values[*a as usize]).then(a.cmp(b));
    let most = most.min(ids.len());
    if most > 0 && most < ids.len() {
        ids.select_nth_unstable_by(most - 1, better);
    }
    ids.truncate(most);
    ids.sort_unstable_by(better);
    Ok(Logprobs { drawn, top: ids.into_iter().map(|id| (id, values[id as usize])).collect() })
}

fn news_of(event: Event, drawn: &Drawn) -> News {
    match event {
        Event::Token { id, token, text } => News::Token { id, token, text, logprobs: drawn.borrow_mut().remove(&id) },
        Event::Finished { id, reason } => {
            // A draw whose token could not become text.
            drawn.borrow_mut().remove(&id);
            let ending = match reason {
                FinishReason::StopString(text) => Ending::StopString(text),
                FinishReason::Eos(token) => Ending::Stopped(StopReason::Eos(token)),
                FinishReason::MaxTokens => Ending::Stopped(StopReason::MaxTokens),
                FinishReason::Cancelled => Ending::Stopped(StopReason::Cancelled),
                FinishReason::Failed(why) => Ending::Failed(why),
            };
            News::Finished { id, ending }
        }
    }
}
