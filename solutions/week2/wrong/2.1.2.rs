// WRONG whole-storage fn BlockCache::update_and_fetch: returns the room as if it were tokens
    use mlx_rs::ops::indexing::{TryIndexMutOp, TryIndexOp};

    check_append("block cache", self.storage.as_ref(), keys, values)?;
    let end = self.offset + keys.dim(2);
    self.make_room(end, keys)?;
    let Some((all_keys, all_values)) = &mut self.storage else {
        return Err(Error::Other("the block cache has made no room".into()));
    };
    // Nobody else holds the storage, so MLX writes into it instead of copying it.
    let new = (.., .., self.offset..end, ..);
    all_keys.try_index_mut(new.clone(), keys)?;
    all_values.try_index_mut(new, values)?;
    self.offset = end;
    let used = (.., .., ..end, ..);
    let _ = (all_keys.try_index(used)?, all_values.try_index(used)?);
    Ok((all_keys.clone(), all_values.clone())) // (B, H, S, D)
// END WRONG

// WRONG appends-at-the-end fn BlockCache::update_and_fetch: writes to the end of the storage instead of the end of the text
    use mlx_rs::ops::indexing::{TryIndexMutOp, TryIndexOp};

    check_append("block cache", self.storage.as_ref(), keys, values)?;
    let end = self.offset + keys.dim(2);
    self.make_room(end, keys)?;
    let Some((all_keys, all_values)) = &mut self.storage else {
        return Err(Error::Other("the block cache has made no room".into()));
    };
    // Nobody else holds the storage, so MLX writes into it instead of copying it.
    let capacity = all_keys.dim(2);
    let new = (.., .., capacity - keys.dim(2)..capacity, ..);
    all_keys.try_index_mut(new.clone(), keys)?;
    all_values.try_index_mut(new, values)?;
    self.offset = end;
    let used = (.., .., ..end, ..);
    Ok((all_keys.try_index(used)?, all_values.try_index(used)?)) // (B, H, S, D)
// END WRONG

// WRONG offset-by-one fn BlockCache::update_and_fetch: counts calls instead of tokens
    use mlx_rs::ops::indexing::{TryIndexMutOp, TryIndexOp};

    check_append("block cache", self.storage.as_ref(), keys, values)?;
    let end = self.offset + keys.dim(2);
    self.make_room(end, keys)?;
    let Some((all_keys, all_values)) = &mut self.storage else {
        return Err(Error::Other("the block cache has made no room".into()));
    };
    // Nobody else holds the storage, so MLX writes into it instead of copying it.
    let new = (.., .., self.offset..end, ..);
    all_keys.try_index_mut(new.clone(), keys)?;
    all_values.try_index_mut(new, values)?;
    self.offset += 1;
    let used = (.., .., ..end, ..);
    Ok((all_keys.try_index(used)?, all_values.try_index(used)?)) // (B, H, S, D)
// END WRONG

// WRONG values-of-keys fn BlockCache::update_and_fetch: writes the keys into both
    use mlx_rs::ops::indexing::{TryIndexMutOp, TryIndexOp};

    check_append("block cache", self.storage.as_ref(), keys, values)?;
    let end = self.offset + keys.dim(2);
    self.make_room(end, keys)?;
    let Some((all_keys, all_values)) = &mut self.storage else {
        return Err(Error::Other("the block cache has made no room".into()));
    };
    // Nobody else holds the storage, so MLX writes into it instead of copying it.
    let new = (.., .., self.offset..end, ..);
    all_keys.try_index_mut(new.clone(), keys)?;
    all_values.try_index_mut(new, keys)?;
    self.offset = end;
    let used = (.., .., ..end, ..);
    Ok((all_keys.try_index(used)?, all_values.try_index(used)?)) // (B, H, S, D)
// END WRONG

// WRONG no-check fn BlockCache::update_and_fetch: lets MLX broadcast whatever comes
    use mlx_rs::ops::indexing::{TryIndexMutOp, TryIndexOp};

    let end = self.offset + keys.dim(2);
    self.make_room(end, keys)?;
    let Some((all_keys, all_values)) = &mut self.storage else {
        return Err(Error::Other("the block cache has made no room".into()));
    };
    // Nobody else holds the storage, so MLX writes into it instead of copying it.
    let new = (.., .., self.offset..end, ..);
    all_keys.try_index_mut(new.clone(), keys)?;
    all_values.try_index_mut(new, values)?;
    self.offset = end;
    let used = (.., .., ..end, ..);
    Ok((all_keys.try_index(used)?, all_values.try_index(used)?)) // (B, H, S, D)
