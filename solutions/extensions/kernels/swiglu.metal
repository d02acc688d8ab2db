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

// SOLUTION 2.4.6
/// 1, naive: one thread an element.
template <typename T>
[[kernel]] void swiglu_naive(
    device const T* gate [[buffer(0)]],
    device const T* up [[buffer(1)]],
    device T* out [[buffer(2)]],
    constant uint& size [[buffer(3)]],
    uint i [[thread_position_in_grid]]) {
  const float g = float(gate[i]);
  out[i] = T(g / (1.0f + precise::exp(-g)) * float(up[i]));
}
INSTANTIATE_FLOATS(swiglu_naive)
// END SOLUTION

// SOLUTION 2.4.6
/// 2, four a thread: as far apart as there are threads, so that neighbours still read neighbours.
template <typename T>
[[kernel]] void swiglu(
    device const T* gate [[buffer(0)]],
    device const T* up [[buffer(1)]],
    device T* out [[buffer(2)]],
    constant uint& size [[buffer(3)]],
    uint at [[thread_position_in_grid]],
    uint threads [[threads_per_grid]]) {
  for (uint i = at; i < size; i += threads) {
    const float g = float(gate[i]);
    out[i] = T(g / (1.0f + precise::exp(-g)) * float(up[i]));
  }
}
INSTANTIATE_FLOATS(swiglu)
// END SOLUTION
