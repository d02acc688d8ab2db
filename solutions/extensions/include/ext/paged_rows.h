// Which keys and values, in which pages, belong to which query rows of paged_attention.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "ext/loops.h"

namespace EXT_NS {

/// Rows of one key head that are computed together: each key and value is read once for all of them.
constexpr size_t PAGED_ROWS = 4;

/// Up to PAGED_ROWS rows that share a key head, and the pages that they attend to.
template <typename T>
struct PagedRows {
  size_t count;
  /// (count, D), as `out`.
  const T* query;
  T* out;
  /// The head in page 0; in page p it is p * page_step further. Its slots lie in a row.
  const T* keys;
  const T* values;
  size_t page_step;
  size_t page, dims;
  /// The pages of the text, in its order.
  const int32_t* ids;
  /// How many keys each row sees, from the first on.
  size_t visible[PAGED_ROWS];
};

/// How many keys query token `token` of text `batch` sees, from the first on.
inline size_t visible_keys(const PagedAttention& attention, size_t batch, size_t token) {
  const auto keys = static_cast<size_t>(attention.contexts[batch]);
  // Without a causal rule every query is the last one.
  const size_t hidden = attention.causal ? attention.length - 1 - token : 0;
  return keys > hidden ? keys - hidden : 0;
}

/// How many parts of up to PAGED_ROWS rows one key head has.
inline size_t parts_of_head(const PagedAttention& attention) {
  return (attention.query_heads / attention.heads * attention.length + PAGED_ROWS - 1) / PAGED_ROWS;
}

/// Part `unit` of all batch * heads * parts_of_head.
template <typename T>
PagedRows<T> rows_of(const PagedAttention& attention, size_t unit) {
  const size_t group = attention.query_heads / attention.heads;
  const size_t parts = parts_of_head(attention);
  const size_t first = unit % parts * PAGED_ROWS;
  const size_t head = unit / parts % attention.heads;
  const size_t batch = unit / parts / attention.heads;
  const size_t at = ((batch * attention.query_heads + head * group) * attention.length + first) * attention.dims;
  const size_t of_head = head * attention.page * attention.dims;
  PagedRows<T> rows{
      .count = std::min(PAGED_ROWS, group * attention.length - first),
      .query = static_cast<const T*>(attention.query) + at,
      .out = static_cast<T*>(attention.out) + at,
      .keys = static_cast<const T*>(attention.keys) + of_head,
      .values = static_cast<const T*>(attention.values) + of_head,
      .page_step = attention.heads * attention.page * attention.dims,
      .page = attention.page,
      .dims = attention.dims,
      .ids = attention.table + batch * attention.columns,
      .visible = {}};
  for (size_t row = 0; row < rows.count; row++) {
    rows.visible[row] = visible_keys(attention, batch, (first + row) % attention.length);
  }
  return rows;
}

} // namespace EXT_NS
