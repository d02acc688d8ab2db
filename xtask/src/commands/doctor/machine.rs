//! The machine itself: platform, C library, memory, disk, vector instructions.

use std::process::Command;

use super::check::{Check, Need};
use super::{first_line, version_in};
use crate::commands::setup;
use crate::workspace::Workspace;

const FIRST_DAY: Need = Need::From(1, 1);
/// The systems with a published MLX, by Rust's names.
const PLATFORMS: [&str; 3] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "aarch64-apple-darwin"];
/// The C library that MLX for Linux was linked with.
const OLDEST_GLIBC: (u32, u32) = (2, 35);
/// What linking the course's programs takes at once.
const LEAST_MEMORY: u64 = 3 << 30;
/// MLX, the compiled packages of Week 1 and room to work, before setup and after it.
const LEAST_DISK: u64 = 4 << 30;
const LEAST_DISK_AFTER: u64 = 1 << 30;

/// What Rust builds for here.
pub fn platform() -> Check {
    let name = "Platform";
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output().ok();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    match text.lines().find_map(|line| line.strip_prefix("host: ")) {
        Some(host) if PLATFORMS.contains(&host) => Check::fine(name, FIRST_DAY, host),
        Some(host) => Check::missing(
            name,
            FIRST_DAY,
            format!("there is no MLX for {host}"),
            "use Linux with glibc (x86_64, aarch64) or macOS with Apple silicon",
        ),
        None => Check::missing(name, FIRST_DAY, "rustc does not say its host", "repair Rust: rustup update stable"),
    }
}

/// glibc on Linux, the system's version on macOS.
pub fn c_library() -> Check {
    if cfg!(target_os = "macos") {
        let version = first_line(Command::new("sw_vers").arg("-productVersion")).unwrap_or_default();
        let new_enough = version.split('.').next().and_then(|major| major.parse::<u32>().ok()) >= Some(14);
        return match new_enough {
            true => Check::fine("macOS", FIRST_DAY, version),
            false => Check::missing("macOS", FIRST_DAY, format!("macOS {version} is older than 14"), "update macOS"),
        };
    }
    match first_line(Command::new("getconf").arg("GNU_LIBC_VERSION")) {
        Some(version) if version_in(&version) < Some(OLDEST_GLIBC) => Check::missing(
            "C library",
            FIRST_DAY,
            format!("{version} is older than {}.{}", OLDEST_GLIBC.0, OLDEST_GLIBC.1),
            "use Debian 12, Ubuntu 22.04 or newer",
        ),
        Some(version) => Check::fine("C library", FIRST_DAY, version),
        None => Check::fine("C library", FIRST_DAY, "not asked: there is no getconf"),
    }
}

/// Physical memory.
pub fn memory() -> Check {
    let name = "Memory";
    let kilobytes = || {
        let text = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let bytes = match cfg!(target_os = "macos") {
        true => first_line(Command::new("sysctl").args(["-n", "hw.memsize"])).and_then(|bytes| bytes.parse().ok()),
        false => kilobytes().map(|kilobytes| kilobytes * 1024),
    };
    match bytes {
        Some(bytes) if bytes < LEAST_MEMORY => {
            let found = format!("{} is less than {}", gigabytes(bytes), gigabytes(LEAST_MEMORY));
            Check::missing(name, FIRST_DAY, found, "use a machine with more, or build with: CARGO_BUILD_JOBS=1")
        }
        Some(bytes) => Check::fine(name, FIRST_DAY, gigabytes(bytes)),
        None => Check::fine(name, FIRST_DAY, "the system does not say"),
    }
}

/// Free bytes on the repository's disk.
pub fn disk(workspace: &Workspace) -> Check {
    let least = if setup::installed(workspace).is_some() { LEAST_DISK_AFTER } else { LEAST_DISK };
    let output = Command::new("df").arg("-Pk").arg(workspace.root()).output().ok();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    match free_kilobytes(&text).map(|kilobytes| kilobytes * 1024) {
        Some(free) if free < least => {
            let found = format!("the disk of {} has only {} free", workspace.root().display(), gigabytes(free));
            Check::missing("Disk", FIRST_DAY, found, format!("free {} and run again", gigabytes(least)))
        }
        Some(free) => Check::fine("Disk", FIRST_DAY, format!("{} free", gigabytes(free))),
        None => Check::fine("Disk", FIRST_DAY, "not asked: df does not run"),
    }
}

/// The column `Available` of `df -Pk`; counted from the end of the line, for the name of a disk may hold spaces.
fn free_kilobytes(df: &str) -> Option<u64> {
    let columns: Vec<&str> = df.lines().nth(1)?.split_whitespace().collect();
    let percent = columns.iter().position(|column| column.ends_with('%'))?;
    columns.get(percent.checked_sub(1)?)?.parse().ok()
}

/// The vector instructions that the kernels of Week 2 are fast with.
pub fn cpu() -> Check {
    let name = "CPU";
    let need = Need::Optional;
    #[cfg(target_arch = "x86_64")]
    {
        let features: Vec<&str> = [
            ("avx2", std::arch::is_x86_feature_detected!("avx2")),
            ("fma", std::arch::is_x86_feature_detected!("fma")),
            ("avx512f", std::arch::is_x86_feature_detected!("avx512f")),
            ("avx512_vnni", std::arch::is_x86_feature_detected!("avx512vnni")),
        ]
        .into_iter()
        .filter_map(|(feature, has)| has.then_some(feature))
        .collect();
        match features.contains(&"avx2") && features.contains(&"fma") {
            true => Check::fine(name, need, format!("{} cores, {}", cores(), features.join(" "))),
            false => Check::missing(
                name,
                need,
                format!("{} cores without AVX2", cores()),
                "nothing to mend: everything runs, only slower",
            ),
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    Check::fine(name, need, format!("{} cores, {}", cores(), std::env::consts::ARCH))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn gigabytes(bytes: u64) -> String {
    format!("{:.1} GB", bytes as f64 / (1u64 << 30) as f64)
}

#[cfg(test)]
mod tests {
    use super::free_kilobytes;

    #[test]
    fn df_is_read_on_both_systems() {
        let linux = "Filesystem     1024-blocks     Used Available Capacity Mounted on\n/dev/vda         264224372 13000000  82000000      14% /\n";
        let macos = "Filesystem 1024-blocks Used Available Capacity Mounted on\nmap auto home  0  0  77  100%  /System/Volumes/Data/home\n";
        assert_eq!(free_kilobytes(linux), Some(82_000_000));
        assert_eq!(free_kilobytes(macos), Some(77));
        assert_eq!(free_kilobytes(""), None);
    }
}
