//! Day 1, the KV cache: two caches against a plain list, attention and model against whole texts, the loop on a scripted
//! model, then mlx-lm's and Week 1's tokens.

use kit::testing::{
    DTYPES, Random, Tolerance, array, assert_close, assert_close_within, expect_dtype, expect_error,
    expect_invalid_argument, expect_non_finite, expect_shape, golden, golden_json, golden_tensors, tiny_model, values,
    zeros,
};
use kit::{CausalLm, Checkpoint, Error, Generation, Result, StopReason};
use mlx_rs::{Array, Dtype, ops, ops::indexing::IndexOp};
use solution_week1::{
    generate::{greedy, next_logprobs},
    sampler::make_sampler,
};
use std::{cell::RefCell, collections::HashMap, fmt::Debug, ops::ControlFlow};
use week2::{
    attention::{Qwen3Attention, RMSNorm, RoPE},
    generate::generate,
    kv_cache::{BlockCache, ConcatCache, KvCache},
    model::{CachedLm, Caches, Qwen3Model, Rows},
    operators::Linear,
    rung::Rung,
};

/// Panics with both sides by name unless they are the same.
#[track_caller]
fn assert_same<G: PartialEq<E> + Debug, E: Debug>(what: &str, got: G, expected: E) {
    assert!(got == expected, "{what}\n  got      {got:?}\n  expected {expected:?}");
}

/// A fresh cache of one kind.
type Make = fn() -> Result<Box<dyn KvCache>>;

fn concat() -> Result<Box<dyn KvCache>> {
    Ok(Box::new(ConcatCache::default()))
}

fn blocks<const BLOCK: i32>() -> Result<Box<dyn KvCache>> {
    Ok(Box::new(BlockCache::new(BLOCK)?))
}

const BLOCKS: [Make; 4] = [blocks::<1>, blocks::<2>, blocks::<5>, blocks::<256>];

/// Keys and values of `length` tokens, (2, 3, L, 4).
fn pair(random: &mut Random, length: i32) -> (Array, Array) {
    (random.normal(&[2, 3, length, 4]), random.normal(&[2, 3, length, 4]))
}

/// The plain model of a cache: one (B, H, 1, D) slice a token.
#[derive(Default)]
struct Plain(Vec<(Array, Array)>);

impl Plain {
    fn append(&mut self, keys: &Array, values: &Array) {
        let token = |x: &Array, l: i32| x.index((.., .., l..l + 1, ..));
        self.0.extend((0..keys.dim(2)).map(|l| (token(keys, l), token(values, l))));
    }

    #[track_caller]
    fn assert_is(&self, what: &str, got: &(Array, Array)) -> Result<()> {
        let joined = |slices: Vec<&Array>| ops::concatenate(&slices, 2);
        let (keys, values) = (self.0.iter().map(|token| &token.0), self.0.iter().map(|token| &token.1));
        assert_close_within(&format!("{what}: keys"), &got.0, &joined(keys.collect())?, Tolerance::EXACT)?;
        assert_close_within(&format!("{what}: values"), &got.1, &joined(values.collect())?, Tolerance::EXACT)
    }
}

/// Two appends whose numbers can be read.
fn by_hand(make: Make) -> Result<()> {
    let mut cache = make()?;
    let (keys, values) = (array(&[1.0, 2.0, 3.0, 4.0], &[1, 1, 2, 2]), array(&[5.0, 6.0, 7.0, 8.0], &[1, 1, 2, 2]));
    let first = cache.update_and_fetch(&keys, &values)?;
    assert_same("tokens after two", cache.offset(), 2);
    assert_close("keys of two tokens", &first.0, &keys)?;
    assert_close("values of two tokens", &first.1, &values)?;
    let all = cache.update_and_fetch(&array(&[9.0, 9.5], &[1, 1, 1, 2]), &array(&[0.5, 0.0], &[1, 1, 1, 2]))?;
    assert_same("tokens after a third", cache.offset(), 3);
    assert_close("three keys", &all.0, &array(&[1.0, 2.0, 3.0, 4.0, 9.0, 9.5], &[1, 1, 3, 2]))?;
    assert_close("three values", &all.1, &array(&[5.0, 6.0, 7.0, 8.0, 0.5, 0.0], &[1, 1, 3, 2]))
}

/// The same appends and trims as mlx-lm's cache.
fn as_mlx_lm(make: Make) -> Result<()> {
    let golden = golden_tensors("week2/day1.safetensors")?;
    let mut cache = make()?;
    for (number, trim) in [0, 0, 4, 0].into_iter().enumerate() {
        cache.rewind(trim)?;
        let of = |name: &str| &golden[&format!("cache.{number}.{name}")];
        let (keys, values) = cache.update_and_fetch(of("keys"), of("values"))?;
        assert_close_within(&format!("keys after append {number}"), &keys, of("all_keys"), Tolerance::EXACT)?;
        assert_close_within(&format!("values after append {number}"), &values, of("all_values"), Tolerance::EXACT)?;
    }
    Ok(())
}

/// 100 random sequences of appends and rewinds.
fn as_a_plain_list(make: Make) -> Result<()> {
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let (mut cache, mut plain) = (make()?, Plain::default());
        for step in 0..random.int(3..9) {
            let kept = plain.0.len() as i32;
            if random.int(0..3) == 0 {
                let tokens = random.int(0..kept + 1);
                cache.rewind(tokens)?;
                plain.0.truncate((kept - tokens) as usize);
            } else {
                let length = random.int(1..5);
                let (keys, values) = pair(&mut random, length);
                let got = cache.update_and_fetch(&keys, &values)?;
                plain.append(&keys, &values);
                plain.assert_is(&format!("seed {seed}, step {step}"), &got)?;
            }
            assert_same(&format!("seed {seed}, step {step}: tokens"), cache.offset(), plain.0.len() as i32);
        }
    }
    Ok(())
}

