// WRONG matvec-up-to-the-bound fn path_for: takes the matvec for TILED_ROWS rows too
    use kit::Error;

    let Product { rows, outputs, inputs, group_size } = *product;
    let refused =
        |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
    if threads == 0 {
        return refused("threads", threads.to_string(), "be at least 1".into());
    }
    for (name, size) in [("rows", rows), ("outputs", outputs), ("inputs", inputs), ("group_size", group_size)] {
        if size < 1 {
            return refused(name, size.to_string(), "be at least 1".into());
        }
    }
    if inputs % group_size != 0 {
        return refused("inputs", inputs.to_string(), format!("be a multiple of the group, {group_size}"));
    }
    if rows <= TILED_ROWS {
        return Ok(Path::Matvec);
    }
    let panels = (outputs - 1) / PANEL + 1;
    let threads = i32::try_from(threads).unwrap_or(i32::MAX);
    let splits = ((threads - 1) / panels + 1).min(inputs / group_size);
    Ok(if splits == 1 { Path::Tiled } else { Path::SplitK(splits) })
// END WRONG

// WRONG panels-rounded-down fn path_for: does not count the last panel where it is not full
    use kit::Error;

    let Product { rows, outputs, inputs, group_size } = *product;
    let refused =
        |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
    if threads == 0 {
        return refused("threads", threads.to_string(), "be at least 1".into());
    }
    for (name, size) in [("rows", rows), ("outputs", outputs), ("inputs", inputs), ("group_size", group_size)] {
        if size < 1 {
            return refused(name, size.to_string(), "be at least 1".into());
        }
    }
    if inputs % group_size != 0 {
        return refused("inputs", inputs.to_string(), format!("be a multiple of the group, {group_size}"));
    }
    if rows < TILED_ROWS {
        return Ok(Path::Matvec);
    }
    let panels = (outputs / PANEL).max(1);
    let threads = i32::try_from(threads).unwrap_or(i32::MAX);
    let splits = ((threads - 1) / panels + 1).min(inputs / group_size);
    Ok(if splits == 1 { Path::Tiled } else { Path::SplitK(splits) })
// END WRONG

// WRONG parts-rounded-down fn path_for: leaves threads without a piece where the panels do not divide them
    use kit::Error;

    let Product { rows, outputs, inputs, group_size } = *product;
    let refused =
        |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
    if threads == 0 {
        return refused("threads", threads.to_string(), "be at least 1".into());
    }
    for (name, size) in [("rows", rows), ("outputs", outputs), ("inputs", inputs), ("group_size", group_size)] {
        if size < 1 {
            return refused(name, size.to_string(), "be at least 1".into());
        }
    }
    if inputs % group_size != 0 {
        return refused("inputs", inputs.to_string(), format!("be a multiple of the group, {group_size}"));
    }
    if rows < TILED_ROWS {
        return Ok(Path::Matvec);
    }
    let panels = (outputs - 1) / PANEL + 1;
    let threads = i32::try_from(threads).unwrap_or(i32::MAX);
    let splits = (threads / panels).clamp(1, inputs / group_size);
    Ok(if splits == 1 { Path::Tiled } else { Path::SplitK(splits) })
// END WRONG

// WRONG a-part-a-thread fn path_for: splits into as many parts as threads, whatever the panels
    use kit::Error;

    let Product { rows, outputs, inputs, group_size } = *product;
    let refused =
        |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
    if threads == 0 {
        return refused("threads", threads.to_string(), "be at least 1".into());
    }
    for (name, size) in [("rows", rows), ("outputs", outputs), ("inputs", inputs), ("group_size", group_size)] {
        if size < 1 {
            return refused(name, size.to_string(), "be at least 1".into());
        }
    }
    if inputs % group_size != 0 {
        return refused("inputs", inputs.to_string(), format!("be a multiple of the group, {group_size}"));
    }
    if rows < TILED_ROWS {
        return Ok(Path::Matvec);
    }
    let panels = (outputs - 1) / PANEL + 1;
    let threads = i32::try_from(threads).unwrap_or(i32::MAX);
    let splits = (if panels < threads { threads } else { 1 }).min(inputs / group_size);
    Ok(if splits == 1 { Path::Tiled } else { Path::SplitK(splits) })
// END WRONG

// WRONG more-parts-than-groups fn path_for: asks for parts that have no group
    use kit::Error;

    let Product { rows, outputs, inputs, group_size } = *product;
    let refused =
        |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
    if threads == 0 {
        return refused("threads", threads.to_string(), "be at least 1".into());
    }
    for (name, size) in [("rows", rows), ("outputs", outputs), ("inputs", inputs), ("group_size", group_size)] {
        if size < 1 {
            return refused(name, size.to_string(), "be at least 1".into());
        }
    }
    if inputs % group_size != 0 {
        return refused("inputs", inputs.to_string(), format!("be a multiple of the group, {group_size}"));
    }
    if rows < TILED_ROWS {
        return Ok(Path::Matvec);
    }
    let panels = (outputs - 1) / PANEL + 1;
    let threads = i32::try_from(threads).unwrap_or(i32::MAX);
    let splits = ((threads - 1) / panels + 1);
    Ok(if splits == 1 { Path::Tiled } else { Path::SplitK(splits) })
