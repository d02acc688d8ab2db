//! New keys or values on their way into pages.

use std::cell::RefCell;

use extensions::week3::paged_cache_update;
use kit::Result;
use kit::testing::Random;
use mlx_rs::ops::indexing::TryIndexMutOp;
use mlx_rs::{Array, transforms::eval};

use crate::measure::{Case, Run};
use crate::memory::COLD;

/// Slots of a page.
const PAGE: i32 = 16;
/// Pages of a text in a layer.
const PAGES: i32 = 64;
/// Heads of keys and their width in a Qwen3-0.6B.
const SHAPE: [i32; 4] = [PAGES, 8, PAGE, 128];

/// What is done with a case.
type Sink<'s> = &'s mut dyn FnMut(&Case<'_>) -> Result<()>;

/// A token, and as many as fill the pages.
pub fn each(random: &mut Random, sink: Sink<'_>) -> Result<()> {
    for tokens in [1, PAGES * PAGE] {
        let (one, values) = (&random.normal(&SHAPE), &random.normal(&[1, SHAPE[1], tokens, SHAPE[3]]));
        // The pages of a text are anywhere: here every seventh.
        let ids: Vec<i32> = (0..PAGES).map(|page| page * 7 % PAGES).collect();
        let (table, start) = (&Array::from_slice(&ids, &[PAGES]), PAGES * PAGE - tokens);
        let kernel = move |pages: &mut Array| {
            *pages = paged_cache_update(pages, values, table, start)?;
            Ok(())
        };
        let last = ids[ids.len() - 1];
        let mlx = move |pages: &mut Array| match tokens {
            1 => Ok(pages.try_index_mut((last..last + 1, .., PAGE - 1.., ..), values)?),
            _ => {
                let by_pages = values.reshape(&[SHAPE[1], PAGES, PAGE, SHAPE[3]])?.transpose_axes(&[1, 0, 2, 3])?;
                Ok(pages.try_index_mut(table.clone(), by_pages)?)
            }
        };
        sink(&Case {
            kernel: "paged_cache_update",
            size: format!("{tokens}x{}x{} into {PAGES} pages of {PAGE}", SHAPE[1], SHAPE[3]),
            bytes: 2 * values.nbytes(),
            flops: 0,
            source: include_str!("../../src/loops/paged_cache_update.cpp"),
            mlx: in_place(one, mlx)?,
            kernel_run: in_place(one, kernel)?,
            every_step: true,
        })?;
    }
    Ok(())
}

/// A call for each of many layers, whose pages are like `one`. Only the result is held, as in a cache, so that it may take the memory of the pages.
fn in_place<'a>(one: &Array, write: impl Fn(&mut Array) -> Result<()> + 'a) -> Result<Run<'a>> {
    let layer = |number: usize| Ok(one.add(Array::from_f32(number as f32 * 0.01))?);
    let layers = (0..COLD.div_ceil(one.nbytes())).map(layer).collect::<Result<Vec<Array>>>()?;
    eval(&layers)?;
    let layers = RefCell::new(layers);
    Ok(Box::new(move || {
        let mut layers = layers.borrow_mut();
        layers.iter_mut().try_for_each(&write)?;
        Ok(layers.clone())
    }))
}
