// quantized_matmul: x times the transpose of a packed weight, by one of five paths (week 2, days 3, 6 and 7).
//
// The loops are in src/loops: quantized_matmul.cpp, quantized_matvec.cpp, tiled_matmul.cpp, split_k_matmul.cpp
// and int16_matvec.cpp; the launches of the Metal kernels are in src/product_launch.cpp.
#include <algorithm>
#include <memory>

#include "ext/packed_arrays.h"
#include "ext/product_launch.h"

namespace EXT_NS {

/// One product: (rows, inputs) times (outputs, inputs) transposed.
struct Product {
  const Packed& weight;
  const float* x;
  size_t rows;
  float* out;
  const Tuning& tuning;

  /// The threads of a step of the ladder: one, but for the last step.
  int threads(int last) const {
    return tuning.version >= 1 && tuning.version < last ? 1 : tuning.threads;
  }
};

/// Large parts, because a thread reads two streams of each; but some for each thread, whichever is slower.
static size_t outputs_of_part(const Product& p, int threads) {
  const size_t share = p.weight.outputs / (4 * static_cast<size_t>(threads)) + 2;
  return std::clamp<size_t>(share, 2 * GRAIN / p.weight.inputs + 2, 1024) / 2 * 2;
}

static void matvec(const Product& p) {
  const auto set = p.tuning.instructions;
  const size_t inputs = p.weight.inputs;
  const size_t groups = inputs / p.weight.group;
  const auto arranged = scratch<float>(p.rows * inputs);
  const auto sums = scratch<float>(p.rows * groups);
  const int threads = p.threads(4);
  parallel(threads, p.rows, GRAIN / inputs, [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; row++) {
      EXT_LOOP(set, arrange)(p.weight, p.x + row * inputs, arranged.get() + row * inputs, sums.get() + row * groups);
    }
  });
  parallel(threads, p.weight.outputs, outputs_of_part(p, threads), [&](size_t begin, size_t end) {
    EXT_LOOP(set, quantized_matvec)(
        p.weight, p.x, arranged.get(), sums.get(), p.rows, p.out, begin, end, p.tuning.version);
  });
}

static void int16_matvec(const Product& p) {
  const auto set = p.tuning.instructions;
  const size_t inputs = p.weight.inputs;
  const size_t groups = inputs / p.weight.group;
  const auto whole = scratch<int16_t>(p.rows * inputs);
  const auto arranged = scratch<int16_t>(p.rows * inputs);
  const auto x_scales = scratch<float>(p.rows * inputs / 8);
  const auto sums = scratch<float>(p.rows * groups);
  const int threads = p.threads(3);
  parallel(threads, p.rows, GRAIN / inputs, [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; row++) {
      EXT_LOOP(set, round_row)(
          p.weight, p.x + row * inputs, whole.get() + row * inputs, arranged.get() + row * inputs,
          x_scales.get() + row * inputs / 8, sums.get() + row * groups);
    }
  });
  parallel(threads, p.weight.outputs, outputs_of_part(p, threads), [&](size_t begin, size_t end) {
    EXT_LOOP(set, int16_matvec)(
        p.weight, whole.get(), arranged.get(), x_scales.get(), sums.get(), p.rows, p.out, begin, end,
        p.tuning.version);
  });
}

/// The rows of x in the order in which tiles read them.
static Scratch<float> packed_rows(const Product& p, int threads) {
  const auto set = p.tuning.instructions;
  const size_t tile = EXT_LOOP(set, tile_rows)();
  const size_t blocks = (p.rows + tile - 1) / tile;
  auto packed = scratch<float>(blocks * tile * p.weight.inputs);
  parallel(threads, blocks, GRAIN / (tile * p.weight.inputs), [&](size_t begin, size_t end) {
    EXT_LOOP(set, pack_rows)(p.x, p.rows, p.weight.inputs, packed.get(), begin, end);
  });
  return packed;
}

static void tiled(const Product& p) {
  const auto set = p.tuning.instructions;
  const int threads = p.threads(3);
  const auto packed = packed_rows(p, threads);
  // Up to four panels a part: they share the columns of x that are in the cache.
  const size_t tile = EXT_LOOP(set, tile_outputs)();
  const size_t share = p.weight.outputs / (tile * 4 * static_cast<size_t>(threads));
  // Step 1 sums two stretches of the inputs, as split-K will: what a loop makes of `from` and `to` shows today.
  const size_t groups = p.weight.inputs / p.weight.group;
  const size_t cut = p.tuning.version == 1 ? groups / 2 * p.weight.group : 0;
  const auto first = scratch<float>(cut > 0 ? p.rows * p.weight.outputs : 0);
  parallel(threads, p.weight.outputs, tile * std::clamp<size_t>(share, 1, 4), [&](size_t begin, size_t end) {
    EXT_LOOP(set, tiled_matmul)(
        p.weight, packed.get(), p.rows, p.out, begin, end, cut, p.weight.inputs, p.tuning.version);
    if (cut > 0) {
      EXT_LOOP(set, tiled_matmul)(
          p.weight, packed.get(), p.rows, first.get(), begin, end, 0, cut, p.tuning.version);
      for (size_t m = 0; m < p.rows; m++) {
        for (size_t at = m * p.weight.outputs + begin; at < m * p.weight.outputs + end; at++) {
          p.out[at] += first[at];
        }
      }
    }
  });
}

