// rope: rotary position embedding with one offset a batch row (week 2, day 4).
//
// Not written yet: the symbol is there, so that the way from Rust to C++ and back is, and it refuses with its task.
#include <stdexcept>

#include "ext/entry.h"

extern "C" int EXT_SYMBOL(rope)(
    mlx_array* result, mlx_array x, mlx_array offsets, int dims, float base, bool traditional, mlx_stream stream) {
  return EXT_NS::guarded([] {
    throw std::runtime_error("not implemented: task 2.4.2, rope (extensions/src/rope.cpp)");
  });
}
