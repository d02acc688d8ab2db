// Elements to f32 and back.
#include "ext/loops.h"
#include "ext/vector.h"

namespace EXT_NS::EXT_ISA {

void to_floats(Element element, const void* from, float* to, size_t n) {
  with_element(element, [&](auto type) {
    const auto* elements = static_cast<const decltype(type)*>(from);
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
      store(to + i, load(elements + i));
    }
    for (; i < n; i++) {
      to[i] = to_float(elements[i]);
    }
  });
}

void from_floats(Element element, const float* from, void* to, size_t n) {
  with_element(element, [&](auto type) {
    auto* elements = static_cast<decltype(type)*>(to);
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
      store(elements + i, load(from + i));
    }
    for (; i < n; i++) {
      put(elements + i, from[i]);
    }
  });
}

} // namespace EXT_NS::EXT_ISA
