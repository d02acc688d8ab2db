//! Orders are what their names say, and memory that no page guards is looked after.
#![cfg(target_os = "linux")] // the host runs there

mod support;

use metal_host::{Arg, Checks, Grid, Kernel, Kind, Library, Order, Result, Source};

fn kernel(body: &str) -> Result<Kernel> {
    let arguments = "device uint* o [[buffer(0)]], device atomic_uint* count [[buffer(1)]], uint i [[thread_position_in_grid]], \
        uint t [[thread_index_in_threadgroup]]";
    let text = format!("#include <metal_stdlib>\nusing namespace metal;\nkernel void k({arguments}) {{\n{body}\n}}\n");
    Library::compile(&Source::text("k.metal", &text), &support::options())?.kernel("k")
}

/// When each of 128 threads in two groups came by: a ticket for each.
fn tickets(kernel: &Kernel, order: Order) -> Result<Vec<u32>> {
    let (mut o, mut count) = (vec![0u32; 128], [0u32]);
    let args = [Arg::in_out(&mut o), Arg::in_out(&mut count)];
    kernel.dispatch(Grid::groups(2), 64, &args, &Checks::guarded().order(order))?;
    drop(args);
    Ok(o)
}

#[test]
fn threads_run_in_the_order_that_was_asked_for() -> Result<()> {
    let kernel = kernel(
        "o[i] = atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);\nthreadgroup_barrier(mem_flags::mem_none);",
    )?;
    let forward = tickets(&kernel, Order::Forward)?;
    assert_eq!(forward, (0..128).collect::<Vec<u32>>());
    let reverse = tickets(&kernel, Order::Reverse)?;
    assert_eq!(reverse, (0..128).rev().collect::<Vec<u32>>());
    // The first lane of the second SIMD group right after the first lane of the first.
    let interleaved = tickets(&kernel, Order::Interleaved)?;
    assert!(
        interleaved[0].abs_diff(interleaved[32]) == 1 && interleaved[1].abs_diff(interleaved[0]) == 2,
        "{interleaved:?}"
    );
    let random = tickets(&kernel, Order::Random(1))?;
    assert_eq!(random, tickets(&kernel, Order::Random(1))?, "one seed, one order");
    assert_ne!(random, tickets(&kernel, Order::Random(2))?);
    for order in [&reverse, &interleaved, &random] {
        assert_ne!(order, &forward);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, forward, "a thread ran twice or never");
    }
    Ok(())
}

/// 33 floats end 12 bytes before a multiple of 16: a write there meets no page that faults.
#[test]
fn one_element_past_a_threadgroup_variable_of_any_length() -> Result<()> {
    for length in [29, 30, 31, 32, 33] {
        let body = format!(
            "threadgroup uint s[{length}];\nif (t <= {length}) s[t] = t;\nthreadgroup_barrier(mem_flags::mem_threadgroup);\no[i] = s[t % {length}];"
        );
        let (mut o, mut count) = (vec![0u32; 64], [0u32]);
        let args = [Arg::output(&mut o), Arg::in_out(&mut count)];
        let error = match kernel(&body)?.dispatch(Grid::groups(1), 64, &args, &Checks::all()) {
            Ok(report) => panic!("{length}: nothing was found: {report:?}"),
            Err(error) => error,
        };
        println!("{error}\n");
        assert_eq!(error.kind(), Some(Kind::OutOfBounds), "{length}: {error}");
        let said = error.to_string();
        let words = format!("has {} bytes", length * 4);
        assert!(said.contains("write past the end of the threadgroup variable `s`") && said.contains(&words), "{said}");
        // The line of the write, and that of the variable.
        let lines: Vec<u32> = error.findings()[0].places.iter().map(|p| p.line).collect();
        assert_eq!(lines, [5, 4], "{said}");
    }
    Ok(())
}

/// The same for a read: what lies there differs between runs, and then it is caught in the act.
#[test]
fn a_read_past_a_threadgroup_variable() -> Result<()> {
    for length in [32, 33] {
        let body = format!(
            "threadgroup uint s[{length}];\nif (t < {length}) s[t] = t;\nthreadgroup_barrier(mem_flags::mem_threadgroup);\no[i] = s[min(t, {length}u)];"
        );
        let (mut o, mut count) = (vec![0u32; 64], [0u32]);
        let args = [Arg::output(&mut o), Arg::in_out(&mut count)];
        let error = kernel(&body)?.dispatch(Grid::groups(1), 64, &args, &Checks::all()).expect_err("it reads too far");
        println!("{error}\n");
        assert_eq!(error.kind(), Some(Kind::OutOfBounds), "{error}");
        assert!(error.to_string().contains("read past the end of the threadgroup variable `s`"), "{error}");
        assert_eq!(error.findings()[0].places.first().map(|p| p.line), Some(7), "{error}");
    }
    Ok(())
}
