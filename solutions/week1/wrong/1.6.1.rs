// WRONG first-position fn next_logprobs: reads the law after the first token
    use kit::{ANY, Error};
    use mlx_rs::{Dtype, ops::indexing::IndexOp};

    kit::check_shape("next_logprobs: logits", logits, "(B, L, V)", &[ANY, ANY, ANY])?;
    kit::check_float("next_logprobs: logits", logits)?;
    if logits.dim(1) == 0 {
        let (expected, got) = ("(B, L, V) with L >= 1".into(), format!("{:?}", logits.shape()));
        return Err(Error::Shape { op: "next_logprobs: logits".into(), expected, got });
    }
    let last = logits.index((.., 0, ..)).as_dtype(Dtype::Float32)?; // (B, V)
    let below_best = last.subtract(last.max_axis(-1, true)?)?; // at most 0: no exponential overflows
    let log_sum_exp = below_best.exp()?.sum_axis(-1, true)?.log()?; // (B, 1)
    Ok(below_best.subtract(log_sum_exp)?)
// END WRONG

// WRONG no-maximum fn next_logprobs: exponentiates the logits as they are, which overflows
    use kit::{ANY, Error};
    use mlx_rs::{Dtype, ops::indexing::IndexOp};

    kit::check_shape("next_logprobs: logits", logits, "(B, L, V)", &[ANY, ANY, ANY])?;
    kit::check_float("next_logprobs: logits", logits)?;
    if logits.dim(1) == 0 {
        let (expected, got) = ("(B, L, V) with L >= 1".into(), format!("{:?}", logits.shape()));
        return Err(Error::Shape { op: "next_logprobs: logits".into(), expected, got });
    }
    let last = logits.index((.., -1, ..)).as_dtype(Dtype::Float32)?; // (B, V)
    let below_best = last.clone();
    let log_sum_exp = below_best.exp()?.sum_axis(-1, true)?.log()?; // (B, 1)
    Ok(below_best.subtract(log_sum_exp)?)
// END WRONG

// WRONG probabilities fn next_logprobs: gives the probabilities, not their logarithms
    use kit::{ANY, Error};
    use mlx_rs::{Dtype, ops::indexing::IndexOp};

    kit::check_shape("next_logprobs: logits", logits, "(B, L, V)", &[ANY, ANY, ANY])?;
    kit::check_float("next_logprobs: logits", logits)?;
    if logits.dim(1) == 0 {
        let (expected, got) = ("(B, L, V) with L >= 1".into(), format!("{:?}", logits.shape()));
        return Err(Error::Shape { op: "next_logprobs: logits".into(), expected, got });
    }
    let last = logits.index((.., -1, ..)).as_dtype(Dtype::Float32)?; // (B, V)
    let below_best = last.subtract(last.max_axis(-1, true)?)?; // at most 0: no exponential overflows
    let log_sum_exp = below_best.exp()?.sum_axis(-1, true)?.log()?; // (B, 1)
    Ok(below_best.subtract(log_sum_exp)?.exp()?)
// END WRONG

// WRONG not-normalised fn next_logprobs: subtracts the maximum and calls that normalised
    use kit::{ANY, Error};
    use mlx_rs::{Dtype, ops::indexing::IndexOp};

    kit::check_shape("next_logprobs: logits", logits, "(B, L, V)", &[ANY, ANY, ANY])?;
    kit::check_float("next_logprobs: logits", logits)?;
    if logits.dim(1) == 0 {
        let (expected, got) = ("(B, L, V) with L >= 1".into(), format!("{:?}", logits.shape()));
        return Err(Error::Shape { op: "next_logprobs: logits".into(), expected, got });
    }
    let last = logits.index((.., -1, ..)).as_dtype(Dtype::Float32)?; // (B, V)
    let below_best = last.subtract(last.max_axis(-1, true)?)?; // at most 0: no exponential overflows
    let log_sum_exp = below_best.exp()?.sum_axis(-1, true)?.log()?; // (B, 1)
    let _ = log_sum_exp;
    Ok(below_best)
// END WRONG

