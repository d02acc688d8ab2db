//! A cache with a fixed number of places, side by side in one array a layer.
//!
//! In: the new keys and values of the texts that take part in a step, (B, H, L, D). Out: everything that these texts may
//! look at, (B, H, S, D), and a mask, because texts have different lengths. Every text begins at index 0, so that a long
//! neighbour adds masked keys behind it and moves nothing.

use crate::batch_cache::{BatchCache, Seen, Step, refused};
use kit::Result;
use mlx_rs::Array;

/// Who sees what when rows have different lengths.
///
/// Row b has `offsets[b]` old tokens and `tokens` new ones, L. Returns
/// (B, 1, L, S) in f32, S the length of the longest row: 0 where key s is
/// not behind query l of its row, `s <= offsets[b] + l`, else -inf.
pub fn row_mask(offsets: &[i32], tokens: i32) -> Result<Array> {
    // SOLUTION 3.1.2 offsets, tokens
    use mlx_rs::ops::{arange, select};

    let longest = offsets.iter().max().copied().unwrap_or(0) + tokens; // S
    let first = Array::from_slice(offsets, &[offsets.len() as i32, 1, 1, 1]);
    let queries = arange::<_, i32>(0, tokens, 1)?.expand_dims(1)?.add(first)?; // (B, 1, L, 1)
    let seen = arange::<_, i32>(0, longest, 1)?.le(queries)?; // (B, 1, L, S)
    Ok(select(seen, Array::from_f32(0.0), Array::from_f32(f32::NEG_INFINITY))?)
    // END SOLUTION
}

/// Keys and values, in this order.
pub type Pair = (Array, Array);

/// Dense caches of a number of slots.
#[derive(Debug)]
pub struct SlotCache {
    /// Per layer: both (slots, H, C, D), C a multiple of `block`; `None`
    /// before the first token.
    pub storage: Vec<Option<Pair>>,
    /// Tokens of the text in each slot; `None` where there is no text.
    pub lengths: Vec<Option<i32>>,
    /// The room grows by so many tokens.
    pub block: i32,
}

impl SlotCache {
    /// Empty slots for a model of `layers` layers.
    ///
    /// Errors: `InvalidArgument` about `layers`, `slots` or `block` unless at
    /// least 1.
    pub fn new(layers: usize, slots: usize, block: i32) -> Result<Self> {
        for (name, value) in [("layers", layers), ("slots", slots), ("block", block.max(0) as usize)] {
            if value == 0 {
                return refused(name, value, "be at least 1");
            }
        }
        Ok(Self { storage: vec![None; layers], lengths: vec![None; slots], block })
    }

    /// Makes room for `tokens` tokens a slot in one layer, of the heads and
    /// the dtype of `like` (B, H, L, D). What was there keeps its place.
    pub fn make_room(&mut self, layer: usize, tokens: i32, like: &Array) -> Result<()> {
        use mlx_rs::ops::{concatenate, zeros_dtype};

        let capacity = self.storage[layer].as_ref().map_or(0, |(keys, _)| keys.dim(2)); // C
        if tokens <= capacity {
            return Ok(());
        }
        let Some(rounded) = tokens.checked_add(self.block - 1) else {
            return refused("block", self.block, "let the room of a text fit into an i32");
        };
        let length = rounded / self.block * self.block - capacity;
        let room = zeros_dtype(&[self.slots() as i32, like.dim(1), length, like.dim(3)], like.dtype())?;
        self.storage[layer] = Some(match &self.storage[layer] {
            None => (room.clone(), room),
            Some((keys, values)) => (concatenate(&[keys, &room], 2)?, concatenate(&[values, &room], 2)?),
        });
        Ok(())
    }
}

/// What the rows of `step` see of `storage` (slots, H, C, D): (B, H, S, D), 0 behind the end of each row, where a step
/// that was dropped may have left anything.
pub fn rows_of(storage: &Array, step: &Step) -> Result<Array> {
    use mlx_rs::ops::{arange, indexing::TryIndexOp, select};

    let side_by_side = step.slots.windows(2).all(|pair| pair[1] == pair[0] + 1);
    let (first, rows) = (step.slots[0] as i32, step.slots.len() as i32);
    let used = if side_by_side {
        storage.try_index((first..first + rows, .., ..step.keys, ..))?
    } else {
        let ids: Vec<i32> = step.slots.iter().map(|&slot| slot as i32).collect();
        let used = storage.try_index((.., .., ..step.keys, ..))?;
        used.take_axis(Array::from_slice(&ids, &[rows]), 0)?
    };
    let ends: Vec<i32> = step.offsets.iter().map(|offset| offset + step.tokens).collect();
    if ends.iter().all(|&end| end == step.keys) {
        return Ok(used);
    }
    let places = arange::<_, i32>(0, step.keys, 1)?.reshape(&[1, 1, step.keys, 1])?;
    let own = places.lt(Array::from_slice(&ends, &[rows, 1, 1, 1]))?;
    Ok(select(own, &used, Array::from_f32(0.0).as_dtype(storage.dtype())?)?)
}

