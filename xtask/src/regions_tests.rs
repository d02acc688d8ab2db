//! Regions of the three languages, every mistake in them, and the starter that follows from a solution.

use std::io::Write;
use std::process::{Command, Stdio};

use super::*;

const RUST: &str = r#"//! A module.
use kit::Result;

/// Keeps the best.
pub fn top_k(
    logprobs: &Array,
    k: usize,
) -> Result<Array> {
    // SOLUTION 1.7.2 logprobs, k
    use mlx_rs::ops;

    Ok(ops::clone(logprobs)?)
    // END SOLUTION
}

impl<'a> CausalLm for Model<'a> {
    fn forward(&mut self, ids: &Array) -> Result<Array> {
        // SOLUTION 1.7.3 self.key, ids
        self.step(ids)
        // END SOLUTION
    }
}

fn only_here() {} // SOLUTION-ONLY
// STARTER-ONLY: fn only_there() {}
"#;

const RUST_STARTER: &str = r#"//! A module.
use kit::Result;

/// Keeps the best.
pub fn top_k(
    logprobs: &Array,
    k: usize,
) -> Result<Array> {
    kit::stub!("1.7.2", logprobs, k)
}

impl<'a> CausalLm for Model<'a> {
    fn forward(&mut self, ids: &Array) -> Result<Array> {
        kit::stub!("1.7.3", self.key, ids)
    }
}

fn only_there() {}
"#;

const CPP: &str = "namespace n {

template <typename T>
void exp_elements(const T* x, T* out, size_t n) {
  // SOLUTION 1.7.6 x, out, n
  for (size_t i = 0; i < n; i++) {
    out[i] = x[i];
  }
  // END SOLUTION
}
}
";

const METAL: &str = "using namespace metal;

// SOLUTION 1.7.6
template <typename T>
[[kernel]] void exp_elements(device const T* x [[buffer(0)]]) {
}
// END SOLUTION
";

fn parse(language: Language, text: &str) -> anyhow::Result<Vec<Region>> {
    Source::parse("s", language, text).map(|source| source.regions)
}

fn starter(language: Language, text: &str) -> String {
    let source = Source::parse("s", language, text).expect("right regions");
    source.starter("week1/src/s").expect("a starter")
}

fn complaint(language: Language, text: &str) -> String {
    parse(language, text).expect_err("a mistake").to_string()
}

/// `RUST` with one edit.
fn edited(from: &str, to: &str) -> String {
    assert!(RUST.contains(from), "`{from}` is not in the example");
    RUST.replacen(from, to, 1)
}

#[test]
fn rust_regions_become_stubs_and_all_else_stays() {
    assert_eq!(starter(Language::Rust, RUST), RUST_STARTER);
    let regions = parse(Language::Rust, RUST).expect("right regions");
    let items: Vec<_> = regions.iter().map(|region| (region.task.to_string(), region.item.as_str())).collect();
    assert_eq!(items, [("1.7.2".to_string(), "top_k"), ("1.7.3".to_string(), "Model::forward")]);
}

#[test]
fn cpp_stubs_throw_the_text_that_becomes_not_implemented() {
    let expected = "namespace n {

template <typename T>
void exp_elements(const T* x, T* out, size_t n) {
  throw std::runtime_error(\"not implemented: task 1.7.6, exp_elements (week1/src/s:5)\");
}
}
";
    assert_eq!(starter(Language::Cpp, CPP), expected);
}

#[test]
fn metal_kernels_go_as_a_whole() {
    assert_eq!(
        starter(Language::Metal, METAL),
        "using namespace metal;\n\n// Task 1.7.6: the kernel `exp_elements` goes here.\n"
    );
}

