//! A small copy of the course in a folder of its own: the real manifest, sources of a few lines, no MLX.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder that goes when the test ends.
pub struct Scratch {
    /// Its path, without symbolic links.
    pub root: PathBuf,
}

/// How a command ended.
pub struct Ran {
    /// The exit code, or -1 for a signal.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

static NUMBER: AtomicU32 = AtomicU32::new(0);

impl Scratch {
    /// An empty folder, away from any checkout.
    pub fn empty(name: &str) -> Self {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("xtask-{name}-{}-{number}", std::process::id()));
        fs::create_dir_all(&root).expect("a temporary folder can be made");
        Self { root: fs::canonicalize(&root).expect("the folder is there") }
    }

    /// A course with the real manifest and one starter a file of the manifest's days 1 and 7.
    pub fn course(name: &str) -> Self {
        let scratch = Self::empty(name);
        scratch.write("xtask/course.toml", include_str!("../../course.toml"));
        scratch.write(".gitignore", "/target\n/.learner\n/.mlx\n/week1/tests/*\n");
        scratch.pretend_mlx();
        scratch.write("week1/src/lib.rs", "//! Yours.\npub mod attention;\npub mod basics;\npub mod sampler;\n");
        scratch.write("week1/src/basics.rs", BASICS);
        scratch.write("week1/src/attention.rs", ATTENTION);
        scratch.write("week1/src/sampler.rs", SAMPLER);
        scratch.write("solutions/week1/tests/cases/day1.rs", DAY1);
        scratch.write("solutions/week1/tests/cases/day7.rs", "//! Day 7.\n");
        scratch.write("book/src/week1-01-attention.md", CHAPTER);
        scratch
    }

    /// A course as it may be on its way: Week 1 as it is, Week 2 named alone, of Week 3 the last day.
    pub fn course_on_its_way(name: &str) -> Self {
        let scratch = Self::course(name);
        let whole = scratch.read("xtask/course.toml");
        let (first, _) = whole.split_once("[[week]]\nnumber = 2\n").expect("the course has a second week");
        scratch.write("xtask/course.toml", &format!("{first}{LATER_WEEKS}"));
        scratch
    }

    /// How many tasks the course asks for: those of the manifest that are not optional.
    pub fn required_tasks(&self) -> usize {
        let manifest = self.read("xtask/course.toml");
        manifest.matches("id = \"").count() - manifest.matches("optional = true").count()
    }

    /// What setup leaves when Cargo is to build MLX itself: no command sets MLX up again, and nothing here needs it.
    pub fn pretend_mlx(&self) {
        self.write(".mlx/stamp", &format!("MLX 0.32.2, recipe 1\nroot {}\nfrom source\n", self.root.display()));
    }

    /// Writes a file with its folders.
    pub fn write(&self, path: &str, text: &str) {
        let file = self.root.join(path);
        fs::create_dir_all(file.parent().expect("a file has a folder")).expect("folders can be made");
        fs::write(file, text).expect("files can be written");
    }

