//! Regions: in comes the text of a solution file, out come its regions and the starter's text.
//!
//! A region is the whole inside of one function (in Metal, a whole kernel), between two comments:
//!
//! ```text
//! pub fn top_k(logprobs: &Array, k: usize) -> Result<Array> {
//!     // SOLUTION 1.7.2 logprobs, k
//!     …
//!     // END SOLUTION
//! }
//! ```
//!
//! The starter has one stub line in its place, which borrows the arguments listed, and equals the solution everywhere
//! else, with two exceptions: `// STARTER-ONLY: LINE` becomes `LINE`, and a line that ends in `// SOLUTION-ONLY` goes.

use std::ops::Range;
use std::path::Path;

use anyhow::{bail, ensure};

use crate::manifest::TaskId;
use crate::region_functions::{Function, cpp_function, metal_kernel, rust_function};

/// The longest line that rustfmt leaves alone (`.rustfmt.toml`).
const MAX_WIDTH: usize = 120;

/// The languages that regions can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `.rs`
    Rust,
    /// `.cpp`, `.h`, `.hpp`
    Cpp,
    /// `.metal`
    Metal,
}

impl Language {
    /// By the file's extension; `None` means that the file is copied as it is.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "rs" => Some(Self::Rust),
            "cpp" | "h" | "hpp" => Some(Self::Cpp),
            "metal" => Some(Self::Metal),
            _ => None,
        }
    }
}

/// One marked region of a solution file.
#[derive(Debug, PartialEq, Eq)]
pub struct Region {
    /// Whose task it is.
    pub task: TaskId,
    /// The function it is the inside of: `top_k` or `RoPE::forward`.
    pub item: String,
    /// What the stub borrows: `logprobs, k`.
    pub arguments: String,
    /// The lines between the marks, counted from 0.
    pub body: Range<usize>,
    /// The white space before the marks.
    pub indent: String,
}

/// A solution file, its regions found and checked.
pub struct Source<'a> {
    /// Below the repository, as errors name it: `solutions/week1/src/sampler.rs`.
    name: &'a str,
    language: Language,
    /// With their line ends.
    pub lines: Vec<&'a str>,
    /// From top to bottom.
    pub regions: Vec<Region>,
}

