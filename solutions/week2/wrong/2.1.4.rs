// WRONG first-row fn Qwen3Model::forward: gives the logits of the first new position
    use crate::{attention::check_offset, operators::rms_norm};
    use kit::{ANY, Error, check_shape};
    use mlx_rs::ops::indexing::TryIndexOp;

    check_shape("cached model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
    let (length, longest) = (tokens.dim(1), self.max_position_embeddings);
    if length == 0 {
        let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
        return Err(Error::Shape { op: "cached model: tokens".into(), expected, got });
    }
    let refused =
        |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
    if caches.len() != self.layers.len() {
        let value = format!("a list of {}", caches.len());
        return refused("caches", value, format!("have one entry for each of the {} layers", self.layers.len()));
    }
    caches.iter().try_for_each(|cache| check_offset(offset, &**cache))?;
    if length > longest - offset {
        let value = format!("{length} ids at offset {offset}");
        return refused("tokens", value, format!("end before position {longest} (max_position_embeddings)"));
    }
    let mut through = || {
        let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
        for (layer, cache) in self.layers.iter().zip(caches.iter_mut()) {
            hidden = layer.forward(&hidden, offset, &mut **cache)?;
        }
        if rows == Rows::Last {
            hidden = hidden.try_index((.., ..1, ..))?; // (B, 1, E): the head is the largest product of all
        }
        self.head(&rms_norm(self.rung, &self.norm, &hidden)?)
    };
    let logits = through();
    if logits.is_err() {
        caches.iter_mut().try_for_each(|cache| cache.rewind(cache.offset() - offset))?;
    }
    logits
// END WRONG

// WRONG all-rows fn Qwen3Model::forward: computes the head for every position, whatever was asked
    use crate::{attention::check_offset, operators::rms_norm};
    use kit::{ANY, Error, check_shape};
    use mlx_rs::ops::indexing::TryIndexOp;

    check_shape("cached model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
    let (length, longest) = (tokens.dim(1), self.max_position_embeddings);
    if length == 0 {
        let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
        return Err(Error::Shape { op: "cached model: tokens".into(), expected, got });
    }
    let refused =
        |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
    if caches.len() != self.layers.len() {
        let value = format!("a list of {}", caches.len());
        return refused("caches", value, format!("have one entry for each of the {} layers", self.layers.len()));
    }
    caches.iter().try_for_each(|cache| check_offset(offset, &**cache))?;
    if length > longest - offset {
        let value = format!("{length} ids at offset {offset}");
        return refused("tokens", value, format!("end before position {longest} (max_position_embeddings)"));
    }
    let mut through = || {
        let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
        for (layer, cache) in self.layers.iter().zip(caches.iter_mut()) {
            hidden = layer.forward(&hidden, offset, &mut **cache)?;
        }
        if false && rows == Rows::Last {
            hidden = hidden.try_index((.., -1.., ..))?; // (B, 1, E): the head is the largest product of all
        }
        self.head(&rms_norm(self.rung, &self.norm, &hidden)?)
    };
    let logits = through();
    if logits.is_err() {
        caches.iter_mut().try_for_each(|cache| cache.rewind(cache.offset() - offset))?;
    }
    logits
// END WRONG

// WRONG no-last-norm fn Qwen3Model::forward: forgets the norm before the head
    use crate::{attention::check_offset, operators::rms_norm};
    use kit::{ANY, Error, check_shape};
    use mlx_rs::ops::indexing::TryIndexOp;

    check_shape("cached model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
    let (length, longest) = (tokens.dim(1), self.max_position_embeddings);
    if length == 0 {
        let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
        return Err(Error::Shape { op: "cached model: tokens".into(), expected, got });
    }
    let refused =
        |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
    if caches.len() != self.layers.len() {
        let value = format!("a list of {}", caches.len());
        return refused("caches", value, format!("have one entry for each of the {} layers", self.layers.len()));
    }
    caches.iter().try_for_each(|cache| check_offset(offset, &**cache))?;
    if length > longest - offset {
        let value = format!("{length} ids at offset {offset}");
        return refused("tokens", value, format!("end before position {longest} (max_position_embeddings)"));
    }
    let mut through = || {
        let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
        for (layer, cache) in self.layers.iter().zip(caches.iter_mut()) {
            hidden = layer.forward(&hidden, offset, &mut **cache)?;
        }
        if rows == Rows::Last {
            hidden = hidden.try_index((.., -1.., ..))?; // (B, 1, E): the head is the largest product of all
        }
        {
            let _ = rms_norm;
            self.head(&hidden)
        }
    };
    let logits = through();
    if logits.is_err() {
        caches.iter_mut().try_for_each(|cache| cache.rewind(cache.offset() - offset))?;
    }
    logits
// END WRONG

// WRONG one-cache fn Qwen3Model::forward: gives every layer the first cache
    use crate::{attention::check_offset, operators::rms_norm};
    use kit::{ANY, Error, check_shape};
    use mlx_rs::ops::indexing::TryIndexOp;

    check_shape("cached model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
    let (length, longest) = (tokens.dim(1), self.max_position_embeddings);
    if length == 0 {
        let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
        return Err(Error::Shape { op: "cached model: tokens".into(), expected, got });
    }
    let refused =
        |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
    if caches.len() != self.layers.len() {
        let value = format!("a list of {}", caches.len());
        return refused("caches", value, format!("have one entry for each of the {} layers", self.layers.len()));
    }
    caches.iter().try_for_each(|cache| check_offset(offset, &**cache))?;
    if length > longest - offset {
        let value = format!("{length} ids at offset {offset}");
        return refused("tokens", value, format!("end before position {longest} (max_position_embeddings)"));
    }
    let mut through = || {
        let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
        for (layer, place) in self.layers.iter().zip(0..) {
            let cache = &mut caches[place * 0];
            hidden = layer.forward(&hidden, cache.offset(), &mut **cache)?;
        }
        if rows == Rows::Last {
            hidden = hidden.try_index((.., -1.., ..))?; // (B, 1, E): the head is the largest product of all
        }
        self.head(&rms_norm(self.rung, &self.norm, &hidden)?)
    };
    let logits = through();
    if logits.is_err() {
        caches.iter_mut().try_for_each(|cache| cache.rewind(cache.offset() - offset))?;
    }
    logits
// END WRONG

// WRONG half-done fn Qwen3Model::forward: leaves the caches of the layers before the failed one longer
    use crate::{attention::check_offset, operators::rms_norm};
    use kit::{ANY, Error, check_shape};
    use mlx_rs::ops::indexing::TryIndexOp;

    check_shape("cached model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
    let (length, longest) = (tokens.dim(1), self.max_position_embeddings);
    if length == 0 {
        let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
        return Err(Error::Shape { op: "cached model: tokens".into(), expected, got });
    }
    let refused =
        |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
    if caches.len() != self.layers.len() {
        let value = format!("a list of {}", caches.len());
        return refused("caches", value, format!("have one entry for each of the {} layers", self.layers.len()));
    }
    caches.iter().try_for_each(|cache| check_offset(offset, &**cache))?;
    if length > longest - offset {
        let value = format!("{length} ids at offset {offset}");
        return refused("tokens", value, format!("end before position {longest} (max_position_embeddings)"));
    }
    let mut through = || {
        let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
        for (layer, cache) in self.layers.iter().zip(caches.iter_mut()) {
            hidden = layer.forward(&hidden, offset, &mut **cache)?;
        }
        if rows == Rows::Last {
            hidden = hidden.try_index((.., -1.., ..))?; // (B, 1, E): the head is the largest product of all
        }
        self.head(&rms_norm(self.rung, &self.norm, &hidden)?)
    };
    let logits = through();
    logits
// END WRONG

// WRONG clears-on-failure fn Qwen3Model::forward: empties the caches after a failure
    use crate::{attention::check_offset, operators::rms_norm};
    use kit::{ANY, Error, check_shape};
    use mlx_rs::ops::indexing::TryIndexOp;

    check_shape("cached model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
    let (length, longest) = (tokens.dim(1), self.max_position_embeddings);
    if length == 0 {
        let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
        return Err(Error::Shape { op: "cached model: tokens".into(), expected, got });
    }
    let refused =
        |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
    if caches.len() != self.layers.len() {
        let value = format!("a list of {}", caches.len());
        return refused("caches", value, format!("have one entry for each of the {} layers", self.layers.len()));
    }
    caches.iter().try_for_each(|cache| check_offset(offset, &**cache))?;
    if length > longest - offset {
        let value = format!("{length} ids at offset {offset}");
        return refused("tokens", value, format!("end before position {longest} (max_position_embeddings)"));
    }
    let mut through = || {
        let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
        for (layer, cache) in self.layers.iter().zip(caches.iter_mut()) {
            hidden = layer.forward(&hidden, offset, &mut **cache)?;
        }
        if rows == Rows::Last {
            hidden = hidden.try_index((.., -1.., ..))?; // (B, 1, E): the head is the largest product of all
        }
        self.head(&rms_norm(self.rung, &self.norm, &hidden)?)
    };
    let logits = through();
    if logits.is_err() {
        caches.iter_mut().try_for_each(|cache| cache.rewind(cache.offset()))?;
    }
    logits
// END WRONG

// WRONG fewer-layers fn Qwen3Model::forward: runs as many layers as there are caches
    use crate::{attention::check_offset, operators::rms_norm};
    use kit::{ANY, Error, check_shape};
    use mlx_rs::ops::indexing::TryIndexOp;

    check_shape("cached model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
    let (length, longest) = (tokens.dim(1), self.max_position_embeddings);
    if length == 0 {
        let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
        return Err(Error::Shape { op: "cached model: tokens".into(), expected, got });
    }
    let refused =
        |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
    if caches.is_empty() {
        let value = format!("a list of {}", caches.len());
        return refused("caches", value, format!("have one entry for each of the {} layers", self.layers.len()));
    }
    caches.iter().try_for_each(|cache| check_offset(offset, &**cache))?;
    if length > longest - offset {
        let value = format!("{length} ids at offset {offset}");
        return refused("tokens", value, format!("end before position {longest} (max_position_embeddings)"));
    }
    let mut through = || {
        let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
        for (layer, cache) in self.layers.iter().zip(caches.iter_mut()) {
            hidden = layer.forward(&hidden, offset, &mut **cache)?;
        }
        if rows == Rows::Last {
            hidden = hidden.try_index((.., -1.., ..))?; // (B, 1, E): the head is the largest product of all
        }
        self.head(&rms_norm(self.rung, &self.norm, &hidden)?)
    };
    let logits = through();
    if logits.is_err() {
        caches.iter_mut().try_for_each(|cache| cache.rewind(cache.offset() - offset))?;
    }
    logits
// END WRONG

// WRONG first-cache-decides fn Qwen3Model::forward: compares the offset with the first cache alone, after the others have grown
    use crate::{attention::check_offset, operators::rms_norm};
    use kit::{ANY, Error, check_shape};
    use mlx_rs::ops::indexing::TryIndexOp;

    check_shape("cached model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
    let (length, longest) = (tokens.dim(1), self.max_position_embeddings);
    if length == 0 {
        let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
        return Err(Error::Shape { op: "cached model: tokens".into(), expected, got });
    }
    let refused =
        |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
    if caches.len() != self.layers.len() {
        let value = format!("a list of {}", caches.len());
        return refused("caches", value, format!("have one entry for each of the {} layers", self.layers.len()));
    }
    check_offset(offset, &*caches[0])?;
    if length > longest - offset {
        let value = format!("{length} ids at offset {offset}");
        return refused("tokens", value, format!("end before position {longest} (max_position_embeddings)"));
    }
    let mut through = || {
        let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
        for (layer, cache) in self.layers.iter().zip(caches.iter_mut()) {
            hidden = layer.forward(&hidden, offset, &mut **cache)?;
        }
        if rows == Rows::Last {
            hidden = hidden.try_index((.., -1.., ..))?; // (B, 1, E): the head is the largest product of all
        }
        self.head(&rms_norm(self.rung, &self.norm, &hidden)?)
    };
    let logits = through();
    if logits.is_err() {
        caches.iter_mut().try_for_each(|cache| cache.rewind(cache.offset() - offset))?;
    }
    logits
// END WRONG

// WRONG length-alone fn Qwen3Model::forward: bounds the new tokens instead of the whole text
    use crate::{attention::check_offset, operators::rms_norm};
    use kit::{ANY, Error, check_shape};
    use mlx_rs::ops::indexing::TryIndexOp;

    check_shape("cached model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
    let (length, longest) = (tokens.dim(1), self.max_position_embeddings);
    if length == 0 {
        let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
        return Err(Error::Shape { op: "cached model: tokens".into(), expected, got });
    }
    let refused =
        |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
    if caches.len() != self.layers.len() {
        let value = format!("a list of {}", caches.len());
        return refused("caches", value, format!("have one entry for each of the {} layers", self.layers.len()));
    }
    caches.iter().try_for_each(|cache| check_offset(offset, &**cache))?;
    if length > longest {
        let value = format!("{length} ids at offset {offset}");
        return refused("tokens", value, format!("end before position {longest} (max_position_embeddings)"));
    }
    let mut through = || {
        let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
        for (layer, cache) in self.layers.iter().zip(caches.iter_mut()) {
            hidden = layer.forward(&hidden, offset, &mut **cache)?;
        }
        if rows == Rows::Last {
            hidden = hidden.try_index((.., -1.., ..))?; // (B, 1, E): the head is the largest product of all
        }
        self.head(&rms_norm(self.rung, &self.norm, &hidden)?)
    };
    let logits = through();
    if logits.is_err() {
        caches.iter_mut().try_for_each(|cache| cache.rewind(cache.offset() - offset))?;
    }
    logits
// END WRONG

// WRONG one-short fn Qwen3Model::forward: refuses the last position of the context
    use crate::{attention::check_offset, operators::rms_norm};
    use kit::{ANY, Error, check_shape};
    use mlx_rs::ops::indexing::TryIndexOp;

    check_shape("cached model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
    let (length, longest) = (tokens.dim(1), self.max_position_embeddings);
    if length == 0 {
        let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
        return Err(Error::Shape { op: "cached model: tokens".into(), expected, got });
    }
    let refused =
        |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
    if caches.len() != self.layers.len() {
        let value = format!("a list of {}", caches.len());
        return refused("caches", value, format!("have one entry for each of the {} layers", self.layers.len()));
    }
    caches.iter().try_for_each(|cache| check_offset(offset, &**cache))?;
    if length >= longest - offset {
        let value = format!("{length} ids at offset {offset}");
        return refused("tokens", value, format!("end before position {longest} (max_position_embeddings)"));
    }
    let mut through = || {
        let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
        for (layer, cache) in self.layers.iter().zip(caches.iter_mut()) {
            hidden = layer.forward(&hidden, offset, &mut **cache)?;
        }
        if rows == Rows::Last {
            hidden = hidden.try_index((.., -1.., ..))?; // (B, 1, E): the head is the largest product of all
        }
        self.head(&rms_norm(self.rung, &self.norm, &hidden)?)
    };
    let logits = through();
    if logits.is_err() {
        caches.iter_mut().try_for_each(|cache| cache.rewind(cache.offset() - offset))?;
    }
    logits
// END WRONG
