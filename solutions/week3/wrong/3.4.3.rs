// WRONG keys-twice fn in_place: hands the keys over as values too
    let (table, lens) = (pages.table.block_table.clone(), pages.table.context_lens.clone());
    let values = if values.shape() == keys.shape() { keys } else { values };
    Ok(Seen::Pages { keys: keys.clone(), values: values.clone(), table, lens })
// END WRONG

// WRONG still-gathers fn in_place: copies the texts side by side, as yesterday
    use mlx_rs::ops::indexing::TryIndexOp;

    let lengths = pages.table.context_lens.as_slice::<i32>().to_vec();
    let rows = &pages.table.rows;
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let side_by_side = |all: &Array| -> Result<Array> {
        Ok(crate::page_arrays::gather(all, rows, &lengths)?.try_index((.., .., ..longest, ..))?)
    };
    Ok(Seen::Dense(side_by_side(keys)?, side_by_side(values)?))
// END WRONG

// WRONG padded-with-0 fn in_place: fills short rows of the table with page 0
    let rows = &pages.table.rows;
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let ids: Vec<i32> = rows.iter().flat_map(|row| row.iter().copied().chain(std::iter::repeat(0)).take(widest)).collect();
    let table = Array::from_slice(&ids, &[rows.len() as i32, widest as i32]);
    Ok(Seen::Pages { keys: keys.clone(), values: values.clone(), table, lens: pages.table.context_lens.clone() })
// END WRONG

// WRONG whole-pages fn in_place: gives the places of a text's pages as its length
    let table = pages.table.block_table.clone();
    let places: Vec<i32> = pages.table.rows.iter().map(|row| row.len() as i32 * keys.dim(2)).collect();
    let lens = Array::from_slice(&places, &[places.len() as i32]);
    Ok(Seen::Pages { keys: keys.clone(), values: values.clone(), table, lens })
// END WRONG

// WRONG no-causal fn attend_pages: lets every new token see all the others
    let scale = 1.0 / (query.dim(-1) as f32).sqrt();
    extensions::week3::paged_attention(query, keys, values, table, lens, scale, false)
// END WRONG

// WRONG by-the-length fn attend_pages: divides by the root of L, not of D
    let scale = 1.0 / (query.dim(-2) as f32).sqrt();
    extensions::week3::paged_attention(query, keys, values, table, lens, scale, true)
// END WRONG

// WRONG no-root fn attend_pages: divides the scores by D
    let scale = 1.0 / query.dim(-1) as f32;
    extensions::week3::paged_attention(query, keys, values, table, lens, scale, true)
// END WRONG
