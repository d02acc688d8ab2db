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
    /// One row of logits to one token on the host.
    pub host_row: Duration,
    /// As many rows as a batch has, one after another.
    pub host_batch: Duration,
    /// A batch of rows to a batch of tokens on the device, the wait for them included.
    pub device_batch: Duration,
    /// How often each was measured.
    pub trials: usize,
}

/// Times both lanes at V = 151,936, T 0.7, k 50, p 0.95: host and device in turns, `trials` times after one round that is
/// not counted. Normal logits, σ = 3.
///
/// Errors: `InvalidArgument` for fewer than 5 trials, too few for a median.
pub fn run(trials: usize) -> Result<Measured> {
    if trials < 5 {
        let must = "be at least 5".into();
        return Err(Error::InvalidArgument { name: "trials".into(), value: trials.to_string(), must });
    }
    let config = SamplerConfig::builder().temperature(0.7).top_k(50).top_p(0.95).build()?;
    let logits = Random::new(1).normal(&[BATCH as i32, VOCABULARY]).multiply(Array::from_f32(3.0))?;
    let wide: Vec<f64> = values(&logits)?.into_iter().map(f64::from).collect();
    let rows: Vec<&[f64]> = wide.chunks(VOCABULARY as usize).collect();
    let (mut host, mut device) = (Vec::new(), Vec::new());
    for trial in 0..=trials {
        let start = Instant::now();
        let of_rows = rows.iter().map(|row| on_host(row, &config)).collect::<Result<Vec<_>>>()?;
        let took = start.elapsed();
        let on_device = on_device(&logits, config, trial as u64)?;
        // The first round warms caches and memory pools.
        if trial > 0 {
            host.push((took, median(of_rows)));
            device.push(on_device);
        }
    }
    Ok(Measured {
        host_row: median(host.iter().map(|(_, row)| *row).collect()),
        host_batch: median(host.into_iter().map(|(batch, _)| batch).collect()),
        device_batch: median(device),
        trials,
    })
}

fn on_host(row: &[f64], config: &SamplerConfig) -> Result<Duration> {
    let start = Instant::now();
    let law = distribution_from_logits(row, config, &History::default())?;
    sample_from_distribution(&law, 0.5)?;
    Ok(start.elapsed())
}

fn on_device(logits: &Array, config: SamplerConfig, seed: u64) -> Result<Duration> {
    let keys = row_keys(seed, BATCH)?;
    mlx_rs::transforms::eval(&keys)?;
    let start = Instant::now();
    let tokens = sample_token_ids_from_mlx_logits(logits, &[Row::from(config); BATCH], &keys)?;
    // Arrays are lazy: without this line nothing has been computed yet.
    tokens.eval()?;
    Ok(start.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

impl Measured {
    /// How many times faster the device answers a batch.
    pub fn ratio(&self) -> f64 {
        self.host_batch.as_secs_f64() / self.device_batch.as_secs_f64()
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        writeln!(f, "V = {VOCABULARY}, T 0.7, k 50, p 0.95; {} trials in turns, medians", self.trials)?;
        writeln!(f, "host law, one row             {:7.2} ms", ms(self.host_row))?;
        writeln!(f, "host law, {BATCH} rows            {:7.2} ms", ms(self.host_batch))?;
        writeln!(f, "device lane, batch {BATCH}, {:8}{:7.2} ms", mlx::device_name(), ms(self.device_batch))?;
        writeln!(f, "the device answers a batch {:.1} times as fast", self.ratio())
    }
}
