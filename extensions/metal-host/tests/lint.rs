//! What Apple's compiler refuses and C++ accepts. For every rule a source that is refused, with its line and what is said,
//! and one that does the same in Metal's way and is taken.
#![cfg(target_os = "linux")] // the host runs there

mod support;

use metal_host::{Error, Kind, Library, Result, Source};

const HEAD: &str = "#include <metal_stdlib>\nusing namespace metal;\n";

/// What stands in front of the kernel, the kernel's parameters after `o` and `x`, its body. The rule is about line 3.
struct Text {
    file: &'static str,
    parameters: &'static str,
    body: &'static str,
}

impl Text {
    fn source(&self) -> String {
        let parameters =
            format!("device float* o [[buffer(0)]], device const float* x [[buffer(1)]]{}", self.parameters);
        format!("{HEAD}{} kernel void k({parameters}) {{ o[0] = x[0]; {} }}\n", self.file, self.body)
    }
}

fn file(file: &'static str) -> Text {
    Text { file, parameters: "", body: "" }
}

fn parameters(parameters: &'static str) -> Text {
    Text { file: "", parameters, body: "" }
}

fn body(body: &'static str) -> Text {
    Text { file: "", parameters: "", body }
}

fn both(file: &'static str, body: &'static str) -> Text {
    Text { file, parameters: "", body }
}

type Look = fn(&Source) -> Result<()>;

fn lint(source: &Source) -> Result<()> {
    Library::check(source, &support::options())
}

fn compile(source: &Source) -> Result<()> {
    Library::compile(source, &support::options()).map(drop)
}

/// `refused` is refused with `words`, at line 3 and with advice; `taken` is taken.
fn rule(look: Look, refused: Text, words: &str, taken: Text) {
    let error = look(&Source::text("k.metal", &refused.source())).expect_err(&refused.source());
    println!("{error}\n");
    assert!(matches!(error, Error::Compile(_)), "{error}");
    let finding = &error.findings()[0];
    assert!(error.to_string().contains(words), "`{words}` is not in: {error}");
    assert_eq!(finding.kind, Kind::Compile);
    let place = finding.places.first().expect("a place");
    assert_eq!((place.file.as_str(), place.line), ("k.metal", 3), "{error}");
    assert!(finding.help.is_some() || std::ptr::fn_addr_eq(look, compile as Look), "no advice: {error}");
    if let Err(error) = look(&Source::text("k.metal", &taken.source())) {
        panic!("refused: {}\n{error}", taken.source());
    }
}

#[test]
fn words_that_metal_does_not_have() {
    let words = [
        ("double d = 1;", "`double` does not exist", "float d = 1;"),
        ("long long n = 1;", "`long long` does not exist", "long n = 1;"),
        ("long double n = 1;", "`long double` does not exist", "float n = 1;"),
        ("thread float* p = new float[4];", "no dynamic allocation", "float p[4];"),
        ("delete o;", "no dynamic allocation", "o[0] = 0;"),
        ("throw 1;", "no exceptions", "return;"),
        ("try { o[0] = 1; } catch (...) { }", "no exceptions", "o[0] = 1;"),
        ("goto end; end: o[0] = 1;", "no `goto`", "while (true) { break; }"),
        ("register int i = 0;", "no `register`", "int i = 0;"),
        ("thread_local int i = 0;", "no `thread_local`", "int i = 0;"),
        ("asm(\"nop\");", "no inline assembly", "o[0] = exp(x[0]);"),
        ("o[0] = std::max(x[0], 0.0f);", "namespace `std` does not exist", "o[0] = metal::max(x[0], 0.0f);"),
        ("bool b = noexcept(o[0]);", "no operator `noexcept`", "bool b = true;"),
        ("auto f = [](float a) { return a; }; o[0] = f(1);", "Metal 3.2", "float4 f = float4(1); o[0] = f[0];"),
    ];
    for (refused, why, taken) in words {
        rule(lint, body(refused), why, body(taken));
    }
    let files = [
        (
            "struct S { virtual float f() { return 1; } };",
            "no virtual functions",
            "struct S { float f() { return 1; } };",
        ),
        (
            "struct S { S() = delete; S(int) {} void f() { typeid(int); } };",
            "run-time type",
            "struct S { S() = delete; S(int) {} };",
        ),
    ];
    for (refused, why, taken) in files {
        rule(lint, file(refused), why, file(taken));
    }
}

#[test]
fn the_standard_library_of_cpp() {
    let text = format!("{HEAD}#include <vector>\nkernel void k(device float* o [[buffer(0)]]) {{ o[0] = 1; }}\n");
    let error = lint(&Source::text("k.metal", &text)).expect_err("a header that Metal does not have");
    assert_eq!(error.findings()[0].places[0].line, 3, "{error}");
    assert!(error.to_string().contains("metal_stdlib"), "{error}");
}

