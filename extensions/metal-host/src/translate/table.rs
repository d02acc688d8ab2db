//! The end of the source: a descriptor for every kernel that a host can ask for.

use std::fmt::Write;

use super::Translator;

/// The file name of lines that the translator wrote.
pub(crate) const TABLE: &str = "<kernels>";

impl Translator<'_> {
    /// Explicit instantiations go: the descriptors instantiate.
    pub(super) fn erase_instantiations(&mut self) {
        let mut j = 0;
        while j < self.tokens.len() {
            if self.tokens.s(j) == "template" && !matches!(self.tokens.s(j.wrapping_sub(1)), "." | "->" | "::") {
                let next = (j + 1..self.tokens.len()).find(|&k| !self.tokens.s(k).is_empty());
                if next.is_some_and(|k| self.tokens.s(k) != "<") {
                    let end = (j..self.tokens.len()).find(|&k| self.tokens.s(k) == ";").unwrap_or(self.tokens.len());
                    self.tokens.erase(j..end + 1);
                    j = end;
                }
            }
            j += 1;
        }
    }

    pub(super) fn with_table(&mut self) -> String {
        let swizzles: String = self.swizzles.iter().map(|name| swizzle(name)).collect();
        // The first line marker of the source follows, so these two lines move nothing.
        let mut text = format!("#define MH_SWIZZLES {swizzles}\n#include \"mh/metal_stdlib.hpp\"\n");
        text += &self.tokens.text();
        text += &format!("\n# 1 \"{TABLE}\"\n");
        let mut entries: Vec<(String, String, String)> = Vec::new(); // host name, function, template arguments
        for (name, kernel) in &self.kernels {
            if !kernel.is_template {
                entries.push((kernel.host_name.clone().unwrap_or(name.clone()), name.clone(), String::new()));
            }
        }
        for instance in &self.instances {
            entries.push((instance.host_name.clone(), instance.function.clone(), instance.arguments.clone()));
        }
        let mut table = String::new();
        for (n, (host_name, function, arguments)) in entries.iter().enumerate() {
            let name = function.rsplit("::").next().unwrap_or(function);
            let Some(kernel) = self.kernels.get(name) else {
                let message = format!("`{host_name}` instantiates a kernel template `{function}` that is not there");
                self.error(self.tokens.len(), message, None);
                continue;
            };
            let bindings: String = kernel.parameters.iter().map(|p| format!(", {}", p.binding)).collect();
            let names: String = kernel.parameters.iter().map(|p| format!("{:?}, {:?}, ", p.name, p.declared)).collect();
            let synchronises = self.kernel_synchronises(name);
            let all = if synchronises { "nullptr".to_string() } else { format!("mh_k{n}::all") };
            let scope = &kernel.scope;
            let (count, most, atomics) = (kernel.parameters.len(), kernel.max_threads, self.kernel_has_atomics(name));
            write!(
                table,
                "using mh_k{n} = mh::Kernel<&{scope}{name}{arguments}{bindings}>; \
                 static const char* const mh_n{n}[] = {{{names}nullptr}}; static const mh_kernel mh_d{n} = {{\
                 {host_name:?}, mh_k{n}::one, {all}, {count}, mh_k{n}::params, mh_n{n}, {synchronises}, {most}, {atomics}}};\n\
                 # 1 \"{TABLE}\"\n"
            )
            .expect("a string takes everything");
        }
        let pointers: String = (0..entries.len()).map(|n| format!("&mh_d{n}, ")).collect();
        text + &table
            + "extern \"C\" __attribute__((visibility(\"default\"))) const mh_kernel* const mh_kernels[] = {"
            + &pointers
            + "nullptr};\n"
    }
}

fn swizzle(name: &str) -> String {
    let letters = if name.starts_with(['x', 'y', 'z', 'w']) { "xyzw" } else { "rgba" };
    let at: String = name.chars().filter_map(|c| letters.find(c)).map(|i| format!(", {i}")).collect();
    format!("MH_SWIZZLE({name}{at}) ")
}
