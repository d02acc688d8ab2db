// WRONG no-last-norm fn Qwen3Model::forward: forgets the norm before the head
    use crate::{basics::linear, mask::Mask};
    use kit::{ANY, Error, check_shape};

    check_shape("model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
    let (length, longest) = (tokens.dim(1), self.max_position_embeddings);
    if length == 0 {
        let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
        return Err(Error::Shape { op: "model: tokens".into(), expected, got });
    }
    if length > longest {
        let must = format!("hold at most {longest} ids in a row (max_position_embeddings)");
        return Err(Error::InvalidArgument { name: "tokens".into(), value: format!("{length} ids long"), must });
    }
    let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
    for layer in &self.layers {
        hidden = layer.forward(&hidden, Mask::Causal)?;
    }
    match &self.lm_head {
        Some(weight) => linear(&hidden, weight, None), // (B, L, V)
        None => self.embed_tokens.as_linear(&hidden),
    }
// END WRONG

// WRONG no-mask fn Qwen3Model::forward: every position sees the answer
    use crate::{basics::linear, mask::Mask};
    use kit::{ANY, Error, check_shape};

    check_shape("model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
    let (length, longest) = (tokens.dim(1), self.max_position_embeddings);
    if length == 0 {
        let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
        return Err(Error::Shape { op: "model: tokens".into(), expected, got });
    }
    if length > longest {
        let must = format!("hold at most {longest} ids in a row (max_position_embeddings)");
        return Err(Error::InvalidArgument { name: "tokens".into(), value: format!("{length} ids long"), must });
    }
    let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
    for layer in &self.layers {
        hidden = layer.forward(&hidden, Mask::None)?;
    }
    let hidden = self.norm.forward(&hidden)?;
    match &self.lm_head {
        Some(weight) => linear(&hidden, weight, None), // (B, L, V)
        None => self.embed_tokens.as_linear(&hidden),
    }
// END WRONG

// WRONG one-layer fn Qwen3Model::forward: every layer reads the embedding, and the last one wins
    use crate::{basics::linear, mask::Mask};
    use kit::{ANY, Error, check_shape};

    check_shape("model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
    let (length, longest) = (tokens.dim(1), self.max_position_embeddings);
    if length == 0 {
        let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
        return Err(Error::Shape { op: "model: tokens".into(), expected, got });
    }
    if length > longest {
        let must = format!("hold at most {longest} ids in a row (max_position_embeddings)");
        return Err(Error::InvalidArgument { name: "tokens".into(), value: format!("{length} ids long"), must });
    }
    let embedded = self.embed_tokens.forward(tokens)?;
    let mut hidden = embedded.clone();
    for layer in &self.layers {
        hidden = layer.forward(&embedded, Mask::Causal)?;
    }
    let hidden = self.norm.forward(&hidden)?;
    match &self.lm_head {
        Some(weight) => linear(&hidden, weight, None), // (B, L, V)
        None => self.embed_tokens.as_linear(&hidden),
    }
// END WRONG

// WRONG always-tied fn Qwen3Model::forward: uses the embedding although there is a head
    use crate::{basics::linear, mask::Mask};
    use kit::{ANY, Error, check_shape};

    check_shape("model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
    let (length, longest) = (tokens.dim(1), self.max_position_embeddings);
    if length == 0 {
        let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
        return Err(Error::Shape { op: "model: tokens".into(), expected, got });
    }
    if length > longest {
        let must = format!("hold at most {longest} ids in a row (max_position_embeddings)");
        return Err(Error::InvalidArgument { name: "tokens".into(), value: format!("{length} ids long"), must });
    }
    let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
    for layer in &self.layers {
        hidden = layer.forward(&hidden, Mask::Causal)?;
    }
    let hidden = self.norm.forward(&hidden)?;
    let _ = linear;
    self.embed_tokens.as_linear(&hidden)
// END WRONG

// WRONG no-bound fn Qwen3Model::forward: takes texts of any length
    use crate::{basics::linear, mask::Mask};
    use kit::{ANY, Error, check_shape};

    check_shape("model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
    let length = tokens.dim(1);
    if length == 0 {
        let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
        return Err(Error::Shape { op: "model: tokens".into(), expected, got });
    }
    let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
    for layer in &self.layers {
        hidden = layer.forward(&hidden, Mask::Causal)?;
    }
    let hidden = self.norm.forward(&hidden)?;
    match &self.lm_head {
        Some(weight) => linear(&hidden, weight, None), // (B, L, V)
        None => self.embed_tokens.as_linear(&hidden),
    }
// END WRONG

// WRONG bound-off-by-one fn Qwen3Model::forward: refuses a text of exactly max_position_embeddings tokens
    use crate::{basics::linear, mask::Mask};
    use kit::{ANY, Error, check_shape};

    check_shape("model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
    let (length, longest) = (tokens.dim(1), self.max_position_embeddings);
    if length == 0 {
        let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
        return Err(Error::Shape { op: "model: tokens".into(), expected, got });
    }
    if length >= longest {
        let must = format!("hold at most {longest} ids in a row (max_position_embeddings)");
        return Err(Error::InvalidArgument { name: "tokens".into(), value: format!("{length} ids long"), must });
    }
    let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
    for layer in &self.layers {
        hidden = layer.forward(&hidden, Mask::Causal)?;
    }
    let hidden = self.norm.forward(&hidden)?;
    match &self.lm_head {
        Some(weight) => linear(&hidden, weight, None), // (B, L, V)
        None => self.embed_tokens.as_linear(&hidden),
    }
// END WRONG

// WRONG last-position-only fn Qwen3Model::forward: gives logits for the last position alone
    use crate::{basics::linear, mask::Mask};
    use kit::{ANY, Error, check_shape};

    check_shape("model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
    let (length, longest) = (tokens.dim(1), self.max_position_embeddings);
    if length == 0 {
        let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
        return Err(Error::Shape { op: "model: tokens".into(), expected, got });
    }
    if length > longest {
        let must = format!("hold at most {longest} ids in a row (max_position_embeddings)");
        return Err(Error::InvalidArgument { name: "tokens".into(), value: format!("{length} ids long"), must });
    }
    let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
    for layer in &self.layers {
        hidden = layer.forward(&hidden, Mask::Causal)?;
    }
    use mlx_rs::ops::indexing::IndexOp;
    let hidden = self.norm.forward(&hidden.index((.., -1.., ..)))?;
    match &self.lm_head {
        Some(weight) => linear(&hidden, weight, None), // (B, L, V)
        None => self.embed_tokens.as_linear(&hidden),
    }
// END WRONG

// WRONG scaled-embedding fn Qwen3Model::forward: scales the embedding by the root of E, as other models do
    use crate::{basics::linear, mask::Mask};
    use kit::{ANY, Error, check_shape};

    check_shape("model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
    let (length, longest) = (tokens.dim(1), self.max_position_embeddings);
    if length == 0 {
        let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
        return Err(Error::Shape { op: "model: tokens".into(), expected, got });
    }
    if length > longest {
        let must = format!("hold at most {longest} ids in a row (max_position_embeddings)");
        return Err(Error::InvalidArgument { name: "tokens".into(), value: format!("{length} ids long"), must });
    }
    let mut hidden = self.embed_tokens.forward(tokens)?;
    hidden = hidden.multiply(Array::from_f32((hidden.dim(-1) as f32).sqrt()).as_dtype(hidden.dtype())?)?;
    for layer in &self.layers {
        hidden = layer.forward(&hidden, Mask::Causal)?;
    }
    let hidden = self.norm.forward(&hidden)?;
    match &self.lm_head {
        Some(weight) => linear(&hidden, weight, None), // (B, L, V)
        None => self.embed_tokens.as_linear(&hidden),
    }
// END WRONG

// WRONG batch-counts fn Qwen3Model::forward: takes B times L for the length of a text
        use crate::{basics::linear, mask::Mask};
        use kit::{ANY, Error, check_shape};

        check_shape("model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
        let (length, longest) = (tokens.dim(0) * tokens.dim(1), self.max_position_embeddings);
        if length == 0 {
            let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
            return Err(Error::Shape { op: "model: tokens".into(), expected, got });
        }
        if length > longest {
            let must = format!("hold at most {longest} ids in a row (max_position_embeddings)");
            return Err(Error::InvalidArgument { name: "tokens".into(), value: format!("{length} ids long"), must });
        }
        let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
        for layer in &self.layers {
            hidden = layer.forward(&hidden, Mask::Causal)?;
        }
        let hidden = self.norm.forward(&hidden)?;
        match &self.lm_head {
            Some(weight) => linear(&hidden, weight, None), // (B, L, V)
            None => self.embed_tokens.as_linear(&hidden),
        }
// END WRONG

// WRONG norm-in-every-layer fn Qwen3Model::forward: norms after every layer
        use crate::{basics::linear, mask::Mask};
        use kit::{ANY, Error, check_shape};

        check_shape("model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
        let (length, longest) = (tokens.dim(1), self.max_position_embeddings);
        if length == 0 {
            let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
            return Err(Error::Shape { op: "model: tokens".into(), expected, got });
        }
        if length > longest {
            let must = format!("hold at most {longest} ids in a row (max_position_embeddings)");
            return Err(Error::InvalidArgument { name: "tokens".into(), value: format!("{length} ids long"), must });
        }
        let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
        for layer in &self.layers {
            hidden = self.norm.forward(&layer.forward(&hidden, Mask::Causal)?)?;
        }
        let hidden = self.norm.forward(&hidden)?;
        match &self.lm_head {
            Some(weight) => linear(&hidden, weight, None), // (B, L, V)
            None => self.embed_tokens.as_linear(&hidden),
        }
// END WRONG

// WRONG last-layer-lost fn Qwen3Model::forward: stops before the last layer
        use crate::{basics::linear, mask::Mask};
        use kit::{ANY, Error, check_shape};

        check_shape("model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
        let (length, longest) = (tokens.dim(1), self.max_position_embeddings);
        if length == 0 {
            let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
            return Err(Error::Shape { op: "model: tokens".into(), expected, got });
        }
        if length > longest {
            let must = format!("hold at most {longest} ids in a row (max_position_embeddings)");
            return Err(Error::InvalidArgument { name: "tokens".into(), value: format!("{length} ids long"), must });
        }
        let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
        for layer in self.layers.iter().take(self.layers.len().max(1) - 1) {
            hidden = layer.forward(&hidden, Mask::Causal)?;
        }
        let hidden = self.norm.forward(&hidden)?;
        match &self.lm_head {
            Some(weight) => linear(&hidden, weight, None), // (B, L, V)
            None => self.embed_tokens.as_linear(&hidden),
        }
// END WRONG
