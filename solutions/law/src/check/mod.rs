//! Golden files of sampling: answers of another program in, a verdict for every case out.
//!
//! A file is an object. `header` describes it; every other field is a section, a list of cases with an `id` each. A case
//! holds the input of one function and what the other program returned (`expect`) or that it raised (`error`).
//! Non-finite numbers are the texts `nan`, `inf` and `-inf`. Ids are compared exactly, numbers within the bounds below.

mod case;
mod comparison;
pub mod exceptions;
mod outcome;
mod speculative;
mod temper_first;

use std::{collections::BTreeSet, path::Path};

use kit::{Error, Result};
use serde_json::Value;

use case::Case;
pub use outcome::Verdict;
use outcome::{Answer, Outcome, judge};

/// How far a probability in f64 may be off.
pub const PROBABILITY: f64 = 1e-12;
/// How far a probability from log probabilities in f32 may be off.
pub const SINGLE: f64 = 1e-6;
/// Far more than any golden file has; a larger one is a mistake.
const LARGEST_FILE: u64 = 256 << 20;

/// A section's name and how one of its cases is run.
type Section = (&'static str, fn(&Case) -> Result<Outcome>);

const SECTIONS: [Section; 16] = [
    ("distribution", temper_first::distribution),
    ("filter", temper_first::filter),
    ("top_k_order", temper_first::top_k_order),
    ("penalties", temper_first::penalties),
    ("sparse", temper_first::sparse),
    ("sample", temper_first::sample),
    ("acceptance", speculative::acceptance),
    ("residual", speculative::residual),
    ("marginal", speculative::marginal),
    ("verify", speculative::verify),
    ("block_verify", speculative::block),
    ("apply_top_p", comparison::top_p),
    ("apply_top_k", comparison::top_k),
    ("apply_min_p", comparison::min_p),
    ("chain", comparison::chain),
    ("processor", comparison::processor),
];

/// The verdicts over one section, in the order of the file.
pub struct Checked {
    /// The section's name.
    pub section: String,
    /// Case ids and verdicts.
    pub cases: Vec<(String, Verdict)>,
}

impl Checked {
    /// How many cases have this verdict; the texts of a failure do not matter.
    pub fn count(&self, verdict: &Verdict) -> usize {
        let same = |other: &Verdict| std::mem::discriminant(other) == std::mem::discriminant(verdict);
        self.cases.iter().filter(|(_, other)| same(other)).count()
    }
}

/// Runs every case of a golden file.
///
/// Errors: `Other` with file, section and case for a file that is not of the schema: unreadable, no JSON, without cases,
/// an unknown section or field, a missing field, a value of the wrong kind, an id that two cases share.
pub fn check(file: &Path) -> Result<Vec<Checked>> {
    let name = file.display().to_string();
    let wrong = |what: String| Err(Error::Other(format!("{name}: {what}")));
    match file.metadata() {
        Ok(about) if about.is_dir() => return wrong("this is a folder, not a golden file".into()),
        Ok(about) if about.len() > LARGEST_FILE => return wrong("the file is larger than any golden file".into()),
        Ok(_) => {}
        Err(error) => return wrong(format!("the file cannot be read: {error}")),
    }
    let text = match std::fs::read(file) {
        Ok(text) => text,
        Err(error) => return wrong(format!("the file cannot be read: {error}")),
    };
    match serde_json::from_slice(&text) {
        Ok(root) => check_value(&name, &root),
        Err(error) => wrong(format!("this is not a golden file: {error}")),
    }
}

/// Runs every case of a golden file that has been read; `name` is what messages call it. Errors: as [`check`].
pub fn check_value(name: &str, root: &Value) -> Result<Vec<Checked>> {
    let wrong = |what: String| Err(Error::Other(format!("{name}: {what}")));
    let Value::Object(sections) = root else { return wrong("this is not a golden file: it is not an object".into()) };
    if let Some(unknown) =
        sections.keys().find(|name| *name != "header" && SECTIONS.iter().all(|known| known.0 != *name))
    {
        let known = SECTIONS.map(|section| section.0).join(", ");
        return wrong(format!("there is no section {}; the sections are {known}", shortened(unknown)));
    }
    let mut report = Vec::new();
    for (section, run) in SECTIONS {
        let Some(cases) = sections.get(section) else { continue };
        let Value::Array(cases) = cases else { return wrong(format!("section {section} is not a list of cases")) };
        let mut checked = Checked { section: section.into(), cases: Vec::new() };
        let mut ids = BTreeSet::new();
        for (number, case) in cases.iter().enumerate() {
            let case = Case::new(name, section, number, case)?;
            if !ids.insert(case.id().to_string()) {
                return case.wrong("the id is that of an earlier case");
            }
            let outcome = run(&case)?;
            case.all_read()?;
            checked.cases.push((case.id().to_string(), judge(&case, &outcome)));
        }
        report.push(checked);
    }
    if report.iter().all(|section| section.cases.is_empty()) {
        return wrong("the file has no cases, so nothing would be checked".into());
    }
    Ok(report)
}

/// `{0, 1, 2}`, with an end where it is long.
pub fn set(ids: &[usize]) -> String {
    const SHOWN: usize = 12;
    let mut names: Vec<String> = ids.iter().take(SHOWN).map(usize::to_string).collect();
    if ids.len() > SHOWN {
        names.push(format!("… {} in all", ids.len()));
    }
    format!("{{{}}}", names.join(", "))
}

/// A name from a file, fit for a line.
pub fn plain(name: &str) -> String {
    const SHOWN: usize = 40;
    let shown = name.chars().take(SHOWN).map(|c| if c.is_control() { '?' } else { c });
    shown.chain(name.chars().nth(SHOWN).map(|_| '…')).collect()
}

/// The same in quotes.
fn shortened(name: &str) -> String {
    format!("\"{}\"", plain(name))
}
