// WRONG no-shift fn softmax: exponentiates without subtracting the largest value
    use kit::{Error, check_float};
    use mlx_rs::Dtype;

    check_float("softmax: x", x)?;
    let axes = x.ndim() as i32;
    if !(-axes..axes).contains(&axis) {
        let must = format!("be at least {} and below {axes}, the number of axes", -axes);
        return Err(Error::InvalidArgument { name: "axis".into(), value: axis.to_string(), must });
    }
    let wide = x.as_dtype(Dtype::Float32)?;
    let powers = wide.exp()?; // all in 0..=1, the largest is 1
    let shares = powers.divide(powers.sum_axis(axis, true)?)?;
    Ok(shares.as_dtype(x.dtype())?)
// END WRONG

// WRONG one-shift-for-all fn softmax: subtracts the largest value of the whole array, so that lower rows vanish
    use kit::{Error, check_float};
    use mlx_rs::Dtype;

    check_float("softmax: x", x)?;
    let axes = x.ndim() as i32;
    if !(-axes..axes).contains(&axis) {
        let must = format!("be at least {} and below {axes}, the number of axes", -axes);
        return Err(Error::InvalidArgument { name: "axis".into(), value: axis.to_string(), must });
    }
    let wide = x.as_dtype(Dtype::Float32)?;
    let powers = wide.subtract(wide.max(false)?)?.exp()?; // all in 0..=1, the largest is 1
    let shares = powers.divide(powers.sum_axis(axis, true)?)?;
    Ok(shares.as_dtype(x.dtype())?)
// END WRONG

// WRONG last-axis-always fn softmax: ignores the axis
    use kit::{Error, check_float};
    use mlx_rs::Dtype;

    check_float("softmax: x", x)?;
    let axes = x.ndim() as i32;
    if !(-axes..axes).contains(&axis) {
        let must = format!("be at least {} and below {axes}, the number of axes", -axes);
        return Err(Error::InvalidArgument { name: "axis".into(), value: axis.to_string(), must });
    }
    let wide = x.as_dtype(Dtype::Float32)?;
    let powers = wide.subtract(wide.max_axis(-1, true)?)?.exp()?; // all in 0..=1, the largest is 1
    let shares = powers.divide(powers.sum_axis(-1, true)?)?;
    Ok(shares.as_dtype(x.dtype())?)
// END WRONG

// WRONG narrow-sums fn softmax: computes in the dtype of x
    use kit::{Error, check_float};

    check_float("softmax: x", x)?;
    let axes = x.ndim() as i32;
    if !(-axes..axes).contains(&axis) {
        let must = format!("be at least {} and below {axes}, the number of axes", -axes);
        return Err(Error::InvalidArgument { name: "axis".into(), value: axis.to_string(), must });
    }
    let wide = x.clone();
    let powers = wide.subtract(wide.max_axis(axis, true)?)?.exp()?; // all in 0..=1, the largest is 1
    let shares = powers.divide(powers.sum_axis(axis, true)?)?;
    Ok(shares.as_dtype(x.dtype())?)
// END WRONG

// WRONG f32-out fn softmax: returns f32 for half-precision input
    use kit::{Error, check_float};
    use mlx_rs::Dtype;

    check_float("softmax: x", x)?;
    let axes = x.ndim() as i32;
    if !(-axes..axes).contains(&axis) {
        let must = format!("be at least {} and below {axes}, the number of axes", -axes);
        return Err(Error::InvalidArgument { name: "axis".into(), value: axis.to_string(), must });
    }
    let wide = x.as_dtype(Dtype::Float32)?;
    let powers = wide.subtract(wide.max_axis(axis, true)?)?.exp()?; // all in 0..=1, the largest is 1
    let shares = powers.divide(powers.sum_axis(axis, true)?)?;
    Ok(shares)
// END WRONG

// WRONG axis-lost fn softmax: drops the reduced axis, so that a square array is divided along the wrong one
    use kit::{Error, check_float};
    use mlx_rs::Dtype;

    check_float("softmax: x", x)?;
    let axes = x.ndim() as i32;
    if !(-axes..axes).contains(&axis) {
        let must = format!("be at least {} and below {axes}, the number of axes", -axes);
        return Err(Error::InvalidArgument { name: "axis".into(), value: axis.to_string(), must });
    }
    let wide = x.as_dtype(Dtype::Float32)?;
    let powers = wide.subtract(wide.max_axis(axis, true)?)?.exp()?; // all in 0..=1, the largest is 1
    let shares = powers.divide(powers.sum_axis(axis, false)?)?;
    Ok(shares.as_dtype(x.dtype())?)
