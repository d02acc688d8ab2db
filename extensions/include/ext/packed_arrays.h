// A packed weight as three arrays: checked, and as the loops see it.
#pragma once

#include <string>

#include "ext/dense.h"

namespace EXT_NS {

/// Refuses what is not a packed weight; `op` begins the sentence.
inline void check_packed(
    const std::string& op, const mx::array& weight, const mx::array& scales, const mx::array& biases, int group, int bits) {
  if (bits != 4) {
    throw std::invalid_argument(op + ": bits must be 4");
  }
  if (group != 64 && group != 128) {
    throw std::invalid_argument(op + ": group_size must be 64 or 128");
  }
  if (weight.dtype() != mx::uint32 || weight.ndim() != 2) {
    throw std::invalid_argument(op + ": the weight must be uint32 and (K, N/8)");
  }
  const mx::Shape wanted{weight.shape(0), weight.shape(1) / (group / 8)};
  if (weight.shape(1) == 0 || weight.shape(1) % (group / 8) != 0 || scales.shape() != wanted || biases.shape() != wanted) {
    throw std::invalid_argument(op + ": scales and biases must be (K, N/group_size), and N a multiple of group_size");
  }
  element_of(scales, "scales");
  if (biases.dtype() != scales.dtype()) {
    throw std::invalid_argument(op + ": scales and biases must have one dtype");
  }
}

/// The arrays while a node works.
class PackedArrays {
 public:
  PackedArrays(const mx::array& weight, const mx::array& scales, const mx::array& biases, int group)
      : words_(weight), scales_(scales), biases_(biases) {
    const auto axis = [&](int which) { return static_cast<size_t>(weight.shape(which)); };
    view_ = {words_.as<uint32_t>(), scales_.as<char>(), biases_.as<char>(), element_of(scales, "scales"),
             axis(0), axis(1) * 8, static_cast<size_t>(group)};
  }

  const Packed& view() const {
    return view_;
  }

 private:
  Dense words_;
  Dense scales_;
  Dense biases_;
  Packed view_;
};

} // namespace EXT_NS
