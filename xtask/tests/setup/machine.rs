//! A machine made of shell scripts around a scratch folder of the course.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The scratch folder: `course` is the repository, `bin` is all of `PATH`, `cargo.log` what cargo was asked.
pub struct Machine {
    folder: tempfile::TempDir,
    course: &'static str,
}

impl Machine {
    /// A machine with everything that setup needs.
    pub fn complete() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let machine = Machine { folder, course: "course" };
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package is in the repository");
        for file in ["xtask/course.toml", "Cargo.toml"] {
            let copy = machine.root().join(file);
            fs::create_dir_all(copy.parent().expect("it is in a folder")).expect("a folder can be made");
            fs::copy(repository.join(file), copy).expect("a file can be copied");
        }
        fs::create_dir_all(machine.root().join(".cargo")).expect("a folder can be made");
        fs::create_dir_all(machine.folder.path().join("bin")).expect("a folder can be made");
        let host = if cfg!(target_os = "macos") { "aarch64-apple-darwin" } else { "x86_64-unknown-linux-gnu" };
        machine.has("rustc", &format!("echo host: {host}"));
        machine.has("c++", "echo c++ 12.2.0");
        machine.has("python3", "echo pip 23.0.1 from /usr/lib/python3 '(python 3.11)'");
        machine.has("df", "echo header; echo /dev/sda 90000000 10000000 80000000 12% /");
        machine.has("getconf", "echo glibc 2.36");
        machine.setup_says("done", 0);
        machine
    }

    /// An NVIDIA GPU: what its `nvidia-smi` prints and exits with.
    pub fn has_gpu(&self, says: &str, code: i32) {
        self.has("nvidia-smi", &format!("echo \"{says}\"; exit {code}"));
    }

    /// The repository's folder.
    pub fn root(&self) -> PathBuf {
        self.folder.path().join(self.course)
    }

    /// Installs a program: the lines of a shell script.
    pub fn has(&self, program: &str, script: &str) {
        use std::os::unix::fs::PermissionsExt;
        let path = self.folder.path().join("bin").join(program);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a script can be written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a script can be made executable");
    }

    /// Removes a program.
    pub fn has_no(&self, program: &str) {
        fs::remove_file(self.folder.path().join("bin").join(program)).expect("the program was installed");
    }

    /// What the setup program prints and exits with; on success it leaves what the stamp asks for.
    pub fn setup_says(&self, sentence: &str, code: i32) {
        let log = self.folder.path().join("cargo.log");
        let cuda = "case \"$*\" in *'--backend cuda'*) /bin/mkdir -p .mlx/mlx/include/cccl;; *'--backend own'*) /bin/rm -rf \
                    .mlx/mlx/include/cccl;; esac";
        let smoke = "if test -f ../smoke; then read -r line < ../smoke; echo \"$line\"; exit 0; fi; test -d .mlx/mlx/include/cccl && device=GPU || device=CPU; echo it multiplies on the $device";
        let leave = "/bin/mkdir -p .mlx/mlx/lib && : > .mlx/mlx/lib/libmlx.so && : > .mlx/mlx/lib/libmlx.dylib && : > .cargo/mlx.toml";
        self.has(
            "cargo",
            &format!(
                "echo \"$*\" >> '{}'\ncase \"$*\" in\n--version) echo cargo 1.95.0;;\n*'--package setup'*) {leave}; {cuda}; echo \
                 '{sentence}'; exit {code};;\n*smoke*) {smoke};;\nesac",
                log.display()
            ),
        );
    }

    /// What the smoke test prints.
    pub fn smoke_says(&self, line: &str) {
        fs::write(self.folder.path().join("smoke"), format!("{line}\n")).expect("a file can be written");
    }

    /// How often cargo was run with these words among its arguments.
    pub fn runs_of(&self, words: &str) -> usize {
        let log = fs::read_to_string(self.folder.path().join("cargo.log")).unwrap_or_default();
        log.lines().filter(|line| line.contains(words)).count()
    }

    /// The same machine with the repository under another name.
    pub fn moved(self) -> Self {
        fs::rename(self.root(), self.folder.path().join("elsewhere")).expect("a folder can be renamed");
        Machine { course: "elsewhere", ..self }
    }

    /// Runs the command line; its exit code, and both of its outputs in one text.
    pub fn xtask(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
        xtask.args(arguments).current_dir(self.root()).env_clear().env("PATH", self.folder.path().join("bin"));
        let output = xtask.output().expect("xtask runs");
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&said).into_owned())
    }

    /// Runs it and expects exit code 2 and this sentence.
    pub fn refuses(&self, arguments: &[&str], sentence: &str) {
        let (code, said) = self.xtask(arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {said}");
        assert!(said.contains(sentence), "{arguments:?} said:\n{said}\nexpected: {sentence}");
    }
}
