//! A server of the embedded model on a port of its own, inside the test's process.

use kit::{Result, serving::ServingSettings};
use serde_json::{Value, json};
use solution_serve::{
    EngineRoom,
    server::{self, Ended, ServerSettings},
};
use std::{
    net::SocketAddr,
    thread::JoinHandle,
    time::{Duration, Instant},
};
use tokio::sync::oneshot;

use crate::client::{Connection, Reply};

/// As JSON is sent.
pub const JSON: &str = "Content-Type: application/json";

/// A running server.
pub struct Place {
    pub address: SocketAddr,
    stop: oneshot::Sender<()>,
    thread: JoinHandle<Result<Ended>>,
}

/// What a server has unless a test says otherwise.
pub fn usual() -> ServerSettings {
    ServerSettings {
        serving: ServingSettings { slots: 4, step_tokens: 64, pages: 256, queue: 16 },
        model: "tiny".into(),
        key: None,
        body_limit: 1 << 16,
        grace: Duration::from_secs(30),
    }
}

impl Place {
    pub fn open(settings: ServerSettings) -> Self {
        let (stop, stopped) = oneshot::channel::<()>();
        let (tell, address) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let room = EngineRoom::open("tiny", None, solution_week3::load, settings.serving)?;
            server::runtime().expect("a runtime").block_on(async {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
                tell.send(listener.local_addr().expect("an address")).expect("the test waits");
                server::serve(listener, room, settings, async { stopped.await.unwrap_or_default() }).await
            })
        });
        Self { address: address.recv().expect("the server starts"), stop, thread }
    }

    /// Asks it to stop, without waiting.
    pub fn ask_to_stop(self) -> JoinHandle<Result<Ended>> {
        self.stop.send(()).expect("the server runs");
        self.thread
    }

    /// Stops it. No page may be left.
    pub fn close(self) -> Ended {
        let ended = self.ask_to_stop().join().expect("no panic").expect("a clean end");
        assert_eq!(ended.live_pages, 0, "pages are left");
        ended
    }

    pub fn get(&self, path: &str) -> Reply {
        Connection::open(self.address, "GET", path, &[], b"").reply()
    }

    pub fn send(&self, path: &str, body: &Value) -> Connection {
        Connection::open(self.address, "POST", path, &[JSON], body.to_string().as_bytes())
    }

    pub fn post(&self, path: &str, body: &Value) -> Reply {
        self.send(path, body).reply()
    }

    /// The answer to a request that is right.
    pub fn answer(&self, path: &str, body: &Value) -> Value {
        let reply = self.post(path, body);
        assert_eq!(reply.status, 200, "{}", reply.body);
        reply.json()
    }

    /// The text of each choice.
    pub fn texts(&self, path: &str, body: &Value) -> Vec<String> {
        let answer = self.answer(path, body);
        let choices = answer["choices"].as_array().expect("choices");
        let text =
            |choice: &Value| choice.get("text").unwrap_or(&choice["message"]["content"]).as_str().map(String::from);
        choices.iter().map(|choice| text(choice).expect("a text")).collect()
    }

    /// The pieces of a stream, without the last event, which must be `[DONE]`.
    pub fn pieces(&self, path: &str, body: &Value) -> Vec<Value> {
        let mut body = body.clone();
        body["stream"] = json!(true);
        let mut connection = self.send(path, &body);
        let (status, headers) = connection.head();
        assert_eq!(status, 200);
        assert!(headers.contains(&("content-type".into(), "text/event-stream".into())), "{headers:?}");
        let mut events: Vec<String> = std::iter::from_fn(|| connection.event()).collect();
        assert_eq!(events.pop().as_deref(), Some("[DONE]"));
        events.iter().map(|event| serde_json::from_str(event).expect("JSON")).collect()
    }

    /// A number of /metrics.
    pub fn metric(&self, name: &str) -> f64 {
        let text = self.get("/metrics").body;
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("tiny_llm_{name} ")));
        line.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no {name} in\n{text}"))
    }

    /// Waits until a number of /metrics is this.
    pub fn wait_for(&self, name: &str, expected: f64) {
        let begin = Instant::now();
        while self.metric(name) != expected {
            assert!(begin.elapsed() < Duration::from_secs(30), "{name} stays at {}", self.metric(name));
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// The text that a stream's pieces give choice `index`, and its reasons to end.
pub fn joined(pieces: &[Value], index: u64) -> (String, Vec<String>) {
    let (mut text, mut ends) = (String::new(), Vec::new());
    for choice in pieces.iter().flat_map(|piece| piece["choices"].as_array().expect("choices")) {
        if choice["index"] == index {
            text += choice.get("text").unwrap_or(&choice["delta"]["content"]).as_str().unwrap_or_default();
            ends.extend(choice["finish_reason"].as_str().map(String::from));
        }
    }
    (text, ends)
}
