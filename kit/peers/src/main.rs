//! `peers gguf`: a checkpoint of the course in, the same model in the file that llama.cpp and candle read out.
//! `peers figures`: what has been measured in, the tables of the book out.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, Parser, Subcommand, ValueEnum};
use kit::{Checkpoint, Result, models::Model};
use peers::{
    figures::{self, Places},
    gguf,
    packing::Packing,
};

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
    /// Writes the tables of the book
    Figures(FiguresArguments),
}

#[derive(Args)]
struct FiguresArguments {
    /// The repository
    #[arg(long)]
    root: PathBuf,
    /// How many of the newest measurements go into the book's ledger first
    #[arg(long, default_value_t = 0)]
    keep: usize,
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
    let outcome = match CommandLine::parse().task {
        Task::Gguf(arguments) => write(&arguments),
        Task::Figures(arguments) => write_figures(&arguments),
    };
    match outcome {
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

fn write_figures(arguments: &FiguresArguments) -> Result<String> {
    let at = |path: &str| arguments.root.join(path);
    let (kept, tables) = (at("book/ledger.jsonl"), at("book/src/generated"));
    let changed = figures::write(&Places { measured: at(".learner/bench.jsonl"), kept, tables }, arguments.keep)?;
    Ok(match changed.is_empty() {
        true => "The tables of the book are what its ledger gives.".into(),
        false => format!("Written: {}", changed.join(", ")),
    })
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
