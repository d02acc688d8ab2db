//! What `cargo xtask setup` tells this program.

use std::path::PathBuf;

use anyhow::{Context, bail};

/// What MLX is to compute on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// The machine's own: the CPU, on a Mac its GPU as well.
    Own,
    /// An NVIDIA GPU, and the CPU.
    Cuda,
}

/// A run of this program.
pub struct Options {
    /// The repository's top folder.
    pub root: PathBuf,
    /// Use what was downloaded before, and no network.
    pub offline: bool,
    /// `None`: what it was set up for before, else the machine's own.
    pub backend: Option<Backend>,
    /// Only write the bindings: libclang is found through the environment, so this runs as a process of its own.
    pub bindings: Option<BindingsJob>,
}

/// What the bindings are made from and where they go.
pub struct BindingsJob {
    /// The folder above `mlx/c/*.h`.
    pub headers: PathBuf,
    /// The file to write.
    pub output: PathBuf,
    /// The target's Rust triple.
    pub triple: String,
    /// Folders with the compiler's own headers (`stddef.h`), of which libclang may have none.
    pub compiler_headers: Vec<PathBuf>,
}

/// Reads `--root DIR [--offline] [--backend own|cuda]`, or `bindings HEADERS OUTPUT TRIPLE COMPILER_HEADERS…`.
pub fn from_arguments(mut arguments: impl Iterator<Item = String>) -> anyhow::Result<Options> {
    let mut options = Options { root: PathBuf::new(), offline: false, backend: None, bindings: None };
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--root" => options.root = arguments.next().context("--root needs a folder")?.into(),
            "--offline" => options.offline = true,
            "--backend" => {
                options.backend = Some(match arguments.next().as_deref() {
                    Some("own") => Backend::Own,
                    Some("cuda") => Backend::Cuda,
                    _ => bail!("--backend needs own or cuda"),
                });
            }
            "bindings" => {
                let mut next = |what| arguments.next().with_context(|| format!("bindings needs {what}"));
                options.bindings = Some(BindingsJob {
                    headers: next("a folder of headers")?.into(),
                    output: next("an output file")?.into(),
                    triple: next("a target")?,
                    compiler_headers: arguments.by_ref().map(PathBuf::from).collect(),
                });
            }
            other => bail!("{other} is not an argument of this program; it is run by: cargo xtask setup"),
        }
    }
    if options.bindings.is_none() && !options.root.join("Cargo.toml").is_file() {
        bail!("{} is not the course's folder; run: cargo xtask setup", options.root.display());
    }
    Ok(options)
}
