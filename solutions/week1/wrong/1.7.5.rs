// WRONG filters-first fn distribution_from_logits: filters the untempered law, then applies the temperature
    let penalised = apply_penalties(logits, history, config.presence_penalty(), config.frequency_penalty())?;
    if config.temperature() <= 0.0 {
        return softmax(&penalised, config.temperature());
    }
    let kept = apply_top_p_top_k(&softmax(&penalised, 1.0)?, config.top_p(), config.top_k())?;
    let logs: Vec<f64> = kept.iter().map(|prob| prob.ln()).collect();
    softmax(&logs, config.temperature())
// END WRONG

// WRONG penalties-after-the-division fn distribution_from_logits: divides by the temperature, then subtracts the penalties
    if config.temperature() <= 0.0 || config.temperature().is_infinite() {
        let penalised = apply_penalties(logits, history, config.presence_penalty(), config.frequency_penalty())?;
        let tempered = softmax(&penalised, config.temperature())?;
        return apply_top_p_top_k(&tempered, config.top_p(), config.top_k());
    }
    let max = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let divided: Vec<f64> = logits.iter().map(|z| (z - max) / config.temperature()).collect();
    let penalised = apply_penalties(&divided, history, config.presence_penalty(), config.frequency_penalty())?;
    apply_top_p_top_k(&softmax(&penalised, 1.0)?, config.top_p(), config.top_k())
// END WRONG

// WRONG penalties-on-probabilities fn distribution_from_logits: subtracts the penalties from the softmax
    let tempered = softmax(logits, config.temperature())?;
    let penalised = apply_penalties(&tempered, history, config.presence_penalty(), config.frequency_penalty())?;
    let positive: Vec<f64> = penalised.iter().map(|prob| prob.max(0.0)).collect();
    apply_top_p_top_k(&positive, config.top_p(), config.top_k())
// END WRONG

// WRONG rescaled-between fn distribution_from_logits: calls the filters one after the other, which rescales in between
    let penalised = apply_penalties(logits, history, config.presence_penalty(), config.frequency_penalty())?;
    let tempered = softmax(&penalised, config.temperature())?;
    let best = apply_top_p_top_k(&tempered, 1.0, config.top_k())?;
    apply_top_p_top_k(&best, config.top_p(), 0)
// END WRONG

// WRONG no-penalties fn distribution_from_logits: forgets the history
    let _ = history;
    apply_top_p_top_k(&softmax(logits, config.temperature())?, config.top_p(), config.top_k())
// END WRONG

// WRONG swapped-penalties fn distribution_from_logits: gives the two penalties in the other order
    let penalised = apply_penalties(logits, history, config.frequency_penalty(), config.presence_penalty())?;
    let tempered = softmax(&penalised, config.temperature())?;
    apply_top_p_top_k(&tempered, config.top_p(), config.top_k())
// END WRONG

// WRONG presence-each-time fn distribution_from_logits: counts the presence penalty for every occurrence
    let each = config.presence_penalty() + config.frequency_penalty();
    let penalised = apply_penalties(logits, history, 0.0, each)?;
    let tempered = softmax(&penalised, config.temperature())?;
    apply_top_p_top_k(&tempered, config.top_p(), config.top_k())
// END WRONG

// WRONG temperature-twice fn distribution_from_logits: divides by the temperature before a softmax that does it, too
    let penalised = apply_penalties(logits, history, config.presence_penalty(), config.frequency_penalty())?;
    if config.temperature() <= 0.0 || config.temperature().is_infinite() {
        return apply_top_p_top_k(&softmax(&penalised, config.temperature())?, config.top_p(), config.top_k());
    }
    let max = penalised.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let divided: Vec<f64> = penalised.iter().map(|z| (z - max) / config.temperature()).collect();
    apply_top_p_top_k(&softmax(&divided, config.temperature())?, config.top_p(), config.top_k())
// END WRONG

