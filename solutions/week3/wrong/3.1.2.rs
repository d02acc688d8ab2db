// WRONG one-offset fn row_mask: gives every row the offset of the longest
    use mlx_rs::ops::{arange, select};

    let longest = offsets.iter().max().copied().unwrap_or(0) + tokens; // S
    let most = vec![longest - tokens; offsets.len()];
    let first = Array::from_slice(&most, &[offsets.len() as i32, 1, 1, 1]);
    let queries = arange::<_, i32>(0, tokens, 1)?.expand_dims(1)?.add(first)?; // (B, 1, L, 1)
    let seen = arange::<_, i32>(0, longest, 1)?.le(queries)?; // (B, 1, L, S)
    Ok(select(seen, Array::from_f32(0.0), Array::from_f32(f32::NEG_INFINITY))?)
// END WRONG

// WRONG strictly-before fn row_mask: a token does not see itself
    use mlx_rs::ops::{arange, select};

    let longest = offsets.iter().max().copied().unwrap_or(0) + tokens; // S
    let first = Array::from_slice(offsets, &[offsets.len() as i32, 1, 1, 1]);
    let queries = arange::<_, i32>(0, tokens, 1)?.expand_dims(1)?.add(first)?; // (B, 1, L, 1)
    let seen = arange::<_, i32>(0, longest, 1)?.lt(queries)?; // (B, 1, L, S)
    Ok(select(seen, Array::from_f32(0.0), Array::from_f32(f32::NEG_INFINITY))?)
// END WRONG

// WRONG padding-only fn row_mask: hides what is behind a text, but lets its tokens see the later ones
    use mlx_rs::ops::{arange, select};

    let longest = offsets.iter().max().copied().unwrap_or(0) + tokens; // S
    let first = Array::from_slice(offsets, &[offsets.len() as i32, 1, 1, 1]);
    let queries = arange::<_, i32>(0, tokens, 1)?.expand_dims(1)?.add(first)?; // (B, 1, L, 1)
    let seen = arange::<_, i32>(0, longest, 1)?.lt(Array::from_slice(offsets, &[offsets.len() as i32, 1, 1, 1]).add(Array::from_int(tokens))?.add(queries.multiply(Array::from_int(0))?)?)?; // (B, 1, L, S)
    Ok(select(seen, Array::from_f32(0.0), Array::from_f32(f32::NEG_INFINITY))?)
// END WRONG

// WRONG keeps-the-old fn SlotCache::leave: leaves keys and values of the text where they are

    if self.length(slot).is_none() {
        return refused("slot", slot, "hold a text");
    }
    let row = slot as i32..slot as i32 + 1;
    for (keys, values) in self.storage.iter_mut().flatten() {
        for kept in [keys, values] {
            let nothing = Array::from_f32(0.0).as_dtype(kept.dtype())?;
            let _ = (&row, nothing, &kept);
        }
    }
    self.lengths[slot] = None;
    Ok(())
// END WRONG

// WRONG any-slot fn SlotCache::leave: lets an empty slot be left
    use mlx_rs::ops::indexing::TryIndexMutOp;

    if slot >= self.slots() {
        return refused("slot", slot, "be there");
    }
    let row = slot as i32..slot as i32 + 1;
    for (keys, values) in self.storage.iter_mut().flatten() {
        for kept in [keys, values] {
            let nothing = Array::from_f32(0.0).as_dtype(kept.dtype())?;
            kept.try_index_mut(row.clone(), nothing)?;
        }
    }
    self.lengths[slot] = None;
    Ok(())
// END WRONG

// WRONG stays-occupied fn SlotCache::leave: clears the numbers but keeps the place
    use mlx_rs::ops::indexing::TryIndexMutOp;

    if self.length(slot).is_none() {
        return refused("slot", slot, "hold a text");
    }
    let row = slot as i32..slot as i32 + 1;
    for (keys, values) in self.storage.iter_mut().flatten() {
        for kept in [keys, values] {
            let nothing = Array::from_f32(0.0).as_dtype(kept.dtype())?;
            kept.try_index_mut(row.clone(), nothing)?;
        }
    }
    self.lengths[slot] = Some(0);
    Ok(())
// END WRONG

// WRONG row-as-slot fn SlotCache::update: writes row b into slot b, whoever lives there
    use mlx_rs::ops::indexing::{TryIndexMutOp, TryIndexOp};

    step.check(&*self)?;
    check_new(step, self.storage.get(layer).map(Option::as_ref), layer, keys, values)?;
    self.make_room(layer, step.keys, keys)?;
    let Some((all_keys, all_values)) = &mut self.storage[layer] else {
        return Err(kit::Error::Other("the slot cache has made no room".into()));
    };
    for (row, (&slot, &offset)) in (0..).zip(step.slots.iter().zip(&step.offsets)) {
        let _ = slot;
        let (slot, from) = (row, row..row + 1);
        let to = (slot..slot + 1, .., offset..offset + step.tokens, ..);
        all_keys.try_index_mut(to.clone(), keys.try_index(from.clone())?)?;
        all_values.try_index_mut(to, values.try_index(from)?)?;
    }
    Ok(Seen::Dense(rows_of(all_keys, step)?, rows_of(all_values, step)?))
// END WRONG

