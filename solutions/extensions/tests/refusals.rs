//! What the kernels of week 2 do not take: each argument is refused with a sentence that names it and its value. What those
//! of week 3 refuse is in their own tests.

use kit::testing::{doubles, expect_dtype, expect_error, expect_invalid_argument, expect_shape, zeros};
use kit::{Error, Result};
use mlx_rs::{Array, Dtype, ops};
use solution_extensions::week2::{Mask, Path, decode_attention, quantized_embedding, quantized_matmul};
use solution_extensions::week2::{rms_norm, rope, swiglu};

/// A packed weight of 3 rows and 128 columns in groups of 64, all zeros.
fn packed() -> Result<(Array, Array, Array)> {
    Ok((Array::zeros::<u32>(&[3, 16])?, zeros(&[3, 2]), zeros(&[3, 2])))
}

fn matmul(x: &Array, weight: &Array, scales: &Array, biases: &Array) -> Result<Array> {
    quantized_matmul(x, weight, scales, biases, 64, 4, Path::Matvec)
}

#[test]
fn quantized_matmul_names_the_argument_and_its_value() -> Result<()> {
    let ((weight, scales, biases), x) = (packed()?, zeros(&[2, 128]));
    let with = |group, bits, path| quantized_matmul(&x, &weight, &scales, &biases, group, bits, path);
    let error = expect_invalid_argument(with(64, 8, Path::Tiled), "bits");
    assert_eq!(error.to_string(), "bits is 8, but it must be 4");
    let error = expect_invalid_argument(with(32, 4, Path::Tiled), "group_size");
    assert_eq!(error.to_string(), "group_size is 32, but it must be 64 or 128");
    for splits in [0, -1, 3, i32::MAX, i32::MIN] {
        expect_invalid_argument(with(64, 4, Path::SplitK(splits)), "splits");
    }
    let error = expect_shape(matmul(&zeros(&[2, 64]), &weight, &scales, &biases));
    assert_eq!(error.to_string(), "quantized_matmul: x: expected shape (.., N) = (2, 128), got (2, 64)");
    expect_shape(matmul(&Array::from_f32(1.0), &weight, &scales, &biases));
    expect_shape(matmul(&x, &zeros(&[16]).as_dtype(Dtype::Uint32)?, &scales, &biases));
    expect_shape(matmul(&x, &weight, &zeros(&[3, 1]), &biases));
    expect_shape(matmul(&x, &weight, &scales, &zeros(&[2, 2])));
    expect_dtype(matmul(&x.as_dtype(Dtype::Int32)?, &weight, &scales, &biases));
    expect_dtype(matmul(&doubles(&[2, 128]), &weight, &scales, &biases));
    expect_dtype(matmul(&x, &weight.as_dtype(Dtype::Int32)?, &scales, &biases));
    expect_dtype(matmul(&x, &weight, &scales.as_dtype(Dtype::Float16)?, &biases));
    expect_dtype(matmul(&x, &weight, &scales.as_dtype(Dtype::Uint32)?, &biases));
    Ok(())
}

#[test]
fn a_row_that_is_not_whole_groups_is_refused() -> Result<()> {
    for words in [0, 1, 7, 9, 12] {
        let weight = Array::zeros::<u32>(&[3, words])?;
        let x = zeros(&[1, words * 8]);
        expect_invalid_argument(matmul(&x, &weight, &zeros(&[3, 1]), &zeros(&[3, 1])), "words of a row");
    }
    Ok(())
}

#[test]
fn an_id_that_the_table_does_not_have_never_reads_memory() -> Result<()> {
    let (weight, scales, biases) = packed()?;
    let look_up = |ids: &Array| quantized_embedding(ids, &weight, &scales, &biases, 64, 4);
    for ids in [Array::from_slice(&[0u32, 3], &[2]), Array::from_slice(&[u32::MAX], &[1])] {
        let error = expect_error(look_up(&ids).and_then(|rows| Ok(rows.eval()?)));
        assert!(error.to_string().contains("is not in the table, which has 3 rows"), "{error}");
    }
    let negative = Array::from_slice(&[2i32, -1], &[2]);
    expect_error(look_up(&negative).and_then(|rows| Ok(rows.eval()?)));
    // Computed later: the sentence comes from the evaluation.
    let late = ops::add(Array::from_slice(&[1u32, 2], &[2]), Array::from_slice(&[1u32, 1], &[2]))?;
    let error = expect_error(look_up(&late).and_then(|rows| Ok(rows.eval()?)));
    assert!(error.to_string().contains("id 3 is not in the table"), "{error}");
    expect_dtype(look_up(&zeros(&[2])));
    expect_dtype(look_up(&Array::from_slice(&[1i64], &[1])));
    assert_eq!(look_up(&Array::from_slice(&[2u32], &[1, 1]))?.shape(), [1, 1, 128]);
    Ok(())
}

