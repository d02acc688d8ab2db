// rope: turns the pairs of every head by the token's position (week 2, day 4). The loops are in src/loops/rope.cpp.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "ext/dense.h"
#include "ext/gpu.h"

namespace EXT_NS {

/// A position counts from the first token; negative ones are an accident.
static void check_offsets(const int32_t* offsets, size_t n) {
  for (size_t row = 0; row < n; row++) {
    if (offsets[row] < 0) {
      throw std::invalid_argument(
          "rope: offsets: row " + std::to_string(row) + " is " + std::to_string(offsets[row]) +
          ", but a position must not be negative");
    }
  }
}

/// base^(-2i/dims) for each pair, in f64: an error here is multiplied by the position.
static std::vector<double> frequencies(int dims, float base) {
  std::vector<double> frequencies(static_cast<size_t>(dims) / 2);
  for (size_t i = 0; i < frequencies.size(); i++) {
    frequencies[i] = std::pow(static_cast<double>(base), -2.0 * static_cast<double>(i) / dims);
  }
  return frequencies;
}

/// The share of a whole turn that each pair makes at a position, as a fraction of 2^64: a product with a position is exact
/// up to whole turns, where f32 would have lost the angle of a far position.
static std::vector<uint64_t> turns(int dims, float base) {
  std::vector<uint64_t> turns;
  for (double frequency : frequencies(dims, base)) {
    const double turn = frequency / (2 * std::numbers::pi);
    turns.push_back(static_cast<uint64_t>(std::ldexp(turn - std::floor(turn), 64)));
  }
  return turns;
}

/// Heads that one thread of the Metal kernel turns.
static constexpr size_t HEADS = 4;
/// Constants of a Metal kernel have 4 KiB.
static constexpr int MOST_PAIRS = 512;

class Rope : public Kernel {
 public:
  Rope(mx::Stream stream, int dims, float base, bool traditional, Tuning tuning)
      : Kernel(stream), dims_(dims), base_(base), traditional_(traditional), tuning_(tuning) {}

  void eval_cpu(const std::vector<mx::array>& inputs, mx::array& out) override {
    allocate(out);
    if (on_metal_host(inputs, out)) {
      return;
    }
    on_cpu(stream(), inputs, out,
        [x = mx::array::unsafe_weak_copy(inputs[0]),
         offsets = mx::array::unsafe_weak_copy(inputs[1]),
         out = mx::array::unsafe_weak_copy(out),
         dims = dims_,
         base = base_,
         traditional = traditional_,
         tuning = tuning_]() mutable {
          const Dense heads(x);
          const Dense positions(offsets);
          check_offsets(positions.as<int32_t>(), offsets.size());
          const auto table = frequencies(dims, base);
          const auto axis = [&](int which) { return static_cast<size_t>(x.shape(which)); };
          const Rotation rotation{
              element_of(x, "x"), heads.as<char>(), out.data<char>(), positions.as<int32_t>(), table.data(),
              axis(1), axis(2), axis(3), static_cast<size_t>(dims), traditional};
          const int threads = tuning.version >= 1 && tuning.version <= 3 ? 1 : tuning.threads;
          const size_t grain = GRAIN / 4 / std::max<size_t>(axis(2) * axis(3), 1);
          parallel(threads, out.size() == 0 ? 0 : axis(0) * axis(1), grain, [&](size_t begin, size_t end) {
            EXT_LOOP(tuning.instructions, rope)(rotation, begin, end, tuning.version);
          });
        });
  }

  /// One thread a pair of neighbours in the grid's x: first the pairs that turn, then the elements behind them.
  void encode(Encoder& encoder, const std::vector<mx::array>& inputs, mx::array& out) const override {
    if (dims_ > 2 * MOST_PAIRS) {
      throw std::invalid_argument(
          "rope: on Metal dims is at most " + std::to_string(2 * MOST_PAIRS) + ", got " + std::to_string(dims_));
    }
    const bool naive = tuning_.version == 1;
    encoder.kernel("rope", (naive ? "rope_naive_" : "rope_") + dtype_suffix(out), "2.4.5");
    encoder.input(inputs[0]);
    encoder.input(inputs[1]);
    encoder.output(out);
    encoder.bytes(Constant::list<uint64_t>(turns(dims_, base_)));
    for (int size : {out.shape(1), out.shape(2), out.shape(3), dims_, static_cast<int>(traditional_)}) {
      encoder.bytes(Constant::of(size));
    }
    const auto axis = [&](int which) { return static_cast<size_t>(out.shape(which)); };
    const size_t across = axis(3) - static_cast<size_t>(dims_) / 2;
    const size_t heads = naive ? axis(2) : (axis(2) + HEADS - 1) / HEADS;
    encoder.dispatch_threads({across, heads, axis(0) * axis(1)}, {std::min(across, encoder.max_threads())});
  }

  const char* name() const override {
    return EXT_PACKAGE "::rope";
  }

  bool is_equivalent(const mx::Primitive& other) const override {
    const auto& rope = static_cast<const Rope&>(other);
    return dims_ == rope.dims_ && base_ == rope.base_ && traditional_ == rope.traditional_;
  }

  std::vector<mx::Shape> output_shapes(const std::vector<mx::array>& inputs) override {
    return {inputs[0].shape()};
  }

 private:
  int dims_;
  float base_;
  bool traditional_;
  Tuning tuning_;
};

} // namespace EXT_NS

extern "C" int EXT_SYMBOL(rope)(
    mlx_array* result,
    mlx_array x_handle,
    mlx_array offsets_handle,
    int dims,
    float base,
    bool traditional,
    mlx_stream stream_handle) {
  using namespace EXT_NS;
  return guarded([&] {
    const auto stream = stream_of(stream_handle);
    const auto x = rows_for_device(array_of(x_handle, "x"), stream);
    const auto offsets = rows_for_device(array_of(offsets_handle, "offsets"), stream);
    element_of(x, "rope: x");
    if (x.ndim() != 4) {
      throw std::invalid_argument("rope: x must be (B, L, H, D)");
    }
    if (offsets.dtype() != mx::int32 || offsets.ndim() != 1 || offsets.shape(0) != x.shape(0)) {
      throw std::invalid_argument("rope: offsets must be int32, one for each row of the batch");
    }
    if (dims <= 0 || dims % 2 != 0 || dims > x.shape(3)) {
      throw std::invalid_argument("rope: dims must be even, positive and at most D");
    }
    if (!std::isfinite(base) || base <= 0) {
      throw std::invalid_argument("rope: base must be positive and finite");
    }
    if (offsets.is_available()) {
      check_offsets(Dense(offsets).as<int32_t>(), offsets.size());
    }
    auto node = std::make_shared<Rope>(stream, dims, base, traditional, tuning());
    give(result, mx::array(x.shape(), x.dtype(), std::move(node), {x, offsets}));
  });
}
