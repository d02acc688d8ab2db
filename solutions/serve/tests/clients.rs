//! The server as other programs see it: curl, the openai package, a browser. Each is asked for where it is; where it is
//! not, a line says so and how to bring it.

use kit::serving::ServingSettings;
use solution_serve::{
    EngineRoom,
    server::{self, Ended, ServerSettings},
};
use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread::JoinHandle,
    time::Duration,
};

/// The version that the script was written for.
const OPENAI: &str = "openai==3.57.0";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(name)
}

/// Whether a program runs here.
fn runs(program: &Path, argument: &str) -> bool {
    let output =
        Command::new(program).arg(argument).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    output.is_ok_and(|status| status.success())
}

/// Runs a client against a server of its own; it must say that all is fine, and leave no page behind.
fn against_a_server(client: impl FnOnce(&str) -> Command) {
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let (tell, told) = std::sync::mpsc::channel::<SocketAddr>();
    let serving = ServingSettings { slots: 4, step_tokens: 64, pages: 512, queue: 16 };
    let grace = Duration::ZERO;
    let settings = ServerSettings { serving, model: "tiny".into(), key: None, body_limit: 1 << 20, grace };
    let thread: JoinHandle<kit::Result<Ended>> = std::thread::spawn(move || {
        let room = EngineRoom::open("tiny", None, solution_week3::load, serving)?;
        server::runtime().expect("a runtime").block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
            tell.send(listener.local_addr().expect("an address")).expect("the test waits");
            server::serve(listener, room, settings, async { stopped.await.unwrap_or_default() }).await
        })
    });
    let address = server::url(told.recv().expect("the server starts"));
    let output = client(&address).stdin(Stdio::null()).output().expect("the client runs");
    stop.send(()).expect("the server runs");
    let ended = thread.join().expect("no panic").expect("a clean end");
    let (said, complained) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.trim_end().ends_with("all fine"), "{said}\n{complained}");
    assert_eq!(ended.live_pages, 0, "pages are left");
    println!("{said}");
}

#[test]
fn curl_is_served() {
    if !runs(Path::new("curl"), "--version") {
        println!("skipped: curl is not here; apt-get install curl");
        return;
    }
    against_a_server(|address| {
        let mut shell = Command::new("sh");
        shell.arg(script("curl.sh")).arg(address);
        shell
    });
}

#[test]
fn the_openai_package_is_served() {
    let python = root().join("target/openai-client/bin/python");
    if !runs(&python, "--version") {
        println!(
            "skipped: the openai package is not here; python3 -m venv target/openai-client && \
             target/openai-client/bin/pip install {OPENAI}"
        );
        return;
    }
    against_a_server(|address| {
        let mut client = Command::new(&python);
        client.arg(script("openai_client.py")).arg(address);
        client
    });
}

#[test]
fn the_chat_page_works_in_a_browser() {
    let browsers = ["chromium", "chromium-browser", "google-chrome"];
    let browser = browsers.into_iter().find(|browser| runs(Path::new(browser), "--version"));
    let (Some(browser), true) = (browser, runs(Path::new("python3"), "--version")) else {
        println!("skipped: no Chromium or no python3 here; apt-get install chromium python3");
        return;
    };
    against_a_server(|address| {
        let mut client = Command::new("python3");
        client.arg(script("page.py")).arg(address).arg(root().join("target/chat-page")).arg(browser);
        client
    });
}
