// Vectors: float4, half2 and so on. Plain members, so that they stay trivially copyable; `v.xy` is rewritten by the translator
// to `v.xy()`, and to `v.xy_l()` in front of an assignment. Only the swizzles that a source uses are generated.
#pragma once
#include "mh/scalar.hpp"

namespace mh {
template <class T>
struct is_number : std::integral_constant<bool, std::is_arithmetic<T>::value || std::is_same<T, half>::value ||
                                                    std::is_same<T, bfloat>::value> {};
template <class T, int N> struct vec;
template <class V, int... I> struct swizzle;

// vn<X>: components of X, 0 for what is no vector. ve<X>: the type of one.
template <class X> struct shape_of { static constexpr int n = 0; typedef X element; };
template <class T, int N> struct shape_of<vec<T, N>> { static constexpr int n = N; typedef T element; };
template <class X> constexpr int vn = shape_of<std::remove_cv_t<std::remove_reference_t<X>>>::n;
template <class X> using ve = typename shape_of<std::remove_cv_t<std::remove_reference_t<X>>>::element;

template <class T, int N> struct members {
  static_assert(N != N, "a vector has 2, 3 or 4 components");
  T x;
};
template <class T> struct alignas(sizeof(T) * 2) members<T, 2> { T x, y; };
template <class T> struct alignas(sizeof(T) * 4) members<T, 3> { T x, y, z; };  // as large as four, as in Metal
template <class T> struct alignas(sizeof(T) * 4) members<T, 4> { T x, y, z, w; };

template <class T, int N> struct vec : members<T, N> {
  vec() = default;
  T& operator[](int i) { return (&this->x)[i]; }
  const T& operator[](int i) const { return (&this->x)[i]; }
  template <class S, std::enable_if_t<is_number<S>::value, int> = 0>
  constexpr vec(S s) : members<T, N>{} {
    for (int i = 0; i < N; i++) (&this->x)[i] = (T)s;
  }
  template <class U, std::enable_if_t<!std::is_same<U, T>::value, int> = 0>
  explicit constexpr vec(const vec<U, N>& o) : members<T, N>{} {
    for (int i = 0; i < N; i++) (&this->x)[i] = (T)o[i];
  }
  // From scalars and shorter vectors that have N components together.
  template <class A, class B, class... R,
            std::enable_if_t<(vn<A> ? vn<A> : 1) + (vn<B> ? vn<B> : 1) + (0 + ... + (vn<R> ? vn<R> : 1)) == N, int> = 0>
  constexpr vec(const A& a, const B& b, const R&... r) : members<T, N>{} {
    int k = 0;
    put(k, a);
    put(k, b);
    (put(k, r), ...);
  }
#define MH_SWIZZLE(name, ...)                                                    \
  auto name() const { return swizzle<const vec, __VA_ARGS__>{*this}.get(); }     \
  swizzle<vec, __VA_ARGS__> name##_l() { return {*this}; }
  MH_SWIZZLES

 private:
  template <class A> constexpr void put(int& k, const A& a) {
    if constexpr (vn<A> == 0) {
      (&this->x)[k++] = (T)a;
    } else {
      vec<ve<A>, vn<A>> t(a);
      for (int i = 0; i < vn<A>; i++) (&this->x)[k++] = (T)t[i];
    }
  }
};

// A view of some components that can be assigned.
template <class V, int... I> struct swizzle {
  V& v;
  static constexpr int K = sizeof...(I);
  typedef vec<ve<V>, K> R;
  R get() const {
    constexpr int at[K] = {I...};
    R r;
    for (int i = 0; i < K; i++) r[i] = v[at[i]];
    return r;
  }
  const swizzle& operator=(const R& o) const {
    constexpr int at[K] = {I...};
    for (int i = 0; i < K; i++) v[at[i]] = o[i];
    return *this;
  }
#define MH_ASSIGN(op) \
  template <class B> const swizzle& operator op##=(const B & b) const { R t = get(); t op##= R(b); return *this = t; }
  MH_ASSIGN(+) MH_ASSIGN(-) MH_ASSIGN(*) MH_ASSIGN(/)
};

// One way to read components of vectors and scalars alike.
template <class A> inline auto lift(const A& a) {
  if constexpr (vn<A> == 0) return a; else return vec<ve<A>, vn<A>>(a);
}
template <class T> inline T at(const T& a, int) { return a; }
template <class T, int N> inline T at(const vec<T, N>& a, int i) { return a[i]; }

// Two vectors of one type, or a vector and a number.
template <class A, class B>
constexpr bool is_pair = (vn<A> > 0 && vn<B> > 0)
                             ? (vn<A> == vn<B> && std::is_same<ve<A>, ve<B>>::value)
                             : ((vn<A> > 0 && is_number<B>::value) || (vn<B> > 0 && is_number<A>::value));
template <class A, class B> using pair_e = std::conditional_t<(vn<A> > 0), ve<A>, ve<B>>;
template <class A, class B> constexpr int pair_n = vn<A> > 0 ? vn<A> : vn<B>;

#define MH_COMPONENTS(N, expression) \
  for (int i = 0; i < (N); i++) r[i] = expression; \
  return r;
#define MH_BINARY(op)                                                                                                \
  template <class A, class B, std::enable_if_t<is_pair<A, B>, int> = 0>                                               \
  inline auto operator op(const A & a_, const B & b_) {                                                                \
    typedef pair_e<A, B> E;                                                                                             \
    vec<E, pair_n<A, B>> r;                                                                                             \
    auto a = lift(a_);                                                                                                  \
    auto b = lift(b_);                                                                                                  \
    MH_COMPONENTS((pair_n<A, B>), (E)((E)at(a, i) op (E)at(b, i)))                                                      \
  }                                                                                                                     \
  template <class T, int N, class B, std::enable_if_t<is_pair<vec<T, N>, B>, int> = 0>                                  \
  inline vec<T, N>& operator op##=(vec<T, N>& r, const B & b_) {                                                        \
    auto b = lift(b_);                                                                                                  \
    MH_COMPONENTS(N, (T)(r[i] op (T)at(b, i)))                                                                          \
  }
