//! Kernels and what their parameters are bound to. Types are left to the compiler; only attributes are read here.

use super::{Translator, is_space};

pub(super) struct Kernel {
    /// The namespaces around it: empty, or `a::b::`.
    pub scope: String,
    pub parameters: Vec<Parameter>,
    /// Instantiated elsewhere, by `template [[host_name("n")]] ..`.
    pub is_template: bool,
    pub host_name: Option<String>,
    /// 0: not limited by the source.
    pub max_threads: u32,
    /// The `{` of its body.
    pub body: usize,
}

pub(super) struct Parameter {
    /// As C++: `mh::Buffer<0>`.
    pub binding: String,
    pub name: String,
    pub declared: String,
}

/// One kernel that a host can ask for.
pub(super) struct Instance {
    pub host_name: String,
    pub function: String,
    /// `<float, 64>`, or empty.
    pub arguments: String,
}

/// What a thread can ask about itself.
const SYSTEM: [&str; 17] = [
    "thread_position_in_grid",
    "thread_position_in_threadgroup",
    "threadgroup_position_in_grid",
    "threads_per_threadgroup",
    "dispatch_threads_per_threadgroup",
    "threadgroups_per_grid",
    "threads_per_grid",
    "thread_index_in_threadgroup",
    "simdgroup_index_in_threadgroup",
    "thread_index_in_simdgroup",
    "simdgroups_per_threadgroup",
    "dispatch_simdgroups_per_threadgroup",
    "threads_per_simdgroup",
    "thread_execution_width",
    "thread_index_in_quadgroup",
    "quadgroup_index_in_threadgroup",
    "grid_origin",
];

