//! The loops under AddressSanitizer and UndefinedBehaviorSanitizer: compiled with tests/sanitize/loops.cpp into a program
//! of their own, which runs every step of every ladder on random sizes.
//!
//! It compiles for a minute or two: `cargo test -p solution-extensions --test sanitize -- --ignored`.

use std::path::{Path, PathBuf};
use std::process::Command;

use solution_extensions::tuning::Instructions;

const SANITIZERS: [&str; 3] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"];

/// Flags as build.rs has them for the set.
fn flags(set: Instructions) -> (&'static str, &'static [&'static str]) {
    match set {
        Instructions::Baseline => ("baseline", &[]),
        Instructions::Avx2 => ("avx2", &["-mavx2", "-mfma", "-mf16c"]),
        Instructions::Avx512 => {
            ("avx512", &["-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl", "-mavx2", "-mfma", "-mf16c"])
        }
    }
}

/// The compiler, without the sanitizers that `ci --deep` loads before this test: they would watch it, for minutes.
fn compiler() -> Command {
    let mut command = Command::new(std::env::var_os("CXX").unwrap_or_else(|| "c++".into()));
    command.env_remove("LD_PRELOAD");
    command
}

fn compile(source: &Path, object: &Path, more: &[&str]) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = compiler()
        .args(["-std=c++20", "-O1", "-g1", "-DEXT_NS=sanitized", "-DEXT_PREFIX=sanitized_", "-c"])
        .args(SANITIZERS)
        .args(more)
        .arg("-I")
        .arg(here.join("include"))
        .arg(here.join(source))
        .arg("-o")
        .arg(object)
        .output()
        .expect("a C++ compiler runs");
    assert!(output.status.success(), "{}:\n{}", source.display(), String::from_utf8_lossy(&output.stderr));
}

#[test]
#[ignore = "compiles for a minute or two"]
fn the_loops_touch_no_memory_but_their_own() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sanitize");
    std::fs::create_dir_all(&folder).expect("a folder below target");
    let list = std::fs::read_to_string(here.join("sources.txt")).expect("sources.txt");
    let sets: &[Instructions] = if cfg!(target_arch = "x86_64") { &Instructions::ALL } else { &Instructions::ALL[..1] };
    let mut objects = vec![folder.join("driver.o")];
    compile(Path::new("tests/sanitize/loops.cpp"), &objects[0], &[]);
    for &set in sets {
        let (name, more) = flags(set);
        for source in list.lines().filter(|line| line.starts_with("src/loops/")) {
            let object = folder.join(format!("{name}-{}.o", source.replace('/', "-")));
            let isa = format!("-DEXT_ISA={name}");
            compile(Path::new(source), &object, &[&["-ffp-contract=fast", "-fno-math-errno", &isa][..], more].concat());
            objects.push(object);
        }
    }
    let program = folder.join("loops");
    let linked = compiler().args(SANITIZERS).args(&objects).arg("-o").arg(&program).status();
    assert!(linked.is_ok_and(|status| status.success()), "the program does not link");
    for &set in sets.iter().filter(|set| set.available()) {
        let output = Command::new(&program).arg((set as i32).to_string()).output().expect("the program runs");
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        assert!(output.status.success() && said[0].ends_with("300 rounds\n"), "{set:?}:\n{}{}", said[0], said[1]);
    }
}
