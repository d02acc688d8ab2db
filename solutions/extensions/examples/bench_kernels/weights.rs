//! Packed weights to multiply with, and the forms of the product.

use extensions::week2::{Path, quantized_matmul};
use kit::Result;
use kit::testing::Random;
use mlx_rs::{Array, Dtype, ops, transforms::eval};

use crate::{COLD, Case, Form, Run};

/// A weight, and copies of it where it is small.
pub struct Weights {
    copies: Vec<[Array; 3]>,
    outputs: i32,
    inputs: i32,
    group: i32,
}

impl Weights {
    /// As many copies as it takes to read more than a cache holds.
    pub fn new(random: &mut Random, outputs: i32, inputs: i32, group: i32) -> Result<Self> {
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

    /// The product by MLX and by steps 1 to `steps` of a path; 0 steps are the last one alone.
    pub fn case<'a>(&'a self, name: &str, x: &'a Array, path: Path, steps: u8) -> Case<'a> {
        let (outputs, inputs, group) = (self.outputs as usize, self.inputs as usize, self.group);
        let rows = x.size() / inputs;
        let mlx: Run<'a> = Box::new(move || {
            let [weight, scales, biases] = &self.copies[0];
            Ok(vec![ops::quantized_matmul(x, weight, scales, biases, true, group, 4)?])
        });
        let mut forms = vec![Form { name: "mlx".to_string(), step: None, run: mlx }];
        for step in 0..=steps {
            if steps > 0 && step == 0 {
                continue;
            }
            let run: Run<'a> = Box::new(move || {
                let product =
                    |[weight, scales, biases]: &[Array; 3]| quantized_matmul(x, weight, scales, biases, group, 4, path);
                // The naive forms are slow enough from one copy.
                self.copies[..if step == 1 { 1 } else { self.copies.len() }].iter().map(product).collect()
            });
            let name = if step == 0 { name.to_string() } else { format!("{name} {step}") };
            forms.push(Form { name, step: Some(step).filter(|step| *step > 0), run });
        }
        Case {
            name: format!("{name} {rows}x{inputs} by {outputs}, group {group}"),
            bytes: outputs * inputs / 2 + outputs * inputs / group as usize * 4 + rows * (inputs + outputs) * 4,
            flops: 2 * rows * outputs * inputs,
            forms,
        }
    }
}
