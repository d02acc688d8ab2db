//! Products and lookups with 4-bit weights. The nodes are in src/quantized_matmul.cpp and src/quantized_embedding.cpp.
//!
//! A packed weight holds eight unsigned 4-bit codes a u32, lowest nibble first, and a value is `scale * code + bias` of
//! its group of 64 or 128 values of a row.

use std::ffi::c_int;

use kit::{ANY, Error, Result, check_axes, check_dtype, check_float, check_shape};
use mlx_rs::{Array, Dtype};
use mlx_sys::{mlx_array, mlx_stream};

use crate::border;

unsafe extern "C" {
    #[link_name = concat!(env!("EXT_PREFIX"), "quantized_matmul")]
    fn c_quantized_matmul(
        result: *mut mlx_array,
        x: mlx_array,
        weight: mlx_array,
        scales: mlx_array,
        biases: mlx_array,
        group_size: c_int,
        bits: c_int,
        path: c_int,
        splits: c_int,
        stream: mlx_stream,
    ) -> c_int;
    #[link_name = concat!(env!("EXT_PREFIX"), "quantized_embedding")]
    fn c_quantized_embedding(
        result: *mut mlx_array,
        ids: mlx_array,
        weight: mlx_array,
        scales: mlx_array,
        biases: mlx_array,
        group_size: c_int,
        bits: c_int,
        stream: mlx_stream,
    ) -> c_int;
}

/// Which implementation of [`quantized_matmul`] runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    /// One output after the other.
    Vanilla,
    /// For few rows of `x`, as in decoding.
    Matvec,
    /// In blocks, for prefill.
    Tiled,
    /// Partial sums over so many parts of the inner axis, added at the end.
    SplitK(i32),
    /// For few rows of `x`, whose groups are rounded to 16-bit integers: half a step of max |x| / 32,767.
    MatvecInt16,
}

/// `x @ weight^T` of a packed weight: `x` (.., N), `weight` (K, N/8) u32, `scales` and `biases` (K, N/group_size) → (.., K).
///
/// `x` is Float32, Float16 or Bfloat16, and so is the result; `scales` and `biases` share one of these dtypes. Sums are in
/// f32 and rounded once. Every path gives the same values up to the order of its sums, but for [`Path::MatvecInt16`]. Lazy,
/// on the current stream.
///
/// Errors: `InvalidArgument` about `bits` unless 4, `group_size` unless 64 or 128, `splits` unless from 1 to N/group_size;
/// `Shape`; `Dtype`.
pub fn quantized_matmul(
    x: &Array,
    weight: &Array,
    scales: &Array,
    biases: &Array,
    group_size: i32,
    bits: i32,
    path: Path,
) -> Result<Array> {
    let (_, inputs) = check_packed("quantized_matmul", weight, scales, biases, group_size, bits)?;
    check_float("quantized_matmul: x", x)?;
    check_axes("quantized_matmul: x", x, "(.., N)", 1)?;
    let mut wanted = x.shape().to_vec();
    wanted[x.ndim() - 1] = inputs;
    check_shape("quantized_matmul: x", x, "(.., N)", &wanted)?;
    let (path, splits) = match path {
        Path::Vanilla => (0, 1),
        Path::Matvec => (1, 1),
        Path::Tiled => (2, 1),
        Path::SplitK(splits) => (3, splits),
        Path::MatvecInt16 => (4, 1),
    };
    let groups = inputs / group_size;
    if !(1..=groups).contains(&splits) {
        return Err(invalid("splits", splits, &format!("be from 1 to the groups of a row, {groups}")));
    }
    let (x, weight, scales, biases) = (x.as_ptr(), weight.as_ptr(), scales.as_ptr(), biases.as_ptr());
    // SAFETY: the handles live through the call, and the C side keeps its own references to the arrays.
    border::array(|result, stream| unsafe {
        c_quantized_matmul(result, x, weight, scales, biases, group_size, bits, path, splits, stream)
    })
}

/// Rows of a packed table: `ids` (..) → (.., N), `weight` (V, N/8) u32, `scales` and `biases` (V, N/group_size), whose
/// dtype the result has.
///
/// Lazy, on the current stream. Errors: as [`quantized_matmul`]; `Dtype` unless `ids` are Uint32 or Int32; a sentence with
/// the id that the table does not have, here where the ids are known already, else from the evaluation.
pub fn quantized_embedding(
    ids: &Array,
    weight: &Array,
    scales: &Array,
    biases: &Array,
    group_size: i32,
    bits: i32,
) -> Result<Array> {
    check_packed("quantized_embedding", weight, scales, biases, group_size, bits)?;
    let rows = match ids.dtype() {
        Dtype::Uint32 => ids.clone(),
        // A negative id becomes one that no table has.
        Dtype::Int32 => ids.view::<u32>()?,
        other => {
            let (op, expected) = ("quantized_embedding: ids".to_string(), "Uint32 or Int32".to_string());
            return Err(Error::Dtype { op, expected, got: format!("{other:?}") });
        }
    };
    let (ids, weight, scales, biases) = (rows.as_ptr(), weight.as_ptr(), scales.as_ptr(), biases.as_ptr());
    // SAFETY: the handles live through the call, and the C side keeps its own references to the arrays.
    border::array(|result, stream| unsafe {
        c_quantized_embedding(result, ids, weight, scales, biases, group_size, bits, stream)
    })
}

/// Refuses what is not a packed weight; its rows and its columns, (K, N).
fn check_packed(
    op: &str,
    weight: &Array,
    scales: &Array,
    biases: &Array,
    group_size: i32,
    bits: i32,
) -> Result<(i32, i32)> {
    if bits != 4 {
        return Err(invalid("bits", bits, "be 4"));
    }
    if ![64, 128].contains(&group_size) {
        return Err(invalid("group_size", group_size, "be 64 or 128"));
    }
    let name = |argument: &str| format!("{op}: {argument}");
    check_dtype(&name("weight"), weight, Dtype::Uint32)?;
    check_shape(&name("weight"), weight, "(K, N/8)", &[ANY, ANY])?;
    let (outputs, words) = (weight.shape()[0], weight.shape()[1]);
    let columns = words.checked_mul(8).filter(|columns| *columns > 0 && columns % group_size == 0);
    let Some(columns) = columns else {
        let must = format!("make rows of N values, N a positive multiple of group_size, {group_size}");
        return Err(invalid("words of a row", words, &must));
    };
    let groups = [outputs, columns / group_size];
    check_float(&name("scales"), scales)?;
    check_shape(&name("scales"), scales, "(K, N/group_size)", &groups)?;
    check_dtype(&name("biases"), biases, scales.dtype())?;
    check_shape(&name("biases"), biases, "(K, N/group_size)", &groups)?;
    Ok((outputs, columns))
}

fn invalid(name: &str, value: i32, must: &str) -> Error {
    Error::InvalidArgument { name: name.to_string(), value: value.to_string(), must: must.to_string() }
}
