//! Day 2, rotary positions: tables, one rotation, then positions. By hand first, then NumPy's complex numbers in double
//! precision, MLX's own `rope` in both layouts, and the reference on random inputs.

use kit::Result;
use kit::testing::{
    DTYPES, Random, Tolerance, array, assert_close, assert_close_within, doubles, expect_dtype,
    expect_invalid_argument, expect_shape, golden_tensors, tiny_model, values, zeros,
};
use mlx_rs::{Array, Dtype, fast, ops};
use solution_week1 as reference;
use week1::rope::{MAX_POSITIONS, Offset, RoPE, RotationTables, rotate};

/// cos and sin of `position` times every frequency, in double precision: (1, dims/2) each.
fn turn(position: f64, dims: i32, base: f64) -> (Array, Array) {
    let angle = |i: i32| position * base.powf(-2.0 * f64::from(i) / f64::from(dims));
    let row = |f: fn(f64) -> f64| -> Vec<f32> { (0..dims / 2).map(|i| f(angle(i)) as f32).collect() };
    (array(&row(f64::cos), &[1, dims / 2]), array(&row(f64::sin), &[1, dims / 2]))
}

/// An f32 angle of `position` radians is off by up to a few units in its last place, and so are its cos and sin.
fn bound_at(position: i32, dtype: Dtype) -> Tolerance {
    let usual = Tolerance::of(dtype);
    Tolerance { abs: usual.abs + 3e-7 * position as f32, rel: usual.rel }
}

fn row(table: &Array, position: i32) -> Result<Array> {
    Ok(table.take_axis(Array::from_slice(&[position], &[1]), 0)?)
}

/// MLX's rope of `x` (B, L, H, D), which it takes as (B, H, L, D).
fn fused(x: &Array, dims: i32, traditional: bool, base: f32, offset: i32) -> Result<Array> {
    let turned = fast::rope(x.swap_axes(1, 2)?, dims, traditional, base, 1.0, offset, None)?;
    Ok(turned.swap_axes(1, 2)?)
}

#[test]
fn task_1_row_p_holds_cos_and_sin_of_p_times_the_frequencies() -> Result<()> {
    // dims 4, base 10,000: frequencies 1 and 1/100.
    let (cos, sin) = RotationTables::new(4, 1e4)?.up_to(3)?;
    for position in 0..3 {
        let p = position as f32;
        let angles = [p, p / 100.0];
        assert_close("cos", &row(&cos, position)?, &array(&angles.map(f32::cos), &[1, 2]))?;
        assert_close("sin", &row(&sin, position)?, &array(&angles.map(f32::sin), &[1, 2]))?;
    }
    Ok(())
}

#[test]
fn task_1_agrees_with_numpy() -> Result<()> {
    let golden = golden_tensors("week1/day2.safetensors")?;
    let positions = &golden["tables.positions"];
    for (base, name) in [(1e4, "10000"), (1e6, "1000000")] {
        let (cos, sin) = RotationTables::new(16, base)?.up_to(1024)?;
        let bound = bound_at(1024, Dtype::Float32);
        for (what, table) in [("cos", cos), ("sin", sin)] {
            let want = &golden[&format!("tables.{what}.{name}")];
            assert_close_within(&format!("{what}, base {name}"), &table.take_axis(positions, 0)?, want, bound)?;
        }
    }
    Ok(())
}

#[test]
fn task_1_far_positions_keep_f32_angles() -> Result<()> {
    // Beyond 2,048 f16 cannot count, beyond 256 bf16 cannot.
    let (cos, sin) = RotationTables::new(8, 1e4)?.up_to(40_000)?;
    for position in [257, 2_049, 4_097, 39_999] {
        let (want_cos, want_sin) = turn(f64::from(position), 8, 1e4);
        let bound = bound_at(position, Dtype::Float32);
        assert_close_within(&format!("cos at {position}"), &row(&cos, position)?, &want_cos, bound)?;
        assert_close_within(&format!("sin at {position}"), &row(&sin, position)?, &want_sin, bound)?;
    }
    Ok(())
}

