// WRONG whole-text-again fn generate: feeds the whole text in every step
    use crate::model::Rows;
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::{Dtype, ops::indexing::TryIndexOp};

    let (mut sample, mut on_token) = (sample, on_token);
    let refused = |name: &str, must: &str| {
        Err(Error::InvalidArgument { name: name.into(), value: "empty".into(), must: must.into() })
    };
    if prompt.is_empty() {
        return refused("prompt", "hold at least one token id");
    }
    let Some(first) = caches.first() else { return refused("caches", "hold one cache a layer") };
    let mut offset = first.offset();
    let (mut tokens, mut next) = (Vec::new(), prompt.to_vec());
    while tokens.len() < max_tokens {
        let input = Array::from_slice(&next, &[1, next.len() as i32]); // (1, L)
        let logits = model.forward(&input, offset, caches, Rows::Last)?; // (1, 1, V)
        let row = logits.try_index((.., -1, ..))?.as_dtype(Dtype::Float32)?; // (1, V)
        let chosen = sample(&row)?;
        check_shape("cached generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("cached generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        offset += 0;
        let token = chosen.item_exact::<u32>();
        tokens.push(token);
        next.push(token);
        let stop = match on_token(token) {
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens, stop });
    }
    Ok(Generation { tokens, stop: StopReason::MaxTokens })
// END WRONG

// WRONG offset-of-one fn generate: counts the prompt as one token
    use crate::model::Rows;
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::{Dtype, ops::indexing::TryIndexOp};

    let (mut sample, mut on_token) = (sample, on_token);
    let refused = |name: &str, must: &str| {
        Err(Error::InvalidArgument { name: name.into(), value: "empty".into(), must: must.into() })
    };
    if prompt.is_empty() {
        return refused("prompt", "hold at least one token id");
    }
    let Some(first) = caches.first() else { return refused("caches", "hold one cache a layer") };
    let mut offset = first.offset();
    let (mut tokens, mut next) = (Vec::new(), prompt.to_vec());
    while tokens.len() < max_tokens {
        let input = Array::from_slice(&next, &[1, next.len() as i32]); // (1, L)
        let logits = model.forward(&input, offset, caches, Rows::Last)?; // (1, 1, V)
        let row = logits.try_index((.., -1, ..))?.as_dtype(Dtype::Float32)?; // (1, V)
        let chosen = sample(&row)?;
        check_shape("cached generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("cached generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        offset += 1;
        let token = chosen.item_exact::<u32>();
        tokens.push(token);
        next = vec![token];
        let stop = match on_token(token) {
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens, stop });
    }
    Ok(Generation { tokens, stop: StopReason::MaxTokens })
// END WRONG

// WRONG starts-at-zero fn generate: forgets that the caches may hold something
    use crate::model::Rows;
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::{Dtype, ops::indexing::TryIndexOp};

    let (mut sample, mut on_token) = (sample, on_token);
    let refused = |name: &str, must: &str| {
        Err(Error::InvalidArgument { name: name.into(), value: "empty".into(), must: must.into() })
    };
    if prompt.is_empty() {
        return refused("prompt", "hold at least one token id");
    }
    let Some(first) = caches.first() else { return refused("caches", "hold one cache a layer") };
    let mut offset = 0 * first.offset();
    let (mut tokens, mut next) = (Vec::new(), prompt.to_vec());
    while tokens.len() < max_tokens {
        let input = Array::from_slice(&next, &[1, next.len() as i32]); // (1, L)
        let logits = model.forward(&input, offset, caches, Rows::Last)?; // (1, 1, V)
        let row = logits.try_index((.., -1, ..))?.as_dtype(Dtype::Float32)?; // (1, V)
        let chosen = sample(&row)?;
        check_shape("cached generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("cached generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        offset += next.len() as i32;
        let token = chosen.item_exact::<u32>();
        tokens.push(token);
        next = vec![token];
        let stop = match on_token(token) {
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens, stop });
    }
    Ok(Generation { tokens, stop: StopReason::MaxTokens })
// END WRONG

// WRONG all-rows fn generate: asks for logits of the whole prompt
    use crate::model::Rows;
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::{Dtype, ops::indexing::TryIndexOp};

    let (mut sample, mut on_token) = (sample, on_token);
    let refused = |name: &str, must: &str| {
        Err(Error::InvalidArgument { name: name.into(), value: "empty".into(), must: must.into() })
    };
    if prompt.is_empty() {
        return refused("prompt", "hold at least one token id");
    }
    let Some(first) = caches.first() else { return refused("caches", "hold one cache a layer") };
    let mut offset = first.offset();
    let (mut tokens, mut next) = (Vec::new(), prompt.to_vec());
    while tokens.len() < max_tokens {
        let input = Array::from_slice(&next, &[1, next.len() as i32]); // (1, L)
        let logits = model.forward(&input, offset, caches, Rows::All)?; // (1, 1, V)
        let row = logits.try_index((.., -1, ..))?.as_dtype(Dtype::Float32)?; // (1, V)
        let chosen = sample(&row)?;
        check_shape("cached generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("cached generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        offset += next.len() as i32;
        let token = chosen.item_exact::<u32>();
        tokens.push(token);
        next = vec![token];
        let stop = match on_token(token) {
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens, stop });
    }
    Ok(Generation { tokens, stop: StopReason::MaxTokens })
