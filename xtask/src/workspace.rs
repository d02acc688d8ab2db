//! Where the repository is and how its Cargo is called.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The checkout a command works on.
pub struct Workspace {
    root: PathBuf,
}

/// The file that only the top folder of the course has.
const LANDMARK: &str = "xtask/course.toml";

impl Workspace {
    /// The course around the current folder; from outside, the checkout that this binary was built in.
    pub fn find() -> anyhow::Result<Self> {
        let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("/"));
        let here = std::env::current_dir().unwrap_or_default();
        Self::find_from(&here, built_in)
    }

    fn find_from(here: &Path, built_in: &Path) -> anyhow::Result<Self> {
        let around = here.ancestors().find(|folder| folder.join(LANDMARK).is_file());
        let root = around.unwrap_or(built_in);
        anyhow::ensure!(
            root.join(LANDMARK).is_file(),
            "{} is not inside the course, and the course is no longer at {}; go to its folder and run: cargo xtask",
            here.display(),
            built_in.display()
        );
        Ok(Self { root: root.to_path_buf() })
    }

    /// The course in that folder.
    #[cfg(test)]
    pub fn at(root: &Path) -> Self {
        Self { root: root.to_path_buf() }
    }

    /// The repository's top folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `cargo` as this process was started with, in the repository's folder.
    pub fn cargo(&self) -> Command {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(&self.root);
        // `cargo run` describes this package to us. Build scripts (ring's, for one) ask Cargo to build again where that
        // description changes, so a cargo that inherits it and one of the learner's would undo each other's work.
        std::env::vars_os()
            .map(|(name, _)| name)
            .filter(|name| name.to_str().is_some_and(describes_a_package))
            .for_each(|name| {
                cargo.env_remove(name);
            });
        cargo
    }
}

/// Whether Cargo sets this variable for the programs and build scripts of one package.
fn describes_a_package(name: &str) -> bool {
    const NAMES: [&str; 6] = [
        "CARGO_BIN_NAME",
        "CARGO_CRATE_NAME",
        "CARGO_MANIFEST_DIR",
        "CARGO_MANIFEST_LINKS",
        "CARGO_MANIFEST_PATH",
        "CARGO_PRIMARY_PACKAGE",
    ];
    name.starts_with("CARGO_PKG_") || NAMES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_inside_the_course_wins_over_the_place_of_the_build() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package is in the repository");
        let found = Workspace::find_from(&root.join("xtask/src"), Path::new("/nowhere")).expect("the course is around");
        assert_eq!(found.root(), root);
    }

    #[test]
    fn outside_and_moved_away_is_a_sentence_with_both_folders() {
        let error = Workspace::find_from(Path::new("/"), Path::new("/nowhere")).err().expect("no course there");
        assert!(error.to_string().starts_with("/ is not inside the course, and the course is no longer at /nowhere;"));
    }
}
