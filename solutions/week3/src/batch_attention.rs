//! The attention of a Qwen3 layer for rows that stand at different places of different texts.
//!
//! In: the hidden states of the new tokens, (B, L, E), and the step that says where each row stands. Out: what every
//! token learned from its own text, (B, L, E). Rows share weights and nothing else.

use crate::{
    batch_cache::{BatchCache, Seen, Step},
    paged_attention::{attend_by_rows, attend_pages},
};
use kit::{Config, Result, Weights};
use mlx_rs::Array;
use week1::rms_norm::RMSNorm;
use week2::{dispatch::PathRule, kernels, operators::Linear, rung::Rung};

/// What the operators of Week 2 run on: all of its kernels.
pub const RUNG: Rung = Rung::HIGHEST;

/// Reads the linear layer `name`, in tiles for any number of rows.
///
/// The matvec of a lone row adds in another order than that of four. A tile
/// gives a row the same sums whatever stands beside it, so a text does not
/// depend on its neighbours.
pub fn load_linear(weights: &Weights<'_>, name: &str) -> Result<Linear> {
    let mut layer = Linear::load(weights, name, RUNG)?;
    if let Linear::Quantized(packed) = &mut layer {
        packed.rule = PathRule::Tiled;
    }
    Ok(layer)
}

/// The modules of one layer's attention, named like the checkpoint's.
#[derive(Debug, Clone)]
pub struct BatchAttention {
    /// E → H_q·D
    pub q_proj: Linear,
    /// E → H·D
    pub k_proj: Linear,
    /// E → H·D
    pub v_proj: Linear,
    /// H_q·D → E
    pub o_proj: Linear,
    /// (D,), shared by all query heads
    pub q_norm: RMSNorm,
    /// (D,), shared by all key heads
    pub k_norm: RMSNorm,
    /// D
    pub head_dim: i32,
    /// The base of the rotation's angles.
    pub rope_theta: f32,
}

impl BatchAttention {
    /// Reads one layer's attention; `weights` stands at `self_attn`.
    ///
    /// Errors: `Checkpoint` for a tensor that is missing.
    pub fn load(weights: &Weights<'_>, config: &Config) -> Result<Self> {
        let norm = |name| RMSNorm::new(weights.dense(name)?, config.rms_norm_eps);
        Ok(Self {
            q_proj: load_linear(weights, "q_proj")?,
            k_proj: load_linear(weights, "k_proj")?,
            v_proj: load_linear(weights, "v_proj")?,
            o_proj: load_linear(weights, "o_proj")?,
            q_norm: norm("q_norm")?,
            k_norm: norm("k_norm")?,
            head_dim: config.head_dim,
            rope_theta: config.rope_theta,
        })
    }

    /// `x` (B, L, E), the new tokens of the rows of `step` → (B, L, E). Keys,
    /// rotated by each row's own positions, and values go into `cache` as
    /// those of layer `layer`; a token sees itself and its own text before it.
    ///
    /// Errors: `Shape` and `Dtype` for an `x` that does not fit; as
    /// [`BatchCache::update`].
    pub fn forward(&self, x: &Array, layer: usize, step: &Step, cache: &mut dyn BatchCache) -> Result<Array> {
        // SOLUTION 3.1.3 self, x, layer, step, cache
        use kit::check_shape;
        use week2::operators::rms_norm;

        let (rows, length, width) = (step.slots.len() as i32, step.tokens, self.head_dim); // B, L, D
        check_shape("batch attention: x", x, "(B, L, E)", &[rows, length, self.q_proj.inputs()])?;
        let heads = |projection: &Linear| -> Result<Array> {
            Ok(projection.forward(x)?.reshape(&[rows, length, -1, width])?) // (B, L, heads, D)
        };
        let rotate = |x: &Array| kernels::rope(x, &step.positions, width, self.rope_theta, false);
        let q = rotate(&rms_norm(RUNG, &self.q_norm, &heads(&self.q_proj)?)?)?.swap_axes(1, 2)?; // (B, H_q, L, D)
        let k = rotate(&rms_norm(RUNG, &self.k_norm, &heads(&self.k_proj)?)?)?.swap_axes(1, 2)?; // (B, H, L, D)
        let v = heads(&self.v_proj)?.swap_axes(1, 2)?; // (B, H, L, D)
        let seen = cache.update(step, layer, &k, &v)?;
        let attended = attend(&q, &seen, step)?.swap_axes(1, 2)?; // (B, L, H_q, D)
        self.o_proj.forward(&attended.reshape(&[rows, length, -1])?) // (B, L, E)
        // END SOLUTION
    }
}

/// `query` (B, H_q, L, D) over what the rows of `step` see → (B, H_q, L, D). Errors: as the kernel.
pub fn attend(query: &Array, seen: &Seen, step: &Step) -> Result<Array> {
    let scale = 1.0 / (query.dim(-1) as f32).sqrt();
    let mask = match &step.mask {
        Some(mask) => kernels::Mask::Array(mask),
        None => kernels::Mask::Causal,
    };
    match seen {
        Seen::Dense(keys, values) => kernels::decode_attention(query, keys, values, mask, scale),
        Seen::Pages { keys, values, table, lens } => attend_pages(query, [keys, values], table, lens),
        Seen::ByRows(seen) => match &**seen {
            Seen::Pages { keys, values, table, lens } => attend_by_rows(query, [keys, values], table, lens),
            seen => attend(query, seen, step),
        },
    }
}
