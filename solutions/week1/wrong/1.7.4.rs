// WRONG same-key fn Sampler::sample: spends the same key at every draw
    let mut kept = logprobs.clone();
    if let Some(k) = self.top_k {
        kept = top_k(&kept, k)?;
    }
    if let Some(p) = self.top_p {
        kept = top_p(&kept, p)?;
    }
    let (next, spent) = mlx_rs::random::split(&self.key, 2)?;
    let _ = next;
    draw(&kept, self.temp, &spent)
// END WRONG

// WRONG fixed-key fn Sampler::sample: draws with a key of its own making, whatever the seed
    let mut kept = logprobs.clone();
    if let Some(k) = self.top_k {
        kept = top_k(&kept, k)?;
    }
    if let Some(p) = self.top_p {
        kept = top_p(&kept, p)?;
    }
    let (next, spent) = mlx_rs::random::split(&self.key, 2)?;
    self.key = next;
    let _ = spent;
    draw(&kept, self.temp, &mlx_rs::random::key(0)?)
// END WRONG

// WRONG tempered-first fn Sampler::sample: divides by the temperature before the filters
    let temp = if self.temp > 0.0 { self.temp } else { 1.0 };
    let mut kept = logprobs.divide(Array::from_f32(temp))?;
    kept = kept.subtract(kept.logsumexp_axis(-1, true)?)?;
    if let Some(k) = self.top_k {
        kept = top_k(&kept, k)?;
    }
    if let Some(p) = self.top_p {
        kept = top_p(&kept, p)?;
    }
    let (next, spent) = mlx_rs::random::split(&self.key, 2)?;
    self.key = next;
    draw(&kept, self.temp, &spent)
// END WRONG

// WRONG rescaled-between fn Sampler::sample: rescales between top-k and top-p
    let mut kept = logprobs.clone();
    if let Some(k) = self.top_k {
        kept = top_k(&kept, k)?;
        kept = kept.subtract(kept.logsumexp_axis(-1, true)?)?;
    }
    if let Some(p) = self.top_p {
        kept = top_p(&kept, p)?;
    }
    let (next, spent) = mlx_rs::random::split(&self.key, 2)?;
    self.key = next;
    draw(&kept, self.temp, &spent)
// END WRONG

// WRONG greedy-short-cut fn Sampler::sample: does not look at k when greedy
    if self.temp == 0.0 {
        return draw(logprobs, 0.0, &self.key);
    }
    let mut kept = logprobs.clone();
    if let Some(k) = self.top_k {
        kept = top_k(&kept, k)?;
    }
    if let Some(p) = self.top_p {
        kept = top_p(&kept, p)?;
    }
    let (next, spent) = mlx_rs::random::split(&self.key, 2)?;
    self.key = next;
    draw(&kept, self.temp, &spent)
// END WRONG

// WRONG no-top-p fn Sampler::sample: leaves one filter out
    let mut kept = logprobs.clone();
    if let Some(k) = self.top_k {
        kept = top_k(&kept, k)?;
    }
    if let Some(p) = self.top_p {
        let _ = p;
    }
    let (next, spent) = mlx_rs::random::split(&self.key, 2)?;
    self.key = next;
    draw(&kept, self.temp, &spent)
// END WRONG

// WRONG clamped-k fn Sampler::sample: takes a k above the vocabulary for the vocabulary
    let mut kept = logprobs.clone();
    if let Some(k) = self.top_k {
        kept = top_k(&kept, k.min(kept.dim(-1) as usize))?;
    }
    if let Some(p) = self.top_p {
        kept = top_p(&kept, p)?;
    }
    let (next, spent) = mlx_rs::random::split(&self.key, 2)?;
    self.key = next;
    draw(&kept, self.temp, &spent)
// END WRONG

// WRONG seedless fn make_sampler: takes the same key for every seed
    use kit::Error;

    if !(temp.is_finite() && temp >= 0.0) {
        let must = "be 0 or a finite positive number".into();
        return Err(Error::InvalidArgument { name: "temp".into(), value: temp.to_string(), must });
    }
    if let Some(p) = top_p.filter(|p| p.is_nan()) {
        return Err(Error::InvalidArgument { name: "top_p".into(), value: p.to_string(), must: "be a number".into() });
    }
    Ok(Sampler {
        temp,
        top_k: top_k.filter(|&k| k > 0).map(|k| k as usize),
        top_p: top_p.filter(|&p| p > 0.0 && p < 1.0),
        key: mlx_rs::random::key(seed * 0)?,
    })
// END WRONG

// WRONG half-a-seed fn make_sampler: drops the upper half of the seed
    use kit::Error;

    if !(temp.is_finite() && temp >= 0.0) {
        let must = "be 0 or a finite positive number".into();
        return Err(Error::InvalidArgument { name: "temp".into(), value: temp.to_string(), must });
    }
    if let Some(p) = top_p.filter(|p| p.is_nan()) {
        return Err(Error::InvalidArgument { name: "top_p".into(), value: p.to_string(), must: "be a number".into() });
    }
    Ok(Sampler {
        temp,
        top_k: top_k.filter(|&k| k > 0).map(|k| k as usize),
        top_p: top_p.filter(|&p| p > 0.0 && p < 1.0),
        key: mlx_rs::random::key(u64::from(seed as u32))?,
    })
// END WRONG

