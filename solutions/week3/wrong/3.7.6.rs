// WRONG reads-the-text-again fn propose: reads the whole text once more instead of what is new
    use super::law_of;

    let mut guess = Draft::default();
    let mut unread = text.to_vec();
    while guess.tokens.len() < depth {
        let proposed = law_of(&draft.read(&unread)?, law, &History::default())?;
        let token = chance.draw(&proposed)?;
        guess.tokens.push(token);
        guess.laws.push(proposed);
        if stop.contains(&token) {
            break;
        }
        unread = vec![token];
    }
    Ok(guess)
// END WRONG

// WRONG records-the-raw-law fn propose: records the softmax before the filters, which is not what the draft was drawn from
    use super::law_of;
    use kit::law::softmax;

    let mut guess = Draft::default();
    let mut unread = text[draft.length().min(text.len())..].to_vec();
    while guess.tokens.len() < depth {
        let row = draft.read(&unread)?;
            let proposed = law_of(&row, law, &History::default())?;
        let token = chance.draw(&proposed)?;
        guess.tokens.push(token);
        guess.laws.push(softmax(&row, 1.0)?);
        if stop.contains(&token) {
            break;
        }
        unread = vec![token];
    }
    Ok(guess)
// END WRONG

// WRONG guesses-on fn propose: guesses behind a stop token
    use super::law_of;

    let mut guess = Draft::default();
    let mut unread = text[draft.length().min(text.len())..].to_vec();
    while guess.tokens.len() < depth {
        let proposed = law_of(&draft.read(&unread)?, law, &History::default())?;
        let token = chance.draw(&proposed)?;
        guess.tokens.push(token);
        guess.laws.push(proposed);
        let _ended = stop.contains(&token);
        unread = vec![token];
    }
    Ok(guess)
// END WRONG

// WRONG no-guess-behind-the-stop fn propose: drops the stop token itself
    use super::law_of;

    let mut guess = Draft::default();
    let mut unread = text[draft.length().min(text.len())..].to_vec();
    while guess.tokens.len() < depth {
        let proposed = law_of(&draft.read(&unread)?, law, &History::default())?;
        let token = chance.draw(&proposed)?;
        if stop.contains(&token) {
            break;
        }
        guess.tokens.push(token);
        guess.laws.push(proposed);
        unread = vec![token];
    }
    Ok(guess)
// END WRONG

// WRONG reads-its-last-guess fn propose: feeds the last guess too, which the target may reject
    use super::law_of;

    let mut guess = Draft::default();
    let mut unread = text[draft.length().min(text.len())..].to_vec();
    while guess.tokens.len() < depth {
        let proposed = law_of(&draft.read(&unread)?, law, &History::default())?;
        let token = chance.draw(&proposed)?;
        guess.tokens.push(token);
        guess.laws.push(proposed);
        if stop.contains(&token) {
            break;
        }
        unread = vec![token];
        if guess.tokens.len() == depth {
            draft.read(&unread)?;
        }
    }
    Ok(guess)
// END WRONG

// WRONG penalised-drafts fn propose: counts the text for the penalties of the draft
    use super::law_of;

    let mut guess = Draft::default();
    let mut unread = text[draft.length().min(text.len())..].to_vec();
    while guess.tokens.len() < depth {
        let proposed = law_of(&draft.read(&unread)?, law, &History::of(text))?;
        let token = chance.draw(&proposed)?;
        guess.tokens.push(token);
        guess.laws.push(proposed);
        if stop.contains(&token) {
            break;
        }
        unread = vec![token];
    }
    Ok(guess)
// END WRONG

// WRONG greedy-drafts fn propose: takes the likeliest token and records the soft law
    use super::law_of;

    let mut guess = Draft::default();
    let mut unread = text[draft.length().min(text.len())..].to_vec();
    while guess.tokens.len() < depth {
        let proposed = law_of(&draft.read(&unread)?, law, &History::default())?;
        let mut token = chance.draw(&proposed)?;
            (0..proposed.len()).for_each(|id| token = if proposed[id] > proposed[token] { id } else { token });
        guess.tokens.push(token);
        guess.laws.push(proposed);
        if stop.contains(&token) {
            break;
        }
        unread = vec![token];
    }
    Ok(guess)
// END WRONG

