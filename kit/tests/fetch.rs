//! Downloads against a small hub in this process: whole, cut, resumed, wrong, gone.

use kit::models::{Hub, fetch};
use pretty_assertions::assert_eq;
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    sync::{Arc, Mutex},
};

const REPOSITORY: &str = "owner/model";
const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

/// How the hub behaves, and what it was asked.
#[derive(Default)]
struct Behaviour {
    files: BTreeMap<&'static str, Vec<u8>>,
    /// The body of a file ends after this many bytes.
    cut: Option<usize>,
    /// Ranges are not understood: every answer is the whole file.
    without_ranges: bool,
    /// What replaces the hash or the commit in the answer's header.
    etag: Option<String>,
    /// The first byte asked of `model.safetensors`, request by request.
    asked: Vec<usize>,
}

struct Server {
    address: String,
    behaviour: Arc<Mutex<Behaviour>>,
}

impl Server {
    fn start(behaviour: Behaviour) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let behaviour = Arc::new(Mutex::new(behaviour));
        let shared = behaviour.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that hangs up is part of some tests.
                answer(stream, &mut shared.lock().expect("a lock")).unwrap_or_default();
            }
        });
        Self { address, behaviour }
    }

    fn now(&self) -> std::sync::MutexGuard<'_, Behaviour> {
        self.behaviour.lock().expect("a lock")
    }

    fn fetch(&self, cache: &Path) -> Result<std::path::PathBuf, String> {
        let hub = Hub::new(&*self.address, cache);
        fetch(&hub, "qwen3-test", REPOSITORY, &mut |_, _, _| {}).map_err(|error| {
            let sentence = error.to_string();
            assert!(!sentence.contains('\n'), "{sentence}");
            sentence
        })
    }
}

fn answer(stream: TcpStream, behaviour: &mut Behaviour) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    let path = request.split(' ').nth(1).unwrap_or_default().to_string();
    let mut range = None;
    for line in lines {
        let line = line?.to_lowercase();
        if let Some(bytes) = line.strip_prefix("range: bytes=") {
            let (from, to) = bytes.split_once('-').unwrap_or((bytes, ""));
            range = Some((from.parse::<usize>().unwrap_or(0), to.parse::<usize>().ok()));
        }
        if line.is_empty() {
            break;
        }
    }
    let mut stream = stream;
    if path == format!("/api/models/{REPOSITORY}/revision/main") || path == format!("/api/models/{REPOSITORY}") {
        let siblings: Vec<_> = behaviour.files.keys().map(|file| serde_json::json!({ "rfilename": file })).collect();
        let body = serde_json::json!({ "siblings": siblings, "sha": COMMIT }).to_string();
        return write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
    }
    let name = path.rsplit('/').next().unwrap_or_default();
    let Some(body) = behaviour.files.get(name) else {
        return write!(stream, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    };
    let probe = range == Some((0, Some(0)));
    let (from, to) =
        range.map_or((0, body.len()), |(from, to)| (from.min(body.len()), to.map_or(body.len(), |to| to + 1)));
    let etag = match &behaviour.etag {
        Some(etag) => etag.clone(),
        None => Sha256::digest(body).iter().map(|byte| format!("{byte:02x}")).collect(),
    };
    let (status, from) = if behaviour.without_ranges && !probe { ("200 OK", 0) } else { ("206 Partial Content", from) };
    let part = &body[from..to];
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nContent-Range: bytes {from}-{}/{}\r\nETag: \"{etag}\"\r\nX-Repo-Commit: {COMMIT}\r\nConnection: close\r\n\r\n",
        part.len(),
        to.max(1) - 1,
        body.len()
    )?;
    let sent = match behaviour.cut {
        Some(cut) if !probe => &part[..cut.min(part.len())],
        _ => part,
    };
    if name == "model.safetensors" && !probe {
        behaviour.asked.push(from);
    }
    stream.write_all(sent)
}

