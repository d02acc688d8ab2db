// Launches kernels through MLX's Metal device, or says that this build has none.
//
// Whether MLX was built with Metal is told by its headers: only that wheel carries metal-cpp.
#include "ext/gpu.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>

#if __has_include(<Metal/Metal.hpp>)
#include "mlx/backend/metal/device.h"
#include "mlx/backend/metal/metal.h"
#endif

namespace EXT_NS {

std::string dtype_suffix(const mx::array& array) {
  switch (array.dtype().val()) {
    case mx::Dtype::Val::float32:
      return "float32";
    case mx::Dtype::Val::float16:
      return "float16";
    case mx::Dtype::Val::bfloat16:
      return "bfloat16";
    default:
      throw std::invalid_argument("a kernel of the course takes float32, float16 or bfloat16");
  }
}

#if __has_include(<Metal/Metal.hpp>)

/// The text of a file in `kernels/`. Metal compiles it at run time, so no Xcode is needed to try a kernel.
static std::string source_of(const std::string& file) {
  const std::string path = EXT_KERNELS "/" + file + ".metal";
  std::ifstream stream(path);
  if (!stream) {
    throw std::runtime_error(path + " cannot be read");
  }
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// The compiled kernel. A name that the library does not hold is a task not done yet.
static MTL::ComputePipelineState* pipeline_of(const Launch& what, mx::metal::Device& device) {
  auto* library = device.get_library(EXT_PACKAGE "_" + what.file, [&] { return source_of(what.file); });
  try {
    return device.get_kernel(what.kernel, library);
  } catch (const std::exception&) {
    if (what.task.empty()) {
      throw;
    }
    throw std::runtime_error(
        "not implemented: task " + what.task + ", kernel " + what.kernel + " (extensions/kernels/" + what.file +
        ".metal)");
  }
}

void launch(const Launch& what, const mx::Stream& stream, const std::vector<mx::array>& inputs, mx::array& out) {
  if (what.threads == 0) {
    return;
  }
  if (what.threads > UINT32_MAX) {
    throw std::invalid_argument(what.kernel + ": a launch has at most 2^32 - 1 threads, one an element");
  }
  auto* pipeline = pipeline_of(what, mx::metal::device(stream.device));
  auto& encoder = mx::metal::get_command_encoder(stream);
  encoder.set_compute_pipeline_state(pipeline);
  int index = 0;
  for (const auto& input : inputs) {
    encoder.set_input_array(input, index++);
  }
  encoder.set_output_array(out, index++);
  for (const auto& constant : what.constants) {
    encoder.set_bytes(constant.bytes.data(), static_cast<int>(constant.bytes.size()), index++);
  }
  const size_t group = std::min<size_t>(what.threads, pipeline->maxTotalThreadsPerThreadgroup());
  encoder.dispatch_threads(MTL::Size(what.threads, 1, 1), MTL::Size(group, 1, 1));
}

#else

void launch(const Launch& what, const mx::Stream&, const std::vector<mx::array>&, mx::array&) {
  throw std::runtime_error(
      what.kernel + ": this MLX is built without Metal; compute on the CPU, mlx_rs::with_device(Device::cpu(), ..)");
}

#endif

} // namespace EXT_NS