// END WRONG

// WRONG prompt-token-by-token fn generate: feeds the prompt one token at a time
    use crate::model::Rows;
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::{Dtype, ops::indexing::TryIndexOp};

    let (mut sample, mut on_token) = (sample, on_token);
    let refused = |name: &str, must: &str| {
        Err(Error::InvalidArgument { name: name.into(), value: "empty".into(), must: must.into() })
    };
    if prompt.is_empty() {
        return refused("prompt", "hold at least one token id");
    }
    let Some(first) = caches.first() else { return refused("caches", "hold one cache a layer") };
    let mut offset = first.offset();
    let (mut tokens, mut next) = (Vec::new(), prompt.to_vec());
    while next.len() > 1 && max_tokens > 0 {
        model.forward(&Array::from_slice(&[next.remove(0)], &[1, 1]), offset, caches, Rows::Last)?;
        offset += 1;
    }
    while tokens.len() < max_tokens {
        let input = Array::from_slice(&next, &[1, next.len() as i32]); // (1, L)
        let logits = model.forward(&input, offset, caches, Rows::Last)?; // (1, 1, V)
        let row = logits.try_index((.., -1, ..))?.as_dtype(Dtype::Float32)?; // (1, V)
        let chosen = sample(&row)?;
        check_shape("cached generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("cached generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        offset += next.len() as i32;
        let token = chosen.item_exact::<u32>();
        tokens.push(token);
        next = vec![token];
        let stop = match on_token(token) {
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens, stop });
    }
    Ok(Generation { tokens, stop: StopReason::MaxTokens })
// END WRONG

// WRONG end-is-dropped fn generate: leaves the end id out of the tokens
    use crate::model::Rows;
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::{Dtype, ops::indexing::TryIndexOp};

    let (mut sample, mut on_token) = (sample, on_token);
    let refused = |name: &str, must: &str| {
        Err(Error::InvalidArgument { name: name.into(), value: "empty".into(), must: must.into() })
    };
    if prompt.is_empty() {
        return refused("prompt", "hold at least one token id");
    }
    let Some(first) = caches.first() else { return refused("caches", "hold one cache a layer") };
    let mut offset = first.offset();
    let (mut tokens, mut next) = (Vec::new(), prompt.to_vec());
    while tokens.len() < max_tokens {
        let input = Array::from_slice(&next, &[1, next.len() as i32]); // (1, L)
        let logits = model.forward(&input, offset, caches, Rows::Last)?; // (1, 1, V)
        let row = logits.try_index((.., -1, ..))?.as_dtype(Dtype::Float32)?; // (1, V)
        let chosen = sample(&row)?;
        check_shape("cached generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("cached generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        offset += next.len() as i32;
        let token = chosen.item_exact::<u32>();
        tokens.push(token);
        next = vec![token];
        let stop = match on_token(token) {
            _ if eos.contains(&token) => {
                tokens.pop();
                StopReason::Eos(token)
            }
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens, stop });
    }
    Ok(Generation { tokens, stop: StopReason::MaxTokens })
// END WRONG

// WRONG feeds-the-last fn generate: feeds the last token, too, so that the cache is one too long
    use crate::model::Rows;
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::{Dtype, ops::indexing::TryIndexOp};

    let (mut sample, mut on_token) = (sample, on_token);
    let refused = |name: &str, must: &str| {
        Err(Error::InvalidArgument { name: name.into(), value: "empty".into(), must: must.into() })
    };
    if prompt.is_empty() {
        return refused("prompt", "hold at least one token id");
    }
    let Some(first) = caches.first() else { return refused("caches", "hold one cache a layer") };
    let mut offset = first.offset();
    let (mut tokens, mut next) = (Vec::new(), prompt.to_vec());
    while tokens.len() < max_tokens {
        let input = Array::from_slice(&next, &[1, next.len() as i32]); // (1, L)
        let logits = model.forward(&input, offset, caches, Rows::Last)?; // (1, 1, V)
        let row = logits.try_index((.., -1, ..))?.as_dtype(Dtype::Float32)?; // (1, V)
        let chosen = sample(&row)?;
        check_shape("cached generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("cached generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        offset += next.len() as i32;
        let token = chosen.item_exact::<u32>();
        tokens.push(token);
        next = vec![token];
        let stop = match on_token(token) {
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens, stop });
    }
    if !tokens.is_empty() {
        model.forward(&Array::from_slice(&next, &[1, 1]), offset, caches, Rows::Last)?;
    }
    Ok(Generation { tokens, stop: StopReason::MaxTokens })
// END WRONG

