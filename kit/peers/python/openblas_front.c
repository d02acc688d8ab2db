/* In front of MLX: its f32 matrix products go to OpenBLAS. The wheel's own BLAS is the plain reference, ten times slower. */

#include <stdint.h>

/* How often it was called, so that whoever put it in front can see that it is there. */
int64_t openblas_front_calls = 0;

void scipy_cblas_sgemm(int order, int transa, int transb, int m, int n, int k, float alpha, const float *a, int lda,
                       const float *b, int ldb, float beta, float *c, int ldc);

void cblas_sgemm(int order, int transa, int transb, int m, int n, int k, float alpha, const float *a, int lda,
                 const float *b, int ldb, float beta, float *c, int ldc) {
    __atomic_fetch_add(&openblas_front_calls, 1, __ATOMIC_RELAXED);
    scipy_cblas_sgemm(order, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
