//! Folded answers and hints: every fold has a summary and, below an empty line, an answer, and it is closed.
//!
//! Without the empty line Markdown takes the answer for HTML and shows its asterisks; a fold that is left open swallows
//! the rest of the page. A section "Check yourself" asks at least [`QUESTIONS`] questions.

const QUESTIONS: usize = 2;
const CHECK: &str = "## Check yourself";

/// Looks at every fold of a chapter; `report` is called with a line number, counted from one, and a sentence.
pub fn check(markdown: &str, report: &mut impl FnMut(usize, String)) {
    let mut open: Option<Fold> = None;
    let mut questions: Option<(usize, usize)> = None;
    let mut fenced = false;
    for (number, text) in markdown.lines().enumerate().map(|(index, text)| (index + 1, text.trim())) {
        fenced ^= text.starts_with("```");
        if fenced {
            continue;
        }
        if text.starts_with("## ") {
            report_few(questions.take(), report);
            questions = (text == CHECK).then_some((number, 0));
        }
        if text.starts_with("<details") {
            if let Some(fold) = open.replace(Fold { line: number, lines: 0, answered: false }) {
                report(fold.line, "this fold is not closed before the next one opens".into());
            }
            questions = questions.map(|(line, count)| (line, count + 1));
        } else if text == "</details>" {
            match open.take() {
                Some(fold) if fold.answered => {}
                Some(fold) => report(fold.line, "this fold has no answer".into()),
                None => report(number, "</details> closes nothing".into()),
            }
        } else if let Some(fold) = &mut open {
            fold.lines += 1;
            match fold.lines {
                1 if !(text.starts_with("<summary>") && text.ends_with("</summary>")) => {
                    report(number, "the first line of a fold is its <summary>, whole and alone".into());
                }
                2 if !text.is_empty() => report(number, "an empty line belongs below a <summary>".into()),
                1 | 2 => {}
                _ => fold.answered |= !text.is_empty(),
            }
        }
    }
    report_few(questions, report);
    if let Some(fold) = open {
        report(fold.line, "this fold is never closed".into());
    }
}

struct Fold {
    line: usize,
    /// Since it was opened.
    lines: usize,
    answered: bool,
}

fn report_few(questions: Option<(usize, usize)>, report: &mut impl FnMut(usize, String)) {
    if let Some((line, count)) = questions.filter(|(_, count)| *count < QUESTIONS) {
        report(line, format!("{count} questions to check oneself with, at least {QUESTIONS} are wanted"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(markdown: &str) -> Vec<(usize, String)> {
        let mut problems = Vec::new();
        check(markdown, &mut |line, what| problems.push((line, what)));
        problems
    }

    const FOLD: &str = "<details>\n<summary>Why?</summary>\n\nBecause.\n\n</details>\n";

    #[test]
    fn whole_folds_are_fine_and_code_is_not_looked_at() {
        let text = format!("## Check yourself\n\n{FOLD}{FOLD}\n```html\n<details>\n```\n");
        assert_eq!(problems(&text), []);
    }

    #[test]
    fn every_fault_is_named_with_its_line() {
        let line = |text: &str| problems(text).first().map(|(line, what)| format!("{line}: {what}"));
        let faults = [
            (FOLD.replacen("</details>", "", 1), "1: this fold is never closed"),
            (FOLD.replacen("Because.", "", 1), "1: this fold has no answer"),
            (FOLD.replacen("\n\nBecause", "\nBecause", 1), "3: an empty line belongs below a <summary>"),
            (
                FOLD.replacen("<summary>Why?</summary>", "Why?", 1),
                "2: the first line of a fold is its <summary>, whole and alone",
            ),
            (format!("{FOLD}</details>\n"), "7: </details> closes nothing"),
            (FOLD.replacen("Because.", "<details>", 1), "1: this fold is not closed before the next one opens"),
            (format!("{CHECK}\n{FOLD}## Reading\n"), "1: 1 questions to check oneself with, at least 2 are wanted"),
        ];
        for (text, expected) in faults {
            assert_eq!(line(&text).as_deref(), Some(expected), "{text}");
        }
    }
}
