// quantized_matmul in blocks, for prefill: each code is unpacked once for many rows of x (task 2.6.1).
//
// A panel is TILE_OUTPUTS outputs and up to DEPTH inputs, unpacked and turned, so that the outputs lie side by side; it
// stays in the nearest cache while all rows of x pass. A tile is TILE_ROWS rows of x and the panel's outputs: its sums
// stay in registers.
#include <algorithm>
#include <stdexcept>

#include "ext/packed.h"

namespace EXT_NS::EXT_ISA {

/// Six rows by two vectors: 12 sums, 2 vectors of weights and one of x are 15 of the 16 registers of AVX2.
constexpr size_t TILE_ROWS = 6;
constexpr size_t TILE_OUTPUTS = 2 * LANES;
/// Inputs of a panel, a multiple of both group sizes: 16 KiB with AVX2.
constexpr size_t DEPTH = 256;

size_t tile_rows() {
  return TILE_ROWS;
}

size_t tile_outputs() {
  return TILE_OUTPUTS;
}

/// Blocks begin..end of TILE_ROWS rows: packed[(block * inputs + n) * TILE_ROWS + r] = x[block * TILE_ROWS + r, n], and 0
/// behind the last row.
void pack_rows(const float* x, size_t rows, size_t inputs, float* packed, size_t begin, size_t end) {
  for (size_t block = begin; block < end; block++) {
    const size_t count = std::min(TILE_ROWS, rows - block * TILE_ROWS);
    const float* from = x + block * TILE_ROWS * inputs;
    float* to = packed + block * TILE_ROWS * inputs;
    for (size_t n = 0; n < inputs; n++) {
      for (size_t r = 0; r < TILE_ROWS; r++) {
        to[n * TILE_ROWS + r] = r < count ? from[r * inputs + n] : 0.0f;
      }
    }
  }
}

/// panel[n * TILE_OUTPUTS + o] = weight[k + o, from + n] for `depth` inputs from `from` on, both multiples of 64; `outs`
/// outputs, and 0 behind them.
void unpack_panel(const Packed& weight, size_t k, size_t outs, size_t from, size_t depth, float* panel) {
  // SOLUTION 2.6.1 weight, k, outs, from, depth, panel
  for (size_t half = 0; half < 2; half++) {
    const size_t first = half * LANES;
    const uint32_t* rows[LANES];
    for (size_t lane = 0; lane < LANES; lane++) {
      // A row behind the last output reads the last one's codes; its scale and bias are 0.
      rows[lane] = row_of(weight, k + std::min(first + lane, outs - 1));
      // The next panel's codes lie this far behind; memory cannot guess that from sixteen short stretches.
      expect(rows[lane] + (TILE_OUTPUTS * weight.inputs + from) / 8, depth / 2);
    }
    for (size_t n = 0; n < depth; n += 64) {
      Floats scales = {};
      Floats biases = {};
      for (size_t lane = 0; lane < LANES && first + lane < outs; lane++) {
        scales[lane] = parameter(weight, weight.scales, k + first + lane, (from + n) / weight.group);
        biases[lane] = parameter(weight, weight.biases, k + first + lane, (from + n) / weight.group);
      }
      for (size_t word = 0; word < 8; word++) {
        Words words;
        for (size_t lane = 0; lane < LANES; lane++) {
          words[lane] = rows[lane][(from + n) / 8 + word];
        }
        for (size_t code = 0; code < 8; code++, words >>= 4) {
          const auto codes = convert<Floats>(reinterpret_cast<Ints>(words & 15));
          store(panel + (n + 8 * word + code) * TILE_OUTPUTS + first, codes * scales + biases);
        }
      }
    }
  }
  // END SOLUTION
}

/// 1, blocks: a panel of weights is unpacked once for all rows of x.
///
/// sums[r * stride + o] += Σ_n x[n * TILE_ROWS + r] * panel[n * TILE_OUTPUTS + o], number by number.
void tile_naive(const float* x, const float* panel, size_t depth, float* sums, size_t stride) {
  // SOLUTION 2.6.1 x, panel, depth, sums, stride
  for (size_t r = 0; r < TILE_ROWS; r++) {
    for (size_t o = 0; o < TILE_OUTPUTS; o++) {
      float sum = 0;
      for (size_t n = 0; n < depth; n++) {
        sum += x[n * TILE_ROWS + r] * panel[n * TILE_OUTPUTS + o];
      }
      sums[r * stride + o] += sum;
    }
  }
  // END SOLUTION
}

/// 2, sums in registers: all sums of a tile are vectors, which leave the registers only at the end.
///
/// The first `count` rows of the tile.
template <size_t count>
void tile_vectors(const float* x, const float* panel, size_t depth, float* sums, size_t stride) {
  // SOLUTION 2.6.1 x, panel, depth, sums, stride
  Floats totals[count][2];
  for (size_t r = 0; r < count; r++) {
    totals[r][0] = load(sums + r * stride);
    totals[r][1] = load(sums + r * stride + LANES);
  }
  for (size_t n = 0; n < depth; n++) {
    const Floats left = load(panel + n * TILE_OUTPUTS);
    const Floats right = load(panel + n * TILE_OUTPUTS + LANES);
#pragma GCC unroll 6
    for (size_t r = 0; r < count; r++) {
      totals[r][0] += left * x[n * TILE_ROWS + r];
      totals[r][1] += right * x[n * TILE_ROWS + r];
    }
  }
  for (size_t r = 0; r < count; r++) {
    store(sums + r * stride, totals[r][0]);
    store(sums + r * stride + LANES, totals[r][1]);
  }
  // END SOLUTION
}

// 3, threads: src/quantized_matmul.cpp gives each thread a part of the panels.

/// Step 2 for at least `count` rows.
static auto tile_of(size_t count) {
  switch (count) {
    case 1:
      return tile_vectors<1>;
    case 2:
      return tile_vectors<2>;
    case 3:
    case 4:
      return tile_vectors<4>;
    default:
      return tile_vectors<TILE_ROWS>;
  }
}

/// One panel times all rows of x: out[m * outputs + o] = (`first` ? 0 : what is there) + the tile's sums, for `outs`
/// outputs.
void panel_times_rows(
    const float* packed, const float* panel, size_t rows, size_t inputs, size_t from, size_t depth, bool first, float* out,
    size_t outputs, size_t outs, int version) {
  for (size_t row = 0; row < rows; row += TILE_ROWS) {
    const float* x = packed + row * inputs + from * TILE_ROWS;
    const size_t count = std::min(TILE_ROWS, rows - row);
    float* sums = out + row * outputs;
    for (size_t r = 0; first && r < count; r++) {
      std::fill_n(sums + r * outputs, outs, 0.0f);
    }
    const auto tile = version == 1 ? tile_naive : tile_of(count);
    if (count == TILE_ROWS && outs == TILE_OUTPUTS) {
      tile(x, panel, depth, sums, outputs);
      continue;
    }
    // At the edges a tile reaches over the rows or outputs that there are.
    float edge[TILE_ROWS * TILE_OUTPUTS] = {};
    for (size_t r = 0; r < count; r++) {
      std::copy_n(sums + r * outputs, outs, edge + r * TILE_OUTPUTS);
    }
    tile(x, panel, depth, edge, TILE_OUTPUTS);
    for (size_t r = 0; r < count; r++) {
      std::copy_n(edge + r * TILE_OUTPUTS, outs, sums + r * outputs);
    }
  }
}

/// The outputs begin..end (begin a multiple of TILE_OUTPUTS) of all rows, summed over the inputs from..to, multiples of
/// the group: out[m, k] is written, whatever was there.
///
/// The outputs are the outer loop, so that codes are read in the order in which they lie.
void tiled_matmul(
    const Packed& weight,
    const float* packed,
    size_t rows,
    float* out,
    size_t begin,
    size_t end,
    size_t from,
    size_t to,
    int version) {
  // SOLUTION 2.6.1 weight, packed, rows, out, begin, end, from, to, version
  alignas(64) float panel[DEPTH * TILE_OUTPUTS];
  for (size_t k = begin; k < end; k += TILE_OUTPUTS) {
    const size_t outs = std::min(TILE_OUTPUTS, end - k);
    for (size_t n = from; n < to; n += DEPTH) {
      const size_t depth = std::min(DEPTH, to - n);
      unpack_panel(weight, k, outs, n, depth, panel);
      panel_times_rows(
          packed, panel, rows, weight.inputs, n, depth, n == from, out + k, weight.outputs, outs, version);
    }
  }
  // END SOLUTION
}

} // namespace EXT_NS::EXT_ISA
