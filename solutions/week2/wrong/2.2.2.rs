// WRONG hidden-is-heads fn cost: takes E for H_q·D
    use kit::Error;

    let refused = |name: &str, value: i32, must: String| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must })
    };
    let longest = config.max_position_embeddings;
    if cached < 0 {
        return refused("cached", cached, "not be negative".into());
    }
    if new < 1 || new > longest - cached {
        return refused("new", new, format!("be at least 1 and end before position {longest}"));
    }
    let size = |field: i32| field as u64;
    let (hidden, layers, vocabulary) =
        (size(config.hidden_size), size(config.num_hidden_layers), size(config.vocab_size));
    let head = size(config.head_dim);
    let (queries, keys) = (hidden, size(config.num_key_value_heads) * head);
    let (cached, new) = (size(cached), size(new));

    let attention = 2 * hidden * queries + 2 * hidden * keys; // q, o, k, v
    let layer = attention + 3 * hidden * size(config.intermediate_size);
    let norms = layers * (2 * hidden + 2 * head) + hidden;
    let matrices = layers * layer + vocabulary * hidden; // the last one is the head
    let bits_of = |entries: u64| {
        let scales =
            storage.group_size.map_or(0, |group| entries / u64::from(group) * 2 * u64::from(storage.scale_bits));
        entries * u64::from(storage.weight_bits) + scales
    };
    let weight_bits = bits_of(matrices) + bits_of(hidden) * new + norms * u64::from(storage.scale_bits);

    let entries = 2 * layers * keys * (cached + new + new); // all are read, the new ones written
    let looks = new * cached + new * (new + 1) / 2;
    let products = layers * layer * new + vocabulary * hidden + 2 * layers * queries * looks;
    Ok(Cost {
        weight_bytes: weight_bits / 8,
        cache_bytes: entries * u64::from(storage.cache_bits) / 8,
        flops: 2 * products,
    })
// END WRONG

// WRONG kv-as-many fn cost: gives every query head keys of its own
    use kit::Error;

    let refused = |name: &str, value: i32, must: String| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must })
    };
    let longest = config.max_position_embeddings;
    if cached < 0 {
        return refused("cached", cached, "not be negative".into());
    }
    if new < 1 || new > longest - cached {
        return refused("new", new, format!("be at least 1 and end before position {longest}"));
    }
    let size = |field: i32| field as u64;
    let (hidden, layers, vocabulary) =
        (size(config.hidden_size), size(config.num_hidden_layers), size(config.vocab_size));
    let head = size(config.head_dim);
    let (queries, keys) = (size(config.num_attention_heads) * head, size(config.num_attention_heads) * head);
    let (cached, new) = (size(cached), size(new));

    let attention = 2 * hidden * queries + 2 * hidden * keys; // q, o, k, v
    let layer = attention + 3 * hidden * size(config.intermediate_size);
    let norms = layers * (2 * hidden + 2 * head) + hidden;
    let matrices = layers * layer + vocabulary * hidden; // the last one is the head
    let bits_of = |entries: u64| {
        let scales =
            storage.group_size.map_or(0, |group| entries / u64::from(group) * 2 * u64::from(storage.scale_bits));
        entries * u64::from(storage.weight_bits) + scales
    };
    let weight_bits = bits_of(matrices) + bits_of(hidden) * new + norms * u64::from(storage.scale_bits);

    let entries = 2 * layers * keys * (cached + new + new); // all are read, the new ones written
    let looks = new * cached + new * (new + 1) / 2;
    let products = layers * layer * new + vocabulary * hidden + 2 * layers * queries * looks;
    Ok(Cost {
        weight_bytes: weight_bits / 8,
        cache_bytes: entries * u64::from(storage.cache_bits) / 8,
        flops: 2 * products,
    })
// END WRONG

