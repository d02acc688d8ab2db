// Vectors of whole numbers: from floats, and multiplied two by two.
#pragma once

#include "ext/vector.h"

namespace EXT_NS::EXT_ISA {

/// The nearest whole numbers of values within ±2^22, ties to even.
///
/// Adding 1.5 * 2^23 leaves no place for a fraction; the low bits of the sum are the whole number.
template <typename Vector>
inline auto nearest(Vector value) {
  using Whole = typename VectorOf<int32_t, sizeof(Vector) / sizeof(float)>::Type;
  return reinterpret_cast<Whole>(value + 12582912.0f) - 0x4b400000;
}

/// Products of signed 16-bit numbers, added two by two: lane l is a[2l] * b[2l] + a[2l + 1] * b[2l + 1].
#if defined(__AVX2__)
inline VectorOf<int32_t, 8>::Type pairs(VectorOf<uint16_t, 16>::Type a, VectorOf<uint16_t, 16>::Type b) {
  const __m256i added = _mm256_madd_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b));
  return reinterpret_cast<VectorOf<int32_t, 8>::Type>(added);
}
#else
inline VectorOf<int32_t, 4>::Type pairs(VectorOf<uint16_t, 8>::Type a, VectorOf<uint16_t, 8>::Type b) {
#if defined(__x86_64__)
  return reinterpret_cast<Ints>(_mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#elif defined(__aarch64__)
  const auto left = reinterpret_cast<int16x8_t>(a);
  const auto right = reinterpret_cast<int16x8_t>(b);
  const int32x4_t low = vmull_s16(vget_low_s16(left), vget_low_s16(right));
  return reinterpret_cast<Ints>(vpaddq_s32(low, vmull_high_s16(left, right)));
#endif
}
#endif

} // namespace EXT_NS::EXT_ISA