/// What was returned stays, however the cache goes on.
fn old_answers_stay(make: Make) -> Result<()> {
    let mut random = Random::new(7);
    let (mut cache, mut plain) = (make()?, Plain::default());
    let (keys, values) = pair(&mut random, 3);
    let old = cache.update_and_fetch(&keys, &values)?;
    plain.append(&keys, &values);
    cache.rewind(2)?;
    for length in [1, 4] {
        let (keys, values) = pair(&mut random, length);
        mlx_rs::transforms::eval([&cache.update_and_fetch(&keys, &values)?.0])?;
    }
    plain.assert_is("the first answer, after a rewind and two appends over it", &old)
}

fn rewind_has_bounds(make: Make) -> Result<()> {
    let mut cache = make()?;
    for tokens in [1, -1, i32::MAX] {
        expect_invalid_argument(cache.rewind(tokens), "tokens");
    }
    cache.rewind(0)?;
    let mut random = Random::new(9);
    let (keys, values) = pair(&mut random, 3);
    cache.update_and_fetch(&keys, &values)?;
    for tokens in [4, -1, i32::MIN] {
        expect_invalid_argument(cache.rewind(tokens), "tokens");
        assert_same("tokens after a refused rewind", cache.offset(), 3);
    }
    cache.rewind(3)?;
    assert_same("tokens after a rewind to the beginning", cache.offset(), 0);
    let (keys, values) = pair(&mut random, 2);
    let mut plain = Plain::default();
    plain.append(&keys, &values);
    plain.assert_is("two tokens after a rewind to the beginning", &cache.update_and_fetch(&keys, &values)?)
}

fn refuses_what_does_not_fit(make: Make) -> Result<()> {
    let mut random = Random::new(11);
    let good = pair(&mut random, 2);
    for shape in [&[3, 2, 4][..], &[1, 2, 3, 2, 4], &[2, 3, 0, 4]] {
        expect_shape(make()?.update_and_fetch(&zeros(shape), &zeros(shape)));
    }
    expect_shape(make()?.update_and_fetch(&good.0, &zeros(&[2, 3, 1, 4])));
    expect_dtype(make()?.update_and_fetch(&good.0, &good.1.as_dtype(Dtype::Float16)?));
    expect_dtype(make()?.update_and_fetch(&good.0.as_dtype(Dtype::Int32)?, &good.1.as_dtype(Dtype::Int32)?));
    let mut cache = make()?;
    cache.update_and_fetch(&good.0, &good.1)?;
    for shape in [[1, 3, 1, 4], [2, 1, 1, 4], [2, 3, 1, 5], [2, 3, 0, 4]] {
        expect_shape(cache.update_and_fetch(&zeros(&shape), &zeros(&shape)));
    }
    expect_shape(cache.update_and_fetch(&good.0, &zeros(&[2, 3, 2, 5])));
    let half = good.0.as_dtype(Dtype::Bfloat16)?;
    expect_dtype(cache.update_and_fetch(&half, &half));
    assert_same("tokens after refused appends", cache.offset(), 2);
    let mut plain = Plain::default();
    plain.append(&good.0, &good.1);
    plain.append(&good.1, &good.0);
    plain.assert_is("an append after refused ones", &cache.update_and_fetch(&good.1, &good.0)?)
}

fn keeps_dtypes(make: Make) -> Result<()> {
    for (dtype, name) in DTYPES {
        let mut cache = make()?;
        let (keys, values) = pair(&mut Random::new(13), 3);
        let (keys, values) = (keys.as_dtype(dtype)?, values.as_dtype(dtype)?);
        let mut plain = Plain::default();
        for _ in 0..2 {
            plain.append(&keys, &values);
            plain.assert_is(name, &cache.update_and_fetch(&keys, &values)?)?;
        }
    }
    Ok(())
}

/// `moved_bytes` and `held_bytes` after appends of these lengths; a token is 2·(1·2·8) f32 = 128 bytes.
fn counts(cache: &mut dyn KvCache, lengths: &[i32]) -> Result<Vec<(u64, usize)>> {
    let mut counted = vec![(cache.moved_bytes() / 128, cache.held_bytes() / 128)];
    for &length in lengths {
        let new = zeros(&[1, 2, length, 8]);
        cache.update_and_fetch(&new, &new)?;
        counted.push((cache.moved_bytes() / 128, cache.held_bytes() / 128));
    }
    Ok(counted)
}

#[test]
fn task_1_two_appends_by_hand() -> Result<()> {
    by_hand(concat)
}

#[test]
fn task_1_agrees_with_the_cache_of_mlx_lm() -> Result<()> {
    as_mlx_lm(concat)
}

#[test]
fn task_1_is_a_plain_list_over_100_random_sequences() -> Result<()> {
    as_a_plain_list(concat)
}

#[test]
fn task_1_what_was_returned_never_changes() -> Result<()> {
    old_answers_stay(concat)
}

#[test]
fn task_1_rewind_has_bounds() -> Result<()> {
    rewind_has_bounds(concat)
}

#[test]
fn task_1_refuses_what_does_not_fit_and_stays_as_it_was() -> Result<()> {
    refuses_what_does_not_fit(concat)
}

#[test]
fn task_1_keeps_the_dtype() -> Result<()> {
    keeps_dtypes(concat)
}

#[test]
fn task_1_every_append_moves_all_old_tokens() -> Result<()> {
    let mut cache = ConcatCache::default();
    let expected = [(0, 0), (0, 3), (3, 4), (7, 5), (12, 7)];
    assert_same("tokens (moved, held) after 3, 1, 1, 2", counts(&mut cache, &[3, 1, 1, 2])?, expected);
    cache.rewind(5)?;
    assert_same("held after a rewind of 5", cache.held_bytes(), 2 * 128);
    assert_same("tokens (moved, held) after 1 more", counts(&mut cache, &[1])?, [(12, 2), (14, 3)]);
    Ok(())
}

