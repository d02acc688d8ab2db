// paged_attention for many query rows, as in prefill: tiles of queries times tiles of keys (task 3.5.1).
//
// A tile of keys is unpacked from its pages once for TILE_QUERIES rows. No score is kept longer than its tile.
#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

#include "ext/flash_tiles.h"
#include "ext/loops.h"
#include "ext/online_softmax.h"

namespace EXT_NS::EXT_ISA {

/// Six rows by two keys, or by two vectors of a value: so many sums stay in the registers of AVX2.
constexpr size_t FLASH_ROWS = 6;
constexpr size_t FLASH_KEYS = 2;
constexpr size_t FLASH_OUTPUTS = 2 * LANES;

/// A head's width, up to whole pairs of vectors.
static size_t padded(size_t dims) {
  return (dims + FLASH_OUTPUTS - 1) / FLASH_OUTPUTS * FLASH_OUTPUTS;
}

/// What a tile works in. Rows of queries, sums and scores behind the tile's last are 0.
struct FlashMemory {
  /// (TILE_QUERIES, D), scaled.
  float* queries;
  /// (TILE_KEYS, D), and 0 behind the last key.
  float* keys;
  /// (TILE_KEYS, padded D), and 0 behind D and behind the last key.
  float* values;
  /// (TILE_QUERIES, TILE_KEYS)
  float* scores;
  /// (TILE_QUERIES, padded D)
  float* sums;
  /// How many keys each row sees, from the first on.
  size_t visible[TILE_QUERIES];
  Softmax softmax[TILE_QUERIES];
};

/// 1, tiles: keys are unpacked once for 96 rows, and products are made number by number.
///
/// scores[r * TILE_KEYS + k] = Σ_d queries[r, d] * keys[k, d] for FLASH_ROWS rows and FLASH_KEYS keys.
void score_naive(const float* queries, const float* keys, size_t dims, float* scores) {
  // SOLUTION 3.5.1 queries, keys, dims, scores
  for (size_t r = 0; r < FLASH_ROWS; r++) {
    for (size_t k = 0; k < FLASH_KEYS; k++) {
      float score = 0;
      for (size_t d = 0; d < dims; d++) {
        score += queries[r * dims + d] * keys[k * dims + d];
      }
      scores[r * TILE_KEYS + k] = score;
    }
  }
  // END SOLUTION
}

/// 2, sums in registers: twelve vectors of sums, which leave the registers only at the end.
///
/// The same, in the order of `score_run`: a vector of sums along the head, its lanes added, then the tail.
void score_vectors(const float* queries, const float* keys, size_t dims, float* scores) {
  // SOLUTION 3.5.1 queries, keys, dims, scores
  Floats products[FLASH_ROWS][FLASH_KEYS] = {};
  size_t d = 0;
  for (; d + LANES <= dims; d += LANES) {
    const Floats left = load(keys + d);
    const Floats right = load(keys + dims + d);
#pragma GCC unroll 6
    for (size_t r = 0; r < FLASH_ROWS; r++) {
      const Floats query = load(queries + r * dims + d);
      products[r][0] += query * left;
      products[r][1] += query * right;
    }
  }
  // Unrolled, so that the sums never lie in memory.
#pragma GCC unroll 6
  for (size_t r = 0; r < FLASH_ROWS; r++) {
    scores[r * TILE_KEYS] = sum(products[r][0]);
    scores[r * TILE_KEYS + 1] = sum(products[r][1]);
  }
  for (; d < dims; d++) {
    for (size_t r = 0; r < FLASH_ROWS; r++) {
      scores[r * TILE_KEYS] += queries[r * dims + d] * keys[d];
      scores[r * TILE_KEYS + 1] += queries[r * dims + d] * keys[dims + d];
    }
  }
  // END SOLUTION
}

/// A part of every step: sums[r * wide + o] += Σ_k weights[r, k] * values[k * wide + o] for FLASH_ROWS rows, TILE_KEYS keys and
/// FLASH_OUTPUTS outputs.
void add_values(const float* weights, const float* values, size_t wide, float* sums) {
  // SOLUTION 3.5.1 weights, values, wide, sums
  Floats totals[FLASH_ROWS][2];
  for (size_t r = 0; r < FLASH_ROWS; r++) {
    totals[r][0] = load(sums + r * wide);
    totals[r][1] = load(sums + r * wide + LANES);
  }
  for (size_t k = 0; k < TILE_KEYS; k++) {
    const Floats left = load(values + k * wide);
    const Floats right = load(values + k * wide + LANES);
#pragma GCC unroll 6
    for (size_t r = 0; r < FLASH_ROWS; r++) {
      totals[r][0] += weights[r * TILE_KEYS + k] * left;
      totals[r][1] += weights[r * TILE_KEYS + k] * right;
    }
  }
  for (size_t r = 0; r < FLASH_ROWS; r++) {
    store(sums + r * wide, totals[r][0]);
    store(sums + r * wide + LANES, totals[r][1]);
  }
  // END SOLUTION
}

// 3, threads: src/paged_attention.cpp gives each thread tiles of queries.

/// Fills memory.keys and memory.values with the n keys from `first` on, page by page.
template <typename T>
static void unpack_keys(const PagedAttention& attention, const QueryTile& tile, size_t first, size_t n, FlashMemory& memory) {
  const size_t dims = attention.dims, wide = padded(dims);
  const T* from[2][TILE_KEYS];
  for (size_t i = 0; i < n; i++) {
    const size_t s = first + i;
    const auto id = static_cast<size_t>(attention.table[tile.batch * attention.columns + s / attention.page]);
    const size_t slot = (id * attention.heads + tile.head) * attention.page + s % attention.page;
    from[0][i] = static_cast<const T*>(attention.keys) + slot * dims;
    from[1][i] = static_cast<const T*>(attention.values) + slot * dims;
  }
  for (size_t i = 0; i < n; i++) {
    to_floats(attention.element, from[0][i], memory.keys + i * dims, dims);
  }
  std::fill(memory.keys + n * dims, memory.keys + TILE_KEYS * dims, 0.0f);
  for (size_t i = 0; i < TILE_KEYS; i++) {
    float* to = memory.values + i * wide;
    if (i < n) {
      to_floats(attention.element, from[1][i], to, dims);
    }
    std::fill(to + (i < n ? dims : 0), to + wide, 0.0f);
  }
}

/// How many keys from the first on a tile's rows need at most: those behind them are in no row's sight.
size_t keys_of_tile(const PagedAttention& attention, const QueryTile& tile, const FlashMemory& memory) {
  // SOLUTION 3.5.1 attention, tile, memory
  return *std::max_element(memory.visible, memory.visible + tile.count);
  // END SOLUTION
}

/// What a tile of keys does to a tile of queries: scores, -inf where a row does not see a key, weights, sums of values.
///
/// memory.keys and memory.values hold the keys from `first` on; `rows` is the tile's count up to whole FLASH_ROWS.
void flash_tile(const QueryTile& tile, size_t dims, size_t first, size_t rows, FlashMemory& memory, int version) {
  // SOLUTION 3.5.1 tile, dims, first, rows, memory, version
  const size_t wide = padded(dims);
  const auto score = version == 1 ? score_naive : score_vectors;
  for (size_t row = 0; row < rows; row += FLASH_ROWS) {
    for (size_t k = 0; k < TILE_KEYS; k += FLASH_KEYS) {
      score(memory.queries + row * dims, memory.keys + k * dims, dims, memory.scores + row * TILE_KEYS + k);
    }
  }
  for (size_t row = 0; row < tile.count; row++) {
    float* scores = memory.scores + row * TILE_KEYS;
    const size_t visible = memory.visible[row] > first ? memory.visible[row] - first : 0;
    if (visible < TILE_KEYS) {
      std::fill(scores + visible, scores + TILE_KEYS, -INFINITY);
    }
    memory.softmax[row].take(scores, TILE_KEYS, memory.sums + row * wide, dims);
  }
  for (size_t row = 0; row < rows; row += FLASH_ROWS) {
    for (size_t o = 0; o < wide; o += FLASH_OUTPUTS) {
      add_values(memory.scores + row * TILE_KEYS, memory.values + o, wide, memory.sums + row * wide + o);
    }
  }
  // END SOLUTION
}

template <typename T>
static void flash_unit(const PagedAttention& attention, const QueryTile& tile, FlashMemory& memory, int version) {
  const size_t dims = attention.dims, wide = padded(dims);
  const size_t rows = (tile.count + FLASH_ROWS - 1) / FLASH_ROWS * FLASH_ROWS;
  std::fill_n(memory.queries, rows * dims, 0.0f);
  std::fill_n(memory.sums, rows * wide, 0.0f);
  for (size_t row = 0; row < tile.count; row++) {
    const T* query = static_cast<const T*>(attention.query) + place_of(attention, tile, row);
    for (size_t d = 0; d < dims; d++) {
      memory.queries[row * dims + d] = to_float(query[d]) * attention.scale;
    }
    memory.visible[row] = visible_keys(attention, tile.batch, (tile.first + row) / tile.group);
    memory.softmax[row] = Softmax{};
  }
  const size_t keys = keys_of_tile(attention, tile, memory);
  for (size_t first = 0; first < keys; first += TILE_KEYS) {
    unpack_keys<T>(attention, tile, first, std::min(TILE_KEYS, keys - first), memory);
    flash_tile(tile, dims, first, rows, memory, version);
  }
  for (size_t row = 0; row < tile.count; row++) {
    T* out = static_cast<T*>(attention.out) + place_of(attention, tile, row);
    for (size_t d = 0; d < dims; d++) {
      put(out + d, memory.softmax[row].share(memory.sums[row * wide + d]));
    }
  }
}

void flash_attention(const PagedAttention& attention, size_t begin, size_t end, int version) {
  const size_t dims = attention.dims, wide = padded(dims);
  const size_t floats = TILE_QUERIES * (dims + TILE_KEYS + wide) + TILE_KEYS * (dims + wide);
  const std::unique_ptr<float[]> scratch(new float[floats]);
  FlashMemory memory{};
  float* next = scratch.get();
  const auto take = [&next](size_t n) { return std::exchange(next, next + n); };
  memory.queries = take(TILE_QUERIES * dims);
  memory.keys = take(TILE_KEYS * dims);
  memory.values = take(TILE_KEYS * wide);
  memory.scores = take(TILE_QUERIES * TILE_KEYS);
  memory.sums = take(TILE_QUERIES * wide);
  with_element(attention.element, [&](auto type) {
    for (size_t unit = begin; unit < end; unit++) {
      flash_unit<decltype(type)>(attention, tile_of(attention, unit), memory, version);
    }
  });
}

} // namespace EXT_NS::EXT_ISA
