// WRONG writers-are-free fn pieces: does not count those who write
    use crate::batch_cache::refused;

    if budget == 0 {
        return refused("budget", budget, "be at least 1 token a step");
    }
    if let Some(index) = unread.iter().position(|&tokens| tokens == 0) {
        return refused("unread", format!("0 for text {index}"), "be at least 1 for every text");
    }
    let writers = unread.iter().filter(|&&tokens| tokens == 1).count();
    let mut left = budget;
    let mut pieces = Vec::new();
    for (index, &tokens) in unread.iter().enumerate().filter(|(_, tokens)| **tokens > 1) {
        let tokens = tokens.min(left);
        if tokens == 0 {
            break;
        }
        pieces.push(Piece { index, tokens });
        left -= tokens;
    }
    Ok(pieces)
// END WRONG

// WRONG readers-can-starve fn pieces: reads nothing where those who write take all of the budget
    use crate::batch_cache::refused;

    if budget == 0 {
        return refused("budget", budget, "be at least 1 token a step");
    }
    if let Some(index) = unread.iter().position(|&tokens| tokens == 0) {
        return refused("unread", format!("0 for text {index}"), "be at least 1 for every text");
    }
    let writers = unread.iter().filter(|&&tokens| tokens == 1).count();
    let mut left = budget.saturating_sub(writers);
    let mut pieces = Vec::new();
    for (index, &tokens) in unread.iter().enumerate().filter(|(_, tokens)| **tokens > 1) {
        let tokens = tokens.min(left);
        if tokens == 0 {
            break;
        }
        pieces.push(Piece { index, tokens });
        left -= tokens;
    }
    Ok(pieces)
// END WRONG

// WRONG one-reader fn pieces: reads for the oldest alone, though there is budget left
    use crate::batch_cache::refused;

    if budget == 0 {
        return refused("budget", budget, "be at least 1 token a step");
    }
    if let Some(index) = unread.iter().position(|&tokens| tokens == 0) {
        return refused("unread", format!("0 for text {index}"), "be at least 1 for every text");
    }
    let writers = unread.iter().filter(|&&tokens| tokens == 1).count();
    let mut left = budget.saturating_sub(writers).max(1);
    let mut pieces = Vec::new();
    for (index, &tokens) in unread.iter().enumerate().filter(|(_, tokens)| **tokens > 1) {
        let tokens = tokens.min(left);
        if tokens == 0 {
            break;
        }
        pieces.push(Piece { index, tokens });
        left = 0;
    }
    Ok(pieces)
// END WRONG

// WRONG newest-first fn pieces: reads for the newest first
    use crate::batch_cache::refused;

    if budget == 0 {
        return refused("budget", budget, "be at least 1 token a step");
    }
    if let Some(index) = unread.iter().position(|&tokens| tokens == 0) {
        return refused("unread", format!("0 for text {index}"), "be at least 1 for every text");
    }
    let writers = unread.iter().filter(|&&tokens| tokens == 1).count();
    let mut left = budget.saturating_sub(writers).max(1);
    let mut pieces = Vec::new();
    for (index, &tokens) in unread.iter().enumerate().rev().filter(|(_, tokens)| **tokens > 1) {
        let tokens = tokens.min(left);
        if tokens == 0 {
            break;
        }
        pieces.push(Piece { index, tokens });
        left -= tokens;
    }
    Ok(pieces)
// END WRONG

// WRONG equal-shares fn pieces: gives everyone the same share
    use crate::batch_cache::refused;

    if budget == 0 {
        return refused("budget", budget, "be at least 1 token a step");
    }
    if let Some(index) = unread.iter().position(|&tokens| tokens == 0) {
        return refused("unread", format!("0 for text {index}"), "be at least 1 for every text");
    }
    let writers = unread.iter().filter(|&&tokens| tokens == 1).count();
    let mut left = budget.saturating_sub(writers).max(1);
    let mut pieces = Vec::new();
    for (index, &tokens) in unread.iter().enumerate().filter(|(_, tokens)| **tokens > 1) {
        let readers = unread.len() - writers;
        let tokens = tokens.min((budget.saturating_sub(writers).max(1) / readers).max(1)).min(left);
        if tokens == 0 {
            break;
        }
        pieces.push(Piece { index, tokens });
        left -= tokens;
    }
    Ok(pieces)
// END WRONG

// WRONG whole-or-nothing fn pieces: takes only texts that fit whole
    use crate::batch_cache::refused;

    if budget == 0 {
        return refused("budget", budget, "be at least 1 token a step");
    }
    if let Some(index) = unread.iter().position(|&tokens| tokens == 0) {
        return refused("unread", format!("0 for text {index}"), "be at least 1 for every text");
    }
    let writers = unread.iter().filter(|&&tokens| tokens == 1).count();
    let mut left = budget.saturating_sub(writers).max(1);
    let mut pieces = Vec::new();
    for (index, &tokens) in unread.iter().enumerate().filter(|(_, tokens)| **tokens > 1) {
        let tokens = if tokens <= left { tokens } else { 0 };
        if tokens == 0 {
            break;
        }
        pieces.push(Piece { index, tokens });
        left -= tokens;
    }
    Ok(pieces)
// END WRONG

// WRONG no-refusal fn pieces: takes a budget of 0 for one of 1
    use crate::batch_cache::refused;

    if let Some(index) = unread.iter().position(|&tokens| tokens == 0) {
        return refused("unread", format!("0 for text {index}"), "be at least 1 for every text");
    }
    let writers = unread.iter().filter(|&&tokens| tokens == 1).count();
    let mut left = budget.saturating_sub(writers).max(1);
    let mut pieces = Vec::new();
    for (index, &tokens) in unread.iter().enumerate().filter(|(_, tokens)| **tokens > 1) {
        let tokens = tokens.min(left);
        if tokens == 0 {
            break;
        }
        pieces.push(Piece { index, tokens });
        left -= tokens;
    }
    Ok(pieces)
// END WRONG