// WRONG sum-over-the-batch fn next_logprobs: sums over all rows
    use kit::{ANY, Error};
    use mlx_rs::{Dtype, ops::indexing::IndexOp};

    kit::check_shape("next_logprobs: logits", logits, "(B, L, V)", &[ANY, ANY, ANY])?;
    kit::check_float("next_logprobs: logits", logits)?;
    if logits.dim(1) == 0 {
        let (expected, got) = ("(B, L, V) with L >= 1".into(), format!("{:?}", logits.shape()));
        return Err(Error::Shape { op: "next_logprobs: logits".into(), expected, got });
    }
    let last = logits.index((.., -1, ..)).as_dtype(Dtype::Float32)?; // (B, V)
    let below_best = last.subtract(last.max_axis(-1, true)?)?; // at most 0: no exponential overflows
    let log_sum_exp = below_best.exp()?.sum(true)?.log()?; // (B, 1)
    Ok(below_best.subtract(log_sum_exp)?)
// END WRONG

// WRONG half-precision fn next_logprobs: stays in the dtype of the logits
    use kit::{ANY, Error};
    use mlx_rs::{Dtype, ops::indexing::IndexOp};

    kit::check_shape("next_logprobs: logits", logits, "(B, L, V)", &[ANY, ANY, ANY])?;
    kit::check_float("next_logprobs: logits", logits)?;
    if logits.dim(1) == 0 {
        let (expected, got) = ("(B, L, V) with L >= 1".into(), format!("{:?}", logits.shape()));
        return Err(Error::Shape { op: "next_logprobs: logits".into(), expected, got });
    }
    let last = logits.index((.., -1, ..));
    let _ = Dtype::Float32;
    let below_best = last.subtract(last.max_axis(-1, true)?)?; // at most 0: no exponential overflows
    let log_sum_exp = below_best.exp()?.sum_axis(-1, true)?.log()?; // (B, 1)
    Ok(below_best.subtract(log_sum_exp)?)
// END WRONG

// WRONG log-of-softmax fn next_logprobs: takes the logarithm of probabilities that have become 0
    use kit::{ANY, Error};
    use mlx_rs::{Dtype, ops::indexing::IndexOp};

    kit::check_shape("next_logprobs: logits", logits, "(B, L, V)", &[ANY, ANY, ANY])?;
    kit::check_float("next_logprobs: logits", logits)?;
    if logits.dim(1) == 0 {
        let (expected, got) = ("(B, L, V) with L >= 1".into(), format!("{:?}", logits.shape()));
        return Err(Error::Shape { op: "next_logprobs: logits".into(), expected, got });
    }
    let last = logits.index((.., -1, ..)).as_dtype(Dtype::Float32)?; // (B, V)
    let below_best = last.subtract(last.max_axis(-1, true)?)?; // at most 0: no exponential overflows
    let log_sum_exp = below_best.exp()?.sum_axis(-1, true)?.log()?; // (B, 1)
    Ok(below_best.exp()?.divide(log_sum_exp.exp()?)?.log()?)
// END WRONG

// WRONG any-float fn next_logprobs: takes every float dtype, f64 too
    use kit::{ANY, Error};
    use mlx_rs::{Dtype, ops::indexing::IndexOp};

    kit::check_shape("next_logprobs: logits", logits, "(B, L, V)", &[ANY, ANY, ANY])?;
    if !logits.dtype().is_float() {
        kit::check_float("next_logprobs: logits", logits)?;
    }
    if logits.dim(1) == 0 {
        let (expected, got) = ("(B, L, V) with L >= 1".into(), format!("{:?}", logits.shape()));
        return Err(Error::Shape { op: "next_logprobs: logits".into(), expected, got });
    }
    let last = logits.index((.., -1, ..)).as_dtype(Dtype::Float32)?; // (B, V)
    let below_best = last.subtract(last.max_axis(-1, true)?)?; // at most 0: no exponential overflows
    let log_sum_exp = below_best.exp()?.sum_axis(-1, true)?.log()?; // (B, 1)
    Ok(below_best.subtract(log_sum_exp)?)
// END WRONG

