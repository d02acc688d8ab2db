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

// Task 2.3.5: the kernel `quantized_matmul` goes here.
