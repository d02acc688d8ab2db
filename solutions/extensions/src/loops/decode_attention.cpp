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
  // SOLUTION 2.5.1 rows, dims, scale, scores
  float most = -INFINITY;
  for (size_t s = 0; s < rows.visible[0]; s++) {
    const T* key = rows.key + static_cast<int64_t>(s) * rows.key_step;
    float score = 0;
    for (size_t d = 0; d < dims; d++) {
      score += to_float(rows.query[d]) * to_float(key[d]);
    }
    scores[s] = score * scale + rows.bonus(0, s);
    most = std::max(most, scores[s]);
  }
  float total = 0;
  for (size_t s = 0; s < rows.visible[0]; s++) {
    scores[s] = most == -INFINITY ? 0.0f : std::exp(scores[s] - most);
    total += scores[s];
  }
  for (size_t d = 0; d < dims; d++) {
    float sum = 0;
    for (size_t s = 0; s < rows.visible[0]; s++) {
      sum += scores[s] * to_float(rows.value[static_cast<int64_t>(s) * rows.value_step + static_cast<int64_t>(d)]);
    }
    put(rows.out + d, total == 0 ? 0.0f : sum / total);
  }
  // END SOLUTION
}

/// 2, online softmax: one pass over keys and values.
///
/// Row 0: when a larger score comes, what was summed with the old one is scaled down. `sums` is scratch of D floats.
template <typename T>
void attention_online(const Rows<T>& rows, size_t dims, float scale, float* sums) {
  // SOLUTION 2.5.1 rows, dims, scale, sums
  std::fill(sums, sums + dims, 0.0f);
  float most = -INFINITY;
  float total = 0;
  for (size_t s = 0; s < rows.visible[0]; s++) {
    const T* key = rows.key + static_cast<int64_t>(s) * rows.key_step;
    const T* value = rows.value + static_cast<int64_t>(s) * rows.value_step;
    float score = 0;
    for (size_t d = 0; d < dims; d++) {
      score += to_float(rows.query[d]) * to_float(key[d]);
    }
    score = score * scale + rows.bonus(0, s);
    if (score == -INFINITY) {
      continue;
    }
    const float before = most;
    most = std::max(most, score);
    const float shrink = std::exp(before - most);
    const float weight = std::exp(score - most);
    total = total * shrink + weight;
    for (size_t d = 0; d < dims; d++) {
      sums[d] = sums[d] * shrink + weight * to_float(value[d]);
    }
  }
  for (size_t d = 0; d < dims; d++) {
    put(rows.out + d, total == 0 ? 0.0f : sums[d] / total);
  }
  // END SOLUTION
}

/// A part of 3: weights[row][i] becomes the score of key first + i, or -inf where the row does not see it.
///
/// `queries` is (count, D) in f32, already scaled.
template <typename T, size_t count>
void score_block(const Rows<T>& rows, size_t dims, const float* queries, size_t first, float weights[][BLOCK]) {
  // SOLUTION 2.5.1 rows, dims, queries, first, weights
  for (size_t i = 0; i < BLOCK; i++) {
    const size_t s = first + i;
    if (s >= *std::max_element(rows.visible, rows.visible + count)) {
      for (size_t row = 0; row < count; row++) {
        weights[row][i] = -INFINITY;
      }
      continue;
    }
    const T* key = rows.key + static_cast<int64_t>(s) * rows.key_step;
    // The values of this block are needed right after its scores, the keys of the next one after them.
    expect(rows.value + static_cast<int64_t>(s) * rows.value_step, dims * sizeof(T));
    expect(key + static_cast<int64_t>(BLOCK) * rows.key_step, dims * sizeof(T));
    Floats products[count] = {};
    size_t d = 0;
    for (; d + LANES <= dims; d += LANES) {
      const Floats part = load(key + d);
      for (size_t row = 0; row < count; row++) {
        products[row] += load(queries + row * dims + d) * part;
      }
    }
    // Unrolled, so that the sums never lie in memory.
#pragma GCC unroll 4
    for (size_t row = 0; row < count; row++) {
      weights[row][i] = s < rows.visible[row] ? sum(products[row]) + rows.bonus(row, s) : -INFINITY;
    }
    for (; d < dims; d++) {
      for (size_t row = 0; row < count; row++) {
        weights[row][i] += queries[row * dims + d] * to_float(key[d]);
      }
    }
  }
  // END SOLUTION
}

/// A part of 3: sums[row] += Σ weights[row][i] * value[first + i] over the first n keys of the block.
template <typename T, size_t count>
void add_values(const Rows<T>& rows, size_t dims, const float weights[][BLOCK], size_t first, size_t n, float* sums) {
  // SOLUTION 2.5.1 rows, dims, weights, first, n, sums
  const T* values = rows.value + static_cast<int64_t>(first) * rows.value_step;
  size_t d = 0;
  for (; d + LANES <= dims; d += LANES) {
    Floats parts[count];
    for (size_t row = 0; row < count; row++) {
      parts[row] = load(sums + row * dims + d);
    }
    for (size_t i = 0; i < n; i++) {
      const Floats value = load(values + static_cast<int64_t>(i) * rows.value_step + d);
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
      const float value = to_float(values[static_cast<int64_t>(i) * rows.value_step + static_cast<int64_t>(d)]);
      for (size_t row = 0; row < count; row++) {
        sums[row * dims + d] += weights[row][i] * value;
      }
    }
  }
  // END SOLUTION
}

/// 3, vectors and blocks: the rows that share a key head go together, and sums are scaled down once a block of keys.
///
/// `count` rows, BLOCK keys at a time. `queries` as above; `sums` is (count, D), all 0.
template <typename T, size_t count>
void attention_blocks(const Rows<T>& rows, size_t dims, const float* queries, float* sums) {
  // SOLUTION 2.5.1 rows, dims, queries, sums
  float most[count];
  float total[count] = {};
  std::fill(most, most + count, -INFINITY);
  const size_t keys = *std::max_element(rows.visible, rows.visible + count);
  for (size_t first = 0; first < keys; first += BLOCK) {
    float weights[count][BLOCK];
    score_block<T, count>(rows, dims, queries, first, weights);
    for (size_t row = 0; row < count; row++) {
      float block = -INFINITY;
      for (size_t i = 0; i < BLOCK; i += LANES) {
        block = std::max(block, largest(load(weights[row] + i)));
      }
      const float before = most[row];
      most[row] = std::max(before, block);
      // Before the first visible key there is nothing to subtract; -inf stays a weight of 0.
      const float base = most[row] == -INFINITY ? 0.0f : most[row];
      const float shrink = std::exp(before - base);
      Floats added = {};
      for (size_t i = 0; i < BLOCK; i += LANES) {
        const Floats weight = exp(load(weights[row] + i) - base);
        store(weights[row] + i, weight);
        added += weight;
      }
      total[row] = total[row] * shrink + sum(added);
      for (size_t d = 0; d < dims; d++) {
        sums[row * dims + d] *= shrink;
      }
    }
    add_values<T, count>(rows, dims, weights, first, std::min(BLOCK, keys - first), sums);
  }
  for (size_t row = 0; row < count; row++) {
    for (size_t d = 0; d < dims; d++) {
      put(rows.out + row * dims + d, total[row] == 0 ? 0.0f : sums[row * dims + d] / total[row]);
    }
  }
  // END SOLUTION
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
