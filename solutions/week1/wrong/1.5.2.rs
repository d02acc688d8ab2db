// WRONG residual-from-norm fn TransformerBlock::forward: adds to the normed input, so that the stream loses its size
    let read = self.input_layernorm.forward(x)?;
    let x = read.add(self.self_attn.forward(&read, mask)?)?;
    let read = self.post_attention_layernorm.forward(&x)?;
    Ok(read.add(self.mlp.forward(&read)?)?)
// END WRONG

// WRONG post-norm fn TransformerBlock::forward: norms the sums, as the first transformers did
    let x = self.input_layernorm.forward(&x.add(self.self_attn.forward(x, mask)?)?)?;
    self.post_attention_layernorm.forward(&x.add(self.mlp.forward(&x)?)?)
// END WRONG

// WRONG norms-swapped fn TransformerBlock::forward: attention reads through the norm of the MLP
    let x = x.add(self.self_attn.forward(&self.post_attention_layernorm.forward(x)?, mask)?)?;
    Ok(x.add(self.mlp.forward(&self.input_layernorm.forward(&x)?)?)?)
// END WRONG

// WRONG always-causal fn TransformerBlock::forward: does not listen to the mask
    let _ = mask;
    let x = x.add(self.self_attn.forward(&self.input_layernorm.forward(x)?, Mask::Causal)?)?;
    Ok(x.add(self.mlp.forward(&self.post_attention_layernorm.forward(&x)?)?)?)
// END WRONG

// WRONG no-mask fn TransformerBlock::forward: lets every position see the answer
    let _ = mask;
    let x = x.add(self.self_attn.forward(&self.input_layernorm.forward(x)?, Mask::None)?)?;
    Ok(x.add(self.mlp.forward(&self.post_attention_layernorm.forward(&x)?)?)?)
// END WRONG

// WRONG one-residual fn TransformerBlock::forward: drops the stream at the MLP
    let x = x.add(self.self_attn.forward(&self.input_layernorm.forward(x)?, mask)?)?;
    self.mlp.forward(&self.post_attention_layernorm.forward(&x)?)
// END WRONG

// WRONG parallel fn TransformerBlock::forward: attention and MLP read the same states
    let attended = self.self_attn.forward(&self.input_layernorm.forward(x)?, mask)?;
    let mixed = self.mlp.forward(&self.post_attention_layernorm.forward(x)?)?;
    Ok(x.add(attended)?.add(mixed)?)
// END WRONG

// WRONG second-norm-lost fn TransformerBlock::forward: lets the MLP read the stream without a norm
        let attended = self.self_attn.forward(&self.input_layernorm.forward(x)?, mask)?; // (B, L, E)
        let x = x.add(attended)?;
        let mixed = self.mlp.forward(&x.clone())?; // (B, L, E)
        Ok(x.add(mixed)?)
// END WRONG

// WRONG residual-of-input fn TransformerBlock::forward: adds the MLP to the block's input, so that attention is lost
        let attended = self.self_attn.forward(&self.input_layernorm.forward(x)?, mask)?;
        let middle = x.add(attended)?;
        let mixed = self.mlp.forward(&self.post_attention_layernorm.forward(&middle)?)?;
        Ok(x.add(mixed)?)
// END WRONG
