// swiglu: out = gate / (1 + e^-gate) * up, element by element (task 2.4.3).
#include <cmath>
#include <stdexcept>

#include "ext/loops.h"
#include "ext/vector.h"

namespace EXT_NS::EXT_ISA {

/// 1, naive: one element after the other, in f32, rounded once at the end.
template <typename T>
void swiglu_naive(const T* gate, const T* up, T* out, size_t n) {
  throw std::runtime_error("not implemented: task 2.4.3, swiglu_naive (extensions/src/loops/swiglu.cpp:13)");
}

/// 2, vectors: LANES elements at a time with the exp of ext/vector.h, the last n % LANES one by one.
template <typename T>
void swiglu_vectors(const T* gate, const T* up, T* out, size_t n) {
  throw std::runtime_error("not implemented: task 2.4.3, swiglu_vectors (extensions/src/loops/swiglu.cpp:19)");
}

// 3, threads: src/swiglu.cpp gives each thread a part of the elements.

void swiglu(Element element, const void* gate, const void* up, void* out, size_t n, int version) {
  with_element(element, [&](auto type) {
    using T = decltype(type);
    const auto* gates = static_cast<const T*>(gate);
    const auto* ups = static_cast<const T*>(up);
    if (version == 1) {
      swiglu_naive(gates, ups, static_cast<T*>(out), n);
    } else {
      swiglu_vectors(gates, ups, static_cast<T*>(out), n);
    }
  });
}

} // namespace EXT_NS::EXT_ISA
