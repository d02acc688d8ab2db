// WRONG takes-all fn longest_common: leaves no token to be read
    let mut best = None;
    let readable = text;
    for (slot, tokens) in cached {
        let common = readable.iter().zip(tokens).take_while(|(a, b)| a == b).count();
        if common > best.map_or(0, |(_, most)| most) {
            best = Some((*slot, common));
        }
    }
    Ok(best)
// END WRONG

// WRONG any-order fn longest_common: counts equal tokens wherever they stand
    let mut best = None;
    let readable = &text[..text.len().saturating_sub(1)];
    for (slot, tokens) in cached {
        let common = readable.iter().zip(tokens).filter(|(a, b)| a == b).count();
        if common > best.map_or(0, |(_, most)| most) {
            best = Some((*slot, common));
        }
    }
    Ok(best)
// END WRONG

// WRONG first-found fn longest_common: takes the first text that has anything in common
    let mut best = None;
    let readable = &text[..text.len().saturating_sub(1)];
    for (slot, tokens) in cached {
        let common = readable.iter().zip(tokens).take_while(|(a, b)| a == b).count();
        if common > 0 && best.is_none() {
            best = Some((*slot, common));
        }
    }
    Ok(best)
// END WRONG

// WRONG last-of-equals fn longest_common: takes the last of equals
    let mut best = None;
    let readable = &text[..text.len().saturating_sub(1)];
    for (slot, tokens) in cached {
        let common = readable.iter().zip(tokens).take_while(|(a, b)| a == b).count();
        if common >= best.map_or(1, |(_, most)| most) {
            best = Some((*slot, common));
        }
    }
    Ok(best)
// END WRONG

// WRONG shortest fn longest_common: takes a text with nothing in common
    let mut best = None;
    let readable = &text[..text.len().saturating_sub(1)];
    for (slot, tokens) in cached {
        let common = readable.iter().zip(tokens).take_while(|(a, b)| a == b).count();
        if best.is_none_or(|(_, most)| common > most) {
            best = Some((*slot, common));
        }
    }
    Ok(best)
// END WRONG

// WRONG whole-pages fn share: shares full pages alone and says it was all
    use crate::{batch_cache::refused, block_table::pages_of};

    let page_size = cache.page_size;
    if cache.table(to)?.length != 0 {
        return refused("to", to, "be the slot of an empty text");
    }
    let table = cache.table(from)?;
    if !(1..=table.length).contains(&tokens) {
        return refused("tokens", tokens, &format!("be from 1 to {}, the tokens of the other text", table.length));
    }
    let pages = table.pages[..(tokens / page_size) as usize].iter().map(|page| page.share()).collect::<Result<_>>()?;
    cache.table(to)?.append(tokens, pages, page_size)
// END WRONG

// WRONG all-pages fn share: holds all pages of the other text
    use crate::{batch_cache::refused, block_table::pages_of};

    let page_size = cache.page_size;
    if cache.table(to)?.length != 0 {
        return refused("to", to, "be the slot of an empty text");
    }
    let table = cache.table(from)?;
    if !(1..=table.length).contains(&tokens) {
        return refused("tokens", tokens, &format!("be from 1 to {}, the tokens of the other text", table.length));
    }
    let pages = table.pages[..].iter().map(|page| page.share()).collect::<Result<_>>()?;
    cache.table(to)?.append(tokens, pages, page_size)
// END WRONG

// WRONG over-the-end fn share: gives more tokens than the other text has
    use crate::{batch_cache::refused, block_table::pages_of};

    let page_size = cache.page_size;
    if cache.table(to)?.length != 0 {
        return refused("to", to, "be the slot of an empty text");
    }
    let table = cache.table(from)?;
    if !(1..=table.pages.len() as i32 * page_size).contains(&tokens) {
        return refused("tokens", tokens, &format!("be from 1 to {}, the tokens of the other text", table.length));
    }
    let pages = table.pages[..pages_of(tokens, page_size)].iter().map(|page| page.share()).collect::<Result<_>>()?;
    cache.table(to)?.append(tokens, pages, page_size)
// END WRONG

// WRONG overwrites fn share: puts the beginning behind a text that is there
    use crate::{batch_cache::refused, block_table::pages_of};

    let page_size = cache.page_size;
    cache.table(to)?;
    let table = cache.table(from)?;
    if !(1..=table.length).contains(&tokens) {
        return refused("tokens", tokens, &format!("be from 1 to {}, the tokens of the other text", table.length));
    }
    let pages = table.pages[..pages_of(tokens, page_size)].iter().map(|page| page.share()).collect::<Result<_>>()?;
    cache.table(to)?.append(tokens, pages, page_size)
// END WRONG

// WRONG to-the-back fn Scheduler::preempt: puts whoever gives way behind all others
    if let Some(Running { slot, mut sequence }) = self.running.pop() {
        self.cache.leave(slot)?;
        sequence.read = 0;
        self.waiting.push_back(sequence);
    }
    Ok(())
// END WRONG

// WRONG oldest-gives-way fn Scheduler::preempt: lets the oldest give way
    if let Some(Running { slot, mut sequence }) = (!self.running.is_empty()).then(|| self.running.remove(0)) {
        self.cache.leave(slot)?;
        sequence.read = 0;
        self.waiting.push_front(sequence);
    }
    Ok(())
// END WRONG

// WRONG keeps-the-pages fn Scheduler::preempt: keeps slot and pages
    if let Some(Running { slot: _, mut sequence }) = self.running.pop() {
        sequence.read = 0;
        self.waiting.push_front(sequence);
    }
    Ok(())
// END WRONG

// WRONG starts-anew fn Scheduler::preempt: forgets the answer so far
    if let Some(Running { slot, mut sequence }) = self.running.pop() {
        self.cache.leave(slot)?;
        sequence.read = 0;
        sequence.tokens.clear();
        self.waiting.push_front(sequence);
    }
    Ok(())
// END WRONG

// WRONG remembers-reading fn Scheduler::preempt: believes that a cache still holds its text
    if let Some(Running { slot, sequence }) = self.running.pop() {
        self.cache.leave(slot)?;
        self.waiting.push_front(sequence);
    }
    Ok(())
// END WRONG

// WRONG highest-slot fn Scheduler::preempt: lets the one in the highest slot give way, as if slots were an order of arrival
    let Some(index) = (0..self.running.len()).max_by_key(|&index| self.running[index].slot) else { return Ok(()) };
    self.cache.leave(self.running[index].slot)?;
    let Running { mut sequence, .. } = self.running.remove(index);
    sequence.read = 0;
    self.waiting.push_front(sequence);
    Ok(())
// END WRONG

// WRONG longest-gives-way fn Scheduler::preempt: lets the one with the most tokens give way
    let tokens = |index: &usize| self.running[*index].sequence.cached().len();
    let Some(index) = (0..self.running.len()).max_by_key(tokens) else { return Ok(()) };
    self.cache.leave(self.running[index].slot)?;
    let Running { mut sequence, .. } = self.running.remove(index);
    sequence.read = 0;
    self.waiting.push_front(sequence);
    Ok(())
// END WRONG

// WRONG text-lost fn Scheduler::preempt: forgets the text that waits to be shown
    if let Some(Running { slot, mut sequence }) = self.running.pop() {
        self.cache.leave(slot)?;
        sequence.read = 0;
        sequence.held.clear();
        self.waiting.push_front(sequence);
    }
    Ok(())
// END WRONG
