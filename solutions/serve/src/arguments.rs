//! The command line of the server, and what of it is refused before anything is loaded.

use clap::Parser;
use kit::{Error, Result, serving::ServingSettings};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// The environment variable of the key; a flag would show it to everyone who lists processes.
pub const KEY: &str = "TINY_LLM_API_KEY";

/// The fewest characters of a key.
const KEY_LENGTH: usize = 16;

#[derive(Parser)]
#[command(about = "An OpenAI-compatible server over the engine of Week 3", bin_name = "cargo xtask serve")]
pub struct Arguments {
    /// tiny, qwen3-0.6b, 1.7b, 4b, 8b or the path of a model's folder
    #[arg(long, default_value = "tiny")]
    pub model: String,
    /// The model's name in requests [default: that of --model]
    #[arg(long)]
    pub name: Option<String>,
    /// The address to listen on; other than this machine's own, it needs TINY_LLM_API_KEY
    #[arg(long, default_value = "127.0.0.1")]
    pub host: String,
    /// The port; 0 takes any free one
    #[arg(long, default_value_t = 8000)]
    pub port: u16,
    /// Texts that run at the same time
    #[arg(long, default_value_t = 8)]
    pub slots: usize,
    /// Requests that may wait; the next one gets 429
    #[arg(long, default_value_t = 64)]
    pub queue: usize,
    /// The most tokens of a step, read and written
    #[arg(long, default_value_t = 256)]
    pub step_tokens: usize,
    /// Pages of 16 tokens for all texts
    #[arg(long, default_value_t = 1024)]
    pub pages: usize,
    /// The most bytes of a request's body
    #[arg(long, default_value_t = 1 << 20)]
    pub body_limit: usize,
    /// Seconds that running answers get after Ctrl-C
    #[arg(long, default_value_t = 10)]
    pub grace: u64,
    /// The stage of the engine: slots, gathered-pages, paged-attention or flash-attention; the default is the last one
    #[arg(long)]
    pub checkpoint: Option<String>,
    /// cpu, metal or cuda; the default is what MLX was set up for
    #[arg(long)]
    pub backend: Option<String>,
    /// Instead of serving you: so many seconds of --clients that ask at the same time, then what they saw
    #[arg(long, value_name = "SECONDS")]
    pub load_test: Option<u64>,
    /// Clients of --load-test
    #[arg(long, default_value_t = 64)]
    pub clients: usize,
}

impl Arguments {
    /// How the engine serves. Errors: `InvalidArgument` for a number outside its range.
    pub fn serving(&self) -> Result<ServingSettings> {
        let Self { slots, queue, step_tokens, pages, .. } = *self;
        let ranges = [
            ("--slots", slots, 1, 1024),
            ("--queue", queue, 0, 100_000),
            ("--step-tokens", step_tokens, 1, 1 << 20),
            ("--pages", pages, 1, 1 << 24),
            ("--body-limit", self.body_limit, 1, 1 << 30),
            ("--grace", self.grace as usize, 0, 3600),
            ("--load-test", self.load_test.unwrap_or(1) as usize, 1, 3600),
            ("--clients", self.clients, 1, 1024),
        ];
        for (name, value, least, most) in ranges {
            if !(least..=most).contains(&value) {
                return refused(name, value, &format!("be from {least} to {most}"));
            }
        }
        if step_tokens < slots {
            return refused(
                "--step-tokens",
                step_tokens,
                &format!("be at least --slots, {slots}: each text writes a token"),
            );
        }
        Ok(ServingSettings { slots, step_tokens, pages, queue })
    }

    /// Where to listen, and the key. Errors: `InvalidArgument` for a host that is no address; `Other` for one that others
    /// reach without a key, and for a key that is too short.
    pub fn place(&self, key: Option<String>) -> Result<(SocketAddr, Option<String>)> {
        let host = match self.host.as_str() {
            "localhost" => IpAddr::V4(Ipv4Addr::LOCALHOST),
            other => match other.parse() {
                Ok(host) => host,
                Err(_) => {
                    return refused("--host", format!("{other:?}"), "be an address, such as 127.0.0.1 or 0.0.0.0");
                }
            },
        };
        if key.is_none() && !host.is_loopback() {
            return Err(Error::Other(format!(
                "--host {host} can be reached from other machines, so requests must show a key; choose one of at least \
                 {KEY_LENGTH} characters and put it into {KEY}"
            )));
        }
        if let Some(key) = &key {
            let fits = key.len() >= KEY_LENGTH && key.bytes().all(|byte| byte.is_ascii_graphic());
            if !fits {
                return Err(Error::Other(format!(
                    "the key in {KEY} has {} bytes, but it must have at least {KEY_LENGTH}, all of them printable ASCII \
                     without spaces",
                    key.len()
                )));
            }
        }
        Ok((SocketAddr::new(host, self.port), key))
    }
}

fn refused<T>(name: &str, value: impl std::fmt::Display, must: &str) -> Result<T> {
    Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must: must.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(line: &[&str]) -> Arguments {
        Arguments::try_parse_from([&["serve"], line].concat()).expect("arguments")
    }

    #[test]
    fn a_place_that_others_reach_needs_a_key() {
        let place = |host: &str, key: Option<&str>| {
            arguments(&["--host", host]).place(key.map(str::to_string)).map(|(address, _)| address.to_string())
        };
        let error = |host: &str, key: Option<&str>| place(host, key).expect_err("a refusal").to_string();
        assert_eq!(place("127.0.0.1", None).expect("loopback"), "127.0.0.1:8000");
        assert_eq!(place("localhost", None).expect("loopback"), "127.0.0.1:8000");
        assert_eq!(place("::1", None).expect("loopback"), "[::1]:8000");
        assert_eq!(place("0.0.0.0", Some("0123456789abcdef")).expect("a key"), "0.0.0.0:8000");
        assert!(error("0.0.0.0", None).starts_with("--host 0.0.0.0 can be reached from other machines"));
        assert!(error("0.0.0.0", Some("short")).starts_with("the key in TINY_LLM_API_KEY has 5 bytes"));
        assert!(error("127.0.0.1", Some("with a space inside")).contains("printable ASCII"));
        assert!(error("example.org", None).starts_with("--host is \"example.org\""));
    }

    #[test]
    fn numbers_outside_their_range_are_named() {
        let error = |line: &[&str]| arguments(line).serving().expect_err("a refusal").to_string();
        assert_eq!(error(&["--slots", "0"]), "--slots is 0, but it must be from 1 to 1024");
        assert_eq!(error(&["--pages", "0"]), "--pages is 0, but it must be from 1 to 16777216");
        assert!(error(&["--step-tokens", "4"]).starts_with("--step-tokens is 4, but it must be at least --slots, 8"));
        assert!(arguments(&["--queue", "0"]).serving().is_ok());
    }
}
