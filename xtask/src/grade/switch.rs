//! Sources that hold every body: in come a solution file and the wrong answers to its regions, out comes its text with
//! a switch in each region, and for every line of it the line that it was written in.

use std::path::Path;

use anyhow::{Context, ensure};

use super::wrong_answers::WrongAnswer;
use crate::regions::{Language, Region, Source};

/// Which body of a region runs: the reference's.
pub const REFERENCE: usize = 0;
/// Which body of a region runs: the stub.
pub const STUB: usize = 1;

/// The environment variable that picks bodies: `3=1,7=2`, a region's number and its body's.
pub const CHOICE: &str = "GRADE_BODIES";

/// A file with all its bodies.
pub struct Switched {
    /// The text to compile.
    pub text: String,
    /// For each of its lines, `FILE:LINE` of the file that an author edits.
    pub origins: Vec<String>,
    /// Its regions, numbered on from the number given.
    pub regions: Vec<Switch>,
}

/// One region and how its bodies are numbered.
pub struct Switch {
    /// Whose it is.
    pub task: crate::manifest::TaskId,
    /// The function.
    pub item: String,
    /// Its number in `CHOICE`.
    pub number: usize,
    /// Names of the wrong answers; the first is body 2.
    pub wrong: Vec<String>,
}

/// The module that generated Rust sources ask, `src/grade_switch.rs`.
pub const RUST_MODULE: &str = r#"//! Which body of a region runs: 0 unless the environment says otherwise.

use std::sync::OnceLock;

/// The number of the body that region `region` runs.
pub fn body(region: usize) -> usize {
    static CHOICES: OnceLock<Vec<(usize, usize)>> = OnceLock::new();
    let choices = CHOICES.get_or_init(|| {
        let text = std::env::var("GRADE_BODIES").unwrap_or_default();
        let choice = |pair: &str| pair.split_once('=').map(|(region, body)| (region.parse(), body.parse()));
        text.split(',').filter_map(choice).map(|(r, b)| (r.expect("a region"), b.expect("a body"))).collect()
    });
    choices.iter().find(|choice| choice.0 == region).map_or(0, |choice| choice.1)
}
"#;

/// The same question for C++, in front of every file that has regions.
const CPP_PRELUDE: &str = r#"#include <cstdlib>
#include <stdexcept>
#include <string>
static int grade_body(int region) {
  const char* text = std::getenv("GRADE_BODIES");
  const std::string choices = "," + std::string(text ? text : "");
  const auto key = "," + std::to_string(region) + "=";
  const auto at = choices.find(key);
  return at == std::string::npos ? 0 : std::atoi(choices.c_str() + at + key.size());
}
"#;

/// The macro that picks the body of region `number` in Metal, where bodies are whole kernels.
pub fn metal_macro(number: usize) -> String {
    format!("GRADE_REGION_{number}")
}

/// Puts a switch into every region.
pub fn switch(file: &str, text: &str, answers: &[WrongAnswer], first: usize) -> anyhow::Result<Switched> {
    let language = Language::of(Path::new(file)).with_context(|| format!("{file} is in no language with regions"))?;
    let source = Source::parse(file, language, text)?;
    let mut out = Writer { language, text: String::new(), origins: Vec::new(), regions: Vec::new() };
    if source.regions.is_empty() {
        (0..source.lines.len()).for_each(|index| out.given(&source, index));
        return Ok(Switched { text: out.text, origins: out.origins, regions: Vec::new() });
    }
    if language == Language::Cpp {
        CPP_PRELUDE.split_inclusive('\n').for_each(|line| out.line(line, format!("{file}:1")));
        out.place_is(file, 1);
    }
    let mut regions = source.regions.iter().peekable();
    let mut index = 0;
    while index < source.lines.len() {
        match regions.next_if(|region| region.body.start == index + 1) {
            Some(region) => {
                out.region(&source, region, file, answers, first + out.regions.len())?;
                index = region.body.end + 1;
                out.place_is(file, index + 1);
            }
            None => {
                out.given(&source, index);
                index += 1;
            }
        }
    }
    Ok(Switched { text: out.text, origins: out.origins, regions: out.regions })
}

