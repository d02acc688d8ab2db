//! `law check FILE…`: golden files in, a line for each section and each failure out.

use std::{io::Write, path::PathBuf};

use clap::Args;
use solution_law::check::{Checked, Verdict, check, plain};

use crate::Stopped;

/// Compares the laws with the answers of other programs; exit code 1 on a failure, 2 on a file that is no golden file
#[derive(Args)]
pub struct Arguments {
    /// Golden files of sampling, as solutions/law/tests/golden/sampling_mtplx.json
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// The most failures that are shown for a section.
const SHOWN: usize = 20;

/// Looks at every file; one that cannot be checked does not hide the next.
pub fn run(arguments: &Arguments) -> Result<u8, Stopped> {
    let mut out = std::io::stdout().lock();
    let (mut failures, mut unchecked) = (0, false);
    for file in &arguments.files {
        let report = match check(file) {
            Ok(report) => report,
            Err(error) => {
                out.flush()?;
                // Nobody is left to tell when stderr is gone; the exit code still says it.
                writeln!(std::io::stderr(), "{error}").unwrap_or_default();
                unchecked = true;
                continue;
            }
        };
        writeln!(out, "{}", file.display())?;
        writeln!(out, "  {:14}{:>8}{:>8}{:>10}{:>8}", "section", "passed", "failed", "stricter", "wider")?;
        for section in &report {
            line(&mut out, &section.section, std::slice::from_ref(section))?;
        }
        line(&mut out, "in all", &report)?;
        for section in &report {
            failures += listed(&mut out, section)?;
        }
    }
    out.flush()?;
    Ok(if unchecked { 2 } else { u8::from(failures > 0) })
}

fn line(out: &mut impl Write, name: &str, sections: &[Checked]) -> std::io::Result<()> {
    let count = |verdict: Verdict| sections.iter().map(|section| section.count(&verdict)).sum::<usize>();
    let failed = count(Verdict::Failed { got: String::new(), expected: String::new() });
    let (passed, stricter, wider) = (count(Verdict::Passed), count(Verdict::Stricter), count(Verdict::Wider));
    writeln!(out, "  {name:14}{passed:>8}{failed:>8}{stricter:>10}{wider:>8}")
}

/// Prints the failures of a section and returns their number.
fn listed(out: &mut impl Write, section: &Checked) -> std::io::Result<usize> {
    let mut failures = 0;
    for (id, verdict) in &section.cases {
        let Verdict::Failed { got, expected } = verdict else { continue };
        failures += 1;
        if failures <= SHOWN {
            writeln!(out, "FAILED {}\n  got       {got}\n  expected  {expected}", plain(id))?;
        }
    }
    if failures > SHOWN {
        writeln!(out, "… and {} more failures in {}", failures - SHOWN, section.section)?;
    }
    Ok(failures)
}
