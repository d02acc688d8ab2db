// WRONG multiplied fn draw: multiplies by the temperature, so that hot is cold
    use kit::Error;
    use mlx_rs::{Dtype, ops::indexing::argmax_axis, random};

    if !(temp.is_finite() && temp >= 0.0) {
        let must = "be 0 or a finite positive number".into();
        return Err(Error::InvalidArgument { name: "temp".into(), value: temp.to_string(), must });
    }
    check_rows(logprobs)?;
    if temp == 0.0 {
        return Ok(argmax_axis(logprobs, -1, false)?); // (B,), the first of equals
    }
    // Measured from the row's maximum, so that no temperature, however small, makes every entry -inf.
    let logprobs = logprobs.as_dtype(Dtype::Float32)?;
    let below_best = logprobs.subtract(logprobs.max_axis(-1, true)?)?; // (B, V), at most 0
    Ok(random::categorical(below_best.multiply(Array::from_f32(temp))?, -1, None, key)?) // (B,)
// END WRONG

// WRONG probabilities fn draw: hands categorical probabilities, so that a masked token weighs e^0
    use kit::Error;
    use mlx_rs::{Dtype, ops::indexing::argmax_axis, random};

    if !(temp.is_finite() && temp >= 0.0) {
        let must = "be 0 or a finite positive number".into();
        return Err(Error::InvalidArgument { name: "temp".into(), value: temp.to_string(), must });
    }
    check_rows(logprobs)?;
    if temp == 0.0 {
        return Ok(argmax_axis(logprobs, -1, false)?); // (B,), the first of equals
    }
    // Measured from the row's maximum, so that no temperature, however small, makes every entry -inf.
    let logprobs = logprobs.as_dtype(Dtype::Float32)?;
    let below_best = logprobs.subtract(logprobs.max_axis(-1, true)?)?; // (B, V), at most 0
    Ok(random::categorical(below_best.divide(Array::from_f32(temp))?.exp()?, -1, None, key)?) // (B,)
// END WRONG

// WRONG global-state fn draw: draws from the random state of the process
    use kit::Error;
    use mlx_rs::{Dtype, ops::indexing::argmax_axis, random};

    if !(temp.is_finite() && temp >= 0.0) {
        let must = "be 0 or a finite positive number".into();
        return Err(Error::InvalidArgument { name: "temp".into(), value: temp.to_string(), must });
    }
    check_rows(logprobs)?;
    if temp == 0.0 {
        return Ok(argmax_axis(logprobs, -1, false)?); // (B,), the first of equals
    }
    // Measured from the row's maximum, so that no temperature, however small, makes every entry -inf.
    let logprobs = logprobs.as_dtype(Dtype::Float32)?;
    let below_best = logprobs.subtract(logprobs.max_axis(-1, true)?)?; // (B, V), at most 0
    Ok(random::categorical(below_best.divide(Array::from_f32(temp))?, -1, None, None)?) // (B,)
// END WRONG

// WRONG greedy-unchecked fn draw: lets bad rows through at temperature 0
    use kit::Error;
    use mlx_rs::{Dtype, ops::indexing::argmax_axis, random};

    if !(temp.is_finite() && temp >= 0.0) {
        let must = "be 0 or a finite positive number".into();
        return Err(Error::InvalidArgument { name: "temp".into(), value: temp.to_string(), must });
    }
    if temp == 0.0 {
        return Ok(argmax_axis(logprobs, -1, false)?); // (B,), the first of equals
    }
    // Measured from the row's maximum, so that no temperature, however small, makes every entry -inf.
    let logprobs = logprobs.as_dtype(Dtype::Float32)?;
    let below_best = logprobs.subtract(logprobs.max_axis(-1, true)?)?; // (B, V), at most 0
    Ok(random::categorical(below_best.divide(Array::from_f32(temp))?, -1, None, key)?) // (B,)
// END WRONG

