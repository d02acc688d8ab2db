// WRONG keeps-pages fn BlockTable::rewind: shortens the text and keeps all pages
    if !(0..=self.length).contains(&tokens) {
        return refused("tokens", tokens, &format!("be between 0 and {}, the tokens of the text", self.length));
    }
    self.length -= tokens;
    debug_assert!(page_size > 0);
    Ok(())
// END WRONG

// WRONG rounds-down fn BlockTable::rewind: gives back the page that is half full
    if !(0..=self.length).contains(&tokens) {
        return refused("tokens", tokens, &format!("be between 0 and {}, the tokens of the text", self.length));
    }
    self.length -= tokens;
    self.pages.truncate((self.length / page_size) as usize);
    Ok(())
// END WRONG

// WRONG below-zero fn BlockTable::rewind: rewinds beyond the beginning
    if !(0..=i32::MAX).contains(&tokens) {
        return refused("tokens", tokens, &format!("be between 0 and {}, the tokens of the text", self.length));
    }
    self.length -= tokens;
    self.pages.truncate(pages_of(self.length, page_size));
    Ok(())
// END WRONG

// WRONG negative fn BlockTable::rewind: takes a negative number for more tokens
    if !(..=self.length).contains(&tokens) {
        return refused("tokens", tokens, &format!("be between 0 and {}, the tokens of the text", self.length));
    }
    self.length -= tokens;
    self.pages.truncate(pages_of(self.length, page_size));
    Ok(())
// END WRONG

// WRONG pads-with-zero fn StepTable::new: pads with page 0, which is a page
    if lengths.len() != rows.len() {
        return refused("context_lens", format!("{} lengths", lengths.len()), &format!("be {}", rows.len()));
    }
    for (number, (row, &length)) in rows.iter().zip(lengths).enumerate() {
        if length < 0 {
            return refused("context_lens", length, "be at least 0");
        }
        let pages = pages_of(length, page_size);
        if row.len() != pages {
            let value = format!("{} pages in row {number}", row.len());
            return refused("block_table", value, &format!("have {pages} for {length} tokens"));
        }
        for (place, &id) in row.iter().enumerate() {
            let held = usize::try_from(id).ok().and_then(|id| handles.get(id)).is_some_and(|&handles| handles > 0);
            if !held || row[..place].contains(&id) {
                let value = format!("{id} in row {number}, place {place}");
                return refused("block_table", value, "hold live pages, each once");
            }
        }
    }
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let padded: Vec<i32> =
        rows.iter().flat_map(|row| row.iter().copied().chain(std::iter::repeat(0)).take(widest)).collect();
    let (count, width) = (rows.len() as i32, widest as i32);
    let block_table = Array::from_slice(&padded, &[count, width]);
    Ok(Self { block_table, context_lens: Array::from_slice(lengths, &[count]), rows })
// END WRONG

// WRONG dead-pages fn StepTable::new: takes a page that nobody holds
    if lengths.len() != rows.len() {
        return refused("context_lens", format!("{} lengths", lengths.len()), &format!("be {}", rows.len()));
    }
    for (number, (row, &length)) in rows.iter().zip(lengths).enumerate() {
        if length < 0 {
            return refused("context_lens", length, "be at least 0");
        }
        let pages = pages_of(length, page_size);
        if row.len() != pages {
            let value = format!("{} pages in row {number}", row.len());
            return refused("block_table", value, &format!("have {pages} for {length} tokens"));
        }
        for (place, &id) in row.iter().enumerate() {
            let held = usize::try_from(id).ok().and_then(|id| handles.get(id)).is_some();
            if !held || row[..place].contains(&id) {
                let value = format!("{id} in row {number}, place {place}");
                return refused("block_table", value, "hold live pages, each once");
            }
        }
    }
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let padded: Vec<i32> =
        rows.iter().flat_map(|row| row.iter().copied().chain(std::iter::repeat(-1)).take(widest)).collect();
    let (count, width) = (rows.len() as i32, widest as i32);
    let block_table = Array::from_slice(&padded, &[count, width]);
    Ok(Self { block_table, context_lens: Array::from_slice(lengths, &[count]), rows })
// END WRONG

