//! The wait after setup: the first build of an engine compiles everything it stands on, which takes minutes.

use std::io::IsTerminal;
use std::path::Path;

/// Says so to a person when it is about to happen; elsewhere Cargo's own lines tell.
pub fn announce() {
    // This program lies beside what Cargo builds, wherever its target folder is.
    let program = crate::itself::path().ok();
    let built = program.as_deref().and_then(Path::parent).is_none_or(|folder| has_mlx_rs(&folder.join("deps")));
    if !built && std::io::stderr().is_terminal() {
        eprintln!("  … compiling the engine (once, some minutes)");
    }
}

/// Whether Cargo has compiled `mlx-rs`, the last and longest of an engine's dependencies, into this folder.
fn has_mlx_rs(dependencies: &Path) -> bool {
    let entries = std::fs::read_dir(dependencies).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).any(|name| {
        // Only a build leaves this ending: what `cargo check` leaves spares no compilation.
        name.starts_with("libmlx_rs-") && name.ends_with(".rlib")
    })
}

#[cfg(test)]
mod tests {
    use super::has_mlx_rs;

    #[test]
    fn a_compiled_mlx_rs_is_told_from_a_checked_one() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        assert!(!has_mlx_rs(&folder.path().join("missing")));
        let put = |name: &str| std::fs::write(folder.path().join(name), "").expect("a file can be written");
        put("libmlx_rs-2c16.rmeta");
        put("libmlx_sys-2c16.rlib");
        assert!(!has_mlx_rs(folder.path()));
        put("libmlx_rs-2c16.rlib");
        assert!(has_mlx_rs(folder.path()));
    }
}
