// What one thread writes in threadgroup memory another may read after a barrier that all have reached.
#include <metal_stdlib>
using namespace metal;

kernel void turned(
    device const float* x [[buffer(0)]],
    device float* out [[buffer(1)]],
    uint place [[thread_index_in_threadgroup]],
    uint size [[threads_per_threadgroup]]) {
  threadgroup float shared[64];
  shared[place] = x[place];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  // Written by the thread at the other end, which may be in another SIMD group.
  out[place] = shared[size - 1 - place];
}
