// WRONG gate-and-up-swapped fn TransformerBlock::load: the gate becomes the value and the value the gate
    use crate::qwen3_attention::Qwen3AttentionWeights;

    let (attention, mlp) = (weights.at("self_attn"), weights.at("mlp"));
    let tensors = Qwen3AttentionWeights {
        q_proj: attention.dense("q_proj")?,
        k_proj: attention.dense("k_proj")?,
        v_proj: attention.dense("v_proj")?,
        o_proj: attention.dense("o_proj")?,
        q_norm: attention.dense("q_norm")?,
        k_norm: attention.dense("k_norm")?,
    };
    let (heads, kv_heads) = (config.num_attention_heads, config.num_key_value_heads);
    let norm = |name| RMSNorm::new(weights.dense(name)?, config.rms_norm_eps);
    Ok(Self {
        input_layernorm: norm("input_layernorm")?,
        self_attn: Qwen3Attention::new(tensors, heads, kv_heads, config.rms_norm_eps, rope)?,
        post_attention_layernorm: norm("post_attention_layernorm")?,
        mlp: Qwen3Mlp::new(mlp.dense("up_proj")?, mlp.dense("gate_proj")?, mlp.dense("down_proj")?)?,
    })
// END WRONG

// WRONG one-norm-twice fn TransformerBlock::load: both norms of a layer get the weight of the second
    use crate::qwen3_attention::Qwen3AttentionWeights;

    let (attention, mlp) = (weights.at("self_attn"), weights.at("mlp"));
    let tensors = Qwen3AttentionWeights {
        q_proj: attention.dense("q_proj")?,
        k_proj: attention.dense("k_proj")?,
        v_proj: attention.dense("v_proj")?,
        o_proj: attention.dense("o_proj")?,
        q_norm: attention.dense("q_norm")?,
        k_norm: attention.dense("k_norm")?,
    };
    let (heads, kv_heads) = (config.num_attention_heads, config.num_key_value_heads);
    let norm = |name| RMSNorm::new(weights.dense(name)?, config.rms_norm_eps);
    Ok(Self {
        input_layernorm: norm("post_attention_layernorm")?,
        self_attn: Qwen3Attention::new(tensors, heads, kv_heads, config.rms_norm_eps, rope)?,
        post_attention_layernorm: norm("post_attention_layernorm")?,
        mlp: Qwen3Mlp::new(mlp.dense("gate_proj")?, mlp.dense("up_proj")?, mlp.dense("down_proj")?)?,
    })
// END WRONG

// WRONG head-norms-swapped fn TransformerBlock::load: queries are normed like keys
    use crate::qwen3_attention::Qwen3AttentionWeights;

    let (attention, mlp) = (weights.at("self_attn"), weights.at("mlp"));
    let tensors = Qwen3AttentionWeights {
        q_proj: attention.dense("q_proj")?,
        k_proj: attention.dense("k_proj")?,
        v_proj: attention.dense("v_proj")?,
        o_proj: attention.dense("o_proj")?,
        q_norm: attention.dense("k_norm")?,
        k_norm: attention.dense("k_norm")?,
    };
    let (heads, kv_heads) = (config.num_attention_heads, config.num_key_value_heads);
    let norm = |name| RMSNorm::new(weights.dense(name)?, config.rms_norm_eps);
    Ok(Self {
        input_layernorm: norm("input_layernorm")?,
        self_attn: Qwen3Attention::new(tensors, heads, kv_heads, config.rms_norm_eps, rope)?,
        post_attention_layernorm: norm("post_attention_layernorm")?,
        mlp: Qwen3Mlp::new(mlp.dense("gate_proj")?, mlp.dense("up_proj")?, mlp.dense("down_proj")?)?,
    })
// END WRONG

