// The Metal launches of quantized_matmul.
#pragma once

#include <vector>

#include "ext/gpu.h"

namespace EXT_NS {

/// The numbers are those of `Path` in src/week2/quantized.rs.
enum class Path : int { Vanilla = 0, Matvec = 1, Tiled = 2, SplitK = 3, MatvecInt16 = 4 };

/// Which kernels run.
struct ProductLaunch {
  Path path;
  /// The parts of each sum, for SplitK.
  int splits;
  /// Inputs that share a scale.
  int group;
  /// The first step of the ladder.
  bool naive;
};

/// x, weight, scales and biases in, the product out: one launch, or two for SplitK.
void encode_product(
    Encoder& encoder, const std::vector<mx::array>& inputs, mx::array& out, const ProductLaunch& launch);

} // namespace EXT_NS
