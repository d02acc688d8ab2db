//! The setup program step by step, on a machine whose pip, patchelf and cargo are shell scripts and whose mlx-c is
//! three lines of C++. No network; only the C++ compiler is real.
#![cfg(target_os = "linux")]

mod scratch;

use scratch::Scratch;

#[test]
fn without_a_network_it_says_so() {
    let scratch = Scratch::new();
    scratch
        .has_pip("echo 'WARNING: Retrying after NewConnectionError: [Errno -2] Name or service not known' >&2; exit 1");
    scratch.refuses(&[], "the Python package index cannot be reached, so mlx-cpu 0.32.2 was not downloaded; connect");
}

#[test]
fn any_other_failure_of_pip_is_told_in_its_words() {
    let scratch = Scratch::new();
    scratch.has_pip("echo 'ERROR: No matching distribution found for mlx-cpu==0.32.2' >&2; exit 1");
    scratch.refuses(&[], "pip could not download mlx-cpu 0.32.2: ERROR: No matching distribution found");
}

#[test]
fn a_full_disk_is_named_when_pip_meets_it() {
    let scratch = Scratch::new();
    scratch.has_pip("echo \"ERROR: Could not install: [Errno 28] No space left on device\" >&2; exit 1");
    scratch.refuses(&[], "the disk is full; free about 5 GB and run again: cargo xtask setup");
}

#[test]
fn without_pip_it_says_how_to_get_it() {
    scratch::Scratch::new()
        .refuses(&[], "pip was not found (tried python3 -m pip and uv); install it with: sudo apt-get");
}

#[test]
fn a_file_with_the_wrong_hash_is_thrown_away() {
    let scratch = Scratch::new();
    scratch.has_pip(&format!("{} echo damaged > \"$folder/{}\"", scratch::PIP_FOLDER, scratch::WHEEL));
    scratch.refuses(&[], "has the wrong hash and was thrown away (sha256 ");
    assert!(!scratch.at(".mlx/downloads").join(scratch::WHEEL).exists());

    scratch.write(&format!(".mlx/downloads/{}", scratch::WHEEL), "damaged");
    scratch.refuses(&["--offline"], "is damaged (its sha256 is not ");
    scratch.refuses(&[], "has the wrong hash and was thrown away");
}

#[test]
fn offline_it_names_the_file_it_would_need() {
    let scratch = Scratch::new();
    scratch.refuses(&["--offline"], &format!("{} is not there and --offline forbids the network;", scratch::WHEEL));
}

#[test]
fn an_mlx_root_that_is_none_is_refused_with_what_is_wrong() {
    let scratch = Scratch::new();
    scratch.mlx_root("0.32.2");
    std::fs::remove_file(scratch.mlx().join("lib/libmlx.so")).expect("it was made");
    scratch.refuses_with_mlx_root("which has no lib/libmlx.so; unset it to use the published build");
    scratch.mlx_root("0.31.1");
    scratch.refuses_with_mlx_root("which is MLX 0.31.1, and mlx-c here is made for MLX 0.32.2;");
}

#[test]
fn a_run_that_was_stopped_anywhere_is_finished_by_the_next() {
    let scratch = Scratch::new();
    scratch.mlx_root("0.32.2");

    // Killed while the library is being renamed.
    scratch.has("patchelf", "case $1 in --version) exit 0;; esac; : > ../renaming; exec /bin/sleep 5");
    let mut child = scratch.start(&["--offline"]);
    scratch.wait_for("../renaming");
    child.kill().expect("it runs");
    child.wait().expect("it was started");
    assert!(!scratch.at(".cargo/mlx.toml").exists());

    // Then stopped by a compiler that fails, and by a libclang that is not there.
    scratch.has_working_patchelf();
    scratch.write("registry/src/mlx-c/mlx/c/array.cpp", "this is not C++");
    scratch.refuses_with_mlx_root("could not compile mlx-c (");
    scratch.write("registry/src/mlx-c/mlx/c/array.cpp", "int mlx_array_new() { return 1; }\n");
    scratch.refuses_with_mlx_root("bindgen failed with the libclang in /nowhere: ");
    let built = scratch.at(".mlx/mlxc/lib/libmlxc.a").metadata().expect("mlx-c was built").modified().expect("a time");
    assert!(scratch.at(".mlx/mlxc/include/mlx/c/array.h").is_file());

    // With bindings from before, the rest goes through, nothing is done twice, and then there is nothing to do.
    scratch.pretend_bindings();
    assert_eq!(scratch.runs_with_mlx_root(), "done");
    assert_eq!(
        scratch.at(".mlx/mlxc/lib/libmlxc.a").metadata().expect("it is there").modified().expect("a time"),
        built
    );
    assert!(scratch.read(".cargo/mlx.toml").contains(&format!("native={}/mlxc/lib", scratch.at(".mlx").display())));
    assert_eq!(scratch.runs_with_mlx_root(), "nothing to do");
    assert!(!scratch.at(".mlx/partial").exists());

    // A file that was cut or deleted since then is made again.
    for file in [".mlx/mlx/lib/libmlx.so", ".mlx/mlx/include/mlx/version.h", ".mlx/mlxc/lib/libmlxc.a"] {
        let length = scratch.at(file).metadata().expect("setup left it").len();
        scratch.write(file, "cut");
        assert_eq!(scratch.runs_with_mlx_root(), "done", "{file}");
        assert_eq!(scratch.at(file).metadata().expect("it is there again").len(), length, "{file}");
        std::fs::remove_file(scratch.at(file)).expect("it is there");
        assert_eq!(scratch.runs_with_mlx_root(), "done", "{file}");
        assert_eq!(scratch.runs_with_mlx_root(), "nothing to do", "{file}");
    }

    // The learner's MLX is as it was.
    assert_eq!(std::fs::read_to_string(scratch.mlx().join("lib/libmlx.so")).expect("it is there"), "library");
    assert_eq!(
        scratch.read(".mlx/mlx/lib/libmlx.so"),
        format!("library{}", scratch.at(".mlx/mlx/lib/libmlx.so").display())
    );
}

