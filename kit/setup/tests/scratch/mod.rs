//! A scratch repository and the programs of its machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

/// The file that this machine's MLX comes in.
#[cfg(target_arch = "x86_64")]
pub const WHEEL: &str = "mlx_cpu-0.32.2-py3-none-manylinux_2_35_x86_64.whl";
#[cfg(target_arch = "aarch64")]
pub const WHEEL: &str = "mlx_cpu-0.32.2-py3-none-manylinux_2_35_aarch64.whl";

/// Shell lines that find the value of pip's `--dest`.
pub const PIP_FOLDER: &str = "while [ \"$1\" != --dest ]; do shift; done; folder=$2;";

/// Rust's name of this machine.
#[cfg(target_arch = "x86_64")]
const TRIPLE: &str = "x86_64-unknown-linux-gnu";
#[cfg(target_arch = "aarch64")]
const TRIPLE: &str = "aarch64-unknown-linux-gnu";

/// `course` is the repository, `mlx` an MLX of the learner's own, `bin` is all of `PATH`.
pub struct Scratch {
    folder: tempfile::TempDir,
}

impl Scratch {
    /// A repository without MLX, a mlx-sys with one source file, no pip.
    pub fn new() -> Self {
        let scratch = Scratch { folder: tempfile::tempdir().expect("a temporary folder") };
        scratch.write("Cargo.toml", "");
        scratch.write("Cargo.lock", "[[package]]\nname = \"mlx-sys\"\nversion = \"0.7.0\"\n");
        scratch.write(".cargo/config.toml", "");
        scratch.write("registry/src/mlx-c/mlx/c/array.cpp", "int mlx_array_new() { return 1; }\n");
        scratch.write("registry/src/mlx-c/mlx/c/array.h", "typedef struct mlx_array_ { void* ctx; } mlx_array;\n");
        scratch.write("registry/src/mlx-c/mlx/c/error.h", "extern \"C\" void mlx_error(const char*, ...);\n");
        let manifest = scratch.at("registry/Cargo.toml");
        scratch.has(
            "cargo",
            &format!(
                "echo '{{\"packages\": [{{\"name\": \"mlx-sys\", \"manifest_path\": \"{}\"}}]}}'",
                manifest.display()
            ),
        );
        scratch.has("rustc", &format!("echo host: {TRIPLE}"));
        for tool in ["c++", "ar"] {
            scratch.has(tool, &format!("PATH=/usr/local/bin:/usr/bin:/bin exec {tool} \"$@\""));
        }
        scratch.has_working_patchelf();
        // What CUDA the real machine has is not this one's.
        scratch.has("ldconfig", "echo '0 libs found in cache'");
        scratch
    }

    /// A path in the repository.
    pub fn at(&self, inside: &str) -> PathBuf {
        self.folder.path().join("course").join(inside)
    }

    /// Writes a file of the repository.
    pub fn write(&self, inside: &str, text: &str) {
        write(&self.at(inside), text);
    }

    /// Reads a file of the repository.
    pub fn read(&self, inside: &str) -> String {
        fs::read_to_string(self.at(inside)).expect("the file is there")
    }