// WRONG negative-is-greedy fn draw: takes a negative temperature for 0
    use kit::Error;
    use mlx_rs::{Dtype, ops::indexing::argmax_axis, random};

    let temp = temp.max(0.0);
    if !temp.is_finite() {
        let must = "be 0 or a finite positive number".into();
        return Err(Error::InvalidArgument { name: "temp".into(), value: temp.to_string(), must });
    }
    check_rows(logprobs)?;
    if temp == 0.0 {
        return Ok(argmax_axis(logprobs, -1, false)?); // (B,), the first of equals
    }
    // Measured from the row's maximum, so that no temperature, however small, makes every entry -inf.
    let logprobs = logprobs.as_dtype(Dtype::Float32)?;
    let below_best = logprobs.subtract(logprobs.max_axis(-1, true)?)?; // (B, V), at most 0
    Ok(random::categorical(below_best.divide(Array::from_f32(temp))?, -1, None, key)?) // (B,)
// END WRONG

// WRONG one-noise fn draw: gives every row the same noise
    use kit::Error;
    use mlx_rs::{Dtype, ops::indexing::argmax_axis, random};

    if !(temp.is_finite() && temp >= 0.0) {
        let must = "be 0 or a finite positive number".into();
        return Err(Error::InvalidArgument { name: "temp".into(), value: temp.to_string(), must });
    }
    check_rows(logprobs)?;
    if temp == 0.0 {
        return Ok(argmax_axis(logprobs, -1, false)?); // (B,), the first of equals
    }
    // Measured from the row's maximum, so that no temperature, however small, makes every entry -inf.
    let logprobs = logprobs.as_dtype(Dtype::Float32)?;
    let below_best = logprobs.subtract(logprobs.max_axis(-1, true)?)?; // (B, V), at most 0
    let noise = random::gumbel::<f32>(&[below_best.dim(1)], key)?;
    Ok(argmax_axis(below_best.divide(Array::from_f32(temp))?.add(noise)?, -1, false)?)
// END WRONG

// WRONG rowless fn check_rows: says that something is wrong, and always names row 0
    use kit::{ANY, Error};
    use mlx_rs::{Dtype, ops, transforms::eval};

    kit::check_shape("sampler: logprobs", logprobs, "(B, V)", &[ANY, ANY])?;
    kit::check_float("sampler: logprobs", logprobs)?;
    if logprobs.size() == 0 {
        let (expected, got) = ("(B, V), both at least 1".into(), format!("{:?}", logprobs.shape()));
        return Err(Error::Shape { op: "sampler: logprobs".into(), expected, got });
    }
    let has_nan = ops::is_nan(logprobs)?.any_axis(-1, false)?; // (B,)
    let best = logprobs.max_axis(-1, false)?.as_dtype(Dtype::Float32)?; // (B,)
    eval([&has_nan, &best])?;
    for (row, (&has_nan, &best)) in has_nan.as_slice::<bool>().iter().zip(best.as_slice::<f32>()).enumerate() {
        let what = match best {
            _ if has_nan => "contains NaN",
            f32::INFINITY => "contains +inf",
            f32::NEG_INFINITY => "has no finite entry",
            _ => continue,
        };
        return Err(Error::NonFinite { row: row * 0, what: what.into() });
    }
    Ok(())
// END WRONG

// WRONG nan-only fn check_rows: looks for NaN alone
    use kit::{ANY, Error};
    use mlx_rs::{Dtype, ops, transforms::eval};

    kit::check_shape("sampler: logprobs", logprobs, "(B, V)", &[ANY, ANY])?;
    kit::check_float("sampler: logprobs", logprobs)?;
    if logprobs.size() == 0 {
        let (expected, got) = ("(B, V), both at least 1".into(), format!("{:?}", logprobs.shape()));
        return Err(Error::Shape { op: "sampler: logprobs".into(), expected, got });
    }
    let has_nan = ops::is_nan(logprobs)?.any_axis(-1, false)?; // (B,)
    let best = logprobs.max_axis(-1, false)?.as_dtype(Dtype::Float32)?; // (B,)
    eval([&has_nan, &best])?;
    for (row, (&has_nan, &best)) in has_nan.as_slice::<bool>().iter().zip(best.as_slice::<f32>()).enumerate() {
        let what = match best {
            _ if has_nan => "contains NaN",
            f32::INFINITY => "contains +inf",
            f32::NEG_INFINITY => continue,
            _ => continue,
        };
        return Err(Error::NonFinite { row, what: what.into() });
    }
    Ok(())
