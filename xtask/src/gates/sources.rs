//! What may not stand in a tracked file: `unsafe` outside its places, a path of one machine, a symbolic link.

use std::fs;

use super::tracked_files;
use crate::rust_blanks::blanked;
use crate::workspace::Workspace;

/// Where `unsafe` is allowed; each block there has its reason (clippy's `undocumented_unsafe_blocks`).
const UNSAFE_PLACES: [&str; 5] =
    ["extensions/", "solutions/extensions/", "solutions/tensor-parallel/src/group.rs", "kit/blas/", "kit/src/mlx.rs"];

/// What is wrong, `FILE:LINE: …`.
pub fn complaints(workspace: &Workspace) -> anyhow::Result<Vec<String>> {
    let home = std::env::var("HOME").unwrap_or_default();
    let here = workspace.root().to_string_lossy().into_owned();
    // A path such as `/` would be found everywhere.
    let paths: Vec<String> =
        [home, here].into_iter().filter(|path| path.len() > 3).map(|path| format!("{path}/")).collect();
    let mut complaints = Vec::new();
    for name in tracked_files(workspace)? {
        let path = workspace.root().join(&name);
        if path.is_symlink() {
            complaints.push(format!("{name}: is a symbolic link"));
            continue;
        }
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let machine = text.lines().zip(1..).filter(|(line, _)| paths.iter().any(|path| line.contains(path)));
        complaints.extend(machine.map(|(_, number)| format!("{name}:{number}: has a path of this machine")));
        if name.ends_with(".rs") && !UNSAFE_PLACES.iter().any(|place| name.starts_with(place)) {
            complaints.extend(
                unsafe_lines(&text).into_iter().map(|line| format!("{name}:{line}: `unsafe` has no place here")),
            );
        }
    }
    Ok(complaints)
}

/// The lines, from 1, with the keyword in code.
fn unsafe_lines(text: &str) -> Vec<usize> {
    let code = blanked(text).unwrap_or_default();
    let word = |line: &str| line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "unsafe");
    code.lines().zip(1..).filter(|(line, _)| word(line)).map(|(_, number)| number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keyword_counts_in_code_alone() {
        let text = "// unsafe\nlet a = \"unsafe\";\nlet unsafe_op = 1;\nunsafe { f() };\nunsafe extern \"C\" {}\n#[unsafe(no_mangle)]\n";
        assert_eq!(unsafe_lines(text), [4, 5, 6]);
    }
}
