// A thread runs the function once; what it gets is its place in the grid.
#include <metal_stdlib>
using namespace metal;

kernel void squares(
    device float* out [[buffer(0)]],
    constant uint& size [[buffer(1)]],
    uint i [[thread_position_in_grid]]) {
  // Sixteen threads for ten elements: who has none returns.
  if (i >= size) {
    return;
  }
  out[i] = float(i) * float(i);
}
