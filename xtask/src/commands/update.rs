//! `cargo xtask update`: takes a new version of the course and keeps every answer of the learner.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use clap::{Arg, ArgAction, ArgMatches};

use crate::backup::Backup;
use crate::manifest::{Manifest, TaskId};
use crate::starter;
use crate::state::State;
use crate::test_copy::{self, Changed, Copied};
use crate::update::apply::{self, Note};
use crate::update::contract::{self, Change};
use crate::update::git::{Git, Tree};
use crate::update::merge::{self, Merged, Sides};
use crate::workspace::Workspace;

/// Name, arguments and help.
pub fn spec() -> clap::Command {
    clap::Command::new("update")
        .about("Takes the course's new version into your branch; your answers stay, and everything is backed up first")
        .arg(
            Arg::new("from")
                .long("from")
                .value_name("REMOTE/BRANCH|PATH")
                .help("Where the new version is; default: the remote `upstream`, else `origin`, its main branch"),
        )
        .arg(
            Arg::new("restore")
                .long("restore")
                .action(ArgAction::SetTrue)
                .conflicts_with("from")
                .help("After an update that did not end: puts your files back as they were before it"),
        )
}

/// The command.
pub fn run(arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let root = workspace.root();
    let git = Git::open(root)?;
    let note = Note::read(root)?;
    if arguments.get_flag("restore") {
        let note = note.context("no update was interrupted; there is nothing to restore")?;
        return restore(&git, workspace, &note);
    }
    if let Some(note) = note {
        bail!(
            "the last update did not end. Nothing is lost: your files before it are in {}. Run: cargo xtask update --restore, then: cargo xtask update",
            note.snapshot
        );
    }
    let target = fetch(&git, root, arguments.get_one::<String>("from").map(String::as_str))?;
    let head = git.text(["rev-parse", "HEAD"]).context("there is no commit here yet; commit first")?;
    if git.succeeds(["merge-base", "--is-ancestor", &target, &head]) {
        println!("Up to date: {} is already in your branch.", short(&target));
        return Ok(ExitCode::SUCCESS);
    }
    let base = git
        .text(["merge-base", &head, &target])
        .context("your branch and the new version have no commit in common; if this is a shallow clone, run: git fetch --unshallow")?;
    take(&git, workspace, &Commits { base, head, target })
}

/// The commits of an update.
struct Commits {
    base: String,
    head: String,
    target: String,
}

fn take(git: &Git, workspace: &Workspace, commits: &Commits) -> anyhow::Result<ExitCode> {
    let root = workspace.root();
    let packages = starter::packages(&Manifest::load(workspace)?);
    let backup = Backup::new(workspace);
    let snapshot = git.snapshot()?;
    let reference = apply::keep_snapshot(git, &backup, &snapshot, &commits.head)?;
    let (base, theirs) = (git.tree(&commits.base)?, git.tree(&commits.target)?);
    let (committed, ours) = (git.tree(&commits.head)?, git.tree(&snapshot)?);
    let copied = apply::copy_changes(git, &backup, &base, &ours)?;

    // The branch gets the merge of what was committed; the folder gets the merge of what is there, so that changes in no
    // commit stay changes in no commit.
    let sides = |ours| Sides { base: &base, ours, theirs: &theirs, packages: &packages };
    let merged = merge::merge(git, &sides(&ours))?;
    let branch = if committed == ours { merged.tree.clone() } else { merge::merge(git, &sides(&committed))?.tree };
    let is_forward = commits.base == commits.head && branch == theirs;
    let target = if is_forward {
        commits.target.clone()
    } else {
        let message = format!("Take the course's version {}", short(&commits.target));
        git.commit(&git.write_tree(&branch)?, &[&commits.head, &commits.target], &message)?
    };
    let mut after = merged.tree.clone();
    after.extend(merged.beside.iter().map(|(path, entry)| (format!("{path}.new"), entry.clone())));
    let note = Note { snapshot: reference.clone(), target, paths: apply::differences(&ours, &after) };
    apply::apply(git, root, &backup, &ours, &after, &note)
        .context("the update stopped in the middle. Nothing is lost; go back with: cargo xtask update --restore")?;

    println!(
        "The course is at {} now, {}.",
        short(&commits.target),
        git.text(["show", "-s", "--format=%cs", &commits.target])?
    );
    let changes = contract::changes(git, &base, &theirs, &packages)?;
    report_changes(&changes);
    report_answers(&merged, &backup);
    refresh_tests(workspace, &base, &theirs, &changes)?;
    println!(
        "As it was before: {reference}{}",
        if copied > 0 { format!(", and your files in {}", backup.folder()) } else { String::new() }
    );
    println!("Next: cargo xtask");
    Ok(ExitCode::SUCCESS)
}

