//! Which safetensors files make up a checkpoint: one file, or shards that an index lists.

use serde_json::Value;
use std::{
    collections::{BTreeSet, HashMap},
    path::{Path, PathBuf},
};

use super::{
    fields::{Fields, read_json},
    header::{Stored, read_header},
};
use crate::{Error, Result};

const SINGLE: &str = "model.safetensors";
const INDEX: &str = "model.safetensors.index.json";

/// Every tensor of the checkpoint in `folder`, and the file that lists them.
pub(crate) fn read_tensors(folder: &Path) -> Result<(PathBuf, HashMap<String, Stored>)> {
    let index = folder.join(INDEX);
    if !index.is_file() {
        let single = folder.join(SINGLE);
        if !single.is_file() {
            return Err(Error::checkpoint(folder, format!("the folder has neither {SINGLE} nor {INDEX}")));
        }
        let tensors = read_header(&single)?;
        return Ok((single, tensors));
    }
    let root = read_json(&index)?;
    let fields = Fields::new(&index, &root);
    let Some(weight_map) = fields.object("weight_map")? else {
        return Err(fields.refused("weight_map is missing"));
    };
    let mut shards = BTreeSet::new();
    for (tensor, shard) in weight_map {
        shards.insert(file_name(&fields, tensor, shard)?);
    }
    let mut tensors: HashMap<String, Stored> = HashMap::new();
    for shard in shards {
        for (name, stored) in read_header(&folder.join(shard))? {
            match weight_map.get(&name).and_then(Value::as_str) {
                Some(listed) if listed == shard => {}
                Some(listed) => {
                    return Err(
                        fields.refused(format!("the tensor {name} should be in {listed}, but it is in {shard}"))
                    );
                }
                None => return Err(fields.refused(format!("the tensor {name} of {shard} is not in weight_map"))),
            }
            tensors.insert(name, stored);
        }
    }
    match weight_map.iter().find(|(name, _)| !tensors.contains_key(*name)) {
        Some((name, shard)) => Err(fields.refused(format!("the tensor {name} should be in {shard}, but it is not"))),
        None => Ok((index.clone(), tensors)),
    }
}

/// A shard's name: a plain file name, so that an index cannot point outside its folder.
fn file_name<'a>(index: &Fields<'_>, tensor: &str, shard: &'a Value) -> Result<&'a str> {
    match shard.as_str() {
        Some(name) if name.ends_with(".safetensors") && !name.contains(['/', '\\', ':']) && !name.starts_with('.') => {
            Ok(name)
        }
        _ => Err(index.refused(format!(
            "the tensor {tensor} should be in {shard}, but a shard is a file name ending in .safetensors, without folders"
        ))),
    }
}
