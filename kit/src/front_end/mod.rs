//! The program around an engine: `generate`, `batch`, `verify` and `fetch`, the same for every week and for the reference.
//!
//! A week's `main` hands over its name and its `load` function; text goes to stdout, figures and refusals to stderr, and
//! the exit code says what happened: 0 done, 1 not implemented or failed, 2 wrong usage or input, 130 interrupted.

mod arguments;
mod batch;
mod bench;
mod bench_machine;
mod bench_row;
mod bench_table;
mod contestant;
mod course;
mod drafts;
mod fetch;
mod figures;
mod fullness;
mod generate;
mod golden_file;
mod interrupt;
mod judge;
mod make_checkpoint;
mod prompts;
mod sampling;
mod stages;
mod trials;
mod verify;
mod verify_case;
mod workload;
mod workload_table;

use clap::Parser;
use std::{
    ffi::OsString,
    io::{ErrorKind, Write},
    process::ExitCode,
    sync::atomic::AtomicBool,
};

use crate::{Checkpoint, Engine, Error, Result, mlx};
use arguments::{CommandLine, Task};

pub use bench::append_to_ledger;
pub use bench_machine::machine;

/// How a week's engine is made.
#[derive(Clone, Copy)]
pub enum Load {
    /// There is one engine.
    Whole(LoadWhole),
    /// `--checkpoint` names a stage of the engine; without it, the function's default is made. The names are those that a
    /// learner builds one after the other, the last of them the default; none where there is no such order.
    Staged(LoadStaged, &'static [&'static str]),
    /// Any of these, and with a second, small model an engine that lets it guess.
    Drafted(&'static Load, LoadDrafted),
}

/// Makes an engine.
pub type LoadWhole = fn(&Checkpoint) -> Result<Box<dyn Engine>>;

/// Makes the engine of a model at a stage, a small model that guesses for it, and the number of guesses at a time.
pub type LoadDrafted = fn(&Checkpoint, Option<&str>, &Checkpoint, usize) -> Result<Box<dyn Engine>>;

/// Makes the stage of that name, the last one by default.
pub type LoadStaged = fn(&Checkpoint, Option<&str>) -> Result<Box<dyn Engine>>;

impl Load {
    /// The engine for `--checkpoint`. Errors: a stage where there are none; whatever loading returns.
    fn engine(self, checkpoint: &Checkpoint, stage: Option<&str>) -> Result<Box<dyn Engine>> {
        match (self, stage) {
            (Self::Drafted(load, _), _) => load.engine(checkpoint, stage),
            (Self::Staged(load, _), _) => load(checkpoint, stage),
            (Self::Whole(_), None) if mlx::on_metal_host() => Err(Error::Other(
                "--backend metal-host runs the kernels of weeks 2 and 3, and this engine has none; add --week 2 or 3, and \
                 --who you or ref"
                    .to_string(),
            )),
            (Self::Whole(load), None) => load(checkpoint),
            (Self::Whole(_), Some(stage)) => Err(Error::Other(format!(
                "--checkpoint {stage} chooses a stage of week 2 or 3, and this engine has none; add --week 2 or 3, and \
                 --who you or ref"
            ))),
        }
    }

    /// The stage that `--checkpoint` chooses, by name; `None` where stages have no order.
    fn stage(self, chosen: Option<&str>) -> Option<&str> {
        match self {
            Self::Staged(_, names) => names.last().map(|last| chosen.unwrap_or(last)),
            Self::Drafted(load, _) => load.stage(chosen),
            Self::Whole(_) => None,
        }
    }
}

/// Whose engine a program runs.
#[derive(Clone, Copy)]
pub struct Program<'a> {
    /// `you`, `ref` or `mlx`.
    pub who: &'a str,
    /// The week.
    pub week: u8,
    /// Makes the engine.
    pub load: Load,
}

/// Where a program reads the wish to stop, and where it writes.
pub struct Console<'a> {
    /// The text.
    pub out: &'a mut dyn Write,
    /// Figures and refusals.
    pub err: &'a mut dyn Write,
    /// Set when the user asks to stop.
    pub stop: &'a AtomicBool,
}

/// The whole of a week's `main`: reads the command line, runs it, turns the outcome into an exit code.
pub fn main(who: &str, week: u8, load: LoadWhole) -> ExitCode {
    main_of(Program { who, week, load: Load::Whole(load) })
}