    /// Reads a file.
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Replaces text that must be in a file.
    pub fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert!(text.contains(from), "{path} does not contain `{from}`:\n{text}");
        self.write(path, &text.replacen(from, to, 1));
    }

    /// Runs `cargo xtask ARGUMENTS` in this folder.
    pub fn xtask(&self, arguments: &[&str]) -> Ran {
        self.command(&self.root, arguments).into()
    }

    /// Runs it in a folder below.
    pub fn xtask_in(&self, folder: &str, arguments: &[&str]) -> Ran {
        self.command(&self.root.join(folder), arguments).into()
    }

    /// Runs it with a program in Cargo's place.
    pub fn xtask_with_cargo(&self, cargo: &Path, arguments: &[&str]) -> Ran {
        let mut command = self.prepared(&self.root, arguments);
        command.env("CARGO", cargo);
        command.output().expect("xtask runs").into()
    }

    /// The command, ready to be started.
    pub fn prepared(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.args(arguments).current_dir(folder);
        // What the person who runs the tests has set must not change them.
        for name in
            ["COLUMNS", "NO_COLOR", "RUST_BACKTRACE", "CARGO_TARGET_DIR", "RUSTFLAGS", "GIT_DIR", "GIT_INDEX_FILE"]
        {
            command.env_remove(name);
        }
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        command
    }

    fn command(&self, folder: &Path, arguments: &[&str]) -> Output {
        self.prepared(folder, arguments).output().expect("xtask runs")
    }

    /// A program that answers as Cargo would: prints `out` and `err`, notes its arguments in `cargo-calls`, ends with `code`.
    #[cfg(unix)]
    pub fn fake_cargo(&self, out: &str, err: &str, code: i32) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        self.write("fake/out", out);
        self.write("fake/err", err);
        let folder = self.root.join("fake").display().to_string();
        let program = self.root.join("fake/cargo");
        let script = format!(
            "#!/bin/sh\necho \"$(pwd): $*\" >> '{folder}/calls'\ncat '{folder}/out'\ncat '{folder}/err' >&2\nexit {code}\n"
        );
        fs::write(&program, script).expect("the program can be written");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("the program can be made executable");
        program
    }

    /// Runs git in this folder.
    pub fn git(&self, arguments: &[&str]) -> String {
        let mut git = Command::new("git");
        git.current_dir(&self.root).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        git.env_remove("GIT_DIR").env_remove("GIT_INDEX_FILE");
        git.args(["-c", "user.name=author", "-c", "user.email=author@localhost"]).args(arguments);
        let ran: Ran = git.output().expect("git runs").into();
        assert_eq!(ran.code, 0, "git {arguments:?}: {}", ran.err);
        ran.out.trim_end().to_string()
    }

    /// Commits everything.
    pub fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "-m", message]);
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            fs::remove_dir_all(&self.root).expect("the temporary folder can go");
        }
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the output is UTF-8");
        Self { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Ran {
    /// Fails with all that was printed unless the code and the beginning of the standard error are as expected.
    pub fn expect(&self, code: i32, error: &str) -> &Self {
        let fits = self.code == code && self.err.starts_with(error) && (!error.is_empty() || self.err.is_empty());
        assert!(fits, "expected exit {code} and `{error}`, got exit {}\n{}\n{}", self.code, self.err, self.out);
        self
    }

    /// Fails unless the standard output has the text.
    pub fn says(&self, text: &str) -> &Self {
        assert!(self.out.contains(text), "`{text}` is not in:\n{}\n{}", self.out, self.err);
        self
    }
}

/// A starter with the two first tasks.
pub const BASICS: &str = "//! Projections.\n\nuse kit::Result;\n\n/// `x` times `w`.\npub fn linear(x: f32, w: f32) -> Result<f32> {\n    \
    kit::stub!(\"1.1.1\", x, w)\n}\n\n/// The weights of `x`.\npub fn softmax(x: &[f32]) -> Result<Vec<f32>> {\n    \
    kit::stub!(\"1.1.2\", x)\n}\n";

/// A starter with a type and a method.
pub const ATTENTION: &str = "//! Attention.\n\nuse kit::Result;\n\n/// Looks up.\npub fn scaled_dot_product_attention(q: f32) -> Result<f32> {\n    \
    kit::stub!(\"1.1.3\", q)\n}\n\n/// Heads.\npub struct SimpleMultiHeadAttention;\n\nimpl SimpleMultiHeadAttention {\n    \
    /// All heads.\n    pub fn forward(&self, x: f32) -> Result<f32> {\n        kit::stub!(\"1.1.4\", self, x)\n    }\n}\n";

/// A starter with three tasks of Day 7.
pub const SAMPLER: &str = "//! Sampling.\n\nuse kit::Result;\n\n/// Draws.\npub fn draw(x: f32) -> Result<f32> {\n    kit::stub!(\"1.7.1\", x)\n}\n\n\
    /// Keeps k.\npub fn top_k(x: f32, k: usize) -> Result<f32> {\n    kit::stub!(\"1.7.2\", x, k)\n}\n\n\
    /// Keeps p.\npub fn top_p(x: f32, p: f32) -> Result<f32> {\n    kit::stub!(\"1.7.3\", x, p)\n}\n";

/// The master tests of Day 1.
pub const DAY1: &str = "//! Day 1.\nuse kit::Result;\n\n#[test]\nfn task_1_multiplies() -> Result<()> {\n    \
    assert_eq!(week1::basics::linear(2.0, 3.0)?, 6.0);\n    Ok(())\n}\n\n#[test]\nfn task_1_keeps_zero() -> Result<()> {\n    \
    assert_eq!(week1::basics::linear(2.0, 0.0)?, 0.0);\n    Ok(())\n}\n\n#[test]\nfn task_2_sums_to_one() -> Result<()> {\n    \
    assert_eq!(week1::basics::softmax(&[0.0, 0.0])?.iter().sum::<f32>(), 1.0);\n    Ok(())\n}\n\n\
    #[test]\nfn task_3_looks_up() -> Result<()> {\n    week1::attention::scaled_dot_product_attention(week1::basics::linear(1.0, 1.0)?)?;\n    Ok(())\n}\n\n\
    #[test]\nfn task_4_all_heads() -> Result<()> {\n    week1::attention::SimpleMultiHeadAttention.forward(1.0)?;\n    Ok(())\n}\n";

/// A chapter with hints for one task.
pub const CHAPTER: &str = "# Week 1, Day 1: Attention\n\n## Task 1.1.1: linear\n\nText.\n\n<details class=\"hint\">\n<summary>Hint 1: where to look</summary>\n\n\
    The last axis.\n\n</details>\n<details class=\"hint\">\n<summary>Hint 2: which tools</summary>\n\n`matmul`.\n\n</details>\n\
    <details class=\"hint\">\n<summary>Hint 3: the plan</summary>\n\nTranspose, then multiply.\n\n</details>\n\n## Run it\n";

const LATER_WEEKS: &str = r#"[[week]]
number = 2
title = "Fast for one user"
package = "week2"
later = true
day = [{ number = 1, title = "KV cache" }, { number = 2, title = "Measure" }]

[[week]]
number = 3
title = "A small serving engine"
package = "week3"
day = [
    { number = 1, title = "Continuous batching", later = true },
    { number = 2, title = "Chunked prefill", later = true },
    { number = 3, title = "Speculative decoding", chapter = "c.md", test = "day3", task = [
        { id = "3.3.1", title = "acceptance", file = "src/a.rs", item = "a", anchor = "task-331-acceptance", lines = 6 },
    ] },
]
"#;
