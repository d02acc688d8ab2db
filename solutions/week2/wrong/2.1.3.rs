// WRONG always-at-zero fn Qwen3Attention::forward: rotates every piece from position 0
    use crate::operators::{causal_attention, rms_norm, rotate};
    use kit::{ANY, check_shape};

    check_offset(offset, cache)?;
    check_shape("cached attention: x", x, "(B, L, E)", &[ANY, ANY, self.q_proj.inputs()])?;
    let (batch, length, width) = (x.dim(0), x.dim(1), self.rope.dims); // B, L, D
    let split = |projection: &Linear, heads: i32| -> Result<Array> {
        Ok(projection.forward(x)?.reshape(&[batch, length, heads, width])?) // (B, L, heads, D)
    };
    let q = rms_norm(self.rung, &self.q_norm, &split(&self.q_proj, self.num_attention_heads)?)?;
    let k = rms_norm(self.rung, &self.k_norm, &split(&self.k_proj, self.num_key_value_heads)?)?;
    let q = rotate(self.rung, &self.rope, &q, 0)?.swap_axes(1, 2)?; // (B, H_q, L, D)
    let k = rotate(self.rung, &self.rope, &k, 0)?.swap_axes(1, 2)?; // (B, H, L, D)
    let v = split(&self.v_proj, self.num_key_value_heads)?.swap_axes(1, 2)?; // (B, H, L, D)
    let (keys, values) = cache.update_and_fetch(&k, &v)?; // (B, H, S, D)
    let attended = causal_attention(self.rung, &q, &keys, &values)?; // (B, H_q, L, D)
    let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, self.o_proj.inputs()])?; // (B, L, H_q·D)
    self.o_proj.forward(&joined) // (B, L, E)
// END WRONG

// WRONG query-at-zero fn Qwen3Attention::forward: rotates the keys by their position and the query by none
    use crate::operators::{causal_attention, rms_norm, rotate};
    use kit::{ANY, check_shape};

    check_offset(offset, cache)?;
    check_shape("cached attention: x", x, "(B, L, E)", &[ANY, ANY, self.q_proj.inputs()])?;
    let (batch, length, width) = (x.dim(0), x.dim(1), self.rope.dims); // B, L, D
    let split = |projection: &Linear, heads: i32| -> Result<Array> {
        Ok(projection.forward(x)?.reshape(&[batch, length, heads, width])?) // (B, L, heads, D)
    };
    let q = rms_norm(self.rung, &self.q_norm, &split(&self.q_proj, self.num_attention_heads)?)?;
    let k = rms_norm(self.rung, &self.k_norm, &split(&self.k_proj, self.num_key_value_heads)?)?;
    let q = rotate(self.rung, &self.rope, &q, 0)?.swap_axes(1, 2)?; // (B, H_q, L, D)
    let k = rotate(self.rung, &self.rope, &k, offset)?.swap_axes(1, 2)?; // (B, H, L, D)
    let v = split(&self.v_proj, self.num_key_value_heads)?.swap_axes(1, 2)?; // (B, H, L, D)
    let (keys, values) = cache.update_and_fetch(&k, &v)?; // (B, H, S, D)
    let attended = causal_attention(self.rung, &q, &keys, &values)?; // (B, H_q, L, D)
    let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, self.o_proj.inputs()])?; // (B, L, H_q·D)
    self.o_proj.forward(&joined) // (B, L, E)
// END WRONG

// WRONG offset-after fn Qwen3Attention::forward: asks the cache for the position after it has grown
    use crate::operators::{causal_attention, rms_norm, rotate};
    use kit::{ANY, check_shape};

    check_offset(offset, cache)?;
    let offset = offset + x.dim(1);
    check_shape("cached attention: x", x, "(B, L, E)", &[ANY, ANY, self.q_proj.inputs()])?;
    let (batch, length, width) = (x.dim(0), x.dim(1), self.rope.dims); // B, L, D
    let split = |projection: &Linear, heads: i32| -> Result<Array> {
        Ok(projection.forward(x)?.reshape(&[batch, length, heads, width])?) // (B, L, heads, D)
    };
    let q = rms_norm(self.rung, &self.q_norm, &split(&self.q_proj, self.num_attention_heads)?)?;
    let k = rms_norm(self.rung, &self.k_norm, &split(&self.k_proj, self.num_key_value_heads)?)?;
    let q = rotate(self.rung, &self.rope, &q, offset)?.swap_axes(1, 2)?; // (B, H_q, L, D)
    let k = rotate(self.rung, &self.rope, &k, offset)?.swap_axes(1, 2)?; // (B, H, L, D)
    let v = split(&self.v_proj, self.num_key_value_heads)?.swap_axes(1, 2)?; // (B, H, L, D)
    let (keys, values) = cache.update_and_fetch(&k, &v)?; // (B, H, S, D)
    let attended = causal_attention(self.rung, &q, &keys, &values)?; // (B, H_q, L, D)
    let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, self.o_proj.inputs()])?; // (B, L, H_q·D)
    self.o_proj.forward(&joined) // (B, L, E)
