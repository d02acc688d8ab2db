//! Task 3.4.2: attention of a few queries over keys and values that lie in pages.

use extensions::tuning;
use extensions::week3::{PagedPath, paged_attention, paged_attention_by};
use kit::Result;
use kit::testing::{DTYPES, Random, array, assert_close, values, zeros};
use kit::testing::{PagedSizes as Sizes, PagedTexts as Texts};
use kit::testing::{expect_dtype, expect_invalid_argument, expect_shape};
use mlx_rs::{Array, Dtype, ops};

/// The kernel on such texts.
trait Attend {
    fn attend(&self, scale: f32, causal: bool) -> Result<Array>;
    fn check(&self, what: &str, scale: f32, causal: bool) -> Result<()>;
    fn off(&self, scale: f32) -> Result<(f64, f64)>;
}

impl Attend for Texts {
    fn attend(&self, scale: f32, causal: bool) -> Result<Array> {
        let (table, lens) = (self.block_table(), self.context_lens());
        paged_attention(&self.query, &self.keys, &self.values, &table, &lens, scale, causal)
    }

    fn check(&self, what: &str, scale: f32, causal: bool) -> Result<()> {
        assert_close(what, &self.attend(scale, causal)?, &self.oracle(scale, causal)?)
    }

    fn off(&self, scale: f32) -> Result<(f64, f64)> {
        self.off_from_doubles(&self.attend(scale, true)?, scale)
    }
}

/// Runs `test` with every step of the ladder and every set of instructions that this processor has.
fn every_form(test: impl Fn() -> Result<()>) -> Result<()> {
    (1..=3).try_for_each(|step| tuning::on_every_set(step, &test))
}

fn properties(seed: u64, count: usize) -> Result<()> {
    let mut random = Random::new(seed);
    for case in 0..count {
        let sizes = Sizes {
            heads: random.int(1..4),
            group: random.int(1..5),
            length: random.int(1..6),
            page: random.int(1..20),
            dims: random.int(1..70),
        };
        let texts = random.int(1..4);
        let contexts: Vec<i32> =
            (0..texts).map(|_| if random.int(0..5) == 0 { 0 } else { random.int(sizes.length..100) }).collect();
        let dtype = DTYPES[case % 3].0;
        let texts = Texts::random(&mut random, sizes, &contexts, dtype)?;
        let what = format!("case {case}: {sizes:?}, {contexts:?} keys, {dtype:?}");
        texts.check(&what, 1.0 / (sizes.dims as f32).sqrt(), case % 2 == 0)?;
    }
    Ok(())
}

#[test]
fn task_2_two_keys_by_hand() -> Result<()> {
    // One slot a page: the first key is in page 2, the second in page 0. Page 1 is nobody's.
    let pages = |first: [f32; 2], second: [f32; 2]| {
        array(&[second[0], second[1], f32::NAN, f32::NAN, first[0], first[1]], &[3, 1, 1, 2])
    };
    let texts = Texts {
        query: array(&[1.0, 0.0], &[1, 1, 1, 2]),
        keys: pages([1.0, 5.0], [0.0, 5.0]),
        values: pages([10.0, 0.0], [0.0, 20.0]),
        table: vec![vec![2, 0]],
        contexts: vec![2],
    };
    // Scores ln 3 and 0 give the weights 3/4 and 1/4.
    assert_close("weights 3/4 and 1/4", &texts.attend(3.0f32.ln(), true)?, &array(&[7.5, 5.0], &[1, 1, 1, 2]))
}

#[test]
fn task_2_random_texts_agree_with_mlx() -> Result<()> {
    properties(342, 500)
}

#[test]
fn task_2_step_1_naive() -> Result<()> {
    tuning::on_every_set(1, || properties(3421, 36))
}

#[test]
fn task_2_step_2_pages_and_rows() -> Result<()> {
    tuning::on_every_set(2, || properties(3421, 36))
}

#[test]
fn task_2_step_3_threads() -> Result<()> {
    tuning::on_every_set(3, || properties(3421, 36))
}

