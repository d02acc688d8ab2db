//! The code of the page "How MLX works", run: what it says about memory, dtypes, layout and streams is asserted here.
//!
//! The lines between `BOOK name` and `END BOOK` are shown in book/src/how-mlx-works.md.

use kit::Result;
use mlx_rs::{Array, Device, Dtype, memory, ops, transforms::async_eval, with_device};

/// What arrays hold at this moment, in whole MiB.
fn mib() -> Result<usize> {
    Ok(memory::active_memory()? >> 20)
}

#[test]
fn nothing_is_computed_before_a_value_is_wanted() -> Result<()> {
    // BOOK lazy
    let ones = ops::ones::<f32>(&[1024, 1024])?; // will be 4 MiB
    let mut sum = ones.clone();
    for _ in 0..1000 {
        sum = sum.add(&ones)?;
    }
    assert_eq!(mib()?, 0); // a thousand additions, and not one number

    sum.eval()?;
    assert_eq!(mib()?, 8); // `ones` and `sum`; what lay between is gone
    // END BOOK
    assert_eq!(sum.max(None)?.item_exact::<f32>(), 1001.0);
    Ok(())
}

#[test]
fn shapes_are_known_at_once_and_bad_ones_refused() -> Result<()> {
    // BOOK refused
    let a = ops::ones::<f32>(&[2, 3])?;
    assert_eq!(a.transpose()?.matmul(&a)?.shape(), [3, 3]); // known, not computed
    assert!(a.matmul(&a).is_err()); // (2, 3) by (2, 3): refused before any work

    let nothing = a.subtract(&a)?;
    let what = nothing.divide(&nothing)?; // 0 / 0 is no error, but a value
    assert!(what.max(None)?.item_exact::<f32>().is_nan());
    // END BOOK
    Ok(())
}

#[test]
fn a_graph_keeps_what_it_needs() -> Result<()> {
    // BOOK graph
    let big = ops::ones::<f32>(&[4, 1024, 1024])?;
    big.eval()?;
    let mean = big.mean(None)?;
    drop(big);
    assert_eq!(mib()?, 16); // the recipe of `mean` still holds `big`

    mean.eval()?;
    assert_eq!(mib()?, 0); // a number needs no recipe
    // END BOOK
    assert_eq!(mean.item_exact::<f32>(), 1.0);
    Ok(())
}

#[test]
fn an_array_never_changes_and_a_clone_copies_nothing() -> Result<()> {
    // BOOK handles
    let x = ops::ones::<f32>(&[1024, 1024])?;
    x.eval()?;
    let same = x.clone();
    assert_eq!(mib()?, 4); // two handles, one array

    let twice = x.add(&same)?; // a new array; `x` is what it was
    assert_eq!(x.max(None)?.item_exact::<f32>(), 1.0);
    assert_eq!(twice.max(None)?.item_exact::<f32>(), 2.0);
    // END BOOK
    Ok(())
}

#[test]
fn a_transpose_is_the_same_memory_read_in_another_order() -> Result<()> {
    // BOOK layout
    let m = Array::from_slice(&[0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.0], &[2, 3]);
    let t = m.transpose()?;
    t.eval()?;
    assert_eq!(m.strides(), [3, 1]); // the next row is 3 numbers away
    assert_eq!(t.strides(), [1, 3]); // the same numbers, other steps

    assert!(t.try_as_slice::<f32>().is_err()); // not in a row, so no slice
    assert_eq!(t.contiguous()?.as_slice::<f32>(), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    // END BOOK
    Ok(())
}

#[test]
fn dtypes_meet_silently() -> Result<()> {
    // BOOK dtypes
    let half = ops::ones::<f32>(&[2])?.as_dtype(Dtype::Float16)?;
    let two = Array::from_f32(2.0);
    assert_eq!(half.multiply(&two)?.dtype(), Dtype::Float32); // f16 · f32
    assert_eq!(half.multiply(Array::from_int(2))?.dtype(), Dtype::Float16); // f16 · i32
    let brain = half.as_dtype(Dtype::Bfloat16)?;
    assert_eq!(half.multiply(&brain)?.dtype(), Dtype::Float32); // f16 · bf16

    let two = two.as_dtype(half.dtype())?; // so it stays f16
    assert_eq!(half.multiply(&two)?.dtype(), Dtype::Float16);
    // END BOOK
    Ok(())
}

#[test]
fn an_operation_has_a_device_and_an_array_has_none() -> Result<()> {
    // BOOK streams
    let x = ops::ones::<f32>(&[64, 64])?; // on the default device
    let product = with_device(Device::cpu(), || x.matmul(&x))?; // on the processor
    let root = product.sqrt()?; // on the default device again

    async_eval([&root])?; // begins, and does not wait
    assert_eq!(root.max(None)?.item_exact::<f32>(), 8.0); // waits for all three
    // END BOOK
    Ok(())
}
