// WRONG drops-nan fn Samples::new: leaves out what is not a number
    use kit::Error;

    let refused =
        |value: String, must: &str| Err(Error::InvalidArgument { name: "values".into(), value, must: must.into() });
    if values.is_empty() {
        return refused("empty".into(), "hold at least one measurement");
    }
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    if sorted.is_empty() {
        return refused("a list without numbers".into(), "hold finite numbers");
    }
    sorted.sort_by(f64::total_cmp);
    Ok(Self { sorted })
// END WRONG

// WRONG only-nan fn Samples::new: refuses NaN and lets infinity through
    use kit::Error;

    let refused =
        |value: String, must: &str| Err(Error::InvalidArgument { name: "values".into(), value, must: must.into() });
    if values.is_empty() {
        return refused("empty".into(), "hold at least one measurement");
    }
    if let Some(value) = values.iter().find(|value| value.is_nan()) {
        return refused(format!("a list with {value}"), "hold finite numbers");
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    Ok(Self { sorted })
// END WRONG

// WRONG unsorted fn Samples::new: keeps the order of the trials
    use kit::Error;

    let refused =
        |value: String, must: &str| Err(Error::InvalidArgument { name: "values".into(), value, must: must.into() });
    if values.is_empty() {
        return refused("empty".into(), "hold at least one measurement");
    }
    if let Some(value) = values.iter().find(|value| !value.is_finite()) {
        return refused(format!("a list with {value}"), "hold finite numbers");
    }
    let mut sorted = values.to_vec();
    sorted.rotate_left(0);
    Ok(Self { sorted })
// END WRONG

// WRONG as-text fn Samples::new: sorts by the bits, so that negative numbers stand in the wrong order
    use kit::Error;

    let refused =
        |value: String, must: &str| Err(Error::InvalidArgument { name: "values".into(), value, must: must.into() });
    if values.is_empty() {
        return refused("empty".into(), "hold at least one measurement");
    }
    if let Some(value) = values.iter().find(|value| !value.is_finite()) {
        return refused(format!("a list with {value}"), "hold finite numbers");
    }
    let mut sorted = values.to_vec();
    sorted.sort_by_key(|value| value.to_bits());
    Ok(Self { sorted })
// END WRONG

// WRONG nearest fn Samples::quantile: takes the nearest sample instead of a place between two
    use kit::Error;

    if !(0.0..=1.0).contains(&p) {
        let must = "be between 0 and 1".into();
        return Err(Error::InvalidArgument { name: "p".into(), value: p.to_string(), must });
    }
    let place = p * (self.sorted.len() - 1) as f64;
    Ok(self.sorted[place.round() as usize])
// END WRONG

// WRONG place-of-n fn Samples::quantile: places p·n instead of p·(n - 1)
    use kit::Error;

    if !(0.0..=1.0).contains(&p) {
        let must = "be between 0 and 1".into();
        return Err(Error::InvalidArgument { name: "p".into(), value: p.to_string(), must });
    }
    let place = (p * self.sorted.len() as f64).min((self.sorted.len() - 1) as f64);
    let (below, above) = (self.sorted[place.floor() as usize], self.sorted[place.ceil() as usize]);
    Ok(below + (above - below) * place.fract())
// END WRONG

// WRONG upper-of-two fn Samples::quantile: takes the upper neighbour
    use kit::Error;

    if !(0.0..=1.0).contains(&p) {
        let must = "be between 0 and 1".into();
        return Err(Error::InvalidArgument { name: "p".into(), value: p.to_string(), must });
    }
    let place = p * (self.sorted.len() - 1) as f64;
    let (below, above) = (self.sorted[place.floor() as usize], self.sorted[place.ceil() as usize]);
    Ok(if place.fract() > 0.0 { above } else { below })
// END WRONG

// WRONG clamps fn Samples::quantile: pulls a share outside 0..=1 back inside
    use kit::Error;

    let p = p.clamp(0.0, 1.0);
    if p.is_nan() {
        let must = "be between 0 and 1".into();
        return Err(Error::InvalidArgument { name: "p".into(), value: p.to_string(), must });
    }
    let place = p * (self.sorted.len() - 1) as f64;
    let (below, above) = (self.sorted[place.floor() as usize], self.sorted[place.ceil() as usize]);
    Ok(below + (above - below) * place.fract())
// END WRONG

// WRONG one-sided fn Samples::median_interval: counts the misses of one side alone
    use kit::Error;

    let refused = |must: String| {
        Err(Error::InvalidArgument { name: "confidence".into(), value: confidence.to_string(), must })
    };
    if !(confidence > 0.0 && confidence < 1.0) {
        return refused("lie between 0 and 1".into());
    }
    let n = self.sorted.len();
    // P(K = k) by its logarithm: 0.5^n itself is 0 in f64 beyond some 1,000 samples.
    let mut log_heads = -(n as f64) * std::f64::consts::LN_2; // k = 0
    let (mut missed, mut best) = (0.0, None);
    for r in 1..=n.div_ceil(2) {
        missed += log_heads.exp();
        if 1.0 - missed < confidence {
            break;
        }
        best = Some(Interval { low: self.sorted[r - 1], high: self.sorted[n - r], coverage: 1.0 - missed });
        log_heads += ((n + 1 - r) as f64 / r as f64).ln();
    }
    let needed = (1.0 - (1.0 - confidence).log2()).ceil();
    best.map_or_else(|| refused(format!("be lower for {n} samples, or the samples be at least {needed}")), Ok)
// END WRONG

// WRONG whole-range fn Samples::median_interval: always takes the smallest and the largest
    use kit::Error;

    let refused = |must: String| {
        Err(Error::InvalidArgument { name: "confidence".into(), value: confidence.to_string(), must })
    };
    if !(confidence > 0.0 && confidence < 1.0) {
        return refused("lie between 0 and 1".into());
    }
    let n = self.sorted.len();
    // P(K = k) by its logarithm: 0.5^n itself is 0 in f64 beyond some 1,000 samples.
    let mut log_heads = -(n as f64) * std::f64::consts::LN_2; // k = 0
    let (mut missed, mut best) = (0.0, None);
    for r in 1..=1 {
        missed += 2.0 * log_heads.exp();
        if 1.0 - missed < confidence {
            break;
        }
        best = Some(Interval { low: self.sorted[r - 1], high: self.sorted[n - r], coverage: 1.0 - missed });
        log_heads += ((n + 1 - r) as f64 / r as f64).ln();
    }
    let needed = (1.0 - (1.0 - confidence).log2()).ceil();
    best.map_or_else(|| refused(format!("be lower for {n} samples, or the samples be at least {needed}")), Ok)
// END WRONG

// WRONG underflow fn Samples::median_interval: starts from 0.5^n itself, which is 0 for many samples
    use kit::Error;

    let refused = |must: String| {
        Err(Error::InvalidArgument { name: "confidence".into(), value: confidence.to_string(), must })
    };
    if !(confidence > 0.0 && confidence < 1.0) {
        return refused("lie between 0 and 1".into());
    }
    let n = self.sorted.len();
    // P(K = k) by its logarithm: 0.5^n itself is 0 in f64 beyond some 1,000 samples.
    let mut log_heads = 0.5_f64.powi(n as i32).ln();
    let (mut missed, mut best) = (0.0, None);
    for r in 1..=n.div_ceil(2) {
        missed += 2.0 * log_heads.exp();
        if 1.0 - missed < confidence {
            break;
        }
        best = Some(Interval { low: self.sorted[r - 1], high: self.sorted[n - r], coverage: 1.0 - missed });
        log_heads += ((n + 1 - r) as f64 / r as f64).ln();
    }
    let needed = (1.0 - (1.0 - confidence).log2()).ceil();
    best.map_or_else(|| refused(format!("be lower for {n} samples, or the samples be at least {needed}")), Ok)
// END WRONG

// WRONG one-too-narrow fn Samples::median_interval: stops one place too late
    use kit::Error;

    let refused = |must: String| {
        Err(Error::InvalidArgument { name: "confidence".into(), value: confidence.to_string(), must })
    };
    if !(confidence > 0.0 && confidence < 1.0) {
        return refused("lie between 0 and 1".into());
    }
    let n = self.sorted.len();
    // P(K = k) by its logarithm: 0.5^n itself is 0 in f64 beyond some 1,000 samples.
    let mut log_heads = -(n as f64) * std::f64::consts::LN_2; // k = 0
    let (mut missed, mut best) = (0.0, None);
    for r in 1..=n.div_ceil(2) {
        missed += 2.0 * log_heads.exp();
        best = Some(Interval { low: self.sorted[r - 1], high: self.sorted[n - r], coverage: 1.0 - missed });
        if 1.0 - missed < confidence {
            break;
        }
        log_heads += ((n + 1 - r) as f64 / r as f64).ln();
    }
    let needed = (1.0 - (1.0 - confidence).log2()).ceil();
    best.map_or_else(|| refused(format!("be lower for {n} samples, or the samples be at least {needed}")), Ok)
// END WRONG

// WRONG normal-law fn Samples::median_interval: assumes the noise to be normal: mean and 1.96 standard errors
    use kit::Error;

    let refused = |must: String| {
        Err(Error::InvalidArgument { name: "confidence".into(), value: confidence.to_string(), must })
    };
    if !(confidence > 0.0 && confidence < 1.0) {
        return refused("lie between 0 and 1".into());
    }
    let n = self.sorted.len();
    if n > 5 {
        let mean = self.sorted.iter().sum::<f64>() / n as f64;
        let squares = self.sorted.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        let error = 1.96 * (squares / (n * (n - 1)) as f64).sqrt();
        return Ok(Interval { low: mean - error, high: mean + error, coverage: 0.95 });
    }
    // P(K = k) by its logarithm: 0.5^n itself is 0 in f64 beyond some 1,000 samples.
    let mut log_heads = -(n as f64) * std::f64::consts::LN_2; // k = 0
    let (mut missed, mut best) = (0.0, None);
    for r in 1..=n.div_ceil(2) {
        missed += 2.0 * log_heads.exp();
        if 1.0 - missed < confidence {
            break;
        }
        best = Some(Interval { low: self.sorted[r - 1], high: self.sorted[n - r], coverage: 1.0 - missed });
        log_heads += ((n + 1 - r) as f64 / r as f64).ln();
    }
    let needed = (1.0 - (1.0 - confidence).log2()).ceil();
    best.map_or_else(|| refused(format!("be lower for {n} samples, or the samples be at least {needed}")), Ok)
// END WRONG
