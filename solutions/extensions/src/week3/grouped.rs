//! A row of x times the packed weight of its expert. The node is in src/grouped_quantized_matmul.cpp.

use std::ffi::c_int;

use kit::{ANY, Error, Result, check_dtype, check_float, check_shape};
use mlx_rs::{Array, Dtype};
use mlx_sys::{mlx_array, mlx_stream};

use super::whole_numbers::invalid;
use crate::border;

unsafe extern "C" {
    #[link_name = concat!(env!("EXT_PREFIX"), "grouped_quantized_matmul")]
    fn c_grouped_quantized_matmul(
        result: *mut mlx_array,
        x: mlx_array,
        weight: mlx_array,
        scales: mlx_array,
        biases: mlx_array,
        expert_ids: mlx_array,
        group_size: c_int,
        bits: c_int,
        stream: mlx_stream,
    ) -> c_int;
}

/// Row `i` of `x` (N, I) times the transpose of the packed weight of expert `expert_ids[i]`: `weight` (E, O, I/8) u32,
/// `scales` and `biases` (E, O, I/group_size), `expert_ids` (N,) → (N, O).
///
/// `x` is Float32, Float16 or Bfloat16, and so is the result; `scales` and `biases` share one of these dtypes. Sums are in
/// f32 and rounded once. Lazy, on the current stream.
///
/// Errors: `InvalidArgument` about `bits` unless 4, `group_size` unless 64 or 128, `experts` unless at least 1, `words of a
/// row`; `Shape`; `Dtype`, for the ids unless Uint32 or Int32; a sentence with the id that no expert has, here where the
/// ids are known already, else from the evaluation.
pub fn grouped_quantized_matmul(
    x: &Array,
    weight: &Array,
    scales: &Array,
    biases: &Array,
    expert_ids: &Array,
    group_size: i32,
    bits: i32,
) -> Result<Array> {
    if bits != 4 {
        return Err(invalid("bits", &bits.to_string(), "be 4"));
    }
    if ![64, 128].contains(&group_size) {
        return Err(invalid("group_size", &group_size.to_string(), "be 64 or 128"));
    }
    check_dtype("grouped_quantized_matmul: weight", weight, Dtype::Uint32)?;
    check_shape("grouped_quantized_matmul: weight", weight, "(E, O, I/8)", &[ANY; 3])?;
    let (experts, outputs, words) = (weight.shape()[0], weight.shape()[1], weight.shape()[2]);
    if experts == 0 {
        return Err(invalid("experts", "0", "be at least 1"));
    }
    let columns = words.checked_mul(8).filter(|columns| *columns > 0 && columns % group_size == 0);
    // All experts' rows are one table to the kernel.
    let (Some(inputs), Some(_)) = (columns, experts.checked_mul(outputs)) else {
        let must = format!("make rows of I values, I a positive multiple of group_size, {group_size}");
        return Err(invalid("words of a row", &words.to_string(), &must));
    };
    let groups = [experts, outputs, inputs / group_size];
    check_float("grouped_quantized_matmul: scales", scales)?;
    check_shape("grouped_quantized_matmul: scales", scales, "(E, O, I/group_size)", &groups)?;
    check_dtype("grouped_quantized_matmul: biases", biases, scales.dtype())?;
    check_shape("grouped_quantized_matmul: biases", biases, "(E, O, I/group_size)", &groups)?;
    check_float("grouped_quantized_matmul: x", x)?;
    check_shape("grouped_quantized_matmul: x", x, "(N, I)", &[ANY, inputs])?;
    check_shape("grouped_quantized_matmul: expert_ids", expert_ids, "(N,)", &x.shape()[..1])?;
    let ids = match expert_ids.dtype() {
        Dtype::Uint32 => expert_ids.clone(),
        // A negative id becomes one that no expert has.
        Dtype::Int32 => expert_ids.view::<u32>()?,
        other => {
            let (op, expected) = ("grouped_quantized_matmul: expert_ids".to_string(), "Uint32 or Int32".to_string());
            return Err(Error::Dtype { op, expected, got: format!("{other:?}") });
        }
    };
    let (x, weight, scales, biases, ids) =
        (x.as_ptr(), weight.as_ptr(), scales.as_ptr(), biases.as_ptr(), ids.as_ptr());
    // SAFETY: the handles live through the call, and the C side keeps its own references to the arrays.
    border::array(|result, stream| unsafe {
        c_grouped_quantized_matmul(result, x, weight, scales, biases, ids, group_size, bits, stream)
    })
}
