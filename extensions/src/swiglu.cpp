// swiglu: silu(gate) * up in one pass over memory (week 2, day 4). The loops are in src/loops/swiglu.cpp.
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "ext/dense.h"
#include "ext/gpu.h"

namespace EXT_NS {

class Swiglu : public Kernel {
 public:
  Swiglu(mx::Stream stream, Tuning tuning) : Kernel(stream), tuning_(tuning) {}

  void eval_cpu(const std::vector<mx::array>& inputs, mx::array& out) override {
    allocate(out);
    if (on_metal_host(inputs, out)) {
      return;
    }
    on_cpu(stream(), inputs, out,
        [gate = mx::array::unsafe_weak_copy(inputs[0]),
         up = mx::array::unsafe_weak_copy(inputs[1]),
         out = mx::array::unsafe_weak_copy(out),
         tuning = tuning_]() mutable {
          const Dense gates(gate);
          const Dense ups(up);
          const auto element = element_of(gate, "gate");
          const size_t size = gate.itemsize();
          const int threads = tuning.version == 1 || tuning.version == 2 ? 1 : tuning.threads;
          parallel(threads, out.size(), GRAIN / 2, [&](size_t begin, size_t end) {
            EXT_LOOP(tuning.instructions, swiglu)(
                element, gates.as<char>() + begin * size, ups.as<char>() + begin * size,
                out.data<char>() + begin * size, end - begin, tuning.version);
          });
        });
  }

  void encode(Encoder& encoder, const std::vector<mx::array>& inputs, mx::array& out) const override {
    const bool naive = tuning_.version == 1;
    if (out.size() > INT32_MAX) {
      throw std::invalid_argument("swiglu: on Metal an array has at most 2^31 - 1 elements");
    }
    encoder.kernel("swiglu", (naive ? "swiglu_naive_" : "swiglu_") + dtype_suffix(out), "2.4.6");
    encoder.input(inputs[0]);
    encoder.input(inputs[1]);
    encoder.output(out);
    encoder.bytes(Constant::of(static_cast<uint32_t>(out.size())));
    encoder.dispatch_elements(naive ? out.size() : (out.size() + 3) / 4);
  }

  const char* name() const override {
    return EXT_PACKAGE "::swiglu";
  }

  bool is_equivalent(const mx::Primitive&) const override {
    return true;
  }

  std::vector<mx::Shape> output_shapes(const std::vector<mx::array>& inputs) override {
    return {inputs[0].shape()};
  }

 private:
  Tuning tuning_;
};

} // namespace EXT_NS

extern "C" int EXT_SYMBOL(swiglu)(
    mlx_array* result, mlx_array gate_handle, mlx_array up_handle, mlx_stream stream_handle) {
  using namespace EXT_NS;
  return guarded([&] {
    const auto stream = stream_of(stream_handle);
    const auto gate = rows_for_device(array_of(gate_handle, "gate"), stream);
    const auto up = rows_for_device(array_of(up_handle, "up"), stream);
    element_of(gate, "swiglu: gate");
    if (gate.dtype() != up.dtype() || gate.shape() != up.shape()) {
      throw std::invalid_argument("swiglu: gate and up must have one shape and one dtype");
    }
    auto node = std::make_shared<Swiglu>(stream, tuning());
    give(result, mx::array(gate.shape(), gate.dtype(), std::move(node), {gate, up}));
  });
}
