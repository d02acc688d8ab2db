// 8x8 matrices of a SIMD group: two elements a lane, in the layout that MLX's kernels rely on.
#pragma once
#include "mh/simd.hpp"

namespace mh {
// Lane l holds (row, column) and (row, column + 1).
METAL_FUNC void fragment(uint lane, uint& row, uint& column) {
  uint quad = lane / 4;
  row = (quad & 4) + (lane / 2) % 4;
  column = (quad & 2) * 2 + (lane % 2) * 2;
}
}  // namespace mh

namespace metal {
template <class T, int R, int C> struct simdgroup_matrix {
  static_assert(R == 8 && C == 8, "only 8x8 SIMD-group matrices exist");
  typedef vec<T, 2> storage_type;
  storage_type mh_elements;
  simdgroup_matrix() = default;
  explicit simdgroup_matrix(T diagonal) {
    uint r, c;
    mh::fragment(mh_current->lane, r, c);
    mh_elements = storage_type(c == r ? diagonal : T(0), c + 1 == r ? diagonal : T(0));
  }
  storage_type& thread_elements() { return mh_elements; }
  const storage_type& thread_elements() const { return mh_elements; }
};
typedef simdgroup_matrix<float, 8, 8> simdgroup_float8x8;
typedef simdgroup_matrix<half, 8, 8> simdgroup_half8x8;
typedef simdgroup_matrix<bfloat, 8, 8> simdgroup_bfloat8x8;

template <class T, int R, int C> METAL_FUNC simdgroup_matrix<T, R, C> make_filled_simdgroup_matrix(T v) {
  simdgroup_matrix<T, R, C> m;
  m.mh_elements = vec<T, 2>(v, v);
  return m;
}
// Calls f(k, element of the memory) for the two elements k of this lane.
template <class F> METAL_FUNC void mh_elements_of(ulong stride, ulong2 origin, bool transposed, F f) {
  uint r, c;
  mh::fragment(mh_current->lane, r, c);
  for (int k = 0; k < 2; k++) {
    ulong row = transposed ? c + k : r, column = transposed ? r : c + k;
    f(k, (origin.y + row) * stride + origin.x + column);
  }
}
template <class T, class P>
METAL_FUNC void simdgroup_load(simdgroup_matrix<T, 8, 8>& m, const P* p, ulong stride = 8, ulong2 origin = ulong2(0, 0),
                               bool transposed = false) {
  mh_elements_of(stride, origin, transposed, [&](int k, ulong i) { m.mh_elements[k] = T(p[i]); });
}
template <class T, class P>
METAL_FUNC void simdgroup_store(const simdgroup_matrix<T, 8, 8>& m, P* p, ulong stride = 8, ulong2 origin = ulong2(0, 0),
                                bool transposed = false) {
  mh_elements_of(stride, origin, transposed, [&](int k, ulong i) { p[i] = P(m.mh_elements[k]); });
}
}  // namespace metal

namespace mh {
template <class A, class B, class C> struct operands { A a[2]; B b[2]; C c[2]; };
// d = a b (+ c), summed in float.
template <class D, class A, class B, class C, bool Accumulate> MH_COMBINE(multiply) {
  (void)aux;
  float a[8][8], b[8][8], d[8][8];
  uint r, c;
  for (int l = 0; l < 32; l++) {
    fragment(l, r, c);
    operands<A, B, C> p{};
    if (MH_ACTIVE(l)) p = slot_read<operands<A, B, C>>(in, l);
    for (int k = 0; k < 2; k++) {
      a[r][c + k] = float(p.a[k]);
      b[r][c + k] = float(p.b[k]);
      d[r][c + k] = Accumulate ? float(p.c[k]) : 0.0f;
    }
  }
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 8; k++)
      for (int j = 0; j < 8; j++) d[i][j] += a[i][k] * b[k][j];
  for (int l = 0; l < 32; l++)
    if (MH_ACTIVE(l)) {
      fragment(l, r, c);
      slot_write(out, l, vec<D, 2>(D(d[r][c]), D(d[r][c + 1])));
    }
}
}  // namespace mh

namespace metal {
template <class T> using mh_matrix = simdgroup_matrix<T, 8, 8>;
template <class D, class A, class B, class C>
METAL_FUNC void simdgroup_multiply_accumulate(mh_matrix<D>& d, const mh_matrix<A>& a, const mh_matrix<B>& b,
                                              const mh_matrix<C>& c, MH_AT) {
  MH_SITE("simdgroup_multiply_accumulate");
  mh::operands<A, B, C> p{{a.mh_elements.x, a.mh_elements.y}, {b.mh_elements.x, b.mh_elements.y},
                          {c.mh_elements.x, c.mh_elements.y}};
  mh::exchange(&mh::multiply<D, A, B, C, true>, &mh_here, &p, sizeof p, &d.mh_elements, sizeof d.mh_elements, 0);
}
template <class D, class A, class B>
METAL_FUNC void simdgroup_multiply(mh_matrix<D>& d, const mh_matrix<A>& a, const mh_matrix<B>& b, MH_AT) {
  MH_SITE("simdgroup_multiply");
  mh::operands<A, B, D> p{{a.mh_elements.x, a.mh_elements.y}, {b.mh_elements.x, b.mh_elements.y}, {D(0), D(0)}};
  mh::exchange(&mh::multiply<D, A, B, D, false>, &mh_here, &p, sizeof p, &d.mh_elements, sizeof d.mh_elements, 0);
}
}  // namespace metal
