// WRONG diagonal-not-shifted fn causal_mask: lets the queries be the first positions
    use kit::{Error, check_float};
    use mlx_rs::ops;

    if !(0..=s).contains(&l) {
        let must = format!("be between 0 and the number of keys, {s}");
        return Err(Error::InvalidArgument { name: "l".into(), value: l.to_string(), must });
    }
    let (open, closed) = (Array::from_f32(0.0).as_dtype(dtype)?, Array::from_f32(f32::NEG_INFINITY).as_dtype(dtype)?);
    check_float("causal_mask: dtype", &open)?;
    let newest = ops::arange::<_, i32>(0, l, 1)?.expand_dims(1)?; // (L, 1), the position of each query
    let seen = ops::arange::<_, i32>(0, s, 1)?.le(newest)?; // (L, S)
    Ok(ops::select(seen, open, closed)?)
// END WRONG

// WRONG strictly-before fn causal_mask: hides a query's own position
    use kit::{Error, check_float};
    use mlx_rs::ops;

    if !(0..=s).contains(&l) {
        let must = format!("be between 0 and the number of keys, {s}");
        return Err(Error::InvalidArgument { name: "l".into(), value: l.to_string(), must });
    }
    let (open, closed) = (Array::from_f32(0.0).as_dtype(dtype)?, Array::from_f32(f32::NEG_INFINITY).as_dtype(dtype)?);
    check_float("causal_mask: dtype", &open)?;
    let newest = ops::arange::<_, i32>(s - l, s, 1)?.expand_dims(1)?; // (L, 1), the position of each query
    let seen = ops::arange::<_, i32>(0, s, 1)?.lt(newest)?; // (L, S)
    Ok(ops::select(seen, open, closed)?)
// END WRONG

// WRONG one-too-far fn causal_mask: shows the next token
    use kit::{Error, check_float};
    use mlx_rs::ops;

    if !(0..=s).contains(&l) {
        let must = format!("be between 0 and the number of keys, {s}");
        return Err(Error::InvalidArgument { name: "l".into(), value: l.to_string(), must });
    }
    let (open, closed) = (Array::from_f32(0.0).as_dtype(dtype)?, Array::from_f32(f32::NEG_INFINITY).as_dtype(dtype)?);
    check_float("causal_mask: dtype", &open)?;
    let newest = ops::arange::<_, i32>(s - l + 1, s + 1, 1)?.expand_dims(1)?; // (L, 1), the position of each query
    let seen = ops::arange::<_, i32>(0, s, 1)?.le(newest)?; // (L, S)
    Ok(ops::select(seen, open, closed)?)
// END WRONG

// WRONG upside-down fn causal_mask: shows the future and hides the past
    use kit::{Error, check_float};
    use mlx_rs::ops;

    if !(0..=s).contains(&l) {
        let must = format!("be between 0 and the number of keys, {s}");
        return Err(Error::InvalidArgument { name: "l".into(), value: l.to_string(), must });
    }
    let (open, closed) = (Array::from_f32(0.0).as_dtype(dtype)?, Array::from_f32(f32::NEG_INFINITY).as_dtype(dtype)?);
    check_float("causal_mask: dtype", &open)?;
    let newest = ops::arange::<_, i32>(s - l, s, 1)?.expand_dims(1)?; // (L, 1), the position of each query
    let seen = ops::arange::<_, i32>(0, s, 1)?.le(newest)?; // (L, S)
    Ok(ops::select(seen, closed, open)?)
// END WRONG

// WRONG large-number fn causal_mask: uses -10,000 for never
    use kit::{Error, check_float};
    use mlx_rs::ops;

    if !(0..=s).contains(&l) {
        let must = format!("be between 0 and the number of keys, {s}");
        return Err(Error::InvalidArgument { name: "l".into(), value: l.to_string(), must });
    }
    let (open, closed) = (Array::from_f32(0.0).as_dtype(dtype)?, Array::from_f32(-10_000.0).as_dtype(dtype)?);
    check_float("causal_mask: dtype", &open)?;
    let newest = ops::arange::<_, i32>(s - l, s, 1)?.expand_dims(1)?; // (L, 1), the position of each query
    let seen = ops::arange::<_, i32>(0, s, 1)?.le(newest)?; // (L, S)
    Ok(ops::select(seen, open, closed)?)
