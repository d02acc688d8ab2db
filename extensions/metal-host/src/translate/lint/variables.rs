//! Where variables may be: those of a file in `constant`, those of a function in their thread or their group.

use super::super::Translator;
use super::super::declared::Declared;
use super::super::program::Program;

impl Translator<'_> {
    pub(super) fn variables(&mut self, program: &Program) {
        for variable in &program.variables {
            let d = &variable.declared;
            match variable.is_member {
                false => self.file_variable(d),
                true => self.member(d),
            }
        }
        for function in &program.functions {
            for d in &function.parameters {
                if let Some(space) = d.space.filter(|space| !d.points() && !d.is_array && *space != "thread") {
                    let text = self.text_of(d.range.clone());
                    let help = format!("take it by value without `{space}`, or as `{space}` pointer or reference");
                    self.error(
                        d.range.start,
                        format!("a parameter itself has no address space: `{text}`"),
                        Some(&help),
                    );
                }
            }
            let Some(body) = function.body.clone() else { continue };
            for d in self.locals(body) {
                self.local_variable(&d);
            }
        }
    }

    fn file_variable(&mut self, d: &Declared) {
        let name = self.name_of(d);
        if d.space != Some("constant") {
            let help = "declare it `constant`, or in a function";
            self.error(d.range.start, format!("the variable `{name}` of the file is not `constant`"), Some(help));
        } else if d.value.is_none() && d.stars == 0 && !self.is_function_constant(d) && !self.is_extern(d) {
            let help = "give it its value here; a value that the host sets is `[[function_constant(n)]]`";
            self.error(d.range.start, format!("the constant `{name}` has no value"), Some(help));
        }
    }

    fn member(&mut self, d: &Declared) {
        if d.is_static && d.space != Some("constant") {
            let name = self.name_of(d);
            let help = "write `static constant constexpr`";
            self.error(d.range.start, format!("the static member `{name}` is not `constant`"), Some(help));
        } else if let Some(space) = d.space.filter(|space| !d.points() && *space != "thread" && !d.is_static) {
            let name = self.name_of(d);
            let help = "a member is where its structure is: leave it out, or make it a pointer";
            self.error(d.range.start, format!("the member `{name}` has an address space, `{space}`"), Some(help));
        }
    }

    fn local_variable(&mut self, d: &Declared) {
        let name = self.name_of(d);
        if d.is_static {
            let help = "every launch begins anew; what lasts is in a `device` buffer, what never changes is a `constant` of the file";
            self.error(d.range.start, format!("the variable `{name}` in a function is `static`"), Some(help));
        } else if let Some(space) = d.space.filter(|space| !d.points() && matches!(*space, "device" | "constant")) {
            let help = if space == "constant" {
                "move it out of the function, or write `constexpr`"
            } else {
                "device memory comes as a kernel's buffer"
            };
            let sentence = format!("the variable `{name}` in a function cannot be in `{space}`");
            self.error(d.range.start, sentence, Some(help));
        } else if d.space == Some("threadgroup") && !d.points() && d.value.is_some() {
            let help = "let one thread write it, then a barrier";
            self.error(
                d.range.start,
                format!("the threadgroup variable `{name}` cannot be given a value here"),
                Some(help),
            );
        }
    }

    fn name_of(&self, d: &Declared) -> String {
        d.name.map_or("", |name| self.tokens.s(name)).to_string()
    }

    fn is_function_constant(&self, d: &Declared) -> bool {
        d.attributes.iter().any(|a| self.attributes[a].has("function_constant"))
    }

    fn is_extern(&self, d: &Declared) -> bool {
        d.range.clone().any(|j| self.tokens.s(j) == "extern")
    }
}
