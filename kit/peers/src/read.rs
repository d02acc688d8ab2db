//! Reads what [`crate::gguf`] writes: the table, and a tensor's values unpacked in f32.

use std::{collections::HashMap, ops::Range};

use half::f16;

use crate::{
    gguf::ALIGNMENT,
    metadata::Value,
    packing::{BLOCK, Packing},
};

/// A file in memory.
pub struct Gguf<'a> {
    bytes: &'a [u8],
    /// The table.
    pub entries: HashMap<String, Value>,
    /// Of each tensor: its dimensions, the fastest first, its type, and where its values begin in the file.
    pub tensors: HashMap<String, (Vec<u64>, u32, usize)>,
}

impl<'a> Gguf<'a> {
    /// `None` for a file that ends early or holds what is never written here.
    pub fn parse(bytes: &'a [u8]) -> Option<Self> {
        let mut cursor = Cursor { bytes, at: 0 };
        if cursor.take(4)? != b"GGUF" || cursor.u32()? != 3 {
            return None;
        }
        let (tensor_count, entry_count) = (cursor.u64()?, cursor.u64()?);
        let mut entries = HashMap::new();
        for _ in 0..entry_count {
            let name = cursor.text()?;
            let value = match cursor.u32()? {
                4 => Value::U32(cursor.u32()?),
                6 => Value::F32(f32::from_bits(cursor.u32()?)),
                8 => Value::Text(cursor.text()?),
                _ => return None,
            };
            entries.insert(name, value);
        }
        let mut tensors = HashMap::new();
        for _ in 0..tensor_count {
            let name = cursor.text()?;
            let count = cursor.u32()?;
            let dimensions = (0..count).map(|_| cursor.u64()).collect::<Option<Vec<_>>>()?;
            tensors.insert(name, (dimensions, cursor.u32()?, usize::try_from(cursor.u64()?).ok()?));
        }
        let start = cursor.at.next_multiple_of(ALIGNMENT);
        tensors.values_mut().for_each(|(_, _, place)| *place += start);
        Some(Self { bytes, entries, tensors })
    }

    /// The values of a tensor, row after row; `None` where it is missing or of a type that is never written here.
    pub fn values(&self, name: &str) -> Option<Vec<f32>> {
        let (dimensions, kind, place) = self.tensors.get(name)?;
        let count = usize::try_from(dimensions.iter().product::<u64>()).ok()?;
        let take = |range: Range<usize>| self.bytes.get(range);
        let packing = match kind {
            0 => {
                let words = take(*place..place + count * 4)?.chunks_exact(4);
                return words.map(|word| Some(f32::from_le_bytes(word.try_into().ok()?))).collect();
            }
            2 => Packing::Q4_0,
            3 => Packing::Q4_1,
            _ => return None,
        };
        let size = packing.block_bytes();
        let blocks = take(*place..place + count / BLOCK * size)?.chunks_exact(size);
        Some(blocks.flat_map(|block| unpacked(block, packing)).collect())
    }
}

fn unpacked(block: &[u8], packing: Packing) -> [f32; BLOCK] {
    let half = |at: usize| f16::from_le_bytes([block[at], block[at + 1]]).to_f32();
    let codes = &block[packing.block_bytes() - BLOCK / 2..];
    std::array::from_fn(|place| {
        let byte = codes[place % (BLOCK / 2)];
        let code = f32::from(if place < BLOCK / 2 { byte & 15 } else { byte >> 4 });
        match packing {
            Packing::Q4_1 => half(0) * code + half(2),
            Packing::Q4_0 => half(0) * (code - 8.0),
        }
    })
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn text(&mut self) -> Option<String> {
        let length = usize::try_from(self.u64()?).ok()?;
        String::from_utf8(self.take(length)?.to_vec()).ok()
    }
}
