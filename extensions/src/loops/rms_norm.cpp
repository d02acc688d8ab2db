// rms_norm of rows: out = x / sqrt(mean(x²) + eps) * weight (task 2.4.1).
#include <cmath>
#include <stdexcept>

#include "ext/loops.h"
#include "ext/vector.h"

namespace EXT_NS::EXT_ISA {

/// 1, naive: one element after the other, in f32, rounded once at the end.
template <typename T>
void rms_norm_naive(const T* x, const T* weight, T* out, size_t width, float eps) {
  throw std::runtime_error("not implemented: task 2.4.1, rms_norm_naive (extensions/src/loops/rms_norm.cpp:13)");
}

/// 2, vectors: LANES elements at a time, and four sums, so that an addition need not wait for the one before.
///
/// The last width % LANES elements go one by one.
template <typename T>
void rms_norm_vectors(const T* x, const T* weight, T* out, size_t width, float eps) {
  throw std::runtime_error("not implemented: task 2.4.1, rms_norm_vectors (extensions/src/loops/rms_norm.cpp:21)");
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