// WRONG break-before-end fn generate: reports a break where the text has ended
    use crate::model::Rows;
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::{Dtype, ops::indexing::TryIndexOp};

    let (mut sample, mut on_token) = (sample, on_token);
    let refused = |name: &str, must: &str| {
        Err(Error::InvalidArgument { name: name.into(), value: "empty".into(), must: must.into() })
    };
    if prompt.is_empty() {
        return refused("prompt", "hold at least one token id");
    }
    let Some(first) = caches.first() else { return refused("caches", "hold one cache a layer") };
    let mut offset = first.offset();
    let (mut tokens, mut next) = (Vec::new(), prompt.to_vec());
    while tokens.len() < max_tokens {
        let input = Array::from_slice(&next, &[1, next.len() as i32]); // (1, L)
        let logits = model.forward(&input, offset, caches, Rows::Last)?; // (1, 1, V)
        let row = logits.try_index((.., -1, ..))?.as_dtype(Dtype::Float32)?; // (1, V)
        let chosen = sample(&row)?;
        check_shape("cached generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("cached generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        offset += next.len() as i32;
        let token = chosen.item_exact::<u32>();
        tokens.push(token);
        next = vec![token];
        let stop = match on_token(token) {
            ControlFlow::Break(()) => StopReason::Cancelled,
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens, stop });
    }
    Ok(Generation { tokens, stop: StopReason::MaxTokens })
// END WRONG

// WRONG empty-is-fine fn generate: answers an empty prompt with nothing
    use crate::model::Rows;
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::{Dtype, ops::indexing::TryIndexOp};

    let (mut sample, mut on_token) = (sample, on_token);
    let refused = |name: &str, must: &str| {
        Err(Error::InvalidArgument { name: name.into(), value: "empty".into(), must: must.into() })
    };
    if prompt.is_empty() {
        return Ok(Generation { tokens: Vec::new(), stop: StopReason::MaxTokens });
    }
    let Some(first) = caches.first() else { return refused("caches", "hold one cache a layer") };
    let mut offset = first.offset();
    let (mut tokens, mut next) = (Vec::new(), prompt.to_vec());
    while tokens.len() < max_tokens {
        let input = Array::from_slice(&next, &[1, next.len() as i32]); // (1, L)
        let logits = model.forward(&input, offset, caches, Rows::Last)?; // (1, 1, V)
        let row = logits.try_index((.., -1, ..))?.as_dtype(Dtype::Float32)?; // (1, V)
        let chosen = sample(&row)?;
        check_shape("cached generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("cached generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        offset += next.len() as i32;
        let token = chosen.item_exact::<u32>();
        tokens.push(token);
        next = vec![token];
        let stop = match on_token(token) {
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens, stop });
    }
    Ok(Generation { tokens, stop: StopReason::MaxTokens })
// END WRONG

// WRONG logprobs-not-logits fn generate: normalises before the sampler asks
    use crate::model::Rows;
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::Dtype;

    let (mut sample, mut on_token) = (sample, on_token);
    let refused = |name: &str, must: &str| {
        Err(Error::InvalidArgument { name: name.into(), value: "empty".into(), must: must.into() })
    };
    if prompt.is_empty() {
        return refused("prompt", "hold at least one token id");
    }
    let Some(first) = caches.first() else { return refused("caches", "hold one cache a layer") };
    let mut offset = first.offset();
    let (mut tokens, mut next) = (Vec::new(), prompt.to_vec());
    while tokens.len() < max_tokens {
        let input = Array::from_slice(&next, &[1, next.len() as i32]); // (1, L)
        let logits = model.forward(&input, offset, caches, Rows::Last)?; // (1, 1, V)
        let chosen = sample(&week1::generate::next_logprobs(&logits)?)?;
        check_shape("cached generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("cached generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        offset += next.len() as i32;
        let token = chosen.item_exact::<u32>();
        tokens.push(token);
        next = vec![token];
        let stop = match on_token(token) {
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens, stop });
    }
    Ok(Generation { tokens, stop: StopReason::MaxTokens })
// END WRONG

// WRONG stored-dtype fn generate: gives the sampler the logits in the model's dtype
    use crate::model::Rows;
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::{Dtype, ops::indexing::TryIndexOp};

    let (mut sample, mut on_token) = (sample, on_token);
    let refused = |name: &str, must: &str| {
        Err(Error::InvalidArgument { name: name.into(), value: "empty".into(), must: must.into() })
    };
    if prompt.is_empty() {
        return refused("prompt", "hold at least one token id");
    }
    let Some(first) = caches.first() else { return refused("caches", "hold one cache a layer") };
    let mut offset = first.offset();
    let (mut tokens, mut next) = (Vec::new(), prompt.to_vec());
    while tokens.len() < max_tokens {
        let input = Array::from_slice(&next, &[1, next.len() as i32]); // (1, L)
        let logits = model.forward(&input, offset, caches, Rows::Last)?; // (1, 1, V)
        let chosen = sample(&logits.try_index((.., -1, ..))?)?;
        check_shape("cached generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("cached generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        offset += next.len() as i32;
        let token = chosen.item_exact::<u32>();
        tokens.push(token);
        next = vec![token];
        let stop = match on_token(token) {
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens, stop });
    }
    Ok(Generation { tokens, stop: StopReason::MaxTokens })
// END WRONG
