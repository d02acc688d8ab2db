// WRONG heads-interleaved fn scaled_dot_product_attention_grouped: lets query head h read head h mod H
    use crate::{basics::softmax, mask::causal_mask};
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("grouped attention: query", query)?;
    check_axes("grouped attention: query", query, "(.., H_q, L, D)", 3)?;
    check_axes("grouped attention: key", key, "(.., H, S, D)", 3)?;
    let front = &query.shape()[..query.ndim() - 3];
    let (query_heads, l, width) = (query.dim(-3), query.dim(-2), query.dim(-1));
    let (heads, s) = (key.dim(-3), key.dim(-2));
    check_shape("grouped attention: key", key, "(.., H, S, D)", &[front, &[heads, s, width]].concat())?;
    check_shape("grouped attention: value", value, "(.., H, S, D)", key.shape())?;
    check_dtype("grouped attention: key", key, query.dtype())?;
    check_dtype("grouped attention: value", value, query.dtype())?;
    if heads == 0 || query_heads % heads != 0 {
        let expected = format!("(.., H, S, D) whose H divides {query_heads}, the query heads");
        return Err(Error::Shape { op: "grouped attention: key".into(), expected, got: format!("{:?}", key.shape()) });
    }

    let group = query_heads / heads; // G
    let grouped = |rows: i32, columns: i32| [front, &[group, heads, rows, columns]].concat();
    let shared = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-4)?) }; // (.., 1, H, S, D)
    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., H_q, L, D)
    let scaled = scaled.reshape(&grouped(l, width))?; // (.., H, G, L, D)
    let mut scores = scaled.matmul(shared(key)?.swap_axes(-1, -2)?)?; // (.., H, G, L, S)
    match mask {
        Mask::None => {}
        Mask::Causal => scores = scores.add(causal_mask(l, s, Float32)?)?,
        Mask::Array(mask) => {
            let full = [front, &[query_heads, l, s]].concat();
            check_float("grouped attention: mask", mask)?;
            check_broadcast("grouped attention: mask", mask, "(.., H_q, L, S)", &full)?;
            let mask = ops::broadcast_to(mask.as_dtype(Float32)?, &full)?.reshape(&grouped(l, s))?;
            scores = scores.add(mask)?;
        }
    }
    let sees_something = scores.max_axis(-1, true)?.ne(Array::from_f32(f32::NEG_INFINITY))?; // (.., H, G, L, 1)
    let shares = ops::select(sees_something, softmax(&scores, -1)?, Array::from_f32(0.0))?; // (.., H, G, L, S)
    let mixed = shares.matmul(shared(value)?)?; // (.., H, G, L, D)
    Ok(mixed.reshape(query.shape())?.as_dtype(query.dtype())?)
// END WRONG

// WRONG no-scale fn scaled_dot_product_attention_grouped: scores are not scaled when no scale is given
    use crate::{basics::softmax, mask::causal_mask};
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("grouped attention: query", query)?;
    check_axes("grouped attention: query", query, "(.., H_q, L, D)", 3)?;
    check_axes("grouped attention: key", key, "(.., H, S, D)", 3)?;
    let front = &query.shape()[..query.ndim() - 3];
    let (query_heads, l, width) = (query.dim(-3), query.dim(-2), query.dim(-1));
    let (heads, s) = (key.dim(-3), key.dim(-2));
    check_shape("grouped attention: key", key, "(.., H, S, D)", &[front, &[heads, s, width]].concat())?;
    check_shape("grouped attention: value", value, "(.., H, S, D)", key.shape())?;
    check_dtype("grouped attention: key", key, query.dtype())?;
    check_dtype("grouped attention: value", value, query.dtype())?;
    if heads == 0 || query_heads % heads != 0 {
        let expected = format!("(.., H, S, D) whose H divides {query_heads}, the query heads");
        return Err(Error::Shape { op: "grouped attention: key".into(), expected, got: format!("{:?}", key.shape()) });
    }

    let group = query_heads / heads; // G
    let grouped = |rows: i32, columns: i32| [front, &[heads, group, rows, columns]].concat();
    let shared = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-3)?) }; // (.., H, 1, S, D)
    let scale = scale.unwrap_or(1.0);
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., H_q, L, D)
    let scaled = scaled.reshape(&grouped(l, width))?; // (.., H, G, L, D)
    let mut scores = scaled.matmul(shared(key)?.swap_axes(-1, -2)?)?; // (.., H, G, L, S)
    match mask {
        Mask::None => {}
        Mask::Causal => scores = scores.add(causal_mask(l, s, Float32)?)?,
        Mask::Array(mask) => {
            let full = [front, &[query_heads, l, s]].concat();
            check_float("grouped attention: mask", mask)?;
            check_broadcast("grouped attention: mask", mask, "(.., H_q, L, S)", &full)?;
            let mask = ops::broadcast_to(mask.as_dtype(Float32)?, &full)?.reshape(&grouped(l, s))?;
            scores = scores.add(mask)?;
        }
    }
    let sees_something = scores.max_axis(-1, true)?.ne(Array::from_f32(f32::NEG_INFINITY))?; // (.., H, G, L, 1)
    let shares = ops::select(sees_something, softmax(&scores, -1)?, Array::from_f32(0.0))?; // (.., H, G, L, S)
    let mixed = shares.matmul(shared(value)?)?; // (.., H, G, L, D)
    Ok(mixed.reshape(query.shape())?.as_dtype(query.dtype())?)
