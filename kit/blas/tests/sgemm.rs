//! `cblas_sgemm` against a triple loop, over every combination of its arguments.
#![cfg(target_os = "linux")]

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

const ROW_MAJOR: i32 = 101;
const COLUMN_MAJOR: i32 = 102;
const AS_IT_IS: i32 = 111;
const TRANSPOSED: i32 = 112;
const CONJUGATED: i32 = 113;
/// Elements between the end of a row and the next, which nothing may touch.
const GAP: usize = 3;

/// A stored matrix with a gap after each row (row major) or column (column major).
struct Matrix {
    data: Vec<f32>,
    leading: usize,
    order: i32,
}

impl Matrix {
    fn random(rows: usize, columns: usize, order: i32, random: &mut StdRng) -> Self {
        let (lines, along) = if order == ROW_MAJOR { (rows, columns) } else { (columns, rows) };
        let leading = along + GAP;
        Matrix { data: (0..lines * leading).map(|_| random.random_range(-1.0..1.0)).collect(), leading, order }
    }

    fn index(&self, row: usize, column: usize) -> usize {
        if self.order == ROW_MAJOR { row * self.leading + column } else { column * self.leading + row }
    }

    /// Element of op(self).
    fn at(&self, transpose: i32, row: usize, column: usize) -> f64 {
        let (row, column) = if transpose == AS_IT_IS { (row, column) } else { (column, row) };
        f64::from(self.data[self.index(row, column)])
    }
}

fn stored(rows: usize, columns: usize, transpose: i32) -> (usize, usize) {
    if transpose == AS_IT_IS { (rows, columns) } else { (columns, rows) }
}

/// Runs one case and compares all of C, gaps included.
fn check(
    order: i32,
    (ta, tb): (i32, i32),
    (m, n, k): (usize, usize, usize),
    alpha: f32,
    beta: f32,
    random: &mut StdRng,
) {
    let (rows, columns) = stored(m, k, ta);
    let a = Matrix::random(rows, columns, order, random);
    let (rows, columns) = stored(k, n, tb);
    let b = Matrix::random(rows, columns, order, random);
    let mut c = Matrix::random(m, n, order, random);
    let mut expected: Vec<f64> = c.data.iter().copied().map(f64::from).collect();
    for row in 0..m {
        for column in 0..n {
            let product: f64 = (0..k).map(|i| a.at(ta, row, i) * b.at(tb, i, column)).sum();
            let old = if beta == 0.0 { 0.0 } else { f64::from(beta) * expected[c.index(row, column)] };
            expected[c.index(row, column)] = f64::from(alpha) * product + old;
        }
    }
    if beta == 0.0 {
        // BLAS promises not to read C then, whatever is in it.
        for row in 0..m {
            for column in 0..n {
                let index = c.index(row, column);
                c.data[index] = f32::NAN;
            }
        }
    }
    let [lda, ldb, ldc] = [&a, &b, &c].map(|matrix| matrix.leading as i32);
    // SAFETY: the three matrices have these sizes and leading dimensions, and C is borrowed alone.
    unsafe {
        let (a, b, c) = (a.data.as_ptr(), b.data.as_ptr(), c.data.as_mut_ptr());
        blas::cblas_sgemm(order, ta, tb, m as i32, n as i32, k as i32, alpha, a, lda, b, ldb, beta, c, ldc);
    }
    for (index, (&got, &want)) in c.data.iter().zip(&expected).enumerate() {
        let bound = 1e-6 * (k as f64 + 1.0);
        assert!(
            (f64::from(got) - want).abs() <= bound,
            "order {order}, op ({ta}, {tb}), m n k ({m}, {n}, {k}), alpha {alpha}, beta {beta}: \
             element {index} is {got}, expected {want} ± {bound}"
        );
    }
}

#[test]
fn every_order_transposition_and_factor_agrees_with_the_definition() {
    let mut random = StdRng::seed_from_u64(1);
    let sizes = [(1, 1, 1), (2, 3, 4), (17, 5, 33), (1, 40, 64), (40, 1, 64), (31, 33, 1), (64, 48, 80)];
    for order in [ROW_MAJOR, COLUMN_MAJOR] {
        for ta in [AS_IT_IS, TRANSPOSED, CONJUGATED] {
            for tb in [AS_IT_IS, TRANSPOSED, CONJUGATED] {
                for (alpha, beta) in [(1.0, 0.0), (1.0, 1.0), (-0.5, 2.0), (0.0, 0.5), (0.0, 0.0), (2.0, 0.0)] {
                    for size in sizes {
                        check(order, (ta, tb), size, alpha, beta, &mut random);
                    }
                }
            }
        }
    }
}

#[test]
fn sizes_that_use_all_threads_agree_too() {
    let mut random = StdRng::seed_from_u64(2);
    for (ta, tb) in [(AS_IT_IS, AS_IT_IS), (AS_IT_IS, TRANSPOSED), (TRANSPOSED, AS_IT_IS)] {
        check(ROW_MAJOR, (ta, tb), (150, 170, 190), 1.0, 0.5, &mut random);
    }
}

#[test]
fn an_empty_sum_scales_c_and_an_empty_c_is_left_alone() {
    let mut random = StdRng::seed_from_u64(3);
    for (alpha, beta) in [(1.0, 0.0), (1.0, 0.5), (1.0, 1.0)] {
        check(ROW_MAJOR, (AS_IT_IS, AS_IT_IS), (3, 4, 0), alpha, beta, &mut random);
        check(COLUMN_MAJOR, (TRANSPOSED, AS_IT_IS), (3, 4, 0), alpha, beta, &mut random);
        check(ROW_MAJOR, (AS_IT_IS, AS_IT_IS), (0, 4, 5), alpha, beta, &mut random);
        check(ROW_MAJOR, (AS_IT_IS, AS_IT_IS), (3, 0, 5), alpha, beta, &mut random);
    }
}
