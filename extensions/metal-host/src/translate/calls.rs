//! Which kernels synchronise: a call graph by names alone, which says yes too often but never wrongly no.
//!
//! A kernel that does not is executed as one loop, three to four times as fast.

use super::Translator;

/// Whether lanes wait for each other in a function of this name.
fn synchronises(name: &str) -> bool {
    if matches!(
        name,
        "threadgroup_barrier" | "simdgroup_barrier" | "simdgroup_multiply" | "simdgroup_multiply_accumulate"
    ) {
        return true;
    }
    let Some(operation) = name.strip_prefix("simd_").or(name.strip_prefix("quad_")) else { return false };
    matches!(
        operation,
        "sum"
            | "product"
            | "max"
            | "min"
            | "and"
            | "or"
            | "xor"
            | "ballot"
            | "all"
            | "any"
            | "is_first"
            | "active_threads_mask"
    ) || ["prefix_", "shuffle", "broadcast"].iter().any(|p| operation.starts_with(p))
}

impl Translator<'_> {
    pub(super) fn read_calls(&mut self) {
        let mut j = 0;
        while j < self.tokens.len() {
            if self.tokens.s(j) == "{"
                && let Some(name) = self.function_of(j)
            {
                let end = self.tokens.close(j);
                let words = (j..end).filter(|&k| self.tokens.is_word(k)).map(|k| self.tokens.s(k).to_string());
                let words: Vec<String> = words.collect();
                self.calls.entry(name).or_default().extend(words);
                j = end;
            }
            j += 1;
        }
    }

    /// The name of the function whose body opens at `j`.
    fn function_of(&self, j: usize) -> Option<String> {
        let mut k = j.wrapping_sub(1);
        while matches!(
            self.tokens.s(k),
            "const" | "thread" | "device" | "constant" | "threadgroup" | "noexcept" | "override"
        ) {
            k -= 1;
        }
        if self.tokens.s(k) != ")" {
            return None;
        }
        let name = self.tokens.open(k)?.wrapping_sub(1);
        let is_name = self.tokens.is_word(name) && !matches!(self.tokens.s(name), "if" | "for" | "while" | "switch");
        is_name.then(|| self.tokens.s(name).to_string())
    }

    /// Whether `kernel` or what it calls has a word that passes `test`.
    pub(super) fn reaches(&self, kernel: &str, test: impl Fn(&str) -> bool) -> bool {
        let (mut seen, mut open) = (Vec::new(), vec![kernel]);
        while let Some(name) = open.pop() {
            if seen.contains(&name) {
                continue;
            }
            seen.push(name);
            for word in self.calls.get(name).into_iter().flatten() {
                if test(word) {
                    return true;
                }
                if self.calls.contains_key(word) {
                    open.push(word);
                }
            }
        }
        false
    }

    pub(super) fn kernel_synchronises(&self, kernel: &str) -> bool {
        self.reaches(kernel, synchronises)
    }

    pub(super) fn kernel_has_atomics(&self, kernel: &str) -> bool {
        self.reaches(kernel, |word| word.starts_with("atomic_"))
    }
}