#[cfg(target_arch = "x86_64")]
#[test]
fn cuda_takes_what_the_machine_has_and_names_what_it_would_download() {
    let scratch = Scratch::new();
    let wheel = "mlx_cuda_13-0.32.2-py3-none-manylinux_2_35_x86_64.whl is not there and --offline forbids the network;";
    scratch.refuses(&["--offline", "--backend", "cuda"], wheel);
    scratch.refuses(&["--backend", "tpu"], "--backend needs own or cuda");

    scratch.mlx_root("0.32.2");
    scratch.refuses_cuda_with_mlx_root("which is an MLX without CUDA; unset it to use the published build");
    scratch.mlx_root_for_cuda(true);
    for file in [
        "include/cuda_runtime.h",
        "include/crt/mma.h",
        "lib64/libnvrtc.so.13",
        "lib64/libcublasLt.so.13",
        "lib64/libcufft.so.12",
    ] {
        scratch.toolkit_has(file);
    }
    // What MLX asks for and the toolkit lacks would come from the index.
    scratch
        .refuses_cuda_with_mlx_root("nvidia_cudnn_cu13-9.19.0.56-py3-none-manylinux_2_27_x86_64.whl is not there and");
    assert!(!scratch.at(".mlx/nvidia").exists(), "not before it is whole");

    scratch.has("ldconfig", "echo '  libcudnn.so.9 (libc6,x86-64) => /lib/libcudnn.so.9'");
    scratch.toolkit_has("lib64/libnccl.so.2");
    scratch.toolkit_has("lib64/libnccl_net.so");
    scratch.pretend_bindings();
    assert_eq!(scratch.runs_with_mlx_root(), "done");
    let stamp = scratch.read(".mlx/stamps/nvidia");
    let toolkit = scratch.cuda_home();
    let first: Vec<&str> = stamp.lines().take(7).collect();
    let (include, lib) = (toolkit.join("include"), toolkit.join("lib64"));
    let expected = [
        format!("cuda_runtime.h in {}", include.display()),
        format!("crt/mma.h in {}", include.display()),
        format!("libnvrtc.so.13 in {}", lib.display()),
        format!("libcublasLt.so.13 in {}", lib.display()),
        format!("libcufft.so.12 in {}", lib.display()),
        "libcudnn.so.9 of the system".to_string(),
        format!("libnccl.so.2 in {}", lib.display()),
    ];
    assert_eq!(first, expected);
    for linked in ["lib/libnvrtc.so.13", "lib/libnccl_net.so", "include/cuda_runtime.h", "include/crt/mma.h"] {
        assert_eq!(scratch.read(&format!(".mlx/nvidia/cu13/{linked}")), "cuda", "{linked}");
    }
    assert!(!scratch.at(".mlx/nvidia/cu13/lib/libcudnn.so.9").exists());
    assert_eq!(scratch.runs_with_mlx_root(), "nothing to do");

    // A toolkit that has gone is noticed.
    std::fs::remove_file(lib.join("libnccl.so.2")).expect("it was made");
    scratch.refuses_with_mlx_root("nvidia_nccl_cu13-2.28.9-py3-none-manylinux_2_18_x86_64.whl is not there");

    // An MLX for the CPU needs none of it.
    scratch.mlx_root_for_cuda(false);
    scratch.write("../mlx/lib/libmlx.so", "of the CPU");
    assert_eq!(scratch.runs_with_mlx_root(), "done");
    assert!(!scratch.at(".mlx/nvidia").exists());
    assert!(!scratch.at(".mlx/stamps/nvidia").exists());
    assert_eq!(scratch.runs_with_mlx_root(), "nothing to do");
}

#[test]
fn two_setups_of_one_folder_take_turns() {
    let scratch = Scratch::new();
    scratch.write(".mlx/lock", "");
    let lock = std::fs::File::create(scratch.at(".mlx/lock")).expect("it can be opened");
    lock.lock().expect("it can be locked");
    let child = scratch.start(&["--offline"]);
    std::thread::sleep(std::time::Duration::from_millis(300));
    lock.unlock().expect("it was locked");
    let output = child.wait_with_output().expect("it was started");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("waiting for another setup of this folder to end"), "{errors}");
    assert_eq!(output.status.code(), Some(2), "it goes on, and there is no MLX: {errors}");
}
