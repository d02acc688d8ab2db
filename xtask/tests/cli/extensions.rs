//! `build-ext` and `build-ext-test`: what they say when a tool is missing, and whom they call when none is.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use super::scratch::{Ran, Scratch};

/// Runs a command with nothing on the PATH but these programs, each a shell script's text.
fn run_with(course: &Scratch, programs: &[(&str, &str)], arguments: &[&str], cargo: &str) -> Ran {
    let path = course.root.join("path");
    std::fs::create_dir_all(&path).expect("a folder can be made");
    for (name, script) in programs {
        course.write(&format!("path/{name}"), &format!("#!/bin/sh\n{script}\n"));
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(path.join(name), mode).expect("the program can be made executable");
    }
    let fake: PathBuf = course.root.join("path/fake-cargo");
    course.write("path/fake-cargo", &format!("#!/bin/sh\necho \"$*\" >> '{}/calls'\n{cargo}\n", course.root.display()));
    std::fs::set_permissions(&fake, std::fs::Permissions::from_mode(0o755)).expect("it can be made executable");
    let mut command = course.prepared(&course.root, arguments);
    command.env("PATH", &path).env("CARGO", &fake).env_remove("CXX");
    command.output().expect("xtask runs").into()
}

const COMPILER: (&str, &str) = ("c++", "echo 'c++ (Debian) 12.2.0'");
const CMAKE: (&str, &str) = ("cmake", "echo 'cmake version 3.31.6'");
const OLD_CMAKE: (&str, &str) = ("cmake", "echo 'cmake version 3.25.1'");
const PYTHON: (&str, &str) = ("python3", "echo 'pip 23.0.1'");

#[test]
fn no_compiler_is_a_sentence_with_the_commands_to_type() {
    let course = Scratch::course("no-compiler");
    for command in ["build-ext", "build-ext-test"] {
        let ran = run_with(&course, &[CMAKE], &[command], "exit 0");
        ran.expect(2, "error: there is no C++ compiler (c++ does not run); install it: sudo apt-get install g++ ");
        assert!(ran.err.contains("xcode-select --install"), "{}", ran.err);
        assert!(!course.root.join("calls").exists(), "cargo was called");
    }
}

#[test]
fn no_cmake_and_no_pip_is_a_sentence_too() {
    let course = Scratch::course("no-cmake");
    let ran = run_with(&course, &[COMPILER], &["build-ext"], "exit 0");
    ran.expect(
        2,
        "error: CMake 3.27 or newer is needed: not found; without pip the course cannot fetch its own either",
    );
    let old = run_with(&course, &[COMPILER, OLD_CMAKE], &["build-ext"], "exit 0");
    old.expect(2, "error: CMake 3.27 or newer is needed: cmake version 3.25.1 is older than 3.27; without pip");
}

#[test]
fn an_old_cmake_gives_way_to_the_pinned_one() {
    let course = Scratch::course("old-cmake");
    let library = course.root.join("target/build-ext/extensions/build/libextensions.so");
    let library = if cfg!(target_os = "macos") { library.with_extension("dylib") } else { library };
    let folder = library.parent().expect("a file has a folder").display();
    let make = format!("/bin/mkdir -p '{folder}'\n: > '{}'", library.display());
    let ran = run_with(&course, &[COMPILER, OLD_CMAKE, PYTHON], &["build-ext", "--backend", "cpu"], &make);
    ran.expect(0, "").says("cmake version 3.25.1 is older than 3.27  cmake --version\n");
    ran.says("the course's own 3.31.6 does instead").says("  skipped  the Metal library: --backend cpu was asked for");
    ran.says("Next: cargo xtask build-ext-test\n");
    let call = format!("run --quiet --package cmake-build -- {} extensions cpu pinned\n", course.root.display());
    assert_eq!(course.read("calls"), call);
}

#[test]
fn what_does_not_compile_is_shown_and_ends_with_1() {
    let course = Scratch::course("broken-kernel");
    let tools = [COMPILER, CMAKE];
    let ran = run_with(&course, &tools, &["build-ext", "--backend", "cpu"], "echo 'axpby.cpp:3: error: no'\nexit 1");
    ran.expect(1, "").says("axpby.cpp:3: error: no");
    let ran = run_with(&course, &tools, &["build-ext-test"], "exit 101");
    ran.expect(1, "");
    assert!(course.read("calls").ends_with("run --quiet --package extensions --example build_ext_test\n"));
}

#[cfg(not(target_os = "macos"))]
#[test]
fn metal_away_from_a_mac_is_refused_when_asked_for_and_skipped_when_not() {
    let course = Scratch::course("no-metal");
    let ran = run_with(&course, &[COMPILER, CMAKE], &["build-ext", "--backend", "metal"], "exit 0");
    ran.expect(2, "error: --backend metal needs macOS: Apple's Metal compiler, `xcrun metal`, exists nowhere else.");
    let make =
        "/bin/mkdir -p target/build-ext/extensions/build\n: > target/build-ext/extensions/build/libextensions.so";
    let ran = run_with(&course, &[COMPILER, CMAKE], &["build-ext"], make);
    ran.expect(0, "").says("skipped  the Metal library: Apple's Metal compiler, `xcrun metal`, exists on macOS");
}

#[cfg(not(target_os = "macos"))]
#[test]
fn metal_sources_are_looked_at_before_anything_is_built() {
    let course = Scratch::course("metal-lint");
    course.write("extensions/sources.txt", "# Metal:\nkernels/axpby.metal\n");
    let refuse = "case \"$*\" in *metal-lint*) echo 'error: double does not exist'; exit 1;; esac";
    let ran = run_with(&course, &[COMPILER, CMAKE], &["build-ext"], refuse);
    ran.expect(1, "").says("error: double does not exist");
    let call = "run --quiet --package metal-host --bin metal-lint -- extensions/kernels/axpby.metal\n";
    assert_eq!(course.read("calls"), call);
    let make =
        "/bin/mkdir -p target/build-ext/extensions/build\n: > target/build-ext/extensions/build/libextensions.so";
    let ran = run_with(&course, &[COMPILER, CMAKE], &["build-ext"], make);
    ran.expect(0, "").says("  checked  1 Metal sources keep Metal's rules");
}
