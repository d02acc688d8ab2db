//! What a layer remembers of a text: the keys and values of every token so far.
//!
//! In: keys and values of the newest tokens, (B, H, L, D). Out: those of all tokens, (B, H, S, D), S the number of them.
//! `ConcatCache` joins the arrays anew for every token; `BlockCache` keeps room for tokens to come and writes into it.
//! A cache that is dropped gives its memory back.

use kit::{ANY, Error, Result, check_dtype, check_float, check_shape};
use mlx_rs::Array;

/// The keys and values of one layer.
pub trait KvCache {
    /// Appends `keys` and `values`, both (B, H, L, D) with L >= 1; returns
    /// all of both, (B, H, S, D), the new ones last.
    ///
    /// B, H, D and the dtype are those of the first call. What was returned
    /// before never changes.
    /// Errors: `Shape`, `Dtype`; nothing has been appended then.
    fn update_and_fetch(&mut self, keys: &Array, values: &Array) -> Result<(Array, Array)>;

    /// How many tokens are kept, S; the position of the next one.
    fn offset(&self) -> i32;

    /// Forgets the last `tokens` tokens; what follows takes their places.
    ///
    /// Errors: `InvalidArgument` about `tokens` when negative or more than
    /// there are; nothing has been forgotten then.
    fn rewind(&mut self, tokens: i32) -> Result<()>;

    /// The bytes of the arrays that are kept, room for more included.
    fn held_bytes(&self) -> usize;

    /// How many bytes of old tokens were copied so far to make place for new
    /// ones, keys and values together.
    fn moved_bytes(&self) -> u64;
}

/// Keys and values, in this order.
pub type Pair = (Array, Array);

/// Refuses keys and values that do not fit each other or what is `kept`.
pub fn check_append(cache: &str, kept: Option<&Pair>, keys: &Array, values: &Array) -> Result<()> {
    let name = format!("{cache}: keys");
    check_float(&name, keys)?;
    match kept {
        None => check_shape(&name, keys, "(B, H, L, D)", &[ANY; 4])?,
        Some((kept, _)) => {
            check_shape(&name, keys, "(B, H, L, D)", &[kept.dim(0), kept.dim(1), ANY, kept.dim(3)])?;
            check_dtype(&name, keys, kept.dtype())?;
        }
    }
    if keys.dim(2) == 0 {
        let (expected, got) = ("(B, H, L, D) with L >= 1".into(), format!("{:?}", keys.shape()));
        return Err(Error::Shape { op: name, expected, got });
    }
    let name = format!("{cache}: values");
    check_shape(&name, values, "(B, H, L, D)", keys.shape())?;
    check_dtype(&name, values, keys.dtype())
}

/// Refuses to forget a negative number of tokens, or more than `offset`.
pub fn check_rewind(tokens: i32, offset: i32) -> Result<()> {
    if (0..=offset).contains(&tokens) {
        return Ok(());
    }
    let must = format!("be between 0 and {offset}, the tokens that the cache holds");
    Err(Error::InvalidArgument { name: "tokens".into(), value: tokens.to_string(), must })
}

/// Joins old and new anew for every call.
#[derive(Debug, Clone, Default)]
pub struct ConcatCache {
    /// (B, H, S, D) each; `None` before the first token.
    pub kept: Option<Pair>,
    /// Of old tokens, so far.
    pub moved_bytes: u64,
}

impl KvCache for ConcatCache {
    fn update_and_fetch(&mut self, keys: &Array, values: &Array) -> Result<(Array, Array)> {
        // SOLUTION 2.1.1 self.kept, self.moved_bytes, keys, values
        use mlx_rs::ops::concatenate;

        check_append("concat cache", self.kept.as_ref(), keys, values)?;
        let all = match &self.kept {
            None => (keys.clone(), values.clone()),
            Some((old_keys, old_values)) => {
                let joined = (concatenate(&[old_keys, keys], 2)?, concatenate(&[old_values, values], 2)?);
                self.moved_bytes += (old_keys.nbytes() + old_values.nbytes()) as u64;
                joined // (B, H, S, D)
            }
        };
        self.kept = Some(all.clone());
        Ok(all)
        // END SOLUTION
    }

    fn offset(&self) -> i32 {
        self.kept.as_ref().map_or(0, |(keys, _)| keys.dim(2))
    }

