//! Sampling: a draw, two filters, the sampler, and the temper-first law.

use kit::Result;
use kit::testing::values;
use mlx_rs::{Array, Dtype};

use crate::draws::{self, frequencies, repeated};
use crate::inputs::Inputs;
use crate::parity::{Case, Function, both};

/// In the order of the tasks.
pub fn functions() -> Vec<Function> {
    vec![
        Function { task: "1.7.1", name: "draw, at temperature 0", case: greedy, most: u32::MAX },
        Function { task: "1.7.1", name: "draw, frequencies", case: draw, most: u32::MAX },
        Function { task: "1.7.2", name: "top_k", case: top_k, most: u32::MAX },
        Function { task: "1.7.3", name: "top_p", case: top_p, most: u32::MAX },
        Function { task: "1.7.4", name: "Sampler::sample, at temperature 0", case: sampler_greedy, most: u32::MAX },
        Function { task: "1.7.4", name: "Sampler::sample, frequencies", case: sampler, most: u32::MAX },
        Function { task: "1.7.5", name: "distribution_from_logits", case: law, most: u32::MAX },
    ]
}

fn greedy(inputs: &mut Inputs) -> Result<Case> {
    let (rows, vocabulary) = (inputs.size(1, 4), inputs.size(1, 30));
    let (logprobs, key) = (inputs.logprobs(rows, vocabulary)?, inputs.key()?);
    Ok(Case::new(both!(week => Ok(vec![week::sampler::draw(&logprobs, 0.0, &key)?]))))
}

fn draw(inputs: &mut Inputs) -> Result<Case> {
    let vocabulary = inputs.size(1, 10);
    let (row, temp, key) = (inputs.logprobs(1, vocabulary)?, inputs.real(0.3, 2.0)?, inputs.key()?);
    inputs.note(format!("temp {temp}"));
    let rows = repeated(&row)?;
    let case = both!(week => Ok(vec![frequencies(&week::sampler::draw(&rows, temp, &key)?, vocabulary)?]));
    Ok(Case::new(case).within(draws::BOUND, 0.0))
}

fn top_k(inputs: &mut Inputs) -> Result<Case> {
    let (rows, vocabulary) = (inputs.size(1, 4), inputs.size(1, 30));
    let k = inputs.size(1, vocabulary) as usize;
    inputs.note(format!("k {k}"));
    let dtype = inputs.dtype();
    // Rounded to halves, so that there are ties.
    let logprobs = inputs.logprobs(rows, vocabulary)?.multiply(Array::from_f32(2.0))?.round(0)?.as_dtype(dtype)?;
    Ok(Case::new(both!(week => Ok(vec![week::sampler::top_k(&logprobs, k)?]))).within(0.0, 0.0))
}

fn top_p(inputs: &mut Inputs) -> Result<Case> {
    let (rows, vocabulary) = (inputs.size(1, 4), inputs.size(1, 30));
    let logprobs = inputs.logprobs(rows, vocabulary)?;
    let p = threshold(inputs, &logprobs)?;
    inputs.note(format!("p {p}"));
    Ok(Case::new(both!(week => Ok(vec![week::sampler::top_p(&logprobs, p)?]))).within(0.0, 0.0))
}

/// A `p` that no row's sum comes so near to that the order of additions decides.
fn threshold(inputs: &mut Inputs, logprobs: &Array) -> Result<f32> {
    let vocabulary = logprobs.dim(1) as usize;
    let all = values(logprobs)?;
    for _ in 0..100 {
        let p = inputs.real(0.05, 0.99)?;
        let near = all.chunks(vocabulary).any(|row| {
            let mut masses: Vec<f64> = row.iter().map(|logprob| f64::from(*logprob).exp()).collect();
            masses.sort_by(|one, other| other.total_cmp(one));
            let mut sum = 0.0;
            masses.into_iter().any(|mass| {
                sum += mass;
                (sum - f64::from(p)).abs() < 1e-4
            })
        });
        if !near {
            return Ok(p);
        }
    }
    Ok(1.0)
}

fn sampler_greedy(inputs: &mut Inputs) -> Result<Case> {
    let (rows, vocabulary) = (inputs.size(1, 4), inputs.size(1, 30));
    let logprobs = inputs.logprobs(rows, vocabulary)?;
    let top_k = if inputs.one_in(2) { Some(inputs.size(0, vocabulary)) } else { None };
    let top_p = if inputs.one_in(2) { Some(threshold(inputs, &logprobs)?) } else { None };
    inputs.note(format!("top_k {top_k:?}, top_p {top_p:?}"));
    Ok(Case::new(both!(week => {
        let mut sampler = week::sampler::make_sampler(0.0, top_k, top_p, 7)?;
        Ok(vec![sampler.sample(&logprobs)?, sampler.sample(&logprobs)?])
    })))
}

fn sampler(inputs: &mut Inputs) -> Result<Case> {
    let vocabulary = inputs.size(1, 10);
    let (row, temp) = (inputs.logprobs(1, vocabulary)?, inputs.real(0.3, 2.0)?);
    let top_k = if inputs.one_in(2) { Some(inputs.size(0, vocabulary)) } else { None };
    // After top-k the sums are others; a threshold near one of them is rare, and then the row's own are avoided.
    let top_p = if inputs.one_in(2) { Some(threshold(inputs, &row)?) } else { None };
    let seed = inputs.size(0, 1000) as u64;
    inputs.note(format!("temp {temp}, top_k {top_k:?}, top_p {top_p:?}"));
    let rows = repeated(&row)?;
    let case = both!(week => {
        let mut sampler = week::sampler::make_sampler(temp, top_k, top_p, seed)?;
        // The second draw shows whether the key was spent.
        let (first, second) = (sampler.sample(&rows)?, sampler.sample(&rows)?);
        Ok(vec![frequencies(&first, vocabulary)?, frequencies(&second, vocabulary)?])
    });
    Ok(Case::new(case).within(draws::BOUND, 0.0))
}

fn law(inputs: &mut Inputs) -> Result<Case> {
    use kit::law::{History, SamplerConfig};

    let vocabulary = inputs.size(1, 20);
    let logits = inputs.normal("logits", &[vocabulary], Dtype::Float32)?.multiply(Array::from_f32(3.0))?;
    let logits: Vec<f64> = values(&logits)?.into_iter().map(f64::from).collect();
    let (temperature, top_p, top_k) = (inputs.real(0.2, 3.0)?, inputs.real(0.1, 1.0)?, inputs.size(0, vocabulary));
    let (presence, frequency) = (inputs.real(0.0, 1.0)?, inputs.real(0.0, 1.0)?);
    inputs.note(format!("temp {temperature}, top_p {top_p}, top_k {top_k}, penalties {presence} and {frequency}"));
    let config = SamplerConfig::builder()
        .temperature(temperature.into())
        .top_p(top_p.into())
        .top_k(top_k.into())
        .presence_penalty(presence.into())
        .frequency_penalty(frequency.into())
        .build()?;
    let length = inputs.size(0, 6);
    let completion = values(&inputs.ids(vocabulary, &[length]))?;
    let history = History::of(&completion.iter().map(|id| *id as usize).collect::<Vec<_>>());
    let case = both!(week => {
        let law = week::law::distribution_from_logits(&logits, &config, &history)?;
        let law: Vec<f32> = law.into_iter().map(|chance| chance as f32).collect();
        Ok(vec![Array::from_slice(&law, &[law.len() as i32])])
    });
    Ok(Case::new(case).within(1e-6, 0.0))
}
