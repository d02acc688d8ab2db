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
  // SOLUTION 2.4.2 x, out, rotation, position
  const size_t half = rotation.dims / 2;
  for (size_t i = 0; i < half; i++) {
    float cosine, sine;
    angle(position, rotation.frequencies[i], &cosine, &sine);
    const size_t first = rotation.traditional ? 2 * i : i;
    const size_t second = rotation.traditional ? 2 * i + 1 : i + half;
    const float a = to_float(x[first]);
    const float b = to_float(x[second]);
    put(out + first, a * cosine - b * sine);
    put(out + second, a * sine + b * cosine);
  }
  for (size_t i = rotation.dims; i < rotation.width; i++) {
    out[i] = x[i];
  }
  // END SOLUTION
}

/// 2, one table: the cosines and sines of a token serve all its heads.
/// 3, vectors: LANES pairs at a time, where the halves of a head are the pairs.
///
/// One head; `cosines` and `sines` are dims/2 each.
template <typename T, bool vectors>
void rope_from_table(const T* x, T* out, const Rotation& rotation, const float* cosines, const float* sines) {
  // SOLUTION 2.4.2 x, out, rotation, cosines, sines
  const size_t half = rotation.dims / 2;
  size_t i = 0;
  if (vectors && !rotation.traditional) {
    for (; i + LANES <= half; i += LANES) {
      const Floats a = load(x + i);
      const Floats b = load(x + half + i);
      const Floats cosine = load(cosines + i);
      const Floats sine = load(sines + i);
      store(out + i, a * cosine - b * sine);
      store(out + half + i, a * sine + b * cosine);
    }
  }
  for (; i < half; i++) {
    const size_t first = rotation.traditional ? 2 * i : i;
    const size_t second = rotation.traditional ? 2 * i + 1 : i + half;
    const float a = to_float(x[first]);
    const float b = to_float(x[second]);
    put(out + first, a * cosines[i] - b * sines[i]);
    put(out + second, a * sines[i] + b * cosines[i]);
  }
  for (i = rotation.dims; i < rotation.width; i++) {
    out[i] = x[i];
  }
  // END SOLUTION
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