/// What a line means to `sync`.
enum Mark<'a> {
    Start(&'a str),
    End,
    StarterOnly(&'a str),
    SolutionOnly,
    Text,
}

impl<'a> Source<'a> {
    /// Finds and checks the regions; an error begins with `FILE:LINE:`.
    pub fn parse(name: &'a str, language: Language, text: &'a str) -> anyhow::Result<Self> {
        let mut source = Self { name, language, lines: text.split_inclusive('\n').collect(), regions: Vec::new() };
        let mut open: Option<(usize, TaskId, &str)> = None;
        let mut only = None;
        for (index, line) in source.lines.clone().into_iter().enumerate() {
            let at = source.place(index);
            match (mark(line), open) {
                (Mark::Start(_), Some((start, task, _))) => {
                    bail!("{at}: a region inside region {task}, which began in line {}", start + 1)
                }
                (Mark::Start(rest), None) => {
                    let (id, arguments) = rest.split_once(' ').unwrap_or((rest, ""));
                    let task = id.parse().map_err(|error| anyhow::anyhow!("{at}: {error}"))?;
                    open = Some((index, task, arguments.trim()));
                }
                (Mark::End, None) => bail!("{at}: END SOLUTION without a SOLUTION before it"),
                (Mark::End, Some((start, task, arguments))) => {
                    if let Some(at) = only {
                        bail!("{at}: STARTER-ONLY and SOLUTION-ONLY have no meaning inside region {task}");
                    }
                    let region = source.region(start, index, task, arguments)?;
                    source.regions.push(region);
                    open = None;
                }
                // Judged at the end of the region: where that is missing, this line may well be outside.
                (Mark::StarterOnly(_) | Mark::SolutionOnly, Some(_)) => only = only.or(Some(at)),
                _ => {}
            }
        }
        if let Some((start, task, _)) = open {
            bail!("{}: region {task} has no END SOLUTION", source.place(start));
        }
        Ok(source)
    }

    /// The starter's text; `path` is where it will be, for the stubs of C++: `extensions/src/practice.cpp`.
    pub fn starter(&self, path: &str) -> anyhow::Result<String> {
        let mut starter = String::new();
        let mut regions = self.regions.iter().peekable();
        let mut index = 0;
        while index < self.lines.len() {
            if let Some(region) = regions.next_if(|region| region.body.start == index + 1) {
                let line = starter.matches('\n').count() + 1;
                let stub = format!("{}{}\n", region.indent, self.stub(region, path, line));
                let too_long = stub.chars().count() > MAX_WIDTH + 1 && self.language == Language::Rust;
                ensure!(!too_long, "{}: the stub line is longer than {MAX_WIDTH} characters", self.place(index));
                starter.push_str(&stub);
                index = region.body.end + 1;
                continue;
            }
            starter.push_str(&self.starter_line(index));
            index += 1;
        }
        Ok(starter)
    }

    /// What the starter has for a line outside regions, with its line end; empty where it has nothing.
    pub fn starter_line(&self, index: usize) -> String {
        let line = self.lines[index];
        match mark(line) {
            Mark::StarterOnly(text) => {
                let indent = &line[..line.len() - line.trim_start().len()];
                format!("{}\n", format!("{indent}{text}").trim_end())
            }
            Mark::SolutionOnly => String::new(),
            _ => line.to_string(),
        }
    }

    /// The text of a region without its marks.
    pub fn body(&self, region: &Region) -> String {
        self.lines[region.body.clone()].concat()
    }

    /// `FILE:LINE` of a line counted from 0.
    pub fn place(&self, index: usize) -> String {
        format!("{}:{}", self.name, index + 1)
    }

    fn region(&self, start: usize, end: usize, task: TaskId, arguments: &str) -> anyhow::Result<Region> {
        let at = self.place(start);
        ensure!(end > start + 1, "{at}: region {task} is empty");
        let Function { item, header } = match self.language {
            Language::Rust => rust_function(&self.lines, start, end),
            Language::Cpp => cpp_function(&self.lines, start, end),
            Language::Metal => metal_kernel(&self.lines, start, end),
        }
        .map_err(|why| anyhow::anyhow!("{at}: region {task} {why}"))?;
        for argument in arguments.split(',').map(str::trim).filter(|argument| !argument.is_empty()) {
            let root = argument.trim_start_matches('&').split('.').next().unwrap_or(argument);
            let word = |part: &str| part == root;
            let known = header.split(|c: char| !c.is_alphanumeric() && c != '_').any(word);
            ensure!(known, "{at}: `{argument}` is not an argument of {item}");
        }
        let line = self.lines[start];
        let indent = line[..line.len() - line.trim_start().len()].to_string();
        Ok(Region { task, item, arguments: arguments.to_string(), body: start + 1..end, indent })
    }

    /// The line that stands in the starter for a region.
    pub fn stub(&self, region: &Region, path: &str, line: usize) -> String {
        let Region { task, item, arguments, .. } = region;
        match (self.language, arguments.is_empty()) {
            (Language::Rust, true) => format!("kit::stub!(\"{task}\")"),
            (Language::Rust, false) => format!("kit::stub!(\"{task}\", {arguments})"),
            (Language::Cpp, _) => {
                format!("throw std::runtime_error(\"not implemented: task {task}, {item} ({path}:{line})\");")
            }
            (Language::Metal, _) => format!("// Task {task}: the kernel `{item}` goes here."),
        }
    }
}

/// Reads a line's comment; a mark with other spacing counts as a mark, so that none is overlooked.
fn mark(line: &str) -> Mark<'_> {
    let line = line.trim();
    if line.ends_with("// SOLUTION-ONLY") {
        return Mark::SolutionOnly;
    }
    let Some(comment) = line.strip_prefix("//").map(str::trim_start) else { return Mark::Text };
    if let Some(text) = comment.strip_prefix("STARTER-ONLY:") {
        return Mark::StarterOnly(text.strip_prefix(' ').unwrap_or(text));
    }
    match (comment.strip_prefix("SOLUTION"), comment.starts_with("END SOLUTION")) {
        (Some(rest), _) => Mark::Start(rest.trim_start()),
        (None, true) => Mark::End,
        (None, false) => Mark::Text,
    }
}

#[cfg(test)]
#[path = "regions_tests.rs"]
mod tests;