// END WRONG

// WRONG first-row-only fn check_rows: looks at the first row
    use kit::{ANY, Error};
    use mlx_rs::{Dtype, ops, transforms::eval};

    kit::check_shape("sampler: logprobs", logprobs, "(B, V)", &[ANY, ANY])?;
    kit::check_float("sampler: logprobs", logprobs)?;
    if logprobs.size() == 0 {
        let (expected, got) = ("(B, V), both at least 1".into(), format!("{:?}", logprobs.shape()));
        return Err(Error::Shape { op: "sampler: logprobs".into(), expected, got });
    }
    let has_nan = ops::is_nan(logprobs)?.any_axis(-1, false)?; // (B,)
    let best = logprobs.max_axis(-1, false)?.as_dtype(Dtype::Float32)?; // (B,)
    eval([&has_nan, &best])?;
    for (row, (&has_nan, &best)) in has_nan.as_slice::<bool>().iter().zip(best.as_slice::<f32>()).enumerate().take(1) {
        let what = match best {
            _ if has_nan => "contains NaN",
            f32::INFINITY => "contains +inf",
            f32::NEG_INFINITY => "has no finite entry",
            _ => continue,
        };
        return Err(Error::NonFinite { row, what: what.into() });
    }
    Ok(())
// END WRONG

// WRONG last-of-equals fn draw: takes the highest id on a tie
    use kit::Error;
    use mlx_rs::{Dtype, ops::indexing::argmax_axis, random};

    if !(temp.is_finite() && temp >= 0.0) {
        let must = "be 0 or a finite positive number".into();
        return Err(Error::InvalidArgument { name: "temp".into(), value: temp.to_string(), must });
    }
    check_rows(logprobs)?;
    if temp == 0.0 {
        let v = logprobs.dim(1);
        let backwards =
            logprobs.take_axis(mlx_rs::ops::arange::<_, i32>(0, v, 1)?.negative()?.add(Array::from_int(v - 1))?, 1)?;
        let from_the_end = argmax_axis(backwards, -1, false)?.as_dtype(Dtype::Int32)?;
        return Ok(Array::from_int(v - 1).subtract(from_the_end)?.as_dtype(Dtype::Uint32)?); // (B,), the first of equals
    }
    // Measured from the row's maximum, so that no temperature, however small, makes every entry -inf.
    let logprobs = logprobs.as_dtype(Dtype::Float32)?;
    let below_best = logprobs.subtract(logprobs.max_axis(-1, true)?)?; // (B, V), at most 0
    Ok(random::categorical(below_best.divide(Array::from_f32(temp))?, -1, None, key)?) // (B,)
// END WRONG

// WRONG any-float fn check_rows: takes every float dtype, f64 too
    use kit::{ANY, Error};
    use mlx_rs::{Dtype, ops, transforms::eval};

    kit::check_shape("sampler: logprobs", logprobs, "(B, V)", &[ANY, ANY])?;
    if !logprobs.dtype().is_float() {
        kit::check_float("sampler: logprobs", logprobs)?;
        if logprobs.size() == 0 {
            let (expected, got) = ("(B, V), both at least 1".into(), format!("{:?}", logprobs.shape()));
            return Err(Error::Shape { op: "sampler: logprobs".into(), expected, got });
        }
    }
    let has_nan = ops::is_nan(logprobs)?.any_axis(-1, false)?; // (B,)
    let best = logprobs.max_axis(-1, false)?.as_dtype(Dtype::Float32)?; // (B,)
    eval([&has_nan, &best])?;
    for (row, (&has_nan, &best)) in has_nan.as_slice::<bool>().iter().zip(best.as_slice::<f32>()).enumerate() {
        let what = match best {
            _ if has_nan => "contains NaN",
            f32::INFINITY => "contains +inf",
            f32::NEG_INFINITY => "has no finite entry",
            _ => continue,
        };
        return Err(Error::NonFinite { row, what: what.into() });
    }
    Ok(())
// END WRONG

