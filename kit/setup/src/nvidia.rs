//! Step 2 for CUDA: NVIDIA's libraries in `.mlx/nvidia`, where MLX for CUDA looks for them.
//!
//! What the machine has is used: beside `MLX_ROOT`, in the system's libraries, in a CUDA toolkit, in this Python's packages.
//! The rest is downloaded, more than a gigabyte where there is nothing; those files are deleted again once unpacked.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

use crate::download;
use crate::place::{self, Place};
use crate::progress::{Step, megabytes};
use crate::unpack::unpack;
use crate::wheels::Library;

/// The library that headers must be of the same CUDA as.
const COMPILER: &str = "libnvrtc.so.13";

/// Where a part of CUDA comes from.
#[derive(Debug, PartialEq, Eq)]
enum Origin {
    /// The system's linker finds it by itself.
    System,
    /// A folder of libraries or headers on this machine.
    Folder(PathBuf),
    /// The package index.
    Wheel,
}

/// Leaves `nvidia/cu13/include`, `nvidia/*/lib` or links there; nothing of what the system's linker finds.
pub fn fetch(place: &Place, libraries: &[Library], offline: bool) -> anyhow::Result<()> {
    let machine = Machine::look();
    let origins: Vec<Origin> = libraries.iter().map(|library| machine.origin(library.asked_for)).collect();
    let inputs: Vec<String> = libraries.iter().zip(&origins).map(|(library, origin)| named(library, origin)).collect();
    let inputs = inputs.join("\n");
    if place.is_current("nvidia", &inputs) {
        return Ok(());
    }
    place.begin("nvidia")?;
    let whole = place.fresh_partial("nvidia")?;
    let missing: u64 = libraries
        .iter()
        .zip(&origins)
        .filter(|(_, origin)| **origin == Origin::Wheel)
        .map(|(l, _)| l.wheel.bytes)
        .sum();
    if missing > 0 {
        eprintln!("  NVIDIA's libraries are not all on this machine: {} to download", megabytes(missing));
    }
    for (library, origin) in libraries.iter().zip(&origins) {
        match origin {
            Origin::System => {}
            Origin::Folder(folder) => link(folder, &whole, library.asked_for)?,
            Origin::Wheel => {
                let wheel = download::wheel(place, &library.wheel, offline)?;
                let step = Step::begin(format!("{} {}", library.wheel.project, library.wheel.version));
                unpack(&wheel, |name| {
                    name.strip_prefix("nvidia/").filter(|name| wanted(name)).map(|name| whole.join(name))
                })?;
                step.end("unpacked");
            }
        }
    }
    place.publish(&whole, "nvidia")?;
    place.finish("nvidia", &inputs, &place.files("nvidia")?)?;
    // Unpacked they are checked by their lengths; a second gigabyte beside them helps nobody.
    libraries.iter().try_for_each(|library| place::remove(&place.at("downloads").join(library.wheel.file)))
}

/// Takes everything away again, for an MLX that asks for none of it.
pub fn forget(place: &Place) -> anyhow::Result<()> {
    if place.at("nvidia").is_dir() || place.has_stamp("nvidia") {
        place.begin("nvidia")?;
        place::remove(&place.at("nvidia"))?;
    }
    Ok(())
}

/// A line of the stamp, which `doctor` shows.
fn named(library: &Library, origin: &Origin) -> String {
    let asked_for = library.asked_for;
    match origin {
        Origin::System => format!("{asked_for} of the system"),
        Origin::Folder(folder) => format!("{asked_for} in {}", folder.display()),
        Origin::Wheel => format!("{asked_for} from {} {}", library.wheel.project, library.wheel.version),
    }
}

/// Of a wheel: libraries and headers, without what else links to them.
fn wanted(name: &str) -> bool {
    name.contains("/include/") || name.contains("/lib/") && !name.contains(".alt.so")
}

/// Links everything of a folder, because libraries load their neighbours.
fn link(folder: &Path, whole: &Path, asked_for: &str) -> anyhow::Result<()> {
    let part = if asked_for.ends_with(".h") { "include" } else { "lib" };
    let to = whole.join("cu13").join(part);
    fs::create_dir_all(&to).with_context(|| format!("cannot create {}", to.display()))?;
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let from = entry.with_context(|| format!("cannot read {}", folder.display()))?.path();
        let name = from.file_name().unwrap_or_default();
        let link = to.join(name);
        let library = name.to_string_lossy().contains(".so");
        if link.exists() || part == "lib" && !(library && from.is_file()) {
            continue;
        }
        std::os::unix::fs::symlink(&from, &link).with_context(|| format!("cannot create {}", link.display()))?;
    }
    Ok(())
}

/// Where this machine may have CUDA.
struct Machine {
    /// What `ldconfig -p` lists.
    system: String,
    /// Folders with `lib` or `lib64`, and `include`.
    roots: Vec<PathBuf>,
}

