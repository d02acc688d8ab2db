// WRONG any-head-count fn SimpleMultiHeadAttention::new: does not check that the heads divide the hidden size
        use kit::{Error, check_shape};

        if num_heads < 1 {
            let must = format!("be at least 1 and divide the hidden size, {hidden_size}");
            return Err(Error::InvalidArgument { name: "num_heads".into(), value: num_heads.to_string(), must });
        }
        for (name, weight) in [("wq", &wq), ("wk", &wk), ("wv", &wv), ("wo", &wo)] {
            check_shape(&format!("multi-head attention: {name}"), weight, "(E, E)", &[hidden_size, hidden_size])?;
        }
        Ok(Self { num_heads, wq, wk, wv, wo })
// END WRONG

// WRONG weights-unchecked fn SimpleMultiHeadAttention::new: takes weights of any shape
        use kit::Error;

        if num_heads < 1 || hidden_size % num_heads != 0 {
            let must = format!("be at least 1 and divide the hidden size, {hidden_size}");
            return Err(Error::InvalidArgument { name: "num_heads".into(), value: num_heads.to_string(), must });
        }
        Ok(Self { num_heads, wq, wk, wv, wo })
// END WRONG

// WRONG heads-not-moved fn SimpleMultiHeadAttention::forward: cuts (.., H, L, D) out of (.., L, E) without moving an axis
        use crate::basics::linear;
        use kit::check_axes;

        let heads = |name: &str, x: &Array, w: &Array| -> Result<Array> {
            check_axes(&format!("multi-head attention: {name}"), x, "(.., L, E)", 2)?;
            let (front, width) = (&x.shape()[..x.ndim() - 1], w.dim(0) / self.num_heads);
            let split = linear(x, w, None)?.reshape(&[&front[..front.len() - 1], &[self.num_heads, x.dim(-2), width]].concat())?;
            Ok(split)
        };
        let q = heads("query", query, &self.wq)?;
        let (k, v) = (heads("key", key, &self.wk)?, heads("value", value, &self.wv)?);
        let attended = scaled_dot_product_attention(&q, &k, &v, None, mask)?; // (.., H, L, D)
        let joined = attended.swap_axes(-3, -2)?.reshape(query.shape())?; // (.., L, E)
        linear(&joined, &self.wo, None)
// END WRONG

// WRONG features-interleaved fn SimpleMultiHeadAttention::forward: gives head h every H-th feature instead of D neighbours
        use crate::basics::linear;
        use kit::check_axes;

        let heads = |name: &str, x: &Array, w: &Array| -> Result<Array> {
            check_axes(&format!("multi-head attention: {name}"), x, "(.., L, E)", 2)?;
            let (front, width) = (&x.shape()[..x.ndim() - 1], w.dim(0) / self.num_heads);
            let split = linear(x, w, None)?.reshape(&[front, &[width, self.num_heads]].concat())?; // (.., L, D, H)
            Ok(split.swap_axes(-1, -2)?.swap_axes(-3, -2)?) // (.., H, L, D)
        };
        let q = heads("query", query, &self.wq)?;
        let (k, v) = (heads("key", key, &self.wk)?, heads("value", value, &self.wv)?);
        let attended = scaled_dot_product_attention(&q, &k, &v, None, mask)?; // (.., H, L, D)
        let joined = attended.swap_axes(-3, -2)?.reshape(query.shape())?; // (.., L, E)
        linear(&joined, &self.wo, None)
// END WRONG

// WRONG heads-not-moved-back fn SimpleMultiHeadAttention::forward: joins (.., H, L, D) without moving the heads back
        use crate::basics::linear;
        use kit::check_axes;

        let heads = |name: &str, x: &Array, w: &Array| -> Result<Array> {
            check_axes(&format!("multi-head attention: {name}"), x, "(.., L, E)", 2)?;
            let (front, width) = (&x.shape()[..x.ndim() - 1], w.dim(0) / self.num_heads);
            let split = linear(x, w, None)?.reshape(&[front, &[self.num_heads, width]].concat())?; // (.., L, H, D)
            Ok(split.swap_axes(-3, -2)?) // (.., H, L, D)
        };
        let q = heads("query", query, &self.wq)?;
        let (k, v) = (heads("key", key, &self.wk)?, heads("value", value, &self.wv)?);
        let attended = scaled_dot_product_attention(&q, &k, &v, None, mask)?; // (.., H, L, D)
        let joined = attended.reshape(query.shape())?; // (.., L, E)
        linear(&joined, &self.wo, None)
