//! 4-bit weights: w is about scale * q + bias, for groups of columns.

use super::{BF16, Format};

pub struct Weights {
    /// Eight codes a number, the lowest bits first.
    pub packed: Vec<u32>,
    /// bfloat16 by their bits.
    pub scales: Vec<u16>,
    pub biases: Vec<u16>,
    /// What the codes stand for.
    pub values: Vec<f32>,
}

impl Weights {
    /// Quantizes rows of `width` numbers in groups of `group`.
    pub fn of(weights: &[f32], width: usize, group: usize) -> Self {
        assert_eq!(width % group, 0);
        let mut w = Weights { packed: Vec::new(), scales: Vec::new(), biases: Vec::new(), values: Vec::new() };
        let mut codes = Vec::new();
        for numbers in weights.chunks(group) {
            let low = numbers.iter().copied().fold(f32::INFINITY, f32::min);
            let high = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let (scale, bias) = (BF16::bits((high - low) / 15.0), BF16::bits(low));
            let (s, b) = (BF16::value(scale), BF16::value(bias));
            for &number in numbers {
                let code = ((number - b) / s).round().clamp(0.0, 15.0);
                codes.push(code as u32);
                w.values.push(code * s + b);
            }
            w.scales.push(scale);
            w.biases.push(bias);
        }
        w.packed =
            codes.chunks(8).map(|c| c.iter().enumerate().fold(0, |word, (i, code)| word | code << (4 * i))).collect();
        w
    }
}