// WRONG no-scales fn cost: forgets scales and biases
    use kit::Error;

    let refused = |name: &str, value: i32, must: String| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must })
    };
    let longest = config.max_position_embeddings;
    if cached < 0 {
        return refused("cached", cached, "not be negative".into());
    }
    if new < 1 || new > longest - cached {
        return refused("new", new, format!("be at least 1 and end before position {longest}"));
    }
    let size = |field: i32| field as u64;
    let (hidden, layers, vocabulary) =
        (size(config.hidden_size), size(config.num_hidden_layers), size(config.vocab_size));
    let head = size(config.head_dim);
    let (queries, keys) = (size(config.num_attention_heads) * head, size(config.num_key_value_heads) * head);
    let (cached, new) = (size(cached), size(new));

    let attention = 2 * hidden * queries + 2 * hidden * keys; // q, o, k, v
    let layer = attention + 3 * hidden * size(config.intermediate_size);
    let norms = layers * (2 * hidden + 2 * head) + hidden;
    let matrices = layers * layer + vocabulary * hidden; // the last one is the head
    let bits_of = |entries: u64| {
        let scales =
            storage.group_size.map_or(0, |group| entries / u64::from(group) * 2 * u64::from(storage.scale_bits));
        scales * 0 + entries * u64::from(storage.weight_bits)
    };
    let weight_bits = bits_of(matrices) + bits_of(hidden) * new + norms * u64::from(storage.scale_bits);

    let entries = 2 * layers * keys * (cached + new + new); // all are read, the new ones written
    let looks = new * cached + new * (new + 1) / 2;
    let products = layers * layer * new + vocabulary * hidden + 2 * layers * queries * looks;
    Ok(Cost {
        weight_bytes: weight_bits / 8,
        cache_bytes: entries * u64::from(storage.cache_bits) / 8,
        flops: 2 * products,
    })
// END WRONG

// WRONG scales-only fn cost: counts scales and forgets the biases
    use kit::Error;

    let refused = |name: &str, value: i32, must: String| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must })
    };
    let longest = config.max_position_embeddings;
    if cached < 0 {
        return refused("cached", cached, "not be negative".into());
    }
    if new < 1 || new > longest - cached {
        return refused("new", new, format!("be at least 1 and end before position {longest}"));
    }
    let size = |field: i32| field as u64;
    let (hidden, layers, vocabulary) =
        (size(config.hidden_size), size(config.num_hidden_layers), size(config.vocab_size));
    let head = size(config.head_dim);
    let (queries, keys) = (size(config.num_attention_heads) * head, size(config.num_key_value_heads) * head);
    let (cached, new) = (size(cached), size(new));

    let attention = 2 * hidden * queries + 2 * hidden * keys; // q, o, k, v
    let layer = attention + 3 * hidden * size(config.intermediate_size);
    let norms = layers * (2 * hidden + 2 * head) + hidden;
    let matrices = layers * layer + vocabulary * hidden; // the last one is the head
    let bits_of = |entries: u64| {
        let scales =
            storage.group_size.map_or(0, |group| entries / u64::from(group) * u64::from(storage.scale_bits));
        entries * u64::from(storage.weight_bits) + scales
    };
    let weight_bits = bits_of(matrices) + bits_of(hidden) * new + norms * u64::from(storage.scale_bits);

    let entries = 2 * layers * keys * (cached + new + new); // all are read, the new ones written
    let looks = new * cached + new * (new + 1) / 2;
    let products = layers * layer * new + vocabulary * hidden + 2 * layers * queries * looks;
    Ok(Cost {
        weight_bytes: weight_bits / 8,
        cache_bytes: entries * u64::from(storage.cache_bits) / 8,
        flops: 2 * products,
    })
// END WRONG

// WRONG two-matrices fn cost: forgets one matrix of the MLP
    use kit::Error;

    let refused = |name: &str, value: i32, must: String| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must })
    };
    let longest = config.max_position_embeddings;
    if cached < 0 {
        return refused("cached", cached, "not be negative".into());
    }
    if new < 1 || new > longest - cached {
        return refused("new", new, format!("be at least 1 and end before position {longest}"));
    }
    let size = |field: i32| field as u64;
    let (hidden, layers, vocabulary) =
        (size(config.hidden_size), size(config.num_hidden_layers), size(config.vocab_size));
    let head = size(config.head_dim);
    let (queries, keys) = (size(config.num_attention_heads) * head, size(config.num_key_value_heads) * head);
    let (cached, new) = (size(cached), size(new));

    let attention = 2 * hidden * queries + 2 * hidden * keys; // q, o, k, v
    let layer = attention + 2 * hidden * size(config.intermediate_size);
    let norms = layers * (2 * hidden + 2 * head) + hidden;
    let matrices = layers * layer + vocabulary * hidden; // the last one is the head
    let bits_of = |entries: u64| {
        let scales =
            storage.group_size.map_or(0, |group| entries / u64::from(group) * 2 * u64::from(storage.scale_bits));
        entries * u64::from(storage.weight_bits) + scales
    };
    let weight_bits = bits_of(matrices) + bits_of(hidden) * new + norms * u64::from(storage.scale_bits);

    let entries = 2 * layers * keys * (cached + new + new); // all are read, the new ones written
    let looks = new * cached + new * (new + 1) / 2;
    let products = layers * layer * new + vocabulary * hidden + 2 * layers * queries * looks;
    Ok(Cost {
        weight_bytes: weight_bits / 8,
        cache_bytes: entries * u64::from(storage.cache_bits) / 8,
        flops: 2 * products,
    })