/// [`main`] of an engine that is built in stages, which `--checkpoint` chooses from; `names` as in [`Load::Staged`].
pub fn main_by_stage(who: &str, week: u8, load: LoadStaged, names: &'static [&'static str]) -> ExitCode {
    main_of(Program { who, week, load: Load::Staged(load, names) })
}

/// [`main`] of an engine that a second model can guess for, which `--draft-model` names.
pub fn main_with_drafts(who: &str, week: u8, load: &'static Load, drafted: LoadDrafted) -> ExitCode {
    main_of(Program { who, week, load: Load::Drafted(load, drafted) })
}

fn main_of(program: Program<'_>) -> ExitCode {
    let stop = interrupt::flag();
    let mut console = Console { out: &mut std::io::stdout(), err: &mut std::io::stderr(), stop };
    ExitCode::from(run(std::env::args_os(), program, &mut console))
}

/// Runs one command line, the program's name included, and returns the exit code.
pub fn run(
    arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    program: Program<'_>,
    console: &mut Console<'_>,
) -> u8 {
    let outcome = match CommandLine::try_parse_from(arguments) {
        Ok(CommandLine { task }) => match task {
            Task::Generate(arguments) => generate::run(&arguments, program, console),
            Task::Batch(arguments) => batch::run(&arguments, program, console),
            Task::Verify(arguments) => verify::run(&arguments, program, console),
            Task::Fetch(arguments) => fetch::run(&arguments, console),
            Task::MakeCheckpoint(arguments) => make_checkpoint::run(&arguments, console),
            Task::Bench(arguments) => bench::run(&arguments, console),
            Task::Trials(arguments) => trials::run(&arguments, program, console),
        },
        Err(usage) => {
            let code = usage.exit_code();
            let page: &mut dyn Write = if code == 0 { console.out } else { console.err };
            written(write!(page, "{}", usage.render())).map(|()| if code == 0 { 0 } else { 2 })
        }
    };
    let error = match outcome {
        Ok(code) => return code,
        Err(Stopped::ReaderGone) => return 0,
        Err(Stopped::Failed(error)) => error,
    };
    let (line, code) = match &error {
        Error::NotImplemented { task, item, at } => (stages::not_started(program, [task, item, at]), 1),
        Error::Mlx(_) | Error::NonFinite { .. } | Error::Shape { .. } | Error::Dtype { .. } => (error.to_string(), 1),
        Error::InvalidArgument { .. } | Error::Checkpoint { .. } | Error::Other(_) => (error.to_string(), 2),
    };
    // Nobody is left to tell when stderr is gone as well; the exit code still says it.
    writeln!(console.err, "{line}").map_or(code, |()| code)
}

/// The line for an engine that stops at a task that is still to do: the first one of its week in the course, and the stage
/// that works until then. `None` for any other error.
pub fn missing(program: Program<'_>, error: &Error) -> Option<String> {
    match error {
        Error::NotImplemented { task, item, at } => Some(stages::not_started(program, [task, item, at])),
        _ => None,
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

/// The outcome of writing output.
fn written(result: std::io::Result<()>) -> std::result::Result<(), Stopped> {
    result.map_err(|e| match e.kind() {
        ErrorKind::BrokenPipe => Stopped::ReaderGone,
        _ => Stopped::Failed(Error::Other(format!("the output cannot be written: {e}"))),
    })
}

/// What the engine has to say about its model goes to stderr, before its first answer.
fn noted(engine: &dyn Engine, console: &mut Console<'_>) -> std::result::Result<(), Stopped> {
    engine.note().map_or(Ok(()), |note| written(writeln!(console.err, "note: {note}")))
}

/// Applies `--backend`. Errors: a device that this MLX has not.
pub fn choose_backend(backend: Option<&str>) -> Result<()> {
    let must = |must: &str| refused("--backend", backend.unwrap_or_default(), must);
    match backend {
        None => Ok(()),
        Some("cpu") => {
            mlx::use_cpu();
            Ok(())
        }
        Some("metal-host") if cfg!(target_os = "linux") => {
            mlx::use_metal_host();
            Ok(())
        }
        Some("metal-host") => must("be cpu or metal here, because the Metal host runs on Linux only"),
        Some("metal" | "cuda") if mlx::on_gpu() => Ok(()),
        Some("metal" | "cuda") => must("be cpu here, because the MLX that is set up finds no GPU"),
        Some(_) => must("be cpu, metal, metal-host or cuda"),
    }
}

/// A flag whose value will not do.
fn refused<T>(name: &str, value: impl std::fmt::Display, must: &str) -> Result<T> {
    Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must: must.into() })
}
