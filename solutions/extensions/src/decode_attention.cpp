// decode_attention: attention of a few new queries over all keys, with the online softmax (week 2, day 5).
//
// Not written yet: the symbol is there, so that the way from Rust to C++ and back is, and it refuses with its task.
#include <stdexcept>

#include "ext/entry.h"

extern "C" int EXT_SYMBOL(decode_attention)(
    mlx_array* result,
    mlx_array query,
    mlx_array key,
    mlx_array value,
    int mask_kind,
    mlx_array mask,
    float scale,
    mlx_stream stream) {
  return EXT_NS::guarded([] {
    throw std::runtime_error("not implemented: task 2.5.1, decode_attention (extensions/src/decode_attention.cpp)");
  });
}
