// WRONG no-transpose fn linear: multiplies by w as it lies, (O, I), instead of its transpose
    use kit::{ANY, check_axes, check_dtype, check_float, check_shape};

    check_float("linear: x", x)?;
    check_axes("linear: x", x, "(.., I)", 1)?;
    check_dtype("linear: w", w, x.dtype())?;
    check_shape("linear: w", w, "(O, I)", &[ANY, x.dim(-1)])?;
    let y = x.matmul(w)?; // (.., I) x (I, O) -> (.., O)
    let Some(bias) = bias else { return Ok(y) };
    check_dtype("linear: bias", bias, x.dtype())?;
    check_shape("linear: bias", bias, "(O,)", &[w.dim(0)])?;
    Ok(y.add(bias)?)
// END WRONG

// WRONG bias-forgotten fn linear: checks the bias and does not add it
    use kit::{ANY, check_axes, check_dtype, check_float, check_shape};

    check_float("linear: x", x)?;
    check_axes("linear: x", x, "(.., I)", 1)?;
    check_dtype("linear: w", w, x.dtype())?;
    check_shape("linear: w", w, "(O, I)", &[ANY, x.dim(-1)])?;
    let y = x.matmul(w.transpose()?)?; // (.., I) x (I, O) -> (.., O)
    let Some(bias) = bias else { return Ok(y) };
    check_dtype("linear: bias", bias, x.dtype())?;
    check_shape("linear: bias", bias, "(O,)", &[w.dim(0)])?;
    Ok(y)
// END WRONG

// WRONG bias-broadcasts fn linear: takes any bias that broadcasts, one value for all outputs too
    use kit::{ANY, check_axes, check_dtype, check_float, check_shape};

    check_float("linear: x", x)?;
    check_axes("linear: x", x, "(.., I)", 1)?;
    check_dtype("linear: w", w, x.dtype())?;
    check_shape("linear: w", w, "(O, I)", &[ANY, x.dim(-1)])?;
    let y = x.matmul(w.transpose()?)?; // (.., I) x (I, O) -> (.., O)
    let Some(bias) = bias else { return Ok(y) };
    check_dtype("linear: bias", bias, x.dtype())?;
    Ok(y.add(bias)?)
// END WRONG

// WRONG dtypes-promote fn linear: lets MLX promote mixed dtypes
    use kit::{ANY, check_axes, check_float, check_shape};

    check_float("linear: x", x)?;
    check_axes("linear: x", x, "(.., I)", 1)?;
    check_shape("linear: w", w, "(O, I)", &[ANY, x.dim(-1)])?;
    let y = x.matmul(w.transpose()?)?; // (.., I) x (I, O) -> (.., O)
    let Some(bias) = bias else { return Ok(y) };
    check_shape("linear: bias", bias, "(O,)", &[w.dim(0)])?;
    Ok(y.add(bias)?)
// END WRONG

// WRONG rows-flattened fn linear: flattens the axes in front and does not restore them
    use kit::{ANY, check_axes, check_dtype, check_float, check_shape};

    check_float("linear: x", x)?;
    check_axes("linear: x", x, "(.., I)", 1)?;
    check_dtype("linear: w", w, x.dtype())?;
    check_shape("linear: w", w, "(O, I)", &[ANY, x.dim(-1)])?;
    let y = x.reshape(&[-1, x.dim(-1)])?.matmul(w.transpose()?)?; // (.., I) x (I, O) -> (.., O)
    let Some(bias) = bias else { return Ok(y) };
    check_dtype("linear: bias", bias, x.dtype())?;
    check_shape("linear: bias", bias, "(O,)", &[w.dim(0)])?;
    Ok(y.add(bias)?)
// END WRONG
