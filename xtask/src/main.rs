//! The command line of the course: `cargo xtask …`. It links no MLX; commands that compute run a binary of a week.

mod advice;
mod backup;
mod cargo_test;
mod chapter_hints;
mod commands;
mod cpp_messages;
mod day_report;
mod day_run;
mod day_table;
mod engine_choice;
mod gates;
mod grade;
mod interrupt;
mod itself;
mod libtest;
mod links;
mod manifest;
mod manifest_reader;
mod output;
mod own_place;
mod reference_base;
mod region_functions;
mod regions;
mod running_test;
mod rust_blanks;
mod rust_functions;
mod selection;
mod starter;
mod state;
mod stub_restore;
mod task_code;
mod task_id;
mod terminal;
mod test_copy;
mod update;
mod warnings;
mod watch;
mod workspace;

use std::process::ExitCode;

use workspace::Workspace;

/// 0 passed, 1 tests failed, 2 usage or environment, 3 nothing was tested.
const USAGE_OR_ENVIRONMENT: u8 = 2;

fn main() -> ExitCode {
    output::end_where_nobody_reads();
    itself::remember();
    let matches = commands::cli().get_matches();
    terminal::choose_colour(&matches);
    let outcome = Workspace::find().and_then(|workspace| match matches.subcommand() {
        Some((name, arguments)) => {
            let command = commands::all().into_iter().find(|command| (command.spec)().get_name() == name);
            (command.expect("clap knows only these names").run)(arguments, &workspace)
        }
        None => commands::overview(&workspace),
    });
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(USAGE_OR_ENVIRONMENT)
    })
}