// END WRONG

// WRONG caches-before-rotating fn Qwen3Attention::forward: keeps keys that are not rotated
    use crate::operators::{causal_attention, rms_norm, rotate};
    use kit::{ANY, check_shape};

    check_offset(offset, cache)?;
    check_shape("cached attention: x", x, "(B, L, E)", &[ANY, ANY, self.q_proj.inputs()])?;
    let (batch, length, width) = (x.dim(0), x.dim(1), self.rope.dims); // B, L, D
    let split = |projection: &Linear, heads: i32| -> Result<Array> {
        Ok(projection.forward(x)?.reshape(&[batch, length, heads, width])?) // (B, L, heads, D)
    };
    let q = rms_norm(self.rung, &self.q_norm, &split(&self.q_proj, self.num_attention_heads)?)?;
    let k = rms_norm(self.rung, &self.k_norm, &split(&self.k_proj, self.num_key_value_heads)?)?;
    let q = rotate(self.rung, &self.rope, &q, offset)?.swap_axes(1, 2)?; // (B, H_q, L, D)
    let k = k.swap_axes(1, 2)?;
    let v = split(&self.v_proj, self.num_key_value_heads)?.swap_axes(1, 2)?; // (B, H, L, D)
    let (keys, values) = cache.update_and_fetch(&k, &v)?; // (B, H, S, D)
    let attended = causal_attention(self.rung, &q, &keys, &values)?; // (B, H_q, L, D)
    let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, self.o_proj.inputs()])?; // (B, L, H_q·D)
    self.o_proj.forward(&joined) // (B, L, E)
// END WRONG

// WRONG ignores-the-cache fn Qwen3Attention::forward: attends to the new tokens alone
    use crate::operators::{causal_attention, rms_norm, rotate};
    use kit::{ANY, check_shape};

    check_offset(offset, cache)?;
    check_shape("cached attention: x", x, "(B, L, E)", &[ANY, ANY, self.q_proj.inputs()])?;
    let (batch, length, width) = (x.dim(0), x.dim(1), self.rope.dims); // B, L, D
    let split = |projection: &Linear, heads: i32| -> Result<Array> {
        Ok(projection.forward(x)?.reshape(&[batch, length, heads, width])?) // (B, L, heads, D)
    };
    let q = rms_norm(self.rung, &self.q_norm, &split(&self.q_proj, self.num_attention_heads)?)?;
    let k = rms_norm(self.rung, &self.k_norm, &split(&self.k_proj, self.num_key_value_heads)?)?;
    let q = rotate(self.rung, &self.rope, &q, offset)?.swap_axes(1, 2)?; // (B, H_q, L, D)
    let k = rotate(self.rung, &self.rope, &k, offset)?.swap_axes(1, 2)?; // (B, H, L, D)
    let v = split(&self.v_proj, self.num_key_value_heads)?.swap_axes(1, 2)?; // (B, H, L, D)
    let (keys, values) = cache.update_and_fetch(&k, &v)?; // (B, H, S, D)
    let attended = {
        let _ = (keys, values);
        causal_attention(self.rung, &q, &k, &v)?
    }; // (B, H_q, L, D)
    let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, self.o_proj.inputs()])?; // (B, L, H_q·D)
    self.o_proj.forward(&joined) // (B, L, E)
// END WRONG

// WRONG trusts-the-offset fn Qwen3Attention::forward: does not compare the offset with the cache
    use crate::operators::{causal_attention, rms_norm, rotate};
    use kit::{ANY, check_shape};

    let _ = check_offset(offset, cache);
    check_shape("cached attention: x", x, "(B, L, E)", &[ANY, ANY, self.q_proj.inputs()])?;
    let (batch, length, width) = (x.dim(0), x.dim(1), self.rope.dims); // B, L, D
    let split = |projection: &Linear, heads: i32| -> Result<Array> {
        Ok(projection.forward(x)?.reshape(&[batch, length, heads, width])?) // (B, L, heads, D)
    };
    let q = rms_norm(self.rung, &self.q_norm, &split(&self.q_proj, self.num_attention_heads)?)?;
    let k = rms_norm(self.rung, &self.k_norm, &split(&self.k_proj, self.num_key_value_heads)?)?;
    let q = rotate(self.rung, &self.rope, &q, offset)?.swap_axes(1, 2)?; // (B, H_q, L, D)
    let k = rotate(self.rung, &self.rope, &k, offset)?.swap_axes(1, 2)?; // (B, H, L, D)
    let v = split(&self.v_proj, self.num_key_value_heads)?.swap_axes(1, 2)?; // (B, H, L, D)
    let (keys, values) = cache.update_and_fetch(&k, &v)?; // (B, H, S, D)
    let attended = causal_attention(self.rung, &q, &keys, &values)?; // (B, H_q, L, D)
    let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, self.o_proj.inputs()])?; // (B, L, H_q·D)
    self.o_proj.forward(&joined) // (B, L, E)
// END WRONG

