//! Task 3.3.6, optional: paged_cache_update as a Metal kernel.

use extensions::metal;
use extensions::week3::paged_cache_update;
use kit::Result;
use kit::testing::{DTYPES, Random, array, values, zeros};
use kit::testing::{any_pages, pages_after, turned};
use mlx_rs::{Array, ops};

fn ids(list: &[i32]) -> Array {
    Array::from_slice(list, &[list.len() as i32])
}

#[test]
fn task_6_metal_three_tokens_by_hand() -> Result<()> {
    metal::with_each_step(2, || {
        // Two slots a page: the tokens 5, 6, 7 from slot 1 of page 2 on, then page 0.
        let pages = zeros(&[3, 1, 2, 1]);
        let got = paged_cache_update(&pages, &array(&[5.0, 6.0, 7.0], &[1, 1, 3, 1]), &ids(&[2, 0]), 1)?;
        assert_eq!(values(&got)?, [6.0, 7.0, 0.0, 0.0, 0.0, 5.0]);
        Ok(())
    })
}

#[test]
fn task_6_metal_random_writes_go_where_they_belong() -> Result<()> {
    metal::with_each_step(2, || {
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
            let want = pages_after(&pages, &new, &row, start)?;
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
    metal::with_each_step(2, || {
        let mut random = Random::new(3362);
        let old = random.normal(&[4, 2, 3, 5]);
        let before = values(&old)?;
        let new = random.normal(&[1, 2, 4, 5]);
        let once = paged_cache_update(&old, &new, &ids(&[3, 1]), 2)?;
        let want = pages_after(&old, &new, &[3, 1], 2)?;
        let again = paged_cache_update(&old, &ops::negative(&new)?, &ids(&[3, 1]), 2)?;
        again.eval()?;
        assert_eq!(values(&old)?, before, "pages that were written into changed under the handle that held them");
        assert_eq!(values(&once)?, want, "two writes into the same pages met");
        Ok(())
    })
}

#[test]
fn task_6_metal_pages_that_nobody_else_holds_and_pages_that_are_a_view() -> Result<()> {
    metal::with_each_step(2, || {
        let mut random = Random::new(3363);
        let row = [4, 2, 0, 1, 3];
        let mut pages = ops::add(random.normal(&[5, 1, 2, 3]), Array::from_f32(0.0))?;
        let mut want = values(&pages)?;
        for start in 0..6 {
            let new = random.normal(&[1, 1, 1, 3]);
            want = pages_after(&array(&want, &[5, 1, 2, 3]), &new, &row, start)?;
            pages = paged_cache_update(&pages, &new, &ids(&row), start)?;
            assert_eq!(values(&pages)?, want, "token {start}");
        }
        let view = random.normal(&[4, 3, 2, 5]).transpose_axes(&[3, 2, 0, 1])?;
        let new = random.normal(&[1, 2, 6, 3]);
        let want = pages_after(&view.contiguous()?, &new, &[4, 0], 1)?;
        assert_eq!(values(&paged_cache_update(&view, &new, &ids(&[4, 0]), 1)?)?, want);
        Ok(())
    })
}
