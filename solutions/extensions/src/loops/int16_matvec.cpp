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
  // SOLUTION 2.7.4 x, whole
  GroupFloats most = {};
  for (size_t i = 0; i < 8; i += GROUP_LANES) {
    const auto values = read<GroupFloats>(x + i);
    most = larger(most, larger(values, -values));
  }
  const float top = largest(most);
  const float inverse = top > 0 ? MOST / top : 0;
  for (size_t i = 0; i < 8; i += GROUP_LANES) {
    const auto rounded = convert<GroupWhole>(nearest(read<GroupFloats>(x + i) * inverse));
    std::memcpy(whole + i, &rounded, sizeof(rounded));
  }
  return top / MOST;
  // END SOLUTION
}

/// 1, whole numbers: codes times 16-bit integers, added without rounding; scales make it a float once a word.
///
/// One row of x and one output. Word w of a row has the scale x_scales[w] in x; a group has its scale and bias in the
/// weight. `sums[g]` is the sum of the x of group g, as they were rounded.
float int16_split(
    const Packed& weight, size_t k, const int16_t* whole, const float* x_scales, const float* sums) {
  // SOLUTION 2.7.4 weight, k, whole, x_scales, sums
  const uint32_t* words = row_of(weight, k);
  float total = 0;
  for (size_t group = 0; group < groups_of(weight); group++) {
    float products = 0;
    for (size_t at = group * weight.group / 8; at < (group + 1) * weight.group / 8; at++) {
      uint32_t word = words[at];
      int32_t of_word = 0;
      for (size_t code = 0; code < 8; code++, word >>= 4) {
        of_word += whole[8 * at + code] * static_cast<int32_t>(word & 15);
      }
      products += x_scales[at] * static_cast<float>(of_word);
    }
    total += parameter(weight, weight.scales, k, group) * products;
    total += parameter(weight, weight.biases, k, group) * sums[group];
  }
  return total;
  // END SOLUTION
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
  // SOLUTION 2.7.4 weight, k, step, x, x_scales, sums, scales, biases, out
  const size_t groups = groups_of(weight);
  GroupFloats totals[rows][outs] = {};
  for (size_t group = 0; group < groups; group++) {
    GroupFloats of_group[rows][outs] = {};
#pragma GCC unroll 4
    for (size_t b = 0; b < blocks; b++) {
      const size_t block = group * blocks + b;
      GroupHalves codes[4][outs];
      for (size_t o = 0; o < outs; o++) {
        const uint32_t* at = row_of(weight, k + o * step) + block * GROUP_LANES;
        __builtin_prefetch(at + AHEAD);
        const auto halves = read<GroupHalves>(at);
        codes[0][o] = halves & 15;
        codes[1][o] = halves >> 4 & 15;
        codes[2][o] = halves >> 8 & 15;
        codes[3][o] = halves >> 12;
      }
      for (size_t row = 0; row < rows; row++) {
        const int16_t* at = x + row * weight.inputs + block * 8 * GROUP_LANES;
        GroupInts products[outs] = {};
        for (size_t code = 0; code < 4; code++) {
          const auto part = read<GroupHalves>(at + code * 2 * GROUP_LANES);
          for (size_t o = 0; o < outs; o++) {
            products[o] += pairs(codes[code][o], part);
          }
        }
        const auto of_words = read<GroupFloats>(x_scales + row * weight.inputs / 8 + block * GROUP_LANES);
        for (size_t o = 0; o < outs; o++) {
          of_group[row][o] += convert<GroupFloats>(products[o]) * of_words;
        }
      }
    }
    for (size_t row = 0; row < rows; row++) {
      for (size_t o = 0; o < outs; o++) {
        totals[row][o] += of_group[row][o] * scales[o][group];
      }
    }
  }
  for (size_t row = 0; row < rows; row++) {
    for (size_t o = 0; o < outs; o++) {
      size_t group = 0;
      for (; group + GROUP_LANES <= groups; group += GROUP_LANES) {
        const auto of_groups = read<GroupFloats>(sums + row * groups + group);
        totals[row][o] += read<GroupFloats>(biases[o] + group) * of_groups;
      }
      float total = sum(totals[row][o]);
      for (; group < groups; group++) {
        total += biases[o][group] * sums[row * groups + group];
      }
      out[row * weight.outputs + k + o * step] = total;
    }
  }
  // END SOLUTION
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
