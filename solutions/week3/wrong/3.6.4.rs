// Plausible wrong answers to task 3.6.4; the tests must reject each.

// WRONG experts-everywhere fn FeedForward::load: gives every layer experts
        let linear = |name| Linear::load(weights, name, rung);
        Ok(match config.experts_of(number).or(config.experts.as_ref()) {
            Some(experts) => Self::Sparse(Moe::load(weights, experts, rung)?),
            None => Self::Dense(Qwen3Mlp {
                gate_proj: linear("gate_proj")?,
                up_proj: linear("up_proj")?,
                down_proj: linear("down_proj")?,
                rung,
            }),
        })
// END WRONG

// WRONG numbered-from-one fn FeedForward::load: asks for the layer behind
        let linear = |name| Linear::load(weights, name, rung);
        Ok(match config.experts_of(number + 1) {
            Some(experts) => Self::Sparse(Moe::load(weights, experts, rung)?),
            None => Self::Dense(Qwen3Mlp {
                gate_proj: linear("gate_proj")?,
                up_proj: linear("up_proj")?,
                down_proj: linear("down_proj")?,
                rung,
            }),
        })
// END WRONG

// WRONG no-second-norm fn MoeLayer::forward: experts read the states as they are
        let attended = self.self_attn.forward(&rms_norm(self.rung, &self.input_layernorm, x)?, offset, cache)?;
        let x = x.add(attended)?;
        let mixed = self.mlp.forward(&x)?;
        Ok(x.add(mixed)?)
// END WRONG

// WRONG no-residual fn MoeLayer::forward: what experts say replaces the states
        let attended = self.self_attn.forward(&rms_norm(self.rung, &self.input_layernorm, x)?, offset, cache)?;
        let x = x.add(attended)?;
        let mixed = self.mlp.forward(&rms_norm(self.rung, &self.post_attention_layernorm, &x)?)?;
        Ok(mixed)
// END WRONG

// WRONG norms-swapped fn MoeLayer::forward: each norm stands where the other should
        let attended = self.self_attn.forward(&rms_norm(self.rung, &self.post_attention_layernorm, x)?, offset, cache)?;
        let x = x.add(attended)?;
        let mixed = self.mlp.forward(&rms_norm(self.rung, &self.input_layernorm, &x)?)?;
        Ok(x.add(mixed)?)
// END WRONG