// END WRONG

// WRONG keys-only fn cost: counts keys and forgets values
    use kit::Error;

    let refused = |name: &str, value: i32, must: String| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must })
    };
    let longest = config.max_position_embeddings;
    if cached < 0 {
        return refused("cached", cached, "not be negative".into());
    }
    if new < 1 || new > longest - cached {
        return refused("new", new, format!("be at least 1 and end before position {longest}"));
    }
    let size = |field: i32| field as u64;
    let (hidden, layers, vocabulary) =
        (size(config.hidden_size), size(config.num_hidden_layers), size(config.vocab_size));
    let head = size(config.head_dim);
    let (queries, keys) = (size(config.num_attention_heads) * head, size(config.num_key_value_heads) * head);
    let (cached, new) = (size(cached), size(new));

    let attention = 2 * hidden * queries + 2 * hidden * keys; // q, o, k, v
    let layer = attention + 3 * hidden * size(config.intermediate_size);
    let norms = layers * (2 * hidden + 2 * head) + hidden;
    let matrices = layers * layer + vocabulary * hidden; // the last one is the head
    let bits_of = |entries: u64| {
        let scales =
            storage.group_size.map_or(0, |group| entries / u64::from(group) * 2 * u64::from(storage.scale_bits));
        entries * u64::from(storage.weight_bits) + scales
    };
    let weight_bits = bits_of(matrices) + bits_of(hidden) * new + norms * u64::from(storage.scale_bits);

    let entries = layers * keys * (cached + new + new); // all are read, the new ones written
    let looks = new * cached + new * (new + 1) / 2;
    let products = layers * layer * new + vocabulary * hidden + 2 * layers * queries * looks;
    Ok(Cost {
        weight_bytes: weight_bits / 8,
        cache_bytes: entries * u64::from(storage.cache_bits) / 8,
        flops: 2 * products,
    })
// END WRONG

// WRONG no-writes fn cost: counts what is read of the cache and not what is written
    use kit::Error;

    let refused = |name: &str, value: i32, must: String| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must })
    };
    let longest = config.max_position_embeddings;
    if cached < 0 {
        return refused("cached", cached, "not be negative".into());
    }
    if new < 1 || new > longest - cached {
        return refused("new", new, format!("be at least 1 and end before position {longest}"));
    }
    let size = |field: i32| field as u64;
    let (hidden, layers, vocabulary) =
        (size(config.hidden_size), size(config.num_hidden_layers), size(config.vocab_size));
    let head = size(config.head_dim);
    let (queries, keys) = (size(config.num_attention_heads) * head, size(config.num_key_value_heads) * head);
    let (cached, new) = (size(cached), size(new));

    let attention = 2 * hidden * queries + 2 * hidden * keys; // q, o, k, v
    let layer = attention + 3 * hidden * size(config.intermediate_size);
    let norms = layers * (2 * hidden + 2 * head) + hidden;
    let matrices = layers * layer + vocabulary * hidden; // the last one is the head
    let bits_of = |entries: u64| {
        let scales =
            storage.group_size.map_or(0, |group| entries / u64::from(group) * 2 * u64::from(storage.scale_bits));
        entries * u64::from(storage.weight_bits) + scales
    };
    let weight_bits = bits_of(matrices) + bits_of(hidden) * new + norms * u64::from(storage.scale_bits);

    let entries = 2 * layers * keys * (cached + new); // all are read, the new ones written
    let looks = new * cached + new * (new + 1) / 2;
    let products = layers * layer * new + vocabulary * hidden + 2 * layers * queries * looks;
    Ok(Cost {
        weight_bytes: weight_bits / 8,
        cache_bytes: entries * u64::from(storage.cache_bits) / 8,
        flops: 2 * products,
    })