#[test]
fn task_2_sums_in_f64_are_as_good_as_equal_at_every_length() -> Result<()> {
    let mut random = Random::new(3422);
    let sizes = Sizes { heads: 2, group: 2, length: 1, page: 16, dims: 64 };
    for context in [1, 63, 64, 65, 1000, 8192] {
        for (dtype, _) in DTYPES {
            let texts = Texts::random(&mut random, sizes, &[context], dtype)?;
            let (off, largest) = texts.off(0.125)?;
            // Half a unit in the last place of the dtype, and what f32 loses on the way.
            let rounding =
                [0.0, largest / 2048.0, largest / 256.0][DTYPES.iter().position(|d| d.0 == dtype).unwrap_or(0)];
            assert!(off <= rounding + 2e-6, "{context} keys, {dtype:?}: off by {off:e}, the largest is {largest}");
        }
    }
    Ok(())
}

#[test]
fn task_2_every_number_of_keys_around_a_page_and_a_block() -> Result<()> {
    let mut random = Random::new(3423);
    for page in [1, 3, 16, 32, 40, 128] {
        for context in [1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 300] {
            let sizes = Sizes { heads: 2, group: 2, length: 1, page, dims: 32 };
            let texts = Texts::random(&mut random, sizes, &[context, 1], Dtype::Float32)?;
            texts.check(&format!("{context} keys in pages of {page}"), 0.2, true)?;
        }
    }
    Ok(())
}

#[test]
fn task_2_every_width_of_a_head() -> Result<()> {
    let mut random = Random::new(3424);
    for dims in [1, 3, 4, 7, 8, 15, 16, 17, 64, 80, 128, 255, 256] {
        let sizes = Sizes { heads: 1, group: 3, length: 2, page: 8, dims };
        let texts = Texts::random(&mut random, sizes, &[40, 9], Dtype::Float32)?;
        texts.check(&format!("D = {dims}"), 1.0 / (dims as f32).sqrt(), true)?;
    }
    Ok(())
}

#[test]
fn task_2_an_idle_text_gets_zeros() -> Result<()> {
    let mut random = Random::new(3425);
    let sizes = Sizes { heads: 1, group: 2, length: 1, page: 4, dims: 8 };
    every_form(|| {
        let texts = Texts::random(&mut Random::new(34251), sizes, &[5, 0, 3], Dtype::Float32)?;
        let got = values(&texts.attend(0.3, true)?)?;
        assert_eq!(got[16..32], [0.0; 16]);
        assert!(got[..16].iter().chain(&got[32..]).all(|value| value.is_finite() && *value != 0.0), "{got:?}");
        Ok(())
    })?;
    let nobody = Texts::random(&mut random, sizes, &[0, 0], Dtype::Bfloat16)?;
    assert_eq!(values(&nobody.attend(0.3, false)?)?, [0.0; 32]);
    Ok(())
}

#[test]
fn task_2_slots_behind_the_context_are_never_read() -> Result<()> {
    every_form(|| {
        let mut random = Random::new(3426);
        let sizes = Sizes { heads: 2, group: 2, length: 1, page: 8, dims: 16 };
        let mut texts = Texts::random(&mut random, sizes, &[21], Dtype::Float32)?;
        let want = texts.attend(0.25, true)?;
        want.eval()?;
        // Slots 5, 6 and 7 of the last page, and the page that is nobody's.
        let (last, spare) = (texts.table[0][2], (0..4).find(|page| !texts.table[0].contains(page)).unwrap_or(0));
        let slot = |page: i32, slot: i32| page == spare || (page == last && slot >= 5);
        let poison: Vec<bool> =
            (0..4).flat_map(|page| (0..2).flat_map(move |_| (0..8).map(move |s| slot(page, s)))).collect();
        let poison = Array::from_slice(&poison, &[4, 2, 8, 1]);
        texts.keys = ops::select(&poison, Array::from_f32(f32::NAN), &texts.keys)?;
        texts.values = ops::select(&poison, Array::from_f32(f32::NAN), &texts.values)?;
        assert_close("with NaN behind the context", &texts.attend(0.25, true)?, &want)
    })
}

