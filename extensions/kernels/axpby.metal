// axpby on the GPU: one thread an element, f32 inside, one rounding at the end. Dispatched by src/axpby.cpp.
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

/// Where element i of a view is, counted in elements from its first.
static long element_at(uint i, constant const int* shape, constant const long* strides, int axes) {
  long at = 0;
  for (int axis = axes - 1; axis >= 0; axis--) {
    at += long(i % uint(shape[axis])) * strides[axis];
    i /= uint(shape[axis]);
  }
  return at;
}

/// Any views of one shape; an axis may run backwards, so the first element has a place too.
template <typename T>
[[kernel]] void axpby_strided(
    device const T* x [[buffer(0)]],
    device const T* y [[buffer(1)]],
    device T* out [[buffer(2)]],
    constant float& alpha [[buffer(3)]],
    constant float& beta [[buffer(4)]],
    constant const int* shape [[buffer(5)]],
    constant const long* x_strides [[buffer(6)]],
    constant const long* y_strides [[buffer(7)]],
    constant int& axes [[buffer(8)]],
    constant long& x_first [[buffer(9)]],
    constant long& y_first [[buffer(10)]],
    uint i [[thread_position_in_grid]]) {
  float a = float(x[x_first + element_at(i, shape, x_strides, axes)]);
  float b = float(y[y_first + element_at(i, shape, y_strides, axes)]);
  out[i] = T(alpha * a + beta * b);
}

#define INSTANTIATE(function, dtype, T) \
  template [[host_name(#function "_" #dtype)]] [[kernel]] decltype(function<T>) function<T>;

INSTANTIATE(axpby, float32, float)
INSTANTIATE(axpby, float16, half)
INSTANTIATE(axpby, bfloat16, bfloat)
INSTANTIATE(axpby_strided, float32, float)
INSTANTIATE(axpby_strided, float16, half)
INSTANTIATE(axpby_strided, bfloat16, bfloat)
