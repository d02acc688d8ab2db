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

// Task 3.6.5: the kernel `grouped_naive` goes here.

// Task 3.6.5: the kernel `grouped_matvec` goes here.
