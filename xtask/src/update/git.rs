//! The parts of git that an update needs: snapshots, trees and texts in, commits and trees out. Nothing here touches a
//! file of the learner.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail, ensure};

/// The repository of the course.
pub struct Git {
    root: PathBuf,
}

/// A file of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// `100644`, `100755`, …
    pub mode: String,
    /// The blob's name.
    pub blob: String,
}

/// All files of a tree, by their paths below the repository.
pub type Tree = BTreeMap<String, Entry>;

impl Git {
    /// The repository at `root`; a sentence where it is none or where git is busy with a merge.
    pub fn open(root: &Path) -> anyhow::Result<Self> {
        let git = Self { root: root.to_path_buf() };
        let top = git.text(["rev-parse", "--show-toplevel"]);
        let top = top.context("an update needs git, and a clone of the course rather than an unpacked archive")?;
        let is_top = fs::canonicalize(&top).ok() == fs::canonicalize(root).ok();
        ensure!(
            is_top,
            "{} belongs to the repository {top}; an update needs a clone of the course itself",
            root.display()
        );
        for (file, doing) in [
            ("MERGE_HEAD", "merge"),
            ("rebase-merge", "rebase"),
            ("rebase-apply", "rebase"),
            ("CHERRY_PICK_HEAD", "cherry-pick"),
        ] {
            let path = root.join(git.text(["rev-parse", "--git-path", file])?);
            ensure!(
                !path.exists(),
                "git is in the middle of a {doing}; finish it or run `git {doing} --abort`, then update again"
            );
        }
        Ok(git)
    }

    /// A command's output without its last line end; an error is what git said.
    pub fn text<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> anyhow::Result<String> {
        let output = self.output(self.command(arguments), &[])?;
        Ok(String::from_utf8_lossy(&output).trim_end().to_string())
    }