#[test]
fn pointers_say_where_they_point() {
    let why = "without an address space";
    rule(lint, file("float f(float* p) { return p[0]; }"), why, file("float f(device float* p) { return p[0]; }"));
    rule(lint, file("void f(float& a) { a = 1; }"), why, file("void f(thread float& a) { a = 1; }"));
    rule(lint, file("void f(float (&a)[4]) { a[0] = 1; }"), why, file("void f(thread float (&a)[4]) { a[0] = 1; }"));
    rule(lint, file("float* f(device float* p);"), why, file("device float* f(device float* p);"));
    rule(lint, file("struct S { float* p; };"), why, file("struct S { device float* p; };"));
    rule(
        lint,
        file("struct S { void f(uint* p) { p[0] = 1; } };"),
        why,
        file("struct S { void f(thread uint* p) { p[0] = 1; } };"),
    );
    rule(
        lint,
        file("template <typename T> T f(T* p) { return p[0]; }"),
        why,
        file("template <typename T> T f(T p) { return p; }"),
    );
    rule(lint, body("float* p = o; p[0] = 1;"), why, body("device float* p = o; p[0] = 1;"));
    rule(lint, body("const uint4* p = (device const uint4*)x;"), why, body("auto p = (device const uint4*)x;"));
    rule(lint, body("float& a = o[0]; a = 1;"), why, body("device float& a = o[0]; a = 1;"));
    rule(
        lint,
        body("for (float* p = o; p != o + 1; p++) {}"),
        why,
        body("for (device float* p = o; p != o + 1; p++) {}"),
    );
    rule(lint, body("auto p = (uint*)o;"), why, body("auto p = (device uint*)o;"));
    rule(lint, body("auto p = reinterpret_cast<uint*>(o);"), why, body("auto p = reinterpret_cast<device uint*>(o);"));
    let taken = file("float f(float a) { return a; }");
    rule(lint, file("float f(float (*g)(float)) { return g(1); }"), "pointers to functions", taken);
    rule(lint, body("float (*g)(float) = 0;"), "pointers to functions", body("float g = 0;"));
}

#[test]
fn variables_are_where_metal_has_them() {
    let rows = [
        ("float scale = 2;", "is not `constant`", "constant float scale = 2;"),
        ("constexpr int n = 2;", "is not `constant`", "constant constexpr int n = 2;"),
        ("static int count;", "is not `constant`", "constant int count [[function_constant(0)]];"),
        ("device float table[2];", "is not `constant`", "constant float table[2] = {1, 2};"),
        ("constant float scale;", "has no value", "constant float scale = 1;"),
        (
            "struct S { static constexpr int n = 4; };",
            "static member `n`",
            "struct S { static constant constexpr int n = 4; };",
        ),
        ("struct S { device float v; };", "has an address space", "struct S { float v; };"),
        ("void f(device float v) { }", "a parameter itself has no address space", "void f(float v) { }"),
    ];
    for (refused, why, taken) in rows {
        rule(lint, file(refused), why, file(taken));
    }
    let rows = [
        ("static int calls = 0; calls++;", "in a function is `static`", "int calls = 0; calls++;"),
        ("constant float two = 2;", "cannot be in `constant`", "constexpr float two = 2;"),
        ("device float d; d = 1;", "cannot be in `device`", "device float& d = o[0]; d = 1;"),
        ("threadgroup float s = 0; s = 1;", "cannot be given a value", "threadgroup float s; s = 0;"),
        ("threadgroup float s[2] = {1, 2};", "cannot be given a value", "threadgroup float s[2]; s[0] = 1;"),
    ];
    for (refused, why, taken) in rows {
        rule(lint, body(refused), why, body(taken));
    }
    let taken = "void f(threadgroup float* s) { s[0] = 1; }";
    rule(lint, file("void f() { threadgroup float s[4]; s[0] = 1; }"), "only be declared in a kernel", file(taken));
}