#[test]
fn task_2_two_appends_by_hand() -> Result<()> {
    BLOCKS.into_iter().try_for_each(by_hand)
}

#[test]
fn task_2_agrees_with_the_cache_of_mlx_lm() -> Result<()> {
    BLOCKS.into_iter().try_for_each(as_mlx_lm)
}

#[test]
fn task_2_is_a_plain_list_over_100_random_sequences() -> Result<()> {
    as_a_plain_list(blocks::<1>)?;
    as_a_plain_list(blocks::<4>)
}

#[test]
fn task_2_what_was_returned_never_changes() -> Result<()> {
    BLOCKS.into_iter().try_for_each(old_answers_stay)
}

#[test]
fn task_2_rewind_has_bounds() -> Result<()> {
    BLOCKS.into_iter().try_for_each(rewind_has_bounds)
}

#[test]
fn task_2_refuses_what_does_not_fit_and_stays_as_it_was() -> Result<()> {
    BLOCKS.into_iter().try_for_each(refuses_what_does_not_fit)
}

#[test]
fn task_2_keeps_the_dtype() -> Result<()> {
    BLOCKS.into_iter().try_for_each(keeps_dtypes)
}

#[test]
fn task_2_grows_by_whole_blocks_and_moves_nothing_in_between() -> Result<()> {
    let mut cache = BlockCache::new(4)?;
    let expected = [(0, 0), (0, 4), (0, 4), (4, 8), (4, 8), (11, 16), (11, 16)];
    assert_same("tokens (moved, held), blocks of 4", counts(&mut cache, &[3, 1, 1, 2, 6, 3])?, expected);
    cache.rewind(16)?;
    assert_same("a rewind gives no room back", counts(&mut cache, &[16])?, [(11, 16), (11, 16)]);
    assert_same("room for three blocks at once", counts(&mut BlockCache::new(4)?, &[9])?, [(0, 0), (0, 12)]);
    assert_same("a block that is full", counts(&mut BlockCache::new(4)?, &[8, 1])?, [(0, 0), (0, 8), (8, 12)]);
    Ok(())
}

#[test]
fn task_2_holds_the_same_as_the_reference() -> Result<()> {
    let mut random = Random::new(17);
    let (mut cache, mut reference) = (BlockCache::new(3)?, solution_week2::kv_cache::BlockCache::new(3)?);
    for length in [2, 5, 1, 1, 7] {
        let (keys, values) = pair(&mut random, length);
        let got = cache.update_and_fetch(&keys, &values)?;
        let want = solution_week2::kv_cache::KvCache::update_and_fetch(&mut reference, &keys, &values)?;
        assert_close_within("keys", &got.0, &want.0, Tolerance::EXACT)?;
        assert_close_within("values", &got.1, &want.1, Tolerance::EXACT)?;
        assert_same("moved", cache.moved_bytes, reference.moved_bytes);
        cache.rewind(1)?;
        solution_week2::kv_cache::KvCache::rewind(&mut reference, 1)?;
    }
    Ok(())
}

/// Sizes of an attention.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    heads: i32,
    kv_heads: i32,
    head_dim: i32,
    hidden: i32,
}

const SIZES: [Sizes; 3] = [
    Sizes { heads: 4, kv_heads: 2, head_dim: 8, hidden: 24 },
    Sizes { heads: 3, kv_heads: 1, head_dim: 16, hidden: 20 },
    Sizes { heads: 2, kv_heads: 2, head_dim: 4, hidden: 8 },
];

/// Random weights by the checkpoint's names.
fn weights(random: &mut Random, sizes: Sizes) -> Result<HashMap<&'static str, Array>> {
    let Sizes { heads, kv_heads, head_dim, hidden } = sizes;
    let mut matrix =
        |rows: i32, columns: i32| random.normal(&[rows, columns]).divide(Array::from_f32((columns as f32).sqrt()));
    let mut weights = HashMap::from([
        ("q_proj", matrix(heads * head_dim, hidden)?),
        ("k_proj", matrix(kv_heads * head_dim, hidden)?),
        ("v_proj", matrix(kv_heads * head_dim, hidden)?),
        ("o_proj", matrix(hidden, heads * head_dim)?),
    ]);
    weights.insert("q_norm", random.uniform(0.5, 1.5, &[head_dim]));
    weights.insert("k_norm", random.uniform(0.5, 1.5, &[head_dim]));
    Ok(weights)
}

fn attention(sizes: Sizes, weights: &HashMap<&str, Array>) -> Result<Qwen3Attention> {
    let linear = |name| Linear::Dense(weights[name].clone());
    Ok(Qwen3Attention {
        q_proj: linear("q_proj"),
        k_proj: linear("k_proj"),
        v_proj: linear("v_proj"),
        o_proj: linear("o_proj"),
        q_norm: RMSNorm::new(weights["q_norm"].clone(), 1e-6)?,
        k_norm: RMSNorm::new(weights["k_norm"].clone(), 1e-6)?,
        num_attention_heads: sizes.heads,
        num_key_value_heads: sizes.kv_heads,
        rope: RoPE::new(sizes.head_dim, 10000.0, false)?,
        rung: Rung::KvCache,
    })
}

/// A text in pieces of these lengths, joined again.
fn in_pieces(layer: &Qwen3Attention, x: &Array, lengths: &[i32], make: Make) -> Result<Array> {
    let (mut cache, mut at, mut pieces) = (make()?, 0, Vec::new());
    for &length in lengths {
        pieces.push(layer.forward(&x.index((.., at..at + length, ..)), at, &mut *cache)?);
        at += length;
    }
    Ok(ops::concatenate(&pieces, 1)?)
}

