//! Xcode and its Metal compiler, which `build-ext` makes a Metal library with. Nothing else needs them: without a library
//! Metal itself compiles a kernel's source when it is first launched.
//!
//! What the tools answer flows in, so that every case can be looked at on any machine.

use std::process::Command;

use super::check::{Check, Need};

/// What a program answered.
#[derive(Clone)]
pub struct Answer {
    /// Its exit code; `None` where the program is not there.
    pub code: Option<i32>,
    /// Both of its streams.
    pub text: String,
}

/// Runs a command line, or has its answer already.
pub type Ask<'a> = &'a dyn Fn(&str) -> Answer;

const SWITCH: &str = "sudo xcode-select --switch /Applications/Xcode.app/Contents/Developer";
const DOWNLOAD: &str = "xcodebuild -downloadComponent MetalToolchain";

/// Asks the machine.
pub fn ask(command: &str) -> Answer {
    let mut words = command.split_whitespace();
    let output = Command::new(words.next().unwrap_or_default()).args(words).output();
    output.map_or(Answer { code: None, text: String::new() }, |output| Answer {
        code: output.status.code(),
        text: String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned(),
    })
}

/// In the order in which one depends on another, up to the first that is missing: the rest would fail with it.
pub fn checks(ask: Ask) -> Vec<Check> {
    let mut checks = Vec::new();
    for check in [xcode, license, components, metal] {
        checks.push(check(ask));
        if checks.last().is_some_and(|check| !check.fine) {
            break;
        }
    }
    checks
}

impl Answer {
    fn is_fine(&self) -> bool {
        self.code == Some(0)
    }

    fn first_line(&self) -> &str {
        self.text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it says nothing")
    }

    fn asks_for_license(&self) -> bool {
        self.text.to_lowercase().contains("license")
    }
}

fn missing(name: &'static str, found: impl Into<String>, fix: impl Into<String>) -> Check {
    Check::missing(name, Need::Optional, found, fix)
}

/// Xcode itself: its command line tools alone have no Metal compiler.
fn xcode(ask: Ask) -> Check {
    let name = "Xcode";
    let install = format!("install Xcode from the App Store where it is not there yet, open it once, then: {SWITCH}");
    let path = ask("xcode-select --print-path");
    if !path.is_fine() {
        return missing(name, "no developer tools are chosen", install);
    }
    let path = path.first_line().to_string();
    if path.contains("CommandLineTools") {
        return missing(name, format!("only the command line tools: {path}"), install);
    }
    let version = ask("xcodebuild -version");
    match version.is_fine() || version.asks_for_license() {
        true if version.is_fine() => Check::fine(name, Need::Optional, format!("{}, {path}", version.first_line())),
        true => Check::fine(name, Need::Optional, path),
        false => missing(name, format!("there is no Xcode at {path}, which is chosen"), SWITCH),
    }
}

fn license(ask: Ask) -> Check {
    let name = "Xcode license";
    match ask("xcodebuild -license check") {
        answer if answer.is_fine() => Check::fine(name, Need::Optional, "accepted"),
        _ => missing(name, "not accepted", "sudo xcodebuild -license accept"),
    }
}

/// What Xcode installs when it is opened first.
fn components(ask: Ask) -> Check {
    let name = "Xcode components";
    match ask("xcodebuild -checkFirstLaunchStatus") {
        answer if answer.is_fine() => Check::fine(name, Need::Optional, "installed"),
        _ => missing(name, "Xcode was never opened", "sudo xcodebuild -runFirstLaunch"),
    }
}

