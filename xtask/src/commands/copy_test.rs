//! `cargo xtask copy-test`: puts the course's tests of a day into the learner's packages.

use std::process::ExitCode;

use anyhow::bail;
use clap::{Arg, ArgAction, ArgMatches};

use crate::manifest::Manifest;
use crate::selection::{self, Selection};
use crate::state::State;
use crate::test_copy::{self, Changed, Copied};
use crate::workspace::Workspace;

/// Name, arguments and help.
pub fn spec() -> clap::Command {
    clap::Command::new("copy-test")
        .about("Copies the tests of a day into your package; a copy that you changed stays as it is")
        .args([selection::week_flag(), selection::day_flag()])
        .arg(
            Arg::new("force")
                .long("force")
                .action(ArgAction::SetTrue)
                .help("Replace a copy that you changed (it is backed up)"),
        )
}

/// The command.
pub fn run(arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let manifest = Manifest::load(workspace)?;
    let Some(Selection { week, day: Some(day), .. }) = Selection::of(arguments, &manifest)? else {
        bail!("say which day, such as: cargo xtask copy-test --week 1 --day 1");
    };
    let changed = if arguments.get_flag("force") { Changed::Replace } else { Changed::Keep };
    let mut programs = vec![(week.package.as_str(), day.test.as_str())];
    for task in &day.tasks {
        let program = (task.package.as_str(), task.test.as_str());
        if !programs.contains(&program) {
            programs.push(program);
        }
    }
    let mut state = State::load(workspace)?;
    for (package, test) in programs {
        let copied = test_copy::copy(workspace, &mut state, package, test, changed)?;
        state.save()?;
        let path = test_copy::copy_path(package, test);
        match copied {
            Copied::New => println!("{path} is new"),
            Copied::Same => println!("{path} is up to date"),
            Copied::Refreshed => println!("{path} has the newer tests now"),
            Copied::Replaced(kept) => println!("{path} is the course's again; your version is kept in {kept}"),
            Copied::Kept => println!("{path} has changes of yours and stays; to replace it, add --force"),
        }
    }
    Ok(ExitCode::SUCCESS)
}