const SPLITS: [&[i32]; 4] = [&[7], &[4, 1, 1, 1], &[1, 1, 1, 1, 1, 1, 1], &[2, 3, 2]];

#[test]
fn task_3_any_split_of_a_text_is_week_1s_attention_over_all_of_it() -> Result<()> {
    use solution_week1::{mask::Mask, qwen3_attention, rope};
    for (seed, sizes) in (31..).zip(SIZES) {
        let mut random = Random::new(seed);
        let w = weights(&mut random, sizes)?;
        let of = |name: &str| w[name].clone();
        let whole = qwen3_attention::Qwen3Attention::new(
            qwen3_attention::Qwen3AttentionWeights {
                q_proj: of("q_proj"),
                k_proj: of("k_proj"),
                v_proj: of("v_proj"),
                o_proj: of("o_proj"),
                q_norm: of("q_norm"),
                k_norm: of("k_norm"),
            },
            sizes.heads,
            sizes.kv_heads,
            1e-6,
            rope::RoPE::new(sizes.head_dim, 10000.0, false)?,
        )?;
        let x = random.normal(&[2, 7, sizes.hidden]);
        let expected = whole.forward(&x, Mask::Causal)?;
        let layer = attention(sizes, &w)?;
        for split in SPLITS {
            for make in [concat as Make, blocks::<3>] {
                assert_close(&format!("{sizes:?} in {split:?}"), &in_pieces(&layer, &x, split, make)?, &expected)?;
            }
        }
    }
    Ok(())
}

#[test]
fn task_3_agrees_with_mlx_lm() -> Result<()> {
    let golden = golden_tensors("week2/day1.safetensors")?;
    let names = ["q_proj", "k_proj", "v_proj", "o_proj", "q_norm", "k_norm"];
    let w = names.map(|name| (name, golden[&format!("attention.{name}.weight")].clone()));
    let layer = attention(Sizes { heads: 6, kv_heads: 2, head_dim: 8, hidden: 24 }, &HashMap::from(w))?;
    let mut cache = concat()?;
    for (number, offset) in [0, 5, 6, 7].into_iter().enumerate() {
        let y = layer.forward(&golden[&format!("attention.{number}.x")], offset, &mut *cache)?;
        assert_close(&format!("piece {number}"), &y, &golden[&format!("attention.{number}.y")])?;
    }
    Ok(())
}

#[test]
fn task_3_agrees_with_the_fused_operators_of_mlx() -> Result<()> {
    use mlx_rs::fast;
    let sizes = SIZES[0];
    let mut random = Random::new(37);
    let w = weights(&mut random, sizes)?;
    let x = random.normal(&[1, 6, sizes.hidden]);
    let turned = |name: &str, norm: &str, heads: i32| -> Result<Array> {
        let split = x.matmul(w[name].transpose()?)?.reshape(&[1, 6, heads, sizes.head_dim])?.swap_axes(1, 2)?;
        let normed = fast::rms_norm(&split, Some(&w[norm]), 1e-6)?;
        Ok(fast::rope(&normed, sizes.head_dim, false, 10000.0, 1.0, 0, None)?)
    };
    let (q, k) = (turned("q_proj", "q_norm", sizes.heads)?, turned("k_proj", "k_norm", sizes.kv_heads)?);
    let v = x.matmul(w["v_proj"].transpose()?)?.reshape(&[1, 6, sizes.kv_heads, sizes.head_dim])?.swap_axes(1, 2)?;
    let last = q.index((.., .., 5..6, ..));
    let scale = 1.0 / (sizes.head_dim as f32).sqrt();
    let attended = fast::scaled_dot_product_attention(&last, &k, &v, scale, None, None)?;
    let expected = attended.swap_axes(1, 2)?.reshape(&[1, 1, -1])?.matmul(w["o_proj"].transpose()?)?;
    let got = in_pieces(&attention(sizes, &w)?, &x, &[5, 1], blocks::<4>)?;
    assert_close("the sixth token", &got.index((.., 5..6, ..)), &expected)
}

#[test]
fn task_3_a_token_taken_back_leaves_no_trace() -> Result<()> {
    let sizes = SIZES[0];
    let mut random = Random::new(41);
    let layer = attention(sizes, &weights(&mut random, sizes)?)?;
    let (x, other) = (random.normal(&[1, 5, sizes.hidden]), random.normal(&[1, 2, sizes.hidden]));
    for make in [concat as Make, blocks::<4>] {
        let expected = in_pieces(&layer, &x, &[3, 1, 1], make)?.index((.., 3.., ..));
        let mut cache = make()?;
        layer.forward(&x.index((.., ..3, ..)), 0, &mut *cache)?;
        layer.forward(&other, 3, &mut *cache)?;
        cache.rewind(2)?;
        let got = layer.forward(&x.index((.., 3.., ..)), 3, &mut *cache)?;
        assert_close("two tokens after two others were taken back", &got, &expected)?;
    }
    Ok(())
}

#[test]
fn task_3_keeps_the_dtype() -> Result<()> {
    let sizes = SIZES[0];
    let mut random = Random::new(43);
    let full = weights(&mut random, sizes)?;
    let x = random.normal(&[1, 4, sizes.hidden]);
    for (dtype, name) in DTYPES {
        let typed = |x: &Array| x.as_dtype(dtype);
        let w = full.iter().map(|(&name, x)| Ok((name, typed(x)?))).collect::<Result<HashMap<_, _>>>()?;
        let got = in_pieces(&attention(sizes, &w)?, &typed(&x)?, &[2, 1, 1], blocks::<2>)?;
        let whole = in_pieces(&attention(sizes, &w)?, &typed(&x)?, &[4], concat)?;
        let Tolerance { abs, rel } = Tolerance::of(dtype);
        assert_close_within(name, &got, &whole, Tolerance { abs: abs * 2.0, rel })?;
    }
    Ok(())
}

