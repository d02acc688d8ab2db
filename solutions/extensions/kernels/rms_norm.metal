// rms_norm on the GPU (task 2.4.4, optional): the root mean square normalisation of every row, `width` elements long.
// Dispatched by src/rms_norm.cpp: rms_norm_naive with a thread a row, rms_norm with a group a row, of whole SIMD groups.
//
// Buffers: x 0, weight 1, out 2, width 3, eps 4. Sums are in f32; each result is rounded to T once.
#include <metal_stdlib>
using namespace metal;

#define INSTANTIATE(function, dtype, T) \
  template [[host_name(#function "_" #dtype)]] [[kernel]] decltype(function<T>) function<T>;
#define INSTANTIATE_FLOATS(function)      \
  INSTANTIATE(function, float32, float)   \
  INSTANTIATE(function, float16, half)    \
  INSTANTIATE(function, bfloat16, bfloat)

// SOLUTION 2.4.4
/// 1, naive: one thread computes a row.
template <typename T>
[[kernel]] void rms_norm_naive(
    device const T* x [[buffer(0)]],
    device const T* weight [[buffer(1)]],
    device T* out [[buffer(2)]],
    constant int& width [[buffer(3)]],
    constant float& eps [[buffer(4)]],
    uint row [[thread_position_in_grid]]) {
  x += long(row) * width;
  out += long(row) * width;
  float squares = 0;
  for (int i = 0; i < width; i++) {
    squares += float(x[i]) * float(x[i]);
  }
  const float factor = rsqrt(squares / float(width) + eps);
  for (int i = 0; i < width; i++) {
    out[i] = T(float(x[i]) * factor * float(weight[i]));
  }
}
INSTANTIATE_FLOATS(rms_norm_naive)
// END SOLUTION

// SOLUTION 2.4.4
/// 2, a group a row: SIMD groups add their squares, and all threads add the sums of the SIMD groups.
template <typename T>
[[kernel]] void rms_norm(
    device const T* x [[buffer(0)]],
    device const T* weight [[buffer(1)]],
    device T* out [[buffer(2)]],
    constant int& width [[buffer(3)]],
    constant float& eps [[buffer(4)]],
    uint row [[threadgroup_position_in_grid]],
    uint thread_at [[thread_position_in_threadgroup]],
    uint threads [[threads_per_threadgroup]],
    uint lane [[thread_index_in_simdgroup]],
    uint simd [[simdgroup_index_in_threadgroup]],
    uint simds [[simdgroups_per_threadgroup]]) {
  threadgroup float parts[32];
  x += long(row) * width;
  out += long(row) * width;
  float squares = 0;
  for (int i = int(thread_at); i < width; i += int(threads)) {
    squares += float(x[i]) * float(x[i]);
  }
  squares = simd_sum(squares);
  if (lane == 0) {
    parts[simd] = squares;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float total = simd_sum(lane < simds ? parts[lane] : 0.0f);
  const float factor = rsqrt(total / float(width) + eps);
  for (int i = int(thread_at); i < width; i += int(threads)) {
    out[i] = T(float(x[i]) * factor * float(weight[i]));
  }
}
INSTANTIATE_FLOATS(rms_norm)
// END SOLUTION
