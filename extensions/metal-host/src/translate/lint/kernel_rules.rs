//! Kernels as entry points: what they return, how their parameters are bound, of which types those are that tell a
//! thread its place.

use std::collections::HashMap;

use super::super::Translator;
use super::super::declared::Declared;
use super::super::program::{Function, Program};

/// The attributes whose types have one number of components, and those that have one type.
const PLACES: [&str; 7] = [
    "thread_position_in_grid",
    "threads_per_grid",
    "thread_position_in_threadgroup",
    "threads_per_threadgroup",
    "dispatch_threads_per_threadgroup",
    "threadgroup_position_in_grid",
    "threadgroups_per_grid",
];
const PAIRS: [(&str, &str); 4] = [
    ("thread_position_in_grid", "threads_per_grid"),
    ("thread_position_in_threadgroup", "threads_per_threadgroup"),
    ("thread_position_in_threadgroup", "dispatch_threads_per_threadgroup"),
    ("threadgroup_position_in_grid", "threadgroups_per_grid"),
];
/// Those that are one number.
const NUMBERS: [&str; 6] = [
    "thread_index_in_threadgroup",
    "thread_index_in_simdgroup",
    "simdgroup_index_in_threadgroup",
    "simdgroups_per_threadgroup",
    "threads_per_simdgroup",
    "thread_index_in_quadgroup",
];
/// Metal has 31 places for buffers, and 31 for threadgroup memory.
const INDICES: usize = 31;

