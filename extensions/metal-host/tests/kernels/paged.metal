#include <metal_stdlib>
using namespace metal;

struct PagedArgs { int n_heads; int n_kv_heads; int block; int max_blocks; float scale; };

// Decode attention for a batch of sequences whose keys and values live in pages: k, v [n_pages, Hkv, block, D], table [B, max_blocks].
template <typename T, int D, int SG = 4>
[[kernel]] void attn_paged(
    device const T* q [[buffer(0)]],
    device const T* kp [[buffer(1)]],
    device const T* vp [[buffer(2)]],
    device const int* table [[buffer(3)]],
    device const int* lengths [[buffer(4)]],
    device T* out [[buffer(5)]],
    constant PagedArgs& a [[buffer(6)]],
    threadgroup float* part [[threadgroup(0)]],
    uint2 tg [[threadgroup_position_in_grid]],
    uint sg [[simdgroup_index_in_threadgroup]],
    uint lane [[thread_index_in_simdgroup]]) {
  constexpr int E = D / 32;
  const int kvh = int(tg.x) / (a.n_heads / a.n_kv_heads), len = lengths[tg.y];
  q += (size_t(tg.y) * a.n_heads + tg.x) * D + lane * E;
  float qr[E], o[E] = {0}, m = -INFINITY, s = 0;
  for (int i = 0; i < E; i++) qr[i] = float(q[i]) * a.scale;
  for (int b = int(sg); b * a.block < len; b += SG) {
    const size_t page = table[tg.y * a.max_blocks + b];
    const size_t base = ((page * a.n_kv_heads + kvh) * a.block) * D + lane * E;
    const int n = min(a.block, len - b * a.block);
    for (int t = 0; t < n; t++) {
      float d = 0;
      for (int i = 0; i < E; i++) d += qr[i] * float(kp[base + t * D + i]);
      d = simd_sum(d);
      const float mn = max(m, d), f = exp(m - mn), p = exp(d - mn);
      s = s * f + p;
      for (int i = 0; i < E; i++) o[i] = o[i] * f + p * float(vp[base + t * D + i]);
      m = mn;
    }
  }
  threadgroup float* ms = part + SG * D;
  for (int i = 0; i < E; i++) part[sg * D + lane * E + i] = o[i];
  if (lane == 0) { ms[2 * sg] = m; ms[2 * sg + 1] = s; }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (sg == 0) {
    float g = -INFINITY, total = 0, r[E] = {0};
    for (int j = 0; j < SG; j++) g = max(g, ms[2 * j]);
    for (int j = 0; j < SG; j++) {
      const float w = exp(ms[2 * j] - g);
      total += ms[2 * j + 1] * w;
      for (int i = 0; i < E; i++) r[i] += part[j * D + lane * E + i] * w;
    }
    for (int i = 0; i < E; i++) out[(size_t(tg.y) * a.n_heads + tg.x) * D + lane * E + i] = T(r[i] / total);
  }
}
template [[host_name("attn_paged_f16_d64")]] [[kernel]] decltype(attn_paged<half, 64>) attn_paged<half, 64>;
