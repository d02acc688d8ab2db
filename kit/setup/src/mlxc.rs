//! Step 4: MLX's C interface, compiled from the sources in the mlx-sys package into `.mlx/mlxc`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use crate::compile::{self, Compiler};
use crate::download::short_hash;
use crate::failure;
use crate::mlx::Mlx;
use crate::place::Place;
use crate::platform::{Platform, System};
use crate::progress::Step;

/// Stands in for `<format>` where the compiler's library has none (gcc 12).
const FORMAT: &str = include_str!("../native/format.h");
/// A clock that mlx-rs calls and only macOS has.
const CLOCK: &str = include_str!("../native/clock.cpp");
/// The 16-bit float functions that mlx-c leaves out on x86_64.
const HALF: &str = include_str!("../native/half.cpp");

/// mlx-c as it lies in `.mlx`.
pub struct Mlxc {
    /// Tells one build from another.
    pub build: String,
    /// The version of the mlx-sys package that the sources are from.
    pub version: String,
}

/// Leaves `mlxc/lib/libmlxc.a` and `mlxc/include/mlx/c/*.h`.
pub fn build(place: &Place, platform: &Platform, mlx: &Mlx, offline: bool) -> anyhow::Result<Mlxc> {
    let version = locked_version(&place.root().join("Cargo.lock"), "mlx-sys")?;
    let compiler = Compiler::find(platform, &place.at("mlx/include"))?;
    let ours: String = ours(platform).iter().map(|(_, text)| *text).collect();
    let inputs =
        format!("mlx-sys {version}\n{}\n{}\n{}", mlx.headers, compiler.identity(), short_hash(&(ours + FORMAT)));
    let mlxc = Mlxc { build: short_hash(&inputs), version };
    if place.is_current("mlxc", &inputs) {
        return Ok(mlxc);
    }
    place.begin("mlxc")?;
    let package = package_folder(place.root(), platform.triple, "mlx-sys", offline)?;
    let root = package.join("src/mlx-c");

    let work = place.partial(&format!("mlxc-{}", mlxc.build))?;
    let format = work.join("format.h");
    fs::write(&format, FORMAT).with_context(|| format!("cannot write {}", format.display()))?;
    let mut sources = files(&root.join("mlx/c"), "cpp")?;
    for (name, text) in self::ours(platform) {
        let source = work.join(name);
        fs::write(&source, text).with_context(|| format!("cannot write {}", source.display()))?;
        sources.push(source);
    }

    let step = Step::begin(format!("mlx-c, {} files of C++", sources.len()));
    let whole = place.fresh_partial("mlxc")?;
    fs::create_dir_all(whole.join("lib"))?;
    compile::archive(&compiler.with(&root, &format), &sources, &work, &whole.join("lib/libmlxc.a"), &step)?;
    let headers = whole.join("include/mlx/c");
    fs::create_dir_all(&headers).with_context(|| format!("cannot create {}", headers.display()))?;
    for header in files(&root.join("mlx/c"), "h")? {
        let copy = headers.join(header.file_name().unwrap_or_default());
        fs::copy(&header, &copy).with_context(|| format!("cannot write {}", copy.display()))?;
    }
    place.publish(&whole, "mlxc")?;
    place.finish("mlxc", &inputs, &place.files("mlxc")?)?;
    step.end("compiled");
    Ok(mlxc)
}

/// Our own sources that go into the archive.
fn ours(platform: &Platform) -> Vec<(&'static str, &'static str)> {
    let mut sources = Vec::new();
    if platform.system == System::Linux {
        sources.push(("clock.cpp", CLOCK));
    }
    if platform.lacks_half_types() {
        sources.push(("half.cpp", HALF));
    }
    sources
}

/// The files in a folder with this ending, sorted.
pub fn files(folder: &Path, ending: &str) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<Vec<_>>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == ending));
    files.sort();
    ensure!(!files.is_empty(), "{} holds no .{ending} files", folder.display());
    Ok(files)
}

/// The version of a package in `Cargo.lock`.
fn locked_version(lock: &Path, package: &str) -> anyhow::Result<String> {
    let text = fs::read_to_string(lock).with_context(|| format!("cannot read {}", lock.display()))?;
    let after = text.split_once(&format!("name = \"{package}\"\nversion = \""));
    let version = after.and_then(|(_, rest)| rest.split_once('"')).map(|(version, _)| version.to_string());
    version.with_context(|| format!("{} names no {package}; restore it with: git checkout Cargo.lock", lock.display()))
}

/// Where Cargo has unpacked a package.
fn package_folder(root: &Path, triple: &str, package: &str, offline: bool) -> anyhow::Result<PathBuf> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root).args(["metadata", "--format-version", "1", "--filter-platform", triple]);
    if offline {
        cargo.arg("--offline");
    }
    let output = cargo.output().context("cargo does not run; install Rust: https://rustup.rs")?;
    let why = || failure::last_line(&output.stderr);
    ensure!(
        output.status.success(),
        "cargo could not fetch the packages of this workspace: {}; run: cargo fetch",
        why()
    );
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).context("cargo metadata is not JSON")?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let found = packages.iter().find(|entry| entry["name"] == package);
    let manifest = found.and_then(|entry| entry["manifest_path"].as_str());
    let manifest = manifest.with_context(|| format!("no package here depends on {package}"))?;
    Ok(Path::new(manifest).parent().unwrap_or(root).to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_file_gives_the_version() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let lock = folder.path().join("Cargo.lock");
        fs::write(&lock, "[[package]]\nname = \"mlx-sys\"\nversion = \"0.7.0\"\n").expect("it can be written");
        assert_eq!(locked_version(&lock, "mlx-sys").expect("it is there"), "0.7.0");
        let sentence = locked_version(&lock, "mlx").expect_err("it is not there").to_string();
        assert!(sentence.ends_with("names no mlx; restore it with: git checkout Cargo.lock"), "{sentence}");
    }
}
