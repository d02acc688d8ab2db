// WRONG inverted fn acceptance_probability: divides q by p, so that drafts stay where the target dislikes them
    use super::checks::{check_same_vocabulary, weight};

    check_same_vocabulary(p, q)?;
    let (p, q) = (weight(p, x)?, weight(q, x)?);
    if q == 0.0 {
        return Ok(if p > 0.0 { 1.0 } else { 0.0 });
    }
    // A tiny q makes the ratio infinite, and the minimum 1.
    Ok((q / p).min(1.0))
// END WRONG

// WRONG uncapped fn acceptance_probability: returns the ratio itself, which may exceed 1
    use super::checks::{check_same_vocabulary, weight};

    check_same_vocabulary(p, q)?;
    let (p, q) = (weight(p, x)?, weight(q, x)?);
    if q == 0.0 {
        return Ok(if p > 0.0 { 1.0 } else { 0.0 });
    }
    // A tiny q makes the ratio infinite, and the minimum 1.
    Ok(p / q)
// END WRONG

// WRONG always-divides fn acceptance_probability: divides by a q of 0, and takes 0 / 0 for 1
    use super::checks::{check_same_vocabulary, weight};

    check_same_vocabulary(p, q)?;
    let (p, q) = (weight(p, x)?, weight(q, x)?);
    // A tiny q makes the ratio infinite, and the minimum 1.
    Ok((p / q).min(1.0))
// END WRONG

// WRONG never-proposed-never-stays fn acceptance_probability: rejects every draft with q = 0
    use super::checks::{check_same_vocabulary, weight};

    check_same_vocabulary(p, q)?;
    let (p, q) = (weight(p, x)?, weight(q, x)?);
    if q == 0.0 {
        return Ok(0.0);
    }
    // A tiny q makes the ratio infinite, and the minimum 1.
    Ok((p / q).min(1.0))
// END WRONG

// WRONG tiny-is-zero fn acceptance_probability: takes a q below the rounding of 1 for 0, and p with it
    use super::checks::{check_same_vocabulary, weight};

    check_same_vocabulary(p, q)?;
    let (p, q) = (weight(p, x)?, weight(q, x)?);
    if q < f64::EPSILON || p < f64::EPSILON {
        return Ok(if p > 0.0 { 1.0 } else { 0.0 });
    }
    // A tiny q makes the ratio infinite, and the minimum 1.
    Ok((p / q).min(1.0))
// END WRONG

// WRONG unchecked-values fn acceptance_probability: lets NaN and negative numbers through
    use super::checks::{check_same_vocabulary};

    check_same_vocabulary(p, q)?;
    let (p, q) = (p.probability(x)?, q.probability(x)?);
    if q == 0.0 {
        return Ok(if p > 0.0 { 1.0 } else { 0.0 });
    }
    // A tiny q makes the ratio infinite, and the minimum 1.
    Ok((p / q).min(1.0))
// END WRONG

// WRONG unchecked-vocabularies fn acceptance_probability: compares laws over different ids
    use super::checks::{weight};

    let (p, q) = (weight(p, x)?, weight(q, x)?);
    if q == 0.0 {
        return Ok(if p > 0.0 { 1.0 } else { 0.0 });
    }
    // A tiny q makes the ratio infinite, and the minimum 1.
    Ok((p / q).min(1.0))
// END WRONG

// WRONG probability-of-p fn acceptance_probability: keeps a draft as often as the target would draw it
    use super::checks::{check_same_vocabulary, weight};

    check_same_vocabulary(p, q)?;
    let (p, q) = (weight(p, x)?, weight(q, x)?);
    if q == 0.0 {
        return Ok(if p > 0.0 { 1.0 } else { 0.0 });
    }
    let q = 1.0;
    // A tiny q makes the ratio infinite, and the minimum 1.
    Ok((p / q).min(1.0))
// END WRONG

// WRONG epsilon-in-the-denominator fn acceptance_probability: adds a small number to q, so that nothing is divided by 0
    use super::checks::{check_same_vocabulary, weight};

    check_same_vocabulary(p, q)?;
    let (p, q) = (weight(p, x)?, weight(q, x)?);
    Ok((p / (q + f64::EPSILON)).min(1.0))
// END WRONG