// END WRONG

// WRONG masked-rows-nan fn scaled_dot_product_attention_grouped: leaves NaN where a query sees nothing
    use crate::{basics::softmax, mask::causal_mask};
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("grouped attention: query", query)?;
    check_axes("grouped attention: query", query, "(.., H_q, L, D)", 3)?;
    check_axes("grouped attention: key", key, "(.., H, S, D)", 3)?;
    let front = &query.shape()[..query.ndim() - 3];
    let (query_heads, l, width) = (query.dim(-3), query.dim(-2), query.dim(-1));
    let (heads, s) = (key.dim(-3), key.dim(-2));
    check_shape("grouped attention: key", key, "(.., H, S, D)", &[front, &[heads, s, width]].concat())?;
    check_shape("grouped attention: value", value, "(.., H, S, D)", key.shape())?;
    check_dtype("grouped attention: key", key, query.dtype())?;
    check_dtype("grouped attention: value", value, query.dtype())?;
    if heads == 0 || query_heads % heads != 0 {
        let expected = format!("(.., H, S, D) whose H divides {query_heads}, the query heads");
        return Err(Error::Shape { op: "grouped attention: key".into(), expected, got: format!("{:?}", key.shape()) });
    }

    let group = query_heads / heads; // G
    let grouped = |rows: i32, columns: i32| [front, &[heads, group, rows, columns]].concat();
    let shared = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-3)?) }; // (.., H, 1, S, D)
    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., H_q, L, D)
    let scaled = scaled.reshape(&grouped(l, width))?; // (.., H, G, L, D)
    let mut scores = scaled.matmul(shared(key)?.swap_axes(-1, -2)?)?; // (.., H, G, L, S)
    match mask {
        Mask::None => {}
        Mask::Causal => scores = scores.add(causal_mask(l, s, Float32)?)?,
        Mask::Array(mask) => {
            let full = [front, &[query_heads, l, s]].concat();
            check_float("grouped attention: mask", mask)?;
            check_broadcast("grouped attention: mask", mask, "(.., H_q, L, S)", &full)?;
            let mask = ops::broadcast_to(mask.as_dtype(Float32)?, &full)?.reshape(&grouped(l, s))?;
            scores = scores.add(mask)?;
        }
    }
    let shares = softmax(&scores, -1)?; // (.., H, G, L, S)
    let mixed = shares.matmul(shared(value)?)?; // (.., H, G, L, D)
    Ok(mixed.reshape(query.shape())?.as_dtype(query.dtype())?)
// END WRONG

// WRONG masked-rows-even fn scaled_dot_product_attention_grouped: spreads a query that sees nothing over all keys
    use crate::{basics::softmax, mask::causal_mask};
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("grouped attention: query", query)?;
    check_axes("grouped attention: query", query, "(.., H_q, L, D)", 3)?;
    check_axes("grouped attention: key", key, "(.., H, S, D)", 3)?;
    let front = &query.shape()[..query.ndim() - 3];
    let (query_heads, l, width) = (query.dim(-3), query.dim(-2), query.dim(-1));
    let (heads, s) = (key.dim(-3), key.dim(-2));
    check_shape("grouped attention: key", key, "(.., H, S, D)", &[front, &[heads, s, width]].concat())?;
    check_shape("grouped attention: value", value, "(.., H, S, D)", key.shape())?;
    check_dtype("grouped attention: key", key, query.dtype())?;
    check_dtype("grouped attention: value", value, query.dtype())?;
    if heads == 0 || query_heads % heads != 0 {
        let expected = format!("(.., H, S, D) whose H divides {query_heads}, the query heads");
        return Err(Error::Shape { op: "grouped attention: key".into(), expected, got: format!("{:?}", key.shape()) });
    }

    let group = query_heads / heads; // G
    let grouped = |rows: i32, columns: i32| [front, &[heads, group, rows, columns]].concat();
    let shared = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-3)?) }; // (.., H, 1, S, D)
    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., H_q, L, D)
    let scaled = scaled.reshape(&grouped(l, width))?; // (.., H, G, L, D)
    let mut scores = scaled.matmul(shared(key)?.swap_axes(-1, -2)?)?; // (.., H, G, L, S)
    match mask {
        Mask::None => {}
        Mask::Causal => scores = scores.add(causal_mask(l, s, Float32)?)?,
        Mask::Array(mask) => {
            let full = [front, &[query_heads, l, s]].concat();
            check_float("grouped attention: mask", mask)?;
            check_broadcast("grouped attention: mask", mask, "(.., H_q, L, S)", &full)?;
            let mask = ops::broadcast_to(mask.as_dtype(Float32)?, &full)?.reshape(&grouped(l, s))?;
            scores = scores.add(mask)?;
        }
    }
    let sees_something = scores.max_axis(-1, true)?.ne(Array::from_f32(f32::NEG_INFINITY))?; // (.., H, G, L, 1)
    let even = Array::from_f32(1.0 / s as f32);
    let shares = ops::select(sees_something, softmax(&scores, -1)?, even)?; // (.., H, G, L, S)
    let mixed = shares.matmul(shared(value)?)?; // (.., H, G, L, D)
    Ok(mixed.reshape(query.shape())?.as_dtype(query.dtype())?)
