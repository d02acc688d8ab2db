// decode_attention: softmax(query * scale @ key^T + mask) @ value for a few query rows (task 2.5.1).
//
// The query heads that share a key head, and their L tokens, are rows that lie in a row. A row that sees no key is 0.
#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "ext/attention_rows.h"
#include "ext/loops.h"
#include "ext/vector.h"

namespace EXT_NS::EXT_ISA {

/// Keys between two looks at the largest score.
constexpr size_t BLOCK = 32;

/// 1, naive: three passes over all scores.
///
/// Row 0: the largest score, the exponentials and their sum, the values. `scores` is scratch, one float a key.
template <typename T>
void attention_naive(const Rows<T>& rows, size_t dims, float scale, float* scores) {
  throw std::runtime_error("not implemented: task 2.5.1, attention_naive (extensions/src/loops/decode_attention.cpp:23)");
}

/// 2, online softmax: one pass over keys and values.
///
/// Row 0: when a larger score comes, what was summed with the old one is scaled down. `sums` is scratch of D floats.
template <typename T>
void attention_online(const Rows<T>& rows, size_t dims, float scale, float* sums) {
  throw std::runtime_error("not implemented: task 2.5.1, attention_online (extensions/src/loops/decode_attention.cpp:31)");
}

/// A part of 3: weights[row][i] becomes the score of key first + i, or -inf where the row does not see it.
///
/// `queries` is (count, D) in f32, already scaled.
template <typename T, size_t count>
void score_block(const Rows<T>& rows, size_t dims, const float* queries, size_t first, float weights[][BLOCK]) {
  throw std::runtime_error("not implemented: task 2.5.1, score_block (extensions/src/loops/decode_attention.cpp:39)");
}

/// A part of 3: sums[row] += Σ weights[row][i] * value[first + i] over the first n keys of the block.
template <typename T, size_t count>
void add_values(const Rows<T>& rows, size_t dims, const float weights[][BLOCK], size_t first, size_t n, float* sums) {
  throw std::runtime_error("not implemented: task 2.5.1, add_values (extensions/src/loops/decode_attention.cpp:45)");
}

/// 3, vectors and blocks: the rows that share a key head go together, and sums are scaled down once a block of keys.
///
/// `count` rows, BLOCK keys at a time. `queries` as above; `sums` is (count, D), all 0.
template <typename T, size_t count>
void attention_blocks(const Rows<T>& rows, size_t dims, const float* queries, float* sums) {
  throw std::runtime_error("not implemented: task 2.5.1, attention_blocks (extensions/src/loops/decode_attention.cpp:53)");
}

// 4, threads: src/decode_attention.cpp gives each thread a part of the heads.

/// Step 3 for as many rows as there are.
template <typename T>
static void attention_of(const Rows<T>& rows, size_t dims, float scale, float* queries, float* sums) {
  for (size_t i = 0; i < rows.count * dims; i++) {
    queries[i] = to_float(rows.query[i]) * scale;
    sums[i] = 0;
  }
  switch (rows.count) {
    case 1:
      return attention_blocks<T, 1>(rows, dims, queries, sums);
    case 2:
      return attention_blocks<T, 2>(rows, dims, queries, sums);
    case 3:
      return attention_blocks<T, 3>(rows, dims, queries, sums);
    default:
      return attention_blocks<T, ROWS>(rows, dims, queries, sums);
  }
}

void decode_attention(const Attention& attention, size_t begin, size_t end, int version) {
  const size_t dims = attention.dims;
  const std::unique_ptr<float[]> scratch(new float[std::max(attention.keys, 2 * ROWS * dims)]);
  with_element(attention.element, [&](auto type) {
    for (size_t unit = begin; unit < end; unit++) {
      const auto rows = rows_of<decltype(type)>(attention, unit);
      if (version != 1 && version != 2) {
        attention_of(rows, dims, attention.scale, scratch.get(), scratch.get() + ROWS * dims);
        continue;
      }
      for (size_t row = 0; row < rows.count; row++) {
        const auto one = only(rows, row, dims);
        if (version == 1) {
          attention_naive(one, dims, attention.scale, scratch.get());
        } else {
          attention_online(one, dims, attention.scale, scratch.get());
        }
      }
    }
  });
}

} // namespace EXT_NS::EXT_ISA