// WRONG twice fn StepTable::new: lets a page stand twice in a row
    if lengths.len() != rows.len() {
        return refused("context_lens", format!("{} lengths", lengths.len()), &format!("be {}", rows.len()));
    }
    for (number, (row, &length)) in rows.iter().zip(lengths).enumerate() {
        if length < 0 {
            return refused("context_lens", length, "be at least 0");
        }
        let pages = pages_of(length, page_size);
        if row.len() != pages {
            let value = format!("{} pages in row {number}", row.len());
            return refused("block_table", value, &format!("have {pages} for {length} tokens"));
        }
        for (place, &id) in row.iter().enumerate() {
            let held = usize::try_from(id).ok().and_then(|id| handles.get(id)).is_some_and(|&handles| handles > 0);
            if !held {
                let value = format!("{id} in row {number}, place {place}");
                return refused("block_table", value, "hold live pages, each once");
            }
        }
    }
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let padded: Vec<i32> =
        rows.iter().flat_map(|row| row.iter().copied().chain(std::iter::repeat(-1)).take(widest)).collect();
    let (count, width) = (rows.len() as i32, widest as i32);
    let block_table = Array::from_slice(&padded, &[count, width]);
    Ok(Self { block_table, context_lens: Array::from_slice(lengths, &[count]), rows })
// END WRONG

// WRONG nobody-shares fn StepTable::new: refuses a page that stands in two rows
    if lengths.len() != rows.len() {
        return refused("context_lens", format!("{} lengths", lengths.len()), &format!("be {}", rows.len()));
    }
    for (number, (row, &length)) in rows.iter().zip(lengths).enumerate() {
        if length < 0 {
            return refused("context_lens", length, "be at least 0");
        }
        let pages = pages_of(length, page_size);
        if row.len() != pages {
            let value = format!("{} pages in row {number}", row.len());
            return refused("block_table", value, &format!("have {pages} for {length} tokens"));
        }
        for (place, &id) in row.iter().enumerate() {
            let held = usize::try_from(id).ok().and_then(|id| handles.get(id)).is_some_and(|&handles| handles > 0);
            if !held || rows.iter().flatten().filter(|&&other| other == id).count() > 1 {
                let value = format!("{id} in row {number}, place {place}");
                return refused("block_table", value, "hold live pages, each once");
            }
        }
    }
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let padded: Vec<i32> =
        rows.iter().flat_map(|row| row.iter().copied().chain(std::iter::repeat(-1)).take(widest)).collect();
    let (count, width) = (rows.len() as i32, widest as i32);
    let block_table = Array::from_slice(&padded, &[count, width]);
    Ok(Self { block_table, context_lens: Array::from_slice(lengths, &[count]), rows })
// END WRONG

// WRONG enough-pages fn StepTable::new: takes rows with more pages than their tokens need
    if lengths.len() != rows.len() {
        return refused("context_lens", format!("{} lengths", lengths.len()), &format!("be {}", rows.len()));
    }
    for (number, (row, &length)) in rows.iter().zip(lengths).enumerate() {
        if length < 0 {
            return refused("context_lens", length, "be at least 0");
        }
        let pages = pages_of(length, page_size);
        if row.len() < pages {
            let value = format!("{} pages in row {number}", row.len());
            return refused("block_table", value, &format!("have {pages} for {length} tokens"));
        }
        for (place, &id) in row.iter().enumerate() {
            let held = usize::try_from(id).ok().and_then(|id| handles.get(id)).is_some_and(|&handles| handles > 0);
            if !held || row[..place].contains(&id) {
                let value = format!("{id} in row {number}, place {place}");
                return refused("block_table", value, "hold live pages, each once");
            }
        }
    }
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let padded: Vec<i32> =
        rows.iter().flat_map(|row| row.iter().copied().chain(std::iter::repeat(-1)).take(widest)).collect();
    let (count, width) = (rows.len() as i32, widest as i32);
    let block_table = Array::from_slice(&padded, &[count, width]);
    Ok(Self { block_table, context_lens: Array::from_slice(lengths, &[count]), rows })
// END WRONG

