// rope: turns the pairs of every head by the token's position times the pair's frequency (task 2.4.2).
//
// Pair i is the elements (i, i + dims/2), or with `traditional` (2i, 2i + 1). What is behind the first dims is copied.
#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>

#include "ext/loops.h"
#include "ext/vector.h"

namespace EXT_NS::EXT_ISA {

/// The cosine and sine of position * frequency. The product is brought into one turn in f64: an f32 of 5000 radians is
/// off by up to 0.0002.
inline void angle(double position, double frequency, float* cosine, float* sine) {
  const double turn = 2 * std::numbers::pi;
  const double radians = position * frequency;
  const auto rest = static_cast<float>(radians - turn * std::nearbyint(radians / turn));
  *cosine = std::cos(rest);
  *sine = std::sin(rest);
}

/// 1, naive: cosine and sine anew for each pair.
///
/// One head: `x` and `out` are `width` elements.
template <typename T>
void rope_naive(const T* x, T* out, const Rotation& rotation, double position) {
  throw std::runtime_error("not implemented: task 2.4.2, rope_naive (extensions/src/loops/rope.cpp:29)");
}

/// 2, one table: the cosines and sines of a token serve all its heads.
/// 3, vectors: LANES pairs at a time, where the halves of a head are the pairs.
///
/// One head; `cosines` and `sines` are dims/2 each.
template <typename T, bool vectors>
void rope_from_table(const T* x, T* out, const Rotation& rotation, const float* cosines, const float* sines) {
  throw std::runtime_error("not implemented: task 2.4.2, rope_from_table (extensions/src/loops/rope.cpp:38)");
}

/// The table of one position.
static void fill(const Rotation& rotation, double position, float* cosines, float* sines) {
  for (size_t i = 0; i < rotation.dims / 2; i++) {
    angle(position, rotation.frequencies[i], cosines + i, sines + i);
  }
}

// 4, threads: src/rope.cpp gives each thread a part of the tokens.

/// Tokens begin..end of all B * L.
template <typename T>
static void rope_tokens(const Rotation& rotation, size_t begin, size_t end, int version) {
  const std::unique_ptr<float[]> table(new float[rotation.dims]);
  float* cosines = table.get();
  float* sines = cosines + rotation.dims / 2;
  for (size_t token = begin; token < end; token++) {
    const double position =
        static_cast<double>(rotation.offsets[token / rotation.length]) + static_cast<double>(token % rotation.length);
    if (version != 1) {
      fill(rotation, position, cosines, sines);
    }
    for (size_t head = 0; head < rotation.heads; head++) {
      const size_t at = (token * rotation.heads + head) * rotation.width;
      const T* x = static_cast<const T*>(rotation.x) + at;
      T* out = static_cast<T*>(rotation.out) + at;
      if (version == 1) {
        rope_naive(x, out, rotation, position);
      } else if (version == 2) {
        rope_from_table<T, false>(x, out, rotation, cosines, sines);
      } else {
        rope_from_table<T, true>(x, out, rotation, cosines, sines);
      }
    }
  }
}

void rope(const Rotation& rotation, size_t begin, size_t end, int version) {
  with_element(rotation.element, [&](auto type) { rope_tokens<decltype(type)>(rotation, begin, end, version); });
}

} // namespace EXT_NS::EXT_ISA
