// paged_attention: attention that reads keys and values where the pages lie (week 3, days 4 and 5).
//
// The loops are in src/loops: paged_attention.cpp for a few query rows, flash_attention.cpp for many.
#include <memory>

#include "ext/dense.h"
#include "ext/flash_tiles.h"
#include "ext/gpu.h"
#include "ext/paged_rows.h"

namespace EXT_NS {

/// The widest head.
static constexpr int MOST_DIMS = 256;

/// Query tokens and keys of a tile of the Metal kernel, and the threads that compute it.
static constexpr size_t FLASH_TILE = 16;
static constexpr size_t FLASH_THREADS = 128;

/// The numbers are those of `PagedPath` in src/week3/paged_attention.rs.
enum class PagedPath : int { Decode = 0, Flash = 1 };

/// The table again, when it is known for sure: every key that is read must lie in the pages.
static void check_table(const PagedAttention& attention, int pages) {
  for (size_t b = 0; b < attention.batch; b++) {
    const int32_t keys = attention.contexts[b];
    if (keys < 0 || static_cast<size_t>(keys) > attention.columns * attention.page) {
      throw std::invalid_argument("paged_attention: the table has no room for " + std::to_string(keys) + " keys");
    }
    const size_t needed = (static_cast<size_t>(keys) + attention.page - 1) / attention.page;
    for (size_t i = 0; i < needed; i++) {
      const int32_t id = attention.table[b * attention.columns + i];
      if (id < 0 || id >= pages) {
        throw std::invalid_argument(
            "paged_attention: page " + std::to_string(id) + " is not one of the " + std::to_string(pages) + " pages");
      }
    }
  }
}

class PagedAttentionNode : public Kernel {
 public:
  PagedAttentionNode(mx::Stream stream, PagedPath path, float scale, bool causal, Tuning tuning)
      : Kernel(stream), path_(path), scale_(scale), causal_(causal), tuning_(tuning) {}

  /// The inputs are query, key pages, value pages, block table and context lengths.
  void eval_cpu(const std::vector<mx::array>& inputs, mx::array& out) override {
    allocate(out);
    if (on_metal_host(inputs, out)) {
      return;
    }
    on_cpu(stream(), inputs, out,
        [query = mx::array::unsafe_weak_copy(inputs[0]),
         keys = mx::array::unsafe_weak_copy(inputs[1]),
         values = mx::array::unsafe_weak_copy(inputs[2]),
         table = mx::array::unsafe_weak_copy(inputs[3]),
         contexts = mx::array::unsafe_weak_copy(inputs[4]),
         out = mx::array::unsafe_weak_copy(out),
         path = path_,
         scale = scale_,
         causal = causal_,
         tuning = tuning_]() mutable {
          if (out.size() == 0) {
            return;
          }
          const Dense queries(query), key_pages(keys), value_pages(values), ids(table), lengths(contexts);
          const auto axis = [](const mx::array& array, int which) { return static_cast<size_t>(array.shape(which)); };
          const PagedAttention attention{
              element_of(query, "query"), queries.as<char>(), key_pages.as<char>(), value_pages.as<char>(),
              out.data<char>(), ids.as<int32_t>(), axis(table, 1), lengths.as<int32_t>(),
              axis(query, 0), axis(query, 1), axis(keys, 1), axis(query, 2), axis(keys, 2), axis(query, 3), scale, causal};
          check_table(attention, keys.shape(0));
          const int threads = tuning.version == 1 || tuning.version == 2 ? 1 : tuning.threads;
          const size_t heads = attention.batch * attention.heads;
          if (path == PagedPath::Flash) {
            parallel(threads, heads * tiles_of_head(attention), 1, [&](size_t begin, size_t end) {
              EXT_LOOP(tuning.instructions, flash_attention)(attention, begin, end, tuning.version);
            });
            return;
          }
          const size_t grain = GRAIN / 4 / (attention.columns * attention.page * attention.dims + 1);
          parallel(threads, heads * parts_of_head(attention), grain, [&](size_t begin, size_t end) {
            EXT_LOOP(tuning.instructions, paged_attention)(attention, begin, end, tuning.version);
          });
        });
  }