// END WRONG

// WRONG one-flop fn cost: counts a multiplication and an addition as one
    use kit::Error;

    let refused = |name: &str, value: i32, must: String| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must })
    };
    let longest = config.max_position_embeddings;
    if cached < 0 {
        return refused("cached", cached, "not be negative".into());
    }
    if new < 1 || new > longest - cached {
        return refused("new", new, format!("be at least 1 and end before position {longest}"));
    }
    let size = |field: i32| field as u64;
    let (hidden, layers, vocabulary) =
        (size(config.hidden_size), size(config.num_hidden_layers), size(config.vocab_size));
    let head = size(config.head_dim);
    let (queries, keys) = (size(config.num_attention_heads) * head, size(config.num_key_value_heads) * head);
    let (cached, new) = (size(cached), size(new));

    let attention = 2 * hidden * queries + 2 * hidden * keys; // q, o, k, v
    let layer = attention + 3 * hidden * size(config.intermediate_size);
    let norms = layers * (2 * hidden + 2 * head) + hidden;
    let matrices = layers * layer + vocabulary * hidden; // the last one is the head
    let bits_of = |entries: u64| {
        let scales =
            storage.group_size.map_or(0, |group| entries / u64::from(group) * 2 * u64::from(storage.scale_bits));
        entries * u64::from(storage.weight_bits) + scales
    };
    let weight_bits = bits_of(matrices) + bits_of(hidden) * new + norms * u64::from(storage.scale_bits);

    let entries = 2 * layers * keys * (cached + new + new); // all are read, the new ones written
    let looks = new * cached + new * (new + 1) / 2;
    let products = layers * layer * new + vocabulary * hidden + 2 * layers * queries * looks;
    Ok(Cost {
        weight_bytes: weight_bits / 8,
        cache_bytes: entries * u64::from(storage.cache_bits) / 8,
        flops: products,
    })
// END WRONG

// WRONG sees-all fn cost: lets every new token look at all
    use kit::Error;

    let refused = |name: &str, value: i32, must: String| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must })
    };
    let longest = config.max_position_embeddings;
    if cached < 0 {
        return refused("cached", cached, "not be negative".into());
    }
    if new < 1 || new > longest - cached {
        return refused("new", new, format!("be at least 1 and end before position {longest}"));
    }
    let size = |field: i32| field as u64;
    let (hidden, layers, vocabulary) =
        (size(config.hidden_size), size(config.num_hidden_layers), size(config.vocab_size));
    let head = size(config.head_dim);
    let (queries, keys) = (size(config.num_attention_heads) * head, size(config.num_key_value_heads) * head);
    let (cached, new) = (size(cached), size(new));

    let attention = 2 * hidden * queries + 2 * hidden * keys; // q, o, k, v
    let layer = attention + 3 * hidden * size(config.intermediate_size);
    let norms = layers * (2 * hidden + 2 * head) + hidden;
    let matrices = layers * layer + vocabulary * hidden; // the last one is the head
    let bits_of = |entries: u64| {
        let scales =
            storage.group_size.map_or(0, |group| entries / u64::from(group) * 2 * u64::from(storage.scale_bits));
        entries * u64::from(storage.weight_bits) + scales
    };
    let weight_bits = bits_of(matrices) + bits_of(hidden) * new + norms * u64::from(storage.scale_bits);

    let entries = 2 * layers * keys * (cached + new + new); // all are read, the new ones written
    let looks = new * (cached + new);
    let products = layers * layer * new + vocabulary * hidden + 2 * layers * queries * looks;
    Ok(Cost {
        weight_bytes: weight_bits / 8,
        cache_bytes: entries * u64::from(storage.cache_bits) / 8,
        flops: 2 * products,
    })
// END WRONG

