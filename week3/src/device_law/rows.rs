//! What each row of a batch asks for, and the refusal of rows that have no law.

use kit::law::{History, SamplerConfig};
use kit::{ANY, Error, Result};
use mlx_rs::{Array, Dtype, transforms::eval};

/// The settings of one row, and what its completion holds so far.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// Checked settings.
    pub config: SamplerConfig,
    /// What the penalties see; `None` is the empty completion.
    pub history: Option<&'a History>,
}

impl Row<'_> {
    /// The number of tokens that may stay. A greedy row keeps one; outside 1..V top-k is off.
    pub(super) fn top_k(&self, vocabulary: usize) -> Option<usize> {
        if self.is_greedy() {
            return Some(1);
        }
        usize::try_from(self.config.top_k()).ok().filter(|k| (1..vocabulary).contains(k))
    }

    /// The mass of the nucleus. Off outside (0, 1), and for a greedy row, whose law is one token.
    pub(super) fn top_p(&self) -> Option<f64> {
        Some(self.config.top_p()).filter(|&p| p > 0.0 && p < 1.0 && !self.is_greedy())
    }

    /// A temperature that f32 can divide by.
    pub(super) fn divisor(&self) -> f32 {
        if self.is_greedy() {
            return 1.0;
        }
        (self.config.temperature() as f32).clamp(f32::MIN_POSITIVE, f32::MAX)
    }

    /// At temperature +inf every token is as likely as any other.
    pub(super) fn is_uniform(&self) -> bool {
        self.config.temperature() == f64::INFINITY
    }

    fn is_greedy(&self) -> bool {
        self.config.temperature() <= 0.0
    }
}

impl From<SamplerConfig> for Row<'_> {
    fn from(config: SamplerConfig) -> Self {
        Self { config, history: None }
    }
}

/// Errors: `Shape` unless (B, V), both at least 1; `Dtype`; `InvalidArgument` when there are not B settings.
pub(super) fn check_batch(logits: &Array, settings: usize) -> Result<()> {
    kit::check_shape("device law: logits", logits, "(B, V)", &[ANY, ANY])?;
    kit::check_float("device law: logits", logits)?;
    if logits.size() == 0 {
        let (expected, got) = ("(B, V), both at least 1".into(), format!("{:?}", logits.shape()));
        return Err(Error::Shape { op: "device law: logits".into(), expected, got });
    }
    if settings != logits.dim(0) as usize {
        let must = format!("be the number of rows of logits, {}", logits.dim(0));
        return Err(Error::InvalidArgument {
            name: "the number of settings".into(),
            value: settings.to_string(),
            must,
        });
    }
    Ok(())
}

/// Refuses what no token can be drawn from. `scores` (B, V) f32, after penalties; `uniform` says which of the B rows have
/// temperature +inf. Waits for the device.
///
/// Errors: `NonFinite` with the first row that holds NaN or +inf or nothing but -inf, or that holds -inf at temperature
/// +inf, where the limit depends on the way.
pub(super) fn refuse_rows(scores: &Array, uniform: &[bool]) -> Result<()> {
    let has_nan = scores.is_nan()?.any_axis(-1, false)?; // (B,)
    let best = scores.max_axis(-1, false)?; // (B,)
    let worst = match uniform.contains(&true) {
        true => scores.min_axis(-1, false)?, // (B,)
        false => best.clone(),
    };
    eval([&has_nan, &best, &worst])?;
    let (has_nan, best, worst) = (has_nan.as_slice::<bool>(), best.as_slice::<f32>(), worst.as_slice::<f32>());
    for (row, &is_uniform) in uniform.iter().enumerate() {
        let what = match best[row] {
            _ if has_nan[row] => "contains NaN",
            f32::INFINITY => "contains +inf",
            f32::NEG_INFINITY => "has no finite entry",
            _ if is_uniform && worst[row] == f32::NEG_INFINITY => "holds -inf, which has no limit at temperature inf",
            _ => continue,
        };
        return Err(Error::NonFinite { row, what: what.into() });
    }
    Ok(())
}

/// `array` without the rows that `places` does not name; as it is when all are named in order.
pub(super) fn chosen(array: &Array, places: &[usize]) -> Result<Array> {
    if places.len() == array.dim(0) as usize {
        return Ok(array.clone());
    }
    let places: Vec<u32> = places.iter().map(|&place| place as u32).collect();
    Ok(array.take_axis(Array::from_slice(&places, &[places.len() as i32]), 0)?)
}

/// f32 in rows, whatever float dtype and strides the logits have.
pub(super) fn single(logits: &Array) -> Result<Array> {
    Ok(logits.as_dtype(Dtype::Float32)?.contiguous()?)
}
