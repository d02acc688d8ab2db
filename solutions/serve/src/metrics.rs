//! What the server counts, as Prometheus reads it.

use std::{
    collections::BTreeMap,
    fmt::Write,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use kit::serving::Load;

/// Upper bounds of the histograms, in seconds.
const BOUNDS: [f64; 12] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];

/// Durations by size.
#[derive(Debug, Clone, Default)]
struct Histogram {
    buckets: [u64; BOUNDS.len()],
    count: u64,
    sum: f64,
}

impl Histogram {
    fn observe(&mut self, duration: Duration) {
        let seconds = duration.as_secs_f64();
        if let Some(bucket) = BOUNDS.iter().position(|bound| seconds <= *bound) {
            self.buckets[bucket] += 1;
        }
        self.count += 1;
        self.sum += seconds;
    }
}

#[derive(Debug, Default)]
struct Counts {
    /// By path and status.
    requests: BTreeMap<(&'static str, u16), u64>,
    prompt_tokens: u64,
    generated_tokens: u64,
    /// By reason.
    choices: BTreeMap<&'static str, u64>,
    first_token: Histogram,
    token_gap: Histogram,
    whole: Histogram,
}

/// The counts so far.
#[derive(Debug, Default)]
pub struct Metrics(Mutex<Counts>);

impl Metrics {
    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request has got its status.
    pub fn request(&self, path: &'static str, status: u16) {
        *self.counts().requests.entry((path, status)).or_default() += 1;
    }

    /// Prompts of so many tokens were let in.
    pub fn prompts(&self, tokens: usize) {
        self.counts().prompt_tokens += tokens as u64;
    }

    /// A token came so long after its request, or after the token before it.
    pub fn token(&self, first: bool, after: Duration) {
        let mut counts = self.counts();
        counts.generated_tokens += 1;
        if first { counts.first_token.observe(after) } else { counts.token_gap.observe(after) }
    }

    /// A choice has ended.
    pub fn choice(&self, reason: &'static str) {
        *self.counts().choices.entry(reason).or_default() += 1;
    }

    /// A request that was let in has ended, one way or the other.
    pub fn whole(&self, took: Duration) {
        self.counts().whole.observe(took);
    }

    /// Choices that ended for this reason.
    pub fn choices(&self, reason: &str) -> u64 {
        self.counts().choices.get(reason).copied().unwrap_or(0)
    }

    /// Prometheus' text format.
    pub fn text(&self, load: Load, pages: usize) -> String {
        let counts = self.counts();
        let mut page = Page(String::new());
        let requests = counts.requests.iter();
        let requests = requests.map(|((path, status), n)| (format!("{{path=\"{path}\",status=\"{status}\"}}"), *n));
        page.family("requests_total", "counter", "Requests by path and status", requests);
        let choices = counts.choices.iter().map(|(reason, n)| (format!("{{reason=\"{reason}\"}}"), *n));
        page.family("choices_total", "counter", "Answers that have ended, by reason", choices);
        page.single("prompt_tokens_total", "counter", "Tokens of the prompts that were let in", counts.prompt_tokens);
        page.single("generated_tokens_total", "counter", "Tokens that were drawn", counts.generated_tokens);
        page.single("running", "gauge", "Texts that have a slot", load.running as u64);
        page.single("waiting", "gauge", "Texts in the queue", load.waiting as u64);
        page.single("pages_live", "gauge", "Pages that a text holds", load.live_pages as u64);
        page.single("pages_limit", "gauge", "Pages that there may be", pages as u64);
        page.single("cache_bytes", "gauge", "Bytes kept for keys and values", load.cache_bytes as u64);
        page.histogram("first_token_seconds", "From a request to its first token", &counts.first_token);
        page.histogram("token_gap_seconds", "Between two tokens of a text", &counts.token_gap);
        page.histogram("request_seconds", "From a request to its end", &counts.whole);
        page.0
    }
}

/// Lines of text; a `String` takes all that is written.
struct Page(String);

impl Page {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        self.0.write_fmt(line).unwrap_or_default();
        self.0.push('\n');
    }

    fn head(&mut self, name: &str, kind: &str, help: &str) {
        self.line(format_args!("# HELP tiny_llm_{name} {help}."));
        self.line(format_args!("# TYPE tiny_llm_{name} {kind}"));
    }

    fn family(&mut self, name: &str, kind: &str, help: &str, values: impl Iterator<Item = (String, u64)>) {
        self.head(name, kind, help);
        for (labels, value) in values {
            self.line(format_args!("tiny_llm_{name}{labels} {value}"));
        }
    }

    fn single(&mut self, name: &str, kind: &str, help: &str, value: u64) {
        self.family(name, kind, help, [(String::new(), value)].into_iter());
    }

    fn histogram(&mut self, name: &str, help: &str, histogram: &Histogram) {
        self.head(name, "histogram", help);
        let mut below = 0;
        for (bound, count) in BOUNDS.iter().zip(histogram.buckets) {
            below += count;
            self.line(format_args!("tiny_llm_{name}_bucket{{le=\"{bound}\"}} {below}"));
        }
        self.line(format_args!("tiny_llm_{name}_bucket{{le=\"+Inf\"}} {}", histogram.count));
        self.line(format_args!("tiny_llm_{name}_sum {}", histogram.sum));
        self.line(format_args!("tiny_llm_{name}_count {}", histogram.count));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_count_all_that_is_below_their_bound() {
        let metrics = Metrics::default();
        for millis in [4, 20, 20, 700, 60_000] {
            metrics.token(true, Duration::from_millis(millis));
        }
        metrics.request("/v1/completions", 200);
        let text = metrics.text(Load { live_pages: 3, ..Load::default() }, 64);
        for line in [
            "tiny_llm_first_token_seconds_bucket{le=\"0.005\"} 1",
            "tiny_llm_first_token_seconds_bucket{le=\"0.025\"} 3",
            "tiny_llm_first_token_seconds_bucket{le=\"1\"} 4",
            "tiny_llm_first_token_seconds_bucket{le=\"30\"} 4",
            "tiny_llm_first_token_seconds_bucket{le=\"+Inf\"} 5",
            "tiny_llm_first_token_seconds_count 5",
            "tiny_llm_generated_tokens_total 5",
            "tiny_llm_pages_live 3",
            "tiny_llm_requests_total{path=\"/v1/completions\",status=\"200\"} 1",
        ] {
            assert!(text.lines().any(|said| said == line), "{line} is not in\n{text}");
        }
    }
}
