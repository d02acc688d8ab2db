// WRONG all-ties fn top_k: keeps every tie at the cut, more than k
    use kit::Error;
    use mlx_rs::{Dtype, ops, ops::indexing::IndexOp};

    check_rows(logprobs)?;
    let vocabulary = logprobs.dim(1) as usize;
    if k == 0 || k > vocabulary {
        let must = format!("be at least 1 and at most the vocabulary, {vocabulary}");
        return Err(Error::InvalidArgument { name: "k".into(), value: k.to_string(), must });
    }
    if k == vocabulary {
        return Ok(logprobs.clone());
    }
    // The partition is trusted with one value, the k-th largest; which of two equals it put in front is chance.
    let kth = (k - 1) as i32;
    let place = ops::argpartition_axis(logprobs.negative()?, kth, -1)?.index((.., kth..kth + 1)); // (B, 1)
    let cut = logprobs.take_along_axis(place, -1)?; // (B, 1)
    let above = logprobs.gt(&cut)?; // (B, V)
    let tied = logprobs.eq(&cut)?; // (B, V)
    let seats = Array::from_int(k as i32).subtract(above.as_dtype(Dtype::Int32)?.sum_axis(-1, true)?)?; // (B, 1)
    let number = tied.as_dtype(Dtype::Int32)?.cumsum(-1, None, None)?; // (B, V), 1 for the first of equals
    let keep = above.logical_or(&tied)?;
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG last-ties fn top_k: gives the seats to the highest ids
    use kit::Error;
    use mlx_rs::{Dtype, ops, ops::indexing::IndexOp};

    check_rows(logprobs)?;
    let vocabulary = logprobs.dim(1) as usize;
    if k == 0 || k > vocabulary {
        let must = format!("be at least 1 and at most the vocabulary, {vocabulary}");
        return Err(Error::InvalidArgument { name: "k".into(), value: k.to_string(), must });
    }
    if k == vocabulary {
        return Ok(logprobs.clone());
    }
    // The partition is trusted with one value, the k-th largest; which of two equals it put in front is chance.
    let kth = (k - 1) as i32;
    let place = ops::argpartition_axis(logprobs.negative()?, kth, -1)?.index((.., kth..kth + 1)); // (B, 1)
    let cut = logprobs.take_along_axis(place, -1)?; // (B, 1)
    let above = logprobs.gt(&cut)?; // (B, V)
    let tied = logprobs.eq(&cut)?; // (B, V)
    let seats = Array::from_int(k as i32).subtract(above.as_dtype(Dtype::Int32)?.sum_axis(-1, true)?)?; // (B, 1)
    let number = tied.as_dtype(Dtype::Int32)?.cumsum(-1, true, None)?; // (B, V), 1 for the first of equals
    let keep = above.logical_or(tied.logical_and(number.le(&seats)?)?)?;
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG no-ties fn top_k: keeps what is above the cut and drops every tie
    use kit::Error;
    use mlx_rs::{Dtype, ops, ops::indexing::IndexOp};

    check_rows(logprobs)?;
    let vocabulary = logprobs.dim(1) as usize;
    if k == 0 || k > vocabulary {
        let must = format!("be at least 1 and at most the vocabulary, {vocabulary}");
        return Err(Error::InvalidArgument { name: "k".into(), value: k.to_string(), must });
    }
    if k == vocabulary {
        return Ok(logprobs.clone());
    }
    // The partition is trusted with one value, the k-th largest; which of two equals it put in front is chance.
    let kth = (k - 1) as i32;
    let place = ops::argpartition_axis(logprobs.negative()?, kth, -1)?.index((.., kth..kth + 1)); // (B, 1)
    let cut = logprobs.take_along_axis(place, -1)?; // (B, 1)
    let above = logprobs.gt(&cut)?; // (B, V)
    let tied = logprobs.eq(&cut)?; // (B, V)
    let seats = Array::from_int(k as i32).subtract(above.as_dtype(Dtype::Int32)?.sum_axis(-1, true)?)?; // (B, 1)
    let number = tied.as_dtype(Dtype::Int32)?.cumsum(-1, None, None)?; // (B, V), 1 for the first of equals
    let keep = above.clone();
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG least-likely fn top_k: partitions the row itself, so that the smallest stay in front
    use kit::Error;
    use mlx_rs::{Dtype, ops, ops::indexing::IndexOp};

    check_rows(logprobs)?;
    let vocabulary = logprobs.dim(1) as usize;
    if k == 0 || k > vocabulary {
        let must = format!("be at least 1 and at most the vocabulary, {vocabulary}");
        return Err(Error::InvalidArgument { name: "k".into(), value: k.to_string(), must });
    }
    if k == vocabulary {
        return Ok(logprobs.clone());
    }
    // The partition is trusted with one value, the k-th largest; which of two equals it put in front is chance.
    let kth = (k - 1) as i32;
    let place = ops::argpartition_axis(logprobs, kth, -1)?.index((.., kth..kth + 1)); // (B, 1)
    let cut = logprobs.take_along_axis(place, -1)?; // (B, 1)
    let above = logprobs.gt(&cut)?; // (B, V)
    let tied = logprobs.eq(&cut)?; // (B, V)
    let seats = Array::from_int(k as i32).subtract(above.as_dtype(Dtype::Int32)?.sum_axis(-1, true)?)?; // (B, 1)
    let number = tied.as_dtype(Dtype::Int32)?.cumsum(-1, None, None)?; // (B, V), 1 for the first of equals
    let keep = above.logical_or(tied.logical_and(number.le(&seats)?)?)?;
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG clamped fn top_k: takes a k above the vocabulary for the vocabulary
    use kit::Error;
    use mlx_rs::{Dtype, ops, ops::indexing::IndexOp};

    check_rows(logprobs)?;
    let vocabulary = logprobs.dim(1) as usize;
    let k = k.min(vocabulary);
    if k == 0 {
        let must = format!("be at least 1 and at most the vocabulary, {vocabulary}");
        return Err(Error::InvalidArgument { name: "k".into(), value: k.to_string(), must });
    }
    if k == vocabulary {
        return Ok(logprobs.clone());
    }
    // The partition is trusted with one value, the k-th largest; which of two equals it put in front is chance.
    let kth = (k - 1) as i32;
    let place = ops::argpartition_axis(logprobs.negative()?, kth, -1)?.index((.., kth..kth + 1)); // (B, 1)
    let cut = logprobs.take_along_axis(place, -1)?; // (B, 1)
    let above = logprobs.gt(&cut)?; // (B, V)
    let tied = logprobs.eq(&cut)?; // (B, V)
    let seats = Array::from_int(k as i32).subtract(above.as_dtype(Dtype::Int32)?.sum_axis(-1, true)?)?; // (B, 1)
    let number = tied.as_dtype(Dtype::Int32)?.cumsum(-1, None, None)?; // (B, V), 1 for the first of equals
    let keep = above.logical_or(tied.logical_and(number.le(&seats)?)?)?;
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG k-minus-one fn top_k: counts places from one, so that one token too few stays
    use kit::Error;
    use mlx_rs::{Dtype, ops, ops::indexing::IndexOp};

    check_rows(logprobs)?;
    let vocabulary = logprobs.dim(1) as usize;
    if k == 0 || k > vocabulary {
        let must = format!("be at least 1 and at most the vocabulary, {vocabulary}");
        return Err(Error::InvalidArgument { name: "k".into(), value: k.to_string(), must });
    }
    if k == vocabulary {
        return Ok(logprobs.clone());
    }
    // The partition is trusted with one value, the k-th largest; which of two equals it put in front is chance.
    let kth = (k as i32 - 2).max(0);
    let place = ops::argpartition_axis(logprobs.negative()?, kth, -1)?.index((.., kth..kth + 1)); // (B, 1)
    let cut = logprobs.take_along_axis(place, -1)?; // (B, 1)
    let above = logprobs.gt(&cut)?; // (B, V)
    let tied = logprobs.eq(&cut)?; // (B, V)
    let seats = Array::from_int(k as i32).subtract(above.as_dtype(Dtype::Int32)?.sum_axis(-1, true)?)?; // (B, 1)
    let number = tied.as_dtype(Dtype::Int32)?.cumsum(-1, None, None)?; // (B, V), 1 for the first of equals
    let keep = above.logical_or(tied.logical_and(number.le(&seats)?)?)?;
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG rescaled fn top_k: makes the survivors add up to one
    use kit::Error;
    use mlx_rs::{Dtype, ops, ops::indexing::IndexOp};

    check_rows(logprobs)?;
    let vocabulary = logprobs.dim(1) as usize;
    if k == 0 || k > vocabulary {
        let must = format!("be at least 1 and at most the vocabulary, {vocabulary}");
        return Err(Error::InvalidArgument { name: "k".into(), value: k.to_string(), must });
    }
    if k == vocabulary {
        return Ok(logprobs.clone());
    }
    // The partition is trusted with one value, the k-th largest; which of two equals it put in front is chance.
    let kth = (k - 1) as i32;
    let place = ops::argpartition_axis(logprobs.negative()?, kth, -1)?.index((.., kth..kth + 1)); // (B, 1)
    let cut = logprobs.take_along_axis(place, -1)?; // (B, 1)
    let above = logprobs.gt(&cut)?; // (B, V)
    let tied = logprobs.eq(&cut)?; // (B, V)
    let seats = Array::from_int(k as i32).subtract(above.as_dtype(Dtype::Int32)?.sum_axis(-1, true)?)?; // (B, 1)
    let number = tied.as_dtype(Dtype::Int32)?.cumsum(-1, None, None)?; // (B, V), 1 for the first of equals
    let keep = above.logical_or(tied.logical_and(number.le(&seats)?)?)?;
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    let kept = ops::select(&keep, logprobs, &never)?;
    Ok(kept.subtract(kept.logsumexp_axis(-1, true)?)?)
