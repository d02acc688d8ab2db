//! MLX's kernels, from the headers that every MLX wheel carries.

use metal_host::{Arg, Checks, Grid, Kernel, Library, Options, Result, Sanitizer, Size, Source};

pub const ABSENT: &str = "skipped: MLX's headers are not there; run `cargo xtask setup`, or set MLX_INCLUDE";

/// The folder with MLX's headers.
pub const INCLUDE: &str = env!("MLX_INCLUDE");

/// Instantiations of kernels from these headers.
pub fn library(headers: &[&str], instantiations: &str) -> Result<Library> {
    let mut text = "#include <metal_stdlib>\nusing namespace metal;\n".to_string();
    for header in ["utils.h"].iter().chain(headers) {
        text += &format!("#include \"mlx/backend/metal/kernels/{header}\"\n");
    }
    let options = Options::default().cache(super::cache()).include(INCLUDE);
    Library::compile(&Source::text("mlx.metal", &(text + instantiations)), &options)
}

/// Runs unchecked and with all checks: MLX's kernels are right, so nothing may be found.
pub fn run(kernel: &Kernel, grid: impl Into<Size>, group: impl Into<Size>, args: &[Arg]) -> Result<()> {
    let (grid, group) = (Grid::groups(grid), group.into());
    kernel.dispatch(grid, group, args, &Checks::none())?;
    let report = kernel.dispatch(grid, group, args, &Checks::all())?;
    assert!(report.warnings.is_empty(), "{}: {:?}", kernel.name(), report.warnings);
    Ok(())
}

/// ThreadSanitizer must have nothing to say either.
pub fn run_for_races(kernel: &Kernel, grid: impl Into<Size>, group: impl Into<Size>, args: &[Arg]) -> Result<()> {
    kernel.dispatch(Grid::groups(grid), group, args, &Checks::none().sanitizer(Sanitizer::Thread)).map(|_| ())
}
