// grouped_quantized_matmul: every row times the packed weight of its own expert (task 3.6.1).
#include <algorithm>
#include <memory>
#include <stdexcept>

#include "ext/packed.h"

namespace EXT_NS::EXT_ISA {

/// The rows of each expert, in their order: expert e's are order[begins[e]] to order[begins[e + 1] - 1].
///
/// `begins` has experts + 1 places, `order` has `rows`. Every id is below `experts`.
void group_rows(const uint32_t* ids, size_t rows, size_t experts, size_t* begins, size_t* order) {
  throw std::runtime_error("not implemented: task 3.6.1, group_rows (extensions/src/loops/grouped_quantized_matmul.cpp:14)");
}

/// 1, naive: each row of x fetches the weight of its expert for itself.
///
/// out[row * step + k] = weight k times x[row] for the `rows` rows of `order`, by the naive `quantized_matmul` of week 2.
/// `weight` may be a part of the expert's outputs; `step` counts all of them.
void rows_alone(const Packed& weight, const float* x, const size_t* order, size_t rows, float* out, size_t step) {
  throw std::runtime_error("not implemented: task 3.6.1, rows_alone (extensions/src/loops/grouped_quantized_matmul.cpp:22)");
}

/// 2, side by side: the rows of an expert are laid side by side, so that its weight is read once for all of them.
///
/// The same by `arrange` and `quantized_matvec` of week 2, which read each word once for up to four rows.
void rows_together(const Packed& weight, const float* x, const size_t* order, size_t rows, float* out, size_t step) {
  throw std::runtime_error("not implemented: task 3.6.1, rows_together (extensions/src/loops/grouped_quantized_matmul.cpp:29)");
}

// 3, threads: src/grouped_quantized_matmul.cpp gives each thread a part of the outputs of an expert.

void expert_rows(
    const Packed& weight, const float* x, const size_t* order, size_t rows, float* out, size_t step, int version) {
  (version == 1 ? rows_alone : rows_together)(weight, x, order, rows, out, step);
}

} // namespace EXT_NS::EXT_ISA
