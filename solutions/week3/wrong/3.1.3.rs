// WRONG first-offset fn BatchAttention::forward: rotates every row by the position of the first
    use kit::check_shape;
    use week2::operators::rms_norm;

    let (rows, length, width) = (step.slots.len() as i32, step.tokens, self.head_dim); // B, L, D
    check_shape("batch attention: x", x, "(B, L, E)", &[rows, length, self.q_proj.inputs()])?;
    let heads = |projection: &Linear| -> Result<Array> {
        Ok(projection.forward(x)?.reshape(&[rows, length, -1, width])?) // (B, L, heads, D)
    };
    let rotate = |x: &Array| kernels::rope(x, &Array::from_slice(&vec![step.offsets[0]; step.offsets.len()], &[rows]), width, self.rope_theta, false);
    let q = rotate(&rms_norm(RUNG, &self.q_norm, &heads(&self.q_proj)?)?)?.swap_axes(1, 2)?; // (B, H_q, L, D)
    let k = rotate(&rms_norm(RUNG, &self.k_norm, &heads(&self.k_proj)?)?)?.swap_axes(1, 2)?; // (B, H, L, D)
    let v = heads(&self.v_proj)?.swap_axes(1, 2)?; // (B, H, L, D)
    let seen = cache.update(step, layer, &k, &v)?;
    let attended = attend(&q, &seen, step)?.swap_axes(1, 2)?; // (B, L, H_q, D)
    self.o_proj.forward(&attended.reshape(&[rows, length, -1])?) // (B, L, E)
// END WRONG

// WRONG no-rotation-of-keys fn BatchAttention::forward: keeps keys without their position
    use kit::check_shape;
    use week2::operators::rms_norm;

    let (rows, length, width) = (step.slots.len() as i32, step.tokens, self.head_dim); // B, L, D
    check_shape("batch attention: x", x, "(B, L, E)", &[rows, length, self.q_proj.inputs()])?;
    let heads = |projection: &Linear| -> Result<Array> {
        Ok(projection.forward(x)?.reshape(&[rows, length, -1, width])?) // (B, L, heads, D)
    };
    let rotate = |x: &Array| kernels::rope(x, &step.positions, width, self.rope_theta, false);
    let q = rotate(&rms_norm(RUNG, &self.q_norm, &heads(&self.q_proj)?)?)?.swap_axes(1, 2)?; // (B, H_q, L, D)
    let k = rms_norm(RUNG, &self.k_norm, &heads(&self.k_proj)?)?.swap_axes(1, 2)?; // (B, H, L, D)
    let v = heads(&self.v_proj)?.swap_axes(1, 2)?; // (B, H, L, D)
    let seen = cache.update(step, layer, &k, &v)?;
    let attended = attend(&q, &seen, step)?.swap_axes(1, 2)?; // (B, L, H_q, D)
    self.o_proj.forward(&attended.reshape(&[rows, length, -1])?) // (B, L, E)
// END WRONG

// WRONG layer-zero fn BatchAttention::forward: keeps all layers in the first one's place
    use kit::check_shape;
    use week2::operators::rms_norm;

    let (rows, length, width) = (step.slots.len() as i32, step.tokens, self.head_dim); // B, L, D
    check_shape("batch attention: x", x, "(B, L, E)", &[rows, length, self.q_proj.inputs()])?;
    let heads = |projection: &Linear| -> Result<Array> {
        Ok(projection.forward(x)?.reshape(&[rows, length, -1, width])?) // (B, L, heads, D)
    };
    let rotate = |x: &Array| kernels::rope(x, &step.positions, width, self.rope_theta, false);
    let q = rotate(&rms_norm(RUNG, &self.q_norm, &heads(&self.q_proj)?)?)?.swap_axes(1, 2)?; // (B, H_q, L, D)
    let k = rotate(&rms_norm(RUNG, &self.k_norm, &heads(&self.k_proj)?)?)?.swap_axes(1, 2)?; // (B, H, L, D)
    let v = heads(&self.v_proj)?.swap_axes(1, 2)?; // (B, H, L, D)
    let seen = cache.update(step, layer * 0, &k, &v)?;
    let attended = attend(&q, &seen, step)?.swap_axes(1, 2)?; // (B, L, H_q, D)
    self.o_proj.forward(&attended.reshape(&[rows, length, -1])?) // (B, L, E)
// END WRONG

