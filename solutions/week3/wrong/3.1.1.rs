// WRONG always-greedy fn Sequence::choose: takes the most likely token, whatever the request asks for
    use kit::{check_dtype, check_shape};
    use mlx_rs::Dtype;
    use week1::generate::next_logprobs;

    check_shape("sequence: logits", logits, "(1, 1, V)", &[1, 1, kit::ANY])?;
    let chosen = week1::generate::greedy(&next_logprobs(logits)?)?;
    check_shape("sequence: the sampled id", &chosen, "(1,)", &[1])?;
    check_dtype("sequence: the sampled id", &chosen, Dtype::Uint32)?;
    chosen.eval()?;
    Ok(chosen.item_exact::<u32>())
// END WRONG

// WRONG logits-not-logprobs fn Sequence::choose: gives the sampler raw logits, whose exponentials do not sum to one
    use kit::{check_dtype, check_shape};
    use mlx_rs::Dtype;

    check_shape("sequence: logits", logits, "(1, 1, V)", &[1, 1, kit::ANY])?;
    let chosen = (self.sample)(&logits.reshape(&[1, -1])?)?;
    check_shape("sequence: the sampled id", &chosen, "(1,)", &[1])?;
    check_dtype("sequence: the sampled id", &chosen, Dtype::Uint32)?;
    chosen.eval()?;
    Ok(chosen.item_exact::<u32>())
// END WRONG

// WRONG draws-twice fn Sequence::choose: spends two draws on a token, so another seed is behind it
    use kit::{check_dtype, check_shape};
    use mlx_rs::Dtype;
    use week1::generate::next_logprobs;

    check_shape("sequence: logits", logits, "(1, 1, V)", &[1, 1, kit::ANY])?;
    let chosen = (self.sample)(&next_logprobs(logits)?)?;
    check_shape("sequence: the sampled id", &chosen, "(1,)", &[1])?;
    check_dtype("sequence: the sampled id", &chosen, Dtype::Uint32)?;
    let chosen = (self.sample)(&next_logprobs(logits)?)?;
    chosen.eval()?;
    Ok(chosen.item_exact::<u32>())
// END WRONG

// WRONG any-axes fn Sequence::choose: takes the first of several rows
    use kit::{check_dtype, check_shape};
    use mlx_rs::Dtype;
    use week1::generate::next_logprobs;


    let chosen = (self.sample)(&next_logprobs(logits)?)?;

    check_dtype("sequence: the sampled id", &chosen, Dtype::Uint32)?;
    chosen.eval()?;
    Ok(chosen.reshape(&[-1])?.contiguous()?.as_slice::<u32>()[0])
// END WRONG

// WRONG no-hold fn Sequence::push: shows text at once, and with it the beginning of a stop string
    use kit::Detokenizer;

    self.tokens.push(token);
    self.held.push_str(&self.detokenizer.push(token)?);
    let last = if self.request.eos.contains(&token) {
        Some(FinishReason::Eos(token))
    } else if self.tokens.len() >= self.request.max_tokens {
        Some(FinishReason::MaxTokens)
    } else {
        None
    };
    if last.is_some() {
        self.held.push_str(&self.detokenizer.finish()?);
    }
    let found = self.stop.iter().filter_map(|stop| Some((self.held.find(stop)?, stop)));
    if let Some((at, stop)) = found.min_by_key(|(at, stop)| (at + stop.len(), *at)) {
        self.finish = Some(FinishReason::StopString(stop.clone()));
        self.held.truncate(at);
        return Ok(std::mem::take(&mut self.held));
    }
    self.finish = last;
    let waits = 0;
    let waiting = self.held.split_off(self.held.len() - waits);
    Ok(std::mem::replace(&mut self.held, waiting))
// END WRONG

// WRONG holds-for-ever fn Sequence::push: holds a possible beginning back even at the end
    use kit::Detokenizer;

    self.tokens.push(token);
    self.held.push_str(&self.detokenizer.push(token)?);
    let last = if self.request.eos.contains(&token) {
        Some(FinishReason::Eos(token))
    } else if self.tokens.len() >= self.request.max_tokens {
        Some(FinishReason::MaxTokens)
    } else {
        None
    };
    if last.is_some() {
        self.held.push_str(&self.detokenizer.finish()?);
    }
    let found = self.stop.iter().filter_map(|stop| Some((self.held.find(stop)?, stop)));
    if let Some((at, stop)) = found.min_by_key(|(at, stop)| (at + stop.len(), *at)) {
        self.finish = Some(FinishReason::StopString(stop.clone()));
        self.held.truncate(at);
        return Ok(std::mem::take(&mut self.held));
    }
    self.finish = last;
    let waits = may_become(&self.held, &self.stop);
    let waiting = self.held.split_off(self.held.len() - waits);
    Ok(std::mem::replace(&mut self.held, waiting))
