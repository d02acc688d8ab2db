//! `law --probs …`: a row and settings in, each law's supports and probabilities out, as bars and as a picture.

mod bars;
mod file;
mod laws;
mod picture;

use std::{io::Write, path::PathBuf};

use clap::Args;
use kit::{Error, Result, law::softmax};

use crate::Stopped;
use laws::{Law, Settings, every_law};

#[derive(Args)]
pub struct Arguments {
    /// Probabilities of the tokens 0, 1, 2, …, separated by commas; divided by their sum
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_name = "P,P,…", value_parser = number)]
    probs: Vec<f64>,
    /// Logits in place of probabilities
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_name = "Z,Z,…", value_parser = number)]
    logits: Vec<f64>,
    /// Temperature; 0 takes the most likely token
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    temp: f64,
    /// Keep the fewest tokens whose mass reaches p; 0 and 1 are off
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    top_p: f64,
    /// Keep the k most likely tokens; 0 is off
    #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
    top_k: i64,
    /// Also write the laws as a picture to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// One value of a list; blanks around it do not matter.
fn number(text: &str) -> std::result::Result<f64, String> {
    let text = text.trim();
    let number: f64 = text.parse().map_err(|_| "write numbers with commas between them, as .4,.2,.2,.2")?;
    if number.is_infinite() && text.contains(|c: char| c.is_ascii_digit()) {
        return Err("it is beyond what f64 holds, about 1.8e308".into());
    }
    Ok(number)
}

/// The row, its probabilities at temperature 1, and the settings.
pub struct Question {
    logits: Vec<f64>,
    probs: Vec<f64>,
    settings: Settings,
}

/// How near to p a running sum may come before two precisions can disagree about the token that follows.
const EDGE: f64 = 1e-5;

impl Question {
    /// Whether p lies on the edge of a nucleus, of the row or of the tempered row.
    fn is_on_an_edge(&self) -> bool {
        let Settings { temperature, top_p, .. } = self.settings;
        let tempered = softmax(&self.logits, temperature).unwrap_or_default();
        let near = |probs: &[f64]| {
            let mut falling = probs.to_vec();
            falling.sort_by(|a, b| b.total_cmp(a));
            let (mut mass, last) = (0.0, falling.len().saturating_sub(1));
            falling[..last].iter().any(|prob| {
                mass += prob;
                (mass - top_p).abs() <= EDGE
            })
        };
        top_p > 0.0 && top_p < 1.0 && (near(&self.probs) || near(&tempered))
    }
}

pub fn run(arguments: &Arguments) -> std::result::Result<u8, Stopped> {
    let question = question(arguments)?;
    let laws = every_law(&question);
    if let Some(path) = &arguments.svg {
        file::write(path, &picture::svg(&question, &laws))?;
    }
    let mut out = std::io::stdout().lock();
    write!(out, "{}", bars::text(&question, &laws, bars::Terminal::stdout()))?;
    if let Some(path) = &arguments.svg {
        writeln!(out, "\nPicture: {}", path.display())?;
    }
    out.flush()?;
    Ok(u8::from(laws.iter().all(|law| law.probs.is_err())) * 2)
}

/// Errors: `InvalidArgument` for an empty row, NaN, a negative probability and probabilities without mass.
fn question(arguments: &Arguments) -> Result<Question> {
    let Arguments { probs, logits, temp, top_p, top_k, .. } = arguments;
    let logits = if probs.is_empty() { logits.clone() } else { logits_of(probs)? };
    let probs =
        softmax(&logits, 1.0).map_err(|error| Error::Other(format!("--logits: the row is refused: {error}")))?;
    Ok(Question { logits, probs, settings: Settings { temperature: *temp, top_p: *top_p, top_k: *top_k } })
}

fn logits_of(probs: &[f64]) -> Result<Vec<f64>> {
    if let Some(wrong) = probs.iter().find(|prob| !(prob.is_finite() && **prob >= 0.0)) {
        let (name, must) = ("a value of --probs".into(), "be a finite number of at least 0".into());
        return Err(Error::InvalidArgument { name, value: wrong.to_string(), must });
    }
    let largest = probs.iter().copied().fold(0.0, f64::max);
    if largest == 0.0 {
        let (name, must) = ("--probs".into(), "hold a number above 0".into());
        return Err(Error::InvalidArgument { name, value: "0 everywhere".into(), must });
    }
    // From the largest, so that no sum of finite values overflows.
    let mass: f64 = probs.iter().map(|prob| prob / largest).sum();
    Ok(probs.iter().map(|prob| (prob / largest / mass).ln()).collect())
}