impl Machine {
    /// Asks the environment, the system's linker and Python.
    fn look() -> Self {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let mut roots = Vec::new();
        if let Some(packages) = variable("MLX_ROOT").as_deref().and_then(Path::parent) {
            roots.extend(parts_of(packages));
        }
        let toolkits: Vec<PathBuf> = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(variable).collect();
        roots.extend(if toolkits.is_empty() { vec!["/usr/local/cuda".into()] } else { toolkits });
        let packages =
            said(Command::new("python3").args(["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]));
        if let Some(packages) = packages {
            roots.extend(parts_of(Path::new(packages.trim())));
        }
        let system =
            ["ldconfig", "/sbin/ldconfig"].into_iter().find_map(|program| said(Command::new(program).arg("-p")));
        Machine { system: system.unwrap_or_default(), roots }
    }

    fn origin(&self, asked_for: &str) -> Origin {
        let in_system = |name: &str| self.system.lines().any(|line| line.split_whitespace().next() == Some(name));
        if !asked_for.ends_with(".h") {
            return match self.roots.iter().find_map(|root| library_folder(root, asked_for)) {
                _ if in_system(asked_for) => Origin::System,
                Some(folder) => Origin::Folder(folder),
                None => Origin::Wheel,
            };
        }
        // Headers of another CUDA than the compiler's do not compile.
        let headers = |root: &PathBuf| {
            let folder = root.join("include");
            (folder.join(asked_for).is_file() && library_folder(root, COMPILER).is_some()).then_some(folder)
        };
        self.roots.iter().find_map(headers).map_or(Origin::Wheel, Origin::Folder)
    }
}

/// The parts of CUDA among Python's packages: `nvidia/cu13`, `nvidia/cudnn`, …
fn parts_of(packages: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(packages.join("nvidia")).into_iter().flatten().flatten();
    let mut parts: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    parts.sort();
    parts
}

/// The folder of a root that holds the library.
fn library_folder(root: &Path, name: &str) -> Option<PathBuf> {
    ["lib", "lib64"].into_iter().map(|folder| root.join(folder)).find(|folder| folder.join(OsStr::new(name)).is_file())
}

/// What a program prints when it runs and succeeds.
fn said(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(path: &Path) {
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder");
        fs::write(path, "").expect("a file");
    }

    #[test]
    fn the_machines_own_cuda_comes_first_and_headers_only_from_the_same_cuda() {
        let folder = tempfile::tempdir().expect("a folder");
        let (toolkit, packages) = (folder.path().join("cuda"), folder.path().join("nvidia/cu13"));
        let system = "1 libs found in cache\n\tlibnccl.so.2 (libc6,x86-64) => /lib/libnccl.so.2\n".to_string();
        put(&toolkit.join("include/cuda_runtime.h"));
        put(&toolkit.join("lib64/libnvrtc.so.12"));
        put(&packages.join("lib/libnvrtc.so.13"));
        let machine = Machine { system, roots: [vec![toolkit], parts_of(folder.path())].concat() };
        assert_eq!(machine.origin("libnccl.so.2"), Origin::System);
        assert_eq!(machine.origin("libnvrtc.so.13"), Origin::Folder(packages.join("lib")));
        assert_eq!(machine.origin("libcudnn.so.9"), Origin::Wheel);
        assert_eq!(machine.origin("cuda_runtime.h"), Origin::Wheel, "those of CUDA 12");
        put(&packages.join("include/cuda_runtime.h"));
        assert_eq!(machine.origin("cuda_runtime.h"), Origin::Folder(packages.join("include")));
    }

    #[test]
    fn a_library_comes_with_its_neighbours_and_without_what_is_no_library() {
        let folder = tempfile::tempdir().expect("a folder");
        let (from, whole) = (folder.path().join("lib64"), folder.path().join("whole"));
        for name in ["libcudnn.so.9", "libcudnn_ops.so.9", "libcudnn_static.a", "stubs/libcuda.so"] {
            put(&from.join(name));
        }
        link(&from, &whole, "libcudnn.so.9").expect("it links");
        link(&from, &whole, "libcudnn.so.9").expect("a second library of the same folder");
        let mut linked: Vec<_> =
            fs::read_dir(whole.join("cu13/lib")).expect("it is there").flatten().map(|e| e.file_name()).collect();
        linked.sort();
        assert_eq!(linked, ["libcudnn.so.9", "libcudnn_ops.so.9"]);
        assert!(wanted("cu13/lib/libnvrtc.so.13") && wanted("cu13/include/cuda.h"));
        assert!(!wanted("cu13/lib/libnvrtc.alt.so.13") && !wanted("cu13/bin/ptxas"));
    }
}