#[test]
fn task_3_refuses_another_offset_and_other_shapes() -> Result<()> {
    let sizes = SIZES[0];
    let layer = attention(sizes, &weights(&mut Random::new(47), sizes)?)?;
    let mut cache = concat()?;
    layer.forward(&zeros(&[1, 3, sizes.hidden]), 0, &mut *cache)?;
    for offset in [0, 2, 4, -1] {
        expect_invalid_argument(layer.forward(&zeros(&[1, 1, sizes.hidden]), offset, &mut *cache), "offset");
    }
    for shape in [&[1, sizes.hidden][..], &[1, 1, sizes.hidden + 1], &[2, 1, sizes.hidden], &[1, 0, sizes.hidden]] {
        expect_shape(layer.forward(&zeros(shape), 3, &mut *cache));
    }
    assert_same("tokens after refused calls", cache.offset(), 3);
    Ok(())
}

/// A cache that refuses its `refuse`-th append.
struct Refusing {
    inner: Box<dyn KvCache>,
    refuse: i32,
}

impl KvCache for Refusing {
    fn update_and_fetch(&mut self, keys: &Array, values: &Array) -> Result<(Array, Array)> {
        self.refuse -= 1;
        match self.refuse {
            0 => Err(Error::Other("this cache is full".into())),
            _ => self.inner.update_and_fetch(keys, values),
        }
    }
    fn offset(&self) -> i32 {
        self.inner.offset()
    }
    fn rewind(&mut self, tokens: i32) -> Result<()> {
        self.inner.rewind(tokens)
    }
    fn held_bytes(&self) -> usize {
        self.inner.held_bytes()
    }
    fn moved_bytes(&self) -> u64 {
        self.inner.moved_bytes()
    }
}

fn ids(ids: &[u32]) -> Array {
    Array::from_slice(ids, &[1, ids.len() as i32])
}

/// The Week 1 golden checkpoint with a head of its own and one key-value head.
fn untied() -> Result<Checkpoint> {
    Checkpoint::open(golden("week1/untied_mqa"))
}

#[test]
fn task_4_any_split_of_a_text_has_week_1s_logits() -> Result<()> {
    let checkpoint = untied()?;
    let (model, whole) =
        (Qwen3Model::load(&checkpoint, Rung::KvCache)?, solution_week1::model::Qwen3Model::load(&checkpoint)?);
    let tokens = Random::new(51).ids(checkpoint.config().vocab_size as u32, &[2, 7]);
    let expected = whole.forward(&tokens)?; // (2, 7, V)
    for split in SPLITS {
        let (mut caches, mut at) = (model.caches()?, 0);
        for &length in split {
            let piece = tokens.index((.., at..at + length));
            let logits = model.forward(&piece, at, &mut caches, Rows::All)?;
            let what = format!("{split:?}, {length} tokens from {at}");
            assert_close(&what, &logits, &expected.index((.., at..at + length, ..)))?;
            at += length;
        }
    }
    Ok(())
}

#[test]
fn task_4_the_last_row_alone_is_the_last_of_all_rows() -> Result<()> {
    let checkpoint = untied()?;
    let model = Qwen3Model::load(&checkpoint, Rung::KvCache)?;
    let tokens = Random::new(53).ids(checkpoint.config().vocab_size as u32, &[3, 5]);
    let all = model.forward(&tokens, 0, &mut model.caches()?, Rows::All)?;
    let last = model.forward(&tokens, 0, &mut model.caches()?, Rows::Last)?;
    assert_same("the shape for Rows::Last", last.shape().to_vec(), vec![3, 1, checkpoint.config().vocab_size]);
    assert_close("the last row", &last, &all.index((.., 4..5, ..)))
}

#[test]
fn task_4_agrees_with_mlx_lm_on_the_embedded_model() -> Result<()> {
    let golden = golden_tensors("week2/day1.safetensors")?;
    let model = Qwen3Model::load(tiny_model()?, Rung::KvCache)?;
    let (mut caches, mut offset) = (model.caches()?, 0);
    for number in 0..5 {
        let tokens = &golden[&format!("model.{number}.ids")];
        let last = model.forward(tokens, offset, &mut caches, Rows::Last)?.index((0, 0));
        offset += tokens.dim(1);
        let within = Tolerance { abs: 1e-3, rel: 0.0 };
        assert_close_within(&format!("piece {number}"), &last, &golden[&format!("model.{number}.last")], within)?;
    }
    Ok(())
}

#[test]
fn task_4_agrees_with_the_reference() -> Result<()> {
    use solution_week2::model::{CachedLm as _, Qwen3Model as Reference, Rows as AllRows};
    use solution_week2::rung::Rung as ReferenceRung;
    let checkpoint = Checkpoint::open(golden("week1/packed_tied"))?;
    let (model, reference) =
        (Qwen3Model::load(&checkpoint, Rung::KvCache)?, Reference::load(&checkpoint, ReferenceRung::KvCache)?);
    let tokens = Random::new(57).ids(checkpoint.config().vocab_size as u32, &[1, 6]);
    let (mut caches, mut other) = (model.caches()?, reference.caches()?);
    for (from, to) in [(0, 4), (4, 5), (5, 6)] {
        let piece = tokens.index((.., from..to));
        let want = reference.forward(&piece, from, &mut other, AllRows::All)?;
        assert_close("logits", &model.forward(&piece, from, &mut caches, Rows::All)?, &want)?;
    }
    Ok(())
}

