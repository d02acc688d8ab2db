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

// Task 2.6.2: the kernel `tiled_naive` goes here.

// Task 2.6.2: the kernel `tiled` goes here.
