//! Reports do not depend on the compiler; kernels run without assembly too.
#![cfg(target_os = "linux")] // the host runs there

mod support;

use metal_host::{Arg, Checks, Grid, Kind, Library, Options, Report, Result, Sanitizer, Source};

const CLANG: [&str; 5] = ["clang++-19", "clang++-18", "clang++-17", "clang++-16", "clang++"];

/// The compilers of this machine that fit, by name. Says which family is missing.
fn compilers() -> Vec<&'static str> {
    let fits = |name: &str| Library::compile(&Source::text("k.metal", ""), &support::options().compiler(name)).is_ok();
    let mut found = Vec::new();
    for family in [&["g++"][..], &CLANG] {
        match family.iter().find(|name| fits(name)) {
            Some(name) => found.push(*name),
            None => println!("skipped: none of {family:?} is there and new enough"),
        }
    }
    assert!(!found.is_empty(), "no compiler fits");
    found
}

/// A kernel whose body begins at line 4.
fn launch(body: &str, options: &Options, checks: &Checks) -> Result<Report> {
    let text = format!(
        "#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device float* o [[buffer(0)]], device const float* x [[buffer(1)]], uint i [[thread_position_in_grid]]) {{\n{body}\n}}\n"
    );
    let (mut o, x) = (vec![0.0f32; 100], vec![1.0f32; 100]);
    let args = [Arg::output(&mut o), Arg::input(&x)];
    Library::compile(&Source::text("k.metal", &text), options)?.kernel("k")?.dispatch(
        Grid::groups(1),
        128,
        &args,
        checks,
    )
}

/// Kind and lines of what each compiler's kernel shows.
fn on_each(body: &str, checks: &Checks, kind: Kind, lines: &[u32]) {
    for name in compilers() {
        let error = match launch(body, &support::options().compiler(name), checks) {
            Ok(report) => panic!("{name}: nothing was found: {report:?}"),
            Err(error) => error,
        };
        println!("{name}: {error}\n");
        if error.to_string().contains("sanitizer here") || error.to_string().contains("no ThreadSanitizer") {
            println!("skipped: {name} has no sanitizer");
            continue;
        }
        assert_eq!(error.kind(), Some(kind), "{name}: {error}");
        let mut found: Vec<u32> = error.findings()[0].places.iter().map(|p| p.line).collect();
        found.sort_unstable();
        assert_eq!(found, lines, "{name}: {error}");
        let said = error.to_string();
        for own in ["mh::", ".hpp", "/include/", "__builtin"] {
            assert!(!said.contains(own), "{name}: the host's own `{own}` shows: {said}");
        }
    }
}

#[test]
fn outside_of_a_buffer() {
    on_each("if (i > 100) return;\no[min(i, 99u)] = x[i];", &Checks::all(), Kind::OutOfBounds, &[5]);
}

#[test]
fn outside_of_a_buffer_by_address_sanitizer() {
    let checks = Checks::none().sanitizer(Sanitizer::Address);
    // The unchecked run before it reads one float behind the vector, which is there.
    on_each("if (i > 100) return;\no[min(i, 99u)] = x[i];", &checks, Kind::OutOfBounds, &[5]);
}

#[test]
fn outside_of_a_threads_own_array_by_address_sanitizer() {
    let body = "float a[4];\nfor (int j = 0; j < 4; j++) a[j] = x[j];\nif (i < 100) o[i] = a[i & 7];";
    on_each(body, &Checks::none().sanitizer(Sanitizer::Address), Kind::OutOfBounds, &[6]);
}

#[test]
fn a_race_with_both_lines() {
    let body = "threadgroup float s[128];\ns[i] = x[i % 100];\nfloat v = s[i ^ 1];\nif (i < 100) o[i] = v;";
    on_each(body, &Checks::all(), Kind::Race, &[5, 6]);
    on_each(body, &Checks::none().sanitizer(Sanitizer::Thread), Kind::Race, &[5, 6]);
}

#[test]
fn undefined_arithmetic() {
    on_each(
        "if (i < 100) o[i] = float(1u << (i & 63));",
        &Checks::none().sanitizer(Sanitizer::Undefined),
        Kind::Undefined,
        &[4],
    );
}