// END WRONG

// WRONG nan-hidden fn scaled_dot_product_attention_grouped: turns every NaN into zero, not only the masked rows'
    use crate::{basics::softmax, mask::causal_mask};
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("grouped attention: query", query)?;
    check_axes("grouped attention: query", query, "(.., H_q, L, D)", 3)?;
    check_axes("grouped attention: key", key, "(.., H, S, D)", 3)?;
    let front = &query.shape()[..query.ndim() - 3];
    let (query_heads, l, width) = (query.dim(-3), query.dim(-2), query.dim(-1));
    let (heads, s) = (key.dim(-3), key.dim(-2));
    check_shape("grouped attention: key", key, "(.., H, S, D)", &[front, &[heads, s, width]].concat())?;
    check_shape("grouped attention: value", value, "(.., H, S, D)", key.shape())?;
    check_dtype("grouped attention: key", key, query.dtype())?;
    check_dtype("grouped attention: value", value, query.dtype())?;
    if heads == 0 || query_heads % heads != 0 {
        let expected = format!("(.., H, S, D) whose H divides {query_heads}, the query heads");
        return Err(Error::Shape { op: "grouped attention: key".into(), expected, got: format!("{:?}", key.shape()) });
    }

    let group = query_heads / heads; // G
    let grouped = |rows: i32, columns: i32| [front, &[heads, group, rows, columns]].concat();
    let shared = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-3)?) }; // (.., H, 1, S, D)
    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., H_q, L, D)
    let scaled = scaled.reshape(&grouped(l, width))?; // (.., H, G, L, D)
    let mut scores = scaled.matmul(shared(key)?.swap_axes(-1, -2)?)?; // (.., H, G, L, S)
    match mask {
        Mask::None => {}
        Mask::Causal => scores = scores.add(causal_mask(l, s, Float32)?)?,
        Mask::Array(mask) => {
            let full = [front, &[query_heads, l, s]].concat();
            check_float("grouped attention: mask", mask)?;
            check_broadcast("grouped attention: mask", mask, "(.., H_q, L, S)", &full)?;
            let mask = ops::broadcast_to(mask.as_dtype(Float32)?, &full)?.reshape(&grouped(l, s))?;
            scores = scores.add(mask)?;
        }
    }
    let sees_something = scores.max_axis(-1, true)?.gt(Array::from_f32(f32::NEG_INFINITY))?; // (.., H, G, L, 1)
    let shares = ops::select(sees_something, softmax(&scores, -1)?, Array::from_f32(0.0))?; // (.., H, G, L, S)
    let mixed = shares.matmul(shared(value)?)?; // (.., H, G, L, D)
    Ok(mixed.reshape(query.shape())?.as_dtype(query.dtype())?)
// END WRONG

// WRONG mask-not-grouped fn scaled_dot_product_attention_grouped: adds a mask of query heads to the groups as if it had the same axes
    use crate::{basics::softmax, mask::causal_mask};
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("grouped attention: query", query)?;
    check_axes("grouped attention: query", query, "(.., H_q, L, D)", 3)?;
    check_axes("grouped attention: key", key, "(.., H, S, D)", 3)?;
    let front = &query.shape()[..query.ndim() - 3];
    let (query_heads, l, width) = (query.dim(-3), query.dim(-2), query.dim(-1));
    let (heads, s) = (key.dim(-3), key.dim(-2));
    check_shape("grouped attention: key", key, "(.., H, S, D)", &[front, &[heads, s, width]].concat())?;
    check_shape("grouped attention: value", value, "(.., H, S, D)", key.shape())?;
    check_dtype("grouped attention: key", key, query.dtype())?;
    check_dtype("grouped attention: value", value, query.dtype())?;
    if heads == 0 || query_heads % heads != 0 {
        let expected = format!("(.., H, S, D) whose H divides {query_heads}, the query heads");
        return Err(Error::Shape { op: "grouped attention: key".into(), expected, got: format!("{:?}", key.shape()) });
    }

    let group = query_heads / heads; // G
    let grouped = |rows: i32, columns: i32| [front, &[heads, group, rows, columns]].concat();
    let shared = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-3)?) }; // (.., H, 1, S, D)
    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., H_q, L, D)
    let scaled = scaled.reshape(&grouped(l, width))?; // (.., H, G, L, D)
    let mut scores = scaled.matmul(shared(key)?.swap_axes(-1, -2)?)?; // (.., H, G, L, S)
    match mask {
        Mask::None => {}
        Mask::Causal => scores = scores.add(causal_mask(l, s, Float32)?)?,
        Mask::Array(mask) => {
            let full = [front, &[query_heads, l, s]].concat();
            check_float("grouped attention: mask", mask)?;
            check_broadcast("grouped attention: mask", mask, "(.., H_q, L, S)", &full)?;
            let mask = mask.as_dtype(Float32)?;
            scores = scores.add(mask)?;
        }
    }
    let sees_something = scores.max_axis(-1, true)?.ne(Array::from_f32(f32::NEG_INFINITY))?; // (.., H, G, L, 1)
    let shares = ops::select(sees_something, softmax(&scores, -1)?, Array::from_f32(0.0))?; // (.., H, G, L, S)
    let mixed = shares.matmul(shared(value)?)?; // (.., H, G, L, D)
    Ok(mixed.reshape(query.shape())?.as_dtype(query.dtype())?)
