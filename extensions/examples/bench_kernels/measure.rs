//! Lets the forms of a kernel take turns.

use std::time::Instant;

use extensions::tuning;
use kit::testing::values;
use kit::{Error, Result};
use mlx_rs::{Array, transforms::eval};

use crate::ladder::{self, Step};
use crate::memory::Memory;

/// Rounds that count.
pub const ROUNDS: usize = 7;

/// What a form computes: the results of some calls, all alike.
pub type Run<'a> = Box<dyn Fn() -> Result<Vec<Array>> + 'a>;

/// A kernel at one size.
pub struct Case<'a> {
    /// The kernel, one of `cases::NAMES`.
    pub kernel: &'static str,
    pub size: String,
    /// What one call must read and write.
    pub bytes: usize,
    /// Multiplications and additions of one call.
    pub flops: usize,
    /// The loops, whose comments name the steps.
    pub source: &'static str,
    /// MLX's own operator.
    pub mlx: Run<'a>,
    /// The kernel; the step is set around it.
    pub kernel_run: Run<'a>,
    /// Whether all steps are measured, or the fastest alone.
    pub every_step: bool,
}

/// What was measured of a case.
pub struct Results {
    pub kernel: &'static str,
    pub size: String,
    pub bytes: usize,
    pub flops: usize,
    /// Bytes a second, one stream a thread and four.
    pub memory: [f64; 2],
    /// Seconds of MLX's operator, a call.
    pub mlx: Seconds,
    pub steps: Vec<(Step, State)>,
}

/// A step's time, or the task that is to write it.
pub enum State {
    Measured(Seconds),
    Open { task: String },
}

/// Seconds of a call.
#[derive(Clone, Copy)]
pub struct Seconds {
    pub median: f64,
    /// From the fastest round to the slowest.
    pub range: f64,
}

impl Seconds {
    fn of(samples: &mut [f64]) -> Self {
        samples.sort_by(f64::total_cmp);
        Self { median: samples[samples.len() / 2], range: samples[samples.len() - 1] - samples[0] }
    }
}

/// Measures a case. `version` is one step alone.
///
/// Errors: a form that computes something else than MLX's operator, or fails otherwise than by being a stub.
pub fn measure(case: &Case<'_>, version: Option<u8>, threads: usize) -> Result<Results> {
    let want = values(&(case.mlx)()?[0])?;
    let mut forms = Vec::new();
    let steps = ladder::steps(case.source);
    let last = steps.len() as u8;
    for step in steps {
        if version.map_or(!case.every_step && step.number != last, |version| version != step.number) {
            continue;
        }
        let open = match checked(case, step.number, &want) {
            Err(Error::NotImplemented { task, .. }) => Some(task),
            other => other.map(|()| None)?,
        };
        forms.push((step, open, Vec::new()));
    }
    let mut memory = Memory::new();
    let mut mlx = Vec::new();
    for round in 0..=ROUNDS {
        memory.sample(threads);
        mlx.push(seconds(&case.mlx)?);
        for (step, open, samples) in &mut forms {
            if open.is_none() {
                samples.push(with_step(step.number, || seconds(&case.kernel_run))?);
            }
        }
        if round == 0 {
            forms.iter_mut().for_each(|(_, _, samples)| samples.clear());
            [&mut memory.one_stream, &mut memory.four_streams, &mut mlx].into_iter().for_each(Vec::clear);
        }
    }
    let state = |(step, open, mut samples): (Step, Option<String>, Vec<f64>)| match open {
        Some(task) => (step, State::Open { task }),
        None => (step, State::Measured(Seconds::of(&mut samples))),
    };
    Ok(Results {
        kernel: case.kernel,
        size: case.size.clone(),
        bytes: case.bytes,
        flops: case.flops,
        memory: [Seconds::of(&mut memory.one_stream).median, Seconds::of(&mut memory.four_streams).median],
        mlx: Seconds::of(&mut mlx),
        steps: forms.into_iter().map(state).collect(),
    })
}

/// Runs with a step of the ladder and puts the setting back.
fn with_step<T>(step: u8, run: impl FnOnce() -> Result<T>) -> Result<T> {
    tuning::set_version(Some(step));
    let result = run();
    tuning::set_version(None);
    result
}

/// Seconds of one call.
fn seconds(run: &Run<'_>) -> Result<f64> {
    let start = Instant::now();
    let results = run()?;
    eval(&results)?;
    Ok(start.elapsed().as_secs_f64() / results.len() as f64)
}

/// A fast wrong kernel is no kernel: the values are those of MLX's operator.
fn checked(case: &Case<'_>, step: u8, want: &[f32]) -> Result<()> {
    let got = with_step(step, || values(&(case.kernel_run)()?[0]))?;
    let largest = want.iter().fold(0.0f32, |largest, value| largest.max(value.abs()));
    let off = got.iter().zip(want).fold(0.0f32, |off, (got, want)| off.max((got - want).abs()));
    if got.len() == want.len() && off <= 1e-3 * largest {
        return Ok(());
    }
    let (kernel, size) = (case.kernel, &case.size);
    Err(Error::Other(format!(
        "step {step} of {kernel}, {size}, is off by {off}; the largest value is {largest}. A wrong kernel is not measured"
    )))
}
