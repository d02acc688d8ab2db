//! Downloads that continue where they stopped: a file grows as `NAME.part`, and takes its name when its size and, for large
//! files, its SHA-256 are what the hub said.

use sha2::{Digest, Sha256};
use std::{
    fs::{File, OpenOptions},
    io::{ErrorKind, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use super::hub::{Hub, Remote};
use crate::{Error, Result};

/// How often a transfer that breaks off goes on by itself.
const ATTEMPTS: usize = 4;

/// Downloads what a model needs and returns its folder. `progress` sees the file, its bytes so far and all its bytes.
///
/// Errors: offline, no answer, a broken transfer, a wrong size or hash, a full disk; each a sentence. What has arrived
/// stays for the next call.
pub fn fetch(hub: &Hub, name: &str, repository: &str, progress: &mut dyn FnMut(&str, u64, u64)) -> Result<PathBuf> {
    if hub.offline {
        return hub.folder(name, repository);
    }
    let files = hub.list(repository)?;
    let commit = files.first().map_or(String::new(), |remote| remote.commit.clone());
    let snapshot = hub.snapshot(repository, &commit);
    for remote in &files {
        if remote.commit != commit {
            return Err(Error::Other(format!("{repository} changed while it was listed; run the command again")));
        }
        let blob = hub.blob(repository, &remote.etag);
        if std::fs::metadata(&blob).is_ok_and(|there| there.len() == remote.bytes) {
            progress(&remote.file, remote.bytes, remote.bytes);
        } else {
            download(remote, &blob, progress)?;
        }
        link(&snapshot, &remote.file, &remote.etag).map_err(|e| unwritable(&snapshot, &e))?;
    }
    hub.publish(repository, &commit).map_err(|e| unwritable(&snapshot, &e))?;
    Ok(snapshot)
}

/// Fills `blob` with a file of the hub.
fn download(remote: &Remote, blob: &Path, progress: &mut dyn FnMut(&str, u64, u64)) -> Result<()> {
    let part = blob.with_extension("part");
    let unwritable = |e: std::io::Error| unwritable(&part, &e);
    if let Some(folder) = part.parent() {
        std::fs::create_dir_all(folder).map_err(unwritable)?;
    }
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(&part).map_err(unwritable)?;
    if file.try_lock().is_err() {
        return Err(Error::Other(format!("{} is being downloaded by another command; wait for it", remote.file)));
    }
    for attempt in 1.. {
        let before = file.metadata().map_err(unwritable)?.len();
        match transfer(remote, &mut file, progress) {
            Ok(()) => break,
            Err(broken) => {
                let now = file.metadata().map_err(unwritable)?.len();
                if now == before || attempt == ATTEMPTS {
                    return Err(Error::Other(format!(
                        "the download of {} stopped at {now} of {} bytes ({broken}); run the command again, it goes on from there",
                        remote.file, remote.bytes
                    )));
                }
            }
        }
    }
    if remote.etag.len() == 64 {
        let found = hash(&mut file).map_err(unwritable)?;
        if found != remote.etag {
            std::fs::remove_file(&part).map_err(unwritable)?;
            return Err(Error::Other(format!(
                "the download of {} has the SHA-256 {found}, but the hub said {}; it was removed, run the command again",
                remote.file, remote.etag
            )));
        }
    }
    std::fs::rename(&part, blob).map_err(unwritable)
}

/// Appends what is missing. Errors: why it broke off.
fn transfer(
    remote: &Remote,
    file: &mut File,
    progress: &mut dyn FnMut(&str, u64, u64),
) -> std::result::Result<(), String> {
    let text = |e: std::io::Error| e.to_string();
    let mut have = file.metadata().map_err(text)?.len();
    if have > remote.bytes {
        // Left over from a file of another size.
        file.set_len(0).map_err(text)?;
        have = 0;
    }
    if have == remote.bytes {
        progress(&remote.file, have, remote.bytes);
        return Ok(());
    }
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_connect(Some(Duration::from_secs(30)))
        .timeout_recv_response(Some(Duration::from_secs(60)))
        .build()
        .into();
    let request = agent.get(&remote.url).header("Accept-Encoding", "identity");
    let answer = request.header("Range", format!("bytes={have}-")).call().map_err(|e| e.to_string())?;
    let range = answer.headers().get("Content-Range").and_then(|range| range.to_str().ok()).unwrap_or("");
    if answer.status() != 206 {
        // A server without ranges sends everything again.
        file.set_len(0).map_err(text)?;
        have = 0;
    } else if !range.starts_with(&format!("bytes {have}-")) {
        return Err(format!("asked for bytes from {have} on, the hub sent {range:?}"));
    }
    let mut body = answer.into_body().into_reader();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = match body.read(&mut buffer) {
            Ok(0) if have == remote.bytes => return Ok(()),
            Ok(0) => return Err("the connection closed".into()),
            Ok(count) => count,
            Err(e) if e.kind() == ErrorKind::Interrupted => continue,
            Err(e) => return Err(e.to_string()),
        };
        if have + count as u64 > remote.bytes {
            file.set_len(0).map_err(text)?;
            return Err(format!("the hub sent more than the {} bytes it had announced", remote.bytes));
        }
        file.write_all(&buffer[..count]).map_err(text)?;
        have += count as u64;
        progress(&remote.file, have, remote.bytes);
    }
}

fn hash(file: &mut File) -> std::io::Result<String> {
    file.seek(SeekFrom::Start(0))?;
    let mut sha = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(sha.finalize().iter().map(|byte| format!("{byte:02x}")).collect()),
            count => sha.update(&buffer[..count]),
        }
    }
}

/// Gives a blob its name in a snapshot.
fn link(snapshot: &Path, file: &str, etag: &str) -> std::io::Result<()> {
    std::fs::create_dir_all(snapshot)?;
    let pointer = snapshot.join(file);
    match std::fs::remove_file(&pointer) {
        Err(e) if e.kind() != ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    std::os::unix::fs::symlink(Path::new("../../blobs").join(etag), pointer)
}

fn unwritable(path: &Path, why: &std::io::Error) -> Error {
    Error::Other(format!("{} cannot be written: {why}; what has arrived is kept", path.display()))
}
