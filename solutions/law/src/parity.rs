//! Host against device: the same rows under the same settings, and a table of how far they are apart.
//!
//! In: a number of rows. Out: for each temperature how many supports differ, how many of those lie within the stated
//! margins, and the largest difference of a probability.

use std::fmt;

use kit::law::{Distribution, History, SamplerConfig, SparseDistribution, deterministic_top_k_order, softmax};
use kit::testing::{Random, values};
use kit::{Error, Result};
use mlx_rs::{Array, Dtype};

use crate::device_law::{Row, host_sparse_distribution};
use crate::{apply_penalties, distribution_from_logits};

/// V of the random rows.
const VOCABULARY: usize = 2000;
/// Every temperature is tried with every pair of filters.
const TEMPERATURES: [f64; 4] = [0.1, 0.6, 1.0, 1.5];
/// top-k and top-p: neither, each alone, both with either of them the narrower.
const FILTERS: [(i64, f64); 5] = [(0, 1.0), (50, 1.0), (0, 0.9), (20, 0.95), (200, 0.5)];
/// Rows of one batch; every pass gives each of them another setting.
const BATCH: usize = TEMPERATURES.len() * FILTERS.len();

/// How near to p the mass before a token may be for the lanes to disagree about it.
pub const BOUNDARY: f64 = 1e-5;
/// How far the probabilities of one token may be apart.
pub const CLOSE: f64 = 2e-6;

/// What was compared, a line for each temperature.
pub struct Table {
    rows: usize,
    lines: Vec<Line>,
}

/// The rows of one temperature.
#[derive(Default, Clone)]
struct Line {
    laws: usize,
    /// Laws with another support.
    mismatches: usize,
    /// Of those: a token within [`BOUNDARY`] of p.
    boundary: usize,
    /// Of those: penalties made two logits equal in f32.
    ties: usize,
    /// Over the laws with one support.
    most: f64,
}

/// 250 times the rows of the promise: hours of work.
const MOST_ROWS: usize = 1_000_000;

/// Compares `rows` random rows, each under 20 settings.
///
/// V = 2,000, normal logits with σ from 0.5 to 6; of eight rows one has steps of 1/4, so that many are equal, one a third
/// masked with -inf, one comes in f16 and one in bf16; every second row has a history and penalties. The rows of a batch
/// have 20 different settings. Errors: `InvalidArgument` unless `rows` is a positive multiple of 20, at most a million.
pub fn run(rows: usize) -> Result<Table> {
    if rows == 0 || rows > MOST_ROWS || !rows.is_multiple_of(BATCH) {
        let must = format!("be a positive multiple of {BATCH}, at most {MOST_ROWS}");
        return Err(Error::InvalidArgument { name: "rows".into(), value: rows.to_string(), must });
    }
    let mut random = Random::new(2000);
    let mut lines = vec![Line::default(); TEMPERATURES.len()];
    for batch in 0..rows / BATCH {
        let (logits, dtype) = random_rows(&mut random, batch)?;
        let histories: Vec<History> = (0..BATCH).map(|_| random_history(&mut random)).collect::<Result<_>>()?;
        let on_device = logits.as_dtype(dtype)?;
        // Half precision rounds; the host gets the rounded logits.
        let on_host: Vec<f64> = values(&on_device)?.into_iter().map(f64::from).collect();
        for pass in 0..BATCH {
            let settings = (0..BATCH).map(|row| setting((row + pass) % BATCH, row)).collect::<Result<Vec<_>>>()?;
            let asked =
                settings.iter().zip(&histories).map(|(&config, history)| Row { config, history: Some(history) });
            let laws = host_sparse_distribution(&on_device, &asked.collect::<Vec<_>>())?;
            for (row, law) in laws.iter().enumerate() {
                let logits = &on_host[row * VOCABULARY..(row + 1) * VOCABULARY];
                let line = &mut lines[(row + pass) % BATCH / FILTERS.len()];
                compare(logits, &settings[row], &histories[row], law, line)?;
            }
        }
    }
    Ok(Table { rows, lines })
}

