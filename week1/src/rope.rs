//! Rotary position embedding: a query and a key meet at an angle that depends on how far apart they stand.
//!
//! In: queries or keys (B, L, H, D), before attention. Out: the same shape and dtype, every pair of features rotated by
//! position x frequency, as in Su et al., "RoFormer". The cos and sin tables are made when first needed and are shared
//! by all clones, so that every layer of a model reads one pair of tables.

use kit::Result;
use mlx_rs::Array;
use std::sync::{Arc, Mutex};

/// Positions run from 0 to this number - 1.
///
/// An f32 angle of that size is still right to about 0.1 radian.
pub const MAX_POSITIONS: i32 = 1 << 20;

/// cos and sin of position x frequency. Clones share what has been made.
#[derive(Debug, Clone)]
pub struct RotationTables {
    /// Radians a position, one for each pair of features: (dims/2,).
    pub frequencies: Vec<f32>,
    made: Arc<Mutex<Option<(Array, Array)>>>,
}

impl RotationTables {
    /// Prepares the frequencies `base^(-2i / dims)`, i from 0 to dims/2 - 1.
    ///
    /// No table is made yet.
    /// Errors: `InvalidArgument` about `dims` unless even and at least 2,
    /// about `base` unless positive and finite.
    pub fn new(dims: i32, base: f32) -> Result<Self> {
        kit::stub!("1.2.1", dims, base)
    }

    /// The tables (cos, sin), each (P, dims/2) in f32 with P >= `positions`.
    ///
    /// Made on the first call and again only when they are too short; then
    /// P is a power of two, so that a growing text rarely pays for it.
    /// Errors: `InvalidArgument` about `positions` outside
    /// 0..=[`MAX_POSITIONS`].
    pub fn up_to(&self, positions: i32) -> Result<(Array, Array)> {
        kit::stub!("1.2.1", self, positions)
    }

    /// How many positions the tables hold by now, for all clones.
    pub fn positions_made(&self) -> i32 {
        let made = self.made.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        made.as_ref().map_or(0, |(cos, _)| cos.dim(0))
    }
}

/// Rotates every pair of features (a, b) to (a cos - b sin, b cos + a sin).
///
/// `x` (.., C); `cos` and `sin` f32, broadcasting to (.., C/2). Pair i is
/// `(x[2i], x[2i+1])` when `traditional`, else `(x[i], x[i + C/2])`.
/// Computed in f32, returned in the dtype of `x`.
/// Errors: `Shape` for an odd C or tables that do not fit; `Dtype`.
pub fn rotate(x: &Array, cos: &Array, sin: &Array, traditional: bool) -> Result<Array> {
    kit::stub!("1.2.2", x, cos, sin, traditional)
}

/// The position of the first token in every row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offset<'a> {
    /// Every row starts at position 0.
    None,
    /// Every row starts at this position.
    One(i32),
    /// Row b starts at position b of this list, one entry a row.
    PerRow(&'a [i32]),
}

/// Rotary position embedding of the first `dims` features of a head.
#[derive(Debug, Clone)]
pub struct RoPE {
    /// The tables; all clones of this value share them.
    pub tables: RotationTables,
    /// How many features of a head rotate.
    pub dims: i32,
    /// Pair i turns by `base^(-2i / dims)` radians a position.
    pub base: f32,
    /// Whether a pair is two neighbours or two members half a head apart.
    pub traditional: bool,
}

impl RoPE {
    /// `dims` features rotate; `traditional` pairs neighbours (Qwen3: false).
    ///
    /// Errors: as [`RotationTables::new`].
    pub fn new(dims: i32, base: f32, traditional: bool) -> Result<Self> {
        Ok(Self { tables: RotationTables::new(dims, base)?, dims, base, traditional })
    }

    /// Rotates `x` (B, L, H, D), whose token l stands at `offset` + l.
    ///
    /// Features from `dims` to D pass unchanged. Returns the shape and
    /// dtype of `x`.
    /// Errors: `Shape` unless (B, L, H, D) with D >= `dims`; `Dtype`;
    /// `InvalidArgument` about `offset` for a negative position, one beyond
    /// [`MAX_POSITIONS`] - 1, or a list that is not B long.
    pub fn forward(&self, x: &Array, offset: Offset<'_>) -> Result<Array> {
        kit::stub!("1.2.3", self, x, offset)
    }
}
