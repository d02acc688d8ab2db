// Launches through MLX's Metal device, or the sentence that this build has none; and what both ways to launch share.
//
// Whether MLX was built with Metal is told by its headers: only that wheel carries metal-cpp.
#include "ext/gpu.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "mlx/allocator.h"

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

std::string no_kernel(const std::string& file, const std::string& name, const std::string& task) {
  const std::string place = "extensions/kernels/" + file + ".metal";
  if (task.empty()) {
    return place + " holds no kernel " + name;
  }
  return "not implemented: task " + task + ", kernel " + name + " (" + place + ")";
}

void Encoder::input(const mx::array& array) {
  for (int64_t stride : array.strides()) {
    if (stride < 0) {
      throw std::invalid_argument("a Metal kernel reads an axis forwards only; make the array contiguous first");
    }
  }
  bind(array, 0);
}

int64_t Encoder::view(const mx::array& array) {
  int64_t before = 0;
  for (size_t axis = 0; axis < array.ndim(); axis++) {
    const int64_t steps = array.shape(static_cast<int>(axis)) - 1;
    before += std::max<int64_t>(-array.strides()[axis] * steps, 0);
  }
  bind(array, before);
  return before;
}

/// Nothing to do is no launch. Throws where a size is beyond Metal's 32 bits.
static bool runs(Size grid, Size group) {
  for (size_t size : {grid.x, grid.y, grid.z, grid.x * group.x, grid.y * group.y, grid.z * group.z}) {
    if (size > UINT32_MAX) {
      throw std::invalid_argument("a launch has at most 2^32 - 1 threads along each of its axes");
    }
  }
  return grid.x > 0 && grid.y > 0 && grid.z > 0;
}

void Encoder::dispatch_threads(Size grid, Size group) {
  if (runs(grid, {1})) {
    dispatch(grid, group, true);
  }
}

void Encoder::dispatch_groups(Size grid, Size group) {
  if (runs(grid, group)) {
    dispatch(grid, group, false);
  }
}

void Encoder::dispatch_elements(size_t elements) {
  dispatch_threads({elements}, {std::min(std::max<size_t>(elements, 1), max_threads())});
}

size_t Encoder::simd_threads(size_t threads) const {
  return std::max<size_t>(std::min((threads + SIMD - 1) / SIMD, max_threads() / SIMD), 1) * SIMD;
}

#if __has_include(<Metal/Metal.hpp>)

#ifdef EXT_METALLIB

/// The library that CMake has built of all files in `kernels/`.
static MTL::Library* library_of(mx::metal::Device& device, const std::string&) {
  return device.get_library(EXT_PACKAGE, EXT_METALLIB);
}

#else

/// The text of a file in `kernels/`.
static std::string source_of(const std::string& file) {
  const std::string path = EXT_KERNELS "/" + file + ".metal";
  std::ifstream stream(path);
  if (!stream) {
    throw std::runtime_error(path + " cannot be read");
  }
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Compiled by Metal at run time, so no Xcode is needed to try a kernel.
static MTL::Library* library_of(mx::metal::Device& device, const std::string& file) {
  return device.get_library(EXT_PACKAGE "_" + file, [&] { return source_of(file); });
}

#endif

class MetalEncoder : public Encoder {
 public:
  explicit MetalEncoder(const mx::Stream& stream)
      : device_(mx::metal::device(stream.device)), encoder_(mx::metal::get_command_encoder(stream)) {}

  void kernel(const std::string& file, const std::string& name, const std::string& task) override {
    auto* library = library_of(device_, file);
    try {
      pipeline_ = device_.get_kernel(name, library);
    } catch (const std::exception&) {
      throw std::runtime_error(no_kernel(file, name, task));
    }
    encoder_.set_compute_pipeline_state(pipeline_);
    buffer_ = 0;
    threadgroup_ = 0;
  }

  void output(mx::array& array) override {
    encoder_.set_output_array(array, buffer_++);
  }

  void in_out(mx::array& array) override {
    encoder_.set_input_array(array, buffer_++);
    encoder_.register_output_array(array);
  }

  void bytes(const Constant& constant) override {
    encoder_.set_bytes(constant.bytes.data(), static_cast<int>(constant.bytes.size()), buffer_++);
  }

  void threadgroup_memory(size_t bytes) override {
    // In steps of 16 bytes, as Metal wants it.
    encoder_.set_threadgroup_memory_length((bytes + 15) / 16 * 16, threadgroup_++);
  }

  mx::array between(const mx::Shape& shape, mx::Dtype dtype) override {
    mx::array array(shape, dtype, nullptr, {});
    array.set_data(mx::allocator::malloc(array.nbytes()));
    encoder_.add_temporary(array);
    return array;
  }

  size_t max_threads() const override {
    return pipeline_->maxTotalThreadsPerThreadgroup();
  }

 protected:
  void bind(const mx::array& array, int64_t before) override {
    encoder_.set_input_array(array, buffer_++, -before * static_cast<int64_t>(array.itemsize()));
  }

  void dispatch(Size grid, Size group, bool by_threads) override {
    const MTL::Size grid_size(grid.x, grid.y, grid.z);
    const MTL::Size group_size(group.x, group.y, group.z);
    if (by_threads) {
      encoder_.dispatch_threads(grid_size, group_size);
    } else {
      encoder_.dispatch_threadgroups(grid_size, group_size);
    }
  }

 private:
  mx::metal::Device& device_;
  mx::metal::CommandEncoder& encoder_;
  MTL::ComputePipelineState* pipeline_ = nullptr;
  int buffer_ = 0;
  int threadgroup_ = 0;
};

std::unique_ptr<Encoder> metal_encoder(const mx::Stream& stream) {
  return std::make_unique<MetalEncoder>(stream);
}

#else

std::unique_ptr<Encoder> metal_encoder(const mx::Stream&) {
  throw std::runtime_error(
      "this MLX is built without Metal; compute on the CPU, mlx_rs::with_device(Device::cpu(), ..)");
}

#endif

} // namespace EXT_NS
