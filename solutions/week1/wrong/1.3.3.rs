// WRONG heads-of-hidden fn Qwen3Attention::new: takes E / H_q for D
        use kit::{ANY, Error, check_shape};

        if num_key_value_heads < 1 || num_attention_heads < 1 || num_attention_heads % num_key_value_heads != 0 {
            let must = format!("be a multiple of num_key_value_heads, {num_key_value_heads}, both at least 1");
            let value = num_attention_heads.to_string();
            return Err(Error::InvalidArgument { name: "num_attention_heads".into(), value, must });
        }
        let Qwen3AttentionWeights { q_proj, k_proj, v_proj, o_proj, q_norm, k_norm } = &weights;
        let width = q_proj.shape().last().unwrap_or(&0) / num_attention_heads; // D
        check_shape("qwen3 attention: q_norm", q_norm, "(D,)", &[width])?;
        check_shape("qwen3 attention: k_norm", k_norm, "(D,)", &[width])?;
        check_shape("qwen3 attention: q_proj", q_proj, "(H_q·D, E)", &[num_attention_heads * width, ANY])?;
        let hidden = q_proj.dim(1); // E
        check_shape("qwen3 attention: k_proj", k_proj, "(H·D, E)", &[num_key_value_heads * width, hidden])?;
        check_shape("qwen3 attention: v_proj", v_proj, "(H·D, E)", &[num_key_value_heads * width, hidden])?;
        check_shape("qwen3 attention: o_proj", o_proj, "(E, H_q·D)", &[hidden, num_attention_heads * width])?;
        Ok(Self { weights, num_attention_heads, num_key_value_heads, rms_norm_eps, rope })
// END WRONG

// WRONG weights-unchecked fn Qwen3Attention::new: keeps weights of any shape
        use kit::{ANY, Error, check_shape};

        if num_key_value_heads < 1 || num_attention_heads < 1 || num_attention_heads % num_key_value_heads != 0 {
            let must = format!("be a multiple of num_key_value_heads, {num_key_value_heads}, both at least 1");
            let value = num_attention_heads.to_string();
            return Err(Error::InvalidArgument { name: "num_attention_heads".into(), value, must });
        }
        let Qwen3AttentionWeights { q_proj, q_norm, k_norm, .. } = &weights;
        let width = rope.dims; // D
        check_shape("qwen3 attention: q_norm", q_norm, "(D,)", &[width])?;
        check_shape("qwen3 attention: k_norm", k_norm, "(D,)", &[width])?;
        check_shape("qwen3 attention: q_proj", q_proj, "(H_q·D, E)", &[num_attention_heads * width, ANY])?;
        Ok(Self { weights, num_attention_heads, num_key_value_heads, rms_norm_eps, rope })
// END WRONG

// WRONG no-head-norm fn Qwen3Attention::forward: leaves out the norm of queries and keys
        use crate::{basics::linear, grouped_attention::scaled_dot_product_attention_grouped, rope::Offset};
        use kit::{ANY, check_shape};

        let Qwen3AttentionWeights { q_proj, k_proj, v_proj, o_proj, .. } = &self.weights;
        check_shape("qwen3 attention: x", x, "(B, L, E)", &[ANY, ANY, q_proj.dim(1)])?;
        let (batch, length, width) = (x.dim(0), x.dim(1), self.rope.dims); // B, L, D
        let split = |w: &Array, heads: i32| -> Result<Array> {
            Ok(linear(x, w, None)?.reshape(&[batch, length, heads, width])?) // (B, L, heads, D)
        };
        let q = split(q_proj, self.num_attention_heads)?;
        let k = split(k_proj, self.num_key_value_heads)?;
        let q = self.rope.forward(&q, Offset::None)?.swap_axes(1, 2)?; // (B, H_q, L, D)
        let k = self.rope.forward(&k, Offset::None)?.swap_axes(1, 2)?; // (B, H, L, D)
        let v = split(v_proj, self.num_key_value_heads)?.swap_axes(1, 2)?; // (B, H, L, D)
        let attended = scaled_dot_product_attention_grouped(&q, &k, &v, None, mask)?; // (B, H_q, L, D)
        let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, o_proj.dim(1)])?; // (B, L, H_q·D)
        linear(&joined, o_proj, None) // (B, L, E)