#[test]
fn kernels_are_entry_points() {
    let rows = [
        (
            "kernel float f(device float* p [[buffer(0)]]) { return 1; }",
            "returns something",
            "kernel void f(device float* p [[buffer(0)]]) { p[0] = 1; }",
        ),
        (
            "struct S { kernel void f(device float* p [[buffer(0)]]) { } };",
            "a member of a structure",
            "struct S { void f(device float* p) { } };",
        ),
        (
            "kernel void main(device float* p [[buffer(0)]]) { }",
            "may be called `main`",
            "kernel void entry(device float* p [[buffer(0)]]) { }",
        ),
        ("int main() { return 0; }", "may be called `main`", "int entry() { return 0; }"),
    ];
    for (refused, why, taken) in rows {
        rule(lint, file(refused), why, file(taken));
    }
    let rows = [
        (", device float* p [[buffer(1)]]", "are both [[buffer(1)]]", ", device float* p [[buffer(2)]]"),
        (", device float* p [[buffer(31)]]", "go from 0 to 30", ", device float* p [[buffer(30)]]"),
        (
            ", threadgroup float* s [[threadgroup(0)]], threadgroup int* t [[threadgroup(0)]]",
            "are both [[threadgroup(0)]]",
            ", threadgroup float* s [[threadgroup(0)]], threadgroup int* t [[threadgroup(1)]]",
        ),
        (", float a [[buffer(2)]]", "neither a pointer nor a reference", ", constant float& a [[buffer(2)]]"),
        (", threadgroup float* s [[buffer(2)]]", "points to threadgroup memory", ", device float* s [[buffer(2)]]"),
        (
            ", device float* s [[threadgroup(0)]]",
            "but no `threadgroup` pointer",
            ", threadgroup float* s [[threadgroup(0)]]",
        ),
        (", thread float* s [[buffer(2)]]", "points to thread memory", ", device float* s"),
        (", uint i", "has no attribute", ", uint i [[thread_position_in_grid]]"),
        (", int i [[thread_position_in_grid]]", "cannot hold", ", ushort i [[thread_position_in_grid]]"),
        (", float i [[thread_index_in_simdgroup]]", "cannot hold", ", uint i [[thread_index_in_simdgroup]]"),
        (", uint2 i [[thread_index_in_simdgroup]]", "cannot hold", ", ushort i [[thread_index_in_simdgroup]]"),
        (
            ", uint2 i [[thread_position_in_grid]], uint3 n [[threads_per_threadgroup]]",
            "one number of components",
            ", uint2 i [[thread_position_in_grid]], uint2 n [[threads_per_threadgroup]]",
        ),
        (
            ", uint i [[thread_position_in_grid]], ushort n [[threads_per_grid]]",
            "give both one type",
            ", uint i [[thread_position_in_grid]], uint n [[threads_per_grid]]",
        ),
    ];
    for (refused, why, taken) in rows {
        rule(lint, parameters(refused), why, parameters(taken));
    }
}

#[test]
fn functions_do_not_call_themselves_and_no_kernels() {
    let rows = [
        (
            "float f(float n) { return n < 1 ? 1 : n * f(n - 1); }",
            "`f` calls itself",
            "float f(float n) { float p = 1; while (n > 1) p *= n--; return p; }",
        ),
        (
            "float g(float n); float f(float n) { return g(n); } float g(float n) { if (n < 1) return 1; else return f(n - 1); }",
            "calls itself through",
            "float g(float n); float f(float n) { return g(n); } float g(float n) { return n; }",
        ),
        (
            "kernel void e(device float* p [[buffer(0)]]) { p[0] = 1; } void f(device float* p) { e(p); }",
            "the kernel `e` is called",
            "void e(device float* p) { p[0] = 1; } void f(device float* p) { e(p); }",
        ),
    ];
    for (refused, why, taken) in rows {
        rule(lint, file(refused), why, file(taken));
    }
}

