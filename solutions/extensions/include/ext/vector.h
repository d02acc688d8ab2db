// Vectors of LANES numbers, with the operators of plain numbers: `a * b + c`, `words >> 4 & 15`, `v * 2.0f`.
//
// Compilers have such types built in. The files in src/loops are compiled once for each set of instructions, and LANES is
// the number of f32 in one register: 4 with SSE2 or NEON, 8 with AVX2, 16 with AVX-512. A number that stands beside a
// vector is meant for every lane, and `v[lane]` is one lane.
#pragma once

#include <cmath>
#include <cstddef>

#include "ext/element.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace EXT_NS::EXT_ISA {

#if defined(__AVX512F__)
constexpr int LANES = 16;
#elif defined(__AVX2__)
constexpr int LANES = 8;
#else
constexpr int LANES = 4;
#endif

/// A vector type of `N` lanes.
template <typename T, int N>
struct VectorOf {
  typedef T Type __attribute__((vector_size(N * sizeof(T))));
};

using Floats = VectorOf<float, LANES>::Type;
using Words = VectorOf<uint32_t, LANES>::Type;
using Ints = VectorOf<int32_t, LANES>::Type;
using Shorts = VectorOf<uint16_t, LANES>::Type;

/// A vector from memory, at any address.
template <typename Vector, typename T>
inline Vector read(const T* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof(Vector));
  return vector;
}

/// Tells memory that `bytes` bytes from `from` on are needed soon.
inline void expect(const void* from, size_t bytes) {
  for (size_t byte = 0; byte < bytes; byte += 64) {
    __builtin_prefetch(static_cast<const char*>(from) + byte);
  }
}

/// The numbers of another type: int to float, or a narrower unsigned type to a wider one.
template <typename To, typename From>
inline To convert(From from) {
  return __builtin_convertvector(from, To);
}

inline float to_float(float value) {
  return value;
}

