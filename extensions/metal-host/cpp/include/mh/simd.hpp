// SIMD-group and quad-group operations: reductions, prefix sums, shuffles, votes. Lanes that are not active do not contribute.
#pragma once
#include "mh/sync.hpp"

namespace mh {
#define MH_ACTIVE(lane) (active >> (lane) & 1)
#define MH_COMBINE(name) MH_UNSEEN void name(const unsigned char* in, unsigned char* out, uint32_t active, const uint32_t* aux)

// Halves the lanes five times, as a tree: the order of the additions is that of shuffles, not of a loop.
template <class T, class Op> MH_COMBINE(reduce) {
  (void)aux;
  T v[32];
  uint32_t have = active;
  for (int l = 0; l < 32; l++) if (MH_ACTIVE(l)) v[l] = slot_read<T>(in, l);
  for (int half = 16; half; half >>= 1)
    for (int l = 0; l < half; l++) {
      bool a = have >> l & 1, b = have >> (l + half) & 1;
      if (a && b) v[l] = Op::f(v[l], v[l + half]);
      else if (b) { v[l] = v[l + half]; have |= 1u << l; }
    }
  for (int l = 0; l < 32; l++) if (MH_ACTIVE(l)) slot_write<T>(out, l, v[0]);
}
template <class T, class Op> MH_COMBINE(reduce_quad) {
  (void)aux;
  for (int quad = 0; quad < 32; quad += 4) {
    T v{};
    bool have = false;
    for (int l = quad; l < quad + 4; l++)
      if (MH_ACTIVE(l)) { T x = slot_read<T>(in, l); v = have ? Op::f(v, x) : x; have = true; }
    for (int l = quad; l < quad + 4; l++) if (MH_ACTIVE(l)) slot_write<T>(out, l, v);
  }
}
template <class T, class Op, bool Inclusive> MH_COMBINE(scan) {
  (void)aux;
  T sum = Op::template identity<T>();
  for (int l = 0; l < 32; l++)
    if (MH_ACTIVE(l)) {
      T x = slot_read<T>(in, l);
      if (!Inclusive) slot_write<T>(out, l, sum);
      sum = Op::f(sum, x);
      if (Inclusive) slot_write<T>(out, l, sum);
    }
}
// aux[lane] is the lane to read from. A lane outside or inactive gives the lane's own value; a GPU gives anything.
template <class T> MH_COMBINE(gather) {
  for (int l = 0; l < 32; l++)
    if (MH_ACTIVE(l)) {
      uint32_t from = aux[l];
      bool there = from < 32 && MH_ACTIVE(from);
      slot_write<T>(out, l, slot_read<T>(in, there ? (int)from : l));
    }
}
MH_UNSEEN inline void ballot(const unsigned char* in, unsigned char* out, uint32_t active, const uint32_t*) {
  uint64_t mask = 0;
  for (int l = 0; l < 32; l++) if (MH_ACTIVE(l) && slot_read<bool>(in, l)) mask |= 1ull << l;
  for (int l = 0; l < 32; l++) if (MH_ACTIVE(l)) slot_write<uint64_t>(out, l, mask);
}
METAL_FUNC uint64_t vote(const mh_site* site, bool x) {
  uint64_t mask;
  exchange(&ballot, site, &x, 1, &mask, 8, 0);
  return mask;
}

struct add { template <class T> static T f(const T& a, const T& b) { return T(a + b); } template <class T> static T identity() { return T(0); } };
struct mul { template <class T> static T f(const T& a, const T& b) { return T(a * b); } template <class T> static T identity() { return T(1); } };
struct larger { template <class T> static T f(const T& a, const T& b) { return metal::max(a, b); } };
struct smaller { template <class T> static T f(const T& a, const T& b) { return metal::min(a, b); } };
struct bit_and { template <class T> static T f(const T& a, const T& b) { return T(a & b); } };
struct bit_or { template <class T> static T f(const T& a, const T& b) { return T(a | b); } };
struct bit_xor { template <class T> static T f(const T& a, const T& b) { return T(a ^ b); } };

// What lanes exchange: numbers of up to 32 bits and vectors of them. MLX has functions of its own for the others.
template <class T> constexpr bool is_lane_number = is_number<T>::value && sizeof(T) <= 4 && !std::is_same<T, bool>::value;
template <class T> constexpr bool is_lane_type = is_lane_number<T>;
template <class T, int N> constexpr bool is_lane_type<vec<T, N>> = is_lane_number<T>;
#define MH_LANE_TYPE(T)              \
  static_assert(mh::is_lane_type<T>, \
      "SIMD-group functions take numbers of up to 32 bits and vectors of them, not bool, 64 bits, pointers or structures")
}  // namespace mh

