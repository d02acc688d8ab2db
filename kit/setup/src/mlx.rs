//! Step 1: MLX's library and headers in `.mlx/mlx`, copied from `MLX_ROOT` or unpacked from the wheel.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use crate::MLX_VERSION;
use crate::download;
use crate::options::Backend;
use crate::place::Place;
use crate::platform::Platform;
use crate::progress::Step;
use crate::unpack::unpack;
use crate::wheels::Wheel;

/// MLX as it lies in `.mlx`.
pub struct Mlx {
    /// Tells one library from another; it gets its name again when it changes.
    pub origin: String,
    /// Tells one set of MLX's headers from another: what is compiled with them begins again when it changes. The wheels
    /// for the CPU and for CUDA have the same, so that what was built for one runs with the other.
    pub headers: String,
    /// Whether it computes on NVIDIA's GPUs.
    pub cuda: bool,
}

/// Where MLX is taken from.
enum Source {
    Folder(PathBuf),
    Wheel(Wheel),
}

/// Puts `mlx/include`, `mlx/lib` and the libraries that the wheel brings along (`mlx_cpu.libs`) into `.mlx`.
pub fn fetch(place: &Place, platform: &Platform, backend: Option<Backend>, offline: bool) -> anyhow::Result<Mlx> {
    let (source, mlx) = choose(place, platform, backend)?;
    let library = format!("mlx/lib/{}", platform.library());
    if place.is_current("mlx", &mlx.origin) && place.at(&library).is_file() && place.is_whole("identity") {
        return Ok(mlx);
    }
    place.begin("mlx")?;
    // The fresh library does not carry its absolute name yet.
    place.begin("identity")?;
    let step = |what: &str| Step::begin(format!("MLX {MLX_VERSION}{what}, headers and library"));
    let (step, folder, name) = match &source {
        Source::Folder(root) => {
            let (step, folder) = (step(""), place.fresh_partial("mlx")?);
            copy_from(root, &folder)?;
            (step, folder, root.file_name().unwrap_or(root.as_os_str()).to_owned())
        }
        Source::Wheel(wheel) => {
            let file = download::wheel(place, wheel, offline)?;
            let (step, folder) = (step(if mlx.cuda { " for CUDA" } else { "" }), place.fresh_partial("mlx")?);
            unpack(&file, |name| wanted(name).then(|| folder.join(name)))?;
            (step, folder, wheel.file.into())
        }
    };
    let mut left = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name().to_string_lossy().into_owned()))?;
        place.publish(&path, &name)?;
        left.extend(place.files(&name)?);
    }
    // The next step changes the library, and notes its length.
    left.retain(|path| *path != library);
    place.finish("mlx", &mlx.origin, &left)?;
    step.end(&format!("from {}", name.display()));
    Ok(mlx)
}

/// `MLX_ROOT`, else the wheel for what was asked for, else the one for what was set up before.
fn choose(place: &Place, platform: &Platform, backend: Option<Backend>) -> anyhow::Result<(Source, Mlx)> {
    let of_wheel = |wheel: &Wheel| format!("MLX {} from {} sha256 {}", wheel.version, wheel.file, wheel.sha256);
    let headers = of_wheel(&platform.wheels.mlx);
    if let Some(root) = std::env::var_os("MLX_ROOT").filter(|root| !root.is_empty()).map(PathBuf::from) {
        let (origin, cuda) = (of_folder(&root, platform)?, root.join(ONLY_CUDA_HAS).is_dir());
        ensure!(
            cuda || backend != Some(Backend::Cuda),
            "MLX_ROOT is {}, which is an MLX without CUDA; unset it to use the published build: cargo xtask setup \
             --backend cuda",
            root.display()
        );
        return Ok((Source::Folder(root), Mlx { headers: origin.clone(), origin, cuda }));
    }
    let of_cuda = platform.wheels.cuda.map(|cuda| cuda.mlx);
    let before = || of_cuda.is_some_and(|wheel| place.is_from("mlx", &of_wheel(&wheel)));
    let wheel = match backend {
        Some(Backend::Cuda) => Some(
            of_cuda
                .with_context(|| format!("there is no MLX for CUDA on {}; run: cargo xtask setup", platform.triple))?,
        ),
        None if before() => of_cuda,
        _ => None,
    };
    let (cuda, wheel) = (wheel.is_some(), wheel.unwrap_or(platform.wheels.mlx));
    Ok((Source::Wheel(wheel), Mlx { origin: of_wheel(&wheel), headers, cuda }))
}

