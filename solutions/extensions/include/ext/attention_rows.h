// Which keys, values and masks belong to which query rows of decode_attention.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "ext/loops.h"

namespace EXT_NS {

/// Rows of one key head that are computed together: each key and value is read once for all of them.
constexpr size_t ROWS = 4;

/// Up to ROWS rows that share a key head, and what they attend to.
template <typename T>
struct Rows {
  size_t count;
  /// (count, D), as `out`.
  const T* query;
  T* out;
  /// Key and value `s` are at s * step.
  const T* key;
  const T* value;
  int64_t key_step;
  int64_t value_step;
  /// How many keys each row sees, from the first on.
  size_t visible[ROWS];
  /// Where each row's mask begins; or null.
  const float* mask[ROWS];
  int64_t mask_step;

  /// What is added to the score of row `row` and key `s`.
  float bonus(size_t row, size_t s) const {
    return mask[row] == nullptr ? 0.0f : mask[row][static_cast<int64_t>(s) * mask_step];
  }
};

/// How many parts of up to ROWS rows one key head has.
inline size_t parts_of_head(const Attention& attention) {
  return (attention.query_heads / attention.heads * attention.length + ROWS - 1) / ROWS;
}

/// Part `unit` of all batch * heads * parts_of_head.
template <typename T>
Rows<T> rows_of(const Attention& attention, size_t unit) {
  const size_t group = attention.query_heads / attention.heads;
  const size_t parts = parts_of_head(attention);
  const size_t first = unit % parts * ROWS;
  const size_t head = unit / parts % attention.heads;
  const size_t batch = unit / parts / attention.heads;
  const auto view = [&](const Heads& heads) {
    return static_cast<const T*>(heads.data) + static_cast<int64_t>(batch) * heads.batch_step +
        static_cast<int64_t>(head) * heads.head_step;
  };
  const size_t at = ((batch * attention.query_heads + head * group) * attention.length + first) * attention.dims;
  Rows<T> rows{
      .count = std::min(ROWS, group * attention.length - first),
      .query = static_cast<const T*>(attention.query) + at,
      .out = static_cast<T*>(attention.out) + at,
      .key = view(attention.key),
      .value = view(attention.value),
      .key_step = attention.key.token_step,
      .value_step = attention.value.token_step,
      .visible = {},
      .mask = {},
      .mask_step = attention.mask_steps[3]};
  for (size_t row = 0; row < rows.count; row++) {
    const size_t token = (first + row) % attention.length;
    // Without a causal rule every query is the last one.
    const size_t hidden = attention.causal ? attention.length - 1 - token : 0;
    rows.visible[row] = attention.keys > hidden ? attention.keys - hidden : 0;
    if (attention.mask != nullptr) {
      const auto query_head = static_cast<int64_t>(head * group + (first + row) / attention.length);
      rows.mask[row] = attention.mask + static_cast<int64_t>(batch) * attention.mask_steps[0] +
          query_head * attention.mask_steps[1] + static_cast<int64_t>(token) * attention.mask_steps[2];
    }
  }
  return rows;
}

/// Row `row` alone.
template <typename T>
Rows<T> only(const Rows<T>& rows, size_t row, size_t dims) {
  Rows<T> one = rows;
  one.count = 1;
  one.query += row * dims;
  one.out += row * dims;
  one.visible[0] = rows.visible[row];
  one.mask[0] = rows.mask[row];
  return one;
}

} // namespace EXT_NS
