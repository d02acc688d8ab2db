//! What the tests of every day share: golden files, random inputs, comparisons with bounds, expected errors.
//!
//! Arrays and results of a learner's function flow in; a pass, an `Err` of a stub, or a panic of a few readable lines
//! flows out.

mod comparison;
mod expectation;
mod golden;
mod inputs;
mod model;
mod packed;
mod pages;
mod random;

pub use comparison::{Tolerance, assert_close, assert_close_within, values};
pub use expectation::{expect_dtype, expect_error, expect_invalid_argument, expect_non_finite, expect_shape};
pub use golden::{golden, golden_json, golden_tensors};
pub use inputs::{DTYPES, array, doubles, zeros};
pub use model::{TinyAnswer, tiny_answers, tiny_model};
pub use packed::{PackedExperts, PackedWeight};
pub use pages::{PagedSizes, PagedTexts, any_pages, pages_after, turned};
pub use random::Random;
