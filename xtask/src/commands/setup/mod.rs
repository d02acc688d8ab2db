//! `cargo xtask setup`: fetches MLX, builds its C interface and tells Cargo where they are.
//!
//! The work itself is done by the package `setup` (kit/setup), so that this one compiles in seconds. Here are what
//! must hold before it starts, the smoke test after it, and the stamp that spares every other command all of that.

use std::process::ExitCode;

use anyhow::{bail, ensure};
use clap::{Arg, ArgAction};

use crate::commands::doctor::{self, apple_tools, nvidia};
use crate::interrupt;
use crate::workspace::Workspace;

mod engine_build;
mod program;
mod smoke;
mod stamp;

pub use stamp::{MLX_VERSION, installed, on_cuda};

/// What a learner asks of a setup.
#[derive(Clone, Copy, Default)]
struct Wish {
    /// `own` or `cuda`, as the setup program calls them; `None`: what it was before.
    backend: Option<&'static str>,
    offline: bool,
    from_source: bool,
}

/// Name, arguments and help.
pub fn spec() -> clap::Command {
    clap::Command::new("setup")
        .about("Fetches MLX, builds its C interface and tells Cargo where they are")
        .long_about(
            "Fetches MLX, builds its C interface and tells Cargo where they are. Runs by itself where it is needed; a \
             second run does nothing. MLX_ROOT names a folder with include/ and lib/ to copy MLX from. With --backend cuda, MLX \
             computes on an NVIDIA GPU (Linux on x86_64): NVIDIA's libraries are taken from the machine where it has them, else \
             downloaded, up to 1.4 GB; what was compiled before stays. --backend cpu goes back.",
        )
        .arg(
            Arg::new("backend")
                .long("backend")
                .value_name("BACKEND")
                .value_parser(["cpu", "metal", "cuda"])
                .help("What MLX computes on (where left out, what it was set up for, else the CPU, on a Mac its GPU)"),
        )
        .arg(
            Arg::new("from-source")
                .long("from-source")
                .action(ArgAction::SetTrue)
                .help("macOS: let Cargo build MLX itself, with Xcode and CMake"),
        )
        .arg(Arg::new("offline").long("offline").action(ArgAction::SetTrue).help("Use what was downloaded before"))
}

/// The command.
pub fn run(arguments: &clap::ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let macos = cfg!(target_os = "macos");
    let from_source = arguments.get_flag("from-source");
    let backend = match arguments.get_one::<String>("backend").map(String::as_str) {
        Some("cuda") if !cfg!(all(target_os = "linux", target_arch = "x86_64")) => {
            bail!("--backend cuda needs Linux on x86_64; run here without it: cargo xtask setup")
        }
        Some("cuda") => {
            if let Some(sentence) = nvidia::stops_cuda(&apple_tools::ask, nvidia::has_card()) {
                bail!("{sentence}");
            }
            Some("cuda")
        }
        Some("metal") if !macos => bail!("Metal is only on macOS; run here: cargo xtask setup --backend cpu"),
        Some("cpu") if macos => {
            bail!("the one MLX for macOS computes on the GPU and on the CPU; run without --backend: cargo xtask setup")
        }
        Some(_) => Some("own"),
        None => None,
    };
    ensure!(macos || !from_source, "--from-source is for macOS; run here without it: cargo xtask setup");
    let changed = set_up(workspace, Wish { backend, offline: arguments.get_flag("offline"), from_source })?;
    let on_what = if on_cuda(workspace) { " for CUDA" } else { "" };
    match changed {
        true => println!("MLX {MLX_VERSION} is set up{on_what}."),
        false => println!("MLX {MLX_VERSION} is set up already{on_what}; there was nothing to do."),
    }
    if backend.is_none() && !on_cuda(workspace) && nvidia::is_ready(&apple_tools::ask) {
        println!("This machine has an NVIDIA GPU. To compute on it: cargo xtask setup --backend cuda");
    }
    println!("Next: cargo xtask generate --prompt \"What is a KV cache?\"");
    println!("      cargo xtask test --week 1 --day 1");
    Ok(ExitCode::SUCCESS)
}

/// What a command calls before it builds an engine: sets MLX up unless it is, and announces a long build.
pub fn ensure(workspace: &Workspace) -> anyhow::Result<()> {
    ensure_mlx(workspace)?;
    engine_build::announce();
    Ok(())
}

/// The same for a command that builds no engine. Where MLX is set up, small files and file lengths say so.
pub fn ensure_mlx(workspace: &Workspace) -> anyhow::Result<()> {
    match installed(workspace) {
        Some(origin) if origin.is_here(workspace) => return Ok(()),
        Some(origin) => eprintln!("The course was moved here from {}; setting MLX up again.", origin.root.display()),
        None => eprintln!("MLX is not set up here yet; doing that first (cargo xtask setup, once)."),
    }
    set_up(workspace, Wish::default())?;
    Ok(())
}

/// Does what is missing; answers whether anything was.
fn set_up(workspace: &Workspace, wish: Wish) -> anyhow::Result<bool> {
    let current = installed(workspace).is_some_and(|origin| origin.is_here(workspace));
    if !current {
        doctor::before_setup(workspace)?;
    }
    if !wish.from_source {
        program::compile(workspace, wish.offline)?;
    }
    let _message = interrupt::say("Interrupted; run again and it goes on where it stopped: cargo xtask setup");
    let changed = match wish.from_source {
        true => stamp::remove_override(workspace)?,
        false => program::run(workspace, wish.backend, wish.offline)?,
    };
    if current && !changed {
        return Ok(false);
    }
    // Until what is new has shown that it computes.
    stamp::forget(workspace)?;
    smoke::run(workspace, wish.offline, on_cuda(workspace))?;
    stamp::write(workspace, wish.from_source)?;
    Ok(true)
}
