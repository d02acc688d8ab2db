// Threads come in groups of one size: a thread knows its group, its place in it, and how large groups are.
#include <metal_stdlib>
using namespace metal;

kernel void places(
    device float* out [[buffer(0)]],
    uint group [[threadgroup_position_in_grid]],
    uint place [[thread_position_in_threadgroup]],
    uint size [[threads_per_threadgroup]]) {
  // Group 2, place 5 becomes 2.05.
  out[group * size + place] = float(group) + float(place) / 100;
}
