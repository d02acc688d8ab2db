//! Day 5, flash attention: which tiles of queries and keys are visited.

use kit::testing::{Random, Tolerance, assert_close_within, expect_invalid_argument, golden, tiny_model};
use kit::{Checkpoint, Request, Result, Sampling};
use std::ops::ControlFlow;
use week3::tiles::{KERNEL, Tile, tiles_to_visit};

/// By the definition: a tile is visited when one of its rows sees one of its keys.
fn by_definition(length: i32, context: i32, group: i32, causal: bool, tile: Tile) -> Vec<i32> {
    let sees = |row: i32, key: i32| !causal || key <= context - length + row / group;
    let rows: Vec<i32> = (0..length * group).collect();
    let keys: Vec<i32> = (0..context).collect();
    let visited = |rows: &[i32]| {
        let shown = |keys: &&[i32]| rows.iter().any(|&row| keys.iter().any(|&key| sees(row, key)));
        keys.chunks(tile.keys as usize).filter(shown).count() as i32
    };
    rows.chunks(tile.queries as usize).map(visited).collect()
}

#[test]
fn task_2_a_small_square_by_hand() -> Result<()> {
    // Eight tokens, tiles of four rows and two keys: the first four tokens see 4 keys, the last four see 8.
    let tile = Tile { queries: 4, keys: 2 };
    assert_eq!(tiles_to_visit(8, 8, 1, true, tile)?, [2, 4]);
    assert_eq!(tiles_to_visit(8, 8, 1, false, tile)?, [4, 4]);
    // After three older tokens, and with two heads a key head: four rows are two tokens.
    assert_eq!(tiles_to_visit(8, 11, 1, true, tile)?, [4, 6]);
    assert_eq!(tiles_to_visit(8, 8, 2, true, tile)?, [1, 2, 3, 4]);
    Ok(())
}

#[test]
fn task_2_random_pieces_agree_with_the_definition() -> Result<()> {
    let mut random = Random::new(352);
    for case in 0..500 {
        let (length, group) = (random.int(0..40), random.int(1..5));
        let context = length + random.int(0..50);
        let tile = Tile { queries: random.int(1..20), keys: random.int(1..20) };
        let causal = case % 3 > 0;
        let got = tiles_to_visit(length, context, group, causal, tile)?;
        let want = by_definition(length, context, group, causal, tile);
        assert_eq!(got, want, "case {case}: {length} of {context}, group {group}, causal {causal}, {tile:?}");
    }
    Ok(())
}

#[test]
fn task_2_a_whole_prompt_is_about_half_of_the_square() -> Result<()> {
    let count = |causal| -> Result<i32> { Ok(tiles_to_visit(4096, 4096, 2, causal, KERNEL)?.iter().sum()) };
    let (some, all) = (count(true)?, count(false)?);
    assert_eq!(all, 86 * 64);
    assert!((0.5..0.52).contains(&(f64::from(some) / f64::from(all))), "{some} of {all}");
    Ok(())
}

#[test]
fn task_2_no_tokens_no_tiles() -> Result<()> {
    assert_eq!(tiles_to_visit(3, 3, 1, true, Tile { queries: 2, keys: 2 })?, [1, 2]);
    assert_eq!(tiles_to_visit(0, 0, 2, true, KERNEL)?, Vec::<i32>::new());
    assert_eq!(tiles_to_visit(0, 70, 2, false, KERNEL)?, Vec::<i32>::new());
    Ok(())
}

#[test]
fn task_2_sizes_up_to_the_largest_do_not_overflow() -> Result<()> {
    let tile = Tile { queries: 1 << 30, keys: 1 << 30 };
    assert_eq!(tiles_to_visit(i32::MAX, i32::MAX, 1, true, tile)?, [1, 2]);
    assert_eq!(tiles_to_visit(1 << 30, i32::MAX, 4, false, tile)?, [2, 2, 2, 2]);
    Ok(())
}

#[test]
fn task_2_impossible_sizes_are_refused() -> Result<()> {
    let tile = Tile { queries: 4, keys: 2 };
    let error = expect_invalid_argument(tiles_to_visit(9, 8, 1, true, tile), "length");
    assert_eq!(error.to_string(), "length is 9, but it must be from 0 to the context, 8");
    expect_invalid_argument(tiles_to_visit(-1, 8, 1, true, tile), "length");
    expect_invalid_argument(tiles_to_visit(0, -8, 1, true, tile), "length");
    expect_invalid_argument(tiles_to_visit(4, 8, 0, true, tile), "group");
    expect_invalid_argument(tiles_to_visit(4, 8, 1, true, Tile { queries: 0, keys: 2 }), "tile.queries");
    expect_invalid_argument(tiles_to_visit(4, 8, 1, true, Tile { queries: 4, keys: -1 }), "tile.keys");
    Ok(())
}

#[test]
fn end_the_engine_reads_prompts_in_tiles_and_the_bits_are_those_of_rows() -> Result<()> {
    let checkpoint = Checkpoint::open(golden("week3/serving"))?;
    let tokens = Random::new(5).ids(96, &[1, 120]);
    let logits = |stage| week3::load(&checkpoint, stage)?.logits(&tokens);
    // Two heads of queries a key head: 240 rows, of whose tiles some have nothing to see.
    assert!(tiles_to_visit(120, 120, 2, true, KERNEL)?.iter().sum::<i32>() > 2);
    let in_tiles = logits(Some("flash-attention"))?;
    assert_close_within("the default", &logits(None)?, &in_tiles, Tolerance::EXACT)?;
    assert_close_within("by rows", &logits(Some("paged-attention"))?, &in_tiles, Tolerance::EXACT)
}

#[test]
fn end_the_engine_answers_the_embedded_models_prompt_as_by_rows() -> Result<()> {
    let checkpoint = tiny_model()?;
    let prompt =
        checkpoint.tokenizer()?.encode("The KV cache stores the keys and values of every past token, so that")?;
    let length = prompt.len() as i32;
    assert!(!tiles_to_visit(length, length, 2, true, KERNEL)?.is_empty());
    let request = Request { prompt, max_tokens: 12, eos: vec![0], sampling: Sampling::GREEDY };
    let answer = |stage| -> Result<Vec<u32>> {
        Ok(week3::load(checkpoint, Some(stage))?.generate(&request, &mut |_| ControlFlow::Continue(()))?.tokens)
    };
    assert_eq!(answer("flash-attention")?, answer("paged-attention")?);
    Ok(())
}