// WRONG no-query-norm fn Qwen3Attention::forward: forgets the norm of the queries
    use crate::operators::{causal_attention, rms_norm, rotate};
    use kit::{ANY, check_shape};

    check_offset(offset, cache)?;
    check_shape("cached attention: x", x, "(B, L, E)", &[ANY, ANY, self.q_proj.inputs()])?;
    let (batch, length, width) = (x.dim(0), x.dim(1), self.rope.dims); // B, L, D
    let split = |projection: &Linear, heads: i32| -> Result<Array> {
        Ok(projection.forward(x)?.reshape(&[batch, length, heads, width])?) // (B, L, heads, D)
    };
    let q = split(&self.q_proj, self.num_attention_heads)?;
    let k = rms_norm(self.rung, &self.k_norm, &split(&self.k_proj, self.num_key_value_heads)?)?;
    let q = rotate(self.rung, &self.rope, &q, offset)?.swap_axes(1, 2)?; // (B, H_q, L, D)
    let k = rotate(self.rung, &self.rope, &k, offset)?.swap_axes(1, 2)?; // (B, H, L, D)
    let v = split(&self.v_proj, self.num_key_value_heads)?.swap_axes(1, 2)?; // (B, H, L, D)
    let (keys, values) = cache.update_and_fetch(&k, &v)?; // (B, H, S, D)
    let attended = causal_attention(self.rung, &q, &keys, &values)?; // (B, H_q, L, D)
    let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, self.o_proj.inputs()])?; // (B, L, H_q·D)
    self.o_proj.forward(&joined) // (B, L, E)
// END WRONG

// WRONG values-rotated fn Qwen3Attention::forward: rotates the values as well
    use crate::operators::{causal_attention, rms_norm, rotate};
    use kit::{ANY, check_shape};

    check_offset(offset, cache)?;
    check_shape("cached attention: x", x, "(B, L, E)", &[ANY, ANY, self.q_proj.inputs()])?;
    let (batch, length, width) = (x.dim(0), x.dim(1), self.rope.dims); // B, L, D
    let split = |projection: &Linear, heads: i32| -> Result<Array> {
        Ok(projection.forward(x)?.reshape(&[batch, length, heads, width])?) // (B, L, heads, D)
    };
    let q = rms_norm(self.rung, &self.q_norm, &split(&self.q_proj, self.num_attention_heads)?)?;
    let k = rms_norm(self.rung, &self.k_norm, &split(&self.k_proj, self.num_key_value_heads)?)?;
    let q = rotate(self.rung, &self.rope, &q, offset)?.swap_axes(1, 2)?; // (B, H_q, L, D)
    let k = rotate(self.rung, &self.rope, &k, offset)?.swap_axes(1, 2)?; // (B, H, L, D)
    let v = rotate(self.rung, &self.rope, &split(&self.v_proj, self.num_key_value_heads)?, offset)?.swap_axes(1, 2)?; // (B, H, L, D)
    let (keys, values) = cache.update_and_fetch(&k, &v)?; // (B, H, S, D)
    let attended = causal_attention(self.rung, &q, &keys, &values)?; // (B, H_q, L, D)
    let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, self.o_proj.inputs()])?; // (B, L, H_q·D)
    self.o_proj.forward(&joined) // (B, L, E)
// END WRONG

// WRONG no-mask fn Qwen3Attention::forward: lets the tokens of a piece see later ones
    use crate::operators::{causal_attention, rms_norm, rotate};
    use kit::{ANY, check_shape};

    check_offset(offset, cache)?;
    check_shape("cached attention: x", x, "(B, L, E)", &[ANY, ANY, self.q_proj.inputs()])?;
    let (batch, length, width) = (x.dim(0), x.dim(1), self.rope.dims); // B, L, D
    let split = |projection: &Linear, heads: i32| -> Result<Array> {
        Ok(projection.forward(x)?.reshape(&[batch, length, heads, width])?) // (B, L, heads, D)
    };
    let q = rms_norm(self.rung, &self.q_norm, &split(&self.q_proj, self.num_attention_heads)?)?;
    let k = rms_norm(self.rung, &self.k_norm, &split(&self.k_proj, self.num_key_value_heads)?)?;
    let q = rotate(self.rung, &self.rope, &q, offset)?.swap_axes(1, 2)?; // (B, H_q, L, D)
    let k = rotate(self.rung, &self.rope, &k, offset)?.swap_axes(1, 2)?; // (B, H, L, D)
    let v = split(&self.v_proj, self.num_key_value_heads)?.swap_axes(1, 2)?; // (B, H, L, D)
    let (keys, values) = cache.update_and_fetch(&k, &v)?; // (B, H, S, D)
    let attended = week1::grouped_attention::scaled_dot_product_attention_grouped(&q, &keys, &values, None, week1::mask::Mask::None)?;
    let _ = causal_attention; // (B, H_q, L, D)
    let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, self.o_proj.inputs()])?; // (B, L, H_q·D)
    self.o_proj.forward(&joined) // (B, L, E)
// END WRONG
