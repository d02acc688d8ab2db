//! `fetch`: a model's name in, its files on this machine out.

use std::{
    io::{IsTerminal, Write},
    time::{Duration, Instant},
};

use super::{Console, Stopped, arguments::FetchArguments, interrupt, written};
use crate::{
    Checkpoint, Result,
    models::{Hub, Model, fetch},
};

const BETWEEN_LINES: Duration = Duration::from_millis(200);

pub(super) fn run(arguments: &FetchArguments, console: &mut Console<'_>) -> std::result::Result<u8, Stopped> {
    let folder = match Model::named(&arguments.model)? {
        Model::Folder(folder) => folder,
        Model::Hub { name, repository } => {
            let mut hub = Hub::from_env()?;
            hub.offline |= arguments.offline;
            interrupt::end_at_once("what has arrived is kept, and the same command goes on from there.");
            fetch(&hub, name, repository, &mut bar(console.err))?
        }
    };
    ready(&folder)?;
    written(writeln!(console.out, "{} is ready: {}", arguments.model, folder.display()))?;
    written(writeln!(console.out, "Next: cargo xtask generate --model {} --prompt \"…\"", arguments.model))?;
    Ok(0)
}

/// A model counts as fetched when an engine could load it.
fn ready(folder: &std::path::Path) -> Result<()> {
    Checkpoint::open(folder)?.tokenizer().map(drop)
}

/// One line a file: growing on a terminal, and at its end elsewhere.
fn bar(err: &mut dyn Write) -> impl FnMut(&str, u64, u64) + '_ {
    let terminal = std::io::stderr().is_terminal();
    let mut last = Instant::now();
    move |file, done, all| {
        let megabytes = |bytes: u64| bytes as f64 / 1e6;
        let end = done == all;
        if end || (terminal && last.elapsed() > BETWEEN_LINES) {
            last = Instant::now();
            let (start, end) = (if terminal { "\r" } else { "" }, if end { "\n" } else { "" });
            let percent = 100.0 * done as f64 / all.max(1) as f64;
            // Progress is a courtesy: a closed stderr must not end a download.
            write!(err, "{start}{file:32} {:9.1} of {:.1} MB {percent:4.0} %{end}", megabytes(done), megabytes(all))
                .and_then(|()| err.flush())
                .unwrap_or_default();
        }
    }
}
