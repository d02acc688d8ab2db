// grouped_quantized_matmul: every row times the packed weight of its own expert (week 3, day 6). The loops are in
// src/loops/grouped_quantized_matmul.cpp.
#include <algorithm>
#include <memory>
#include <numeric>

#include "ext/gpu.h"
#include "ext/packed_arrays.h"

namespace EXT_NS {

/// An id without an expert would read somebody else's memory.
static void check_experts(const uint32_t* ids, size_t n, int experts) {
  for (size_t i = 0; i < n; i++) {
    if (ids[i] >= static_cast<uint32_t>(experts)) {
      throw std::invalid_argument(
          "grouped_quantized_matmul: row " + std::to_string(i) + " goes to expert " + std::to_string(ids[i]) +
          ", but there are " + std::to_string(experts));
    }
  }
}

/// The outputs begin..end of expert `expert` of a weight whose rows are those of all experts.
static Packed part_of(const Packed& all, size_t experts, size_t expert, size_t begin, size_t end) {
  const size_t first = expert * (all.outputs / experts) + begin;
  const size_t groups = all.inputs / all.group, bytes = all.element == Element::Float32 ? 4 : 2;
  Packed part = all;
  part.outputs = end - begin;
  part.words += first * (all.inputs / 8);
  part.scales = static_cast<const char*>(all.scales) + first * groups * bytes;
  part.biases = static_cast<const char*>(all.biases) + first * groups * bytes;
  return part;
}

/// The weight as rows: (E, O, ..) becomes (E * O, ..), which may still be a view.
static mx::array as_rows(const mx::array& array, const mx::Stream& stream) {
  return rows_for_device(mx::flatten(array, 0, 1, stream), stream);
}

class GroupedQuantizedMatmul : public Kernel {
 public:
  GroupedQuantizedMatmul(mx::Stream stream, int group, int experts, Tuning tuning)
      : Kernel(stream), group_(group), experts_(experts), tuning_(tuning) {}

  /// The inputs are x, ids, and weight, scales and biases as rows.
  void eval_cpu(const std::vector<mx::array>& inputs, mx::array& out) override {
    allocate(out);
    if (on_metal_host(inputs, out)) {
      return;
    }
    on_cpu(stream(), inputs, out,
        [x = mx::array::unsafe_weak_copy(inputs[0]),
         ids = mx::array::unsafe_weak_copy(inputs[1]),
         weight = mx::array::unsafe_weak_copy(inputs[2]),
         scales = mx::array::unsafe_weak_copy(inputs[3]),
         biases = mx::array::unsafe_weak_copy(inputs[4]),
         out = mx::array::unsafe_weak_copy(out),
         group = group_,
         experts = static_cast<size_t>(experts_),
         tuning = tuning_]() mutable {
          if (out.size() == 0) {
            return;
          }
          const Dense of_rows(ids);
          check_experts(of_rows.as<uint32_t>(), ids.size(), static_cast<int>(experts));
          const PackedArrays packed(weight, scales, biases, group);
          const DenseFloats floats(x, tuning);
          FloatResult result(out);
          const Packed& all = packed.view();
          const size_t rows = ids.size(), outputs = all.outputs / experts;
          const auto begins = scratch<size_t>(experts + 1);
          const auto order = scratch<size_t>(rows);
          EXT_LOOP(tuning.instructions, group_rows)(of_rows.as<uint32_t>(), rows, experts, begins.get(), order.get());
          const int threads = tuning.version == 1 || tuning.version == 2 ? 1 : tuning.threads;
          // Parts of at least 64 outputs: what is arranged of x for a part has to be worth it.
          const size_t parts = std::clamp<size_t>(outputs / 64, 1, 2 * static_cast<size_t>(threads));
          const size_t share = (outputs + parts - 1) / parts;
          parallel(threads, experts * parts, 1, [&](size_t begin, size_t end) {
            for (size_t unit = begin; unit < end; unit++) {
              const size_t expert = unit / parts, first = unit % parts * share;
              const size_t count = begins[expert + 1] - begins[expert];
              if (count == 0 || first >= outputs) {
                continue;
              }
              const Packed part = part_of(all, experts, expert, first, std::min(outputs, first + share));
              EXT_LOOP(tuning.instructions, expert_rows)(
                  part, floats.data(), order.get() + begins[expert], count, result.data() + first, outputs,
                  tuning.version);
            }
          });
          result.finish(tuning);
        });
  }