impl Translator<'_> {
    pub(super) fn kernel_rules(&mut self, program: &Program) {
        for function in &program.functions {
            if self.tokens.s(function.name) == "main" {
                let help = "give it another name";
                self.error(function.name, "no function of Metal may be called `main`", Some(help));
            }
            if function.is_kernel {
                self.entry_point(function);
            }
        }
    }

    fn entry_point(&mut self, kernel: &Function) {
        let name = self.tokens.s(kernel.name).to_string();
        if kernel.is_member {
            let help = "move it out of the structure";
            self.error(kernel.name, format!("the kernel `{name}` is a member of a structure"), Some(help));
        }
        if !kernel.result.clone().any(|j| matches!(self.tokens.s(j), "void" | "decltype")) {
            let help = "kernels return `void`; results go to a `device` pointer";
            self.error(kernel.name, format!("the kernel `{name}` returns something"), Some(help));
        }
        let mut taken: HashMap<(&str, String), String> = HashMap::new();
        let mut places: Vec<(&str, String, usize)> = Vec::new();
        for d in &kernel.parameters {
            let parameter = d.name.map_or("", |name| self.tokens.s(name)).to_string();
            for kind in ["buffer", "threadgroup"] {
                let Some(index) = self.argument_of(d, kind) else { continue };
                self.index(d, kind, &index);
                if let Some(other) = taken.insert((kind, index.clone()), parameter.clone())
                    && !self.has_condition(d)
                {
                    let help = "number the parameters 0, 1, 2 ..";
                    let sentence = format!("`{other}` and `{parameter}` are both [[{kind}({index})]]");
                    self.error(d.range.start, sentence, Some(help));
                }
            }
            self.binding(d, &parameter);
            for place in PLACES.iter().chain(&NUMBERS) {
                if d.attributes.iter().any(|a| self.attributes[a].has(place)) {
                    let of_type = self.type_of_place(d, place);
                    places.push((place, of_type, d.range.start));
                }
            }
        }
        self.places_agree(&places);
    }

    /// `n` of `[[buffer(n)]]`.
    fn argument_of(&self, d: &Declared, kind: &str) -> Option<String> {
        d.attributes.iter().find_map(|a| self.attributes[a].argument(kind)).filter(|index| !index.is_empty())
    }

    fn has_condition(&self, d: &Declared) -> bool {
        self.argument_of(d, "function_constant").is_some()
    }

    fn index(&mut self, d: &Declared, kind: &str, index: &str) {
        if index.parse::<usize>().is_ok_and(|n| n >= INDICES) {
            let sentence = format!("[[{kind}({index})]] is out of range: {kind}s go from 0 to {}", INDICES - 1);
            self.error(d.range.start, sentence, Some("pass several numbers as one structure"));
        }
    }

    /// What is in memory points, and says where.
    fn binding(&mut self, d: &Declared, name: &str) {
        let (is_buffer, is_group) =
            (self.argument_of(d, "buffer").is_some(), self.argument_of(d, "threadgroup").is_some());
        if is_buffer && !d.points() && !d.is_array {
            let help = "take a number as `constant float& x [[buffer(n)]]`";
            self.error(d.range.start, format!("the buffer `{name}` is neither a pointer nor a reference"), Some(help));
        } else if is_buffer && d.space.is_some_and(|space| !matches!(space, "device" | "constant")) {
            let help = "a buffer is `device` or `constant`";
            let sentence = format!("the buffer `{name}` points to {} memory", d.space.unwrap_or_default());
            self.error(d.range.start, sentence, Some(help));
        } else if is_group && d.points() && d.space != Some("threadgroup") {
            let help = "write `threadgroup` in front of its type";
            self.error(
                d.range.start,
                format!("`{name}` is [[threadgroup(n)]], but no `threadgroup` pointer"),
                Some(help),
            );
        } else if d.points() && d.space == Some("thread") {
            let help = "a kernel's pointers are `device`, `constant` or `threadgroup`";
            self.error(
                d.range.start,
                format!("the parameter `{name}` of a kernel points to a thread's memory"),
                Some(help),
            );
        }
    }

    fn type_of_place(&mut self, d: &Declared, place: &str) -> String {
        let end = d.name.unwrap_or(d.range.end);
        let words = d.range.clone().take_while(|&j| j < end);
        let of_type: Vec<&str> = words.map(|j| self.tokens.s(j)).filter(|s| *s != "const").collect();
        let of_type = of_type.concat();
        let fits = match of_type.trim_end_matches(['2', '3']) {
            "uint" | "ushort" | "uint32_t" | "uint16_t" | "unsignedint" | "unsigned" | "unsignedshort" => true,
            // A name that the source gives a type.
            other => !matches!(
                other,
                "int" | "short" | "long" | "ulong" | "size_t" | "char" | "uchar" | "float" | "half" | "bool"
            ),
        };
        let is_number = NUMBERS.contains(&place);
        if !fits || d.points() || is_number && of_type.ends_with(['2', '3']) && of_type.starts_with('u') {
            let help = match is_number {
                true => "its type is `uint` or `ushort`",
                false => "its type is `uint`, `uint2`, `uint3` or the same of `ushort`",
            };
            let text = self.text_of(d.range.clone());
            self.error(d.range.start, format!("`{text}` cannot hold [[{place}]]"), Some(help));
        }
        of_type
    }

    fn places_agree(&mut self, places: &[(&str, String, usize)]) {
        let vectors: Vec<_> = places.iter().filter(|p| PLACES.contains(&p.0) && p.1.ends_with(['2', '3'])).collect();
        for pair in vectors.windows(2) {
            if pair[0].1.chars().last() != pair[1].1.chars().last() {
                let sentence =
                    format!("[[{}]] is a `{}`, but [[{}]] a `{}`", pair[0].0, pair[0].1, pair[1].0, pair[1].1);
                self.error(pair[1].2, sentence, Some("vectors among these attributes have one number of components"));
            }
        }
        for (one, other) in PAIRS {
            let find = |name: &str| places.iter().find(|p| p.0 == name);
            if let (Some(a), Some(b)) = (find(one), find(other))
                && a.1 != b.1
            {
                let sentence = format!("[[{one}]] is a `{}`, but [[{other}]] a `{}`", a.1, b.1);
                self.error(b.2, sentence, Some("give both one type"));
            }
        }
    }
}
