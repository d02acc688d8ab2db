// WRONG new-in-front fn ConcatCache::update_and_fetch: puts the new tokens before the old ones
    use mlx_rs::ops::concatenate;

    check_append("concat cache", self.kept.as_ref(), keys, values)?;
    let all = match &self.kept {
        None => (keys.clone(), values.clone()),
        Some((old_keys, old_values)) => {
            let joined = (concatenate(&[keys, old_keys], 2)?, concatenate(&[values, old_values], 2)?);
            self.moved_bytes += (old_keys.nbytes() + old_values.nbytes()) as u64;
            joined // (B, H, S, D)
        }
    };
    self.kept = Some(all.clone());
    Ok(all)
// END WRONG

// WRONG wrong-axis fn ConcatCache::update_and_fetch: joins along the heads
    use mlx_rs::ops::concatenate;

    check_append("concat cache", self.kept.as_ref(), keys, values)?;
    let all = match &self.kept {
        None => (keys.clone(), values.clone()),
        Some((old_keys, old_values)) => {
            let joined = (concatenate(&[old_keys, keys], 1)?, concatenate(&[old_values, values], 1)?);
            self.moved_bytes += (old_keys.nbytes() + old_values.nbytes()) as u64;
            joined // (B, H, S, D)
        }
    };
    self.kept = Some(all.clone());
    Ok(all)
// END WRONG

// WRONG values-are-keys fn ConcatCache::update_and_fetch: joins the new keys to the old values
    use mlx_rs::ops::concatenate;

    check_append("concat cache", self.kept.as_ref(), keys, values)?;
    let all = match &self.kept {
        None => (keys.clone(), values.clone()),
        Some((old_keys, old_values)) => {
            let joined = (concatenate(&[old_keys, keys], 2)?, concatenate(&[old_values, keys], 2)?);
            self.moved_bytes += (old_keys.nbytes() + old_values.nbytes()) as u64;
            joined // (B, H, S, D)
        }
    };
    self.kept = Some(all.clone());
    Ok(all)
// END WRONG

// WRONG only-the-new fn ConcatCache::update_and_fetch: returns the new tokens alone
    use mlx_rs::ops::concatenate;

    check_append("concat cache", self.kept.as_ref(), keys, values)?;
    let all = match &self.kept {
        None => (keys.clone(), values.clone()),
        Some((old_keys, old_values)) => {
            let joined = (concatenate(&[old_keys, keys], 2)?, concatenate(&[old_values, values], 2)?);
            self.moved_bytes += (old_keys.nbytes() + old_values.nbytes()) as u64;
            joined // (B, H, S, D)
        }
    };
    self.kept = Some(all.clone());
    Ok((keys.clone(), values.clone()))
// END WRONG

// WRONG not-kept fn ConcatCache::update_and_fetch: forgets to keep what it joined after the first call
    use mlx_rs::ops::concatenate;

    check_append("concat cache", self.kept.as_ref(), keys, values)?;
    let all = match &self.kept {
        None => (keys.clone(), values.clone()),
        Some((old_keys, old_values)) => {
            let joined = (concatenate(&[old_keys, keys], 2)?, concatenate(&[old_values, values], 2)?);
            self.moved_bytes += (old_keys.nbytes() + old_values.nbytes()) as u64;
            joined // (B, H, S, D)
        }
    };
    self.kept.get_or_insert(all.clone());
    Ok(all)
// END WRONG

// WRONG no-check fn ConcatCache::update_and_fetch: appends whatever comes, of any dtype
    use mlx_rs::ops::concatenate;

    let all = match &self.kept {
        None => (keys.clone(), values.clone()),
        Some((old_keys, old_values)) => {
            let joined = (concatenate(&[old_keys, keys], 2)?, concatenate(&[old_values, values], 2)?);
            self.moved_bytes += (old_keys.nbytes() + old_values.nbytes()) as u64;
            joined // (B, H, S, D)
        }
    };
    self.kept = Some(all.clone());
    Ok(all)
// END WRONG

// WRONG moves-half fn ConcatCache::update_and_fetch: counts the moved keys and forgets the values
    use mlx_rs::ops::concatenate;

    check_append("concat cache", self.kept.as_ref(), keys, values)?;
    let all = match &self.kept {
        None => (keys.clone(), values.clone()),
        Some((old_keys, old_values)) => {
            let joined = (concatenate(&[old_keys, keys], 2)?, concatenate(&[old_values, values], 2)?);
            self.moved_bytes += old_keys.nbytes() as u64;
            joined // (B, H, S, D)
        }
    };
    self.kept = Some(all.clone());
    Ok(all)
// END WRONG

// WRONG moves-new fn ConcatCache::update_and_fetch: counts the new tokens as moved, too
    use mlx_rs::ops::concatenate;

    check_append("concat cache", self.kept.as_ref(), keys, values)?;
    let all = match &self.kept {
        None => (keys.clone(), values.clone()),
        Some((old_keys, old_values)) => {
            let joined = (concatenate(&[old_keys, keys], 2)?, concatenate(&[old_values, values], 2)?);
            self.moved_bytes += (joined.0.nbytes() + joined.1.nbytes()) as u64;
            joined // (B, H, S, D)
        }
    };
    self.kept = Some(all.clone());
    Ok(all)
// END WRONG

// WRONG unbounded fn ConcatCache::rewind: takes any number of tokens back
    use mlx_rs::ops::indexing::TryIndexOp;

    let offset = self.offset();
    let tokens = tokens.clamp(0, offset);
    if let Some((keys, values)) = &self.kept {
        let first = (.., .., ..offset - tokens, ..);
        self.kept = Some((keys.try_index(first)?, values.try_index(first)?));
    }
    Ok(())
// END WRONG

// WRONG first-tokens fn ConcatCache::rewind: forgets the first tokens instead of the last
    use mlx_rs::ops::indexing::TryIndexOp;

    let offset = self.offset();
    check_rewind(tokens, offset)?;
    if let Some((keys, values)) = &self.kept {
        let first = (.., .., tokens.., ..);
        self.kept = Some((keys.try_index(first.clone())?, values.try_index(first)?));
    }
    Ok(())
// END WRONG

// WRONG keeps-the-forgotten fn ConcatCache::rewind: keeps as many as it should forget
    use mlx_rs::ops::indexing::TryIndexOp;

    let offset = self.offset();
    check_rewind(tokens, offset)?;
    if let Some((keys, values)) = &self.kept {
        let first = (.., .., ..tokens, ..);
        self.kept = Some((keys.try_index(first)?, values.try_index(first)?));
    }
    Ok(())
// END WRONG

// WRONG values-stay fn ConcatCache::rewind: takes the keys back and leaves the values
    use mlx_rs::ops::indexing::TryIndexOp;

    let offset = self.offset();
    check_rewind(tokens, offset)?;
    if let Some((keys, values)) = &self.kept {
        let first = (.., .., ..offset - tokens, ..);
        self.kept = Some((keys.try_index(first)?, values.clone()));
    }
    Ok(())
// END WRONG
