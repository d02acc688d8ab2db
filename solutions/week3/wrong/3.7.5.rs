// WRONG token-by-token fn block_law: gives every draft the coin that it would have alone
    use super::{acceptance_probability, residual_distribution};

    check_window(p_rows, q_rows, draft)?;
    let mut law = BlockLaw { coins: Vec::new(), residuals: Vec::new() };
    // How likely the draft before must stay, given the one before it.
    let mut kept = 1.0;
    for (place, ((p, q), &x)) in p_rows.iter().zip(q_rows).zip(draft).enumerate() {
        let due = Scaled { law: p, by: 1.0 };
        law.residuals.push(residual_distribution(&due, q)?);
        let through = (due.probability(x)? / q.probability(x)?).min(1.0);
        if place == 0 {
            kept = through;
            continue;
        }
        law.coins.push(kept);
        kept = acceptance_probability(p, q, x)?;
    }
    law.coins.extend((!draft.is_empty()).then_some(kept));
    Ok(law)
// END WRONG

// WRONG residual-of-one fn block_law: takes p - q for the correction, whatever was kept before
    use super::residual_distribution;

    check_window(p_rows, q_rows, draft)?;
    let mut law = BlockLaw { coins: Vec::new(), residuals: Vec::new() };
    // How likely the draft before must stay, given the one before it.
    let mut kept = 1.0;
    for (place, ((p, q), &x)) in p_rows.iter().zip(q_rows).zip(draft).enumerate() {
        let due = Scaled { law: p, by: kept };
        law.residuals.push(residual_distribution(p, q)?);
        let through = (due.probability(x)? / q.probability(x)?).min(1.0);
        if place == 0 {
            kept = through;
            continue;
        }
        let coin = (through + lift(p, q, kept)?).min(1.0);
        law.coins.push(coin);
        kept = if coin > 0.0 { (through / coin).min(1.0) } else { 0.0 };
    }
    law.coins.extend((!draft.is_empty()).then_some(kept));
    Ok(law)
// END WRONG

// WRONG coin-not-taken-out fn block_law: passes on what is due without dividing by the coin that was tossed
    use super::residual_distribution;

    check_window(p_rows, q_rows, draft)?;
    let mut law = BlockLaw { coins: Vec::new(), residuals: Vec::new() };
    // How likely the draft before must stay, given the one before it.
    let mut kept = 1.0;
    for (place, ((p, q), &x)) in p_rows.iter().zip(q_rows).zip(draft).enumerate() {
        let due = Scaled { law: p, by: kept };
        let some_due = due.entries().any(|(_, weight)| weight > 0.0);
        law.residuals.push(if some_due { residual_distribution(&due, q)? } else { residual_distribution(p, q)? });
        let through = (due.probability(x)? / q.probability(x)?).min(1.0);
        if place == 0 {
            kept = through;
            continue;
        }
        let coin = (through + lift(p, q, kept)?).min(1.0);
        law.coins.push(coin);
        kept = through;
    }
    law.coins.extend((!draft.is_empty()).then_some(kept));
    Ok(law)
// END WRONG

// WRONG unlifted fn block_law: lowers the coins of bad next drafts and raises none
    use super::residual_distribution;

    check_window(p_rows, q_rows, draft)?;
    let mut law = BlockLaw { coins: Vec::new(), residuals: Vec::new() };
    // How likely the draft before must stay, given the one before it.
    let mut kept = 1.0;
    for (place, ((p, q), &x)) in p_rows.iter().zip(q_rows).zip(draft).enumerate() {
        let due = Scaled { law: p, by: kept };
        let some_due = due.entries().any(|(_, weight)| weight > 0.0);
        law.residuals.push(if some_due { residual_distribution(&due, q)? } else { residual_distribution(p, q)? });
        let through = (due.probability(x)? / q.probability(x)?).min(1.0);
        if place == 0 {
            kept = through;
            continue;
        }
        let coin = through;
        law.coins.push(coin);
        kept = if coin > 0.0 { (through / coin).min(1.0) } else { 0.0 };
    }
    law.coins.extend((!draft.is_empty()).then_some(kept));
    Ok(law)
