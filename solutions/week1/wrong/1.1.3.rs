// WRONG no-scale fn scaled_dot_product_attention: scores are not scaled when no scale is given
    use crate::basics::softmax;
    use kit::{check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::Dtype::Float32;

    check_float("attention: query", query)?;
    check_axes("attention: query", query, "(.., L, D)", 2)?;
    check_axes("attention: key", key, "(.., S, D)", 2)?;
    let (front, width) = (&query.shape()[..query.ndim() - 2], query.dim(-1));
    check_shape("attention: key", key, "(.., S, D)", &[front, &[key.dim(-2), width]].concat())?;
    check_shape("attention: value", value, "(.., S, D)", key.shape())?;
    check_dtype("attention: key", key, query.dtype())?;
    check_dtype("attention: value", value, query.dtype())?;

    let scale = scale.unwrap_or(1.0);
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., L, D)
    let mut scores = scaled.matmul(key.as_dtype(Float32)?.swap_axes(-1, -2)?)?; // (.., L, S)
    if let Some(mask) = mask {
        check_float("attention: mask", mask)?;
        check_broadcast("attention: mask", mask, "(.., L, S)", scores.shape())?;
        scores = scores.add(mask.as_dtype(Float32)?)?;
    }
    let mixed = softmax(&scores, -1)?.matmul(value.as_dtype(Float32)?)?; // (.., L, D)
    Ok(mixed.as_dtype(query.dtype())?)
// END WRONG

// WRONG scale-without-root fn scaled_dot_product_attention: divides by D, not by its square root
    use crate::basics::softmax;
    use kit::{check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::Dtype::Float32;

    check_float("attention: query", query)?;
    check_axes("attention: query", query, "(.., L, D)", 2)?;
    check_axes("attention: key", key, "(.., S, D)", 2)?;
    let (front, width) = (&query.shape()[..query.ndim() - 2], query.dim(-1));
    check_shape("attention: key", key, "(.., S, D)", &[front, &[key.dim(-2), width]].concat())?;
    check_shape("attention: value", value, "(.., S, D)", key.shape())?;
    check_dtype("attention: key", key, query.dtype())?;
    check_dtype("attention: value", value, query.dtype())?;

    let scale = scale.unwrap_or(1.0 / width as f32);
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., L, D)
    let mut scores = scaled.matmul(key.as_dtype(Float32)?.swap_axes(-1, -2)?)?; // (.., L, S)
    if let Some(mask) = mask {
        check_float("attention: mask", mask)?;
        check_broadcast("attention: mask", mask, "(.., L, S)", scores.shape())?;
        scores = scores.add(mask.as_dtype(Float32)?)?;
    }
    let mixed = softmax(&scores, -1)?.matmul(value.as_dtype(Float32)?)?; // (.., L, D)
    Ok(mixed.as_dtype(query.dtype())?)
// END WRONG