// WRONG same-place fn SlotCache::update: writes every row behind the first one's text
    use mlx_rs::ops::indexing::{TryIndexMutOp, TryIndexOp};

    step.check(&*self)?;
    check_new(step, self.storage.get(layer).map(Option::as_ref), layer, keys, values)?;
    self.make_room(layer, step.keys, keys)?;
    let Some((all_keys, all_values)) = &mut self.storage[layer] else {
        return Err(kit::Error::Other("the slot cache has made no room".into()));
    };
    for (row, (&slot, &offset)) in (0..).zip(step.slots.iter().map(|slot| (slot, &step.offsets[0]))) {
        let (slot, from) = (slot as i32, row..row + 1);
        let to = (slot..slot + 1, .., offset..offset + step.tokens, ..);
        all_keys.try_index_mut(to.clone(), keys.try_index(from.clone())?)?;
        all_values.try_index_mut(to, values.try_index(from)?)?;
    }
    Ok(Seen::Dense(rows_of(all_keys, step)?, rows_of(all_values, step)?))
// END WRONG

// WRONG values-of-keys fn SlotCache::update: keeps the keys twice
    use mlx_rs::ops::indexing::{TryIndexMutOp, TryIndexOp};

    step.check(&*self)?;
    check_new(step, self.storage.get(layer).map(Option::as_ref), layer, keys, values)?;
    self.make_room(layer, step.keys, keys)?;
    let Some((all_keys, all_values)) = &mut self.storage[layer] else {
        return Err(kit::Error::Other("the slot cache has made no room".into()));
    };
    for (row, (&slot, &offset)) in (0..).zip(step.slots.iter().zip(&step.offsets)) {
        let (slot, from) = (slot as i32, row..row + 1);
        let to = (slot..slot + 1, .., offset..offset + step.tokens, ..);
        all_keys.try_index_mut(to.clone(), keys.try_index(from.clone())?)?;
        all_values.try_index_mut(to, keys.try_index(from)?)?;
    }
    Ok(Seen::Dense(rows_of(all_keys, step)?, rows_of(all_values, step)?))
// END WRONG

// WRONG whole-storage fn SlotCache::update: gives the whole room, slots that take no part included
    use mlx_rs::ops::indexing::{TryIndexMutOp, TryIndexOp};

    step.check(&*self)?;
    check_new(step, self.storage.get(layer).map(Option::as_ref), layer, keys, values)?;
    self.make_room(layer, step.keys, keys)?;
    let Some((all_keys, all_values)) = &mut self.storage[layer] else {
        return Err(kit::Error::Other("the slot cache has made no room".into()));
    };
    for (row, (&slot, &offset)) in (0..).zip(step.slots.iter().zip(&step.offsets)) {
        let (slot, from) = (slot as i32, row..row + 1);
        let to = (slot..slot + 1, .., offset..offset + step.tokens, ..);
        all_keys.try_index_mut(to.clone(), keys.try_index(from.clone())?)?;
        all_values.try_index_mut(to, values.try_index(from)?)?;
    }
    Ok(Seen::Dense(all_keys.clone(), all_values.clone()))
// END WRONG

// WRONG in-order fn SlotCache::update: gives the slots in their own order instead of the rows'
    use mlx_rs::ops::indexing::{TryIndexMutOp, TryIndexOp};

    step.check(&*self)?;
    check_new(step, self.storage.get(layer).map(Option::as_ref), layer, keys, values)?;
    self.make_room(layer, step.keys, keys)?;
    let Some((all_keys, all_values)) = &mut self.storage[layer] else {
        return Err(kit::Error::Other("the slot cache has made no room".into()));
    };
    for (row, (&slot, &offset)) in (0..).zip(step.slots.iter().zip(&step.offsets)) {
        let (slot, from) = (slot as i32, row..row + 1);
        let to = (slot..slot + 1, .., offset..offset + step.tokens, ..);
        all_keys.try_index_mut(to.clone(), keys.try_index(from.clone())?)?;
        all_values.try_index_mut(to, values.try_index(from)?)?;
    }
    let mut sorted = Step::new(&step.slots, step.offsets.clone(), step.tokens)?;
    sorted.slots.sort_unstable();
    Ok(Seen::Dense(rows_of(all_keys, &sorted)?, rows_of(all_values, &sorted)?))
// END WRONG

// WRONG unchecked fn SlotCache::update: takes whatever comes
    use mlx_rs::ops::indexing::{TryIndexMutOp, TryIndexOp};

    if layer >= self.storage.len() {
        return refused("layer", layer, "be there");
    }
    self.make_room(layer, step.keys, keys)?;
    let Some((all_keys, all_values)) = &mut self.storage[layer] else {
        return Err(kit::Error::Other("the slot cache has made no room".into()));
    };
    for (row, (&slot, &offset)) in (0..).zip(step.slots.iter().zip(&step.offsets)) {
        let (slot, from) = (slot as i32, row..row + 1);
        let to = (slot..slot + 1, .., offset..offset + step.tokens, ..);
        all_keys.try_index_mut(to.clone(), keys.try_index(from.clone())?)?;
        all_values.try_index_mut(to, values.try_index(from)?)?;
    }
    Ok(Seen::Dense(rows_of(all_keys, step)?, rows_of(all_values, step)?))
// END WRONG

// WRONG first-layer fn SlotCache::leave: clears the first layer alone
    use mlx_rs::ops::indexing::TryIndexMutOp;

    if self.length(slot).is_none() {
        return refused("slot", slot, "hold a text");
    }
    let row = slot as i32..slot as i32 + 1;
    for (keys, values) in self.storage.iter_mut().flatten().take(1) {
        for kept in [keys, values] {
            let nothing = Array::from_f32(0.0).as_dtype(kept.dtype())?;
            kept.try_index_mut(row.clone(), nothing)?;
        }
    }
    self.lengths[slot] = None;
    Ok(())
// END WRONG
