// Mathematical functions of Metal, for numbers and component by component for vectors.
//
// Builtins and no <cmath>: its ::exp(double) and ::abs(int) would compete under `using namespace metal`. All of them are
// templates, so that a kernel's own overloads win.
#pragma once
#include "mh/traits.hpp"

#define METAL_FUNC inline __attribute__((always_inline))

namespace metal {
template <class T> constexpr bool mh_float = is_same_v<T, float> || is_same_v<T, half> || is_same_v<T, bfloat>;
template <class T> constexpr bool mh_number = std::is_arithmetic<T>::value || mh_float<T>;
#define MH_FLOATING(T) class T, enable_if_t<mh_float<T>, int> = 0
#define MH_NUMBER(T) class T, enable_if_t<mh_number<T>, int> = 0
#define MH_WHOLE(T) class T, enable_if_t<std::is_integral<T>::value, int> = 0
template <class A, class F> inline auto mh_each(const A& a_, F f) {
  auto a = mh::lift(a_);
  for (int i = 0; i < mh::vn<A>; i++) a[i] = f(a[i]);
  return a;
}

// One argument, computed in float.
#define MH_F1(name, fn)                                                                     \
  template <MH_FLOATING(T)> METAL_FUNC T name(T x) { return T(fn(float(x))); }               \
  template <class A, enable_if_t<(mh::vn<A> > 0), int> = 0> METAL_FUNC auto name(const A& x) { \
    return mh_each(x, [](auto e) { return name(e); });                                       \
  }
inline float mh_rsqrt(float x) { return 1.0f / __builtin_sqrtf(x); }
inline float mh_sign(float x) { return x > 0 ? 1.0f : (x < 0 ? -1.0f : 0.0f); }
inline float mh_saturate(float x) { return x < 0 ? 0.0f : (x > 1 ? 1.0f : x); }
inline float mh_fract(float x) { return x - __builtin_floorf(x); }
inline float mh_exp10(float x) { return __builtin_powf(10.0f, x); }
#define MH_ONE                                                                                                      \
  MH_F1(exp, __builtin_expf) MH_F1(exp2, __builtin_exp2f) MH_F1(exp10, mh_exp10) MH_F1(log, __builtin_logf)          \
  MH_F1(log2, __builtin_log2f) MH_F1(log10, __builtin_log10f) MH_F1(sqrt, __builtin_sqrtf) MH_F1(rsqrt, mh_rsqrt)    \
  MH_F1(sin, __builtin_sinf) MH_F1(cos, __builtin_cosf) MH_F1(tan, __builtin_tanf) MH_F1(asin, __builtin_asinf)      \
  MH_F1(acos, __builtin_acosf) MH_F1(atan, __builtin_atanf) MH_F1(sinh, __builtin_sinhf)                             \
  MH_F1(cosh, __builtin_coshf) MH_F1(tanh, __builtin_tanhf) MH_F1(asinh, __builtin_asinhf)                           \
  MH_F1(acosh, __builtin_acoshf) MH_F1(atanh, __builtin_atanhf) MH_F1(floor, __builtin_floorf)                       \
  MH_F1(ceil, __builtin_ceilf) MH_F1(round, __builtin_roundf) MH_F1(rint, __builtin_rintf)                           \
  MH_F1(trunc, __builtin_truncf) MH_F1(fabs, __builtin_fabsf)
MH_ONE
MH_F1(sign, mh_sign) MH_F1(saturate, mh_saturate) MH_F1(fract, mh_fract)
template <MH_NUMBER(T)> METAL_FUNC T abs(T x) {
  if constexpr (mh_float<T>) return T(__builtin_fabsf(float(x))); else return x < 0 ? T(-x) : x;
}
template <class A, enable_if_t<(mh::vn<A> > 0), int> = 0> METAL_FUNC auto abs(const A& x) {
  return mh_each(x, [](auto e) { return abs(e); });
}

// Two arguments of one type; the second may be a number for a vector.
#define MH_F2(name, expression)                                                                      \
  template <MH_NUMBER(T)> METAL_FUNC T name(T a, T b) { return expression; }                          \
  template <class T, int N> METAL_FUNC vec<T, N> name(vec<T, N> a, vec<T, N> b) {                     \
    vec<T, N> r;                                                                                      \
    MH_COMPONENTS(N, name(a[i], b[i]))                                                                \
  }                                                                                                   \
  template <class T, int N> METAL_FUNC vec<T, N> name(vec<T, N> a, T b) { return name(a, vec<T, N>(b)); }
#define MH_TWO                                                                                       \
  MH_F2(pow, T(__builtin_powf(float(a), float(b)))) MH_F2(powr, T(__builtin_powf(float(a), float(b)))) \
  MH_F2(fmod, T(__builtin_fmodf(float(a), float(b)))) MH_F2(atan2, T(__builtin_atan2f(float(a), float(b)))) \
  MH_F2(divide, T(float(a) / float(b))) MH_F2(fmax, T(__builtin_fmaxf(float(a), float(b))))           \
  MH_F2(fmin, T(__builtin_fminf(float(a), float(b))))
MH_TWO
MH_F2(copysign, T(__builtin_copysignf(float(a), float(b)))) MH_F2(step, T(b < a ? 0 : 1))
MH_F2(max, (mh_float<T> ? T(__builtin_fmaxf(float(a), float(b))) : (a < b ? b : a)))
MH_F2(min, (mh_float<T> ? T(__builtin_fminf(float(a), float(b))) : (b < a ? b : a)))
// A floating and a whole number: the floating type.
#define MH_MIXED(name)                                                                                       \
  template <class A, class B,                                                                                \
            enable_if_t<(std::is_integral<A>::value && mh_float<B>) || (mh_float<A> && std::is_integral<B>::value), int> = 0> \
  METAL_FUNC auto name(A a, B b) {                                                                           \
    typedef std::conditional_t<mh_float<A>, A, B> T;                                                         \
    return name(T(a), T(b));                                                                                 \
  }
MH_MIXED(pow) MH_MIXED(powr) MH_MIXED(fmod) MH_MIXED(atan2) MH_MIXED(fmax) MH_MIXED(fmin)

template <class T> METAL_FUNC T max3(T a, T b, T c) { return max(max(a, b), c); }
template <class T> METAL_FUNC T min3(T a, T b, T c) { return min(min(a, b), c); }
template <MH_FLOATING(T)> METAL_FUNC T fma(T a, T b, T c) { return T(__builtin_fmaf(float(a), float(b), float(c))); }
template <class T, int N> METAL_FUNC vec<T, N> fma(vec<T, N> a, vec<T, N> b, vec<T, N> c) {
  vec<T, N> r;
  MH_COMPONENTS(N, fma(a[i], b[i], c[i]))
}
template <MH_NUMBER(T)> METAL_FUNC T clamp(T x, T lo, T hi) { return min(max(x, lo), hi); }
template <class T, int N> METAL_FUNC vec<T, N> clamp(vec<T, N> x, vec<T, N> lo, vec<T, N> hi) { return min(max(x, lo), hi); }
template <class T, int N> METAL_FUNC vec<T, N> clamp(vec<T, N> x, T lo, T hi) { return min(max(x, lo), hi); }
template <MH_FLOATING(T)> METAL_FUNC T mix(T a, T b, T t) { return a + (b - a) * t; }
template <class T, int N> METAL_FUNC vec<T, N> mix(vec<T, N> a, vec<T, N> b, vec<T, N> t) { return a + (b - a) * t; }
template <MH_NUMBER(T)> METAL_FUNC T select(T a, T b, bool c) { return c ? b : a; }
template <class T, int N> METAL_FUNC vec<T, N> select(vec<T, N> a, vec<T, N> b, vec<bool, N> c) {
  vec<T, N> r;
  MH_COMPONENTS(N, c[i] ? b[i] : a[i])
}
template <class T, int N> METAL_FUNC T dot(vec<T, N> a, vec<T, N> b) {
  T s = T(a[0] * b[0]);
  for (int i = 1; i < N; i++) s = T(s + a[i] * b[i]);
  return s;
}
template <class T, int N> METAL_FUNC T length_squared(vec<T, N> a) { return dot(a, a); }
template <class T, int N> METAL_FUNC T length(vec<T, N> a) { return sqrt(dot(a, a)); }
template <int N> METAL_FUNC bool all(vec<bool, N> v) { bool r = true; for (int i = 0; i < N; i++) r = r && v[i]; return r; }
template <int N> METAL_FUNC bool any(vec<bool, N> v) { bool r = false; for (int i = 0; i < N; i++) r = r || v[i]; return r; }
template <MH_FLOATING(T)> METAL_FUNC bool isnan(T x) { return __builtin_isnan(float(x)); }
template <MH_FLOATING(T)> METAL_FUNC bool isinf(T x) { return __builtin_isinf(float(x)); }
template <MH_FLOATING(T)> METAL_FUNC bool isfinite(T x) { return __builtin_isfinite(float(x)); }
template <MH_FLOATING(T)> METAL_FUNC bool signbit(T x) { return __builtin_signbit(float(x)); }
template <MH_FLOATING(T)> METAL_FUNC T ldexp(T x, int e) { return T(__builtin_ldexpf(float(x), e)); }
METAL_FUNC float sincos(float x, float& c) { c = __builtin_cosf(x); return __builtin_sinf(x); }

// Bits of whole numbers.
template <class T> using mh_bits = std::make_unsigned_t<T>;
template <MH_WHOLE(T)> METAL_FUNC T popcount(T x) { return (T)__builtin_popcountll((unsigned long long)mh_bits<T>(x)); }
template <MH_WHOLE(T)> METAL_FUNC T clz(T x) {
  return x == 0 ? T(sizeof(T) * 8) : T(__builtin_clzll((unsigned long long)mh_bits<T>(x)) - int(64 - sizeof(T) * 8));
}
template <MH_WHOLE(T)> METAL_FUNC T ctz(T x) { return x == 0 ? T(sizeof(T) * 8) : T(__builtin_ctzll((unsigned long long)x)); }
template <MH_WHOLE(T)> METAL_FUNC T extract_bits(T x, uint from, uint n) {
  return n == 0 ? T(0) : T((x >> from) & (n >= sizeof(T) * 8 ? ~T(0) : T((T(1) << n) - 1)));
}
template <MH_WHOLE(T)> METAL_FUNC T rotate(T x, T n) {
  constexpr int bits = sizeof(T) * 8;
  mh_bits<T> k = mh_bits<T>(n) % bits;
  return k ? T((mh_bits<T>(x) << k) | (mh_bits<T>(x) >> (bits - k))) : x;
}
METAL_FUNC uint mulhi(uint a, uint b) { return uint((uint64_t(a) * b) >> 32); }
METAL_FUNC float2 unpack_half2(uint p) { half2 h = as_type<half2>(p); return float2(float(h.x), float(h.y)); }

// Both precisions are the precise one: Apple's fast forms differ in the last bits, which no test may ask for.
namespace precise { MH_ONE MH_TWO using metal::fma; using metal::max; using metal::min; using metal::clamp; }
namespace fast { MH_ONE MH_TWO using metal::fma; using metal::max; using metal::min; using metal::clamp; }
}  // namespace metal
