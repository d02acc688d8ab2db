//! The licences of everything that is compiled: in comes Cargo's list, out come packages whose licence is not allowed.

use std::collections::BTreeSet;

use super::output;
use crate::workspace::Workspace;

/// Licences that ask for nothing but a notice, or (MPL) for the source of their own files.
const ALLOWED: [&str; 15] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// `NAME VERSION: its licence … is not allowed`, a line each.
pub fn complaints(workspace: &Workspace) -> anyhow::Result<Vec<String>> {
    let tree = |target: &[&str]| {
        let mut cargo = workspace.cargo();
        cargo.args([
            "tree",
            "--workspace",
            "--all-features",
            "--locked",
            "--prefix",
            "none",
            "--edges",
            "normal,build,dev",
        ]);
        cargo.args(["--format", "{p}\t{l}"]).args(target);
        output(&mut cargo)
    };
    // Other machines' packages are on disk only where there was a network; what is compiled here always is.
    let (mut status, mut text) = tree(&["--target", "all"])?;
    if !status.success() {
        (status, text) = tree(&[])?;
    }
    match status.success() {
        true => Ok(refused(&text)),
        false => Ok(vec![format!("cargo tree fails:\n{text}")]),
    }
}

fn refused(tree: &str) -> Vec<String> {
    // Cargo marks a package that it has listed before with `(*)`.
    let lines = tree.lines().filter_map(|line| line.trim_end_matches("(*)").trim_end_matches(' ').split_once('\t'));
    let packages: BTreeSet<(&str, &str)> = lines.collect();
    let refused = packages.into_iter().filter(|(_, licence)| !is_allowed(licence));
    refused.map(|(package, licence)| format!("{package}: its licence `{licence}` is not on the list")).collect()
}

/// An SPDX expression, also with the old `/` for OR.
fn is_allowed(licence: &str) -> bool {
    let expression = licence.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = expression.split_whitespace().collect::<Vec<_>>().into_iter().peekable();
    let allowed = any_of(&mut words);
    allowed && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::vec::IntoIter<&'a str>>;

fn any_of(words: &mut Words<'_>) -> bool {
    let mut allowed = all_of(words);
    while words.next_if_eq(&"OR").is_some() {
        allowed |= all_of(words);
    }
    allowed
}

fn all_of(words: &mut Words<'_>) -> bool {
    let mut allowed = one(words);
    while words.next_if_eq(&"AND").is_some() {
        allowed &= one(words);
    }
    allowed
}

fn one(words: &mut Words<'_>) -> bool {
    match words.next() {
        Some("(") => any_of(words) & words.next_if_eq(&")").is_some(),
        Some(name) => match words.next_if_eq(&"WITH").and_then(|_| words.next()) {
            Some(exception) => ALLOWED.contains(&format!("{name} WITH {exception}").as_str()),
            None => ALLOWED.contains(&name),
        },
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read_as_they_are_meant() {
        for good in [
            "MIT",
            "MIT/Apache-2.0",
            "GPL-3.0 OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            assert!(is_allowed(good), "{good}");
        }
        for bad in [
            "",
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "(MIT OR GPL-3.0) AND AGPL-3.0",
            "Apache-2.0 WITH Foo",
            "MIT Apache-2.0",
            "(MIT",
        ] {
            assert!(!is_allowed(bad), "{bad}");
        }
    }

    #[test]
    fn refused_packages_are_named_once() {
        let tree = "a v1.0.0\tMIT\nb v2.0.0\tGPL-3.0\nb v2.0.0\tGPL-3.0 (*)\nc v1.0.0 (/x)\tApache-2.0 (*)\n";
        assert_eq!(refused(tree), ["b v2.0.0: its licence `GPL-3.0` is not on the list"]);
    }
}
