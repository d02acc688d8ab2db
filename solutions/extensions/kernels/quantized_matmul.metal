// quantized_matmul on the GPU (task 2.3.5, optional): x (rows, inputs) times the transpose of a packed weight (outputs,
// inputs). Dispatched by src/quantized_matmul.cpp with a thread a result: outputs along x, rows along y.
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

// SOLUTION 2.3.5
/// 1, naive: one thread a result.
template <typename T, typename S>
[[kernel]] void quantized_matmul(
    device const T* x [[buffer(0)]],
    device const uint* weight [[buffer(1)]],
    device const S* scales [[buffer(2)]],
    device const S* biases [[buffer(3)]],
    device T* out [[buffer(4)]],
    constant int& rows [[buffer(5)]],
    constant int& outputs [[buffer(6)]],
    constant int& inputs [[buffer(7)]],
    constant int& group [[buffer(8)]],
    uint2 at [[thread_position_in_grid]]) {
  const long k = long(at.x);
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
  out[long(at.y) * outputs + k] = T(sum);
}
INSTANTIATE_PACKED(quantized_matmul)
// END SOLUTION
