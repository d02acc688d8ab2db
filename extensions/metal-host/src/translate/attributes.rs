//! `[[buffer(0)]]` and its kind: read before they are removed.

use super::Translator;

/// An attribute as it stands in the source.
pub(super) struct Attribute {
    /// Its last token, a `]`.
    pub end: usize,
    /// The tokens between the brackets.
    pub words: Vec<String>,
}

impl Attribute {
    pub fn has(&self, word: &str) -> bool {
        self.words.iter().any(|w| w == word)
    }

    /// The text in parentheses behind `name`; empty parentheses and none are the empty text.
    pub fn argument(&self, name: &str) -> Option<String> {
        let at = self.words.iter().position(|w| w == name)?;
        let inside = self.words[at + 1..].iter().skip_while(|w| *w == "(").take_while(|w| *w != ")");
        Some(inside.map(String::as_str).collect())
    }
}

impl Translator<'_> {
    pub(super) fn read_attributes(&mut self) {
        let mut j = 0;
        while j + 1 < self.tokens.len() {
            if self.tokens.s(j) == "[" && self.tokens.s(j + 1) == "[" && self.tokens.adjacent(j) {
                let end = self.tokens.close(j);
                let words = (j + 2..end.saturating_sub(1)).map(|k| self.tokens.s(k).to_string()).collect();
                self.attributes.insert(j, Attribute { end, words });
                j = end;
            }
            j += 1;
        }
    }

    pub(super) fn in_attribute(&self, j: usize) -> bool {
        self.attributes.range(..=j).next_back().is_some_and(|(_, a)| j <= a.end)
    }

    /// The attribute that ends at `j`: its first token.
    pub(super) fn attribute_ending(&self, j: usize) -> Option<usize> {
        self.attributes.range(..=j).next_back().filter(|(_, a)| a.end == j).map(|(&start, _)| start)
    }

    pub(super) fn erase_attributes(&mut self) {
        for (&start, attribute) in &self.attributes {
            self.tokens.erase(start..attribute.end + 1);
        }
    }
}
