//! Rows of 4-bit codes with a scale and a bias per group in, ggml's blocks of 32 values out.
//!
//! A block of Q4_1 holds `d`, `m` (f16) and 32 codes: value = d·code + m, which is MLX's scale·code + bias. A group of
//! 32, 64 or 128 values is one, two or four such blocks with the same `d` and `m`: nothing is lost unless a scale does
//! not fit into f16. A block of Q4_0 holds `d` and codes around 8: value = d·(code - 8); values are rounded to it anew.

use half::f16;

/// Values of a block.
pub const BLOCK: usize = 32;

/// How matrices are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// A scale and a least value: 20 bytes for 32 values.
    Q4_1,
    /// A scale alone: 18 bytes for 32 values.
    Q4_0,
}

impl Packing {
    /// Bytes of a block.
    pub const fn block_bytes(self) -> usize {
        match self {
            Self::Q4_1 => 4 + BLOCK / 2,
            Self::Q4_0 => 2 + BLOCK / 2,
        }
    }

    /// Its number among ggml's types of tensors.
    pub const fn tensor_type(self) -> u32 {
        match self {
            Self::Q4_0 => 2,
            Self::Q4_1 => 3,
        }
    }

    /// Its number among llama.cpp's types of files.
    pub const fn file_type(self) -> u32 {
        match self {
            Self::Q4_0 => 2,
            Self::Q4_1 => 3,
        }
    }
}

/// A matrix as MLX packs it in 4 bits.
pub struct Codes<'a> {
    /// Eight codes a word, the lowest bits first.
    pub words: &'a [u32],
    /// One a group.
    pub scales: &'a [f32],
    /// Like `scales`.
    pub biases: &'a [f32],
    /// Values of a group: a multiple of 32.
    pub group: usize,
}

impl Codes<'_> {
    fn code(&self, place: usize) -> u8 {
        (self.words[place / 8] >> (4 * (place % 8)) & 15) as u8
    }

    /// All blocks in order, and how many scales and biases f16 had to round. The number of values is a multiple of 32.
    pub fn blocks(&self, packing: Packing) -> (Vec<u8>, usize) {
        let blocks = self.words.len() * 8 / BLOCK;
        let mut bytes = Vec::with_capacity(blocks * packing.block_bytes());
        let mut rounded = 0;
        for block in 0..blocks {
            let start = block * BLOCK;
            let (scale, bias) = (self.scales[start / self.group], self.biases[start / self.group]);
            let codes: [u8; BLOCK] = std::array::from_fn(|place| self.code(start + place));
            match packing {
                Packing::Q4_1 => {
                    for value in [scale, bias] {
                        let half = f16::from_f32(value);
                        // Once a group, however many blocks it is.
                        rounded += usize::from(start.is_multiple_of(self.group) && half.to_f32() != value);
                        bytes.extend(half.to_le_bytes());
                    }
                    bytes.extend(nibbles(codes));
                }
                Packing::Q4_0 => {
                    let (half, codes) = without_bias(codes.map(|code| scale * f32::from(code) + bias));
                    bytes.extend(half.to_le_bytes());
                    bytes.extend(nibbles(codes));
                }
            }
        }
        (bytes, rounded)
    }
}

/// Byte i holds code i in its low half and code i + 16 in its high half.
fn nibbles(codes: [u8; BLOCK]) -> [u8; BLOCK / 2] {
    std::array::from_fn(|place| codes[place] | codes[place + BLOCK / 2] << 4)
}

/// The scale that puts the value farthest from 0 at code 0, and the codes nearest to the values: ggml's own rule.
fn without_bias(values: [f32; BLOCK]) -> (f16, [u8; BLOCK]) {
    let farthest = values.into_iter().fold(0.0_f32, |far, value| if value.abs() > far.abs() { value } else { far });
    let scale = farthest / -8.0;
    let inverse = if scale == 0.0 { 0.0 } else { 1.0 / scale };
    // A cast ends at 0 where a number is below.
    (f16::from_f32(scale), values.map(|value| ((value * inverse + 8.5) as u8).min(15)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Codes 0, 1, … 15, 0, … of two groups.
    fn codes(scales: &[f32], biases: &[f32]) -> (Vec<u8>, usize, Vec<u8>) {
        let words = [0x7654_3210_u32, 0xfedc_ba98].repeat(8);
        let codes = Codes { words: &words, scales, biases, group: 64 };
        let (bytes, rounded) = codes.blocks(Packing::Q4_1);
        (bytes, rounded, codes.blocks(Packing::Q4_0).0)
    }

    #[test]
    fn a_group_becomes_blocks_with_its_scale_and_bias() {
        let (bytes, rounded, _) = codes(&[0.5, -2.0], &[-3.75, 15.0]);
        assert_eq!((bytes.len(), rounded), (4 * 20, 0));
        let half = |at: usize| f16::from_le_bytes([bytes[at], bytes[at + 1]]).to_f32();
        assert_eq!([0, 20, 40, 60].map(half), [0.5, 0.5, -2.0, -2.0]);
        assert_eq!([2, 22, 42, 62].map(half), [-3.75, -3.75, 15.0, 15.0]);
        // Codes 0 to 15 twice: both halves of byte i are i.
        let wanted: Vec<u8> = (0..16).map(|code| code | code << 4).collect();
        assert_eq!(&bytes[4..20], wanted);
    }

    #[test]
    fn what_f16_cannot_hold_is_counted_once_a_group() {
        assert_eq!(codes(&[1.0e-9, 0.25], &[0.1, 0.5]).1, 2);
    }

    #[test]
    fn without_a_bias_the_farthest_value_is_exact() {
        // Values 0.5·code - 6: from -6 to 1.5, so d = 0.75 and code 0 is -6.
        let (_, _, bytes) = codes(&[0.5, 0.0], &[-6.0, 0.0]);
        let value = |block: usize, place: usize| {
            let start = block * 18;
            let byte = bytes[start + 2 + place % 16];
            let code = if place < 16 { byte & 15 } else { byte >> 4 };
            f16::from_le_bytes([bytes[start], bytes[start + 1]]).to_f32() * (f32::from(code) - 8.0)
        };
        for place in 0..32 {
            let wanted = 0.5 * (place % 16) as f32 - 6.0;
            assert!((value(0, place) - wanted).abs() <= 0.375, "{place}: {} for {wanted}", value(0, place));
            assert_eq!(value(2, place), 0.0, "a block of zeros");
        }
        assert_eq!(value(0, 0), -6.0);
    }
}
