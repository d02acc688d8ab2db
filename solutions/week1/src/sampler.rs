//! From one row of log probabilities to one token id.
//!
//! In: log probabilities (B, V), one row for each text. Out: ids (B,), u32. Two filters decide who may be drawn,
//! a temperature decides how boldly, an explicit random key decides which. Rows never look at each other.
//! The order of Week 1 is filter first: top-k, top-p, division by the temperature, one draw.

use kit::Result;
use mlx_rs::Array;

/// Refuses rows that no token can be drawn from.
///
/// `logprobs` (B, V), f32, f16 or bf16. Every row needs a finite entry;
/// -inf is allowed beside it and means "never".
/// Errors: `Shape` unless (B, V), both at least 1; `Dtype`; `NonFinite`
/// with the first row that holds NaN or +inf, or nothing but -inf.
pub fn check_rows(logprobs: &Array) -> Result<()> {
    // SOLUTION 1.7.1 logprobs
    use kit::{ANY, Error};
    use mlx_rs::{Dtype, ops, transforms::eval};

    kit::check_shape("sampler: logprobs", logprobs, "(B, V)", &[ANY, ANY])?;
    kit::check_float("sampler: logprobs", logprobs)?;
    if logprobs.size() == 0 {
        let (expected, got) = ("(B, V), both at least 1".into(), format!("{:?}", logprobs.shape()));
        return Err(Error::Shape { op: "sampler: logprobs".into(), expected, got });
    }
    // In a row: over an axis of length 1 a reduction keeps the strides of a view.
    let has_nan = ops::is_nan(logprobs)?.any_axis(-1, false)?.contiguous()?; // (B,)
    let best = logprobs.max_axis(-1, false)?.as_dtype(Dtype::Float32)?.contiguous()?; // (B,)
    eval([&has_nan, &best])?;
    for (row, (&has_nan, &best)) in has_nan.as_slice::<bool>().iter().zip(best.as_slice::<f32>()).enumerate() {
        let what = match best {
            _ if has_nan => "contains NaN",
            f32::INFINITY => "contains +inf",
            f32::NEG_INFINITY => "has no finite entry",
            _ => continue,
        };
        return Err(Error::NonFinite { row, what: what.into() });
    }
    Ok(())
    // END SOLUTION
}

/// Draws one token per row from `softmax(logprobs / temp)`.
/// `temp` 0 takes the most likely token.
///
/// `logprobs` (B, V), f32, f16 or bf16. Returns ids (B,), u32.
/// Errors: `InvalidArgument` for a negative or non-finite `temp`;
/// `NonFinite` for a row with NaN, +inf, or no finite entry.
pub fn draw(logprobs: &Array, temp: f32, key: &Array) -> Result<Array> {
    // SOLUTION 1.7.1 logprobs, temp, key
    use kit::Error;
    use mlx_rs::{Dtype, ops::indexing::argmax_axis, random};

    if !(temp.is_finite() && temp >= 0.0) {
        let must = "be 0 or a finite positive number".into();
        return Err(Error::InvalidArgument { name: "temp".into(), value: temp.to_string(), must });
    }
    check_rows(logprobs)?;
    if temp == 0.0 {
        return Ok(argmax_axis(logprobs, -1, false)?); // (B,), the first of equals
    }
    // Measured from the row's maximum, so that no temperature, however small, makes every entry -inf.
    let logprobs = logprobs.as_dtype(Dtype::Float32)?;
    let below_best = logprobs.subtract(logprobs.max_axis(-1, true)?)?; // (B, V), at most 0
    Ok(random::categorical(below_best.divide(Array::from_f32(temp))?, -1, None, key)?) // (B,)
    // END SOLUTION
}

/// Keeps the `k` most likely tokens of every row and sets the rest to -inf.
///
/// `logprobs` (B, V); 1 <= k <= V. Ties at the cut go to the lowest id.
/// Errors: `InvalidArgument` for k outside 1..=V; `NonFinite` as `draw`.
pub fn top_k(logprobs: &Array, k: usize) -> Result<Array> {
    // SOLUTION 1.7.2 logprobs, k
    use kit::Error;
    use mlx_rs::{Dtype, ops, ops::indexing::IndexOp};

    check_rows(logprobs)?;
    let vocabulary = logprobs.dim(1) as usize;
    if k == 0 || k > vocabulary {
        let must = format!("be at least 1 and at most the vocabulary, {vocabulary}");
        return Err(Error::InvalidArgument { name: "k".into(), value: k.to_string(), must });
    }
    if k == vocabulary {
        return Ok(logprobs.clone());
    }
    // The partition is trusted with one value, the k-th largest; which of two equals it put in front is chance.
    let kth = (k - 1) as i32;
    let place = ops::argpartition_axis(logprobs.negative()?, kth, -1)?.index((.., kth..kth + 1)); // (B, 1)
    let cut = logprobs.take_along_axis(place, -1)?; // (B, 1)
    let above = logprobs.gt(&cut)?; // (B, V)
    let tied = logprobs.eq(&cut)?; // (B, V)
    let seats = Array::from_int(k as i32).subtract(above.as_dtype(Dtype::Int32)?.sum_axis(-1, true)?)?; // (B, 1)
    let number = tied.as_dtype(Dtype::Int32)?.cumsum(-1, None, None)?; // (B, V), 1 for the first of equals
    let keep = above.logical_or(tied.logical_and(number.le(&seats)?)?)?;
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
    // END SOLUTION
}