/// Apple's Metal compiler; since Xcode 26 it is a download of its own.
fn metal(ask: Ask) -> Check {
    let name = "xcrun metal";
    let answer = ask("xcrun --sdk macosx metal --version");
    match answer {
        answer if answer.is_fine() => Check::fine(name, Need::Optional, answer.first_line()),
        answer if answer.text.contains("missing Metal Toolchain") => {
            missing(name, "the Metal toolchain is not installed", DOWNLOAD)
        }
        answer if answer.asks_for_license() => {
            missing(name, "the license is not accepted", "sudo xcodebuild -license accept")
        }
        answer => {
            missing(name, format!("does not run: {}", answer.first_line()), format!("{SWITCH}; then: {DOWNLOAD}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the tools print, by command; what is not listed is as on a machine that has everything.
    fn machine(answers: &'static [(&'static str, i32, &'static str)]) -> impl Fn(&str) -> Answer {
        const COMPLETE: [(&str, i32, &str); 5] = [
            ("xcode-select --print-path", 0, "/Applications/Xcode.app/Contents/Developer\n"),
            ("xcodebuild -version", 0, "Xcode 26.0.1\nBuild version 17A400\n"),
            ("xcodebuild -license check", 0, ""),
            ("xcodebuild -checkFirstLaunchStatus", 0, ""),
            (
                "xcrun --sdk macosx metal --version",
                0,
                "Apple metal version 32023.830 (metalfe-32023.830.2)\nTarget: air64-apple-darwin25.0.0\n",
            ),
        ];
        move |command: &str| {
            let all = answers.iter().chain(&COMPLETE);
            let found = all.into_iter().find(|(asked, ..)| *asked == command);
            let &(_, code, text) = found.unwrap_or_else(|| panic!("nobody recorded: {command}"));
            Answer { code: Some(code), text: text.to_string() }
        }
    }

    /// The last check, which stopped the others: its name, what was found, what mends it.
    fn last(answers: &'static [(&'static str, i32, &'static str)]) -> (usize, Check) {
        let mut checks = checks(&machine(answers));
        let count = checks.len();
        (count, checks.pop().expect("Xcode is looked at always"))
    }

    fn stops(answers: &'static [(&'static str, i32, &'static str)], count: usize, name: &str, found: &str, fix: &str) {
        let (asked, check) = last(answers);
        assert!(!check.fine, "{check:?}");
        assert_eq!((asked, check.name), (count, name), "{check:?}");
        assert!(check.found.contains(found), "{check:?}");
        assert!(check.fix.contains(fix), "{check:?}");
    }

    #[test]
    fn a_machine_with_everything() {
        let checks = checks(&machine(&[]));
        assert!(checks.iter().all(|check| check.fine), "{checks:?}");
        let found: Vec<_> = checks.iter().map(|check| check.found.as_str()).collect();
        let xcode = "Xcode 26.0.1, /Applications/Xcode.app/Contents/Developer";
        let metal = "Apple metal version 32023.830 (metalfe-32023.830.2)";
        assert_eq!(found, [xcode, "accepted", "installed", metal]);
    }

    #[test]
    fn no_xcode() {
        let none = "xcode-select: error: unable to get active developer directory, use `sudo xcode-select --switch path/to/Xcode.app` to set one (or see `man xcode-select`)\n";
        stops(
            Box::leak(Box::new([("xcode-select --print-path", 2, none)])),
            1,
            "Xcode",
            "no developer tools are chosen",
            "install Xcode from the App Store",
        );
        stops(
            &[("xcode-select --print-path", 0, "/Library/Developer/CommandLineTools\n")],
            1,
            "Xcode",
            "only the command line tools: /Library/Developer/CommandLineTools",
            "sudo xcode-select --switch /Applications/Xcode.app/Contents/Developer",
        );
    }

    #[test]
    fn a_chosen_path_without_xcode() {
        stops(
            &[
                ("xcode-select --print-path", 0, "/Applications/Xcode-beta.app/Contents/Developer\n"),
                (
                    "xcodebuild -version",
                    1,
                    "xcrun: error: invalid active developer path (/Applications/Xcode-beta.app/Contents/Developer), missing xcrun at: /Applications/Xcode-beta.app/Contents/Developer/usr/bin/xcrun\n",
                ),
            ],
            1,
            "Xcode",
            "there is no Xcode at /Applications/Xcode-beta.app/Contents/Developer",
            "sudo xcode-select --switch",
        );
    }

    #[test]
    fn a_license_that_nobody_accepted() {
        const TEXT: &str = "You have not agreed to the Xcode license agreements. Please run 'sudo xcodebuild -license' from within a Terminal window to review and agree to the Xcode and Apple SDKs license.\n";
        const ANSWERS: [(&str, i32, &str); 3] = [
            ("xcodebuild -version", 69, TEXT),
            ("xcodebuild -license check", 69, TEXT),
            ("xcrun --sdk macosx metal --version", 69, TEXT),
        ];
        stops(&ANSWERS, 2, "Xcode license", "not accepted", "sudo xcodebuild -license accept");
        // Only the last tool minds.
        stops(&[ANSWERS[2]], 4, "xcrun metal", "the license is not accepted", "sudo xcodebuild -license accept");
    }

    #[test]
    fn an_xcode_that_was_never_opened() {
        stops(
            &[("xcodebuild -checkFirstLaunchStatus", 69, "")],
            3,
            "Xcode components",
            "never opened",
            "sudo xcodebuild -runFirstLaunch",
        );
    }

    #[test]
    fn a_missing_metal_toolchain() {
        stops(
            &[(
                "xcrun --sdk macosx metal --version",
                1,
                "error: cannot execute tool 'metal' due to missing Metal Toolchain; use: xcodebuild -downloadComponent MetalToolchain\n",
            )],
            4,
            "xcrun metal",
            "the Metal toolchain is not installed",
            "xcodebuild -downloadComponent MetalToolchain",
        );
        stops(
            &[(
                "xcrun --sdk macosx metal --version",
                72,
                "xcrun: error: unable to find utility \"metal\", not a developer tool or in PATH\n",
            )],
            4,
            "xcrun metal",
            "does not run: xcrun: error: unable to find utility",
            "xcodebuild -downloadComponent MetalToolchain",
        );
    }

    #[test]
    fn a_program_that_is_not_there() {
        let answer = ask("no-such-program-of-apple --version");
        assert_eq!(answer.code, None);
        let checks = checks(&|_: &str| Answer { code: None, text: String::new() });
        assert_eq!(checks.len(), 1);
        assert!(!checks[0].fine);
    }
}