#[test]
fn task_1_agrees_with_mlx_and_the_reference() -> Result<()> {
    // Pairs (1, 0) turn into (cos, sin): MLX's rope shows its own tables.
    let unit = ops::concatenate(&[Array::from_slice(&[1.0_f32; 96], &[1, 12, 1, 8]), zeros(&[1, 12, 1, 8])], -1)?;
    let shown = fused(&unit, 16, false, 5e3, 0)?.reshape(&[12, 16])?.split_equal(2, -1)?;
    let (cos, sin) = RotationTables::new(16, 5e3)?.up_to(12)?;
    let (same_cos, same_sin) = reference::rope::RotationTables::new(16, 5e3)?.up_to(12)?;
    let first = Array::from_iter(0..12, &[12]);
    for (what, got, mlx, same) in [("cos", cos, &shown[0], same_cos), ("sin", sin, &shown[1], same_sin)] {
        let got = got.take_axis(&first, 0)?;
        assert_close(&format!("{what}, MLX"), &got, mlx)?;
        assert_close(&format!("{what}, reference"), &got, &same.take_axis(&first, 0)?)?;
    }
    Ok(())
}

#[test]
fn task_1_nothing_is_made_before_it_is_needed() -> Result<()> {
    let tables = RotationTables::new(128, 1e6)?;
    assert_eq!(tables.positions_made(), 0, "tables were made before anyone asked");
    let (cos, sin) = tables.up_to(5)?;
    for table in [&cos, &sin] {
        assert_eq!((table.dtype(), table.dim(1)), (Dtype::Float32, 64));
        assert!((5..=8).contains(&table.dim(0)), "5 positions were asked for, {} made", table.dim(0));
    }
    assert_eq!(tables.positions_made(), cos.dim(0), "what was made is kept");
    Ok(())
}

#[test]
fn task_1_tables_grow_rarely_and_never_shrink() -> Result<()> {
    let tables = RotationTables::new(4, 1e4)?;
    let (early, _) = tables.up_to(3)?;
    let mut sizes = vec![tables.positions_made()];
    for positions in 1..=1000 {
        let (cos, _) = tables.up_to(positions)?;
        assert!(cos.dim(0) >= positions, "{positions} positions were asked for, {} given", cos.dim(0));
        assert!((cos.dim(0) as u32).is_power_of_two(), "{} positions are no power of two", cos.dim(0));
        sizes.push(tables.positions_made());
    }
    assert!(sizes.is_sorted(), "the tables shrank: {sizes:?}");
    sizes.dedup();
    assert!(sizes.len() <= 12, "a text of 1,000 tokens made the tables {} times", sizes.len());
    assert_close("growth changes no row", &row(&tables.up_to(1)?.0, 2)?, &row(&early, 2)?)?;
    let (cos, sin) = tables.up_to(1000)?;
    let (cos_at_once, sin_at_once) = RotationTables::new(4, 1e4)?.up_to(1000)?;
    let all = |table: &Array| table.take_axis(Array::from_iter(0..1000, &[1000]), 0);
    assert_close("cos, grown or made at once", &all(&cos)?, &all(&cos_at_once)?)?;
    assert_close("sin, grown or made at once", &all(&sin)?, &all(&sin_at_once)?)
}

#[test]
fn task_1_clones_share_what_is_made() -> Result<()> {
    let first = RotationTables::new(4, 1e4)?;
    let second = first.clone();
    second.up_to(100)?;
    assert!(first.positions_made() >= 100, "the clone kept its tables to itself");
    Ok(())
}

#[test]
fn task_1_dims_base_and_positions_are_checked() -> Result<()> {
    for dims in [0, 3, -2, 1] {
        expect_invalid_argument(RotationTables::new(dims, 1e4), "dims");
    }
    for base in [0.0, -1e4, f32::NAN, f32::INFINITY] {
        expect_invalid_argument(RotationTables::new(4, base), "base");
    }
    for base in [1.0, 0.5] {
        let (cos, _) = RotationTables::new(4, base)?.up_to(2)?;
        assert_close(&format!("base {base}"), &row(&cos, 1)?, &turn(1.0, 4, f64::from(base)).0)?;
    }
    let tables = RotationTables::new(2, 1e4)?;
    for positions in [-1, MAX_POSITIONS + 1, i32::MAX, i32::MIN] {
        expect_invalid_argument(tables.up_to(positions), "positions");
    }
    assert!(tables.up_to(0).is_ok(), "an empty text needs no positions");
    assert_eq!(tables.up_to(MAX_POSITIONS)?.0.dim(0), MAX_POSITIONS);
    Ok(())
}