// WRONG last-bad-row fn check_rows: names the last bad row
    use kit::{ANY, Error};
    use mlx_rs::{Dtype, ops, transforms::eval};

    kit::check_shape("sampler: logprobs", logprobs, "(B, V)", &[ANY, ANY])?;
    kit::check_float("sampler: logprobs", logprobs)?;
    if logprobs.size() == 0 {
        let (expected, got) = ("(B, V), both at least 1".into(), format!("{:?}", logprobs.shape()));
        return Err(Error::Shape { op: "sampler: logprobs".into(), expected, got });
    }
    let has_nan = ops::is_nan(logprobs)?.any_axis(-1, false)?; // (B,)
    let best = logprobs.max_axis(-1, false)?.as_dtype(Dtype::Float32)?; // (B,)
    eval([&has_nan, &best])?;
    for (row, (&has_nan, &best)) in has_nan.as_slice::<bool>().iter().zip(best.as_slice::<f32>()).enumerate().collect::<Vec<_>>().into_iter().rev() {
        let what = match best {
            _ if has_nan => "contains NaN",
            f32::INFINITY => "contains +inf",
            f32::NEG_INFINITY => "has no finite entry",
            _ => continue,
        };
        return Err(Error::NonFinite { row, what: what.into() });
    }
    Ok(())
// END WRONG

// WRONG nan-first fn check_rows: looks for NaN in all rows before it looks for infinities
    use kit::{ANY, Error};
    use mlx_rs::{Dtype, ops, transforms::eval};

    kit::check_shape("sampler: logprobs", logprobs, "(B, V)", &[ANY, ANY])?;
    kit::check_float("sampler: logprobs", logprobs)?;
    if logprobs.size() == 0 {
        let (expected, got) = ("(B, V), both at least 1".into(), format!("{:?}", logprobs.shape()));
        return Err(Error::Shape { op: "sampler: logprobs".into(), expected, got });
    }
    let has_nan = ops::is_nan(logprobs)?.any_axis(-1, false)?; // (B,)
    let best = logprobs.max_axis(-1, false)?.as_dtype(Dtype::Float32)?; // (B,)
    eval([&has_nan, &best])?;
    if let Some(row) = has_nan.as_slice::<bool>().iter().position(|&nan| nan) {
        return Err(Error::NonFinite { row, what: "contains NaN".into() });
    }
    for (row, (&has_nan, &best)) in has_nan.as_slice::<bool>().iter().zip(best.as_slice::<f32>()).enumerate() {
        let what = match best {
            _ if has_nan => "contains NaN",
            f32::INFINITY => "contains +inf",
            f32::NEG_INFINITY => "has no finite entry",
            _ => continue,
        };
        return Err(Error::NonFinite { row, what: what.into() });
    }
    Ok(())
// END WRONG

// WRONG one-masked-refuses fn check_rows: refuses a row that holds one -inf
    use kit::{ANY, Error};
    use mlx_rs::{Dtype, ops, transforms::eval};

    kit::check_shape("sampler: logprobs", logprobs, "(B, V)", &[ANY, ANY])?;
    kit::check_float("sampler: logprobs", logprobs)?;
    if logprobs.size() == 0 {
        let (expected, got) = ("(B, V), both at least 1".into(), format!("{:?}", logprobs.shape()));
        return Err(Error::Shape { op: "sampler: logprobs".into(), expected, got });
    }
    let has_nan = ops::is_nan(logprobs)?.any_axis(-1, false)?; // (B,)
    let best = ops::select(has_nan.clone(), Array::from_f32(0.0), logprobs.min_axis(-1, false)?)?.add(logprobs.max_axis(-1, false)?.multiply(Array::from_f32(0.0))?)?.as_dtype(Dtype::Float32)?; // (B,)
    eval([&has_nan, &best])?;
    for (row, (&has_nan, &best)) in has_nan.as_slice::<bool>().iter().zip(best.as_slice::<f32>()).enumerate() {
        let what = match best {
            _ if has_nan => "contains NaN",
            f32::INFINITY => "contains +inf",
            f32::NEG_INFINITY => "has no finite entry",
            _ => continue,
        };
        return Err(Error::NonFinite { row, what: what.into() });
    }
    Ok(())
// END WRONG

