// What every kernel of the course is to MLX: a node of the lazy graph that knows how to compute itself.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ext/arrays.h"
#include "ext/gpu.h"
#include "mlx/allocator.h"
#include "mlx/backend/cpu/encoder.h"
#include "mlx/primitives.h"

namespace EXT_NS {

/// Gives `out` its memory, row contiguous and not yet filled.
inline void allocate(mx::array& out) {
  out.set_data(mx::allocator::malloc(out.nbytes()));
}

/// An operation with one output. A kernel overrides `eval_cpu`, `encode`, `name` and `is_equivalent`.
///
/// The transformations of functions are refused with a sentence: an inference engine needs none of them.
class Kernel : public mx::UnaryPrimitive {
 public:
  explicit Kernel(mx::Stream stream) : mx::UnaryPrimitive(stream), host_(metal_host()) {}

  /// Describes the launches of Metal kernels that fill `out`, which has its memory and is not empty.
  virtual void encode(Encoder&, const std::vector<mx::array>&, mx::array&) const {
    throw std::runtime_error(refusal("has no Metal kernel"));
  }

  /// On the GPU.
  void eval_gpu(const std::vector<mx::array>& inputs, mx::array& out) override {
    allocate(out);
    if (out.size() > 0) {
      encode(*metal_encoder(stream()), inputs, out);
    }
  }

  std::vector<mx::array> jvp(
      const std::vector<mx::array>&,
      const std::vector<mx::array>&,
      const std::vector<int>&) override {
    throw std::invalid_argument(refusal("has no derivative (jvp)"));
  }

  std::vector<mx::array> vjp(
      const std::vector<mx::array>&,
      const std::vector<mx::array>&,
      const std::vector<int>&,
      const std::vector<mx::array>&) override {
    throw std::invalid_argument(refusal("has no derivative (vjp)"));
  }

  std::pair<std::vector<mx::array>, std::vector<int>> vmap(
      const std::vector<mx::array>&,
      const std::vector<int>&) override {
    throw std::invalid_argument(refusal("cannot be vectorised (vmap)"));
  }

 protected:
  /// Launches the Metal kernels on this machine's CPU where the node was built to; false where its loops have to run.
  /// `out` has its memory.
  bool on_metal_host(const std::vector<mx::array>& inputs, mx::array& out) {
    if (host_ != nullptr && out.size() > 0) {
      encode(*host_encoder(host_, stream()), inputs, out);
    }
    return host_ != nullptr;
  }

 private:
  std::string refusal(const char* what) const {
    return std::string(name()) + " " + what + "; write it with array operations where you need that";
  }

  const metal_host_api* host_;
};

/// Queues `work` on the stream's thread, which runs it when the inputs have been computed.
///
/// `eval_cpu` itself must not read its inputs: they may still be in the queue. `work` captures arrays as weak copies,
/// which MLX keeps alive until it has run.
template <typename Work>
void on_cpu(const mx::Stream& stream, const std::vector<mx::array>& inputs, mx::array& out, Work&& work) {
  auto& encoder = mx::cpu::get_command_encoder(stream);
  for (const auto& input : inputs) {
    encoder.set_input_array(input);
  }
  encoder.set_output_array(out);
  encoder.dispatch(std::forward<Work>(work));
}

/// Calls `with` with a value of the C++ type of a float dtype; refuses the other dtypes.
template <typename With>
void with_float_type(const mx::array& array, const char* argument, With&& with) {
  switch (array.dtype().val()) {
    case mx::Dtype::Val::float32:
      return with(float{});
    case mx::Dtype::Val::float16:
      return with(mx::float16_t{});
    case mx::Dtype::Val::bfloat16:
      return with(mx::bfloat16_t{});
    default:
      throw std::invalid_argument(std::string(argument) + " must be float32, float16 or bfloat16");
  }
}

} // namespace EXT_NS
