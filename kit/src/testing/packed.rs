//! Packed weights: random ones, and what products with them must give.

use mlx_rs::{Array, Dtype, ops};

use super::Random;
use crate::Result;

/// A packed weight of K rows and N columns.
pub struct PackedWeight {
    /// (K, N/8) u32, eight codes a word
    pub weight: Array,
    /// (K, N/group)
    pub scales: Array,
    /// (K, N/group)
    pub biases: Array,
    /// Values of a row that share a scale and a bias.
    pub group: i32,
}

impl PackedWeight {
    /// Every code, scales of both signs, biases near the middle of the codes, as a quantised model has them.
    pub fn random(random: &mut Random, outputs: i32, inputs: i32, group: i32, dtype: Dtype) -> Result<Self> {
        let parameters = [outputs, inputs / group];
        let scales = ops::multiply(random.uniform(0.01, 0.03, &parameters), signs(random, &parameters)?)?;
        let biases =
            ops::add(ops::multiply(&scales, Array::from_f32(-7.5))?, random.uniform(-0.02, 0.02, &parameters))?;
        let weight = random.ids(u32::MAX, &[outputs, inputs / 8]);
        Ok(Self { weight, scales: scales.as_dtype(dtype)?, biases: biases.as_dtype(dtype)?, group })
    }

    /// MLX's own operator in f32, rounded to the dtype of x.
    pub fn oracle(&self, x: &Array) -> Result<Array> {
        let [x32, scales, biases] = [x, &self.scales, &self.biases].map(|array| array.as_dtype(Dtype::Float32));
        let product = ops::quantized_matmul(x32?, &self.weight, scales?, &biases?, true, self.group, 4)?;
        Ok(product.as_dtype(x.dtype())?)
    }
}

fn signs(random: &mut Random, shape: &[i32]) -> Result<Array> {
    let bits = random.ids(2, shape).as_dtype(Dtype::Float32)?;
    Ok(ops::subtract(ops::multiply(bits, Array::from_f32(2.0))?, Array::from_f32(1.0))?)
}

/// A packed weight for each expert.
pub struct PackedExperts {
    /// (X, K, N/8) u32
    pub weight: Array,
    /// (X, K, N/group)
    pub scales: Array,
    /// (X, K, N/group)
    pub biases: Array,
    /// Values of a row that share a scale and a bias.
    pub group: i32,
}

impl PackedExperts {
    /// Every code, scales of both signs; `[experts, outputs, groups, group]`.
    pub fn random(random: &mut Random, [experts, outputs, groups, group]: [i32; 4], dtype: Dtype) -> Result<Self> {
        Ok(Self {
            weight: random.ids(u32::MAX, &[experts, outputs, groups * group / 8]),
            scales: random.uniform(-0.05, 0.05, &[experts, outputs, groups]).as_dtype(dtype)?,
            biases: random.uniform(-0.3, 0.3, &[experts, outputs, groups]).as_dtype(dtype)?,
            group,
        })
    }

    /// The rows of `x`, each times the weight of its expert: MLX's own operator in f32, rounded to the dtype of `x`.
    pub fn oracle(&self, x: &Array, ids: &[u32]) -> Result<Array> {
        let wide = |array: &Array| array.as_dtype(Dtype::Float32);
        let one = |array: &Array, id: u32| array.take_axis(Array::from_slice(&[id], &[1]), 0)?.squeeze_axes(&[0]);
        let x32 = wide(x)?;
        let mut rows = Vec::new();
        for (row, &id) in ops::split_equal(&x32, ids.len() as i32, 0)?.iter().zip(ids) {
            let (weight, scales, biases) = (one(&self.weight, id)?, one(&self.scales, id)?, one(&self.biases, id)?);
            rows.push(ops::quantized_matmul(row, &weight, wide(&scales)?, &wide(&biases)?, true, self.group, 4)?);
        }
        Ok(ops::concatenate(&rows, 0)?.as_dtype(x.dtype())?)
    }
}