fn report_changes(changes: &[Change]) {
    for Change { task, function, file, what } in changes {
        println!("  {task} {function}: {what} ({file})");
    }
}

fn report_answers(merged: &Merged, backup: &Backup) {
    for (answer, name) in &merged.renamed {
        println!("  {} {} is called {name} now; your answer moved with it", answer.task, answer.function);
    }
    for answer in &merged.without_place {
        let (task, function, file) = (answer.task, &answer.function, &answer.file);
        println!("  {task} {function} is no longer yours to write; your answer is in {}/{file}", backup.folder());
    }
    for path in merged.beside.keys() {
        println!("  {path}: both versions changed the same lines; yours stays, and the course's is {path}.new");
    }
    for path in &merged.retired {
        println!("  {path} is no longer part of the course; yours stays");
    }
    let kept = merged.kept.len() + merged.renamed.len();
    println!("  {kept} of your answers {} in place", if kept == 1 { "is" } else { "are" });
}

/// Brings the copied tests up to date and forgets results that no longer mean anything.
fn refresh_tests(workspace: &Workspace, base: &Tree, theirs: &Tree, changes: &[Change]) -> anyhow::Result<()> {
    let manifest = Manifest::load(workspace)?;
    let mut state = State::load(workspace)?;
    let mut outdated: Vec<TaskId> = changes.iter().map(|change| change.task).collect();
    for (package, test) in contract::changed_tests(base, theirs) {
        outdated
            .extend(manifest.tasks().filter(|task| task.package == package && task.test == test).map(|task| task.id));
        let path = test_copy::copy_path(&package, &test);
        if !workspace.root().join(&path).is_file() {
            println!("  the tests {package} {test} changed; the next `cargo xtask test` copies them");
            continue;
        }
        match test_copy::copy(workspace, &mut state, &package, &test, Changed::Replace)? {
            Copied::Replaced(kept) => println!("  {path} has the new tests; your version of it is kept in {kept}"),
            _ => println!("  {path} has the new tests"),
        }
    }
    outdated.into_iter().for_each(|task| state.forget_progress(task));
    state.save()
}

/// Fetches the new version and returns its commit.
fn fetch(git: &Git, root: &Path, from: Option<&str>) -> anyhow::Result<String> {
    let remotes = git.text(["remote"])?;
    let is_remote = |name: &str| remotes.lines().any(|remote| remote == name);
    let here = std::env::current_dir().unwrap_or_else(|_| root.to_path_buf());
    let (place, branch) = match from {
        Some(path) if here.join(path).is_dir() => (here.join(path).display().to_string(), "HEAD".to_string()),
        Some(from) => {
            let (remote, branch) = from.split_once('/').unwrap_or((from, "HEAD"));
            ensure!(
                is_remote(remote),
                "--from {from} is neither a folder nor a remote's branch; the remotes are: {}",
                if remotes.is_empty() { "none".to_string() } else { remotes.replace('\n', ", ") }
            );
            (remote.to_string(), branch.to_string())
        }
        None => {
            let remote = ["upstream", "origin"].into_iter().find(|name| is_remote(name));
            let remote = remote
                .context("there is no remote `upstream` or `origin`; say where the new version is: --from PATH")?;
            (remote.to_string(), "HEAD".to_string())
        }
    };
    println!(
        "Looking for a new version in {place}{}",
        if branch == "HEAD" { String::new() } else { format!("/{branch}") }
    );
    git.text(["fetch", "--quiet", "--no-tags", &place, &branch])
        .context("the new version cannot be fetched, and nothing has changed")?;
    git.text(["rev-parse", "FETCH_HEAD"])
}

fn restore(git: &Git, workspace: &Workspace, note: &Note) -> anyhow::Result<ExitCode> {
    if git.text(["rev-parse", "HEAD"])? == note.target {
        Note::finish(workspace.root())?;
        println!("The update had ended but for its last step. Your files before it are in {}.", note.snapshot);
        return Ok(ExitCode::SUCCESS);
    }
    apply::restore(git, workspace.root(), &Backup::new(workspace), note)?;
    println!("Your files are as they were before the update. Next: cargo xtask update");
    Ok(ExitCode::SUCCESS)
}

fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}
