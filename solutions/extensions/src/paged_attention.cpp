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
    std::vector<mx::array> inputs{
        array_of(query_handle, "query"), array_of(keys_handle, "key_pages"), array_of(values_handle, "value_pages"),
        array_of(table_handle, "block_table"), array_of(contexts_handle, "context_lens")};
    check(inputs);
    if (path != 0 && path != 1) {
      throw std::invalid_argument("paged_attention: the path must be 0 (decode) or 1 (flash)");
    }
    const auto query = inputs[0];
    auto node = std::make_shared<PagedAttentionNode>(stream, static_cast<PagedPath>(path), scale, causal, tuning());
    give(result, mx::array(query.shape(), query.dtype(), std::move(node), std::move(inputs)));
  });
}
