// WRONG correction-from-the-target fn verify_one_token: draws the correction from p
    use super::checks::{check_law, check_proposed};
    use super::acceptance_probability;
    use super::marginal::normalised;

    let acceptance = acceptance_probability(p, q, draft)?;
    check_law(p)?;
    check_law(q)?;
    check_proposed(q, draft)?;
    if chance.accept(acceptance)? {
        return Ok(Verdict { accepted: true, token: draft, acceptance });
    }
    let token = chance.draw(&normalised(p)?)?;
    Ok(Verdict { accepted: false, token, acceptance })
// END WRONG

// WRONG correction-without-the-draft fn verify_one_token: draws the correction from p without the draft
    use super::checks::{check_law, check_proposed};
    use super::acceptance_probability;
    use super::marginal::normalised;

    let acceptance = acceptance_probability(p, q, draft)?;
    check_law(p)?;
    check_law(q)?;
    check_proposed(q, draft)?;
    if chance.accept(acceptance)? {
        return Ok(Verdict { accepted: true, token: draft, acceptance });
    }
    let mut rest = normalised(p)?;
    rest[draft] = 0.0;
    let token = chance.draw(&normalised(&rest)?)?;
    Ok(Verdict { accepted: false, token, acceptance })
// END WRONG

// WRONG correction-from-the-draft-s-law fn verify_one_token: draws the correction from q - p
    use super::checks::{check_law, check_proposed};
    use super::{acceptance_probability, residual_distribution};

    let acceptance = acceptance_probability(p, q, draft)?;
    check_law(p)?;
    check_law(q)?;
    check_proposed(q, draft)?;
    if chance.accept(acceptance)? {
        return Ok(Verdict { accepted: true, token: draft, acceptance });
    }
    let token = chance.draw(&residual_distribution(q, p)?)?;
    Ok(Verdict { accepted: false, token, acceptance })
// END WRONG

// WRONG correction-from-the-difference fn verify_one_token: draws the correction from |p - q|
    use super::checks::{check_law, check_proposed};
    use super::acceptance_probability;
    use super::marginal::normalised;

    let acceptance = acceptance_probability(p, q, draft)?;
    check_law(p)?;
    check_law(q)?;
    check_proposed(q, draft)?;
    if chance.accept(acceptance)? {
        return Ok(Verdict { accepted: true, token: draft, acceptance });
    }
    let token = chance.draw(&{
        let (p, q) = (normalised(p)?, normalised(q)?);
        normalised(&p.iter().zip(&q).map(|(p, q)| (p - q).abs()).collect::<Vec<f64>>())?
    })?;
    Ok(Verdict { accepted: false, token, acceptance })
// END WRONG

// WRONG inverted fn verify_one_token: tosses a coin of q / p
    use super::checks::{check_law, check_proposed};
    use super::{acceptance_probability, residual_distribution};

    let acceptance = acceptance_probability(q, p, draft)?;
    check_law(p)?;
    check_law(q)?;
    check_proposed(q, draft)?;
    if chance.accept(acceptance)? {
        return Ok(Verdict { accepted: true, token: draft, acceptance });
    }
    let token = chance.draw(&residual_distribution(p, q)?)?;
    Ok(Verdict { accepted: false, token, acceptance })
// END WRONG

// WRONG match-test fn verify_one_token: keeps the draft if a draw from p equals it, else draws from the residual
    use super::checks::{check_law, check_proposed};
    use super::{acceptance_probability, residual_distribution};

    let acceptance = acceptance_probability(p, q, draft)?;
    check_law(p)?;
    check_law(q)?;
    check_proposed(q, draft)?;
    let drawn = chance.draw(&super::marginal::normalised(p)?)?;
    if drawn == draft {
        return Ok(Verdict { accepted: true, token: draft, acceptance });
    }
    let token = chance.draw(&residual_distribution(p, q)?)?;
    Ok(Verdict { accepted: false, token, acceptance })
// END WRONG

// WRONG sampler-match fn verify_one_token: draws from p and compares: the same law, but a good draft is rejected for nothing
    use super::checks::{check_law, check_proposed};
    use super::{acceptance_probability, residual_distribution};

    let acceptance = acceptance_probability(p, q, draft)?;
    check_law(p)?;
    check_law(q)?;
    check_proposed(q, draft)?;
    let _ = residual_distribution(p, q)?;
    let token = chance.draw(&super::marginal::normalised(p)?)?;
    if token == draft {
        return Ok(Verdict { accepted: true, token, acceptance });
    }
    Ok(Verdict { accepted: false, token, acceptance })