// END WRONG

// WRONG norms-swapped fn Qwen3Attention::forward: norms queries with the weight of the keys
        use crate::{basics::linear, grouped_attention::scaled_dot_product_attention_grouped, rope::Offset};
        use kit::{ANY, check_shape};
        use mlx_rs::fast::rms_norm;

        let Qwen3AttentionWeights { q_proj, k_proj, v_proj, o_proj, q_norm, k_norm } = &self.weights;
        check_shape("qwen3 attention: x", x, "(B, L, E)", &[ANY, ANY, q_proj.dim(1)])?;
        let (batch, length, width) = (x.dim(0), x.dim(1), self.rope.dims); // B, L, D
        let split = |w: &Array, heads: i32| -> Result<Array> {
            Ok(linear(x, w, None)?.reshape(&[batch, length, heads, width])?) // (B, L, heads, D)
        };
        let q = rms_norm(split(q_proj, self.num_attention_heads)?, Some(k_norm), self.rms_norm_eps)?;
        let k = rms_norm(split(k_proj, self.num_key_value_heads)?, Some(q_norm), self.rms_norm_eps)?;
        let q = self.rope.forward(&q, Offset::None)?.swap_axes(1, 2)?; // (B, H_q, L, D)
        let k = self.rope.forward(&k, Offset::None)?.swap_axes(1, 2)?; // (B, H, L, D)
        let v = split(v_proj, self.num_key_value_heads)?.swap_axes(1, 2)?; // (B, H, L, D)
        let attended = scaled_dot_product_attention_grouped(&q, &k, &v, None, mask)?; // (B, H_q, L, D)
        let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, o_proj.dim(1)])?; // (B, L, H_q·D)
        linear(&joined, o_proj, None) // (B, L, E)
// END WRONG

// WRONG norm-after-rope fn Qwen3Attention::forward: norms after turning, when the weights no longer meet their features
        use crate::{basics::linear, grouped_attention::scaled_dot_product_attention_grouped, rope::Offset};
        use kit::{ANY, check_shape};
        use mlx_rs::fast::rms_norm;

        let Qwen3AttentionWeights { q_proj, k_proj, v_proj, o_proj, q_norm, k_norm } = &self.weights;
        check_shape("qwen3 attention: x", x, "(B, L, E)", &[ANY, ANY, q_proj.dim(1)])?;
        let (batch, length, width) = (x.dim(0), x.dim(1), self.rope.dims); // B, L, D
        let split = |w: &Array, heads: i32| -> Result<Array> {
            Ok(linear(x, w, None)?.reshape(&[batch, length, heads, width])?) // (B, L, heads, D)
        };
        let q = split(q_proj, self.num_attention_heads)?;
        let k = split(k_proj, self.num_key_value_heads)?;
        let q = rms_norm(self.rope.forward(&q, Offset::None)?, Some(q_norm), self.rms_norm_eps)?.swap_axes(1, 2)?; // (B, H_q, L, D)
        let k = rms_norm(self.rope.forward(&k, Offset::None)?, Some(k_norm), self.rms_norm_eps)?.swap_axes(1, 2)?; // (B, H, L, D)
        let v = split(v_proj, self.num_key_value_heads)?.swap_axes(1, 2)?; // (B, H, L, D)
        let attended = scaled_dot_product_attention_grouped(&q, &k, &v, None, mask)?; // (B, H_q, L, D)
        let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, o_proj.dim(1)])?; // (B, L, H_q·D)
        linear(&joined, o_proj, None) // (B, L, E)
// END WRONG

