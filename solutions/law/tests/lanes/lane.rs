//! What a lane is: rows of logits in, laws, rankings and draws out.

use kit::law::{History, SamplerConfig, Uniforms};
use kit::testing::values;
use kit::{Error, Result};
use mlx_rs::Array;
use solution_law::device_law::{
    Row, apply_penalties_mlx, deterministic_mlx_top_k_support, mlx_distribution_from_logits, row_keys,
    sample_token_ids_from_mlx_logits,
};
use solution_law::{Chance, apply_penalties, deterministic_top_k_order, distribution_from_logits, softmax};

/// One row of a batch.
#[derive(Clone, PartialEq)]
pub struct Asked {
    pub logits: Vec<f32>,
    pub config: SamplerConfig,
    pub history: History,
}

impl Asked {
    pub fn new(logits: &[f32], config: SamplerConfig) -> Self {
        Self { logits: logits.to_vec(), config, history: History::default() }
    }
}

/// A program for the law. All rows of a batch have one length.
pub trait Lane {
    /// How far a probability may be from the exact one.
    const MARGIN: f64;

    /// The law of every row, dense.
    fn laws(&self, batch: &[Asked]) -> Result<Vec<Vec<f64>>>;
    /// The logits of every row after penalties.
    fn penalised(&self, batch: &[Asked]) -> Result<Vec<Vec<f64>>>;
    /// The ids of the `k` largest logits of every row, in order.
    fn ranked(&self, rows: &[Vec<f32>], k: usize) -> Result<Vec<Vec<usize>>>;
    /// One token for every row; the same seed gives the same tokens.
    fn draw(&self, batch: &[Asked], seed: u64) -> Result<Vec<usize>>;

    /// The law of one row.
    fn law(&self, logits: &[f32], config: SamplerConfig) -> Result<Vec<f64>> {
        Ok(self.laws(&[Asked::new(logits, config)])?.remove(0))
    }

    /// The tokens of one row with a positive probability, ids ascending.
    fn support(&self, logits: &[f32], config: SamplerConfig) -> Result<Vec<usize>> {
        let law = self.law(logits, config)?;
        Ok((0..law.len()).filter(|&id| law[id] > 0.0).collect())
    }

    /// `count` independent draws from one row.
    fn draws(&self, logits: &[f32], config: SamplerConfig, seed: u64, count: usize) -> Result<Vec<usize>> {
        self.draw(&vec![Asked::new(logits, config); count], seed)
    }
}

/// The f64 law.
pub struct Host;

/// The MLX lane, on the default device.
pub struct Device;

impl Lane for Host {
    const MARGIN: f64 = 1e-12;

    fn laws(&self, batch: &[Asked]) -> Result<Vec<Vec<f64>>> {
        each_row(batch, |asked| distribution_from_logits(&wide(&asked.logits), &asked.config, &asked.history))
    }

    fn penalised(&self, batch: &[Asked]) -> Result<Vec<Vec<f64>>> {
        each_row(batch, |Asked { logits, config, history }| {
            let (presence, frequency) = (config.presence_penalty(), config.frequency_penalty());
            Ok(apply_penalties(&wide(logits), history, presence, frequency)?.into_owned())
        })
    }

    fn ranked(&self, rows: &[Vec<f32>], k: usize) -> Result<Vec<Vec<usize>>> {
        each_row(rows, |row| {
            // A ranking knows no logits; the law looks at them first.
            softmax(&wide(row), 1.0)?;
            deterministic_top_k_order(&wide(row), k as i64)
        })
    }

    fn draw(&self, batch: &[Asked], seed: u64) -> Result<Vec<usize>> {
        let mut chance = Uniforms::seeded(seed);
        // Equal neighbours share a law, which is what takes time.
        let mut last: Option<(&Asked, Vec<f64>)> = None;
        each_row(batch, |asked| {
            let known = last.take().filter(|(of, _)| *of == asked);
            let law = match known {
                Some((_, law)) => law,
                None => distribution_from_logits(&wide(&asked.logits), &asked.config, &asked.history)?,
            };
            let id = chance.draw(&law);
            last = Some((asked, law));
            id
        })
    }
}

impl Lane for Device {
    const MARGIN: f64 = 2e-6;

    fn laws(&self, batch: &[Asked]) -> Result<Vec<Vec<f64>>> {
        let dense = mlx_distribution_from_logits(&logits(batch), &rows(batch))?.to_dense()?;
        split(&dense)
    }

    fn penalised(&self, batch: &[Asked]) -> Result<Vec<Vec<f64>>> {
        split(&apply_penalties_mlx(&logits(batch), &rows(batch))?)
    }

    fn ranked(&self, rows: &[Vec<f32>], k: usize) -> Result<Vec<Vec<usize>>> {
        let logits = Array::from_slice(&rows.concat(), &[rows.len() as i32, rows[0].len() as i32]);
        let ids = deterministic_mlx_top_k_support(&logits, k)?;
        Ok(split(&ids)?.into_iter().map(|row| row.into_iter().map(|id| id as usize).collect()).collect())
    }

    fn draw(&self, batch: &[Asked], seed: u64) -> Result<Vec<usize>> {
        let keys = row_keys(seed, batch.len())?;
        let tokens = sample_token_ids_from_mlx_logits(&logits(batch), &rows(batch), &keys)?;
        Ok(values(&tokens)?.into_iter().map(|id| id as usize).collect())
    }
}

/// The logits of a batch, (B, V) f32.
pub fn logits(batch: &[Asked]) -> Array {
    let all: Vec<f32> = batch.iter().flat_map(|asked| &asked.logits).copied().collect();
    Array::from_slice(&all, &[batch.len() as i32, batch[0].logits.len() as i32])
}

/// Settings and histories of a batch.
pub fn rows(batch: &[Asked]) -> Vec<Row<'_>> {
    batch.iter().map(|asked| Row { config: asked.config, history: Some(&asked.history) }).collect()
}

/// Log probabilities; 0 becomes -inf.
pub fn logs(probabilities: &[f64]) -> Vec<f32> {
    probabilities.iter().map(|p| p.ln() as f32).collect()
}

/// Settings without penalties.
pub fn config(temperature: f64, top_k: i64, top_p: f64) -> Result<SamplerConfig> {
    SamplerConfig::builder().temperature(temperature).top_k(top_k).top_p(top_p).build()
}

/// Panics unless every probability is within the lane's margin.
#[track_caller]
pub fn assert_law<L: Lane>(_: &L, what: &str, got: &[f64], expected: &[f64]) {
    assert_eq!(got.len(), expected.len(), "{what}: another vocabulary");
    for (id, (g, e)) in got.iter().zip(expected).enumerate() {
        assert!((g - e).abs() <= L::MARGIN, "{what}: id {id}\n  got      {got:?}\n  expected {expected:?}");
    }
}

pub fn wide(row: &[f32]) -> Vec<f64> {
    row.iter().map(|&z| f64::from(z)).collect()
}

fn split(array: &Array) -> Result<Vec<Vec<f64>>> {
    Ok(values(array)?.chunks(array.dim(1) as usize).map(wide).collect())
}

/// A function of one row, on a batch: the error names the row.
fn each_row<'a, T, R>(batch: &'a [T], mut each: impl FnMut(&'a T) -> Result<R>) -> Result<Vec<R>> {
    let named = |row: usize, error| match error {
        Error::NonFinite { what, .. } => Error::NonFinite { row, what },
        other => other,
    };
    batch.iter().enumerate().map(|(row, one)| each(one).map_err(|error| named(row, error))).collect()
}
