// decode_attention: attention of a few new queries over all keys (week 2, day 5). The loops are in
// src/loops/decode_attention.cpp.
#include <memory>

#include "ext/attention_rows.h"
#include "ext/gpu.h"
#include "ext/heads_view.h"

namespace EXT_NS {

/// The widest head.
static constexpr int MOST_DIMS = 256;

/// The numbers are those of `Mask` in src/week2/attention.rs.
enum class MaskKind : int { None = 0, Causal = 1, Array = 2 };

class DecodeAttention : public Kernel {
 public:
  DecodeAttention(mx::Stream stream, MaskKind kind, float scale, Tuning tuning)
      : Kernel(stream), kind_(kind), scale_(scale), tuning_(tuning) {}

  /// The inputs are query, key, value and, for an array mask, the mask.
  void eval_cpu(const std::vector<mx::array>& inputs, mx::array& out) override {
    allocate(out);
    if (on_metal_host(inputs, out)) {
      return;
    }
    on_cpu(stream(), inputs, out,
        [query = mx::array::unsafe_weak_copy(inputs[0]),
         key = mx::array::unsafe_weak_copy(inputs[1]),
         value = mx::array::unsafe_weak_copy(inputs[2]),
         mask = mx::array::unsafe_weak_copy(inputs.back()),
         out = mx::array::unsafe_weak_copy(out),
         kind = kind_,
         scale = scale_,
         tuning = tuning_]() mutable {
          if (out.size() == 0) {
            return;
          }
          const Dense queries(query);
          const HeadsView keys(key);
          const HeadsView values(value);
          const auto axis = [](const mx::array& array, int which) { return static_cast<size_t>(array.shape(which)); };
          Attention attention{
              element_of(query, "query"), queries.as<char>(), keys.heads(), values.heads(), out.data<char>(),
              axis(query, 0), axis(query, 1), axis(key, 1), axis(query, 2), axis(key, 2), axis(query, 3),
              scale, kind == MaskKind::Causal, nullptr, {}};
          if (kind == MaskKind::Array) {
            attention.mask = mask.data<float>();
            std::copy_n(mask.strides().begin(), 4, attention.mask_steps);
          }
          const int threads = tuning.version >= 1 && tuning.version <= 3 ? 1 : tuning.threads;
          const size_t units = attention.batch * attention.heads * parts_of_head(attention);
          const size_t grain = GRAIN / 4 / (attention.keys * attention.dims + 1);
          parallel(threads, units, grain, [&](size_t begin, size_t end) {
            EXT_LOOP(tuning.instructions, decode_attention)(attention, begin, end, tuning.version);
          });
        });
  }

  void encode(Encoder& encoder, const std::vector<mx::array>& inputs, mx::array& out) const override {
    const bool naive = tuning_.version == 1;
    encoder.kernel("decode_attention", (naive ? "attention_naive_" : "attention_") + dtype_suffix(out), "2.5.2");
    for (const auto& input : {inputs[0], inputs[1], inputs[2], inputs.back()}) {
      encoder.input(input);
    }
    encoder.output(out);
    const auto& key = inputs[1];
    for (int size : {out.shape(1), key.shape(1), out.shape(2), key.shape(2), out.shape(3), static_cast<int>(kind_)}) {
      encoder.bytes(Constant::of(size));
    }
    encoder.bytes(Constant::of(scale_));
    for (const auto& heads : {inputs[1], inputs[2]}) {
      encoder.bytes(Constant::list<int64_t>(heads.strides()));
    }
    const auto dims = static_cast<size_t>(out.shape(3));
    const size_t rows = out.size() / dims;
    if (naive) {
      encoder.dispatch_elements(rows);
      return;
    }
    // Each SIMD group leaves its D sums, its largest score and its total in threadgroup memory: 8 * 258 floats at most.
    const size_t threads = encoder.simd_threads(8 * SIMD);
    encoder.threadgroup_memory(threads / SIMD * (dims + 2) * sizeof(float));
    encoder.dispatch_groups({rows}, {threads});
  }

  const char* name() const override {
    return EXT_PACKAGE "::decode_attention";
  }

  bool is_equivalent(const mx::Primitive& other) const override {
    const auto& attention = static_cast<const DecodeAttention&>(other);
    return kind_ == attention.kind_ && scale_ == attention.scale_;
  }

  std::vector<mx::Shape> output_shapes(const std::vector<mx::array>& inputs) override {
    return {inputs[0].shape()};
  }

 private:
  MaskKind kind_;
  float scale_;
  Tuning tuning_;
};

static void check(const mx::array& query, const mx::array& key, const mx::array& value) {
  element_of(query, "decode_attention: query");
  if (query.ndim() != 4 || key.ndim() != 4 || key.shape() != value.shape()) {
    throw std::invalid_argument("decode_attention: query is (B, Hq, L, D), key and value are (B, H, S, D)");
  }
  if (key.dtype() != query.dtype() || value.dtype() != query.dtype()) {
    throw std::invalid_argument("decode_attention: query, key and value must have one dtype");
  }
  if (key.shape(0) != query.shape(0) || key.shape(3) != query.shape(3)) {
    throw std::invalid_argument("decode_attention: query and key must agree in B and D");
  }
  if (key.shape(1) == 0 || query.shape(1) % key.shape(1) != 0) {
    throw std::invalid_argument("decode_attention: the query heads must be a multiple of the key heads");
  }
  if (query.shape(3) < 1 || query.shape(3) > MOST_DIMS) {
    throw std::invalid_argument("decode_attention: D must be from 1 to " + std::to_string(MOST_DIMS));
  }
}

} // namespace EXT_NS

extern "C" int EXT_SYMBOL(decode_attention)(
    mlx_array* result,
    mlx_array query_handle,
    mlx_array key_handle,
    mlx_array value_handle,
    int mask_kind,
    mlx_array mask_handle,
    float scale,
    mlx_stream stream_handle) {
  using namespace EXT_NS;
  return guarded([&] {
    const auto stream = stream_of(stream_handle);
    // Keys and values are slices of a cache: they are read where they lie.
    std::vector<mx::array> inputs{
        rows_for_device(array_of(query_handle, "query"), stream), array_of(key_handle, "key"),
        array_of(value_handle, "value")};
    const auto query = inputs[0];
    check(query, inputs[1], inputs[2]);
    if (mask_kind < 0 || mask_kind > 2) {
      throw std::invalid_argument("decode_attention: the mask must be 0 (none), 1 (causal) or 2 (array)");
    }
    const auto kind = static_cast<MaskKind>(mask_kind);
    if (kind == MaskKind::Array) {
      inputs.push_back(rows_for_device(array_of(mask_handle, "mask"), stream));
      const mx::Shape scores{query.shape(0), query.shape(1), query.shape(2), inputs[1].shape(2)};
      if (inputs[3].dtype() != mx::float32 || inputs[3].shape() != scores) {
        throw std::invalid_argument("decode_attention: the mask must be float32 and (B, Hq, L, S)");
      }
    }
    auto node = std::make_shared<DecodeAttention>(stream, kind, scale, tuning());
    give(result, mx::array(query.shape(), query.dtype(), std::move(node), std::move(inputs)));
  });
}
