//! Numbers from repeated measurements, and what may be said about them.
//!
//! In: the values of one quantity, one a trial. Out: the middle, the spread, and an interval that holds the true median
//! with a stated probability, whatever the law of the noise.

use kit::Result;

/// Measured values, at least one, all finite, in rising order.
#[derive(Debug, Clone, PartialEq)]
pub struct Samples {
    /// In rising order.
    pub sorted: Vec<f64>,
}

/// Where the true median lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// A measured value.
    pub low: f64,
    /// A measured value.
    pub high: f64,
    /// The probability that the median lies between them, at least the one
    /// that was asked for.
    pub coverage: f64,
}

impl Samples {
    /// Sorts `values`.
    ///
    /// Errors: `InvalidArgument` about `values` for an empty list, and with
    /// the first that is NaN or infinite.
    pub fn new(values: &[f64]) -> Result<Self> {
        // SOLUTION 2.2.1 values
        use kit::Error;

        let refused =
            |value: String, must: &str| Err(Error::InvalidArgument { name: "values".into(), value, must: must.into() });
        if values.is_empty() {
            return refused("empty".into(), "hold at least one measurement");
        }
        if let Some(value) = values.iter().find(|value| !value.is_finite()) {
            return refused(format!("a list with {value}"), "hold finite numbers");
        }
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        Ok(Self { sorted })
        // END SOLUTION
    }

    /// The value below which the share `p` of the samples lies.
    ///
    /// `p` 0 is the smallest, 1 the largest; in between, the place
    /// p·(n - 1) in the sorted list, on the straight line between its two
    /// neighbours.
    /// Errors: `InvalidArgument` about `p` outside 0..=1.
    pub fn quantile(&self, p: f64) -> Result<f64> {
        // SOLUTION 2.2.1 self.sorted, p
        use kit::Error;

        if !(0.0..=1.0).contains(&p) {
            let must = "be between 0 and 1".into();
            return Err(Error::InvalidArgument { name: "p".into(), value: p.to_string(), must });
        }
        let place = p * (self.sorted.len() - 1) as f64;
        let (below, above) = (self.sorted[place.floor() as usize], self.sorted[place.ceil() as usize]);
        Ok(below + (above - below) * place.fract())
        // END SOLUTION
    }

    /// The middle: half of the samples lie on either side.
    pub fn median(&self) -> Result<f64> {
        self.quantile(0.5)
    }

    /// How far the middle half of the samples reaches, in their unit: the
    /// quantile 0.75 minus the quantile 0.25.
    pub fn spread(&self) -> Result<f64> {
        Ok(self.quantile(0.75)? - self.quantile(0.25)?)
    }

    /// The r-th smallest and the r-th largest sample, with the largest r
    /// whose interval holds the true median with at least `confidence`.
    ///
    /// A sample falls below the median with probability 1/2, so the interval
    /// misses with 2·P(K < r), K the number of heads of n fair coins.
    /// Errors: `InvalidArgument` about `confidence` unless inside (0, 1), and
    /// where even r = 1 is not enough, with the number of samples it needs.
    pub fn median_interval(&self, confidence: f64) -> Result<Interval> {
        // SOLUTION 2.2.1 self.sorted, confidence
        use kit::Error;

        let refused = |must: String| {
            Err(Error::InvalidArgument { name: "confidence".into(), value: confidence.to_string(), must })
        };
        if !(confidence > 0.0 && confidence < 1.0) {
            return refused("lie between 0 and 1".into());
        }
        let n = self.sorted.len();
        // P(K = k) by its logarithm: 0.5^n itself is 0 in f64 beyond some 1,000 samples.
        let mut log_heads = -(n as f64) * std::f64::consts::LN_2; // k = 0
        let (mut missed, mut best) = (0.0, None);
        for r in 1..=n.div_ceil(2) {
            missed += 2.0 * log_heads.exp();
            if 1.0 - missed < confidence {
                break;
            }
            best = Some(Interval { low: self.sorted[r - 1], high: self.sorted[n - r], coverage: 1.0 - missed });
            log_heads += ((n + 1 - r) as f64 / r as f64).ln();
        }
        let needed = (1.0 - (1.0 - confidence).log2()).ceil();
        best.map_or_else(|| refused(format!("be lower for {n} samples, or the samples be at least {needed}")), Ok)
        // END SOLUTION
    }
}
