//! Attention over pages: of new tokens of several texts, and of a piece of a prompt.

use extensions::week3::{PagedPath, paged_attention_by};
use kit::Result;
use kit::testing::Random;
use mlx_rs::fast::ScaledDotProductAttentionMask::Causal;
use mlx_rs::{Array, fast};

use crate::measure::{Case, Run};

/// Slots of a page.
const PAGE: i32 = 16;
/// Query heads, key heads and the width of a head of a Qwen3-0.6B.
const HEADS: [i32; 3] = [16, 8, 128];

/// What is done with a case.
type Sink<'s> = &'s mut dyn FnMut(&Case<'_>) -> Result<()>;

/// The kernel `name` at texts, new tokens of each, and keys of each.
pub fn each(name: &'static str, random: &mut Random, sink: Sink<'_>) -> Result<()> {
    let decode = name == "paged_attention";
    let sizes: &[(i32, i32, i32)] = match decode {
        true => &[(8, 1, 512), (8, 1, 2048), (1, 1, 4096)],
        false => &[(1, 512, 512), (1, 512, 4096)],
    };
    let path = if decode { PagedPath::Decode } else { PagedPath::Flash };
    let source = match decode {
        true => include_str!("../../src/loops/paged_attention.cpp"),
        false => include_str!("../../src/loops/flash_attention.cpp"),
    };
    let [query_heads, heads, dims] = HEADS;
    for &(texts, length, keys) in sizes {
        let columns = keys / PAGE;
        let query = &random.normal(&[texts, query_heads, length, dims]);
        let shape = [texts * columns, heads, PAGE, dims];
        let (key_pages, value_pages) = (&random.normal(&shape), &random.normal(&shape));
        // Pages of all texts in turns.
        let listed = (0..texts).flat_map(|text| (0..columns).map(move |at| at * texts + text));
        let table = &Array::from_iter(listed, &[texts, columns]);
        let contexts = &Array::from_slice(&vec![keys; texts as usize], &[texts]);
        let gathered = move |pages: &Array| -> Result<Array> {
            let taken = pages.take_axis(table, 0)?; // (B, M, H, page, D)
            Ok(taken.transpose_axes(&[0, 2, 1, 3, 4])?.reshape(&[texts, heads, keys, dims])?)
        };
        let mlx: Run<'_> = Box::new(move || {
            let (keys, values) = (gathered(key_pages)?, gathered(value_pages)?);
            Ok(vec![fast::scaled_dot_product_attention(query, keys, values, 0.088, Some(Causal), None)?])
        });
        let kernel_run: Run<'_> = Box::new(move || {
            let pages = (key_pages, value_pages);
            Ok(vec![paged_attention_by(path, query, pages.0, pages.1, table, contexts, 0.088, true)?])
        });
        let seen = (0..length).map(|token| (keys - length + token + 1) as usize).sum::<usize>();
        sink(&Case {
            kernel: name,
            size: format!("{texts} texts, {length} of {keys} keys, 16 heads over 8 of 128"),
            bytes: key_pages.nbytes() + value_pages.nbytes(),
            flops: 4 * seen * (texts * query_heads * dims) as usize,
            source,
            mlx,
            kernel_run,
            every_step: decode || keys == length,
        })?;
    }
    Ok(())
}
