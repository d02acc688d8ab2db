//! Packed weights: eight 4-bit codes in a word, a scale and a bias for every group of a row.
//!
//! In: the three arrays of a packed weight as a checkpoint stores them. Out: its values, with operations on arrays
//! alone. The kernels never make these values; this readable form is what they are compared with.

use kit::{Error, Result, check_axes, check_dtype, check_float, check_shape};
use mlx_rs::{Array, Dtype};

/// Codes in a word of 32 bits.
pub const CODES: i32 = 8;

/// The values of a packed weight: `scale · code + bias`, each group of
/// `group_size` neighbours with a scale and a bias of its own.
///
/// `weight` (.., N/8) u32: code i of a word is its bits 4i to 4i + 3.
/// `scales` and `biases` (.., N/group_size), f32, f16 or bf16. Returns
/// (.., N) in their dtype, computed in f32 and rounded once.
/// Errors: as [`check_packed`].
pub fn dequantize(weight: &Array, scales: &Array, biases: &Array, group_size: i32, bits: i32) -> Result<Array> {
    kit::stub!("2.3.1", weight, scales, biases, group_size, bits)
}

/// Refuses what is not a packed weight; returns N, the values of a row.
///
/// Errors: `InvalidArgument` about `bits` unless 4, about `group_size` unless
/// 64 or 128; `Shape` unless `weight` is (.., N/8), N a positive multiple of
/// the group, and `scales` and `biases` are (.., N/group_size); `Dtype`
/// unless `weight` is u32 and the others share a float dtype.
pub fn check_packed(
    op: &str,
    weight: &Array,
    scales: &Array,
    biases: &Array,
    group_size: i32,
    bits: i32,
) -> Result<i32> {
    let refused = |name: &str, value: i32, must: &str| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must: must.into() })
    };
    if bits != 4 {
        return refused("bits", bits, "be 4");
    }
    if ![64, 128].contains(&group_size) {
        return refused("group_size", group_size, "be 64 or 128");
    }
    let name = |argument: &str| format!("{op}: {argument}");
    check_dtype(&name("weight"), weight, Dtype::Uint32)?;
    check_axes(&name("weight"), weight, "(.., N/8)", 1)?;
    let inputs = weight.dim(-1).checked_mul(CODES).filter(|inputs| *inputs > 0 && inputs % group_size == 0);
    let Some(inputs) = inputs else {
        let expected = format!("(.., N/8), N a positive multiple of {group_size}");
        return Err(Error::Shape { op: name("weight"), expected, got: format!("{:?}", weight.shape()) });
    };
    let groups = [&weight.shape()[..weight.ndim() - 1], &[inputs / group_size]].concat();
    check_float(&name("scales"), scales)?;
    check_shape(&name("scales"), scales, "(.., N/group_size)", &groups)?;
    check_dtype(&name("biases"), biases, scales.dtype())?;
    check_shape(&name("biases"), biases, "(.., N/group_size)", &groups)?;
    Ok(inputs)
}
