//! Gets a pinned wheel into `.mlx/downloads` with pip (or uv) and checks its hash.
//!
//! pip is asked, and not the index itself, because it knows this machine's mirrors, proxies and certificates.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use sha2::{Digest, Sha256};

use crate::failure;
use crate::place::{self, Place};
use crate::progress::{Step, megabytes};
use crate::wheels::Wheel;

/// The ways to call pip, in order: program and leading arguments.
const PIPS: [(&str, &[&str]); 3] =
    [("python3", &["-m", "pip"]), ("python", &["-m", "pip"]), ("uv", &["tool", "run", "pip"])];

/// Parts of pip's messages that mean that the index was not reached.
const UNREACHED: [&str; 6] =
    ["NewConnectionError", "NameResolutionError", "Max retries exceeded", "ConnectTimeout", "ProxyError", "timed out"];

/// The wheel's path, downloaded where it is missing.
pub fn wheel(place: &Place, wheel: &Wheel, offline: bool) -> anyhow::Result<PathBuf> {
    let file = place.at("downloads").join(wheel.file);
    if file.is_file() {
        if sha256(&file)? == wheel.sha256 {
            return Ok(file);
        }
        ensure!(
            !offline,
            "{} is damaged (its sha256 is not {}); delete it and run: cargo xtask setup",
            file.display(),
            wheel.sha256
        );
        place::remove(&file)?;
    }
    ensure!(
        !offline,
        "{} is not there and --offline forbids the network; run once with a network: cargo xtask setup",
        file.display()
    );
    let folder = place.fresh_partial("download")?;
    download(wheel, &folder)?;
    let whole = folder.join(wheel.file);
    ensure!(
        whole.is_file(),
        "the package index has another build of {} {} than {}; check that pip uses PyPI: python3 -m pip config list",
        wheel.project,
        wheel.version,
        wheel.file
    );
    let found = sha256(&whole)?;
    ensure!(
        found == wheel.sha256,
        "{} has the wrong hash and was thrown away (sha256 {found}, expected {}); run again: cargo xtask setup, and if \
         it stays so, check that pip uses PyPI: python3 -m pip config list",
        wheel.file,
        wheel.sha256
    );
    place.publish(&whole, &format!("downloads/{}", wheel.file))
}

fn download(wheel: &Wheel, folder: &Path) -> anyhow::Result<()> {
    let step = Step::begin(format!("{} {}, download", wheel.project, wheel.version));
    let (program, leading) = pip()?;
    let temporary = folder.join("pip");
    fs::create_dir_all(&temporary).with_context(|| format!("cannot create {}", temporary.display()))?;
    let log = folder.join("pip.log");
    let output = File::create(&log).with_context(|| format!("cannot create {}", log.display()))?;
    let mut pip = Command::new(program);
    pip.args(leading).args([
        "download",
        "--no-deps",
        "--no-input",
        "--disable-pip-version-check",
        "--progress-bar",
        "off",
    ]);
    pip.args(["--retries", "2", "--timeout", "20", "--only-binary", ":all:", "--platform", wheel.tag]);
    pip.args(["--implementation", "py", "--abi", "none", "--python-version", "3.12", "--dest"]).arg(folder);
    pip.arg(format!("{}=={}", wheel.project, wheel.version)).env("TMPDIR", &temporary);
    pip.stdout(output.try_clone()?).stderr(output);
    let status = watch(&mut pip, &step, &temporary, wheel.bytes).with_context(|| format!("{program} did not run"))?;
    if !status.success() {
        let said = fs::read_to_string(&log).unwrap_or_default();
        bail!(why(wheel, &said));
    }
    step.end(&megabytes(wheel.bytes));
    Ok(())
}

/// The first of `PIPS` that answers.
fn pip() -> anyhow::Result<(&'static str, &'static [&'static str])> {
    let answers = |(program, leading): &(&str, &[&str])| {
        Command::new(program).args(*leading).arg("--version").output().is_ok_and(|output| output.status.success())
    };
    PIPS.into_iter().find(answers).context(
        "pip was not found (tried python3 -m pip and uv); install it with: sudo apt-get install python3-pip (Debian, \
         Ubuntu) or: brew install python (macOS)",
    )
}

/// Runs pip to its end and shows how much it has stored.
fn watch(pip: &mut Command, step: &Step, temporary: &Path, bytes: u64) -> io::Result<ExitStatus> {
    let mut child = pip.spawn()?;
    let mut most = 0;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        let stored = size_of(temporary);
        step.show(most.max(stored), bytes, &stage(stored, most, bytes));
        most = most.max(stored);
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// What pip is doing, from the bytes in its folder now and at most so far. It takes the file out of there once it is
/// whole, then checks and copies it.
fn stage(stored: u64, most: u64, bytes: u64) -> String {
    let taken_out = stored < most && most > bytes / 2;
    match taken_out || stored.max(most) >= bytes {
        true => "checking".to_string(),
        false => format!("{} of {}", megabytes(stored.max(most)), megabytes(bytes)),
    }
}

/// Bytes in all files below a folder that another process is writing.
fn size_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => size_of(&entry.path()),
            Ok(metadata) => metadata.len(),
            Err(_) => 0,
        })
        .sum()
}

fn why(wheel: &Wheel, said: &str) -> String {
    let Wheel { project, version, .. } = wheel;
    if UNREACHED.iter().any(|part| said.contains(part)) {
        return format!(
            "the Python package index cannot be reached, so {project} {version} was not downloaded; connect to the \
             network (behind a proxy, set HTTPS_PROXY) and run again: cargo xtask setup"
        );
    }
    let last = failure::last_line(said.as_bytes());
    format!("pip could not download {project} {version}: {last}; mend that and run again: cargo xtask setup")
}

/// The SHA-256 of a file in lower-case hexadecimal.
pub fn sha256(path: &Path) -> anyhow::Result<String> {
    let mut file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut hash = Sha256::new();
    io::copy(&mut file, &mut HashWriter(&mut hash)).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(hexadecimal(&hash.finalize()))
}

/// The first 16 hexadecimal digits of a text's SHA-256: a short name for a set of inputs.
pub fn short_hash(text: &str) -> String {
    hexadecimal(&Sha256::digest(text.as_bytes())[..8])
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

struct HashWriter<'a>(&'a mut Sha256);

impl io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::stage;

    #[test]
    fn a_whole_file_is_checked_and_never_counted_from_zero_again() {
        let bytes = 10_000_000;
        assert_eq!(stage(0, 0, bytes), "0.0 MB of 10.0 MB");
        assert_eq!(stage(4_000_000, 2_000_000, bytes), "4.0 MB of 10.0 MB");
        // A small file of pip's own that goes again.
        assert_eq!(stage(0, 1_000_000, bytes), "1.0 MB of 10.0 MB");
        assert_eq!(stage(10_000_000, 9_000_000, bytes), "checking");
        assert_eq!(stage(0, 10_000_000, bytes), "checking");
        assert_eq!(stage(0, 9_900_000, bytes), "checking");
    }
}
