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

// WRONG any-float fn linear: takes every float dtype, f64 too
    use kit::{ANY, check_axes, check_dtype, check_float, check_shape};

    if !(x).dtype().is_float() {
            let (expected, got) = ("a float dtype".into(), format!("{:?}", (x).dtype()));
            return Err(kit::Error::Dtype { op: "linear: x".into(), expected, got });
        }
    check_axes("linear: x", x, "(.., I)", 1)?;
    check_dtype("linear: w", w, x.dtype())?;
    check_shape("linear: w", w, "(O, I)", &[ANY, x.dim(-1)])?;
    let y = x.matmul(w.transpose()?)?; // (.., I) x (I, O) -> (.., O)
    let Some(bias) = bias else { return Ok(y) };
    check_dtype("linear: bias", bias, x.dtype())?;
    check_shape("linear: bias", bias, "(O,)", &[w.dim(0)])?;
    Ok(y.add(bias)?)
// END WRONG

// WRONG bias-by-size fn linear: takes a bias of any shape that has O values
    use kit::{ANY, check_axes, check_dtype, check_float, check_shape};

    check_float("linear: x", x)?;
    check_axes("linear: x", x, "(.., I)", 1)?;
    check_dtype("linear: w", w, x.dtype())?;
    check_shape("linear: w", w, "(O, I)", &[ANY, x.dim(-1)])?;
    let y = x.matmul(w.transpose()?)?; // (.., I) x (I, O) -> (.., O)
    let Some(bias) = bias else { return Ok(y) };
    check_dtype("linear: bias", bias, x.dtype())?;
    if bias.size() as i32 != w.dim(0) {
        check_shape("linear: bias", bias, "(O,)", &[w.dim(0)])?;
    }
    Ok(y.add(bias.reshape(&[-1])?)?)
// END WRONG

// WRONG square-not-transposed fn linear: transposes only where the sizes ask for it
    use kit::{ANY, check_axes, check_dtype, check_float, check_shape};

    check_float("linear: x", x)?;
    check_axes("linear: x", x, "(.., I)", 1)?;
    check_dtype("linear: w", w, x.dtype())?;
    check_shape("linear: w", w, "(O, I)", &[ANY, x.dim(-1)])?;
    let y = if w.dim(0) == w.dim(1) { x.matmul(w)? } else { x.matmul(w.transpose()?)? }; // (.., I) x (I, O) -> (.., O)
    let Some(bias) = bias else { return Ok(y) };
    check_dtype("linear: bias", bias, x.dtype())?;
    check_shape("linear: bias", bias, "(O,)", &[w.dim(0)])?;
    Ok(y.add(bias)?)
// END WRONG