// END WRONG

// WRONG causal-from-the-start fn scaled_dot_product_attention_grouped: lets the queries be the first positions
    use crate::{basics::softmax, mask::causal_mask};
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("grouped attention: query", query)?;
    check_axes("grouped attention: query", query, "(.., H_q, L, D)", 3)?;
    check_axes("grouped attention: key", key, "(.., H, S, D)", 3)?;
    let front = &query.shape()[..query.ndim() - 3];
    let (query_heads, l, width) = (query.dim(-3), query.dim(-2), query.dim(-1));
    let (heads, s) = (key.dim(-3), key.dim(-2));
    check_shape("grouped attention: key", key, "(.., H, S, D)", &[front, &[heads, s, width]].concat())?;
    check_shape("grouped attention: value", value, "(.., H, S, D)", key.shape())?;
    check_dtype("grouped attention: key", key, query.dtype())?;
    check_dtype("grouped attention: value", value, query.dtype())?;
    if heads == 0 || query_heads % heads != 0 {
        let expected = format!("(.., H, S, D) whose H divides {query_heads}, the query heads");
        return Err(Error::Shape { op: "grouped attention: key".into(), expected, got: format!("{:?}", key.shape()) });
    }

    let group = query_heads / heads; // G
    let grouped = |rows: i32, columns: i32| [front, &[heads, group, rows, columns]].concat();
    let shared = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-3)?) }; // (.., H, 1, S, D)
    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., H_q, L, D)
    let scaled = scaled.reshape(&grouped(l, width))?; // (.., H, G, L, D)
    let mut scores = scaled.matmul(shared(key)?.swap_axes(-1, -2)?)?; // (.., H, G, L, S)
    match mask {
        Mask::None => {}
        Mask::Causal => scores = {
            let all = causal_mask(s, s, Float32)?;
            scores.add(all.split_at_indices(&[l], 0)?.swap_remove(0))?
        },
        Mask::Array(mask) => {
            let full = [front, &[query_heads, l, s]].concat();
            check_float("grouped attention: mask", mask)?;
            check_broadcast("grouped attention: mask", mask, "(.., H_q, L, S)", &full)?;
            let mask = ops::broadcast_to(mask.as_dtype(Float32)?, &full)?.reshape(&grouped(l, s))?;
            scores = scores.add(mask)?;
        }
    }
    let sees_something = scores.max_axis(-1, true)?.ne(Array::from_f32(f32::NEG_INFINITY))?; // (.., H, G, L, 1)
    let shares = ops::select(sees_something, softmax(&scores, -1)?, Array::from_f32(0.0))?; // (.., H, G, L, S)
    let mixed = shares.matmul(shared(value)?)?; // (.., H, G, L, D)
    Ok(mixed.reshape(query.shape())?.as_dtype(query.dtype())?)
// END WRONG

// WRONG narrow-scores fn scaled_dot_product_attention_grouped: computes scores in the dtype of the query, where f16 overflows
    use crate::{basics::softmax, mask::causal_mask};
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("grouped attention: query", query)?;
    check_axes("grouped attention: query", query, "(.., H_q, L, D)", 3)?;
    check_axes("grouped attention: key", key, "(.., H, S, D)", 3)?;
    let front = &query.shape()[..query.ndim() - 3];
    let (query_heads, l, width) = (query.dim(-3), query.dim(-2), query.dim(-1));
    let (heads, s) = (key.dim(-3), key.dim(-2));
    check_shape("grouped attention: key", key, "(.., H, S, D)", &[front, &[heads, s, width]].concat())?;
    check_shape("grouped attention: value", value, "(.., H, S, D)", key.shape())?;
    check_dtype("grouped attention: key", key, query.dtype())?;
    check_dtype("grouped attention: value", value, query.dtype())?;
    if heads == 0 || query_heads % heads != 0 {
        let expected = format!("(.., H, S, D) whose H divides {query_heads}, the query heads");
        return Err(Error::Shape { op: "grouped attention: key".into(), expected, got: format!("{:?}", key.shape()) });
    }

    let group = query_heads / heads; // G
    let grouped = |rows: i32, columns: i32| [front, &[heads, group, rows, columns]].concat();
    let shared = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-3)?) }; // (.., H, 1, S, D)
    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.multiply(Array::from_f32(scale).as_dtype(query.dtype())?)?; // (.., H_q, L, D)
    let scaled = scaled.reshape(&grouped(l, width))?; // (.., H, G, L, D)
    let mut scores = scaled.matmul(key.expand_dims(-3)?.swap_axes(-1, -2)?)?.as_dtype(Float32)?; // (.., H, G, L, S)
    match mask {
        Mask::None => {}
        Mask::Causal => scores = scores.add(causal_mask(l, s, Float32)?)?,
        Mask::Array(mask) => {
            let full = [front, &[query_heads, l, s]].concat();
            check_float("grouped attention: mask", mask)?;
            check_broadcast("grouped attention: mask", mask, "(.., H_q, L, S)", &full)?;
            let mask = ops::broadcast_to(mask.as_dtype(Float32)?, &full)?.reshape(&grouped(l, s))?;
            scores = scores.add(mask)?;
        }
    }
    let sees_something = scores.max_axis(-1, true)?.ne(Array::from_f32(f32::NEG_INFINITY))?; // (.., H, G, L, 1)
    let shares = ops::select(sees_something, softmax(&scores, -1)?, Array::from_f32(0.0))?; // (.., H, G, L, S)
    let mixed = shares.matmul(shared(value)?)?; // (.., H, G, L, D)
    Ok(mixed.reshape(query.shape())?.as_dtype(query.dtype())?)
