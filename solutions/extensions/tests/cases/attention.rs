//! Task 2.5.1: attention of a few new queries over all keys, with the online softmax.

use extensions::tuning;
use extensions::week2::{Mask, decode_attention};
use kit::Result;
use kit::testing::{DTYPES, Random, array, assert_close, values};
use mlx_rs::fast::ScaledDotProductAttentionMask;
use mlx_rs::{Array, Dtype, fast, ops};

/// Query, key and value.
struct Heads {
    query: Array,
    key: Array,
    value: Array,
}

impl Heads {
    /// (B, H * group, L, D) over (B, H, S, D).
    fn random(random: &mut Random, sizes: [i32; 6], dtype: Dtype) -> Result<Self> {
        let [batch, heads, group, length, keys, dims] = sizes;
        Ok(Self {
            query: random.normal(&[batch, heads * group, length, dims]).as_dtype(dtype)?,
            key: random.normal(&[batch, heads, keys, dims]).as_dtype(dtype)?,
            value: random.normal(&[batch, heads, keys, dims]).as_dtype(dtype)?,
        })
    }

    /// MLX's own operator in f32, rounded to the dtype of the query.
    fn oracle(&self, mask: Mask<'_>, scale: f32) -> Result<Array> {
        let [query, key, value] = [&self.query, &self.key, &self.value].map(|array| array.as_dtype(Dtype::Float32));
        let (query, key, value) = (query?, key?, value?);
        let wide = match mask {
            Mask::Array(mask) => Some(mask.as_dtype(Dtype::Float32)?),
            _ => None,
        };
        let mask = match (mask, &wide) {
            (Mask::Causal, _) => Some(ScaledDotProductAttentionMask::Causal),
            (_, Some(mask)) => Some(ScaledDotProductAttentionMask::Array(mask)),
            _ => None,
        };
        let out = fast::scaled_dot_product_attention(query, key, value, scale, mask, None)?;
        Ok(out.as_dtype(self.query.dtype())?)
    }

    fn attend(&self, mask: Mask<'_>, scale: f32) -> Result<Array> {
        decode_attention(&self.query, &self.key, &self.value, mask, scale)
    }

    fn check(&self, what: &str, mask: Mask<'_>, scale: f32) -> Result<()> {
        assert_close(what, &self.attend(mask, scale)?, &self.oracle(mask, scale)?)
    }
}

/// A mask with -inf in places, but not at key 0: a row without any key is another test.
fn random_mask(random: &mut Random, shape: &[i32]) -> Result<Array> {
    let hidden = ops::lt(random.uniform(0.0, 1.0, shape), Array::from_f32(0.3))?;
    let mask = ops::select(hidden, Array::from_f32(f32::NEG_INFINITY), random.normal(shape))?;
    let keys = shape[shape.len() - 1];
    let first = ops::eq(Array::from_iter(0..keys, &[keys]), Array::from_int(0))?;
    Ok(ops::select(first, Array::from_f32(0.5), mask)?)
}

fn properties(seed: u64, count: usize) -> Result<()> {
    let mut random = Random::new(seed);
    for case in 0..count {
        let length = random.int(1..6);
        let sizes =
            [random.int(1..3), random.int(1..4), random.int(1..5), length, random.int(length..90), random.int(1..70)];
        let dtype = DTYPES[case / 3 % 3].0;
        let heads = Heads::random(&mut random, sizes, dtype)?;
        let [batch, kv, group, length, keys, dims] = sizes;
        let shapes = [vec![batch, kv * group, length, keys], vec![length, keys], vec![batch, 1, 1, keys], vec![keys]];
        let additive = random_mask(&mut random, &shapes[case % 4])?.as_dtype([dtype, Dtype::Float32][case % 2])?;
        let mask = [Mask::None, Mask::Causal, Mask::Array(&additive)][case % 3];
        heads.check(&format!("case {case}: {sizes:?} {dtype:?} {mask:?}"), mask, 1.0 / (dims as f32).sqrt())?;
    }
    Ok(())
}

