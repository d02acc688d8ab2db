//! What Apple's compiler refuses and C++ accepts. Every rule is a fact of the Metal Shading Language; README.md lists them
//! and what they cannot see.

mod calls;
mod expression;
mod kernel_rules;
mod locals;
mod passing;
mod pointers;
mod variables;
mod words;

use super::Translator;

impl Translator<'_> {
    pub(super) fn lint(&mut self) {
        self.standard_library();
        self.banned_words();
        let program = self.program();
        self.pointers_without_space(&program);
        self.variables(&program);
        self.kernel_rules(&program);
        self.calls_of(&program);
        self.spaces_passed(&program);
        self.errors.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
    }
}
