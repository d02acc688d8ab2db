// WRONG leaves-garbage fn gather: leaves behind the end what the pages hold
    use mlx_rs::ops::{arange, indexing::TryIndexOp, select};

    let (heads, page_size, width) = (pages.dim(1), pages.dim(2), pages.dim(3)); // H, page, D
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0); // M
    // Any page will do behind the end: what it holds becomes 0.
    let ids: Vec<i32> =
        rows.iter().flat_map(|row| row.iter().copied().chain(std::iter::repeat(0)).take(widest)).collect();
    let (count, widest) = (rows.len() as i32, widest as i32);
    let taken = pages.take_axis(Array::from_slice(&ids, &[count * widest]), 0)?; // (B·M, H, page, D)
    let taken = taken.reshape(&[count, widest, heads, page_size, width])?.swap_axes(1, 2)?; // (B, H, M, page, D)
    let longest = lengths.iter().copied().max().unwrap_or(0); // S
    let dense = taken.reshape(&[count, heads, widest * page_size, width])?.try_index((.., .., ..longest, ..))?;
    let ends = Array::from_slice(lengths, &[count, 1, 1, 1]);
    let own = arange::<_, i32>(0, longest, 1)?.reshape(&[1, 1, longest, 1])?.lt(ends)?;
    let _ = (own, select(Array::from_bool(true), &dense, &dense)?);
    Ok(dense)
// END WRONG

// WRONG heads-mixed fn gather: joins pages and heads without swapping them
    use mlx_rs::ops::{arange, indexing::TryIndexOp, select};

    let (heads, page_size, width) = (pages.dim(1), pages.dim(2), pages.dim(3)); // H, page, D
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0); // M
    // Any page will do behind the end: what it holds becomes 0.
    let ids: Vec<i32> =
        rows.iter().flat_map(|row| row.iter().copied().chain(std::iter::repeat(0)).take(widest)).collect();
    let (count, widest) = (rows.len() as i32, widest as i32);
    let taken = pages.take_axis(Array::from_slice(&ids, &[count * widest]), 0)?; // (B·M, H, page, D)
    let taken = taken.reshape(&[count, heads, widest, page_size, width])?; // (B, H, M, page, D)
    let longest = lengths.iter().copied().max().unwrap_or(0); // S
    let dense = taken.reshape(&[count, heads, widest * page_size, width])?.try_index((.., .., ..longest, ..))?;
    let ends = Array::from_slice(lengths, &[count, 1, 1, 1]);
    let own = arange::<_, i32>(0, longest, 1)?.reshape(&[1, 1, longest, 1])?.lt(ends)?;
    Ok(select(own, &dense, Array::from_f32(0.0).as_dtype(pages.dtype())?)?)
// END WRONG

// WRONG whole-pages fn gather: gives the places behind the longest text too
    use mlx_rs::ops::{arange, select};

    let (heads, page_size, width) = (pages.dim(1), pages.dim(2), pages.dim(3)); // H, page, D
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0); // M
    // Any page will do behind the end: what it holds becomes 0.
    let ids: Vec<i32> =
        rows.iter().flat_map(|row| row.iter().copied().chain(std::iter::repeat(0)).take(widest)).collect();
    let (count, widest) = (rows.len() as i32, widest as i32);
    let taken = pages.take_axis(Array::from_slice(&ids, &[count * widest]), 0)?; // (B·M, H, page, D)
    let taken = taken.reshape(&[count, widest, heads, page_size, width])?.swap_axes(1, 2)?; // (B, H, M, page, D)
    let longest = lengths.iter().copied().max().unwrap_or(0); // S
    let dense = taken.reshape(&[count, heads, widest * page_size, width])?;
    let ends = Array::from_slice(lengths, &[count, 1, 1, 1]);
    let own = arange::<_, i32>(0, widest * page_size, 1)?.reshape(&[1, 1, widest * page_size, 1])?.lt(ends)?;
    Ok(select(own, &dense, Array::from_f32(0.0).as_dtype(pages.dtype())?)?)
// END WRONG

