// quantized_embedding: looks rows up in a packed table. The loops are in src/loops: the naive one, which is given, in
// quantized_matmul.cpp, the fast one of week 3, day 4, in quantized_embedding.cpp.
#include <algorithm>
#include <memory>

#include "ext/gpu.h"
#include "ext/packed_arrays.h"

namespace EXT_NS {

/// An id that the table does not have would read somebody else's memory.
static void check_ids(const uint32_t* ids, size_t n, int vocabulary) {
  for (size_t i = 0; i < n; i++) {
    if (ids[i] >= static_cast<uint32_t>(vocabulary)) {
      throw std::invalid_argument(
          "quantized_embedding: id " + std::to_string(ids[i]) + " is not in the table, which has " +
          std::to_string(vocabulary) + " rows");
    }
  }
}

class QuantizedEmbedding : public Kernel {
 public:
  QuantizedEmbedding(mx::Stream stream, int group, Tuning tuning)
      : Kernel(stream), group_(group), tuning_(tuning) {}

  /// The inputs are ids, weight, scales and biases.
  void eval_cpu(const std::vector<mx::array>& inputs, mx::array& out) override {
    allocate(out);
    if (on_metal_host(inputs, out)) {
      return;
    }
    on_cpu(stream(), inputs, out,
        [ids = mx::array::unsafe_weak_copy(inputs[0]),
         weight = mx::array::unsafe_weak_copy(inputs[1]),
         scales = mx::array::unsafe_weak_copy(inputs[2]),
         biases = mx::array::unsafe_weak_copy(inputs[3]),
         out = mx::array::unsafe_weak_copy(out),
         group = group_,
         tuning = tuning_]() mutable {
          if (out.size() == 0) {
            return;
          }
          const PackedArrays packed(weight, scales, biases, group);
          const Dense rows(ids);
          check_ids(rows.as<uint32_t>(), ids.size(), weight.shape(0));
          FloatResult result(out);
          const size_t width = packed.view().inputs;
          const int threads = tuning.version == 1 || tuning.version == 2 ? 1 : tuning.threads;
          parallel(threads, ids.size(), GRAIN / width, [&](size_t begin, size_t end) {
            for (size_t i = begin; i < end; i++) {
              const size_t row = rows.as<uint32_t>()[i];
              float* to = result.data() + i * width;
              if (tuning.version == 1) {
                EXT_LOOP(tuning.instructions, quantized_embedding)(packed.view(), row, to);
              } else {
                EXT_LOOP(tuning.instructions, quantized_embedding_vectors)(packed.view(), row, to);
              }
            }
          });
          result.finish(tuning);
        });
  }

  void encode(Encoder& encoder, const std::vector<mx::array>& inputs, mx::array& out) const override {
    const bool naive = tuning_.version == 1;
    const std::string kernel = naive ? "quantized_embedding_" : "quantized_embedding_wide_";
    encoder.kernel("quantized_embedding", kernel + dtype_suffix(out), naive ? "" : "3.4.4");
    for (const auto& input : inputs) {
      encoder.input(input);
    }
    encoder.output(out);
    const int words = inputs[1].shape(1);
    for (int size : {inputs[1].shape(0), words, group_}) {
      encoder.bytes(Constant::of(size));
    }
    const auto across = static_cast<size_t>(words) / (naive ? 1 : 4);
    encoder.dispatch_threads({across, inputs[0].size()}, {std::min(across, encoder.max_threads())});
  }

  const char* name() const override {
    return EXT_PACKAGE "::quantized_embedding";
  }

  bool is_equivalent(const mx::Primitive& other) const override {
    return group_ == static_cast<const QuantizedEmbedding&>(other).group_;
  }

  std::vector<mx::Shape> output_shapes(const std::vector<mx::array>& inputs) override {
    auto shape = inputs[0].shape();
    shape.push_back(inputs[1].shape(1) * 8);
    return {shape};
  }

 private:
  int group_;
  Tuning tuning_;
};

} // namespace EXT_NS

extern "C" int EXT_SYMBOL(quantized_embedding)(
    mlx_array* result,
    mlx_array ids_handle,
    mlx_array weight_handle,
    mlx_array scales_handle,
    mlx_array biases_handle,
    int group_size,
    int bits,
    mlx_stream stream_handle) {
  using namespace EXT_NS;
  return guarded([&] {
    const auto stream = stream_of(stream_handle);
    const auto ids = rows_for_device(array_of(ids_handle, "ids"), stream);
    const auto weight = rows_for_device(array_of(weight_handle, "weight"), stream);
    const auto scales = rows_for_device(array_of(scales_handle, "scales"), stream);
    const auto biases = rows_for_device(array_of(biases_handle, "biases"), stream);
    check_packed("quantized_embedding", weight, scales, biases, group_size, bits);
    if (ids.dtype() != mx::uint32) {
      throw std::invalid_argument("quantized_embedding: ids must be uint32");
    }
    if (ids.is_available()) {
      check_ids(Dense(ids).as<uint32_t>(), ids.size(), weight.shape(0));
    }
    auto node = std::make_shared<QuantizedEmbedding>(stream, group_size, tuning());
    auto shape = ids.shape();
    shape.push_back(weight.shape(1) * 8);
    give(result, mx::array(shape, scales.dtype(), std::move(node), {ids, weight, scales, biases}));
  });
}
