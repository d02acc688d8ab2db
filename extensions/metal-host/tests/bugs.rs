//! 18 kernels that do wrong things, each in its own way, and what is said about them. (Seven more do not compile.)
#![cfg(target_os = "linux")] // the host runs there

mod support;

use metal_host::{Arg, Checks, Finding, Grid, Kind, Library, Report, Result, Sanitizer, Source};

const HEAD: &str = "#include <metal_stdlib>\nusing namespace metal;\n";
const ARGUMENTS: &str = "device float* o [[buffer(0)]], device const float* x [[buffer(1)]], constant uint& n [[buffer(2)]], \
    uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]], uint lane [[thread_index_in_simdgroup]]";
const N: usize = 100;

/// A kernel whose body begins at line 4.
fn kernel(body: &str) -> String {
    format!("{HEAD}kernel void k({ARGUMENTS}) {{\n{body}\n}}\n")
}

fn compile(text: &str) -> Result<Library> {
    Library::compile(&Source::text("k.metal", text), &support::options())
}

/// Runs a kernel of these arguments on 128 threads for 100 elements.
fn launch(text: &str, groups: usize, accumulates: bool, checks: &Checks) -> Result<Report> {
    let (mut o, x) = (vec![0.0f32; N], (0..N).map(|v| v as f32).collect::<Vec<_>>());
    let o = if accumulates { Arg::in_out(&mut o) } else { Arg::output(&mut o) };
    let args = [o, Arg::input(&x), Arg::value(N as u32)];
    compile(text)?.kernel("k")?.dispatch(Grid::groups(groups), 128, &args, checks)
}

/// The finding of a kernel that must fail.
fn found(result: Result<Report>) -> Finding {
    match result {
        Ok(report) => panic!("nothing was found: {report:?}"),
        Err(error) => {
            println!("{error}\n");
            error.findings().first().unwrap_or_else(|| panic!("not about the kernel: {error}")).clone()
        }
    }
}

/// Runs with all checks; asserts kind, line and words of what is found.
fn expect(body: &str, kind: Kind, line: Option<u32>, words: &[&str]) {
    check(found(launch(&kernel(body), 1, false, &Checks::all())), kind, line, words);
}

fn check(finding: Finding, kind: Kind, line: Option<u32>, words: &[&str]) {
    let text = finding.to_string();
    assert_eq!(finding.kind, kind, "{text}");
    if let Some(line) = line {
        let place = finding.places.first().unwrap_or_else(|| panic!("no place: {text}"));
        assert_eq!((place.file.as_str(), place.line), ("k.metal", line), "{text}");
        assert!(place.text.is_some(), "the line is not shown: {text}");
    }
    for word in words {
        assert!(text.contains(word), "`{word}` is not in: {text}");
    }
}

const BARRIER: &str = "threadgroup_barrier(mem_flags::mem_threadgroup);";

#[test]
fn bug_01_read_past_the_end() {
    let words = [
        "read past the end of `x`",
        "100 elements of 4 bytes",
        "element 100 is read",
        "thread (100, 0, 0)",
        "grid is larger",
    ];
    expect("if (i > n) return;\no[min(i, n - 1)] = x[i];", Kind::OutOfBounds, Some(5), &words);
}

#[test]
fn bug_02_write_past_the_end() {
    expect("o[i] = 1;", Kind::OutOfBounds, Some(4), &["write past the end of `o`", "return first"]);
}

#[test]
fn bug_03_far_outside_in_a_kernel_with_barriers() {
    let body = format!("threadgroup float s[128];\ns[t] = x[i * 64];\n{BARRIER}\nif (i < n) o[i] = s[t ^ 1];");
    expect(&body, Kind::OutOfBounds, Some(5), &["element 128 is read", "thread (2, 0, 0)", "strides and row lengths"]);
}

#[test]
fn bug_04_negative_index() {
    expect(
        "if (i < n) o[i] = x[int(i) - 1];",
        Kind::OutOfBounds,
        Some(4),
        &["before the start of `x`", "element -1", "below zero"],
    );
}

#[test]
fn bug_05_early_return_before_a_barrier() {
    let body = format!("threadgroup float s[128];\nif (i >= n) return;\ns[t] = x[i];\n{BARRIER}\no[i] = s[t ^ 1];");
    expect(
        &body,
        Kind::BarrierDivergence,
        Some(7),
        &["only 100 of 128 threads", "first is thread (100, 0, 0)", "skip only"],
    );
}

#[test]
fn bug_06_barrier_inside_an_if() {
    let body = format!(
        "threadgroup float s[128];\ns[t] = t;\nif (t < 64) {{\n{BARRIER}\n}}\n{BARRIER}\nif (i < n) o[i] = s[t ^ 1];"
    );
    expect(
        &body,
        Kind::BarrierDivergence,
        Some(7),
        &["wait at different barriers", "64 threads wait at threadgroup_barrier, line 9"],
    );
}

#[test]
fn bug_07_barrier_in_a_loop_of_unequal_length() {
    let body = format!(
        "threadgroup float s[128];\nfor (uint j = 0; j < 1 + t / 64; j++) {{\ns[t] = j;\n{BARRIER}\n}}\nif (i < n) o[i] = s[t];"
    );
    expect(&body, Kind::BarrierDivergence, Some(7), &["only 64 of 128"]);
}

