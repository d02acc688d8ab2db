//! How much of the square of queries and keys the flash path looks at.
//!
//! In: the sizes of a piece of a prompt. Out: for each tile of query rows, how many tiles of keys it visits. The kernel
//! walks by the same rule; here it is a number to read and to test.

use kit::{Error, Result};

/// The sizes of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tile {
    /// Query rows.
    pub queries: i32,
    /// Keys.
    pub keys: i32,
}

/// The tile of the kernel.
pub const KERNEL: Tile = Tile { queries: extensions::week3::TILE_QUERIES, keys: extensions::week3::TILE_KEYS };

/// For each tile of query rows, how many tiles of keys hold a key that one of
/// its rows sees.
///
/// `length` tokens are the newest of `context`; `group` query heads share a
/// key head, and row `r` is token `r / group`. `causal`: token `t` sees the
/// keys up to `context - length + t`, otherwise it sees all.
/// Errors: `InvalidArgument` about `length` unless from 0 to `context`, about
/// `group`, `tile.queries` and `tile.keys` unless at least 1.
pub fn tiles_to_visit(length: i32, context: i32, group: i32, causal: bool, tile: Tile) -> Result<Vec<i32>> {
    // SOLUTION 3.5.2 length, context, group, causal, tile
    if !(0..=context).contains(&length) {
        return refused("length", length, &format!("be from 0 to the context, {context}"));
    }
    for (name, value) in [("group", group), ("tile.queries", tile.queries), ("tile.keys", tile.keys)] {
        if value < 1 {
            return refused(name, value, "be at least 1");
        }
    }
    let [length, context, group, queries, keys] = [length, context, group, tile.queries, tile.keys].map(i64::from);
    let rows = length * group;
    let visited = |first: i64| {
        let last = (first + queries).min(rows) - 1; // sees the most
        let seen = if causal { context - length + last / group + 1 } else { context };
        ((seen + keys - 1) / keys) as i32
    };
    Ok((0..rows).step_by(tile.queries as usize).map(visited).collect())
    // END SOLUTION
}

/// The error about an argument.
pub fn refused<T>(name: &str, value: i32, must: &str) -> Result<T> {
    Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must: must.into() })
}
