//! One function under comparison: what a case is, and how far two answers are apart.

use kit::testing::{Tolerance, values};
use kit::{Error, Result};
use mlx_rs::Array;

use crate::inputs::Inputs;

/// A function of the course, called on both sides.
pub struct Function {
    /// `1.7.2`
    pub task: &'static str,
    /// `top_k`, `RoPE::forward`
    pub name: &'static str,
    /// Draws inputs and calls both sides with them.
    pub case: fn(&mut Inputs) -> Result<Case>,
    /// No more cases than these, where one takes long.
    pub most: u32,
}

/// Both answers to the same inputs; each is a list of arrays.
pub struct Case {
    /// The learner's.
    pub yours: Result<Vec<Array>>,
    /// The reference's.
    pub reference: Result<Vec<Array>>,
    /// The bound; without one, the course's table for the dtype.
    pub tolerance: Option<Tolerance>,
}

impl Case {
    /// From what [`both!`] gives.
    pub fn new((yours, reference): (Result<Vec<Array>>, Result<Vec<Array>>)) -> Self {
        Self { yours, reference, tolerance: None }
    }

    /// With a bound of its own.
    pub fn within(self, abs: f32, rel: f32) -> Self {
        Self { tolerance: Some(Tolerance { abs, rel }), ..self }
    }
}

// The tests of this package put the reference in the learner's place, where every function must turn out equal.
#[cfg(test)]
pub(crate) use ::solution_week1 as yours;
#[cfg(not(test))]
pub(crate) use ::week1 as yours;

/// The same expression on the learner's week and on the reference, as two results.
macro_rules! both {
    ($week:ident => $body:expr) => {{
        let yours = || -> kit::Result<Vec<mlx_rs::Array>> {
            use $crate::parity::yours as $week;
            $body
        };
        let reference = || -> kit::Result<Vec<mlx_rs::Array>> {
            use ::solution_week1 as $week;
            $body
        };
        (yours(), reference())
    }};
}
pub(crate) use both;

/// How far apart two answers are, at the worst place.
#[derive(Debug, Clone, Copy, Default)]
pub struct Worst {
    /// |yours - reference|
    pub error: f64,
    /// What is allowed there.
    pub bound: f64,
}

impl Worst {
    /// Whether it is more than allowed.
    pub fn is_difference(self) -> bool {
        self.error > self.bound
    }

    /// The one that uses more of its bound.
    pub fn or(self, other: Self) -> Self {
        let share = |worst: Self| if worst.bound > 0.0 { worst.error / worst.bound } else { worst.error };
        // NaN is the worst of all.
        if share(other) <= share(self) { self } else { other }
    }
}

/// The worst place of a case, or a sentence about what cannot be compared value by value.
pub fn compare(case: &Case) -> Result<std::result::Result<Worst, String>> {
    let reference = case.reference.as_ref().map_err(|error| Error::Other(format!("the reference fails: {error}")))?;
    let yours = match &case.yours {
        Ok(yours) => yours,
        Err(Error::NotImplemented { task, item, at }) => {
            return Err(Error::NotImplemented { task: task.clone(), item: item.clone(), at: at.clone() });
        }
        Err(error) => return Ok(Err(format!("yours fails: {error}"))),
    };
    let mut worst = Worst::default();
    for (got, want) in yours.iter().zip(reference) {
        if got.shape() != want.shape() {
            return Ok(Err(format!("shape {:?}, the reference's is {:?}", got.shape(), want.shape())));
        }
        if got.dtype() != want.dtype() {
            return Ok(Err(format!("dtype {:?}, the reference's is {:?}", got.dtype(), want.dtype())));
        }
        let tolerance = case.tolerance.unwrap_or(Tolerance::of(want.dtype()));
        for (got, want) in values(got)?.into_iter().zip(values(want)?) {
            let (got, want) = (f64::from(got), f64::from(want));
            let error = if got == want { 0.0 } else { (got - want).abs() };
            let error = if error.is_nan() { f64::INFINITY } else { error };
            let size = if want.is_finite() { want.abs() } else { 0.0 };
            worst = worst.or(Worst { error, bound: f64::from(tolerance.abs) + f64::from(tolerance.rel) * size });
        }
    }
    Ok(Ok(worst))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(yours: &[f32], reference: &[f32]) -> Worst {
        let array = |values: &[f32]| Ok(vec![Array::from_slice(values, &[values.len() as i32])]);
        compare(&Case::new((array(yours), array(reference)))).expect("comparable").expect("of one shape")
    }

    #[test]
    fn the_worst_place_is_the_one_nearest_to_its_bound() {
        let worst = judged(&[1.0, 100.0005, f32::NEG_INFINITY], &[1.0, 100.0, f32::NEG_INFINITY]);
        assert!(!worst.is_difference() && worst.error > 4e-4 && worst.bound > 1.9e-3, "{worst:?}");
        assert!(judged(&[1.0, 2.0], &[1.0, 2.001]).is_difference());
        assert!(judged(&[1.0, f32::NAN], &[1.0, 2.0]).is_difference());
        assert!(judged(&[f32::NAN], &[f32::NAN]).is_difference());
        assert!(judged(&[0.0], &[f32::NEG_INFINITY]).is_difference());
        assert!(judged(&[f32::INFINITY], &[f32::NEG_INFINITY]).is_difference());
    }

    #[test]
    fn shapes_dtypes_and_errors_differ_in_words() {
        let array = |shape: &[i32]| Ok(vec![Array::from_slice(&[0.0_f32; 4], shape)]);
        let said = |yours| compare(&Case::new((yours, array(&[4])))).expect("comparable").expect_err("different");
        assert_eq!(said(array(&[2, 2])), "shape [2, 2], the reference's is [4]");
        assert_eq!(said(Ok(vec![Array::from_slice(&[0_i32; 4], &[4])])), "dtype Int32, the reference's is Float32");
        assert_eq!(said(Err(Error::Other("no".into()))), "yours fails: no");
    }
}