// END WRONG

// WRONG product-of-ratios fn block_law: forgets that a ratio above 1 has been spent
    use super::residual_distribution;

    check_window(p_rows, q_rows, draft)?;
    let mut law = BlockLaw { coins: Vec::new(), residuals: Vec::new() };
    // How likely the draft before must stay, given the one before it.
    let mut kept = 1.0;
    for (place, ((p, q), &x)) in p_rows.iter().zip(q_rows).zip(draft).enumerate() {
        let due = Scaled { law: p, by: kept };
        let some_due = due.entries().any(|(_, weight)| weight > 0.0);
        law.residuals.push(if some_due { residual_distribution(&due, q)? } else { residual_distribution(p, q)? });
        let through = due.probability(x)? / q.probability(x)?;
        if place == 0 {
            kept = through;
            continue;
        }
        let coin = (through + lift(p, q, kept)?).min(1.0);
        law.coins.push(coin);
        kept = if coin > 0.0 { (through / coin).min(1.0) } else { 0.0 };
    }
    law.coins.extend((!draft.is_empty()).then_some(kept));
    Ok(law)
// END WRONG

// WRONG no-last-coin fn block_law: has no coin for the last draft
    use super::residual_distribution;

    check_window(p_rows, q_rows, draft)?;
    let mut law = BlockLaw { coins: Vec::new(), residuals: Vec::new() };
    // How likely the draft before must stay, given the one before it.
    let mut kept = 1.0;
    for (place, ((p, q), &x)) in p_rows.iter().zip(q_rows).zip(draft).enumerate() {
        let due = Scaled { law: p, by: kept };
        let some_due = due.entries().any(|(_, weight)| weight > 0.0);
        law.residuals.push(if some_due { residual_distribution(&due, q)? } else { residual_distribution(p, q)? });
        let through = (due.probability(x)? / q.probability(x)?).min(1.0);
        if place == 0 {
            kept = through;
            continue;
        }
        let coin = (through + lift(p, q, kept)?).min(1.0);
        law.coins.push(coin);
        kept = if coin > 0.0 { (through / coin).min(1.0) } else { 0.0 };
    }
    let _ = kept;
    Ok(law)
// END WRONG

// WRONG unchecked fn block_law: takes any rows for a window
    use super::residual_distribution;

    let mut law = BlockLaw { coins: Vec::new(), residuals: Vec::new() };
    // How likely the draft before must stay, given the one before it.
    let mut kept = 1.0;
    for (place, ((p, q), &x)) in p_rows.iter().zip(q_rows).zip(draft).enumerate() {
        let due = Scaled { law: p, by: kept };
        let some_due = due.entries().any(|(_, weight)| weight > 0.0);
        law.residuals.push(if some_due { residual_distribution(&due, q)? } else { residual_distribution(p, q)? });
        let through = (due.probability(x)? / q.probability(x)?).min(1.0);
        if place == 0 {
            kept = through;
            continue;
        }
        let coin = (through + lift(p, q, kept)?).min(1.0);
        law.coins.push(coin);
        kept = if coin > 0.0 { (through / coin).min(1.0) } else { 0.0 };
    }
    law.coins.extend((!draft.is_empty()).then_some(kept));
    Ok(law)
// END WRONG

// WRONG shared-once fn lift: shares out evenly and lets what is above 1 spill
    if kept >= 1.0 {
        return Ok(1.0);
    }
    let (mut missing, mut below) = (kept, Vec::new());
    for (y, proposed) in q.entries().filter(|(_, proposed)| *proposed > 0.0) {
        let through = (kept * p.probability(y)? / proposed).min(1.0);
        missing -= proposed * through;
        below.push((1.0 - through, proposed));
    }
    // Like water: all rise together, and who reaches 1 stops.
    below.sort_by(|left, right| left.0.total_cmp(&right.0));
    let mut rising: f64 = below.iter().map(|(_, proposed)| proposed).sum();
    rising -= below.iter().filter(|(room, _)| *room <= 0.0).map(|(_, proposed)| proposed).sum::<f64>();
    Ok(if rising > 0.0 { (missing / rising).clamp(0.0, 1.0) } else { 1.0 })