fn two_keys_by_hand() -> Result<()> {
    let heads = Heads {
        query: array(&[1.0, 0.0], &[1, 1, 1, 2]),
        key: array(&[1.0, 5.0, 0.0, 5.0], &[1, 1, 2, 2]),
        value: array(&[10.0, 0.0, 0.0, 20.0], &[1, 1, 2, 2]),
    };
    // Scores ln 3 and 0 give the weights 3/4 and 1/4.
    let got = heads.attend(Mask::None, 3.0f32.ln())?;
    assert_close("weights 3/4 and 1/4", &got, &array(&[7.5, 5.0], &[1, 1, 1, 2]))
}

#[test]
fn task_1_two_keys_by_hand() -> Result<()> {
    two_keys_by_hand()
}

#[test]
fn task_1_random_heads_agree_with_mlx() -> Result<()> {
    properties(251, 500)
}

/// A step of the ladder: two keys by hand, random heads, large scores, queries without a key.
fn attention_step(step: u8) -> Result<()> {
    tuning::on_every_set(step, || {
        two_keys_by_hand()?;
        properties(2511, 36)?;
        large_scores()?;
        no_key()
    })
}

#[test]
fn task_1_step_1_naive() -> Result<()> {
    attention_step(1)
}

#[test]
fn task_1_step_2_online_softmax() -> Result<()> {
    attention_step(2)
}

#[test]
fn task_1_step_3_vectors_and_blocks() -> Result<()> {
    attention_step(3)
}

#[test]
fn task_1_step_4_threads() -> Result<()> {
    attention_step(4)
}

#[test]
fn task_1_every_number_of_keys_around_a_block() -> Result<()> {
    let mut random = Random::new(2512);
    for keys in [1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 700] {
        for length in [1, 2, 8] {
            let heads = Heads::random(&mut random, [1, 2, 2, length, keys, 128], Dtype::Float32)?;
            if length <= keys {
                heads.check(&format!("{length} of {keys} keys, causal"), Mask::Causal, 0.088)?;
            }
            heads.check(&format!("{length} of {keys} keys"), Mask::None, 0.088)?;
        }
    }
    Ok(())
}

#[test]
fn task_1_every_width_of_a_head() -> Result<()> {
    let mut random = Random::new(2513);
    for dims in [1, 3, 4, 7, 8, 15, 16, 17, 64, 80, 96, 255, 256] {
        Heads::random(&mut random, [1, 2, 3, 2, 40, dims], Dtype::Float32)?.check(
            &format!("D = {dims}"),
            Mask::Causal,
            1.0 / (dims as f32).sqrt(),
        )?;
    }
    Ok(())
}

fn large_scores() -> Result<()> {
    let mut random = Random::new(2514);
    let mut heads = Heads::random(&mut random, [1, 1, 2, 1, 100, 32], Dtype::Float32)?;
    heads.query = ops::multiply(&heads.query, Array::from_f32(60.0))?;
    heads.check("scores of some hundred", Mask::None, 1.0)?;
    let rising = ops::multiply(Array::from_iter(0..100, &[100]).as_dtype(Dtype::Float32)?, Array::from_f32(40.0))?;
    heads.check("every key above the ones before", Mask::Array(&rising), 0.1)?;
    let falling = ops::negative(&rising)?;
    heads.check("every key below the ones before", Mask::Array(&falling), 0.1)
}

#[test]
fn task_1_large_scores_do_not_overflow() -> Result<()> {
    large_scores()
}

#[test]
fn task_1_hidden_blocks_have_no_weight() -> Result<()> {
    let mut random = Random::new(2515);
    let heads = Heads::random(&mut random, [1, 1, 1, 1, 130, 16], Dtype::Float32)?;
    for (from, to) in [(0, 64), (0, 129), (1, 130), (32, 96)] {
        let hide = |key: i32| if (from..to).contains(&key) { f32::NEG_INFINITY } else { 0.0 };
        let mask: Vec<f32> = (0..130).map(hide).collect();
        heads.check(&format!("keys {from} to {to} hidden"), Mask::Array(&array(&mask, &[130])), 0.25)?;
    }
    Ok(())
}

