// out = alpha * x + beta * y, one thread an element, f32 inside.
#include <metal_stdlib>
using namespace metal;

/// Both inputs lie row by row: element i is at i.
template <typename T>
[[kernel]] void axpby(
    device const T* x [[buffer(0)]],
    device const T* y [[buffer(1)]],
    device T* out [[buffer(2)]],
    constant float& alpha [[buffer(3)]],
    constant float& beta [[buffer(4)]],
    uint i [[thread_position_in_grid]]) {
  out[i] = T(alpha * float(x[i]) + beta * float(y[i]));
}

template [[host_name("axpby_float32")]] [[kernel]] decltype(axpby<float>) axpby<float>;
template [[host_name("axpby_float16")]] [[kernel]] decltype(axpby<half>) axpby<half>;
template [[host_name("axpby_bfloat16")]] [[kernel]] decltype(axpby<bfloat>) axpby<bfloat>;