    /// Installs a program: the lines of a shell script.
    pub fn has(&self, program: &str, script: &str) {
        use std::os::unix::fs::PermissionsExt;
        let path = self.folder.path().join("bin").join(program);
        write(&path, &format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a script can be made executable");
    }

    /// A Python whose pip answers `--version` and otherwise does this.
    pub fn has_pip(&self, script: &str) {
        self.has("python3", &format!("case \"$*\" in *--version) exit 0;; esac; {script}"));
    }

    /// A patchelf that appends the name to the library.
    pub fn has_working_patchelf(&self) {
        self.has("patchelf", "case $1 in --version) exit 0;; esac; printf %s \"$2\" >> \"$3\"");
    }

    /// The learner's own MLX.
    pub fn mlx(&self) -> PathBuf {
        self.folder.path().join("mlx")
    }

    /// Puts an MLX of this version there; its headers hold what our own C++ uses.
    pub fn mlx_root(&self, version: &str) {
        let mut text = String::new();
        for (part, number) in ["MAJOR", "MINOR", "PATCH"].iter().zip(version.split('.')) {
            text += &format!("#define MLX_VERSION_{part} {number}\n");
        }
        write(&self.mlx().join("include/mlx/version.h"), &text);
        let types = "#include <cstdint>\nnamespace mlx::core { struct float16_t { uint16_t x; }; struct bfloat16_t { uint16_t x; };\n\
                     struct array { template <class T> T item() { return {}; } template <class T> const T* data() { return {}; } }; }\n";
        write(&self.mlx().join("include/mlx/mlx.h"), types);
        write(&self.mlx().join("lib/libmlx.so"), "library");
    }

    /// Makes that an MLX for CUDA, or takes it back.
    pub fn mlx_root_for_cuda(&self, cuda: bool) {
        let header = self.mlx().join("include/cccl/cuda/version");
        match cuda {
            true => write(&header, ""),
            false => fs::remove_dir_all(self.mlx().join("include/cccl")).expect("it was made"),
        }
    }

    /// A CUDA toolkit of the machine's, where `CUDA_HOME` is.
    pub fn cuda_home(&self) -> PathBuf {
        self.folder.path().join("cuda")
    }

    /// Puts a library or a header of CUDA's there.
    pub fn toolkit_has(&self, inside: &str) {
        write(&self.cuda_home().join(inside), "cuda");
    }

    /// Writes bindings with the stamp of bindings that are current, for a machine without libclang.
    pub fn pretend_bindings(&self) {
        let half: String = Sha256::digest(include_bytes!("../../native/half.rs"))[..8]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        self.write(".mlx/gen/bindings.rs", "");
        self.write(".mlx/stamps/bindings", &format!("mlx-sys 0.7.0 for {TRIPLE}\n{half}"));
    }

    fn setup(&self, arguments: &[&str]) -> Command {
        let mut setup = Command::new(env!("CARGO_BIN_EXE_setup"));
        setup.arg("--root").arg(self.at("")).args(arguments).current_dir(self.at(""));
        setup.env_clear().env("PATH", self.folder.path().join("bin")).env("LIBCLANG_PATH", "/nowhere");
        setup.env("CUDA_HOME", self.cuda_home());
        setup
    }

    /// Starts it with the learner's MLX.
    pub fn start(&self, arguments: &[&str]) -> Child {
        let mut setup = self.setup(arguments);
        setup.env("MLX_ROOT", self.mlx()).stdout(Stdio::piped()).stderr(Stdio::piped());
        setup.spawn().expect("it starts")
    }

    /// Waits until a file appears.
    pub fn wait_for(&self, inside: &str) {
        let started = Instant::now();
        while !self.at(inside).exists() {
            assert!(started.elapsed() < Duration::from_secs(20), "{inside} did not appear");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Runs it and expects exit code 2 and this sentence.
    pub fn refuses(&self, arguments: &[&str], sentence: &str) {
        refuses(&mut self.setup(arguments), sentence);
    }

    /// The same, offline and with the learner's MLX.
    pub fn refuses_with_mlx_root(&self, sentence: &str) {
        refuses(self.setup(&["--offline"]).env("MLX_ROOT", self.mlx()), sentence);
    }

    /// The same for CUDA.
    pub fn refuses_cuda_with_mlx_root(&self, sentence: &str) {
        refuses(self.setup(&["--offline", "--backend", "cuda"]).env("MLX_ROOT", self.mlx()), sentence);
    }

    /// Runs it with the learner's MLX to a good end; its last word.
    pub fn runs_with_mlx_root(&self) -> String {
        let output = self.setup(&["--offline"]).env("MLX_ROOT", self.mlx()).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stdout).trim().to_string();
        assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
        said
    }
}

fn refuses(setup: &mut Command, sentence: &str) {
    let output = setup.output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains(sentence), "it said:\n{said}\nexpected:\n{sentence}");
    assert_eq!(said.trim().lines().count(), 1, "one line: {said}");
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder can be made");
    fs::write(path, text).expect("a file can be written");
}
