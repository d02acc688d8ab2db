//! Task 3.3.6, optional: paged_cache_update as a Metal kernel.

use extensions::week3::paged_cache_update;
use extensions::{metal, tuning};
use kit::Result;
use kit::testing::{DTYPES, Random, array, values, zeros};
use mlx_rs::{Array, ops};

/// With each step of the ladder, on the Metal rung.
fn each_step(test: impl Fn() -> Result<()>) -> Result<()> {
    for step in [1, 2] {
        tuning::set_version(Some(step));
        let result = metal::with_kernels(&test);
        tuning::set_version(None);
        result?;
    }
    Ok(())
}

fn ids(list: &[i32]) -> Array {
    Array::from_slice(list, &[list.len() as i32])
}

/// What the pages must hold afterwards, slot by slot.
fn expected(pages: &Array, new: &Array, listed: &[i32], start: i32) -> Result<Vec<f32>> {
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
fn any_pages(random: &mut Random, pages: i32, count: i32) -> Vec<i32> {
    let mut all: Vec<i32> = (0..pages).collect();
    for i in 0..count as usize {
        let other = random.int(i as i32..pages) as usize;
        all.swap(i, other);
    }
    all.truncate(count as usize);
    all
}

/// Tokens before heads, as a projection leaves them.
fn turned(new: &Array) -> Result<Array> {
    Ok(new.transpose_axes(&[0, 2, 1, 3])?.contiguous()?.transpose_axes(&[0, 2, 1, 3])?)
}

#[test]
fn task_6_metal_three_tokens_by_hand() -> Result<()> {
    each_step(|| {
        // Two slots a page: the tokens 5, 6, 7 from slot 1 of page 2 on, then page 0.
        let pages = zeros(&[3, 1, 2, 1]);
        let got = paged_cache_update(&pages, &array(&[5.0, 6.0, 7.0], &[1, 1, 3, 1]), &ids(&[2, 0]), 1)?;
        assert_eq!(values(&got)?, [6.0, 7.0, 0.0, 0.0, 0.0, 5.0]);
        Ok(())
    })
}

#[test]
fn task_6_metal_random_writes_go_where_they_belong() -> Result<()> {
    each_step(|| {
        let mut random = Random::new(3361);
        for case in 0..30 {
            let (total, heads, page, dims) = (random.int(1..9), random.int(1..4), random.int(1..9), random.int(1..40));
            let listed = random.int(1..total + 1);
            let length = random.int(1..listed * page + 1);
            let start = random.int(0..listed * page - length + 1);
            let dtype = DTYPES[case % 3].0;
            let pages = random.normal(&[total, heads, page, dims]).as_dtype(dtype)?;
            let mut new = random.normal(&[1, heads, length, dims]).as_dtype(dtype)?;
            if case % 2 == 0 {
                new = turned(&new)?;
            }
            let mut row = any_pages(&mut random, total, listed);
            let want = expected(&pages, &new, &row, start)?;
            row.extend(vec![-1; case % 3]);
            let got = paged_cache_update(&pages, &new, &ids(&row), start)?;
            let what = format!("case {case}: {length} tokens from {start} of {row:?}, pages {:?}", pages.shape());
            assert_eq!(values(&got)?, want, "{what}");
        }
        Ok(())
    })
}

#[test]
fn task_6_metal_an_old_handle_reads_old_values() -> Result<()> {
    each_step(|| {
        let mut random = Random::new(3362);
        let old = random.normal(&[4, 2, 3, 5]);
        let before = values(&old)?;
        let new = random.normal(&[1, 2, 4, 5]);
        let once = paged_cache_update(&old, &new, &ids(&[3, 1]), 2)?;
        let want = expected(&old, &new, &[3, 1], 2)?;
        let again = paged_cache_update(&old, &ops::negative(&new)?, &ids(&[3, 1]), 2)?;
        again.eval()?;
        assert_eq!(values(&old)?, before, "pages that were written into changed under the handle that held them");
        assert_eq!(values(&once)?, want, "two writes into the same pages met");
        Ok(())
    })
}

#[test]
fn task_6_metal_pages_that_nobody_else_holds_and_pages_that_are_a_view() -> Result<()> {
    each_step(|| {
        let mut random = Random::new(3363);
        let row = [4, 2, 0, 1, 3];
        let mut pages = ops::add(random.normal(&[5, 1, 2, 3]), Array::from_f32(0.0))?;
        let mut want = values(&pages)?;
        for start in 0..6 {
            let new = random.normal(&[1, 1, 1, 3]);
            want = expected(&array(&want, &[5, 1, 2, 3]), &new, &row, start)?;
            pages = paged_cache_update(&pages, &new, &ids(&row), start)?;
            assert_eq!(values(&pages)?, want, "token {start}");
        }
        let view = random.normal(&[4, 3, 2, 5]).transpose_axes(&[3, 2, 0, 1])?;
        let new = random.normal(&[1, 2, 6, 3]);
        let want = expected(&view.contiguous()?, &new, &[4, 0], 1)?;
        assert_eq!(values(&paged_cache_update(&view, &new, &ids(&[4, 0]), 1)?)?, want);
        Ok(())
    })
}