inline float to_float(Bfloat16 value) {
  const uint32_t bits = static_cast<uint32_t>(value.bits) << 16;
  float result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

inline float to_float(Float16 value) {
  const uint32_t sign = static_cast<uint32_t>(value.bits & 0x8000) << 16;
  uint32_t bits = static_cast<uint32_t>(value.bits & 0x7fff) << 13;
  float result;
  std::memcpy(&result, &bits, sizeof(result));
  // The exponents' zeros are 112 apart; a multiplication moves subnormal numbers too.
  result *= 0x1p112f;
  std::memcpy(&bits, &result, sizeof(result));
  if ((value.bits & 0x7c00) == 0x7c00) {
    bits |= 0x7f800000;
  }
  bits |= sign;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

/// Rounds to the nearest, ties to even.
inline void put(float* to, float value) {
  *to = value;
}

inline void put(Bfloat16* to, float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  to->bits = static_cast<uint16_t>(value != value ? 0x7fc0 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline void put(Float16* to, float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  const uint32_t sign = bits >> 16 & 0x8000;
  bits &= 0x7fffffff;
  if (bits > 0x7f800000) {
    bits = 0x7e00;
  } else if (bits >= 0x47800000) {
    bits = 0x7c00;
  } else if (bits < 0x38800000) {
    // Below the normal halves: adding 1/2 moves the fraction to where a subnormal half has it, rounded.
    float magnitude;
    std::memcpy(&magnitude, &bits, sizeof(magnitude));
    magnitude += 0.5f;
    std::memcpy(&bits, &magnitude, sizeof(bits));
    bits -= 0x3f000000;
  } else {
    bits = (bits - (112u << 23) + 0xfff + (bits >> 13 & 1)) >> 13;
  }
  to->bits = static_cast<uint16_t>(bits | sign);
}

/// LANES elements as f32.
inline Floats load(const float* from) {
  return read<Floats>(from);
}

inline Floats load(const Bfloat16* from) {
  return reinterpret_cast<Floats>(convert<Words>(read<Shorts>(from)) << 16);
}

inline Floats load(const Float16* from) {
#if defined(__AVX512F__)
  return reinterpret_cast<Floats>(_mm512_maskz_cvtph_ps(0xffff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
#elif defined(__F16C__)
  return reinterpret_cast<Floats>(_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
#elif defined(__aarch64__)
  return reinterpret_cast<Floats>(vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(&from->bits))));
#else
  Floats result;
  for (int lane = 0; lane < LANES; lane++) {
    result[lane] = to_float(from[lane]);
  }
  return result;
#endif
}

/// Writes LANES elements, each rounded to the nearest, ties to even.
inline void store(float* to, Floats value) {
  std::memcpy(to, &value, sizeof(value));
}

inline void store(Bfloat16* to, Floats value) {
  const auto bits = reinterpret_cast<Words>(value);
  const Words rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  const Shorts shorts = convert<Shorts>(value != value ? (Words{} | 0x7fc0) : rounded);
  std::memcpy(to, &shorts, sizeof(shorts));
}

inline void store(Float16* to, Floats value) {
#if defined(__AVX512F__)
  constexpr int nearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
  const auto halves = _mm512_maskz_cvtps_ph(0xffff, reinterpret_cast<__m512>(value), nearest);
  std::memcpy(to, &halves, sizeof(halves));
#elif defined(__F16C__)
  constexpr int nearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
  const auto halves = _mm256_cvtps_ph(reinterpret_cast<__m256>(value), nearest);
  std::memcpy(to, &halves, sizeof(halves));
#else
  for (int lane = 0; lane < LANES; lane++) {
    put(to + lane, value[lane]);
  }
#endif
}

/// The sum of the lanes of any vector, by halves.
template <typename Vector>
inline float sum(Vector value) {
  constexpr int lanes = sizeof(Vector) / sizeof(float);
  if constexpr (lanes == 1) {
    return value[0];
  } else {
    using Half = typename VectorOf<float, lanes / 2>::Type;
    Half halves[2];
    std::memcpy(halves, &value, sizeof(value));
    return sum<Half>(halves[0] + halves[1]);
  }
}

template <typename Vector>
inline Vector larger(Vector a, Vector b) {
  return a > b ? a : b;
}

/// The largest lane of any vector, by halves; a NaN may be passed over.
template <typename Vector>
inline float largest(Vector value) {
  constexpr int lanes = sizeof(Vector) / sizeof(float);
  if constexpr (lanes == 1) {
    return value[0];
  } else {
    using Half = typename VectorOf<float, lanes / 2>::Type;
    Half halves[2];
    std::memcpy(halves, &value, sizeof(value));
    return largest<Half>(larger<Half>(halves[0], halves[1]));
  }
}

/// e^x in every lane, to two units in the last place; 0 below -87.3, infinity above 88.7, NaN for NaN.
///
/// x = n ln 2 + r with |r| <= ln 2 / 2; e^r by its series, which six terms bring below the rounding of f32.
inline Floats exp(Floats x) {
  constexpr float lowest = -87.33654f;
  constexpr float highest = 88.72283f;
  const Floats inside = x < lowest ? (Floats{} + lowest) : (x > highest ? (Floats{} + highest) : x);
  // Adding 1.5 * 2^23 leaves no place for a fraction, so that the sum is rounded to a whole number.
  const Floats shifted = inside * 1.44269504f + 12582912.0f;
  const Floats n = shifted - 12582912.0f;
  const Floats r = (inside - n * 0.693359375f) + n * 2.12194440e-4f;
  Floats series = r * (1.0f / 5040) + 1.0f / 720;
  series = series * r + 1.0f / 120;
  series = series * r + 1.0f / 24;
  series = series * r + 1.0f / 6;
  series = series * r + 0.5f;
  series = series * r + 1.0f;
  series = series * r + 1.0f;
  // 2^n in two factors, because 2^128 is no f32 while e^88.7 is one. The low bits of `shifted` are n.
  const Ints whole = reinterpret_cast<Ints>(shifted) - 0x4b400000;
  const Ints half = whole >> 1;
  const auto first = reinterpret_cast<Floats>((half + 127) << 23);
  const auto second = reinterpret_cast<Floats>((whole - half + 127) << 23);
  const Floats result = series * first * second;
  return x < lowest ? Floats{} : (x > highest ? (Floats{} + INFINITY) : result);
}

/// Calls `with` with a value of the element's type.
template <typename With>
inline void with_element(Element element, With&& with) {
  switch (element) {
    case Element::Float32:
      return with(float{});
    case Element::Float16:
      return with(Float16{});
    case Element::Bfloat16:
      return with(Bfloat16{});
  }
}

} // namespace EXT_NS::EXT_ISA
