// axpby: out = alpha * x + beta * y. The smallest whole kernel, and the model of every later one.
//
// Read it from the bottom: the C symbol builds a node of the lazy graph; MLX asks for the values by eval_cpu, or on
// the Metal rung by encode.
#include <memory>

#include "ext/gpu.h"
#include "ext/kernel.h"
#include "ext/strided.h"

namespace EXT_NS {

/// Element by element in f32, rounded once. `x` and `y` are walked by their strides: a transposed, sliced or broadcast
/// view is read where it lies, without a copy.
template <typename T>
void axpby_elements(const mx::array& x, const mx::array& y, mx::array& out, float alpha, float beta) {
  const T* xs = x.data<T>();
  const T* ys = y.data<T>();
  T* outs = out.data<T>();
  auto element = [alpha, beta](T a, T b) {
    return static_cast<T>(alpha * static_cast<float>(a) + beta * static_cast<float>(b));
  };
  if (x.flags().row_contiguous && y.flags().row_contiguous) {
    for (size_t i = 0; i < out.size(); i++) {
      outs[i] = element(xs[i], ys[i]);
    }
    return;
  }
  Walk in_x(x);
  Walk in_y(y);
  for (size_t i = 0; i < out.size(); i++) {
    outs[i] = element(xs[in_x.at()], ys[in_y.at()]);
    in_x.next();
    in_y.next();
  }
}

/// The node: its constants, and how it computes itself on each device.
class Axpby : public Kernel {
 public:
  Axpby(mx::Stream stream, float alpha, float beta) : Kernel(stream), alpha_(alpha), beta_(beta) {}

  void eval_cpu(const std::vector<mx::array>& inputs, mx::array& out) override {
    allocate(out);
    if (on_metal_host(inputs, out)) {
      return;
    }
    on_cpu(stream(), inputs, out,
        [x = mx::array::unsafe_weak_copy(inputs[0]),
         y = mx::array::unsafe_weak_copy(inputs[1]),
         out = mx::array::unsafe_weak_copy(out),
         alpha = alpha_,
         beta = beta_]() mutable {
          with_float_type(x, "x", [&](auto type) { axpby_elements<decltype(type)>(x, y, out, alpha, beta); });
        });
  }

  void encode(Encoder& encoder, const std::vector<mx::array>& inputs, mx::array& out) const override {
    const auto& x = inputs[0];
    const auto& y = inputs[1];
    const bool rows = x.flags().row_contiguous && y.flags().row_contiguous;
    encoder.kernel("axpby", (rows ? "axpby_" : "axpby_strided_") + dtype_suffix(x), "");
    const int64_t x_first = encoder.view(x);
    const int64_t y_first = encoder.view(y);
    encoder.output(out);
    encoder.bytes(Constant::of(alpha_));
    encoder.bytes(Constant::of(beta_));
    if (!rows) {
      encoder.bytes(Constant::list<int>(x.shape()));
      encoder.bytes(Constant::list<int64_t>(x.strides()));
      encoder.bytes(Constant::list<int64_t>(y.strides()));
      encoder.bytes(Constant::of(static_cast<int>(x.ndim())));
      encoder.bytes(Constant::of(x_first));
      encoder.bytes(Constant::of(y_first));
    }
    encoder.dispatch_elements(out.size());
  }

  const char* name() const override {
    return EXT_PACKAGE "::axpby";
  }

  /// `compile` merges equivalent nodes: two of other constants must stay two.
  bool is_equivalent(const mx::Primitive& other) const override {
    const auto& axpby = static_cast<const Axpby&>(other);
    return alpha_ == axpby.alpha_ && beta_ == axpby.beta_;
  }

  std::vector<mx::Shape> output_shapes(const std::vector<mx::array>& inputs) override {
    return {inputs[0].shape()};
  }

 private:
  float alpha_;
  float beta_;
};

} // namespace EXT_NS

extern "C" int EXT_SYMBOL(axpby)(
    mlx_array* result, mlx_array x_handle, mlx_array y_handle, float alpha, float beta, mlx_stream stream) {
  using namespace EXT_NS;
  return guarded([&] {
    const auto& x = array_of(x_handle, "x");
    const auto& y = array_of(y_handle, "y");
    with_float_type(x, "x", [](auto) {});
    if (x.dtype() != y.dtype() || x.shape() != y.shape()) {
      throw std::invalid_argument("axpby: x and y must have one shape and one dtype");
    }
    auto node = std::make_shared<Axpby>(stream_of(stream), alpha, beta);
    give(result, mx::array(x.shape(), x.dtype(), std::move(node), {x, y}));
  });
}
