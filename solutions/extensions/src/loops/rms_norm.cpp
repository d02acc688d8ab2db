// rms_norm of rows: out = x / sqrt(mean(x²) + eps) * weight (task 2.4.1).
#include <cmath>
#include <stdexcept>

#include "ext/loops.h"
#include "ext/vector.h"

namespace EXT_NS::EXT_ISA {

/// 1, naive: one element after the other, in f32, rounded once at the end.
template <typename T>
void rms_norm_naive(const T* x, const T* weight, T* out, size_t width, float eps) {
  // SOLUTION 2.4.1 x, weight, out, width, eps
  float squares = 0;
  for (size_t i = 0; i < width; i++) {
    squares += to_float(x[i]) * to_float(x[i]);
  }
  const float factor = 1.0f / std::sqrt(squares / static_cast<float>(width) + eps);
  for (size_t i = 0; i < width; i++) {
    put(out + i, to_float(x[i]) * factor * to_float(weight[i]));
  }
  // END SOLUTION
}

/// 2, vectors: LANES elements at a time, and four sums, so that an addition need not wait for the one before.
///
/// The last width % LANES elements go one by one.
template <typename T>
void rms_norm_vectors(const T* x, const T* weight, T* out, size_t width, float eps) {
  // SOLUTION 2.4.1 x, weight, out, width, eps
  Floats sums[4] = {};
  size_t i = 0;
  for (; i + 4 * LANES <= width; i += 4 * LANES) {
    for (int part = 0; part < 4; part++) {
      const Floats value = load(x + i + part * LANES);
      sums[part] += value * value;
    }
  }
  float squares = sum((sums[0] + sums[1]) + (sums[2] + sums[3]));
  for (; i < width; i++) {
    squares += to_float(x[i]) * to_float(x[i]);
  }
  const float factor = 1.0f / std::sqrt(squares / static_cast<float>(width) + eps);
  for (i = 0; i + LANES <= width; i += LANES) {
    store(out + i, load(x + i) * factor * load(weight + i));
  }
  for (; i < width; i++) {
    put(out + i, to_float(x[i]) * factor * to_float(weight[i]));
  }
  // END SOLUTION
}

// 3, threads: src/rms_norm.cpp gives each thread a part of the rows.

void rms_norm(
    Element element, const void* x, const void* weight, void* out, size_t rows, size_t width, float eps, int version) {
  with_element(element, [&](auto type) {
    using T = decltype(type);
    for (size_t row = 0; row < rows; row++) {
      const T* from = static_cast<const T*>(x) + row * width;
      T* to = static_cast<T*>(out) + row * width;
      if (version == 1) {
        rms_norm_naive(from, static_cast<const T*>(weight), to, width, eps);
      } else {
        rms_norm_vectors(from, static_cast<const T*>(weight), to, width, eps);
      }
    }
  });
}

} // namespace EXT_NS::EXT_ISA
