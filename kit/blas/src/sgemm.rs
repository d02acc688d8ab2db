//! The function, by the C interface of BLAS: C = α·op(A)·op(B) + β·C, where op transposes or does nothing.

use std::ffi::c_int;
use std::sync::atomic::{AtomicU64, Ordering};

use gemm_common::Parallelism;

/// `CblasRowMajor`; column major is 102.
const ROW_MAJOR: c_int = 101;
/// `CblasNoTrans`; transposed is 112 and, for real numbers the same, conjugated 113.
const AS_IT_IS: c_int = 111;

static CALLS: AtomicU64 = AtomicU64::new(0);

/// How often this program's `cblas_sgemm` has been called.
pub fn calls() -> u64 {
    CALLS.load(Ordering::Relaxed)
}

/// A matrix in memory: where it begins and how far its rows and columns lie apart.
#[derive(Clone, Copy)]
struct Operand {
    data: *const f32,
    row_stride: isize,
    column_stride: isize,
}

impl Operand {
    /// `leading` is the distance of two columns, as it is in column-major order.
    fn column_major(data: *const f32, leading: c_int, transposed: bool) -> Self {
        let leading = leading as isize;
        let (row_stride, column_stride) = if transposed { (leading, 1) } else { (1, leading) };
        Operand { data, row_stride, column_stride }
    }
}

/// C (m, n) = `alpha`·op(A) (m, k)·op(B) (k, n) + `beta`·C, all f32; `beta` 0 does not read C.
///
/// Runs on rayon's shared pool, a thread a core, and on the caller's thread alone where the product is small.
///
/// # Safety
/// As BLAS has it: `a`, `b` and `c` point to matrices of these sizes with these leading dimensions, and no other
/// thread touches C meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cblas_sgemm(
    order: c_int,
    transpose_a: c_int,
    transpose_b: c_int,
    m: c_int,
    n: c_int,
    k: c_int,
    alpha: f32,
    a: *const f32,
    leading_a: c_int,
    b: *const f32,
    leading_b: c_int,
    beta: f32,
    c: *mut f32,
    leading_c: c_int,
) {
    CALLS.fetch_add(1, Ordering::Relaxed);
    let (m, n, k) = (m.max(0) as usize, n.max(0) as usize, k.max(0) as usize);
    if m == 0 || n == 0 {
        return;
    }
    let a = Operand::column_major(a, leading_a, transpose_a != AS_IT_IS);
    let b = Operand::column_major(b, leading_b, transpose_b != AS_IT_IS);
    // A row-major matrix is its transpose in column-major order, and Cᵀ = op(B)ᵀ·op(A)ᵀ.
    let (m, n, left, right) = if order == ROW_MAJOR { (n, m, b, a) } else { (m, n, a, b) };
    let multiply = gemm_f32::gemm::f32::get_gemm_fn();
    // SAFETY: the caller vouches for the matrices; the strides address the elements that BLAS defines.
    unsafe {
        multiply(
            m,
            n,
            k,
            c,
            leading_c as isize,
            1,
            beta != 0.0,
            left.data,
            left.column_stride,
            left.row_stride,
            right.data,
            right.column_stride,
            right.row_stride,
            beta,
            alpha,
            false,
            false,
            false,
            Parallelism::Rayon(0),
        );
    }
}