// WRONG fixed-eps fn TransformerBlock::load: takes another eps than the checkpoint says
    use crate::qwen3_attention::Qwen3AttentionWeights;

    let (attention, mlp) = (weights.at("self_attn"), weights.at("mlp"));
    let tensors = Qwen3AttentionWeights {
        q_proj: attention.dense("q_proj")?,
        k_proj: attention.dense("k_proj")?,
        v_proj: attention.dense("v_proj")?,
        o_proj: attention.dense("o_proj")?,
        q_norm: attention.dense("q_norm")?,
        k_norm: attention.dense("k_norm")?,
    };
    let (heads, kv_heads) = (config.num_attention_heads, config.num_key_value_heads);
    let norm = |name| RMSNorm::new(weights.dense(name)?, 1e-3);
    Ok(Self {
        input_layernorm: norm("input_layernorm")?,
        self_attn: Qwen3Attention::new(tensors, heads, kv_heads, config.rms_norm_eps, rope)?,
        post_attention_layernorm: norm("post_attention_layernorm")?,
        mlp: Qwen3Mlp::new(mlp.dense("gate_proj")?, mlp.dense("up_proj")?, mlp.dense("down_proj")?)?,
    })
// END WRONG

// WRONG no-grouping fn TransformerBlock::load: takes every query head for a key head as well
    use crate::qwen3_attention::Qwen3AttentionWeights;

    let (attention, mlp) = (weights.at("self_attn"), weights.at("mlp"));
    let tensors = Qwen3AttentionWeights {
        q_proj: attention.dense("q_proj")?,
        k_proj: attention.dense("k_proj")?,
        v_proj: attention.dense("v_proj")?,
        o_proj: attention.dense("o_proj")?,
        q_norm: attention.dense("q_norm")?,
        k_norm: attention.dense("k_norm")?,
    };
    let (heads, kv_heads) = (config.num_attention_heads, config.num_attention_heads);
    let norm = |name| RMSNorm::new(weights.dense(name)?, config.rms_norm_eps);
    Ok(Self {
        input_layernorm: norm("input_layernorm")?,
        self_attn: Qwen3Attention::new(tensors, heads, kv_heads, config.rms_norm_eps, rope)?,
        post_attention_layernorm: norm("post_attention_layernorm")?,
        mlp: Qwen3Mlp::new(mlp.dense("gate_proj")?, mlp.dense("up_proj")?, mlp.dense("down_proj")?)?,
    })
// END WRONG

// WRONG always-tied fn Qwen3Model::load: forgets lm_head
    use crate::rope::RoPE;

    let (config, weights) = (checkpoint.config(), checkpoint.weights());
    let model = weights.at("model");
    let rope = RoPE::new(config.head_dim, config.rope_theta, false)?;
    let layers = (0..config.num_hidden_layers)
        .map(|layer| TransformerBlock::load(&model.at(&format!("layers.{layer}")), config, rope.clone()))
        .collect::<Result<_>>()?;
    Ok(Self {
        embed_tokens: Embedding::new(model.dense("embed_tokens")?)?,
        layers,
        norm: RMSNorm::new(model.dense("norm")?, config.rms_norm_eps)?,
        lm_head: None,
        max_position_embeddings: config.max_position_embeddings,
    })
// END WRONG

// WRONG never-tied fn Qwen3Model::load: makes a head of its own from the embedding
    use crate::rope::RoPE;

    let (config, weights) = (checkpoint.config(), checkpoint.weights());
    let model = weights.at("model");
    let rope = RoPE::new(config.head_dim, config.rope_theta, false)?;
    let layers = (0..config.num_hidden_layers)
        .map(|layer| TransformerBlock::load(&model.at(&format!("layers.{layer}")), config, rope.clone()))
        .collect::<Result<_>>()?;
    Ok(Self {
        embed_tokens: Embedding::new(model.dense("embed_tokens")?)?,
        layers,
        norm: RMSNorm::new(model.dense("norm")?, config.rms_norm_eps)?,
        lm_head: Some(weights.dense("lm_head").or_else(|_| model.dense("embed_tokens"))?),
        max_position_embeddings: config.max_position_embeddings,
    })
// END WRONG

