//! What a run showed, in words: the place, who it was, and what most likely causes it.

use std::ffi::CStr;
use std::os::raw::c_char;
use std::path::Path;

use super::{Setup, ffi, symbol};
use crate::finding::{Finding, Kind, Place};

pub(super) struct Explainer<'a> {
    pub setup: &'a Setup<'a>,
}

impl Explainer<'_> {
    pub fn fault(&self, fault: &ffi::Fault) -> Finding {
        let place = self.place_of(fault);
        let finding = match fault.kind {
            ffi::kind::FAULT | ffi::kind::OVERRUN => return self.outside(fault, place),
            ffi::kind::DIVERGED | ffi::kind::RETURNED => return self.diverged(fault),
            ffi::kind::DIVISION => Finding::error(Kind::DivisionByZero, "a whole number is divided by zero")
                .help("a GPU gives any number here and goes on; test the divisor, or compute in float"),
            ffi::kind::MISALIGNED => Finding::error(Kind::Misaligned, "a vector is accessed at an address that is no multiple of its size")
                .help("the address of a float4 must be a multiple of 16 bytes, of a float2 or half4 one of 8: read scalars, or packed_float4"),
            ffi::kind::ENDLESS => Finding::error(Kind::Endless, "the kernel does not end: time is up, and a thread is still here")
                .help("a loop whose condition stays true; a thread cannot wait for another one's flag, only at a barrier"),
            ffi::kind::STACK => Finding::error(Kind::PrivateMemory, "a thread needs more than 64 KiB for its own arrays and calls")
                .help("smaller arrays per thread (a GPU spills them to memory long before), and no recursion"),
            _ => Finding::error(Kind::Internal, "the Metal host lost a thread; this is a mistake of the host"),
        };
        self.with_who(finding.at(place), fault)
    }

    /// An access outside of a buffer or of threadgroup memory.
    fn outside(&self, fault: &ffi::Fault, place: Option<Place>) -> Finding {
        let (doing, done) = match fault.access {
            0 => ("read", "read"),
            1 => ("write", "written"),
            _ => ("access", "accessed"),
        };
        let side = if fault.offset < 0 { "before the start" } else { "past the end" };
        let error = |title: String| Finding::error(Kind::OutOfBounds, title).at(place.clone());
        let finding = match fault.region {
            ffi::region::IN_BUFFER => {
                let index = fault.index as usize;
                let size = self.setup.element(index) as i64;
                let (element, count) = (fault.offset.div_euclid(size), fault.size as i64 / size);
                let (name, declared) = self.buffer(index);
                let unit = if size == 1 { "byte" } else { "bytes" };
                error(format!("{doing} {side} of {name}"))
                    .fact(format!("{name} is buffer({index}), {count} elements of {size} {unit}{declared}; element {element} is {done}"))
                    .help(self.likely_index(fault, element, count, &name))
            }
            ffi::region::IN_VARIABLE => {
                let (name, declared) = self.site(&fault.variable);
                error(format!("{doing} {side} of the threadgroup variable `{name}`"))
                    .at(Some(declared))
                    .fact(format!("`{name}` has {} bytes; the byte at offset {} is {done}", fault.size, fault.offset))
                    .help("its length must cover every index: compare with the threads of a group and the size of the tile")
            }
            ffi::region::IN_TG_ARG => {
                let index = fault.index as usize;
                let name = self.threadgroup_argument(index);
                error(format!("{doing} {side} of {name}"))
                    .fact(format!("{name} is threadgroup({index}), {} bytes long; the byte at offset {} is {done}", fault.size, fault.offset))
                    .help("the host's threadgroup memory length and the kernel's use of it must agree")
            }
            ffi::region::NULL => error(format!("{doing} through a null pointer"))
                .help("was the buffer bound? A pointer in a struct of bytes is null here"),
            _ => error(format!("{doing} at an address far from every buffer, {:#x}", fault.address))
                .help("an index that is off by far: a negative number in unsigned arithmetic, or memory never written used as one"),
        };
        self.with_who(finding, fault)
    }

    /// Why an index may be wrong: by what it equals.
    fn likely_index(&self, fault: &ffi::Fault, element: i64, count: i64, name: &str) -> String {
        let who = &fault.who;
        let own = [who.in_grid.x, who.in_grid.y, who.in_grid.z].map(i64::from);
        if element < 0 {
            return "the index is below zero: a subtraction at the first element or the first row".into();
        }
        if fault.has_who != 0 && own.contains(&element) {
            let return_early = if self.setup.kernel.synchronises {
                "threads behind the end must skip the access, but not the barriers"
            } else {
                "let threads behind the end return first: `if (i >= n) return;`"
            };
            return format!(
                "the index is the thread's own position, and the grid is larger than {name}; {return_early}"
            );
        }
        if element == count {
            return "one past the end: `<=` where `<` is meant, or a length where the last index is".into();
        }
        format!("compare the arithmetic of the index, strides and row lengths, with the shape of {name} on the host")
    }

    fn diverged(&self, fault: &ffi::Fault) -> Finding {
        let waits = &fault.wait[..fault.wait_count as usize];
        let threads = fault.live + fault.returned;
        let mut finding = if fault.kind == ffi::kind::RETURNED {
            let title =
                format!("only {} of {threads} threads of a group arrive at a barrier, the others returned", fault.live);
            Finding::error(Kind::BarrierDivergence, title)
                .help("no thread may return before the last barrier: keep it, and skip only its reads and writes")
        } else {
            let title = "the threads of a group wait at different barriers, which never open";
            Finding::error(Kind::BarrierDivergence, title)
                .help("every thread must meet the same barriers equally often: no barrier inside an `if` or a loop that depends on the thread")
        };
        for wait in waits {
            let (what, place) = self.site(&wait.site);
            finding.facts.push(format!(
                "{} threads wait at {what}, line {}, the first is {}",
                wait.count,
                place.line,
                who(&wait.first)
            ));
            finding.places.push(place);
        }
        if fault.returned > 0 {
            finding.facts.push(format!("{} threads returned, the first is {}", fault.returned, who(&fault.who)));
        }
        finding
    }

    /// A SIMD-group operation without all of its lanes.
    pub fn note(&self, note: &ffi::Note) -> Option<Finding> {
        if note.present == 0 {
            return None;
        }
        let (what, place) = self.site(&note.site);
        let title = format!("`{what}` runs for {} of {} lanes of a SIMD group", note.ran, note.live);
        let mut finding = Finding::warning(Kind::SimdDivergence, title).at(Some(place));
        if note.elsewhere != 0 {
            let (other, place) = self.site(&note.other);
            finding = finding.at(Some(place)).fact(format!("the other lanes wait at {other}"));
        } else {
            finding = finding.fact("the other lanes returned or took another way");
        }
        Some(
            finding.fact(format!("in the SIMD group of {}", who(&note.who))).help(
                "lanes that are missing contribute nothing: call it where all lanes come by, and select the result",
            ),
        )
    }

    /// A buffer's name in quotes, and how it is declared.
    pub fn buffer(&self, index: usize) -> (String, String) {
        match self.setup.kernel.buffer(index) {
            Some(p) => (format!("`{}`", p.name), format!(" ({})", p.declared)),
            None => (format!("buffer({index})"), String::new()),
        }
    }

    fn threadgroup_argument(&self, index: usize) -> String {
        use crate::kernel::Of;
        let found = self.setup.kernel.parameters.iter().find(|p| p.of == Of::Threadgroup && p.index == index);
        found.map_or(format!("threadgroup({index})"), |p| format!("`{}`", p.name))
    }

    fn with_who(&self, finding: Finding, fault: &ffi::Fault) -> Finding {
        if fault.has_who == 0 { finding } else { finding.fact(format!("by {}", who(&fault.who))) }
    }

    fn place_of(&self, fault: &ffi::Fault) -> Option<Place> {
        let workshop = &self.setup.kernel.shared.workshop;
        if fault.pc == 0 || fault.module[0] == 0 {
            return None;
        }
        let mut module = text(fault.module.as_ptr());
        // A copy with function constants was removed when it was loaded; the library it was made from has the same code.
        if !Path::new(&module).exists() {
            module = workshop.library(None).ok()?.display().to_string();
        }
        let (file, line) = symbol::line_of(Path::new(&module), fault.pc - fault.module_base)?;
        Some(workshop.lines.place(&file, line))
    }

    fn site(&self, site: &ffi::Site) -> (String, Place) {
        let place = self.setup.kernel.shared.workshop.lines.place(&text(site.file), site.line as u32);
        (text(site.what), place)
    }
}

fn who(who: &ffi::Who) -> String {
    let show = |u: ffi::U3| format!("({}, {}, {})", u.x, u.y, u.z);
    format!(
        "thread {} of threadgroup {}, position in the grid {}, lane {} of SIMD group {}",
        show(who.in_group),
        show(who.group),
        show(who.in_grid),
        who.lane,
        who.simd
    )
}

/// A text of the runtime or of a kernel's library: null is the empty one.
fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: constant texts of loaded libraries, or a report's own array; both end with a zero.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}
