// MLX's C++ objects behind the C handles.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "ext/entry.h"
#include "mlx/array.h"
#include "mlx/stream.h"

namespace EXT_NS {

namespace mx = mlx::core;

/// The array behind a handle. Throws for an empty one, naming the argument.
inline const mx::array& array_of(mlx_array handle, const char* argument) {
  if (handle.ctx == nullptr) {
    throw std::invalid_argument(std::string(argument) + " is an empty array handle");
  }
  return *static_cast<const mx::array*>(handle.ctx);
}

/// The stream behind a handle. Throws for an empty one.
inline mx::Stream stream_of(mlx_stream handle) {
  if (handle.ctx == nullptr) {
    throw std::invalid_argument("stream is an empty handle");
  }
  return *static_cast<const mx::Stream*>(handle.ctx);
}

/// Hands an array to the caller, who owns the handle.
inline void give(mlx_array* result, mx::array array) {
  if (result == nullptr) {
    throw std::invalid_argument("there is no place for the result");
  }
  if (result->ctx != nullptr) {
    *static_cast<mx::array*>(result->ctx) = std::move(array);
  } else {
    result->ctx = new mx::array(std::move(array));
  }
}

} // namespace EXT_NS
