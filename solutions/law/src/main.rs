//! `cargo xtask law`: the three laws side by side, golden files, and the host against the device.

mod check_command;
mod lanes_command;
mod show;

use std::{io::Write, process::ExitCode};

use clap::{ArgGroup, Parser, Subcommand};
use kit::Error;

/// Three sampling laws on one row: who may be drawn, and how likely
#[derive(Parser)]
#[command(bin_name = "cargo xtask law", disable_help_subcommand = true)]
#[command(arg_required_else_help = true, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(group(ArgGroup::new("row").required(true).args(["probs", "logits"])))]
struct CommandLine {
    #[command(subcommand)]
    task: Option<Task>,
    #[command(flatten)]
    show: show::Arguments,
}

#[derive(Subcommand)]
enum Task {
    Check(check_command::Arguments),
    Parity(lanes_command::Parity),
    Bench(lanes_command::Bench),
}

fn main() -> ExitCode {
    let outcome = match CommandLine::try_parse() {
        Ok(CommandLine { task: None, show }) => show::run(&show),
        Ok(CommandLine { task: Some(Task::Check(arguments)), .. }) => check_command::run(&arguments),
        Ok(CommandLine { task: Some(Task::Parity(arguments)), .. }) => lanes_command::run_parity(&arguments),
        Ok(CommandLine { task: Some(Task::Bench(arguments)), .. }) => lanes_command::run_bench(&arguments),
        Err(usage) => {
            let code = if usage.exit_code() == 0 { 0 } else { 2 };
            usage.print().map(|()| code).map_err(Stopped::from)
        }
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(Stopped::ReaderGone) => ExitCode::SUCCESS,
        Err(Stopped::Failed(error)) => {
            // Nobody is left to tell when stderr is gone as well; the exit code still says it.
            writeln!(std::io::stderr(), "{error}").unwrap_or_default();
            ExitCode::from(2)
        }
    }
}

/// Why a command ends before its end.
enum Stopped {
    /// Whoever read the output has closed it, which is no fault.
    ReaderGone,
    Failed(Error),
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<std::io::Error> for Stopped {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Self::ReaderGone,
            _ => Self::Failed(Error::Other(format!("the output cannot be written: {error}"))),
        }
    }
}