// WRONG head-for-all fn cost: runs the head for every new token
    use kit::Error;

    let refused = |name: &str, value: i32, must: String| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must })
    };
    let longest = config.max_position_embeddings;
    if cached < 0 {
        return refused("cached", cached, "not be negative".into());
    }
    if new < 1 || new > longest - cached {
        return refused("new", new, format!("be at least 1 and end before position {longest}"));
    }
    let size = |field: i32| field as u64;
    let (hidden, layers, vocabulary) =
        (size(config.hidden_size), size(config.num_hidden_layers), size(config.vocab_size));
    let head = size(config.head_dim);
    let (queries, keys) = (size(config.num_attention_heads) * head, size(config.num_key_value_heads) * head);
    let (cached, new) = (size(cached), size(new));

    let attention = 2 * hidden * queries + 2 * hidden * keys; // q, o, k, v
    let layer = attention + 3 * hidden * size(config.intermediate_size);
    let norms = layers * (2 * hidden + 2 * head) + hidden;
    let matrices = layers * layer + vocabulary * hidden; // the last one is the head
    let bits_of = |entries: u64| {
        let scales =
            storage.group_size.map_or(0, |group| entries / u64::from(group) * 2 * u64::from(storage.scale_bits));
        entries * u64::from(storage.weight_bits) + scales
    };
    let weight_bits = bits_of(matrices) + bits_of(hidden) * new + norms * u64::from(storage.scale_bits);

    let entries = 2 * layers * keys * (cached + new + new); // all are read, the new ones written
    let looks = new * cached + new * (new + 1) / 2;
    let products = (layers * layer + vocabulary * hidden) * new + 2 * layers * queries * looks;
    Ok(Cost {
        weight_bytes: weight_bits / 8,
        cache_bytes: entries * u64::from(storage.cache_bits) / 8,
        flops: 2 * products,
    })
// END WRONG

// WRONG reads-for-each fn cost: reads the matrices again for each new token
    use kit::Error;

    let refused = |name: &str, value: i32, must: String| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must })
    };
    let longest = config.max_position_embeddings;
    if cached < 0 {
        return refused("cached", cached, "not be negative".into());
    }
    if new < 1 || new > longest - cached {
        return refused("new", new, format!("be at least 1 and end before position {longest}"));
    }
    let size = |field: i32| field as u64;
    let (hidden, layers, vocabulary) =
        (size(config.hidden_size), size(config.num_hidden_layers), size(config.vocab_size));
    let head = size(config.head_dim);
    let (queries, keys) = (size(config.num_attention_heads) * head, size(config.num_key_value_heads) * head);
    let (cached, new) = (size(cached), size(new));

    let attention = 2 * hidden * queries + 2 * hidden * keys; // q, o, k, v
    let layer = attention + 3 * hidden * size(config.intermediate_size);
    let norms = layers * (2 * hidden + 2 * head) + hidden;
    let matrices = layers * layer + vocabulary * hidden; // the last one is the head
    let bits_of = |entries: u64| {
        let scales =
            storage.group_size.map_or(0, |group| entries / u64::from(group) * 2 * u64::from(storage.scale_bits));
        entries * u64::from(storage.weight_bits) + scales
    };
    let weight_bits = (bits_of(matrices) + bits_of(hidden)) * new + norms * u64::from(storage.scale_bits);

    let entries = 2 * layers * keys * (cached + new + new); // all are read, the new ones written
    let looks = new * cached + new * (new + 1) / 2;
    let products = layers * layer * new + vocabulary * hidden + 2 * layers * queries * looks;
    Ok(Cost {
        weight_bytes: weight_bits / 8,
        cache_bytes: entries * u64::from(storage.cache_bits) / 8,
        flops: 2 * products,
    })
// END WRONG