#[test]
fn every_mistake_is_named_with_file_and_line() {
    let rust = |from: &str, to: &str| complaint(Language::Rust, &edited(from, to));
    let nested = rust("    use mlx_rs::ops;", "    // SOLUTION 1.7.3");
    assert_eq!(nested, "s:10: a region inside region 1.7.2, which began in line 9");
    assert_eq!(rust("    // END SOLUTION\n}", "}"), "s:17: a region inside region 1.7.2, which began in line 9");
    let last = rust("        // END SOLUTION\n", "");
    assert_eq!(last, "s:18: region 1.7.3 has no END SOLUTION");
    assert_eq!(rust("    // SOLUTION 1.7.2 logprobs, k\n", ""), "s:12: END SOLUTION without a SOLUTION before it");
    assert!(rust("SOLUTION 1.7.2", "SOLUTION 1.7").starts_with("s:9: `1.7` is not a task id"));
    assert!(rust("// SOLUTION 1.7.2", "//SOLUTION 1.0.2").starts_with("s:9: `1.0.2` is not a task id"));
    assert_eq!(rust("1.7.2 logprobs, k", "1.7.2 logprob, k"), "s:9: `logprob` is not an argument of top_k");
    let whole = "s:9: region 1.7.2 must be the whole inside of one function body";
    assert_eq!(rust("    // SOLUTION 1.7.2", "    let x = 1;\n    // SOLUTION 1.7.2"), whole.replace(":9", ":10"));
    assert_eq!(rust("    // END SOLUTION\n}", "    // END SOLUTION\n    let x = 1;\n}"), whole);
    let block = rust("    // SOLUTION 1.7.2", "    if true {\n        // SOLUTION 1.7.2");
    assert_eq!(block, whole.replace(":9", ":10"));
    let empty = rust("    use mlx_rs::ops;\n\n    Ok(ops::clone(logprobs)?)\n", "");
    assert_eq!(empty, "s:9: region 1.7.2 is empty");
    let inside = rust("    use mlx_rs::ops;", "    // STARTER-ONLY: use mlx_rs::ops;");
    assert_eq!(inside, "s:10: STARTER-ONLY and SOLUTION-ONLY have no meaning inside region 1.7.2");
    let not_a_function = "mod m {\n    // SOLUTION 1.7.2\n    const X: u8 = 1;\n    // END SOLUTION\n}\n";
    assert_eq!(complaint(Language::Rust, not_a_function), "s:2: region 1.7.2 is inside a block that is not a function");
    let cpp_loop = CPP.replace("void exp_elements(const T* x, T* out, size_t n)", "while (n)");
    assert_eq!(complaint(Language::Cpp, &cpp_loop), "s:5: region 1.7.6 is inside a block that is not a function");
    assert_eq!(
        complaint(Language::Metal, "// SOLUTION 1.7.6\nint x;\n// END SOLUTION\n"),
        "s:1: region 1.7.6 holds no kernel"
    );
    let part = METAL.replace("// SOLUTION", "  // SOLUTION");
    assert_eq!(complaint(Language::Metal, &part), "s:3: region 1.7.6 must hold a whole kernel, not a part of one");
}

#[test]
fn a_stub_line_beyond_the_width_is_refused() {
    let name = "a".repeat(110);
    let text = format!("fn f({name}: u8) {{\n    // SOLUTION 1.1.1 {name}\n    x\n    // END SOLUTION\n}}\n");
    let source = Source::parse("s", Language::Rust, &text).expect("a right region");
    let complaint = source.starter("p").expect_err("a long line").to_string();
    assert_eq!(complaint, "s:2: the stub line is longer than 120 characters");
}

/// Puts bodies of random shape into functions of random depth: outside of the regions the starter is the solution,
/// byte for byte, and as many stubs stand in it as there were regions.
#[test]
fn stripping_is_exact_for_any_arrangement() {
    let mut state = 7u64;
    let mut random = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    for round in 0..200 {
        let (mut solution, mut expected) = (String::new(), String::new());
        let mut both = |text: &str| {
            solution.push_str(text);
            expected.push_str(text);
        };
        both("//! Module.\n\n");
        for function in 0..random(5) {
            let pad = if random(2) == 0 { "" } else { "    " };
            let mut open = |text: &str| {
                solution.push_str(text);
                expected.push_str(text);
            };
            if !pad.is_empty() {
                open("impl Thing {\n");
            }
            for line in 0..random(3) {
                open(&format!("{pad}/// Line {line} of the docs, with {{ and }}.\n"));
            }
            open(&format!("{pad}pub fn f{function}(x: u8) -> u8 {{\n"));
            let task = format!("1.1.{}", random(9) + 1);
            solution.push_str(&format!("{pad}    // SOLUTION {task} x\n"));
            for line in 0..random(6) + 1 {
                solution.push_str(["", "    {", "    }", "    // a comment", "    x"][random(5) as usize]);
                solution.push_str(if line % 2 == 0 { "\n" } else { " // more\n" });
            }
            solution.push_str(&format!("{pad}    // END SOLUTION\n"));
            expected.push_str(&format!("{pad}    kit::stub!(\"{task}\", x)\n"));
            let close = format!("{pad}}}\n{}\n", if pad.is_empty() { "" } else { "}\n" });
            solution.push_str(&close);
            expected.push_str(&close);
        }
        assert_eq!(starter(Language::Rust, &solution), expected, "round {round}, from\n{solution}");
    }
}

#[test]
fn starters_need_no_formatting() {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--check", "--config", "max_width=120,use_small_heuristics=Max"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("rustfmt comes with Rust");
    let formatted = starter(
        Language::Rust,
        &RUST.replace("(\n    logprobs: &Array,\n    k: usize,\n)", "(logprobs: &Array, k: usize)"),
    );
    rustfmt.stdin.take().expect("a pipe").write_all(formatted.as_bytes()).expect("rustfmt reads");
    let output = rustfmt.wait_with_output().expect("rustfmt ends");
    assert!(output.status.success(), "rustfmt would change\n{}", String::from_utf8_lossy(&output.stdout));
}