#[test]
fn task_2_large_scores_do_not_overflow() -> Result<()> {
    every_form(|| {
        let mut random = Random::new(3427);
        let sizes = Sizes { heads: 1, group: 2, length: 1, page: 16, dims: 32 };
        let mut texts = Texts::random(&mut random, sizes, &[100], Dtype::Float32)?;
        texts.query = ops::multiply(&texts.query, Array::from_f32(60.0))?;
        texts.check("scores of some hundred", 1.0, true)
    })
}

#[test]
fn task_2_texts_may_share_pages() -> Result<()> {
    let mut random = Random::new(3428);
    let sizes = Sizes { heads: 2, group: 1, length: 1, page: 4, dims: 16 };
    let mut texts = Texts::random(&mut random, sizes, &[8, 7], Dtype::Float32)?;
    texts.table[1][0] = texts.table[0][0];
    texts.check("a shared first page", 0.25, true)
}

#[test]
fn task_2_the_number_of_threads_changes_no_bit() -> Result<()> {
    let sizes = Sizes { heads: 4, group: 2, length: 2, page: 16, dims: 64 };
    let texts = Texts::random(&mut Random::new(3429), sizes, &[150, 33, 0], Dtype::Float32)?;
    let before = tuning::threads()?;
    let mut all = Vec::new();
    for threads in [1, 2, 5] {
        tuning::set_threads(threads)?;
        all.push(values(&texts.attend(0.125, true)?)?);
    }
    tuning::set_threads(before)?;
    assert!(all.iter().all(|one| *one == all[0]), "another number of threads gave other values");
    Ok(())
}

#[test]
fn task_2_a_text_is_the_same_alone_and_among_others() -> Result<()> {
    let mut random = Random::new(34210);
    let sizes = Sizes { heads: 2, group: 2, length: 1, page: 16, dims: 64 };
    let texts = Texts::random(&mut random, sizes, &[77, 5, 300], Dtype::Float32)?;
    let together = values(&texts.attend(0.125, true)?)?;
    for text in 0..3 {
        let query = ops::split_equal(&texts.query, 3, 0)?.swap_remove(text);
        let (keys, all) = (texts.keys.clone(), texts.values.clone());
        let (table, contexts) = (vec![texts.table[text].clone()], vec![texts.contexts[text]]);
        let alone = Texts { query, keys, values: all, table, contexts };
        let alone = values(&alone.attend(0.125, true)?)?;
        assert_eq!(alone, together[text * alone.len()..(text + 1) * alone.len()], "text {text}");
    }
    Ok(())
}

/// `rows` (H, S, D) in pages of `page` slots, (P, H, page, D), in their order; NaN behind the last row.
fn in_pages(rows: &Array, page: i32) -> Result<Array> {
    let (heads, length, dims) = (rows.dim(0), rows.dim(1), rows.dim(2));
    let count = (length + page - 1) / page;
    let behind = Array::full::<f32>(&[heads, count * page - length, dims], Array::from_f32(f32::NAN))?;
    let whole = ops::concatenate(&[rows, &behind], 1)?.reshape(&[heads, count, page, dims])?;
    Ok(whole.swap_axes(0, 1)?.contiguous()?)
}

#[test]
fn task_2_the_size_of_a_page_changes_no_bit() -> Result<()> {
    let mut random = Random::new(34211);
    let (query, context) = (random.normal(&[1, 4, 1, 32]), 200);
    let (keys, all) = (random.normal(&[2, context, 32]), random.normal(&[2, context, 32]));
    every_form(|| {
        let mut of_one = None;
        for page in [1, 3, 16, 40, 64, 100, 256] {
            let table = vec![(0..(context + page - 1) / page).collect()];
            let (keys, values_of) = (in_pages(&keys, page)?, in_pages(&all, page)?);
            let texts = Texts { query: query.clone(), keys, values: values_of, table, contexts: vec![context] };
            let got = values(&texts.attend(0.2, true)?)?;
            let want = of_one.get_or_insert_with(|| got.clone());
            assert_eq!(got, *want, "pages of {page} gave other bits than pages of 1");
        }
        Ok(())
    })
}

