//! Launches: grids, arguments, and what does not fit.
#![cfg(target_os = "linux")] // the host runs there

mod support;

use metal_host::{Arg, Checks, Error, Finding, Grid, Kind, Library, Report, Result, Source, Store};

/// Compiles kernels below the usual two lines.
fn compile(kernels: &str) -> Result<Library> {
    let text = format!("#include <metal_stdlib>\nusing namespace metal;\n{kernels}");
    Library::compile(&Source::text("k.metal", &text), &support::options())
}

fn found(result: Result<Report>, kind: Kind, words: &[&str]) -> Finding {
    let error = match result {
        Ok(report) => panic!("nothing was found: {report:?}"),
        Err(error) => error,
    };
    println!("{error}\n");
    assert_eq!(error.kind(), Some(kind), "{error}");
    for word in words {
        assert!(error.to_string().contains(word), "`{word}` is not in: {error}");
    }
    error.findings()[0].clone()
}

const COPY: &str = "kernel void copy(device const float* x [[buffer(0)]], device float* o [[buffer(1)]], constant uint& n [[buffer(2)]],\n  uint i [[thread_position_in_grid]]) {\n  if (i < n) o[i] = x[i];\n}\n";

fn copy(values: usize, n: u32, threads: usize) -> Result<(Vec<f32>, Report)> {
    let (x, mut o) = (vec![1.0f32; values], vec![0.0f32; values]);
    let args = [Arg::input(&x), Arg::output(&mut o), Arg::value(n)];
    let report = compile(COPY)?.kernel("copy")?.dispatch(Grid::threads(threads), 32, &args, &Checks::all())?;
    drop(args);
    Ok((o, report))
}

#[test]
fn groups_at_the_edge_are_smaller_when_threads_are_counted() -> Result<()> {
    let kernels = "kernel void sizes(device uint* o [[buffer(0)]], uint i [[thread_position_in_grid]], uint n [[threads_per_threadgroup]],\n  uint full [[dispatch_threads_per_threadgroup]], uint grid [[threads_per_grid]], uint groups [[threadgroups_per_grid]]) {\n  o[i] = n * 1000000 + full * 10000 + grid * 10 + groups;\n}\n";
    let kernel = compile(kernels)?.kernel("sizes")?;
    let mut by_threads = vec![0u32; 100];
    kernel.dispatch(Grid::threads(100), 64, &[Arg::output(&mut by_threads)], &Checks::all())?;
    assert_eq!((by_threads[0], by_threads[99]), (64_641_002, 36_641_002));
    let mut by_groups = vec![0u32; 128];
    kernel.dispatch(Grid::groups(2), 64, &[Arg::output(&mut by_groups)], &Checks::all())?;
    assert!(by_groups.iter().all(|&v| v == 64_641_282));
    Ok(())
}

#[test]
fn nothing_runs_on_an_empty_grid() -> Result<()> {
    let (o, report) = copy(4, 4, 0)?;
    assert_eq!((o, report.threads), (vec![0.0; 4], 0));
    Ok(())
}

#[test]
fn groups_have_a_limit_of_threads() -> Result<()> {
    let kernels = "[[kernel, max_total_threads_per_threadgroup(256)]] void narrow(device float* o [[buffer(0)]], uint i [[thread_position_in_grid]]) { o[i] = 1; }\nkernel void wide(device float* o [[buffer(0)]], uint i [[thread_position_in_grid]]) { o[i] = 1; }\n";
    let library = compile(kernels)?;
    let (narrow, wide) = (library.kernel("narrow")?, library.kernel("wide")?);
    assert_eq!((narrow.max_threads_per_group(), wide.max_threads_per_group()), (256, 1024));
    let mut o = vec![0.0f32; 2048];
    let args = [Arg::output(&mut o)];
    found(wide.dispatch(Grid::groups(1), 1025, &args, &Checks::none()), Kind::Launch, &["1025 threads", "1 to 1024"]);
    found(wide.dispatch(Grid::groups(1), (32, 0), &args, &Checks::none()), Kind::Launch, &["0 threads"]);
    found(
        narrow.dispatch(Grid::groups(1), 257, &args, &Checks::none()),
        Kind::Launch,
        &["1 to 256", "max_total_threads"],
    );
    found(wide.dispatch(Grid::groups((1 << 20, 1 << 20)), 1, &args, &Checks::none()), Kind::Launch, &["2^32"]);
    Ok(())
}

