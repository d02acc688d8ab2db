//! `test --watch`: in go the folders of a learner and the arguments of a test, out comes a report after every save.
//!
//! Files are asked for their times again and again, because notices of changes are lost in containers, on WSL and over
//! networks. Each report is a process of its own, so that a save can end one that has not come to its end, together with
//! the compiler or the test that it waits for.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::Context;

use crate::interrupt;
use crate::manifest::{Manifest, Task};
use crate::selection::Selection;
use crate::terminal::{Ink, Terminal};
use crate::workspace::Workspace;

/// Between two looks at the files.
const PAUSE: Duration = Duration::from_millis(150);

/// The flag, hidden from help, with which a report is told to end when its standard input does.
pub const WATCHED: &str = "watched";

/// The packages in which a save can change what these tests say.
pub fn folders(manifest: &Manifest, selection: Option<Selection<'_>>, reference: bool) -> Vec<String> {
    let chosen = |task: &&Task| {
        selection.is_none_or(|selection| {
            task.id.week == selection.week.number
                && selection.day.is_none_or(|day| day.number == task.id.day)
                && selection.task.is_none_or(|only| only.id == task.id)
        })
    };
    let mut packages: Vec<String> = manifest.tasks().filter(chosen).map(|task| task.package.clone()).collect();
    packages.sort();
    packages.dedup();
    if reference {
        packages.iter_mut().for_each(|package| *package = format!("solutions/{package}"));
    }
    packages
}

/// The arguments of this command, for the process of each report.
pub fn arguments() -> Vec<String> {
    let own = std::env::args().skip(1);
    own.map(|argument| if argument == "--watch" { format!("--{}", WATCHED) } else { argument }).collect()
}

/// Tests, waits for a save and tests again, until Ctrl-C. `folders` are below the repository, `arguments` are those of
/// `cargo xtask`.
pub fn run(workspace: &Workspace, folders: &[String], arguments: &[String]) -> anyhow::Result<ExitCode> {
    let interrupted = interrupt::noticed();
    let terminal = Terminal::stdout();
    loop {
        let tested = snapshot(workspace.root(), folders);
        println!("{}", terminal.paint(Ink::Quiet, &format!("── {} ──", time_of_day())));
        let mut report = Report::start(arguments)?;
        let mut running = true;
        while snapshot(workspace.root(), folders) == tested {
            if running && report.has_ended()? {
                running = false;
                println!("Watching {}: a save tests again, Ctrl-C ends.", folders.join(", "));
            }
            if interrupted() {
                report.end()?;
                println!("\nNo longer watching. Where you are: cargo xtask");
                return Ok(ExitCode::SUCCESS);
            }
            thread::sleep(PAUSE);
        }
        report.end()?;
        // An editor may write a file in steps.
        let mut before = snapshot(workspace.root(), folders);
        loop {
            thread::sleep(PAUSE / 3);
            let now = snapshot(workspace.root(), folders);
            if now == before {
                break;
            }
            before = now;
        }
        println!();
    }
}

/// In the process of a report: ends it with all that it has started when the watching process goes, however it goes.
pub fn end_with_standard_input() {
    thread::spawn(|| {
        let mut byte = [0];
        while std::io::stdin().read(&mut byte).is_ok_and(|count| count > 0) {}
        end_process_group();
    });
}

#[cfg(unix)]
fn end_process_group() {
    use nix::sys::signal::{Signal, killpg};
    if killpg(nix::unistd::getpgrp(), Signal::SIGKILL).is_err() {
        std::process::exit(1);
    }
}

#[cfg(not(unix))]
fn end_process_group() {
    std::process::exit(1);
}

/// A run of this program, with its own process group.
struct Report {
    child: Child,
}

impl Report {
    fn start(arguments: &[String]) -> anyhow::Result<Self> {
        let mut command = Command::new(crate::itself::path()?);
        command.args(arguments).stdin(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        Ok(Self { child: command.spawn().context("this program does not start again")? })
    }

    fn has_ended(&mut self) -> anyhow::Result<bool> {
        Ok(self.child.try_wait().context("cannot ask for the report")?.is_some())
    }

    /// Waiting closes the standard input, and with that the report ends.
    fn end(mut self) -> anyhow::Result<()> {
        self.child.wait().context("cannot wait for the report")?;
        Ok(())
    }
}

/// When each file was written, and how long it is.
type Snapshot = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// The files of the folders, without what editors keep beside them and without copied tests.
fn snapshot(root: &Path, folders: &[String]) -> Snapshot {
    let mut files = Snapshot::new();
    let mut open: Vec<PathBuf> = folders.iter().map(|folder| root.join(folder)).collect();
    while let Some(folder) = open.pop() {
        // What goes away while this looks is missed now and seen next time.
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let beside = name.starts_with(['.', '#']) || name.ends_with('~');
            let Ok(meta) = entry.metadata() else { continue };
            match meta.is_dir() {
                _ if beside => {}
                true if !["target", "tests"].contains(&name.as_str()) || folder.starts_with(root.join("solutions")) => {
                    open.push(entry.path());
                }
                true => {}
                false => drop(files.insert(entry.path(), (meta.modified().ok(), meta.len()))),
            }
        }
    }
    files
}

/// `14:03:22`, of the machine's own clock and zone.
fn time_of_day() -> String {
    let said = Command::new("date").arg("+%H:%M:%S").output().ok().filter(|output| output.status.success());
    said.map_or("again".to_string(), |output| String::from_utf8_lossy(&output.stdout).trim().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saves_are_seen_and_what_editors_keep_is_not() {
        let root = std::env::temp_dir().join(format!("watch-{}", std::process::id()));
        for file in ["week1/src/a.rs", "week1/tests/day1.rs", "week2/src/b.rs"] {
            fs::create_dir_all(root.join(file).parent().expect("a folder")).expect("folders");
            fs::write(root.join(file), "1").expect("a file");
        }
        let look = || snapshot(&root, &["week1".to_string()]);
        let before = look();
        assert_eq!(before.len(), 1);
        for file in ["week1/src/.a.rs.swp", "week1/src/a.rs~", "week1/tests/day1.rs", "week2/src/b.rs"] {
            fs::write(root.join(file), "22").expect("a file");
        }
        assert_eq!(look(), before);
        fs::write(root.join("week1/src/a.rs"), "22").expect("a save");
        let saved = look();
        assert_ne!(saved, before);
        fs::write(root.join("week1/src/c.rs"), "").expect("a new file");
        assert_ne!(look(), saved);
        fs::remove_dir_all(&root).expect("the temporary folder can go");
    }
}
