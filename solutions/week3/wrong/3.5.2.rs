// Plausible wrong answers to task 3.5.2; the tests must reject each.

// WRONG first-row fn tiles_to_visit: asks the first row of a tile, which sees the least
    if !(0..=context).contains(&length) {
        return refused("length", length, &format!("be from 0 to the context, {context}"));
    }
    for (name, value) in [("group", group), ("tile.queries", tile.queries), ("tile.keys", tile.keys)] {
        if value < 1 {
            return refused(name, value, "be at least 1");
        }
    }
    let [length, context, group, queries, keys] = [length, context, group, tile.queries, tile.keys].map(i64::from);
    let rows = length * group;
    let visited = |first: i64| {
        let last = first + 0 * queries.min(rows);
        let seen = if causal { context - length + last / group + 1 } else { context };
        ((seen + keys - 1) / keys) as i32
    };
    Ok((0..rows).step_by(tile.queries as usize).map(visited).collect())
// END WRONG

// WRONG heads-are-tokens fn tiles_to_visit: takes every row for a token of its own
    if !(0..=context).contains(&length) {
        return refused("length", length, &format!("be from 0 to the context, {context}"));
    }
    for (name, value) in [("group", group), ("tile.queries", tile.queries), ("tile.keys", tile.keys)] {
        if value < 1 {
            return refused(name, value, "be at least 1");
        }
    }
    let [length, context, group, queries, keys] = [length, context, group, tile.queries, tile.keys].map(i64::from);
    let rows = length * group;
    let visited = |first: i64| {
        let last = (first + queries).min(rows) - 1; // sees the most
        let seen = if causal { context - length + last + 1 } else { context };
        ((seen + keys - 1) / keys) as i32
    };
    Ok((0..rows).step_by(tile.queries as usize).map(visited).collect())
// END WRONG

// WRONG floor fn tiles_to_visit: a tile that is not full is not visited
    if !(0..=context).contains(&length) {
        return refused("length", length, &format!("be from 0 to the context, {context}"));
    }
    for (name, value) in [("group", group), ("tile.queries", tile.queries), ("tile.keys", tile.keys)] {
        if value < 1 {
            return refused(name, value, "be at least 1");
        }
    }
    let [length, context, group, queries, keys] = [length, context, group, tile.queries, tile.keys].map(i64::from);
    let rows = length * group;
    let visited = |first: i64| {
        let last = (first + queries).min(rows) - 1; // sees the most
        let seen = if causal { context - length + last / group + 1 } else { context };
        (seen / keys) as i32
    };
    Ok((0..rows).step_by(tile.queries as usize).map(visited).collect())
// END WRONG

// WRONG prompt-from-the-start fn tiles_to_visit: forgets the older tokens
    if !(0..=context).contains(&length) {
        return refused("length", length, &format!("be from 0 to the context, {context}"));
    }
    for (name, value) in [("group", group), ("tile.queries", tile.queries), ("tile.keys", tile.keys)] {
        if value < 1 {
            return refused(name, value, "be at least 1");
        }
    }
    let [length, context, group, queries, keys] = [length, context, group, tile.queries, tile.keys].map(i64::from);
    let rows = length * group;
    let visited = |first: i64| {
        let last = (first + queries).min(rows) - 1; // sees the most
        let seen = if causal { last / group + 1 } else { context };
        ((seen + keys - 1) / keys) as i32
    };
    Ok((0..rows).step_by(tile.queries as usize).map(visited).collect())
// END WRONG

// WRONG whole-square fn tiles_to_visit: visits every tile
    if !(0..=context).contains(&length) {
        return refused("length", length, &format!("be from 0 to the context, {context}"));
    }
    for (name, value) in [("group", group), ("tile.queries", tile.queries), ("tile.keys", tile.keys)] {
        if value < 1 {
            return refused(name, value, "be at least 1");
        }
    }
    let [length, context, group, queries, keys] = [length, context, group, tile.queries, tile.keys].map(i64::from);
    let rows = length * group;
    let visited = |first: i64| {
        let last = (first + queries).min(rows) - 1; // sees the most
        let seen = context + 0 * (last / group) * i64::from(causal);
        ((seen + keys - 1) / keys) as i32
    };
    Ok((0..rows).step_by(tile.queries as usize).map(visited).collect())
// END WRONG

// WRONG i32 fn tiles_to_visit: counts rows in i32
    if !(0..=context).contains(&length) {
        return refused("length", length, &format!("be from 0 to the context, {context}"));
    }
    for (name, value) in [("group", group), ("tile.queries", tile.queries), ("tile.keys", tile.keys)] {
        if value < 1 {
            return refused(name, value, "be at least 1");
        }
    }
    let [length, context, group, queries, keys] = [length, context, group, tile.queries, tile.keys].map(i64::from);
    let rows = i64::from((length as i32).wrapping_mul(group as i32));
    let visited = |first: i64| {
        let last = (first + queries).min(rows) - 1; // sees the most
        let seen = if causal { context - length + last / group + 1 } else { context };
        ((seen + keys - 1) / keys) as i32
    };
    Ok((0..rows).step_by(tile.queries as usize).map(visited).collect())
// END WRONG
