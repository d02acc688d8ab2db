//! The steps of a kernel's ladder, as the comments of its loops name them: `/// 2, vectors: what changed.`

/// A step of a ladder.
pub struct Step {
    /// What `tuning::set_version` takes.
    pub number: u8,
    /// What changed, in a line.
    pub changed: String,
}

/// The steps that a source names, in their order.
pub fn steps(source: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = source.lines().filter_map(step).collect();
    steps.sort_by_key(|step| step.number);
    steps
}

fn step(line: &str) -> Option<Step> {
    let (number, changed) = line.strip_prefix("//")?.trim_start_matches('/').trim_start().split_once(", ")?;
    let changed = changed.contains(": ").then(|| changed.trim_end_matches('.').to_string())?;
    Some(Step { number: number.parse().ok()?, changed })
}
