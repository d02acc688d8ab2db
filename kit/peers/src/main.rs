//! `peers gguf`: a checkpoint of the course in, the same model in the file that llama.cpp and candle read out.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, Parser, Subcommand, ValueEnum};
use kit::{Checkpoint, Result, models::Model};
use peers::{gguf, packing::Packing};

#[derive(Parser)]
#[command(about = "Files for the engines that cargo xtask bench compares with", disable_help_subcommand = true)]
struct CommandLine {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Writes a 4-bit checkpoint as GGUF
    Gguf(GgufArguments),
}

#[derive(Args)]
struct GgufArguments {
    /// tiny, the name of another model, or the path of a model's folder
    #[arg(long)]
    model: String,
    /// The packing of its matrices
    #[arg(long = "as")]
    packing: Wanted,
    /// The file to write
    #[arg(long)]
    out: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum Wanted {
    #[value(name = "q4_1")]
    Q4_1,
    #[value(name = "q4_0")]
    Q4_0,
}

fn main() -> ExitCode {
    let Task::Gguf(arguments) = CommandLine::parse().task;
    match write(&arguments) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn write(arguments: &GgufArguments) -> Result<String> {
    let packing = match arguments.packing {
        Wanted::Q4_1 => Packing::Q4_1,
        Wanted::Q4_0 => Packing::Q4_0,
    };
    let folder = Model::named(&arguments.model)?.folder()?;
    if is_current(&arguments.out, &folder) {
        return Ok("written before".into());
    }
    let checkpoint = Checkpoint::open(folder)?;
    let written = gguf::write(&checkpoint, packing, &arguments.out)?;
    let megabytes = written.bytes as f64 / 1e6;
    Ok(match packing {
        Packing::Q4_1 if written.rounded == 0 => format!("{megabytes:.1} MB, every weight as it was"),
        Packing::Q4_1 => format!("{megabytes:.1} MB, {} scales or biases rounded to f16", written.rounded),
        Packing::Q4_0 => format!("{megabytes:.1} MB, rounded once more to 4 bits without a bias"),
    })
}

/// Whether the file is newer than everything in the checkpoint's folder.
fn is_current(file: &Path, folder: &Path) -> bool {
    let changed = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    let (Some(written), Ok(entries)) = (changed(file), std::fs::read_dir(folder)) else { return false };
    entries.flatten().all(|entry| changed(&entry.path()).is_some_and(|time| time < written))
}
