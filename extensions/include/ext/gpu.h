// Launches of Metal kernels, described without naming who runs them: MLX's Metal device, or the Metal host on Linux.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "ext/arrays.h"

struct metal_host_api;

namespace EXT_NS {

/// A small constant argument, as the bytes the kernel reads.
struct Constant {
  std::vector<std::byte> bytes;

  /// One number.
  template <typename T>
  static Constant of(T value) {
    Constant constant{std::vector<std::byte>(sizeof(T))};
    std::memcpy(constant.bytes.data(), &value, sizeof(T));
    return constant;
  }

  /// A list of numbers; an empty one is passed as one zero, because Metal binds no empty buffer.
  template <typename T, typename Numbers>
  static Constant list(const Numbers& numbers) {
    std::vector<T> values(numbers.begin(), numbers.end());
    values.resize(values.empty() ? 1 : values.size());
    Constant constant{std::vector<std::byte>(values.size() * sizeof(T))};
    std::memcpy(constant.bytes.data(), values.data(), constant.bytes.size());
    return constant;
  }
};

/// Of a grid or a group, in threads or in groups.
struct Size {
  size_t x;
  size_t y = 1;
  size_t z = 1;
};

/// Describes one launch after the other: `kernel`, then its arguments in the order of their buffers, then a dispatch.
class Encoder {
 public:
  virtual ~Encoder() = default;

  /// Kernel `name` of `kernels/FILE.metal`, which is compiled when it is asked for first. A kernel that the file does not
  /// hold is a task not done yet: throws the sentence of `task`, or says so where the course gives the kernel.
  virtual void kernel(const std::string& file, const std::string& name, const std::string& task) = 0;

  /// An array that the kernel reads, from its first element on; refuses one whose elements lie before that.
  void input(const mx::array& array);
  /// A view that the kernel reads by its strides, from its lowest element on. Returns how many elements lie before the
  /// first: none, unless an axis runs backwards.
  int64_t view(const mx::array& array);
  /// One that it fills.
  virtual void output(mx::array& array) = 0;
  /// One that it changes.
  virtual void in_out(mx::array& array) = 0;
  virtual void bytes(const Constant& constant) = 0;
  /// So many bytes for the next [[threadgroup(n)]] parameter; these count for themselves.
  virtual void threadgroup_memory(size_t bytes) = 0;

  /// An array between two launches of one node; it lives until both have run.
  virtual mx::array between(const mx::Shape& shape, mx::Dtype dtype) = 0;

  /// The most threads that a group of this kernel may have.
  virtual size_t max_threads() const = 0;

  /// So many threads; groups at the edge are smaller.
  void dispatch_threads(Size grid, Size group);
  /// So many groups, all of them whole.
  void dispatch_groups(Size grid, Size group);

  /// One thread an element: a grid of so many threads in groups as large as the kernel allows.
  void dispatch_elements(size_t elements);

  /// The whole SIMD groups, of 32 threads, that `threads` need, as far as a group of this kernel allows.
  size_t simd_threads(size_t threads) const;

 protected:
  /// The buffer begins so many elements before the array's first.
  virtual void bind(const mx::array& array, int64_t before) = 0;
  /// Sizes are positive and within the limits of Metal.
  virtual void dispatch(Size grid, Size group, bool by_threads) = 0;
};

/// Threads of a SIMD group.
constexpr size_t SIMD = 32;

/// MLX's Metal device. Throws a sentence where this build of MLX has none.
std::unique_ptr<Encoder> metal_encoder(const mx::Stream& stream);

/// What runs Metal kernels on this machine's CPU for nodes that are built now, or null: then loops run.
const metal_host_api* metal_host();

/// Launches that run in order with the stream's other work. What the host finds is thrown by the evaluation.
std::unique_ptr<Encoder> host_encoder(const metal_host_api* host, const mx::Stream& stream);

/// The sentence for a kernel that its file does not hold.
std::string no_kernel(const std::string& file, const std::string& name, const std::string& task);

/// The ending of a kernel's name for the array's dtype: `float32`, `float16`, `bfloat16`.
std::string dtype_suffix(const mx::array& array);

} // namespace EXT_NS