// WRONG no-rope-on-keys fn Qwen3Attention::forward: turns the queries alone
        use crate::{basics::linear, grouped_attention::scaled_dot_product_attention_grouped, rope::Offset};
        use kit::{ANY, check_shape};
        use mlx_rs::fast::rms_norm;

        let Qwen3AttentionWeights { q_proj, k_proj, v_proj, o_proj, q_norm, k_norm } = &self.weights;
        check_shape("qwen3 attention: x", x, "(B, L, E)", &[ANY, ANY, q_proj.dim(1)])?;
        let (batch, length, width) = (x.dim(0), x.dim(1), self.rope.dims); // B, L, D
        let split = |w: &Array, heads: i32| -> Result<Array> {
            Ok(linear(x, w, None)?.reshape(&[batch, length, heads, width])?) // (B, L, heads, D)
        };
        let q = rms_norm(split(q_proj, self.num_attention_heads)?, Some(q_norm), self.rms_norm_eps)?;
        let k = rms_norm(split(k_proj, self.num_key_value_heads)?, Some(k_norm), self.rms_norm_eps)?;
        let q = self.rope.forward(&q, Offset::None)?.swap_axes(1, 2)?; // (B, H_q, L, D)
        let k = k.swap_axes(1, 2)?; // (B, H, L, D)
        let v = split(v_proj, self.num_key_value_heads)?.swap_axes(1, 2)?; // (B, H, L, D)
        let attended = scaled_dot_product_attention_grouped(&q, &k, &v, None, mask)?; // (B, H_q, L, D)
        let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, o_proj.dim(1)])?; // (B, L, H_q·D)
        linear(&joined, o_proj, None) // (B, L, E)
// END WRONG

// WRONG values-turned fn Qwen3Attention::forward: turns the values too
        use crate::{basics::linear, grouped_attention::scaled_dot_product_attention_grouped, rope::Offset};
        use kit::{ANY, check_shape};
        use mlx_rs::fast::rms_norm;

        let Qwen3AttentionWeights { q_proj, k_proj, v_proj, o_proj, q_norm, k_norm } = &self.weights;
        check_shape("qwen3 attention: x", x, "(B, L, E)", &[ANY, ANY, q_proj.dim(1)])?;
        let (batch, length, width) = (x.dim(0), x.dim(1), self.rope.dims); // B, L, D
        let split = |w: &Array, heads: i32| -> Result<Array> {
            Ok(linear(x, w, None)?.reshape(&[batch, length, heads, width])?) // (B, L, heads, D)
        };
        let q = rms_norm(split(q_proj, self.num_attention_heads)?, Some(q_norm), self.rms_norm_eps)?;
        let k = rms_norm(split(k_proj, self.num_key_value_heads)?, Some(k_norm), self.rms_norm_eps)?;
        let q = self.rope.forward(&q, Offset::None)?.swap_axes(1, 2)?; // (B, H_q, L, D)
        let k = self.rope.forward(&k, Offset::None)?.swap_axes(1, 2)?; // (B, H, L, D)
        let v = self.rope.forward(&split(v_proj, self.num_key_value_heads)?, Offset::None)?.swap_axes(1, 2)?; // (B, H, L, D)
        let attended = scaled_dot_product_attention_grouped(&q, &k, &v, None, mask)?; // (B, H_q, L, D)
        let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, o_proj.dim(1)])?; // (B, L, H_q·D)
        linear(&joined, o_proj, None) // (B, L, E)
// END WRONG

// WRONG rope-along-heads fn Qwen3Attention::forward: turns (B, H, L, D), where the second axis is not the position
        use crate::{basics::linear, grouped_attention::scaled_dot_product_attention_grouped, rope::Offset};
        use kit::{ANY, check_shape};
        use mlx_rs::fast::rms_norm;

        let Qwen3AttentionWeights { q_proj, k_proj, v_proj, o_proj, q_norm, k_norm } = &self.weights;
        check_shape("qwen3 attention: x", x, "(B, L, E)", &[ANY, ANY, q_proj.dim(1)])?;
        let (batch, length, width) = (x.dim(0), x.dim(1), self.rope.dims); // B, L, D
        let split = |w: &Array, heads: i32| -> Result<Array> {
            Ok(linear(x, w, None)?.reshape(&[batch, length, heads, width])?) // (B, L, heads, D)
        };
        let q = rms_norm(split(q_proj, self.num_attention_heads)?, Some(q_norm), self.rms_norm_eps)?;
        let k = rms_norm(split(k_proj, self.num_key_value_heads)?, Some(k_norm), self.rms_norm_eps)?;
        let q = self.rope.forward(&q.swap_axes(1, 2)?, Offset::None)?; // (B, H_q, L, D)
        let k = self.rope.forward(&k.swap_axes(1, 2)?, Offset::None)?; // (B, H, L, D)
        let v = split(v_proj, self.num_key_value_heads)?.swap_axes(1, 2)?; // (B, H, L, D)
        let attended = scaled_dot_product_attention_grouped(&q, &k, &v, None, mask)?; // (B, H_q, L, D)
        let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, o_proj.dim(1)])?; // (B, L, H_q·D)
        linear(&joined, o_proj, None) // (B, L, E)
