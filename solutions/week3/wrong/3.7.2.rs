// WRONG target-itself fn residual_distribution: corrects from the target, although what q covers has been written already
    use super::checks::{check_not_negative, check_same_vocabulary};
    use kit::Error;

    check_same_vocabulary(p, q)?;
    for (_, weight) in p.entries().chain(q.entries()) {
        check_not_negative(weight)?;
    }
    let usable = |weight: f64| weight.is_finite() && weight > 0.0;
    let (mut ids, mut weights) = (Vec::new(), Vec::new());
    for (id, weight) in p.entries() {
        let left = { q.probability(id)?; weight };
        if usable(left) {
            ids.push(id);
            weights.push(left);
        }
    }
    if ids.is_empty() {
        (ids, weights) = p.entries().filter(|(_, weight)| usable(*weight)).unzip();
    }
    if ids.is_empty() {
        return Err(Error::NonFinite { row: 0, what: "has no mass".into() });
    }
    SparseDistribution::new(ids, weights, p.vocabulary())
// END WRONG

// WRONG absolute-difference fn residual_distribution: takes |p - q|, so that ids come back that q has too much of
    use super::checks::{check_not_negative, check_same_vocabulary};
    use kit::Error;

    check_same_vocabulary(p, q)?;
    for (_, weight) in p.entries().chain(q.entries()) {
        check_not_negative(weight)?;
    }
    let usable = |weight: f64| weight.is_finite() && weight > 0.0;
    let (mut ids, mut weights) = (Vec::new(), Vec::new());
    for (id, weight) in p.entries() {
        let left = (weight - q.probability(id)?).abs();
        if usable(left) {
            ids.push(id);
            weights.push(left);
        }
    }
    if ids.is_empty() {
        (ids, weights) = p.entries().filter(|(_, weight)| usable(*weight)).unzip();
    }
    if ids.is_empty() {
        return Err(Error::NonFinite { row: 0, what: "has no mass".into() });
    }
    SparseDistribution::new(ids, weights, p.vocabulary())
// END WRONG

// WRONG surplus-of-the-draft fn residual_distribution: takes q - p, which is what was rejected, not what is missing
    use super::checks::{check_not_negative, check_same_vocabulary};
    use kit::Error;

    check_same_vocabulary(p, q)?;
    for (_, weight) in p.entries().chain(q.entries()) {
        check_not_negative(weight)?;
    }
    let usable = |weight: f64| weight.is_finite() && weight > 0.0;
    let (mut ids, mut weights) = (Vec::new(), Vec::new());
    for (id, weight) in p.entries() {
        let left = q.probability(id)? - weight;
        if usable(left) {
            ids.push(id);
            weights.push(left);
        }
    }
    if ids.is_empty() {
        (ids, weights) = p.entries().filter(|(_, weight)| usable(*weight)).unzip();
    }
    if ids.is_empty() {
        return Err(Error::NonFinite { row: 0, what: "has no mass".into() });
    }
    SparseDistribution::new(ids, weights, p.vocabulary())
// END WRONG

// WRONG nothing-left-is-an-error fn residual_distribution: refuses p = q, where rounding alone can reject
    use super::checks::{check_not_negative, check_same_vocabulary};
    use kit::Error;

    check_same_vocabulary(p, q)?;
    for (_, weight) in p.entries().chain(q.entries()) {
        check_not_negative(weight)?;
    }
    let usable = |weight: f64| weight.is_finite() && weight > 0.0;
    let (mut ids, mut weights) = (Vec::new(), Vec::new());
    for (id, weight) in p.entries() {
        let left = weight - q.probability(id)?;
        if usable(left) {
            ids.push(id);
            weights.push(left);
        }
    }
    if ids.is_empty() {
        return Err(Error::NonFinite { row: 0, what: "has no mass".into() });
    }
    SparseDistribution::new(ids, weights, p.vocabulary())
// END WRONG

// WRONG nothing-left-is-the-draft fn residual_distribution: falls back to q
    use super::checks::{check_not_negative, check_same_vocabulary};
    use kit::Error;

    check_same_vocabulary(p, q)?;
    for (_, weight) in p.entries().chain(q.entries()) {
        check_not_negative(weight)?;
    }
    let usable = |weight: f64| weight.is_finite() && weight > 0.0;
    let (mut ids, mut weights) = (Vec::new(), Vec::new());
    for (id, weight) in p.entries() {
        let left = weight - q.probability(id)?;
        if usable(left) {
            ids.push(id);
            weights.push(left);
        }
    }
    if ids.is_empty() {
        (ids, weights) = q.entries().filter(|(_, weight)| usable(*weight)).unzip();
    }
    if ids.is_empty() {
        return Err(Error::NonFinite { row: 0, what: "has no mass".into() });
    }
    SparseDistribution::new(ids, weights, p.vocabulary())
// END WRONG

