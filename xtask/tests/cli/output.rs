//! Output that cannot be written, and what the cargo that a command calls is told.
#![cfg(unix)]

use std::fs::OpenOptions;
use std::process::{Command, Output, Stdio};

use super::scratch::Scratch;

#[test]
fn a_reader_that_leaves_is_no_panic() {
    let course = Scratch::course("pipe");
    for arguments in [&[][..], &["status"], &["hint", "1.1.1"], &["copy-test", "--week", "1", "--day", "1"]] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let ran = ended(course.prepared(&course.root, arguments).stdout(writer).stderr(Stdio::piped()));
        assert_eq!(
            (ran.status.code(), String::from_utf8_lossy(&ran.stderr).as_ref()),
            (Some(141), ""),
            "{arguments:?}"
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_one_sentence() {
    let course = Scratch::course("full");
    let full = OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let ran = ended(course.prepared(&course.root, &["status"]).stdout(full).stderr(Stdio::piped()));
    assert_eq!(ran.status.code(), Some(2));
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(said.starts_with("error: the output cannot be written: No space left on device"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn the_cargo_below_is_not_told_that_it_belongs_to_a_package() {
    let course = Scratch::course("told");
    let cargo = course.fake_cargo("", "", 0);
    course.write("fake/cargo", &course.read("fake/cargo").replace("exit 0", "env >&2; exit 0"));
    let mut command = course.prepared(&course.root, &["generate"]);
    command.env("CARGO", &cargo).env("CARGO_MANIFEST_DIR", "/xtask").env("CARGO_PKG_NAME", "xtask");
    let ran = ended(command.env("CARGO_HOME", "/kept").stdout(Stdio::null()).stderr(Stdio::piped()));
    let told = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(told.contains("CARGO_HOME=/kept"), "{told}");
    assert!(!told.contains("CARGO_MANIFEST_DIR=") && !told.contains("CARGO_PKG_NAME="), "{told}");
}

fn ended(command: &mut Command) -> Output {
    command.spawn().and_then(|child| child.wait_with_output()).expect("xtask runs")
}