// END WRONG

// WRONG split-in-one fn path_for: calls one part a split
    use kit::Error;

    let Product { rows, outputs, inputs, group_size } = *product;
    let refused =
        |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
    if threads == 0 {
        return refused("threads", threads.to_string(), "be at least 1".into());
    }
    for (name, size) in [("rows", rows), ("outputs", outputs), ("inputs", inputs), ("group_size", group_size)] {
        if size < 1 {
            return refused(name, size.to_string(), "be at least 1".into());
        }
    }
    if inputs % group_size != 0 {
        return refused("inputs", inputs.to_string(), format!("be a multiple of the group, {group_size}"));
    }
    if rows < TILED_ROWS {
        return Ok(Path::Matvec);
    }
    let panels = (outputs - 1) / PANEL + 1;
    let threads = i32::try_from(threads).unwrap_or(i32::MAX);
    let splits = ((threads - 1) / panels + 1).min(inputs / group_size);
    Ok(if threads == 1 { Path::Tiled } else { Path::SplitK(splits) })
// END WRONG

// WRONG outputs-for-panels fn path_for: counts outputs instead of panels
    use kit::Error;

    let Product { rows, outputs, inputs, group_size } = *product;
    let refused =
        |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
    if threads == 0 {
        return refused("threads", threads.to_string(), "be at least 1".into());
    }
    for (name, size) in [("rows", rows), ("outputs", outputs), ("inputs", inputs), ("group_size", group_size)] {
        if size < 1 {
            return refused(name, size.to_string(), "be at least 1".into());
        }
    }
    if inputs % group_size != 0 {
        return refused("inputs", inputs.to_string(), format!("be a multiple of the group, {group_size}"));
    }
    if rows < TILED_ROWS {
        return Ok(Path::Matvec);
    }
    let panels = outputs;
    let threads = i32::try_from(threads).unwrap_or(i32::MAX);
    let splits = ((threads - 1) / panels + 1).min(inputs / group_size);
    Ok(if splits == 1 { Path::Tiled } else { Path::SplitK(splits) })
// END WRONG

// WRONG wraps-around fn path_for: turns a number of threads that is too large for a number into a negative one
    use kit::Error;

    let Product { rows, outputs, inputs, group_size } = *product;
    let refused =
        |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
    if threads == 0 {
        return refused("threads", threads.to_string(), "be at least 1".into());
    }
    for (name, size) in [("rows", rows), ("outputs", outputs), ("inputs", inputs), ("group_size", group_size)] {
        if size < 1 {
            return refused(name, size.to_string(), "be at least 1".into());
        }
    }
    if inputs % group_size != 0 {
        return refused("inputs", inputs.to_string(), format!("be a multiple of the group, {group_size}"));
    }
    if rows < TILED_ROWS {
        return Ok(Path::Matvec);
    }
    let panels = (outputs - 1) / PANEL + 1;
    let threads = threads as i32;
    let splits = ((threads - 1) / panels + 1).min(inputs / group_size);
    Ok(if splits == 1 { Path::Tiled } else { Path::SplitK(splits) })
// END WRONG

// WRONG asks-no-question fn path_for: divides by whatever it gets
    use kit::Error;

    let Product { rows, outputs, inputs, group_size } = *product;
    let refused =
        |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
    if threads == 0 {
        return refused("threads", threads.to_string(), "be at least 1".into());
    }
    for (name, size) in [("rows", rows), ("outputs", outputs), ("inputs", inputs), ("group_size", group_size)] {
        if size < 1 {
            return refused(name, size.to_string(), "be at least 1".into());
        }
    }
    if rows < TILED_ROWS {
        return Ok(Path::Matvec);
    }
    let panels = (outputs - 1) / PANEL + 1;
    let threads = i32::try_from(threads).unwrap_or(i32::MAX);
    let splits = ((threads - 1) / panels + 1).min(inputs / group_size);
    Ok(if splits == 1 { Path::Tiled } else { Path::SplitK(splits) })
// END WRONG

// WRONG matvec-before-the-checks fn path_for: lets a product with a wrong size through where it has few rows
    use kit::Error;

    let Product { rows, outputs, inputs, group_size } = *product;
    let refused =
        |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
    if threads == 0 {
        return refused("threads", threads.to_string(), "be at least 1".into());
    }
    if rows < TILED_ROWS && threads > 0 {
        return Ok(Path::Matvec);
    }
    for (name, size) in [("rows", rows), ("outputs", outputs), ("inputs", inputs), ("group_size", group_size)] {
        if size < 1 {
            return refused(name, size.to_string(), "be at least 1".into());
        }
    }
    if inputs % group_size != 0 {
        return refused("inputs", inputs.to_string(), format!("be a multiple of the group, {group_size}"));
    }
    if rows < TILED_ROWS {
        return Ok(Path::Matvec);
    }
    let panels = (outputs - 1) / PANEL + 1;
    let threads = i32::try_from(threads).unwrap_or(i32::MAX);
    let splits = ((threads - 1) / panels + 1).min(inputs / group_size);
    Ok(if splits == 1 { Path::Tiled } else { Path::SplitK(splits) })
// END WRONG