/// Keeps the fewest most likely tokens of every row whose mass reaches `p`,
/// the crossing token included, and sets the rest to -inf.
///
/// `logprobs` (B, V), not rescaled after `top_k`; 0 < p <= 1.
/// Errors: `InvalidArgument` for p outside (0, 1]; `NonFinite` as `draw`.
pub fn top_p(logprobs: &Array, p: f32) -> Result<Array> {
    // SOLUTION 1.7.3 logprobs, p
    use kit::Error;
    use mlx_rs::{Dtype, ops};

    if !(p > 0.0 && p <= 1.0) {
        let must = "be above 0 and at most 1".into();
        return Err(Error::InvalidArgument { name: "p".into(), value: p.to_string(), must });
    }
    check_rows(logprobs)?;
    if p == 1.0 {
        return Ok(logprobs.clone());
    }
    let order = ops::argsort_axis(logprobs.negative()?, -1)?; // (B, V), equals in id order
    let mass = logprobs.take_along_axis(&order, -1)?.as_dtype(Dtype::Float32)?.exp()?; // (B, V), falling
    let before = mass.cumsum(-1, None, false)?; // (B, V), the mass of all earlier places
    let keep_place = before.lt(Array::from_f32(p))?;
    let place_of_id = ops::argsort_axis(&order, -1)?; // the inverse permutation
    let keep = keep_place.take_along_axis(&place_of_id, -1)?; // (B, V), by id again
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
    // END SOLUTION
}

/// Checked settings and a random key of its own.
pub struct Sampler {
    temp: f32,
    top_k: Option<usize>,
    top_p: Option<f32>,
    key: Array,
}

/// A sampler with a random key of its own.
///
/// `sampler.sample(&logprobs)` takes (B, V) and gives ids (B,), u32.
/// `None` and values <= 0 switch a filter off, and so does `top_p` >= 1.
/// Errors: `InvalidArgument` for NaN and for a negative or infinite `temp`.
pub fn make_sampler(temp: f32, top_k: Option<i32>, top_p: Option<f32>, seed: u64) -> Result<Sampler> {
    // SOLUTION 1.7.4 temp, top_k, top_p, seed
    use kit::Error;

    if !(temp.is_finite() && temp >= 0.0) {
        let must = "be 0 or a finite positive number".into();
        return Err(Error::InvalidArgument { name: "temp".into(), value: temp.to_string(), must });
    }
    if let Some(p) = top_p.filter(|p| p.is_nan()) {
        return Err(Error::InvalidArgument { name: "top_p".into(), value: p.to_string(), must: "be a number".into() });
    }
    Ok(Sampler {
        temp,
        top_k: top_k.filter(|&k| k > 0).map(|k| k as usize),
        top_p: top_p.filter(|&p| p > 0.0 && p < 1.0),
        key: mlx_rs::random::key(seed)?,
    })
    // END SOLUTION
}

impl Sampler {
    /// One token per row: top-k, then top-p, then a draw at `temp`.
    ///
    /// `logprobs` (B, V), left unchanged. Returns ids (B,), u32.
    /// Every draw spends a fresh half of the key.
    /// Errors: `InvalidArgument` for k > V, also at `temp` 0; `NonFinite`.
    pub fn sample(&mut self, logprobs: &Array) -> Result<Array> {
        // SOLUTION 1.7.4 self.temp, self.top_k, self.top_p, self.key, logprobs
        let mut kept = logprobs.clone();
        if let Some(k) = self.top_k {
            kept = top_k(&kept, k)?;
        }
        if let Some(p) = self.top_p {
            kept = top_p(&kept, p)?;
        }
        let (next, spent) = mlx_rs::random::split(&self.key, 2)?;
        self.key = next;
        draw(&kept, self.temp, &spent)
        // END SOLUTION
    }
}
