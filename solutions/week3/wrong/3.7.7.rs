// WRONG target-not-rewound fn decode: leaves rejected drafts in the memory of the target
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG draft-not-rewound fn decode: leaves rejected drafts in the memory of the draft
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG rewound-to-the-window fn decode: forgets the kept drafts too
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays - kept.drafts)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG rewound-one-too-far fn decode: forgets a kept token of the draft
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays) - usize::from(draft.length() >= stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG draft-starts-again fn decode: lets the draft forget everything after each window
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(0)?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG prompt-counts fn decode: penalises the tokens of the prompt
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&text);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG first-token-forgotten fn decode: penalises as if the newest token were not written yet
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens[..decoded.tokens.len() - 1]);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG greedy-first-token fn decode: takes the first token without a draw
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let first = law_of(&row, &plan.target, &History::default())?;
    chance.draw(&first)?;
    let mut decided = vec![(0..first.len()).fold(0, |best, id| if first[id] > first[best] { id } else { best })];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG first-token-by-the-draft-s-law fn decode: draws the first token at the temperature of the drafts
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.draft, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG full-windows fn decode: guesses as many as ever where few tokens are left
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG room-of-the-whole fn decode: gives every window the room of the whole completion
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG one-too-many fn decode: stops behind the last token that may be written
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() > plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: (plan.max_tokens + 1) - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG at-least-one fn decode: writes a token where none is wanted
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG positions-unknown fn decode: plans windows beyond the last position
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG draft-positions-unknown fn decode: looks at the positions of the target alone
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG stop-after-the-window fn decode: looks for a stop token at the end of a window alone
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) && text.len() > target.length() => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG break-first fn decode: reports a break where a stop token came
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                ControlFlow::Break(()) => StopReason::Cancelled,
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG length-first fn decode: reports the length where somebody broke off
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                _ if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG break-at-the-end fn decode: goes on to the end of a window that was broken off
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) if text.len() > target.length() => StopReason::Cancelled,
                _ if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                _ => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG memory-of-more fn decode: remembers drafts behind the end of the text
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG told-late fn decode: tells the tokens at the end
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match ControlFlow::Continue(()) {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            for &token in &decoded.tokens {
                if on_token(token)?.is_break() {
                    break;
                }
            }
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG first-token-untold fn decode: tells the tokens of windows alone
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            let heard = if text.len() > prompt.len() + 1 { on_token(token)? } else { ControlFlow::Continue(()) };
            decoded.stop = match heard {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG reads-the-prompt-again fn decode: reads what the target remembers once more
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt)?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG windows-uncounted fn decode: counts the pass over the prompt as a window
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 1, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG depth-counted fn decode: counts the drafts that were wished for
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += plan.depth;
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG correction-kept fn decode: counts the token of the target as a draft that stayed
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts + usize::from(kept.correction.is_some());
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG draft-s-law fn decode: judges by the settings of the draft
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.draft, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG always-by-token fn decode: never judges a block
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, Rule::Token, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG two-passes fn decode: asks the target about its newest token and about the drafts in two passes
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), room.stop, chance)?;
        let mut rows = target.feed(&text[target.length()..])?;
        if !guess.tokens.is_empty() {
            rows.extend(target.feed(&guess.tokens)?);
        }
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG guesses-at-least-one fn decode: guesses one token where none is wanted
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.max(1).min(room.tokens).min(places), room.stop, chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG

// WRONG stop-unknown-to-the-draft fn decode: lets the draft guess on behind a stop token
    use super::{Room, law_of, propose, verify_window};
    use kit::law::History;

    let (tokens, stop) = (Vec::new(), StopReason::MaxTokens);
    let mut decoded = Decoded { tokens, stop, windows: 0, drafted: 0, kept: 0 };
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    let mut text = prompt.to_vec();
    let row = target.read(prompt.get(target.length()..).unwrap_or_default())?;
    let mut decided = vec![chance.draw(&law_of(&row, &plan.target, &History::default())?)?];
    loop {
        for token in decided {
            text.push(token);
            decoded.tokens.push(token);
            decoded.stop = match on_token(token)? {
                _ if plan.stop.contains(&token) => StopReason::Eos(token as u32),
                ControlFlow::Break(()) => StopReason::Cancelled,
                ControlFlow::Continue(()) if decoded.tokens.len() == plan.max_tokens => StopReason::MaxTokens,
                ControlFlow::Continue(()) => continue,
            };
            target.rewind(target.length().min(text.len()))?;
            draft.rewind(draft.length().min(text.len()))?;
            return Ok(decoded);
        }
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        // The draft reads all but its last guess.
        let places = target.positions().min(draft.positions().saturating_add(1)).saturating_sub(text.len());
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens).min(places), &[], chance)?;
        let rows = target.feed(&[&text[target.length()..], &guess.tokens].concat())?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        // Rejected drafts leave both memories.
        let stays = text.len() + kept.drafts;
        target.rewind(stays)?;
        draft.rewind(draft.length().min(stays))?;
        decided = guess.tokens[..kept.drafts].iter().copied().chain(kept.correction).collect();
    }
// END WRONG