#[test]
fn address_spaces_are_not_converted() {
    let read = "float read(device const float* p, int i) { return p[i]; } ";
    let of_both = "float read(device const float* p, int i) { return p[i]; } float read(threadgroup const float* p, int i) { return p[i]; } ";
    let of_any = "template <typename P> float read(P p, int i) { return p[i]; } ";
    let call = "threadgroup float s[4]; o[0] = read(s, 1);";
    rule(
        lint,
        both(read, call),
        "`read` takes something in device memory for `p`, and is given something in threadgroup",
        both(of_both, call),
    );
    rule(lint, both(read, "threadgroup float s[4]; o[0] = read(&s[1], 0);"), "threadgroup", both(of_any, call));
    rule(
        lint,
        both(read, "threadgroup float s[4]; o[0] = read(s + 2, 0);"),
        "threadgroup",
        both(read, "o[0] = read(x + 2, 0);"),
    );
    rule(
        lint,
        both(read, "float a[2] = {1, 2}; o[0] = read(a, 1);"),
        "given something in thread memory",
        both(read, "o[0] = read(&x[1], 1);"),
    );
    let bump = "void bump(thread float& a) { a += 1; } ";
    rule(
        lint,
        both(bump, "bump(o[0]);"),
        "`bump` takes something in thread memory",
        both(bump, "float a = o[0]; bump(a); o[0] = a;"),
    );
    let table = "constant float table[2] = {1, 2}; ";
    rule(
        lint,
        both(table, "device const float* p = table;"),
        "is given a place in constant memory",
        both(table, "constant const float* p = table;"),
    );
    rule(
        lint,
        body("threadgroup float s[2]; device float* p = s;"),
        "is given a place in threadgroup memory",
        body("threadgroup float s[2]; threadgroup float* p = s;"),
    );
    rule(
        lint,
        body("threadgroup float s[2]; device const float* p = x; p = s;"),
        "is given a place in threadgroup",
        body("device const float* p = x; p = o;"),
    );
    rule(
        lint,
        body("float v = 1; device float& a = v;"),
        "is given a place in thread memory",
        body("float v = 1; thread float& a = v;"),
    );
    rule(
        lint,
        body("threadgroup float s[2]; auto p = (device uint*)s;"),
        "is cast to one to device",
        body("threadgroup float s[2]; auto p = (threadgroup uint*)s;"),
    );
    rule(
        lint,
        body("threadgroup float s[2]; auto p = reinterpret_cast<device uint*>(&s[0]);"),
        "is cast to one to device",
        body("auto p = reinterpret_cast<device uint*>(&o[0]);"),
    );
    rule(
        lint,
        file("device const float* f(constant float* p) { return p + 1; }"),
        "returns a device pointer, and this one points to constant",
        file("constant float* f(constant float* p) { return p + 1; }"),
    );
    rule(
        lint,
        body("float a[64]; simdgroup_float8x8 m; simdgroup_load(m, a, 8);"),
        "takes a device or threadgroup pointer",
        body("simdgroup_float8x8 m; simdgroup_load(m, x, 8);"),
    );
    rule(
        lint,
        body("atomic_uint n; atomic_fetch_add_explicit(&n, 1u, memory_order_relaxed);"),
        "takes a device or threadgroup pointer",
        body("threadgroup atomic_uint n; atomic_fetch_add_explicit(&n, 1u, memory_order_relaxed);"),
    );
}

#[test]
fn types_that_only_the_compiler_knows() {
    let rows = [
        ("int n = int(x[0]); float a[n]; a[0] = 1;", "variable length", "constexpr int n = 4; float a[n]; a[0] = 1;"),
        ("bool b = simd_sum(x[0] > 0);", "numbers of up to 32 bits", "int b = simd_sum(int(x[0] > 0));"),
        ("ulong b = simd_max(ulong(x[0]));", "numbers of up to 32 bits", "uint b = simd_max(uint(x[0]));"),
        (
            "struct P { float a; } p; p = simd_shuffle(p, 1);",
            "numbers of up to 32 bits",
            "float2 p; p = simd_shuffle(p, 1);",
        ),
        ("float4 v = int4(1);", "int4", "float4 v = float4(int4(1));"),
        ("float v = float4(1);", "float4", "float v = float4(1).x;"),
        ("float3 v = float4(1);", "float4", "float3 v = float4(1).xyz;"),
        ("bfloat b = x[0];", "bfloat", "bfloat b = bfloat(x[0]);"),
        ("o[0] = max(x[0], 1);", "one type", "o[0] = max(x[0], 1.0f);"),
    ];
    for (refused, why, taken) in rows {
        rule(compile, body(refused), why, body(taken));
    }
}

/// MLX's kernels are compiled by Apple's compiler every day: what the lint says about them is wrong.
#[test]
#[cfg_attr(not(mlx_headers), ignore = "skipped: MLX's headers are not there")]
fn mlx_is_taken() {
    let whole = [
        "arange.h",
        "atomic.h",
        "binary.h",
        "binary_ops.h",
        "binary_two.h",
        "copy.h",
        "fft.h",
        "fp_quantized.h",
        "gemv.h",
        "gemv_masked.h",
        "hadamard.h",
        "logsumexp.h",
        "quantized.h",
        "reduce.h",
        "scan.h",
        "sdpa_vector.h",
        "softmax.h",
        "sort.h",
        "ternary.h",
        "unary.h",
        "steel/attn/attn.h",
        "steel/attn/kernels/steel_attention.h",
        "steel/gemm/gemm.h",
        "steel/conv/conv.h",
    ];
    let options = support::options().include(support::mlx::INCLUDE);
    for header in whole {
        let text = format!(
            "{HEAD}#include \"mlx/backend/metal/kernels/utils.h\"\n#include \"mlx/backend/metal/kernels/{header}\"\n"
        );
        if let Err(error) = Library::check(&Source::text("mlx.metal", &text), &options) {
            panic!("{header}:\n{error}");
        }
    }
}
