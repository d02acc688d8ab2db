// paged_cache_update: writes new keys or values into pages (week 3, day 3).
//
// Not written yet: the symbol is there, so that the way from Rust to C++ and back is, and it refuses with its task.
#include <stdexcept>

#include "ext/entry.h"

extern "C" int EXT_SYMBOL(paged_cache_update)(
    mlx_array* result, mlx_array pages, mlx_array values, mlx_array page_ids, int start, mlx_stream stream) {
  return EXT_NS::guarded([] {
    throw std::runtime_error("not implemented: task 3.3.1, paged_cache_update (extensions/src/paged_cache_update.cpp)");
  });
}
