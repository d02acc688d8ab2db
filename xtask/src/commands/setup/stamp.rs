//! `.mlx/stamp`: that setup came to its end, for which version and in which folder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::state::write_whole;
use crate::workspace::Workspace;

/// The MLX that everything here is made for.
pub const MLX_VERSION: &str = "0.32.2";

/// Raised when kit/setup leaves something else behind, so that commands set MLX up again after an update.
const RECIPE: u32 = 1;

/// What the stamp says.
pub struct Origin {
    /// The repository's folder when MLX was set up.
    pub root: PathBuf,
    /// Whether Cargo builds MLX itself.
    pub from_source: bool,
}

impl Origin {
    /// Whether that is this folder; absolute paths are in the library and in Cargo's configuration.
    pub fn is_here(&self, workspace: &Workspace) -> bool {
        self.root == workspace.root()
    }
}

/// The finished setup of this version; `None` before it, or when what it left is gone.
pub fn installed(workspace: &Workspace) -> Option<Origin> {
    let root = workspace.root();
    let text = fs::read_to_string(root.join(".mlx/stamp")).ok()?;
    let mut lines = text.lines();
    let of_this_version = lines.next()? == first_line();
    let origin =
        Origin { root: lines.next()?.strip_prefix("root ")?.into(), from_source: lines.next()? == "from source" };
    let library = if cfg!(target_os = "macos") { "libmlx.dylib" } else { "libmlx.so" };
    let whole = origin.from_source
        || root.join(".cargo/mlx.toml").is_file()
            && root.join(".mlx/mlx/lib").join(library).is_file()
            && has_its_lengths(&root.join(".mlx"));
    (of_this_version && whole).then_some(origin)
}

/// Whether the MLX in `.mlx` computes on NVIDIA's GPUs: its headers hold what CUDA kernels are compiled with.
pub fn on_cuda(workspace: &Workspace) -> bool {
    workspace.root().join(".mlx/mlx/include/cccl").is_dir()
}

/// Whether the files that kit/setup listed in its stamps are there with their lengths.
fn has_its_lengths(home: &Path) -> bool {
    let is_whole = |line: &str| {
        let Some((length, path)) = line.split_once(' ') else { return false };
        fs::metadata(home.join(path)).is_ok_and(|file| file.len().to_string() == length)
    };
    fs::read_dir(home.join("stamps")).into_iter().flatten().flatten().all(|stamp| {
        let text = fs::read_to_string(stamp.path()).unwrap_or_default();
        text.split_once("\nfiles\n").is_none_or(|(_, files)| files.lines().all(is_whole))
    })
}

/// Notes that setup came to its end.
pub fn write(workspace: &Workspace, from_source: bool) -> anyhow::Result<()> {
    let how = if from_source { "from source" } else { "published build" };
    let text = format!("{}\nroot {}\n{how}\n", first_line(), workspace.root().display());
    write_whole(&workspace.root().join(".mlx/stamp"), text.as_bytes())
}

/// Notes that setup has more to do.
pub fn forget(workspace: &Workspace) -> anyhow::Result<()> {
    let stamp = workspace.root().join(".mlx/stamp");
    match fs::remove_file(&stamp) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", stamp.display()))
        }
        _ => Ok(()),
    }
}

/// Lets mlx-sys' own build script run again; answers whether it did not before.
pub fn remove_override(workspace: &Workspace) -> anyhow::Result<bool> {
    let file = workspace.root().join(".cargo/mlx.toml");
    match fs::remove_file(&file) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Ok(!installed(workspace).is_some_and(|origin| origin.from_source))
        }
        Err(error) => Err(error).with_context(|| format!("cannot remove {}", file.display())),
    }
}

fn first_line() -> String {
    format!("MLX {MLX_VERSION}, recipe {RECIPE}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_lost_its_length_is_noticed() {
        let home = tempfile::tempdir().expect("a folder");
        assert!(has_its_lengths(home.path()), "without stamps nothing is known");
        let write = |path: &str, text: &str| fs::write(home.path().join(path), text).expect("a file");
        fs::create_dir(home.path().join("stamps")).expect("a folder");
        write("stamps/mlx", "MLX from before this list\n");
        write("stamps/mlxc", "compiler 12\nfiles\n3 lib.a\n");
        assert!(!has_its_lengths(home.path()), "it is not there");
        write("lib.a", "ab");
        assert!(!has_its_lengths(home.path()), "it was cut");
        write("lib.a", "abc");
        assert!(has_its_lengths(home.path()));
    }
}
