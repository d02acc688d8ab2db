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
        kit::stub!("2.2.1", values)
    }

    /// The value below which the share `p` of the samples lies.
    ///
    /// `p` 0 is the smallest, 1 the largest; in between, the place
    /// p·(n - 1) in the sorted list, on the straight line between its two
    /// neighbours.
    /// Errors: `InvalidArgument` about `p` outside 0..=1.
    pub fn quantile(&self, p: f64) -> Result<f64> {
        kit::stub!("2.2.1", self.sorted, p)
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
        kit::stub!("2.2.1", self.sorted, confidence)
    }
}