    /// Whether a command succeeds.
    pub fn succeeds<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> bool {
        self.command(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }

    /// The folder of git's own files.
    pub fn folder(&self) -> anyhow::Result<PathBuf> {
        Ok(self.root.join(self.text(["rev-parse", "--git-dir"])?))
    }

    /// The files of a commit or tree; an entry that is no plain file is refused.
    pub fn tree(&self, name: &str) -> anyhow::Result<Tree> {
        let listing = self.output(self.command(["ls-tree", "-r", "-z", name]), &[])?;
        let mut tree = Tree::new();
        for line in String::from_utf8(listing).context("a path of the repository is not UTF-8")?.split_terminator('\0')
        {
            let (meta, path) = line.split_once('\t').with_context(|| format!("git lists `{line}`"))?;
            let fields: Vec<&str> = meta.split(' ').collect();
            let [mode, "blob", blob] = fields[..] else {
                bail!("{path} is a repository inside the course; move it away first")
            };
            ensure!(mode != "120000", "{path} is a symbolic link, and the course has none; remove it first");
            tree.insert(path.to_string(), Entry { mode: mode.to_string(), blob: blob.to_string() });
        }
        Ok(tree)
    }

    /// A blob's bytes.
    pub fn blob(&self, name: &str) -> anyhow::Result<Vec<u8>> {
        self.output(self.command(["cat-file", "blob", name]), &[])
    }

    /// Stores bytes and returns the blob's name.
    pub fn store(&self, bytes: &[u8]) -> anyhow::Result<String> {
        let name = self.output(self.command(["hash-object", "-w", "--stdin"]), bytes)?;
        Ok(String::from_utf8_lossy(&name).trim_end().to_string())
    }

    /// The tree of the folder as it is: what is tracked and what is new, without what is ignored. The index stays as it is.
    pub fn snapshot(&self) -> anyhow::Result<String> {
        self.with_own_index(|git, index| {
            git.run_on(index, ["add", "--all"], &[])?;
            git.run_on(index, ["write-tree"], &[])
        })
    }

    /// Stores a tree and returns its name.
    pub fn write_tree(&self, tree: &Tree) -> anyhow::Result<String> {
        let line = |(path, entry): (&String, &Entry)| format!("{} {}\t{path}\0", entry.mode, entry.blob);
        let lines: String = tree.iter().map(line).collect();
        self.with_own_index(|git, index| {
            git.run_on(index, ["read-tree", "--empty"], &[])?;
            git.run_on(index, ["update-index", "-z", "--index-info"], lines.as_bytes())?;
            git.run_on(index, ["write-tree"], &[])
        })
    }

    /// Stores a commit, under a plain name where the learner has none in git's settings.
    pub fn commit(&self, tree: &str, parents: &[&str], message: &str) -> anyhow::Result<String> {
        let mut command = self.command(["commit-tree", tree, "-m", message]);
        for parent in parents {
            command.args(["-p", parent]);
        }
        if !self.succeeds(["var", "GIT_COMMITTER_IDENT"]) || !self.succeeds(["var", "GIT_AUTHOR_IDENT"]) {
            for role in ["AUTHOR", "COMMITTER"] {
                command
                    .env(format!("GIT_{role}_NAME"), "learner")
                    .env(format!("GIT_{role}_EMAIL"), "learner@localhost");
            }
        }
        Ok(String::from_utf8_lossy(&self.output(command, &[])?).trim_end().to_string())
    }

    /// The three-way merge of texts, or `None` where both sides changed the same lines.
    pub fn merge_texts(&self, ours: &str, base: &str, theirs: &str) -> anyhow::Result<Option<String>> {
        let folder = self.folder()?;
        let names =
            ["ours", "base", "theirs"].map(|name| folder.join(format!("learner-merge-{}-{name}", std::process::id())));
        for (name, text) in names.iter().zip([ours, base, theirs]) {
            fs::write(name, text).with_context(|| format!("cannot write {}", name.display()))?;
        }
        let merged = self.command(["merge-file", "-p", "-q"]).args(&names).output();
        for name in &names {
            fs::remove_file(name).with_context(|| format!("cannot remove {}", name.display()))?;
        }
        let merged = merged.context("cannot run git")?;
        let text = String::from_utf8(merged.stdout).context("a merge of two texts is not a text")?;
        Ok(merged.status.success().then_some(text))
    }

    fn with_own_index(&self, work: impl Fn(&Self, &Path) -> anyhow::Result<String>) -> anyhow::Result<String> {
        let folder = self.folder()?;
        let index = folder.join(format!("learner-index-{}", std::process::id()));
        if folder.join("index").is_file() {
            fs::copy(folder.join("index"), &index).context("cannot copy git's index")?;
        }
        let result = work(self, &index);
        if index.is_file() {
            fs::remove_file(&index).with_context(|| format!("cannot remove {}", index.display()))?;
        }
        result
    }

    fn run_on<const N: usize>(&self, index: &Path, arguments: [&str; N], input: &[u8]) -> anyhow::Result<String> {
        let mut command = self.command(arguments);
        command.env("GIT_INDEX_FILE", index);
        Ok(String::from_utf8_lossy(&self.output(command, input)?).trim_end().to_string())
    }

    fn command<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new("git");
        command.current_dir(&self.root).env("LC_ALL", "C").env("GIT_TERMINAL_PROMPT", "0").args(arguments);
        command
    }

    fn output(&self, mut command: Command, input: &[u8]) -> anyhow::Result<Vec<u8>> {
        let shown = command.get_args().map(|argument| argument.to_string_lossy()).collect::<Vec<_>>().join(" ");
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = pipes.spawn().context("cannot run git; install it first")?;
        // Every command here reads all of its input before it writes much, so one thread is enough.
        let mut stdin = child.stdin.take().context("git has no standard input")?;
        stdin.write_all(input).with_context(|| format!("git {shown} does not read its input"))?;
        drop(stdin);
        let output = child.wait_with_output().with_context(|| format!("git {shown} does not end"))?;
        let complaint = String::from_utf8_lossy(&output.stderr);
        let last = complaint.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no reason given");
        ensure!(output.status.success(), "git {shown}: {last}");
        Ok(output.stdout)
    }
}
