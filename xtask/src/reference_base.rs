//! The reference below a learner's week: in goes a package, out come Cargo's flags for it.

use std::fs;

use crate::workspace::Workspace;

/// Says that `--base ref` has no effect, where nothing stands below the package.
pub fn note_without_effect(workspace: &Workspace, package: &str) {
    if flags(workspace, package).is_empty() {
        let why = match package {
            "week1" => "Week 1 stands on no other week",
            _ => "only a week of yours can stand on the reference",
        };
        eprintln!("note: {why}, so --base ref changes nothing");
    }
}

/// What makes Cargo build `package` on the reference's lower weeks; nothing for a package that stands on no other.
pub fn flags(workspace: &Workspace, package: &str) -> Vec<String> {
    let manifest = fs::read_to_string(workspace.root().join(package).join("Cargo.toml")).unwrap_or_default();
    match manifest.lines().any(|line| line.starts_with("ref-base = ")) {
        true => ["--no-default-features", "--features", "ref-base"].map(str::to_string).to_vec(),
        false => Vec::new(),
    }
}