#[test]
fn task_4_refuses_caches_and_offsets_that_do_not_fit() -> Result<()> {
    let model = Qwen3Model::load(&untied()?, Rung::KvCache)?;
    let mut caches = model.caches()?;
    model.forward(&ids(&[1, 2, 3]), 0, &mut caches, Rows::Last)?;
    for offset in [0, 2, 4, -1] {
        expect_invalid_argument(model.forward(&ids(&[1]), offset, &mut caches, Rows::Last), "offset");
    }
    expect_invalid_argument(model.forward(&ids(&[1]), 0, &mut [], Rows::Last), "caches");
    let fewer = caches.len() - 1;
    expect_invalid_argument(model.forward(&ids(&[1]), 3, &mut caches[..fewer], Rows::Last), "caches");
    caches.push(concat()?);
    expect_invalid_argument(model.forward(&ids(&[1]), 3, &mut caches, Rows::Last), "caches");
    caches.pop();
    caches[fewer].rewind(1)?;
    expect_invalid_argument(model.forward(&ids(&[1]), 3, &mut caches, Rows::Last), "offset");
    let lengths: Vec<i32> = caches.iter().map(|cache| cache.offset()).collect();
    let mut expected = vec![3; fewer];
    expected.push(2);
    assert_same("tokens in the caches after refused calls", lengths, expected);
    Ok(())
}

#[test]
fn task_4_refuses_what_is_no_text_and_what_is_too_long() -> Result<()> {
    let checkpoint = untied()?;
    let (model, config) = (Qwen3Model::load(&checkpoint, Rung::KvCache)?, checkpoint.config());
    let mut caches = model.caches()?;
    model.forward(&ids(&[1, 2]), 0, &mut caches, Rows::Last)?;
    let mut refused = |tokens: &Array| model.forward(tokens, 2, &mut caches, Rows::Last);
    expect_shape(refused(&Array::from_slice(&[1_u32, 2], &[2])));
    expect_shape(refused(&Array::zeros::<u32>(&[1, 0])?));
    expect_invalid_argument(refused(&ids(&[config.vocab_size as u32])), "ids");
    let rest = config.max_position_embeddings as usize - 2;
    expect_invalid_argument(refused(&ids(&vec![1; rest + 1])), "tokens");
    let offsets = |caches: &Caches| caches.iter().map(|cache| cache.offset()).collect::<Vec<_>>();
    assert_same("tokens in the caches after refused calls", offsets(&caches), vec![2; caches.len()]);
    model.forward(&ids(&vec![1; rest]), 2, &mut caches, Rows::Last)?;
    let full = config.max_position_embeddings;
    assert_same("a text of exactly the longest size", offsets(&caches), vec![full; caches.len()]);
    expect_invalid_argument(model.forward(&ids(&[1]), full, &mut caches, Rows::Last), "tokens");
    Ok(())
}

#[test]
fn task_4_after_a_failure_every_cache_is_as_long_as_before() -> Result<()> {
    let model = Qwen3Model::load(&untied()?, Rung::KvCache)?;
    let layers = model.layers.len();
    assert!(layers >= 2, "a model of one layer shows nothing");
    let expected = model.forward(&ids(&[4, 1, 2]), 0, &mut model.caches()?, Rows::Last)?;
    for failing in 0..layers {
        let mut caches = model.caches()?;
        caches[failing] = Box::new(Refusing { inner: concat()?, refuse: 2 });
        model.forward(&ids(&[4]), 0, &mut caches, Rows::Last)?;
        let error = expect_error(model.forward(&ids(&[1, 2]), 1, &mut caches, Rows::Last));
        assert_same("the error", error.to_string(), "this cache is full");
        let offsets: Vec<i32> = caches.iter().map(|cache| cache.offset()).collect();
        assert_same(&format!("tokens after layer {failing} has failed"), offsets, vec![1; layers]);
        let again = model.forward(&ids(&[1, 2]), 1, &mut caches, Rows::Last)?;
        assert_close("the same call once more", &again, &expected)?;
    }
    Ok(())
}

/// Sixteen tokens; after every id comes the next one, after 15 comes 0. Writes down what it is asked.
#[derive(Default)]
struct Counter {
    events: RefCell<Vec<String>>,
    fail_at: Option<usize>,
}

impl CachedLm for Counter {
    fn caches(&self) -> Result<Caches> {
        Ok(vec![Box::new(Counted(0))])
    }

    fn forward(&self, tokens: &Array, offset: i32, caches: &mut [Box<dyn KvCache>], rows: Rows) -> Result<Array> {
        let ids = values(tokens)?;
        assert_eq!(tokens.shape(), [1, ids.len() as i32], "the loop asks with one row");
        assert_eq!(tokens.dtype(), Dtype::Uint32, "ids are u32");
        let list: Vec<u32> = ids.iter().map(|&id| id as u32).collect();
        self.events.borrow_mut().push(format!("model {list:?} at {offset}, {rows:?}"));
        assert_same("the offset that the loop gives", offset, caches[0].offset());
        if self.fail_at == Some(offset as usize + ids.len()) {
            return Err(Error::Other("the model is out of order".into()));
        }
        let new = zeros(&[1, 1, ids.len() as i32, 1]);
        caches[0].update_and_fetch(&new, &new)?;
        let rows = if rows == Rows::Last { &list[list.len() - 1..] } else { &list[..] };
        let mut logits = vec![0.0_f32; rows.len() * 16];
        rows.iter().enumerate().for_each(|(place, &id)| logits[place * 16 + (id as usize + 1) % 16] = 9.0);
        Ok(Array::from_slice(&logits, &[1, rows.len() as i32, 16]))
    }
}

/// The same model, with logits in bf16.
struct Halves(Counter);

impl CachedLm for Halves {
    fn caches(&self) -> Result<Caches> {
        self.0.caches()
    }

