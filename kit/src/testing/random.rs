//! Random inputs: the same seed gives the same arrays on every machine.

use mlx_rs::Array;
use rand::{Rng, SeedableRng, rngs::StdRng};
use std::ops::Range;

/// A source of random arrays.
pub struct Random {
    source: StdRng,
}

impl Random {
    /// A source that repeats for the same seed.
    pub fn new(seed: u64) -> Self {
        Self { source: StdRng::seed_from_u64(seed) }
    }

    /// Standard normal values, f32. Box and Muller's transform of two uniform values.
    pub fn normal(&mut self, shape: &[i32]) -> Array {
        let drawn = self.draw(shape, |source| {
            let radius = (-2.0 * (1.0 - source.random::<f64>()).ln()).sqrt();
            let angle = std::f64::consts::TAU * source.random::<f64>();
            (radius * angle.cos()) as f32
        });
        Array::from_slice(&drawn, shape)
    }

    /// Values of `[lo, hi)`, f32.
    pub fn uniform(&mut self, lo: f32, hi: f32, shape: &[i32]) -> Array {
        Array::from_slice(&self.draw(shape, |source| source.random_range(lo..hi)), shape)
    }

    /// Token ids below `bound`, u32.
    pub fn ids(&mut self, bound: u32, shape: &[i32]) -> Array {
        Array::from_slice(&self.draw(shape, |source| source.random_range(0..bound)), shape)
    }

    /// One integer of the range.
    pub fn int(&mut self, range: Range<i32>) -> i32 {
        self.source.random_range(range)
    }

    fn draw<T>(&mut self, shape: &[i32], draw: impl Fn(&mut StdRng) -> T) -> Vec<T> {
        let size = shape.iter().product::<i32>();
        (0..size).map(|_| draw(&mut self.source)).collect()
    }
}
