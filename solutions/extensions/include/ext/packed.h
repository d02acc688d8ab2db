// Reading a packed weight's scales and biases, for the loops.
#pragma once

#include "ext/loops.h"
#include "ext/vector.h"

namespace EXT_NS::EXT_ISA {

/// As many words at once as never reach over the end of a group: eight words are 64 codes.
constexpr int GROUP_LANES = LANES < 8 ? LANES : 8;
using GroupFloats = VectorOf<float, GROUP_LANES>::Type;
using GroupWords = VectorOf<uint32_t, GROUP_LANES>::Type;
using GroupInts = VectorOf<int32_t, GROUP_LANES>::Type;
/// As many numbers of 16 bits.
using GroupWhole = VectorOf<int16_t, GROUP_LANES>::Type;
/// The same words as twice as many of 16 bits, four codes each.
using GroupHalves = VectorOf<uint16_t, 2 * GROUP_LANES>::Type;

/// Groups in a row. A shift, because a group is a power of two, and a division takes as long as a group.
inline size_t groups_of(const Packed& weight) {
  return weight.inputs >> __builtin_ctzll(weight.group);
}

/// The words of a row.
inline const uint32_t* row_of(const Packed& weight, size_t row) {
  return weight.words + row * (weight.inputs / 8);
}

/// One number of `scales` or `biases`, by row and group.
inline float parameter(const Packed& weight, const void* parameters, size_t row, size_t group) {
  const size_t at = row * groups_of(weight) + group;
  switch (weight.element) {
    case Element::Float16:
      return to_float(static_cast<const Float16*>(parameters)[at]);
    case Element::Bfloat16:
      return to_float(static_cast<const Bfloat16*>(parameters)[at]);
    default:
      return static_cast<const float*>(parameters)[at];
  }
}

/// The numbers of `count` rows from `row` on, as f32; the next `count` rows are expected.
inline void parameters_of(const Packed& weight, const void* parameters, size_t row, size_t count, float* to) {
  const size_t bytes = (weight.element == Element::Float32 ? 4 : 2) * groups_of(weight);
  const auto* from = static_cast<const char*>(parameters) + row * bytes;
  to_floats(weight.element, from, to, count * groups_of(weight));
  expect(from + count * bytes, count * bytes);
}

} // namespace EXT_NS::EXT_ISA