// WRONG table-only-once fn cost: forgets the row of the embedding that is looked up
    use kit::Error;

    let refused = |name: &str, value: i32, must: String| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must })
    };
    let longest = config.max_position_embeddings;
    if cached < 0 {
        return refused("cached", cached, "not be negative".into());
    }
    if new < 1 || new > longest - cached {
        return refused("new", new, format!("be at least 1 and end before position {longest}"));
    }
    let size = |field: i32| field as u64;
    let (hidden, layers, vocabulary) =
        (size(config.hidden_size), size(config.num_hidden_layers), size(config.vocab_size));
    let head = size(config.head_dim);
    let (queries, keys) = (size(config.num_attention_heads) * head, size(config.num_key_value_heads) * head);
    let (cached, new) = (size(cached), size(new));

    let attention = 2 * hidden * queries + 2 * hidden * keys; // q, o, k, v
    let layer = attention + 3 * hidden * size(config.intermediate_size);
    let norms = layers * (2 * hidden + 2 * head) + hidden;
    let matrices = layers * layer + vocabulary * hidden; // the last one is the head
    let bits_of = |entries: u64| {
        let scales =
            storage.group_size.map_or(0, |group| entries / u64::from(group) * 2 * u64::from(storage.scale_bits));
        entries * u64::from(storage.weight_bits) + scales
    };
    let weight_bits = bits_of(matrices) + norms * u64::from(storage.scale_bits);

    let entries = 2 * layers * keys * (cached + new + new); // all are read, the new ones written
    let looks = new * cached + new * (new + 1) / 2;
    let products = layers * layer * new + vocabulary * hidden + 2 * layers * queries * looks;
    Ok(Cost {
        weight_bytes: weight_bits / 8,
        cache_bytes: entries * u64::from(storage.cache_bits) / 8,
        flops: 2 * products,
    })
// END WRONG

// WRONG norms-packed fn cost: packs the norms, too
    use kit::Error;

    let refused = |name: &str, value: i32, must: String| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must })
    };
    let longest = config.max_position_embeddings;
    if cached < 0 {
        return refused("cached", cached, "not be negative".into());
    }
    if new < 1 || new > longest - cached {
        return refused("new", new, format!("be at least 1 and end before position {longest}"));
    }
    let size = |field: i32| field as u64;
    let (hidden, layers, vocabulary) =
        (size(config.hidden_size), size(config.num_hidden_layers), size(config.vocab_size));
    let head = size(config.head_dim);
    let (queries, keys) = (size(config.num_attention_heads) * head, size(config.num_key_value_heads) * head);
    let (cached, new) = (size(cached), size(new));

    let attention = 2 * hidden * queries + 2 * hidden * keys; // q, o, k, v
    let layer = attention + 3 * hidden * size(config.intermediate_size);
    let norms = layers * (2 * hidden + 2 * head) + hidden;
    let matrices = layers * layer + vocabulary * hidden; // the last one is the head
    let bits_of = |entries: u64| {
        let scales =
            storage.group_size.map_or(0, |group| entries / u64::from(group) * 2 * u64::from(storage.scale_bits));
        entries * u64::from(storage.weight_bits) + scales
    };
    let weight_bits = bits_of(matrices) + bits_of(hidden) * new + bits_of(norms);

    let entries = 2 * layers * keys * (cached + new + new); // all are read, the new ones written
    let looks = new * cached + new * (new + 1) / 2;
    let products = layers * layer * new + vocabulary * hidden + 2 * layers * queries * looks;
    Ok(Cost {
        weight_bytes: weight_bits / 8,
        cache_bytes: entries * u64::from(storage.cache_bits) / 8,
        flops: 2 * products,
    })
// END WRONG

// WRONG beyond-the-context fn cost: bounds the new tokens by themselves
    use kit::Error;

    let refused = |name: &str, value: i32, must: String| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must })
    };
    let longest = config.max_position_embeddings;
    if cached < 0 {
        return refused("cached", cached, "not be negative".into());
    }
    if new < 1 || new > longest {
        return refused("new", new, format!("be at least 1 and end before position {longest}"));
    }
    let size = |field: i32| field as u64;
    let (hidden, layers, vocabulary) =
        (size(config.hidden_size), size(config.num_hidden_layers), size(config.vocab_size));
    let head = size(config.head_dim);
    let (queries, keys) = (size(config.num_attention_heads) * head, size(config.num_key_value_heads) * head);
    let (cached, new) = (size(cached), size(new));

    let attention = 2 * hidden * queries + 2 * hidden * keys; // q, o, k, v
    let layer = attention + 3 * hidden * size(config.intermediate_size);
    let norms = layers * (2 * hidden + 2 * head) + hidden;
    let matrices = layers * layer + vocabulary * hidden; // the last one is the head
    let bits_of = |entries: u64| {
        let scales =
            storage.group_size.map_or(0, |group| entries / u64::from(group) * 2 * u64::from(storage.scale_bits));
        entries * u64::from(storage.weight_bits) + scales
    };
    let weight_bits = bits_of(matrices) + bits_of(hidden) * new + norms * u64::from(storage.scale_bits);

    let entries = 2 * layers * keys * (cached + new + new); // all are read, the new ones written
    let looks = new * cached + new * (new + 1) / 2;
    let products = layers * layer * new + vocabulary * hidden + 2 * layers * queries * looks;
    Ok(Cost {
        weight_bytes: weight_bits / 8,
        cache_bytes: entries * u64::from(storage.cache_bits) / 8,
        flops: 2 * products,
    })