// WRONG one-layer-less fn Qwen3Model::load: stops before the last layer
    use crate::rope::RoPE;

    let (config, weights) = (checkpoint.config(), checkpoint.weights());
    let model = weights.at("model");
    let rope = RoPE::new(config.head_dim, config.rope_theta, false)?;
    let layers = (0..config.num_hidden_layers - 1)
        .map(|layer| TransformerBlock::load(&model.at(&format!("layers.{layer}")), config, rope.clone()))
        .collect::<Result<_>>()?;
    Ok(Self {
        embed_tokens: Embedding::new(model.dense("embed_tokens")?)?,
        layers,
        norm: RMSNorm::new(model.dense("norm")?, config.rms_norm_eps)?,
        lm_head: if config.tie_word_embeddings { None } else { Some(weights.dense("lm_head")?) },
        max_position_embeddings: config.max_position_embeddings,
    })
// END WRONG

// WRONG layers-reversed fn Qwen3Model::load: stacks the layers the other way round
    use crate::rope::RoPE;

    let (config, weights) = (checkpoint.config(), checkpoint.weights());
    let model = weights.at("model");
    let rope = RoPE::new(config.head_dim, config.rope_theta, false)?;
    let layers = (0..config.num_hidden_layers)
        .rev()
        .map(|layer| TransformerBlock::load(&model.at(&format!("layers.{layer}")), config, rope.clone()))
        .collect::<Result<_>>()?;
    Ok(Self {
        embed_tokens: Embedding::new(model.dense("embed_tokens")?)?,
        layers,
        norm: RMSNorm::new(model.dense("norm")?, config.rms_norm_eps)?,
        lm_head: if config.tie_word_embeddings { None } else { Some(weights.dense("lm_head")?) },
        max_position_embeddings: config.max_position_embeddings,
    })
// END WRONG

// WRONG fixed-base fn Qwen3Model::load: rotates with the base of the first RoFormer
    use crate::rope::RoPE;

    let (config, weights) = (checkpoint.config(), checkpoint.weights());
    let model = weights.at("model");
    let rope = RoPE::new(config.head_dim, 10_000.0, false)?;
    let layers = (0..config.num_hidden_layers)
        .map(|layer| TransformerBlock::load(&model.at(&format!("layers.{layer}")), config, rope.clone()))
        .collect::<Result<_>>()?;
    Ok(Self {
        embed_tokens: Embedding::new(model.dense("embed_tokens")?)?,
        layers,
        norm: RMSNorm::new(model.dense("norm")?, config.rms_norm_eps)?,
        lm_head: if config.tie_word_embeddings { None } else { Some(weights.dense("lm_head")?) },
        max_position_embeddings: config.max_position_embeddings,
    })
// END WRONG

// WRONG neighbours-rotate fn Qwen3Model::load: rotates neighbours, where Qwen3 rotates the halves of a head
    use crate::rope::RoPE;

    let (config, weights) = (checkpoint.config(), checkpoint.weights());
    let model = weights.at("model");
    let rope = RoPE::new(config.head_dim, config.rope_theta, true)?;
    let layers = (0..config.num_hidden_layers)
        .map(|layer| TransformerBlock::load(&model.at(&format!("layers.{layer}")), config, rope.clone()))
        .collect::<Result<_>>()?;
    Ok(Self {
        embed_tokens: Embedding::new(model.dense("embed_tokens")?)?,
        layers,
        norm: RMSNorm::new(model.dense("norm")?, config.rms_norm_eps)?,
        lm_head: if config.tie_word_embeddings { None } else { Some(weights.dense("lm_head")?) },
        max_position_embeddings: config.max_position_embeddings,
    })
// END WRONG