// END WRONG

// WRONG f32-out fn scaled_dot_product_attention_grouped: returns f32 for half-precision input
    use crate::{basics::softmax, mask::causal_mask};
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("grouped attention: query", query)?;
    check_axes("grouped attention: query", query, "(.., H_q, L, D)", 3)?;
    check_axes("grouped attention: key", key, "(.., H, S, D)", 3)?;
    let front = &query.shape()[..query.ndim() - 3];
    let (query_heads, l, width) = (query.dim(-3), query.dim(-2), query.dim(-1));
    let (heads, s) = (key.dim(-3), key.dim(-2));
    check_shape("grouped attention: key", key, "(.., H, S, D)", &[front, &[heads, s, width]].concat())?;
    check_shape("grouped attention: value", value, "(.., H, S, D)", key.shape())?;
    check_dtype("grouped attention: key", key, query.dtype())?;
    check_dtype("grouped attention: value", value, query.dtype())?;
    if heads == 0 || query_heads % heads != 0 {
        let expected = format!("(.., H, S, D) whose H divides {query_heads}, the query heads");
        return Err(Error::Shape { op: "grouped attention: key".into(), expected, got: format!("{:?}", key.shape()) });
    }

    let group = query_heads / heads; // G
    let grouped = |rows: i32, columns: i32| [front, &[heads, group, rows, columns]].concat();
    let shared = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-3)?) }; // (.., H, 1, S, D)
    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., H_q, L, D)
    let scaled = scaled.reshape(&grouped(l, width))?; // (.., H, G, L, D)
    let mut scores = scaled.matmul(shared(key)?.swap_axes(-1, -2)?)?; // (.., H, G, L, S)
    match mask {
        Mask::None => {}
        Mask::Causal => scores = scores.add(causal_mask(l, s, Float32)?)?,
        Mask::Array(mask) => {
            let full = [front, &[query_heads, l, s]].concat();
            check_float("grouped attention: mask", mask)?;
            check_broadcast("grouped attention: mask", mask, "(.., H_q, L, S)", &full)?;
            let mask = ops::broadcast_to(mask.as_dtype(Float32)?, &full)?.reshape(&grouped(l, s))?;
            scores = scores.add(mask)?;
        }
    }
    let sees_something = scores.max_axis(-1, true)?.ne(Array::from_f32(f32::NEG_INFINITY))?; // (.., H, G, L, 1)
    let shares = ops::select(sees_something, softmax(&scores, -1)?, Array::from_f32(0.0))?; // (.., H, G, L, S)
    let mixed = shares.matmul(shared(value)?)?; // (.., H, G, L, D)
    Ok(mixed.reshape(query.shape())?)
// END WRONG