// END WRONG

// WRONG sum-of-times fn ceiling: adds the two times
    use kit::Error;

    let speeds = [("bytes_per_second", machine.bytes_per_second), ("flops_per_second", machine.flops_per_second)];
    for (name, speed) in speeds {
        if !(speed > 0.0 && speed.is_finite()) {
            let must = "be positive and finite".into();
            return Err(Error::InvalidArgument { name: name.into(), value: speed.to_string(), must });
        }
    }
    let moving = cost.bytes() as f64 / machine.bytes_per_second;
    let computing = cost.flops as f64 / machine.flops_per_second;
    let bound = if moving >= computing { Bound::Memory } else { Bound::Compute };
    Ok(Ceiling { seconds: moving + computing, bound })
// END WRONG

// WRONG shorter-time fn ceiling: takes the shorter time
    use kit::Error;

    let speeds = [("bytes_per_second", machine.bytes_per_second), ("flops_per_second", machine.flops_per_second)];
    for (name, speed) in speeds {
        if !(speed > 0.0 && speed.is_finite()) {
            let must = "be positive and finite".into();
            return Err(Error::InvalidArgument { name: name.into(), value: speed.to_string(), must });
        }
    }
    let moving = cost.bytes() as f64 / machine.bytes_per_second;
    let computing = cost.flops as f64 / machine.flops_per_second;
    let bound = if moving >= computing { Bound::Memory } else { Bound::Compute };
    Ok(Ceiling { seconds: moving.min(computing), bound })
// END WRONG

// WRONG bound-swapped fn ceiling: names the speed that does not decide
    use kit::Error;

    let speeds = [("bytes_per_second", machine.bytes_per_second), ("flops_per_second", machine.flops_per_second)];
    for (name, speed) in speeds {
        if !(speed > 0.0 && speed.is_finite()) {
            let must = "be positive and finite".into();
            return Err(Error::InvalidArgument { name: name.into(), value: speed.to_string(), must });
        }
    }
    let moving = cost.bytes() as f64 / machine.bytes_per_second;
    let computing = cost.flops as f64 / machine.flops_per_second;
    let bound = if moving < computing { Bound::Memory } else { Bound::Compute };
    Ok(Ceiling { seconds: moving.max(computing), bound })
// END WRONG

// WRONG weights-alone fn ceiling: forgets the cache
    use kit::Error;

    let speeds = [("bytes_per_second", machine.bytes_per_second), ("flops_per_second", machine.flops_per_second)];
    for (name, speed) in speeds {
        if !(speed > 0.0 && speed.is_finite()) {
            let must = "be positive and finite".into();
            return Err(Error::InvalidArgument { name: name.into(), value: speed.to_string(), must });
        }
    }
    let moving = cost.weight_bytes as f64 / machine.bytes_per_second;
    let computing = cost.flops as f64 / machine.flops_per_second;
    let bound = if moving >= computing { Bound::Memory } else { Bound::Compute };
    Ok(Ceiling { seconds: moving.max(computing), bound })
// END WRONG

// WRONG any-speed fn ceiling: divides by any speed
    use kit::Error;

    let speeds = [("bytes_per_second", machine.bytes_per_second), ("flops_per_second", machine.flops_per_second)];
    for (name, speed) in speeds {
        if speed < 0.0 {
            let must = "be positive and finite".into();
            return Err(Error::InvalidArgument { name: name.into(), value: speed.to_string(), must });
        }
    }
    let moving = cost.bytes() as f64 / machine.bytes_per_second;
    let computing = cost.flops as f64 / machine.flops_per_second;
    let bound = if moving >= computing { Bound::Memory } else { Bound::Compute };
    Ok(Ceiling { seconds: moving.max(computing), bound })
// END WRONG
