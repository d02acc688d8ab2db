// The step of the online softmax that attention over pages shares: a block of scores comes, and what was summed with an
// older largest score is scaled down (week 2, day 5).
#pragma once

#include <algorithm>
#include <cmath>

#include "ext/vector.h"

namespace EXT_NS::EXT_ISA {

/// The largest score and the total of the weights that a row has seen so far.
struct Softmax {
  float most = -INFINITY;
  float total = 0;

  /// `n` scores, a multiple of LANES and -inf where there is none, become weights; `sums`, `dims` floats, are scaled down.
  void take(float* scores, size_t n, float* sums, size_t dims) {
    Floats block = load(scores);
    for (size_t i = LANES; i < n; i += LANES) {
      block = larger(block, load(scores + i));
    }
    const float before = most;
    most = std::max(most, largest(block));
    // Before the first visible key there is nothing to subtract; -inf stays a weight of 0.
    const float base = most == -INFINITY ? 0.0f : most;
    Floats added = {};
    for (size_t i = 0; i < n; i += LANES) {
      const Floats weight = exp(load(scores + i) - base);
      store(scores + i, weight);
      added += weight;
    }
    if (before != most) {
      const float shrink = std::exp(before - base);
      total *= shrink;
      for (size_t d = 0; d < dims; d++) {
        sums[d] *= shrink;
      }
    }
    total += sum(added);
  }

  /// What a sum is worth at the end: a row that saw no key is 0.
  float share(float of) const {
    return total == 0 ? 0.0f : of / total;
  }
};

} // namespace EXT_NS::EXT_ISA