#[test]
fn task_2_a_quarter_turn_shows_who_is_paired() -> Result<()> {
    let x = array(&[1.0, 2.0, 3.0, 4.0], &[4]);
    let (cos, sin) = (zeros(&[2]), array(&[1.0, 1.0], &[2]));
    assert_close("neighbours", &rotate(&x, &cos, &sin, true)?, &array(&[-2.0, 1.0, -4.0, 3.0], &[4]))?;
    assert_close("halves", &rotate(&x, &cos, &sin, false)?, &array(&[-3.0, -4.0, 1.0, 2.0], &[4]))?;
    // Each pair has its own angle: the first rests, the second turns.
    let (cos, sin) = (array(&[1.0, 0.0], &[2]), array(&[0.0, 1.0], &[2]));
    assert_close("second neighbours", &rotate(&x, &cos, &sin, true)?, &array(&[1.0, 2.0, -4.0, 3.0], &[4]))?;
    assert_close("second of each half", &rotate(&x, &cos, &sin, false)?, &array(&[1.0, -4.0, 3.0, 2.0], &[4]))
}

#[test]
fn task_2_tables_broadcast_over_rows_and_heads() -> Result<()> {
    let mut random = Random::new(21);
    let x = random.normal(&[2, 3, 4, 8]);
    let angle = random.uniform(0.0, 6.0, &[3, 1, 4]);
    let (cos, sin) = (angle.cos()?, angle.sin()?);
    for traditional in [true, false] {
        let all = rotate(&x, &cos, &sin, traditional)?;
        let token = |array: &Array, axis: i32| array.take_axis(Array::from_slice(&[1_i32], &[1]), axis);
        let one = rotate(&token(&x, 1)?, &token(&cos, 0)?, &token(&sin, 0)?, traditional)?;
        assert_close("token 1 alone", &one, &token(&all, 1)?)?;
    }
    Ok(())
}

#[test]
fn task_2_keeps_lengths_and_turns_back() -> Result<()> {
    let mut random = Random::new(22);
    for traditional in [true, false] {
        let x = random.normal(&[5, 6]);
        let before = values(&x)?;
        let (a, b) = (random.uniform(0.0, 6.0, &[5, 3]), random.uniform(0.0, 6.0, &[5, 3]));
        let turned = rotate(&x, &a.cos()?, &a.sin()?, traditional)?;
        let length = |x: &Array| x.square()?.sum_axis(-1, false);
        assert_close("length of each row", &length(&turned)?, &length(&x)?)?;
        assert_close("back again", &rotate(&turned, &a.cos()?, &a.negative()?.sin()?, traditional)?, &x)?;
        let sum = a.add(&b)?;
        let twice = rotate(&turned, &b.cos()?, &b.sin()?, traditional)?;
        assert_close("two turns are one", &twice, &rotate(&x, &sum.cos()?, &sum.sin()?, traditional)?)?;
        assert_eq!(values(&x)?, before, "the caller's array changed");
    }
    Ok(())
}

#[test]
fn task_2_half_precision_is_rounded_once() -> Result<()> {
    let mut random = Random::new(23);
    for (dtype, ulp) in [(Dtype::Float16, 9.8e-4), (Dtype::Bfloat16, 7.9e-3)] {
        let x = random.normal(&[64, 16]).as_dtype(dtype)?;
        let angle = random.uniform(0.0, 6.0, &[64, 8]);
        let (cos, sin) = (angle.cos()?, angle.sin()?);
        for traditional in [true, false] {
            let want = rotate(&x.as_dtype(Dtype::Float32)?, &cos, &sin, traditional)?.as_dtype(dtype)?;
            let got = rotate(&x, &cos, &sin, traditional)?;
            let bound = Tolerance { abs: ulp / 16.0, rel: ulp };
            assert_close_within(&format!("{dtype:?}, traditional {traditional}"), &got, &want, bound)?;
        }
    }
    Ok(())
}

