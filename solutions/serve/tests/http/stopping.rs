//! What ends before its end: clients that leave, queues that are full, servers that shut down, engines that are not written.

use kit::{
    Checkpoint, Detokenizer, Engine, Error, Generation, Request, Result,
    front_end::{Load, Program},
    serving::{Counter, ServingSettings},
};
use mlx_rs::Array;
use serde_json::{Value, json};
use solution_serve::EngineRoom;
use std::{ops::ControlFlow, time::Duration};

use crate::place::{Place, usual};

const TEXT: &str = "/v1/completions";

/// A request that takes a while.
fn long() -> Value {
    json!({ "prompt": "Once upon a time", "max_tokens": 900, "seed": 1, "temperature": 2, "stream": true })
}

#[test]
fn a_client_that_leaves_frees_its_pages() {
    let place = Place::open(usual());
    // In the middle of a stream, with two choices.
    let mut body = long();
    body["n"] = json!(2);
    let mut stream = place.send(TEXT, &body);
    assert_eq!(stream.head().0, 200);
    stream.event().expect("a first piece");
    assert!(place.metric("pages_live") > 0.0);
    drop(stream);
    place.wait_for("pages_live", 0.0);
    place.wait_for("choices_total{reason=\"cancelled\"}", 2.0);
    // While a whole answer is written.
    body["stream"] = json!(false);
    let whole = place.send(TEXT, &body);
    place.wait_for("running", 2.0);
    drop(whole);
    place.wait_for("running", 0.0);
    assert_eq!(place.metric("pages_live"), 0.0);
    // While it waits in the queue, behind four that run.
    let running: Vec<_> = (0..4).map(|_| place.send(TEXT, &long())).collect();
    place.wait_for("running", 4.0);
    let waiting = place.send(TEXT, &long());
    place.wait_for("waiting", 1.0);
    drop(waiting);
    place.wait_for("waiting", 0.0);
    assert_eq!(place.metric("running"), 4.0);
    drop(running);
    place.wait_for("pages_live", 0.0);
    assert_eq!(place.close().cancelled, 9);
}

#[test]
fn a_full_queue_says_when_to_ask_again() {
    let mut settings = usual();
    settings.serving = ServingSettings { slots: 1, queue: 1, ..settings.serving };
    let place = Place::open(settings);
    let mut first = place.send(TEXT, &long());
    assert_eq!(first.head().0, 200);
    first.event().expect("it runs");
    let second = place.send(TEXT, &json!({ "prompt": "a", "max_tokens": 3, "temperature": 0 }));
    place.wait_for("waiting", 1.0);
    let third = place.post(TEXT, &json!({ "prompt": "a", "max_tokens": 3 }));
    assert_eq!((third.status, third.header("retry-after")), (429, Some("1")));
    assert_eq!(third.json()["error"]["code"], "queue_full");
    assert!(third.message().starts_with("1 requests are waiting, and no more may"), "{}", third.message());
    // Two choices where one has room: neither is let in.
    drop(first);
    assert_eq!(second.reply().status, 200);
    let both = place.send(TEXT, &json!({ "prompt": "a", "n": 2, "max_tokens": 3 })).reply();
    assert_eq!(both.status, 200, "{}", both.body);
    let mut running = place.send(TEXT, &long());
    running.head();
    running.event().expect("it runs");
    assert_eq!(place.post(TEXT, &json!({ "prompt": "a", "n": 2, "max_tokens": 3 })).status, 429);
    assert_eq!(place.metric("waiting"), 0.0);
    drop(running);
    place.wait_for("pages_live", 0.0);
    place.close();
}

