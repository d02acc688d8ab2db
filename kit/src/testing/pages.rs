//! Texts in pages: random ones, and what writing into pages and attention over them must give.

use mlx_rs::fast::ScaledDotProductAttentionMask;
use mlx_rs::{Array, Dtype, fast, ops};

use super::{Random, values};
use crate::Result;

/// What `pages` (P, H, page, D) must hold, slot by slot, once `new` (1, H, L, D) is in the pages `listed` from `start` on.
pub fn pages_after(pages: &Array, new: &Array, listed: &[i32], start: i32) -> Result<Vec<f32>> {
    let (mut all, fresh) = (values(pages)?, values(&new.contiguous()?)?);
    let &[_, heads, page, dims] = pages.shape() else { unreachable!("pages have four axes") };
    let length = new.shape()[2];
    for head in 0..heads {
        for t in 0..length {
            let at = start + t;
            let slot = (listed[(at / page) as usize] * heads + head) * page + at % page;
            for d in 0..dims {
                all[(slot * dims + d) as usize] = fresh[((head * length + t) * dims + d) as usize];
            }
        }
    }
    Ok(all)
}

/// `count` different pages of `pages`, in any order.
pub fn any_pages(random: &mut Random, pages: i32, count: i32) -> Vec<i32> {
    let mut all: Vec<i32> = (0..pages).collect();
    for i in 0..count as usize {
        let other = random.int(i as i32..pages) as usize;
        all.swap(i, other);
    }
    all.truncate(count as usize);
    all
}

/// The same (1, H, L, D), but lying with tokens before heads, as a projection leaves them.
pub fn turned(new: &Array) -> Result<Array> {
    Ok(new.transpose_axes(&[0, 2, 1, 3])?.contiguous()?.transpose_axes(&[0, 2, 1, 3])?)
}

/// Texts in pages, and queries over them.
pub struct PagedTexts {
    /// (B, Hq, L, D)
    pub query: Array,
    /// (P, H, page, D)
    pub keys: Array,
    /// (P, H, page, D)
    pub values: Array,
    /// The pages of each text, in order.
    pub table: Vec<Vec<i32>>,
    /// How many keys each text has.
    pub contexts: Vec<i32>,
}

/// What [`PagedTexts::random`] draws.
#[derive(Debug, Clone, Copy)]
pub struct PagedSizes {
    /// H, heads of keys.
    pub heads: i32,
    /// Query heads a key head.
    pub group: i32,
    /// L, query tokens.
    pub length: i32,
    /// Slots of a page.
    pub page: i32,
    /// D
    pub dims: i32,
}

impl PagedTexts {
    /// Pages in any order, one more than the texts need; each text has as many as it needs, in any order.
    pub fn random(random: &mut Random, sizes: PagedSizes, contexts: &[i32], dtype: Dtype) -> Result<Self> {
        let PagedSizes { heads, group, length, page, dims } = sizes;
        let needed: Vec<i32> = contexts.iter().map(|keys| (keys + page - 1) / page).collect();
        let total = needed.iter().sum::<i32>() + 1;
        let mut free: Vec<i32> = (0..total).collect();
        for i in 0..free.len() {
            let other = random.int(i as i32..total) as usize;
            free.swap(i, other);
        }
        let table = needed.iter().map(|&count| free.split_off(free.len() - count as usize)).collect();
        Ok(Self {
            query: random.normal(&[contexts.len() as i32, heads * group, length, dims]).as_dtype(dtype)?,
            keys: random.normal(&[total, heads, page, dims]).as_dtype(dtype)?,
            values: random.normal(&[total, heads, page, dims]).as_dtype(dtype)?,
            table,
            contexts: contexts.to_vec(),
        })
    }

    /// The lengths as an array, (B,) i32.
    pub fn context_lens(&self) -> Array {
        Array::from_slice(&self.contexts, &[self.contexts.len() as i32])
    }

