// How a matvec goes through its outputs: in pairs from two stretches of memory, for four, two or one rows of x at a time.
#pragma once

#include <algorithm>
#include <memory>

#include "ext/packed.h"

namespace EXT_NS::EXT_ISA {

/// Scales and biases that are made f32 at once, in outputs.
constexpr size_t CHUNK = 16;

/// The outputs k + i and, for `outs` 2, k + step + i for i below `count` and all rows of x.
///
/// `loop.template operator()<rows, outs, blocks>(output, step, row, scales, biases)` computes the outputs `output` and
/// `output + step` of `rows` rows from `row` on; `scales[o]` and `biases[o]` are those of the o-th, in f32, and a group is
/// `blocks` vectors of words. `scratch` has room for the numbers of 2 * CHUNK outputs.
template <size_t outs, size_t blocks, typename Loop>
void outputs_at(
    const Packed& weight, size_t k, size_t count, size_t step, size_t rows, float* scratch, const Loop& loop) {
  const size_t groups = groups_of(weight);
  const float* scales[outs];
  const float* biases[outs];
  for (size_t o = 0; o < outs; o++) {
    float* to = scratch + 2 * o * CHUNK * groups;
    parameters_of(weight, weight.scales, k + o * step, count, to);
    parameters_of(weight, weight.biases, k + o * step, count, to + CHUNK * groups);
    scales[o] = to;
    biases[o] = to + CHUNK * groups;
  }
  for (size_t i = 0; i < count; i++) {
    for (size_t row = 0; row < rows;) {
      if (rows - row >= 4) {
        loop.template operator()<4, outs, blocks>(k + i, step, row, scales, biases);
        row += 4;
      } else if (rows - row >= 2) {
        loop.template operator()<2, outs, blocks>(k + i, step, row, scales, biases);
        row += 2;
      } else {
        loop.template operator()<1, outs, blocks>(k + i, step, row, scales, biases);
        row += 1;
      }
    }
    for (size_t o = 0; o < outs; o++) {
      scales[o] += groups;
      biases[o] += groups;
    }
  }
}

template <size_t blocks, typename Loop>
void outputs_in_pairs(const Packed& weight, size_t begin, size_t end, size_t rows, bool alone, const Loop& loop) {
  const std::unique_ptr<float[]> scratch(new float[4 * CHUNK * groups_of(weight)]);
  // Outputs that are half of the part away from each other go together.
  const size_t pairs = alone ? 0 : (end - begin) / 2;
  for (size_t i = 0; i < pairs; i += CHUNK) {
    outputs_at<2, blocks>(weight, begin + i, std::min(CHUNK, pairs - i), pairs, rows, scratch.get(), loop);
  }
  for (size_t k = begin + 2 * pairs; k < end; k += CHUNK) {
    outputs_at<1, blocks>(weight, k, std::min(CHUNK, end - k), 0, rows, scratch.get(), loop);
  }
}

/// The outputs begin..end for all rows of x; `alone` never two at a time.
template <typename Loop>
void each_output(const Packed& weight, size_t begin, size_t end, size_t rows, bool alone, const Loop& loop) {
  constexpr size_t block = 8 * GROUP_LANES;
  if (weight.group == 64) {
    outputs_in_pairs<64 / block>(weight, begin, end, rows, alone, loop);
  } else {
    outputs_in_pairs<128 / block>(weight, begin, end, rows, alone, loop);
  }
}

} // namespace EXT_NS::EXT_ISA