  void encode(Encoder& encoder, const std::vector<mx::array>& inputs, mx::array& out) const override {
    const bool naive = tuning_.version == 1, flash = path_ == PagedPath::Flash;
    const std::string kernel = flash ? naive ? "flash_naive_" : "flash_" : naive ? "paged_attention_naive_" : "paged_attention_";
    encoder.kernel(flash ? "flash_attention" : "paged_attention", kernel + dtype_suffix(out), flash ? "3.5.3" : "3.4.5");
    for (const auto& input : inputs) {
      encoder.input(input);
    }
    encoder.output(out);
    const auto &keys = inputs[1], &table = inputs[3];
    for (int size : {out.shape(1), keys.shape(1), out.shape(2), keys.shape(2), table.shape(1), out.shape(3)}) {
      encoder.bytes(Constant::of(size));
    }
    encoder.bytes(Constant::of(causal_ ? 1 : 0));
    encoder.bytes(Constant::of(scale_));
    const auto axis = [&](int which) { return static_cast<size_t>(out.shape(which)); };
    const size_t dims = axis(3);
    if (naive) {
      encoder.dispatch_elements(out.size() / dims);
    } else if (flash) {
      if (encoder.max_threads() < FLASH_THREADS) {
        throw std::runtime_error("paged_attention: its tiles need groups of 128 threads; take the path of decoding");
      }
      encoder.threadgroup_memory(FLASH_TILE * dims * sizeof(float));
      encoder.threadgroup_memory(FLASH_TILE * (FLASH_TILE + 1) * sizeof(float));
      encoder.dispatch_groups({(axis(2) + FLASH_TILE - 1) / FLASH_TILE, axis(0) * axis(1)}, {FLASH_THREADS});
    } else {
      // Each SIMD group leaves its D sums, its largest score and its total in threadgroup memory: 8 * 258 floats at most.
      const size_t threads = encoder.simd_threads(8 * SIMD);
      encoder.threadgroup_memory(threads / SIMD * (dims + 2) * sizeof(float));
      encoder.dispatch_groups({out.size() / dims}, {threads});
    }
  }

  const char* name() const override {
    return EXT_PACKAGE "::paged_attention";
  }

  bool is_equivalent(const mx::Primitive& other) const override {
    const auto& attention = static_cast<const PagedAttentionNode&>(other);
    return path_ == attention.path_ && scale_ == attention.scale_ && causal_ == attention.causal_;
  }

  std::vector<mx::Shape> output_shapes(const std::vector<mx::array>& inputs) override {
    return {inputs[0].shape()};
  }

 private:
  PagedPath path_;
  float scale_;
  bool causal_;
  Tuning tuning_;
};

/// The inputs are those of the node.
static void check(const std::vector<mx::array>& inputs) {
  const auto &query = inputs[0], &keys = inputs[1], &values = inputs[2], &table = inputs[3], &contexts = inputs[4];
  element_of(query, "paged_attention: query");
  if (query.ndim() != 4 || keys.ndim() != 4 || keys.shape() != values.shape() || keys.shape(2) == 0) {
    throw std::invalid_argument("paged_attention: query is (B, Hq, L, D), keys and values are pages, (P, H, page, D)");
  }
  if (keys.dtype() != query.dtype() || values.dtype() != query.dtype()) {
    throw std::invalid_argument("paged_attention: query, keys and values must have one dtype");
  }
  if (keys.shape(1) == 0 || query.shape(1) % keys.shape(1) != 0) {
    throw std::invalid_argument("paged_attention: the query heads must be a multiple of the key heads");
  }
  if (keys.shape(3) != query.shape(3) || query.shape(3) < 1 || query.shape(3) > MOST_DIMS) {
    throw std::invalid_argument("paged_attention: D must be the same, from 1 to " + std::to_string(MOST_DIMS));
  }
  if (table.dtype() != mx::int32 || table.ndim() != 2 || table.shape(0) != query.shape(0) ||
      contexts.dtype() != mx::int32 || contexts.shape() != mx::Shape{query.shape(0)}) {
    throw std::invalid_argument("paged_attention: the block table is int32 (B, M), the context lengths are int32 (B,)");
  }
}

} // namespace EXT_NS

extern "C" int EXT_SYMBOL(paged_attention)(
    mlx_array* result,
    mlx_array query_handle,
    mlx_array keys_handle,
    mlx_array values_handle,
    mlx_array table_handle,
    mlx_array contexts_handle,
    float scale,
    bool causal,
    int path,
    mlx_stream stream_handle) {
  using namespace EXT_NS;
  return guarded([&] {
    const auto stream = stream_of(stream_handle);
    const auto rows = [&](mlx_array handle, const char* name) { return rows_for_device(array_of(handle, name), stream); };
    std::vector<mx::array> inputs{
        rows(query_handle, "query"), rows(keys_handle, "key_pages"), rows(values_handle, "value_pages"),
        rows(table_handle, "block_table"), rows(contexts_handle, "context_lens")};
    check(inputs);
    if (path != 0 && path != 1) {
      throw std::invalid_argument("paged_attention: the path must be 0 (decode) or 1 (flash)");
    }
    const auto query = inputs[0];
    auto node = std::make_shared<PagedAttentionNode>(stream, static_cast<PagedPath>(path), scale, causal, tuning());
    give(result, mx::array(query.shape(), query.dtype(), std::move(node), std::move(inputs)));
  });
}
