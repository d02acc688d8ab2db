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
  // SOLUTION 3.6.1 ids, rows, experts, begins, order
  // How many each expert has, one place further on; then where each begins.
  std::fill_n(begins, experts + 1, 0);
  for (size_t row = 0; row < rows; row++) {
    begins[ids[row] + 1]++;
  }
  for (size_t expert = 0; expert < experts; expert++) {
    begins[expert + 1] += begins[expert];
  }
  const std::unique_ptr<size_t[]> next(new size_t[experts]);
  std::copy_n(begins, experts, next.get());
  for (size_t row = 0; row < rows; row++) {
    order[next[ids[row]]++] = row;
  }
  // END SOLUTION
}

/// 1, naive: each row of x fetches the weight of its expert for itself.
///
/// out[row * step + k] = weight k times x[row] for the `rows` rows of `order`, by the naive `quantized_matmul` of week 2.
/// `weight` may be a part of the expert's outputs; `step` counts all of them.
void rows_alone(const Packed& weight, const float* x, const size_t* order, size_t rows, float* out, size_t step) {
  // SOLUTION 3.6.1 weight, x, order, rows, out, step
  for (size_t i = 0; i < rows; i++) {
    quantized_matmul(weight, x + order[i] * weight.inputs, 1, out + order[i] * step, 0, weight.outputs);
  }
  // END SOLUTION
}

/// 2, side by side: the rows of an expert are laid side by side, so that its weight is read once for all of them.
///
/// The same by `arrange` and `quantized_matvec` of week 2, which read each word once for up to four rows.
void rows_together(const Packed& weight, const float* x, const size_t* order, size_t rows, float* out, size_t step) {
  // SOLUTION 3.6.1 weight, x, order, rows, out, step
  const size_t inputs = weight.inputs, outputs = weight.outputs, groups = groups_of(weight);
  const std::unique_ptr<float[]> arranged(new float[rows * inputs]);
  const std::unique_ptr<float[]> sums(new float[rows * groups]);
  const std::unique_ptr<float[]> results(new float[rows * outputs]);
  for (size_t i = 0; i < rows; i++) {
    arrange(weight, x + order[i] * inputs, arranged.get() + i * inputs, sums.get() + i * groups);
  }
  quantized_matvec(weight, x, arranged.get(), sums.get(), rows, results.get(), 0, outputs, 0);
  for (size_t i = 0; i < rows; i++) {
    std::copy_n(results.get() + i * outputs, outputs, out + order[i] * step);
  }
  // END SOLUTION
}

// 3, threads: src/grouped_quantized_matmul.cpp gives each thread a part of the outputs of an expert.

void expert_rows(
    const Packed& weight, const float* x, const size_t* order, size_t rows, float* out, size_t step, int version) {
  (version == 1 ? rows_alone : rows_together)(weight, x, order, rows, out, step);
}

} // namespace EXT_NS::EXT_ISA
