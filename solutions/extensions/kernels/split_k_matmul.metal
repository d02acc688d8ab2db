// split_k_matmul on the GPU (task 2.7.3, optional): the product of tiled_matmul.metal with the sum over the inputs cut into
// `splits` parts. Dispatched by src/quantized_matmul.cpp in two launches: split_k with the parts along the grid's z, then
// add_parts with a thread a result.
//
// Part z has the groups of codes from z * G / splits to (z + 1) * G / splits, where a row has G = inputs / group.
// Buffers: x 0, weight 1, scales 2, biases 3, parts 4 (splits, rows, outputs), rows 5, outputs 6, inputs 7, group 8,
// splits 9. Of add_parts: parts 0, out 1, size 2, splits 3.
#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

#define INSTANTIATE(function, dtype, T, parameters, S) \
  template [[host_name(#function "_" #dtype "_" #parameters)]] [[kernel]] decltype(function<T, S>) function<T, S>;
#define INSTANTIATE_PARAMETERS(function, dtype, T)     \
  INSTANTIATE(function, dtype, T, float32, float)      \
  INSTANTIATE(function, dtype, T, float16, half)       \
  INSTANTIATE(function, dtype, T, bfloat16, bfloat)
#define INSTANTIATE_PACKED(function)                   \
  INSTANTIATE_PARAMETERS(function, float32, float)     \
  INSTANTIATE_PARAMETERS(function, float16, half)      \
  INSTANTIATE_PARAMETERS(function, bfloat16, bfloat)
#define INSTANTIATE_FLOAT(function, dtype, T) \
  template [[host_name(#function "_" #dtype)]] [[kernel]] decltype(function<T>) function<T>;

// SOLUTION 2.7.3
/// 1, parts: the tiles of one part of the sum.
template <typename T, typename S>
[[kernel]] void split_k(
    device const T* x [[buffer(0)]],
    device const uint* weight [[buffer(1)]],
    device const S* scales [[buffer(2)]],
    device const S* biases [[buffer(3)]],
    device float* parts [[buffer(4)]],
    constant int& rows [[buffer(5)]],
    constant int& outputs [[buffer(6)]],
    constant int& inputs [[buffer(7)]],
    constant int& group [[buffer(8)]],
    constant int& splits [[buffer(9)]],
    uint3 tile [[threadgroup_position_in_grid]],
    uint thread_at [[thread_index_in_threadgroup]],
    uint simd [[simdgroup_index_in_threadgroup]]) {
  threadgroup float x_tile[32 * 36];
  threadgroup float w_tile[32 * 36];
  const int first_row = int(tile.y) * 32;
  const int first_output = int(tile.x) * 32;
  const int simd_row = int(simd) / 2 * 16;
  const int simd_output = int(simd) % 2 * 16;
  simdgroup_float8x8 left[2];
  simdgroup_float8x8 right[2];
  simdgroup_float8x8 sums[4];
  for (int i = 0; i < 4; i++) {
    sums[i] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  }
  const int part = int(tile.z);
  const int groups = inputs / group;
  const int end = int(long(part + 1) * groups / splits) * group;
  for (int depth = int(long(part) * groups / splits) * group; depth < end; depth += 32) {
    for (int i = int(thread_at); i < 32 * 32; i += 128) {
      const int row = first_row + i / 32;
      x_tile[i / 32 * 36 + i % 32] = row < rows ? float(x[long(row) * inputs + depth + i % 32]) : 0.0f;
    }
    // A thread unpacks one word: 32 outputs of 4 words each.
    const int o = int(thread_at) / 4;
    const long k = min(first_output + o, outputs - 1);
    const int at = depth + int(thread_at) % 4 * 8;
    const uint codes = weight[k * (inputs / 8) + at / 8];
    const float scale = float(scales[k * (inputs / group) + at / group]);
    const float bias = float(biases[k * (inputs / group) + at / group]);
    for (int i = 0; i < 8; i++) {
      w_tile[o * 36 + int(thread_at) % 4 * 8 + i] = scale * float((codes >> (4 * i)) & 15) + bias;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int d = 0; d < 32; d += 8) {
      for (int i = 0; i < 2; i++) {
        simdgroup_load(left[i], x_tile + (simd_row + 8 * i) * 36 + d, 36);
        simdgroup_load(right[i], w_tile + (simd_output + 8 * i) * 36 + d, 36, ulong2(0, 0), true);
      }
      for (int i = 0; i < 4; i++) {
        simdgroup_multiply_accumulate(sums[i], left[i / 2], right[i % 2], sums[i]);
      }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  for (int i = 0; i < 4; i++) {
    simdgroup_store(sums[i], x_tile + (simd_row + i / 2 * 8) * 36 + simd_output + i % 2 * 8, 36);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (int i = int(thread_at); i < 32 * 32; i += 128) {
    const int row = first_row + i / 32;
    const int output = first_output + i % 32;
    if (row < rows && output < outputs) {
      parts[(long(part) * rows + row) * outputs + output] = x_tile[i / 32 * 36 + i % 32];
    }
  }
}
INSTANTIATE_PACKED(split_k)
// END SOLUTION

// SOLUTION 2.7.3
/// The sum of the parts, the first part first, rounded once.
template <typename T>
[[kernel]] void add_parts(
    device const float* parts [[buffer(0)]],
    device T* out [[buffer(1)]],
    constant int& size [[buffer(2)]],
    constant int& splits [[buffer(3)]],
    uint i [[thread_position_in_grid]]) {
  float sum = 0;
  for (int part = 0; part < splits; part++) {
    sum += parts[long(part) * size + long(i)];
  }
  out[i] = T(sum);
}
INSTANTIATE_FLOAT(add_parts, float32, float)
INSTANTIATE_FLOAT(add_parts, float16, half)
INSTANTIATE_FLOAT(add_parts, bfloat16, bfloat)
// END SOLUTION
