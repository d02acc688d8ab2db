//! `config.json` of a Qwen3 model: untrusted JSON in, sizes that agree with each other out.

use serde_json::{Map, Value};
use std::{collections::BTreeMap, path::Path};

use super::{
    experts::{Experts, experts},
    fields::{Fields, read_json},
};
use crate::{Error, Result};

/// Sizes above this are refused before anything is multiplied or allocated.
pub(super) const MOST: i32 = 1 << 24;

/// The sizes and constants of a model, named as in `config.json`.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Width of the residual stream, E.
    pub hidden_size: i32,
    /// Number of transformer blocks.
    pub num_hidden_layers: i32,
    /// Query heads.
    pub num_attention_heads: i32,
    /// Key and value heads; divides the query heads.
    pub num_key_value_heads: i32,
    /// Width of a head; even. `hidden_size / num_attention_heads` where the file leaves it out.
    pub head_dim: i32,
    /// Width of the MLP.
    pub intermediate_size: i32,
    /// Rows of the embedding, V.
    pub vocab_size: i32,
    /// The epsilon of every RMSNorm.
    pub rms_norm_eps: f32,
    /// The base of the rotation angles.
    pub rope_theta: f32,
    /// The longest text.
    pub max_position_embeddings: i32,
    /// Whether the embedding is the output layer as well.
    pub tie_word_embeddings: bool,
    /// How linear layers and the embedding are packed, unless they are stored dense.
    pub quantization: Option<Quantization>,
    /// Modules packed in another way (`Some`) or kept dense (`None`).
    pub quantization_overrides: BTreeMap<String, Option<Quantization>>,
    /// Which layers have experts instead of one MLP; `None` where no layer has.
    pub experts: Option<Experts>,
}

/// MLX's affine packing: groups of a row share a scale and a bias.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantization {
    /// Values that share a scale and a bias: 32, 64 or 128.
    pub group_size: i32,
    /// Bits of a value: 2, 3, 4, 5, 6 or 8.
    pub bits: i32,
}

impl Config {
    /// Reads and checks `config.json`. Errors: [`Error::Checkpoint`] with the field, its value and the rule.
    pub fn open(file: &Path) -> Result<Self> {
        let root = read_json(file)?;
        let fields = Fields::new(file, &root);
        supported(&fields)?;
        let size = |name| fields.integer(name, 1, MOST);
        let (hidden_size, num_attention_heads) = (size("hidden_size")?, size("num_attention_heads")?);
        let config = Self {
            hidden_size,
            num_attention_heads,
            num_hidden_layers: size("num_hidden_layers")?,
            num_key_value_heads: size("num_key_value_heads")?,
            head_dim: match fields.get("head_dim") {
                Some(_) => size("head_dim")?,
                None if hidden_size % num_attention_heads == 0 => hidden_size / num_attention_heads,
                None => return Err(fields.refused(format!(
                    "head_dim is missing and hidden_size {hidden_size} does not divide by num_attention_heads {num_attention_heads}"
                ))),
            },
            intermediate_size: size("intermediate_size")?,
            vocab_size: size("vocab_size")?,
            rms_norm_eps: fields.positive("rms_norm_eps")?,
            rope_theta: rope_theta(&fields)?,
            max_position_embeddings: size("max_position_embeddings")?,
            tie_word_embeddings: fields.flag("tie_word_embeddings")?,
            quantization: None,
            quantization_overrides: BTreeMap::new(),
            experts: experts(&fields)?,
        };
        config.sizes_agree(&fields)?;
        config.with_quantization(&fields)
    }

    /// How the module at `path` is packed, by this file alone.
    pub fn quantization_of(&self, path: &str) -> Option<Quantization> {
        self.quantization_overrides.get(path).copied().unwrap_or(self.quantization)
    }

    /// The experts of layer `layer`; `None` where it has one MLP.
    pub fn experts_of(&self, layer: i32) -> Option<&Experts> {
        let sparse = |experts: &&Experts| {
            (layer + 1) % experts.decoder_sparse_step == 0 && !experts.mlp_only_layers.contains(&layer)
        };
        self.experts.as_ref().filter(sparse)
    }

