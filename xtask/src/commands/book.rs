//! `cargo xtask book`: builds, serves, opens and checks the book.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, bail, ensure};
use clap::{Arg, ArgAction, ArgMatches};

use crate::manifest::{Day, Manifest};
use crate::workspace::Workspace;

mod browser;
mod lines;
mod mdbook;
mod outputs;
mod site;
mod source;

/// Name, arguments and help.
pub fn spec() -> clap::Command {
    let id =
        Arg::new("id").value_name("ID").help("A day such as 1.7 or a task such as 1.7.2; without it, the first page");
    clap::Command::new("book")
        .about("The book: builds, serves, opens and checks it")
        .subcommand_required(true)
        .subcommand(clap::Command::new("build").about("Builds the pages into book/book"))
        .subcommand(
            clap::Command::new("serve").about("Serves the pages and rebuilds them when a file changes").arg(
                Arg::new("arguments")
                    .num_args(0..)
                    .last(true)
                    .value_name("ARGUMENTS")
                    .help("Given to mdbook serve: -- --port 3001"),
            ),
        )
        .subcommand(clap::Command::new("open").about("Opens the chapter of a day or a task in the browser").arg(id))
        .subcommand(
            clap::Command::new("test").about("For authors: checks text, links, commands, hints and figures").arg(
                Arg::new("outputs")
                    .long("outputs")
                    .action(ArgAction::SetTrue)
                    .help("Also run the commands of generated blocks and compare what they print"),
            ),
        )
        .subcommand(
            clap::Command::new("outputs")
                .about("For authors: runs the commands of generated blocks and writes what they print"),
        )
        .subcommand(
            clap::Command::new("figures")
                .about("For authors: writes the tables of measurements from book/ledger.jsonl")
                .arg(
                    Arg::new("keep")
                        .long("keep")
                        .value_name("N")
                        .value_parser(clap::value_parser!(u8).range(1..))
                        .help("Before that, the newest N measurements of cargo xtask bench go into that ledger"),
                ),
        )
}

/// The command.
pub fn run(arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    match arguments.subcommand() {
        Some(("build", _)) => build(workspace),
        Some(("serve", arguments)) => serve(arguments, workspace),
        Some(("open", arguments)) => open(arguments.get_one::<String>("id").map(String::as_str), workspace),
        Some(("test", arguments)) => test(arguments.get_flag("outputs"), workspace),
        Some(("outputs", _)) => outputs::write(workspace),
        Some(("figures", arguments)) => figures(arguments.get_one::<u8>("keep").copied().unwrap_or(0), workspace),
        _ => bail!("name what to do with the book, such as: cargo xtask book serve"),
    }
}

/// Whether mdBook is there, so that nothing large has to be compiled first.
pub fn can_be_built(workspace: &Workspace) -> bool {
    mdbook::is_there(workspace)
}

fn build(workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let status = mdbook::find(workspace)?.arg("build").arg("book").status().context("mdbook does not start")?;
    ensure!(status.success(), "the book was not built; the lines above say where to look");
    println!("Built. Open {}", pages(workspace).join("index.html").display());
    Ok(ExitCode::SUCCESS)
}

fn serve(arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let mut mdbook = mdbook::find(workspace)?;
    mdbook.args(["serve", "book"]).args(arguments.get_many::<String>("arguments").into_iter().flatten());
    let status = mdbook.status().context("mdbook does not start")?;
    ensure!(
        status.success(),
        "mdbook stopped; is another one serving? Another port: cargo xtask book serve -- --port 3001"
    );
    Ok(ExitCode::SUCCESS)
}

fn open(id: Option<&str>, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let target = target_of(id, &Manifest::load(workspace)?)?;
    let (chapter, anchor) = target.split_once('#').unwrap_or((&target, ""));
    if !mdbook::is_there(workspace) {
        println!("Read book/src/{chapter} ({}).", if anchor.is_empty() { "whole chapter" } else { anchor });
        println!("As a page in the browser, once mdBook has been built: cargo xtask book build");
        return Ok(ExitCode::SUCCESS);
    }
    build(workspace)?;
    let page = format!("{}/{}", pages(workspace).display(), target.replacen(".md", ".html", 1));
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let opened = Command::new(opener).arg(format!("file://{page}")).status();
    if !opened.is_ok_and(|status| status.success()) {
        println!("No browser could be started. The page is file://{page}");
    }
    Ok(ExitCode::SUCCESS)
}

/// `week1-07-sampling.md#task-172-top-k` for `1.7.2`, the chapter alone for `1.7`.
fn target_of(id: Option<&str>, manifest: &Manifest) -> anyhow::Result<String> {
    let Some(id) = id else { return Ok("preface.md".into()) };
    let chapter = |day: &Day| {
        ensure!(!day.later, "the chapter of {id}, {}, is in preparation", day.title);
        Ok(day.chapter.clone())
    };
    if let Some((week, day)) = id.split_once('.')
        && let (Ok(week), Ok(day)) = (week.parse(), day.parse())
    {
        return chapter(manifest.day(week, day)?);
    }
    let task = manifest.task(id)?;
    Ok(format!("{}#{}", task.chapter, task.anchor))
}

fn test(with_outputs: bool, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let mut problems = source::problems(workspace)?;
    let folder = workspace.root().join("target/book-test");
    problems.extend(mdbook::build_strictly(workspace, &folder)?);
    let mut opened = "no browser here, so no page was opened";
    if problems.is_empty() {
        problems.extend(site::problems(&folder)?);
        if let Some(browser) = browser::find() {
            problems.extend(browser::problems(&browser, &folder)?);
            opened = "every page opened, light and dark, 1280 and 390 px wide";
        }
    }
    if with_outputs {
        problems.extend(outputs::problems(workspace)?);
    }
    for problem in &problems {
        println!("{problem}");
    }
    println!("book: {} problems; {opened}", problems.len());
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The program that knows the ledger writes the tables.
fn figures(keep: u8, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let root = workspace.root().to_string_lossy().into_owned();
    let arguments = ["figures".to_string(), format!("--root={root}"), format!("--keep={keep}")];
    super::program::Program::of("peers").run(workspace, &arguments, "book figures")
}

/// Where `book build` puts the pages.
fn pages(workspace: &Workspace) -> PathBuf {
    workspace.root().join("book/book")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_tasks_have_a_place_in_the_book() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package is in the repository");
        let manifest = Manifest::load(&Workspace::at(root)).expect("the manifest reads");
        let target = |id| target_of(id, &manifest);
        assert_eq!(target(Some("1.7.2")).expect("a task"), "week1-07-sampling.md#task-172-top-k");
        assert_eq!(
            target(Some("1.7.6")).expect("a task with a page of its own"),
            "week1-08-tools.md#task-176-practice-kernels"
        );
        assert_eq!(target(Some("1.7")).expect("a day"), "week1-07-sampling.md");
        assert_eq!(target(None).expect("no id"), "preface.md");
        assert!(target(Some("1.9")).is_err() && target(Some("x")).is_err());
    }
}
