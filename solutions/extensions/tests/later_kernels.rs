//! The kernels of week 3 are announced: the call reaches C++, and what C++ throws arrives with its task.

use kit::{Error, Result};
use mlx_rs::Array;
use solution_extensions::week3;

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
    let answers = [
        (task(week3::paged_cache_update(x, x, x, 0)), "3.3.1", "paged_cache_update", "paged_cache_update"),
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