// WRONG sorted fn gather: reads the pages in the order of their ids
    use mlx_rs::ops::{arange, indexing::TryIndexOp, select};

    let (heads, page_size, width) = (pages.dim(1), pages.dim(2), pages.dim(3)); // H, page, D
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0); // M
    // Any page will do behind the end: what it holds becomes 0.
    let ids: Vec<i32> =
        rows.iter().flat_map(|row| row.iter().copied().chain(std::iter::repeat(0)).take(widest)).collect();
    let mut ids = ids;
    ids.sort_unstable();
    let (count, widest) = (rows.len() as i32, widest as i32);
    let taken = pages.take_axis(Array::from_slice(&ids, &[count * widest]), 0)?; // (B·M, H, page, D)
    let taken = taken.reshape(&[count, widest, heads, page_size, width])?.swap_axes(1, 2)?; // (B, H, M, page, D)
    let longest = lengths.iter().copied().max().unwrap_or(0); // S
    let dense = taken.reshape(&[count, heads, widest * page_size, width])?.try_index((.., .., ..longest, ..))?;
    let ends = Array::from_slice(lengths, &[count, 1, 1, 1]);
    let own = arange::<_, i32>(0, longest, 1)?.reshape(&[1, 1, longest, 1])?.lt(ends)?;
    Ok(select(own, &dense, Array::from_f32(0.0).as_dtype(pages.dtype())?)?)
// END WRONG

// WRONG no-copy fn PagedCache::begin: writes into a page that others hold
    let offset = |&slot: &usize| self.length(slot).map_or_else(|| refused("slot", slot, "hold a text"), Ok);
    let offsets = slots.iter().map(offset).collect::<Result<Vec<_>>>()?;
    let mut step = Step::new(slots, offsets, tokens)?;
    let (mut rows, mut fresh, mut copies) = (Vec::new(), Vec::new(), Vec::new());
    for table in slots.iter().filter_map(|&slot| self.tables[slot].as_ref()) {
        let mut ids = table.ids();
        let copy = if self.shares_its_end(table) && table.length < 0 { self.pool.take(1)?.pop() } else { None };
        if let (Some(copy), Some(last)) = (&copy, ids.last_mut()) {
            *last = copy.id();
        }
        let pages = self.pool.take(pages_of(table.length + tokens, self.page_size) - ids.len())?;
        ids.extend(pages.iter().map(Page::id));
        rows.push(ids);
        fresh.push(pages);
        copies.push(copy);
    }
    let lengths: Vec<i32> = step.offsets.iter().map(|offset| offset + tokens).collect();
    let table = StepTable::new(rows, &lengths, self.page_size, &self.pool.ledger().handles)?;
    step.pages = Some(StepPages { table, fresh, copies });
    Ok(step)
// END WRONG

// WRONG always-copies fn PagedCache::begin: copies the last page of every text
    let offset = |&slot: &usize| self.length(slot).map_or_else(|| refused("slot", slot, "hold a text"), Ok);
    let offsets = slots.iter().map(offset).collect::<Result<Vec<_>>>()?;
    let mut step = Step::new(slots, offsets, tokens)?;
    let (mut rows, mut fresh, mut copies) = (Vec::new(), Vec::new(), Vec::new());
    for table in slots.iter().filter_map(|&slot| self.tables[slot].as_ref()) {
        let mut ids = table.ids();
        let copy = if table.length % self.page_size != 0 { self.pool.take(1)?.pop() } else { None };
        if let (Some(copy), Some(last)) = (&copy, ids.last_mut()) {
            *last = copy.id();
        }
        let pages = self.pool.take(pages_of(table.length + tokens, self.page_size) - ids.len())?;
        ids.extend(pages.iter().map(Page::id));
        rows.push(ids);
        fresh.push(pages);
        copies.push(copy);
    }
    let lengths: Vec<i32> = step.offsets.iter().map(|offset| offset + tokens).collect();
    let table = StepTable::new(rows, &lengths, self.page_size, &self.pool.ledger().handles)?;
    step.pages = Some(StepPages { table, fresh, copies });
    Ok(step)
// END WRONG

