//! The header of one safetensors file: untrusted bytes in, a table of tensors that lie where it says out.
//!
//! The format: 8 bytes with the header's length (little endian), the header as JSON, then the values. Each entry names
//! a dtype, a shape and the offsets of its values. Everything is checked against the file's length; no values are read.

use safetensors::Dtype;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use std::{
    collections::HashMap,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use crate::{Error, Result};

/// The longest header that is read, as in the format's reference reader.
const MOST_HEADER_BYTES: u64 = 100_000_000;

/// Where the values of a tensor lie.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    pub(crate) file: PathBuf,
    pub(crate) dtype: Dtype,
    pub(crate) shape: Vec<u64>,
    /// From the beginning of the file.
    pub(crate) offset: u64,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    dtype: Dtype,
    shape: Vec<u64>,
    data_offsets: (u64, u64),
}

/// The tensors of one file. Errors: [`Error::Checkpoint`] naming the tensor and both values.
pub(crate) fn read_header(file: &Path) -> Result<HashMap<String, Stored>> {
    let refused = |what: String| Error::checkpoint(file, what);
    let unreadable = |e: std::io::Error| Error::checkpoint(file, format!("the file cannot be read: {e}"));
    let mut opened = File::open(file).map_err(unreadable)?;
    let file_bytes = opened.metadata().map_err(unreadable)?.len();
    if file_bytes < 8 {
        return Err(refused(format!("the file has {file_bytes} bytes, too few for a safetensors header")));
    }
    let mut length = [0; 8];
    opened.read_exact(&mut length).map_err(unreadable)?;
    let header_bytes = u64::from_le_bytes(length);
    let most = MOST_HEADER_BYTES.min(file_bytes - 8);
    if header_bytes > most {
        return Err(refused(format!(
            "the header should have {header_bytes} bytes, but at most {most} are possible; the file is truncated or not safetensors"
        )));
    }
    let mut text = Vec::new();
    opened.take(header_bytes).read_to_end(&mut text).map_err(unreadable)?;
    let entries = tensor_entries(&text).map_err(|e| refused(format!("the header is not valid: {e}")))?;
    placed(file, entries, 8 + header_bytes, file_bytes)
}

/// Checks sizes and offsets: the values fill the file from the header to its end, without gaps or overlaps.
fn placed(file: &Path, mut entries: Vec<(String, Entry)>, start: u64, end: u64) -> Result<HashMap<String, Stored>> {
    let refused = |what: String| Err(Error::checkpoint(file, what));
    entries.sort_by_key(|(_, entry)| entry.data_offsets);
    let mut tensors = HashMap::with_capacity(entries.len());
    let mut covered = 0;
    for (name, Entry { dtype, shape, data_offsets: (from, to) }) in entries {
        let bits = shape.iter().try_fold(dtype.bitsize() as u64, |product, &length| product.checked_mul(length));
        let bytes = match bits {
            Some(bits) if bits % 8 == 0 => bits / 8,
            _ => {
                return refused(format!("the tensor {name} of shape {shape:?} and dtype {dtype} has no size in bytes"));
            }
        };
        if to.checked_sub(from) != Some(bytes) {
            return refused(format!(
                "the tensor {name} of shape {shape:?} and dtype {dtype} takes {bytes} bytes, but its offsets are {from} to {to}"
            ));
        }
        if to > end - start {
            return refused(format!(
                "the tensor {name} ends at byte {to} of the values, but the file has {}; it is truncated",
                end - start
            ));
        }
        if from != covered {
            return refused(format!(
                "the tensor {name} begins at byte {from}, but the one before it ends at {covered}"
            ));
        }
        covered = to;
        let stored = Stored { file: file.to_path_buf(), dtype, shape, offset: start + from };
        if tensors.insert(name.clone(), stored).is_some() {
            return refused(format!("the tensor {name} is listed twice"));
        }
    }
    if covered != end - start {
        return refused(format!("the tensors take {covered} bytes, but the file has {} for them", end - start));
    }
    Ok(tensors)
}

/// The entries of the header in order, repeated names included, without `__metadata__`.
fn tensor_entries(text: &[u8]) -> serde_json::Result<Vec<(String, Entry)>> {
    struct Header;
    impl<'de> Visitor<'de> for Header {
        type Value = Vec<(String, Entry)>;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object of tensors")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Self::Value, A::Error> {
            let mut entries = Vec::new();
            while let Some(name) = map.next_key::<String>()? {
                if name == "__metadata__" {
                    map.next_value::<HashMap<String, String>>()?;
                } else {
                    let entry = map.next_value().map_err(|e| A::Error::custom(format!("the tensor {name}: {e}")))?;
                    entries.push((name, entry));
                }
            }
            Ok(entries)
        }
    }
    let mut reader = serde_json::Deserializer::from_slice(text);
    let entries = reader.deserialize_map(Header)?;
    reader.end()?;
    Ok(entries)
}
