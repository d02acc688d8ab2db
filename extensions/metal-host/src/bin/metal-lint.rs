//! `metal-lint [-I FOLDER].. FILE..`: says what Apple's compiler would refuse in Metal sources, without compiling them.

use std::process::ExitCode;

use metal_host::{Library, Options, Source};

fn main() -> ExitCode {
    let (mut options, mut files, mut arguments) = (Options::default(), Vec::new(), std::env::args().skip(1));
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "-I" => options = arguments.next().map_or(options.clone(), |folder| options.include(folder)),
            _ => files.push(argument),
        }
    }
    if files.is_empty() {
        eprintln!("metal-lint needs a file: metal-lint [-I FOLDER].. FILE..");
        return ExitCode::from(2);
    }
    let mut refused = 0;
    for file in &files {
        if let Err(error) = Library::check(&Source::file(file), &options) {
            println!("{error}\n");
            refused += 1;
        }
    }
    match refused {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
