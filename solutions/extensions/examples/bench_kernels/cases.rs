//! The kernels and their sizes: those of a Qwen3-0.6B, cold weights, 4-bit.

use extensions::tuning;
use extensions::week2::{Mask, Path, decode_attention, rms_norm, rope, swiglu};
use kit::Result;
use kit::testing::Random;
use mlx_rs::{Array, fast, ops};

use crate::weights::Weights;
use crate::{Case, Form, measure};

/// Measures the kernels whose name has the word.
pub fn run(wanted: &str) -> Result<()> {
    println!("{} threads, {:?}", tuning::threads()?, tuning::instructions()?);
    let mut random = Random::new(0);
    for (outputs, inputs, group) in [(3072, 1024, 64), (1024, 3072, 128), (151_936, 1024, 64), (151_936, 1024, 128)] {
        if "matvec".contains(wanted) {
            let weights = Weights::new(&mut random, outputs, inputs, group)?;
            let x = random.normal(&[1, inputs]);
            measure(&weights.case("matvec", &x, Path::Matvec, if outputs < 4096 { 4 } else { 0 }))?;
        }
    }
    for (rows, outputs, inputs) in [(64, 3072, 1024), (512, 3072, 1024), (512, 1024, 3072)] {
        if "tiled".contains(wanted) {
            let weights = Weights::one(&mut random, outputs, inputs, 64)?;
            let x = random.normal(&[rows, inputs]);
            measure(&weights.case("tiled", &x, Path::Tiled, if rows < 128 { 3 } else { 0 }))?;
        }
    }
    for (rows, outputs, inputs, splits) in [(16, 64, 3072, 4), (16, 1024, 3072, 4)] {
        if "split_k".contains(wanted) {
            let weights = Weights::one(&mut random, outputs, inputs, 64)?;
            let x = random.normal(&[rows, inputs]);
            let mut case = weights.case("split_k", &x, Path::SplitK(splits), 0);
            case.forms.extend(weights.case("tiled", &x, Path::Tiled, 0).forms.drain(1..));
            measure(&case)?;
        }
    }
    fused(wanted, &mut random)?;
    attention(wanted, &mut random)
}

/// A ladder of a kernel without paths.
fn ladder<'a>(name: &str, steps: u8, run: impl Fn() -> Result<Array> + Clone + 'a) -> impl Iterator<Item = Form<'a>> {
    let name = name.to_string();
    (1..=steps).map(move |step| {
        let run = run.clone();
        Form { name: format!("{name} {step}"), step: Some(step), run: Box::new(move || Ok(vec![run()?])) }
    })
}

fn mlx<'a>(run: impl Fn() -> mlx_rs::error::Result<Array> + 'a) -> Form<'a> {
    Form { name: "mlx".to_string(), step: None, run: Box::new(move || Ok(vec![run()?])) }
}

fn fused(wanted: &str, random: &mut Random) -> Result<()> {
    let (x, weight) = (&random.normal(&[4096, 1024]), &random.normal(&[1024]));
    if "rms_norm".contains(wanted) {
        let mut forms = vec![mlx(move || fast::rms_norm(x, Some(weight), 1e-6))];
        forms.extend(ladder("rms_norm", 3, move || rms_norm(x, weight, 1e-6)));
        measure(&Case { name: "rms_norm 4096x1024".to_string(), bytes: x.nbytes() * 2, flops: x.size() * 4, forms })?;
    }
    if "swiglu".contains(wanted) {
        let up = &random.normal(&[4096, 1024]);
        let mut forms = vec![mlx(move || ops::multiply(ops::multiply(x, ops::sigmoid(x)?)?, up))];
        forms.extend(ladder("swiglu", 3, move || swiglu(x, up)));
        measure(&Case { name: "swiglu 4096x1024".to_string(), bytes: x.nbytes() * 3, flops: x.size() * 4, forms })?;
    }
    if "rope".contains(wanted) {
        let heads = &random.normal(&[1, 512, 16, 128]);
        let first = &heads.transpose_axes(&[0, 2, 1, 3])?.contiguous()?;
        let offsets = &Array::from_slice(&[0i32], &[1]);
        let back = |turned: Array| turned.transpose_axes(&[0, 2, 1, 3]);
        let mut forms = vec![mlx(move || back(fast::rope(first, 128, false, 1e6, 1.0, 0, None)?))];
        forms.extend(ladder("rope", 4, move || rope(heads, offsets, 128, 1e6, false)));
        let (bytes, flops) = (heads.nbytes() * 2, heads.size() * 3);
        measure(&Case { name: "rope 512x16x128".to_string(), bytes, flops, forms })?;
    }
    Ok(())
}

fn attention(wanted: &str, random: &mut Random) -> Result<()> {
    for keys in [256, 4096] {
        if !"decode_attention".contains(wanted) {
            continue;
        }
        let query = &random.normal(&[1, 16, 1, 128]);
        let (key, value) = (&random.normal(&[1, 8, keys, 128]), &random.normal(&[1, 8, keys, 128]));
        let mut forms = vec![mlx(move || fast::scaled_dot_product_attention(query, key, value, 0.088, None, None))];
        forms.extend(ladder("decode_attention", 4, move || decode_attention(query, key, value, Mask::None, 0.088)));
        let (bytes, flops) = (key.nbytes() * 2, 4 * key.size() * 2);
        measure(&Case { name: format!("decode_attention 16 heads, {keys} keys"), bytes, flops, forms })?;
    }
    Ok(())
}
