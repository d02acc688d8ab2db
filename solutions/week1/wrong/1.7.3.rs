// WRONG crossing-token-lost fn top_p: compares the mass that includes the token
    use kit::Error;
    use mlx_rs::{Dtype, ops};

    if !(p > 0.0 && p <= 1.0) {
        let must = "be above 0 and at most 1".into();
        return Err(Error::InvalidArgument { name: "p".into(), value: p.to_string(), must });
    }
    check_rows(logprobs)?;
    if p == 1.0 {
        return Ok(logprobs.clone());
    }
    let order = ops::argsort_axis(logprobs.negative()?, -1)?; // (B, V), equals in id order
    let mass = logprobs.take_along_axis(&order, -1)?.as_dtype(Dtype::Float32)?.exp()?; // (B, V), falling
    let before = mass.cumsum(-1, None, true)?; // (B, V), the mass of all earlier places
    let keep_place = before.lt(Array::from_f32(p))?;
    let place_of_id = ops::argsort_axis(&order, -1)?; // the inverse permutation
    let keep = keep_place.take_along_axis(&place_of_id, -1)?; // (B, V), by id again
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG sum-of-logs fn top_p: adds up log probabilities
    use kit::Error;
    use mlx_rs::{Dtype, ops};

    if !(p > 0.0 && p <= 1.0) {
        let must = "be above 0 and at most 1".into();
        return Err(Error::InvalidArgument { name: "p".into(), value: p.to_string(), must });
    }
    check_rows(logprobs)?;
    if p == 1.0 {
        return Ok(logprobs.clone());
    }
    let order = ops::argsort_axis(logprobs.negative()?, -1)?; // (B, V), equals in id order
    let mass = logprobs.take_along_axis(&order, -1)?.as_dtype(Dtype::Float32)?; // (B, V), falling
    let before = mass.cumsum(-1, None, false)?; // (B, V), the mass of all earlier places
    let keep_place = before.lt(Array::from_f32(p))?;
    let place_of_id = ops::argsort_axis(&order, -1)?; // the inverse permutation
    let keep = keep_place.take_along_axis(&place_of_id, -1)?; // (B, V), by id again
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG rescaled fn top_p: makes the row add up to one before it compares
    use kit::Error;
    use mlx_rs::{Dtype, ops};

    if !(p > 0.0 && p <= 1.0) {
        let must = "be above 0 and at most 1".into();
        return Err(Error::InvalidArgument { name: "p".into(), value: p.to_string(), must });
    }
    check_rows(logprobs)?;
    if p == 1.0 {
        return Ok(logprobs.clone());
    }
    let order = ops::argsort_axis(logprobs.negative()?, -1)?; // (B, V), equals in id order
    let mass = logprobs.take_along_axis(&order, -1)?.as_dtype(Dtype::Float32)?.exp()?; // (B, V), falling
    let mass = mass.divide(mass.sum_axis(-1, true)?)?;
    let before = mass.cumsum(-1, None, false)?; // (B, V), the mass of all earlier places
    let keep_place = before.lt(Array::from_f32(p))?;
    let place_of_id = ops::argsort_axis(&order, -1)?; // the inverse permutation
    let keep = keep_place.take_along_axis(&place_of_id, -1)?; // (B, V), by id again
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG not-carried-home fn top_p: applies the decisions in order of probability, not of id
    use kit::Error;
    use mlx_rs::{Dtype, ops};

    if !(p > 0.0 && p <= 1.0) {
        let must = "be above 0 and at most 1".into();
        return Err(Error::InvalidArgument { name: "p".into(), value: p.to_string(), must });
    }
    check_rows(logprobs)?;
    if p == 1.0 {
        return Ok(logprobs.clone());
    }
    let order = ops::argsort_axis(logprobs.negative()?, -1)?; // (B, V), equals in id order
    let mass = logprobs.take_along_axis(&order, -1)?.as_dtype(Dtype::Float32)?.exp()?; // (B, V), falling
    let before = mass.cumsum(-1, None, false)?; // (B, V), the mass of all earlier places
    let keep_place = before.lt(Array::from_f32(p))?;
    let place_of_id = ops::argsort_axis(&order, -1)?; // the inverse permutation
    let keep = place_of_id.ge(Array::from_int(0))?.logical_and(&keep_place)?; // (B, V), by id again
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG order-for-its-inverse fn top_p: carries the decisions home by the order itself
    use kit::Error;
    use mlx_rs::{Dtype, ops};

    if !(p > 0.0 && p <= 1.0) {
        let must = "be above 0 and at most 1".into();
        return Err(Error::InvalidArgument { name: "p".into(), value: p.to_string(), must });
    }
    check_rows(logprobs)?;
    if p == 1.0 {
        return Ok(logprobs.clone());
    }
    let order = ops::argsort_axis(logprobs.negative()?, -1)?; // (B, V), equals in id order
    let mass = logprobs.take_along_axis(&order, -1)?.as_dtype(Dtype::Float32)?.exp()?; // (B, V), falling
    let before = mass.cumsum(-1, None, false)?; // (B, V), the mass of all earlier places
    let keep_place = before.lt(Array::from_f32(p))?;
    let place_of_id = ops::argsort_axis(&order, -1)?; // the inverse permutation
    let keep = place_of_id.ge(Array::from_int(0))?.logical_and(keep_place.take_along_axis(&order, -1)?)?; // (B, V), by id again
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG half-precision-sum fn top_p: sums in the dtype of the row, which stops growing
    use kit::Error;
    use mlx_rs::ops;

    if !(p > 0.0 && p <= 1.0) {
        let must = "be above 0 and at most 1".into();
        return Err(Error::InvalidArgument { name: "p".into(), value: p.to_string(), must });
    }
    check_rows(logprobs)?;
    if p == 1.0 {
        return Ok(logprobs.clone());
    }
    let order = ops::argsort_axis(logprobs.negative()?, -1)?; // (B, V), equals in id order
    let mass = logprobs.take_along_axis(&order, -1)?.exp()?; // (B, V), falling
    let before = mass.cumsum(-1, None, false)?; // (B, V), the mass of all earlier places
    let keep_place = before.lt(Array::from_f32(p))?;
    let place_of_id = ops::argsort_axis(&order, -1)?; // the inverse permutation
    let keep = keep_place.take_along_axis(&place_of_id, -1)?; // (B, V), by id again
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG one-by-sum fn top_p: sums at p = 1, and loses the tail where the sum is early
    use kit::Error;
    use mlx_rs::{Dtype, ops};

    if !(p > 0.0 && p <= 1.0) {
        let must = "be above 0 and at most 1".into();
        return Err(Error::InvalidArgument { name: "p".into(), value: p.to_string(), must });
    }
    check_rows(logprobs)?;
    if p > 1.0 {
        return Ok(logprobs.clone());
    }
    let order = ops::argsort_axis(logprobs.negative()?, -1)?; // (B, V), equals in id order
    let mass = logprobs.take_along_axis(&order, -1)?.as_dtype(Dtype::Float32)?.exp()?; // (B, V), falling
    let before = mass.cumsum(-1, None, false)?; // (B, V), the mass of all earlier places
    let keep_place = before.lt(Array::from_f32(p))?;
    let place_of_id = ops::argsort_axis(&order, -1)?; // the inverse permutation
    let keep = keep_place.take_along_axis(&place_of_id, -1)?; // (B, V), by id again
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG least-likely-first fn top_p: walks up from the least likely token
    use kit::Error;
    use mlx_rs::{Dtype, ops};

    if !(p > 0.0 && p <= 1.0) {
        let must = "be above 0 and at most 1".into();
        return Err(Error::InvalidArgument { name: "p".into(), value: p.to_string(), must });
    }
    check_rows(logprobs)?;
    if p == 1.0 {
        return Ok(logprobs.clone());
    }
    let order = ops::argsort_axis(logprobs, -1)?; // (B, V), equals in id order
    let mass = logprobs.take_along_axis(&order, -1)?.as_dtype(Dtype::Float32)?.exp()?; // (B, V), falling
    let before = mass.cumsum(-1, None, false)?; // (B, V), the mass of all earlier places
    let keep_place = before.lt(Array::from_f32(p))?;
    let place_of_id = ops::argsort_axis(&order, -1)?; // the inverse permutation
    let keep = keep_place.take_along_axis(&place_of_id, -1)?; // (B, V), by id again
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG high-ids-first fn top_p: walks through ties from the highest id
    use kit::Error;
    use mlx_rs::{Dtype, ops};

    if !(p > 0.0 && p <= 1.0) {
        let must = "be above 0 and at most 1".into();
        return Err(Error::InvalidArgument { name: "p".into(), value: p.to_string(), must });
    }
    check_rows(logprobs)?;
    if p == 1.0 {
        return Ok(logprobs.clone());
    }
    let from_the_end = ops::arange::<_, i32>(logprobs.dim(1) - 1, -1, -1)?;
    let backwards = logprobs.take_axis(&from_the_end, -1)?.negative()?;
    let order =
        Array::from_int(logprobs.dim(1) - 1).subtract(ops::argsort_axis(backwards, -1)?.as_dtype(Dtype::Int32)?)?;
    let mass = logprobs.take_along_axis(&order, -1)?.as_dtype(Dtype::Float32)?.exp()?; // (B, V), falling
    let before = mass.cumsum(-1, None, false)?; // (B, V), the mass of all earlier places
    let keep_place = before.lt(Array::from_f32(p))?;
    let place_of_id = ops::argsort_axis(&order, -1)?; // the inverse permutation
    let keep = keep_place.take_along_axis(&place_of_id, -1)?; // (B, V), by id again
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG nan-is-off fn top_p: lets NaN through as a filter that keeps nothing
    use kit::Error;
    use mlx_rs::{Dtype, ops};

    if p <= 0.0 || p > 1.0 {
        let must = "be above 0 and at most 1".into();
        return Err(Error::InvalidArgument { name: "p".into(), value: p.to_string(), must });
    }
    check_rows(logprobs)?;
    if p == 1.0 {
        return Ok(logprobs.clone());
    }
    let order = ops::argsort_axis(logprobs.negative()?, -1)?; // (B, V), equals in id order
    let mass = logprobs.take_along_axis(&order, -1)?.as_dtype(Dtype::Float32)?.exp()?; // (B, V), falling
    let before = mass.cumsum(-1, None, false)?; // (B, V), the mass of all earlier places
    let keep_place = before.lt(Array::from_f32(p))?;
    let place_of_id = ops::argsort_axis(&order, -1)?; // the inverse permutation
    let keep = keep_place.take_along_axis(&place_of_id, -1)?; // (B, V), by id again
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG over-the-batch fn top_p: sums on through all rows
    use kit::Error;
    use mlx_rs::{Dtype, ops};

    if !(p > 0.0 && p <= 1.0) {
        let must = "be above 0 and at most 1".into();
        return Err(Error::InvalidArgument { name: "p".into(), value: p.to_string(), must });
    }
    check_rows(logprobs)?;
    if p == 1.0 {
        return Ok(logprobs.clone());
    }
    let order = ops::argsort_axis(logprobs.negative()?, -1)?; // (B, V), equals in id order
    let mass = logprobs.take_along_axis(&order, -1)?.as_dtype(Dtype::Float32)?.exp()?; // (B, V), falling
    let before = mass.reshape(&[-1])?.cumsum(0, None, false)?.reshape(logprobs.shape())?; // (B, V), the mass of all earlier places
    let keep_place = before.lt(Array::from_f32(p))?;
    let place_of_id = ops::argsort_axis(&order, -1)?; // the inverse permutation
    let keep = keep_place.take_along_axis(&place_of_id, -1)?; // (B, V), by id again
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG unchecked fn top_p: filters rows that no token can be drawn from
    use kit::Error;
    use mlx_rs::{Dtype, ops};

    if !(p > 0.0 && p <= 1.0) {
        let must = "be above 0 and at most 1".into();
        return Err(Error::InvalidArgument { name: "p".into(), value: p.to_string(), must });
    }
    if p == 1.0 {
        return Ok(logprobs.clone());
    }
    let order = ops::argsort_axis(logprobs.negative()?, -1)?; // (B, V), equals in id order
    let mass = logprobs.take_along_axis(&order, -1)?.as_dtype(Dtype::Float32)?.exp()?; // (B, V), falling
    let before = mass.cumsum(-1, None, false)?; // (B, V), the mass of all earlier places
    let keep_place = before.lt(Array::from_f32(p))?;
    let place_of_id = ops::argsort_axis(&order, -1)?; // the inverse permutation
    let keep = keep_place.take_along_axis(&place_of_id, -1)?; // (B, V), by id again
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG edge-included fn top_p: keeps one token more where the mass is exactly p
    use kit::Error;
    use mlx_rs::{Dtype, ops};

    if !(p > 0.0 && p <= 1.0) {
        let must = "be above 0 and at most 1".into();
        return Err(Error::InvalidArgument { name: "p".into(), value: p.to_string(), must });
    }
    check_rows(logprobs)?;
    if p == 1.0 {
        return Ok(logprobs.clone());
    }
    let order = ops::argsort_axis(logprobs.negative()?, -1)?; // (B, V), equals in id order
    let mass = logprobs.take_along_axis(&order, -1)?.as_dtype(Dtype::Float32)?.exp()?; // (B, V), falling
    let before = mass.cumsum(-1, None, false)?; // (B, V), the mass of all earlier places
    let keep_place = before.le(Array::from_f32(p))?;
    let place_of_id = ops::argsort_axis(&order, -1)?; // the inverse permutation
    let keep = keep_place.take_along_axis(&place_of_id, -1)?; // (B, V), by id again
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG threshold fn top_p: keeps the tokens whose own share is above 1 - p
    use kit::Error;
    use mlx_rs::{Dtype, ops};

    if !(p > 0.0 && p <= 1.0) {
        let must = "be above 0 and at most 1".into();
        return Err(Error::InvalidArgument { name: "p".into(), value: p.to_string(), must });
    }
    check_rows(logprobs)?;
    if p == 1.0 {
        return Ok(logprobs.clone());
    }
    let order = ops::argsort_axis(logprobs.negative()?, -1)?; // (B, V), equals in id order
    let mass = logprobs.take_along_axis(&order, -1)?.as_dtype(Dtype::Float32)?.exp()?; // (B, V), falling
    let before = mass.cumsum(-1, None, false)?; // (B, V), the mass of all earlier places
    let keep_place = before.lt(Array::from_f32(p))?;
    let place_of_id = ops::argsort_axis(&order, -1)?; // the inverse permutation
    let _ = (&keep_place, &place_of_id);
    let keep = logprobs.as_dtype(Dtype::Float32)?.exp()?.ge(Array::from_f32(1.0 - p))?; // (B, V), by id again
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG

// WRONG from-the-tail fn top_p: drops the tail whose mass is below 1 - p, which assumes a whole row
    use kit::Error;
    use mlx_rs::{Dtype, ops};

    if !(p > 0.0 && p <= 1.0) {
        let must = "be above 0 and at most 1".into();
        return Err(Error::InvalidArgument { name: "p".into(), value: p.to_string(), must });
    }
    check_rows(logprobs)?;
    if p == 1.0 {
        return Ok(logprobs.clone());
    }
    let order = ops::argsort_axis(logprobs.negative()?, -1)?; // (B, V), equals in id order
    let mass = logprobs.take_along_axis(&order, -1)?.as_dtype(Dtype::Float32)?.exp()?; // (B, V), falling
    let before = mass.cumsum(-1, None, false)?; // (B, V), the mass of all earlier places
    let tail = mass.cumsum(-1, true, None)?;
    let _ = before;
    let keep_place = tail.gt(Array::from_f32(1.0 - p))?;
    let place_of_id = ops::argsort_axis(&order, -1)?; // the inverse permutation
    let keep = keep_place.take_along_axis(&place_of_id, -1)?; // (B, V), by id again
    let never = Array::from_f32(f32::NEG_INFINITY).as_dtype(logprobs.dtype())?;
    Ok(ops::select(&keep, logprobs, &never)?)
// END WRONG
