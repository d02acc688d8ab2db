// Plausible wrong answers to task 3.6.2; the tests must reject each.

// WRONG last-of-equals fn route_topk: of equals the highest id comes first
    use kit::{ANY, check_float, check_shape};
    use mlx_rs::{Dtype, ops};
    use week2::quantized_linear::rows;

    check_float("route_topk: logits", logits)?;
    check_shape("route_topk: logits", logits, "(N, X)", &[ANY, ANY])?;
    let experts = logits.dim(1);
    check_k(k, experts)?;
    rows("route_topk: logits", logits, experts)?;
    let shares = ops::softmax_axis(logits.as_dtype(Dtype::Float32)?, -1, true)?; // (N, X)
    let mut left = shares.clone();
    let never = Array::from_f32(-1.0);
    let numbers = Array::from_iter(0..experts, &[1, experts]);
    let mut ids = Vec::new();
    for _ in 0..k {
        // argmax gives the first of equals, and a share is never below 0.
        let most = left.eq(left.max_axis(-1, true)?)?.as_dtype(Dtype::Int32)?.multiply(numbers.add(Array::from_int(1))?)?;
        let best = ops::indexing::argmax_axis(&most, -1, true)?; // (N, 1)
        left = ops::select(numbers.eq(best.as_dtype(Dtype::Int32)?)?, &never, &left)?;
        ids.push(best);
    }
    let ids = ops::concatenate(&ids, -1)?; // (N, k)
    let mut weights = shares.take_along_axis(&ids, -1)?; // (N, k)
    if normalize {
        weights = weights.divide(weights.sum_axis(-1, true)?)?;
    }
    Ok(Routing { ids, weights })
// END WRONG

// WRONG partition fn route_topk: trusts the order of a partition
    use kit::{ANY, check_float, check_shape};
    use mlx_rs::{Dtype, ops};
    use week2::quantized_linear::rows;

    check_float("route_topk: logits", logits)?;
    check_shape("route_topk: logits", logits, "(N, X)", &[ANY, ANY])?;
    let experts = logits.dim(1);
    check_k(k, experts)?;
    rows("route_topk: logits", logits, experts)?;
    let shares = ops::softmax_axis(logits.as_dtype(Dtype::Float32)?, -1, true)?; // (N, X)
    let mut left = shares.clone();
    let never = Array::from_f32(-1.0);
    let numbers = Array::from_iter(0..experts, &[1, experts]);
    let mut ids = Vec::new();
    for _ in 0..k {
        // argmax gives the first of equals, and a share is never below 0.
        let best = ops::indexing::argmax_axis(&left, -1, true)?; // (N, 1)
        left = ops::select(numbers.eq(best.as_dtype(Dtype::Int32)?)?, &never, &left)?;
        ids.push(best);
    }
    let order = ops::argpartition_axis(&shares, experts - k, -1)?;
    let mut ids = ops::split_at_indices(&order, &[experts - k], -1)?; // (N, k)
    let ids = ids.swap_remove(ids.len() - 1);
    let mut weights = shares.take_along_axis(&ids, -1)?; // (N, k)
    if normalize {
        weights = weights.divide(weights.sum_axis(-1, true)?)?;
    }
    Ok(Routing { ids, weights })
// END WRONG

// WRONG softmax-of-the-chosen fn route_topk: the softmax is over the chosen experts alone, whatever normalize says
    use kit::{ANY, check_float, check_shape};
    use mlx_rs::{Dtype, ops};
    use week2::quantized_linear::rows;

    check_float("route_topk: logits", logits)?;
    check_shape("route_topk: logits", logits, "(N, X)", &[ANY, ANY])?;
    let experts = logits.dim(1);
    check_k(k, experts)?;
    rows("route_topk: logits", logits, experts)?;
    let shares = ops::softmax_axis(logits.as_dtype(Dtype::Float32)?, -1, true)?; // (N, X)
    let mut left = shares.clone();
    let never = Array::from_f32(-1.0);
    let numbers = Array::from_iter(0..experts, &[1, experts]);
    let mut ids = Vec::new();
    for _ in 0..k {
        // argmax gives the first of equals, and a share is never below 0.
        let best = ops::indexing::argmax_axis(&left, -1, true)?; // (N, 1)
        left = ops::select(numbers.eq(best.as_dtype(Dtype::Int32)?)?, &never, &left)?;
        ids.push(best);
    }
    let ids = ops::concatenate(&ids, -1)?; // (N, k)
    let mut weights = shares.take_along_axis(&ids, -1)?; // (N, k)
    if normalize || k > 1 {
        weights = weights.divide(weights.sum_axis(-1, true)?)?;
    }
    Ok(Routing { ids, weights })
