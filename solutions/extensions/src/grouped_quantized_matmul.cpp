// grouped_quantized_matmul: every row times the packed weight of its own expert (week 3, day 6).
//
// Not written yet: the symbol is there, so that the way from Rust to C++ and back is, and it refuses with its task.
#include <stdexcept>

#include "ext/entry.h"

extern "C" int EXT_SYMBOL(grouped_quantized_matmul)(
    mlx_array* result,
    mlx_array x,
    mlx_array weight,
    mlx_array scales,
    mlx_array biases,
    mlx_array expert_ids,
    int group_size,
    int bits,
    mlx_stream stream) {
  return EXT_NS::guarded([] {
    throw std::runtime_error("not implemented: task 3.6.1, grouped_quantized_matmul (extensions/src/grouped_quantized_matmul.cpp)");
  });
}