#[test]
fn task_2_agrees_with_mlx_and_the_reference() -> Result<()> {
    let mut random = Random::new(24);
    for (dtype, name) in DTYPES {
        for traditional in [true, false] {
            let position = random.int(1..200);
            let x = random.normal(&[2, 1, 3, 16]).as_dtype(dtype)?;
            let (cos, sin) = turn(f64::from(position), 16, 1e4);
            let got = rotate(&x, &cos, &sin, traditional)?;
            let what = format!("{name}, position {position}, traditional {traditional}");
            assert_close_within(&what, &got, &fused(&x, 16, traditional, 1e4, position)?, bound_at(position, dtype))?;
            assert_close(&what, &got, &reference::rope::rotate(&x, &cos, &sin, traditional)?)?;
        }
    }
    Ok(())
}

#[test]
fn task_2_what_does_not_fit_is_refused() -> Result<()> {
    let (x, table) = (zeros(&[2, 6]), zeros(&[2, 3]));
    for traditional in [true, false] {
        let turned = |x: &Array, cos: &Array, sin: &Array| rotate(x, cos, sin, traditional);
        expect_shape(turned(&zeros(&[2, 5]), &table, &table));
        expect_shape(turned(&zeros(&[2, 5]), &zeros(&[2, 2]), &zeros(&[2, 2])));
        expect_shape(turned(&zeros(&[]), &table, &table));
        for bad in [&[2, 6][..], &[3, 3], &[2, 2, 3], &[1, 2, 3], &[2, 2]] {
            expect_shape(turned(&x, &zeros(bad), &table));
            expect_shape(turned(&x, &table, &zeros(bad)));
        }
        let half = table.as_dtype(Dtype::Bfloat16)?;
        expect_dtype(turned(&x, &half, &table));
        expect_dtype(turned(&x, &table, &half));
        expect_dtype(turned(&x.as_dtype(Dtype::Int32)?, &table, &table));
        expect_dtype(turned(&doubles(&[2, 6]), &table, &table));
    }
    Ok(())
}

#[test]
fn task_3_token_l_stands_at_offset_plus_l() -> Result<()> {
    // One pair, frequency 1: the token at position p turns (1, 0) to (cos p, sin p).
    let rope = RoPE::new(2, 1e4, false)?;
    let x = array(&[1.0, 0.0, 1.0, 0.0], &[2, 1, 1, 2]);
    let at = |positions: [f32; 2]| array(&positions.map(|p| [p.cos(), p.sin()]).concat(), &[2, 1, 1, 2]);
    assert_close("from the start", &rope.forward(&x, Offset::None)?, &at([0.0, 0.0]))?;
    assert_close("one offset", &rope.forward(&x, Offset::One(3))?, &at([3.0, 3.0]))?;
    assert_close("an offset a row", &rope.forward(&x, Offset::PerRow(&[5, 2]))?, &at([5.0, 2.0]))?;
    let three = array(&[1.0, 0.0, 1.0, 0.0, 1.0, 0.0], &[1, 3, 1, 2]);
    let want = array(&[7.0_f32, 8.0, 9.0].map(|p| [p.cos(), p.sin()]).concat(), &[1, 3, 1, 2]);
    assert_close("three tokens", &rope.forward(&three, Offset::One(7))?, &want)
}

#[test]
fn task_3_agrees_with_numpy() -> Result<()> {
    let golden = golden_tensors("week1/day2.safetensors")?;
    for (dtype, name) in DTYPES {
        let x = &golden[&format!("rope.{name}.x")];
        for (layout, traditional) in [("traditional", true), ("halves", false)] {
            for dims in [12, 8] {
                let rope = RoPE::new(dims, 1e4, traditional)?;
                let offsets =
                    [("start", Offset::None), ("one", Offset::One(300)), ("rows", Offset::PerRow(&[0, 5, 900]))];
                for (place, offset) in offsets {
                    let what = format!("{name}, {layout}, {dims} of 12 dims, {offset:?}");
                    let want = &golden[&format!("rope.{name}.{layout}.{dims}.{place}")];
                    assert_close_within(&what, &rope.forward(x, offset)?, want, bound_at(900, dtype))?;
                }
            }
        }
    }
    Ok(())
}

