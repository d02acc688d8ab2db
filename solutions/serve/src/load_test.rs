//! A crowd of clients against a server: in goes its address, out comes what they saw.
//!
//! Each client is a thread that asks again as soon as it has its answer: streams and whole answers of either kind, clients
//! that leave in the middle, bodies that must be refused. Whatever is not as it should be is a complaint.

use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    thread,
    time::{Duration, Instant},
};

/// A client that hears nothing for so long complains.
const PATIENCE: Duration = Duration::from_secs(120);

/// What the clients saw.
#[derive(Debug, Default)]
pub struct Crowd {
    /// Answers that came to their end.
    pub answers: usize,
    /// Streams that were left on purpose.
    pub left: usize,
    /// Bad bodies that were refused, as they should be.
    pub refused: usize,
    /// Requests that were asked to come back, since the queue was full.
    pub later: usize,
    /// Tokens of the answers.
    pub tokens: usize,
    /// From a request to its first piece, in order of size.
    pub first: Vec<Duration>,
    /// What was not as it should be.
    pub complaints: Vec<String>,
}

impl Crowd {
    /// What others saw, too.
    pub fn add(&mut self, other: Self) {
        self.answers += other.answers;
        self.left += other.left;
        self.refused += other.refused;
        self.later += other.later;
        self.tokens += other.tokens;
        self.first.extend(other.first);
        self.complaints.extend(other.complaints);
    }

    /// The duration that so many of 100 first pieces came within.
    pub fn within(&self, percent: usize) -> Duration {
        let at = (self.first.len() * percent / 100).min(self.first.len().saturating_sub(1));
        self.first.get(at).copied().unwrap_or_default()
    }
}

/// Lets `clients` ask for as long as this.
pub fn run(address: SocketAddr, model: &str, clients: usize, lasts: Duration) -> Crowd {
    let end = Instant::now() + lasts;
    let client = |number: usize| {
        let model = model.to_string();
        thread::spawn(move || {
            let (mut seen, mut chance) = (Crowd::default(), StdRng::seed_from_u64(number as u64));
            while Instant::now() < end {
                if let Err(complaint) = one(address, &model, &mut chance, &mut seen) {
                    seen.complaints.push(complaint);
                }
            }
            seen
        })
    };
    let threads: Vec<_> = (0..clients).map(client).collect();
    let mut crowd = Crowd::default();
    for thread in threads {
        let panicked = |_| Crowd { complaints: vec!["a client has panicked".into()], ..Crowd::default() };
        crowd.add(thread.join().unwrap_or_else(panicked));
    }
    crowd.first.sort();
    crowd
}

/// One request. Errors: what was not as it should be.
fn one(address: SocketAddr, model: &str, chance: &mut StdRng, seen: &mut Crowd) -> Result<(), String> {
    const QUESTIONS: [&str; 4] =
        ["What is a KV cache?", "Tell me a story.", "Why are pages better than slots?", "Hello"];
    let mut body = json!({
        "model": model, "max_tokens": chance.random_range(1..48), "seed": chance.random_range(0..1000),
        "temperature": chance.random_range(0..3), "n": chance.random_range(1..3),
        "law": if chance.random_bool(0.5) { "temper-first" } else { "filter-first" },
    });
    let question = QUESTIONS[chance.random_range(0..4)];
    let path = if chance.random_bool(0.5) {
        body["messages"] = json!([{ "role": "user", "content": question }]);
        "/v1/chat/completions"
    } else {
        body["prompt"] = question.into();
        "/v1/completions"
    };
    if chance.random_bool(0.2) {
        body["stop"] = json!([" the", "."]);
    }
    match chance.random_range(0..100) {
        0..5 => {
            body["temperature"] = (-1).into();
            let (status, _, _) = asked(address, path, &body)?;
            seen.refused += 1;
            if status == 400 { Ok(()) } else { Err(format!("a temperature of -1 got {status}")) }
        }
        5..15 => {
            body["stream"] = true.into();
            body["max_tokens"] = 400.into();
            let (status, later, mut rest) = asked(address, path, &body)?;
            if came_too_early(status, later, seen) {
                return Ok(());
            }
            event(&mut rest)?;
            seen.left += 1;
            Ok(())
        }
        15..65 => streamed(address, path, body, seen),
        _ => {
            let (status, later, mut rest) = asked(address, path, &body)?;
            if came_too_early(status, later, seen) {
                return Ok(());
            }
            let mut text = String::new();
            rest.read_to_string(&mut text).map_err(|e| format!("an answer broke off: {e}"))?;
            let answer: Value = serde_json::from_str(&text).map_err(|e| format!("{e}: {text}"))?;
            if status != 200 {
                return Err(format!("{status}: {text}"));
            }
            count(&answer["usage"], &body, seen)
        }
    }
}