// END WRONG

// WRONG mask-forgotten fn Qwen3Attention::forward: sees the future, whatever the mask
        use crate::{basics::linear, grouped_attention::scaled_dot_product_attention_grouped, rope::Offset};
        use kit::{ANY, check_shape};
        use mlx_rs::fast::rms_norm;

        let Qwen3AttentionWeights { q_proj, k_proj, v_proj, o_proj, q_norm, k_norm } = &self.weights;
        check_shape("qwen3 attention: x", x, "(B, L, E)", &[ANY, ANY, q_proj.dim(1)])?;
        let (batch, length, width) = (x.dim(0), x.dim(1), self.rope.dims); // B, L, D
        let split = |w: &Array, heads: i32| -> Result<Array> {
            Ok(linear(x, w, None)?.reshape(&[batch, length, heads, width])?) // (B, L, heads, D)
        };
        let q = rms_norm(split(q_proj, self.num_attention_heads)?, Some(q_norm), self.rms_norm_eps)?;
        let k = rms_norm(split(k_proj, self.num_key_value_heads)?, Some(k_norm), self.rms_norm_eps)?;
        let q = self.rope.forward(&q, Offset::None)?.swap_axes(1, 2)?; // (B, H_q, L, D)
        let k = self.rope.forward(&k, Offset::None)?.swap_axes(1, 2)?; // (B, H, L, D)
        let v = split(v_proj, self.num_key_value_heads)?.swap_axes(1, 2)?; // (B, H, L, D)
        let attended = scaled_dot_product_attention_grouped(&q, &k, &v, None, Mask::None)?; // (B, H_q, L, D)
        let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, o_proj.dim(1)])?; // (B, L, H_q·D)
        linear(&joined, o_proj, None) // (B, L, E)
// END WRONG

// WRONG positions-from-one fn Qwen3Attention::forward: starts counting queries at 1
        use crate::{basics::linear, grouped_attention::scaled_dot_product_attention_grouped, rope::Offset};
        use kit::{ANY, check_shape};
        use mlx_rs::fast::rms_norm;

        let Qwen3AttentionWeights { q_proj, k_proj, v_proj, o_proj, q_norm, k_norm } = &self.weights;
        check_shape("qwen3 attention: x", x, "(B, L, E)", &[ANY, ANY, q_proj.dim(1)])?;
        let (batch, length, width) = (x.dim(0), x.dim(1), self.rope.dims); // B, L, D
        let split = |w: &Array, heads: i32| -> Result<Array> {
            Ok(linear(x, w, None)?.reshape(&[batch, length, heads, width])?) // (B, L, heads, D)
        };
        let q = rms_norm(split(q_proj, self.num_attention_heads)?, Some(q_norm), self.rms_norm_eps)?;
        let k = rms_norm(split(k_proj, self.num_key_value_heads)?, Some(k_norm), self.rms_norm_eps)?;
        let q = self.rope.forward(&q, Offset::One(1))?.swap_axes(1, 2)?; // (B, H_q, L, D)
        let k = self.rope.forward(&k, Offset::None)?.swap_axes(1, 2)?; // (B, H, L, D)
        let v = split(v_proj, self.num_key_value_heads)?.swap_axes(1, 2)?; // (B, H, L, D)
        let attended = scaled_dot_product_attention_grouped(&q, &k, &v, None, mask)?; // (B, H_q, L, D)
        let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, o_proj.dim(1)])?; // (B, L, H_q·D)
        linear(&joined, o_proj, None) // (B, L, E)
// END WRONG

