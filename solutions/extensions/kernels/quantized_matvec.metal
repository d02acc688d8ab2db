// quantized_matvec on the GPU (task 2.3.6, optional): few rows of x (rows, inputs) times the transpose of a packed weight
// (outputs, inputs). Dispatched by src/quantized_matmul.cpp in groups of whole SIMD groups; rows are along the grid's y.
//
// Buffers: x 0, weight 1, scales 2, biases 3, out 4, rows 5, outputs 6, inputs 7, group 8. A word of the weight holds the
// codes of eight inputs, the lowest four bits first; a weight is scale * code + bias of its group.
#include <metal_stdlib>
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

// SOLUTION 2.3.6
/// 1, naive: one SIMD group a result, its lanes word by word; the bias is multiplied with the sum of x.
template <typename T, typename S>
[[kernel]] void matvec_naive(
    device const T* x [[buffer(0)]],
    device const uint* weight [[buffer(1)]],
    device const S* scales [[buffer(2)]],
    device const S* biases [[buffer(3)]],
    device T* out [[buffer(4)]],
    constant int& rows [[buffer(5)]],
    constant int& outputs [[buffer(6)]],
    constant int& inputs [[buffer(7)]],
    constant int& group [[buffer(8)]],
    uint2 group_at [[threadgroup_position_in_grid]],
    uint simd [[simdgroup_index_in_threadgroup]],
    uint simds [[simdgroups_per_threadgroup]],
    uint lane [[thread_index_in_simdgroup]]) {
  const long k = long(group_at.x) * simds + simd;
  if (k >= outputs) {
    return;
  }
  x += long(group_at.y) * inputs;
  float sum = 0;
  for (int word = int(lane); word < inputs / 8; word += 32) {
    const uint codes = weight[k * (inputs / 8) + word];
    float products = 0;
    float inputs_of_word = 0;
    for (int i = 0; i < 8; i++) {
      const float v = float(x[word * 8 + i]);
      products += v * float((codes >> (4 * i)) & 15);
      inputs_of_word += v;
    }
    const long parameters = k * (inputs / group) + word * 8 / group;
    sum += float(scales[parameters]) * products + float(biases[parameters]) * inputs_of_word;
  }
  sum = simd_sum(sum);
  if (lane == 0) {
    out[long(group_at.y) * outputs + k] = T(sum);
  }
}
INSTANTIATE_PACKED(matvec_naive)
// END SOLUTION

// SOLUTION 2.3.6
/// 2, four results a SIMD group: each x is read once for four outputs, whose weights come at the same time.
template <typename T, typename S>
[[kernel]] void matvec(
    device const T* x [[buffer(0)]],
    device const uint* weight [[buffer(1)]],
    device const S* scales [[buffer(2)]],
    device const S* biases [[buffer(3)]],
    device T* out [[buffer(4)]],
    constant int& rows [[buffer(5)]],
    constant int& outputs [[buffer(6)]],
    constant int& inputs [[buffer(7)]],
    constant int& group [[buffer(8)]],
    uint2 group_at [[threadgroup_position_in_grid]],
    uint simd [[simdgroup_index_in_threadgroup]],
    uint simds [[simdgroups_per_threadgroup]],
    uint lane [[thread_index_in_simdgroup]]) {
  const int first = int(group_at.x * simds + simd) * 4;
  const int count = min(outputs - first, 4);
  x += long(group_at.y) * inputs;
  float sums[4] = {0, 0, 0, 0};
  for (int word = int(lane); word < inputs / 8; word += 32) {
    float v[8];
    float inputs_of_word = 0;
    for (int i = 0; i < 8; i++) {
      v[i] = float(x[word * 8 + i]);
      inputs_of_word += v[i];
    }
    for (int o = 0; o < count; o++) {
      const uint codes = weight[long(first + o) * (inputs / 8) + word];
      float products = 0;
      for (int i = 0; i < 8; i++) {
        products += v[i] * float((codes >> (4 * i)) & 15);
      }
      const long parameters = long(first + o) * (inputs / group) + word * 8 / group;
      sums[o] += float(scales[parameters]) * products + float(biases[parameters]) * inputs_of_word;
    }
  }
  for (int o = 0; o < count; o++) {
    const float sum = simd_sum(sums[o]);
    if (lane == 0) {
      out[long(group_at.y) * outputs + first + o] = T(sum);
    }
  }
}
INSTANTIATE_PACKED(matvec)
// END SOLUTION