/// The headers that MLX for CUDA compiles kernels with.
const ONLY_CUDA_HAS: &str = "include/cccl";

/// Headers, libraries and MLX's CMake package, without those of other projects.
fn wanted(name: &str) -> bool {
    let library = |name: &str| !name.contains("/cmake/");
    name.starts_with("mlx/include/")
        || name.starts_with("mlx/share/cmake/MLX/")
        || name.starts_with("mlx/lib/") && library(name)
        || top_folder(name).ends_with(".libs")
}

fn top_folder(name: &str) -> &str {
    name.split_once('/').map_or(name, |(top, _)| top)
}

/// Checks that the folder is MLX of our version, and names the state it is in.
fn of_folder(root: &Path, platform: &Platform) -> anyhow::Result<String> {
    let library = root.join("lib").join(platform.library());
    let unset = "unset it to use the published build, or name a folder with include/ and lib/";
    let metadata = fs::metadata(&library)
        .with_context(|| format!("MLX_ROOT is {}, which has no lib/{}; {unset}", root.display(), platform.library()))?;
    let header = root.join("include/mlx/version.h");
    let text = fs::read_to_string(&header)
        .with_context(|| format!("MLX_ROOT is {}, which has no include/mlx/version.h; {unset}", root.display()))?;
    let version = version_of(&text);
    ensure!(
        version == MLX_VERSION,
        "MLX_ROOT is {}, which is MLX {version}, and mlx-c here is made for MLX {MLX_VERSION}; {unset}",
        root.display()
    );
    let changed = metadata.modified()?.duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_nanos();
    Ok(format!("MLX {version} from {} of {} bytes, changed {changed}", library.display(), metadata.len()))
}

/// The version in MLX's `version.h`, `0.32.2`.
fn version_of(header: &str) -> String {
    let number = |part: &str| {
        let line = header.lines().find_map(|line| line.strip_prefix(&format!("#define MLX_VERSION_{part} ")));
        line.map_or("?", str::trim)
    };
    [number("MAJOR"), number("MINOR"), number("PATCH")].join(".")
}

/// Copies `include`, `lib`, MLX's CMake package where there is one and, from a Python installation, the `*.libs` folders
/// beside it; never changes the original.
fn copy_from(root: &Path, folder: &Path) -> anyhow::Result<()> {
    for part in ["include", "lib"] {
        copy_tree(&root.join(part), &folder.join("mlx").join(part))?;
    }
    let cmake = "share/cmake/MLX";
    if root.join(cmake).is_dir() {
        copy_tree(&root.join(cmake), &folder.join("mlx").join(cmake))?;
    }
    let beside = root.parent().map(fs::read_dir).and_then(Result::ok);
    for entry in beside.into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("mlx") && name.ends_with(".libs") {
            copy_tree(&entry.path(), &folder.join(&name))?;
        }
    }
    Ok(())
}

fn copy_tree(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let (source, target) = (from.join(entry?.file_name()), PathBuf::from(to));
        let target = target.join(source.file_name().unwrap_or_default());
        if source.is_dir() {
            copy_tree(&source, &target)?;
        } else {
            fs::copy(&source, &target)
                .with_context(|| format!("cannot copy {} to {}", source.display(), target.display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read_from_the_header() {
        let header = "#define MLX_VERSION_MAJOR 0\n#define MLX_VERSION_MINOR 31\n#define MLX_VERSION_PATCH 1\n";
        assert_eq!(version_of(header), "0.31.1");
        assert_eq!(version_of(""), "?.?.?");
    }

    #[test]
    fn a_wheel_gives_headers_libraries_and_the_cmake_package_only() {
        let names = ["mlx/include/mlx/array.h", "mlx/lib/libmlx.so", "mlx/lib/mlx.metallib", "mlx_cpu.libs/libblas.so"];
        for name in names.into_iter().chain(["mlx/share/cmake/MLX/extension.cmake"]) {
            assert!(wanted(name), "{name}");
        }
        for name in ["mlx/lib/cmake/jaccl/x.cmake", "mlx_cpu-0.32.2.dist-info/RECORD"] {
            assert!(!wanted(name), "{name}");
        }
    }
}
