// WRONG end-id-left-out fn generate: drops the end id from the tokens
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::Dtype;

    let (mut sample, mut on_token) = (sample, on_token);
    if prompt.is_empty() {
        let (name, value) = ("prompt".into(), "empty".into());
        return Err(Error::InvalidArgument { name, value, must: "hold at least one token id".into() });
    }
    let mut text = prompt.to_vec();
    while text.len() - prompt.len() < max_tokens {
        let logits = model.forward(&Array::from_slice(&text, &[1, text.len() as i32]))?; // (1, L, V)
        let chosen = sample(&next_logprobs(&logits)?)?;
        check_shape("generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        let token = chosen.item_exact::<u32>();
        text.push(token);
        let stop = match on_token(token) {
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        if matches!(stop, StopReason::Eos(_)) {
            text.pop();
        }
        return Ok(Generation { tokens: text.split_off(prompt.len()), stop });
    }
    Ok(Generation { tokens: text.split_off(prompt.len()), stop: StopReason::MaxTokens })
// END WRONG

// WRONG first-end-id-only fn generate: stops at the first of the end ids alone
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::Dtype;

    let (mut sample, mut on_token) = (sample, on_token);
    if prompt.is_empty() {
        let (name, value) = ("prompt".into(), "empty".into());
        return Err(Error::InvalidArgument { name, value, must: "hold at least one token id".into() });
    }
    let mut text = prompt.to_vec();
    while text.len() - prompt.len() < max_tokens {
        let logits = model.forward(&Array::from_slice(&text, &[1, text.len() as i32]))?; // (1, L, V)
        let chosen = sample(&next_logprobs(&logits)?)?;
        check_shape("generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        let token = chosen.item_exact::<u32>();
        text.push(token);
        let stop = match on_token(token) {
            _ if eos.first() == Some(&token) => StopReason::Eos(token),
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens: text.split_off(prompt.len()), stop });
    }
    Ok(Generation { tokens: text.split_off(prompt.len()), stop: StopReason::MaxTokens })
// END WRONG

// WRONG one-token-more fn generate: counts from 0 to max_tokens
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::Dtype;

    let (mut sample, mut on_token) = (sample, on_token);
    if prompt.is_empty() {
        let (name, value) = ("prompt".into(), "empty".into());
        return Err(Error::InvalidArgument { name, value, must: "hold at least one token id".into() });
    }
    let mut text = prompt.to_vec();
    while text.len() - prompt.len() <= max_tokens {
        let logits = model.forward(&Array::from_slice(&text, &[1, text.len() as i32]))?; // (1, L, V)
        let chosen = sample(&next_logprobs(&logits)?)?;
        check_shape("generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        let token = chosen.item_exact::<u32>();
        text.push(token);
        let stop = match on_token(token) {
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens: text.split_off(prompt.len()), stop });
    }
    Ok(Generation { tokens: text.split_off(prompt.len()), stop: StopReason::MaxTokens })
// END WRONG

// WRONG prompt-counts fn generate: takes max_tokens for the length of the whole text
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::Dtype;

    let (mut sample, mut on_token) = (sample, on_token);
    if prompt.is_empty() {
        let (name, value) = ("prompt".into(), "empty".into());
        return Err(Error::InvalidArgument { name, value, must: "hold at least one token id".into() });
    }
    let mut text = prompt.to_vec();
    while text.len() < max_tokens {
        let logits = model.forward(&Array::from_slice(&text, &[1, text.len() as i32]))?; // (1, L, V)
        let chosen = sample(&next_logprobs(&logits)?)?;
        check_shape("generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        let token = chosen.item_exact::<u32>();
        text.push(token);
        let stop = match on_token(token) {
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens: text.split_off(prompt.len()), stop });
    }
    Ok(Generation { tokens: text.split_off(prompt.len()), stop: StopReason::MaxTokens })
// END WRONG

// WRONG last-token-only fn generate: asks with the last token, as if there were a cache
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::Dtype;

    let (mut sample, mut on_token) = (sample, on_token);
    if prompt.is_empty() {
        let (name, value) = ("prompt".into(), "empty".into());
        return Err(Error::InvalidArgument { name, value, must: "hold at least one token id".into() });
    }
    let mut text = prompt.to_vec();
    while text.len() - prompt.len() < max_tokens {
        let logits = model.forward(&Array::from_slice(&text[text.len() - 1..], &[1, 1]))?; // (1, L, V)
        let chosen = sample(&next_logprobs(&logits)?)?;
        check_shape("generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        let token = chosen.item_exact::<u32>();
        text.push(token);
        let stop = match on_token(token) {
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens: text.split_off(prompt.len()), stop });
    }
    Ok(Generation { tokens: text.split_off(prompt.len()), stop: StopReason::MaxTokens })
// END WRONG

// WRONG deaf fn generate: does not listen to a wish to stop
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::Dtype;

    let (mut sample, mut on_token) = (sample, on_token);
    if prompt.is_empty() {
        let (name, value) = ("prompt".into(), "empty".into());
        return Err(Error::InvalidArgument { name, value, must: "hold at least one token id".into() });
    }
    let mut text = prompt.to_vec();
    while text.len() - prompt.len() < max_tokens {
        let logits = model.forward(&Array::from_slice(&text, &[1, text.len() as i32]))?; // (1, L, V)
        let chosen = sample(&next_logprobs(&logits)?)?;
        check_shape("generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        let token = chosen.item_exact::<u32>();
        text.push(token);
        let stop = match on_token(token) {
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Break(()) | ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens: text.split_off(prompt.len()), stop });
    }
    Ok(Generation { tokens: text.split_off(prompt.len()), stop: StopReason::MaxTokens })
// END WRONG

// WRONG cancelled-before-eos fn generate: reports the wish to stop where the text has ended by itself
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::Dtype;

    let (mut sample, mut on_token) = (sample, on_token);
    if prompt.is_empty() {
        let (name, value) = ("prompt".into(), "empty".into());
        return Err(Error::InvalidArgument { name, value, must: "hold at least one token id".into() });
    }
    let mut text = prompt.to_vec();
    while text.len() - prompt.len() < max_tokens {
        let logits = model.forward(&Array::from_slice(&text, &[1, text.len() as i32]))?; // (1, L, V)
        let chosen = sample(&next_logprobs(&logits)?)?;
        check_shape("generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        let token = chosen.item_exact::<u32>();
        text.push(token);
        let stop = match on_token(token) {
            ControlFlow::Break(()) => StopReason::Cancelled,
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens: text.split_off(prompt.len()), stop });
    }
    Ok(Generation { tokens: text.split_off(prompt.len()), stop: StopReason::MaxTokens })
// END WRONG

// WRONG silent-end fn generate: does not show the end id
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::Dtype;

    let (mut sample, mut on_token) = (sample, on_token);
    if prompt.is_empty() {
        let (name, value) = ("prompt".into(), "empty".into());
        return Err(Error::InvalidArgument { name, value, must: "hold at least one token id".into() });
    }
    let mut text = prompt.to_vec();
    while text.len() - prompt.len() < max_tokens {
        let logits = model.forward(&Array::from_slice(&text, &[1, text.len() as i32]))?; // (1, L, V)
        let chosen = sample(&next_logprobs(&logits)?)?;
        check_shape("generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        let token = chosen.item_exact::<u32>();
        text.push(token);
        let stop = match if eos.contains(&token) { ControlFlow::Break(()) } else { on_token(token) } {
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens: text.split_off(prompt.len()), stop });
    }
    Ok(Generation { tokens: text.split_off(prompt.len()), stop: StopReason::MaxTokens })
// END WRONG

// WRONG prompt-may-end fn generate: stops where the prompt holds an end id
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::Dtype;

    let (mut sample, mut on_token) = (sample, on_token);
    if prompt.is_empty() {
        let (name, value) = ("prompt".into(), "empty".into());
        return Err(Error::InvalidArgument { name, value, must: "hold at least one token id".into() });
    }
    let mut text = prompt.to_vec();
    while text.len() - prompt.len() < max_tokens {
        let logits = model.forward(&Array::from_slice(&text, &[1, text.len() as i32]))?; // (1, L, V)
        let chosen = sample(&next_logprobs(&logits)?)?;
        check_shape("generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        let token = chosen.item_exact::<u32>();
        text.push(token);
        let stop = match on_token(token) {
            _ if text.iter().any(|id| eos.contains(id)) => StopReason::Eos(token),
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens: text.split_off(prompt.len()), stop });
    }
    Ok(Generation { tokens: text.split_off(prompt.len()), stop: StopReason::MaxTokens })
// END WRONG

// WRONG any-prompt fn generate: asks the model about nothing
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::Dtype;

    let (mut sample, mut on_token) = (sample, on_token);
    if prompt.is_empty() && max_tokens > 0 {
        let (name, value) = ("prompt".into(), "empty".into());
        return Err(Error::InvalidArgument { name, value, must: "hold at least one token id".into() });
    }
    let mut text = prompt.to_vec();
    while text.len() - prompt.len() < max_tokens {
        let logits = model.forward(&Array::from_slice(&text, &[1, text.len() as i32]))?; // (1, L, V)
        let chosen = sample(&next_logprobs(&logits)?)?;
        check_shape("generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        let token = chosen.item_exact::<u32>();
        text.push(token);
        let stop = match on_token(token) {
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens: text.split_off(prompt.len()), stop });
    }
    Ok(Generation { tokens: text.split_off(prompt.len()), stop: StopReason::MaxTokens })
// END WRONG

// WRONG always-greedy fn generate: does not ask the sampler
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::Dtype;

    let (mut sample, mut on_token) = (sample, on_token);
    if prompt.is_empty() {
        let (name, value) = ("prompt".into(), "empty".into());
        return Err(Error::InvalidArgument { name, value, must: "hold at least one token id".into() });
    }
    let mut text = prompt.to_vec();
    while text.len() - prompt.len() < max_tokens {
        let logits = model.forward(&Array::from_slice(&text, &[1, text.len() as i32]))?; // (1, L, V)
        let chosen = greedy(&next_logprobs(&logits)?)?;
        let _ = &mut sample;
        check_shape("generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        let token = chosen.item_exact::<u32>();
        text.push(token);
        let stop = match on_token(token) {
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens: text.split_off(prompt.len()), stop });
    }
    Ok(Generation { tokens: text.split_off(prompt.len()), stop: StopReason::MaxTokens })
// END WRONG

// WRONG raw-logits fn generate: hands the sampler logits that are not normalised
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::Dtype;

    let (mut sample, mut on_token) = (sample, on_token);
    if prompt.is_empty() {
        let (name, value) = ("prompt".into(), "empty".into());
        return Err(Error::InvalidArgument { name, value, must: "hold at least one token id".into() });
    }
    let mut text = prompt.to_vec();
    while text.len() - prompt.len() < max_tokens {
        let logits = model.forward(&Array::from_slice(&text, &[1, text.len() as i32]))?; // (1, L, V)
        let chosen = sample(&mlx_rs::ops::indexing::IndexOp::index(&logits, (.., -1, ..)))?;
        check_shape("generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        let token = chosen.item_exact::<u32>();
        text.push(token);
        let stop = match on_token(token) {
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens: text.split_off(prompt.len()), stop });
    }
    Ok(Generation { tokens: text.split_off(prompt.len()), stop: StopReason::MaxTokens })
// END WRONG

// WRONG talks-at-the-end fn generate: shows the tokens when the text is complete
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::Dtype;

    let (mut sample, mut on_token) = (sample, on_token);
    if prompt.is_empty() {
        let (name, value) = ("prompt".into(), "empty".into());
        return Err(Error::InvalidArgument { name, value, must: "hold at least one token id".into() });
    }
    let mut text = prompt.to_vec();
    while text.len() - prompt.len() < max_tokens {
        let logits = model.forward(&Array::from_slice(&text, &[1, text.len() as i32]))?; // (1, L, V)
        let chosen = sample(&next_logprobs(&logits)?)?;
        check_shape("generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        let token = chosen.item_exact::<u32>();
        text.push(token);
        let stop = match {
            let done = eos.contains(&token) || text.len() - prompt.len() == max_tokens;
            let mut wish = ControlFlow::Continue(());
            for &id in text[prompt.len()..].iter().filter(|_| done) {
                wish = on_token(id);
            }
            wish
        } {
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens: text.split_off(prompt.len()), stop });
    }
    Ok(Generation { tokens: text.split_off(prompt.len()), stop: StopReason::MaxTokens })
// END WRONG

// WRONG cancelled-at-the-limit fn generate: reports max_tokens where the caller broke off at the limit
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::Dtype;

    let (mut sample, mut on_token) = (sample, on_token);
    if prompt.is_empty() {
        let (name, value) = ("prompt".into(), "empty".into());
        return Err(Error::InvalidArgument { name, value, must: "hold at least one token id".into() });
    }
    let mut text = prompt.to_vec();
    while text.len() - prompt.len() < max_tokens {
        let logits = model.forward(&Array::from_slice(&text, &[1, text.len() as i32]))?; // (1, L, V)
        let chosen = sample(&next_logprobs(&logits)?)?;
        check_shape("generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        let token = chosen.item_exact::<u32>();
        text.push(token);
        let stop = match on_token(token) {
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Break(()) if text.len() == prompt.len() + max_tokens => StopReason::MaxTokens,
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens: text.split_off(prompt.len()), stop });
    }
    Ok(Generation { tokens: text.split_off(prompt.len()), stop: StopReason::MaxTokens })
// END WRONG

// WRONG one-question-too-many fn generate: asks the model once more before it stops
    use kit::{Error, StopReason, check_dtype, check_shape};
    use mlx_rs::Dtype;

    let (mut sample, mut on_token) = (sample, on_token);
    if prompt.is_empty() {
        let (name, value) = ("prompt".into(), "empty".into());
        return Err(Error::InvalidArgument { name, value, must: "hold at least one token id".into() });
    }
    let mut text = prompt.to_vec();
    while text.len() - prompt.len() < max_tokens {
        let logits = model.forward(&Array::from_slice(&text, &[1, text.len() as i32]))?; // (1, L, V)
        let chosen = sample(&next_logprobs(&logits)?)?;
        check_shape("generate: the sampled ids", &chosen, "(1,)", &[1])?;
        check_dtype("generate: the sampled ids", &chosen, Dtype::Uint32)?;
        chosen.eval()?;
        let token = chosen.item_exact::<u32>();
        text.push(token);
        let stop = match on_token(token) {
            _ if eos.contains(&token) => StopReason::Eos(token),
            ControlFlow::Break(()) => StopReason::Cancelled,
            ControlFlow::Continue(()) => continue,
        };
        return Ok(Generation { tokens: text.split_off(prompt.len()), stop });
    }
    model.forward(&Array::from_slice(&text, &[1, text.len() as i32]))?;
    Ok(Generation { tokens: text.split_off(prompt.len()), stop: StopReason::MaxTokens })
// END WRONG
