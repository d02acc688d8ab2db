//! Where this law and the program behind a golden file differ on purpose.
//!
//! A case may be answered by a refusal, or a refusal by an answer, only when it stands here. The same numbers are
//! expected everywhere else.
//!
//! Stricter: the other program answers, this law refuses.
//!
//! | case | group | input | the other answer | why it is refused here |
//! | --- | --- | --- | --- | --- |
//! | `distribution-099` | `minus-inf-all` | all logits -inf, T = 0 | id 0 | no token may be drawn, at no temperature |
//! | `distribution-103` | `nan-or-plus-inf` | a NaN logit, T = 0 | its id | a NaN says nothing about the others |
//! | `distribution-104` | `nan-or-plus-inf` | a NaN logit, T = -1 | its id | the same |
//! | `distribution-107` | `nan-or-plus-inf` | a +inf logit, T = 0 | its id | the row is refused at every other T |
//! | `distribution-108` | `nan-or-plus-inf` | a +inf logit, T = -1 | its id | the same |
//! | `distribution-122` | `odd-top-p` | top_p is NaN | the filter is off | no number is no setting |
//! | `penalties-011` | `negative-count` | a count of -3 | a bonus | nothing stands in a text less than 0 times |
//! | `chain-009` | `make_sampler` | mlx-lm at T = -1 | the least likely leads | a negative T is no temperature |
//!
//! Wider: the other program refuses, this law answers.
//!
//! | case | group | input | why it can be answered here |
//! | --- | --- | --- | --- |
//! | `distribution-110` | `extreme-temperature` | T = 5e-324 | no overflow: the maximum goes before the division by T |
//! | `distribution-117` | `huge-logits` | logits up to 1e308, T = 0.1 | the same |

/// Case and group, so that another file's case of the same number is not excused.
type Excused = (&'static str, &'static str);

const STRICTER: [Excused; 8] = [
    ("distribution-099", "minus-inf-all"),
    ("distribution-103", "nan-or-plus-inf"),
    ("distribution-104", "nan-or-plus-inf"),
    ("distribution-107", "nan-or-plus-inf"),
    ("distribution-108", "nan-or-plus-inf"),
    ("distribution-122", "odd-top-p"),
    ("penalties-011", "negative-count"),
    ("chain-009", "make_sampler"),
];
const WIDER: [Excused; 2] = [("distribution-110", "extreme-temperature"), ("distribution-117", "huge-logits")];

/// Whether a refusal of this case is on purpose.
pub fn stricter(id: &str, group: &str) -> bool {
    STRICTER.contains(&(id, group))
}

/// Whether an answer to this case is on purpose.
pub fn wider(id: &str, group: &str) -> bool {
    WIDER.contains(&(id, group))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cases and groups of a table of the documentation above.
    fn documented(table: usize) -> Vec<(&'static str, &'static str)> {
        let lines = include_str!("exceptions.rs").lines().map_while(|line| line.strip_prefix("//!"));
        let text: Vec<&str> = lines.map(str::trim).collect();
        let starts: Vec<usize> = (0..text.len()).filter(|&line| text[line].starts_with("| case")).collect();
        let rows = text[starts[table] + 2..].iter().take_while(|line| line.starts_with('|'));
        let cell = |row: &&'static str, at| row.split('|').nth(at).expect("a cell").trim().trim_matches('`');
        rows.map(|row| (cell(row, 1), cell(row, 2))).collect()
    }

    #[test]
    fn the_documented_tables_are_the_ones_in_force() {
        assert_eq!(documented(0), STRICTER);
        assert_eq!(documented(1), WIDER);
    }
}