    fn sizes_agree(&self, fields: &Fields<'_>) -> Result<()> {
        let (heads, kv_heads) = (self.num_attention_heads, self.num_key_value_heads);
        if heads % kv_heads != 0 {
            return Err(fields
                .refused(format!("num_attention_heads {heads} does not divide by num_key_value_heads {kv_heads}")));
        }
        if self.head_dim % 2 != 0 {
            return Err(fields.refused(format!("head_dim is {}, but rotations need an even one", self.head_dim)));
        }
        if heads.checked_mul(self.head_dim).is_none_or(|width| width > MOST) {
            return Err(fields
                .refused(format!("num_attention_heads {heads} times head_dim {} is more than {MOST}", self.head_dim)));
        }
        Ok(())
    }

    fn with_quantization(mut self, fields: &Fields<'_>) -> Result<Self> {
        let first = fields.object("quantization")?;
        let second = fields.object("quantization_config")?;
        if let (Some(first), Some(second)) = (first, second)
            && first != second
        {
            return Err(fields.refused("quantization and quantization_config differ"));
        }
        let Some(packing) = first.or(second) else { return Ok(self) };
        self.quantization = Some(packing_of(fields, "quantization", packing)?);
        for (path, value) in packing {
            match value {
                Value::Bool(false) => {
                    self.quantization_overrides.insert(path.clone(), None);
                }
                Value::Object(own) => {
                    self.quantization_overrides.insert(path.clone(), Some(packing_of(fields, path, own)?));
                }
                _ => {}
            }
        }
        Ok(self)
    }
}

/// Refuses what a Qwen3 engine would silently compute wrongly.
fn supported(fields: &Fields<'_>) -> Result<()> {
    match fields.get("model_type").and_then(Value::as_str) {
        Some("qwen3" | "qwen3_moe") => {}
        _ => {
            return Err(fields.refused(format!(
                "model_type is {}, but this course reads \"qwen3\" and \"qwen3_moe\" only",
                fields.shown("model_type")
            )));
        }
    }
    if !matches!(fields.get("hidden_act").map(Value::as_str), None | Some(Some("silu"))) {
        return Err(fields.refused(format!("hidden_act is {}, but Qwen3 uses \"silu\"", fields.shown("hidden_act"))));
    }
    for name in ["attention_bias", "use_sliding_window"] {
        if fields.flag(name)? {
            return Err(fields.refused(format!("{name} is true, which this course does not compute")));
        }
    }
    if fields.get("rope_scaling").is_some() {
        return Err(fields.refused(format!(
            "rope_scaling is {}, but this course computes unscaled rotations only (null)",
            fields.shown("rope_scaling")
        )));
    }
    Ok(())
}

/// `rope_theta`, or the one inside `rope_parameters` that newer writers use.
fn rope_theta(fields: &Fields<'_>) -> Result<f32> {
    let Some(parameters) = fields.object("rope_parameters")? else { return fields.positive("rope_theta") };
    let inner = Fields::new(fields.file(), parameters);
    if !matches!(inner.get("rope_type").map(Value::as_str), None | Some(Some("default"))) {
        return Err(fields.refused(format!(
            "rope_parameters.rope_type is {}, but this course computes \"default\" only",
            inner.shown("rope_type")
        )));
    }
    match fields.get("rope_theta") {
        Some(_) => fields.positive("rope_theta"),
        None => inner.positive("rope_theta"),
    }
}

fn packing_of(fields: &Fields<'_>, what: &str, packing: &Map<String, Value>) -> Result<Quantization> {
    let inner = Fields::new(fields.file(), packing);
    if let Some(method) = inner.get("quant_method") {
        return Err(fields.refused(format!("{what}.quant_method is {method}, but this course reads MLX's own packing")));
    }
    if !matches!(inner.get("mode").map(Value::as_str), None | Some(Some("affine"))) {
        return Err(
            fields.refused(format!("{what}.mode is {}, but this course reads \"affine\" only", inner.shown("mode")))
        );
    }
    let one_of = |name: &str, known: &[i32]| -> Result<i32> {
        let value = inner.integer(name, 1, MOST)?;
        match known.contains(&value) {
            true => Ok(value),
            false => Err(Error::checkpoint(
                fields.file(),
                format!("{what}.{name} is {value}, but it must be one of {known:?}"),
            )),
        }
    };
    Ok(Quantization { group_size: one_of("group_size", &[32, 64, 128])?, bits: one_of("bits", &[2, 3, 4, 5, 6, 8])? })
}
