// Walking over a view that does not lie in memory row by row: transposed, sliced, broadcast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ext/arrays.h"

namespace EXT_NS {

/// Visits the elements of a view in row-major order of its shape.
class Walk {
 public:
  explicit Walk(const mx::array& view) : Walk(view, view.ndim()) {}

  /// The first elements of what lies behind the first `axes` axes: those of rows, where the last one is left out.
  Walk(const mx::array& view, size_t axes)
      : shape_(view.shape().begin(), view.shape().begin() + axes),
        strides_(view.strides().begin(), view.strides().begin() + axes),
        position_(axes, 0) {}

  /// Where the element is, counted in elements from the view's first.
  int64_t at() const {
    return at_;
  }

  void next() {
    for (size_t axis = shape_.size(); axis-- > 0;) {
      at_ += strides_[axis];
      if (++position_[axis] < shape_[axis]) {
        return;
      }
      at_ -= strides_[axis] * shape_[axis];
      position_[axis] = 0;
    }
  }

 private:
  std::vector<int64_t> shape_;
  std::vector<int64_t> strides_;
  std::vector<int64_t> position_;
  int64_t at_ = 0;
};

} // namespace EXT_NS