// WRONG any-float fn scaled_dot_product_attention_grouped: takes every float dtype, f64 too
    use crate::{basics::softmax, mask::causal_mask};
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::{Dtype::Float32, ops};

    if !(query).dtype().is_float() {
            let (expected, got) = ("a float dtype".into(), format!("{:?}", (query).dtype()));
            return Err(kit::Error::Dtype { op: "grouped attention: query".into(), expected, got });
        }
    check_axes("grouped attention: query", query, "(.., H_q, L, D)", 3)?;
    check_axes("grouped attention: key", key, "(.., H, S, D)", 3)?;
    let front = &query.shape()[..query.ndim() - 3];
    let (query_heads, l, width) = (query.dim(-3), query.dim(-2), query.dim(-1));
    let (heads, s) = (key.dim(-3), key.dim(-2));
    check_shape("grouped attention: key", key, "(.., H, S, D)", &[front, &[heads, s, width]].concat())?;
    check_shape("grouped attention: value", value, "(.., H, S, D)", key.shape())?;
    check_dtype("grouped attention: key", key, query.dtype())?;
    check_dtype("grouped attention: value", value, query.dtype())?;
    if heads == 0 || query_heads % heads != 0 {
        let expected = format!("(.., H, S, D) whose H divides {query_heads}, the query heads");
        return Err(Error::Shape { op: "grouped attention: key".into(), expected, got: format!("{:?}", key.shape()) });
    }

    let group = query_heads / heads; // G
    let grouped = |rows: i32, columns: i32| [front, &[heads, group, rows, columns]].concat();
    let shared = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-3)?) }; // (.., H, 1, S, D)
    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., H_q, L, D)
    let scaled = scaled.reshape(&grouped(l, width))?; // (.., H, G, L, D)
    let mut scores = scaled.matmul(shared(key)?.swap_axes(-1, -2)?)?; // (.., H, G, L, S)
    match mask {
        Mask::None => {}
        Mask::Causal => scores = scores.add(causal_mask(l, s, Float32)?)?,
        Mask::Array(mask) => {
            let full = [front, &[query_heads, l, s]].concat();
            check_float("grouped attention: mask", mask)?;
            check_broadcast("grouped attention: mask", mask, "(.., H_q, L, S)", &full)?;
            let mask = ops::broadcast_to(mask.as_dtype(Float32)?, &full)?.reshape(&grouped(l, s))?;
            scores = scores.add(mask)?;
        }
    }
    let sees_something = scores.max_axis(-1, true)?.ne(Array::from_f32(f32::NEG_INFINITY))?; // (.., H, G, L, 1)
    let shares = ops::select(sees_something, softmax(&scores, -1)?, Array::from_f32(0.0))?; // (.., H, G, L, S)
    let mixed = shares.matmul(shared(value)?)?; // (.., H, G, L, D)
    Ok(mixed.reshape(query.shape())?.as_dtype(query.dtype())?)
// END WRONG

// WRONG mask-narrowed fn scaled_dot_product_attention_grouped: rounds the mask to the dtype of the query, where -1e5 is -inf
    use crate::{basics::softmax, mask::causal_mask};
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("grouped attention: query", query)?;
    check_axes("grouped attention: query", query, "(.., H_q, L, D)", 3)?;
    check_axes("grouped attention: key", key, "(.., H, S, D)", 3)?;
    let front = &query.shape()[..query.ndim() - 3];
    let (query_heads, l, width) = (query.dim(-3), query.dim(-2), query.dim(-1));
    let (heads, s) = (key.dim(-3), key.dim(-2));
    check_shape("grouped attention: key", key, "(.., H, S, D)", &[front, &[heads, s, width]].concat())?;
    check_shape("grouped attention: value", value, "(.., H, S, D)", key.shape())?;
    check_dtype("grouped attention: key", key, query.dtype())?;
    check_dtype("grouped attention: value", value, query.dtype())?;
    if heads == 0 || query_heads % heads != 0 {
        let expected = format!("(.., H, S, D) whose H divides {query_heads}, the query heads");
        return Err(Error::Shape { op: "grouped attention: key".into(), expected, got: format!("{:?}", key.shape()) });
    }

    let group = query_heads / heads; // G
    let grouped = |rows: i32, columns: i32| [front, &[heads, group, rows, columns]].concat();
    let shared = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-3)?) }; // (.., H, 1, S, D)
    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., H_q, L, D)
    let scaled = scaled.reshape(&grouped(l, width))?; // (.., H, G, L, D)
    let mut scores = scaled.matmul(shared(key)?.swap_axes(-1, -2)?)?; // (.., H, G, L, S)
    match mask {
        Mask::None => {}
        Mask::Causal => scores = scores.add(causal_mask(l, s, Float32)?)?,
        Mask::Array(mask) => {
            let full = [front, &[query_heads, l, s]].concat();
            check_float("grouped attention: mask", mask)?;
            check_broadcast("grouped attention: mask", mask, "(.., H_q, L, S)", &full)?;
            let mask = ops::broadcast_to(mask.as_dtype(query.dtype())?.as_dtype(Float32)?, &full)?.reshape(&grouped(l, s))?;
            scores = scores.add(mask)?;
        }
    }
    let sees_something = scores.max_axis(-1, true)?.ne(Array::from_f32(f32::NEG_INFINITY))?; // (.., H, G, L, 1)
    let shares = ops::select(sees_something, softmax(&scores, -1)?, Array::from_f32(0.0))?; // (.., H, G, L, S)
    let mixed = shares.matmul(shared(value)?)?; // (.., H, G, L, D)
    Ok(mixed.reshape(query.shape())?.as_dtype(query.dtype())?)
// END WRONG

