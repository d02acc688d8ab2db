//! What the program was asked for, as `cargo xtask bench kernels` passes it on.

use std::path::PathBuf;

use kit::{Error, Result};

/// The command line: `[NAME] [--version N] [--who WHO] [--commit HASH] [--ledger FILE] [--json]`.
pub struct Arguments {
    /// A part of a kernel's name; empty for all kernels.
    pub name: String,
    /// One step of the ladders alone.
    pub version: Option<u8>,
    /// Whose kernels these are, for the ledger.
    pub who: String,
    pub commit: Option<String>,
    /// The file that gets a line of JSON.
    pub ledger: Option<PathBuf>,
    /// The line on stdout, too.
    pub json: bool,
}

impl Arguments {
    /// Errors: a sentence about an argument that is unknown, or has no value or a wrong one.
    pub fn of(words: impl Iterator<Item = String>) -> Result<Self> {
        let mut arguments =
            Self { name: String::new(), version: None, who: "ref".into(), commit: None, ledger: None, json: false };
        let mut words = words;
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| Error::Other(format!("{word} needs a value")));
            match word.as_str() {
                "--version" => {
                    let value = value()?;
                    let step = value.parse().ok().filter(|step| (1..=9).contains(step));
                    let must =
                        || Error::Other(format!("--version is {value}, but it must be a step of a ladder, 1 to 9"));
                    arguments.version = Some(step.ok_or_else(must)?);
                }
                "--who" => arguments.who = value()?,
                "--commit" => arguments.commit = Some(value()?),
                "--ledger" => arguments.ledger = Some(PathBuf::from(value()?)),
                "--json" => arguments.json = true,
                // Cargo's own, when it runs all examples.
                "--bench" => {}
                flag if flag.starts_with('-') => return Err(Error::Other(format!("{flag} is not known"))),
                name => arguments.name = name.to_string(),
            }
        }
        Ok(arguments)
    }
}