impl Translator<'_> {
    pub(super) fn find_kernels(&mut self) {
        let mut j = 0;
        while j < self.tokens.len() {
            let keyword = self.tokens.s(j) == "kernel" && self.tokens.is_word(j) && !self.in_attribute(j);
            if keyword || self.attributes.get(&j).is_some_and(|a| a.has("kernel")) {
                j = self.kernel_at(j);
            }
            j += 1;
        }
    }

    /// Reads the kernel whose `kernel` or `[[kernel]]` is at `j`; returns the last token it looked at.
    fn kernel_at(&mut self, j: usize) -> usize {
        let mut before = j.wrapping_sub(1);
        while self.tokens.s(before) == "]"
            && let Some(start) = self.attribute_ending(before)
        {
            before = start.wrapping_sub(1);
        }
        let (mut k, mut host_name, mut max_threads) = (before.wrapping_add(1), None, 0);
        loop {
            if let Some(attribute) = self.attributes.get(&k) {
                if attribute.has("host_name") {
                    let texts = attribute.words.iter().filter(|w| w.starts_with('"'));
                    host_name = Some(texts.map(|w| w.trim_matches('"')).collect::<String>());
                }
                if let Some(most) = attribute.argument("max_total_threads_per_threadgroup") {
                    max_threads = most.parse().unwrap_or(0);
                }
                k = attribute.end + 1;
            } else if matches!(self.tokens.s(k), "kernel" | "static" | "inline") {
                self.tokens.put(k, "");
                k += 1;
            } else if self.tokens.s(k).is_empty() && k < self.tokens.len() {
                k += 1;
            } else {
                break;
            }
        }
        match self.tokens.s(k) {
            "decltype" => k = self.tokens.close(k + 1) + 1,
            "void" => k += 1,
            _ => {}
        }
        while let Some(attribute) = self.attributes.get(&k) {
            k = attribute.end + 1;
        }
        if self.tokens.s(before) == "template" {
            return self.instance_at(k, host_name);
        }
        let is_template = self.tokens.s(before) == ">";
        let name = self.tokens.s(k).to_string();
        if self.tokens.s(k + 1) == "(" {
            let end = self.tokens.close(k + 1);
            let parameters = self.parameters(k + 1, end, &name);
            if self.kernels.contains_key(&name) {
                self.error(k, format!("two kernels are named `{name}`"), Some("give each kernel a name of its own"));
            }
            let scope = self.scope(j);
            let kernel = Kernel { scope, parameters, is_template, host_name, max_threads, body: end + 1 };
            self.kernels.insert(name, kernel);
        }
        k
    }

    /// The namespaces that `j` is in, as `a::b::`.
    fn scope(&self, j: usize) -> String {
        let (mut scope, mut depth) = (String::new(), 0);
        for k in (0..j).rev() {
            match self.tokens.s(k) {
                "}" => depth += 1,
                "{" if depth > 0 => depth -= 1,
                "{" if self.tokens.s(k.wrapping_sub(2)) == "namespace" => {
                    scope = format!("{}::{scope}", self.tokens.s(k - 1))
                }
                _ => {}
            }
        }
        scope
    }

    /// `f<float, 64>` of an explicit instantiation, at `k`.
    fn instance_at(&mut self, k: usize, host_name: Option<String>) -> usize {
        let (mut function, mut end) = (self.tokens.s(k).to_string(), k);
        while self.tokens.s(end + 1) == "::" {
            end += 2;
            function = format!("{function}::{}", self.tokens.s(end));
        }
        let mut arguments = String::new();
        if self.tokens.s(end + 1) == "<"
            && let Some(close) = self.tokens.angle(end + 1)
        {
            arguments = self.tokens.join(end + 1..close + 1, " ");
            end = close;
        }
        self.instances.push(Instance { host_name: host_name.unwrap_or(function.clone()), function, arguments });
        end
    }

    /// The parameters between the parentheses: first token, end, attributes.
    pub(super) fn split_parameters(&self, open: usize, close: usize) -> Vec<(usize, usize, Vec<usize>)> {
        let (mut found, mut start, mut depth, mut attributes, mut j) = (Vec::new(), open + 1, 0, Vec::new(), open + 1);
        while j < close {
            if let Some(attribute) = self.attributes.get(&j) {
                attributes.push(j);
                j = attribute.end + 1;
                continue;
            }
            match self.tokens.s(j) {
                "(" | "[" | "{" | "<" => depth += 1,
                ")" | "]" | "}" | ">" => depth -= 1,
                "," if depth == 0 => {
                    found.push((start, j, std::mem::take(&mut attributes)));
                    start = j + 1;
                }
                _ => {}
            }
            j += 1;
        }
        if start < close {
            found.push((start, close, attributes));
        }
        found
    }

    fn parameters(&mut self, open: usize, close: usize, kernel: &str) -> Vec<Parameter> {
        let (mut parameters, mut next_buffer) = (Vec::new(), 0);
        for (start, end, attributes) in self.split_parameters(open, close) {
            let words: Vec<usize> = (start..end).filter(|&k| !self.in_attribute(k)).collect();
            let texts: Vec<&str> = words.iter().map(|&k| self.tokens.s(k)).filter(|s| !s.is_empty()).collect();
            let at = texts.iter().position(|s| *s == "[").unwrap_or(texts.len());
            let name = texts.get(at.wrapping_sub(1)).unwrap_or(&"").to_string();
            let declared = spaced(&texts[..at.saturating_sub(1)]);
            let is_memory = texts.iter().any(|s| matches!(*s, "*" | "&" | "["));
            let is_group = texts.contains(&"threadgroup");
            let mut binding = None;
            for a in attributes {
                let attribute = &self.attributes[&a];
                if let Some(n) = attribute.argument("buffer") {
                    let optional = if attribute.argument("function_constant").is_some() { ", true" } else { "" };
                    binding = Some(format!("mh::Buffer<{n}{optional}>"));
                    next_buffer = n.parse().map_or(next_buffer, |n: usize| n + 1);
                } else if let Some(n) = attribute.argument("threadgroup") {
                    binding = Some(format!("mh::Threadgroup<{n}>"));
                } else if let Some(word) = attribute.words.iter().find(|w| SYSTEM.contains(&w.as_str())) {
                    binding = Some(format!("mh::System<mh::{word}>"));
                } else if attribute.has("texture") || attribute.has("sampler") {
                    self.error(start, "textures and samplers are not supported by the Metal host", None);
                    binding = Some("mh::Buffer<0>".into());
                }
            }
            let binding = binding.unwrap_or_else(|| {
                if is_memory && is_group {
                    return "mh::Threadgroup<0>".into();
                }
                if !is_memory {
                    let help = "say what it is: [[buffer(n)]] and a reference, or [[thread_position_in_grid]] ..";
                    let message = format!("parameter `{name}` of kernel `{kernel}` has no attribute");
                    self.error(start, message, Some(help));
                }
                next_buffer += 1;
                format!("mh::Buffer<{}>", next_buffer - 1)
            });
            parameters.push(Parameter { binding, name, declared });
        }
        parameters
    }
}

/// Words with spaces between, `*` and `&` at the word before them.
pub(super) fn spaced(texts: &[&str]) -> String {
    let mut joined = String::new();
    for (i, s) in texts.iter().enumerate() {
        let word = |s: &str| s.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_');
        if i > 0 && word(s) && (word(texts[i - 1]) || is_space(texts[i - 1]) || matches!(texts[i - 1], "*" | "&" | ">"))
        {
            joined.push(' ');
        }
        joined.push_str(s);
    }
    joined
}