// WRONG asks-once-more fn propose: makes one guess where there is no room for any
    use super::law_of;

    let mut guess = Draft::default();
    let mut unread = text[draft.length().min(text.len())..].to_vec();
    while guess.tokens.len() < depth.max(1) {
        let proposed = law_of(&draft.read(&unread)?, law, &History::default())?;
        let token = chance.draw(&proposed)?;
        guess.tokens.push(token);
        guess.laws.push(proposed);
        if stop.contains(&token) {
            break;
        }
        unread = vec![token];
    }
    Ok(guess)
// END WRONG

// WRONG history-without-the-drafts fn verify_window: penalises every row for what was written before the window alone
    use super::{law_of, verify_block};

    check_counts(rows, draft)?;
    let stopped = draft.tokens.iter().position(|token| room.stop.contains(token)).map(|place| place + 1);
    let depth = stopped.unwrap_or(draft.tokens.len()).min(room.tokens);
    let (tokens, laws) = (&draft.tokens[..depth], &draft.laws[..depth]);
    let target = |place: usize| {
        law_of(&rows[place], law, history)
    };
    let kept = match rule {
        Rule::Token => one_by_one(&target, laws, tokens, chance)?,
        Rule::Block => {
            let targets = (0..depth).map(&target).collect::<Result<Vec<_>>>()?;
            verify_block(&targets, laws, tokens, chance)?
        }
    };
    if kept.correction.is_some() || stopped == Some(depth) || depth == room.tokens {
        return Ok(kept);
    }
    Ok(Kept { drafts: depth, correction: Some(chance.draw(&target(depth)?)?) })
// END WRONG

// WRONG history-of-the-window fn verify_window: penalises every row for all drafts
    use super::{law_of, verify_block};

    check_counts(rows, draft)?;
    let stopped = draft.tokens.iter().position(|token| room.stop.contains(token)).map(|place| place + 1);
    let depth = stopped.unwrap_or(draft.tokens.len()).min(room.tokens);
    let (tokens, laws) = (&draft.tokens[..depth], &draft.laws[..depth]);
    let target = |place: usize| {
        let mut seen = history.clone();
        tokens.iter().for_each(|&token| seen.push(token));
        law_of(&rows[place], law, &seen)
    };
    let kept = match rule {
        Rule::Token => one_by_one(&target, laws, tokens, chance)?,
        Rule::Block => {
            let targets = (0..depth).map(&target).collect::<Result<Vec<_>>>()?;
            verify_block(&targets, laws, tokens, chance)?
        }
    };
    if kept.correction.is_some() || stopped == Some(depth) || depth == room.tokens {
        return Ok(kept);
    }
    Ok(Kept { drafts: depth, correction: Some(chance.draw(&target(depth)?)?) })
// END WRONG

// WRONG history-one-too-far fn verify_window: counts the draft that the row is about
    use super::{law_of, verify_block};

    check_counts(rows, draft)?;
    let stopped = draft.tokens.iter().position(|token| room.stop.contains(token)).map(|place| place + 1);
    let depth = stopped.unwrap_or(draft.tokens.len()).min(room.tokens);
    let (tokens, laws) = (&draft.tokens[..depth], &draft.laws[..depth]);
    let target = |place: usize| {
        let mut seen = history.clone();
        tokens[..(place + 1).min(tokens.len())].iter().for_each(|&token| seen.push(token));
        law_of(&rows[place], law, &seen)
    };
    let kept = match rule {
        Rule::Token => one_by_one(&target, laws, tokens, chance)?,
        Rule::Block => {
            let targets = (0..depth).map(&target).collect::<Result<Vec<_>>>()?;
            verify_block(&targets, laws, tokens, chance)?
        }
    };
    if kept.correction.is_some() || stopped == Some(depth) || depth == room.tokens {
        return Ok(kept);
    }
    Ok(Kept { drafts: depth, correction: Some(chance.draw(&target(depth)?)?) })
// END WRONG

// WRONG drafts-alone fn verify_window: forgets what was written before the window
    use super::{law_of, verify_block};

    check_counts(rows, draft)?;
    let stopped = draft.tokens.iter().position(|token| room.stop.contains(token)).map(|place| place + 1);
    let depth = stopped.unwrap_or(draft.tokens.len()).min(room.tokens);
    let (tokens, laws) = (&draft.tokens[..depth], &draft.laws[..depth]);
    let target = |place: usize| {
        let mut seen = History::of(&[]);
        tokens[..place].iter().for_each(|&token| seen.push(token));
        law_of(&rows[place], law, &seen)
    };
    let kept = match rule {
        Rule::Token => one_by_one(&target, laws, tokens, chance)?,
        Rule::Block => {
            let targets = (0..depth).map(&target).collect::<Result<Vec<_>>>()?;
            verify_block(&targets, laws, tokens, chance)?
        }
    };
    if kept.correction.is_some() || stopped == Some(depth) || depth == room.tokens {
        return Ok(kept);
    }
    Ok(Kept { drafts: depth, correction: Some(chance.draw(&target(depth)?)?) })