// END WRONG

// WRONG any-float fn softmax: takes every float dtype, f64 too
    use kit::{Error, check_float};
    use mlx_rs::Dtype;

    if !(x).dtype().is_float() {
            let (expected, got) = ("a float dtype".into(), format!("{:?}", (x).dtype()));
            return Err(kit::Error::Dtype { op: "softmax: x".into(), expected, got });
        }
    let axes = x.ndim() as i32;
    if !(-axes..axes).contains(&axis) {
        let must = format!("be at least {} and below {axes}, the number of axes", -axes);
        return Err(Error::InvalidArgument { name: "axis".into(), value: axis.to_string(), must });
    }
    let wide = x.as_dtype(Dtype::Float32)?;
    let powers = wide.subtract(wide.max_axis(axis, true)?)?.exp()?; // all in 0..=1, the largest is 1
    let shares = powers.divide(powers.sum_axis(axis, true)?)?;
    Ok(shares.as_dtype(x.dtype())?)
// END WRONG

// WRONG no-nan fn softmax: writes zeros where only -inf, or +inf, stands
    use kit::{Error, check_float};
    use mlx_rs::Dtype;

    check_float("softmax: x", x)?;
    let axes = x.ndim() as i32;
    if !(-axes..axes).contains(&axis) {
        let must = format!("be at least {} and below {axes}, the number of axes", -axes);
        return Err(Error::InvalidArgument { name: "axis".into(), value: axis.to_string(), must });
    }
    let wide = x.as_dtype(Dtype::Float32)?;
    let powers = wide.subtract(wide.max_axis(axis, true)?)?.exp()?; // all in 0..=1, the largest is 1
    let shares = powers.divide(powers.sum_axis(axis, true)?)?;
    Ok(shares.nan_to_num(0.0, None, None)?.as_dtype(x.dtype())?)
// END WRONG

// WRONG clipped fn softmax: subtracts the mean, not the largest value
    use kit::{Error, check_float};
    use mlx_rs::Dtype;

    check_float("softmax: x", x)?;
    let axes = x.ndim() as i32;
    if !(-axes..axes).contains(&axis) {
        let must = format!("be at least {} and below {axes}, the number of axes", -axes);
        return Err(Error::InvalidArgument { name: "axis".into(), value: axis.to_string(), must });
    }
    let wide = x.as_dtype(Dtype::Float32)?;
    let powers = wide.subtract(wide.mean_axis(axis, true)?)?.exp()?; // all in 0..=1, the largest is 1
    let shares = powers.divide(powers.sum_axis(axis, true)?)?;
    Ok(shares.as_dtype(x.dtype())?)
// END WRONG

// WRONG smoothed fn softmax: adds a small number to the sum, so that nothing is divided by zero
    use kit::{Error, check_float};
    use mlx_rs::Dtype;

    check_float("softmax: x", x)?;
    let axes = x.ndim() as i32;
    if !(-axes..axes).contains(&axis) {
        let must = format!("be at least {} and below {axes}, the number of axes", -axes);
        return Err(Error::InvalidArgument { name: "axis".into(), value: axis.to_string(), must });
    }
    let wide = x.as_dtype(Dtype::Float32)?;
    let powers = wide.subtract(wide.max_axis(axis, true)?)?.exp()?; // all in 0..=1, the largest is 1
    let shares = powers.divide(powers.sum_axis(axis, true)?.add(Array::from_f32(1e-6))?)?;
    Ok(shares.as_dtype(x.dtype())?)
// END WRONG

// WRONG floor-of-minus-1e4 fn softmax: replaces -inf by a large negative number, so that a row of -inf is even
    use kit::{Error, check_float};
    use mlx_rs::Dtype;

    check_float("softmax: x", x)?;
    let axes = x.ndim() as i32;
    if !(-axes..axes).contains(&axis) {
        let must = format!("be at least {} and below {axes}, the number of axes", -axes);
        return Err(Error::InvalidArgument { name: "axis".into(), value: axis.to_string(), must });
    }
    let wide = x.as_dtype(Dtype::Float32)?;
    let wide = mlx_rs::ops::maximum(&wide, Array::from_f32(-1e38))?;
    let powers = wide.subtract(wide.max_axis(axis, true)?)?.exp()?; // all in 0..=1, the largest is 1
    let shares = powers.divide(powers.sum_axis(axis, true)?)?;
    Ok(shares.as_dtype(x.dtype())?)
// END WRONG
