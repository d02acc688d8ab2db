//! Function constants: `constant bool c [[function_constant(3)]];` is looked up while the library is loaded.
//!
//! Every set of values is a loaded copy of its own, so constants derived from others work as they are written.

use super::Translator;

pub(super) struct FunctionConstant {
    pub name: String,
    /// An expression: mostly a number.
    pub index: String,
}

impl Translator<'_> {
    pub(super) fn function_constants(&mut self) {
        let starts: Vec<usize> = self.attributes.keys().copied().collect();
        for start in starts {
            let attribute = &self.attributes[&start];
            let end = attribute.end;
            let Some(index) = attribute.argument("function_constant") else { continue };
            if self.tokens.s(end + 1) != ";" {
                continue; // on a kernel's parameter
            }
            let name = self.tokens.s(start.wrapping_sub(1)).to_string();
            let mut first = start - 1;
            while first > 0 && self.tokens.is_word(first - 1) {
                first -= 1;
            }
            let declared = first..start - 1;
            let of_type: Vec<&str> = declared
                .clone()
                .map(|k| self.tokens.s(k))
                .filter(|s| !matches!(*s, "constant" | "static" | "const" | "constexpr" | ""))
                .collect();
            let value = format!(" = mh::constant<{}>({index}, \"{name}\")", of_type.join(" "));
            // Known only at run time; and `constant` becomes `const`, which must not stand twice.
            let twice = declared.clone().any(|k| self.tokens.s(k) == "const");
            for k in declared {
                if self.tokens.s(k) == "constexpr" || twice && self.tokens.s(k) == "constant" {
                    self.tokens.put(k, "");
                }
            }
            self.tokens.put(start, value);
            self.tokens.erase(start + 1..end + 1);
            self.attributes.remove(&start);
            self.constants.push(FunctionConstant { name, index });
        }
    }

    /// `is_function_constant_defined(c)` asks by index and name.
    pub(super) fn constants_defined(&mut self) {
        for j in 0..self.tokens.len() {
            if self.tokens.s(j) != "is_function_constant_defined" || self.tokens.s(j + 1) != "(" {
                continue;
            }
            let name = self.tokens.s(j + 2).to_string();
            let index = self.constants.iter().find(|c| c.name == name).map_or("0", |c| c.index.as_str());
            let arguments = format!("{index}, \"{name}\"");
            self.tokens.put(j, "mh::constant_defined");
            self.tokens.put(j + 2, arguments);
        }
    }
}
