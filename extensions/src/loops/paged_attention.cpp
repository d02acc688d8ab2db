// paged_attention for a few query rows: keys and values are read where their pages lie (task 3.4.2).
//
// The query heads that share a key head, and their L tokens, are rows that lie in a row. A row that sees no key is 0.
#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "ext/flash_tiles.h"
#include "ext/loops.h"
#include "ext/online_softmax.h"
#include "ext/paged_rows.h"

namespace EXT_NS::EXT_ISA {

/// Keys between two looks at the largest score; they may lie in several pages. As many as in a tile of the flash path, and
/// sums in the same order: where a head is whole vectors the two give a query the same bits.
constexpr size_t PAGED_BLOCK = TILE_KEYS;

/// 1, naive: three passes over all scores, and a look into the table for every key.
///
/// Row `row` alone. `scores` is scratch, one float a key.
template <typename T>
void paged_naive(const PagedRows<T>& rows, size_t row, float scale, float* scores) {
  throw std::runtime_error("not implemented: task 3.4.2, paged_naive (extensions/src/loops/paged_attention.cpp:25)");
}

/// A part of 2: weights[row][i] becomes the score of key first + i for the n keys of a run, which one page holds.
///
/// `keys` is the first of them. `queries` is (count, D) in f32, already scaled. A key that the row does not see gets -inf.
template <typename T, size_t count>
void score_run(
    const PagedRows<T>& rows, const T* keys, size_t first, size_t n, const float* queries, float* const weights[count]) {
  throw std::runtime_error("not implemented: task 3.4.2, score_run (extensions/src/loops/paged_attention.cpp:34)");
}

/// A part of 2: sums[row] += Σ weights[row][i] * value i of the n values of a run.
template <typename T, size_t count>
void add_run(const PagedRows<T>& rows, const T* values, size_t n, const float* const weights[count], float* sums) {
  throw std::runtime_error("not implemented: task 3.4.2, add_run (extensions/src/loops/paged_attention.cpp:40)");
}

/// 2, pages and rows: a page is looked up once a run of keys, and the rows that share a key head go together.
///
/// PAGED_BLOCK keys at a time, in runs that each lie in one page. `queries` as above; `sums` is (count, D), all 0.
template <typename T, size_t count>
void paged_blocks(const PagedRows<T>& rows, const float* queries, float* sums) {
  throw std::runtime_error("not implemented: task 3.4.2, paged_blocks (extensions/src/loops/paged_attention.cpp:48)");
}

// 3, threads: src/paged_attention.cpp gives each thread a part of the heads of all texts.

/// Step 2 for as many rows as there are.
template <typename T>
static void blocks_of(const PagedRows<T>& rows, float scale, float* queries, float* sums) {
  for (size_t i = 0; i < rows.count * rows.dims; i++) {
    queries[i] = to_float(rows.query[i]) * scale;
    sums[i] = 0;
  }
  switch (rows.count) {
    case 1:
      return paged_blocks<T, 1>(rows, queries, sums);
    case 2:
      return paged_blocks<T, 2>(rows, queries, sums);
    case 3:
      return paged_blocks<T, 3>(rows, queries, sums);
    default:
      return paged_blocks<T, PAGED_ROWS>(rows, queries, sums);
  }
}

void paged_attention(const PagedAttention& attention, size_t begin, size_t end, int version) {
  const size_t keys = attention.columns * attention.page;
  const size_t floats = PAGED_ROWS * attention.dims;
  const std::unique_ptr<float[]> scratch(new float[version == 1 ? keys + 1 : 2 * floats]);
  with_element(attention.element, [&](auto type) {
    for (size_t unit = begin; unit < end; unit++) {
      const auto rows = rows_of<decltype(type)>(attention, unit);
      if (version != 1) {
        blocks_of(rows, attention.scale, scratch.get(), scratch.get() + floats);
        continue;
      }
      for (size_t row = 0; row < rows.count; row++) {
        paged_naive(rows, row, attention.scale, scratch.get());
      }
    }
  });
}

} // namespace EXT_NS::EXT_ISA