#[test]
fn an_unknown_kernel_is_answered_with_the_names() -> Result<()> {
    let error = compile(COPY)?.kernel("cpoy").err().expect("there is no such kernel");
    assert!(matches!(error, Error::NoKernel { .. }));
    assert_eq!(error.to_string(), "there is no kernel `cpoy`; there are: copy");
    Ok(())
}

#[test]
fn arguments_that_do_not_fit() -> Result<()> {
    let kernel = compile(COPY)?.kernel("copy")?;
    let (x, mut o) = (vec![1.0f32; 4], vec![0.0f32; 4]);
    let grid = Grid::threads(4);
    let missing = [Arg::input(&x), Arg::output(&mut o)];
    found(
        kernel.dispatch(grid, 4, &missing, &Checks::all()),
        Kind::Launch,
        &["`n`, which is buffer(2)", "is not bound", "constant uint&"],
    );
    let small = [Arg::input(&x), Arg::output(&mut o), Arg::value(4u16)];
    found(kernel.dispatch(grid, 4, &small, &Checks::none()), Kind::Launch, &["holds 2 bytes, the kernel reads 4"]);
    let swapped = [Arg::output(&mut o), Arg::input(&x), Arg::value(4u32)];
    found(kernel.dispatch(grid, 4, &swapped, &Checks::none()), Kind::Launch, &["`x`", "passed as an output", "order"]);
    let x_twice = [Arg::input(&x), Arg::input(&x), Arg::value(4u32)];
    // Equal values: the write shows only where they differ.
    kernel.dispatch(grid, 4, &x_twice, &Checks::all())?;
    let y = vec![2.0f32; 4];
    let to_input = [Arg::input(&x), Arg::input(&y), Arg::value(4u32)];
    found(kernel.dispatch(grid, 4, &to_input, &Checks::all()), Kind::Launch, &["writes `o`", "passed as an input"]);
    assert_eq!(y, [2.0; 4], "an input was changed");
    let more = [Arg::input(&x), Arg::output(&mut o), Arg::value(4u32), Arg::value(7u32)];
    let report = kernel.dispatch(grid, 4, &more, &Checks::all())?;
    assert!(report.warning(Kind::Launch).is_some_and(|w| w.title.contains("buffer(3)")), "{report:?}");
    Ok(())
}

#[test]
fn threadgroup_parameters_need_a_length() -> Result<()> {
    let kernels = "kernel void k(device float* o [[buffer(0)]], threadgroup float* s [[threadgroup(0)]], uint t [[thread_index_in_threadgroup]]) {\n  s[t] = t;\n  threadgroup_barrier(mem_flags::mem_threadgroup);\n  o[t] = s[31 - t];\n}\n";
    let kernel = compile(kernels)?.kernel("k")?;
    let mut o = vec![0.0f32; 32];
    found(
        kernel.dispatch(Grid::groups(1), 32, &[Arg::output(&mut o)], &Checks::none()),
        Kind::Launch,
        &["`s`, which is threadgroup(0)", "no memory"],
    );
    let short = [Arg::output(&mut o), Arg::threadgroup_memory(64)];
    let finding = found(
        kernel.dispatch(Grid::groups(1), 32, &short, &Checks::all()),
        Kind::OutOfBounds,
        &["write past the end of `s`", "64 bytes long", "offset 64"],
    );
    assert_eq!(finding.places[0].line, 4);
    let report =
        kernel.dispatch(Grid::groups(1), 32, &[Arg::output(&mut o), Arg::threadgroup_memory(128)], &Checks::all())?;
    assert_eq!((o[0], report.threadgroup_bytes, report.barriers), (31.0, 128, 1));
    Ok(())
}

#[test]
fn elements_that_are_never_written() -> Result<()> {
    let (_, report) = copy(100, 97, 128)?;
    let warning = report.warning(Kind::Unwritten).unwrap_or_else(|| panic!("{report:?}"));
    assert!(warning.to_string().contains("3 elements of `o` are never written"), "{warning}");
    assert!(warning.to_string().contains("the first is element 97"), "{warning}");
    assert!(copy(100, 100, 128)?.1.warnings.is_empty());
    Ok(())
}

/// 101 floats end 12 bytes before a page: the first elements behind them do not fault by themselves.
#[test]
fn one_element_too_many_is_found_at_any_length() {
    for values in [97, 98, 99, 100, 101, 102, 103, 128] {
        let finding = found(
            copy(values, values as u32 + 1, 160).map(|r| r.1),
            Kind::OutOfBounds,
            &["past the end of", "return first"],
        );
        assert_eq!(finding.places.first().map(|p| p.line), Some(5), "{values} values: {finding}");
    }
}

