// tiled_matmul on the GPU (task 2.6.2, optional): many rows of x (rows, inputs) times the transpose of a packed weight
// (outputs, inputs). Dispatched by src/quantized_matmul.cpp: a group of 128 threads computes a tile of 32 rows and 32
// outputs; tiles of outputs are along x, those of rows along y. A group of codes has 64 or 128 inputs.
//
// Buffers: x 0, weight 1, scales 2, biases 3, out 4, rows 5, outputs 6, inputs 7, group 8. A word of the weight holds the
// codes of eight inputs, the lowest four bits first; a weight is scale * code + bias of its group.
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

// SOLUTION 2.6.2
/// 1, tiles: 32 inputs of the tile's rows and weights at a time in threadgroup memory, eight results a thread.
template <typename T, typename S>
[[kernel]] void tiled_naive(
    device const T* x [[buffer(0)]],
    device const uint* weight [[buffer(1)]],
    device const S* scales [[buffer(2)]],
    device const S* biases [[buffer(3)]],
    device T* out [[buffer(4)]],
    constant int& rows [[buffer(5)]],
    constant int& outputs [[buffer(6)]],
    constant int& inputs [[buffer(7)]],
    constant int& group [[buffer(8)]],
    uint2 tile [[threadgroup_position_in_grid]],
    uint thread_at [[thread_index_in_threadgroup]]) {
  threadgroup float x_tile[32 * 33];
  threadgroup float w_tile[32 * 33];
  const int first_row = int(tile.y) * 32;
  const int first_output = int(tile.x) * 32;
  const int own_row = int(thread_at) / 32 * 8;
  const int own_output = int(thread_at) % 32;
  float sums[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (int depth = 0; depth < inputs; depth += 32) {
    for (int i = int(thread_at); i < 32 * 32; i += 128) {
      const int row = first_row + i / 32;
      x_tile[i / 32 * 33 + i % 32] = row < rows ? float(x[long(row) * inputs + depth + i % 32]) : 0.0f;
    }
    // A thread unpacks one word: 32 outputs of 4 words each.
    const int o = int(thread_at) / 4;
    const long k = min(first_output + o, outputs - 1);
    const int at = depth + int(thread_at) % 4 * 8;
    const uint codes = weight[k * (inputs / 8) + at / 8];
    const float scale = float(scales[k * (inputs / group) + at / group]);
    const float bias = float(biases[k * (inputs / group) + at / group]);
    for (int i = 0; i < 8; i++) {
      w_tile[o * 33 + int(thread_at) % 4 * 8 + i] = scale * float((codes >> (4 * i)) & 15) + bias;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int d = 0; d < 32; d++) {
      const float value = w_tile[own_output * 33 + d];
      for (int r = 0; r < 8; r++) {
        sums[r] += x_tile[(own_row + r) * 33 + d] * value;
      }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  for (int r = 0; r < 8; r++) {
    const int row = first_row + own_row + r;
    if (row < rows && first_output + own_output < outputs) {
      out[long(row) * outputs + first_output + own_output] = T(sums[r]);
    }
  }
}
INSTANTIATE_PACKED(tiled_naive)
// END SOLUTION

// SOLUTION 2.6.2
/// 2, SIMD-group matrices: a SIMD group multiplies blocks of 8 by 8, 16 rows and 16 outputs of the tile.
template <typename T, typename S>
[[kernel]] void tiled(
    device const T* x [[buffer(0)]],
    device const uint* weight [[buffer(1)]],
    device const S* scales [[buffer(2)]],
    device const S* biases [[buffer(3)]],
    device T* out [[buffer(4)]],
    constant int& rows [[buffer(5)]],
    constant int& outputs [[buffer(6)]],
    constant int& inputs [[buffer(7)]],
    constant int& group [[buffer(8)]],
    uint2 tile [[threadgroup_position_in_grid]],
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
  for (int depth = 0; depth < inputs; depth += 32) {
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
      out[long(row) * outputs + output] = T(x_tile[i / 32 * 36 + i % 32]);
    }
  }
}
INSTANTIATE_PACKED(tiled)
// END SOLUTION
