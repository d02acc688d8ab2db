//! A launch under a sanitizer, in a process of its own: this one does not have to be started in a special way.

#[cfg(target_os = "linux")]
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use super::{Outcome, Problem, Setup, symbol};
use crate::checks::Checks;
use crate::compile::{Sanitizer, file, is_own, remove};
use crate::error::Error;
use crate::finding::{Finding, Kind};

/// Addresses that are the same in every run: ThreadSanitizer of g++ 12 does not start where they are too random.
#[cfg(target_os = "linux")]
fn without_random_addresses(command: &mut Command) {
    unsafe extern "C" {
        fn personality(persona: std::ffi::c_ulong) -> std::ffi::c_int;
    }
    const ADDR_NO_RANDOMIZE: std::ffi::c_ulong = 0x0040000;
    // SAFETY: a system call on the child alone, between fork and exec; it allocates nothing. Where it is not allowed, the
    // sanitizer starts or says why it does not.
    unsafe {
        command.pre_exec(|| {
            personality(ADDR_NO_RANDOMIZE);
            Ok(())
        })
    };
}
#[cfg(not(target_os = "linux"))]
fn without_random_addresses(_: &mut Command) {}

impl Setup<'_> {
    /// What the child needs to know; taken before the kernel changes its arguments.
    pub(super) fn description(&self, checks: &Checks) -> Vec<u8> {
        let mut d = Vec::new();
        let text = |d: &mut Vec<u8>, s: &[u8]| {
            d.extend((s.len() as u32).to_le_bytes());
            d.extend(s);
        };
        let launch = self.launch(checks.order);
        text(&mut d, self.kernel.name.as_bytes());
        let constants = &self.kernel.shared.constants.values;
        d.extend((constants.len() as u32).to_le_bytes());
        for (key, value) in constants {
            let (index, name) = key.parts();
            d.extend(index.to_le_bytes());
            text(&mut d, name.as_bytes());
            d.extend(value.bytes);
            d.extend(value.size.to_le_bytes());
        }
        launch.grid.iter().chain(&launch.group).for_each(|n| d.extend(n.to_le_bytes()));
        d.extend(launch.by_threads.to_le_bytes());
        launch.tg_args.iter().for_each(|n| d.extend(n.to_le_bytes()));
        d.extend(launch.flags.to_le_bytes());
        d.extend(launch.seed.to_le_bytes());
        d.extend((self.buffers().count() as u32).to_le_bytes());
        for arg in self.buffers() {
            let memory = arg.memory();
            d.extend(u32::from(memory.is_some()).to_le_bytes());
            if let Some((pointer, bytes)) = memory {
                d.extend((bytes as u64).to_le_bytes());
                // SAFETY: the argument's memory is valid while the argument lives.
                d.extend(unsafe { std::slice::from_raw_parts(pointer, bytes) });
            }
        }
        d
    }

    /// The first thing that the sanitizer has to say is an error.
    pub(super) fn run_in_child(&self, sanitizer: Sanitizer, description: &[u8]) -> Outcome<()> {
        let workshop = &self.kernel.shared.workshop;
        let (program, library) = (workshop.child(sanitizer)?, workshop.library(Some(sanitizer))?);
        let launch = workshop.cache.temporary("launch");
        std::fs::write(&launch, description).map_err(file("writing", &launch))?;
        let mut command = Command::new(&program);
        command.arg(&library).arg(&launch);
        let suppressions = workshop.own.join("child/suppressions.txt");
        // The first report is enough, and its addresses are looked up here: by far the slowest part of a sanitizer.
        let threads = format!(
            "halt_on_error=1 exitcode=0 symbolize=0 history_size=4 report_signal_unsafe=0 suppressions={}",
            suppressions.display()
        );
        command.env("TSAN_OPTIONS", threads);
        command.env("ASAN_OPTIONS", "symbolize=0:detect_leaks=0:detect_stack_use_after_return=0");
        without_random_addresses(&mut command);
        let output = command.output();
        remove(&launch);
        let output = output.map_err(|source| Error::Program { name: program.display().to_string(), source })?;
        let said = String::from_utf8_lossy(&output.stderr);
        if let Some(finding) = self.read_reports(sanitizer, &said, &library) {
            return Err(finding.into());
        }
        // 3: the launch itself is wrong, which the checked runs explain better.
        if output.status.success() || output.status.code() == Some(3) {
            return Ok(());
        }
        let last = said.trim().lines().last().unwrap_or("it said nothing").to_string();
        let title = format!("the run under the {} sanitizer failed ({}): {last}", sanitizer.name(), output.status);
        Err(Problem::from(Finding::error(Kind::Internal, title)))
    }

    fn read_reports(&self, sanitizer: Sanitizer, said: &str, library: &Path) -> Option<Finding> {
        let lines: Vec<&str> = said.lines().collect();
        let place = |at: usize| {
            let frame = lines[at..].iter().find_map(|l| place_in(l, library))?;
            Some(self.kernel.shared.workshop.lines.place(&frame.0, frame.1))
        };
        let find = |pattern: &str| lines.iter().position(|l| l.contains(pattern));
        match sanitizer {
            Sanitizer::Thread => {
                let start = find("WARNING: ThreadSanitizer: data race")?;
                let accesses: Vec<usize> =
                    (start..lines.len()).filter(|&n| lines[n].contains(" of size ")).take(2).collect();
                let what: Vec<&str> = accesses
                    .iter()
                    .map(|&n| if lines[n].to_lowercase().contains("write") { "write" } else { "read" })
                    .collect();
                let title =
                    format!("two threads use the same memory with no barrier between: a {}", what.join(" and a "));
                let mut finding = Finding::error(Kind::Race, title);
                for &n in &accesses {
                    finding.places.extend(place(n));
                    finding.facts.push(access(&lines, n));
                }
                let group = |fact: &String| fact.rsplit_once("of threadgroup ").map(|(_, group)| group.to_string());
                let groups: Vec<_> = finding.facts.iter().filter_map(group).take(2).collect();
                Some(finding.help(if groups.first() == groups.last() {
                    "threadgroup_barrier(mem_flags::mem_threadgroup) between the two lines, or an atomic"
                } else {
                    "no barrier orders two threadgroups: use an atomic, or give each group elements of its own"
                }))
            }
            Sanitizer::Address => {
                let start = find("ERROR: AddressSanitizer")?;
                let what = lines[start].split("AddressSanitizer: ").nth(1)?.split(" on ").next()?;
                let finding = Finding::error(Kind::OutOfBounds, format!("an access outside of its memory ({what})"))
                    .at(place(start));
                Some(self.located(&lines).into_iter().fold(finding, Finding::fact))
            }
            Sanitizer::Undefined => {
                let start = find("runtime error: ")?;
                let what = lines[start].split("runtime error: ").nth(1)?;
                let finding = Finding::error(Kind::Undefined, what).at(place(start));
                Some(finding.fact("C++ leaves the result open, and so does Metal"))
            }
        }
    }

    /// What an access found by AddressSanitizer is next to.
    fn located(&self, lines: &[&str]) -> Option<String> {
        // An array of a thread: `[48, 64) 'a' (line 5) <== Memory access at offset 64 overflows this variable`.
        if let Some(line) = lines.iter().find(|l| l.contains("<== Memory access")) {
            let name = line.split('\'').nth(1)?;
            return Some(format!("it leaves the array `{name}` of the thread"));
        }
        // `0x.. is located 0 bytes to the right of 400-byte region [0x.., 0x..)`, g++ 12; clang says `after`.
        let line = lines.iter().find(|l| l.contains("is located") && l.contains("region ["))?;
        let (away, region) = line.split_once("is located ")?.1.split_once("region [")?;
        let start = region.split(',').next()?;
        let of_buffer =
            lines.iter().find_map(|l| l.strip_prefix("metal-host: buffer ")?.strip_suffix(&format!(" at {start}")));
        let index: Option<usize> = of_buffer.and_then(|n| n.parse().ok());
        let what = match index.and_then(|n| self.kernel.buffer(n)) {
            Some(p) => format!("`{}`, which is buffer({})", p.name, p.index),
            None => "a threadgroup variable".to_string(),
        };
        Some(format!("{}region, {what}", away.replace("to the right of", "after").replace("to the left of", "before")))
    }
}

