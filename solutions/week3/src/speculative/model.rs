//! What the loop asks of a model: that it reads on from where it is, and that it can forget.

use kit::{Error, Result};

/// A model that remembers what it has read, and can forget the end of it.
pub trait TokenModel {
    /// Reads more tokens, at least one, in one pass. Returns a row of logits
    /// (V,) after each of them. After an error it remembers what it did before.
    fn feed(&mut self, tokens: &[usize]) -> Result<Vec<Vec<f64>>>;

    /// Reads more tokens. Returns the row after the last of them alone, which
    /// for a long prompt is a small part of all.
    fn read(&mut self, tokens: &[usize]) -> Result<Vec<f64>> {
        let must = "hold at least one token that was not read".into();
        let refused = Error::InvalidArgument { name: "the prompt".into(), value: "empty".into(), must };
        if tokens.is_empty() {
            return Err(refused);
        }
        self.feed(tokens)?.pop().ok_or(refused)
    }

    /// Forgets all but the first `length` tokens. Errors: `InvalidArgument`
    /// when it has read fewer.
    fn rewind(&mut self, length: usize) -> Result<()>;

    /// How many tokens it remembers.
    fn length(&self) -> usize;

    /// The most tokens that it can remember.
    fn positions(&self) -> usize {
        usize::MAX
    }
}
