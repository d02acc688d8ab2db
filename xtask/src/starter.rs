//! The starters: in come the solution packages and the manifest, out come the files that the learner's packages must hold.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use crate::manifest::{Manifest, Task, TaskId};
use crate::regions::{Language, Source};
use crate::workspace::Workspace;

/// What a solution package keeps for itself; everything else has its counterpart in the starter.
const SOLUTION_ONLY: [&str; 4] = ["Cargo.toml", "tests", "wrong", "target"];

/// The starter's files, named from the repository's top: `week1/src/sampler.rs`.
pub type Files = BTreeMap<String, Vec<u8>>;

/// The learner's packages, in the order of the course.
pub fn packages(manifest: &Manifest) -> Vec<String> {
    let weeks = manifest.weeks.iter().map(|week| week.package.clone());
    let mut packages: Vec<String> = weeks.chain(manifest.tasks().map(|task| task.package.clone())).collect();
    let mut seen = BTreeSet::new();
    packages.retain(|package| seen.insert(package.clone()));
    packages
}

/// The starter of one package.
pub struct Starter {
    /// What it must hold.
    pub files: Files,
    /// The files that have regions, and whose these are.
    pub tasks: BTreeMap<String, BTreeSet<TaskId>>,
    /// A line for each task that has no region where the manifest says.
    pub missing: Vec<String>,
}

/// Generates the starter of one package, or says all that is wrong with the marks in its solution, a line each.
pub fn generate(workspace: &Workspace, manifest: &Manifest, package: &str) -> anyhow::Result<Starter> {
    let mut files = Files::new();
    let mut tasks: BTreeMap<String, BTreeSet<TaskId>> = BTreeMap::new();
    let mut complaints = Vec::new();
    let mut main_regions = BTreeSet::new();
    let folder = format!("solutions/{package}");
    for below in solution_files(workspace, package)? {
        let (name, path) = (format!("{folder}/{below}"), format!("{package}/{below}"));
        let bytes = fs::read(workspace.root().join(&name)).with_context(|| format!("cannot read {name}"))?;
        let Some(language) = Language::of(Path::new(&name)) else {
            files.insert(path, bytes);
            continue;
        };
        let text = String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("{name} is not UTF-8 text"))?;
        let starter = Source::parse(&name, language, &text).and_then(|source| {
            check_owners(&source, manifest, package)?;
            main_regions.extend(source.regions.iter().map(|region| (below.clone(), region.task, region.item.clone())));
            for region in &source.regions {
                tasks.entry(path.clone()).or_default().insert(region.task);
            }
            source.starter(&path)
        });
        match starter {
            Ok(starter) => drop(files.insert(path, starter.into_bytes())),
            Err(complaint) => complaints.push(format!("{complaint:#}")),
        }
    }
    ensure!(complaints.is_empty(), "{}", complaints.join("\n"));
    let lacks = |task: &&Task| !main_regions.contains(&(task.file.clone(), task.id, task.item.clone()));
    let missing = manifest.tasks().filter(|task| task.package == package).filter(lacks);
    let missing =
        missing.map(|task| format!("{}: no region of task {} inside `{}`", task.solution_path(), task.id, task.item));
    Ok(Starter { files, tasks, missing: missing.collect() })
}

/// The files of a solution that have a counterpart in the starter, below the package's folder.
pub fn solution_files(workspace: &Workspace, package: &str) -> anyhow::Result<Vec<String>> {
    files_below(workspace, &format!("solutions/{package}"))
}

/// Files that the starter has and its solution has not.
pub fn leftovers(workspace: &Workspace, package: &str, files: &Files) -> anyhow::Result<Vec<String>> {
    let present = files_below(workspace, package)?.into_iter().map(|below| format!("{package}/{below}"));
    Ok(present.filter(|path| !files.contains_key(path)).collect())
}

/// Every id must be a task of this package.
fn check_owners(source: &Source<'_>, manifest: &Manifest, package: &str) -> anyhow::Result<()> {
    for region in &source.regions {
        let at = source.place(region.body.start - 1);
        let task = manifest.task(&region.task.to_string()).with_context(|| at.clone())?;
        let owner = &task.package;
        ensure!(owner == package, "{at}: task {} belongs to {owner}, but the file is of {package}", task.id);
    }
    Ok(())
}

/// Paths below a package's folder, sorted, without what the package keeps for itself and without packages inside it.
fn files_below(workspace: &Workspace, folder: &str) -> anyhow::Result<Vec<String>> {
    let top = workspace.root().join(folder);
    ensure!(top.is_dir(), "{folder} does not exist");
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(below) = folders.pop() {
        for entry in fs::read_dir(top.join(&below)).with_context(|| format!("cannot list {folder}"))? {
            let entry = entry?;
            let path = below.join(entry.file_name());
            let Some(name) = path.to_str() else { bail!("{} is not UTF-8", entry.path().display()) };
            if name.starts_with('.') || SOLUTION_ONLY.contains(&name) || entry.path().join("Cargo.toml").is_file() {
                continue;
            }
            match entry.path().is_dir() {
                true => folders.push(path),
                false => files.push(name.replace(std::path::MAIN_SEPARATOR, "/")),
            }
        }
    }
    files.sort();
    Ok(files)
}