#[test]
fn rms_norm_names_the_argument_and_its_value() -> Result<()> {
    let x = zeros(&[2, 8]);
    let error = expect_shape(rms_norm(&x, &zeros(&[7]), 1e-6));
    assert_eq!(error.to_string(), "rms_norm: weight: expected shape (D,) = (8,), got (7,)");
    expect_shape(rms_norm(&Array::from_f32(1.0), &zeros(&[1]), 1e-6));
    expect_shape(rms_norm(&x, &zeros(&[1, 8]), 1e-6));
    expect_dtype(rms_norm(&x, &zeros(&[8]).as_dtype(Dtype::Bfloat16)?, 1e-6));
    expect_dtype(rms_norm(&doubles(&[2, 8]), &doubles(&[8]), 1e-6));
    expect_invalid_argument(rms_norm(&zeros(&[2, 0]), &zeros(&[0]), 1e-6), "D");
    for eps in [-1.0, f32::NAN, f32::INFINITY] {
        expect_invalid_argument(rms_norm(&x, &zeros(&[8]), eps), "eps");
    }
    Ok(())
}

#[test]
fn rope_names_the_argument_and_its_value() -> Result<()> {
    let (x, offsets) = (zeros(&[2, 3, 4, 8]), Array::from_slice(&[0i32, 1], &[2]));
    for dims in [0, -2, 3, 10, i32::MIN] {
        let error = expect_invalid_argument(rope(&x, &offsets, dims, 1e4, false), "dims");
        assert_eq!(error.to_string(), format!("dims is {dims}, but it must be even and from 2 to D, 8"));
    }
    for base in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        expect_invalid_argument(rope(&x, &offsets, 8, base, false), "base");
    }
    expect_shape(rope(&zeros(&[3, 4, 8]), &offsets, 8, 1e4, false));
    expect_shape(rope(&x, &Array::from_slice(&[0i32], &[1]), 8, 1e4, false));
    expect_dtype(rope(&x, &zeros(&[2]), 8, 1e4, false));
    expect_dtype(rope(&doubles(&[2, 3, 4, 8]), &offsets, 8, 1e4, false));
    let behind = Array::from_slice(&[0i32, -5], &[2]);
    let error = expect_error(rope(&x, &behind, 8, 1e4, false).and_then(|out| Ok(out.eval()?)));
    assert!(error.to_string().contains("row 1 is -5, but a position must not be negative"), "{error}");
    let late = ops::subtract(&offsets, Array::from_slice(&[1i32, 1], &[2]))?;
    let error = expect_error(rope(&x, &late, 8, 1e4, false).and_then(|out| Ok(out.eval()?)));
    assert!(error.to_string().contains("row 0 is -1"), "{error}");
    Ok(())
}

#[test]
fn swiglu_names_the_argument_and_its_value() -> Result<()> {
    let error = expect_shape(swiglu(&zeros(&[2, 3]), &zeros(&[3])));
    assert_eq!(error.to_string(), "swiglu: up: expected shape the shape of gate = (2, 3), got (3,)");
    expect_dtype(swiglu(&zeros(&[2]), &zeros(&[2]).as_dtype(Dtype::Float16)?));
    expect_dtype(swiglu(&doubles(&[2]), &doubles(&[2])));
    Ok(())
}

#[test]
fn decode_attention_names_the_argument_and_its_value() -> Result<()> {
    let (query, key) = (zeros(&[1, 4, 2, 8]), zeros(&[1, 2, 5, 8]));
    let attend = |query: &Array, key: &Array, value: &Array| decode_attention(query, key, value, Mask::None, 0.3);
    expect_shape(attend(&zeros(&[4, 2, 8]), &key, &key));
    expect_shape(attend(&query, &zeros(&[2, 2, 5, 8]), &zeros(&[2, 2, 5, 8])));
    expect_shape(attend(&query, &zeros(&[1, 2, 5, 4]), &zeros(&[1, 2, 5, 4])));
    expect_shape(attend(&query, &key, &zeros(&[1, 2, 6, 8])));
    let error = expect_invalid_argument(attend(&query, &zeros(&[1, 3, 5, 8]), &zeros(&[1, 3, 5, 8])), "query heads");
    assert_eq!(error.to_string(), "query heads is 4, but it must be a multiple of the key heads, 3");
    expect_invalid_argument(attend(&query, &zeros(&[1, 0, 5, 8]), &zeros(&[1, 0, 5, 8])), "query heads");
    let wide = zeros(&[1, 1, 1, 257]);
    let error = expect_invalid_argument(attend(&wide, &wide, &wide), "D");
    assert_eq!(error.to_string(), "D is 257, but it must be from 1 to 256");
    expect_invalid_argument(decode_attention(&query, &key, &key, Mask::Causal, f32::NAN), "scale");
    expect_dtype(attend(&query, &key.as_dtype(Dtype::Float16)?, &key));
    let masked = |mask: &Array| decode_attention(&query, &key, &key, Mask::Array(mask), 0.3);
    expect_shape(masked(&zeros(&[2, 4])));
    expect_shape(masked(&zeros(&[1, 1, 4, 2, 5])));
    let error: Error = expect_dtype(masked(&Array::from_slice(&[true; 5], &[5])));
    assert_eq!(error.to_string(), "decode_attention: mask: expected dtype Float32, Float16 or Bfloat16, got Bool");
    Ok(())
}