// END WRONG

// WRONG shows-the-stop fn Sequence::push: shows the stop string too
    use kit::Detokenizer;

    self.tokens.push(token);
    self.held.push_str(&self.detokenizer.push(token)?);
    let last = if self.request.eos.contains(&token) {
        Some(FinishReason::Eos(token))
    } else if self.tokens.len() >= self.request.max_tokens {
        Some(FinishReason::MaxTokens)
    } else {
        None
    };
    if last.is_some() {
        self.held.push_str(&self.detokenizer.finish()?);
    }
    let found = self.stop.iter().filter_map(|stop| Some((self.held.find(stop)?, stop)));
    if let Some((at, stop)) = found.min_by_key(|(at, stop)| (at + stop.len(), *at)) {
        self.finish = Some(FinishReason::StopString(stop.clone()));
        self.held.truncate(at + stop.len());
        return Ok(std::mem::take(&mut self.held));
    }
    self.finish = last;
    let waits = if self.finish.is_some() { 0 } else { may_become(&self.held, &self.stop) };
    let waiting = self.held.split_off(self.held.len() - waits);
    Ok(std::mem::replace(&mut self.held, waiting))
// END WRONG

// WRONG last-stop fn Sequence::push: takes the stop string that begins last
    use kit::Detokenizer;

    self.tokens.push(token);
    self.held.push_str(&self.detokenizer.push(token)?);
    let last = if self.request.eos.contains(&token) {
        Some(FinishReason::Eos(token))
    } else if self.tokens.len() >= self.request.max_tokens {
        Some(FinishReason::MaxTokens)
    } else {
        None
    };
    if last.is_some() {
        self.held.push_str(&self.detokenizer.finish()?);
    }
    let found = self.stop.iter().filter_map(|stop| Some((self.held.find(stop)?, stop)));
    if let Some((at, stop)) = found.max_by_key(|(at, _)| *at) {
        self.finish = Some(FinishReason::StopString(stop.clone()));
        self.held.truncate(at);
        return Ok(std::mem::take(&mut self.held));
    }
    self.finish = last;
    let waits = if self.finish.is_some() { 0 } else { may_become(&self.held, &self.stop) };
    let waiting = self.held.split_off(self.held.len() - waits);
    Ok(std::mem::replace(&mut self.held, waiting))
// END WRONG

// WRONG first-listed fn Sequence::push: takes the stop string that is listed first
    use kit::Detokenizer;

    self.tokens.push(token);
    self.held.push_str(&self.detokenizer.push(token)?);
    let last = if self.request.eos.contains(&token) {
        Some(FinishReason::Eos(token))
    } else if self.tokens.len() >= self.request.max_tokens {
        Some(FinishReason::MaxTokens)
    } else {
        None
    };
    if last.is_some() {
        self.held.push_str(&self.detokenizer.finish()?);
    }
    let found = self.stop.iter().filter_map(|stop| Some((self.held.find(stop)?, stop)));
    let mut found = found;
    if let Some((at, stop)) = found.next() {
        self.finish = Some(FinishReason::StopString(stop.clone()));
        self.held.truncate(at);
        return Ok(std::mem::take(&mut self.held));
    }
    self.finish = last;
    let waits = if self.finish.is_some() { 0 } else { may_become(&self.held, &self.stop) };
    let waiting = self.held.split_off(self.held.len() - waits);
    Ok(std::mem::replace(&mut self.held, waiting))
// END WRONG

// WRONG prompt-counts fn Sequence::push: counts the prompt as generated tokens
    use kit::Detokenizer;

    self.tokens.push(token);
    self.held.push_str(&self.detokenizer.push(token)?);
    let last = if self.request.eos.contains(&token) {
        Some(FinishReason::Eos(token))
    } else if self.request.prompt.len() + self.tokens.len() > self.request.max_tokens + 1 {
        Some(FinishReason::MaxTokens)
    } else {
        None
    };
    if last.is_some() {
        self.held.push_str(&self.detokenizer.finish()?);
    }
    let found = self.stop.iter().filter_map(|stop| Some((self.held.find(stop)?, stop)));
    if let Some((at, stop)) = found.min_by_key(|(at, stop)| (at + stop.len(), *at)) {
        self.finish = Some(FinishReason::StopString(stop.clone()));
        self.held.truncate(at);
        return Ok(std::mem::take(&mut self.held));
    }
    self.finish = last;
    let waits = if self.finish.is_some() { 0 } else { may_become(&self.held, &self.stop) };
    let waiting = self.held.split_off(self.held.len() - waits);
    Ok(std::mem::replace(&mut self.held, waiting))