// WRONG negative-k-on fn make_sampler: takes a negative k for a very large one
    use kit::Error;

    if !(temp.is_finite() && temp >= 0.0) {
        let must = "be 0 or a finite positive number".into();
        return Err(Error::InvalidArgument { name: "temp".into(), value: temp.to_string(), must });
    }
    if let Some(p) = top_p.filter(|p| p.is_nan()) {
        return Err(Error::InvalidArgument { name: "top_p".into(), value: p.to_string(), must: "be a number".into() });
    }
    Ok(Sampler {
        temp,
        top_k: top_k.filter(|&k| k != 0).map(|k| k as usize),
        top_p: top_p.filter(|&p| p > 0.0 && p < 1.0),
        key: mlx_rs::random::key(seed)?,
    })
// END WRONG

// WRONG zero-p-on fn make_sampler: takes p = 0 for a filter of one token
    use kit::Error;

    if !(temp.is_finite() && temp >= 0.0) {
        let must = "be 0 or a finite positive number".into();
        return Err(Error::InvalidArgument { name: "temp".into(), value: temp.to_string(), must });
    }
    if let Some(p) = top_p.filter(|p| p.is_nan()) {
        return Err(Error::InvalidArgument { name: "top_p".into(), value: p.to_string(), must: "be a number".into() });
    }
    Ok(Sampler {
        temp,
        top_k: top_k.filter(|&k| k > 0).map(|k| k as usize),
        top_p: top_p.filter(|&p| p < 1.0).map(|p| p.max(f32::MIN_POSITIVE)),
        key: mlx_rs::random::key(seed)?,
    })
// END WRONG

// WRONG nan-p-off fn make_sampler: takes NaN for a filter that is off
    use kit::Error;

    if !(temp.is_finite() && temp >= 0.0) {
        let must = "be 0 or a finite positive number".into();
        return Err(Error::InvalidArgument { name: "temp".into(), value: temp.to_string(), must });
    }
    if let Some(p) = top_p.filter(|p| p.is_nan() && temp > 0.0) {
        return Err(Error::InvalidArgument { name: "top_p".into(), value: p.to_string(), must: "be a number".into() });
    }
    Ok(Sampler {
        temp,
        top_k: top_k.filter(|&k| k > 0).map(|k| k as usize),
        top_p: top_p.filter(|&p| p > 0.0 && p < 1.0),
        key: mlx_rs::random::key(seed)?,
    })
// END WRONG

// WRONG any-temp fn make_sampler: judges the temperature at the first draw
    use kit::Error;

    if temp.is_nan() {
        let must = "be 0 or a finite positive number".into();
        return Err(Error::InvalidArgument { name: "temp".into(), value: temp.to_string(), must });
    }
    if let Some(p) = top_p.filter(|p| p.is_nan()) {
        return Err(Error::InvalidArgument { name: "top_p".into(), value: p.to_string(), must: "be a number".into() });
    }
    Ok(Sampler {
        temp,
        top_k: top_k.filter(|&k| k > 0).map(|k| k as usize),
        top_p: top_p.filter(|&p| p > 0.0 && p < 1.0),
        key: mlx_rs::random::key(seed)?,
    })
// END WRONG

// WRONG one-filter fn Sampler::sample: ignores p where there is a k
        let mut kept = logprobs.clone();
        if let Some(k) = self.top_k {
            kept = top_k(&kept, k)?;
        }
        if let Some(p) = self.top_p.filter(|_| self.top_k.is_none()) {
            kept = top_p(&kept, p)?;
        }
        let (next, spent) = mlx_rs::random::split(&self.key, 2)?;
        self.key = next;
        draw(&kept, self.temp, &spent)
// END WRONG

// WRONG tempered-before-p fn Sampler::sample: divides by the temperature before top-p
        let mut kept = logprobs.clone();
        if let Some(k) = self.top_k {
            kept = top_k(&kept, k)?;
        }
        if let Some(p) = self.top_p.filter(|_| self.temp > 0.0) {
            let tempered = top_p(&kept.divide(Array::from_f32(self.temp))?, p)?;
            kept = mlx_rs::ops::select(tempered.gt(Array::from_f32(f32::NEG_INFINITY))?, &kept, &tempered)?;
        }
        if let Some(p) = self.top_p.filter(|_| self.temp == 0.0) {
            kept = top_p(&kept, p)?;
        }
        let (next, spent) = mlx_rs::random::split(&self.key, 2)?;
        self.key = next;
        draw(&kept, self.temp, &spent)
// END WRONG

// WRONG global-seed fn make_sampler: seeds the process and takes a key from it
    use kit::Error;

    if !(temp.is_finite() && temp >= 0.0) {
        let must = "be 0 or a finite positive number".into();
        return Err(Error::InvalidArgument { name: "temp".into(), value: temp.to_string(), must });
    }
    if let Some(p) = top_p.filter(|p| p.is_nan()) {
        return Err(Error::InvalidArgument { name: "top_p".into(), value: p.to_string(), must: "be a number".into() });
    }
    Ok(Sampler {
        temp,
        top_k: top_k.filter(|&k| k > 0).map(|k| k as usize),
        top_p: top_p.filter(|&p| p > 0.0 && p < 1.0),
        key: {
            mlx_rs::random::seed(seed)?;
            mlx_rs::random::randint::<_, u32>(0, i32::MAX, &[2], None)?
        },
    })
// END WRONG
