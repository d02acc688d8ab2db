// The tiles of the flash path: which query rows and how many keys, and the memory that one tile works in.
#pragma once

#include <algorithm>
#include <cstddef>

#include "ext/loops.h"
#include "ext/paged_rows.h"

namespace EXT_NS {

/// Query rows of a tile, a multiple of the rows whose sums fit the registers; the number is that of src/week3.
constexpr size_t TILE_QUERIES = 96;
/// Keys of a tile, a multiple of two vectors of any set of instructions; the number is that of src/week3.
constexpr size_t TILE_KEYS = 64;

/// Row r of a key head is token r / G of query head r % G of the G that share it: the rows of a tile see about the same
/// keys.
struct QueryTile {
  size_t batch, head, group;
  /// The first row, and how many there are.
  size_t first, count;
};

/// How many tiles the rows of one key head make.
inline size_t tiles_of_head(const PagedAttention& attention) {
  return (attention.query_heads / attention.heads * attention.length + TILE_QUERIES - 1) / TILE_QUERIES;
}

/// Tile `unit` of all batch * heads * tiles_of_head.
inline QueryTile tile_of(const PagedAttention& attention, size_t unit) {
  const size_t group = attention.query_heads / attention.heads;
  const size_t tiles = tiles_of_head(attention);
  const size_t first = unit % tiles * TILE_QUERIES;
  return {unit / tiles / attention.heads, unit / tiles % attention.heads, group, first,
          std::min(TILE_QUERIES, group * attention.length - first)};
}

/// Where a row's query and result are, in elements.
inline size_t place_of(const PagedAttention& attention, const QueryTile& tile, size_t row) {
  const size_t r = tile.first + row;
  const size_t query_head = tile.head * tile.group + r % tile.group;
  return ((tile.batch * attention.query_heads + query_head) * attention.length + r / tile.group) * attention.dims;
}

} // namespace EXT_NS