// WRONG tables-per-layer fn Qwen3Model::load: every layer makes tables of its own
    use crate::rope::RoPE;

    let (config, weights) = (checkpoint.config(), checkpoint.weights());
    let model = weights.at("model");
    let rope = RoPE::new(config.head_dim, config.rope_theta, false)?;
    let layers = (0..config.num_hidden_layers)
        .map(|layer| {
            TransformerBlock::load(
                &model.at(&format!("layers.{layer}")),
                config,
                RoPE::new(rope.dims, config.rope_theta, false)?,
            )
        })
        .collect::<Result<_>>()?;
    Ok(Self {
        embed_tokens: Embedding::new(model.dense("embed_tokens")?)?,
        layers,
        norm: RMSNorm::new(model.dense("norm")?, config.rms_norm_eps)?,
        lm_head: if config.tie_word_embeddings { None } else { Some(weights.dense("lm_head")?) },
        max_position_embeddings: config.max_position_embeddings,
    })
// END WRONG

// WRONG last-norm-of-a-layer fn Qwen3Model::load: takes a norm of layer 0 for the last one
    use crate::rope::RoPE;

    let (config, weights) = (checkpoint.config(), checkpoint.weights());
    let model = weights.at("model");
    let rope = RoPE::new(config.head_dim, config.rope_theta, false)?;
    let layers = (0..config.num_hidden_layers)
        .map(|layer| TransformerBlock::load(&model.at(&format!("layers.{layer}")), config, rope.clone()))
        .collect::<Result<_>>()?;
    Ok(Self {
        embed_tokens: Embedding::new(model.dense("embed_tokens")?)?,
        layers,
        norm: RMSNorm::new(model.dense("layers.0.input_layernorm")?, config.rms_norm_eps)?,
        lm_head: if config.tie_word_embeddings { None } else { Some(weights.dense("lm_head")?) },
        max_position_embeddings: config.max_position_embeddings,
    })
// END WRONG

// WRONG norm-eps-fixed fn TransformerBlock::load: takes 1e-6 for the eps of the layer's norms
        use crate::qwen3_attention::Qwen3AttentionWeights;

        let (attention, mlp) = (weights.at("self_attn"), weights.at("mlp"));
        let tensors = Qwen3AttentionWeights {
            q_proj: attention.dense("q_proj")?,
            k_proj: attention.dense("k_proj")?,
            v_proj: attention.dense("v_proj")?,
            o_proj: attention.dense("o_proj")?,
            q_norm: attention.dense("q_norm")?,
            k_norm: attention.dense("k_norm")?,
        };
        let (heads, kv_heads) = (config.num_attention_heads, config.num_key_value_heads);
        let norm = |name| RMSNorm::new(weights.dense(name)?, 1e-6);
        Ok(Self {
            input_layernorm: norm("input_layernorm")?,
            self_attn: Qwen3Attention::new(tensors, heads, kv_heads, config.rms_norm_eps, rope)?,
            post_attention_layernorm: norm("post_attention_layernorm")?,
            mlp: Qwen3Mlp::new(mlp.dense("gate_proj")?, mlp.dense("up_proj")?, mlp.dense("down_proj")?)?,
        })
// END WRONG

// WRONG attention-eps-fixed fn TransformerBlock::load: takes 1e-6 for the eps of the heads' norms
        use crate::qwen3_attention::Qwen3AttentionWeights;

        let (attention, mlp) = (weights.at("self_attn"), weights.at("mlp"));
        let tensors = Qwen3AttentionWeights {
            q_proj: attention.dense("q_proj")?,
            k_proj: attention.dense("k_proj")?,
            v_proj: attention.dense("v_proj")?,
            o_proj: attention.dense("o_proj")?,
            q_norm: attention.dense("q_norm")?,
            k_norm: attention.dense("k_norm")?,
        };
        let (heads, kv_heads) = (config.num_attention_heads, config.num_key_value_heads);
        let norm = |name| RMSNorm::new(weights.dense(name)?, config.rms_norm_eps);
        Ok(Self {
            input_layernorm: norm("input_layernorm")?,
            self_attn: Qwen3Attention::new(tensors, heads, kv_heads, 1e-6, rope)?,
            post_attention_layernorm: norm("post_attention_layernorm")?,
            mlp: Qwen3Mlp::new(mlp.dense("gate_proj")?, mlp.dense("up_proj")?, mlp.dense("down_proj")?)?,
        })
// END WRONG