    /// The table as an array, padded with -1.
    pub fn block_table(&self) -> Array {
        let columns = self.table.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let padded = self.table.iter().flat_map(|row| (0..columns).map(move |at| row.get(at).copied().unwrap_or(-1)));
        Array::from_iter(padded, &[self.table.len() as i32, columns as i32])
    }

    /// The keys or values of a text as (1, H, S, D), in f32.
    fn gathered(&self, pages: &Array, text: usize) -> Result<Array> {
        let (row, keys) = (&self.table[text], self.contexts[text]);
        let &[_, heads, page, dims] = pages.shape() else { unreachable!("pages have four axes") };
        let taken = pages.take_axis(Array::from_slice(row, &[row.len() as i32]), 0)?.as_dtype(Dtype::Float32)?;
        let lying = taken.transpose_axes(&[1, 0, 2, 3])?.reshape(&[1, heads, row.len() as i32 * page, dims])?;
        Ok(ops::split_at_indices(&lying, &[keys], 2)?.swap_remove(0))
    }

    /// MLX's own operator on gathered pages in f32, rounded to the dtype of the query; zeros for an idle text.
    pub fn oracle(&self, scale: f32, causal: bool) -> Result<Array> {
        let mut texts = Vec::new();
        let queries = ops::split_equal(&self.query, self.contexts.len() as i32, 0)?;
        for (text, query) in queries.iter().enumerate() {
            let query = query.as_dtype(Dtype::Float32)?;
            if self.contexts[text] == 0 {
                texts.push(ops::zeros_like(&query)?);
                continue;
            }
            let (keys, values) = (self.gathered(&self.keys, text)?, self.gathered(&self.values, text)?);
            let mask = causal.then_some(ScaledDotProductAttentionMask::Causal);
            texts.push(fast::scaled_dot_product_attention(query, keys, values, scale, mask, None)?);
        }
        Ok(ops::concatenate(&texts, 0)?.as_dtype(self.query.dtype())?)
    }

    /// How far `got`, causal attention of text 0, is from sums in f64, and how large the largest of these is.
    pub fn off_from_doubles(&self, got: &Array, scale: f32) -> Result<(f64, f64)> {
        let got = values(got)?;
        let &[_, query_heads, length, dims] = self.query.shape() else { unreachable!("queries have four axes") };
        let (heads, dims) = (self.keys.shape()[1], dims as usize);
        let query = values(&self.query)?;
        let (keys, all) = (values(&self.gathered(&self.keys, 0)?)?, values(&self.gathered(&self.values, 0)?)?);
        let context = self.contexts[0] as usize;
        let (mut off, mut largest) = (0.0f64, 0.0f64);
        for row in 0..(query_heads * length) as usize {
            let (query_head, token) = (row / length as usize, row % length as usize);
            let head = query_head / (query_heads / heads) as usize;
            let visible = context + token + 1 - length as usize;
            let at = |s: usize| (head * context + s) * dims;
            let scores: Vec<f64> = (0..visible)
                .map(|s| {
                    let pairs = query[row * dims..(row + 1) * dims].iter().zip(&keys[at(s)..at(s) + dims]);
                    pairs.map(|(q, k)| f64::from(*q) * f64::from(*k)).sum::<f64>() * f64::from(scale)
                })
                .collect();
            let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let weights: Vec<f64> = scores.iter().map(|score| (score - most).exp()).collect();
            let total: f64 = weights.iter().sum();
            let mut sums = vec![0.0f64; dims];
            for (s, weight) in weights.iter().enumerate() {
                sums.iter_mut()
                    .zip(&all[at(s)..at(s) + dims])
                    .for_each(|(sum, value)| *sum += weight * f64::from(*value));
            }
            for (sum, got) in sums.iter().zip(&got[row * dims..(row + 1) * dims]) {
                off = off.max((sum / total - f64::from(*got)).abs());
                largest = largest.max((sum / total).abs());
            }
        }
        Ok((off, largest))
    }
}
