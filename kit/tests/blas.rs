//! Programs that depend on kit put their own `cblas_sgemm` in front of the one in MLX's wheel.
#![cfg(target_os = "linux")]

use kit::Result;
use object::read::{Object, ObjectSymbol};

#[test]
fn a_matrix_product_in_mlx_is_counted() -> Result<()> {
    let a = mlx_rs::Array::from_slice(&[1f32, 2., 3., 4., 5., 6.], &[2, 3]);
    let b = mlx_rs::Array::from_slice(&[1f32, 0., 0., 1., 1., 1.], &[3, 2]);
    let before = blas::calls();
    let product = a.matmul(&b)?;
    product.eval()?;
    assert!(blas::calls() > before, "MLX multiplied without this program's cblas_sgemm");
    assert_eq!(product.as_slice::<f32>(), [4., 5., 10., 11.]);
    Ok(())
}

/// What `nm -D` shows as `T cblas_sgemm`: the dynamic linker gives libmlx this one only when the program exports it.
#[test]
fn the_program_exports_cblas_sgemm() {
    let program = std::env::current_exe().expect("a test knows its program");
    let bytes = std::fs::read(program).expect("a running program can be read");
    let file = object::File::parse(&*bytes).expect("a program on Linux is an ELF file");
    let exported = |name| {
        file.dynamic_symbols().any(|symbol| symbol.name() == Ok(name) && symbol.is_global() && symbol.is_definition())
    };
    assert!(exported("cblas_sgemm"), "the program does not export cblas_sgemm");
    assert!(!exported("cblas_dgemm"), "only f32 is ours; the wheel serves the rest");
}