// WRONG first-row fn StepTable::new: looks at the first row alone
    if lengths.len() != rows.len() {
        return refused("context_lens", format!("{} lengths", lengths.len()), &format!("be {}", rows.len()));
    }
    for (number, (row, &length)) in rows.iter().zip(lengths).take(1).enumerate() {
        if length < 0 {
            return refused("context_lens", length, "be at least 0");
        }
        let pages = pages_of(length, page_size);
        if row.len() != pages {
            let value = format!("{} pages in row {number}", row.len());
            return refused("block_table", value, &format!("have {pages} for {length} tokens"));
        }
        for (place, &id) in row.iter().enumerate() {
            let held = usize::try_from(id).ok().and_then(|id| handles.get(id)).is_some_and(|&handles| handles > 0);
            if !held || row[..place].contains(&id) {
                let value = format!("{id} in row {number}, place {place}");
                return refused("block_table", value, "hold live pages, each once");
            }
        }
    }
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let padded: Vec<i32> =
        rows.iter().flat_map(|row| row.iter().copied().chain(std::iter::repeat(-1)).take(widest)).collect();
    let (count, width) = (rows.len() as i32, widest as i32);
    let block_table = Array::from_slice(&padded, &[count, width]);
    Ok(Self { block_table, context_lens: Array::from_slice(lengths, &[count]), rows })
// END WRONG

// WRONG negative-length fn StepTable::new: takes a negative length for 0
    if lengths.len() != rows.len() {
        return refused("context_lens", format!("{} lengths", lengths.len()), &format!("be {}", rows.len()));
    }
    for (number, (row, &length)) in rows.iter().zip(lengths).enumerate() {
        let pages = pages_of(length, page_size);
        if row.len() != pages {
            let value = format!("{} pages in row {number}", row.len());
            return refused("block_table", value, &format!("have {pages} for {length} tokens"));
        }
        for (place, &id) in row.iter().enumerate() {
            let held = usize::try_from(id).ok().and_then(|id| handles.get(id)).is_some_and(|&handles| handles > 0);
            if !held || row[..place].contains(&id) {
                let value = format!("{id} in row {number}, place {place}");
                return refused("block_table", value, "hold live pages, each once");
            }
        }
    }
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let padded: Vec<i32> =
        rows.iter().flat_map(|row| row.iter().copied().chain(std::iter::repeat(-1)).take(widest)).collect();
    let (count, width) = (rows.len() as i32, widest as i32);
    let block_table = Array::from_slice(&padded, &[count, width]);
    Ok(Self { block_table, context_lens: Array::from_slice(lengths, &[count]), rows })
// END WRONG

// WRONG no-count fn StepTable::new: takes another number of lengths than rows
    for (number, (row, &length)) in rows.iter().zip(lengths).enumerate() {
        if length < 0 {
            return refused("context_lens", length, "be at least 0");
        }
        let pages = pages_of(length, page_size);
        if row.len() != pages {
            let value = format!("{} pages in row {number}", row.len());
            return refused("block_table", value, &format!("have {pages} for {length} tokens"));
        }
        for (place, &id) in row.iter().enumerate() {
            let held = usize::try_from(id).ok().and_then(|id| handles.get(id)).is_some_and(|&handles| handles > 0);
            if !held || row[..place].contains(&id) {
                let value = format!("{id} in row {number}, place {place}");
                return refused("block_table", value, "hold live pages, each once");
            }
        }
    }
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let padded: Vec<i32> =
        rows.iter().flat_map(|row| row.iter().copied().chain(std::iter::repeat(-1)).take(widest)).collect();
    let (count, width) = (rows.len() as i32, widest as i32);
    let block_table = Array::from_slice(&padded, &[count, width]);
    Ok(Self { block_table, context_lens: Array::from_slice(lengths, &[count]), rows })
// END WRONG

// WRONG one-page-at-most fn BlockTable::rewind: gives back one page, however much is forgotten
    if !(0..=self.length).contains(&tokens) {
        return refused("tokens", tokens, &format!("be between 0 and {}, the tokens of the text", self.length));
    }
    self.length -= tokens;
    if self.pages.len() > pages_of(self.length, page_size) {
        self.pages.pop();
    }
    Ok(())
// END WRONG