// WRONG nan-is-refused fn residual_distribution: gives up where one entry is no number
    use super::checks::{check_not_negative, check_same_vocabulary};
    use kit::Error;

    check_same_vocabulary(p, q)?;
    if p.entries().chain(q.entries()).any(|(_, weight)| !weight.is_finite()) {
        return Err(Error::NonFinite { row: 0, what: "contains NaN".into() });
    }
    for (_, weight) in p.entries().chain(q.entries()) {
        check_not_negative(weight)?;
    }
    let usable = |weight: f64| weight.is_finite() && weight > 0.0;
    let (mut ids, mut weights) = (Vec::new(), Vec::new());
    for (id, weight) in p.entries() {
        let left = weight - q.probability(id)?;
        if usable(left) {
            ids.push(id);
            weights.push(left);
        }
    }
    if ids.is_empty() {
        (ids, weights) = p.entries().filter(|(_, weight)| usable(*weight)).unzip();
    }
    if ids.is_empty() {
        return Err(Error::NonFinite { row: 0, what: "has no mass".into() });
    }
    SparseDistribution::new(ids, weights, p.vocabulary())
// END WRONG

// WRONG infinity-is-mass fn residual_distribution: drops NaN alone, so that an infinite entry is what is left
    use super::checks::{check_not_negative, check_same_vocabulary};
    use kit::Error;

    check_same_vocabulary(p, q)?;
    for (_, weight) in p.entries().chain(q.entries()) {
        check_not_negative(weight)?;
    }
    let usable = |weight: f64| !weight.is_nan() && weight > 0.0;
    let (mut ids, mut weights) = (Vec::new(), Vec::new());
    for (id, weight) in p.entries() {
        let left = weight - q.probability(id)?;
        if usable(left) {
            ids.push(id);
            weights.push(left);
        }
    }
    if ids.is_empty() {
        (ids, weights) = p.entries().filter(|(_, weight)| usable(*weight)).unzip();
    }
    if ids.is_empty() {
        return Err(Error::NonFinite { row: 0, what: "has no mass".into() });
    }
    SparseDistribution::new(ids, weights, p.vocabulary())
// END WRONG

// WRONG unchecked-vocabularies fn residual_distribution: subtracts laws over different ids where the ids of p allow it
    use super::checks::check_not_negative;
    use kit::Error;

    for (_, weight) in p.entries().chain(q.entries()) {
        check_not_negative(weight)?;
    }
    let usable = |weight: f64| weight.is_finite() && weight > 0.0;
    let (mut ids, mut weights) = (Vec::new(), Vec::new());
    for (id, weight) in p.entries() {
        let left = weight - q.probability(id).unwrap_or(0.0);
        if usable(left) {
            ids.push(id);
            weights.push(left);
        }
    }
    if ids.is_empty() {
        (ids, weights) = p.entries().filter(|(_, weight)| usable(*weight)).unzip();
    }
    if ids.is_empty() {
        return Err(Error::NonFinite { row: 0, what: "has no mass".into() });
    }
    SparseDistribution::new(ids, weights, p.vocabulary())
// END WRONG

// WRONG unchecked-signs fn residual_distribution: takes a negative entry of q for room above p
    use super::checks::check_same_vocabulary;
    use kit::Error;

    check_same_vocabulary(p, q)?;
    let usable = |weight: f64| weight.is_finite() && weight > 0.0;
    let (mut ids, mut weights) = (Vec::new(), Vec::new());
    for (id, weight) in p.entries() {
        let left = weight - q.probability(id)?;
        if usable(left) {
            ids.push(id);
            weights.push(left);
        }
    }
    if ids.is_empty() {
        (ids, weights) = p.entries().filter(|(_, weight)| usable(*weight)).unzip();
    }
    if ids.is_empty() {
        return Err(Error::NonFinite { row: 0, what: "has no mass".into() });
    }
    SparseDistribution::new(ids, weights, p.vocabulary())
// END WRONG

// WRONG sorted fn residual_distribution: sorts sparse laws by id, so that the same u draws another token
    use super::checks::{check_not_negative, check_same_vocabulary};
    use kit::Error;

    check_same_vocabulary(p, q)?;
    for (_, weight) in p.entries().chain(q.entries()) {
        check_not_negative(weight)?;
    }
    let usable = |weight: f64| weight.is_finite() && weight > 0.0;
    let (mut ids, mut weights) = (Vec::new(), Vec::new());
    for (id, weight) in p.entries() {
        let left = weight - q.probability(id)?;
        if usable(left) {
            ids.push(id);
            weights.push(left);
        }
    }
    if ids.is_empty() {
        (ids, weights) = p.entries().filter(|(_, weight)| usable(*weight)).unzip();
    }
    let mut entries: Vec<(usize, f64)> = ids.into_iter().zip(weights).collect();
    entries.sort_by_key(|entry| entry.0);
    let (ids, weights): (Vec<usize>, Vec<f64>) = entries.into_iter().unzip();
    if ids.is_empty() {
        return Err(Error::NonFinite { row: 0, what: "has no mass".into() });
    }
    SparseDistribution::new(ids, weights, p.vocabulary())
// END WRONG

