// Launches in the Metal host (extensions/metal-host): the same kernels and the same launches, on the CPU of a machine
// without Metal. The Rust side hands over the host's functions (src/metal.rs).
#include "ext/gpu.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <stdexcept>

#include "ext/entry.h"
#include "mlx/allocator.h"
#include "mlx/backend/cpu/encoder.h"

#if __has_include("metal_host.h")
#include "metal_host.h"
#endif

namespace EXT_NS {

static std::atomic<const metal_host_api*> chosen = nullptr;

const metal_host_api* metal_host() {
  return chosen;
}

#if __has_include("metal_host.h")

/// Room for a report, in bytes.
constexpr size_t REPORT = 16384;

/// The bytes from a view's first element to the end of its last: what MLX says of a part of an array is the part's own size.
static size_t extent(const mx::array& array) {
  size_t last = 0;
  for (size_t axis = 0; axis < array.ndim(); axis++) {
    if (array.shape(static_cast<int>(axis)) == 0) {
      return 0;
    }
    const int64_t steps = array.shape(static_cast<int>(axis)) - 1;
    last += static_cast<size_t>(std::max<int64_t>(array.strides()[axis] * steps, 0));
  }
  return (last + 1) * array.itemsize();
}

/// One argument, until the launch runs. MLX keeps the array alive so long.
struct Argument {
  metal_host_kind kind;
  std::optional<mx::array> array;
  std::vector<std::byte> bytes;
  /// Of threadgroup memory.
  size_t room;
  /// Bytes in front of the array's first element.
  size_t before;

  metal_host_argument bound() {
    switch (kind) {
      case METAL_HOST_BYTES:
        return {kind, bytes.data(), bytes.size()};
      case METAL_HOST_THREADGROUP:
        return {kind, nullptr, room};
      default:
        return {kind, array->data<char>() - before, before + extent(*array)};
    }
  }
};

/// A launch, until it runs.
struct Queued {
  const metal_host_api* host;
  std::string file;
  std::string name;
  std::vector<Argument> arguments;
  Size grid;
  Size group;
  bool by_threads;

  void run() {
    std::vector<metal_host_argument> bound;
    for (auto& argument : arguments) {
      bound.push_back(argument.bound());
    }
    const metal_host_launch launch{
        file.c_str(), name.c_str(), bound.data(), bound.size(), {grid.x, grid.y, grid.z}, {group.x, group.y, group.z},
        by_threads};
    std::string report(REPORT, '\0');
    if (host->run(host->host, &launch, report.data(), report.size()) != 0) {
      throw std::runtime_error(report.c_str());
    }
  }
};

class HostEncoder : public Encoder {
 public:
  HostEncoder(const metal_host_api* host, const mx::Stream& stream) : host_(host), stream_(stream) {}

  void kernel(const std::string& file, const std::string& name, const std::string& task) override {
    file_ = EXT_KERNELS "/" + file + ".metal";
    name_ = name;
    arguments_.clear();
    std::string report(REPORT, '\0');
    most_ = host_->max_threads(host_->host, file_.c_str(), name_.c_str(), report.data(), report.size());
    if (most_ == 0) {
      const bool lacks = report.starts_with("there is no kernel");
      throw std::runtime_error(lacks ? no_kernel(file, name, task) : report.c_str());
    }
  }

  void output(mx::array& array) override {
    memory(METAL_HOST_WRITE, array);
  }

  void in_out(mx::array& array) override {
    memory(METAL_HOST_READ_WRITE, array);
  }

  void bytes(const Constant& constant) override {
    arguments_.push_back({METAL_HOST_BYTES, std::nullopt, constant.bytes, 0, 0});
  }

  void threadgroup_memory(size_t bytes) override {
    arguments_.push_back({METAL_HOST_THREADGROUP, std::nullopt, {}, bytes, 0});
  }

  mx::array between(const mx::Shape& shape, mx::Dtype dtype) override {
    mx::array array(shape, dtype, nullptr, {});
    array.set_data(mx::allocator::malloc(array.nbytes()));
    mx::cpu::get_command_encoder(stream_).add_temporary(array);
    return array;
  }

  size_t max_threads() const override {
    return most_;
  }

 protected:
  void bind(const mx::array& array, int64_t before) override {
    memory(METAL_HOST_READ, array, static_cast<size_t>(before) * array.itemsize());
  }

  void dispatch(Size grid, Size group, bool by_threads) override {
    Queued queued{host_, file_, name_, std::move(arguments_), grid, group, by_threads};
    mx::cpu::get_command_encoder(stream_).dispatch([queued = std::move(queued)]() mutable { queued.run(); });
    arguments_.clear();
  }

 private:
  void memory(metal_host_kind kind, const mx::array& array, size_t before = 0) {
    arguments_.push_back({kind, mx::array::unsafe_weak_copy(array), {}, 0, before});
  }

  const metal_host_api* host_;
  mx::Stream stream_;
  std::string file_;
  std::string name_;
  std::vector<Argument> arguments_;
  size_t most_ = 0;
};

std::unique_ptr<Encoder> host_encoder(const metal_host_api* host, const mx::Stream& stream) {
  return std::make_unique<HostEncoder>(host, stream);
}

#else

std::unique_ptr<Encoder> host_encoder(const metal_host_api*, const mx::Stream&) {
  throw std::runtime_error("this build has no Metal host, which runs on Linux");
}

#endif

} // namespace EXT_NS

/// Null: loops again.
extern "C" void EXT_SYMBOL(set_metal_host)(const metal_host_api* host) {
  EXT_NS::chosen = host;
}
