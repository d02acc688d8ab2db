//! The three laws as a picture: SVG text without style sheets, so that a page can take it in as it is.

use std::fmt::Write;

use solution_law::check::set;

use super::{
    Law, Question,
    bars::{listed, number},
};

/// How every picture of this command begins.
pub const BEGINNING: &str = "<svg class=\"fig\" data-from=\"cargo xtask law\" ";

/// Left edges of the columns: the row's own probabilities, then one for each law.
const COLUMNS: [usize; 4] = [30, 112, 212, 310];
const LONGEST_BAR: f64 = 76.0;
const HEAD: usize = 43;
const ROW: usize = 43;

/// The whole file. Text and lines take the colour of their surroundings; what may be drawn is filled, what may not is
/// dashed.
pub fn svg(question: &Question, laws: &[Law; 3]) -> String {
    let ids = listed(question, laws);
    let hidden = question.probs.len() - ids.len();
    let height = HEAD + ROW * ids.len() + if hidden > 0 { 25 } else { 0 };
    let mut svg = format!(
        "{BEGINNING}viewBox=\"0 0 400 {height}\" role=\"img\" aria-labelledby=\"law-title law-desc\" \
         xmlns=\"http://www.w3.org/2000/svg\" fill=\"currentColor\" font-size=\"14\" \
         style=\"font-family:var(--fig-font,system-ui,sans-serif);color-scheme:light dark\">\n\
         <title id=\"law-title\">One row under three sampling laws</title>\n<desc id=\"law-desc\">{}</desc>\n",
        description(question, laws, &ids)
    );
    let text = |svg: &mut String, x: usize, y: usize, more: &str, words: &str| {
        writeln!(svg, "<text x=\"{x}\" y=\"{y}\"{more}>{words}</text>").expect("a String takes all");
    };
    let count = |kept: usize| format!("{kept} of {}", question.probs.len());
    text(&mut svg, 0, 16, " font-weight=\"600\"", "id");
    text(&mut svg, COLUMNS[0], 16, " font-weight=\"600\"", "P");
    for (law, x) in laws.iter().zip(&COLUMNS[1..]) {
        text(&mut svg, *x, 16, " font-weight=\"600\"", law.name);
        let kept = if law.probs.is_ok() { count(law.kept().len()) } else { "refuses".into() };
        text(&mut svg, *x, 33, " opacity=\".75\"", &kept);
    }
    svg += "<path d=\"M0 42.5H400\" stroke=\"currentColor\" opacity=\".4\"/>\n";
    let columns = std::iter::once(Some(&question.probs)).chain(laws.iter().map(|law| law.probs.as_ref().ok()));
    let columns: Vec<Option<&Vec<f64>>> = columns.collect();
    let largest = columns.iter().flatten().flat_map(|probs| probs.iter().copied()).fold(0.0, f64::max);
    for (place, &id) in ids.iter().enumerate() {
        let top = HEAD + ROW * place;
        text(&mut svg, 0, top + 20, "", &id.to_string());
        for (probs, x) in columns.iter().zip(COLUMNS) {
            let Some(probs) = probs else { continue };
            let long = |prob: f64| (LONGEST_BAR * prob / largest).max(1.0);
            if probs[id] > 0.0 {
                text(&mut svg, x, top + 20, "", &number(probs[id]));
                let (y, width) = (top + 25, long(probs[id]));
                writeln!(
                    svg,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{width:.1}\" height=\"12\" \
                     style=\"fill:var(--fig-keep,#3b82c4)\"/>"
                )
                .expect("a String takes all");
            } else {
                text(&mut svg, x, top + 20, " opacity=\".75\"", "never");
                let (y, width) = (top + 31, long(question.probs[id]));
                writeln!(
                    svg,
                    "<path d=\"M{x} {y}h{width:.1}\" stroke=\"currentColor\" stroke-width=\"2\" \
                     stroke-dasharray=\"3 3\" opacity=\".6\"/>"
                )
                .expect("a String takes all");
            }
        }
    }
    if hidden > 0 {
        text(&mut svg, 0, height - 5, " opacity=\".75\"", &format!("{hidden} more tokens are not shown"));
    }
    svg + "</svg>\n"
}

/// All numbers of the picture in words.
fn description(question: &Question, laws: &[Law; 3], ids: &[usize]) -> String {
    let settings = &question.settings;
    let numbers = |probs: &[f64], ids: &[usize]| {
        let each = ids.iter().map(|&id| format!("token {id} {}", number(probs[id])));
        each.collect::<Vec<_>>().join(", ")
    };
    let mut words = format!(
        "Columns of bars. The row: {}. Temperature {}, top-p {}, top-k {}.",
        numbers(&question.probs, ids),
        settings.temperature,
        settings.top_p,
        settings.top_k
    );
    for law in laws {
        let kept = law.kept();
        match &law.probs {
            Err(_) => write!(words, " {} refuses these settings.", law.name),
            Ok(probs) => {
                let shown: Vec<usize> = kept.iter().copied().filter(|id| ids.contains(id)).collect();
                write!(words, " {} keeps {}: {}.", law.name, set(&kept), numbers(probs, &shown))
            }
        }
        .expect("a String takes all");
    }
    words
}