// END WRONG

// WRONG limit-before-eos fn Sequence::push: reports the limit before an end id
    use kit::Detokenizer;

    self.tokens.push(token);
    self.held.push_str(&self.detokenizer.push(token)?);
    let last = if self.tokens.len() >= self.request.max_tokens {
        Some(FinishReason::MaxTokens)
    } else if self.request.eos.contains(&token) {
        Some(FinishReason::Eos(token))
    } else {
        None
    };
    if last.is_some() {
        self.held.push_str(&self.detokenizer.finish()?);
    }
    let found = self.stop.iter().filter_map(|stop| Some((self.held.find(stop)?, stop)));
    if let Some((at, stop)) = found.min_by_key(|(at, stop)| (at + stop.len(), *at)) {
        self.finish = Some(FinishReason::StopString(stop.clone()));
        self.held.truncate(at);
        return Ok(std::mem::take(&mut self.held));
    }
    self.finish = last;
    let waits = if self.finish.is_some() { 0 } else { may_become(&self.held, &self.stop) };
    let waiting = self.held.split_off(self.held.len() - waits);
    Ok(std::mem::replace(&mut self.held, waiting))
// END WRONG

// WRONG no-finish fn Sequence::push: forgets the half character at the end
    use kit::Detokenizer;

    self.tokens.push(token);
    self.held.push_str(&self.detokenizer.push(token)?);
    let last = if self.request.eos.contains(&token) {
        Some(FinishReason::Eos(token))
    } else if self.tokens.len() >= self.request.max_tokens {
        Some(FinishReason::MaxTokens)
    } else {
        None
    };
    if last.is_some() {

    }
    let found = self.stop.iter().filter_map(|stop| Some((self.held.find(stop)?, stop)));
    if let Some((at, stop)) = found.min_by_key(|(at, stop)| (at + stop.len(), *at)) {
        self.finish = Some(FinishReason::StopString(stop.clone()));
        self.held.truncate(at);
        return Ok(std::mem::take(&mut self.held));
    }
    self.finish = last;
    let waits = if self.finish.is_some() { 0 } else { may_become(&self.held, &self.stop) };
    let waiting = self.held.split_off(self.held.len() - waits);
    Ok(std::mem::replace(&mut self.held, waiting))
// END WRONG

// WRONG begins-first fn Sequence::push: takes the stop string that begins first, so a long token can hide one that has ended before
    use kit::Detokenizer;

    self.tokens.push(token);
    self.held.push_str(&self.detokenizer.push(token)?);
    let last = if self.request.eos.contains(&token) {
        Some(FinishReason::Eos(token))
    } else if self.tokens.len() >= self.request.max_tokens {
        Some(FinishReason::MaxTokens)
    } else {
        None
    };
    if last.is_some() {
        self.held.push_str(&self.detokenizer.finish()?);
    }
    let found = self.stop.iter().filter_map(|stop| Some((self.held.find(stop)?, stop)));
    if let Some((at, stop)) = found.min_by_key(|(at, _)| *at) {
        self.finish = Some(FinishReason::StopString(stop.clone()));
        self.held.truncate(at);
        return Ok(std::mem::take(&mut self.held));
    }
    self.finish = last;
    let waits = if self.finish.is_some() { 0 } else { may_become(&self.held, &self.stop) };
    let waiting = self.held.split_off(self.held.len() - waits);
    Ok(std::mem::replace(&mut self.held, waiting))
// END WRONG

