// swiglu on the GPU (task 2.4.6, optional): silu(gate) * up, element by element. Dispatched by src/swiglu.cpp:
// swiglu_naive with a thread an element, swiglu with a thread for four.
//
// Buffers: gate 0, up 1, out 2, size 3. Computed in f32; each result is rounded to T once.
#include <metal_stdlib>
using namespace metal;

#define INSTANTIATE(function, dtype, T) \
  template [[host_name(#function "_" #dtype)]] [[kernel]] decltype(function<T>) function<T>;
#define INSTANTIATE_FLOATS(function)      \
  INSTANTIATE(function, float32, float)   \
  INSTANTIATE(function, float16, half)    \
  INSTANTIATE(function, bfloat16, bfloat)

// Task 2.4.6: the kernel `swiglu_naive` goes here.

// Task 2.4.6: the kernel `swiglu` goes here.