// WRONG sum-must-be-finite fn check_rows: takes very low log probabilities for -inf
    use kit::{ANY, Error};
    use mlx_rs::{Dtype, ops, transforms::eval};

    kit::check_shape("sampler: logprobs", logprobs, "(B, V)", &[ANY, ANY])?;
    kit::check_float("sampler: logprobs", logprobs)?;
    if logprobs.size() == 0 {
        let (expected, got) = ("(B, V), both at least 1".into(), format!("{:?}", logprobs.shape()));
        return Err(Error::Shape { op: "sampler: logprobs".into(), expected, got });
    }
    let has_nan = ops::is_nan(logprobs)?.any_axis(-1, false)?; // (B,)
    let best = logprobs.max_axis(-1, false)?.as_dtype(Dtype::Float32)?; // (B,)
    eval([&has_nan, &best])?;
    for (row, (&has_nan, &best)) in has_nan.as_slice::<bool>().iter().zip(best.as_slice::<f32>()).enumerate() {
        let what = match best {
            _ if has_nan => "contains NaN",
            f32::INFINITY => "contains +inf",
            _ if best < -1e4 => "has no finite entry",
            _ => continue,
        };
        return Err(Error::NonFinite { row, what: what.into() });
    }
    Ok(())
// END WRONG

// WRONG tiny-is-zero fn draw: takes a temperature below 1e-5 for 0
    use kit::Error;
    use mlx_rs::{Dtype, ops::indexing::argmax_axis, random};

    if !(temp.is_finite() && temp >= 0.0) {
        let must = "be 0 or a finite positive number".into();
        return Err(Error::InvalidArgument { name: "temp".into(), value: temp.to_string(), must });
    }
    check_rows(logprobs)?;
    if temp < 1e-5 {
        return Ok(argmax_axis(logprobs, -1, false)?); // (B,), the first of equals
    }
    // Measured from the row's maximum, so that no temperature, however small, makes every entry -inf.
    let logprobs = logprobs.as_dtype(Dtype::Float32)?;
    let below_best = logprobs.subtract(logprobs.max_axis(-1, true)?)?; // (B, V), at most 0
    Ok(random::categorical(below_best.divide(Array::from_f32(temp))?, -1, None, key)?) // (B,)
// END WRONG

// WRONG no-shift fn draw: divides log probabilities as they are, so that a tiny temperature makes all -inf
    use kit::Error;
    use mlx_rs::{Dtype, ops::indexing::argmax_axis, random};

    if !(temp.is_finite() && temp >= 0.0) {
        let must = "be 0 or a finite positive number".into();
        return Err(Error::InvalidArgument { name: "temp".into(), value: temp.to_string(), must });
    }
    check_rows(logprobs)?;
    if temp == 0.0 {
        return Ok(argmax_axis(logprobs, -1, false)?); // (B,), the first of equals
    }
    // Measured from the row's maximum, so that no temperature, however small, makes every entry -inf.
    let logprobs = logprobs.as_dtype(Dtype::Float32)?;
    let below_best = logprobs.clone(); // (B, V), at most 0
    Ok(random::categorical(below_best.divide(Array::from_f32(temp))?, -1, None, key)?) // (B,)
// END WRONG

// WRONG narrow fn draw: divides in the dtype of the row
    use kit::Error;
    use mlx_rs::{Dtype, ops::indexing::argmax_axis, random};

    if !(temp.is_finite() && temp >= 0.0) {
        let must = "be 0 or a finite positive number".into();
        return Err(Error::InvalidArgument { name: "temp".into(), value: temp.to_string(), must });
    }
    check_rows(logprobs)?;
    if temp == 0.0 {
        return Ok(argmax_axis(logprobs, -1, false)?); // (B,), the first of equals
    }
    // Measured from the row's maximum, so that no temperature, however small, makes every entry -inf.
    let narrow = logprobs.dtype();
    let below_best = logprobs.subtract(logprobs.max_axis(-1, true)?)?; // (B, V), at most 0
    Ok(random::categorical(below_best.divide(Array::from_f32(temp).as_dtype(narrow)?)?, -1, None, key)?) // (B,)
// END WRONG