fn behaviour() -> Behaviour {
    let weights = (0..300_000_u32).map(|index| (index % 251) as u8).collect();
    let files = BTreeMap::from([
        ("config.json", b"{\"model_type\":\"qwen3\"}".to_vec()),
        ("tokenizer.json", b"{}".to_vec()),
        ("model.safetensors", weights),
        ("README.md", b"not needed".to_vec()),
    ]);
    Behaviour { files, ..Behaviour::default() }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn a_fetched_model_is_whole_and_is_found_offline() {
    let (server, cache) = (Server::start(behaviour()), folder());
    let model = server.fetch(cache.path()).expect("a model");
    for (name, body) in &behaviour().files {
        assert_eq!(std::fs::read(model.join(name)).ok(), (*name != "README.md").then(|| body.clone()), "{name}");
    }
    let mut hub = Hub::new("http://127.0.0.1:9", cache.path());
    hub.offline = true;
    assert_eq!(fetch(&hub, "qwen3-test", REPOSITORY, &mut |_, _, _| {}).ok(), Some(model.clone()));
    assert_eq!(hub.folder("qwen3-test", REPOSITORY).ok(), Some(model.clone()));
    assert_eq!(server.fetch(cache.path()), Ok(model));
    assert_eq!(server.now().asked, [0], "a second fetch downloads nothing");
}

#[test]
fn progress_rises_to_the_whole() {
    let (server, cache) = (Server::start(behaviour()), folder());
    let mut seen = Vec::new();
    let hub = Hub::new(&*server.address, cache.path());
    let watch = &mut |file: &str, done, all| {
        if file == "model.safetensors" {
            seen.push((done, all));
        }
    };
    fetch(&hub, "qwen3-test", REPOSITORY, watch).expect("a model");
    assert!(seen.len() > 2 && seen.is_sorted());
    assert_eq!(seen.last(), Some(&(300_000, 300_000)));
}

#[test]
fn a_transfer_that_breaks_off_goes_on_where_it_stopped() {
    let (server, cache) = (Server::start(Behaviour { cut: Some(50_000), ..behaviour() }), folder());
    let sentence = server.fetch(cache.path()).expect_err("four parts are not enough");
    assert!(sentence.contains("the download of model.safetensors stopped at 200000 of 300000 bytes"), "{sentence}");
    assert!(sentence.ends_with("run the command again, it goes on from there"), "{sentence}");
    let hub = Hub::new(&*server.address, cache.path());
    assert!(hub.folder("qwen3-test", REPOSITORY).is_err(), "half a model is not a model");
    let model = server.fetch(cache.path()).expect("the rest");
    assert_eq!(server.now().asked, [0, 50_000, 100_000, 150_000, 200_000, 250_000]);
    assert_eq!(std::fs::read(model.join("model.safetensors")).ok(), behaviour().files.remove("model.safetensors"));
}

#[test]
fn a_hub_without_ranges_starts_over() {
    let (server, cache) =
        (Server::start(Behaviour { cut: Some(250_000), without_ranges: true, ..behaviour() }), folder());
    assert!(server.fetch(cache.path()).is_err());
    server.now().cut = None;
    let model = server.fetch(cache.path()).expect("the whole");
    assert_eq!(std::fs::read(model.join("model.safetensors")).ok(), behaviour().files.remove("model.safetensors"));
}

#[test]
fn a_wrong_hash_is_refused_and_removed() {
    let (server, cache) = (Server::start(Behaviour { etag: Some("ab".repeat(32)), ..behaviour() }), folder());
    let sentence = server.fetch(cache.path()).expect_err("a wrong hash");
    assert!(sentence.contains("has the SHA-256 ") && sentence.contains(&"ab".repeat(32)), "{sentence}");
    assert!(sentence.ends_with("it was removed, run the command again"), "{sentence}");
    let left = walk(cache.path());
    assert!(left.iter().all(|file| !file.ends_with(".part")), "{left:?}");
}

#[test]
fn a_hash_that_is_a_path_is_refused() {
    let (server, cache) = (Server::start(Behaviour { etag: Some("../../../escaped".into()), ..behaviour() }), folder());
    let sentence = server.fetch(cache.path()).expect_err("no hash");
    assert!(sentence.contains("\"../../../escaped\", which is not a hash"), "{sentence}");
    assert_eq!(walk(cache.path()), Vec::<String>::new());
}

#[test]
fn what_is_not_there_is_said_in_one_sentence() {
    let cache = folder();
    let closed = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("an address");
    let gone = Server { address: format!("http://{closed}"), behaviour: Arc::default() };
    let sentence = gone.fetch(cache.path()).expect_err("nobody answers");
    assert!(
        sentence.starts_with(&format!("the hub at http://{closed} gives no answer about owner/model: ")),
        "{sentence}"
    );
    let mut other = behaviour();
    other.files.remove("tokenizer.json");
    let sentence = Server::start(other).fetch(cache.path()).expect_err("no tokenizer");
    assert_eq!(sentence, "owner/model has no tokenizer.json, so it is not a model this course can run");
    let mut hub = Hub::new("http://127.0.0.1:9", cache.path());
    hub.offline = true;
    let sentence = fetch(&hub, "qwen3-test", REPOSITORY, &mut |_, _, _| {}).expect_err("nothing is here").to_string();
    assert!(
        sentence.starts_with("qwen3-test is not on this machine yet")
            && sentence.ends_with("cargo xtask fetch qwen3-test")
    );
}

#[test]
fn two_downloads_of_one_file_do_not_mix() {
    let (server, cache) = (Server::start(Behaviour { cut: Some(10), ..behaviour() }), folder());
    assert!(server.fetch(cache.path()).is_err());
    server.now().cut = None;
    let part = walk(cache.path()).into_iter().find(|file| file.ends_with(".part")).expect("a beginning");
    let file = std::fs::File::open(part).expect("a file");
    file.lock().expect("a lock");
    let sentence = server.fetch(cache.path()).expect_err("it is taken");
    assert!(sentence.contains("is being downloaded by another command"), "{sentence}");
    drop(file);
    assert!(server.fetch(cache.path()).is_ok());
}

/// Every file below a folder.
fn walk(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let below = entries.flat_map(|entry| match entry.path() {
        path if path.is_dir() => walk(&path),
        path => vec![path.display().to_string()],
    });
    below.collect()
}
