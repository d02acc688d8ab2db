//! The rungs of this week's ladder: which operators of the model run on kernels of one's own.
//!
//! In: the name that `--checkpoint` gives. Out: a rung; it holds what all rungs below it hold.

use kit::{Error, Result};

/// A stage of the engine, in the order in which the days build them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rung {
    /// Week 1's operators behind a cache.
    KvCache,
    /// Weights stay packed.
    QuantizedMatvec,
    /// The norm in one pass.
    RmsNorm,
    /// The rotation in one pass.
    Rope,
    /// The gate in one pass.
    SwiGlu,
    /// Attention of one query in one pass over keys and values.
    DecodeAttention,
    /// Products of a prompt in tiles.
    TiledMatmul,
    /// One long sum split over many workers.
    SplitK,
    /// Products of few rows in 16-bit integers.
    Int16Activations,
}

impl Rung {
    /// All of them and their names, the lowest first.
    pub const ALL: [(Self, &str); 9] = [
        (Self::KvCache, "kv-cache"),
        (Self::QuantizedMatvec, "quantized-matvec"),
        (Self::RmsNorm, "rmsnorm"),
        (Self::Rope, "rope"),
        (Self::SwiGlu, "swiglu"),
        (Self::DecodeAttention, "decode-attention"),
        (Self::TiledMatmul, "tiled-matmul"),
        (Self::SplitK, "split-k"),
        (Self::Int16Activations, "int16-activations"),
    ];

    /// The names alone, the lowest first.
    pub const NAMES: [&'static str; 9] = {
        let mut names = [""; Self::ALL.len()];
        let mut at = 0;
        while at < names.len() {
            names[at] = Self::ALL[at].1;
            at += 1;
        }
        names
    };

    /// The highest rung that an engine can be built on so far.
    pub const HIGHEST: Self = Self::Int16Activations;

    /// The rung of that name; the highest one for `None`.
    ///
    /// Errors: `InvalidArgument` with the valid names for another name;
    /// `Other` for a rung above [`HIGHEST`](Self::HIGHEST).
    pub fn named(name: Option<&str>) -> Result<Self> {
        let Some(name) = name else { return Ok(Self::HIGHEST) };
        let Some(&(rung, _)) = Self::ALL.iter().find(|(_, known)| *known == name) else {
            let (value, must) = (format!("{name:?}"), format!("be one of {}", Self::NAMES.join(", ")));
            return Err(Error::InvalidArgument { name: "--checkpoint".into(), value, must });
        };
        if rung > Self::HIGHEST {
            let so_far: Vec<&str> = Self::ALL.iter().filter(|(rung, _)| *rung <= Self::HIGHEST).map(|x| x.1).collect();
            return Err(Error::Other(format!(
                "the checkpoint {name} has not been written yet; so far there is {}",
                so_far.join(", ")
            )));
        }
        Ok(rung)
    }
}
