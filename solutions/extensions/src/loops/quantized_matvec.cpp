// quantized_matmul for few rows of x, as in decoding: every code is read once and is bound by memory (task 2.3.3).
#include <stdexcept>

#include "ext/output_pairs.h"

namespace EXT_NS::EXT_ISA {

/// 1, the affine split: scale and bias are used once a group, not once a code.
///
/// Σ x * (scale * code + bias) = scale * Σ x * code + bias * Σ x. One row of x and one output; `sums[g]` is the sum of the
/// x of group g.
float matvec_split(const Packed& weight, size_t k, const float* x, const float* sums) {
  // SOLUTION 2.3.3 weight, k, x, sums
  const uint32_t* words = row_of(weight, k);
  float total = 0;
  for (size_t group = 0; group < groups_of(weight); group++) {
    float products = 0;
    for (size_t n = group * weight.group; n < (group + 1) * weight.group; n += 8) {
      uint32_t word = words[n / 8];
      for (size_t code = 0; code < 8; code++, word >>= 4) {
        products += x[n + code] * static_cast<float>(word & 15);
      }
    }
    total += parameter(weight, weight.scales, k, group) * products;
    total += parameter(weight, weight.biases, k, group) * sums[group];
  }
  return total;
  // END SOLUTION
}

/// The order in which vectors read x. Lane l of a vector of words holds the codes 8l..8l + 7, so block b of GROUP_LANES
/// words needs x[8l + code] side by side for each code: arranged[(8b + code) * GROUP_LANES + l].
///
/// A code stays where it is in its word, code * 16^place, and x is divided by 16^place instead: no shift, and exact. Only
/// the last code would be a negative int there; it is shifted down, and then needs no mask.
void arrange(const Packed& weight, const float* x, float* arranged, float* sums) {
  constexpr size_t block = 8 * GROUP_LANES;
  for (size_t at = 0; at < weight.inputs; at += block) {
    for (size_t code = 0; code < 8; code++) {
      const float place = code < 7 ? 1.0f / static_cast<float>(1u << 4 * code) : 1.0f;
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

/// How far in front of the word it works on a loop tells memory what comes next: 1 KiB.
constexpr size_t AHEAD = 256;

/// 2, vectors: codes are taken where they are in their words, because x is arranged like them.
/// 3, two streams: two outputs share what they read of x, each from its own stretch of memory.
///
/// The outputs k, k + step, .. for `rows` rows of x. `x` and `sums` are arranged, a row after the other; `scales` and `biases` are those of the outputs, in f32.
template <size_t rows, size_t outs, size_t blocks>
void matvec_vectors(
    const Packed& weight, size_t k, size_t step, const float* x, const float* sums, const float* const scales[outs],
    const float* const biases[outs], float* out) {
  // SOLUTION 2.3.3 weight, k, step, x, sums, scales, biases, out
  const size_t groups = groups_of(weight);
  // A sum waits for the one before it; where registers are left, even and odd codes have one each.
  constexpr size_t chains = rows == 1 ? 2 : 1;
  GroupFloats totals[rows][outs] = {};
  for (size_t block = 0; block < groups * blocks; block++) {
    GroupWords words[outs];
    for (size_t o = 0; o < outs; o++) {
      const uint32_t* at = row_of(weight, k + o * step) + block * GROUP_LANES;
      __builtin_prefetch(at + AHEAD);
      words[o] = read<GroupWords>(at);
    }
    GroupFloats products[rows][outs][chains] = {};
#pragma GCC unroll 8
    for (size_t code = 0; code < 8; code++) {
      for (size_t o = 0; o < outs; o++) {
        const GroupWords placed = code < 7 ? words[o] & (15u << 4 * code) : words[o] >> 28;
        const auto codes = convert<GroupFloats>(reinterpret_cast<GroupInts>(placed));
        for (size_t row = 0; row < rows; row++) {
          const auto part = read<GroupFloats>(x + row * weight.inputs + (8 * block + code) * GROUP_LANES);
          products[row][o][code % chains] += codes * part;
        }
      }
    }
    for (size_t row = 0; row < rows; row++) {
      for (size_t o = 0; o < outs; o++) {
        for (const auto product : products[row][o]) {
          totals[row][o] += product * scales[o][block / blocks];
        }
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

// 4, threads: src/quantized_matmul.cpp gives each thread a part of the outputs.

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
  const size_t groups = groups_of(weight);
  if (version == 1) {
    for (size_t k = begin; k < end; k++) {
      for (size_t row = 0; row < rows; row++) {
        out[row * weight.outputs + k] = matvec_split(weight, k, x + row * weight.inputs, sums + row * groups);
      }
    }
    return;
  }
  const auto loop = [&]<size_t count, size_t outs, size_t blocks>(
                        size_t k, size_t step, size_t row, const float* const* scales, const float* const* biases) {
    matvec_vectors<count, outs, blocks>(
        weight, k, step, arranged + row * weight.inputs, sums + row * groups, scales, biases, out + row * weight.outputs);
  };
  each_output(weight, begin, end, rows, version == 2, loop);
}

} // namespace EXT_NS::EXT_ISA