  void encode(Encoder& encoder, const std::vector<mx::array>& inputs, mx::array& out) const override {
    const bool naive = tuning_.version == 1;
    const std::string kernel = naive ? "grouped_naive_" : "grouped_matvec_";
    const std::string name = kernel + dtype_suffix(out) + "_" + dtype_suffix(inputs[3]);
    encoder.kernel("grouped_quantized_matmul", name, "3.6.5");
    for (const auto& input : inputs) {
      encoder.input(input);
    }
    encoder.output(out);
    for (int size : {experts_, out.shape(1), inputs[0].shape(1), group_}) {
      encoder.bytes(Constant::of(size));
    }
    const auto rows = static_cast<size_t>(out.shape(0)), outputs = static_cast<size_t>(out.shape(1));
    if (naive) {
      encoder.dispatch_threads({outputs, rows}, {std::min(outputs, encoder.max_threads())});
      return;
    }
    const size_t threads = encoder.simd_threads(2 * SIMD), of_group = threads / SIMD * 4;
    encoder.dispatch_groups({(outputs + of_group - 1) / of_group, rows}, {threads});
  }

  const char* name() const override {
    return EXT_PACKAGE "::grouped_quantized_matmul";
  }

  bool is_equivalent(const mx::Primitive& other) const override {
    const auto& matmul = static_cast<const GroupedQuantizedMatmul&>(other);
    return group_ == matmul.group_ && experts_ == matmul.experts_;
  }

  std::vector<mx::Shape> output_shapes(const std::vector<mx::array>& inputs) override {
    return {mx::Shape{inputs[0].shape(0), inputs[2].shape(0) / experts_}};
  }

 private:
  int group_;
  int experts_;
  Tuning tuning_;
};

} // namespace EXT_NS

extern "C" int EXT_SYMBOL(grouped_quantized_matmul)(
    mlx_array* result,
    mlx_array x_handle,
    mlx_array weight_handle,
    mlx_array scales_handle,
    mlx_array biases_handle,
    mlx_array ids_handle,
    int group_size,
    int bits,
    mlx_stream stream_handle) {
  using namespace EXT_NS;
  return guarded([&] {
    const auto stream = stream_of(stream_handle);
    const auto x = rows_for_device(array_of(x_handle, "x"), stream);
    const auto& stacked = array_of(weight_handle, "weight");
    const auto& stacked_scales = array_of(scales_handle, "scales");
    const auto& stacked_biases = array_of(biases_handle, "biases");
    const auto ids = rows_for_device(array_of(ids_handle, "expert_ids"), stream);
    if (stacked.ndim() != 3 || stacked.shape(0) < 1 || stacked_scales.ndim() != 3 || stacked_biases.ndim() != 3) {
      throw std::invalid_argument("grouped_quantized_matmul: weight, scales and biases are (E, O, ..), with one expert at least");
    }
    const int experts = stacked.shape(0);
    const auto weight = as_rows(stacked, stream);
    const auto scales = as_rows(stacked_scales, stream);
    const auto biases = as_rows(stacked_biases, stream);
    check_packed("grouped_quantized_matmul", weight, scales, biases, group_size, bits);
    element_of(x, "grouped_quantized_matmul: x");
    if (x.ndim() != 2 || x.shape(1) % 8 != 0 || x.shape(1) / 8 != weight.shape(1)) {
      throw std::invalid_argument("grouped_quantized_matmul: x must be (N, I), with the I of the weight");
    }
    if (ids.dtype() != mx::uint32 || ids.shape() != mx::Shape{x.shape(0)}) {
      throw std::invalid_argument("grouped_quantized_matmul: the expert ids must be uint32 and (N,)");
    }
    if (ids.is_available()) {
      check_experts(Dense(ids).as<uint32_t>(), ids.size(), experts);
    }
    auto node = std::make_shared<GroupedQuantizedMatmul>(stream, group_size, experts, tuning());
    const mx::Shape shape{x.shape(0), stacked.shape(1)};
    give(result, mx::array(shape, x.dtype(), std::move(node), {x, ids, weight, scales, biases}));
  });
}