impl BatchCache for SlotCache {
    fn slots(&self) -> usize {
        self.lengths.len()
    }

    fn length(&self, slot: usize) -> Option<i32> {
        self.lengths.get(slot).copied().flatten()
    }

    fn join(&mut self, slot: usize) -> Result<()> {
        let count = self.slots();
        match self.lengths.get_mut(slot) {
            Some(length @ None) => {
                *length = Some(0);
                Ok(())
            }
            Some(Some(_)) => refused("slot", slot, "be free"),
            None => refused("slot", slot, &format!("be below the number of slots, {count}")),
        }
    }

    /// What the text has left behind becomes zeros: a key or value that is
    /// NaN would reach other rows through any mask.
    fn leave(&mut self, slot: usize) -> Result<()> {
        // SOLUTION 3.1.2 self.storage, self.lengths, slot
        use mlx_rs::ops::indexing::TryIndexMutOp;

        if self.length(slot).is_none() {
            return refused("slot", slot, "hold a text");
        }
        let row = slot as i32..slot as i32 + 1;
        for (keys, values) in self.storage.iter_mut().flatten() {
            for kept in [keys, values] {
                let nothing = Array::from_f32(0.0).as_dtype(kept.dtype())?;
                kept.try_index_mut(row.clone(), nothing)?;
            }
        }
        self.lengths[slot] = None;
        Ok(())
        // END SOLUTION
    }

    fn begin(&mut self, slots: &[usize], tokens: i32) -> Result<Step> {
        let offset = |&slot: &usize| match self.length(slot) {
            Some(length) => Ok(length),
            None => refused("slot", slot, "hold a text"),
        };
        Step::new(slots, slots.iter().map(offset).collect::<Result<_>>()?, tokens)
    }

    /// Writes each row behind the text of its slot.
    ///
    /// Errors: `InvalidArgument` about `layer`; `Shape` unless (B, H, L, D)
    /// with the B and L of `step` and the H and D that are kept; `Dtype`.
    fn update(&mut self, step: &Step, layer: usize, keys: &Array, values: &Array) -> Result<Seen> {
        // SOLUTION 3.1.2 self.storage, step, layer, keys, values
        use mlx_rs::ops::indexing::{TryIndexMutOp, TryIndexOp};

        step.check(&*self)?;
        check_new(step, self.storage.get(layer).map(Option::as_ref), layer, keys, values)?;
        self.make_room(layer, step.keys, keys)?;
        let Some((all_keys, all_values)) = &mut self.storage[layer] else {
            return Err(kit::Error::Other("the slot cache has made no room".into()));
        };
        for (row, (&slot, &offset)) in (0..).zip(step.slots.iter().zip(&step.offsets)) {
            let (slot, from) = (slot as i32, row..row + 1);
            let to = (slot..slot + 1, .., offset..offset + step.tokens, ..);
            all_keys.try_index_mut(to.clone(), keys.try_index(from.clone())?)?;
            all_values.try_index_mut(to, values.try_index(from)?)?;
        }
        Ok(Seen::Dense(rows_of(all_keys, step)?, rows_of(all_values, step)?))
        // END SOLUTION
    }

    fn commit(&mut self, step: Step) -> Result<()> {
        step.check(&*self)?;
        for (&slot, offset) in step.slots.iter().zip(step.offsets) {
            self.lengths[slot] = Some(offset + step.tokens);
        }
        Ok(())
    }

    /// A text that grows again writes over what it has forgotten.
    fn rewind(&mut self, slot: usize, tokens: i32) -> Result<()> {
        // SOLUTION 3.7.6 self.lengths, slot, tokens
        let Some(length) = self.length(slot) else { return refused("slot", slot, "hold a text") };
        if !(0..=length).contains(&tokens) {
            return refused("tokens", tokens, &format!("be between 0 and {length}, the tokens of the text"));
        }
        self.lengths[slot] = Some(length - tokens);
        Ok(())
        // END SOLUTION
    }

    fn held_bytes(&self) -> usize {
        self.storage.iter().flatten().map(|(keys, values)| keys.nbytes() + values.nbytes()).sum()
    }
}

/// Refuses a layer that is not there, and keys and values that do not fit the step or what is `kept` (.., H, .., D).
pub fn check_new(step: &Step, kept: Option<Option<&Pair>>, layer: usize, keys: &Array, values: &Array) -> Result<()> {
    use kit::{ANY, check_dtype, check_float, check_shape};

    let Some(kept) = kept else { return refused("layer", layer, "be a layer of the model") };
    let (heads, width) = kept.map_or((ANY, ANY), |(keys, _)| (keys.dim(1), keys.dim(3)));
    check_float("batch cache: keys", keys)?;
    check_shape("batch cache: keys", keys, "(B, H, L, D)", &[step.slots.len() as i32, heads, step.tokens, width])?;
    if let Some((kept, _)) = kept {
        check_dtype("batch cache: keys", keys, kept.dtype())?;
    }
    check_shape("batch cache: values", values, "(B, H, L, D)", keys.shape())?;
    check_dtype("batch cache: values", values, keys.dtype())
}
