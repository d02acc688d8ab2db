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

// Task 2.4.4: the kernel `rms_norm_naive` goes here.

// Task 2.4.4: the kernel `rms_norm` goes here.