// WRONG shares-narrowed fn scaled_dot_product_attention_grouped: rounds the shares to the dtype of the query before it mixes
    use crate::{basics::softmax, mask::causal_mask};
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("grouped attention: query", query)?;
    check_axes("grouped attention: query", query, "(.., H_q, L, D)", 3)?;
    check_axes("grouped attention: key", key, "(.., H, S, D)", 3)?;
    let front = &query.shape()[..query.ndim() - 3];
    let (query_heads, l, width) = (query.dim(-3), query.dim(-2), query.dim(-1));
    let (heads, s) = (key.dim(-3), key.dim(-2));
    check_shape("grouped attention: key", key, "(.., H, S, D)", &[front, &[heads, s, width]].concat())?;
    check_shape("grouped attention: value", value, "(.., H, S, D)", key.shape())?;
    check_dtype("grouped attention: key", key, query.dtype())?;
    check_dtype("grouped attention: value", value, query.dtype())?;
    if heads == 0 || query_heads % heads != 0 {
        let expected = format!("(.., H, S, D) whose H divides {query_heads}, the query heads");
        return Err(Error::Shape { op: "grouped attention: key".into(), expected, got: format!("{:?}", key.shape()) });
    }

    let group = query_heads / heads; // G
    let grouped = |rows: i32, columns: i32| [front, &[heads, group, rows, columns]].concat();
    let shared = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-3)?) }; // (.., H, 1, S, D)
    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., H_q, L, D)
    let scaled = scaled.reshape(&grouped(l, width))?; // (.., H, G, L, D)
    let mut scores = scaled.matmul(shared(key)?.swap_axes(-1, -2)?)?; // (.., H, G, L, S)
    match mask {
        Mask::None => {}
        Mask::Causal => scores = scores.add(causal_mask(l, s, Float32)?)?,
        Mask::Array(mask) => {
            let full = [front, &[query_heads, l, s]].concat();
            check_float("grouped attention: mask", mask)?;
            check_broadcast("grouped attention: mask", mask, "(.., H_q, L, S)", &full)?;
            let mask = ops::broadcast_to(mask.as_dtype(Float32)?, &full)?.reshape(&grouped(l, s))?;
            scores = scores.add(mask)?;
        }
    }
    let sees_something = scores.max_axis(-1, true)?.ne(Array::from_f32(f32::NEG_INFINITY))?; // (.., H, G, L, 1)
    let shares = ops::select(sees_something, softmax(&scores, -1)?, Array::from_f32(0.0))?; // (.., H, G, L, S)
    let mixed = shares.as_dtype(query.dtype())?.as_dtype(Float32)?.matmul(shared(value)?)?; // (.., H, G, L, D)
    Ok(mixed.reshape(query.shape())?.as_dtype(query.dtype())?)
// END WRONG

// WRONG value-width-free fn scaled_dot_product_attention_grouped: does not compare the width of the values
    use crate::{basics::softmax, mask::causal_mask};
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("grouped attention: query", query)?;
    check_axes("grouped attention: query", query, "(.., H_q, L, D)", 3)?;
    check_axes("grouped attention: key", key, "(.., H, S, D)", 3)?;
    let front = &query.shape()[..query.ndim() - 3];
    let (query_heads, l, width) = (query.dim(-3), query.dim(-2), query.dim(-1));
    let (heads, s) = (key.dim(-3), key.dim(-2));
    check_shape("grouped attention: key", key, "(.., H, S, D)", &[front, &[heads, s, width]].concat())?;
    check_shape("grouped attention: value", value, "(.., H, S, D)", &[front, &[heads, s, kit::ANY]].concat())?;
    check_dtype("grouped attention: key", key, query.dtype())?;
    check_dtype("grouped attention: value", value, query.dtype())?;
    if heads == 0 || query_heads % heads != 0 {
        let expected = format!("(.., H, S, D) whose H divides {query_heads}, the query heads");
        return Err(Error::Shape { op: "grouped attention: key".into(), expected, got: format!("{:?}", key.shape()) });
    }

    let group = query_heads / heads; // G
    let grouped = |rows: i32, columns: i32| [front, &[heads, group, rows, columns]].concat();
    let shared = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-3)?) }; // (.., H, 1, S, D)
    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., H_q, L, D)
    let scaled = scaled.reshape(&grouped(l, width))?; // (.., H, G, L, D)
    let mut scores = scaled.matmul(shared(key)?.swap_axes(-1, -2)?)?; // (.., H, G, L, S)
    match mask {
        Mask::None => {}
        Mask::Causal => scores = scores.add(causal_mask(l, s, Float32)?)?,
        Mask::Array(mask) => {
            let full = [front, &[query_heads, l, s]].concat();
            check_float("grouped attention: mask", mask)?;
            check_broadcast("grouped attention: mask", mask, "(.., H_q, L, S)", &full)?;
            let mask = ops::broadcast_to(mask.as_dtype(Float32)?, &full)?.reshape(&grouped(l, s))?;
            scores = scores.add(mask)?;
        }
    }
    let sees_something = scores.max_axis(-1, true)?.ne(Array::from_f32(f32::NEG_INFINITY))?; // (.., H, G, L, 1)
    let shares = ops::select(sees_something, softmax(&scores, -1)?, Array::from_f32(0.0))?; // (.., H, G, L, S)
    let mixed = shares.matmul(shared(value)?)?; // (.., H, G, L, D)
    Ok(mixed.reshape(query.shape())?.as_dtype(query.dtype())?)
// END WRONG

