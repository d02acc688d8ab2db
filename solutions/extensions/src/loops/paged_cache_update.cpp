// paged_cache_update: new keys or values go to their slots, page by page (task 3.3.1).
#include <algorithm>
#include <stdexcept>

#include "ext/loops.h"
#include "ext/vector.h"

namespace EXT_NS::EXT_ISA {

/// 1, naive: one element after the other, its page looked up each time.
///
/// All tokens of one head. `values` is the head's first token, the next one is `write.values.token_step` further.
template <typename T>
void write_elements(const PagedWrite& write, const T* values, T* pages, size_t head) {
  for (size_t t = 0; t < write.length; t++) {
    for (size_t d = 0; d < write.dims; d++) {
      const size_t at = write.start + t;
      const auto id = static_cast<size_t>(write.ids[at / write.page]);
      const size_t slot = (id * write.heads + head) * write.page + at % write.page;
      pages[slot * write.dims + d] = values[static_cast<int64_t>(t) * write.values.token_step + static_cast<int64_t>(d)];
    }
  }
}

/// 2, runs: the slots of a page lie in a row, so a page is looked up once and its tokens are copied.
template <typename T>
void write_runs(const PagedWrite& write, const T* values, T* pages, size_t head) {
  // SOLUTION 3.3.1 write, values, pages, head
  for (size_t t = 0, run = 0; t < write.length; t += run) {
    const size_t at = write.start + t, slot = at % write.page;
    run = std::min(write.length - t, write.page - slot);
    const auto id = static_cast<size_t>(write.ids[at / write.page]);
    T* to = pages + ((id * write.heads + head) * write.page + slot) * write.dims;
    for (size_t i = 0; i < run; i++) {
      std::copy_n(values + static_cast<int64_t>(t + i) * write.values.token_step, write.dims, to + i * write.dims);
    }
  }
  // END SOLUTION
}

// 3, threads: src/paged_cache_update.cpp gives each thread a part of the heads.

void paged_cache_update(const PagedWrite& write, size_t begin, size_t end, int version) {
  with_element(write.element, [&](auto type) {
    using T = decltype(type);
    for (size_t head = begin; head < end; head++) {
      const T* values = static_cast<const T*>(write.values.data) + static_cast<int64_t>(head) * write.values.head_step;
      if (version == 1) {
        write_elements(write, values, static_cast<T*>(write.pages), head);
      } else {
        write_runs(write, values, static_cast<T*>(write.pages), head);
      }
    }
  });
}

} // namespace EXT_NS::EXT_ISA
