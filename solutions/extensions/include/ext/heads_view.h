// Keys and values as the loops read them: where they lie, as long as each head's row lies in a row.
#pragma once

#include <optional>

#include "ext/dense.h"

namespace EXT_NS {

/// Keys or values, (B, H, L, D). A cache is a slice of a larger array: its heads lie apart, and are read where they are.
class HeadsView {
 public:
  explicit HeadsView(const mx::array& array) {
    const bool rows = array.strides(3) == 1 || array.shape(3) == 1;
    const auto shape = [&](int axis) { return static_cast<int64_t>(array.shape(axis)); };
    if (rows) {
      heads_ = {array.data<char>(), array.strides(0), array.strides(1), array.strides(2)};
    } else {
      copy_.emplace(array);
      heads_ = {copy_->as<char>(), shape(1) * shape(2) * shape(3), shape(2) * shape(3), shape(3)};
    }
  }

  const Heads& heads() const {
    return heads_;
  }

 private:
  std::optional<Dense> copy_;
  Heads heads_;
};

} // namespace EXT_NS
