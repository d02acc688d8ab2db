// WRONG residual-not-normalised fn speculative_output_marginal: adds p - q as it is, and hides the lost mass by dividing the answer by its sum
    use super::acceptance_probability;

    let (p, q) = (normalised(p)?, normalised(q)?);
    super::checks::check_same_vocabulary(&p, &q)?;
    let mut marginal = vec![0.0; p.len()];
    for (x, &proposed) in q.iter().enumerate().filter(|(_, proposed)| **proposed > 0.0) {
        let acceptance = acceptance_probability(&p, &q, x)?;
        marginal[x] += proposed * acceptance;
        for id in 0..p.len() {
            marginal[id] += proposed * (1.0 - acceptance) * (p[id] - q[id]).max(0.0);
        }
    }
    let sum: f64 = marginal.iter().sum();
    marginal.iter_mut().for_each(|weight| *weight /= sum);
    Ok(marginal)
// END WRONG

// WRONG accepted-alone fn speculative_output_marginal: forgets what is written after a rejection
    use super::{acceptance_probability, residual_distribution};

    let (p, q) = (normalised(p)?, normalised(q)?);
    let residual = residual_distribution(&p, &q)?;
    let mut marginal = vec![0.0; p.len()];
    for (x, &proposed) in q.iter().enumerate().filter(|(_, proposed)| **proposed > 0.0) {
        let acceptance = acceptance_probability(&p, &q, x)?;
        marginal[x] += proposed * acceptance;
        let _ = &residual;
    }
    Ok(marginal)
// END WRONG

// WRONG correction-from-the-target fn speculative_output_marginal: sums corrections that are drawn from p
    use super::{acceptance_probability, residual_distribution};

    let (p, q) = (normalised(p)?, normalised(q)?);
    let residual = residual_distribution(&p, &q)?;
    let mut marginal = vec![0.0; p.len()];
    for (x, &proposed) in q.iter().enumerate().filter(|(_, proposed)| **proposed > 0.0) {
        let acceptance = acceptance_probability(&p, &q, x)?;
        marginal[x] += proposed * acceptance;
        let _ = &residual;
        for (id, correction) in p.iter().enumerate() {
            marginal[id] += proposed * (1.0 - acceptance) * correction;
        }
    }
    Ok(marginal)
// END WRONG

// WRONG correction-without-the-draft fn speculative_output_marginal: sums corrections that are drawn from p without the draft
    use super::{acceptance_probability, residual_distribution};

    let (p, q) = (normalised(p)?, normalised(q)?);
    let residual = residual_distribution(&p, &q)?;
    let mut marginal = vec![0.0; p.len()];
    for (x, &proposed) in q.iter().enumerate().filter(|(_, proposed)| **proposed > 0.0) {
        let acceptance = acceptance_probability(&p, &q, x)?;
        marginal[x] += proposed * acceptance;
        let _ = &residual;
        for (id, correction) in p.iter().enumerate().filter(|(id, _)| *id != x).map(|(id, p_id)| (id, p_id / (1.0 - p[x]))) {
            marginal[id] += proposed * (1.0 - acceptance) * correction;
        }
    }
    Ok(marginal)
// END WRONG

// WRONG raw-laws fn speculative_output_marginal: sums laws that do not sum to 1
    use super::{acceptance_probability, residual_distribution};

    let (p, q) = {
        normalised(p)?;
        normalised(q)?;
        let dense = |law: &dyn Fn(usize) -> Result<f64>, length: usize| (0..length).map(law).collect::<Result<Vec<f64>>>();
        (dense(&|id| p.probability(id), p.vocabulary())?, dense(&|id| q.probability(id), q.vocabulary())?)
    };
    let residual = residual_distribution(&p, &q)?;
    let mut marginal = vec![0.0; p.len()];
    for (x, &proposed) in q.iter().enumerate().filter(|(_, proposed)| **proposed > 0.0) {
        let acceptance = acceptance_probability(&p, &q, x)?;
        marginal[x] += proposed * acceptance;
        for (id, correction) in residual.entries() {
            marginal[id] += proposed * (1.0 - acceptance) * correction;
        }
    }
    Ok(marginal)
// END WRONG

// WRONG every-draft-alike fn speculative_output_marginal: takes all drafts for equally likely
    use super::{acceptance_probability, residual_distribution};

    let (p, q) = (normalised(p)?, normalised(q)?);
    let residual = residual_distribution(&p, &q)?;
    let mut marginal = vec![0.0; p.len()];
    for (x, &proposed) in q.iter().enumerate().filter(|(_, proposed)| **proposed > 0.0) {
        let acceptance = acceptance_probability(&p, &q, x)?;
        let proposed = 1.0 / q.len() as f64 + 0.0 * proposed;
        marginal[x] += proposed * acceptance;
        for (id, correction) in residual.entries() {
            marginal[id] += proposed * (1.0 - acceptance) * correction;
        }
    }
    Ok(marginal)
// END WRONG

// WRONG first-draft fn speculative_output_marginal: stops after the first draft
    use super::{acceptance_probability, residual_distribution};

    let (p, q) = (normalised(p)?, normalised(q)?);
    let residual = residual_distribution(&p, &q)?;
    let mut marginal = vec![0.0; p.len()];
    for (x, &proposed) in q.iter().enumerate().filter(|(_, proposed)| **proposed > 0.0) {
        let acceptance = acceptance_probability(&p, &q, x)?;
        marginal[x] += proposed * acceptance;
        for (id, correction) in residual.entries() {
            marginal[id] += proposed * (1.0 - acceptance) * correction;
        }
        break;
    }
    Ok(marginal)
// END WRONG

// WRONG weighted-by-the-target fn speculative_output_marginal: weighs the drafts with p, as if the target had guessed
    use super::{acceptance_probability, residual_distribution};

    let (p, q) = (normalised(p)?, normalised(q)?);
    let residual = residual_distribution(&p, &q)?;
    let mut marginal = vec![0.0; p.len()];
    for (x, &proposed) in p.iter().enumerate().filter(|(_, proposed)| **proposed > 0.0) {
        let acceptance = acceptance_probability(&p, &q, x)?;
        marginal[x] += proposed * acceptance;
        for (id, correction) in residual.entries() {
            marginal[id] += proposed * (1.0 - acceptance) * correction;
        }
    }
    Ok(marginal)
// END WRONG