// END WRONG

// WRONG f32-always fn causal_mask: checks the dtype and returns f32
    use kit::{Error, check_float};
    use mlx_rs::ops;

    if !(0..=s).contains(&l) {
        let must = format!("be between 0 and the number of keys, {s}");
        return Err(Error::InvalidArgument { name: "l".into(), value: l.to_string(), must });
    }
    let (open, closed) = (Array::from_f32(0.0), Array::from_f32(f32::NEG_INFINITY));
    check_float("causal_mask: dtype", &open.as_dtype(dtype)?)?;
    let newest = ops::arange::<_, i32>(s - l, s, 1)?.expand_dims(1)?; // (L, 1), the position of each query
    let seen = ops::arange::<_, i32>(0, s, 1)?.le(newest)?; // (L, S)
    Ok(ops::select(seen, open, closed)?)
// END WRONG

// WRONG more-queries-than-keys fn causal_mask: accepts L > S and makes rows that see nothing
    use kit::{Error, check_float};
    use mlx_rs::ops;

    if l < 0 || s < 0 {
        let must = format!("be between 0 and the number of keys, {s}");
        return Err(Error::InvalidArgument { name: "l".into(), value: l.to_string(), must });
    }
    let (open, closed) = (Array::from_f32(0.0).as_dtype(dtype)?, Array::from_f32(f32::NEG_INFINITY).as_dtype(dtype)?);
    check_float("causal_mask: dtype", &open)?;
    let newest = ops::arange::<_, i32>(s - l, s, 1)?.expand_dims(1)?; // (L, 1), the position of each query
    let seen = ops::arange::<_, i32>(0, s, 1)?.le(newest)?; // (L, S)
    Ok(ops::select(seen, open, closed)?)
// END WRONG

// WRONG zero-times-infinity fn causal_mask: multiplies a triangle of ones by -inf
    use kit::{Error, check_float};
    use mlx_rs::ops;

    if !(0..=s).contains(&l) {
        let must = format!("be between 0 and the number of keys, {s}");
        return Err(Error::InvalidArgument { name: "l".into(), value: l.to_string(), must });
    }
    let (open, closed) = (Array::from_f32(0.0).as_dtype(dtype)?, Array::from_f32(f32::NEG_INFINITY).as_dtype(dtype)?);
    check_float("causal_mask: dtype", &open)?;
    let newest = ops::arange::<_, i32>(s - l, s, 1)?.expand_dims(1)?; // (L, 1), the position of each query
    let seen = ops::arange::<_, i32>(0, s, 1)?.le(newest)?; // (L, S)
    let _ = open;
    Ok(ops::select(seen, Array::from_f32(0.0), Array::from_f32(1.0))?.as_dtype(dtype)?.multiply(closed)?)
// END WRONG

// WRONG smallest-number fn causal_mask: uses the smallest number of the dtype for never
    use kit::{Error, check_float};
    use mlx_rs::ops;

    if !(0..=s).contains(&l) {
        let must = format!("be between 0 and the number of keys, {s}");
        return Err(Error::InvalidArgument { name: "l".into(), value: l.to_string(), must });
    }
    let (open, closed) = (Array::from_f32(0.0).as_dtype(dtype)?, Array::from_f32(if dtype == Dtype::Float16 { -65504.0 } else { -3.38e38 }).as_dtype(dtype)?);
    check_float("causal_mask: dtype", &open)?;
    let newest = ops::arange::<_, i32>(s - l, s, 1)?.expand_dims(1)?; // (L, 1), the position of each query
    let seen = ops::arange::<_, i32>(0, s, 1)?.le(newest)?; // (L, S)
    Ok(ops::select(seen, open, closed)?)
// END WRONG
