// paged_cache_update: writes new keys or values into pages (week 3, day 3). The loops are in
// src/loops/paged_cache_update.cpp.
#include <algorithm>
#include <memory>

#include "ext/gpu.h"
#include "ext/heads_view.h"

namespace EXT_NS {

/// Gives `out` the memory that the pages will lie in: true where it is that of `pages` themselves, false where it is new
/// and nothing is in it yet.
///
/// Values that somebody can still read must not change. MLX counts who holds an array: other handles, nodes that have not
/// run, work that a stream has not done yet.
static bool take_over(const mx::array& pages, mx::array& out) {
  // SOLUTION 3.3.1 pages, out
  const bool alone = pages.is_donatable() && pages.flags().row_contiguous;
  alone ? out.copy_shared_buffer(pages) : allocate(out);
  return alone;
  // END SOLUTION
}

/// The ids again, when they are known for sure: what is written must lie in the pages.
static void check_slots(const mx::array& ids, const PagedWrite& write, int pages) {
  const size_t needed = write.length == 0 ? 0 : (write.start + write.length - 1) / write.page + 1;
  if (needed > ids.size()) {
    throw std::invalid_argument("paged_cache_update: the page ids are too few for start and the new tokens");
  }
  for (size_t i = 0; i < needed; i++) {
    if (write.ids[i] < 0 || write.ids[i] >= pages) {
      throw std::invalid_argument(
          "paged_cache_update: page id " + std::to_string(write.ids[i]) + " is not one of the " + std::to_string(pages) +
          " pages");
    }
  }
}

/// A copy of the pages on several threads.
static void copy_pages(const mx::array& pages, mx::array& out, int threads) {
  const Dense from(pages);
  char* to = out.data<char>();
  parallel(threads, out.nbytes(), 4 * GRAIN, [&](size_t begin, size_t end) {
    std::memcpy(to + begin, from.as<char>() + begin, end - begin);
  });
}

class PagedCacheUpdate : public Kernel {
 public:
  PagedCacheUpdate(mx::Stream stream, int start, Tuning tuning) : Kernel(stream), start_(start), tuning_(tuning) {}

  /// The inputs are pages, values and page ids.
  void eval_cpu(const std::vector<mx::array>& inputs, mx::array& out) override {
    const bool in_place = take_over(inputs[0], out);
    if (on_metal_host(inputs, out)) {
      return;
    }
    on_cpu(stream(), inputs, out,
        [pages = mx::array::unsafe_weak_copy(inputs[0]),
         values = mx::array::unsafe_weak_copy(inputs[1]),
         page_ids = mx::array::unsafe_weak_copy(inputs[2]),
         out = mx::array::unsafe_weak_copy(out),
         start = static_cast<size_t>(start_),
         in_place,
         tuning = tuning_]() mutable {
          if (out.size() == 0) {
            return;
          }
          const Dense ids(page_ids);
          const HeadsView heads(values);
          const auto axis = [](const mx::array& array, int which) { return static_cast<size_t>(array.shape(which)); };
          const PagedWrite write{
              element_of(out, "pages"), heads.heads(), out.data<char>(), ids.as<int32_t>(), start,
              axis(out, 1), axis(values, 2), axis(out, 2), axis(out, 3)};
          check_slots(page_ids, write, out.shape(0));
          if (!in_place) {
            copy_pages(pages, out, tuning.threads);
          }
          const int threads = tuning.version == 1 || tuning.version == 2 ? 1 : tuning.threads;
          parallel(threads, write.heads, GRAIN / (write.length * write.dims + 1), [&](size_t begin, size_t end) {
            EXT_LOOP(tuning.instructions, paged_cache_update)(write, begin, end, tuning.version);
          });
        });
  }

  void eval_gpu(const std::vector<mx::array>& inputs, mx::array& out) override {
    take_over(inputs[0], out);
    if (out.size() > 0) {
      encode(*metal_encoder(stream()), inputs, out);
    }
  }

