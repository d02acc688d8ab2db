//! Tells build scripts of dependants where metal_host.h is, and the tests whether MLX's headers are there: where they are
//! not, the tests of MLX's kernels are shown as ignored.

use std::path::PathBuf;

fn main() {
    let api = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("cpp/api");
    println!("cargo::metadata=api={}", api.display());
    println!("cargo::rustc-env=METAL_HOST_API={}", api.display());
    println!("cargo::rustc-check-cfg=cfg(mlx_headers)");
    println!("cargo::rerun-if-env-changed=MLX_INCLUDE");
    let chosen = std::env::var_os("MLX_INCLUDE").map(PathBuf::from);
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../.mlx/mlx/include");
    let folder = chosen.unwrap_or(beside);
    println!("cargo::rerun-if-changed={}", folder.display());
    if folder.join("mlx/backend/metal/kernels/utils.h").exists() {
        println!("cargo::rustc-cfg=mlx_headers");
    }
    println!("cargo::rustc-env=MLX_INCLUDE={}", folder.display());
}