#[test]
fn an_output_is_read_before_it_is_written() -> Result<()> {
    let kernels = "kernel void k(device float* o [[buffer(0)]], uint i [[thread_position_in_grid]]) { o[i] += 1; }\n";
    let kernel = compile(kernels)?.kernel("k")?;
    let mut o = vec![5.0f32; 8];
    found(
        kernel.dispatch(Grid::threads(8), 8, &[Arg::output(&mut o)], &Checks::all()),
        Kind::OutputRead,
        &["read before it is written", "in_out"],
    );
    kernel.dispatch(Grid::threads(8), 8, &[Arg::in_out(&mut o)], &Checks::all())?;
    assert_eq!(o, [6.0; 8]);
    Ok(())
}

#[test]
fn sums_by_atomics_may_depend_on_the_order() -> Result<()> {
    let kernels = "kernel void k(device atomic_float* o [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n  atomic_fetch_add_explicit(o, 1.0f / float(i + 1), memory_order_relaxed);\n}\n";
    let mut o = [0.0f32];
    let report =
        compile(kernels)?.kernel("k")?.dispatch(Grid::threads(1000), 64, &[Arg::in_out(&mut o)], &Checks::all())?;
    let warning = report.warning(Kind::Race).unwrap_or_else(|| panic!("{report:?}"));
    assert!(warning.help.as_ref().is_some_and(|h| h.contains("last bits")), "{warning}");
    assert!((o[0] - 7.485_471).abs() < 1e-3, "{}", o[0]);
    Ok(())
}

#[test]
fn nan_is_a_result_like_others() -> Result<()> {
    let kernels = "kernel void k(device float* o [[buffer(0)]], uint i [[thread_position_in_grid]]) { o[i] = sqrt(-1.0f - i); }\n";
    let mut o = vec![0.0f32; 8];
    let report =
        compile(kernels)?.kernel("k")?.dispatch(Grid::threads(8), 8, &[Arg::output(&mut o)], &Checks::all())?;
    assert!(report.warnings.is_empty() && o.iter().all(|v| v.is_nan()), "{report:?} {o:?}");
    Ok(())
}

#[test]
fn a_thread_has_64_kib_for_its_own_arrays() -> Result<()> {
    let kernels = "kernel void k(device float* o [[buffer(0)]], constant uint& n [[buffer(1)]], uint i [[thread_position_in_grid]]) {\n  float a[30000];\n  for (uint j = 0; j < n; j++) a[j] = o[j % 8] + j;\n  o[i] = a[i] + a[n - 1 - i];\n}\n";
    let mut o = vec![0.0f32; 8];
    let args = [Arg::in_out(&mut o), Arg::value(30000u32)];
    let result = compile(kernels)?.kernel("k")?.dispatch(Grid::threads(1), 1, &args, &Checks::guarded());
    found(result, Kind::PrivateMemory, &["more than 64 KiB"]);
    Ok(())
}

#[test]
fn a_store_compiles_a_file_once() -> Result<()> {
    let store = Store::new(support::options());
    let file = std::path::Path::new("tests/kernels/axpby.metal");
    let first = store.kernel(file, "axpby_float32")?;
    let began = std::time::Instant::now();
    for _ in 0..1000 {
        assert_eq!(store.kernel(file, "axpby_float32")?.name(), first.name());
    }
    // A compilation, even from the cache, starts the preprocessor: a thousand of them would take a minute.
    assert!(began.elapsed().as_secs() < 5, "{:?}", began.elapsed());
    assert!(matches!(store.kernel(file, "axpby"), Err(Error::NoKernel { .. })));
    Ok(())
}

#[test]
fn launches_from_several_threads_do_not_disturb_each_other() -> Result<()> {
    let kernel = compile(COPY)?.kernel("copy")?;
    let work = |n: usize| -> Result<()> {
        let x: Vec<f32> = (0..1000).map(|i| (i * n) as f32).collect();
        for checks in [Checks::none(), Checks::all(), Checks::none(), Checks::guarded()] {
            let mut o = vec![0.0f32; 1000];
            let args = [Arg::input(&x), Arg::output(&mut o), Arg::value(1000u32)];
            kernel.dispatch(Grid::threads(1000), 64, &args, &checks)?;
            drop(args);
            assert_eq!(o, x);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = (1..5).map(|n| scope.spawn(move || work(n))).collect();
        running.into_iter().try_for_each(|t| t.join().expect("a thread that asserts"))
    })
}