// END WRONG

// WRONG cut-of-the-first-row fn top_k: measures every row by the cut of the first
    use kit::Error;
    use mlx_rs::{Dtype, ops, ops::indexing::IndexOp};

    check_rows(logprobs)?;
    let vocabulary = logprobs.dim(1) as usize;
    if k == 0 || k > vocabulary {
        let must = format!("be at least 1 and at most the vocabulary, {vocabulary}");
        return Err(Error::InvalidArgument { name: "k".into(), value: k.to_string(), must });
    }
    if k == vocabulary {
        return Ok(logprobs.clone());
    }
    // The partition is trusted with one value, the k-th largest; which of two equals it put in front is chance.
    let kth = (k - 1) as i32;
    let place = ops::argpartition_axis(logprobs.negative()?, kth, -1)?.index((.., kth..kth + 1)); // (B, 1)
    let cut = logprobs.take_along_axis(place, -1)?.index((0..1, ..));
    let above = logprobs.gt(&cut)?; // (B, V)
    let tied = logprobs.eq(&cut)?; // (B, V)
    let seats = Array::from_int(k as i32).subtract(above.as_dtype(Dtype::Int32)?.sum_axis(-1, true)?)?; // (B, 1)
    let number = tied.as_dtype(Dtype::Int32)?.cumsum(-1, None, None)?; // (B, V), 1 for the first of equals
    let keep = above.logical_or(tied.logical_and(number.le(&seats)?)?)?;
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG unchecked fn top_k: filters rows that no token can be drawn from
    use kit::Error;
    use mlx_rs::{Dtype, ops, ops::indexing::IndexOp};

    let vocabulary = logprobs.dim(1) as usize;
    if k == 0 || k > vocabulary {
        let must = format!("be at least 1 and at most the vocabulary, {vocabulary}");
        return Err(Error::InvalidArgument { name: "k".into(), value: k.to_string(), must });
    }
    if k == vocabulary {
        return Ok(logprobs.clone());
    }
    // The partition is trusted with one value, the k-th largest; which of two equals it put in front is chance.
    let kth = (k - 1) as i32;
    let place = ops::argpartition_axis(logprobs.negative()?, kth, -1)?.index((.., kth..kth + 1)); // (B, 1)
    let cut = logprobs.take_along_axis(place, -1)?; // (B, 1)
    let above = logprobs.gt(&cut)?; // (B, V)
    let tied = logprobs.eq(&cut)?; // (B, V)
    let seats = Array::from_int(k as i32).subtract(above.as_dtype(Dtype::Int32)?.sum_axis(-1, true)?)?; // (B, 1)
    let number = tied.as_dtype(Dtype::Int32)?.cumsum(-1, None, None)?; // (B, V), 1 for the first of equals
    let keep = above.logical_or(tied.logical_and(number.le(&seats)?)?)?;
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG end-of-ascending fn top_k: takes the end of the ascending order, where ties stand with the highest id last
    use kit::Error;
    use mlx_rs::{ops, ops::indexing::IndexOp};

    check_rows(logprobs)?;
    let vocabulary = logprobs.dim(1) as usize;
    if k == 0 || k > vocabulary {
        let must = format!("be at least 1 and at most the vocabulary, {vocabulary}");
        return Err(Error::InvalidArgument { name: "k".into(), value: k.to_string(), must });
    }
    if k == vocabulary {
        return Ok(logprobs.clone());
    }
    let order = ops::argsort_axis(logprobs, -1)?;
    let rest = order.index((.., ..(vocabulary - k) as i32));
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    let never = ops::broadcast_to(&never, rest.shape())?;
    Ok(ops::indexing::put_along_axis(logprobs, rest, never, -1)?)
