// quantized_matmul: x times the transpose of a packed weight, by one of four paths (week 2, days 3, 6 and 7).
//
// Not written yet: the symbol is there, so that the way from Rust to C++ and back is, and it refuses with its task.
#include <stdexcept>

#include "ext/entry.h"

namespace EXT_NS {

/// The numbers are those of `Path` in src/week2.rs.
[[noreturn]] static void refuse(int path) {
  switch (path) {
    case 0:
      throw std::runtime_error("not implemented: task 2.3.2, quantized_matmul (extensions/src/quantized_matmul.cpp)");
    case 1:
      throw std::runtime_error("not implemented: task 2.3.3, quantized_matvec (extensions/src/quantized_matmul.cpp)");
    case 2:
      throw std::runtime_error("not implemented: task 2.6.1, tiled_matmul (extensions/src/quantized_matmul.cpp)");
    case 3:
      throw std::runtime_error("not implemented: task 2.7.1, split_k_matmul (extensions/src/quantized_matmul.cpp)");
    default:
      throw std::invalid_argument("quantized_matmul: the path must be 0 to 3");
  }
}

} // namespace EXT_NS

extern "C" int EXT_SYMBOL(quantized_matmul)(
    mlx_array* result,
    mlx_array x,
    mlx_array weight,
    mlx_array scales,
    mlx_array biases,
    int group_size,
    int bits,
    int path,
    int splits,
    mlx_stream stream) {
  return EXT_NS::guarded([path] { EXT_NS::refuse(path); });
}
