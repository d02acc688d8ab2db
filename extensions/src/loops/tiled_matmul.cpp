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
  throw std::runtime_error("not implemented: task 2.6.1, unpack_panel (extensions/src/loops/tiled_matmul.cpp:45)");
}

/// 1, blocks: a panel of weights is unpacked once for all rows of x.
///
/// sums[r * stride + o] += Σ_n x[n * TILE_ROWS + r] * panel[n * TILE_OUTPUTS + o], number by number.
void tile_naive(const float* x, const float* panel, size_t depth, float* sums, size_t stride) {
  throw std::runtime_error("not implemented: task 2.6.1, tile_naive (extensions/src/loops/tiled_matmul.cpp:52)");
}

/// 2, sums in registers: all sums of a tile are vectors, which leave the registers only at the end.
///
/// The first `count` rows of the tile.
template <size_t count>
void tile_vectors(const float* x, const float* panel, size_t depth, float* sums, size_t stride) {
  throw std::runtime_error("not implemented: task 2.6.1, tile_vectors (extensions/src/loops/tiled_matmul.cpp:60)");
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
  throw std::runtime_error("not implemented: task 2.6.1, tiled_matmul (extensions/src/loops/tiled_matmul.cpp:123)");
}

} // namespace EXT_NS::EXT_ISA
