// WRONG exp-of-x fn silu: computes exp(x) / (1 + exp(x)), which is inf / inf on the right
    use kit::check_float;
    use mlx_rs::{Dtype, ops};

    check_float("silu: x", x)?;
    let wide = x.as_dtype(Dtype::Float32)?;
    let (zero, one) = (Array::from_f32(0.0), Array::from_f32(1.0));
    let z = wide.exp()?;
    let numerator = z.clone();
    let sigmoid = numerator.divide(one.add(&z)?)?;
    Ok(wide.multiply(sigmoid)?.as_dtype(x.dtype())?)
// END WRONG

// WRONG one-minus fn silu: computes the left tail as 1 - 1/(1 + z), which cancels to nothing
    use kit::check_float;
    use mlx_rs::{Dtype, ops};

    check_float("silu: x", x)?;
    let wide = x.as_dtype(Dtype::Float32)?;
    let (zero, one) = (Array::from_f32(0.0), Array::from_f32(1.0));
    let z = wide.abs()?.negative()?.exp()?; // in 0..=1
    let right = one.divide(one.add(&z)?)?;
    let sigmoid = ops::select(wide.lt(&zero)?, one.subtract(&right)?, &right)?;
    Ok(wide.multiply(sigmoid)?.as_dtype(x.dtype())?)
// END WRONG

// WRONG sigmoid-alone fn silu: returns the sigmoid
    use kit::check_float;
    use mlx_rs::{Dtype, ops};

    check_float("silu: x", x)?;
    let wide = x.as_dtype(Dtype::Float32)?;
    let (zero, one) = (Array::from_f32(0.0), Array::from_f32(1.0));
    let z = wide.abs()?.negative()?.exp()?; // in 0..=1
    let numerator = ops::select(wide.lt(zero)?, &z, &one)?;
    let sigmoid = numerator.divide(one.add(&z)?)?;
    Ok(sigmoid.as_dtype(x.dtype())?)
// END WRONG

// WRONG relu-like fn silu: takes the right branch for both signs
    use kit::check_float;
    use mlx_rs::{Dtype, ops};

    check_float("silu: x", x)?;
    let wide = x.as_dtype(Dtype::Float32)?;
    let (zero, one) = (Array::from_f32(0.0), Array::from_f32(1.0));
    let z = wide.abs()?.negative()?.exp()?; // in 0..=1
    let numerator = one.clone();
    let sigmoid = numerator.divide(one.add(&z)?)?;
    Ok(wide.multiply(sigmoid)?.as_dtype(x.dtype())?)
// END WRONG

// WRONG narrow fn silu: computes in the dtype of x
    use kit::check_float;
    use mlx_rs::ops;

    check_float("silu: x", x)?;
    let wide = x.clone();
    let (zero, one) = (Array::from_f32(0.0).as_dtype(x.dtype())?, Array::from_f32(1.0).as_dtype(x.dtype())?);
    let z = wide.abs()?.negative()?.exp()?; // in 0..=1
    let numerator = ops::select(wide.lt(zero)?, &z, &one)?;
    let sigmoid = numerator.divide(one.add(&z)?)?;
    Ok(wide.multiply(sigmoid)?.as_dtype(x.dtype())?)
// END WRONG

// WRONG f32-out fn silu: returns f32 for half-precision input
    use kit::check_float;
    use mlx_rs::{Dtype, ops};

    check_float("silu: x", x)?;
    let wide = x.as_dtype(Dtype::Float32)?;
    let (zero, one) = (Array::from_f32(0.0), Array::from_f32(1.0));
    let z = wide.abs()?.negative()?.exp()?; // in 0..=1
    let numerator = ops::select(wide.lt(zero)?, &z, &one)?;
    let sigmoid = numerator.divide(one.add(&z)?)?;
    Ok(wide.multiply(sigmoid)?)
// END WRONG

// WRONG any-float fn silu: takes every float dtype, f64 too
    use kit::check_float;
    use mlx_rs::{Dtype, ops};

    if !(x).dtype().is_float() {
            let (expected, got) = ("a float dtype".into(), format!("{:?}", (x).dtype()));
            return Err(kit::Error::Dtype { op: "silu: x".into(), expected, got });
        }
    let wide = x.as_dtype(Dtype::Float32)?;
    let (zero, one) = (Array::from_f32(0.0), Array::from_f32(1.0));
    let z = wide.abs()?.negative()?.exp()?; // in 0..=1
    let numerator = ops::select(wide.lt(zero)?, &z, &one)?;
    let sigmoid = numerator.divide(one.add(&z)?)?;
    Ok(wide.multiply(sigmoid)?.as_dtype(x.dtype())?)
// END WRONG

// WRONG by-tanh fn silu: writes the sigmoid with tanh, which cancels on the left
    use kit::check_float;
    use mlx_rs::{Dtype, ops};

    check_float("silu: x", x)?;
    let wide = x.as_dtype(Dtype::Float32)?;
    let (zero, one) = (Array::from_f32(0.0), Array::from_f32(1.0));
    let z = wide.abs()?.negative()?.exp()?; // in 0..=1
    let numerator = ops::select(wide.lt(zero)?, &z, &one)?;
    let sigmoid = numerator.divide(one.add(&z)?)?;
    Ok(wide.multiply(ops::tanh(wide.multiply(Array::from_f32(0.5))?)?.add(&one)?.multiply(Array::from_f32(0.5))?)?.as_dtype(x.dtype())?)
// END WRONG

// WRONG sigmoid-rounded fn silu: rounds the sigmoid to the dtype of x before it multiplies
    use kit::check_float;
    use mlx_rs::{Dtype, ops};

    check_float("silu: x", x)?;
    let wide = x.as_dtype(Dtype::Float32)?;
    let (zero, one) = (Array::from_f32(0.0), Array::from_f32(1.0));
    let z = wide.abs()?.negative()?.exp()?; // in 0..=1
    let numerator = ops::select(wide.lt(zero)?, &z, &one)?;
    let sigmoid = numerator.divide(one.add(&z)?)?;
    Ok(x.multiply(sigmoid.as_dtype(x.dtype())?)?)
// END WRONG
