//! Random inputs of a case: sizes, dtypes, arrays and choices, all from one seed, and the words that describe them.

use kit::Result;
use kit::testing::{DTYPES, Random};
use mlx_rs::{Array, Dtype};

/// One case's source of everything random.
pub struct Inputs {
    random: Random,
    words: Vec<String>,
}

impl Inputs {
    /// The source of case `number` of a function; the same three numbers give the same inputs.
    pub fn new(seed: u64, function: usize, number: u32) -> Self {
        let mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ ((function as u64) << 32) ^ u64::from(number);
        Self { random: Random::new(mixed), words: Vec::new() }
    }

    /// What has been drawn so far: `x (2, 3) f16, bias`.
    pub fn words(&self) -> String {
        self.words.join(", ")
    }

    /// Adds to the words.
    pub fn note(&mut self, what: impl Into<String>) {
        self.words.push(what.into());
    }

    /// A number of the range, both ends included.
    pub fn size(&mut self, from: i32, to: i32) -> i32 {
        self.random.int(from..to + 1)
    }

    /// True once in `times`.
    pub fn one_in(&mut self, times: i32) -> bool {
        self.random.int(0..times) == 0
    }

    /// A number of the range, uniform.
    pub fn real(&mut self, from: f32, to: f32) -> Result<f32> {
        Ok(kit::testing::values(&self.random.uniform(from, to, &[1]))?[0])
    }

    /// f32, f16 or bf16.
    pub fn dtype(&mut self) -> Dtype {
        let (dtype, name) = DTYPES[self.random.int(0..3) as usize];
        self.note(name);
        dtype
    }

    /// None to two axes of 1 to 3, then these.
    pub fn shape(&mut self, last: &[i32]) -> Vec<i32> {
        let front = self.random.int(0..3);
        let mut shape: Vec<i32> = (0..front).map(|_| self.random.int(1..4)).collect();
        shape.extend(last);
        shape
    }

    /// Standard normal values.
    pub fn normal(&mut self, name: &str, shape: &[i32], dtype: Dtype) -> Result<Array> {
        self.note(format!("{name} {}", in_brackets(shape)));
        Ok(self.random.normal(shape).as_dtype(dtype)?)
    }

    /// Normal values so small that a product over `width` of them is about 1.
    pub fn weight(&mut self, shape: &[i32], dtype: Dtype) -> Result<Array> {
        let width = shape.last().copied().unwrap_or(1).max(1) as f32;
        let scale = Array::from_f32(width.sqrt().recip());
        Ok(self.random.normal(shape).multiply(scale)?.as_dtype(dtype)?)
    }

    /// Token ids below `bound`, u32.
    pub fn ids(&mut self, bound: i32, shape: &[i32]) -> Array {
        self.note(format!("ids {} below {bound}", in_brackets(shape)));
        self.random.ids(bound as u32, shape)
    }

    /// Rows of log probabilities (B, V), f32: log softmax of normal logits, some entries never possible.
    pub fn logprobs(&mut self, rows: i32, vocabulary: i32) -> Result<Array> {
        self.note(format!("logprobs ({rows}, {vocabulary})"));
        let logits = self.random.normal(&[rows, vocabulary]).multiply(Array::from_f32(2.0))?;
        let drawn = self.random.uniform(0.0, 1.0, &[rows, vocabulary]);
        // The first token stays, so that every row has a law.
        let first = mlx_rs::ops::arange::<_, i32>(0, vocabulary, 1)?.eq(Array::from_int(0))?;
        let keep = drawn.gt(Array::from_f32(0.1))?.logical_or(first)?;
        let logits = mlx_rs::ops::select(&keep, &logits, Array::from_f32(f32::NEG_INFINITY))?;
        solution_week1::generate::next_logprobs(&logits.expand_dims(1)?)
    }

    /// A random key of MLX.
    pub fn key(&mut self) -> Result<Array> {
        let seed = self.random.int(0..i32::MAX) as u64;
        Ok(mlx_rs::random::key(seed)?)
    }
}

fn in_brackets(shape: &[i32]) -> String {
    format!("({})", shape.iter().map(i32::to_string).collect::<Vec<_>>().join(", "))
}
