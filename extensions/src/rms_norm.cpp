// rms_norm: the root mean square normalisation of every row (week 2, day 4). The loops are in src/loops/rms_norm.cpp.
#include <memory>

#include "ext/dense.h"
#include "ext/gpu.h"

namespace EXT_NS {

class RmsNorm : public Kernel {
 public:
  RmsNorm(mx::Stream stream, float eps, Tuning tuning) : Kernel(stream), eps_(eps), tuning_(tuning) {}

  void eval_cpu(const std::vector<mx::array>& inputs, mx::array& out) override {
    allocate(out);
    if (on_metal_host(inputs, out)) {
      return;
    }
    on_cpu(stream(), inputs, out,
        [x = mx::array::unsafe_weak_copy(inputs[0]),
         weight = mx::array::unsafe_weak_copy(inputs[1]),
         out = mx::array::unsafe_weak_copy(out),
         eps = eps_,
         tuning = tuning_]() mutable {
          if (out.size() == 0) {
            return;
          }
          const Dense rows(x);
          const Dense factors(weight);
          const auto element = element_of(x, "x");
          const size_t width = static_cast<size_t>(x.shape(-1));
          const size_t row_bytes = width * x.itemsize();
          const int threads = tuning.version == 1 || tuning.version == 2 ? 1 : tuning.threads;
          parallel(threads, x.size() / width, GRAIN / width, [&](size_t begin, size_t end) {
            EXT_LOOP(tuning.instructions, rms_norm)(
                element, rows.as<char>() + begin * row_bytes, factors.as<char>(), out.data<char>() + begin * row_bytes,
                end - begin, width, eps, tuning.version);
          });
        });
  }

  void encode(Encoder& encoder, const std::vector<mx::array>& inputs, mx::array& out) const override {
    const auto width = static_cast<size_t>(out.shape(-1));
    const size_t rows = out.size() / width;
    const bool naive = tuning_.version == 1;
    encoder.kernel("rms_norm", (naive ? "rms_norm_naive_" : "rms_norm_") + dtype_suffix(out), "2.4.4");
    encoder.input(inputs[0]);
    encoder.input(inputs[1]);
    encoder.output(out);
    encoder.bytes(Constant::of(out.shape(-1)));
    encoder.bytes(Constant::of(eps_));
    if (naive) {
      encoder.dispatch_elements(rows);
    } else {
      encoder.dispatch_groups({rows}, {encoder.simd_threads(width)});
    }
  }

  const char* name() const override {
    return EXT_PACKAGE "::rms_norm";
  }

  bool is_equivalent(const mx::Primitive& other) const override {
    return eps_ == static_cast<const RmsNorm&>(other).eps_;
  }

  std::vector<mx::Shape> output_shapes(const std::vector<mx::array>& inputs) override {
    return {inputs[0].shape()};
  }

 private:
  float eps_;
  Tuning tuning_;
};

} // namespace EXT_NS

extern "C" int EXT_SYMBOL(rms_norm)(
    mlx_array* result, mlx_array x_handle, mlx_array weight_handle, float eps, mlx_stream stream_handle) {
  using namespace EXT_NS;
  return guarded([&] {
    const auto stream = stream_of(stream_handle);
    const auto x = rows_for_device(array_of(x_handle, "x"), stream);
    const auto weight = rows_for_device(array_of(weight_handle, "weight"), stream);
    element_of(x, "rms_norm: x");
    if (x.ndim() == 0 || x.shape(-1) == 0 || weight.ndim() != 1 || weight.shape(0) != x.shape(-1)) {
      throw std::invalid_argument("rms_norm: weight must be as long as the rows of x, and not empty");
    }
    if (weight.dtype() != x.dtype()) {
      throw std::invalid_argument("rms_norm: x and weight must have one dtype");
    }
    auto node = std::make_shared<RmsNorm>(stream, eps, tuning());
    give(result, mx::array(x.shape(), x.dtype(), std::move(node), {x, weight}));
  });
}