#[test]
fn bug_08_simd_sum_where_lanes_are_missing() {
    let body = "float v = 0;\nif (lane < 20) v = simd_sum(1.0f);\nif (i < n) o[i] = v;";
    let report = launch(&kernel(body), 1, false, &Checks::all()).unwrap_or_else(|e| panic!("{e}"));
    let warning = report.warning(Kind::SimdDivergence).unwrap_or_else(|| panic!("{report:?}")).clone();
    println!("{warning}\n");
    check(warning, Kind::SimdDivergence, Some(5), &["`simd_sum` runs for 20 of 32 lanes"]);
}

#[test]
fn bug_09_threadgroup_memory_never_written() {
    let body = format!("threadgroup float s[128];\nif (t < 64) s[t] = 1;\n{BARRIER}\nif (i < n) o[i] = s[t];");
    expect(
        &body,
        Kind::Uninitialised,
        Some(4),
        &["`s` is read where no thread has written it", "36 elements, the first is element 64"],
    );
}

#[test]
fn bug_10_too_much_threadgroup_memory() {
    let body = format!("threadgroup float s[9000];\ns[t] = 1;\n{BARRIER}\nif (i < n) o[i] = s[t];");
    expect(&body, Kind::ThreadgroupMemory, None, &["36000 bytes", "32768"]);
}

#[test]
fn bug_11_threadgroup_index_out_of_bounds() {
    let body = format!("threadgroup float s[64], u[64];\ns[t] = t;\n{BARRIER}\nif (i < n) o[i] = s[t] + u[t];");
    expect(
        &body,
        Kind::OutOfBounds,
        Some(5),
        &["variable `s`", "has 256 bytes", "offset 256", "thread (64, 0, 0)", "::: k.metal:4"],
    );
}

#[test]
fn bug_12_division_by_zero() {
    if cfg!(target_arch = "aarch64") {
        println!("skipped: ARM divides by zero without a trap");
        return;
    }
    expect("if (i < n) o[i] = float(7 / (n - 100));", Kind::DivisionByZero, Some(4), &["divided by zero"]);
}

#[test]
fn bug_13_buffer_smaller_than_the_struct() -> Result<()> {
    let text = format!(
        "{HEAD}struct P {{ int a[8]; }};\nkernel void k(device float* o [[buffer(0)]], device const float* x [[buffer(1)]], constant P& p [[buffer(2)]]) {{ o[0] = p.a[7] + x[0]; }}\n"
    );
    let (mut o, x) = (vec![0.0f32; N], vec![0.0f32; N]);
    let args = [Arg::output(&mut o), Arg::input(&x), Arg::value(7u32)];
    let result = compile(&text)?.kernel("k")?.dispatch(Grid::groups(1), 1, &args, &Checks::none());
    check(found(result), Kind::Launch, None, &["`p`, which is buffer(2)", "holds 4 bytes, the kernel reads 32", "P&"]);
    Ok(())
}

#[test]
fn bug_14_unaligned_vector() {
    let body = "if (i < 20) o[i] = (*(device const float4*)(x + i)).w;";
    let result = launch(&kernel(body), 1, false, &Checks::guarded().sanitizer(Sanitizer::Undefined));
    check(found(result), Kind::Undefined, Some(4), &["misaligned"]);
}

#[test]
fn bug_15_shift_by_the_width() {
    let body = "if (i < n) o[i] = float(1u << (i & 63));";
    let result = launch(&kernel(body), 1, false, &Checks::guarded().sanitizer(Sanitizer::Undefined));
    check(found(result), Kind::Undefined, Some(4), &["shift exponent"]);
}

#[test]
fn bug_16_groups_add_to_one_element_without_an_atomic() {
    let result = launch(&kernel("o[0] += x[i % n];"), 2, true, &Checks::races());
    check(found(result), Kind::Race, Some(4), &["two threads use the same memory"]);
}

#[test]
fn bug_17_lanes_exchange_without_a_barrier() {
    let body = "threadgroup float s[128];\ns[t] = x[i % n];\nfloat v = s[t ^ 1];\nif (i < n) o[i] = v;";
    expect(
        body,
        Kind::Race,
        Some(5),
        &["`s` is read before the thread that writes it", "a barrier is missing", "k.metal:6"],
    );
    let result = launch(&kernel(body), 1, false, &Checks::none().sanitizer(Sanitizer::Thread));
    check(found(result), Kind::Race, None, &["k.metal:5", "k.metal:6", "s[t] = x[i % n];", "float v = s[t ^ 1];"]);
}

#[test]
fn bug_18_barrier_that_orders_no_memory() {
    let body = "threadgroup float s[128];\ns[t] = x[i % n];\nthreadgroup_barrier(mem_flags::mem_none);\nif (i < n) o[i] = s[(t + 64) % 128];";
    check(found(launch(&kernel(body), 1, false, &Checks::races())), Kind::Race, None, &["k.metal:5", "k.metal:7"]);
}

/// Not one of the 25: a kernel that hangs.
#[test]
fn bug_26_loop_that_does_not_end() {
    let body = "uint j = i;\nwhile (j < n) {\nif (x[j] < 0) j++;\n}\no[i % n] = j;";
    let checks = Checks::all().limit(std::time::Duration::from_millis(200));
    // Twice: the first must not leave the process unable to stop the second.
    found(launch(&kernel(body), 1, false, &checks));
    let finding = found(launch(&kernel(body), 1, false, &checks));
    check(finding.clone(), Kind::Endless, None, &["does not end", "thread (0, 0, 0)"]);
    let line = finding.places[0].line;
    assert!((5..=6).contains(&line), "{finding}");
}