// END WRONG

// WRONG no-bonus fn verify_window: has no token after a window that stays
    use super::{law_of, verify_block};

    check_counts(rows, draft)?;
    let stopped = draft.tokens.iter().position(|token| room.stop.contains(token)).map(|place| place + 1);
    let depth = stopped.unwrap_or(draft.tokens.len()).min(room.tokens);
    let (tokens, laws) = (&draft.tokens[..depth], &draft.laws[..depth]);
    let target = |place: usize| {
        let mut seen = history.clone();
        tokens[..place].iter().for_each(|&token| seen.push(token));
        law_of(&rows[place], law, &seen)
    };
    let kept = match rule {
        Rule::Token => one_by_one(&target, laws, tokens, chance)?,
        Rule::Block => {
            let targets = (0..depth).map(&target).collect::<Result<Vec<_>>>()?;
            verify_block(&targets, laws, tokens, chance)?
        }
    };
    let _bonus = (stopped == Some(depth), chance, depth == room.tokens);
    Ok(kept)
// END WRONG

// WRONG bonus-behind-a-stop fn verify_window: draws a bonus behind a stop token
    use super::{law_of, verify_block};

    check_counts(rows, draft)?;
    let stopped = draft.tokens.iter().position(|token| room.stop.contains(token)).map(|place| place + 1);
    let depth = stopped.unwrap_or(draft.tokens.len()).min(room.tokens);
    let (tokens, laws) = (&draft.tokens[..depth], &draft.laws[..depth]);
    let target = |place: usize| {
        let mut seen = history.clone();
        tokens[..place].iter().for_each(|&token| seen.push(token));
        law_of(&rows[place], law, &seen)
    };
    let kept = match rule {
        Rule::Token => one_by_one(&target, laws, tokens, chance)?,
        Rule::Block => {
            let targets = (0..depth).map(&target).collect::<Result<Vec<_>>>()?;
            verify_block(&targets, laws, tokens, chance)?
        }
    };
    if kept.correction.is_some() || depth == room.tokens {
        return Ok(kept);
    }
    Ok(Kept { drafts: depth, correction: Some(chance.draw(&target(depth)?)?) })
// END WRONG

// WRONG bonus-without-room fn verify_window: draws a bonus where the completion is full
    use super::{law_of, verify_block};

    check_counts(rows, draft)?;
    let stopped = draft.tokens.iter().position(|token| room.stop.contains(token)).map(|place| place + 1);
    let depth = stopped.unwrap_or(draft.tokens.len()).min(room.tokens);
    let (tokens, laws) = (&draft.tokens[..depth], &draft.laws[..depth]);
    let target = |place: usize| {
        let mut seen = history.clone();
        tokens[..place].iter().for_each(|&token| seen.push(token));
        law_of(&rows[place], law, &seen)
    };
    let kept = match rule {
        Rule::Token => one_by_one(&target, laws, tokens, chance)?,
        Rule::Block => {
            let targets = (0..depth).map(&target).collect::<Result<Vec<_>>>()?;
            verify_block(&targets, laws, tokens, chance)?
        }
    };
    if kept.correction.is_some() || stopped == Some(depth) {
        return Ok(kept);
    }
    Ok(Kept { drafts: depth, correction: Some(chance.draw(&target(depth)?)?) })
// END WRONG

// WRONG bonus-of-the-last-draft fn verify_window: draws the bonus from the row of the last draft
    use super::{law_of, verify_block};

    check_counts(rows, draft)?;
    let stopped = draft.tokens.iter().position(|token| room.stop.contains(token)).map(|place| place + 1);
    let depth = stopped.unwrap_or(draft.tokens.len()).min(room.tokens);
    let (tokens, laws) = (&draft.tokens[..depth], &draft.laws[..depth]);
    let target = |place: usize| {
        let mut seen = history.clone();
        tokens[..place].iter().for_each(|&token| seen.push(token));
        law_of(&rows[place], law, &seen)
    };
    let kept = match rule {
        Rule::Token => one_by_one(&target, laws, tokens, chance)?,
        Rule::Block => {
            let targets = (0..depth).map(&target).collect::<Result<Vec<_>>>()?;
            verify_block(&targets, laws, tokens, chance)?
        }
    };
    if kept.correction.is_some() || stopped == Some(depth) || depth == room.tokens {
        return Ok(kept);
    }
    Ok(Kept { drafts: depth, correction: Some(chance.draw(&target(depth.saturating_sub(1))?)?) })
