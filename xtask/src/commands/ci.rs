//! `cargo xtask ci`: runs the gates in turn, a line each, then what failed.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::ensure;
use clap::{Arg, ArgAction, value_parser};

use crate::gates::{self, Gate, Outcome};
use crate::workspace::Workspace;

/// Name, arguments and help.
pub fn spec() -> clap::Command {
    clap::Command::new("ci")
        .about("For authors: runs the gates that every change must pass")
        .arg(
            Arg::new("gate")
                .long("gate")
                .value_name("N")
                .action(ArgAction::Append)
                .value_parser(value_parser!(u8))
                .help("Only that gate; may be given more than once"),
        )
        .arg(
            Arg::new("fetch")
                .long("fetch")
                .action(ArgAction::SetTrue)
                .help("Before that, fetches what the gate of macOS needs (130 MB into target/macos)"),
        )
        .arg(
            Arg::new("deep")
                .long("deep")
                .action(ArgAction::SetTrue)
                .help("Gates look longer where there is more to see: all tests of the kernels under sanitizers"),
        )
        .arg(Arg::new("list").long("list").action(ArgAction::SetTrue).help("Lists the gates and runs none"))
}

/// The command.
pub fn run(arguments: &clap::ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let gates = selected(arguments)?;
    if arguments.get_flag("list") {
        gates.iter().for_each(|gate| println!("{:>2}  {}", gate.number, gate.title));
        return Ok(ExitCode::SUCCESS);
    }
    super::setup::ensure(workspace)?;
    if arguments.get_flag("fetch") {
        gates::macos::fetch(workspace)?;
    }
    let (mut passed, mut skipped) = (0, 0);
    let mut failures = Vec::new();
    for gate in gates {
        let Gate { number, title, run, deep } = gate;
        let run = deep.filter(|_| arguments.get_flag("deep")).unwrap_or(run);
        print!("{number:>2}  {title:38} ");
        std::io::stdout().flush()?;
        let began = Instant::now();
        let outcome = run(workspace).unwrap_or_else(|error| Outcome::Failed(format!("{error:#}")));
        let seconds = format!("{:>5.0} s", began.elapsed().as_secs_f32());
        match outcome {
            Outcome::Passed(note) => {
                passed += 1;
                println!("{}", format!("passed  {seconds}  {note}").trim_end());
            }
            Outcome::Skipped(why) => {
                skipped += 1;
                println!("skipped {seconds}  {why}");
            }
            Outcome::Failed(text) => {
                println!("FAILED  {seconds}");
                failures.push((number, title, text));
            }
        }
    }
    for (number, title, text) in &failures {
        println!("\nGate {number}, {title}:\n{}", text.trim_end());
        println!("Again: cargo xtask ci --gate {number}");
    }
    println!("{passed} passed, {} failed, {skipped} skipped", failures.len());
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn selected(arguments: &clap::ArgMatches) -> anyhow::Result<Vec<Gate>> {
    let wanted: Vec<u8> = arguments.get_many("gate").into_iter().flatten().copied().collect();
    let known: Vec<u8> = gates::all().iter().map(|gate| gate.number).collect();
    for number in &wanted {
        let list = known.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
        ensure!(known.contains(number), "there is no gate {number}: the gates are {list}");
    }
    Ok(gates::all().into_iter().filter(|gate| wanted.is_empty() || wanted.contains(&gate.number)).collect())
}
