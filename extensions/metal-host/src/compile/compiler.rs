//! Which C++ compiler is used. It must know `_Float16` in C++: g++ 12 (13 on ARM) or clang 16.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use crate::error::{Error, Result};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Compiler {
    /// The program and what goes in front of every argument, as in CXX="ccache g++".
    command: Vec<String>,
    pub is_clang: bool,
    /// Everything about it that changes what it makes: version, processor, predefined macros.
    pub identity: String,
}

/// In this order, when nobody chose.
const CANDIDATES: [&str; 13] = [
    "c++",
    "g++",
    "clang++",
    "g++-15",
    "g++-14",
    "g++-13",
    "g++-12",
    "clang++-21",
    "clang++-20",
    "clang++-19",
    "clang++-18",
    "clang++-17",
    "clang++-16",
];

/// Kernels are compiled for this machine.
const TUNED: &str = if cfg!(target_arch = "aarch64") { "-mcpu=native" } else { "-march=native" };

/// A compiler by how it was asked for, or why it is none.
type Known = (Option<PathBuf>, std::result::Result<Compiler, String>);

impl Compiler {
    /// The one that was asked for, or the first that fits.
    pub fn find(wanted: Option<&Path>) -> Result<Compiler> {
        static FOUND: Mutex<Vec<Known>> = Mutex::new(Vec::new());
        let mut found = FOUND.lock().unwrap_or_else(|broken| broken.into_inner());
        let wanted = wanted.map(Path::to_path_buf);
        if let Some((_, known)) = found.iter().find(|(key, _)| *key == wanted) {
            return known.clone().map_err(Error::NoCompiler);
        }
        let result = search(wanted.as_deref());
        found.push((wanted, result.clone()));
        result.map_err(Error::NoCompiler)
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]);
        // Messages in English: they are read again.
        command.env("LC_ALL", "C");
        command
    }

    pub fn name(&self) -> String {
        self.command.join(" ")
    }

    /// What every compilation gets.
    pub fn flags(&self) -> Vec<&'static str> {
        // DWARF 4: addr2line of binutils 2.40 takes the wrong file from version 5 where a source has line markers.
        let mut flags = vec!["-std=c++17", "-gdwarf-4", "-fPIC", TUNED, "-fvisibility=hidden"];
        // As on a GPU: multiply-add in one step, no errno, no traps, pointers of any type to one memory.
        flags.extend(["-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math", "-fno-strict-aliasing"]);
        // Large arrays of a thread meet the page below its stack, and do not step over it.
        flags.push("-fstack-clash-protection");
        if self.is_clang {
            // `half` is rounded after every operation, as g++ does; clang would keep float in between.
            flags.extend([
                "-Xclang",
                "-ffloat16-excess-precision=none",
                "-fno-caret-diagnostics",
                "-fno-color-diagnostics",
            ]);
        } else {
            // One copy of a variable for every loaded library, even for templates.
            flags.extend(["-fno-gnu-unique", "-fdiagnostics-plain-output", "-Wno-psabi"]);
        }
        flags.push("-fno-elide-type"); // types in messages in full

        flags
    }
}

fn search(wanted: Option<&Path>) -> std::result::Result<Compiler, String> {
    if let Some(path) = wanted {
        return probe(&path.display().to_string());
    }
    for variable in ["METAL_HOST_CXX", "CXX"] {
        if let Some(command) = std::env::var(variable).ok().filter(|c| !c.trim().is_empty()) {
            return probe(&command).map_err(|why| format!("{why} (chosen by the variable {variable})"));
        }
    }
    let mut refused = Vec::new();
    for name in CANDIDATES {
        match probe(name) {
            Ok(compiler) => return Ok(compiler),
            Err(why) if why.contains("cannot be started") => {}
            Err(why) => refused.push(why),
        }
    }
    Err(format!(
        "Metal kernels need a C++ compiler, and none was found that fits{}. \
         Install g++ 12 or clang 16 or newer (Debian, Ubuntu: apt install g++), or name one in the variable CXX.",
        refused.iter().map(|why| format!("; {why}")).collect::<String>()
    ))
}

/// Asks a compiler for its predefined macros.
fn probe(name: &str) -> std::result::Result<Compiler, String> {
    let command: Vec<String> = name.split_whitespace().map(str::to_string).collect();
    let [program, arguments @ ..] = command.as_slice() else { return Err("the compiler's name is empty".into()) };
    let output = Command::new(program)
        .args(arguments)
        .args([TUNED, "-std=c++17", "-dM", "-E", "-x", "c++", "/dev/null"])
        .output()
        .map_err(|e| format!("{name} cannot be started: {e}"))?;
    let macros = String::from_utf8_lossy(&output.stdout);
    let value = |macro_name: &str| {
        let line =
            macros.lines().find_map(|l| l.strip_prefix("#define ")?.strip_prefix(macro_name)?.strip_prefix(' '))?;
        line.parse::<u32>().ok()
    };
    let (clang, gnu) = (value("__clang_major__"), value("__GNUC__"));
    let least = if cfg!(target_arch = "aarch64") { 13 } else { 12 };
    match (clang, gnu) {
        (Some(version), _) if version < 16 => {
            Err(format!("{name} is clang {version}, and 16 is the oldest that works"))
        }
        (None, Some(version)) if version < least => {
            Err(format!("{name} is g++ {version}, and {least} is the oldest that works"))
        }
        (None, None) => Err(format!("{name} is neither g++ nor clang")),
        (clang, _) => {
            Ok(Compiler { command: command.clone(), is_clang: clang.is_some(), identity: format!("{name}\n{macros}") })
        }
    }
}
