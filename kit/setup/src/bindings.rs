//! Step 5: Rust declarations of mlx-c, as mlx-sys' own build script would write them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use crate::compile::Compiler;
use crate::download::short_hash;
use crate::mlxc::{self, Mlxc};
use crate::options::BindingsJob;
use crate::place::Place;
use crate::platform::{Platform, System};
use crate::progress::Step;
use crate::tools;

/// Declarations of native/half.cpp.
const HALF: &str = include_str!("../native/half.rs");

/// Leaves `gen/bindings.rs`.
pub fn write(place: &Place, platform: &Platform, mlxc: &Mlxc, offline: bool) -> anyhow::Result<()> {
    let inputs = format!("mlx-sys {} for {}\n{}", mlxc.version, platform.triple, short_hash(HALF));
    if place.is_current("bindings", &inputs) {
        return Ok(());
    }
    place.begin("bindings")?;
    let libclang = tools::libclang(place, platform, offline)?;
    let step = Step::begin("bindings");
    let whole = place.fresh_partial("gen")?.join("bindings.rs");
    // bindgen finds libclang through the environment, which only a fresh process has from its start.
    let mut job = Command::new(std::env::current_exe().context("this program's file is gone")?);
    job.arg("bindings").arg(place.at("mlxc/include")).arg(&whole).arg(platform.triple);
    if platform.system == System::Linux {
        job.args(compiler_headers(place, platform)?);
    }
    let output = job.env("LIBCLANG_PATH", &libclang).output().context("this program's file is gone")?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "bindgen failed with the libclang in {}: {}", libclang.display(), said.trim());
    if platform.lacks_half_types() {
        let text = fs::read_to_string(&whole).with_context(|| format!("cannot read {}", whole.display()))?;
        fs::write(&whole, text + HALF).with_context(|| format!("cannot write {}", whole.display()))?;
    }
    place.publish(&whole, "gen/bindings.rs")?;
    place.finish("bindings", &inputs, &["gen/bindings.rs".to_string()])?;
    step.end("written");
    Ok(())
}

/// Where `stddef.h` is: a libclang from the package index has none.
///
/// On Arm two headers of the compiler's come first, empty: clang does not understand gcc's, and mlx-c wants nothing
/// from them but two types that clang knows by itself.
fn compiler_headers(place: &Place, platform: &Platform) -> anyhow::Result<Vec<PathBuf>> {
    let compiler = Compiler::find(platform, Path::new("/"))?;
    let output =
        compiler.command()?.arg("-print-file-name=include").output().context("the C++ compiler does not run")?;
    let mut folders = vec![PathBuf::from(String::from_utf8_lossy(&output.stdout).trim())];
    if !platform.lacks_half_types() {
        let empty = place.fresh_partial("arm")?;
        for name in ["arm_fp16.h", "arm_bf16.h"] {
            fs::write(empty.join(name), "").with_context(|| format!("cannot write in {}", empty.display()))?;
        }
        folders.insert(0, empty);
    }
    folders.retain(|folder| folder.is_absolute());
    Ok(folders)
}

/// Writes the bindings; runs in a process with `LIBCLANG_PATH` set.
pub fn generate(job: &BindingsJob) -> anyhow::Result<()> {
    // bindgen panics where it finds no libclang: what it says is the news, not where in bindgen that happened.
    std::panic::set_hook(Box::new(|panic| eprintln!("{}", panic.payload_as_str().unwrap_or("bindgen panicked"))));
    let mut builder = bindgen::Builder::default()
        .rust_target("1.73.0".parse().context("bindgen does not know Rust 1.73")?)
        .clang_arg(format!("-I{}", job.headers.display()))
        .clang_arg(format!("--target={}", job.triple))
        // bindgen's sizes of these differ from the ones that rustc knows.
        .blocklist_function("malloc")
        .blocklist_function("realloc")
        .formatter(bindgen::Formatter::None);
    for folder in &job.compiler_headers {
        builder = builder.clang_arg("-isystem").clang_arg(folder.to_string_lossy());
    }
    for header in mlxc::files(&job.headers.join("mlx/c"), "h")? {
        builder = builder.header(header.to_string_lossy());
    }
    let bindings = builder.generate()?;
    bindings.write_to_file(&job.output).with_context(|| format!("cannot write {}", job.output.display()))
}