  void encode(Encoder& encoder, const std::vector<mx::array>& inputs, mx::array& out) const override {
    const auto &pages = inputs[0], &values = inputs[1], &ids = inputs[2];
    const int heads = out.shape(1), page = out.shape(2), dims = out.shape(3), length = values.shape(2);
    const auto wide = std::min(static_cast<size_t>(dims), SIMD);
    if (out.data<char>() != pages.data<char>()) {
      encoder.kernel("paged_cache_update", "copy_pages_" + dtype_suffix(out), "");
      encoder.input(pages);
      encoder.output(out);
      for (int size : {heads, page, dims}) {
        encoder.bytes(Constant::of(size));
      }
      encoder.bytes(Constant::list<int64_t>(pages.strides()));
      const auto slots = static_cast<size_t>(heads) * static_cast<size_t>(page);
      encoder.dispatch_threads({static_cast<size_t>(dims), slots, static_cast<size_t>(out.shape(0))}, {wide, 8});
    }
    if (values.size() == 0) {
      return;
    }
    const bool naive = tuning_.version == 1;
    encoder.kernel("paged_cache_update", (naive ? "paged_write_naive_" : "paged_write_") + dtype_suffix(out), "3.3.6");
    encoder.input(values);
    encoder.input(ids);
    encoder.in_out(out);
    for (int size : {heads, length, page, dims, out.shape(0), start_}) {
      encoder.bytes(Constant::of(size));
    }
    auto steps = values.strides();
    steps.push_back(ids.strides(0));
    encoder.bytes(Constant::list<int64_t>(steps));
    const auto tokens = static_cast<size_t>(length);
    if (naive) {
      encoder.dispatch_threads({tokens, static_cast<size_t>(heads)}, {std::min(tokens, encoder.max_threads())});
    } else {
      encoder.dispatch_threads({static_cast<size_t>(dims), tokens, static_cast<size_t>(heads)}, {wide, 8});
    }
  }

  const char* name() const override {
    return EXT_PACKAGE "::paged_cache_update";
  }

  bool is_equivalent(const mx::Primitive& other) const override {
    return start_ == static_cast<const PagedCacheUpdate&>(other).start_;
  }

  std::vector<mx::Shape> output_shapes(const std::vector<mx::array>& inputs) override {
    return {inputs[0].shape()};
  }

 private:
  int start_;
  Tuning tuning_;
};

} // namespace EXT_NS

extern "C" int EXT_SYMBOL(paged_cache_update)(
    mlx_array* result,
    mlx_array pages_handle,
    mlx_array values_handle,
    mlx_array ids_handle,
    int start,
    mlx_stream stream_handle) {
  using namespace EXT_NS;
  return guarded([&] {
    const auto stream = stream_of(stream_handle);
    const auto& pages = array_of(pages_handle, "pages");
    const auto& values = array_of(values_handle, "values");
    const auto& ids = array_of(ids_handle, "page_ids");
    element_of(pages, "paged_cache_update: pages");
    if (pages.ndim() != 4 || pages.shape(2) == 0 || values.dtype() != pages.dtype() ||
        values.shape() != mx::Shape{1, pages.shape(1), values.ndim() == 4 ? values.shape(2) : 0, pages.shape(3)}) {
      throw std::invalid_argument("paged_cache_update: pages are (P, H, page, D), values (1, H, L, D) of the same dtype");
    }
    if (ids.dtype() != mx::int32 || ids.ndim() != 1 || start < 0) {
      throw std::invalid_argument("paged_cache_update: the page ids must be int32 and (n,), start not negative");
    }
    auto node = std::make_shared<PagedCacheUpdate>(stream, start, tuning());
    // The node's own inputs are the only references to the pages that this call leaves behind.
    give(result, mx::array(pages.shape(), pages.dtype(), std::move(node), {pages, values, ids}));
  });
}