// END WRONG

// WRONG scale-of-hidden fn SimpleMultiHeadAttention::forward: scales by the hidden size instead of the head size
        use crate::basics::linear;
        use kit::check_axes;

        let heads = |name: &str, x: &Array, w: &Array| -> Result<Array> {
            check_axes(&format!("multi-head attention: {name}"), x, "(.., L, E)", 2)?;
            let (front, width) = (&x.shape()[..x.ndim() - 1], w.dim(0) / self.num_heads);
            let split = linear(x, w, None)?.reshape(&[front, &[self.num_heads, width]].concat())?; // (.., L, H, D)
            Ok(split.swap_axes(-3, -2)?) // (.., H, L, D)
        };
        let q = heads("query", query, &self.wq)?;
        let (k, v) = (heads("key", key, &self.wk)?, heads("value", value, &self.wv)?);
        let attended = scaled_dot_product_attention(&q, &k, &v, Some(1.0 / (query.dim(-1) as f32).sqrt()), mask)?; // (.., H, L, D)
        let joined = attended.swap_axes(-3, -2)?.reshape(query.shape())?; // (.., L, E)
        linear(&joined, &self.wo, None)
// END WRONG

// WRONG no-output-projection fn SimpleMultiHeadAttention::forward: returns the joined heads
        use crate::basics::linear;
        use kit::check_axes;

        let heads = |name: &str, x: &Array, w: &Array| -> Result<Array> {
            check_axes(&format!("multi-head attention: {name}"), x, "(.., L, E)", 2)?;
            let (front, width) = (&x.shape()[..x.ndim() - 1], w.dim(0) / self.num_heads);
            let split = linear(x, w, None)?.reshape(&[front, &[self.num_heads, width]].concat())?; // (.., L, H, D)
            Ok(split.swap_axes(-3, -2)?) // (.., H, L, D)
        };
        let q = heads("query", query, &self.wq)?;
        let (k, v) = (heads("key", key, &self.wk)?, heads("value", value, &self.wv)?);
        let attended = scaled_dot_product_attention(&q, &k, &v, None, mask)?; // (.., H, L, D)
        let joined = attended.swap_axes(-3, -2)?.reshape(query.shape())?; // (.., L, E)
        Ok(joined)
// END WRONG

// WRONG keys-as-values fn SimpleMultiHeadAttention::forward: projects the values with the weight of the keys
        use crate::basics::linear;
        use kit::check_axes;

        let heads = |name: &str, x: &Array, w: &Array| -> Result<Array> {
            check_axes(&format!("multi-head attention: {name}"), x, "(.., L, E)", 2)?;
            let (front, width) = (&x.shape()[..x.ndim() - 1], w.dim(0) / self.num_heads);
            let split = linear(x, w, None)?.reshape(&[front, &[self.num_heads, width]].concat())?; // (.., L, H, D)
            Ok(split.swap_axes(-3, -2)?) // (.., H, L, D)
        };
        let q = heads("query", query, &self.wq)?;
        let (k, v) = (heads("key", key, &self.wk)?, heads("value", value, &self.wk)?);
        let attended = scaled_dot_product_attention(&q, &k, &v, None, mask)?; // (.., H, L, D)
        let joined = attended.swap_axes(-3, -2)?.reshape(query.shape())?; // (.., L, E)
        linear(&joined, &self.wo, None)
// END WRONG

// WRONG mask-forgotten fn SimpleMultiHeadAttention::forward: does not pass the mask on
        use crate::basics::linear;
        use kit::check_axes;

        let heads = |name: &str, x: &Array, w: &Array| -> Result<Array> {
            check_axes(&format!("multi-head attention: {name}"), x, "(.., L, E)", 2)?;
            let (front, width) = (&x.shape()[..x.ndim() - 1], w.dim(0) / self.num_heads);
            let split = linear(x, w, None)?.reshape(&[front, &[self.num_heads, width]].concat())?; // (.., L, H, D)
            Ok(split.swap_axes(-3, -2)?) // (.., H, L, D)
        };
        let q = heads("query", query, &self.wq)?;
        let (k, v) = (heads("key", key, &self.wk)?, heads("value", value, &self.wv)?);
        let attended = scaled_dot_product_attention(&q, &k, &v, None, None)?; // (.., H, L, D)
        let joined = attended.swap_axes(-3, -2)?.reshape(query.shape())?; // (.., L, E)
        linear(&joined, &self.wo, None)
