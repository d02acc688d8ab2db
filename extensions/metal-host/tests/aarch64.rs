//! The runtime on ARM64, under qemu, where the tools for that are installed.
#![cfg(target_os = "linux")] // the host runs there

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use metal_host::Result;

const CLANG: &str = "clang++-19";
const QEMU: &str = "qemu-aarch64-static";
/// The C library for ARM64 of Debian's packages.
const SYSTEM: &str = "/usr/aarch64-linux-gnu";

/// What is missing, if anything is.
fn missing() -> Option<String> {
    let runs = |program: &str| Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success());
    let program = [CLANG, QEMU].into_iter().find(|p| !runs(p)).map(str::to_string);
    program
        .or((!Path::new(SYSTEM).join("include").exists()).then(|| format!("{SYSTEM} (libstdc++-12-dev-arm64-cross)")))
}

#[test]
fn a_matrix_product_and_a_fault_on_arm() -> Result<()> {
    if let Some(what) = missing() {
        println!("skipped: {what} is not installed");
        return Ok(());
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (folder.join("aarch64-kernels.cpp"), folder.join("aarch64-driver"));
    std::fs::write(&source, support::library("gemm")?.translated()).expect("the target folder can be written");
    let mut compile = Command::new(CLANG);
    compile.args(["--target=aarch64-linux-gnu", "-std=c++17", "-O2", "-w", "-static", "-pthread", "-I", "cpp/include"]);
    compile.args(["-Xclang", "-ffloat16-excess-precision=none"]).arg(&source);
    compile.args(["cpp/runtime/all.cpp", "tests/aarch64/driver.cpp", "-o"]).arg(&program);
    let output = compile.output().expect("clang runs: it told its version");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(QEMU).arg(&program).output().expect("qemu runs: it told its version");
    let said = String::from_utf8_lossy(&output.stdout);
    println!("{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}");
    assert_eq!(said.matches("assembly, aarch64, flags").count(), 5, "{said}");
    Ok(())
}