#[test]
fn shutting_down_lets_answers_end_and_then_ends_them() {
    // There is time: the answer comes whole, and nobody new is let in.
    let place = Place::open(usual());
    let address = place.address;
    let body = json!({ "prompt": "a", "max_tokens": 60, "seed": 3, "temperature": 2 });
    let running = place.send(TEXT, &body);
    place.wait_for("running", 1.0);
    let end = place.ask_to_stop();
    let reply = running.reply();
    assert_eq!(reply.status, 200, "{}", reply.body);
    let ended = end.join().expect("no panic").expect("a clean end");
    assert_eq!((ended.finished, ended.cancelled, ended.live_pages), (1, 0, 0));
    assert!(std::net::TcpStream::connect(address).is_err(), "the port is still taken");
    // There is none: the stream ends with a reason.
    let place = Place::open(kit_of_no_grace());
    let mut stream = place.send(TEXT, &long());
    stream.head();
    stream.event().expect("it runs");
    let whole = place.send(TEXT, &json!({ "prompt": "a", "max_tokens": 900, "seed": 3, "temperature": 2 }));
    place.wait_for("running", 2.0);
    let end = place.ask_to_stop();
    let last = std::iter::from_fn(|| stream.event()).last().expect("a last event");
    assert!(last.contains("the server is shutting down"), "{last}");
    let reply = whole.reply();
    assert_eq!((reply.status, reply.header("retry-after")), (503, Some("5")), "{}", reply.body);
    let ended = end.join().expect("no panic").expect("a clean end");
    assert_eq!((ended.finished, ended.cancelled, ended.live_pages), (0, 2, 0));
}

fn kit_of_no_grace() -> solution_serve::server::ServerSettings {
    solution_serve::server::ServerSettings { grace: Duration::ZERO, ..usual() }
}

#[test]
fn more_texts_than_pages_are_all_answered() {
    // Four texts of up to 70 tokens over 6 pages, room for 96: some give way and come back.
    let mut settings = usual();
    settings.serving = ServingSettings { pages: 6, ..settings.serving };
    let place = Place::open(settings);
    let body = |seed: u64| json!({ "prompt": "Pages are", "max_tokens": 64, "seed": seed, "temperature": 1.2 });
    let sent: Vec<_> = (0..6).map(|seed| place.send(TEXT, &body(seed))).collect();
    let together: Vec<Value> = sent.into_iter().map(|connection| connection.reply().json()).collect();
    for (seed, answer) in (0..).zip(together) {
        assert_eq!(place.answer(TEXT, &body(seed))["choices"], answer["choices"], "seed {seed}");
    }
    place.close();
}

/// An engine whose owner has still to write something.
struct Unwritten;

impl Engine for Unwritten {
    fn logits(&self, _tokens: &Array) -> Result<Array> {
        kit::stub!("3.1.3")
    }

    fn generate(&self, _request: &Request, _on_token: &mut dyn FnMut(u32) -> ControlFlow<()>) -> Result<Generation> {
        kit::stub!("3.1.3")
    }

    fn detokenizer<'a>(&self, _bytes_of: &'a dyn Fn(u32) -> Result<Vec<u8>>) -> Result<Box<dyn Detokenizer + 'a>> {
        kit::stub!("3.1.3")
    }

    fn serve(
        &self,
        _settings: ServingSettings,
        _bytes_of: &dyn Fn(u32) -> Result<Vec<u8>>,
        _counter: &mut dyn Counter,
    ) -> Result<()> {
        kit::stub!("3.1.4")
    }
}

#[test]
fn an_engine_that_is_not_written_is_no_server() {
    let load = |_: &Checkpoint, _: Option<&str>| -> Result<Box<dyn Engine>> { Ok(Box::new(Unwritten)) };
    let error = EngineRoom::open("tiny", None, load, usual().serving).err().expect("a task is missing");
    assert!(matches!(&error, Error::NotImplemented { task, .. } if task == "3.1.4"), "{error}");
    let program = Program { who: "ref", week: 3, load: Load::Whole(|_| Ok(Box::new(Unwritten))) };
    let line = kit::front_end::missing(program, &error).expect("a line");
    assert!(line.starts_with("Not started: task 3.1.4, ") && line.ends_with("Hint: cargo xtask hint 3.1.4"), "{line}");
    let error = EngineRoom::open("no-such-model", None, solution_week3::load, usual().serving).err().expect("no model");
    assert!(error.to_string().starts_with("the model is \"no-such-model\""), "{error}");
}
