// exp, sin and cos on the GPU (task 1.7.6, optional): one thread an element. Dispatched by src/unary.cpp.
//
// A kernel and its three names belong together; src/unary.cpp asks for exp_elements_float32 and so on, and binds
// x to buffer 0 and out to buffer 1. Compute in f32 and round to T once.
#include <metal_stdlib>
using namespace metal;

#define INSTANTIATE(function, dtype, T) \
  template [[host_name(#function "_" #dtype)]] [[kernel]] decltype(function<T>) function<T>;
#define INSTANTIATE_FLOATS(function)      \
  INSTANTIATE(function, float32, float)   \
  INSTANTIATE(function, float16, half)    \
  INSTANTIATE(function, bfloat16, bfloat)

// Task 1.7.6: the kernel `exp_elements` goes here.

// Task 1.7.6: the kernel `sin_elements` goes here.

// Task 1.7.6: the kernel `cos_elements` goes here.
