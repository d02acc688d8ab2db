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

// Task 2.7.3: the kernel `split_k` goes here.

// Task 2.7.3: the kernel `add_parts` goes here.