static void split_k(const Product& p, size_t splits) {
  const auto set = p.tuning.instructions;
  const int threads = p.tuning.threads;
  const auto packed = packed_rows(p, threads);
  const size_t size = p.rows * p.weight.outputs;
  const auto parts = scratch<float>(splits * size);
  const size_t tile = EXT_LOOP(set, tile_outputs)();
  const size_t panels = (p.weight.outputs + tile - 1) / tile;
  parallel(threads, splits * panels, 1, [&](size_t begin, size_t end) {
    for (size_t unit = begin; unit < end; unit++) {
      const size_t first = unit % panels * tile;
      EXT_LOOP(set, split_k_part)(
          p.weight, packed.get(), p.rows, parts.get(), splits, unit / panels, first,
          std::min(first + tile, p.weight.outputs));
    }
  });
  parallel(threads, size, GRAIN, [&](size_t begin, size_t end) {
    EXT_LOOP(set, add_parts)(parts.get(), splits, size, p.out, begin, end);
  });
}

class QuantizedMatmul : public Kernel {
 public:
  QuantizedMatmul(mx::Stream stream, int group, Path path, int splits, Tuning tuning)
      : Kernel(stream), group_(group), path_(path), splits_(splits), tuning_(tuning) {}

  void eval_cpu(const std::vector<mx::array>& inputs, mx::array& out) override {
    allocate(out);
    if (on_metal_host(inputs, out)) {
      return;
    }
    on_cpu(stream(), inputs, out,
        [x = mx::array::unsafe_weak_copy(inputs[0]),
         weight = mx::array::unsafe_weak_copy(inputs[1]),
         scales = mx::array::unsafe_weak_copy(inputs[2]),
         biases = mx::array::unsafe_weak_copy(inputs[3]),
         out = mx::array::unsafe_weak_copy(out),
         group = group_,
         path = path_,
         splits = splits_,
         tuning = tuning_]() mutable {
          if (out.size() == 0) {
            return;
          }
          const PackedArrays packed(weight, scales, biases, group);
          const DenseFloats rows(x, tuning);
          FloatResult result(out);
          const Packed& view = packed.view();
          const Product product{view, rows.data(), x.size() / view.inputs, result.data(), tuning};
          switch (path) {
            case Path::Vanilla:
              EXT_LOOP(tuning.instructions, quantized_matmul)(
                  view, product.x, product.rows, product.out, 0, view.outputs);
              break;
            case Path::Matvec:
              matvec(product);
              break;
            case Path::MatvecInt16:
              int16_matvec(product);
              break;
            case Path::Tiled:
              tiled(product);
              break;
            case Path::SplitK:
              split_k(product, static_cast<size_t>(splits));
              break;
          }
          result.finish(tuning);
        });
  }

  void encode(Encoder& encoder, const std::vector<mx::array>& inputs, mx::array& out) const override {
    encode_product(encoder, inputs, out, {path_, splits_, group_, tuning_.version == 1});
  }

  const char* name() const override {
    return EXT_PACKAGE "::quantized_matmul";
  }

  bool is_equivalent(const mx::Primitive& other) const override {
    const auto& matmul = static_cast<const QuantizedMatmul&>(other);
    return group_ == matmul.group_ && path_ == matmul.path_ && splits_ == matmul.splits_;
  }

  std::vector<mx::Shape> output_shapes(const std::vector<mx::array>& inputs) override {
    auto shape = inputs[0].shape();
    shape.back() = inputs[1].shape(0);
    return {shape};
  }

 private:
  int group_;
  Path path_;
  int splits_;
  Tuning tuning_;
};

} // namespace EXT_NS

extern "C" int EXT_SYMBOL(quantized_matmul)(
    mlx_array* result,
    mlx_array x_handle,
    mlx_array weight_handle,
    mlx_array scales_handle,
    mlx_array biases_handle,
    int group_size,
    int bits,
    int path,
    int splits,
    mlx_stream stream_handle) {
  using namespace EXT_NS;
  return guarded([&] {
    const auto stream = stream_of(stream_handle);
    const auto x = rows_for_device(array_of(x_handle, "x"), stream);
    const auto weight = rows_for_device(array_of(weight_handle, "weight"), stream);
    const auto scales = rows_for_device(array_of(scales_handle, "scales"), stream);
    const auto biases = rows_for_device(array_of(biases_handle, "biases"), stream);
    check_packed("quantized_matmul", weight, scales, biases, group_size, bits);
    element_of(x, "quantized_matmul: x");
    if (x.ndim() == 0 || x.shape(-1) % 8 != 0 || x.shape(-1) / 8 != weight.shape(1)) {
      throw std::invalid_argument("quantized_matmul: x must be (.., N), with the N of the weight");
    }
    if (path < 0 || path > 4) {
      throw std::invalid_argument("quantized_matmul: the path must be 0 to 4");
    }
    if (splits < 1 || splits > scales.shape(1)) {
      throw std::invalid_argument("quantized_matmul: splits must be from 1 to the number of groups of a row");
    }
    auto node = std::make_shared<QuantizedMatmul>(stream, group_size, static_cast<Path>(path), splits, tuning());
    auto shape = x.shape();
    shape.back() = weight.shape(0);
    give(result, mx::array(shape, x.dtype(), std::move(node), {x, weight, scales, biases}));
  });
}