// END WRONG

// WRONG one-block fn BlockCache::make_room: adds one block, however many are needed
    use mlx_rs::ops::{concatenate, indexing::TryIndexOp, zeros_dtype};

    let capacity = self.storage.as_ref().map_or(0, |(keys, _)| keys.dim(2)); // C
    if tokens <= capacity {
        return Ok(());
    }
    let blocks = capacity / self.block + 1;
    let length = blocks * self.block - self.offset;
    let room = zeros_dtype(&[like.dim(0), like.dim(1), length, like.dim(3)], like.dtype())?;
    let Some((keys, values)) = &self.storage else {
        self.storage = Some((room.clone(), room));
        return Ok(());
    };
    let used = (.., .., ..self.offset, ..);
    let (keys, values) = (keys.try_index(used)?, values.try_index(used)?); // (B, H, S, D)
    let moved = (keys.nbytes() + values.nbytes()) as u64;
    self.storage = Some((concatenate(&[&keys, &room], 2)?, concatenate(&[&values, &room], 2)?));
    self.moved_bytes += moved;
    Ok(())
// END WRONG

// WRONG one-block-too-many fn BlockCache::make_room: rounds up where nothing is left over
    use mlx_rs::ops::{concatenate, indexing::TryIndexOp, zeros_dtype};

    let capacity = self.storage.as_ref().map_or(0, |(keys, _)| keys.dim(2)); // C
    if tokens <= capacity {
        return Ok(());
    }
    let blocks = tokens / self.block + 1;
    let length = blocks * self.block - self.offset;
    let room = zeros_dtype(&[like.dim(0), like.dim(1), length, like.dim(3)], like.dtype())?;
    let Some((keys, values)) = &self.storage else {
        self.storage = Some((room.clone(), room));
        return Ok(());
    };
    let used = (.., .., ..self.offset, ..);
    let (keys, values) = (keys.try_index(used)?, values.try_index(used)?); // (B, H, S, D)
    let moved = (keys.nbytes() + values.nbytes()) as u64;
    self.storage = Some((concatenate(&[&keys, &room], 2)?, concatenate(&[&values, &room], 2)?));
    self.moved_bytes += moved;
    Ok(())
// END WRONG

// WRONG exact-fit fn BlockCache::make_room: grows by what is needed now, not by blocks
    use mlx_rs::ops::{concatenate, indexing::TryIndexOp, zeros_dtype};

    let capacity = self.storage.as_ref().map_or(0, |(keys, _)| keys.dim(2)); // C
    if tokens <= capacity {
        return Ok(());
    }
    let length = tokens - self.offset;
    let room = zeros_dtype(&[like.dim(0), like.dim(1), length, like.dim(3)], like.dtype())?;
    let Some((keys, values)) = &self.storage else {
        self.storage = Some((room.clone(), room));
        return Ok(());
    };
    let used = (.., .., ..self.offset, ..);
    let (keys, values) = (keys.try_index(used)?, values.try_index(used)?); // (B, H, S, D)
    let moved = (keys.nbytes() + values.nbytes()) as u64;
    self.storage = Some((concatenate(&[&keys, &room], 2)?, concatenate(&[&values, &room], 2)?));
    self.moved_bytes += moved;
    Ok(())
// END WRONG

// WRONG grows-always fn BlockCache::make_room: moves everything on every call
    use mlx_rs::ops::{concatenate, indexing::TryIndexOp, zeros_dtype};

    let capacity = self.storage.as_ref().map_or(0, |(keys, _)| keys.dim(2)); // C
    let _ = capacity;
    let blocks = (tokens + self.block - 1) / self.block;
    let length = blocks * self.block - self.offset;
    let room = zeros_dtype(&[like.dim(0), like.dim(1), length, like.dim(3)], like.dtype())?;
    let Some((keys, values)) = &self.storage else {
        self.storage = Some((room.clone(), room));
        return Ok(());
    };
    let used = (.., .., ..self.offset, ..);
    let (keys, values) = (keys.try_index(used)?, values.try_index(used)?); // (B, H, S, D)
    let moved = (keys.nbytes() + values.nbytes()) as u64;
    self.storage = Some((concatenate(&[&keys, &room], 2)?, concatenate(&[&values, &room], 2)?));
    self.moved_bytes += moved;
    Ok(())
