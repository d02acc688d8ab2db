// paged_attention: attention that reads keys and values where the pages lie (week 3, days 4 and 5).
//
// Not written yet: the symbol is there, so that the way from Rust to C++ and back is, and it refuses with its task.
#include <stdexcept>

#include "ext/entry.h"

extern "C" int EXT_SYMBOL(paged_attention)(
    mlx_array* result,
    mlx_array query,
    mlx_array key_pages,
    mlx_array value_pages,
    mlx_array block_table,
    mlx_array context_lens,
    float scale,
    bool causal,
    mlx_stream stream) {
  return EXT_NS::guarded([] {
    throw std::runtime_error("not implemented: task 3.4.2, paged_attention (extensions/src/paged_attention.cpp)");
  });
}