/// `Write of size 4 at 0x7b.. by thread T2:` with the GPU thread's name, which a later line tells.
fn access(lines: &[&str], at: usize) -> String {
    let line = lines[at].trim().trim_end_matches(':');
    let (what, thread) = line.split_once(" by ").unwrap_or((line, ""));
    let what = what.split(" at 0x").next().unwrap_or(what).to_lowercase();
    let thread = thread.strip_prefix("thread ").unwrap_or(thread);
    let named = lines.iter().find_map(|l| l.trim().strip_prefix(&format!("Thread {thread} '"))?.split('\'').next());
    let what = what.replace("of size ", "of ");
    format!("{what} bytes by {}", named.map_or(format!("thread {thread}"), str::to_string))
}

/// The `.metal` line that a line of a stack trace names, by address or by name.
fn place_in(line: &str, library: &Path) -> Option<(String, u32)> {
    let name = library.file_name()?.to_str()?;
    if let Some((_, rest)) = line.split_once(&format!("{name}+0x")) {
        let digits: String = rest.chars().take_while(char::is_ascii_hexdigit).collect();
        if let Some(place) = symbol::line_of(library, u64::from_str_radix(&digits, 16).ok()?) {
            return Some(place);
        }
    }
    line.split_whitespace().find_map(|word| {
        let mut parts = word.trim_end_matches(':').split(':');
        let (file, number) = (parts.next()?, parts.next()?.parse().ok()?);
        let is_source = file.contains('.') || file.contains('/');
        (is_source && !is_own(file) && !file.ends_with(".cpp")).then(|| (symbol::shown(file), number))
    })
}
