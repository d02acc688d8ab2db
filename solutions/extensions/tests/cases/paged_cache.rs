//! Task 3.3.1: new keys and values go into pages, and an old handle never sees them.

use extensions::tuning;
use extensions::week3::paged_cache_update;
use kit::Result;
use kit::testing::{DTYPES, Random, array, expect_dtype, expect_invalid_argument, expect_shape, values, zeros};
use kit::testing::{any_pages, pages_after, turned};
use mlx_rs::{Array, Dtype, Stream, ops, transforms::async_eval, with_stream};

fn ids(list: &[i32]) -> Array {
    Array::from_slice(list, &[list.len() as i32])
}

fn properties(seed: u64, count: usize) -> Result<()> {
    let mut random = Random::new(seed);
    for case in 0..count {
        let (total, heads, page, dims) = (random.int(1..9), random.int(1..4), random.int(1..9), random.int(1..20));
        let listed = random.int(1..total + 1);
        let length = random.int(0..listed * page + 1);
        let start = random.int(0..listed * page - length + 1);
        let dtype = DTYPES[case % 3].0;
        let pages = random.normal(&[total, heads, page, dims]).as_dtype(dtype)?;
        let mut new = random.normal(&[1, heads, length, dims]).as_dtype(dtype)?;
        if case % 2 == 0 && length > 0 {
            new = turned(&new)?;
        }
        let mut row = any_pages(&mut random, total, listed);
        let want = pages_after(&pages, &new, &row, start)?;
        row.extend(vec![-1; case % 3]);
        let got = paged_cache_update(&pages, &new, &ids(&row), start)?;
        assert_eq!((got.shape(), got.dtype()), (pages.shape(), dtype));
        assert_eq!(
            values(&got)?,
            want,
            "case {case}: {length} tokens from {start} of {row:?}, pages {:?}",
            pages.shape()
        );
    }
    Ok(())
}

/// Where an evaluated array's first element is.
fn place(array: &Array) -> Result<usize> {
    array.eval()?;
    Ok(array.as_slice::<f32>().as_ptr() as usize)
}

#[test]
fn task_1_three_tokens_by_hand() -> Result<()> {
    // Two slots a page: the tokens 5, 6, 7 from slot 1 of page 2 on, then page 0.
    let pages = zeros(&[3, 1, 2, 1]);
    let got = paged_cache_update(&pages, &array(&[5.0, 6.0, 7.0], &[1, 1, 3, 1]), &ids(&[2, 0]), 1)?;
    assert_eq!(values(&got)?, [6.0, 7.0, 0.0, 0.0, 0.0, 5.0]);
    Ok(())
}

#[test]
fn task_1_random_writes_go_where_they_belong() -> Result<()> {
    properties(331, 600)
}

#[test]
fn task_1_step_1_naive() -> Result<()> {
    tuning::on_every_set(1, || properties(3311, 60))
}

#[test]
fn task_1_step_2_runs() -> Result<()> {
    tuning::on_every_set(2, || properties(3311, 60))
}

#[test]
fn task_1_step_3_threads() -> Result<()> {
    tuning::on_every_set(3, || properties(3311, 60))
}

#[test]
fn task_1_an_old_handle_reads_old_values() -> Result<()> {
    let mut random = Random::new(3312);
    let old = random.normal(&[4, 2, 3, 5]);
    let before = values(&old)?;
    let new = random.normal(&[1, 2, 4, 5]);
    let once = paged_cache_update(&old, &new, &ids(&[3, 1]), 2)?;
    let want = values(&once)?;
    let again = paged_cache_update(&old, &ops::negative(&new)?, &ids(&[3, 1]), 2)?;
    again.eval()?;
    assert_eq!(values(&old)?, before, "pages that were written into changed under the handle that held them");
    assert_eq!(values(&once)?, want, "two writes into the same pages met");
    Ok(())
}

#[test]
fn task_1_work_that_still_needs_old_pages_reads_old_values() -> Result<()> {
    let mut random = Random::new(3313);
    let (one, two) = (Stream::new(), Stream::new());
    for _ in 0..40 {
        let old = random.normal(&[6, 2, 16, 32]);
        old.eval()?;
        let want = values(&ops::multiply(&old, Array::from_f32(2.0))?)?;
        // A node that has not run, on a stream of its own.
        let reader = with_stream(&one, || ops::multiply(&old, Array::from_f32(2.0)))?;
        let new = random.normal(&[1, 2, 90, 32]);
        let written = with_stream(&two, || paged_cache_update(&old, &new, &ids(&[5, 3, 1, 0, 2, 4]), 3))?;
        drop(old);
        async_eval([&written])?;
        async_eval([&reader])?;
        assert_eq!(values(&reader)?, want, "a reader that came before the write saw it");
        written.eval()?;
    }
    Ok(())
}

