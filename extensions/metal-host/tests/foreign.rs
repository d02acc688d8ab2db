//! C++ code launches a kernel through the function pointers of `metal_host.h`.
#![cfg(target_os = "linux")] // the host runs there

mod support;

use std::ffi::{CStr, CString, c_char, c_int};
use std::process::Command;

use metal_host::{Api, Checks, Host, Kind, Options};

type Call = unsafe extern "C" fn(
    *const Api,
    *const c_char,
    *const f32,
    *const f32,
    *mut f32,
    usize,
    usize,
    *mut c_char,
    usize,
) -> c_int;

/// Compiles the C++ of this test.
fn caller() -> libloading::Library {
    let to = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("caller-{}.so", std::process::id()));
    let compiler = std::env::var("CXX").unwrap_or("c++".into());
    let mut command = Command::new(compiler);
    command
        .args(["-std=c++17", "-shared", "-fPIC", "-I", env!("METAL_HOST_API"), "tests/foreign/caller.cpp", "-o"])
        .arg(&to);
    assert!(command.status().expect("the compiler of the other tests").success());
    // SAFETY: the library above; it has no constructors.
    let library = unsafe { libloading::Library::new(&to) }.expect("it was just made");
    std::fs::remove_file(&to).expect("it was just made");
    library
}

#[test]
fn a_launch_from_cpp() {
    let library = caller();
    // SAFETY: the function of caller.cpp, with its types.
    let call: libloading::Symbol<Call> = unsafe { library.get(b"call_axpby") }.expect("caller.cpp has it");
    let host: &'static Host = Box::leak(Box::new(Host::new(Options::default().cache(support::cache()), Checks::all())));
    let api = host.api();
    let (x, y) = ([1.0f32, 2.0, 3.0, 4.0], [10.0f32, 20.0, 30.0, 40.0]);
    let run = |file: &str, threads: usize, room: usize| {
        let (mut out, mut report) = ([0.0f32; 4], vec![0u8; room]);
        let file = CString::new(file).expect("no zero inside");
        // SAFETY: the arrays are as long as it is told, and the report as large.
        let status = unsafe {
            call(
                &api,
                file.as_ptr(),
                x.as_ptr(),
                y.as_ptr(),
                out.as_mut_ptr(),
                4,
                threads,
                report.as_mut_ptr().cast(),
                room,
            )
        };
        let text = CStr::from_bytes_until_nul(&report).expect("it ends with a zero").to_string_lossy().into_owned();
        (status, out, text)
    };

    assert_eq!(run("tests/kernels/axpby.metal", 4, 1000), (0, [13.0, 26.0, 39.0, 52.0], String::new()));
    assert!(host.take_errors().is_empty() && host.take_warnings().is_empty());

    let (status, _, report) = run("tests/kernels/axpby.metal", 5, 2000);
    assert_eq!(status, 1);
    let errors = host.take_errors();
    assert_eq!(errors.first().and_then(|e| e.kind()), Some(Kind::OutOfBounds), "{report}");
    assert_eq!(errors[0].to_string(), report);
    assert!(host.take_errors().is_empty(), "errors are told once");
    // Of a report that is too long, the beginning comes.
    let (_, _, short) = run("tests/kernels/axpby.metal", 5, 20);
    assert!(report.starts_with(&short) && short.len() == 19, "{short}");

    assert_eq!(run("tests/kernels/axpby.metal", 3, 1000).0, 0);
    assert_eq!(host.take_warnings().first().map(|w| w.kind), Some(Kind::Unwritten));
    let (status, _, report) = run("tests/kernels/norm.metal", 4, 1000);
    assert_eq!(status, 2);
    assert!(report.contains("there is no kernel `axpby_float32`; there are: rms_norm_f32"), "{report}");
}
