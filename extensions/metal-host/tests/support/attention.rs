//! Attention as plain loops in f64.

/// Sizes of an attention; keys and values have `groups` heads, which divide `heads`.
#[derive(Clone, Copy)]
pub struct Shape {
    pub heads: usize,
    pub groups: usize,
    pub queries: usize,
    pub keys: usize,
    pub width: usize,
    pub causal: bool,
}

impl Shape {
    pub fn scale(&self) -> f32 {
        1.0 / (self.width as f32).sqrt()
    }

    /// q (heads, queries, width), k and v (groups, keys, width); the last query sees all keys where it is causal.
    pub fn attend(&self, q: &[f32], k: &[f32], v: &[f32]) -> Vec<f64> {
        let d = self.width;
        let mut out = Vec::with_capacity(q.len());
        for h in 0..self.heads {
            let g = h / (self.heads / self.groups);
            let of = |x: &'_ [f32], t: usize| -> Vec<f64> {
                x[(g * self.keys + t) * d..][..d].iter().map(|&v| f64::from(v)).collect()
            };
            for t in 0..self.queries {
                let query = &q[(h * self.queries + t) * d..][..d];
                let seen = if self.causal { self.keys - self.queries + t + 1 } else { self.keys };
                let score = |s: usize| -> f64 {
                    let dot: f64 = query.iter().zip(of(k, s)).map(|(&a, b)| f64::from(a) * b).sum();
                    dot * f64::from(self.scale())
                };
                let scores: Vec<f64> = (0..seen).map(score).collect();
                let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let weights: Vec<f64> = scores.iter().map(|s| (s - largest).exp()).collect();
                let total: f64 = weights.iter().sum();
                let mut sum = vec![0.0; d];
                for (s, weight) in weights.iter().enumerate() {
                    sum.iter_mut().zip(of(v, s)).for_each(|(o, value)| *o += weight / total * value);
                }
                out.extend(sum);
            }
        }
        out
    }
}