    fn forward(&self, tokens: &Array, offset: i32, caches: &mut [Box<dyn KvCache>], rows: Rows) -> Result<Array> {
        Ok(self.0.forward(tokens, offset, caches, rows)?.as_dtype(Dtype::Bfloat16)?)
    }
}

/// Counts tokens and keeps none, so that the loop can be tested without Tasks 1 and 2.
struct Counted(i32);

impl KvCache for Counted {
    fn update_and_fetch(&mut self, keys: &Array, values: &Array) -> Result<(Array, Array)> {
        self.0 += keys.dim(2);
        Ok((keys.clone(), values.clone()))
    }
    fn offset(&self) -> i32 {
        self.0
    }
    fn rewind(&mut self, tokens: i32) -> Result<()> {
        self.0 -= tokens;
        Ok(())
    }
    fn held_bytes(&self) -> usize {
        0
    }
    fn moved_bytes(&self) -> u64 {
        0
    }
}

impl Counter {
    /// Greedy, without a wish to stop.
    fn continued(&self, caches: &mut Caches, prompt: &[u32], max_tokens: usize, eos: &[u32]) -> Result<Generation> {
        let on_token = |id| {
            self.events.borrow_mut().push(format!("token {id}"));
            ControlFlow::Continue(())
        };
        generate(self, caches, prompt, max_tokens, eos, greedy, on_token)
    }

    fn fresh(&self, prompt: &[u32], max_tokens: usize, eos: &[u32]) -> Result<Generation> {
        self.continued(&mut self.caches()?, prompt, max_tokens, eos)
    }
}

fn made(tokens: &[u32], stop: StopReason) -> Generation {
    Generation { tokens: tokens.to_vec(), stop }
}

#[test]
fn task_5_the_prompt_goes_in_once_and_then_one_token_a_step() -> Result<()> {
    let model = Counter::default();
    assert_same("after [7, 3]", model.fresh(&[7, 3], 3, &[])?, made(&[4, 5, 6], StopReason::MaxTokens));
    let expected =
        ["model [7, 3] at 0, Last", "token 4", "model [4] at 2, Last", "token 5", "model [5] at 3, Last", "token 6"];
    assert_same("what was asked and shown, in order", model.events.take(), expected);
    Ok(())
}

#[test]
fn task_5_a_text_goes_on_where_its_caches_end() -> Result<()> {
    let model = Counter::default();
    let mut caches = model.caches()?;
    model.continued(&mut caches, &[7, 3], 2, &[])?;
    assert_same("tokens in the cache: all but the last one made", caches[0].offset(), 3);
    model.events.take();
    assert_same("after [5, 9]", model.continued(&mut caches, &[5, 9], 2, &[])?, made(&[10, 11], StopReason::MaxTokens));
    let expected = ["model [5, 9] at 3, Last", "token 10", "model [10] at 5, Last", "token 11"];
    assert_same("what was asked and shown in the second turn", model.events.take(), expected);
    Ok(())
}

#[test]
fn task_5_any_end_id_ends_the_text_and_is_part_of_it() -> Result<()> {
    for (eos, end) in [(&[5][..], 5), (&[9, 5], 5), (&[5, 9], 5), (&[12, 9, 15], 9)] {
        let expected: Vec<u32> = (3..=end).collect();
        let model = Counter::default();
        let what = format!("after [2], eos = {eos:?}");
        assert_same(&what, model.fresh(&[2], 10, eos)?, made(&expected, StopReason::Eos(end)));
        let last = model.events.take().pop().unwrap_or_default();
        assert_same(&format!("{what}: the end id is shown, and nothing asked after it"), last, format!("token {end}"));
    }
    let got = Counter::default().fresh(&[5, 2, 5], 2, &[5])?;
    assert_same("an end id in the prompt ends nothing", got, made(&[6, 7], StopReason::MaxTokens));
    Ok(())
}

#[test]
fn task_5_max_tokens_is_a_count_of_new_tokens() -> Result<()> {
    for max_tokens in [0, 1, 20] {
        let model = Counter::default();
        let got = model.fresh(&[0, 0, 0], max_tokens, &[])?;
        let expected: Vec<u32> = (1..=max_tokens as u32).map(|id| id % 16).collect();
        let what = format!("after [0, 0, 0], max_tokens = {max_tokens}");
        assert_same(&what, got, made(&expected, StopReason::MaxTokens));
        let asked = model.events.take().iter().filter(|event| event.starts_with("model")).count();
        assert_same(&format!("{what}: times that the model was asked"), asked, max_tokens);
    }
    let got = Counter::default().fresh(&[1], usize::MAX, &[4])?;
    assert_same("after [1], eos = [4], no limit", got, made(&[2, 3, 4], StopReason::Eos(4)));
    Ok(())
}

#[test]
fn task_5_the_caller_may_break_off() -> Result<()> {
    for (break_at, max_tokens, eos, expected) in [
        (6, 10, &[][..], made(&[4, 5, 6], StopReason::Cancelled)),
        (4, 10, &[], made(&[4], StopReason::Cancelled)),
        (6, 3, &[], made(&[4, 5, 6], StopReason::Cancelled)),
        (6, 10, &[6], made(&[4, 5, 6], StopReason::Eos(6))),
    ] {
        let model = Counter::default();
        let stop_there = |id| if id == break_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let what = format!("after [3], max_tokens = {max_tokens}, eos = {eos:?}, broken off at {break_at}");
        let asked = expected.tokens.len();
        let got = generate(&model, &mut model.caches()?, &[3], max_tokens, eos, greedy, stop_there)?;
        assert_same(&what, got, expected);
        assert_same(&format!("{what}: times that the model was asked"), model.events.take().len(), asked);
    }
    Ok(())
}

