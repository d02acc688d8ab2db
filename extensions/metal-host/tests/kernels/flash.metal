#include <metal_stdlib>
using namespace metal;

struct FlashArgs { int n_heads; int n_kv_heads; int q_len; int kv_len; float scale; int causal; };

// Prefill: q [H, Tq, D], k and v [Hkv, Tk, D]. A threadgroup of four SIMD groups owns 32 query rows; key blocks of 32 are
// staged in threadgroup memory; scores and the output accumulator live in SIMD-group matrices.
template <typename T, int D>
[[kernel]] void flash(
    device const T* q [[buffer(0)]],
    device const T* k [[buffer(1)]],
    device const T* v [[buffer(2)]],
    device T* out [[buffer(3)]],
    constant FlashArgs& a [[buffer(4)]],
    uint2 tg [[threadgroup_position_in_grid]],
    ushort tid [[thread_index_in_threadgroup]],
    ushort sg [[simdgroup_index_in_threadgroup]],
    ushort lane [[thread_index_in_simdgroup]]) {
  constexpr short BQ = 32, BKV = 32, DF = D / 8;
  threadgroup half Ks[BKV * D], Vs[BKV * D];
  const int head = tg.y, kvh = head / (a.n_heads / a.n_kv_heads), row0 = int(tg.x) * BQ + sg * 8;
  // where this lane's two elements of an 8x8 fragment are
  const short fr = ((lane / 4) & 4) + (lane / 2) % 4, fc = ((lane / 4) & 2) * 2 + (lane % 2) * 2;
  simdgroup_matrix<half, 8, 8> Q[DF];
  simdgroup_matrix<float, 8, 8> O[DF];
  for (short d = 0; d < DF; d++) {
    const int r = row0 + fr;
    half2 e = half2(0);
    if (r < a.q_len) {
      device const T* p = q + (size_t(head) * a.q_len + r) * D + d * 8 + fc;
      e = half2(half(float(p[0]) * a.scale), half(float(p[1]) * a.scale));
    }
    reinterpret_cast<thread half2&>(Q[d].thread_elements()) = e;
    O[d] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  }
  float m = -INFINITY, s = 0;
  const int diag = a.kv_len - a.q_len;
  for (int kb = 0; kb < a.kv_len; kb += BKV) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int e = tid; e < BKV * D; e += 128) {
      const bool in = kb + e / D < a.kv_len;
      const size_t g = (size_t(kvh) * a.kv_len + kb) * D + e;
      Ks[e] = in ? half(k[g]) : half(0);
      Vs[e] = in ? half(v[g]) : half(0);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    simdgroup_matrix<float, 8, 8> S[BKV / 8];
    float mn = m;
    for (short j = 0; j < BKV / 8; j++) {
      S[j] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
      for (short d = 0; d < DF; d++) {
        simdgroup_matrix<half, 8, 8> kt;
        simdgroup_load(kt, Ks + j * 8 * D + d * 8, D, ulong2(0, 0), true);
        simdgroup_multiply_accumulate(S[j], Q[d], kt, S[j]);
      }
      thread float2& e = reinterpret_cast<thread float2&>(S[j].thread_elements());
      for (short i = 0; i < 2; i++) {
        const int col = kb + j * 8 + fc + i;
        if (col >= a.kv_len || (a.causal && col > row0 + fr + diag)) e[i] = -INFINITY;
        mn = max(mn, e[i]);
      }
    }
    // the four lanes of a row differ in bits 0 and 3 of the lane index
    mn = max(mn, simd_shuffle_xor(mn, ushort(1)));
    mn = max(mn, simd_shuffle_xor(mn, ushort(8)));
    const float f = mn == -INFINITY ? 1.0f : exp(m - mn);
    float rs = 0;
    simdgroup_matrix<half, 8, 8> P[BKV / 8];
    for (short j = 0; j < BKV / 8; j++) {
      thread float2& e = reinterpret_cast<thread float2&>(S[j].thread_elements());
      half2 p;
      for (short i = 0; i < 2; i++) { float x = mn == -INFINITY ? 0.0f : exp(e[i] - mn); rs += x; p[i] = half(x); }
      reinterpret_cast<thread half2&>(P[j].thread_elements()) = p;
    }
    rs += simd_shuffle_xor(rs, ushort(1));
    rs += simd_shuffle_xor(rs, ushort(8));
    s = s * f + rs;
    m = mn;
    for (short d = 0; d < DF; d++) {
      thread float2& e = reinterpret_cast<thread float2&>(O[d].thread_elements());
      e *= f;
      for (short j = 0; j < BKV / 8; j++) {
        simdgroup_matrix<half, 8, 8> vf;
        simdgroup_load(vf, Vs + j * 8 * D + d * 8, D);
        simdgroup_multiply_accumulate(O[d], P[j], vf, O[d]);
      }
    }
  }
  const int r = row0 + fr;
  if (r < a.q_len)
    for (short d = 0; d < DF; d++) {
      float2 e = reinterpret_cast<thread float2&>(O[d].thread_elements()) / s;
      device T* p = out + (size_t(head) * a.q_len + r) * D + d * 8 + fc;
      p[0] = T(e.x);
      p[1] = T(e.y);
    }
}
template [[host_name("flash_f32_d64")]] [[kernel]] decltype(flash<float, 64>) flash<float, 64>;
template [[host_name("flash_bf16_d128")]] [[kernel]] decltype(flash<bfloat, 128>) flash<bfloat, 128>;
