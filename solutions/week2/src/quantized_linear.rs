//! Layers whose weights stay packed.
//!
//! In: hidden states (.., N), or token ids. Out: the products with a packed weight, or the rows of a packed table. What is
//! read from memory are the codes, a quarter of what bf16 takes; no layer ever holds its values.

use crate::dispatch::PathRule;
use kit::{Error, Result, check_axes, check_shape};
use mlx_rs::{Array, Dtype};

/// A linear layer without bias.
#[derive(Debug, Clone)]
pub struct QuantizedLinear {
    /// (K, N/8) u32
    pub weight: Array,
    /// (K, N/group_size)
    pub scales: Array,
    /// (K, N/group_size)
    pub biases: Array,
    /// Values of a row that share a scale and a bias.
    pub group_size: i32,
    /// Bits of a code.
    pub bits: i32,
    /// Picks the loops.
    pub rule: PathRule,
}

impl QuantizedLinear {
    /// `x` (.., N) → (.., K), dtype of `x`: `x` times the transpose of the
    /// weight, by the path that `rule` picks for these sizes.
    ///
    /// Errors: `Shape` for another N; as `quantized_matmul`.
    pub fn forward(&self, x: &Array) -> Result<Array> {
        // SOLUTION 2.3.4 self, x
        use crate::dispatch::Product;
        use extensions::week2::quantized_matmul;

        let rows = rows("quantized linear: x", x, self.inputs())?;
        let (outputs, inputs, group_size) = (self.outputs(), self.inputs(), self.group_size);
        let path = self.rule.path(&Product { rows, outputs, inputs, group_size })?;
        quantized_matmul(x, &self.weight, &self.scales, &self.biases, group_size, self.bits, path)
        // END SOLUTION
    }

    /// K, the features that come out.
    pub fn outputs(&self) -> i32 {
        self.weight.dim(0)
    }

    /// N, the features that go in.
    pub fn inputs(&self) -> i32 {
        self.scales.dim(1) * self.group_size
    }
}

/// A table with a packed row for every token.
#[derive(Debug, Clone)]
pub struct QuantizedEmbedding {
    /// (V, N/8) u32
    pub weight: Array,
    /// (V, N/group_size)
    pub scales: Array,
    /// (V, N/group_size)
    pub biases: Array,
    /// Values of a row that share a scale and a bias.
    pub group_size: i32,
    /// Bits of a code.
    pub bits: i32,
    /// Of the rows that come out.
    pub dtype: Dtype,
    /// Picks the loops of the head.
    pub rule: PathRule,
}

impl QuantizedEmbedding {
    /// `ids` (..), u32 or i32 → the rows of these tokens, (.., N) in `dtype`.
    ///
    /// Only these rows are unpacked, computed in f32 and rounded once.
    /// Errors: `Dtype`; `InvalidArgument` about `ids` for one outside the
    /// table.
    pub fn forward(&self, ids: &Array) -> Result<Array> {
        // SOLUTION 2.3.4 self, ids
        use crate::quantized::dequantize;
        use mlx_rs::Dtype::Float32;

        check_ids(ids, self.weight.dim(0))?;
        let weight = self.weight.take_axis(ids, 0)?; // (.., N/8)
        let scales = self.scales.take_axis(ids, 0)?.as_dtype(Float32)?; // (.., N/g)
        let biases = self.biases.take_axis(ids, 0)?.as_dtype(Float32)?; // (.., N/g)
        Ok(dequantize(&weight, &scales, &biases, self.group_size, self.bits)?.as_dtype(self.dtype)?)
        // END SOLUTION
    }

    /// The table as a linear layer, the tied head: `x` (.., N) → (.., V),
    /// dtype of `x`.
    ///
    /// Errors: as [`QuantizedLinear::forward`].
    pub fn as_linear(&self, x: &Array) -> Result<Array> {
        // SOLUTION 2.3.4 self, x
        use crate::dispatch::Product;
        use extensions::week2::quantized_matmul;

        let (outputs, group_size) = (self.weight.dim(0), self.group_size);
        let inputs = self.scales.dim(1) * group_size;
        let rows = rows("quantized embedding: x", x, inputs)?;
        let path = self.rule.path(&Product { rows, outputs, inputs, group_size })?;
        quantized_matmul(x, &self.weight, &self.scales, &self.biases, group_size, self.bits, path)
        // END SOLUTION
    }
}

/// How many rows of `inputs` values `x` (.., N) has.
///
/// Errors: `Shape` for another N, and for no rows at all.
pub fn rows(op: &str, x: &Array, inputs: i32) -> Result<i32> {
    check_axes(op, x, "(.., N)", 1)?;
    let front = &x.shape()[..x.ndim() - 1];
    check_shape(op, x, "(.., N)", &[front, &[inputs]].concat())?;
    match i32::try_from(x.size() / inputs as usize) {
        Ok(rows) if rows > 0 => Ok(rows),
        _ => {
            let expected = "(.., N) with at least one row".into();
            Err(Error::Shape { op: op.into(), expected, got: format!("{:?}", x.shape()) })
        }
    }
}

/// Refuses ids that a table of `length` rows does not have: MLX would read
/// whatever lies beyond it.
///
/// Errors: `Dtype` unless u32 or i32; `InvalidArgument` about `ids` with the
/// first such one.
pub fn check_ids(ids: &Array, length: i32) -> Result<()> {
    if ![Dtype::Uint32, Dtype::Int32].contains(&ids.dtype()) {
        let (expected, got) = ("Uint32 or Int32".into(), format!("{:?}", ids.dtype()));
        return Err(Error::Dtype { op: "quantized embedding: ids".into(), expected, got });
    }
    if ids.size() == 0 {
        return Ok(());
    }
    // In a row, and as i64, which holds both dtypes. A decoded token is there already: nothing is computed for it.
    let ids = ids.contiguous()?;
    ids.eval()?;
    let ids: Vec<i64> = match ids.dtype() {
        Dtype::Uint32 => ids.as_slice::<u32>().iter().map(|&id| id.into()).collect(),
        _ => ids.as_slice::<i32>().iter().map(|&id| id.into()).collect(),
    };
    if let Some(id) = ids.iter().find(|id| !(0..i64::from(length)).contains(id)) {
        let must = format!("be below the rows of the table, {length}, and not negative");
        return Err(Error::InvalidArgument { name: "ids".into(), value: id.to_string(), must });
    }
    Ok(())
}