// WRONG copies-all-of-it fn PagedCache::begin: copies a full last page too
    let offset = |&slot: &usize| self.length(slot).map_or_else(|| refused("slot", slot, "hold a text"), Ok);
    let offsets = slots.iter().map(offset).collect::<Result<Vec<_>>>()?;
    let mut step = Step::new(slots, offsets, tokens)?;
    let (mut rows, mut fresh, mut copies) = (Vec::new(), Vec::new(), Vec::new());
    for table in slots.iter().filter_map(|&slot| self.tables[slot].as_ref()) {
        let mut ids = table.ids();
        let copy = if table.pages.last().is_some_and(|page| page.handles() > 1) { self.pool.take(1)?.pop() } else { None };
        if let (Some(copy), Some(last)) = (&copy, ids.last_mut()) {
            *last = copy.id();
        }
        let pages = self.pool.take(pages_of(table.length + tokens, self.page_size) - ids.len())?;
        ids.extend(pages.iter().map(Page::id));
        rows.push(ids);
        fresh.push(pages);
        copies.push(copy);
    }
    let lengths: Vec<i32> = step.offsets.iter().map(|offset| offset + tokens).collect();
    let table = StepTable::new(rows, &lengths, self.page_size, &self.pool.ledger().handles)?;
    step.pages = Some(StepPages { table, fresh, copies });
    Ok(step)
// END WRONG

// WRONG page-a-step fn PagedCache::begin: begins a new page in every step
    let offset = |&slot: &usize| self.length(slot).map_or_else(|| refused("slot", slot, "hold a text"), Ok);
    let offsets = slots.iter().map(offset).collect::<Result<Vec<_>>>()?;
    let mut step = Step::new(slots, offsets, tokens)?;
    let (mut rows, mut fresh, mut copies) = (Vec::new(), Vec::new(), Vec::new());
    for table in slots.iter().filter_map(|&slot| self.tables[slot].as_ref()) {
        let mut ids = table.ids();
        let copy = if self.shares_its_end(table) { self.pool.take(1)?.pop() } else { None };
        if let (Some(copy), Some(last)) = (&copy, ids.last_mut()) {
            *last = copy.id();
        }
        let pages = self.pool.take(pages_of(table.length + tokens, self.page_size) - ids.len() + usize::from(table.length % self.page_size != 0))?;
        ids.extend(pages.iter().map(Page::id));
        rows.push(ids);
        fresh.push(pages);
        copies.push(copy);
    }
    let lengths: Vec<i32> = step.offsets.iter().map(|offset| offset + tokens).collect();
    let table = StepTable::new(rows, &lengths, self.page_size, &self.pool.ledger().handles)?;
    step.pages = Some(StepPages { table, fresh, copies });
    Ok(step)
// END WRONG

// WRONG old-lengths fn PagedCache::begin: checks the tables with the lengths of before
    let offset = |&slot: &usize| self.length(slot).map_or_else(|| refused("slot", slot, "hold a text"), Ok);
    let offsets = slots.iter().map(offset).collect::<Result<Vec<_>>>()?;
    let mut step = Step::new(slots, offsets, tokens)?;
    let (mut rows, mut fresh, mut copies) = (Vec::new(), Vec::new(), Vec::new());
    for table in slots.iter().filter_map(|&slot| self.tables[slot].as_ref()) {
        let mut ids = table.ids();
        let copy = if self.shares_its_end(table) { self.pool.take(1)?.pop() } else { None };
        if let (Some(copy), Some(last)) = (&copy, ids.last_mut()) {
            *last = copy.id();
        }
        let pages = self.pool.take(pages_of(table.length + tokens, self.page_size) - ids.len())?;
        ids.extend(pages.iter().map(Page::id));
        rows.push(ids);
        fresh.push(pages);
        copies.push(copy);
    }
    let lengths: Vec<i32> = step.offsets.iter().map(|offset| *offset).collect();
    let table = StepTable::new(rows, &lengths, self.page_size, &self.pool.ledger().handles)?;
    step.pages = Some(StepPages { table, fresh, copies });
    Ok(step)
// END WRONG

// WRONG first-page fn PagedCache::write_rows: writes from the text's first page on
    use crate::batch_cache::refused;
    use mlx_rs::ops::indexing::{TryIndexMutOp, TryIndexOp};

    let (Some((all_keys, all_values)), Some(pages)) = (&mut self.storage[layer], &step.pages) else {
        return refused("step", "one of another cache", "have been begun here");
    };
    for (row, (&slot, &offset)) in step.slots.iter().zip(&step.offsets).enumerate() {
        let (ids, from) = (&pages.table.rows[row], row as i32..row as i32 + 1);
        let first = (offset / self.page_size) as usize;
        for (kept, new) in [&mut *all_keys, &mut *all_values].into_iter().zip(numbers) {
            if let (Some(copy), Some(table)) = (&pages.copies[row], &self.tables[slot]) {
                let shared = table.pages[first].id();
                let page = kept.try_index(shared..shared + 1)?;
                kept.try_index_mut(copy.id()..copy.id() + 1, page)?;
            }
            write(kept, &new.try_index(from.clone())?, &ids[0..], offset % self.page_size)?;
        }
    }
    Ok(pages)