// WRONG scale-of-length fn scaled_dot_product_attention: takes the number of keys for D
    use crate::basics::softmax;
    use kit::{check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::Dtype::Float32;

    check_float("attention: query", query)?;
    check_axes("attention: query", query, "(.., L, D)", 2)?;
    check_axes("attention: key", key, "(.., S, D)", 2)?;
    let (front, width) = (&query.shape()[..query.ndim() - 2], query.dim(-1));
    check_shape("attention: key", key, "(.., S, D)", &[front, &[key.dim(-2), width]].concat())?;
    check_shape("attention: value", value, "(.., S, D)", key.shape())?;
    check_dtype("attention: key", key, query.dtype())?;
    check_dtype("attention: value", value, query.dtype())?;

    let scale = scale.unwrap_or(1.0 / (key.dim(-2) as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., L, D)
    let mut scores = scaled.matmul(key.as_dtype(Float32)?.swap_axes(-1, -2)?)?; // (.., L, S)
    if let Some(mask) = mask {
        check_float("attention: mask", mask)?;
        check_broadcast("attention: mask", mask, "(.., L, S)", scores.shape())?;
        scores = scores.add(mask.as_dtype(Float32)?)?;
    }
    let mixed = softmax(&scores, -1)?.matmul(value.as_dtype(Float32)?)?; // (.., L, D)
    Ok(mixed.as_dtype(query.dtype())?)
// END WRONG

// WRONG mask-scaled-too fn scaled_dot_product_attention: scales after the mask was added
    use crate::basics::softmax;
    use kit::{check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::Dtype::Float32;

    check_float("attention: query", query)?;
    check_axes("attention: query", query, "(.., L, D)", 2)?;
    check_axes("attention: key", key, "(.., S, D)", 2)?;
    let (front, width) = (&query.shape()[..query.ndim() - 2], query.dim(-1));
    check_shape("attention: key", key, "(.., S, D)", &[front, &[key.dim(-2), width]].concat())?;
    check_shape("attention: value", value, "(.., S, D)", key.shape())?;
    check_dtype("attention: key", key, query.dtype())?;
    check_dtype("attention: value", value, query.dtype())?;

    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?; // (.., L, D)
    let mut scores = scaled.matmul(key.as_dtype(Float32)?.swap_axes(-1, -2)?)?; // (.., L, S)
    if let Some(mask) = mask {
        check_float("attention: mask", mask)?;
        check_broadcast("attention: mask", mask, "(.., L, S)", scores.shape())?;
        scores = scores.add(mask.as_dtype(Float32)?)?;
    }
    let mixed = softmax(&scores.multiply(Array::from_f32(scale))?, -1)?.matmul(value.as_dtype(Float32)?)?; // (.., L, D)
    Ok(mixed.as_dtype(query.dtype())?)
// END WRONG

// WRONG mask-after-softmax fn scaled_dot_product_attention: adds the mask to the shares, not to the scores
    use crate::basics::softmax;
    use kit::{check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::Dtype::Float32;

    check_float("attention: query", query)?;
    check_axes("attention: query", query, "(.., L, D)", 2)?;
    check_axes("attention: key", key, "(.., S, D)", 2)?;
    let (front, width) = (&query.shape()[..query.ndim() - 2], query.dim(-1));
    check_shape("attention: key", key, "(.., S, D)", &[front, &[key.dim(-2), width]].concat())?;
    check_shape("attention: value", value, "(.., S, D)", key.shape())?;
    check_dtype("attention: key", key, query.dtype())?;
    check_dtype("attention: value", value, query.dtype())?;

    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., L, D)
    let mut scores = scaled.matmul(key.as_dtype(Float32)?.swap_axes(-1, -2)?)?; // (.., L, S)
    if let Some(mask) = mask {
        check_float("attention: mask", mask)?;
        check_broadcast("attention: mask", mask, "(.., L, S)", scores.shape())?;
        scores = softmax(&scores, -1)?.add(mask.as_dtype(Float32)?)?;
    } else {
        scores = softmax(&scores, -1)?;
    }
    let mixed = scores.matmul(value.as_dtype(Float32)?)?; // (.., L, D)
    Ok(mixed.as_dtype(query.dtype())?)
// END WRONG

// WRONG over-the-queries fn scaled_dot_product_attention: softmax along the queries instead of the keys
    use crate::basics::softmax;
    use kit::{check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::Dtype::Float32;

    check_float("attention: query", query)?;
    check_axes("attention: query", query, "(.., L, D)", 2)?;
    check_axes("attention: key", key, "(.., S, D)", 2)?;
    let (front, width) = (&query.shape()[..query.ndim() - 2], query.dim(-1));
    check_shape("attention: key", key, "(.., S, D)", &[front, &[key.dim(-2), width]].concat())?;
    check_shape("attention: value", value, "(.., S, D)", key.shape())?;
    check_dtype("attention: key", key, query.dtype())?;
    check_dtype("attention: value", value, query.dtype())?;

    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., L, D)
    let mut scores = scaled.matmul(key.as_dtype(Float32)?.swap_axes(-1, -2)?)?; // (.., L, S)
    if let Some(mask) = mask {
        check_float("attention: mask", mask)?;
        check_broadcast("attention: mask", mask, "(.., L, S)", scores.shape())?;
        scores = scores.add(mask.as_dtype(Float32)?)?;
    }
    let mixed = softmax(&scores, -2)?.matmul(value.as_dtype(Float32)?)?; // (.., L, D)
    Ok(mixed.as_dtype(query.dtype())?)
// END WRONG

// WRONG narrow-scores fn scaled_dot_product_attention: computes scores in the dtype of the query, where f16 overflows
    use crate::basics::softmax;
    use kit::{check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::Dtype::Float32;

    check_float("attention: query", query)?;
    check_axes("attention: query", query, "(.., L, D)", 2)?;
    check_axes("attention: key", key, "(.., S, D)", 2)?;
    let (front, width) = (&query.shape()[..query.ndim() - 2], query.dim(-1));
    check_shape("attention: key", key, "(.., S, D)", &[front, &[key.dim(-2), width]].concat())?;
    check_shape("attention: value", value, "(.., S, D)", key.shape())?;
    check_dtype("attention: key", key, query.dtype())?;
    check_dtype("attention: value", value, query.dtype())?;

    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.multiply(Array::from_f32(scale).as_dtype(query.dtype())?)?; // (.., L, D)
    let mut scores = scaled.matmul(key.swap_axes(-1, -2)?)?.as_dtype(Float32)?; // (.., L, S)
    if let Some(mask) = mask {
        check_float("attention: mask", mask)?;
        check_broadcast("attention: mask", mask, "(.., L, S)", scores.shape())?;
        scores = scores.add(mask.as_dtype(Float32)?)?;
    }
    let mixed = softmax(&scores, -1)?.matmul(value.as_dtype(Float32)?)?; // (.., L, D)
    Ok(mixed.as_dtype(query.dtype())?)
// END WRONG

// WRONG f32-out fn scaled_dot_product_attention: returns f32 for half-precision input
    use crate::basics::softmax;
    use kit::{check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::Dtype::Float32;

    check_float("attention: query", query)?;
    check_axes("attention: query", query, "(.., L, D)", 2)?;
    check_axes("attention: key", key, "(.., S, D)", 2)?;
    let (front, width) = (&query.shape()[..query.ndim() - 2], query.dim(-1));
    check_shape("attention: key", key, "(.., S, D)", &[front, &[key.dim(-2), width]].concat())?;
    check_shape("attention: value", value, "(.., S, D)", key.shape())?;
    check_dtype("attention: key", key, query.dtype())?;
    check_dtype("attention: value", value, query.dtype())?;

    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., L, D)
    let mut scores = scaled.matmul(key.as_dtype(Float32)?.swap_axes(-1, -2)?)?; // (.., L, S)
    if let Some(mask) = mask {
        check_float("attention: mask", mask)?;
        check_broadcast("attention: mask", mask, "(.., L, S)", scores.shape())?;
        scores = scores.add(mask.as_dtype(Float32)?)?;
    }
    let mixed = softmax(&scores, -1)?.matmul(value.as_dtype(Float32)?)?; // (.., L, D)
    Ok(mixed)
// END WRONG

// WRONG front-axes-broadcast fn scaled_dot_product_attention: lets one text's keys serve a whole batch
    use crate::basics::softmax;
    use kit::{check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::Dtype::Float32;

    check_float("attention: query", query)?;
    check_axes("attention: query", query, "(.., L, D)", 2)?;
    check_axes("attention: key", key, "(.., S, D)", 2)?;
    let width = query.dim(-1);
    check_shape("attention: value", value, "(.., S, D)", key.shape())?;
    check_dtype("attention: key", key, query.dtype())?;
    check_dtype("attention: value", value, query.dtype())?;

    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., L, D)
    let mut scores = scaled.matmul(key.as_dtype(Float32)?.swap_axes(-1, -2)?)?; // (.., L, S)
    if let Some(mask) = mask {
        check_float("attention: mask", mask)?;
        check_broadcast("attention: mask", mask, "(.., L, S)", scores.shape())?;
        scores = scores.add(mask.as_dtype(Float32)?)?;
    }
    let mixed = softmax(&scores, -1)?.matmul(value.as_dtype(Float32)?)?; // (.., L, D)
    Ok(mixed.as_dtype(query.dtype())?)
// END WRONG

// WRONG any-float fn scaled_dot_product_attention: takes every float dtype, f64 too
    use crate::basics::softmax;
    use kit::{check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::Dtype::Float32;

    if !(query).dtype().is_float() {
            let (expected, got) = ("a float dtype".into(), format!("{:?}", (query).dtype()));
            return Err(kit::Error::Dtype { op: "attention: query".into(), expected, got });
        }
    check_axes("attention: query", query, "(.., L, D)", 2)?;
    check_axes("attention: key", key, "(.., S, D)", 2)?;
    let (front, width) = (&query.shape()[..query.ndim() - 2], query.dim(-1));
    check_shape("attention: key", key, "(.., S, D)", &[front, &[key.dim(-2), width]].concat())?;
    check_shape("attention: value", value, "(.., S, D)", key.shape())?;
    check_dtype("attention: key", key, query.dtype())?;
    check_dtype("attention: value", value, query.dtype())?;

    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., L, D)
    let mut scores = scaled.matmul(key.as_dtype(Float32)?.swap_axes(-1, -2)?)?; // (.., L, S)
    if let Some(mask) = mask {
        check_float("attention: mask", mask)?;
        check_broadcast("attention: mask", mask, "(.., L, S)", scores.shape())?;
        scores = scores.add(mask.as_dtype(Float32)?)?;
    }
    let mixed = softmax(&scores, -1)?.matmul(value.as_dtype(Float32)?)?; // (.., L, D)
    Ok(mixed.as_dtype(query.dtype())?)
// END WRONG

// WRONG mask-narrowed fn scaled_dot_product_attention: rounds the mask to the dtype of the query, where -1e5 is -inf
    use crate::basics::softmax;
    use kit::{check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::Dtype::Float32;

    check_float("attention: query", query)?;
    check_axes("attention: query", query, "(.., L, D)", 2)?;
    check_axes("attention: key", key, "(.., S, D)", 2)?;
    let (front, width) = (&query.shape()[..query.ndim() - 2], query.dim(-1));
    check_shape("attention: key", key, "(.., S, D)", &[front, &[key.dim(-2), width]].concat())?;
    check_shape("attention: value", value, "(.., S, D)", key.shape())?;
    check_dtype("attention: key", key, query.dtype())?;
    check_dtype("attention: value", value, query.dtype())?;

    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., L, D)
    let mut scores = scaled.matmul(key.as_dtype(Float32)?.swap_axes(-1, -2)?)?; // (.., L, S)
    if let Some(mask) = mask {
        check_float("attention: mask", mask)?;
        check_broadcast("attention: mask", mask, "(.., L, S)", scores.shape())?;
        scores = scores.add(mask.as_dtype(query.dtype())?.as_dtype(Float32)?)?;
    }
    let mixed = softmax(&scores, -1)?.matmul(value.as_dtype(Float32)?)?; // (.., L, D)
    Ok(mixed.as_dtype(query.dtype())?)
// END WRONG

// WRONG shares-narrowed fn scaled_dot_product_attention: rounds the shares to the dtype of the query before it mixes
    use crate::basics::softmax;
    use kit::{check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::Dtype::Float32;

    check_float("attention: query", query)?;
    check_axes("attention: query", query, "(.., L, D)", 2)?;
    check_axes("attention: key", key, "(.., S, D)", 2)?;
    let (front, width) = (&query.shape()[..query.ndim() - 2], query.dim(-1));
    check_shape("attention: key", key, "(.., S, D)", &[front, &[key.dim(-2), width]].concat())?;
    check_shape("attention: value", value, "(.., S, D)", key.shape())?;
    check_dtype("attention: key", key, query.dtype())?;
    check_dtype("attention: value", value, query.dtype())?;

    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., L, D)
    let mut scores = scaled.matmul(key.as_dtype(Float32)?.swap_axes(-1, -2)?)?; // (.., L, S)
    if let Some(mask) = mask {
        check_float("attention: mask", mask)?;
        check_broadcast("attention: mask", mask, "(.., L, S)", scores.shape())?;
        scores = scores.add(mask.as_dtype(Float32)?)?;
    }
    let mixed = softmax(&scores, -1)?.as_dtype(query.dtype())?.matmul(value)?; // (.., L, D)
    Ok(mixed.as_dtype(query.dtype())?)
// END WRONG

// WRONG query-scaled-narrow fn scaled_dot_product_attention: scales the query in its own dtype
    use crate::basics::softmax;
    use kit::{check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::Dtype::Float32;

    check_float("attention: query", query)?;
    check_axes("attention: query", query, "(.., L, D)", 2)?;
    check_axes("attention: key", key, "(.., S, D)", 2)?;
    let (front, width) = (&query.shape()[..query.ndim() - 2], query.dim(-1));
    check_shape("attention: key", key, "(.., S, D)", &[front, &[key.dim(-2), width]].concat())?;
    check_shape("attention: value", value, "(.., S, D)", key.shape())?;
    check_dtype("attention: key", key, query.dtype())?;
    check_dtype("attention: value", value, query.dtype())?;

    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.multiply(Array::from_f32(scale).as_dtype(query.dtype())?)?.as_dtype(Float32)?; // (.., L, D)
    let mut scores = scaled.matmul(key.as_dtype(Float32)?.swap_axes(-1, -2)?)?; // (.., L, S)
    if let Some(mask) = mask {
        check_float("attention: mask", mask)?;
        check_broadcast("attention: mask", mask, "(.., L, S)", scores.shape())?;
        scores = scores.add(mask.as_dtype(Float32)?)?;
    }
    let mixed = softmax(&scores, -1)?.matmul(value.as_dtype(Float32)?)?; // (.., L, D)
    Ok(mixed.as_dtype(query.dtype())?)
// END WRONG

// WRONG value-width-free fn scaled_dot_product_attention: does not compare the width of the values
    use crate::basics::softmax;
    use kit::{check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::Dtype::Float32;

    check_float("attention: query", query)?;
    check_axes("attention: query", query, "(.., L, D)", 2)?;
    check_axes("attention: key", key, "(.., S, D)", 2)?;
    let (front, width) = (&query.shape()[..query.ndim() - 2], query.dim(-1));
    check_shape("attention: key", key, "(.., S, D)", &[front, &[key.dim(-2), width]].concat())?;
    check_shape("attention: value", value, "(.., S, D)", &[front, &[key.dim(-2), kit::ANY]].concat())?;
    check_dtype("attention: key", key, query.dtype())?;
    check_dtype("attention: value", value, query.dtype())?;

    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., L, D)
    let mut scores = scaled.matmul(key.as_dtype(Float32)?.swap_axes(-1, -2)?)?; // (.., L, S)
    if let Some(mask) = mask {
        check_float("attention: mask", mask)?;
        check_broadcast("attention: mask", mask, "(.., L, S)", scores.shape())?;
        scores = scores.add(mask.as_dtype(Float32)?)?;
    }
    let mixed = softmax(&scores, -1)?.matmul(value.as_dtype(Float32)?)?; // (.., L, D)
    Ok(mixed.as_dtype(query.dtype())?)
// END WRONG

// WRONG value-front-broadcasts fn scaled_dot_product_attention: lets one text's values serve a whole batch
    use crate::basics::softmax;
    use kit::{check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::Dtype::Float32;

    check_float("attention: query", query)?;
    check_axes("attention: query", query, "(.., L, D)", 2)?;
    check_axes("attention: key", key, "(.., S, D)", 2)?;
    let (front, width) = (&query.shape()[..query.ndim() - 2], query.dim(-1));
    check_shape("attention: key", key, "(.., S, D)", &[front, &[key.dim(-2), width]].concat())?;
    check_axes("attention: value", value, "(.., S, D)", 2)?;
    check_shape("attention: value", &value.reshape(&[-1, value.dim(-2), value.dim(-1)])?, "(.., S, D)", &[kit::ANY, key.dim(-2), width])?;
    check_dtype("attention: key", key, query.dtype())?;
    check_dtype("attention: value", value, query.dtype())?;

    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., L, D)
    let mut scores = scaled.matmul(key.as_dtype(Float32)?.swap_axes(-1, -2)?)?; // (.., L, S)
    if let Some(mask) = mask {
        check_float("attention: mask", mask)?;
        check_broadcast("attention: mask", mask, "(.., L, S)", scores.shape())?;
        scores = scores.add(mask.as_dtype(Float32)?)?;
    }
    let mixed = softmax(&scores, -1)?.matmul(value.as_dtype(Float32)?)?; // (.., L, D)
    Ok(mixed.as_dtype(query.dtype())?)
// END WRONG

// WRONG zero-scale-is-none fn scaled_dot_product_attention: takes a scale of 0 for none
    use crate::basics::softmax;
    use kit::{check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::Dtype::Float32;

    check_float("attention: query", query)?;
    check_axes("attention: query", query, "(.., L, D)", 2)?;
    check_axes("attention: key", key, "(.., S, D)", 2)?;
    let (front, width) = (&query.shape()[..query.ndim() - 2], query.dim(-1));
    check_shape("attention: key", key, "(.., S, D)", &[front, &[key.dim(-2), width]].concat())?;
    check_shape("attention: value", value, "(.., S, D)", key.shape())?;
    check_dtype("attention: key", key, query.dtype())?;
    check_dtype("attention: value", value, query.dtype())?;

    let scale = scale.filter(|&s| s != 0.0).unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., L, D)
    let mut scores = scaled.matmul(key.as_dtype(Float32)?.swap_axes(-1, -2)?)?; // (.., L, S)
    if let Some(mask) = mask {
        check_float("attention: mask", mask)?;
        check_broadcast("attention: mask", mask, "(.., L, S)", scores.shape())?;
        scores = scores.add(mask.as_dtype(Float32)?)?;
    }
    let mixed = softmax(&scores, -1)?.matmul(value.as_dtype(Float32)?)?; // (.., L, D)
    Ok(mixed.as_dtype(query.dtype())?)
// END WRONG

// WRONG whole-mask-dtype fn scaled_dot_product_attention: takes a mask of whole numbers
    use crate::basics::softmax;
    use kit::{check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::Dtype::Float32;

    check_float("attention: query", query)?;
    check_axes("attention: query", query, "(.., L, D)", 2)?;
    check_axes("attention: key", key, "(.., S, D)", 2)?;
    let (front, width) = (&query.shape()[..query.ndim() - 2], query.dim(-1));
    check_shape("attention: key", key, "(.., S, D)", &[front, &[key.dim(-2), width]].concat())?;
    check_shape("attention: value", value, "(.., S, D)", key.shape())?;
    check_dtype("attention: key", key, query.dtype())?;
    check_dtype("attention: value", value, query.dtype())?;

    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., L, D)
    let mut scores = scaled.matmul(key.as_dtype(Float32)?.swap_axes(-1, -2)?)?; // (.., L, S)
    if let Some(mask) = mask {
        if mask.dtype() == mlx_rs::Dtype::Bool {
            check_float("attention: mask", mask)?;
        }
        check_broadcast("attention: mask", mask, "(.., L, S)", scores.shape())?;
        scores = scores.add(mask.as_dtype(Float32)?)?;
    }
    let mixed = softmax(&scores, -1)?.matmul(value.as_dtype(Float32)?)?; // (.., L, D)
    Ok(mixed.as_dtype(query.dtype())?)
// END WRONG

// WRONG mask-grows-scores fn scaled_dot_product_attention: lets a mask with more rows widen the scores
    use crate::basics::softmax;
    use kit::{check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::Dtype::Float32;

    check_float("attention: query", query)?;
    check_axes("attention: query", query, "(.., L, D)", 2)?;
    check_axes("attention: key", key, "(.., S, D)", 2)?;
    let (front, width) = (&query.shape()[..query.ndim() - 2], query.dim(-1));
    check_shape("attention: key", key, "(.., S, D)", &[front, &[key.dim(-2), width]].concat())?;
    check_shape("attention: value", value, "(.., S, D)", key.shape())?;
    check_dtype("attention: key", key, query.dtype())?;
    check_dtype("attention: value", value, query.dtype())?;

    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., L, D)
    let mut scores = scaled.matmul(key.as_dtype(Float32)?.swap_axes(-1, -2)?)?; // (.., L, S)
    if let Some(mask) = mask {
        check_float("attention: mask", mask)?;
        if mask.dim(-1) != scores.dim(-1) {
            check_broadcast("attention: mask", mask, "(.., L, S)", scores.shape())?;
        }
        scores = scores.add(mask.as_dtype(Float32)?)?;
    }
    let mixed = softmax(&scores, -1)?.matmul(value.as_dtype(Float32)?)?; // (.., L, D)
    Ok(mixed.as_dtype(query.dtype())?)
// END WRONG
