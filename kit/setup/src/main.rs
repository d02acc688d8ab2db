//! Puts MLX where this workspace's builds find it: the steps behind `cargo xtask setup`.
//!
//! In: the repository's folder, the network or `MLX_ROOT`, a C++ compiler. Out: `.mlx/` and `.cargo/mlx.toml`.
//! A step whose stamp is current is skipped, and what a step leaves appears under its final name only when it is
//! whole, so a run that was interrupted anywhere is finished by the next. Progress goes to standard error; a failure
//! is one sentence on standard output and exit code 2; a success is `done` or `nothing to do`.

mod bindings;
mod cargo_config;
mod compile;
mod download;
mod failure;
mod identity;
mod mlx;
mod mlxc;
mod nvidia;
mod options;
mod place;
mod platform;
mod progress;
mod tools;
mod unpack;
mod wheels;

use std::process::ExitCode;

use options::Options;
use place::Place;
use platform::Platform;

/// The version that mlx-c 0.7.0 (in mlx-sys 0.7.0) is made for. MLX's C++ interface differs from version to version.
const MLX_VERSION: &str = "0.32.2";

fn main() -> ExitCode {
    match options::from_arguments(std::env::args().skip(1)).and_then(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{}", failure::sentence(&error));
            ExitCode::from(2)
        }
    }
}

fn run(options: Options) -> anyhow::Result<()> {
    if let Some(job) = options.bindings {
        return bindings::generate(&job);
    }
    let platform = Platform::of_this_machine()?;
    let place = Place::lock(&options.root)?;
    let mlx = mlx::fetch(&place, &platform, options.backend, options.offline)?;
    match &platform.wheels.cuda {
        Some(cuda) if mlx.cuda => nvidia::fetch(&place, &cuda.libraries, options.offline)?,
        _ => nvidia::forget(&place)?,
    }
    identity::give_absolute_name(&place, &platform, &mlx, options.offline)?;
    let mlxc = mlxc::build(&place, &platform, &mlx, options.offline)?;
    bindings::write(&place, &platform, &mlxc, options.offline)?;
    cargo_config::write(&place, &platform, &mlxc)?;
    place.forget_partial_work()?;
    println!("{}", if place.changed() { "done" } else { "nothing to do" });
    Ok(())
}