// WRONG end-id-first fn Sequence::push: looks for an end id before it looks for a stop string
    use kit::Detokenizer;

    self.tokens.push(token);
    self.held.push_str(&self.detokenizer.push(token)?);
    let last = if self.request.eos.contains(&token) {
        Some(FinishReason::Eos(token))
    } else if self.tokens.len() >= self.request.max_tokens {
        Some(FinishReason::MaxTokens)
    } else {
        None
    };
    if last.is_some() {
        self.held.push_str(&self.detokenizer.finish()?);
    }
    let ended = matches!(last, Some(FinishReason::Eos(_)));
    let found = self.stop.iter().filter(|_| !ended).filter_map(|stop| Some((self.held.find(stop)?, stop)));
    if let Some((at, stop)) = found.min_by_key(|(at, stop)| (at + stop.len(), *at)) {
        self.finish = Some(FinishReason::StopString(stop.clone()));
        self.held.truncate(at);
        return Ok(std::mem::take(&mut self.held));
    }
    self.finish = last;
    let waits = if self.finish.is_some() { 0 } else { may_become(&self.held, &self.stop) };
    let waiting = self.held.split_off(self.held.len() - waits);
    Ok(std::mem::replace(&mut self.held, waiting))
// END WRONG

// WRONG swallows fn Sequence::push: takes a token without bytes for an empty text
    use kit::Detokenizer;

    self.tokens.push(token);
    self.held.push_str(&self.detokenizer.push(token).unwrap_or_default());
    let last = if self.request.eos.contains(&token) {
        Some(FinishReason::Eos(token))
    } else if self.tokens.len() >= self.request.max_tokens {
        Some(FinishReason::MaxTokens)
    } else {
        None
    };
    if last.is_some() {
        self.held.push_str(&self.detokenizer.finish()?);
    }
    let found = self.stop.iter().filter_map(|stop| Some((self.held.find(stop)?, stop)));
    if let Some((at, stop)) = found.min_by_key(|(at, stop)| (at + stop.len(), *at)) {
        self.finish = Some(FinishReason::StopString(stop.clone()));
        self.held.truncate(at);
        return Ok(std::mem::take(&mut self.held));
    }
    self.finish = last;
    let waits = if self.finish.is_some() { 0 } else { may_become(&self.held, &self.stop) };
    let waiting = self.held.split_off(self.held.len() - waits);
    Ok(std::mem::replace(&mut self.held, waiting))
// END WRONG

// WRONG keeps-what-failed fn Sequence::push: keeps a token that has no text
    use kit::Detokenizer;

    // A token without a text is none.
    self.tokens.push(token);
    let text = self.detokenizer.push(token)?;
    self.held.push_str(&text);
    let last = if self.request.eos.contains(&token) {
        Some(FinishReason::Eos(token))
    } else if self.tokens.len() >= self.request.max_tokens {
        Some(FinishReason::MaxTokens)
    } else {
        None
    };
    if last.is_some() {
        self.held.push_str(&self.detokenizer.finish()?);
    }
    let found = self.stop.iter().filter_map(|stop| Some((self.held.find(stop)?, stop)));
    if let Some((at, stop)) = found.min_by_key(|(at, stop)| (at + stop.len(), *at)) {
        self.finish = Some(FinishReason::StopString(stop.clone()));
        self.held.truncate(at);
        return Ok(std::mem::take(&mut self.held));
    }
    self.finish = last;
    let waits = if self.finish.is_some() { 0 } else { may_become(&self.held, &self.stop) };
    let waiting = self.held.split_off(self.held.len() - waits);
    Ok(std::mem::replace(&mut self.held, waiting))
// END WRONG

// WRONG keeps-what-it-has-shown fn Sequence::push: leaves the text before a stop string in `held`
    use kit::Detokenizer;

    // A token without a text is none.
    let text = self.detokenizer.push(token)?;
    self.tokens.push(token);
    self.held.push_str(&text);
    let last = if self.request.eos.contains(&token) {
        Some(FinishReason::Eos(token))
    } else if self.tokens.len() >= self.request.max_tokens {
        Some(FinishReason::MaxTokens)
    } else {
        None
    };
    if last.is_some() {
        self.held.push_str(&self.detokenizer.finish()?);
    }
    let found = self.stop.iter().filter_map(|stop| Some((self.held.find(stop)?, stop)));
    if let Some((at, stop)) = found.min_by_key(|(at, stop)| (at + stop.len(), *at)) {
        self.finish = Some(FinishReason::StopString(stop.clone()));
        self.held.truncate(at);
        return Ok(self.held.clone());
    }
    self.finish = last;
    let waits = if self.finish.is_some() { 0 } else { may_become(&self.held, &self.stop) };
    let waiting = self.held.split_off(self.held.len() - waits);
    Ok(std::mem::replace(&mut self.held, waiting))
// END WRONG
