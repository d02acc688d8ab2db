//! The three laws in characters.

use std::io::IsTerminal;

use solution_law::check::set;

use super::{Law, Question};

/// How the output may look.
#[derive(Clone, Copy)]
pub struct Terminal {
    /// Whether escape sequences are welcome.
    pub colour: bool,
    /// Columns of a line.
    pub width: usize,
}

impl Terminal {
    /// Standard output: colours where a person reads and `NO_COLOR` does not forbid them.
    pub fn stdout() -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        Self { colour: std::io::stdout().is_terminal() && !set("NO_COLOR") && !dumb, width: columns.unwrap_or(80) }
    }
}

/// The columns in front of the laws: a token's id and its probability before any law.
const FRONT: usize = 16;
/// Two blanks, a blank between bar and number, the number.
const AROUND_BAR: usize = 2 + 1 + 6;
const LONGEST_BAR: usize = 12;
/// Below it a column has no room for the law's name.
const SHORTEST_BAR: usize = 6;
/// The most tokens that are listed.
const ROWS: usize = 24;

/// The whole answer.
pub fn text(question: &Question, laws: &[Law], terminal: Terminal) -> String {
    let settings = &question.settings;
    let mut text = format!("T = {}, p = {}, k = {}\n\n", settings.temperature, settings.top_p, settings.top_k);
    let room = |columns: usize| (terminal.width.saturating_sub(FRONT) / columns).saturating_sub(AROUND_BAR);
    let columns = if room(laws.len()) < SHORTEST_BAR { 1 } else { laws.len() };
    let longest = room(columns).clamp(SHORTEST_BAR, LONGEST_BAR);
    let ids = listed(question, laws);
    let answering: Vec<&Law> = laws.iter().filter(|law| law.probs.is_ok()).collect();
    for group in answering.chunks(columns) {
        table(&mut text, question, group, &ids, longest, terminal);
        text.push('\n');
    }
    if ids.len() < question.probs.len() {
        text += &format!("{} more tokens are not listed.\n\n", question.probs.len() - ids.len());
    }
    text += &verdict(laws);
    if question.is_on_an_edge() {
        text += "p is within 1e-5 of a running sum: there the precision of the numbers decides.\n";
    }
    text
}

fn table(text: &mut String, question: &Question, laws: &[&Law], ids: &[usize], longest: usize, terminal: Terminal) {
    let width = longest + 7;
    let mut line = format!("{:>7}{:>9}", "token", "P");
    laws.iter().for_each(|law| line += &format!("  {:width$}", law.name));
    *text += &format!("{}\n", line.trim_end());
    for &id in ids {
        let mut line = format!("{id:>7}{:>9}", number(question.probs[id]));
        for probs in laws.iter().flat_map(|law| &law.probs) {
            line += &format!("  {}", bar(probs[id], longest, terminal.colour));
        }
        *text += &format!("{}\n", line.trim_end());
    }
}

/// A bar and its number, `longest` + 7 columns wide; blanks for a token that is never drawn.
fn bar(prob: f64, longest: usize, colour: bool) -> String {
    if prob == 0.0 {
        return " ".repeat(longest + 7);
    }
    // A token that may be drawn is never without a mark.
    let long = ((prob * longest as f64).round() as usize).max(1);
    let (ink, end) = if colour { ("\x1b[36m", "\x1b[0m") } else { ("", "") };
    format!("{ink}{}{end} {:width$}", "█".repeat(long), number(prob), width = longest - long + 6)
}

/// Four decimals, or the power of ten where they would all be 0.
pub fn number(prob: f64) -> String {
    if prob == 0.0 || prob >= 0.00005 { format!("{prob:.4}") } else { format!("{prob:.0e}") }
}

/// The ids that are shown, by id: all, or those that a law keeps and the most likely ones, as long as there is room.
pub fn listed(question: &Question, laws: &[Law]) -> Vec<usize> {
    let mut ids: Vec<usize> = (0..question.probs.len()).collect();
    let kept: Vec<Vec<usize>> = laws.iter().map(Law::kept).collect();
    let by_some = |id: &usize| kept.iter().any(|kept| kept.binary_search(id).is_ok());
    ids.sort_by(|a, b| by_some(b).cmp(&by_some(a)).then(question.probs[*b].total_cmp(&question.probs[*a])));
    ids.truncate(ROWS);
    ids.sort_unstable();
    ids
}

/// Who keeps what, and whether it is the same.
fn verdict(laws: &[Law]) -> String {
    let mut text = String::new();
    for law in laws {
        let kept = match &law.probs {
            Ok(_) => format!("keeps {}", set(&law.kept())),
            Err(error) => format!("refuses: {error}"),
        };
        text += &format!("{:12}  {kept}\n{:12}  ({})\n", law.name, "", law.order);
    }
    let answers: Vec<Vec<usize>> = laws.iter().filter(|law| law.probs.is_ok()).map(Law::kept).collect();
    let same = answers.windows(2).all(|pair| pair[0] == pair[1]);
    let sentence = match (answers.len(), same) {
        (0, _) => "No law answers.",
        (1, _) => "One law answers alone.",
        (3, true) => "The three keep the same tokens here, and so draw from the same law.",
        (_, true) => "Those that answer keep the same tokens here, and so draw from the same law.",
        (_, false) => "They do not draw from the same tokens: who says \"top-p\" has to say which law.",
    };
    text + "\n" + sentence + "\n"
}
