// Buffers between pages that fault, 256 MiB on each side: an index that is off by a row is still caught.
#include <sys/mman.h>

#include "worker.h"

namespace {
constexpr uint64_t buffer_guard = 256u << 20;
uint64_t up(uint64_t n, uint64_t unit) { return (n + unit - 1) / unit * unit; }
bool holds(const unsigned char* from, const unsigned char* to, uint32_t fill) {
  for (; from < to; from++)
    if (*from != fill) return false;
  return true;
}
}  // namespace

// The end is aligned to 16 bytes, because kernels read vectors: up to 15 bytes behind the buffer do not fault. Their content
// differs between runs (`fill`), so that a kernel which reads them is noticed.
extern "C" int mh_buffer_map(mh_buffer* b, uint64_t size, uint32_t place, uint32_t fill) {
  uint64_t pages = up(size ? size : 1, page);
  b->map_size = pages + 2 * buffer_guard;
  void* map = mmap(nullptr, b->map_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) return 1;
  b->map = (unsigned char*)map;
  b->size = size;
  unsigned char* start = b->map + buffer_guard;
  if (mprotect(start, pages, PROT_READ | PROT_WRITE)) return 1;
  memset(start, (int)fill, pages);
  b->base = place == MH_AT_START ? start : start + pages - (place == MH_AT_END ? up(size, 16) : size);
  return 0;
}
extern "C" void mh_buffer_unmap(mh_buffer* b) {
  if (b->map) munmap(b->map, b->map_size);
  b->map = nullptr;
}
extern "C" int mh_buffer_dirty(const mh_buffer* b, uint32_t fill) {
  const unsigned char *start = b->map + buffer_guard, *end = b->map + b->map_size - buffer_guard;
  if (!holds(start, b->base, fill)) return -1;
  return holds(b->base + b->size, end, fill) ? 0 : 1;
}
