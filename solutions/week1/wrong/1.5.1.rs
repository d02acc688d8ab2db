// WRONG no-bound fn Embedding::forward: looks up whatever comes, and MLX reads beyond the table
    Ok(self.weight.take_axis(ids, 0)?)
// END WRONG

// WRONG bound-off-by-one fn Embedding::forward: takes V for a valid id
    use kit::Error;
    use mlx_rs::Dtype;

    if ids.dtype().is_float() || ids.dtype() == Dtype::Bool {
        let got = format!("{:?}", ids.dtype());
        return Err(Error::Dtype { op: "embedding: ids".into(), expected: "integers".into(), got });
    }
    if ids.size() > 0 {
        for id in [ids.min(false)?, ids.max(false)?] {
            let id = id.as_dtype(Dtype::Int64)?.item_exact::<i64>();
            if id < 0 || id > i64::from(self.weight.dim(0)) {
                let must = format!("be below the vocabulary, {}", self.weight.dim(0));
                return Err(Error::InvalidArgument { name: "ids".into(), value: id.to_string(), must });
            }
        }
    }
    Ok(self.weight.take_axis(ids, 0)?)
// END WRONG

// WRONG negative-ids fn Embedding::forward: looks at the largest id alone, so that -1 is the last row
    use kit::Error;
    use mlx_rs::Dtype;

    if ids.dtype().is_float() || ids.dtype() == Dtype::Bool {
        let got = format!("{:?}", ids.dtype());
        return Err(Error::Dtype { op: "embedding: ids".into(), expected: "integers".into(), got });
    }
    if ids.size() > 0 {
        let id = ids.max(false)?.as_dtype(Dtype::Int64)?.item_exact::<i64>();
        if id >= i64::from(self.weight.dim(0)) {
            let must = format!("be below the vocabulary, {}", self.weight.dim(0));
            return Err(Error::InvalidArgument { name: "ids".into(), value: id.to_string(), must });
        }
    }
    Ok(self.weight.take_axis(ids, 0)?)
// END WRONG

// WRONG clamped fn Embedding::forward: reads the last row for every id that is too large
    use mlx_rs::{Array, ops};

    let last = Array::from_int(self.weight.dim(0) - 1);
    Ok(self.weight.take_axis(ops::minimum(ids, last)?, 0)?)
// END WRONG

// WRONG flat fn Embedding::forward: loses the axes of the ids
    use kit::Error;
    use mlx_rs::Dtype;

    if ids.dtype().is_float() || ids.dtype() == Dtype::Bool {
        let got = format!("{:?}", ids.dtype());
        return Err(Error::Dtype { op: "embedding: ids".into(), expected: "integers".into(), got });
    }
    for id in [ids.min(false)?, ids.max(false)?] {
        let id = id.as_dtype(Dtype::Int64)?.item_exact::<i64>();
        if id < 0 || id >= i64::from(self.weight.dim(0)) {
            let must = format!("be below the vocabulary, {}", self.weight.dim(0));
            return Err(Error::InvalidArgument { name: "ids".into(), value: id.to_string(), must });
        }
    }
    Ok(self.weight.take_axis(ids.reshape(&[-1])?, 0)?)
// END WRONG

// WRONG scaled fn Embedding::as_linear: scales the logits like attention scores
    let logits = crate::basics::linear(x, &self.weight, None)?;
    Ok(logits.multiply(mlx_rs::Array::from_f32((self.weight.dim(1) as f32).powf(-0.5)).as_dtype(x.dtype())?)?)
// END WRONG

// WRONG widened fn Embedding::as_linear: leaves the dtype of the input
    use mlx_rs::Dtype;

    crate::basics::linear(&x.as_dtype(Dtype::Float32)?, &self.weight.as_dtype(Dtype::Float32)?, None)
// END WRONG

// WRONG any-table fn Embedding::new: keeps a table that is none
    Ok(Self { weight })
// END WRONG