// END WRONG

// WRONG in-proportion fn lift: lifts by a share of the room to 1, as if that were the same for all
    if kept >= 1.0 {
        return Ok(1.0);
    }
    let (mut missing, mut below) = (kept, Vec::new());
    for (y, proposed) in q.entries().filter(|(_, proposed)| *proposed > 0.0) {
        let through = (kept * p.probability(y)? / proposed).min(1.0);
        missing -= proposed * through;
        below.push((1.0 - through, proposed));
    }
    // Like water: all rise together, and who reaches 1 stops.
    below.sort_by(|left, right| left.0.total_cmp(&right.0));
    let mut rising: f64 = below.iter().map(|(_, proposed)| proposed).sum();
    rising = below.iter().map(|(room, proposed)| room * proposed).sum();
    Ok(if rising > 0.0 { (missing / rising).clamp(0.0, 1.0) } else { 1.0 })
// END WRONG

// WRONG unsorted fn lift: fills in the order of ids, so that a full one ends the rise too early
    if kept >= 1.0 {
        return Ok(1.0);
    }
    let (mut missing, mut below) = (kept, Vec::new());
    for (y, proposed) in q.entries().filter(|(_, proposed)| *proposed > 0.0) {
        let through = (kept * p.probability(y)? / proposed).min(1.0);
        missing -= proposed * through;
        below.push((1.0 - through, proposed));
    }
    // Like water: all rise together, and who reaches 1 stops.
    let mut rising: f64 = below.iter().map(|(_, proposed)| proposed).sum();
    for (room, proposed) in below {
        if missing <= room * rising {
            return Ok((missing / rising).clamp(0.0, 1.0));
        }
        missing -= room * proposed;
        rising -= proposed;
    }
    Ok(1.0)
// END WRONG

// WRONG nothing-due-is-an-error fn block_law: refuses a window behind a draft that cannot stay
    use super::residual_distribution;

    check_window(p_rows, q_rows, draft)?;
    let mut law = BlockLaw { coins: Vec::new(), residuals: Vec::new() };
    // How likely the draft before must stay, given the one before it.
    let mut kept = 1.0;
    for (place, ((p, q), &x)) in p_rows.iter().zip(q_rows).zip(draft).enumerate() {
        let due = Scaled { law: p, by: kept };
        law.residuals.push(residual_distribution(&due, q)?);
        let through = (due.probability(x)? / q.probability(x)?).min(1.0);
        if place == 0 {
            kept = through;
            continue;
        }
        let coin = (through + lift(p, q, kept)?).min(1.0);
        law.coins.push(coin);
        kept = if coin > 0.0 { (through / coin).min(1.0) } else { 0.0 };
    }
    law.coins.extend((!draft.is_empty()).then_some(kept));
    Ok(law)
// END WRONG

// WRONG lift-of-the-draft-s-own-row fn block_law: lifts a coin by the row of its own draft in place of the next
    use super::residual_distribution;

    check_window(p_rows, q_rows, draft)?;
    let mut law = BlockLaw { coins: Vec::new(), residuals: Vec::new() };
    // How likely the draft before must stay, given the one before it.
    let mut kept = 1.0;
    for (place, ((p, q), &x)) in p_rows.iter().zip(q_rows).zip(draft).enumerate() {
        let due = Scaled { law: p, by: kept };
        let some_due = due.entries().any(|(_, weight)| weight > 0.0);
        law.residuals.push(if some_due { residual_distribution(&due, q)? } else { residual_distribution(p, q)? });
        let through = (due.probability(x)? / q.probability(x)?).min(1.0);
        if place == 0 {
            kept = through;
            continue;
        }
        let coin = (through + lift(&p_rows[place - 1], &q_rows[place - 1], kept)?).min(1.0);
        law.coins.push(coin);
        kept = if coin > 0.0 { (through / coin).min(1.0) } else { 0.0 };
    }
    law.coins.extend((!draft.is_empty()).then_some(kept));
    Ok(law)