// WRONG heads-not-swapped-back fn BatchAttention::forward: joins the heads of another token
    use kit::check_shape;
    use week2::operators::rms_norm;

    let (rows, length, width) = (step.slots.len() as i32, step.tokens, self.head_dim); // B, L, D
    check_shape("batch attention: x", x, "(B, L, E)", &[rows, length, self.q_proj.inputs()])?;
    let heads = |projection: &Linear| -> Result<Array> {
        Ok(projection.forward(x)?.reshape(&[rows, length, -1, width])?) // (B, L, heads, D)
    };
    let rotate = |x: &Array| kernels::rope(x, &step.positions, width, self.rope_theta, false);
    let q = rotate(&rms_norm(RUNG, &self.q_norm, &heads(&self.q_proj)?)?)?.swap_axes(1, 2)?; // (B, H_q, L, D)
    let k = rotate(&rms_norm(RUNG, &self.k_norm, &heads(&self.k_proj)?)?)?.swap_axes(1, 2)?; // (B, H, L, D)
    let v = heads(&self.v_proj)?.swap_axes(1, 2)?; // (B, H, L, D)
    let seen = cache.update(step, layer, &k, &v)?;
    let attended = attend(&q, &seen, step)?; // (B, L, H_q, D)
    self.o_proj.forward(&attended.reshape(&[rows, length, -1])?) // (B, L, E)
// END WRONG

// WRONG no-norm fn BatchAttention::forward: leaves out the norm of the queries
    use kit::check_shape;
    use week2::operators::rms_norm;

    let (rows, length, width) = (step.slots.len() as i32, step.tokens, self.head_dim); // B, L, D
    check_shape("batch attention: x", x, "(B, L, E)", &[rows, length, self.q_proj.inputs()])?;
    let heads = |projection: &Linear| -> Result<Array> {
        Ok(projection.forward(x)?.reshape(&[rows, length, -1, width])?) // (B, L, heads, D)
    };
    let rotate = |x: &Array| kernels::rope(x, &step.positions, width, self.rope_theta, false);
    let q = rotate(&heads(&self.q_proj)?)?.swap_axes(1, 2)?; // (B, H_q, L, D)
    let k = rotate(&rms_norm(RUNG, &self.k_norm, &heads(&self.k_proj)?)?)?.swap_axes(1, 2)?; // (B, H, L, D)
    let v = heads(&self.v_proj)?.swap_axes(1, 2)?; // (B, H, L, D)
    let seen = cache.update(step, layer, &k, &v)?;
    let attended = attend(&q, &seen, step)?.swap_axes(1, 2)?; // (B, L, H_q, D)
    self.o_proj.forward(&attended.reshape(&[rows, length, -1])?) // (B, L, E)
// END WRONG

// WRONG first-row-only fn BatchModel::forward: gives the logits of the first new position
    use crate::batch_cache::refused;
    use kit::{ANY, check_shape};
    use mlx_rs::ops::indexing::TryIndexOp;

    check_shape("batch model: tokens", tokens, "(B, L)", &[slots.len() as i32, ANY])?;
    let step = cache.begin(slots, tokens.dim(1))?;
    if step.keys > self.max_position_embeddings {
        let must = format!("end before position {} (max_position_embeddings)", self.max_position_embeddings);
        return refused("tokens", format!("{} ids in a text of {}", step.tokens, step.keys), &must);
    }
    let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
    for (number, layer) in self.layers.iter().enumerate() {
        hidden = layer.forward(&hidden, number, &step, cache)?;
    }
    if rows == Rows::Last {
        hidden = hidden.try_index((.., ..1, ..))?; // (B, 1, E)
    }
    let logits = self.head(&rms_norm(RUNG, &self.norm, &hidden)?)?; // (B, 1 or L, V)
    // Now, while the texts are as long as they were: whatever fails, fails before they grow.
    logits.eval()?;
    cache.commit(step)?;
    Ok(logits)
// END WRONG

// WRONG commits-first fn BatchModel::forward: lets texts grow before the layers have run
    use crate::batch_cache::refused;
    use kit::{ANY, check_shape};
    use mlx_rs::ops::indexing::TryIndexOp;

    check_shape("batch model: tokens", tokens, "(B, L)", &[slots.len() as i32, ANY])?;
    let step = cache.begin(slots, tokens.dim(1))?;
    if step.keys > self.max_position_embeddings {
        let must = format!("end before position {} (max_position_embeddings)", self.max_position_embeddings);
        return refused("tokens", format!("{} ids in a text of {}", step.tokens, step.keys), &must);
    }
    let again = cache.begin(slots, tokens.dim(1))?;
    cache.commit(again)?;
    let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
    for (number, layer) in self.layers.iter().enumerate() {
        hidden = layer.forward(&hidden, number, &step, cache)?;
    }
    if rows == Rows::Last {
        hidden = hidden.try_index((.., -1.., ..))?; // (B, 1, E)
    }
    let logits = self.head(&rms_norm(RUNG, &self.norm, &hidden)?)?; // (B, 1 or L, V)
    // Now, while the texts are as long as they were: whatever fails, fails before they grow.
    logits.eval()?;
    Ok(logits)
