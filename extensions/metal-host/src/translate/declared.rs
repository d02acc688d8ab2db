//! One declaration, a parameter or a variable: its name, its address space, whether it points.

use std::ops::Range;

use super::{Translator, is_space};

/// `device const float* x [[buffer(0)]]`, read.
#[derive(Clone, Default)]
pub(super) struct Declared {
    /// The tokens from the first of its type to the last before a value.
    pub range: Range<usize>,
    pub name: Option<usize>,
    /// Where it points, or where it is when it does not point.
    pub space: Option<&'static str>,
    pub stars: usize,
    pub is_reference: bool,
    pub is_array: bool,
    /// `void (*f)(int)`.
    pub points_to_function: bool,
    /// Words of a type besides the name.
    pub has_type: bool,
    pub is_auto: bool,
    pub is_const: bool,
    pub is_static: bool,
    /// The first token behind the declarator when that begins a value: `=`, `{`.
    pub value: Option<usize>,
    pub attributes: Vec<usize>,
}

impl Declared {
    /// A pointer or a reference to data.
    pub fn points(&self) -> bool {
        (self.stars > 0 || self.is_reference) && !self.points_to_function
    }
}

const SPECIFIERS: [&str; 8] = ["const", "constexpr", "static", "inline", "volatile", "extern", "typename", "kernel"];

impl Translator<'_> {
    /// Reads the declaration in `range`. Of several declarators the first.
    pub(super) fn declared(&self, range: Range<usize>) -> Declared {
        let mut d = Declared { range: range.clone(), ..Declared::default() };
        let (mut j, mut words, mut nested) = (range.start, 0, false);
        while j < range.end {
            if let Some(attribute) = self.attributes.get(&j) {
                d.attributes.push(j);
                j = attribute.end + 1;
                continue;
            }
            let s = self.tokens.s(j);
            match s {
                "*" => d.stars += 1,
                "&" | "&&" => d.is_reference = true,
                "<" => j = self.tokens.angle(j).unwrap_or(j),
                "(" if matches!(self.tokens.s(j + 1), "*" | "&") && !nested => nested = true,
                "(" if matches!(self.tokens.s(j.wrapping_sub(1)), "decltype" | "alignas" | "__attribute__") => {
                    j = self.tokens.close(j);
                    words += 1;
                }
                "(" => {
                    d.points_to_function |= nested;
                    break;
                }
                ")" if nested && self.tokens.s(j + 1) == "(" => {
                    d.points_to_function = true;
                    break;
                }
                ")" if nested => {}
                "[" => {
                    d.is_array = true;
                    j = self.tokens.close(j);
                }
                "=" | "{" => {
                    d.value = Some(j);
                    break;
                }
                ":" | "," | ";" => break,
                "const" | "constexpr" => d.is_const = true,
                "static" => d.is_static = true,
                _ if is_space(s) && self.tokens.s(j + 1) != "::"
                    // Behind the star it is the place of the pointer itself.
                    && (d.stars == 0 || d.space.is_none()) =>
                {
                    d.space = super::SPACES.into_iter().find(|space| *space == s);
                }
                _ if self.tokens.is_word(j) && !SPECIFIERS.contains(&s) => {
                    d.is_auto |= s == "auto";
                    words += 1;
                    d.name = Some(j);
                }
                _ => {}
            }
            j += 1;
        }
        d.range.end = j.min(range.end);
        // One word is a type without a name, as in a declaration of a function.
        if words < 2 {
            d.name = None;
        }
        d.has_type = words > 1;
        d
    }

    /// The text of a declaration without attributes, as somebody would write it.
    pub(super) fn text_of(&self, range: Range<usize>) -> String {
        let words: Vec<&str> = range.filter(|&j| !self.in_attribute(j)).map(|j| self.tokens.s(j)).collect();
        super::kernels::spaced(&words)
    }
}