    fn rewind(&mut self, tokens: i32) -> Result<()> {
        // SOLUTION 2.1.1 self.kept, tokens
        use mlx_rs::ops::indexing::TryIndexOp;

        let offset = self.offset();
        check_rewind(tokens, offset)?;
        if let Some((keys, values)) = &self.kept {
            let first = (.., .., ..offset - tokens, ..);
            self.kept = Some((keys.try_index(first)?, values.try_index(first)?));
        }
        Ok(())
        // END SOLUTION
    }

    fn held_bytes(&self) -> usize {
        self.kept.as_ref().map_or(0, |(keys, values)| keys.nbytes() + values.nbytes())
    }

    fn moved_bytes(&self) -> u64 {
        self.moved_bytes
    }
}

/// Keeps room for tokens to come, a whole number of blocks.
#[derive(Debug, Clone)]
pub struct BlockCache {
    /// (B, H, C, D) each, C the tokens that there is room for, a multiple of
    /// `block`; `None` before the first token.
    pub storage: Option<Pair>,
    /// S; from here on the storage holds nothing yet.
    pub offset: i32,
    /// Tokens of a block.
    pub block: i32,
    /// Of old tokens, so far.
    pub moved_bytes: u64,
}

impl BlockCache {
    /// An empty cache that grows by `block` tokens at a time.
    ///
    /// Errors: `InvalidArgument` about `block` unless at least 1.
    pub fn new(block: i32) -> Result<Self> {
        if block < 1 {
            let must = "be at least 1".into();
            return Err(Error::InvalidArgument { name: "block".into(), value: block.to_string(), must });
        }
        Ok(Self { storage: None, offset: 0, block, moved_bytes: 0 })
    }

    /// Makes room for `tokens` tokens in all, of the shape and dtype of
    /// `like` (B, H, L, D), by the fewest blocks; does nothing where there is.
    ///
    /// Old tokens keep their places and count as moved when there are any.
    pub fn make_room(&mut self, tokens: i32, like: &Array) -> Result<()> {
        // SOLUTION 2.1.2 self.storage, self.offset, self.block, self.moved_bytes, tokens, like
        use mlx_rs::ops::{concatenate, indexing::TryIndexOp, zeros_dtype};

        let capacity = self.storage.as_ref().map_or(0, |(keys, _)| keys.dim(2)); // C
        if tokens <= capacity {
            return Ok(());
        }
        let blocks = (tokens + self.block - 1) / self.block;
        let length = blocks * self.block - self.offset;
        let room = zeros_dtype(&[like.dim(0), like.dim(1), length, like.dim(3)], like.dtype())?;
        let Some((keys, values)) = &self.storage else {
            self.storage = Some((room.clone(), room));
            return Ok(());
        };
        let used = (.., .., ..self.offset, ..);
        let (keys, values) = (keys.try_index(used)?, values.try_index(used)?); // (B, H, S, D)
        let moved = (keys.nbytes() + values.nbytes()) as u64;
        self.storage = Some((concatenate(&[&keys, &room], 2)?, concatenate(&[&values, &room], 2)?));
        self.moved_bytes += moved;
        Ok(())
        // END SOLUTION
    }
}

impl KvCache for BlockCache {
    fn update_and_fetch(&mut self, keys: &Array, values: &Array) -> Result<(Array, Array)> {
        // SOLUTION 2.1.2 self.storage, self.offset, keys, values
        use mlx_rs::ops::indexing::{TryIndexMutOp, TryIndexOp};

        check_append("block cache", self.storage.as_ref(), keys, values)?;
        let end = self.offset + keys.dim(2);
        self.make_room(end, keys)?;
        let Some((all_keys, all_values)) = &mut self.storage else {
            return Err(Error::Other("the block cache has made no room".into()));
        };
        // Nobody else holds the storage, so MLX writes into it instead of copying it.
        let new = (.., .., self.offset..end, ..);
        all_keys.try_index_mut(new.clone(), keys)?;
        all_values.try_index_mut(new, values)?;
        self.offset = end;
        let used = (.., .., ..end, ..);
        Ok((all_keys.try_index(used)?, all_values.try_index(used)?)) // (B, H, S, D)
        // END SOLUTION
    }

    fn offset(&self) -> i32 {
        self.offset
    }

    fn rewind(&mut self, tokens: i32) -> Result<()> {
        // SOLUTION 2.1.2 self.offset, tokens
        check_rewind(tokens, self.offset)?;
        self.offset -= tokens;
        Ok(())
        // END SOLUTION
    }

    fn held_bytes(&self) -> usize {
        self.storage.as_ref().map_or(0, |(keys, values)| keys.nbytes() + values.nbytes())
    }

    fn moved_bytes(&self) -> u64 {
        self.moved_bytes
    }
}