// END WRONG

// WRONG commits-before-eval fn BatchModel::forward: lets texts grow before anything has been computed
    use crate::batch_cache::refused;
    use kit::{ANY, check_shape};
    use mlx_rs::ops::indexing::TryIndexOp;

    check_shape("batch model: tokens", tokens, "(B, L)", &[slots.len() as i32, ANY])?;
    let step = cache.begin(slots, tokens.dim(1))?;
    if step.keys > self.max_position_embeddings {
        let must = format!("end before position {} (max_position_embeddings)", self.max_position_embeddings);
        return refused("tokens", format!("{} ids in a text of {}", step.tokens, step.keys), &must);
    }
    let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
    for (number, layer) in self.layers.iter().enumerate() {
        hidden = layer.forward(&hidden, number, &step, cache)?;
    }
    if rows == Rows::Last {
        hidden = hidden.try_index((.., -1.., ..))?; // (B, 1, E)
    }
    let logits = self.head(&rms_norm(RUNG, &self.norm, &hidden)?)?; // (B, 1 or L, V)
    cache.commit(step)?;
    logits.eval()?;
    Ok(logits)
// END WRONG

// WRONG never-commits fn BatchModel::forward: forgets to make the tokens count
    use crate::batch_cache::refused;
    use kit::{ANY, check_shape};
    use mlx_rs::ops::indexing::TryIndexOp;

    check_shape("batch model: tokens", tokens, "(B, L)", &[slots.len() as i32, ANY])?;
    let step = cache.begin(slots, tokens.dim(1))?;
    if step.keys > self.max_position_embeddings {
        let must = format!("end before position {} (max_position_embeddings)", self.max_position_embeddings);
        return refused("tokens", format!("{} ids in a text of {}", step.tokens, step.keys), &must);
    }
    let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
    for (number, layer) in self.layers.iter().enumerate() {
        hidden = layer.forward(&hidden, number, &step, cache)?;
    }
    if rows == Rows::Last {
        hidden = hidden.try_index((.., -1.., ..))?; // (B, 1, E)
    }
    let logits = self.head(&rms_norm(RUNG, &self.norm, &hidden)?)?; // (B, 1 or L, V)
    // Now, while the texts are as long as they were: whatever fails, fails before they grow.
    logits.eval()?;
    Ok(logits)
// END WRONG

// WRONG no-limit fn BatchModel::forward: lets a text outgrow the model
    use crate::batch_cache::refused;
    use kit::{ANY, check_shape};
    use mlx_rs::ops::indexing::TryIndexOp;

    check_shape("batch model: tokens", tokens, "(B, L)", &[slots.len() as i32, ANY])?;
    let step = cache.begin(slots, tokens.dim(1))?;
    if step.keys > 2 * self.max_position_embeddings {
        let must = format!("end before position {} (max_position_embeddings)", self.max_position_embeddings);
        return refused("tokens", format!("{} ids in a text of {}", step.tokens, step.keys), &must);
    }
    let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
    for (number, layer) in self.layers.iter().enumerate() {
        hidden = layer.forward(&hidden, number, &step, cache)?;
    }
    if rows == Rows::Last {
        hidden = hidden.try_index((.., -1.., ..))?; // (B, 1, E)
    }
    let logits = self.head(&rms_norm(RUNG, &self.norm, &hidden)?)?; // (B, 1 or L, V)
    // Now, while the texts are as long as they were: whatever fails, fails before they grow.
    logits.eval()?;
    cache.commit(step)?;
    Ok(logits)
// END WRONG

