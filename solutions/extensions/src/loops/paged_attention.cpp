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
  // SOLUTION 3.4.2 rows, row, scale, scores
  const size_t dims = rows.dims;
  const auto slot = [&](size_t s) {
    return static_cast<size_t>(rows.ids[s / rows.page]) * rows.page_step + s % rows.page * dims;
  };
  float most = -INFINITY;
  for (size_t s = 0; s < rows.visible[row]; s++) {
    float score = 0;
    for (size_t d = 0; d < dims; d++) {
      score += to_float(rows.query[row * dims + d]) * to_float(rows.keys[slot(s) + d]);
    }
    scores[s] = score * scale;
    // `most` first: a NaN then goes into every weight.
    most = std::max(scores[s], most);
  }
  float total = 0;
  for (size_t s = 0; s < rows.visible[row]; s++) {
    scores[s] = std::exp(scores[s] - most);
    total += scores[s];
  }
  for (size_t d = 0; d < dims; d++) {
    float sum = 0;
    for (size_t s = 0; s < rows.visible[row]; s++) {
      sum += scores[s] * to_float(rows.values[slot(s) + d]);
    }
    put(rows.out + row * dims + d, total == 0 ? 0.0f : sum / total);
  }
  // END SOLUTION
}

/// A part of 2: weights[row][i] becomes the score of key first + i for the n keys of a run, which one page holds.
///
/// `keys` is the first of them. `queries` is (count, D) in f32, already scaled. A key that the row does not see gets -inf.
template <typename T, size_t count>
void score_run(
    const PagedRows<T>& rows, const T* keys, size_t first, size_t n, const float* queries, float* const weights[count]) {
  // SOLUTION 3.4.2 rows, keys, first, n, queries, weights
  const size_t dims = rows.dims;
  for (size_t i = 0; i < n; i++, keys += dims) {
    expect(keys + 32 * dims, dims * sizeof(T));
    Floats products[count] = {};
    size_t d = 0;
    for (; d + LANES <= dims; d += LANES) {
      const Floats part = load(keys + d);
      for (size_t row = 0; row < count; row++) {
        products[row] += load(queries + row * dims + d) * part;
      }
    }
    // Unrolled, so that the sums never lie in memory.
#pragma GCC unroll 4
    for (size_t row = 0; row < count; row++) {
      weights[row][i] = first + i < rows.visible[row] ? sum(products[row]) : -INFINITY;
    }
    for (; d < dims; d++) {
      for (size_t row = 0; row < count; row++) {
        weights[row][i] += queries[row * dims + d] * to_float(keys[d]);
      }
    }
  }
  // END SOLUTION
}

/// A part of 2: sums[row] += Σ weights[row][i] * value i of the n values of a run.
template <typename T, size_t count>
void add_run(const PagedRows<T>& rows, const T* values, size_t n, const float* const weights[count], float* sums) {
  // SOLUTION 3.4.2 rows, values, n, weights, sums
  const size_t dims = rows.dims;
  size_t d = 0;
  for (; d + LANES <= dims; d += LANES) {
    Floats parts[count];
    for (size_t row = 0; row < count; row++) {
      parts[row] = load(sums + row * dims + d);
    }
    for (size_t i = 0; i < n; i++) {
      const Floats value = load(values + i * dims + d);
      for (size_t row = 0; row < count; row++) {
        parts[row] += weights[row][i] * value;
      }
    }
    for (size_t row = 0; row < count; row++) {
      store(sums + row * dims + d, parts[row]);
    }
  }
  for (; d < dims; d++) {
    for (size_t i = 0; i < n; i++) {
      for (size_t row = 0; row < count; row++) {
        sums[row * dims + d] += weights[row][i] * to_float(values[i * dims + d]);
      }
    }
  }
  // END SOLUTION
}

/// 2, pages and rows: a page is looked up once a run of keys, and the rows that share a key head go together.
///
/// PAGED_BLOCK keys at a time, in runs that each lie in one page. `queries` as above; `sums` is (count, D), all 0.
template <typename T, size_t count>
void paged_blocks(const PagedRows<T>& rows, const float* queries, float* sums) {
  // SOLUTION 3.4.2 rows, queries, sums
  Softmax softmax[count];
  const size_t keys = *std::max_element(rows.visible, rows.visible + count);
  for (size_t first = 0; first < keys; first += PAGED_BLOCK) {
    const size_t end = std::min(keys, first + PAGED_BLOCK);
    float weights[count][PAGED_BLOCK];
    std::fill_n(weights[0], count * PAGED_BLOCK, -INFINITY);
    const auto each_run = [&](auto&& call) {
      for (size_t s = first; s < end;) {
        const size_t n = std::min(end - s, rows.page - s % rows.page);
        float* of_run[count];
        for (size_t row = 0; row < count; row++) {
          of_run[row] = weights[row] + (s - first);
        }
        call(static_cast<size_t>(rows.ids[s / rows.page]) * rows.page_step + s % rows.page * rows.dims, s, n, of_run);
        s += n;
      }
    };
    each_run([&](size_t at, size_t s, size_t n, float* const* of_run) {
      score_run<T, count>(rows, rows.keys + at, s, n, queries, of_run);
    });
    for (size_t row = 0; row < count; row++) {
      softmax[row].take(weights[row], PAGED_BLOCK, sums + row * rows.dims, rows.dims);
    }
    each_run([&](size_t at, size_t, size_t n, float* const* of_run) {
      add_run<T, count>(rows, rows.values + at, n, of_run, sums);
    });
  }
  for (size_t row = 0; row < count; row++) {
    for (size_t d = 0; d < rows.dims; d++) {
      put(rows.out + row * rows.dims + d, softmax[row].share(sums[row * rows.dims + d]));
    }
  }
  // END SOLUTION
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
