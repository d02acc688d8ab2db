// device: all threads, read and written. constant: all threads, read only. thread: one thread. threadgroup: one group.
#include <metal_stdlib>
using namespace metal;

constant float weights[3] = {0.25, 0.5, 0.25};

kernel void smooth(
    device const float* x [[buffer(0)]],
    device float* out [[buffer(1)]],
    constant int& size [[buffer(2)]],
    uint i [[thread_position_in_grid]]) {
  float sum = 0;  // a thread's own
  for (int k = 0; k < 3; k++) {
    const int at = clamp(int(i) + k - 1, 0, size - 1);
    sum += weights[k] * x[at];
  }
  out[i] = sum;
}