MH_BINARY(+) MH_BINARY(-) MH_BINARY(*) MH_BINARY(/) MH_BINARY(%) MH_BINARY(&) MH_BINARY(|) MH_BINARY(^)
#define MH_SHIFT(op)                                                                                                  \
  template <class A, class B,                                                                                          \
            std::enable_if_t<(vn<A> > 0) && (vn<B> == vn<A> || std::is_integral<B>::value), int> = 0>                   \
  inline auto operator op(const A & a_, const B & b_) {                                                                 \
    vec<ve<A>, vn<A>> r;                                                                                                \
    auto a = lift(a_);                                                                                                  \
    auto b = lift(b_);                                                                                                  \
    MH_COMPONENTS(vn<A>, (ve<A>)(a[i] op at(b, i)))                                                                     \
  }
MH_SHIFT(<<) MH_SHIFT(>>)
#define MH_COMPARE(op)                                                                                                \
  template <class A, class B, std::enable_if_t<is_pair<A, B>, int> = 0>                                                 \
  inline auto operator op(const A & a_, const B & b_) {                                                                 \
    vec<bool, pair_n<A, B>> r;                                                                                          \
    auto a = lift(a_);                                                                                                  \
    auto b = lift(b_);                                                                                                  \
    MH_COMPONENTS((pair_n<A, B>), at(a, i) op at(b, i))                                                                 \
  }
MH_COMPARE(<) MH_COMPARE(>) MH_COMPARE(<=) MH_COMPARE(>=) MH_COMPARE(==) MH_COMPARE(!=)
template <class T, int N> inline vec<T, N> operator-(const vec<T, N>& a) { vec<T, N> r; MH_COMPONENTS(N, (T)-a[i]) }
template <class T, int N> inline vec<T, N> operator~(const vec<T, N>& a) { vec<T, N> r; MH_COMPONENTS(N, (T)~a[i]) }
template <class T, int N> inline vec<bool, N> operator!(const vec<T, N>& a) { vec<bool, N> r; MH_COMPONENTS(N, !a[i]) }

// Without padding and alignment of its own.
template <class T, int N> struct packed {
  T v[N];
  packed() = default;
  packed(const vec<T, N>& o) { for (int i = 0; i < N; i++) v[i] = o[i]; }
  operator vec<T, N>() const { vec<T, N> r; MH_COMPONENTS(N, v[i]) }
  T& operator[](int i) { return v[i]; }
  const T& operator[](int i) const { return v[i]; }
};
}  // namespace mh

#define MH_NAMES(T)                                                              \
  typedef mh::vec<T, 2> T##2; typedef mh::vec<T, 3> T##3; typedef mh::vec<T, 4> T##4; \
  typedef mh::packed<T, 2> packed_##T##2; typedef mh::packed<T, 3> packed_##T##3; typedef mh::packed<T, 4> packed_##T##4;
MH_NAMES(float) MH_NAMES(half) MH_NAMES(bfloat) MH_NAMES(int) MH_NAMES(uint) MH_NAMES(short) MH_NAMES(ushort)
MH_NAMES(char) MH_NAMES(uchar) MH_NAMES(long) MH_NAMES(ulong) MH_NAMES(bool)

// The bits of one type as another.
template <class To, class From> inline To as_type(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "as_type needs types of the same size");
  To to;
  __builtin_memcpy((void*)&to, (const void*)&from, sizeof(To));
  return to;
}
