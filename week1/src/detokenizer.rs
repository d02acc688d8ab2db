//! From token ids to text, as they arrive.
//!
//! A token is a piece of UTF-8 bytes, and it may end in the middle of a character. In: one id at a time. Out: the text
//! that can no longer change. Only the bytes of an unfinished character wait, nothing else.

use kit::{Detokenizer, Result};

/// Turns ids into text and holds back the bytes of an unfinished character.
pub struct StreamingDetokenizer<'a> {
    /// The bytes of an id; none for special tokens.
    pub bytes_of: &'a dyn Fn(u32) -> Result<Vec<u8>>,
    /// The beginning of a character whose end has not come, at most 3 bytes.
    pub pending: Vec<u8>,
}

impl<'a> StreamingDetokenizer<'a> {
    /// A detokeniser at the beginning of a text.
    pub fn new(bytes_of: &'a dyn Fn(u32) -> Result<Vec<u8>>) -> Self {
        Self { bytes_of, pending: Vec::new() }
    }
}

impl Detokenizer for StreamingDetokenizer<'_> {
    /// Takes one id and returns the text that has become final with it.
    ///
    /// All texts joined, [`finish`](Self::finish) included, are what
    /// `String::from_utf8_lossy` makes of all bytes at once: each invalid
    /// piece becomes one U+FFFD.
    /// Errors: whatever `bytes_of` returns; nothing has changed then.
    fn push(&mut self, id: u32) -> Result<String> {
        kit::stub!("1.6.3", self.bytes_of, self.pending, id)
    }

    /// The end of the text: an unfinished character becomes one U+FFFD.
    ///
    /// The detokeniser then stands at the beginning of a new text.
    fn finish(&mut self) -> Result<String> {
        kit::stub!("1.6.3", self.pending)
    }
}