fn setting(number: usize, row: usize) -> Result<SamplerConfig> {
    let (top_k, top_p) = FILTERS[number % FILTERS.len()];
    let builder = SamplerConfig::builder().temperature(TEMPERATURES[number / FILTERS.len()]).top_k(top_k).top_p(top_p);
    match row % 2 {
        0 => builder.build(),
        _ => builder.presence_penalty(0.37).frequency_penalty(0.21).build(),
    }
}

/// (20, V) f32, and the dtype that the device gets.
fn random_rows(random: &mut Random, batch: usize) -> Result<(Array, Dtype)> {
    let sigma = [0.5, 1.0, 3.0, 6.0][(batch + batch / 8) % 4];
    let rows = random.normal(&[BATCH as i32, VOCABULARY as i32]).multiply(Array::from_f32(sigma))?;
    Ok(match batch % 8 {
        1 => (
            mlx_rs::ops::round(rows.multiply(Array::from_f32(4.0))?, None)?.divide(Array::from_f32(4.0))?,
            Dtype::Float32,
        ),
        2 => {
            let masked = random.uniform(0.0, 3.0, rows.shape()).lt(Array::from_f32(1.0))?;
            (mlx_rs::ops::select(masked, Array::from_f32(f32::NEG_INFINITY), rows)?, Dtype::Float32)
        }
        3 => (rows, Dtype::Float16),
        4 => (rows, Dtype::Bfloat16),
        _ => (rows, Dtype::Float32),
    })
}

/// A completion of 60 tokens, some of them more than once.
fn random_history(random: &mut Random) -> Result<History> {
    let ids = values(&random.ids(VOCABULARY as u32 / 10, &[60]))?;
    Ok(History::of(&ids.into_iter().map(|id| 10 * id as usize).collect::<Vec<_>>()))
}

/// Adds one law to the line.
fn compare(
    logits: &[f64],
    config: &SamplerConfig,
    history: &History,
    device: &SparseDistribution,
    line: &mut Line,
) -> Result<()> {
    let host = distribution_from_logits(logits, config, history)?;
    let listed: Vec<bool> = device.ids().iter().fold(vec![false; host.len()], |mut listed, &id| {
        listed[id] = true;
        listed
    });
    line.laws += 1;
    // A token that f32 lists with probability 0 is kept by both, whether f64 has a number for it or not.
    let missing: Vec<usize> = (0..host.len()).filter(|&id| host[id] > 0.0 && !listed[id]).collect();
    let extra: Vec<usize> = device.entries().filter(|&(id, p)| p > 0.0 && host[id] == 0.0).map(|(id, _)| id).collect();
    if missing.is_empty() && extra.is_empty() {
        line.most = device.entries().map(|(id, p)| (p - host[id]).abs()).fold(line.most, f64::max);
        return Ok(());
    }
    line.mismatches += 1;
    let penalised = apply_penalties(logits, history, config.presence_penalty(), config.frequency_penalty())?;
    let has_tie =
        |id: &usize, others: &[usize]| others.iter().any(|&other| single(&penalised, *id) == single(&penalised, other));
    let tempered = softmax(&penalised, config.temperature())?;
    let order = deterministic_top_k_order(&tempered, host.len() as i64)?;
    let mut before = 0.0;
    let mut near = Vec::new();
    for &id in &order {
        if (before - config.top_p()).abs() <= BOUNDARY {
            near.push(id);
        }
        before += tempered[id];
    }
    if missing.iter().chain(&extra).all(|id| near.contains(id)) {
        line.boundary += 1;
    } else if missing.iter().all(|id| has_tie(id, &extra)) && extra.iter().all(|id| has_tie(id, &missing)) {
        line.ties += 1;
    }
    Ok(())
}

/// A penalised logit as f32 has it.
fn single(penalised: &[f64], id: usize) -> f32 {
    penalised[id] as f32
}

impl Line {
    fn unexplained(&self) -> usize {
        self.mismatches - self.boundary - self.ties
    }
}

impl Table {
    /// Whether what is promised was seen: no support differs beyond the margins, no probability by more than [`CLOSE`].
    pub fn holds(&self) -> bool {
        self.lines.iter().all(|line| line.unexplained() == 0 && line.most <= CLOSE)
    }

