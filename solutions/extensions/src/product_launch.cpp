// The Metal launches of quantized_matmul: which kernel, its arguments in the order of their buffers, its sizes.
#include "ext/product_launch.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace EXT_NS {

/// The side of a tile of results of a Metal kernel, and the threads that compute it.
static constexpr size_t TILE = 32;
static constexpr size_t TILE_THREADS = 128;

static Size tiles(size_t outputs, size_t rows) {
  return {(outputs + TILE - 1) / TILE, (rows + TILE - 1) / TILE};
}

/// Refuses a device that has no room for the kernel's group.
static size_t tile_threads(const Encoder& encoder) {
  if (encoder.max_threads() < TILE_THREADS) {
    throw std::runtime_error(
        "quantized_matmul: tiles need groups of " + std::to_string(TILE_THREADS) + " threads, and this kernel may have " +
        std::to_string(encoder.max_threads()) + " here; take the path Matvec");
  }
  return TILE_THREADS;
}

void encode_product(
    Encoder& encoder, const std::vector<mx::array>& inputs, mx::array& out, const ProductLaunch& launch) {
  const auto outputs = static_cast<size_t>(inputs[1].shape(0));
  const size_t rows = out.size() / outputs;
  const auto open = [&](const char* file, const char* kernel, const char* task) {
    encoder.kernel(file, kernel + dtype_suffix(out) + "_" + dtype_suffix(inputs[2]), task);
    for (const auto& input : inputs) {
      encoder.input(input);
    }
  };
  const auto sizes = [&] {
    for (int size : {static_cast<int>(rows), static_cast<int>(outputs), inputs[0].shape(-1), launch.group}) {
      encoder.bytes(Constant::of(size));
    }
  };
  switch (launch.path) {
    case Path::Vanilla:
      open("quantized_matmul", "quantized_matmul_", "2.3.5");
      encoder.output(out);
      sizes();
      encoder.dispatch_threads({outputs, rows}, {std::min(outputs, encoder.max_threads())});
      break;
    case Path::Matvec:
    // A GPU multiplies floats as fast as integers of 16 bits: it keeps x as it is.
    case Path::MatvecInt16: {
      open("quantized_matvec", launch.naive ? "matvec_naive_" : "matvec_", "2.3.6");
      encoder.output(out);
      sizes();
      const size_t threads = encoder.simd_threads(2 * SIMD);
      const size_t outputs_of_group = threads / SIMD * (launch.naive ? 1 : 4);
      encoder.dispatch_groups({(outputs + outputs_of_group - 1) / outputs_of_group, rows}, {threads});
      break;
    }
    case Path::Tiled: {
      open("tiled_matmul", launch.naive ? "tiled_naive_" : "tiled_", "2.6.2");
      encoder.output(out);
      sizes();
      encoder.dispatch_groups(tiles(outputs, rows), {tile_threads(encoder)});
      break;
    }
    case Path::SplitK: {
      mx::array parts = encoder.between({launch.splits, static_cast<int>(out.size())}, mx::float32);
      open("split_k_matmul", "split_k_", "2.7.3");
      encoder.output(parts);
      sizes();
      encoder.bytes(Constant::of(launch.splits));
      Size grid = tiles(outputs, rows);
      grid.z = static_cast<size_t>(launch.splits);
      encoder.dispatch_groups(grid, {tile_threads(encoder)});
      encoder.kernel("split_k_matmul", "add_parts_" + dtype_suffix(out), "2.7.3");
      encoder.input(parts);
      encoder.output(out);
      encoder.bytes(Constant::of(static_cast<int>(out.size())));
      encoder.bytes(Constant::of(launch.splits));
      encoder.dispatch_elements(out.size());
      break;
    }
  }
}

} // namespace EXT_NS
