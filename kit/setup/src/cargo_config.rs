//! Step 6: `.cargo/mlx.toml`, which takes the place of mlx-sys' build script.

use std::fs;
use std::path::Path;

use anyhow::Context;

use crate::MLX_VERSION;
use crate::mlxc::Mlxc;
use crate::place::{self, Place};
use crate::platform::Platform;
use crate::progress::Step;

/// Writes the file when it would say something new.
pub fn write(place: &Place, platform: &Platform, mlxc: &Mlxc) -> anyhow::Result<()> {
    let file = place.root().join(".cargo/mlx.toml");
    let text = text(&place.at(""), platform, mlxc);
    if fs::read_to_string(&file).is_ok_and(|there| there == text) {
        return Ok(());
    }
    place.note_change();
    let step = Step::begin(".cargo/mlx.toml");
    let unfinished = file.with_extension("toml.part");
    fs::write(&unfinished, text).with_context(|| format!("cannot write {}", unfinished.display()))?;
    place::remove(&file)?;
    fs::rename(&unfinished, &file).with_context(|| format!("cannot write {}", file.display()))?;
    step.end("written");
    Ok(())
}

/// `build` is of no use to mlx-sys: a new value makes Cargo link again what holds the old libmlxc.a.
fn text(home: &Path, platform: &Platform, mlxc: &Mlxc) -> String {
    let home = home.display().to_string();
    let home = home.trim_end_matches('/');
    format!(
        r#"# Written by `cargo xtask setup`; says where MLX {MLX_VERSION} is, in place of mlx-sys' build script.
[target.{triple}.mlx]
rustc-link-search = ["native={home}/mlxc/lib", "native={home}/mlx/lib"]
# Not bundled: otherwise Cargo keeps a copy in mlx-sys' own library.
rustc-link-lib = ["static:-bundle=mlxc", "dylib=mlx", "dylib={runtime}"]
rustc-env = {{ OUT_DIR = "{home}/gen" }}
include = "{home}/mlx/include:{home}/mlxc/include"
version = "{MLX_VERSION}"
build = "{build}"
"#,
        triple = platform.triple,
        runtime = platform.cxx_runtime(),
        build = mlxc.build,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_override_of_every_platform() {
        let mlxc = Mlxc { build: "b".into(), version: "0.7.0".into() };
        let platforms = [
            ("x86_64-unknown-linux-gnu", "stdc++"),
            ("aarch64-unknown-linux-gnu", "stdc++"),
            ("aarch64-apple-darwin", "c++"),
        ];
        for (triple, runtime) in platforms {
            let platform = Platform::of(triple).expect("a known platform");
            let text = text(Path::new("/course/.mlx/"), &platform, &mlxc);
            let settings: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
            let expected = [
                &format!("[target.{triple}.mlx]"),
                r#"rustc-link-search = ["native=/course/.mlx/mlxc/lib", "native=/course/.mlx/mlx/lib"]"#,
                &format!(r#"rustc-link-lib = ["static:-bundle=mlxc", "dylib=mlx", "dylib={runtime}"]"#),
                r#"rustc-env = { OUT_DIR = "/course/.mlx/gen" }"#,
                r#"include = "/course/.mlx/mlx/include:/course/.mlx/mlxc/include""#,
                r#"version = "0.32.2""#,
                r#"build = "b""#,
            ];
            assert_eq!(settings, expected);
        }
    }
}
