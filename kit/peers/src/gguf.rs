//! Writes a 4-bit checkpoint as GGUF, a tensor at a time, so that no more than one is ever in memory.
//!
//! The file: a magic word and the version, the table of metadata, a list of tensors with their places, then the values,
//! each tensor at a multiple of 32 bytes. All numbers are little endian; a shape begins with the fastest dimension.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::Path,
};

use kit::{Checkpoint, Error, LinearWeights, Result};
use mlx_rs::{Array, Dtype};

use crate::{
    metadata::{Tensor, Value, entries, tensors},
    packing::{BLOCK, Codes, Packing},
};

/// Where tensors begin.
pub const ALIGNMENT: usize = 32;

/// What became of a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// Of the file.
    pub bytes: u64,
    /// Scales and biases that f16 does not hold exactly (Q4_1).
    pub rounded: usize,
}

/// Writes `checkpoint` to `file`, whose folder is made where it is missing.
///
/// Errors: `Other` for a module that is not packed in 4 bits, and for a file that cannot be written.
pub fn write(checkpoint: &Checkpoint, packing: Packing, file: &Path) -> Result<Written> {
    let unwritable = |e: io::Error| Error::Other(format!("{} cannot be written: {e}", file.display()));
    let tensors = tensors(checkpoint.config());
    // Under another name until it is whole.
    let unfinished = file.with_extension("unfinished");
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(unwritable)?;
    }
    let mut out = BufWriter::with_capacity(1 << 20, File::create(&unfinished).map_err(unwritable)?);
    let name = checkpoint.folder().file_name().unwrap_or_default().to_string_lossy().into_owned();
    let head = head(&entries(checkpoint.config(), &name, packing), &tensors, packing);
    out.write_all(&head).map_err(unwritable)?;
    let mut written = Written { bytes: head.len() as u64, rounded: 0 };
    for tensor in &tensors {
        let (mut values, rounded) = values(checkpoint, tensor, packing)?;
        values.resize(values.len().next_multiple_of(ALIGNMENT), 0);
        out.write_all(&values).map_err(unwritable)?;
        written.bytes += values.len() as u64;
        written.rounded += rounded;
    }
    out.flush().map_err(unwritable)?;
    fs::rename(&unfinished, file).map_err(unwritable)?;
    Ok(written)
}

/// Everything before the values.
fn head(entries: &[(String, Value)], tensors: &[Tensor], packing: Packing) -> Vec<u8> {
    let mut head = b"GGUF".to_vec();
    head.extend(3_u32.to_le_bytes());
    head.extend((tensors.len() as u64).to_le_bytes());
    head.extend((entries.len() as u64).to_le_bytes());
    for (name, value) in entries {
        text(&mut head, name);
        match value {
            Value::U32(number) => {
                head.extend(4_u32.to_le_bytes());
                head.extend(number.to_le_bytes());
            }
            Value::F32(number) => {
                head.extend(6_u32.to_le_bytes());
                head.extend(number.to_le_bytes());
            }
            Value::Text(words) => {
                head.extend(8_u32.to_le_bytes());
                text(&mut head, words);
            }
        }
    }
    let mut place = 0_u64;
    for tensor in tensors {
        let (rows, columns) = tensor.shape;
        text(&mut head, &tensor.name);
        let dimensions = if tensor.packed { vec![columns, rows] } else { vec![columns] };
        head.extend((dimensions.len() as u32).to_le_bytes());
        dimensions.iter().for_each(|&length| head.extend((length as u64).to_le_bytes()));
        head.extend(if tensor.packed { packing.tensor_type() } else { 0 }.to_le_bytes());
        head.extend(place.to_le_bytes());
        let bytes = if tensor.packed { rows * columns / BLOCK * packing.block_bytes() } else { columns * 4 };
        place += bytes.next_multiple_of(ALIGNMENT) as u64;
    }
    head.resize(head.len().next_multiple_of(ALIGNMENT), 0);
    head
}

fn text(head: &mut Vec<u8>, words: &str) {
    head.extend((words.len() as u64).to_le_bytes());
    head.extend(words.as_bytes());
}

/// The bytes of one tensor, and how many scales and biases were rounded.
fn values(checkpoint: &Checkpoint, tensor: &Tensor, packing: Packing) -> Result<(Vec<u8>, usize)> {
    let refused = |what: String| Error::Other(format!("{}: {what}", checkpoint.folder().display()));
    let stored = checkpoint.weights().linear(&tensor.module)?;
    match stored {
        LinearWeights::Dense { weight } if !tensor.packed => {
            Ok((floats(&weight)?.iter().flat_map(|value| value.to_le_bytes()).collect(), 0))
        }
        LinearWeights::Quantized { weight, scales, biases, group_size, bits: 4 } if tensor.packed => {
            weight.eval()?;
            let words = weight.try_as_slice::<u32>().map_err(|e| refused(format!("{}: {e}", tensor.module)))?;
            let (scales, biases) = (floats(&scales)?, floats(&biases)?);
            let codes = Codes { words, scales: &scales, biases: &biases, group: group_size.unsigned_abs() as usize };
            Ok(codes.blocks(packing))
        }
        _ => Err(refused(format!("{} is not packed in 4 bits, and other engines get 4-bit files here", tensor.module))),
    }
}

fn floats(array: &Array) -> Result<Vec<f32>> {
    let array = array.as_dtype(Dtype::Float32)?;
    array.eval()?;
    let slice = array.try_as_slice::<f32>().map_err(|e| Error::Other(format!("an array cannot be read: {e}")))?;
    Ok(slice.to_vec())
}
