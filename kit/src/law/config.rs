//! The settings of the temper-first law, refused at the door.

use crate::{Error, Result};

/// Checked settings: whoever holds one need not look again.
///
/// ```
/// use kit::law::SamplerConfig;
/// let config = SamplerConfig::builder().temperature(0.3).top_p(0.9).top_k(5).build()?;
/// assert_eq!(config.presence_penalty(), 0.0);
/// assert!(SamplerConfig::builder().temperature(f64::NAN).build().is_err());
/// # Ok::<(), kit::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SamplerConfig {
    temperature: f64,
    top_p: f64,
    top_k: i64,
    presence_penalty: f64,
    frequency_penalty: f64,
}

impl SamplerConfig {
    /// Starts from the defaults: temperature 0.6, top_p 0.95, top_k 20, no penalties.
    pub fn builder() -> SamplerConfigBuilder {
        SamplerConfigBuilder(Self {
            temperature: 0.6,
            top_p: 0.95,
            top_k: 20,
            presence_penalty: 0.0,
            frequency_penalty: 0.0,
        })
    }

    /// Divides the logits. 0 and below is greedy; +inf is the uniform law.
    pub fn temperature(&self) -> f64 {
        self.temperature
    }

    /// The mass of the nucleus; off outside (0, 1).
    pub fn top_p(&self) -> f64 {
        self.top_p
    }

    /// How many tokens may stay; off at 0 and below, and from the vocabulary up.
    pub fn top_k(&self) -> i64 {
        self.top_k
    }

    /// Subtracted once from every token that the completion holds; read as the nearest value in [-2, 2].
    pub fn presence_penalty(&self) -> f64 {
        self.presence_penalty
    }

    /// Subtracted for every time that the completion holds a token; read as the nearest value in [-2, 2].
    pub fn frequency_penalty(&self) -> f64 {
        self.frequency_penalty
    }
}

/// The defaults of [`SamplerConfig::builder`].
impl Default for SamplerConfig {
    fn default() -> Self {
        Self::builder().0
    }
}

/// Settings on their way to a [`SamplerConfig`].
#[derive(Debug, Clone, Copy)]
pub struct SamplerConfigBuilder(SamplerConfig);

impl SamplerConfigBuilder {
    /// See [`SamplerConfig::temperature`].
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.0.temperature = temperature;
        self
    }

    /// See [`SamplerConfig::top_p`].
    pub fn top_p(mut self, top_p: f64) -> Self {
        self.0.top_p = top_p;
        self
    }

    /// See [`SamplerConfig::top_k`].
    pub fn top_k(mut self, top_k: i64) -> Self {
        self.0.top_k = top_k;
        self
    }

    /// See [`SamplerConfig::presence_penalty`].
    pub fn presence_penalty(mut self, penalty: f64) -> Self {
        self.0.presence_penalty = penalty;
        self
    }

    /// See [`SamplerConfig::frequency_penalty`].
    pub fn frequency_penalty(mut self, penalty: f64) -> Self {
        self.0.frequency_penalty = penalty;
        self
    }

    /// The checked settings. Errors: `InvalidArgument` for NaN in any of them.
    pub fn build(self) -> Result<SamplerConfig> {
        let SamplerConfig { temperature, top_p, presence_penalty, frequency_penalty, .. } = self.0;
        for (name, value) in [
            ("temperature", temperature),
            ("top_p", top_p),
            ("presence_penalty", presence_penalty),
            ("frequency_penalty", frequency_penalty),
        ] {
            refuse_nan(name, value)?;
        }
        Ok(self.0)
    }
}

/// Errors: `InvalidArgument` for NaN.
pub(super) fn refuse_nan(name: &str, value: f64) -> Result<()> {
    if value.is_nan() {
        return Err(Error::InvalidArgument { name: name.into(), value: "NaN".into(), must: "be a number".into() });
    }
    Ok(())
}