#[test]
fn errors_of_the_source() {
    for (body, word) in [
        ("o[i] = undefined_name;", "undefined_name"),
        ("x[i] = 1;", "written"),
        ("o[i] = simd_sum(x[i], 1, 2, 3, 4);", "simd_sum"),
        ("float4 v = float3(1);\no[i] = v.x;", "float4"),
        ("o[i] = x[i]\n", ";"),
        ("o[i] = float4(1).q;", "q"),
        ("o[i] = as_type<half>(x[i]);", "as_type needs types of the same size"),
        ("o[i] = max(1, 2.0f);", "must have one type"),
        ("vec<float, 5> v;\no[i] = v.x;", "2, 3 or 4 components"),
        ("threadgroup_barrier();", "threadgroup_barrier"),
        ("float2 a = 1;\no[i] = (a * float4(2)).x;", "float4"),
        ("threadgroup float s[i];\no[i] = s[0];", "must be a constant"),
    ] {
        for name in compilers() {
            let error = match launch(body, &support::options().compiler(name), &Checks::none()) {
                Ok(_) => panic!("{name}: it compiles: {body}"),
                Err(error) => error,
            };
            let said = error.to_string();
            println!("{name}: {said}\n");
            assert_eq!(error.kind(), Some(Kind::Compile), "{said}");
            let place = error.findings()[0].places.first().unwrap_or_else(|| panic!("no place: {said}"));
            assert!(place.file == "k.metal" && (4..=5).contains(&place.line), "{said}");
            assert!(said.contains(word), "{name}: `{word}` is not in: {said}");
            for own in ["mh::", ".hpp", "mh_", "/include/", "__builtin"] {
                assert!(!said.contains(own), "{name}: the host's own `{own}` shows: {said}");
            }
        }
    }
}

#[test]
fn fibers_without_assembly_compute_the_same() -> Result<()> {
    let source = Source::file("tests/kernels/gemm.metal");
    let product = |options: &Options| -> Result<(Vec<f32>, String)> {
        let library = Library::compile(&source, options)?;
        let mut random = support::Random::new(1);
        let (a, b, mut c) = (random.normal(32 * 48), random.normal(48 * 32), vec![0.0f32; 32 * 32]);
        let args = [Arg::input(&a), Arg::input(&b), Arg::output(&mut c), Arg::value([32i32, 32, 48, 0])];
        library.kernel("gemm_f32")?.dispatch(Grid::groups(1), 128, &args, &Checks::all())?;
        drop(args);
        Ok((c, library.switch_kind()))
    };
    let (fast, kind) = product(&support::options())?;
    let (portable, portable_kind) = product(&support::options().portable_fibers())?;
    assert_eq!(portable_kind, "ucontext");
    if cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
        assert!(kind.starts_with("assembly"), "{kind}");
    }
    assert_eq!(fast, portable);
    Ok(())
}

/// The mistake is in a function of Metal's library, and the cache below the working folder: the line is still the kernel's.
#[test]
fn a_fault_inside_of_the_library_has_the_line_of_the_call() -> Result<()> {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    if std::env::var_os("METAL_HOST_TEST_FOLDER").is_none() {
        let mut command = std::process::Command::new(std::env::current_exe().expect("the test program"));
        command.args(["a_fault_inside_of_the_library_has_the_line_of_the_call", "--exact"]);
        command.stdout(std::process::Stdio::null()).current_dir(folder);
        let status = command.env("METAL_HOST_TEST_FOLDER", "yes").status();
        assert!(status.expect("the test program starts").success());
        return Ok(());
    }
    let body = "simdgroup_float8x8 m;\nsimdgroup_load(m, x + 50, 8);\nsimdgroup_store(m, o, 8);";
    for (checks, line) in [(Checks::all(), 5), (Checks::none().sanitizer(Sanitizer::Address), 5)] {
        for name in compilers() {
            let error = match launch(body, &support::options().compiler(name), &checks) {
                Ok(report) => panic!("{name}: nothing was found: {report:?}"),
                Err(error) => error,
            };
            let place = error.findings()[0].places.first().unwrap_or_else(|| panic!("{name}: no place: {error}"));
            assert_eq!((place.file.as_str(), place.line), ("k.metal", line), "{name}: {error}");
        }
    }
    Ok(())
}

/// What the scheduler and the processor notice is reported without any check too.
#[test]
fn unchecked_launches_do_not_hide_what_is_noticed() {
    on_each(
        "if (i < 64) threadgroup_barrier(mem_flags::mem_threadgroup);\no[0] = simd_sum(1.0f);\nthreadgroup_barrier(mem_flags::mem_device);",
        &Checks::none(),
        Kind::BarrierDivergence,
        &[4, 6],
    );
    on_each(
        "if (i == 0) *(device float*)(ulong(7)) = 1;\nsimdgroup_barrier(mem_flags::mem_none);",
        &Checks::none(),
        Kind::OutOfBounds,
        &[4],
    );
}