    /// How many laws were compared.
    pub fn laws(&self) -> usize {
        self.lines.iter().map(|line| line.laws).sum()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "host f64 against device f32 ({}): {} rows, V = {VOCABULARY}, 20 settings",
            kit::mlx::device_name(),
            self.rows
        )?;
        writeln!(
            f,
            "{:>5}{:>9}{:>20}{:>15}{:>9}{:>8}{:>11}",
            "T", "laws", "supports differ", "within 1e-5", "f32 tie", "beyond", "max |Δp|"
        )?;
        for (temperature, line) in TEMPERATURES.iter().zip(&self.lines) {
            let Line { laws, mismatches, boundary, ties, most } = line;
            let beyond = line.unexplained();
            writeln!(f, "{temperature:>5}{laws:>9}{mismatches:>20}{boundary:>15}{ties:>9}{beyond:>8}{most:>11.1e}")?;
        }
        let verdict = if self.holds() { "holds" } else { "is broken" };
        writeln!(f, "The promise {verdict}: no support differs beyond the margins, |Δp| ≤ {CLOSE:e}.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One law of three tokens against a device law that is made up.
    fn compared(probabilities: [f64; 3], ids: &[usize], weights: &[f64], config: SamplerConfig) -> Result<Line> {
        let logits = probabilities.map(f64::ln);
        let device = SparseDistribution::new(ids.to_vec(), weights.to_vec(), 3)?;
        let mut line = Line::default();
        compare(&logits, &config, &History::default(), &device, &mut line)?;
        Ok(line)
    }

    fn at(top_k: i64, top_p: f64) -> Result<SamplerConfig> {
        SamplerConfig::builder().temperature(1.0).top_k(top_k).top_p(top_p).build()
    }

    fn holds(line: Line) -> bool {
        Table { rows: 1, lines: vec![line] }.holds()
    }

    #[test]
    fn a_probability_that_is_off_breaks_the_promise() -> Result<()> {
        assert!(holds(compared([0.5, 0.3, 0.2], &[0, 1], &[0.625, 0.375], at(2, 1.0)?)?));
        assert!(!holds(compared([0.5, 0.3, 0.2], &[0, 1], &[0.625 + 1e-5, 0.375], at(2, 1.0)?)?));
        Ok(())
    }

    #[test]
    fn another_support_breaks_the_promise() -> Result<()> {
        for (ids, weights) in [(&[0][..], &[1.0][..]), (&[0, 2], &[0.6, 0.4]), (&[0, 1, 2], &[0.5, 0.3, 0.2])] {
            let line = compared([0.5, 0.3, 0.2], ids, weights, at(2, 1.0)?)?;
            assert_eq!((line.mismatches, line.unexplained()), (1, 1), "{ids:?}");
            assert!(!holds(line));
        }
        Ok(())
    }

    #[test]
    fn the_margins_excuse_what_is_within_them() -> Result<()> {
        // The mass before token 1 is .5: the host keeps it at p = .500001, the device may drop it.
        let line = compared([0.5, 0.3, 0.2], &[0], &[1.0], at(0, 0.500001)?)?;
        assert_eq!((line.mismatches, line.boundary, line.unexplained()), (1, 1, 0));
        let line = compared([0.5, 0.3, 0.2], &[0], &[1.0], at(0, 0.5001)?)?;
        assert_eq!((line.boundary, line.unexplained()), (0, 1), "1e-4 is no margin");
        // Two logits that are one in f32, exchanged.
        let line = compared([0.3, 0.3 * (1.0 + 1e-12), 0.2], &[0], &[1.0], at(1, 1.0)?)?;
        assert_eq!((line.mismatches, line.ties, line.unexplained()), (1, 1, 0));
        Ok(())
    }

    #[test]
    fn twenty_rows_at_a_time() {
        for rows in [0, 19, 21, 1_000_020, usize::MAX - 15] {
            kit::testing::expect_invalid_argument(run(rows), "rows");
        }
    }
}
