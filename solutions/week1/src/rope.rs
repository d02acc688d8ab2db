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
        // SOLUTION 1.2.1 dims, base
        use kit::Error;

        if dims < 2 || dims % 2 != 0 {
            let must = "be even and at least 2".to_string();
            return Err(Error::InvalidArgument { name: "dims".into(), value: dims.to_string(), must });
        }
        if !(base > 0.0 && base.is_finite()) {
            let must = "be positive and finite".to_string();
            return Err(Error::InvalidArgument { name: "base".into(), value: base.to_string(), must });
        }
        let exponent = |i: i32| -2.0 * f64::from(i) / f64::from(dims);
        let frequencies = (0..dims / 2).map(|i| f64::from(base).powf(exponent(i)) as f32).collect();
        Ok(Self { frequencies, made: Arc::default() })
        // END SOLUTION
    }

    /// The tables (cos, sin), each (P, dims/2) in f32 with P >= `positions`.
    ///
    /// Made on the first call and again only when they are too short; then
    /// P is a power of two, so that a growing text rarely pays for it.
    /// Errors: `InvalidArgument` about `positions` outside
    /// 0..=[`MAX_POSITIONS`].
    pub fn up_to(&self, positions: i32) -> Result<(Array, Array)> {
        // SOLUTION 1.2.1 self, positions
        use kit::Error;
        use mlx_rs::{ops, transforms};
        use std::sync::PoisonError;

        if !(0..=MAX_POSITIONS).contains(&positions) {
            let must = format!("be between 0 and {MAX_POSITIONS}");
            return Err(Error::InvalidArgument { name: "positions".into(), value: positions.to_string(), must });
        }
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        match &*made {
            Some((cos, sin)) if cos.dim(0) >= positions => Ok((cos.clone(), sin.clone())),
            _ => {
                let length = (positions as u32).next_power_of_two() as i32; // P
                let position = ops::arange::<_, f32>(0, length, 1)?.expand_dims(1)?; // (P, 1)
                let frequency = Array::from_slice(&self.frequencies, &[1, self.frequencies.len() as i32]);
                let angle = position.multiply(frequency)?; // (P, dims/2)
                let (cos, sin) = (angle.cos()?, angle.sin()?);
                transforms::eval([&cos, &sin])?;
                *made = Some((cos.clone(), sin.clone()));
                Ok((cos, sin))
            }
        }
        // END SOLUTION
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
    // SOLUTION 1.2.2 x, cos, sin, traditional
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("rotate: x", x)?;
    check_axes("rotate: x", x, "(.., C)", 1)?;
    let (front, width) = (&x.shape()[..x.ndim() - 1], x.dim(-1));
    if width % 2 != 0 {
        let got = format!("{:?}", x.shape());
        return Err(Error::Shape { op: "rotate: x".into(), expected: "(.., C) with an even C".into(), got });
    }
    for (name, table) in [("rotate: cos", cos), ("rotate: sin", sin)] {
        check_dtype(name, table, Float32)?;
        check_broadcast(name, table, "(.., C/2)", &[front, &[width / 2]].concat())?;
    }
    // The two members of a pair lie side by side, or half the row apart.
    let (pairs, member) = if traditional { ([width / 2, 2], -1) } else { ([2, width / 2], -2) };
    let paired = x.as_dtype(Float32)?.reshape(&[front, &pairs].concat())?; // (.., C/2, 2) or (.., 2, C/2)
    let members = paired.split_equal(2, member)?;
    let (a, b) = (members[0].squeeze_axes(&[member])?, members[1].squeeze_axes(&[member])?); // (.., C/2)
    let turned_a = a.multiply(cos)?.subtract(b.multiply(sin)?)?;
    let turned_b = b.multiply(cos)?.add(a.multiply(sin)?)?;
    let turned = ops::stack(&[turned_a, turned_b], member)?;
    Ok(turned.reshape(x.shape())?.as_dtype(x.dtype())?)
    // END SOLUTION
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
        // SOLUTION 1.2.3 self, x, offset
        use kit::{ANY, Error, check_float, check_shape};
        use mlx_rs::ops;

        check_float("rope: x", x)?;
        check_shape("rope: x", x, "(B, L, H, D)", &[ANY; 4])?;
        let (batch, length) = (x.dim(0), x.dim(1));
        if x.dim(3) < self.dims {
            let (expected, got) = (format!("(B, L, H, D) with D at least {}", self.dims), format!("{:?}", x.shape()));
            return Err(Error::Shape { op: "rope: x".into(), expected, got });
        }
        let starts = match &offset {
            Offset::None => &[0],
            Offset::One(start) => std::slice::from_ref(start),
            Offset::PerRow(starts) => *starts,
        };
        let refused = |value: String, must: String| Error::InvalidArgument { name: "offset".into(), value, must };
        if matches!(offset, Offset::PerRow(_)) && starts.len() != batch as usize {
            let value = format!("a list of {}", starts.len());
            return Err(refused(value, format!("have one entry for each of the {batch} rows")));
        }
        let last_start = MAX_POSITIONS - length;
        if let Some(start) = starts.iter().find(|start| !(0..=last_start).contains(*start)) {
            return Err(refused(start.to_string(), format!("be between 0 and {last_start} for {length} tokens")));
        }
        let (cos, sin) = self.tables.up_to(starts.iter().max().unwrap_or(&0) + length)?;
        let first = Array::from_slice(starts, &[starts.len() as i32, 1]);
        let positions = first.add(ops::arange::<_, i32>(0, length, 1)?)?; // (B or 1, L)
        let row = |table: &Array| -> Result<Array> { Ok(table.take_axis(&positions, 0)?.expand_dims(2)?) };
        let (cos, sin) = (row(&cos)?, row(&sin)?); // (B or 1, L, 1, dims/2)

        let parts = x.split_at_indices(&[self.dims], -1)?; // (B, L, H, dims) and (B, L, H, D - dims)
        let rotated = rotate(&parts[0], &cos, &sin, self.traditional)?;
        Ok(ops::concatenate(&[&rotated, &parts[1]], -1)?)
        // END SOLUTION
    }
}
