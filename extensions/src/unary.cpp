// exp, sin and cos of every element: practice for the first line of C++ and of Metal (task 1.7.6, optional).
//
// The node is given and is like the one of axpby.cpp; the three loops are yours.
#include <cmath>
#include <memory>

#include "ext/gpu.h"
#include "ext/kernel.h"
#include "mlx/ops.h"

namespace EXT_NS {

/// out[i] = e^x[i] for i in 0..n. `x` and `out` are n elements in a row; compute in f32 and round to T once.
template <typename T>
void exp_elements(const T* x, T* out, size_t n) {
  throw std::runtime_error("not implemented: task 1.7.6, exp_elements (extensions/src/unary.cpp:16)");
}

/// out[i] = sin(x[i]), x in radians; otherwise as exp_elements.
template <typename T>
void sin_elements(const T* x, T* out, size_t n) {
  throw std::runtime_error("not implemented: task 1.7.6, sin_elements (extensions/src/unary.cpp:22)");
}

/// out[i] = cos(x[i]), x in radians; otherwise as exp_elements.
template <typename T>
void cos_elements(const T* x, T* out, size_t n) {
  throw std::runtime_error("not implemented: task 1.7.6, cos_elements (extensions/src/unary.cpp:28)");
}

/// The numbers are those of `Function` in src/unary.rs.
enum class Function { Exp = 0, Sin = 1, Cos = 2 };

class Unary : public Kernel {
 public:
  Unary(mx::Stream stream, Function function) : Kernel(stream), function_(function) {}

  void eval_cpu(const std::vector<mx::array>& inputs, mx::array& out) override {
    allocate(out);
    if (on_metal_host(inputs, out)) {
      return;
    }
    on_cpu(stream(), inputs, out,
        [x = mx::array::unsafe_weak_copy(inputs[0]),
         out = mx::array::unsafe_weak_copy(out),
         function = function_]() mutable {
          with_float_type(x, "x", [&](auto type) {
            using T = decltype(type);
            switch (function) {
              case Function::Exp:
                return exp_elements(x.data<T>(), out.data<T>(), out.size());
              case Function::Sin:
                return sin_elements(x.data<T>(), out.data<T>(), out.size());
              case Function::Cos:
                return cos_elements(x.data<T>(), out.data<T>(), out.size());
            }
          });
        });
  }

  void encode(Encoder& encoder, const std::vector<mx::array>& inputs, mx::array& out) const override {
    const char* kernels[] = {"exp_elements_", "sin_elements_", "cos_elements_"};
    encoder.kernel("unary", kernels[static_cast<int>(function_)] + dtype_suffix(out), "1.7.6");
    encoder.input(inputs[0]);
    encoder.output(out);
    encoder.dispatch_elements(out.size());
  }

  const char* name() const override {
    return EXT_PACKAGE "::unary";
  }

  bool is_equivalent(const mx::Primitive& other) const override {
    return function_ == static_cast<const Unary&>(other).function_;
  }

  std::vector<mx::Shape> output_shapes(const std::vector<mx::array>& inputs) override {
    return {inputs[0].shape()};
  }

 private:
  Function function_;
};

} // namespace EXT_NS

extern "C" int EXT_SYMBOL(unary)(mlx_array* result, mlx_array x_handle, int function, mlx_stream stream_handle) {
  using namespace EXT_NS;
  return guarded([&] {
    const auto& x = array_of(x_handle, "x");
    const auto stream = stream_of(stream_handle);
    with_float_type(x, "x", [](auto) {});
    if (function < 0 || function > 2) {
      throw std::invalid_argument("unary: the function must be 0 (exp), 1 (sin) or 2 (cos)");
    }
    // The loops see their elements in a row, whatever view `x` is.
    auto node = std::make_shared<Unary>(stream, static_cast<Function>(function));
    give(result, mx::array(x.shape(), x.dtype(), std::move(node), {mx::contiguous(x, false, stream)}));
  });
}
