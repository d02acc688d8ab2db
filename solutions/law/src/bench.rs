//! How long a row takes: the law on the host against a batch on the device, measured in turns.

use std::fmt;
use std::time::{Duration, Instant};

use kit::law::{History, SamplerConfig};
use kit::testing::{Random, values};
use kit::{Error, Result, mlx};
use mlx_rs::Array;

use crate::device_law::{Row, row_keys, sample_token_ids_from_mlx_logits};
use crate::{distribution_from_logits, sample_from_distribution};

/// The vocabulary of Qwen3.
pub const VOCABULARY: i32 = 151_936;
/// Rows of a batch.
pub const BATCH: usize = 8;

/// Medians over the trials.
pub struct Measured {
    /// With a nucleus, and with top-k alone.
    settings: [(&'static str, Times); 2],
    /// `exp` of a batch of whole rows, on the device.
    exponentials: Duration,
    trials: usize,
}

/// What one setting takes.
pub struct Times {
    /// One row of logits to one token on the host.
    pub host_row: Duration,
    /// The least that such a row took, when nothing else wanted the processor.
    pub fastest_row: Duration,
    /// As many rows as a batch has, one after another.
    pub host_batch: Duration,
    /// A batch of rows to a batch of tokens on the device, the wait for them included.
    pub device_batch: Duration,
}

/// Times both lanes at V = 151,936, T 0.7, k 50, with p 0.95 and without: host and device in turns, `trials` times after
/// one round that is not counted. Normal logits, σ = 3.
///
/// Errors: `InvalidArgument` for fewer than 5 trials, too few for a median, and for more than 10,000.
pub fn run(trials: usize) -> Result<Measured> {
    if !(5..=10_000).contains(&trials) {
        let must = "be from 5 to 10000".into();
        return Err(Error::InvalidArgument { name: "trials".into(), value: trials.to_string(), must });
    }
    let logits = Random::new(1).normal(&[BATCH as i32, VOCABULARY]).multiply(Array::from_f32(3.0))?;
    let wide: Vec<f64> = values(&logits)?.into_iter().map(f64::from).collect();
    let timed = |top_p| times(&logits, &wide, top_p, trials);
    let settings = [("T 0.7, k 50, p 0.95", timed(0.95)?), ("T 0.7, k 50", timed(1.0)?)];
    let exponentials = (0..=trials).map(|_| elapsed(|| Ok(logits.exp()?.eval()?))).collect::<Result<_>>()?;
    Ok(Measured { settings, exponentials: median(exponentials), trials })
}

fn times(logits: &Array, wide: &[f64], top_p: f64, trials: usize) -> Result<Times> {
    let config = SamplerConfig::builder().temperature(0.7).top_k(50).top_p(top_p).build()?;
    let (mut rows, mut host, mut device) = (Vec::new(), Vec::new(), Vec::new());
    for trial in 0..=trials {
        let of_rows = wide.chunks(VOCABULARY as usize).map(|row| elapsed(|| on_host(row, &config)));
        let of_rows = of_rows.collect::<Result<Vec<_>>>()?;
        let keys = row_keys(trial as u64, BATCH)?;
        mlx_rs::transforms::eval(&keys)?;
        let on_device = elapsed(|| on_device(logits, config, &keys))?;
        // The first round warms caches and memory pools.
        if trial > 0 {
            host.push(of_rows.iter().sum());
            rows.extend(of_rows);
            device.push(on_device);
        }
    }
    let fastest_row = rows.iter().copied().min().unwrap_or_default();
    Ok(Times { host_row: median(rows), fastest_row, host_batch: median(host), device_batch: median(device) })
}

fn on_host(row: &[f64], config: &SamplerConfig) -> Result<()> {
    let law = distribution_from_logits(row, config, &History::default())?;
    sample_from_distribution(&law, 0.5)?;
    Ok(())
}

fn on_device(logits: &Array, config: SamplerConfig, keys: &[Array]) -> Result<()> {
    let tokens = sample_token_ids_from_mlx_logits(logits, &[Row::from(config); BATCH], keys)?;
    // Arrays are lazy: without this line nothing has been computed yet.
    Ok(tokens.eval()?)
}

fn elapsed(work: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

impl Measured {
    /// The setting with a nucleus.
    pub fn with_nucleus(&self) -> &Times {
        &self.settings[0].1
    }
}

impl Times {
    /// How many times faster the device answers a batch.
    pub fn ratio(&self) -> f64 {
        self.host_batch.as_secs_f64() / self.device_batch.as_secs_f64()
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |time: &Duration| time.as_secs_f64() * 1e3;
        writeln!(f, "V = {VOCABULARY}, logits to tokens, medians of {} trials in turns", self.trials)?;
        writeln!(f, "device: {}", mlx::device_name())?;
        let heads = ["host, 1 row", "fastest", "host, 8", "device, 8"];
        let heads = heads.map(|head| format!("{head:>12}")).concat();
        writeln!(f, "{:20}{heads}{:>7}", "", "ratio")?;
        for (name, times) in &self.settings {
            let Times { host_row, fastest_row, host_batch, device_batch } = times;
            let columns = [host_row, fastest_row, host_batch, device_batch];
            let columns = columns.map(|time| format!("{:>9.2} ms", ms(time))).concat();
            writeln!(f, "{name:20}{columns}{:>7.1}", times.ratio())?;
        }
        let share = ms(&self.exponentials);
        writeln!(f, "A nucleus needs the exponential of every logit: of 8 rows {share:.2} ms on this device.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_five_is_the_median() {
        let times = [9, 1, 3, 2, 8].map(Duration::from_millis);
        assert_eq!(median(times.to_vec()), Duration::from_millis(3));
    }

    #[test]
    fn too_few_trials_are_refused() {
        kit::testing::expect_invalid_argument(run(4), "trials");
    }
}
