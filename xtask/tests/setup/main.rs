//! `cargo xtask setup` and `doctor` on machines that lack something: the built program, a scratch folder, programs
//! that are shell scripts. No network, no MLX, nothing compiled.

mod machine;

use machine::Machine;

#[test]
fn what_is_missing_is_one_sentence_with_the_command_that_mends_it() {
    let machine = Machine::complete();
    machine.has_no("c++");
    machine.refuses(
        &["setup"],
        "error: there is no C++ compiler (c++ does not run); install it: sudo apt-get install g++",
    );

    let machine = Machine::complete();
    machine.has("c++", "case \"$*\" in *fsyntax-only*) exit 1;; *) echo c++ 7.5;; esac");
    machine.refuses(&["setup"], "error: c++ 7.5 does not compile C++20 with its standard library; install g++ 11");

    let machine = Machine::complete();
    machine.has_no("python3");
    machine.refuses(&["setup"], "error: there is no Python with pip, which downloads MLX; install it: sudo apt-get");

    let machine = Machine::complete();
    machine.has("python3", "case \"$*\" in *pip*) exit 1;; *) echo Python 3.11.2;; esac");
    machine.refuses(&["setup"], "error: Python 3.11.2 has no pip, which downloads MLX; install it: sudo apt-get");

    let machine = Machine::complete();
    machine.has("cargo", "echo cargo 1.93.1");
    machine.refuses(&["setup"], "error: cargo 1.93.1 is older than 1.94; update Rust: rustup update stable");

    let machine = Machine::complete();
    machine.has("rustc", "echo host: riscv64gc-unknown-linux-gnu");
    machine.refuses(&["setup"], "error: there is no MLX for riscv64gc-unknown-linux-gnu; use Linux with glibc");

    let machine = Machine::complete();
    machine.has("df", "echo header; echo /dev/sda 1000000 999000 1000 99% /");
    machine.refuses(&["setup"], "has only 0.0 GB free; free 4.0 GB and run again");
}

#[cfg(target_os = "linux")]
#[test]
fn an_old_c_library_is_found_before_anything_is_downloaded() {
    let machine = Machine::complete();
    machine.has("getconf", "echo glibc 2.31");
    machine.refuses(&["setup"], "error: glibc 2.31 is older than 2.35; use Debian 12, Ubuntu 22.04 or newer");
}

