//! The program behind `cargo xtask serve`: the server over the reference's engine, or over yours.

mod arguments;
mod load_report;

use clap::Parser;
use kit::{
    Error, Result,
    front_end::{Load, Program},
};
#[cfg(not(any(feature = "you", feature = "you-on-ref")))]
use solution_week3 as engine;
use std::{path::Path, process::ExitCode, time::Duration};
use tokio::{net::TcpListener, sync::oneshot};
#[cfg(any(feature = "you", feature = "you-on-ref"))]
use week3 as engine;

use arguments::{Arguments, KEY};
use load_report::LoadReport;
use solution_serve::{
    EngineRoom,
    server::{self, Ended, ServerSettings},
};

/// The engine, as the line about a missing task needs it.
const PROGRAM: Program<'static> =
    Program { who: WHO, week: 3, load: Load::Staged(engine::load, &engine::stage::Stage::NAMES) };

/// Whose engine it is.
const WHO: &str = if cfg!(any(feature = "you", feature = "you-on-ref")) { "you" } else { "ref" };

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{}", kit::front_end::missing(PROGRAM, &error).unwrap_or_else(|| error.to_string()));
            let usage = matches!(error, Error::InvalidArgument { .. } | Error::Checkpoint { .. } | Error::Other(_));
            ExitCode::from(if usage { 2 } else { 1 })
        }
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode> {
    let serving = arguments.serving()?;
    let (mut address, mut key) = arguments.place(std::env::var(KEY).ok().filter(|key| !key.is_empty()))?;
    if arguments.load_test.is_some() {
        // Its clients are in this program.
        (address, key) = ((std::net::Ipv4Addr::LOCALHOST, 0).into(), None);
    }
    kit::front_end::choose_backend(arguments.backend.as_deref())?;
    let runtime = server::runtime().map_err(|e| Error::Other(format!("the server cannot be prepared: {e}")))?;
    runtime.block_on(async {
        // First, so that a port that is taken is known before a model is loaded.
        let listener = TcpListener::bind(address).await.map_err(|e| {
            Error::Other(format!(
                "{address} cannot be listened on: {e}; choose another with --port, 0 takes any free one"
            ))
        })?;
        let address = listener.local_addr().map_err(|e| Error::Other(format!("the socket has no address: {e}")))?;
        let room = EngineRoom::open(&arguments.model, arguments.checkpoint.as_deref(), engine::load, serving)?;
        for (law, why) in &room.missing_laws {
            eprintln!("note: requests with \"law\": \"{law}\" are refused: {why}");
        }
        let (model, grace) = (name(arguments), Duration::from_secs(arguments.grace));
        let who = format!("{model} ({WHO}, week 3, {})", kit::mlx::device_name());
        let asks_for = if key.is_some() { "requests must show the key" } else { "for this machine alone" };
        let body_limit = arguments.body_limit;
        let settings = ServerSettings { serving, model: model.clone(), key, body_limit, grace };
        if let Some(seconds) = arguments.load_test {
            println!("{who}: {} clients for {seconds} s", arguments.clients);
            let (tell, told) = oneshot::channel();
            let crowd = LoadReport::begin(address, model, arguments.clients, seconds);
            let stop = async move {
                // A crowd that cannot be started has nobody to tell.
                tell.send(crowd.await).unwrap_or_default();
            };
            let ended = server::serve(listener, room, settings, stop).await?;
            let report = told.await.map_err(|_| Error::Other("the clients have ended without a report".into()))?;
            return report?.shown(ended);
        }
        let url = server::url(address);
        println!("{who} at {url}, {asks_for}");
        println!("  chat in a browser: {url}/");
        println!("  OpenAI's clients:  base_url {url}/v1");
        println!("Ctrl-C stops it: running answers then have {} s.", arguments.grace);
        let Ended { finished, cancelled, live_pages } =
            server::serve(listener, room, settings, asked_to_stop()).await?;
        println!("Stopped: {finished} answers finished, {cancelled} cancelled, {live_pages} pages live.");
        Ok(ExitCode::SUCCESS)
    })
}

/// The model's name in requests.
fn name(arguments: &Arguments) -> String {
    let folder = || Path::new(&arguments.model).file_name().map(|name| name.to_string_lossy().into_owned());
    arguments.name.clone().or_else(folder).unwrap_or_else(|| arguments.model.clone())
}

/// Until Ctrl-C or SIGTERM; the next one ends the program at once.
async fn asked_to_stop() {
    signal().await;
    println!("Stopping; Ctrl-C again ends at once.");
    tokio::spawn(async {
        signal().await;
        std::process::exit(130);
    });
}

#[cfg(unix)]
async fn signal() {
    use tokio::signal::unix::{SignalKind, signal};

    match (signal(SignalKind::interrupt()), signal(SignalKind::terminate())) {
        (Ok(mut interrupt), Ok(mut terminate)) => {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        }
        // Without a watch the signal itself ends the program.
        _ => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
