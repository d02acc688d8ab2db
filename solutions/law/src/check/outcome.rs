//! What a case gave and what it should have given.

use kit::{Error, Result};

use super::{case::Case, exceptions};

/// An answer in numbers: ids are compared exactly, numbers within a bound.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    /// Supports, orders, tokens, yes as 1 and no as 0.
    pub ids: Vec<Vec<usize>>,
    /// Probabilities, coins, logits.
    pub numbers: Vec<f64>,
}

impl Answer {
    /// The support of a dense law and its probabilities.
    pub fn law(dense: &[f64]) -> Self {
        let (ids, numbers) = dense.iter().enumerate().filter(|(_, prob)| **prob > 0.0).unzip();
        Self { ids: vec![ids], numbers }
    }

    pub fn ids(ids: Vec<usize>) -> Self {
        Self { ids: vec![ids], numbers: Vec::new() }
    }

    pub fn numbers(numbers: Vec<f64>) -> Self {
        Self { ids: Vec::new(), numbers }
    }

    /// `{"ids": …, "probs": …}`
    pub fn expected_law(case: &Case) -> Result<Self> {
        let expect = case.object("expect")?;
        let ids = case.as_indices("expect.ids", case.part(expect, "ids")?)?;
        let numbers = case.as_numbers("expect.probs", case.part(expect, "probs")?)?;
        Ok(Self { ids: vec![ids], numbers })
    }

    /// The first difference.
    fn differs(&self, got: &Self, within: f64) -> Option<(String, String)> {
        if self.ids != got.ids {
            let rows = |answer: &Self| answer.ids.iter().map(|ids| super::set(ids)).collect::<Vec<_>>().join(" ");
            return Some((rows(got), rows(self)));
        }
        if self.numbers.len() != got.numbers.len() {
            let count = |answer: &Self| format!("{} numbers", answer.numbers.len());
            return Some((count(got), count(self)));
        }
        let same = |(got, expected): (&f64, &f64)| {
            got == expected || (got.is_nan() && expected.is_nan()) || (got - expected).abs() <= within
        };
        let at = got.numbers.iter().zip(&self.numbers).position(|pair| !same(pair))?;
        let place = match self.ids.as_slice() {
            [ids] if ids.len() == self.numbers.len() => format!("id {}", ids[at]),
            _ => format!("number {at}"),
        };
        Some((format!("{place}: {:?}", got.numbers[at]), format!("{:?} within {within:?}", self.numbers[at])))
    }
}

/// What the law said and what the file says; `None` stands for an error.
pub struct Outcome {
    pub got: Result<Answer>,
    pub expected: Option<Answer>,
    /// How far a number may be off.
    pub within: f64,
}

/// The verdict over a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// As the file says.
    Passed,
    /// We refuse where the other program answers, on purpose.
    Stricter,
    /// We answer where the other program refuses, on purpose.
    Wider,
    /// A difference nobody has explained.
    Failed {
        /// What came.
        got: String,
        /// What should have come.
        expected: String,
    },
}

/// Compares. A difference between an error and an answer needs its reason in [`exceptions`].
pub fn judge(case: &Case, outcome: &Outcome) -> Verdict {
    let failed = |got: String, expected: String| Verdict::Failed { got, expected };
    let (id, group) = (case.id(), case.group());
    match (&outcome.got, &outcome.expected) {
        (Err(Error::NotImplemented { .. } | Error::Mlx(_) | Error::Other(_)), _) => {
            failed(error_text(&outcome.got), "an answer, or a refusal of the input".into())
        }
        (Err(_), None) => Verdict::Passed,
        (Err(_), Some(_)) if exceptions::stricter(id, group) => Verdict::Stricter,
        (Err(_), Some(expected)) => failed(error_text(&outcome.got), described(expected)),
        (Ok(_), None) if exceptions::wider(id, group) => Verdict::Wider,
        (Ok(got), None) => failed(described(got), "an error".into()),
        (Ok(got), Some(expected)) => match expected.differs(got, outcome.within) {
            Some((got, expected)) => failed(got, expected),
            None => Verdict::Passed,
        },
    }
}

fn error_text(got: &Result<Answer>) -> String {
    got.as_ref().map_or_else(|error| format!("the error \"{error}\""), described)
}

fn described(answer: &Answer) -> String {
    let ids = answer.ids.iter().map(|ids| super::set(ids));
    let numbers = answer.numbers.iter().take(4).map(|number| format!("{number:?}"));
    let more = (answer.numbers.len() > 4).then(|| "…".to_string());
    ids.chain(numbers).chain(more).collect::<Vec<_>>().join(" ")
}