#[test]
fn task_5_an_empty_prompt_and_no_caches_are_refused() -> Result<()> {
    for max_tokens in [0, 5] {
        let model = Counter::default();
        expect_invalid_argument(model.fresh(&[], max_tokens, &[1]), "prompt");
        expect_invalid_argument(model.continued(&mut Vec::new(), &[1], max_tokens, &[1]), "caches");
        assert!(model.events.borrow().is_empty(), "the model was asked about nothing");
    }
    Ok(())
}

#[test]
fn task_5_errors_of_model_and_sampler_pass_through() -> Result<()> {
    let model = Counter { fail_at: Some(3), ..Counter::default() };
    assert_eq!(expect_error(model.fresh(&[1], 9, &[])).to_string(), "the model is out of order");
    let on = |_| ControlFlow::Continue(());
    let model = Counter::default();
    let refuse = |_: &Array| Err(Error::Other("no choice".into()));
    let refused = generate(&model, &mut model.caches()?, &[1], 9, &[], refuse, on);
    assert_eq!(expect_error(refused).to_string(), "no choice");
    let two = |_: &Array| Ok(Array::from_slice(&[1_u32, 2], &[2]));
    expect_shape(generate(&model, &mut model.caches()?, &[1], 9, &[], two, on));
    let signed = |_: &Array| Ok(Array::from_slice(&[1_i32], &[1]));
    expect_dtype(generate(&model, &mut model.caches()?, &[1], 9, &[], signed, on));
    Ok(())
}

#[test]
fn task_5_the_sampler_decides_and_sees_the_last_row_of_logits() -> Result<()> {
    let model = Counter::default();
    let mut seen = Vec::new();
    let last_id = |logits: &Array| {
        seen.push((logits.shape().to_vec(), logits.dtype(), values(logits)?));
        Ok(Array::from_slice(&[15_u32], &[1]))
    };
    let got = generate(&model, &mut model.caches()?, &[1, 2], 3, &[], last_id, |_| ControlFlow::Continue(()))?;
    assert_same("tokens of a sampler that always says 15", got.tokens, [15, 15, 15]);
    assert_same("times that it was asked", seen.len(), 3);
    for ((shape, dtype, logits), text) in seen.into_iter().zip([&[1, 2][..], &[1, 2, 15], &[1, 2, 15, 15]]) {
        assert_same("what the sampler sees", (shape, dtype), (vec![1, 16], Dtype::Float32));
        let ids: Vec<u32> = text.to_vec();
        let input = Array::from_slice(&ids, &[1, ids.len() as i32]);
        let whole = model.forward(&input, 0, &mut model.caches()?, Rows::Last)?;
        assert_same("the model's logits, not normalised", logits, values(&whole)?);
    }
    let halves = Halves(Counter::default());
    let in_f32 = |logits: &Array| {
        assert_same("what the sampler sees of a model in bf16", logits.dtype(), Dtype::Float32);
        greedy(logits)
    };
    let got = generate(&halves, &mut halves.caches()?, &[1], 2, &[], in_f32, |_| ControlFlow::Continue(()))?;
    assert_same("tokens of a model in bf16", got.tokens, [2, 3]);
    let nan = |_: &Array| greedy(&array(&[f32::NAN; 4], &[1, 4]));
    expect_non_finite(generate(&model, &mut model.caches()?, &[1], 3, &[], nan, |_| ControlFlow::Continue(())));
    Ok(())
}

/// A name, a prompt, and the greedy tokens that follow it.
type Text = (String, Vec<u32>, Vec<u32>);

/// The texts of the Week 1 golden file.
fn golden_texts() -> Result<Vec<Text>> {
    let file = golden_json("week1/generation.json")?;
    let cases = file["cases"].as_array().into_iter().flatten();
    let texts: Vec<_> = cases
        .map(|case| {
            let ids = |name: &str| {
                let list = case[name].as_array().into_iter().flatten();
                list.filter_map(|id| Some(id.as_u64()? as u32)).collect::<Vec<_>>()
            };
            (case["name"].to_string(), ids("prompt"), ids("tokens"))
        })
        .collect();
    assert!(texts.len() >= 3, "only {} texts in the golden file", texts.len());
    Ok(texts)
}

#[test]
fn end_greedy_tokens_of_the_embedded_model_are_those_of_mlx_lm() -> Result<()> {
    let model = Qwen3Model::load(tiny_model()?, Rung::KvCache)?;
    for (name, prompt, tokens) in golden_texts()? {
        let first = &tokens[..tokens.len().min(6)];
        let on = |_| ControlFlow::Continue(());
        let got = generate(&model, &mut model.caches()?, &prompt, first.len(), &[4095, 4093], greedy, on)?;
        assert_same(&format!("{name} after {prompt:?}"), got.tokens, first.to_vec());
    }
    Ok(())
}

#[test]
fn end_the_same_seed_draws_the_same_tokens_as_week_1() -> Result<()> {
    let checkpoint = tiny_model()?;
    let (model, whole) =
        (Qwen3Model::load(checkpoint, Rung::KvCache)?, solution_week1::model::Qwen3Model::load(checkpoint)?);
    let prompt = checkpoint.tokenizer()?.encode("She was very")?;
    for seed in 1..=3 {
        let on = |_| ControlFlow::Continue(());
        let mut sampler = make_sampler(1.2, Some(40), Some(0.95), seed)?;
        let sample = |logits: &Array| sampler.sample(&next_logprobs(&logits.expand_dims(1)?)?);
        let got = generate(&model, &mut model.caches()?, &prompt, 5, &[4095], sample, on)?;
        let mut sampler = make_sampler(1.2, Some(40), Some(0.95), seed)?;
        let sample = |logprobs: &Array| sampler.sample(logprobs);
        let expected = solution_week1::generate::generate(&whole, &prompt, 5, &[4095], sample, on)?;
        assert_same(&format!("seed {seed}"), got, expected);
    }
    Ok(())
}