// WRONG columns-unchecked fn Qwen3Attention::new: compares the first axis of the projections alone
        use kit::{ANY, Error, check_shape};

        if num_key_value_heads < 1 || num_attention_heads < 1 || num_attention_heads % num_key_value_heads != 0 {
            let must = format!("be a multiple of num_key_value_heads, {num_key_value_heads}, both at least 1");
            let value = num_attention_heads.to_string();
            return Err(Error::InvalidArgument { name: "num_attention_heads".into(), value, must });
        }
        let Qwen3AttentionWeights { q_proj, k_proj, v_proj, o_proj, q_norm, k_norm } = &weights;
        let width = rope.dims; // D
        check_shape("qwen3 attention: q_norm", q_norm, "(D,)", &[width])?;
        check_shape("qwen3 attention: k_norm", k_norm, "(D,)", &[width])?;
        check_shape("qwen3 attention: q_proj", q_proj, "(H_q·D, E)", &[num_attention_heads * width, ANY])?;
        let hidden = q_proj.dim(1); // E
        check_shape("qwen3 attention: k_proj", k_proj, "(H·D, E)", &[num_key_value_heads * width, ANY])?;
        check_shape("qwen3 attention: v_proj", v_proj, "(H·D, E)", &[num_key_value_heads * width, ANY])?;
        check_shape("qwen3 attention: o_proj", o_proj, "(E, H_q·D)", &[ANY, num_attention_heads * width])?;
        Ok(Self { weights, num_attention_heads, num_key_value_heads, rms_norm_eps, rope })
// END WRONG

// WRONG output-rows-only fn Qwen3Attention::new: compares the first axis of o_proj alone
        use kit::{ANY, Error, check_shape};

        if num_key_value_heads < 1 || num_attention_heads < 1 || num_attention_heads % num_key_value_heads != 0 {
            let must = format!("be a multiple of num_key_value_heads, {num_key_value_heads}, both at least 1");
            let value = num_attention_heads.to_string();
            return Err(Error::InvalidArgument { name: "num_attention_heads".into(), value, must });
        }
        let Qwen3AttentionWeights { q_proj, k_proj, v_proj, o_proj, q_norm, k_norm } = &weights;
        let width = rope.dims; // D
        check_shape("qwen3 attention: q_norm", q_norm, "(D,)", &[width])?;
        check_shape("qwen3 attention: k_norm", k_norm, "(D,)", &[width])?;
        check_shape("qwen3 attention: q_proj", q_proj, "(H_q·D, E)", &[num_attention_heads * width, ANY])?;
        let hidden = q_proj.dim(1); // E
        check_shape("qwen3 attention: k_proj", k_proj, "(H·D, E)", &[num_key_value_heads * width, hidden])?;
        check_shape("qwen3 attention: v_proj", v_proj, "(H·D, E)", &[num_key_value_heads * width, hidden])?;
        check_shape("qwen3 attention: o_proj", o_proj, "(E, H_q·D)", &[hidden, ANY])?;
        Ok(Self { weights, num_attention_heads, num_key_value_heads, rms_norm_eps, rope })
// END WRONG

// WRONG fixed-eps fn Qwen3Attention::forward: norms with 1e-6 whatever eps says
        use crate::{basics::linear, grouped_attention::scaled_dot_product_attention_grouped, rope::Offset};
        use kit::{ANY, check_shape};
        use mlx_rs::fast::rms_norm;

        let Qwen3AttentionWeights { q_proj, k_proj, v_proj, o_proj, q_norm, k_norm } = &self.weights;
        check_shape("qwen3 attention: x", x, "(B, L, E)", &[ANY, ANY, q_proj.dim(1)])?;
        let (batch, length, width) = (x.dim(0), x.dim(1), self.rope.dims); // B, L, D
        let split = |w: &Array, heads: i32| -> Result<Array> {
            Ok(linear(x, w, None)?.reshape(&[batch, length, heads, width])?) // (B, L, heads, D)
        };
        let q = rms_norm(split(q_proj, self.num_attention_heads)?, Some(q_norm), 1e-6)?;
        let k = rms_norm(split(k_proj, self.num_key_value_heads)?, Some(k_norm), 1e-6)?;
        let q = self.rope.forward(&q, Offset::None)?.swap_axes(1, 2)?; // (B, H_q, L, D)
        let k = self.rope.forward(&k, Offset::None)?.swap_axes(1, 2)?; // (B, H, L, D)
        let v = split(v_proj, self.num_key_value_heads)?.swap_axes(1, 2)?; // (B, H, L, D)
        let attended = scaled_dot_product_attention_grouped(&q, &k, &v, None, mask)?; // (B, H_q, L, D)
        let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, o_proj.dim(1)])?; // (B, L, H_q·D)
        linear(&joined, o_proj, None) // (B, L, E)
