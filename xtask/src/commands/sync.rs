//! `cargo xtask sync`: writes the starters from the solutions, or checks that they are what it would write.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::Context;
use clap::{Arg, ArgAction, value_parser};

use crate::backup::Backup;
use crate::manifest::Manifest;
use crate::starter::{self, Files};
use crate::workspace::Workspace;

/// Where copies of what was generated last are kept, so that a hand-made change is recognised.
const GENERATED: &str = "target/sync";

/// Name, arguments and help.
pub fn spec() -> clap::Command {
    clap::Command::new("sync")
        .about("For authors: writes the starters from the solutions")
        .arg(
            Arg::new("check")
                .long("check")
                .action(ArgAction::SetTrue)
                .help("Only says where a starter differs, exit 1"),
        )
        .arg(
            Arg::new("week")
                .long("week")
                .value_name("N")
                .value_parser(value_parser!(u8))
                .help("Only that week's package"),
        )
}

/// The command.
pub fn run(arguments: &clap::ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let manifest = Manifest::load(workspace)?;
    let packages = match arguments.get_one::<u8>("week") {
        Some(&week) => vec![manifest.week(week)?.package.clone()],
        None => starter::packages(&manifest),
    };
    let (mut files, mut leftovers, mut missing) = (Files::new(), Vec::new(), Vec::new());
    for package in &packages {
        let starter = starter::generate(workspace, &manifest, package)?;
        leftovers.extend(starter::leftovers(workspace, package, &starter.files)?);
        files.extend(starter.files);
        missing.extend(starter.missing);
    }
    missing.iter().for_each(|complaint| println!("{complaint}"));
    let same = match arguments.get_flag("check") {
        true => check(workspace, &files, &leftovers)?,
        false => write(workspace, &files, &leftovers)?,
    };
    Ok(if same && missing.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn check(workspace: &Workspace, files: &Files, leftovers: &[String]) -> anyhow::Result<bool> {
    let mut differences: Vec<String> = leftovers.iter().map(|path| format!("{path}: has no solution")).collect();
    for (path, wanted) in files {
        match fs::read(workspace.root().join(path)) {
            Ok(present) => differences.extend(first_difference(path, &present, wanted)),
            Err(_) => differences.push(format!("{path}: is missing")),
        }
    }
    if differences.is_empty() {
        println!("{} starter files are what the solutions say.", files.len());
        return Ok(true);
    }
    differences.sort();
    differences.iter().for_each(|difference| println!("{difference}"));
    println!("{} starter files differ. Next: cargo xtask sync", differences.len());
    Ok(false)
}

/// `FILE:LINE` and both lines, where two texts part.
fn first_difference(path: &str, present: &[u8], wanted: &[u8]) -> Option<String> {
    if present == wanted {
        return None;
    }
    let (present, wanted) = (String::from_utf8_lossy(present), String::from_utf8_lossy(wanted));
    let (mut present, mut wanted) = (present.split('\n'), wanted.split('\n'));
    for line in 1.. {
        match (present.next(), wanted.next()) {
            (Some(is), Some(should)) if is == should => continue,
            (None, None) => break,
            (is, should) => {
                let show =
                    |line: Option<&str>| line.map_or("the end of the file".into(), |line| format!("`{}`", line.trim()));
                return Some(format!("{path}:{line}: has {}, the solution gives {}", show(is), show(should)));
            }
        }
    }
    Some(format!("{path}: differs in bytes that are not text"))
}

fn write(workspace: &Workspace, files: &Files, leftovers: &[String]) -> anyhow::Result<bool> {
    let backup = Backup::new(workspace);
    let mut written = 0;
    for (path, wanted) in files {
        let target = workspace.root().join(path);
        let present = fs::read(&target).ok();
        if present.as_deref() != Some(wanted.as_slice()) {
            back_up_changes(workspace, &backup, path)?;
            put(&target, wanted)?;
            println!("wrote {path}");
            written += 1;
        }
        put(&workspace.root().join(GENERATED).join(path), wanted)?;
    }
    for path in leftovers {
        back_up_changes(workspace, &backup, path)?;
        fs::remove_file(workspace.root().join(path)).with_context(|| format!("cannot remove {path}"))?;
        println!("removed {path}: it has no solution");
    }
    println!("{written} of {} starter files written, {} removed.", files.len(), leftovers.len());
    Ok(true)
}

/// Copies a file away unless its content is in git's last commit or came from here.
fn back_up_changes(workspace: &Workspace, backup: &Backup, path: &str) -> anyhow::Result<()> {
    let Ok(present) = fs::read(workspace.root().join(path)) else { return Ok(()) };
    let generated = fs::read(workspace.root().join(GENERATED).join(path)).is_ok_and(|before| before == present);
    if generated || committed(workspace.root(), path).is_some_and(|before| before == present) {
        return Ok(());
    }
    let kept = backup.keep(path, &present)?;
    println!("{path} had changes that are in no commit; they are kept in {kept}");
    Ok(())
}

/// The file in git's last commit; `None` without git or when it is not there.
fn committed(root: &Path, path: &str) -> Option<Vec<u8>> {
    let output = Command::new("git").arg("show").arg(format!("HEAD:./{path}")).current_dir(root).output().ok()?;
    output.status.success().then_some(output.stdout)
}

fn put(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let folder = path.parent().with_context(|| format!("{} has no folder", path.display()))?;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_names_the_line_and_both_texts() {
        assert_eq!(first_difference("f", b"a\nb\n", b"a\nb\n"), None);
        let difference = first_difference("f", b"a\n  x\nc\n", b"a\n  y\nc\n");
        assert_eq!(difference.as_deref(), Some("f:2: has `x`, the solution gives `y`"));
        let shorter = first_difference("f", b"a", b"a\nb");
        assert_eq!(shorter.as_deref(), Some("f:2: has the end of the file, the solution gives `b`"));
    }

    #[test]
    fn a_change_by_hand_is_kept_and_generated_text_is_not() {
        let folder = std::env::temp_dir().join(format!("sync-backup-{}", std::process::id()));
        put(&folder.join("xtask/course.toml"), b"").expect("a writable temporary folder");
        let workspace = Workspace::at(&folder);
        let backups = || fs::read_dir(folder.join(".learner/backup")).map_or(0, |entries| entries.count());
        let files = |text: &[u8]| Files::from([("week1/src/a.rs".to_string(), text.to_vec())]);

        write(&workspace, &files(b"generated\n"), &[]).expect("the first sync");
        write(&workspace, &files(b"generated anew\n"), &[]).expect("a sync over generated text");
        assert_eq!(backups(), 0, "generated text needs no backup");
        put(&folder.join("week1/src/a.rs"), b"by hand\n").expect("a change by hand");
        put(&folder.join("week1/src/mine.rs"), b"mine\n").expect("a file by hand");
        write(&workspace, &files(b"generated anew\n"), &["week1/src/mine.rs".to_string()]).expect("a sync over both");
        let kept = fs::read_dir(folder.join(".learner/backup"))
            .expect("backups")
            .next()
            .expect("one")
            .expect("readable")
            .path();
        assert_eq!(fs::read(kept.join("week1/src/a.rs")).expect("the backup"), b"by hand\n");
        assert_eq!(fs::read(kept.join("week1/src/mine.rs")).expect("the backup"), b"mine\n");
        assert_eq!(fs::read(folder.join("week1/src/a.rs")).expect("the file"), b"generated anew\n");
        assert!(!folder.join("week1/src/mine.rs").exists());
        fs::remove_dir_all(&folder).expect("the temporary folder can go");
    }
}
