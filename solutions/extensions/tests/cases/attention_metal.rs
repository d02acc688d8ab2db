//! Task 2.5.2, optional: attention of a few new queries as a Metal kernel.

use extensions::metal;
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

    /// Against MLX's own operator in f32, rounded to the dtype of the query.
    fn check(&self, what: &str, mask: Mask<'_>, scale: f32) -> Result<()> {
        let got = decode_attention(&self.query, &self.key, &self.value, mask, scale)?;
        let [query, key, value] = [&self.query, &self.key, &self.value].map(|array| array.as_dtype(Dtype::Float32));
        let mlx_mask = match mask {
            Mask::None => None,
            Mask::Causal => Some(ScaledDotProductAttentionMask::Causal),
            Mask::Array(mask) => Some(ScaledDotProductAttentionMask::Array(mask)),
        };
        let want = fast::scaled_dot_product_attention(query?, key?, value?, scale, mlx_mask, None)?;
        assert_close(what, &got, &want.as_dtype(self.query.dtype())?)
    }
}

#[test]
fn task_2_metal_two_keys_by_hand() -> Result<()> {
    let heads = Heads {
        query: array(&[1.0, 0.0], &[1, 1, 1, 2]),
        key: array(&[1.0, 5.0, 0.0, 5.0], &[1, 1, 2, 2]),
        value: array(&[10.0, 0.0, 0.0, 20.0], &[1, 1, 2, 2]),
    };
    metal::with_each_step(2, || {
        // Scores ln 3 and 0 give the weights 3/4 and 1/4.
        let got = decode_attention(&heads.query, &heads.key, &heads.value, Mask::None, 3.0f32.ln())?;
        assert_close("weights 3/4 and 1/4", &got, &array(&[7.5, 5.0], &[1, 1, 1, 2]))
    })
}

#[test]
fn task_2_metal_heads_agree_with_mlx() -> Result<()> {
    // (B, H, Hq / H, L, S, D): fewer keys than SIMD groups and more, D around a SIMD group and up to 256.
    let sizes = [
        [1, 1, 1, 1, 1, 1],
        [2, 2, 3, 1, 7, 31],
        [1, 3, 2, 2, 9, 32],
        [2, 1, 4, 3, 40, 33],
        [1, 2, 2, 1, 65, 64],
        [1, 1, 2, 4, 20, 128],
        [1, 1, 1, 2, 17, 255],
        [2, 2, 1, 1, 30, 256],
        [1, 2, 1, 5, 5, 80],
    ];
    metal::with_each_step(2, || {
        let mut random = Random::new(2521);
        for (case, sizes) in sizes.into_iter().enumerate() {
            let heads = Heads::random(&mut random, sizes, DTYPES[case / 3].0)?;
            let [batch, kv, group, length, keys, dims] = sizes;
            let mask = random.normal(&[batch, kv * group, length, keys]);
            let scale = 1.0 / (dims as f32).sqrt();
            heads.check(&format!("{sizes:?}, no mask"), Mask::None, scale)?;
            heads.check(&format!("{sizes:?}, causal"), Mask::Causal, scale)?;
            heads.check(&format!("{sizes:?}, a mask"), Mask::Array(&mask), scale)?;
        }
        Ok(())
    })
}

#[test]
fn task_2_metal_a_row_without_keys_is_zero() -> Result<()> {
    metal::with_each_step(2, || {
        let heads = Heads::random(&mut Random::new(2522), [1, 1, 1, 2, 12, 8], Dtype::Float32)?;
        let hidden: Vec<f32> = (0..24).map(|i| if i < 12 { f32::NEG_INFINITY } else { 0.0 }).collect();
        let mask = array(&hidden, &[1, 1, 2, 12]);
        let got = decode_attention(&heads.query, &heads.key, &heads.value, Mask::Array(&mask), 1.0)?;
        let got = values(&got)?;
        assert!(got[..8].iter().all(|value| *value == 0.0), "the first row sees no key: {got:?}");
        assert!(got[8..].iter().any(|value| *value != 0.0), "the second sees all: {got:?}");
        Ok(())
    })
}

#[test]
fn task_2_metal_a_part_of_a_cache_is_read_where_it_lies() -> Result<()> {
    metal::with_each_step(2, || {
        let mut random = Random::new(2523);
        let part = |cache: Array| -> Result<Array> { Ok(ops::split_at_indices(cache, &[3, 12], 2)?.swap_remove(1)) };
        let heads = Heads {
            query: random.normal(&[2, 4, 1, 16]),
            key: part(random.normal(&[2, 2, 20, 16]))?,
            value: part(ops::swap_axes(random.normal(&[2, 20, 2, 16]), 1, 2)?)?,
        };
        heads.check("keys and values inside a cache", Mask::None, 0.25)
    })
}
