// Numbers of Metal: half, bfloat and the short names of the integers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef _Float16 half;

// The upper half of a float. From float only explicitly, as in Metal.
struct bfloat {
  uint16_t bits;
  bfloat() = default;
  static constexpr bfloat raw(uint16_t b) { return bfloat(b, 0); }
  template <class T, std::enable_if_t<std::is_integral<T>::value, int> = 0>
  constexpr bfloat(T v) : bits(nearest((float)v)) {}
  explicit constexpr bfloat(float v) : bits(nearest(v)) {}
  explicit constexpr bfloat(half v) : bits(nearest((float)v)) {}
  constexpr operator float() const { return __builtin_bit_cast(float, (uint32_t)bits << 16); }
  explicit constexpr operator half() const { return (half)(float)*this; }
  template <class T, std::enable_if_t<std::is_integral<T>::value, int> = 0>
  explicit constexpr operator T() const { return (T)(float)*this; }
  bfloat& operator+=(float o) { return *this = bfloat(float(*this) + o); }
  bfloat& operator-=(float o) { return *this = bfloat(float(*this) - o); }
  bfloat& operator*=(float o) { return *this = bfloat(float(*this) * o); }
  bfloat& operator/=(float o) { return *this = bfloat(float(*this) / o); }

 private:
  constexpr bfloat(uint16_t b, int) : bits(b) {}
  // Ties to even; a NaN stays one.
  static constexpr uint16_t nearest(float f) {
    uint32_t u = __builtin_bit_cast(uint32_t, f);
    if ((u & 0x7fffffffu) > 0x7f800000u) return (uint16_t)((u >> 16) | 0x40);
    return (uint16_t)((u + 0x7fffu + ((u >> 16) & 1)) >> 16);
  }
};

// bfloat with bfloat or an integer stays bfloat; with float it is float. Spelled out, because the conversion to float alone
// would make every result float.
#define MH_INTEGRAL(T) class T, std::enable_if_t<std::is_integral<T>::value, int> = 0
#define MH_BFLOAT(R, op)                                                                             \
  constexpr R operator op(bfloat a, bfloat b) { return R(float(a) op float(b)); }                    \
  constexpr auto operator op(bfloat a, float b) { return float(a) op b; }                            \
  constexpr auto operator op(float a, bfloat b) { return a op float(b); }                            \
  template <MH_INTEGRAL(T)> constexpr R operator op(bfloat a, T b) { return R(float(a) op float(b)); } \
  template <MH_INTEGRAL(T)> constexpr R operator op(T a, bfloat b) { return R(float(a) op float(b)); }
MH_BFLOAT(bfloat, +) MH_BFLOAT(bfloat, -) MH_BFLOAT(bfloat, *) MH_BFLOAT(bfloat, /)
MH_BFLOAT(bool, <) MH_BFLOAT(bool, >) MH_BFLOAT(bool, <=) MH_BFLOAT(bool, >=) MH_BFLOAT(bool, ==) MH_BFLOAT(bool, !=)
constexpr bfloat operator-(bfloat a) { return bfloat::raw(a.bits ^ 0x8000); }

#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define MAXFLOAT 3.402823466e+38f
#define HUGE_VALF (__builtin_huge_valf())
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.1920929e-7f
#define HALF_MAX ((half)65504.0f)
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define M_E_F 2.71828182845904523536f
#define M_LOG2E_F 1.44269504088896340736f
#define M_LOG10E_F 0.434294481903251827651f
#define M_LN2_F 0.693147180559945309417f
#define M_LN10_F 2.30258509299404568402f
#define M_PI_F 3.14159265358979323846f
#define M_PI_2_F 1.57079632679489661923f
#define M_PI_4_F 0.785398163397448309616f
#define M_1_PI_F 0.318309886183790671538f
#define M_2_PI_F 0.636619772367581343076f
#define M_SQRT2_F 1.41421356237309504880f
#define M_SQRT1_2_F 0.707106781186547524401f
#define M_PI_H ((half)M_PI_F)
