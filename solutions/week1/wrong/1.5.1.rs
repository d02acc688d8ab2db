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

// WRONG any-float fn Embedding::new: takes every float dtype, f64 too
        use kit::{ANY, check_float, check_shape};

        check_shape("embedding: weight", &weight, "(V, E)", &[ANY, ANY])?;
        if !(weight).dtype().is_float() {
            let (expected, got) = ("a float dtype".into(), format!("{:?}", (weight).dtype()));
            return Err(kit::Error::Dtype { op: "embedding: weight".into(), expected, got });
        }
        Ok(Self { weight })
// END WRONG

// WRONG narrowed-first fn Embedding::forward: casts ids to i32 before it looks at them, so that 2^32 is 0
        use kit::Error;
        use mlx_rs::{Dtype, transforms::eval};

        let dtype = ids.dtype();
        if dtype == Dtype::Bool || dtype.is_float() || dtype.is_complex() {
            let (expected, got) = ("integers, such as Uint32".into(), format!("{dtype:?}"));
            return Err(Error::Dtype { op: "embedding: ids".into(), expected, got });
        }
        let ids = &if dtype == Dtype::Uint32 { ids.clone() } else { ids.as_dtype(Dtype::Int32)? };
        if ids.size() > 0 {
            // MLX reads whatever lies beyond the table, so the two extremes are looked at first.
            let extremes = [ids.min(false)?.as_dtype(Dtype::Int64)?, ids.max(false)?.as_dtype(Dtype::Int64)?];
            eval(&extremes)?;
            for id in extremes.map(|id| id.item_exact::<i64>()) {
                if !(0..i64::from(self.weight.dim(0))).contains(&id) {
                    let must = format!("be below the vocabulary, {}, and not negative", self.weight.dim(0));
                    return Err(Error::InvalidArgument { name: "ids".into(), value: id.to_string(), must });
                }
            }
        }
        Ok(self.weight.take_axis(ids, 0)?) // (.., E)
// END WRONG

// WRONG three-dtypes fn Embedding::forward: takes ids of three dtypes
        use kit::Error;
        use mlx_rs::{Dtype, transforms::eval};

        let dtype = ids.dtype();
        if !matches!(dtype, Dtype::Uint32 | Dtype::Int32 | Dtype::Int64) {
            let (expected, got) = ("integers, such as Uint32".into(), format!("{dtype:?}"));
            return Err(Error::Dtype { op: "embedding: ids".into(), expected, got });
        }
        if ids.size() > 0 {
            // MLX reads whatever lies beyond the table, so the two extremes are looked at first.
            let extremes = [ids.min(false)?.as_dtype(Dtype::Int64)?, ids.max(false)?.as_dtype(Dtype::Int64)?];
            eval(&extremes)?;
            for id in extremes.map(|id| id.item_exact::<i64>()) {
                if !(0..i64::from(self.weight.dim(0))).contains(&id) {
                    let must = format!("be below the vocabulary, {}, and not negative", self.weight.dim(0));
                    return Err(Error::InvalidArgument { name: "ids".into(), value: id.to_string(), must });
                }
            }
        }
        Ok(self.weight.take_axis(ids, 0)?) // (.., E)
// END WRONG

// WRONG first-id-only fn Embedding::forward: looks at the first and the last id
        use kit::Error;
        use mlx_rs::{Dtype, transforms::eval};

        let dtype = ids.dtype();
        if dtype == Dtype::Bool || dtype.is_float() || dtype.is_complex() {
            let (expected, got) = ("integers, such as Uint32".into(), format!("{dtype:?}"));
            return Err(Error::Dtype { op: "embedding: ids".into(), expected, got });
        }
        if ids.size() > 0 {
            // MLX reads whatever lies beyond the table, so the two extremes are looked at first.
            let extremes = [ids.reshape(&[-1])?.take_axis(Array::from_int(0), 0)?.as_dtype(Dtype::Int64)?, ids.reshape(&[-1])?.take_axis(Array::from_int(ids.size() as i32 - 1), 0)?.as_dtype(Dtype::Int64)?];
            eval(&extremes)?;
            for id in extremes.map(|id| id.item_exact::<i64>()) {
                if !(0..i64::from(self.weight.dim(0))).contains(&id) {
                    let must = format!("be below the vocabulary, {}, and not negative", self.weight.dim(0));
                    return Err(Error::InvalidArgument { name: "ids".into(), value: id.to_string(), must });
                }
            }
        }
        Ok(self.weight.take_axis(ids, 0)?) // (.., E)
// END WRONG

// WRONG empty-refused fn Embedding::forward: cannot look up nothing
        use kit::Error;
        use mlx_rs::{Dtype, transforms::eval};

        let dtype = ids.dtype();
        if dtype == Dtype::Bool || dtype.is_float() || dtype.is_complex() {
            let (expected, got) = ("integers, such as Uint32".into(), format!("{dtype:?}"));
            return Err(Error::Dtype { op: "embedding: ids".into(), expected, got });
        }
        {
            // MLX reads whatever lies beyond the table, so the two extremes are looked at first.
            let extremes = [ids.min(false)?.as_dtype(Dtype::Int64)?, ids.max(false)?.as_dtype(Dtype::Int64)?];
            eval(&extremes)?;
            for id in extremes.map(|id| id.item_exact::<i64>()) {
                if !(0..i64::from(self.weight.dim(0))).contains(&id) {
                    let must = format!("be below the vocabulary, {}, and not negative", self.weight.dim(0));
                    return Err(Error::InvalidArgument { name: "ids".into(), value: id.to_string(), must });
                }
            }
        }
        Ok(self.weight.take_axis(ids, 0)?) // (.., E)
// END WRONG

// WRONG columns fn Embedding::forward: reads columns of a square table
        use kit::Error;
        use mlx_rs::{Dtype, transforms::eval};

        let dtype = ids.dtype();
        if dtype == Dtype::Bool || dtype.is_float() || dtype.is_complex() {
            let (expected, got) = ("integers, such as Uint32".into(), format!("{dtype:?}"));
            return Err(Error::Dtype { op: "embedding: ids".into(), expected, got });
        }
        if ids.size() > 0 {
            // MLX reads whatever lies beyond the table, so the two extremes are looked at first.
            let extremes = [ids.min(false)?.as_dtype(Dtype::Int64)?, ids.max(false)?.as_dtype(Dtype::Int64)?];
            eval(&extremes)?;
            for id in extremes.map(|id| id.item_exact::<i64>()) {
                if !(0..i64::from(self.weight.dim(0))).contains(&id) {
                    let must = format!("be below the vocabulary, {}, and not negative", self.weight.dim(0));
                    return Err(Error::InvalidArgument { name: "ids".into(), value: id.to_string(), must });
                }
            }
        }
        Ok(if self.weight.dim(0) == self.weight.dim(1) { self.weight.transpose()?.take_axis(ids, 0)? } else { self.weight.take_axis(ids, 0)? }) // (.., E)
// END WRONG

// WRONG square-not-transposed fn Embedding::as_linear: multiplies by a square table as it lies
        if self.weight.dim(0) == self.weight.dim(1) { return Ok(x.matmul(&self.weight)?); }
        crate::basics::linear(x, &self.weight, None)
// END WRONG