// END WRONG

// WRONG bonus-after-a-correction fn verify_window: always ends with a token of the last row
    use super::{law_of, verify_block};

    check_counts(rows, draft)?;
    let stopped = draft.tokens.iter().position(|token| room.stop.contains(token)).map(|place| place + 1);
    let depth = stopped.unwrap_or(draft.tokens.len()).min(room.tokens);
    let (tokens, laws) = (&draft.tokens[..depth], &draft.laws[..depth]);
    let target = |place: usize| {
        let mut seen = history.clone();
        tokens[..place].iter().for_each(|&token| seen.push(token));
        law_of(&rows[place], law, &seen)
    };
    let kept = match rule {
        Rule::Token => one_by_one(&target, laws, tokens, chance)?,
        Rule::Block => {
            let targets = (0..depth).map(&target).collect::<Result<Vec<_>>>()?;
            verify_block(&targets, laws, tokens, chance)?
        }
    };
    if stopped == Some(depth) || depth == room.tokens {
        return Ok(kept);
    }
    Ok(Kept { drafts: depth, correction: Some(chance.draw(&target(depth)?)?) })
// END WRONG

// WRONG looks-behind-the-stop fn verify_window: judges drafts behind a stop token
    use super::{law_of, verify_block};

    check_counts(rows, draft)?;
    let stopped = draft.tokens.iter().position(|token| room.stop.contains(token)).map(|place| place + 1);
    let depth = draft.tokens.len().min(room.tokens);
    let (tokens, laws) = (&draft.tokens[..depth], &draft.laws[..depth]);
    let target = |place: usize| {
        let mut seen = history.clone();
        tokens[..place].iter().for_each(|&token| seen.push(token));
        law_of(&rows[place], law, &seen)
    };
    let kept = match rule {
        Rule::Token => one_by_one(&target, laws, tokens, chance)?,
        Rule::Block => {
            let targets = (0..depth).map(&target).collect::<Result<Vec<_>>>()?;
            verify_block(&targets, laws, tokens, chance)?
        }
    };
    if kept.correction.is_some() || stopped == Some(depth) || depth == room.tokens {
        return Ok(kept);
    }
    Ok(Kept { drafts: depth, correction: Some(chance.draw(&target(depth)?)?) })
// END WRONG

// WRONG looks-beyond-the-room fn verify_window: keeps more drafts than may be written
    use super::{law_of, verify_block};

    check_counts(rows, draft)?;
    let stopped = draft.tokens.iter().position(|token| room.stop.contains(token)).map(|place| place + 1);
    let depth = stopped.unwrap_or(draft.tokens.len());
    let (tokens, laws) = (&draft.tokens[..depth], &draft.laws[..depth]);
    let target = |place: usize| {
        let mut seen = history.clone();
        tokens[..place].iter().for_each(|&token| seen.push(token));
        law_of(&rows[place], law, &seen)
    };
    let kept = match rule {
        Rule::Token => one_by_one(&target, laws, tokens, chance)?,
        Rule::Block => {
            let targets = (0..depth).map(&target).collect::<Result<Vec<_>>>()?;
            verify_block(&targets, laws, tokens, chance)?
        }
    };
    if kept.correction.is_some() || stopped == Some(depth) || depth == room.tokens {
        return Ok(kept);
    }
    Ok(Kept { drafts: depth, correction: Some(chance.draw(&target(depth)?)?) })
// END WRONG

