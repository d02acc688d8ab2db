// quantized_matmul for few rows of x, as in decoding: every code is read once and is bound by memory (task 2.3.3).
#include <memory>
#include <stdexcept>

#include "ext/packed.h"

namespace EXT_NS::EXT_ISA {

/// 1, the affine split: Σ x * (scale * code + bias) = scale * Σ x * code + bias * Σ x for each group, so that scale and
/// bias are used once a group. One row of x and one output; `sums[g]` is the sum of the x of group g.
float matvec_split(const Packed& weight, size_t k, const float* x, const float* sums) {
  throw std::runtime_error("not implemented: task 2.3.3, matvec_split (extensions/src/loops/quantized_matvec.cpp:12)");
}

/// The order in which vectors read x. Lane l of a vector of words holds the codes 8l..8l + 7, so block b of GROUP_LANES
/// words needs x[8l + code] side by side for each code: arranged[(8b + code) * GROUP_LANES + l].
///
/// A code stays where it is in its word, code * 16^place, and x is divided by 16^place instead: no shift, and exact.
/// The last code would be a negative int and takes the place of the one before.
void arrange(const Packed& weight, const float* x, float* arranged, float* sums) {
  constexpr size_t block = 8 * GROUP_LANES;
  for (size_t at = 0; at < weight.inputs; at += block) {
    for (size_t code = 0; code < 8; code++) {
      const float place = 1.0f / static_cast<float>(1u << 4 * (code < 7 ? code : 6));
      for (size_t lane = 0; lane < GROUP_LANES; lane++) {
        arranged[at + code * GROUP_LANES + lane] = x[at + 8 * lane + code] * place;
      }
    }
  }
  for (size_t group = 0; group < groups_of(weight); group++) {
    Floats added = {};
    for (size_t n = group * weight.group; n < (group + 1) * weight.group; n += LANES) {
      added += load(x + n);
    }
    sums[group] = sum(added);
  }
}

/// 2, vectors, and 3, several outputs at once: `outs` outputs from k on for `rows` rows of x, which share what they read.
///
/// `x` and `sums` are arranged, a row after the other; `scales` and `biases` are those of output k and the next, in f32.
template <size_t rows, size_t outs>
void matvec_vectors(
    const Packed& weight, size_t k, const float* x, const float* sums, const float* scales, const float* biases, float* out) {
  throw std::runtime_error("not implemented: task 2.3.3, matvec_vectors (extensions/src/loops/quantized_matvec.cpp:45)");
}

// 4, threads: src/quantized_matmul.cpp gives each thread a part of the outputs.

/// `outs` outputs from k on for all rows of x, by four, two and one.
template <size_t outs>
static void outputs_at(
    const Packed& weight, size_t k, const float* x, const float* sums, size_t rows, float* parameters, float* out) {
  const size_t groups = groups_of(weight);
  float* biases = parameters + outs * groups;
  parameters_of(weight, weight.scales, k, outs, parameters);
  parameters_of(weight, weight.biases, k, outs, biases);
  for (size_t row = 0; row < rows;) {
    const float* from = x + row * weight.inputs;
    const float* from_sums = sums + row * groups;
    float* to = out + row * weight.outputs;
    if (rows - row >= 4 && outs <= 2) {
      matvec_vectors<4, outs <= 2 ? outs : 1>(weight, k, from, from_sums, parameters, biases, to);
      row += 4;
    } else if (rows - row >= 2) {
      matvec_vectors<2, outs>(weight, k, from, from_sums, parameters, biases, to);
      row += 2;
    } else {
      matvec_vectors<1, outs>(weight, k, from, from_sums, parameters, biases, to);
      row += 1;
    }
  }
}

/// The outputs begin..end for all rows. Step 1 reads `x`, the others `arranged`.
void quantized_matvec(
    const Packed& weight,
    const float* x,
    const float* arranged,
    const float* sums,
    size_t rows,
    float* out,
    size_t begin,
    size_t end,
    int version) {
  if (version == 1) {
    for (size_t k = begin; k < end; k++) {
      for (size_t row = 0; row < rows; row++) {
        out[row * weight.outputs + k] =
            matvec_split(weight, k, x + row * weight.inputs, sums + row * groups_of(weight));
      }
    }
    return;
  }
  const std::unique_ptr<float[]> parameters(new float[8 * groups_of(weight)]);
  size_t k = begin;
  // More than one row fills the registers sooner.
  if (version != 2 && rows == 1) {
    for (; k + 4 <= end; k += 4) {
      outputs_at<4>(weight, k, arranged, sums, rows, parameters.get(), out);
    }
  } else if (version != 2) {
    for (; k + 2 <= end; k += 2) {
      outputs_at<2>(weight, k, arranged, sums, rows, parameters.get(), out);
    }
  }
  for (; k < end; k++) {
    outputs_at<1>(weight, k, arranged, sums, rows, parameters.get(), out);
  }
}

} // namespace EXT_NS::EXT_ISA
