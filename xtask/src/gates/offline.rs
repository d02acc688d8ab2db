//! One pass without a network: setup, an answer, a day's tests, in a place from which nothing outside can be reached.

use std::process::{Command, Stdio};

use super::{Outcome, output};
use crate::workspace::Workspace;

/// What a reader does first, and what must need no network once setup has run.
const PASS: [&[&str]; 5] = [
    &["setup", "--offline"],
    &["generate", "--prompt", "What is a KV cache?", "--max-tokens", "8"],
    &["test", "--reference", "--week", "1", "--day", "1"],
    &["solution", "1.1.1", "--spoil"],
    &["status"],
];

/// Where a program that is told to go through it finds nothing: the port for discarding.
const NOWHERE: &str = "http://127.0.0.1:9";

/// How a command is cut off from the network.
enum Isolation {
    /// By Linux: a network of its own in which there is only the loopback.
    Namespace(&'static [&'static str]),
    /// By a proxy that does not answer, which every downloader of the course obeys.
    Proxy,
}

/// Runs the pass.
pub fn pass(workspace: &Workspace) -> anyhow::Result<Outcome> {
    let program = crate::itself::path()?;
    let isolation = isolation();
    for arguments in PASS {
        let mut command = match isolation {
            Isolation::Namespace(before) => {
                let mut command = Command::new(before[0]);
                command.args(&before[1..]).arg(&program);
                command
            }
            Isolation::Proxy => Command::new(&program),
        };
        command.args(arguments).current_dir(workspace.root()).stdin(Stdio::null());
        command.env("CARGO_NET_OFFLINE", "true").env("HF_HUB_OFFLINE", "1").env("PIP_NO_INDEX", "1");
        for proxy in ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"] {
            command.env(proxy, NOWHERE);
        }
        let (status, text) = output(&mut command)?;
        if !status.success() {
            return Ok(Outcome::Failed(format!(
                "without a network, `cargo xtask {}` fails:\n{text}",
                arguments.join(" ")
            )));
        }
    }
    Ok(Outcome::Passed(match isolation {
        Isolation::Namespace(_) => "in a network namespace with nothing in it".to_string(),
        Isolation::Proxy => "behind a proxy that does not answer; this system has no network namespaces".to_string(),
    }))
}

/// A namespace where the system lets us make one and it is as empty as it should be.
fn isolation() -> Isolation {
    const WAYS: [&[&str]; 2] = [&["unshare", "--net", "--"], &["unshare", "--map-root-user", "--net", "--"]];
    let is_empty = |way: &&&'static [&'static str]| {
        let list = Command::new(way[0]).args(&way[1..]).args(["cat", "/proc/net/dev"]).stderr(Stdio::null()).output();
        list.is_ok_and(|list| list.status.success() && only_loopback(&String::from_utf8_lossy(&list.stdout)))
    };
    WAYS.iter().find(is_empty).map_or(Isolation::Proxy, |way| Isolation::Namespace(way))
}

/// Whether the table of `/proc/net/dev` names `lo` and nothing else.
fn only_loopback(table: &str) -> bool {
    let mut names = table.lines().filter_map(|line| line.split_once(':')).map(|(name, _)| name.trim());
    names.next() == Some("lo") && names.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::only_loopback;

    #[test]
    fn a_network_with_a_way_out_is_none() {
        let head = "Inter-|   Receive\n face |bytes\n";
        assert!(only_loopback(&format!("{head}    lo: 0 0\n")));
        assert!(!only_loopback(&format!("{head}    lo: 0 0\n  eth0: 1 2\n")));
        assert!(!only_loopback(head));
    }
}