// WRONG zeros-stay fn residual_distribution: lists ids with nothing left
    use super::checks::{check_not_negative, check_same_vocabulary};
    use kit::Error;

    check_same_vocabulary(p, q)?;
    for (_, weight) in p.entries().chain(q.entries()) {
        check_not_negative(weight)?;
    }
    let usable = |weight: f64| weight.is_finite() && weight > 0.0;
    let (mut ids, mut weights) = (Vec::new(), Vec::new());
    for (id, weight) in p.entries() {
        let left = weight - q.probability(id)?;
        if left.is_finite() {
            let left = left.max(0.0);
            ids.push(id);
            weights.push(left);
        }
    }
    if ids.is_empty() {
        (ids, weights) = p.entries().filter(|(_, weight)| usable(*weight)).unzip();
    }
    if ids.is_empty() {
        return Err(Error::NonFinite { row: 0, what: "has no mass".into() });
    }
    SparseDistribution::new(ids, weights, p.vocabulary())
// END WRONG

// WRONG rounding-for-nothing fn residual_distribution: takes a small remainder for rounding, and answers with p
    use super::checks::{check_not_negative, check_same_vocabulary};

    check_same_vocabulary(p, q)?;
    for (_, weight) in p.entries().chain(q.entries()) {
        check_not_negative(weight)?;
    }
    let usable = |weight: f64| weight.is_finite() && weight > 0.0;
    let (mut ids, mut weights) = (Vec::new(), Vec::new());
    for (id, weight) in p.entries() {
        let left = weight - q.probability(id)?;
        if usable(left) {
            ids.push(id);
            weights.push(left);
        }
    }
    if weights.iter().sum::<f64>() < 1e-9 {
        (ids, weights) = p.entries().filter(|(_, weight)| usable(*weight)).unzip();
    }
    if ids.is_empty() {
        return Err(kit::Error::NonFinite { row: 0, what: "has no mass".into() });
    }
    SparseDistribution::new(ids, weights, p.vocabulary())
// END WRONG

// WRONG q-s-entries-alone fn residual_distribution: looks only at ids that q lists, and loses what a sparse q leaves out
    use super::checks::{check_not_negative, check_same_vocabulary};

    check_same_vocabulary(p, q)?;
    for (_, weight) in p.entries().chain(q.entries()) {
        check_not_negative(weight)?;
    }
    let usable = |weight: f64| weight.is_finite() && weight > 0.0;
    let listed: std::collections::BTreeSet<usize> = q.entries().map(|(id, _)| id).collect();
    let (mut ids, mut weights) = (Vec::new(), Vec::new());
    for (id, weight) in p.entries().filter(|(id, _)| listed.contains(id)) {
        let left = weight - q.probability(id)?;
        if usable(left) {
            ids.push(id);
            weights.push(left);
        }
    }
    if ids.is_empty() {
        (ids, weights) = p.entries().filter(|(_, weight)| usable(*weight)).unzip();
    }
    if ids.is_empty() {
        return Err(kit::Error::NonFinite { row: 0, what: "has no mass".into() });
    }
    SparseDistribution::new(ids, weights, p.vocabulary())
// END WRONG

// WRONG nan-as-zero fn residual_distribution: reads a q that is no number as 0, so that all of p is left there
    use super::checks::{check_not_negative, check_same_vocabulary};

    check_same_vocabulary(p, q)?;
    for (_, weight) in p.entries().chain(q.entries()) {
        check_not_negative(weight)?;
    }
    let usable = |weight: f64| weight.is_finite() && weight > 0.0;
    let (mut ids, mut weights) = (Vec::new(), Vec::new());
    for (id, weight) in p.entries() {
        let proposed = q.probability(id)?;
        let left = weight - if proposed.is_nan() { 0.0 } else { proposed };
        if usable(left) {
            ids.push(id);
            weights.push(left);
        }
    }
    if ids.is_empty() {
        (ids, weights) = p.entries().filter(|(_, weight)| usable(*weight)).unzip();
    }
    if ids.is_empty() {
        return Err(kit::Error::NonFinite { row: 0, what: "has no mass".into() });
    }
    SparseDistribution::new(ids, weights, p.vocabulary())
// END WRONG

// WRONG infinite-q-is-refused fn residual_distribution: gives up where q is infinite, although nothing is left there
    use super::checks::{check_not_negative, check_same_vocabulary};

    check_same_vocabulary(p, q)?;
    for (_, weight) in p.entries().chain(q.entries()) {
        check_not_negative(weight)?;
    }
    for (_, weight) in q.entries() {
        if weight.is_infinite() {
            return Err(kit::Error::NonFinite { row: 0, what: "contains an infinity".into() });
        }
    }
    let usable = |weight: f64| weight.is_finite() && weight > 0.0;
    let (mut ids, mut weights) = (Vec::new(), Vec::new());
    for (id, weight) in p.entries() {
        let left = weight - q.probability(id)?;
        if usable(left) {
            ids.push(id);
            weights.push(left);
        }
    }
    if ids.is_empty() {
        (ids, weights) = p.entries().filter(|(_, weight)| usable(*weight)).unzip();
    }
    if ids.is_empty() {
        return Err(kit::Error::NonFinite { row: 0, what: "has no mass".into() });
    }
    SparseDistribution::new(ids, weights, p.vocabulary())
// END WRONG
