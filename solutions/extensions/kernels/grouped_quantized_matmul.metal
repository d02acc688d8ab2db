// grouped_quantized_matmul on the GPU (task 3.6.5, optional): every row of x (rows, inputs) times the transpose of the packed
// weight of its own expert (experts, outputs, inputs). Dispatched by src/grouped_quantized_matmul.cpp: grouped_naive with a
// thread a result, outputs along x, rows along y; grouped_matvec in groups of whole SIMD groups, rows along the grid's y.
//
// Buffers: x 0, ids 1 (rows), weight 2, scales 3, biases 4, out 5, experts 6, outputs 7 of an expert, inputs 8, group 9. A
// word of the weight holds the codes of eight inputs, the lowest four bits first; a weight is scale * code + bias of its
// group. The row of an expert that is not there is NaN.
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

// SOLUTION 3.6.5
/// 1, naive: one thread a result.
template <typename T, typename S>
[[kernel]] void grouped_naive(
    device const T* x [[buffer(0)]],
    device const uint* ids [[buffer(1)]],
    device const uint* weight [[buffer(2)]],
    device const S* scales [[buffer(3)]],
    device const S* biases [[buffer(4)]],
    device T* out [[buffer(5)]],
    constant int& experts [[buffer(6)]],
    constant int& outputs [[buffer(7)]],
    constant int& inputs [[buffer(8)]],
    constant int& group [[buffer(9)]],
    uint2 at [[thread_position_in_grid]]) {
  const long expert = long(ids[at.y]);
  out += long(at.y) * outputs + at.x;
  if (expert >= long(experts)) {
    *out = T(NAN);
    return;
  }
  const long k = expert * outputs + at.x;
  x += long(at.y) * inputs;
  weight += k * (inputs / 8);
  scales += k * (inputs / group);
  biases += k * (inputs / group);
  float sum = 0;
  for (int word = 0; word < inputs / 8; word++) {
    const uint codes = weight[word];
    const float scale = float(scales[word * 8 / group]);
    const float bias = float(biases[word * 8 / group]);
    for (int i = 0; i < 8; i++) {
      const float code = float((codes >> (4 * i)) & 15);
      sum += float(x[word * 8 + i]) * (scale * code + bias);
    }
  }
  *out = T(sum);
}
INSTANTIATE_PACKED(grouped_naive)
// END SOLUTION

// SOLUTION 3.6.5
/// 2, four results a SIMD group, its lanes word by word: each x is read once for four outputs of its expert.
template <typename T, typename S>
[[kernel]] void grouped_matvec(
    device const T* x [[buffer(0)]],
    device const uint* ids [[buffer(1)]],
    device const uint* weight [[buffer(2)]],
    device const S* scales [[buffer(3)]],
    device const S* biases [[buffer(4)]],
    device T* out [[buffer(5)]],
    constant int& experts [[buffer(6)]],
    constant int& outputs [[buffer(7)]],
    constant int& inputs [[buffer(8)]],
    constant int& group [[buffer(9)]],
    uint2 group_at [[threadgroup_position_in_grid]],
    uint simd [[simdgroup_index_in_threadgroup]],
    uint simds [[simdgroups_per_threadgroup]],
    uint lane [[thread_index_in_simdgroup]]) {
  const long expert = long(ids[group_at.y]);
  const int first = int(group_at.x * simds + simd) * 4;
  const int count = min(outputs - first, 4);
  out += long(group_at.y) * outputs + first;
  if (expert >= long(experts)) {
    for (int o = int(lane); o < count; o += 32) {
      out[o] = T(NAN);
    }
    return;
  }
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
      const long k = expert * outputs + first + o;
      const uint codes = weight[k * (inputs / 8) + word];
      float products = 0;
      for (int i = 0; i < 8; i++) {
        products += v[i] * float((codes >> (4 * i)) & 15);
      }
      const long parameters = k * (inputs / group) + word * 8 / group;
      sums[o] += float(scales[parameters]) * products + float(biases[parameters]) * inputs_of_word;
    }
  }
  for (int o = 0; o < count; o++) {
    const float sum = simd_sum(sums[o]);
    if (lane == 0) {
      out[o] = T(sum);
    }
  }
}
INSTANTIATE_PACKED(grouped_matvec)
// END SOLUTION
