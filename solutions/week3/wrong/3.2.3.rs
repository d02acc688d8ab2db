// WRONG prompt-alone fn refusal: looks at the prompt alone
    let (prompt, max_tokens, positions) = (request.prompt.len(), request.max_tokens, limits.positions);
    if prompt > positions {
        return Ok(Some(Refusal::TooLong { prompt, max_tokens, positions }));
    }
    if running.contains(&id) || waiting.contains(&id) {
        return Ok(Some(Refusal::SameId(id)));
    }
    if waiting.len() >= limits.waiting {
        return Ok(Some(Refusal::QueueFull { waiting: waiting.len() }));
    }
    Ok(None)
// END WRONG

// WRONG one-less fn refusal: keeps one position free
    let (prompt, max_tokens, positions) = (request.prompt.len(), request.max_tokens, limits.positions);
    if max_tokens >= positions.saturating_sub(prompt) {
        return Ok(Some(Refusal::TooLong { prompt, max_tokens, positions }));
    }
    if running.contains(&id) || waiting.contains(&id) {
        return Ok(Some(Refusal::SameId(id)));
    }
    if waiting.len() >= limits.waiting {
        return Ok(Some(Refusal::QueueFull { waiting: waiting.len() }));
    }
    Ok(None)
// END WRONG

// WRONG overflows fn refusal: lets a wrapped sum pass
    let (prompt, max_tokens, positions) = (request.prompt.len(), request.max_tokens, limits.positions);
    if prompt.wrapping_add(max_tokens) > positions {
        return Ok(Some(Refusal::TooLong { prompt, max_tokens, positions }));
    }
    if running.contains(&id) || waiting.contains(&id) {
        return Ok(Some(Refusal::SameId(id)));
    }
    if waiting.len() >= limits.waiting {
        return Ok(Some(Refusal::QueueFull { waiting: waiting.len() }));
    }
    Ok(None)
// END WRONG

// WRONG queue-first fn refusal: says first that the queue is full
    let (prompt, max_tokens, positions) = (request.prompt.len(), request.max_tokens, limits.positions);
    if waiting.len() >= limits.waiting {
        return Ok(Some(Refusal::QueueFull { waiting: waiting.len() }));
    }
    if max_tokens > positions.saturating_sub(prompt) {
        return Ok(Some(Refusal::TooLong { prompt, max_tokens, positions }));
    }
    if running.contains(&id) || waiting.contains(&id) {
        return Ok(Some(Refusal::SameId(id)));
    }
    if waiting.len() >= limits.waiting {
        return Ok(Some(Refusal::QueueFull { waiting: waiting.len() }));
    }
    Ok(None)
// END WRONG

// WRONG one-more fn refusal: lets one more wait
    let (prompt, max_tokens, positions) = (request.prompt.len(), request.max_tokens, limits.positions);
    if max_tokens > positions.saturating_sub(prompt) {
        return Ok(Some(Refusal::TooLong { prompt, max_tokens, positions }));
    }
    if running.contains(&id) || waiting.contains(&id) {
        return Ok(Some(Refusal::SameId(id)));
    }
    if waiting.len() > limits.waiting {
        return Ok(Some(Refusal::QueueFull { waiting: waiting.len() }));
    }
    Ok(None)
// END WRONG

// WRONG counts-running fn refusal: counts those who run as waiting
    let (prompt, max_tokens, positions) = (request.prompt.len(), request.max_tokens, limits.positions);
    if max_tokens > positions.saturating_sub(prompt) {
        return Ok(Some(Refusal::TooLong { prompt, max_tokens, positions }));
    }
    if running.contains(&id) || waiting.contains(&id) {
        return Ok(Some(Refusal::SameId(id)));
    }
    if running.len() + waiting.len() >= limits.waiting {
        return Ok(Some(Refusal::QueueFull { waiting: waiting.len() }));
    }
    Ok(None)
// END WRONG

// WRONG id-of-running fn refusal: looks for the id among those who run alone
    let (prompt, max_tokens, positions) = (request.prompt.len(), request.max_tokens, limits.positions);
    if max_tokens > positions.saturating_sub(prompt) {
        return Ok(Some(Refusal::TooLong { prompt, max_tokens, positions }));
    }
    if running.contains(&id) {
        return Ok(Some(Refusal::SameId(id)));
    }
    if waiting.len() >= limits.waiting {
        return Ok(Some(Refusal::QueueFull { waiting: waiting.len() }));
    }
    Ok(None)
// END WRONG

// WRONG exactly-full fn refusal: refuses where the queue is exactly full, and not where it is longer
    let (prompt, max_tokens, positions) = (request.prompt.len(), request.max_tokens, limits.positions);
    if max_tokens > positions.saturating_sub(prompt) {
        return Ok(Some(Refusal::TooLong { prompt, max_tokens, positions }));
    }
    if running.contains(&id) || waiting.contains(&id) {
        return Ok(Some(Refusal::SameId(id)));
    }
    if waiting.len() == limits.waiting {
        return Ok(Some(Refusal::QueueFull { waiting: waiting.len() }));
    }
    Ok(None)
// END WRONG
