//! Starts the processes of a group on this machine, and ends them all when one fails or the one that started them ends.

use std::{
    env,
    io::{self, Read},
    net::TcpListener,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use kit::{Error, Result};

/// What a process of the group finds its number in; MLX's own variables.
pub const RANK: &str = "MLX_RANK";
const HOSTS: &str = "MLX_HOSTFILE";
/// Set for a process whose standard input stays open as long as the one that started it lives.
const HELD: &str = "TENSOR_PARALLEL_HELD";

/// Runs this program `count` times, with the arguments of this one; the first one's output is shown.
///
/// Errors: `Other` when a process cannot be started or does not end well.
pub fn processes(count: i32) -> Result<()> {
    let hosts = hosts(count).map_err(|e| Error::Other(format!("no {count} free ports on this machine: {e}")))?;
    let list = tempfile::NamedTempFile::new().and_then(|file| std::fs::write(file.path(), hosts).map(|()| file));
    let list = list.map_err(|e| Error::Other(format!("the list of addresses cannot be written: {e}")))?;
    let mut children = Vec::new();
    for rank in 0..count {
        let mut command = Command::new(env::current_exe().map_err(start)?);
        command.args(env::args_os().skip(1)).env(RANK, rank.to_string()).env(HOSTS, list.path());
        // Nothing is ever written into it: it closes when this process ends, however it ends.
        command.env(HELD, "1").stdin(Stdio::piped());
        if rank > 0 {
            command.stdout(Stdio::null());
        }
        children.push(command.spawn().map_err(start)?);
    }
    let failed = wait(&mut children);
    for child in &mut children {
        // One that has ended already cannot be killed, which is as well.
        child.kill().ok();
        child.wait().ok();
    }
    match failed {
        None => Ok(()),
        Some((rank, how)) => Err(Error::Other(format!("process {rank} of {count} {how}"))),
    }
}

/// Ends this process when the one that started it is gone; without one that does so, nothing happens.
pub fn end_with_the_starter() {
    if env::var_os(HELD).is_none() {
        return;
    }
    thread::spawn(|| {
        let mut rest = [0];
        // An error, like the end, says that nobody is there.
        while matches!(io::stdin().read(&mut rest), Ok(1)) {}
        // An orderly exit would wait for a sum that never comes.
        std::process::abort();
    });
}

/// The first process that fails, and how; `None` when all end well. One that waits for a lost one would wait forever.
fn wait(children: &mut [Child]) -> Option<(usize, String)> {
    loop {
        let mut running = false;
        for (rank, child) in children.iter_mut().enumerate() {
            match child.try_wait() {
                Ok(None) => running = true,
                Ok(Some(status)) if status.success() => {}
                Ok(Some(status)) if status.code().is_some() => {
                    return Some((rank, "failed; its sentence stands above".into()));
                }
                Ok(Some(status)) => return Some((rank, format!("was ended from outside ({status})"))),
                Err(error) => return Some((rank, format!("is lost: {error}"))),
            }
        }
        if !running {
            return None;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// A list of addresses for MLX: one a process, on ports that nobody listens on now.
fn hosts(count: i32) -> io::Result<String> {
    let listeners: Vec<TcpListener> =
        (0..count).map(|_| TcpListener::bind("127.0.0.1:0")).collect::<io::Result<_>>()?;
    let addresses = listeners.iter().map(|listener| Ok([listener.local_addr()?.to_string()]));
    Ok(serde_json::to_string(&addresses.collect::<io::Result<Vec<_>>>()?)?)
}

fn start(error: io::Error) -> Error {
    Error::Other(format!("a process cannot be started: {error}"))
}
