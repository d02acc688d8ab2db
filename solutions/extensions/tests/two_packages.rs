//! The learner's package and the reference in one program: each Rust wrapper must reach the C++ of its own package.
//!
//! Both are built from the same names. What differs by construction is the package's name, compiled into each archive:
//! `package()` returns it, and every node of the graph carries it, so a refusal to differentiate says whose `axpby` ran.

use kit::Result;
use mlx_rs::{Array, error::Exception, transforms::fallible_jvp};
use std::process::Command;

type Axpby = fn(&Array, &Array, f32, f32) -> Result<Array>;

/// The package whose C++ made the node.
fn owner(axpby: Axpby) -> String {
    let function = |inputs: &[Array]| {
        let node = axpby(&inputs[0], &inputs[0], 1.0, 1.0).map_err(|error| Exception::custom(error.to_string()))?;
        Ok(vec![node])
    };
    let x = Array::from_slice(&[1.0f32], &[1]);
    let refusal = fallible_jvp(function, std::slice::from_ref(&x), std::slice::from_ref(&x));
    let refusal = refusal.expect_err("axpby has no derivative").what().to_string();
    refusal.split("::").next().unwrap_or_default().to_string()
}

#[test]
fn each_archive_answers_with_its_own_name() {
    assert_eq!(extensions::package(), "extensions");
    assert_eq!(solution_extensions::package(), "solution_extensions");
}

#[test]
fn each_axpby_is_a_node_of_its_own_package() {
    assert_eq!(owner(extensions::axpby), "extensions");
    assert_eq!(owner(solution_extensions::axpby), "solution_extensions");
}

#[test]
fn both_compute() -> Result<()> {
    let x = Array::from_slice(&[1.0f32, 2.0], &[2]);
    assert_eq!(kit::testing::values(&extensions::axpby(&x, &x, 1.0, 2.0)?)?, [3.0, 6.0]);
    assert_eq!(kit::testing::values(&solution_extensions::axpby(&x, &x, 1.0, 2.0)?)?, [3.0, 6.0]);
    Ok(())
}

#[test]
fn the_program_holds_two_symbols() {
    let program = std::env::current_exe().expect("a running program has a path");
    let listing = Command::new("nm").arg(&program).output().expect("nm comes with the C++ compiler");
    let listing = String::from_utf8_lossy(&listing.stdout);
    let names: Vec<&str> = listing.lines().filter_map(|line| line.split_whitespace().last()).collect();
    for symbol in ["extensions_axpby", "solution_extensions_axpby", "extensions_package", "solution_extensions_package"]
    {
        let copies = names.iter().filter(|name| name.trim_start_matches('_') == symbol).count();
        assert_eq!(copies, 1, "{symbol} in {}", program.display());
    }
}