// WRONG unchecked-greedy fn distribution_from_logits: takes a short cut at temperature 0 that looks at no row
    let penalised = apply_penalties(logits, history, config.presence_penalty(), config.frequency_penalty())?;
    if config.temperature() <= 0.0 {
        let mut best = 0;
        for (id, &z) in penalised.iter().enumerate() {
            if z > penalised[best] {
                best = id;
            }
        }
        let mut one_hot = vec![0.0; logits.len()];
        one_hot[best] = 1.0;
        return Ok(one_hot);
    }
    apply_top_p_top_k(&softmax(&penalised, config.temperature())?, config.top_p(), config.top_k())
// END WRONG

// WRONG greedy-without-penalties fn distribution_from_logits: at temperature 0 the raw logits decide
    if config.temperature() <= 0.0 {
        apply_penalties(logits, history, config.presence_penalty(), config.frequency_penalty())?;
        return softmax(logits, config.temperature());
    }
    let penalised = apply_penalties(logits, history, config.presence_penalty(), config.frequency_penalty())?;
    apply_top_p_top_k(&softmax(&penalised, config.temperature())?, config.top_p(), config.top_k())
// END WRONG

// WRONG almost-zero fn distribution_from_logits: takes a tiny temperature for 0, so that tied maxima share
    let penalised = apply_penalties(logits, history, config.presence_penalty(), config.frequency_penalty())?;
    let tempered = softmax(&penalised, config.temperature().max(1e-5))?;
    apply_top_p_top_k(&tempered, config.top_p(), config.top_k())
// END WRONG

// WRONG counts-alone fn distribution_from_logits: rebuilds the history from its counts and loses the loop guard
    let counts = history.counts().map(|(id, count)| (id as i64, count as i64));
    let history = History::from_counts(counts)?;
    let penalised = apply_penalties(logits, &history, config.presence_penalty(), config.frequency_penalty())?;
    let tempered = softmax(&penalised, config.temperature())?;
    apply_top_p_top_k(&tempered, config.top_p(), config.top_k())
// END WRONG

// WRONG single-precision fn distribution_from_logits: rounds the tempered law to f32 on the way
    let penalised = apply_penalties(logits, history, config.presence_penalty(), config.frequency_penalty())?;
    let tempered = softmax(&penalised, config.temperature())?;
    let rounded: Vec<f64> = tempered.iter().map(|&prob| f64::from(prob as f32)).collect();
    apply_top_p_top_k(&rounded, config.top_p(), config.top_k())
// END WRONG

// WRONG last-maximum fn distribution_from_logits: at temperature 0 takes the last of tied maxima, as max_by does
    let penalised = apply_penalties(logits, history, config.presence_penalty(), config.frequency_penalty())?;
    let tempered = softmax(&penalised, config.temperature())?;
    if config.temperature() <= 0.0 {
        let best = (0..penalised.len()).max_by(|&a, &b| penalised[a].total_cmp(&penalised[b])).unwrap_or(0);
        return Ok((0..penalised.len()).map(|id| if id == best { 1.0 } else { 0.0 }).collect());
    }
    apply_top_p_top_k(&tempered, config.top_p(), config.top_k())
// END WRONG

// WRONG filters-without-penalties fn distribution_from_logits: lets the unpenalised row decide who survives
    let unpenalised = apply_top_p_top_k(&softmax(logits, config.temperature())?, config.top_p(), config.top_k())?;
    let penalised = apply_penalties(logits, history, config.presence_penalty(), config.frequency_penalty())?;
    let mut row = softmax(&penalised, config.temperature())?;
    row.iter_mut().zip(&unpenalised).for_each(|(prob, kept)| *prob = if *kept > 0.0 { *prob } else { 0.0 });
    apply_top_p_top_k(&row, 1.0, 0)
// END WRONG

// WRONG k-cut-to-32-bits fn distribution_from_logits: cuts k to 32 bits, so that one that is off comes back as a small one
    let penalised = apply_penalties(logits, history, config.presence_penalty(), config.frequency_penalty())?;
    let tempered = softmax(&penalised, config.temperature())?;
    apply_top_p_top_k(&tempered, config.top_p(), i64::from(config.top_k() as i32))
// END WRONG
