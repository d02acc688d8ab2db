//! What differences between runs mean, in words.

use super::compare::Differences;
use super::explain::Explainer;
use crate::finding::{Finding, Kind, Place};

/// Name and place of a threadgroup variable; a parameter has no place, and sometimes it is not known which it is.
type Variable = Option<(String, Option<Place>)>;

impl Explainer<'_> {
    pub fn wrote_input(&self, index: usize) -> Finding {
        let (name, declared) = self.buffer(index);
        Finding::error(Kind::Launch, format!("the kernel writes {name}, which was passed as an input"))
            .fact(format!("it is buffer({index}){declared}"))
            .help("pass it as an output or in_out, or make the parameter `const device`")
    }

    pub fn written_outside(&self, index: usize, side: i32) -> Finding {
        let (name, _) = self.buffer(index);
        let where_ = if side < 0 { "before the start" } else { "past the end" };
        Finding::error(Kind::OutOfBounds, format!("write {where_} of {name}"))
            .fact(format!("bytes next to buffer({index}) changed, within 16 bytes of its end or 4096 of its start"))
    }

    pub fn read_behind(&self, index: usize, found: &Differences) -> Finding {
        let (name, _) = self.buffer(index);
        Finding::error(Kind::OutOfBounds, format!("read past the end of {name}"))
            .fact(format!("the result depends on the few bytes behind buffer({index}); {}", self.elements(found)))
            .help("a vector or a loop step reaches over the last element")
    }

    pub fn uninitialised(&self, variable: Variable, found: &Differences) -> Finding {
        let (what, place) = named(variable);
        Finding::error(Kind::Uninitialised, format!("{what} is read where no thread has written it"))
            .at(place)
            .fact(format!("the result depends on what that memory held before; {}", self.elements(found)))
            .help("write every element that is read: also those behind the last lane, row or key")
    }

    pub fn written_too_late(&self, variable: Variable, found: &Differences) -> Finding {
        let (what, place) = named(variable);
        Finding::error(
            Kind::Race,
            format!("{what} is read before the thread that writes it came by: a barrier is missing"),
        )
        .at(place)
        .fact(format!("which elements are wrong depends on the order of the threads; {}", self.elements(found)))
        .help("threadgroup_barrier(mem_flags::mem_threadgroup) between writing and reading")
    }

    pub fn depends_on_order(&self, found: &Differences) -> Finding {
        let finding = if self.setup.kernel.atomics {
            Finding::warning(Kind::Race, "the result depends on the order of the threads")
                .help("sums of floats by atomics differ in the last bits; if only those differ, this is meant")
        } else {
            Finding::error(Kind::Race, "the result depends on the order of the threads: a race")
                .help("a barrier is missing between two uses of the same memory, or two threads write one element")
        };
        finding.fact(self.elements(found))
    }

    pub fn output_read(&self, found: &Differences) -> Finding {
        Finding::error(Kind::OutputRead, "an output is read before it is written")
            .fact(self.elements(found))
            .help("if the kernel adds to what is there, pass the buffer as in_out; else write before reading")
    }

    pub fn not_repeatable(&self) -> Finding {
        Finding::warning(Kind::Race, "two runs differ, and no single reason was found")
            .help("several mistakes may hide each other: try ThreadSanitizer")
    }

    pub fn unwritten(&self, found: &Differences) -> Option<Finding> {
        let &(index, _) = found.first()?;
        let (name, _) = self.buffer(index);
        let of_one: Differences = found.iter().copied().filter(|(i, _)| *i == index).collect();
        Some(
            Finding::warning(Kind::Unwritten, format!("{} elements of {name} are never written", of_one.len()))
                .fact(self.elements(&of_one))
                .help("too small a grid, or a tail that is skipped; if it is meant, pass a smaller buffer"),
        )
    }

    fn elements(&self, found: &Differences) -> String {
        let Some(&(index, element)) = found.first() else { return "no element".into() };
        let (name, _) = self.buffer(index);
        match found.len() {
            1 => format!("element {element} of {name}"),
            n => format!("{n} elements, the first is element {element} of {name}"),
        }
    }
}

fn named(variable: Variable) -> (String, Option<Place>) {
    match variable {
        Some((name, Some(place))) => (format!("the threadgroup variable `{name}`"), Some(place)),
        Some((name, None)) => (format!("the threadgroup memory `{name}`"), None),
        None => ("threadgroup memory".into(), None),
    }
}
