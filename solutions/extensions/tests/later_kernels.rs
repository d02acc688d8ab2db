//! The kernels of weeks 2 and 3 are announced: the call reaches C++, and what C++ throws arrives with its task.

use kit::{Error, Result};
use mlx_rs::Array;
use solution_extensions::{week2, week3};

/// Task and function of a stub's answer.
fn task<T>(result: Result<T>) -> (String, String, String) {
    match result.err().expect("a stub refuses") {
        Error::NotImplemented { task, item, at } => (task, item, at),
        other => panic!("expected a stub's refusal, got: {other}"),
    }
}

#[test]
fn each_refuses_with_the_id_of_the_task_that_writes_it() {
    let x = &Array::from_slice(&[1.0f32; 4], &[1, 1, 2, 2]);
    let matmul = |path| task(week2::quantized_matmul(x, x, x, x, 64, 4, path));
    let answers = [
        (matmul(week2::Path::Vanilla), "2.3.2", "quantized_matmul", "quantized_matmul"),
        (matmul(week2::Path::Matvec), "2.3.3", "quantized_matvec", "quantized_matmul"),
        (matmul(week2::Path::Tiled), "2.6.1", "tiled_matmul", "quantized_matmul"),
        (matmul(week2::Path::SplitK(2)), "2.7.1", "split_k_matmul", "quantized_matmul"),
        (task(week2::rms_norm(x, x, 1e-6)), "2.4.1", "rms_norm", "rms_norm"),
        (task(week2::rope(x, x, 2, 1e4, false)), "2.4.2", "rope", "rope"),
        (task(week2::swiglu(x, x)), "2.4.3", "swiglu", "swiglu"),
        (
            task(week2::decode_attention(x, x, x, week2::Mask::Causal, 1.0)),
            "2.5.1",
            "decode_attention",
            "decode_attention",
        ),
        (task(week3::paged_cache_update(x, x, x, 0)), "3.3.1", "paged_cache_update", "paged_cache_update"),
        (task(week3::quantized_embedding(x, x, x, x, 64, 4)), "3.4.1", "quantized_embedding", "quantized_embedding"),
        (task(week3::paged_attention(x, x, x, x, x, 1.0, true)), "3.4.2", "paged_attention", "paged_attention"),
        (
            task(week3::grouped_quantized_matmul(x, x, x, x, x, 64, 4)),
            "3.6.1",
            "grouped_quantized_matmul",
            "grouped_quantized_matmul",
        ),
    ];
    for ((task, item, at), wanted, name, file) in answers {
        assert_eq!((task.as_str(), item.as_str()), (wanted, name));
        assert_eq!(at, format!("extensions/src/{file}.cpp"));
    }
}