fn no_key() -> Result<()> {
    let mut random = Random::new(2516);
    let heads = Heads::random(&mut random, [1, 1, 1, 5, 3, 8], Dtype::Float32)?;
    let got = values(&heads.attend(Mask::Causal, 0.3)?)?;
    assert_eq!(got[..16], [0.0; 16], "queries 0 and 1 of 5 come before the first of 3 keys");
    assert!(got[16..].iter().all(|value| value.is_finite() && *value != 0.0), "{got:?}");
    let nothing = Array::full::<f32>(&[3], Array::from_f32(f32::NEG_INFINITY))?;
    assert_eq!(values(&heads.attend(Mask::Array(&nothing), 0.3)?)?, [0.0; 40]);
    let empty = Heads::random(&mut random, [1, 1, 1, 2, 0, 4], Dtype::Float32)?;
    assert_eq!(values(&empty.attend(Mask::None, 0.3)?)?, [0.0; 8]);
    Ok(())
}

#[test]
fn task_1_a_query_that_sees_no_key_gets_zeros() -> Result<()> {
    no_key()
}

#[test]
fn task_1_slices_of_a_cache_are_read_where_they_lie() -> Result<()> {
    let mut random = Random::new(2517);
    let (key, value) = (random.normal(&[2, 3, 64, 16]), random.normal(&[2, 3, 64, 16]));
    let filled = |cache: &Array| -> Result<Array> {
        // The first 41 of 64 places: a view whose heads lie apart.
        Ok(ops::split_at_indices(cache, &[41], 2)?.swap_remove(0))
    };
    let heads = Heads { query: random.normal(&[2, 6, 1, 16]), key: filled(&key)?, value: filled(&value)? };
    heads.check("a cache with free places", Mask::Causal, 0.25)?;
    let turned = |array: &Array| array.transpose_axes(&[0, 2, 1, 3]);
    let (query, key) = (random.normal(&[2, 2, 6, 16]), random.normal(&[2, 20, 3, 16]));
    let heads = Heads { query: turned(&query)?, key: turned(&key)?, value: turned(&key)? };
    heads.check("tokens before heads", Mask::Causal, 0.25)?;
    let backwards = random.normal(&[1, 1, 8, 20]).transpose_axes(&[0, 1, 3, 2])?;
    let heads = Heads { query: random.normal(&[1, 2, 1, 8]), key: backwards.clone(), value: backwards };
    heads.check("a head whose elements lie apart", Mask::None, 0.25)
}

#[test]
fn task_1_nan_stays_in_its_row() -> Result<()> {
    let mut random = Random::new(2518);
    let heads = Heads::random(&mut random, [1, 1, 2, 1, 40, 8], Dtype::Float32)?;
    let mut query = values(&heads.query)?;
    query[3] = f32::NAN;
    let got = values(&Heads { query: array(&query, &[1, 2, 1, 8]), ..heads }.attend(Mask::None, 0.3)?)?;
    assert!(got[..8].iter().all(|value| value.is_nan()) && got[8..].iter().all(|value| value.is_finite()), "{got:?}");
    Ok(())
}

#[test]
fn task_1_the_number_of_threads_changes_no_bit() -> Result<()> {
    let heads = Heads::random(&mut Random::new(2519), [2, 4, 2, 3, 150, 64], Dtype::Float32)?;
    let before = tuning::threads()?;
    let mut all = Vec::new();
    for threads in [1, 2, 5] {
        tuning::set_threads(threads)?;
        all.push(values(&heads.attend(Mask::Causal, 0.125)?)?);
    }
    tuning::set_threads(before)?;
    assert!(all.iter().all(|one| *one == all[0]), "another number of threads gave other values");
    Ok(())
}
