//! Where the repository is and how its Cargo is called.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The checkout that this binary was built in.
pub struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// The folder above this package; works from any current folder.
    pub fn find() -> anyhow::Result<Self> {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = package.parent().ok_or_else(|| anyhow::anyhow!("{} has no parent folder", package.display()))?;
        anyhow::ensure!(
            root.join("Cargo.toml").is_file(),
            "the repository is no longer at {}; run this from its new folder: cargo xtask setup",
            root.display()
        );
        Ok(Self { root: root.to_path_buf() })
    }

    /// The repository's top folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `cargo` as this process was started with, in the repository's folder.
    pub fn cargo(&self) -> Command {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(&self.root);
        cargo
    }
}