#[test]
fn task_2_a_malformed_table_is_refused() -> Result<()> {
    let (query, pages) = (zeros(&[2, 4, 3, 8]), zeros(&[5, 2, 4, 8]));
    let with = |table: &[i32; 4], contexts: &[i32; 2]| {
        let (table, contexts) = (Array::from_slice(table, &[2, 2]), Array::from_slice(contexts, &[2]));
        let got = paged_attention(&query, &pages, &pages, &table, &contexts, 0.3, true)?;
        Ok(got.eval()?)
    };
    with(&[4, 0, 2, -1], &[7, 3])?;
    with(&[-1, -1, 2, 1], &[0, 8])?;
    let error = expect_invalid_argument(with(&[4, 5, 2, -1], &[7, 3]), "block_table");
    assert_eq!(error.to_string(), "block_table is 5 at 1, but it must be -1 or one of the 5 pages, from 0 on");
    for table in [[4, 4, 2, -1], [4, -2, 2, -1], [-1, 0, 2, 1], [0, 1, 2, i32::MAX], [0, 1, i32::MIN, 2]] {
        expect_invalid_argument(with(&table, &[3, 3]), "block_table");
    }
    let error = expect_invalid_argument(with(&[4, 0, 2, -1], &[7, 5]), "context_lens");
    assert_eq!(error.to_string(), "context_lens is 5 at 1, but it must be from 0 to what its 1 pages of 4 hold");
    for contexts in [[9, 3], [-1, 3], [7, i32::MAX], [i32::MIN, 0], [2, 3]] {
        expect_invalid_argument(with(&[4, 0, 2, -1], &contexts), "context_lens");
    }
    Ok(())
}

#[test]
fn task_2_other_arguments_are_refused() -> Result<()> {
    let (query, pages) = (zeros(&[1, 4, 1, 8]), zeros(&[5, 2, 4, 8]));
    let (table, contexts) = (Array::from_slice(&[4, 0], &[1, 2]), Array::from_slice(&[7], &[1]));
    let with = |query: &Array, keys: &Array, all: &Array, table: &Array, contexts: &Array| {
        paged_attention_by(PagedPath::Decode, query, keys, all, table, contexts, 0.3, false)
    };
    with(&query, &pages, &pages, &table, &contexts)?.eval()?;
    let three = zeros(&[5, 3, 4, 8]);
    let error = expect_invalid_argument(with(&query, &three, &three, &table, &contexts), "query heads");
    assert_eq!(error.to_string(), "query heads is 4, but it must be a multiple of the key heads, 3");
    let (wide, wide_pages) = (zeros(&[1, 1, 1, 257]), zeros(&[5, 1, 4, 257]));
    expect_invalid_argument(with(&wide, &wide_pages, &wide_pages, &table, &contexts), "D");
    let empty = zeros(&[5, 2, 0, 8]);
    expect_invalid_argument(with(&query, &empty, &empty, &table, &contexts), "page");
    let no_number = paged_attention(&query, &pages, &pages, &table, &contexts, f32::NAN, true);
    expect_invalid_argument(no_number, "scale");
    expect_shape(with(&zeros(&[4, 1, 8]), &pages, &pages, &table, &contexts));
    expect_shape(with(&query, &zeros(&[5, 2, 4, 7]), &pages, &table, &contexts));
    expect_shape(with(&query, &pages, &zeros(&[4, 2, 4, 8]), &table, &contexts));
    expect_shape(with(&query, &pages, &pages, &Array::from_slice(&[4, 0], &[2]), &contexts));
    expect_shape(with(&query, &pages, &pages, &table, &Array::from_slice(&[7, 7], &[2])));
    expect_dtype(with(&query, &pages.as_dtype(Dtype::Float16)?, &pages, &table, &contexts));
    expect_dtype(with(&query, &pages, &pages, &zeros(&[1, 2]), &contexts));
    expect_dtype(with(&query, &pages, &pages, &table, &zeros(&[1])));
    Ok(())
}