struct Writer {
    language: Language,
    text: String,
    origins: Vec<String>,
    regions: Vec<Switch>,
}

impl Writer {
    /// A line outside regions, as the learner's package has it.
    fn given(&mut self, source: &Source<'_>, index: usize) {
        let line = source.starter_line(index);
        if !line.is_empty() {
            self.line(&line, source.place(index));
        }
    }

    fn line(&mut self, line: &str, origin: String) {
        self.text.push_str(line);
        if !line.ends_with('\n') {
            self.text.push('\n');
        }
        self.origins.push(origin);
    }

    /// Tells a C++ compiler where the next line was written.
    fn place_is(&mut self, file: &str, line: usize) {
        if self.language == Language::Cpp {
            self.line(&format!("#line {line} \"{file}\"\n"), format!("{file}:{line}"));
        }
    }

    fn region(
        &mut self,
        source: &Source<'_>,
        region: &Region,
        file: &str,
        answers: &[WrongAnswer],
        number: usize,
    ) -> anyhow::Result<()> {
        // A task may have a function of one name in C++ and in Metal.
        let is_metal = self.language == Language::Metal;
        let mine = answers.iter().filter(|answer| answer.task == region.task && answer.item == region.item);
        let mine: Vec<&WrongAnswer> = mine.filter(|answer| answer.file.ends_with(".metal") == is_metal).collect();
        let start = region.body.start;
        let (open, close) = match self.language {
            Language::Rust => {
                (format!("match crate::grade_switch::body({number}) {{\n"), "body => panic!(\"no body {body}\"),\n}\n")
            }
            Language::Cpp => (
                format!("switch (grade_body({number})) {{\n"),
                "default: throw std::logic_error(\"no such body\");\n}\n",
            ),
            // A macro that nobody defines is 0.
            Language::Metal => (format!("#if {} < 0\n", metal_macro(number)), "#endif\n"),
        };
        self.line(&open, source.place(start - 1));
        self.body(number, REFERENCE, &source.body(region), file, start + 1);
        self.body(number, STUB, &source.stub(region, file, start), file, start);
        for (place, answer) in mine.iter().enumerate() {
            ensure!(
                answer.file.ends_with(".rs") == (self.language == Language::Rust),
                "{}: not the language of {file}",
                answer.file
            );
            self.body(number, STUB + 1 + place, &answer.body, &answer.file, answer.line + 1);
        }
        close.split_inclusive('\n').for_each(|line| self.line(line, source.place(region.body.end)));
        let wrong = mine.iter().map(|answer| answer.name.clone()).collect();
        self.regions.push(Switch { task: region.task, item: region.item.clone(), number, wrong });
        Ok(())
    }

