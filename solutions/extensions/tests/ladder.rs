//! The steps that `cargo xtask bench kernels` reads from the comments of the loops.

#[path = "../examples/bench_kernels/ladder.rs"]
mod ladder;

#[test]
fn every_kernel_names_its_steps_from_the_first_to_the_last() {
    let sources = [
        ("quantized_matmul", include_str!("../src/loops/quantized_matmul.cpp"), 1),
        ("quantized_matvec", include_str!("../src/loops/quantized_matvec.cpp"), 4),
        ("tiled_matmul", include_str!("../src/loops/tiled_matmul.cpp"), 3),
        ("split_k_matmul", include_str!("../src/loops/split_k_matmul.cpp"), 1),
        ("int16_matvec", include_str!("../src/loops/int16_matvec.cpp"), 3),
        ("rms_norm", include_str!("../src/loops/rms_norm.cpp"), 3),
        ("rope", include_str!("../src/loops/rope.cpp"), 4),
        ("swiglu", include_str!("../src/loops/swiglu.cpp"), 3),
        ("decode_attention", include_str!("../src/loops/decode_attention.cpp"), 4),
        ("quantized_embedding", include_str!("../src/loops/quantized_embedding.cpp"), 3),
        ("paged_cache_update", include_str!("../src/loops/paged_cache_update.cpp"), 3),
        ("paged_attention", include_str!("../src/loops/paged_attention.cpp"), 3),
        ("flash_attention", include_str!("../src/loops/flash_attention.cpp"), 3),
        ("grouped_quantized_matmul", include_str!("../src/loops/grouped_quantized_matmul.cpp"), 3),
        ("quantized_matmul in Metal", include_str!("../kernels/quantized_matmul.metal"), 1),
        ("quantized_matvec in Metal", include_str!("../kernels/quantized_matvec.metal"), 2),
        ("rms_norm in Metal", include_str!("../kernels/rms_norm.metal"), 2),
        ("rope in Metal", include_str!("../kernels/rope.metal"), 2),
        ("swiglu in Metal", include_str!("../kernels/swiglu.metal"), 2),
        ("decode_attention in Metal", include_str!("../kernels/decode_attention.metal"), 2),
        ("tiled_matmul in Metal", include_str!("../kernels/tiled_matmul.metal"), 2),
        ("split_k_matmul in Metal", include_str!("../kernels/split_k_matmul.metal"), 1),
    ];
    for (name, source, last) in sources {
        let steps: Vec<(u8, String)> = ladder::steps(source).into_iter().map(|s| (s.number, s.changed)).collect();
        let numbers: Vec<u8> = steps.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, (1..=last).collect::<Vec<u8>>(), "{name}: {steps:?}");
        assert!(steps.iter().all(|(_, changed)| changed.len() < 115 && !changed.contains(". ")), "{name}: {steps:?}");
    }
}

#[test]
fn every_step_of_a_ladder_has_a_test_of_its_name() {
    let fused = include_str!("cases/fused.rs");
    let ladders = [
        (3, include_str!("../src/loops/quantized_matvec.cpp"), include_str!("cases/packed.rs")),
        (1, include_str!("../src/loops/tiled_matmul.cpp"), include_str!("cases/tiled.rs")),
        (4, include_str!("../src/loops/int16_matvec.cpp"), include_str!("cases/int16.rs")),
        (1, include_str!("../src/loops/rms_norm.cpp"), fused),
        (2, include_str!("../src/loops/rope.cpp"), fused),
        (3, include_str!("../src/loops/swiglu.cpp"), fused),
        (1, include_str!("../src/loops/decode_attention.cpp"), include_str!("cases/attention.rs")),
        (1, include_str!("../src/loops/paged_cache_update.cpp"), include_str!("cases/paged_cache.rs")),
        (2, include_str!("../src/loops/paged_attention.cpp"), include_str!("cases/paged_attention.rs")),
        (1, include_str!("../src/loops/flash_attention.cpp"), include_str!("cases/flash_attention.rs")),
        (1, include_str!("../src/loops/grouped_quantized_matmul.cpp"), include_str!("cases/grouped.rs")),
    ];
    for (task, source, tests) in ladders {
        for ladder::Step { number, changed } in ladder::steps(source) {
            let name = changed.split(':').next().unwrap_or_default().replace(' ', "_");
            let test = format!("fn task_{task}_step_{number}_{name}()");
            assert!(tests.contains(&test), "there is no `{test}`");
        }
    }
}
