// Wrong answers to task 2.4.6: one element or four a thread.

// WRONG four-in-a-row fn swiglu: does not look whether four are left
/// 2, four a thread: as far apart as there are threads, so that neighbours still read neighbours.
template <typename T>
[[kernel]] void swiglu(
    device const T* gate [[buffer(0)]],
    device const T* up [[buffer(1)]],
    device T* out [[buffer(2)]],
    constant uint& size [[buffer(3)]],
    uint at [[thread_position_in_grid]],
    uint threads [[threads_per_grid]]) {
  for (uint i = at * 4; i < at * 4 + 4; i++) {
    const float g = float(gate[i]);
    out[i] = T(g / (1.0f + precise::exp(-g)) * float(up[i]));
  }
}
INSTANTIATE_FLOATS(swiglu)
// END WRONG

// WRONG first-only fn swiglu: computes one element a thread
/// 2, four a thread: as far apart as there are threads, so that neighbours still read neighbours.
template <typename T>
[[kernel]] void swiglu(
    device const T* gate [[buffer(0)]],
    device const T* up [[buffer(1)]],
    device T* out [[buffer(2)]],
    constant uint& size [[buffer(3)]],
    uint at [[thread_position_in_grid]],
    uint threads [[threads_per_grid]]) {
  for (uint i = at; i < threads; i += threads) {
    const float g = float(gate[i]);
    out[i] = T(g / (1.0f + precise::exp(-g)) * float(up[i]));
  }
}
INSTANTIATE_FLOATS(swiglu)
// END WRONG

// WRONG sigmoid fn swiglu: forgets to multiply the sigmoid with the gate
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
    out[i] = T(1.0f / (1.0f + precise::exp(-g)) * float(up[i]));
  }
}
INSTANTIATE_FLOATS(swiglu)
// END WRONG

// WRONG swapped-buffers fn swiglu_naive: takes up for the gate
/// 1, naive: one thread an element.
template <typename T>
[[kernel]] void swiglu_naive(
    device const T* gate [[buffer(1)]],
    device const T* up [[buffer(0)]],
    device T* out [[buffer(2)]],
    constant uint& size [[buffer(3)]],
    uint i [[thread_position_in_grid]]) {
  const float g = float(gate[i]);
  out[i] = T(g / (1.0f + precise::exp(-g)) * float(up[i]));
}
INSTANTIATE_FLOATS(swiglu_naive)
// END WRONG

// WRONG infinity-by-infinity fn swiglu: writes the sigmoid as e^g / (1 + e^g), which is not a number for a large gate
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
    out[i] = T(g * precise::exp(g) / (1.0f + precise::exp(g)) * float(up[i]));
  }
}
INSTANTIATE_FLOATS(swiglu)
// END WRONG