// END WRONG

// WRONG never-normalised fn route_topk: leaves the weights as they are
    use kit::{ANY, check_float, check_shape};
    use mlx_rs::{Dtype, ops};
    use week2::quantized_linear::rows;

    check_float("route_topk: logits", logits)?;
    check_shape("route_topk: logits", logits, "(N, X)", &[ANY, ANY])?;
    let experts = logits.dim(1);
    check_k(k, experts)?;
    rows("route_topk: logits", logits, experts)?;
    let shares = ops::softmax_axis(logits.as_dtype(Dtype::Float32)?, -1, true)?; // (N, X)
    let mut left = shares.clone();
    let never = Array::from_f32(-1.0);
    let numbers = Array::from_iter(0..experts, &[1, experts]);
    let mut ids = Vec::new();
    for _ in 0..k {
        // argmax gives the first of equals, and a share is never below 0.
        let best = ops::indexing::argmax_axis(&left, -1, true)?; // (N, 1)
        left = ops::select(numbers.eq(best.as_dtype(Dtype::Int32)?)?, &never, &left)?;
        ids.push(best);
    }
    let ids = ops::concatenate(&ids, -1)?; // (N, k)
    let mut weights = shares.take_along_axis(&ids, -1)?; // (N, k)
    if normalize {
        weights = weights.divide(Array::from_f32(1.0))?;
    }
    Ok(Routing { ids, weights })
// END WRONG

// WRONG any-k fn route_topk: takes more experts than there are
    use kit::{ANY, check_float, check_shape};
    use mlx_rs::{Dtype, ops};
    use week2::quantized_linear::rows;

    check_float("route_topk: logits", logits)?;
    check_shape("route_topk: logits", logits, "(N, X)", &[ANY, ANY])?;
    let experts = logits.dim(1);
    check_k(k.clamp(1, experts), experts)?;
    rows("route_topk: logits", logits, experts)?;
    let shares = ops::softmax_axis(logits.as_dtype(Dtype::Float32)?, -1, true)?; // (N, X)
    let mut left = shares.clone();
    let never = Array::from_f32(-1.0);
    let numbers = Array::from_iter(0..experts, &[1, experts]);
    let mut ids = Vec::new();
    for _ in 0..k {
        // argmax gives the first of equals, and a share is never below 0.
        let best = ops::indexing::argmax_axis(&left, -1, true)?; // (N, 1)
        left = ops::select(numbers.eq(best.as_dtype(Dtype::Int32)?)?, &never, &left)?;
        ids.push(best);
    }
    let ids = ops::concatenate(&ids, -1)?; // (N, k)
    let mut weights = shares.take_along_axis(&ids, -1)?; // (N, k)
    if normalize {
        weights = weights.divide(weights.sum_axis(-1, true)?)?;
    }
    Ok(Routing { ids, weights })
// END WRONG

// WRONG ranks-logits fn route_topk: ranks by logits where shares are equal
    use kit::{ANY, check_float, check_shape};
    use mlx_rs::{Dtype, ops};
    use week2::quantized_linear::rows;

    check_float("route_topk: logits", logits)?;
    check_shape("route_topk: logits", logits, "(N, X)", &[ANY, ANY])?;
    let experts = logits.dim(1);
    check_k(k, experts)?;
    rows("route_topk: logits", logits, experts)?;
    let wide = logits.as_dtype(Dtype::Float32)?;
    let shares = ops::softmax_axis(&wide, -1, true)?; // (N, X)
    let mut left = wide;
    let never = Array::from_f32(f32::NEG_INFINITY);
    let numbers = Array::from_iter(0..experts, &[1, experts]);
    let mut ids = Vec::new();
    for _ in 0..k {
        let best = ops::indexing::argmax_axis(&left, -1, true)?; // (N, 1)
        left = ops::select(numbers.eq(best.as_dtype(Dtype::Int32)?)?, &never, &left)?;
        ids.push(best);
    }
    let ids = ops::concatenate(&ids, -1)?; // (N, k)
    let mut weights = shares.take_along_axis(&ids, -1)?; // (N, k)
    if normalize {
        weights = weights.divide(weights.sum_axis(-1, true)?)?;
    }
    Ok(Routing { ids, weights })
// END WRONG