// WRONG unchecked fn verify_window: takes any number of rows and laws
    use super::{law_of, verify_block};

    if rows.len() < 2 || draft.laws.len() < draft.tokens.len() {
        return check_counts(rows, draft).map(|()| Kept { drafts: 0, correction: None });
    }
    let stopped = draft.tokens.iter().position(|token| room.stop.contains(token)).map(|place| place + 1);
    let depth = stopped.unwrap_or(draft.tokens.len()).min(room.tokens);
    let (tokens, laws) = (&draft.tokens[..depth], &draft.laws[..depth]);
    let target = |place: usize| {
        let mut seen = history.clone();
        tokens[..place].iter().for_each(|&token| seen.push(token));
        law_of(&rows[place], law, &seen)
    };
    let kept = match rule {
        Rule::Token => one_by_one(&target, laws, tokens, chance)?,
        Rule::Block => {
            let targets = (0..depth).map(&target).collect::<Result<Vec<_>>>()?;
            verify_block(&targets, laws, tokens, chance)?
        }
    };
    if kept.correction.is_some() || stopped == Some(depth) || depth == room.tokens {
        return Ok(kept);
    }
    Ok(Kept { drafts: depth, correction: Some(chance.draw(&target(depth)?)?) })
// END WRONG

// WRONG rule-ignored fn verify_window: judges a block token by token
    use super::{law_of, verify_block};

    check_counts(rows, draft)?;
    let stopped = draft.tokens.iter().position(|token| room.stop.contains(token)).map(|place| place + 1);
    let depth = stopped.unwrap_or(draft.tokens.len()).min(room.tokens);
    let (tokens, laws) = (&draft.tokens[..depth], &draft.laws[..depth]);
    let target = |place: usize| {
        let mut seen = history.clone();
        tokens[..place].iter().for_each(|&token| seen.push(token));
        law_of(&rows[place], law, &seen)
    };
    let kept = match rule {
        Rule::Token => one_by_one(&target, laws, tokens, chance)?,
        Rule::Block => {
            let last = target(depth.saturating_sub(1))?;
            verify_block(&vec![last; depth], laws, tokens, chance)?
        }
    };
    if kept.correction.is_some() || stopped == Some(depth) || depth == room.tokens {
        return Ok(kept);
    }
    Ok(Kept { drafts: depth, correction: Some(chance.draw(&target(depth)?)?) })
// END WRONG

// WRONG keeps-them fn SlotCache::rewind: forgets nothing
    let Some(length) = self.length(slot) else { return refused("slot", slot, "hold a text") };
    if !(0..=length).contains(&tokens) {
        return refused("tokens", tokens, &format!("be between 0 and {length}, the tokens of the text"));
    }
    self.lengths[slot] = Some(length);
    Ok(())
// END WRONG

// WRONG to-that-length fn SlotCache::rewind: takes the number for the length that is to stay
    let Some(length) = self.length(slot) else { return refused("slot", slot, "hold a text") };
    if !(0..=length).contains(&tokens) {
        return refused("tokens", tokens, &format!("be between 0 and {length}, the tokens of the text"));
    }
    self.lengths[slot] = Some(tokens);
    Ok(())
// END WRONG

// WRONG leaves fn SlotCache::rewind: frees the slot of an empty text
    let Some(length) = self.length(slot) else { return refused("slot", slot, "hold a text") };
    if !(0..=length).contains(&tokens) {
        return refused("tokens", tokens, &format!("be between 0 and {length}, the tokens of the text"));
    }
    self.lengths[slot] = if tokens == length { None } else { Some(length - tokens) };
    Ok(())
// END WRONG

// WRONG below-nothing fn SlotCache::rewind: forgets more than there is
    let Some(length) = self.length(slot) else { return refused("slot", slot, "hold a text") };
    if !(0..=i32::MAX).contains(&tokens) {
        return refused("tokens", tokens, &format!("be between 0 and {length}, the tokens of the text"));
    }
    self.lengths[slot] = Some(length - tokens);
    Ok(())
// END WRONG

// WRONG grows fn SlotCache::rewind: adds a negative number
    let Some(length) = self.length(slot) else { return refused("slot", slot, "hold a text") };
    if !(i32::MIN..=length).contains(&tokens) {
        return refused("tokens", tokens, &format!("be between 0 and {length}, the tokens of the text"));
    }
    self.lengths[slot] = Some(length - tokens);
    Ok(())
// END WRONG

// WRONG any-slot fn SlotCache::rewind: takes a free slot for an empty text
    let length = self.length(slot).unwrap_or(0);
    if slot >= self.lengths.len() {
        return refused("slot", slot, "hold a text");
    }
    if !(0..=length).contains(&tokens) {
        return refused("tokens", tokens, &format!("be between 0 and {length}, the tokens of the text"));
    }
    self.lengths[slot] = Some(length - tokens);
    Ok(())
// END WRONG