#[test]
fn task_3_agrees_with_mlx_lm_s_qwen3() -> Result<()> {
    let golden = golden_tensors("week1/day2.safetensors")?;
    let got = RoPE::new(128, 1e6, false)?.forward(&golden["qwen.x"], Offset::One(17))?;
    assert_close("128 dims, base 1,000,000", &got, &golden["qwen.y"])
}

#[test]
fn task_3_agrees_with_mlx_and_the_reference() -> Result<()> {
    let mut random = Random::new(25);
    for (dtype, name) in DTYPES {
        for traditional in [true, false] {
            let dims = 2 * random.int(1..7);
            let (start, base) = (random.int(0..500), 1e4);
            let x = random.normal(&[2, 5, 3, 12]).as_dtype(dtype)?;
            let got = RoPE::new(dims, base, traditional)?.forward(&x, Offset::One(start))?;
            let what = format!("{name}, {dims} of 12 dims, from {start}, traditional {traditional}");
            let want = fused(&x, dims, traditional, base, start)?;
            assert_close_within(&what, &got, &want, bound_at(start + 5, dtype))?;
            let same = reference::rope::RoPE::new(dims, base, traditional)?;
            assert_close(&what, &got, &same.forward(&x, reference::rope::Offset::One(start))?)?;
        }
    }
    Ok(())
}

#[test]
fn task_3_rows_are_independent() -> Result<()> {
    let rope = RoPE::new(8, 1e4, false)?;
    let x = Random::new(26).normal(&[3, 4, 2, 8]);
    let starts = [9, 0, 130];
    let together = rope.forward(&x, Offset::PerRow(&starts))?.split_equal(3, 0)?;
    for ((alone, &start), together) in x.split_equal(3, 0)?.iter().zip(&starts).zip(&together) {
        assert_close(&format!("the row at {start}"), &rope.forward(alone, Offset::One(start))?, together)?;
        assert_close("a list of one", &rope.forward(alone, Offset::PerRow(&[start]))?, together)?;
    }
    let nowhere = rope.forward(&x, Offset::None)?;
    assert_close("one offset of 0", &rope.forward(&x, Offset::One(0))?, &nowhere)?;
    assert_close("three offsets of 0", &rope.forward(&x, Offset::PerRow(&[0, 0, 0]))?, &nowhere)
}

#[test]
fn task_3_a_token_alone_is_turned_like_in_its_text() -> Result<()> {
    let rope = RoPE::new(8, 1e4, false)?;
    let x = Random::new(27).normal(&[1, 6, 2, 8]);
    let text = rope.forward(&x, Offset::None)?.split_equal(6, 1)?;
    for (position, token) in x.split_equal(6, 1)?.iter().enumerate() {
        let alone = rope.forward(token, Offset::One(position as i32))?;
        assert_close(&format!("token {position}"), &alone, &text[position])?;
    }
    Ok(())
}

#[test]
fn task_3_scores_depend_on_the_distance_alone() -> Result<()> {
    let mut random = Random::new(28);
    for traditional in [true, false] {
        let rope = RoPE::new(8, 1e4, traditional)?;
        let (q, k) = (random.normal(&[1, 1, 1, 8]), random.normal(&[1, 1, 1, 8]));
        let score = |q_at: i32, k_at: i32| -> Result<Array> {
            let (q, k) = (rope.forward(&q, Offset::One(q_at))?, rope.forward(&k, Offset::One(k_at))?);
            Ok(q.multiply(k)?.sum(false)?)
        };
        let near = score(9, 4)?;
        assert_close_within("distance 5, 700 later", &score(709, 704)?, &near, bound_at(709, Dtype::Float32))?;
        let far = values(&score(9, 0)?)?[0];
        assert!((far - values(&near)?[0]).abs() > 1e-3, "distances 5 and 9 gave the same score");
    }
    Ok(())
}

#[test]
fn task_3_bf16_input_meets_f32_angles() -> Result<()> {
    let rope = RoPE::new(16, 1e4, false)?;
    let x = Random::new(29).normal(&[1, 8, 2, 16]).as_dtype(Dtype::Bfloat16)?;
    let got = rope.forward(&x, Offset::One(4_091))?;
    // The same values as f32, in MLX, rounded at the end.
    let want = fused(&x.as_dtype(Dtype::Float32)?, 16, false, 1e4, 4_091)?.as_dtype(Dtype::Bfloat16)?;
    assert_close_within("position 4,091 and on", &got, &want, Tolerance { abs: 4e-3, rel: 7.9e-3 })
}