#[test]
fn a_backend_that_is_not_here_is_one_sentence() {
    let machine = Machine::complete();
    machine.refuses(&["setup", "--backend", "tpu"], "invalid value 'tpu'");
    if cfg!(target_os = "linux") {
        machine.refuses(&["setup", "--backend", "metal"], "error: Metal is only on macOS;");
        machine.refuses(&["setup", "--from-source"], "error: --from-source is for macOS;");
    }
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn cuda_is_refused_where_it_cannot_run_and_the_cpu_is_offered() {
    let on_the_cpu = "compute on the CPU: cargo xtask setup --backend cpu";
    let refused = |machine: &Machine, sentence: &str| {
        machine.refuses(&["setup", "--backend", "cuda"], &format!("error: {sentence}"));
        let (_, said) = machine.xtask(&["setup", "--backend", "cuda"]);
        assert!(said.contains(on_the_cpu), "{said}");
        assert_eq!(machine.runs_of("--package setup"), 0, "nothing was downloaded");
    };
    refused(&Machine::complete(), "there is ");
    let machine = Machine::complete();
    machine.has_gpu("Tesla T4, 535.183.01, 15360 MiB, 7.5", 0);
    refused(&machine, "535.183.01 is older than 580, which CUDA 13 needs; install NVIDIA's driver 580 or newer");
    machine.has_gpu("No devices were found", 6);
    refused(&machine, "the driver finds no card; look at what it says");
    machine.has_gpu("Failed to initialize NVML: Driver/library version mismatch", 18);
    refused(&machine, "the driver was updated while its older version runs; restart the machine");
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn cuda_is_offered_set_up_kept_and_given_up() {
    let machine = Machine::complete();
    machine.has_gpu("NVIDIA H200, 580.159.04, 143771 MiB, 9.0", 0);
    let (code, said) = machine.xtask(&["setup"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("This machine has an NVIDIA GPU. To compute on it: cargo xtask setup --backend cuda"),
        "{said}"
    );
    let (_, said) = machine.xtask(&["doctor"]);
    assert!(said.contains("✓     NVIDIA GPU       NVIDIA H200, 140.4 GB, compute 9.0"), "{said}");
    assert!(said.contains("✓     NVIDIA driver    580.159.04"), "{said}");
    assert!(said.contains("later CUDA             MLX is set up for the CPU"), "{said}");

    let (code, said) = machine.xtask(&["setup", "--backend", "cuda"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("MLX 0.32.2 is set up for CUDA."), "{said}");
    assert!(said.contains("it multiplies on the GPU"), "{said}");
    assert_eq!(machine.runs_of("--package setup -- --root"), 2);
    assert_eq!(machine.runs_of("--backend cuda"), 1, "the setup program is told");

    // Whoever says nothing keeps it; the setup program knows what there was.
    machine.setup_says("nothing to do", 0);
    let (_, said) = machine.xtask(&["setup"]);
    assert!(said.contains("MLX 0.32.2 is set up already for CUDA; there was nothing to do."), "{said}");
    assert!(!said.contains("To compute on it"), "{said}");

    machine.setup_says("done", 0);
    let (code, said) = machine.xtask(&["setup", "--backend", "cpu"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(machine.runs_of("--backend own"), 1);
    assert!(said.contains("MLX 0.32.2 is set up."), "{said}");
    assert!(said.contains("it multiplies on the CPU"), "{said}");
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn an_mlx_for_cuda_that_finds_no_gpu_is_not_called_set_up() {
    let machine = Machine::complete();
    machine.has_gpu("NVIDIA H200, 580.159.04, 143771 MiB, 9.0", 0);
    machine.smoke_says("it multiplies on the CPU");
    machine.refuses(
        &["setup", "--backend", "cuda"],
        "error: MLX for CUDA is set up, and it finds no GPU; what may be missing",
    );
    assert!(!machine.root().join(".mlx/stamp").exists());
}

#[test]
fn pip_may_be_uvs() {
    let machine = Machine::complete();
    machine.has_no("python3");
    machine.has("uv", "echo uv 0.9.1");
    let (code, said) = machine.xtask(&["setup"]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn a_second_setup_has_nothing_to_do_and_other_commands_ask_the_stamp_alone() {
    let machine = Machine::complete();
    let (code, said) = machine.xtask(&["setup"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("MLX 0.32.2 is set up."), "{said}");
    assert!(said.contains("Next: cargo xtask generate --prompt"), "{said}");
    assert!(said.contains("compiling the setup program (once, one to four minutes)"), "{said}");
    assert!(said.contains("compiling and running the smoke test (once, about a minute)"), "{said}");
    assert_eq!(machine.runs_of("build -p setup"), 1);
    assert_eq!(machine.runs_of("--package setup"), 1);
    assert_eq!(machine.runs_of("--example smoke"), 1);

    machine.setup_says("nothing to do", 0);
    let (code, said) = machine.xtask(&["setup"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("MLX 0.32.2 is set up already; there was nothing to do."), "{said}");
    assert_eq!(machine.runs_of("build -p setup"), 1, "the program is compiled once");
    assert_eq!(machine.runs_of("--example smoke"), 1, "the smoke test is not repeated");

    machine.xtask(&["test", "--week", "1", "--day", "1"]);
    assert_eq!(machine.runs_of("--package setup"), 2, "a test asks the stamp alone");
}

#[test]
fn a_command_that_needs_mlx_sets_it_up_first_and_again_after_a_move() {
    let machine = Machine::complete();
    let (_, said) = machine.xtask(&["test", "--week", "1", "--day", "1"]);
    assert!(said.contains("MLX is not set up here yet; doing that first (cargo xtask setup, once)."), "{said}");
    assert_eq!(machine.runs_of("--package setup"), 1, "{said}");

    let moved = machine.moved();
    let (_, said) = moved.xtask(&["test", "--week", "1", "--day", "1"]);
    assert!(said.contains("The course was moved here from "), "{said}");
    assert_eq!(moved.runs_of("--package setup"), 2, "{said}");
}

#[test]
fn a_failure_of_the_setup_program_is_its_sentence_and_leaves_no_stamp() {
    let machine = Machine::complete();
    machine.setup_says("the Python package index cannot be reached", 2);
    machine.refuses(&["setup"], "error: the Python package index cannot be reached");
    machine.setup_says("", 101);
    machine.refuses(&["setup"], "error: the setup program does not compile; cargo says why above;");
    machine.setup_says("done", 0);
    let (code, said) = machine.xtask(&["setup"]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn what_setup_left_is_missed_when_it_is_gone() {
    let machine = Machine::complete();
    machine.xtask(&["setup"]);
    std::fs::remove_file(machine.root().join(".cargo/mlx.toml")).expect("setup wrote it");
    let (_, said) = machine.xtask(&["test", "--week", "1", "--day", "1"]);
    assert!(said.contains("MLX is not set up here yet"), "{said}");
}

#[test]
fn doctor_tells_now_from_later_and_fails_only_for_now() {
    let machine = Machine::complete();
    let (code, said) = machine.xtask(&["doctor"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("later CMake"), "{said}");
    assert!(said.contains("optional"), "only build-ext needs it: {said}");
    assert!(!said.contains("  from week 1 day 1"), "what is there needs no day: {said}");
    assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
    assert!(said.contains("Week 1 day 1 can run. Next: cargo xtask test --week 1 --day 1"), "{said}");

    machine.has("cmake", "echo cmake version 3.28.1");
    let (_, said) = machine.xtask(&["doctor"]);
    assert!(said.contains("✓     CMake"), "{said}");

    machine.has_no("c++");
    let (code, said) = machine.xtask(&["doctor"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("✗     C++ compiler"), "{said}");
    assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
    assert!(said.contains("Week 1 day 1 cannot run before the line with ✗ is mended."), "{said}");

    let (code, said) = machine.xtask(&["doctor", "--json"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("\"ready\": false"), "{said}");
    assert!(said.contains("{\"name\": \"C++ compiler\", \"verdict\": \"missing\", \"needed_from\": \"1.1\""), "{said}");
    assert!(said.contains("{\"name\": \"CMake\", \"verdict\": \"fine\""), "{said}");
}