namespace metal {
#define MH_REDUCE(name, op)                                         \
  template <class T> METAL_FUNC T simd_##name(T x, MH_AT) {          \
    MH_LANE_TYPE(T);                                                \
    MH_SITE("simd_" #name);                                         \
    return mh::collective<T>(&mh::reduce<T, mh::op>, &mh_here, x);  \
  }                                                                 \
  template <class T> METAL_FUNC T quad_##name(T x, MH_AT) {          \
    MH_LANE_TYPE(T);                                                \
    MH_SITE("quad_" #name);                                         \
    return mh::collective<T>(&mh::reduce_quad<T, mh::op>, &mh_here, x); \
  }
MH_REDUCE(sum, add) MH_REDUCE(product, mul) MH_REDUCE(max, larger) MH_REDUCE(min, smaller)
MH_REDUCE(and, bit_and) MH_REDUCE(or, bit_or) MH_REDUCE(xor, bit_xor)

#define MH_SCAN(name, op, inclusive)                                             \
  template <class T> METAL_FUNC T simd_prefix_##name(T x, MH_AT) {                \
    MH_LANE_TYPE(T);                                                             \
    MH_SITE("simd_prefix_" #name);                                               \
    return mh::collective<T>(&mh::scan<T, mh::op, inclusive>, &mh_here, x);      \
  }
MH_SCAN(inclusive_sum, add, true) MH_SCAN(exclusive_sum, add, false)
MH_SCAN(inclusive_product, mul, true) MH_SCAN(exclusive_product, mul, false)

// `l` is the lane, `k` the argument, `from` the lane that is read.
#define MH_GATHER(group, name, from)                                             \
  template <class T> METAL_FUNC T group##_##name(T x, ushort k, MH_AT) {          \
    MH_LANE_TYPE(T);                                                             \
    MH_SITE(#group "_" #name);                                                   \
    uint l = mh_current->lane;                                                   \
    (void)l;                                                                     \
    return mh::collective<T>(&mh::gather<T>, &mh_here, x, (uint32_t)(from));     \
  }
MH_GATHER(simd, shuffle, k) MH_GATHER(simd, broadcast, k) MH_GATHER(simd, shuffle_xor, l ^ k)
MH_GATHER(simd, shuffle_down, l + k < 32 ? l + k : l) MH_GATHER(simd, shuffle_up, l >= k ? l - k : l)
MH_GATHER(simd, shuffle_rotate_down, (l + k) & 31) MH_GATHER(simd, shuffle_rotate_up, (l + 32 - k) & 31)
MH_GATHER(quad, shuffle, (l & ~3u) + (k & 3)) MH_GATHER(quad, broadcast, (l & ~3u) + (k & 3))
MH_GATHER(quad, shuffle_xor, l ^ (k & 3))

// Lanes pushed out on one side of `x` are filled from the other side of `fill`.
#define MH_FILL(name, inside, from, from_fill)                                                    \
  template <class T> METAL_FUNC T simd_shuffle_and_fill_##name(T x, T fill, ushort k, MH_AT) {     \
    MH_LANE_TYPE(T);                                                                              \
    MH_SITE("simd_shuffle_and_fill_" #name);                                                      \
    uint l = mh_current->lane;                                                                    \
    T moved = mh::collective<T>(&mh::gather<T>, &mh_here, x, (inside) ? (from) : l);              \
    T filled = mh::collective<T>(&mh::gather<T>, &mh_here, fill, (from_fill) & 31);               \
    return (inside) ? moved : filled;                                                             \
  }
MH_FILL(up, l >= k, l - k, l + 32 - k) MH_FILL(down, l + k < 32, l + k, l + k)

struct simd_vote {
  typedef uint64_t vote_t;
  vote_t mh_mask;
  simd_vote(vote_t x = 0) : mh_mask(x) {}
  explicit operator vote_t() const { return mh_mask; }
  bool all() const { return mh_mask == 0xffffffffull; }
  bool any() const { return mh_mask != 0; }
};
METAL_FUNC simd_vote simd_ballot(bool x, MH_AT) { MH_SITE("simd_ballot"); return simd_vote(mh::vote(&mh_here, x)); }
METAL_FUNC simd_vote simd_active_threads_mask(MH_AT) {
  MH_SITE("simd_active_threads_mask");
  return simd_vote(mh::vote(&mh_here, true));
}
METAL_FUNC bool simd_all(bool x, MH_AT) { MH_SITE("simd_all"); return mh::vote(&mh_here, !x) == 0; }
METAL_FUNC bool simd_any(bool x, MH_AT) { MH_SITE("simd_any"); return mh::vote(&mh_here, x) != 0; }
METAL_FUNC bool simd_is_first(MH_AT) {
  MH_SITE("simd_is_first");
  return (uint)__builtin_ctzll(mh::vote(&mh_here, true)) == mh_current->lane;
}
template <class T> METAL_FUNC T simd_broadcast_first(T x, MH_AT) {
  MH_LANE_TYPE(T);
  MH_SITE("simd_broadcast_first");
  uint64_t active = mh::vote(&mh_here, true);
  return mh::collective<T>(&mh::gather<T>, &mh_here, x, (uint32_t)__builtin_ctzll(active));
}
}  // namespace metal
