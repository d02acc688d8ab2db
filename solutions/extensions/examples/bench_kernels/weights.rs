//! Packed weights to multiply with.

use extensions::week2::{Path, quantized_matmul};
use kit::Result;
use kit::testing::Random;
use mlx_rs::{Array, Dtype, ops, transforms::eval};

use crate::measure::{Case, Run};
use crate::memory::COLD;

/// A weight, and copies of it where it is small: a decoded token never finds a weight in the cache.
pub struct Weights {
    copies: Vec<[Array; 3]>,
    outputs: i32,
    inputs: i32,
    group: i32,
}

impl Weights {
    /// As many copies as it takes to read more than a cache holds.
    pub fn cold(random: &mut Random, outputs: i32, inputs: i32, group: i32) -> Result<Self> {
        let bytes = (outputs * inputs) as usize / 2;
        Self::copies(random, outputs, inputs, group, COLD.div_ceil(bytes))
    }

    /// A weight alone.
    pub fn one(random: &mut Random, outputs: i32, inputs: i32, group: i32) -> Result<Self> {
        Self::copies(random, outputs, inputs, group, 1)
    }

    fn copies(random: &mut Random, outputs: i32, inputs: i32, group: i32, count: usize) -> Result<Self> {
        let scales = random.uniform(0.01, 0.03, &[outputs, inputs / group]).as_dtype(Dtype::Bfloat16)?;
        let biases = random.uniform(-0.2, -0.1, &[outputs, inputs / group]).as_dtype(Dtype::Bfloat16)?;
        let weight = random.ids(u32::MAX, &[outputs, inputs / 8]);
        let mut copies = Vec::new();
        for copy in 0..count as i32 {
            let (words, numbers) = (ops::add(&weight, Array::from_slice(&[copy as u32], &[1]))?, Array::from_f32(1.0));
            let (scales, biases) = (ops::multiply(&scales, &numbers)?, ops::multiply(&biases, &numbers)?);
            let one = [words, scales.as_dtype(Dtype::Bfloat16)?, biases.as_dtype(Dtype::Bfloat16)?];
            eval(&one)?;
            copies.push(one);
        }
        Ok(Self { copies, outputs, inputs, group })
    }

    /// The product by MLX and by a path.
    pub fn case<'a>(
        &'a self,
        kernel: &'static str,
        source: &'static str,
        x: &'a Array,
        path: Path,
        every_step: bool,
    ) -> Case<'a> {
        let (outputs, inputs, group) = (self.outputs as usize, self.inputs as usize, self.group);
        let rows = x.size() / inputs;
        let mlx: Run<'a> = Box::new(move || {
            let [weight, scales, biases] = &self.copies[0];
            Ok(vec![ops::quantized_matmul(x, weight, scales, biases, true, group, 4)?])
        });
        let kernel_run: Run<'a> = Box::new(move || {
            let product =
                |[weight, scales, biases]: &[Array; 3]| quantized_matmul(x, weight, scales, biases, group, 4, path);
            self.copies.iter().map(product).collect()
        });
        let parts = if let Path::SplitK(parts) = path { format!(", {parts} parts") } else { String::new() };
        Case {
            kernel,
            size: format!("{rows}x{inputs} by {outputs}, group {group}{parts}"),
            bytes: outputs * inputs / 2 + outputs * inputs / group as usize * 4 + rows * (inputs + outputs) * 4,
            flops: 2 * rows * outputs * inputs,
            source,
            mlx,
            kernel_run,
            every_step,
        }
    }
}
