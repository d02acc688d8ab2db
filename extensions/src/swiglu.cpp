// swiglu: silu(gate) * up, in one pass over memory (week 2, day 4).
//
// Not written yet: the symbol is there, so that the way from Rust to C++ and back is, and it refuses with its task.
#include <stdexcept>

#include "ext/entry.h"

extern "C" int EXT_SYMBOL(swiglu)(
    mlx_array* result, mlx_array gate, mlx_array up, mlx_stream stream) {
  return EXT_NS::guarded([] {
    throw std::runtime_error("not implemented: task 2.4.3, swiglu (extensions/src/swiglu.cpp)");
  });
}
