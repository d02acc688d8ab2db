//! A client that knows as much of HTTP as the tests need, so that what a socket carries is seen as it is.

use serde_json::Value;
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

/// An answer.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Reply {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// The sentence of an error.
    pub fn message(&self) -> String {
        let json = self.json();
        let error = &json["error"];
        assert!(error["type"].is_string() && error["code"].is_string(), "not OpenAI's form: {json}");
        error["message"].as_str().unwrap_or_else(|| panic!("no message: {json}")).to_string()
    }
}

/// A request whose answer is on its way.
pub struct Connection(BufReader<TcpStream>);

impl Connection {
    /// Sends a request; `headers` are whole lines.
    pub fn open(address: SocketAddr, method: &str, path: &str, headers: &[&str], body: &[u8]) -> Self {
        let mut stream = TcpStream::connect(address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|header| header.starts_with("Host:")) {
            head += &format!("Host: {address}\r\n");
        }
        for header in headers {
            head += &format!("{header}\r\n");
        }
        head += "\r\n";
        stream.write_all(head.as_bytes()).expect("the head is taken");
        // A server that has refused the head may have gone already.
        stream.write_all(body).unwrap_or_default();
        Self(BufReader::new(stream))
    }

    /// The status and the headers.
    pub fn head(&mut self) -> (u16, Vec<(String, String)>) {
        let line = self.line();
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.unwrap_or_else(|| panic!("no status: {line:?}"));
        let mut headers = Vec::new();
        loop {
            let line = self.line();
            match line.split_once(": ") {
                Some((name, value)) => headers.push((name.to_lowercase(), value.to_string())),
                None => return (status, headers),
            }
        }
    }

    /// The next line of the answer, chunks or not, without its end.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.0.read_line(&mut line).expect("the server answers in time");
        line.trim_end().to_string()
    }

    /// The data of the next event of a stream; `None` at its end.
    pub fn event(&mut self) -> Option<String> {
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).expect("the stream goes on in time") == 0 {
                return None;
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return Some(data.trim_end().to_string());
            }
        }
    }

    /// Everything.
    pub fn reply(mut self) -> Reply {
        let (status, headers) = self.head();
        let mut rest = Vec::new();
        // What a refused sender has left makes the end of its connection a reset.
        self.0.read_to_end(&mut rest).unwrap_or_default();
        let chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
        let body = if chunked { joined(&rest) } else { rest };
        Reply { status, headers, body: String::from_utf8(body).expect("UTF-8") }
    }
}

/// The chunks of a body without their lengths.
fn joined(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let length = std::str::from_utf8(&rest[..end]).ok().and_then(|text| usize::from_str_radix(text, 16).ok());
        let (length, begin) = (length.expect("the length of a chunk"), end + 2);
        body.extend(&rest[begin..begin + length]);
        rest = &rest[begin + length + 2..];
    }
    body
}