// END WRONG

// WRONG minus-1e9 fn top_k: uses -1e4 for never
    use kit::Error;
    use mlx_rs::{Dtype, ops, ops::indexing::IndexOp};

    check_rows(logprobs)?;
    let vocabulary = logprobs.dim(1) as usize;
    if k == 0 || k > vocabulary {
        let must = format!("be at least 1 and at most the vocabulary, {vocabulary}");
        return Err(Error::InvalidArgument { name: "k".into(), value: k.to_string(), must });
    }
    if k == vocabulary {
        return Ok(logprobs.clone());
    }
    // The partition is trusted with one value, the k-th largest; which of two equals it put in front is chance.
    let kth = (k - 1) as i32;
    let place = ops::argpartition_axis(logprobs.negative()?, kth, -1)?.index((.., kth..kth + 1)); // (B, 1)
    let cut = logprobs.take_along_axis(place, -1)?; // (B, 1)
    let above = logprobs.gt(&cut)?; // (B, V)
    let tied = logprobs.eq(&cut)?; // (B, V)
    let seats = Array::from_int(k as i32).subtract(above.as_dtype(Dtype::Int32)?.sum_axis(-1, true)?)?; // (B, 1)
    let number = tied.as_dtype(Dtype::Int32)?.cumsum(-1, None, None)?; // (B, V), 1 for the first of equals
    let keep = above.logical_or(tied.logical_and(number.le(&seats)?)?)?;
    let never = Array::from_f32(-1e4).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG unchecked-at-vocabulary fn top_k: returns the row unchecked when k = V
    use kit::Error;
    use mlx_rs::{Dtype, ops, ops::indexing::IndexOp};

    if logprobs.ndim() != 2 || k != logprobs.dim(1) as usize {
        check_rows(logprobs)?;
    }
    let vocabulary = logprobs.dim(1) as usize;
    if k == 0 || k > vocabulary {
        let must = format!("be at least 1 and at most the vocabulary, {vocabulary}");
        return Err(Error::InvalidArgument { name: "k".into(), value: k.to_string(), must });
    }
    if k == vocabulary {
        return Ok(logprobs.clone());
    }
    // The partition is trusted with one value, the k-th largest; which of two equals it put in front is chance.
    let kth = (k - 1) as i32;
    let place = ops::argpartition_axis(logprobs.negative()?, kth, -1)?.index((.., kth..kth + 1)); // (B, 1)
    let cut = logprobs.take_along_axis(place, -1)?; // (B, 1)
    let above = logprobs.gt(&cut)?; // (B, V)
    let tied = logprobs.eq(&cut)?; // (B, V)
    let seats = Array::from_int(k as i32).subtract(above.as_dtype(Dtype::Int32)?.sum_axis(-1, true)?)?; // (B, 1)
    let number = tied.as_dtype(Dtype::Int32)?.cumsum(-1, None, None)?; // (B, V), 1 for the first of equals
    let keep = above.logical_or(tied.logical_and(number.le(&seats)?)?)?;
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG
