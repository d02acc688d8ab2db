//! The copy of a learner's package that holds every body: written under `target/grade`, compiled once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};

use super::copied_manifest;
use super::switch::{RUST_MODULE, Switch, switch};
use super::wrong_answers::{self, WrongAnswer};
use crate::manifest::Manifest;
use crate::reference_base;
use crate::regions::Language;
use crate::starter;
use crate::workspace::Workspace;

/// Below the repository; a workspace of its own, so that the learner's packages keep their names in it.
const FOLDER: &str = "target/grade";

/// A learner's package with every body of every region in it.
pub struct Package {
    name: String,
    /// Every region.
    pub regions: Vec<Switch>,
    /// Every wrong answer.
    pub answers: Vec<WrongAnswer>,
    /// By generated file, below its workspace: `week1/src/sampler.rs`.
    origins: BTreeMap<String, Vec<String>>,
}

/// A compiled test target.
pub struct TestProgram {
    /// The executable.
    pub path: PathBuf,
    /// The folder that Cargo would run it in.
    pub folder: PathBuf,
}

impl Package {
    /// Writes the sources; what is unchanged is not touched, so that Cargo compiles only what changed.
    pub fn write(workspace: &Workspace, manifest: &Manifest, name: &str) -> anyhow::Result<Self> {
        let mut package =
            Self { name: name.into(), regions: Vec::new(), answers: Vec::new(), origins: BTreeMap::new() };
        for task in manifest.tasks().filter(|task| task.package == name) {
            package.answers.extend(wrong_answers::read(workspace, task)?);
        }
        let mut files = starter::Files::new();
        for (path, _) in starter::generate(workspace, manifest, name)?.files {
            let solution = format!("solutions/{path}");
            let bytes =
                fs::read(workspace.root().join(&solution)).with_context(|| format!("cannot read {solution}"))?;
            files.insert(path.clone(), package.switched(&path, &solution, bytes)?);
        }
        package.check_targets()?;
        files.insert(format!("{name}/src/grade_switch.rs"), RUST_MODULE.into());
        files.insert(format!("{name}/Cargo.toml"), read(workspace, &format!("{name}/Cargo.toml"))?.into_bytes());
        for test in tests_of(manifest, name) {
            let master = format!("solutions/{name}/tests/cases/{test}.rs");
            if workspace.root().join(&master).is_file() {
                files.insert(format!("{name}/tests/{test}.rs"), read(workspace, &master)?.into_bytes());
            }
        }
        let folder = workspace.root().join(FOLDER).join(name);
        put_all(&workspace.root().join(FOLDER), &files)?;
        for stale in files_in(&folder)? {
            let below = stale.strip_prefix(workspace.root().join(FOLDER)).unwrap_or(&stale);
            if !files.contains_key(&below.to_string_lossy().replace('\\', "/")) {
                fs::remove_file(&stale).with_context(|| format!("cannot remove {}", stale.display()))?;
            }
        }
        Ok(package)
    }

    fn switched(&mut self, path: &str, solution: &str, bytes: Vec<u8>) -> anyhow::Result<Vec<u8>> {
        if Language::of(Path::new(path)).is_none() {
            return Ok(bytes);
        }
        let text = String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("{solution} is not UTF-8 text"))?;
        let mut switched = switch(solution, &text, &self.answers, self.regions.len())?;
        if path == format!("{}/src/lib.rs", self.name) {
            switched.text.push_str("\n#[doc(hidden)]\npub mod grade_switch;\n");
        }
        self.origins.insert(path.to_string(), switched.origins);
        self.regions.append(&mut switched.regions);
        Ok(switched.text.into_bytes())
    }

    /// A wrong answer that fits no region would never run.
    fn check_targets(&self) -> anyhow::Result<()> {
        for answer in &self.answers {
            let fits = |region: &&Switch| region.task == answer.task && region.item == answer.item;
            let WrongAnswer { file, line, task, item, .. } = answer;
            ensure!(
                self.regions.iter().any(|region| fits(&region)),
                "{file}:{line}: task {task} has no region inside `{item}`"
            );
        }
        Ok(())
    }

    /// Compiles the test targets and says where they are; what does not compile is named as its author knows it.
    pub fn compile(&self, workspace: &Workspace, tests: &[String]) -> anyhow::Result<BTreeMap<String, TestProgram>> {
        let folder = workspace.root().join(FOLDER);
        let manifest = copied_manifest::with_one_member(&read(workspace, "Cargo.toml")?, &self.name, workspace.root());
        put_all(&folder, &starter::Files::from([("Cargo.toml".to_string(), manifest.into_bytes())]))?;
        fs::copy(workspace.root().join("Cargo.lock"), folder.join("Cargo.lock")).context("cannot copy Cargo.lock")?;
        let mut cargo = workspace.cargo();
        cargo.args(["test", "--no-run", "--offline", "--color", "never", "--message-format", "short"]);
        cargo.arg("--manifest-path").arg(folder.join("Cargo.toml")).args(["-p", &self.name]);
        // A task is judged by itself: what lies below is the reference's.
        cargo.args(reference_base::flags(workspace, &self.name));
        if std::env::var_os("CARGO_TARGET_DIR").is_none() {
            cargo.arg("--target-dir").arg(workspace.root().join("target"));
        }
        for test in tests {
            cargo.args(["--test", test]);
        }
        let messages = output(&mut cargo)?;
        let programs: BTreeMap<String, TestProgram> = messages
            .lines()
            .filter_map(executable)
            .map(|(test, path)| {
                let path = workspace.root().join(path);
                (test, TestProgram { path, folder: folder.join(&self.name) })
            })
            .collect();
        let missing = tests.iter().find(|test| !programs.contains_key(*test));
        if let Some(test) = missing {
            let errors: Vec<String> = messages.lines().filter_map(|line| self.author_error(line)).collect();
            match errors.is_empty() {
                true => bail!(
                    "{} {test} of the package with all bodies does not build:\n{}",
                    self.name,
                    last_lines(&messages)
                ),
                false => bail!("these bodies do not compile:\n{}", errors.join("\n")),
            }
        }
        Ok(programs)
    }

    /// `week1/src/sampler.rs:80:9: error…` as an error of the file that it was written in, with the answer's name.
    fn author_error(&self, line: &str) -> Option<String> {
        let (place, message) = line.split_once(": error")?;
        let mut parts = place.rsplitn(3, ':');
        let (_, number, file) = (parts.next()?, parts.next()?.parse::<usize>().ok()?, parts.next()?);
        let generated = file.split_once(&format!("{FOLDER}/")).map_or(file, |(_, below)| below);
        let Some(origin) = self.origins.get(generated).and_then(|origins| origins.get(number.checked_sub(1)?)) else {
            return Some(line.to_string());
        };
        let (file, written) = origin.rsplit_once(':')?;
        let written: usize = written.parse().ok()?;
        let inside = |answer: &&WrongAnswer| answer.file == file && answer.line <= written;
        let name = self
            .answers
            .iter()
            .rfind(|answer| inside(answer))
            .map_or(String::new(), |answer| format!(" ({})", answer.name));
        Some(format!("{origin}{name}: error{message}"))
    }
}