#[test]
fn task_3_features_beyond_dims_pass_bit_for_bit() -> Result<()> {
    let mut random = Random::new(30);
    for (dtype, name) in DTYPES {
        let x = random.normal(&[2, 3, 2, 10]).as_dtype(dtype)?;
        let before = values(&x)?;
        let turned = RoPE::new(4, 1e4, true)?.forward(&x, Offset::One(11))?;
        let tail = |x: &Array| -> Result<Vec<f32>> { values(&x.split_at_indices(&[4], -1)?[1]) };
        assert_eq!(tail(&turned)?, tail(&x)?, "{name}");
        assert_eq!(values(&x)?, before, "the caller's array changed");
    }
    Ok(())
}

#[test]
fn task_3_layers_share_tables_that_grow_with_the_text() -> Result<()> {
    let first = RoPE::new(8, 1e4, false)?;
    let layers = [first.clone(), first.clone(), first.clone()];
    let x = Random::new(31).normal(&[1, 5, 2, 8]);
    layers[0].forward(&x, Offset::None)?;
    let made = first.tables.positions_made();
    assert!((5..=8).contains(&made), "5 tokens made tables of {made} positions");
    for layer in &layers {
        layer.forward(&x, Offset::One(3))?;
    }
    assert_eq!(first.tables.positions_made(), made, "8 positions fit into the tables that were there");
    layers[2].forward(&x, Offset::PerRow(&[60]))?;
    assert!(first.tables.positions_made() >= 65);
    Ok(())
}

#[test]
fn task_3_offsets_are_checked() -> Result<()> {
    let rope = RoPE::new(2, 1e4, false)?;
    let x = zeros(&[2, 4, 1, 2]);
    for start in [-1, i32::MIN, i32::MAX, i32::MAX - 3, MAX_POSITIONS - 3] {
        expect_invalid_argument(rope.forward(&x, Offset::One(start)), "offset");
        expect_invalid_argument(rope.forward(&x, Offset::PerRow(&[0, start])), "offset");
    }
    for starts in [&[][..], &[1], &[1, 2, 3]] {
        expect_invalid_argument(rope.forward(&x, Offset::PerRow(starts)), "offset");
    }
    assert!(rope.forward(&x, Offset::One(MAX_POSITIONS - 4)).is_ok(), "the last four positions exist");
    Ok(())
}

#[test]
fn task_3_shapes_and_dtypes_are_checked() -> Result<()> {
    let rope = RoPE::new(4, 1e4, false)?;
    for bad in [&[2, 3, 4][..], &[1, 2, 3, 1, 4], &[2, 3, 1, 3], &[]] {
        expect_shape(rope.forward(&zeros(bad), Offset::None));
    }
    expect_dtype(rope.forward(&zeros(&[1, 2, 1, 4]).as_dtype(Dtype::Int32)?, Offset::None));
    expect_dtype(rope.forward(&doubles(&[1, 2, 1, 4]), Offset::None));
    Ok(())
}

#[test]
fn end_the_embedded_model_s_queries_turn_as_in_mlx_lm() -> Result<()> {
    let golden = golden_tensors("week1/tiny_layer.safetensors")?;
    let config = tiny_model()?.config();
    let rope = RoPE::new(golden["query"].dim(3), config.rope_theta, false)?;
    let (query, turned) = (&golden["query"], &golden["query_turned"]);
    assert_close("queries of layer 0", &rope.forward(query, Offset::None)?, turned)?;
    // The same tokens as the rest of a text, then each as a text of its own that has come to its position.
    let rest = |x: &Array| x.take_axis(Array::from_iter(3..8, &[5]), 1);
    assert_close("tokens 3 to 7, offset 3", &rope.forward(&rest(query)?, Offset::One(3))?, &rest(turned)?)?;
    let alone = |x: &Array| x.reshape(&[8, 1, 4, 128]);
    let starts = Offset::PerRow(&[0, 1, 2, 3, 4, 5, 6, 7]);
    assert_close("eight texts, offsets 0 to 7", &rope.forward(&alone(query)?, starts)?, &alone(turned)?)
}