// END WRONG

// WRONG last-coin-lifted fn block_law: lifts the last coin too, which no later draft shares
    use super::residual_distribution;

    check_window(p_rows, q_rows, draft)?;
    let mut law = BlockLaw { coins: Vec::new(), residuals: Vec::new() };
    // How likely the draft before must stay, given the one before it.
    let mut kept = 1.0;
    for (place, ((p, q), &x)) in p_rows.iter().zip(q_rows).zip(draft).enumerate() {
        let due = Scaled { law: p, by: kept };
        let some_due = due.entries().any(|(_, weight)| weight > 0.0);
        law.residuals.push(if some_due { residual_distribution(&due, q)? } else { residual_distribution(p, q)? });
        let through = (due.probability(x)? / q.probability(x)?).min(1.0);
        if place == 0 {
            kept = through;
            continue;
        }
        let coin = (through + lift(p, q, kept)?).min(1.0);
        law.coins.push(coin);
        kept = if coin > 0.0 { (through / coin).min(1.0) } else { 0.0 };
    }
    if let (Some(p), Some(q)) = (p_rows.last(), q_rows.last()) {
        law.coins.push((kept * (1.0 + lift(p, q, kept)?)).min(1.0));
    }
    Ok(law)
// END WRONG

// WRONG weighed-by-the-target fn lift: weighs the rise with p, although the next draft comes from q
    if kept >= 1.0 {
        return Ok(1.0);
    }
    let (mut missing, mut below) = (kept, Vec::new());
    for (y, proposed) in q.entries().filter(|(_, proposed)| *proposed > 0.0) {
        let through = (kept * p.probability(y)? / proposed).min(1.0);
        missing -= proposed * through;
        below.push((1.0 - through, p.probability(y)?));
    }
    // Like water: all rise together, and who reaches 1 stops.
    below.sort_by(|left, right| left.0.total_cmp(&right.0));
    let mut rising: f64 = below.iter().map(|(_, proposed)| proposed).sum();
    for (room, proposed) in below {
        if missing <= room * rising {
            return Ok((missing / rising).clamp(0.0, 1.0));
        }
        missing -= room * proposed;
        rising -= proposed;
    }
    Ok(1.0)
// END WRONG

// WRONG first-row-checked fn block_law: looks at the first position alone
    use super::residual_distribution;

    let one = draft.len().min(1);
    check_window(&p_rows[..one], &q_rows[..one], &draft[..one])?;
    if p_rows.len() != draft.len() || q_rows.len() != draft.len() {
        check_window(p_rows, q_rows, draft)?;
    }
    let mut law = BlockLaw { coins: Vec::new(), residuals: Vec::new() };
    // How likely the draft before must stay, given the one before it.
    let mut kept = 1.0;
    for (place, ((p, q), &x)) in p_rows.iter().zip(q_rows).zip(draft).enumerate() {
        let due = Scaled { law: p, by: kept };
        let some_due = due.entries().any(|(_, weight)| weight > 0.0);
        law.residuals.push(if some_due { residual_distribution(&due, q)? } else { residual_distribution(p, q)? });
        let through = (due.probability(x)? / q.probability(x)?).min(1.0);
        if place == 0 {
            kept = through;
            continue;
        }
        let coin = (through + lift(p, q, kept)?).min(1.0);
        law.coins.push(coin);
        kept = if coin > 0.0 { (through / coin).min(1.0) } else { 0.0 };
    }
    law.coins.extend((!draft.is_empty()).then_some(kept));
    Ok(law)
// END WRONG
