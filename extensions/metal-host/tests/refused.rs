//! Sources that must not compile: what is said names the line of the `.metal` file, and nothing of this crate.
#![cfg(target_os = "linux")] // the host runs there

mod support;

use metal_host::{Error, Kind, Library, Source};

const HEAD: &str = "#include <metal_stdlib>\nusing namespace metal;\n";

/// A kernel whose body begins at line 4.
fn kernel(body: &str) -> String {
    let arguments =
        "device float* o [[buffer(0)]], device const float* x [[buffer(1)]], uint i [[thread_position_in_grid]]";
    format!("{HEAD}kernel void k({arguments}) {{\n{body}\n}}\n")
}

/// A source that must not compile, and the line of its first error.
fn refused(text: &str, line: u32, words: &[&str]) {
    let error = match Library::compile(&Source::text("k.metal", text), &support::options()) {
        Ok(_) => panic!("it compiles: {text}"),
        Err(error) => error,
    };
    println!("{error}\n");
    assert!(matches!(error, Error::Compile(_)), "{error}");
    let said = error.to_string();
    for own in ["mh::", ".hpp", "mh_", "/include/", "__builtin"] {
        assert!(!said.contains(own), "the host's own `{own}` shows: {said}");
    }
    let finding = &error.findings()[0];
    assert_eq!(finding.kind, Kind::Compile, "{said}");
    let place = finding.places.first().unwrap_or_else(|| panic!("no place: {said}"));
    assert_eq!((place.file.as_str(), place.line), ("k.metal", line), "{said}");
    assert!(place.text.is_some(), "the line is not shown: {said}");
    for word in words {
        assert!(said.contains(word), "`{word}` is not in: {said}");
    }
}

#[test]
fn bug_19_constant_memory_is_written() {
    refused(
        &format!(
            "{HEAD}kernel void k(constant float* o [[buffer(0)]], uint i [[thread_position_in_grid]]) {{\n o[i] = 1; }}\n"
        ),
        4,
        &["cannot be written"],
    );
}

#[test]
fn bug_20_parameter_without_an_address_space() {
    refused(
        &format!(
            "{HEAD}float f(float* p) {{ return p[0]; }}\nkernel void k(device float* o [[buffer(0)]]) {{ o[0] = 1; }}\n"
        ),
        3,
        &["without an address space: `float* p`"],
    );
}

#[test]
fn bug_21_local_pointer_without_an_address_space() {
    refused(
        &kernel("float* p = o + i;\n*p = 1;"),
        4,
        &["local pointer or reference without an address space: `float* p`"],
    );
}

#[test]
fn bug_22_threadgroup_variable_outside_of_a_kernel() {
    refused(
        &format!(
            "{HEAD}float f() {{ threadgroup float s[4]; return s[0]; }}\nkernel void k(device float* o [[buffer(0)]]) {{ o[0] = f(); }}\n"
        ),
        3,
        &["only be declared in a kernel"],
    );
}

#[test]
fn bug_23_double() {
    refused(&kernel("double d = x[0];\no[i] = d;"), 4, &["`double` does not exist"]);
}

#[test]
fn bug_24_float_assigned_to_bfloat() {
    refused(
        &format!(
            "{HEAD}kernel void k(device bfloat* o [[buffer(0)]], uint i [[thread_position_in_grid]]) {{ float f = 1;\n o[i] = f; }}\n"
        ),
        4,
        &["bfloat", "bfloat(value)"],
    );
}

#[test]
fn bug_25_parameter_without_an_attribute() {
    refused(
        &format!("{HEAD}kernel void k(device float* o [[buffer(0)]], uint i) {{ o[i] = 1; }}\n"),
        3,
        &["parameter `i` of kernel `k` has no attribute"],
    );
}

#[test]
fn the_standard_library_must_be_included() {
    refused("kernel void k(device float* o [[buffer(0)]]) { o[0] = 1; }\n", 1, &["#include <metal_stdlib>"]);
}

#[test]
fn metals_headers_come_in_any_order() {
    let text = "#include <metal_simdgroup_matrix>\n#include <metal_stdlib>\nusing namespace metal;\n\
                kernel void k(device float* o [[buffer(0)]]) { o[0] = 1; }\n";
    let library = Library::compile(&Source::text("order.metal", text), &support::options());
    assert_eq!(library.expect("a right source").names(), ["k"]);
}

#[test]
fn two_kernels_of_one_name() {
    let kernel = "kernel void k(device float* o [[buffer(0)]]) { o[0] = 1; }\n";
    refused(&format!("{HEAD}{kernel}{}", kernel.replace("float", "half")), 4, &["two kernels are named `k`"]);
}

#[test]
fn an_instantiation_of_nothing() {
    let text = format!("{HEAD}template [[host_name(\"k_f\")]] [[kernel]] decltype(k<float>) k<float>;\n");
    let error = Library::compile(&Source::text("k.metal", &text), &support::options()).err().expect("there is no k");
    assert!(error.to_string().contains("`k_f` instantiates a kernel template `k` that is not there"), "{error}");
}
