// The three element types, as the loops see them: without MLX.
#pragma once

#include <cstdint>
#include <cstring>

#include "ext/symbol.h"

namespace EXT_NS {

/// The dtype of an array of floats.
enum class Element : int { Float32, Float16, Bfloat16 };

/// The bits of an IEEE half: 1 sign, 5 exponent, 10 fraction.
struct Float16 {
  uint16_t bits;
};

/// The upper half of an f32: 1 sign, 8 exponent, 7 fraction.
struct Bfloat16 {
  uint16_t bits;
};

} // namespace EXT_NS
