//! Tables of i32 that a call looks at before the kernel does, and the refusal of what they hold.

use kit::{Error, Result};
use mlx_rs::Array;

/// The numbers of an i32 array, in row-major order.
pub(super) fn numbers(array: &Array) -> Result<Vec<i32>> {
    if array.size() == 0 {
        return Ok(Vec::new());
    }
    // A view becomes rows first; an array of rows stays what it is.
    Ok(array.contiguous()?.as_slice::<i32>().to_vec())
}

/// A row of page ids, padded with -1 behind its pages: how many pages there are. `seen` is false for every page, before
/// and afterwards.
///
/// Errors: `InvalidArgument` about `name` for an id that is not one of `pages`, one that comes twice, one behind a -1.
pub(super) fn pages_of_row(name: &str, row: &[i32], pages: i32, seen: &mut [bool]) -> Result<usize> {
    let count = row.iter().position(|&id| id == -1).unwrap_or(row.len());
    for (at, &id) in row.iter().enumerate() {
        if at >= count && id != -1 {
            return Err(invalid(name, &format!("{id} at {at}"), "be -1 behind the first -1"));
        }
        if at < count && !(0..pages).contains(&id) {
            let must = format!("be -1 or one of the {pages} pages, from 0 on");
            return Err(invalid(name, &format!("{id} at {at}"), &must));
        }
        if at < count && std::mem::replace(&mut seen[id as usize], true) {
            return Err(invalid(name, &format!("{id} at {at}"), "hold a page once"));
        }
    }
    row[..count].iter().for_each(|&id| seen[id as usize] = false);
    Ok(count)
}

pub(super) fn invalid(name: &str, value: &str, must: &str) -> Error {
    Error::InvalidArgument { name: name.to_string(), value: value.to_string(), must: must.to_string() }
}