// WRONG keys-for-values fn TransformerBlock::load: reads the keys' weight twice
        use crate::qwen3_attention::Qwen3AttentionWeights;

        let (attention, mlp) = (weights.at("self_attn"), weights.at("mlp"));
        let tensors = Qwen3AttentionWeights {
            q_proj: attention.dense("q_proj")?,
            k_proj: attention.dense("k_proj")?,
            v_proj: attention.dense("k_proj")?,
            o_proj: attention.dense("o_proj")?,
            q_norm: attention.dense("q_norm")?,
            k_norm: attention.dense("k_norm")?,
        };
        let (heads, kv_heads) = (config.num_attention_heads, config.num_key_value_heads);
        let norm = |name| RMSNorm::new(weights.dense(name)?, config.rms_norm_eps);
        Ok(Self {
            input_layernorm: norm("input_layernorm")?,
            self_attn: Qwen3Attention::new(tensors, heads, kv_heads, config.rms_norm_eps, rope)?,
            post_attention_layernorm: norm("post_attention_layernorm")?,
            mlp: Qwen3Mlp::new(mlp.dense("gate_proj")?, mlp.dense("up_proj")?, mlp.dense("down_proj")?)?,
        })
// END WRONG

// WRONG last-norm-eps-fixed fn Qwen3Model::load: takes 1e-6 for the eps of the last norm
        use crate::rope::RoPE;

        let (config, weights) = (checkpoint.config(), checkpoint.weights());
        let model = weights.at("model");
        let rope = RoPE::new(config.head_dim, config.rope_theta, false)?;
        let layers = (0..config.num_hidden_layers)
            .map(|layer| TransformerBlock::load(&model.at(&format!("layers.{layer}")), config, rope.clone()))
            .collect::<Result<_>>()?;
        Ok(Self {
            embed_tokens: Embedding::new(model.dense("embed_tokens")?)?,
            layers,
            norm: RMSNorm::new(model.dense("norm")?, 1e-6)?,
            lm_head: if config.tie_word_embeddings { None } else { Some(weights.dense("lm_head")?) },
            max_position_embeddings: config.max_position_embeddings,
        })
// END WRONG

// WRONG head-where-there-is-one fn Qwen3Model::load: decides by the tensors, not by the configuration
        use crate::rope::RoPE;

        let (config, weights) = (checkpoint.config(), checkpoint.weights());
        let model = weights.at("model");
        let rope = RoPE::new(config.head_dim, config.rope_theta, false)?;
        let layers = (0..config.num_hidden_layers)
            .map(|layer| TransformerBlock::load(&model.at(&format!("layers.{layer}")), config, rope.clone()))
            .collect::<Result<_>>()?;
        Ok(Self {
            embed_tokens: Embedding::new(model.dense("embed_tokens")?)?,
            layers,
            norm: RMSNorm::new(model.dense("norm")?, config.rms_norm_eps)?,
            lm_head: if !weights.has("lm_head.weight") { None } else { Some(weights.dense("lm_head")?) },
            max_position_embeddings: config.max_position_embeddings,
        })
// END WRONG

// WRONG half-a-head fn Qwen3Model::load: rotates E / H_q features
        use crate::rope::RoPE;

        let (config, weights) = (checkpoint.config(), checkpoint.weights());
        let model = weights.at("model");
        let rope = RoPE::new(config.hidden_size / config.num_attention_heads, config.rope_theta, false)?;
        let layers = (0..config.num_hidden_layers)
            .map(|layer| TransformerBlock::load(&model.at(&format!("layers.{layer}")), config, rope.clone()))
            .collect::<Result<_>>()?;
        Ok(Self {
            embed_tokens: Embedding::new(model.dense("embed_tokens")?)?,
            layers,
            norm: RMSNorm::new(model.dense("norm")?, config.rms_norm_eps)?,
            lm_head: if config.tie_word_embeddings { None } else { Some(weights.dense("lm_head")?) },
            max_position_embeddings: config.max_position_embeddings,
        })
// END WRONG