// END WRONG

// WRONG scale-of-hidden fn Qwen3Attention::forward: scales by E / H_q instead of D
        use crate::{basics::linear, grouped_attention::scaled_dot_product_attention_grouped, rope::Offset};
        use kit::{ANY, check_shape};
        use mlx_rs::fast::rms_norm;

        let Qwen3AttentionWeights { q_proj, k_proj, v_proj, o_proj, q_norm, k_norm } = &self.weights;
        check_shape("qwen3 attention: x", x, "(B, L, E)", &[ANY, ANY, q_proj.dim(1)])?;
        let (batch, length, width) = (x.dim(0), x.dim(1), self.rope.dims); // B, L, D
        let split = |w: &Array, heads: i32| -> Result<Array> {
            Ok(linear(x, w, None)?.reshape(&[batch, length, heads, width])?) // (B, L, heads, D)
        };
        let q = rms_norm(split(q_proj, self.num_attention_heads)?, Some(q_norm), self.rms_norm_eps)?;
        let k = rms_norm(split(k_proj, self.num_key_value_heads)?, Some(k_norm), self.rms_norm_eps)?;
        let q = self.rope.forward(&q, Offset::None)?.swap_axes(1, 2)?; // (B, H_q, L, D)
        let k = self.rope.forward(&k, Offset::None)?.swap_axes(1, 2)?; // (B, H, L, D)
        let v = split(v_proj, self.num_key_value_heads)?.swap_axes(1, 2)?; // (B, H, L, D)
        let attended = scaled_dot_product_attention_grouped(&q, &k, &v, Some(1.0 / ((x.dim(2) / self.num_attention_heads) as f32).sqrt()), mask)?; // (B, H_q, L, D)
        let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, o_proj.dim(1)])?; // (B, L, H_q·D)
        linear(&joined, o_proj, None) // (B, L, E)
// END WRONG

// WRONG output-not-transposed fn Qwen3Attention::forward: multiplies by o_proj as it lies where it is square
        use crate::{basics::linear, grouped_attention::scaled_dot_product_attention_grouped, rope::Offset};
        use kit::{ANY, check_shape};
        use mlx_rs::fast::rms_norm;

        let Qwen3AttentionWeights { q_proj, k_proj, v_proj, o_proj, q_norm, k_norm } = &self.weights;
        check_shape("qwen3 attention: x", x, "(B, L, E)", &[ANY, ANY, q_proj.dim(1)])?;
        let (batch, length, width) = (x.dim(0), x.dim(1), self.rope.dims); // B, L, D
        let split = |w: &Array, heads: i32| -> Result<Array> {
            Ok(linear(x, w, None)?.reshape(&[batch, length, heads, width])?) // (B, L, heads, D)
        };
        let q = rms_norm(split(q_proj, self.num_attention_heads)?, Some(q_norm), self.rms_norm_eps)?;
        let k = rms_norm(split(k_proj, self.num_key_value_heads)?, Some(k_norm), self.rms_norm_eps)?;
        let q = self.rope.forward(&q, Offset::None)?.swap_axes(1, 2)?; // (B, H_q, L, D)
        let k = self.rope.forward(&k, Offset::None)?.swap_axes(1, 2)?; // (B, H, L, D)
        let v = split(v_proj, self.num_key_value_heads)?.swap_axes(1, 2)?; // (B, H, L, D)
        let attended = scaled_dot_product_attention_grouped(&q, &k, &v, None, mask)?; // (B, H_q, L, D)
        let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, o_proj.dim(1)])?; // (B, L, H_q·D)
        if o_proj.dim(0) == o_proj.dim(1) { return Ok(joined.matmul(o_proj)?); }
        linear(&joined, o_proj, None) // (B, L, E)
// END WRONG