// WRONG low-means-never fn scaled_dot_product_attention_grouped: gives zeros to a query whose scores are all very low
    use crate::{basics::softmax, mask::causal_mask};
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("grouped attention: query", query)?;
    check_axes("grouped attention: query", query, "(.., H_q, L, D)", 3)?;
    check_axes("grouped attention: key", key, "(.., H, S, D)", 3)?;
    let front = &query.shape()[..query.ndim() - 3];
    let (query_heads, l, width) = (query.dim(-3), query.dim(-2), query.dim(-1));
    let (heads, s) = (key.dim(-3), key.dim(-2));
    check_shape("grouped attention: key", key, "(.., H, S, D)", &[front, &[heads, s, width]].concat())?;
    check_shape("grouped attention: value", value, "(.., H, S, D)", key.shape())?;
    check_dtype("grouped attention: key", key, query.dtype())?;
    check_dtype("grouped attention: value", value, query.dtype())?;
    if heads == 0 || query_heads % heads != 0 {
        let expected = format!("(.., H, S, D) whose H divides {query_heads}, the query heads");
        return Err(Error::Shape { op: "grouped attention: key".into(), expected, got: format!("{:?}", key.shape()) });
    }

    let group = query_heads / heads; // G
    let grouped = |rows: i32, columns: i32| [front, &[heads, group, rows, columns]].concat();
    let shared = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-3)?) }; // (.., H, 1, S, D)
    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., H_q, L, D)
    let scaled = scaled.reshape(&grouped(l, width))?; // (.., H, G, L, D)
    let mut scores = scaled.matmul(shared(key)?.swap_axes(-1, -2)?)?; // (.., H, G, L, S)
    match mask {
        Mask::None => {}
        Mask::Causal => scores = scores.add(causal_mask(l, s, Float32)?)?,
        Mask::Array(mask) => {
            let full = [front, &[query_heads, l, s]].concat();
            check_float("grouped attention: mask", mask)?;
            check_broadcast("grouped attention: mask", mask, "(.., H_q, L, S)", &full)?;
            let mask = ops::broadcast_to(mask.as_dtype(Float32)?, &full)?.reshape(&grouped(l, s))?;
            scores = scores.add(mask)?;
        }
    }
    let sees_something = scores.max_axis(-1, true)?.gt(Array::from_f32(-1e8))?; // (.., H, G, L, 1)
    let shares = ops::select(sees_something, softmax(&scores, -1)?, Array::from_f32(0.0))?; // (.., H, G, L, S)
    let mixed = shares.matmul(shared(value)?)?; // (.., H, G, L, D)
    Ok(mixed.reshape(query.shape())?.as_dtype(query.dtype())?)
// END WRONG

// WRONG one-hidden-key-hides-all fn scaled_dot_product_attention_grouped: gives zeros to a query that misses one key
    use crate::{basics::softmax, mask::causal_mask};
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("grouped attention: query", query)?;
    check_axes("grouped attention: query", query, "(.., H_q, L, D)", 3)?;
    check_axes("grouped attention: key", key, "(.., H, S, D)", 3)?;
    let front = &query.shape()[..query.ndim() - 3];
    let (query_heads, l, width) = (query.dim(-3), query.dim(-2), query.dim(-1));
    let (heads, s) = (key.dim(-3), key.dim(-2));
    check_shape("grouped attention: key", key, "(.., H, S, D)", &[front, &[heads, s, width]].concat())?;
    check_shape("grouped attention: value", value, "(.., H, S, D)", key.shape())?;
    check_dtype("grouped attention: key", key, query.dtype())?;
    check_dtype("grouped attention: value", value, query.dtype())?;
    if heads == 0 || query_heads % heads != 0 {
        let expected = format!("(.., H, S, D) whose H divides {query_heads}, the query heads");
        return Err(Error::Shape { op: "grouped attention: key".into(), expected, got: format!("{:?}", key.shape()) });
    }

    let group = query_heads / heads; // G
    let grouped = |rows: i32, columns: i32| [front, &[heads, group, rows, columns]].concat();
    let shared = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-3)?) }; // (.., H, 1, S, D)
    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., H_q, L, D)
    let scaled = scaled.reshape(&grouped(l, width))?; // (.., H, G, L, D)
    let mut scores = scaled.matmul(shared(key)?.swap_axes(-1, -2)?)?; // (.., H, G, L, S)
    match mask {
        Mask::None => {}
        Mask::Causal => scores = scores.add(causal_mask(l, s, Float32)?)?,
        Mask::Array(mask) => {
            let full = [front, &[query_heads, l, s]].concat();
            check_float("grouped attention: mask", mask)?;
            check_broadcast("grouped attention: mask", mask, "(.., H_q, L, S)", &full)?;
            let mask = ops::broadcast_to(mask.as_dtype(Float32)?, &full)?.reshape(&grouped(l, s))?;
            scores = scores.add(mask)?;
        }
    }
    let sees_something = scores.min_axis(-1, true)?.ne(Array::from_f32(f32::NEG_INFINITY))?; // (.., H, G, L, 1)
    let shares = ops::select(sees_something, softmax(&scores, -1)?, Array::from_f32(0.0))?; // (.., H, G, L, S)
    let mixed = shares.matmul(shared(value)?)?; // (.., H, G, L, D)
    Ok(mixed.reshape(query.shape())?.as_dtype(query.dtype())?)
// END WRONG
