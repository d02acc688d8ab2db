// 32 threads are a SIMD group, its lanes: simd_sum adds over all of them, and each lane gets the sum.
#include <metal_stdlib>
using namespace metal;

kernel void sums(
    device float* out [[buffer(0)]],
    uint i [[thread_position_in_grid]],
    uint lane [[thread_index_in_simdgroup]],
    uint simd [[simdgroup_index_in_threadgroup]]) {
  const float sum = simd_sum(float(i));
  // Lane 0 alone writes: one number a SIMD group.
  if (lane == 0) {
    out[simd] = sum;
  }
}
