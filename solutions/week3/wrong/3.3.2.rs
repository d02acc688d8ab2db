// WRONG no-limit fn Ledger::take: grows as far as it is asked to
    if self.free.is_empty() {
        let pages = self.handles.len();
        let more = (2 * pages).max(4);
        self.handles.resize(more.max(pages), 0);
        self.free.extend((pages..more).rev().map(|page| page as i32));
    }
    let page = self.free.pop();
    if let Some(page) = page {
        self.handles[page as usize] = 1;
    }
    Ok(page)
// END WRONG

// WRONG one-by-one fn Ledger::take: grows by a single page, and copies everything for each
    if self.free.is_empty() {
        let pages = self.handles.len();
        let more = (pages + 1).min(self.limit);
        self.handles.resize(more.max(pages), 0);
        self.free.extend((pages..more).rev().map(|page| page as i32));
    }
    let page = self.free.pop();
    if let Some(page) = page {
        self.handles[page as usize] = 1;
    }
    Ok(page)
// END WRONG

// WRONG highest-first fn Ledger::take: gives the highest of new pages first
    if self.free.is_empty() {
        let pages = self.handles.len();
        let more = (2 * pages).max(4).min(self.limit);
        self.handles.resize(more.max(pages), 0);
        self.free.extend((pages..more).map(|page| page as i32));
    }
    let page = self.free.pop();
    if let Some(page) = page {
        self.handles[page as usize] = 1;
    }
    Ok(page)
// END WRONG

// WRONG not-counted fn Ledger::take: gives a page without counting its handle
    if self.free.is_empty() {
        let pages = self.handles.len();
        let more = (2 * pages).max(4).min(self.limit);
        self.handles.resize(more.max(pages), 0);
        self.free.extend((pages..more).rev().map(|page| page as i32));
    }
    let page = self.free.pop();
    if let Some(page) = page {
        self.handles[page as usize] = self.handles[page as usize].min(1);
    }
    Ok(page)
// END WRONG

// WRONG frees-at-once fn Ledger::give_back: frees a page with the first handle that goes
    use crate::batch_cache::refused;

    match self.handles.get_mut(page as usize) {
        Some(handles) if *handles > 0 => {
            *handles -= 1;
            if *handles <= 1 {
                self.free.push(page);
            }
            Ok(())
        }
        _ => refused("page", page, "be a page that somebody holds"),
    }
// END WRONG

// WRONG frees-twice fn Ledger::give_back: puts a page that is free on the list again
    use crate::batch_cache::refused;

    match self.handles.get_mut(page as usize) {
        Some(handles) => {
            *handles = handles.saturating_sub(1);
            if *handles == 0 {
                self.free.push(page);
            }
            Ok(())
        }
        _ => refused("page", page, "be a page that somebody holds"),
    }
// END WRONG

// WRONG oldest-first fn Ledger::give_back: puts a page behind all others
    use crate::batch_cache::refused;

    match self.handles.get_mut(page as usize) {
        Some(handles) if *handles > 0 => {
            *handles -= 1;
            if *handles == 0 {
                self.free.insert(0, page);
            }
            Ok(())
        }
        _ => refused("page", page, "be a page that somebody holds"),
    }
// END WRONG

// WRONG forgets fn Ledger::give_back: counts the handle, but never frees
    use crate::batch_cache::refused;

    match self.handles.get_mut(page as usize) {
        Some(handles) if *handles > 0 => {
            *handles -= 1;
                        Ok(())
        }
        _ => refused("page", page, "be a page that somebody holds"),
    }
// END WRONG
