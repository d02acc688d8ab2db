// One launch of a Metal kernel, described without naming Metal, so that kernels are written once.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "ext/arrays.h"

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

/// Buffers are bound in this order: inputs, output, constants.
struct Launch {
  /// The file in `kernels/` without its ending.
  std::string file;
  /// The kernel's name in that file.
  std::string kernel;
  /// The task that writes the kernel, or empty when it is given.
  std::string task;
  std::vector<Constant> constants;
  /// One thread an element.
  size_t threads;
};

/// Queues the kernel on the stream. Throws a sentence where this build of MLX has no Metal.
void launch(const Launch& what, const mx::Stream& stream, const std::vector<mx::array>& inputs, mx::array& out);

/// The ending of a kernel's name for the array's dtype: `float32`, `float16`, `bfloat16`.
std::string dtype_suffix(const mx::array& array);

} // namespace EXT_NS