// END WRONG

// WRONG always-from-0 fn PagedCache::write_rows: begins every step at the beginning of a page
    use crate::batch_cache::refused;
    use mlx_rs::ops::indexing::{TryIndexMutOp, TryIndexOp};

    let (Some((all_keys, all_values)), Some(pages)) = (&mut self.storage[layer], &step.pages) else {
        return refused("step", "one of another cache", "have been begun here");
    };
    for (row, (&slot, &offset)) in step.slots.iter().zip(&step.offsets).enumerate() {
        let (ids, from) = (&pages.table.rows[row], row as i32..row as i32 + 1);
        let first = (offset / self.page_size) as usize;
        for (kept, new) in [&mut *all_keys, &mut *all_values].into_iter().zip(numbers) {
            if let (Some(copy), Some(table)) = (&pages.copies[row], &self.tables[slot]) {
                let shared = table.pages[first].id();
                let page = kept.try_index(shared..shared + 1)?;
                kept.try_index_mut(copy.id()..copy.id() + 1, page)?;
            }
            write(kept, &new.try_index(from.clone())?, &ids[first..], 0)?;
        }
    }
    Ok(pages)
// END WRONG

// WRONG copy-of-keys fn PagedCache::write_rows: copies the shared page of the keys alone
    use crate::batch_cache::refused;
    use mlx_rs::ops::indexing::{TryIndexMutOp, TryIndexOp};

    let (Some((all_keys, all_values)), Some(pages)) = (&mut self.storage[layer], &step.pages) else {
        return refused("step", "one of another cache", "have been begun here");
    };
    for (row, (&slot, &offset)) in step.slots.iter().zip(&step.offsets).enumerate() {
        let (ids, from) = (&pages.table.rows[row], row as i32..row as i32 + 1);
        let first = (offset / self.page_size) as usize;
        for (kept, new) in [&mut *all_keys, &mut *all_values].into_iter().zip(numbers) {
            let is_first = std::ptr::eq(new, numbers[0]);
            if let (Some(copy), Some(table), true) = (&pages.copies[row], &self.tables[slot], is_first) {
                let shared = table.pages[first].id();
                let page = kept.try_index(shared..shared + 1)?;
                kept.try_index_mut(copy.id()..copy.id() + 1, page)?;
            }
            write(kept, &new.try_index(from.clone())?, &ids[first..], offset % self.page_size)?;
        }
    }
    Ok(pages)
// END WRONG

// WRONG no-new-tokens fn gathered: gathers without the new tokens
    let rows = &pages.table.rows;
    Ok(Seen::Dense(gather(keys, rows, &step.offsets)?, gather(values, rows, &step.offsets)?))
// END WRONG

// WRONG times-zero fn gather: multiplies what is behind the end by 0, which keeps NaN
    use mlx_rs::ops::{arange, indexing::TryIndexOp};

    let (heads, page_size, width) = (pages.dim(1), pages.dim(2), pages.dim(3)); // H, page, D
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0); // M
    // Any page will do behind the end: what it holds becomes 0.
    let ids: Vec<i32> =
        rows.iter().flat_map(|row| row.iter().copied().chain(std::iter::repeat(0)).take(widest)).collect();
    let (count, widest) = (rows.len() as i32, widest as i32);
    let taken = pages.take_axis(Array::from_slice(&ids, &[count * widest]), 0)?; // (B·M, H, page, D)
    let taken = taken.reshape(&[count, widest, heads, page_size, width])?.swap_axes(1, 2)?; // (B, H, M, page, D)
    let longest = lengths.iter().copied().max().unwrap_or(0); // S
    let dense = taken.reshape(&[count, heads, widest * page_size, width])?.try_index((.., .., ..longest, ..))?;
    let ends = Array::from_slice(lengths, &[count, 1, 1, 1]);
    let own = arange::<_, i32>(0, longest, 1)?.reshape(&[1, 1, longest, 1])?.lt(ends)?;
    Ok(dense.multiply(own.as_dtype(pages.dtype())?)?)
// END WRONG