fn streamed(address: SocketAddr, path: &str, mut body: Value, seen: &mut Crowd) -> Result<(), String> {
    body["stream"] = true.into();
    body["stream_options"] = json!({ "include_usage": true });
    let began = Instant::now();
    let (status, later, mut rest) = asked(address, path, &body)?;
    if came_too_early(status, later, seen) {
        return Ok(());
    }
    let (mut usage, mut first) = (Value::Null, None);
    loop {
        let data = event(&mut rest)?;
        if data == "[DONE]" {
            break;
        }
        let piece: Value = serde_json::from_str(&data).map_err(|e| format!("{e}: {data}"))?;
        if !piece["error"].is_null() {
            return Err(format!("a stream ended with {piece}"));
        }
        first.get_or_insert_with(|| began.elapsed());
        usage = piece["usage"].clone();
    }
    seen.first.extend(first);
    count(&usage, &body, seen)
}

fn count(usage: &Value, body: &Value, seen: &mut Crowd) -> Result<(), String> {
    let tokens = usage["completion_tokens"].as_u64().unwrap_or(0);
    let most = body["max_tokens"].as_u64().unwrap_or(0) * body["n"].as_u64().unwrap_or(1);
    if tokens == 0 || tokens > most {
        return Err(format!("{tokens} tokens came for {body}"));
    }
    seen.answers += 1;
    seen.tokens += tokens as usize;
    Ok(())
}

/// Whether it was told to come back; then it waits as long as it was told, or nearly.
fn came_too_early(status: u16, later: Option<u64>, seen: &mut Crowd) -> bool {
    let early = status == 429 && later.is_some();
    if early {
        seen.later += 1;
        thread::sleep(Duration::from_secs(later.unwrap_or(1).min(5)));
    }
    early
}

/// Sends a request; returns the status, the seconds of Retry-After, and the rest of the answer.
fn asked(address: SocketAddr, path: &str, body: &Value) -> Result<(u16, Option<u64>, BufReader<TcpStream>), String> {
    let failed = |e: std::io::Error| format!("a request was not carried: {e}");
    let mut stream = TcpStream::connect(address).map_err(failed)?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
    let body = body.to_string();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).map_err(failed)?;
    let mut rest = BufReader::new(stream);
    let status = line(&mut rest)?;
    let number = status.split(' ').nth(1).and_then(|number| number.parse().ok());
    let (number, mut later) = (number.ok_or_else(|| format!("{status:?} is no status"))?, None);
    loop {
        let header = line(&mut rest)?.to_lowercase();
        if header.is_empty() {
            return Ok((number, later, rest));
        }
        later = header.strip_prefix("retry-after: ").and_then(|seconds| seconds.parse().ok()).or(later);
    }
}

/// The data of the next event.
fn event(rest: &mut BufReader<TcpStream>) -> Result<String, String> {
    loop {
        if let Some(data) = line(rest)?.strip_prefix("data: ") {
            return Ok(data.to_string());
        }
    }
}

/// A line without its end. Errors: the end of the connection.
fn line(rest: &mut BufReader<TcpStream>) -> Result<String, String> {
    let mut line = String::new();
    match rest.read_line(&mut line) {
        Ok(0) => Err("a connection has ended too early".into()),
        Ok(_) => Ok(line.trim_end().to_string()),
        Err(e) => Err(format!("nothing was heard for {} s: {e}", PATIENCE.as_secs())),
    }
}