/// The test targets of a package, each once.
fn tests_of(manifest: &Manifest, package: &str) -> Vec<String> {
    let mut tests: Vec<String> =
        manifest.tasks().filter(|task| task.package == package).map(|task| task.test.clone()).collect();
    tests.dedup();
    tests
}

/// `  Executable tests/day7.rs (target/debug/deps/day7-0123)`
pub fn executable(line: &str) -> Option<(String, String)> {
    let (source, path) = line.trim_start().strip_prefix("Executable ")?.split_once(" (")?;
    let test = Path::new(source).file_stem()?.to_str()?.to_string();
    Some((test, path.trim_end().strip_suffix(')')?.to_string()))
}

fn output(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().context("cannot run cargo")?;
    Ok(format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)))
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.contains(": warning: ")).collect();
    lines[lines.len().saturating_sub(30)..].join("\n")
}

fn read(workspace: &Workspace, path: &str) -> anyhow::Result<String> {
    fs::read_to_string(workspace.root().join(path)).with_context(|| format!("cannot read {path}"))
}

fn put_all(folder: &Path, files: &starter::Files) -> anyhow::Result<()> {
    for (path, bytes) in files {
        let path = folder.join(path);
        if fs::read(&path).is_ok_and(|present| present == *bytes) {
            continue;
        }
        fs::create_dir_all(path.parent().unwrap_or(folder))
            .with_context(|| format!("cannot create {}", folder.display()))?;
        fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn files_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))? {
            let path = entry?.path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_error_is_told_in_the_authors_file_with_the_answers_name() {
        let answer = |name: &str, line| WrongAnswer {
            task: "1.7.2".parse().expect("an id"),
            name: name.into(),
            item: "top_k".into(),
            why: "wrong".into(),
            body: "x\n".into(),
            file: "w.rs".into(),
            line,
        };
        let origins = ["s.rs:1", "w.rs:4", "w.rs:9"].map(str::to_string).to_vec();
        let package = Package {
            name: "week1".into(),
            regions: Vec::new(),
            answers: vec![answer("first", 3), answer("second", 8)],
            origins: BTreeMap::from([("week1/src/sampler.rs".to_string(), origins)]),
        };
        let told = |line: &str| package.author_error(line);
        let second = told("target/grade/week1/src/sampler.rs:3:9: error[E0308]: mismatched types");
        assert_eq!(second.as_deref(), Some("w.rs:9 (second): error[E0308]: mismatched types"));
        let given = told("week1/src/sampler.rs:1:1: error: expected item");
        assert_eq!(given.as_deref(), Some("s.rs:1: error: expected item"));
        let elsewhere = told("week1/tests/day7.rs:3:1: error: expected item");
        assert_eq!(elsewhere.as_deref(), Some("week1/tests/day7.rs:3:1: error: expected item"));
        assert_eq!(told("week1/src/sampler.rs:3:9: warning: unused variable"), None);
    }

    #[test]
    fn programs_are_read_from_cargos_messages() {
        let line = "  Executable tests/day7.rs (target/debug/deps/day7-0123)";
        assert_eq!(executable(line), Some(("day7".to_string(), "target/debug/deps/day7-0123".to_string())));
        assert_eq!(executable("    Finished `test` profile"), None);
    }
}