// END WRONG

// WRONG moves-the-room fn BlockCache::make_room: counts the whole storage as moved, empty places included
    use mlx_rs::ops::{concatenate, indexing::TryIndexOp, zeros_dtype};

    let capacity = self.storage.as_ref().map_or(0, |(keys, _)| keys.dim(2)); // C
    if tokens <= capacity {
        return Ok(());
    }
    let blocks = (tokens + self.block - 1) / self.block;
    let length = blocks * self.block - self.offset;
    let room = zeros_dtype(&[like.dim(0), like.dim(1), length, like.dim(3)], like.dtype())?;
    let Some((keys, values)) = &self.storage else {
        self.storage = Some((room.clone(), room));
        return Ok(());
    };
    let used = (.., .., ..self.offset, ..);
    let (keys, values) = (keys.try_index(used)?, values.try_index(used)?); // (B, H, S, D)
    let moved = self.held_bytes() as u64;
    self.storage = Some((concatenate(&[&keys, &room], 2)?, concatenate(&[&values, &room], 2)?));
    self.moved_bytes += moved;
    Ok(())
// END WRONG

// WRONG forgets-the-old fn BlockCache::make_room: makes new room and leaves the old tokens behind
    use mlx_rs::ops::{concatenate, indexing::TryIndexOp, zeros_dtype};

    let capacity = self.storage.as_ref().map_or(0, |(keys, _)| keys.dim(2)); // C
    if tokens <= capacity {
        return Ok(());
    }
    let blocks = (tokens + self.block - 1) / self.block;
    let length = blocks * self.block - self.offset;
    let room = zeros_dtype(&[like.dim(0), like.dim(1), length, like.dim(3)], like.dtype())?;
    let Some((keys, values)) = &self.storage else {
        self.storage = Some((room.clone(), room));
        return Ok(());
    };
    let used = (.., .., ..self.offset, ..);
    let (keys, values) = (keys.try_index(used)?, values.try_index(used)?); // (B, H, S, D)
    let moved = (keys.nbytes() + values.nbytes()) as u64;
    let all = zeros_dtype(&[like.dim(0), like.dim(1), length + self.offset, like.dim(3)], like.dtype())?;
    let _ = concatenate(&[&keys, &room], 2)?;
    self.storage = Some((all.clone(), all));
    self.moved_bytes += moved;
    Ok(())
// END WRONG

// WRONG room-in-f32 fn BlockCache::make_room: makes f32 room for any dtype
    use mlx_rs::ops::{concatenate, indexing::TryIndexOp, zeros_dtype};

    let capacity = self.storage.as_ref().map_or(0, |(keys, _)| keys.dim(2)); // C
    if tokens <= capacity {
        return Ok(());
    }
    let blocks = (tokens + self.block - 1) / self.block;
    let length = blocks * self.block - self.offset;
    let room = zeros_dtype(&[like.dim(0), like.dim(1), length, like.dim(3)], mlx_rs::Dtype::Float32)?;
    let Some((keys, values)) = &self.storage else {
        self.storage = Some((room.clone(), room));
        return Ok(());
    };
    let used = (.., .., ..self.offset, ..);
    let (keys, values) = (keys.try_index(used)?, values.try_index(used)?); // (B, H, S, D)
    let moved = (keys.nbytes() + values.nbytes()) as u64;
    self.storage = Some((concatenate(&[&keys, &room], 2)?, concatenate(&[&values, &room], 2)?));
    self.moved_bytes += moved;
    Ok(())
// END WRONG

// WRONG unbounded fn BlockCache::rewind: lets the offset fall below zero
    self.offset -= tokens;
    Ok(())
// END WRONG

// WRONG clears fn BlockCache::rewind: forgets everything
    check_rewind(tokens, self.offset)?;
    self.offset = 0;
    Ok(())
// END WRONG
