//! Day 4, paged attention: a text that grows in pages answers as one that grows in a row.

use extensions::week2::{Mask, decode_attention};
use extensions::week3::{paged_attention, paged_cache_update};
use kit::Result;
use kit::testing::{Random, assert_close, zeros};
use mlx_rs::{Array, ops};
use week3::tiles::KERNEL;

#[test]
fn end_a_text_that_grows_in_pages_answers_as_one_in_a_row() -> Result<()> {
    let mut random = Random::new(34);
    let (mut key_pages, mut value_pages) = (zeros(&[8, 2, 16, 32]), zeros(&[8, 2, 16, 32]));
    let (mut keys, mut values) = (zeros(&[1, 2, 0, 32]), zeros(&[1, 2, 0, 32]));
    let table = Array::from_slice(&[5, 0, 7, 2, 3, -1], &[1, 6]);
    let row = table.reshape(&[6])?;
    let mut context = 0;
    for length in [7, 1, 1, 30, 1, 25, 1, 1, 9] {
        let (key, value) = (random.normal(&[1, 2, length, 32]), random.normal(&[1, 2, length, 32]));
        key_pages = paged_cache_update(&key_pages, &key, &row, context)?;
        value_pages = paged_cache_update(&value_pages, &value, &row, context)?;
        keys = ops::concatenate(&[&keys, &key], 2)?;
        values = ops::concatenate(&[&values, &value], 2)?;
        context += length;
        let query = random.normal(&[1, 4, length, 32]);
        let lens = Array::from_slice(&[context], &[1]);
        let got = paged_attention(&query, &key_pages, &value_pages, &table, &lens, 0.18, true)?;
        let want = decode_attention(&query, &keys, &values, Mask::Causal, 0.18)?;
        assert_close(&format!("{length} of {context} tokens"), &got, &want)?;
    }
    assert!(context > KERNEL.keys, "the text is longer than a tile");
    Ok(())
}