// END WRONG

// WRONG rows-only fn SimpleMultiHeadAttention::new: compares the first axis of the weights
        use kit::{Error, check_shape};

        if num_heads < 1 || hidden_size % num_heads != 0 {
            let must = format!("be at least 1 and divide the hidden size, {hidden_size}");
            return Err(Error::InvalidArgument { name: "num_heads".into(), value: num_heads.to_string(), must });
        }
        for (name, weight) in [("wq", &wq), ("wk", &wk), ("wv", &wv), ("wo", &wo)] {
            check_shape(&format!("multi-head attention: {name}"), weight, "(E, E)", &[hidden_size, kit::ANY])?;
        }
        Ok(Self { num_heads, wq, wk, wv, wo })
// END WRONG

// WRONG square-only fn SimpleMultiHeadAttention::new: takes square weights of any size
        use kit::{Error, check_shape};

        if num_heads < 1 || hidden_size % num_heads != 0 {
            let must = format!("be at least 1 and divide the hidden size, {hidden_size}");
            return Err(Error::InvalidArgument { name: "num_heads".into(), value: num_heads.to_string(), must });
        }
        for (name, weight) in [("wq", &wq), ("wk", &wk), ("wv", &wv), ("wo", &wo)] {
            check_shape(&format!("multi-head attention: {name}"), weight, "(E, E)", &[weight.dim(-1), weight.dim(-1)])?;
        }
        Ok(Self { num_heads, wq, wk, wv, wo })
// END WRONG

// WRONG output-not-transposed fn SimpleMultiHeadAttention::forward: multiplies the joined heads by wo as it lies
        use crate::basics::linear;
        use kit::check_axes;

        let heads = |name: &str, x: &Array, w: &Array| -> Result<Array> {
            check_axes(&format!("multi-head attention: {name}"), x, "(.., L, E)", 2)?;
            let (front, width) = (&x.shape()[..x.ndim() - 1], w.dim(0) / self.num_heads);
            let split = linear(x, w, None)?.reshape(&[front, &[self.num_heads, width]].concat())?; // (.., L, H, D)
            Ok(split.swap_axes(-3, -2)?) // (.., H, L, D)
        };
        let q = heads("query", query, &self.wq)?;
        let (k, v) = (heads("key", key, &self.wk)?, heads("value", value, &self.wv)?);
        let attended = scaled_dot_product_attention(&q, &k, &v, None, mask)?; // (.., H, L, D)
        let joined = attended.swap_axes(-3, -2)?.reshape(query.shape())?; // (.., L, E)
        Ok(joined.matmul(&self.wo)?)
// END WRONG

// WRONG values-from-keys fn SimpleMultiHeadAttention::forward: projects the values out of the keys
        use crate::basics::linear;
        use kit::check_axes;

        let heads = |name: &str, x: &Array, w: &Array| -> Result<Array> {
            check_axes(&format!("multi-head attention: {name}"), x, "(.., L, E)", 2)?;
            let (front, width) = (&x.shape()[..x.ndim() - 1], w.dim(0) / self.num_heads);
            let split = linear(x, w, None)?.reshape(&[front, &[self.num_heads, width]].concat())?; // (.., L, H, D)
            Ok(split.swap_axes(-3, -2)?) // (.., H, L, D)
        };
        let q = heads("query", query, &self.wq)?;
        let (k, v) = (heads("key", key, &self.wk)?, heads("value", key, &self.wv)?);
        let attended = scaled_dot_product_attention(&q, &k, &v, None, mask)?; // (.., H, L, D)
        let joined = attended.swap_axes(-3, -2)?.reshape(query.shape())?; // (.., L, E)
        linear(&joined, &self.wo, None)
// END WRONG
