//! A load test: a crowd in, a verdict out.

use kit::{Error, Result};
use solution_serve::{
    load_test::{Crowd, run},
    server::Ended,
};
use std::{
    net::SocketAddr,
    process::ExitCode,
    time::{Duration, Instant},
};

/// Memory may grow so much after the first third, in MiB: what fragments and buffers come to.
const GROWTH: f64 = 64.0;

/// What the crowd saw and what it took.
pub struct LoadReport {
    crowd: Crowd,
    seconds: f64,
    /// MiB of this program after a third of the time, and at the end; `None` where the system does not say.
    memory: Option<(f64, f64)>,
}

impl LoadReport {
    /// Lets the clients ask, on threads of their own. Errors: threads that cannot be waited for.
    pub async fn begin(address: SocketAddr, model: String, clients: usize, seconds: u64) -> Result<Self> {
        let work = move || {
            let (began, third) = (Instant::now(), Duration::from_secs(seconds) / 3);
            let mut crowd = run(address, &model, clients, third);
            let before = resident();
            crowd.add(run(address, &model, clients, Duration::from_secs(seconds) - third));
            crowd.first.sort();
            Self { crowd, seconds: began.elapsed().as_secs_f64(), memory: before.zip(resident()) }
        };
        tokio::task::spawn_blocking(work).await.map_err(|e| Error::Other(format!("the clients have failed: {e}")))
    }

    /// Prints the verdict; the exit code is 1 for a complaint, a page that is left, or memory that grows.
    pub fn shown(self, ended: Ended) -> Result<ExitCode> {
        let Crowd { answers, left, refused, later, tokens, complaints, .. } = &self.crowd;
        println!("{answers} answers, {tokens} tokens, {:.1} tokens/s", *tokens as f64 / self.seconds);
        println!("{left} left early, {refused} bad bodies refused, {later} asked to come back (429)");
        let (half, most) = (self.crowd.within(50), self.crowd.within(95));
        println!(
            "first piece within {:.2} s for half of the streams, {:.2} s for 95%",
            half.as_secs_f64(),
            most.as_secs_f64()
        );
        if let Some((before, after)) = self.memory {
            println!("memory {before:.0} MiB after a third, {after:.0} MiB at the end");
        }
        println!("{} complaints, {} pages live after", complaints.len(), ended.live_pages);
        complaints.iter().take(5).for_each(|complaint| println!("  {complaint}"));
        let grew = self.memory.is_some_and(|(before, after)| after - before > GROWTH);
        let fine = complaints.is_empty() && ended.live_pages == 0 && *answers > 0 && !grew;
        Ok(if fine { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }
}

/// MiB that this program holds.
fn resident() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse::<f64>().ok().map(|kib| kib / 1024.0)
}