// WRONG no-last-norm fn BatchModel::forward: leaves out the norm before the head
    use crate::batch_cache::refused;
    use kit::{ANY, check_shape};
    use mlx_rs::ops::indexing::TryIndexOp;

    check_shape("batch model: tokens", tokens, "(B, L)", &[slots.len() as i32, ANY])?;
    let step = cache.begin(slots, tokens.dim(1))?;
    if step.keys > self.max_position_embeddings {
        let must = format!("end before position {} (max_position_embeddings)", self.max_position_embeddings);
        return refused("tokens", format!("{} ids in a text of {}", step.tokens, step.keys), &must);
    }
    let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
    for (number, layer) in self.layers.iter().enumerate() {
        hidden = layer.forward(&hidden, number, &step, cache)?;
    }
    if rows == Rows::Last {
        hidden = hidden.try_index((.., -1.., ..))?; // (B, 1, E)
    }
    let logits = self.head(&hidden)?; // (B, 1 or L, V)
    // Now, while the texts are as long as they were: whatever fails, fails before they grow.
    logits.eval()?;
    cache.commit(step)?;
    Ok(logits)
// END WRONG

// WRONG all-slots fn BatchModel::forward: asks the cache for slots 0 to B instead of those of the rows
    use crate::batch_cache::refused;
    use kit::{ANY, check_shape};
    use mlx_rs::ops::indexing::TryIndexOp;

    check_shape("batch model: tokens", tokens, "(B, L)", &[slots.len() as i32, ANY])?;
    let step = cache.begin(&(0..slots.len()).collect::<Vec<_>>(), tokens.dim(1))?;
    if step.keys > self.max_position_embeddings {
        let must = format!("end before position {} (max_position_embeddings)", self.max_position_embeddings);
        return refused("tokens", format!("{} ids in a text of {}", step.tokens, step.keys), &must);
    }
    let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
    for (number, layer) in self.layers.iter().enumerate() {
        hidden = layer.forward(&hidden, number, &step, cache)?;
    }
    if rows == Rows::Last {
        hidden = hidden.try_index((.., -1.., ..))?; // (B, 1, E)
    }
    let logits = self.head(&rms_norm(RUNG, &self.norm, &hidden)?)?; // (B, 1 or L, V)
    // Now, while the texts are as long as they were: whatever fails, fails before they grow.
    logits.eval()?;
    cache.commit(step)?;
    Ok(logits)
// END WRONG

// WRONG any-shape fn BatchAttention::forward: takes hidden states of any shape
    use week2::operators::rms_norm;

    let (rows, length, width) = (step.slots.len() as i32, step.tokens, self.head_dim); // B, L, D
    let heads = |projection: &Linear| -> Result<Array> {
        Ok(projection.forward(x)?.reshape(&[rows, length, -1, width])?) // (B, L, heads, D)
    };
    let rotate = |x: &Array| kernels::rope(x, &step.positions, width, self.rope_theta, false);
    let q = rotate(&rms_norm(RUNG, &self.q_norm, &heads(&self.q_proj)?)?)?.swap_axes(1, 2)?; // (B, H_q, L, D)
    let k = rotate(&rms_norm(RUNG, &self.k_norm, &heads(&self.k_proj)?)?)?.swap_axes(1, 2)?; // (B, H, L, D)
    let v = heads(&self.v_proj)?.swap_axes(1, 2)?; // (B, H, L, D)
    let seen = cache.update(step, layer, &k, &v)?;
    let attended = attend(&q, &seen, step)?.swap_axes(1, 2)?; // (B, L, H_q, D)
    self.o_proj.forward(&attended.reshape(&[rows, length, -1])?) // (B, L, E)
// END WRONG

// WRONG limit-of-the-first fn BatchModel::forward: looks at the first row alone for a text that outgrows the model
    use crate::batch_cache::refused;
    use kit::{ANY, check_shape};
    use mlx_rs::ops::indexing::TryIndexOp;

    check_shape("batch model: tokens", tokens, "(B, L)", &[slots.len() as i32, ANY])?;
    let step = cache.begin(slots, tokens.dim(1))?;
    if step.offsets[0] + step.tokens > self.max_position_embeddings {
        let must = format!("end before position {} (max_position_embeddings)", self.max_position_embeddings);
        return refused("tokens", format!("{} ids in a text of {}", step.tokens, step.keys), &must);
    }
    let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
    for (number, layer) in self.layers.iter().enumerate() {
        hidden = layer.forward(&hidden, number, &step, cache)?;
    }
    if rows == Rows::Last {
        hidden = hidden.try_index((.., -1.., ..))?; // (B, 1, E)
    }
    let logits = self.head(&rms_norm(RUNG, &self.norm, &hidden)?)?; // (B, 1 or L, V)
    // Now, while the texts are as long as they were: whatever fails, fails before they grow.
    logits.eval()?;
    cache.commit(step)?;
    Ok(logits)
// END WRONG