// END WRONG

// WRONG correction-first fn verify_one_token: draws the correction before the coin, so that a stream of numbers gives other tokens
    use super::checks::{check_law, check_proposed};
    use super::{acceptance_probability, residual_distribution};

    let acceptance = acceptance_probability(p, q, draft)?;
    check_law(p)?;
    check_law(q)?;
    check_proposed(q, draft)?;
    let token = chance.draw(&residual_distribution(p, q)?)?;
    if chance.accept(acceptance)? {
        return Ok(Verdict { accepted: true, token: draft, acceptance });
    }
    Ok(Verdict { accepted: false, token, acceptance })
// END WRONG

// WRONG reaches-the-acceptance fn verify_one_token: keeps a draft at u = a too, one that the target forbids included
    use super::checks::{check_law, check_proposed};
    use super::{acceptance_probability, residual_distribution};

    let acceptance = acceptance_probability(p, q, draft)?;
    check_law(p)?;
    check_law(q)?;
    check_proposed(q, draft)?;
    let above = f64::from_bits(acceptance.to_bits() + 1).min(1.0);
    if chance.accept(above)? {
        return Ok(Verdict { accepted: true, token: draft, acceptance });
    }
    let token = chance.draw(&residual_distribution(p, q)?)?;
    Ok(Verdict { accepted: false, token, acceptance })
// END WRONG

// WRONG any-draft fn verify_one_token: judges a draft that its law never proposes
    use super::checks::check_law;
    use super::{acceptance_probability, residual_distribution};

    let acceptance = acceptance_probability(p, q, draft)?;
    check_law(p)?;
    check_law(q)?;
    if chance.accept(acceptance)? {
        return Ok(Verdict { accepted: true, token: draft, acceptance });
    }
    let token = chance.draw(&residual_distribution(p, q)?)?;
    Ok(Verdict { accepted: false, token, acceptance })
// END WRONG

// WRONG any-law fn verify_one_token: takes rows that do not sum to 1 for laws
    use super::checks::check_proposed;
    use super::{acceptance_probability, residual_distribution};

    let acceptance = acceptance_probability(p, q, draft)?;
    check_proposed(q, draft)?;
    if chance.accept(acceptance)? {
        return Ok(Verdict { accepted: true, token: draft, acceptance });
    }
    let token = chance.draw(&residual_distribution(p, q)?)?;
    Ok(Verdict { accepted: false, token, acceptance })
// END WRONG

// WRONG checks-after-the-coin fn verify_one_token: looks at the laws only after a rejection
    use super::checks::{check_law, check_proposed};
    use super::{acceptance_probability, residual_distribution};

    let acceptance = acceptance_probability(p, q, draft)?;
    check_proposed(q, draft)?;
    if chance.accept(acceptance)? {
        return Ok(Verdict { accepted: true, token: draft, acceptance });
    }
    check_law(p)?;
    check_law(q)?;
    let token = chance.draw(&residual_distribution(p, q)?)?;
    Ok(Verdict { accepted: false, token, acceptance })
// END WRONG

// WRONG certain-without-a-coin fn verify_one_token: tosses no coin where the acceptance is 1, so that a stream of numbers gives other tokens
    use super::checks::{check_law, check_proposed};
    use super::{acceptance_probability, residual_distribution};

    let acceptance = acceptance_probability(p, q, draft)?;
    check_law(p)?;
    check_law(q)?;
    check_proposed(q, draft)?;
    if acceptance == 1.0 || chance.accept(acceptance)? {
        return Ok(Verdict { accepted: true, token: draft, acceptance });
    }
    let token = chance.draw(&residual_distribution(p, q)?)?;
    Ok(Verdict { accepted: false, token, acceptance })
// END WRONG

// WRONG forbidden-without-a-coin fn verify_one_token: tosses no coin where the acceptance is 0
    use super::checks::{check_law, check_proposed};
    use super::{acceptance_probability, residual_distribution};

    let acceptance = acceptance_probability(p, q, draft)?;
    check_law(p)?;
    check_law(q)?;
    check_proposed(q, draft)?;
    if acceptance > 0.0 && chance.accept(acceptance)? {
        return Ok(Verdict { accepted: true, token: draft, acceptance });
    }
    let token = chance.draw(&residual_distribution(p, q)?)?;
    Ok(Verdict { accepted: false, token, acceptance })
// END WRONG