    fn body(&mut self, region: usize, number: usize, body: &str, file: &str, line: usize) {
        let (open, close) = match self.language {
            Language::Rust => (format!("{number} => {{\n"), "}\n"),
            Language::Cpp => (format!("case {number}: {{\n"), "} break;\n"),
            Language::Metal => (format!("#elif {} == {number}\n", metal_macro(region)), ""),
        };
        self.line(&open, format!("{file}:{line}"));
        self.place_is(file, line);
        for (offset, text) in body.split_inclusive('\n').enumerate() {
            self.line(text, format!("{file}:{}", line + offset));
        }
        if !close.is_empty() {
            self.line(close, format!("{file}:{line}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOLUTION: &str = "fn f(x: u8) -> u8 {\n    // SOLUTION 1.1.1 x\n    x\n    // END SOLUTION\n}\nfn g() {}\n";

    fn answer(name: &str, file: &str) -> WrongAnswer {
        let (task, item, why) = ("1.1.1".parse().expect("an id"), "f".to_string(), "wrong".to_string());
        WrongAnswer { task, name: name.into(), item, why, body: "x + 1\n".into(), file: file.into(), line: 7 }
    }

    #[test]
    fn rust_bodies_stand_in_one_match_and_lines_know_where_they_come_from() {
        let switched = switch("s.rs", SOLUTION, &[answer("plus", "w.rs")], 5).expect("a right source");
        let expected = "fn f(x: u8) -> u8 {\nmatch crate::grade_switch::body(5) {\n0 => {\n    x\n}\n1 => {\n\
                        kit::stub!(\"1.1.1\", x)\n}\n2 => {\nx + 1\n}\nbody => panic!(\"no body {body}\"),\n}\n}\nfn g() {}\n";
        assert_eq!(switched.text, expected);
        assert_eq!(switched.origins.len(), switched.text.lines().count());
        assert_eq!((switched.origins[3].as_str(), switched.origins[9].as_str()), ("s.rs:3", "w.rs:8"));
        assert_eq!(switched.origins.last().map(String::as_str), Some("s.rs:6"));
        assert_eq!(switched.regions[0].wrong, ["plus"]);
    }

    #[test]
    fn lines_outside_regions_are_the_learner_s() {
        let own = "use solution as week1; // SOLUTION-ONLY\n// STARTER-ONLY: use week1 as own;\n";
        let switched = switch("s.rs", &format!("{own}{SOLUTION}"), &[], 0).expect("a right source");
        assert!(switched.text.starts_with("use week1 as own;\nfn f("), "{}", switched.text);
        assert_eq!(switched.origins[..2], ["s.rs:2", "s.rs:3"]);
    }

    #[test]
    fn cpp_bodies_stand_in_one_switch_with_their_places() {
        let solution = "void f(int x) {\n  // SOLUTION 1.1.1 x\n  x++;\n  // END SOLUTION\n}\n";
        let switched = switch("s.cpp", solution, &[answer("plus", "w.cpp")], 0).expect("a right source");
        assert!(switched.text.contains("case 2: {\n#line 8 \"w.cpp\"\nx + 1\n} break;\n"), "{}", switched.text);
        assert!(switched.text.contains(
            "case 1: {\n#line 2 \"s.cpp\"\nthrow std::runtime_error(\"not implemented: task 1.1.1, f (s.cpp:2)\");\n"
        ));
        assert!(switched.text.ends_with("#line 5 \"s.cpp\"\n}\n"));
        assert_eq!(switched.origins.len(), switched.text.lines().count());
    }

    #[test]
    fn metal_kernels_are_picked_by_a_macro() {
        let solution = "// SOLUTION 1.1.1\nkernel void f(uint i) {}\n// END SOLUTION\n";
        let switched = switch("s.metal", solution, &[answer("plus", "w.metal")], 3).expect("a right source");
        let expected = "#if GRADE_REGION_3 < 0\n#elif GRADE_REGION_3 == 0\nkernel void f(uint i) {}\n\
                        #elif GRADE_REGION_3 == 1\n// Task 1.1.1: the kernel `f` goes here.\n\
                        #elif GRADE_REGION_3 == 2\nx + 1\n#endif\n";
        assert_eq!(switched.text, expected);
        assert_eq!(switched.origins.len(), switched.text.lines().count());
        assert_eq!(switched.regions[0].wrong, ["plus"]);
        let others = switch("s.metal", solution, &[answer("plus", "w.cpp")], 3).expect("a right source");
        assert!(others.regions[0].wrong.is_empty(), "C++'s wrong answer to a function of the same name");
    }

    #[test]
    fn an_answer_in_the_wrong_language_is_refused() {
        let refused = switch("s.rs", SOLUTION, &[answer("plus", "w.cpp")], 0).err().expect("a mistake");
        assert_eq!(refused.to_string(), "w.cpp: not the language of s.rs");
    }
}
