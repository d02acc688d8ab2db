// quantized_matmul for few rows of x that are rounded to 16-bit integers first (task 2.7.4).
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "ext/integers.h"
#include "ext/output_pairs.h"

namespace EXT_NS::EXT_ISA {

/// The largest 16-bit integer that x is rounded to; with the other sign, the smallest.
constexpr float MOST = 32767;

/// Rounds the eight numbers of x that meet one word: x[i] is `whole[i]` times the scale that is returned, to half a scale;
/// the largest |x[i]| becomes 32,767. Every x[i] is finite. Eight zeros have scale 0; below 1e-34, where the inverse of a
/// scale is no f32, any integers will do: with the scale they are as good as 0.
float round_eight(const float* x, int16_t* whole) {
  throw std::runtime_error("not implemented: task 2.7.4, round_eight (extensions/src/loops/int16_matvec.cpp:21)");
}

/// 1, whole numbers: codes times 16-bit integers, added without rounding; scales make it a float once a word.
///
/// One row of x and one output. Word w of a row has the scale x_scales[w] in x; a group has its scale and bias in the
/// weight. `sums[g]` is the sum of the x of group g, as they were rounded.
float int16_split(
    const Packed& weight, size_t k, const int16_t* whole, const float* x_scales, const float* sums) {
  throw std::runtime_error("not implemented: task 2.7.4, int16_split (extensions/src/loops/int16_matvec.cpp:30)");
}

/// One row of x: rounded, once in its order and once in the order of vectors; the scale of each word, the sum of each group.
///
/// A word of 32 bits is two halves of 16 with four codes each. Half h of a block of 2 * GROUP_LANES halves holds the codes
/// 4h..4h + 3, so block b needs whole[4h + code] side by side for each code:
/// arranged[(4b + code) * 2 * GROUP_LANES + h].
///
/// Sums are those of the rounded numbers: what rounding does to an output is then weighed by the weights, which lie around
/// 0, and not by the codes, which do not. A group whose sum is a NaN or an infinity has scales that are NaN, and so will be
/// the row.
void round_row(
    const Packed& weight, const float* x, int16_t* whole, int16_t* arranged, float* x_scales, float* sums) {
  for (size_t group = 0; group < groups_of(weight); group++) {
    const size_t from = group * weight.group;
    Floats added = {};
    for (size_t n = from; n < from + weight.group; n += LANES) {
      added += load(x + n);
    }
    const bool finite = std::isfinite(sum(added));
    sums[group] = 0;
    for (size_t n = from; n < from + weight.group; n += 8) {
      float& scale = x_scales[n / 8];
      if (!finite) {
        std::fill_n(whole + n, 8, int16_t{0});
        scale = std::numeric_limits<float>::quiet_NaN();
      } else {
        scale = round_eight(x + n, whole + n);
      }
      sums[group] += scale * static_cast<float>(std::accumulate(whole + n, whole + n + 8, 0));
    }
  }
  constexpr size_t halves = 2 * GROUP_LANES;
  for (size_t at = 0; at < weight.inputs; at += 4 * halves) {
    for (size_t code = 0; code < 4; code++) {
      for (size_t half = 0; half < halves; half++) {
        arranged[at + code * halves + half] = whole[at + 4 * half + code];
      }
    }
  }
}

/// How far in front of the word it works on a loop tells memory what comes next: 1 KiB.
constexpr size_t AHEAD = 256;

/// 2, pairs: one instruction multiplies whole numbers lane by lane and adds neighbours; a vector of words takes four.
///
/// The outputs k, k + step, .. for `rows` rows of x. `x` is arranged as round_row says, `x_scales` are those of its words
/// and `sums` those of its groups, a row after the other; `scales` and `biases` are those of the outputs, in f32.
template <size_t rows, size_t outs, size_t blocks>
void int16_vectors(
    const Packed& weight, size_t k, size_t step, const int16_t* x, const float* x_scales, const float* sums,
    const float* const scales[outs], const float* const biases[outs], float* out) {
  throw std::runtime_error("not implemented: task 2.7.4, int16_vectors (extensions/src/loops/int16_matvec.cpp:84)");
}

// 3, threads: src/quantized_matmul.cpp gives each thread a part of the outputs, and step 2 takes them in pairs.

/// The outputs begin..end for all rows. Step 1 reads `whole`, the others `arranged`.
void int16_matvec(
    const Packed& weight,
    const int16_t* whole,
    const int16_t* arranged,
    const float* x_scales,
    const float* sums,
    size_t rows,
    float* out,
    size_t begin,
    size_t end,
    int version) {
  const size_t groups = groups_of(weight);
  if (version == 1) {
    for (size_t k = begin; k < end; k++) {
      for (size_t row = 0; row < rows; row++) {
        out[row * weight.outputs + k] =
            int16_split(weight, k, whole + row * weight.inputs, x_scales + row * weight.inputs / 8, sums + row * groups);
      }
    }
    return;
  }
  const auto loop = [&]<size_t count, size_t outs, size_t blocks>(
                        size_t k, size_t step, size_t row, const float* const* scales, const float* const* biases) {
    int16_vectors<count, outs, blocks>(
        weight, k, step, arranged + row * weight.inputs, x_scales + row * weight.inputs / 8, sums + row * groups, scales,
        biases, out + row * weight.outputs);
  };
  each_output(weight, begin, end, rows, false, loop);
}

} // namespace EXT_NS::EXT_ISA
