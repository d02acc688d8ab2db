#include <metal_stdlib>
using namespace metal;

struct DecodeArgs { int n_heads; int n_kv_heads; int length; float scale; };

// Decode attention for one new token: q [H, D], k and v [Hkv, L, D]. One threadgroup per query head.
// Every SIMD group walks its share of the keys with an online softmax; the partial results meet in threadgroup memory.
template <typename T, int D, int SG = 8>
[[kernel]] void attn_decode(
    device const T* q [[buffer(0)]],
    device const T* k [[buffer(1)]],
    device const T* v [[buffer(2)]],
    device T* out [[buffer(3)]],
    constant DecodeArgs& a [[buffer(4)]],
    uint head [[threadgroup_position_in_grid]],
    uint sg [[simdgroup_index_in_threadgroup]],
    uint lane [[thread_index_in_simdgroup]]) {
  constexpr int E = D / 32;
  threadgroup float part[SG * D];
  threadgroup float maxes[SG], sums[SG];
  const int kvh = int(head) / (a.n_heads / a.n_kv_heads);
  q += head * D + lane * E;
  k += size_t(kvh) * a.length * D + lane * E;
  v += size_t(kvh) * a.length * D + lane * E;
  float qr[E], o[E];
  for (int i = 0; i < E; i++) { qr[i] = float(q[i]) * a.scale; o[i] = 0; }
  float m = -INFINITY, s = 0;
  for (int t = int(sg); t < a.length; t += SG) {
    float d = 0;
    for (int i = 0; i < E; i++) d += qr[i] * float(k[t * D + i]);
    d = simd_sum(d);
    const float mn = max(m, d), f = fast::exp(m - mn), p = fast::exp(d - mn);
    s = s * f + p;
    for (int i = 0; i < E; i++) o[i] = o[i] * f + p * float(v[t * D + i]);
    m = mn;
  }
  for (int i = 0; i < E; i++) part[sg * D + lane * E + i] = o[i];
  if (lane == 0) { maxes[sg] = m; sums[sg] = s; }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float pm = lane < SG ? maxes[lane] : -INFINITY;
  const float g = simd_max(pm);
  const float w = lane < SG ? fast::exp(pm - g) : 0.0f;
  const float total = simd_sum(lane < SG ? sums[lane] * w : 0.0f);
  for (int i = int(sg); i < D; i += SG) {
    float x = simd_sum(lane < SG ? part[lane * D + i] * w : 0.0f);
    if (lane == 0) out[head * D + i] = T(x / total);
  }
}
template [[host_name("attn_decode_f32_d64")]] [[kernel]] decltype(attn_decode<float, 64>) attn_decode<float, 64>;
template [[host_name("attn_decode_bf16_d128")]] [[kernel]] decltype(attn_decode<bfloat, 128>) attn_decode<bfloat, 128>;
