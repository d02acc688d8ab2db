//! The manifest of the graded copy's workspace: in comes the repository's `Cargo.toml`, out comes one with a single member.

use std::path::Path;

/// The repository's manifest with `package` as its only member and everything else by its absolute path below `root`.
pub fn with_one_member(repository: &str, package: &str, root: &Path) -> String {
    let mut manifest = String::from("# Written by `cargo xtask grade-tests`.\n");
    let mut skipping = false;
    for line in repository.lines() {
        let member_list = line.starts_with("members = [") || line.starts_with("default-members = [");
        if line.starts_with("members = [") {
            manifest.push_str(&format!("members = [\"{package}\"]\n"));
        }
        skipping |= member_list;
        if !skipping && line.starts_with("version = \"") {
            // Both workspaces build into one folder. With equal versions Cargo would give the copy's build script the
            // learner's output folder, and the learner's kernels would be the reference's.
            manifest.push_str(&format!("{}-grade\"\n", line.trim_end().trim_end_matches('"')));
        } else if !skipping {
            manifest.push_str(&with_absolute_path(&on_reference_kernels(line, package), package, root));
            manifest.push('\n');
        }
        skipping &= !line.trim_end().ends_with(']');
    }
    manifest
}

/// A week is judged by itself: the kernels below it are the reference's.
fn on_reference_kernels(line: &str, package: &str) -> String {
    match line.strip_prefix("extensions = { path = \"extensions\"") {
        Some(rest) if package != "extensions" => {
            format!("extensions = {{ package = \"solution-extensions\", path = \"solutions/extensions\"{rest}")
        }
        _ => line.to_string(),
    }
}

fn with_absolute_path(line: &str, package: &str, root: &Path) -> String {
    let path = line.split_once("path = \"").and_then(|(_, rest)| rest.split_once('"'));
    match path {
        Some((path, _)) if path != package => {
            let absolute = root.join(path);
            line.replacen(&format!("path = \"{path}\""), &format!("path = {:?}", absolute.to_string_lossy()), 1)
        }
        _ => line.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_week_is_judged_on_the_reference_s_kernels_and_kernels_by_themselves() {
        let line = "extensions = { path = \"extensions\" }\n";
        let week = with_one_member(line, "week2", Path::new("/course"));
        assert!(week.ends_with(
            "\nextensions = { package = \"solution-extensions\", path = \"/course/solutions/extensions\" }\n"
        ));
        assert!(with_one_member(line, "extensions", Path::new("/course")).ends_with(&format!("\n{line}")));
    }

    #[test]
    fn the_copy_has_one_member_a_version_of_its_own_and_absolute_paths() {
        let repository = "\
members = [
    \"week1\", \"kit\",
]
default-members = [\"week1\"]
version = \"0.1.0\"
kit = { path = \"kit\" }
week1 = { path = \"week1\" }
";
        let copy = with_one_member(repository, "week1", Path::new("/course"));
        assert_eq!(
            copy,
            "\
# Written by `cargo xtask grade-tests`.
members = [\"week1\"]
version = \"0.1.0-grade\"
kit = { path = \"/course/kit\" }
week1 = { path = \"week1\" }
"
        );
    }
}