#[test]
fn task_1_pages_that_nobody_else_holds_are_written_in_place() -> Result<()> {
    let mut random = Random::new(3314);
    let mut pages = ops::add(random.normal(&[8, 2, 4, 16]), Array::from_f32(0.0))?;
    let first = place(&pages)?;
    let mut want = values(&pages)?;
    for start in 0..20 {
        let new = random.normal(&[1, 2, 1, 16]);
        let row = [7, 1, 4, 2, 0];
        want = pages_after(&array(&want, &[8, 2, 4, 16]), &new, &row, start)?;
        pages = paged_cache_update(&pages, &new, &ids(&row), start)?;
        assert_eq!(place(&pages)?, first, "token {start} was written into a copy of all pages");
        assert_eq!(values(&pages)?, want);
    }
    Ok(())
}

#[test]
fn task_1_a_chain_of_writes_in_one_graph() -> Result<()> {
    let mut random = Random::new(3315);
    let begin = random.normal(&[5, 1, 2, 3]);
    let mut want = values(&begin)?;
    let mut pages = begin.clone();
    for start in 0..10 {
        let new = random.normal(&[1, 1, 1, 3]);
        want = pages_after(&array(&want, &[5, 1, 2, 3]), &new, &[4, 2, 0, 1, 3], start)?;
        pages = paged_cache_update(&pages, &new, &ids(&[4, 2, 0, 1, 3]), start)?;
    }
    assert_eq!(values(&pages)?, want);
    Ok(())
}

#[test]
fn task_1_pages_that_are_a_view_are_copied_whole() -> Result<()> {
    let mut random = Random::new(3316);
    let view = random.normal(&[4, 3, 2, 5]).transpose_axes(&[3, 2, 0, 1])?;
    let new = random.normal(&[1, 2, 6, 3]);
    let want = pages_after(&view.contiguous()?, &new, &[4, 0], 1)?;
    assert_eq!(values(&paged_cache_update(&view, &new, &ids(&[4, 0]), 1)?)?, want);
    Ok(())
}

#[test]
fn task_1_what_does_not_fit_is_refused() -> Result<()> {
    let (pages, new) = (zeros(&[3, 2, 4, 8]), zeros(&[1, 2, 5, 8]));
    // A write that fits first: nothing of this passes on a stub.
    paged_cache_update(&pages, &new, &ids(&[0, 2]), 3)?.eval()?;
    let write = |row: &[i32], start| paged_cache_update(&pages, &new, &ids(row), start);
    let error = expect_invalid_argument(write(&[0, 2], 4), "start");
    assert_eq!(error.to_string(), "start is 4, but it must leave room for 5 tokens in 2 pages of 4");
    for start in [-1, i32::MIN, i32::MAX] {
        expect_invalid_argument(write(&[0, 2], start), "start");
    }
    expect_invalid_argument(write(&[0, -1], 0), "start");
    expect_invalid_argument(write(&[-1, -1], 0), "start");
    let error = expect_invalid_argument(write(&[0, 3], 0), "page_ids");
    assert_eq!(error.to_string(), "page_ids is 3 at 1, but it must be -1 or one of the 3 pages, from 0 on");
    for row in [[0, 0], [-2, 1], [-1, 1], [1, i32::MAX], [i32::MIN, 1]] {
        expect_invalid_argument(write(&row, 0), "page_ids");
    }
    expect_shape(paged_cache_update(&zeros(&[3, 2, 4]), &new, &ids(&[0, 2]), 0));
    expect_shape(paged_cache_update(&pages, &zeros(&[2, 2, 5, 8]), &ids(&[0, 2]), 0));
    expect_shape(paged_cache_update(&pages, &zeros(&[1, 1, 5, 8]), &ids(&[0, 2]), 0));
    expect_shape(paged_cache_update(&pages, &zeros(&[1, 2, 5, 7]), &ids(&[0, 2]), 0));
    expect_shape(paged_cache_update(&pages, &new, &Array::from_slice(&[0, 2], &[1, 2]), 0));
    expect_dtype(paged_cache_update(&pages, &new.as_dtype(Dtype::Float16)?, &ids(&[0, 2]), 0));
    expect_dtype(paged_cache_update(&pages, &new, &zeros(&[2]), 0));
    expect_dtype(paged_cache_update(&pages.as_dtype(Dtype::Int32)?, &new, &ids(&[0, 2]), 0));
    expect_invalid_argument(paged_cache_update(&zeros(&[3, 2, 0, 8]), &new, &ids(&[0, 2]), 0), "page");
    Ok(())
}