// WRONG nan-hidden fn next_logprobs: turns what is not a number into never
    use kit::{ANY, Error};
    use mlx_rs::{Dtype, ops::indexing::IndexOp};

    kit::check_shape("next_logprobs: logits", logits, "(B, L, V)", &[ANY, ANY, ANY])?;
    kit::check_float("next_logprobs: logits", logits)?;
    if logits.dim(1) == 0 {
        let (expected, got) = ("(B, L, V) with L >= 1".into(), format!("{:?}", logits.shape()));
        return Err(Error::Shape { op: "next_logprobs: logits".into(), expected, got });
    }
    let last = logits.index((.., -1, ..)).as_dtype(Dtype::Float32)?.nan_to_num(f32::NEG_INFINITY, None, f32::NEG_INFINITY)?; // (B, V)
    let below_best = last.subtract(last.max_axis(-1, true)?)?; // at most 0: no exponential overflows
    let log_sum_exp = below_best.exp()?.sum_axis(-1, true)?.log()?; // (B, 1)
    Ok(below_best.subtract(log_sum_exp)?)
// END WRONG

// WRONG mean-position fn next_logprobs: averages the logits of all positions
    use kit::{ANY, Error};
    use mlx_rs::{Dtype, ops::indexing::IndexOp};

    kit::check_shape("next_logprobs: logits", logits, "(B, L, V)", &[ANY, ANY, ANY])?;
    kit::check_float("next_logprobs: logits", logits)?;
    if logits.dim(1) == 0 {
        let (expected, got) = ("(B, L, V) with L >= 1".into(), format!("{:?}", logits.shape()));
        return Err(Error::Shape { op: "next_logprobs: logits".into(), expected, got });
    }
    let last = logits.as_dtype(Dtype::Float32)?.mean_axis(1, false)?; // (B, V)
    let below_best = last.subtract(last.max_axis(-1, true)?)?; // at most 0: no exponential overflows
    let log_sum_exp = below_best.exp()?.sum_axis(-1, true)?.log()?; // (B, 1)
    Ok(below_best.subtract(log_sum_exp)?)
// END WRONG

// WRONG one-maximum fn next_logprobs: subtracts the largest logit of the batch, so that low rows underflow
    use kit::{ANY, Error};
    use mlx_rs::{Dtype, ops::indexing::IndexOp};

    kit::check_shape("next_logprobs: logits", logits, "(B, L, V)", &[ANY, ANY, ANY])?;
    kit::check_float("next_logprobs: logits", logits)?;
    if logits.dim(1) == 0 {
        let (expected, got) = ("(B, L, V) with L >= 1".into(), format!("{:?}", logits.shape()));
        return Err(Error::Shape { op: "next_logprobs: logits".into(), expected, got });
    }
    let last = logits.index((.., -1, ..)).as_dtype(Dtype::Float32)?; // (B, V)
    let below_best = last.subtract(last.max(None)?)?; // at most 0: no exponential overflows
    let log_sum_exp = below_best.exp()?.sum_axis(-1, true)?.log()?; // (B, 1)
    Ok(below_best.subtract(log_sum_exp)?)
// END WRONG

// WRONG half-precision-out fn next_logprobs: returns the dtype of the logits
    use kit::{ANY, Error};
    use mlx_rs::{Dtype, ops::indexing::IndexOp};

    kit::check_shape("next_logprobs: logits", logits, "(B, L, V)", &[ANY, ANY, ANY])?;
    kit::check_float("next_logprobs: logits", logits)?;
    if logits.dim(1) == 0 {
        let (expected, got) = ("(B, L, V) with L >= 1".into(), format!("{:?}", logits.shape()));
        return Err(Error::Shape { op: "next_logprobs: logits".into(), expected, got });
    }
    let last = logits.index((.., -1, ..)).as_dtype(Dtype::Float32)?; // (B, V)
    let below_best = last.subtract(last.max_axis(-1, true)?)?; // at most 0: no exponential overflows
    let log_sum_exp = below_best.exp()?.sum_axis(-1, true)?.log()?; // (B, 1)
    Ok(below_best.subtract(log_sum_exp)?.as_dtype(logits.dtype())?)
// END WRONG
