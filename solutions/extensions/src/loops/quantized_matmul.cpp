// quantized_matmul, the naive form (task 2.3.2), and quantized_embedding.
#include <stdexcept>

#include "ext/packed.h"

namespace EXT_NS::EXT_ISA {

/// 1, naive: one output after the other, each code unpacked where it is needed.
///
/// out[m, k] = Σ_n x[m, n] * weight[k, n]. `x` is (rows, inputs), `out` is (rows, outputs); the outputs begin..end are written.
void quantized_matmul(const Packed& weight, const float* x, size_t rows, float* out, size_t begin, size_t end) {
  // SOLUTION 2.3.2 weight, x, rows, out, begin, end
  for (size_t m = 0; m < rows; m++) {
    for (size_t k = begin; k < end; k++) {
      const uint32_t* words = row_of(weight, k);
      float sum = 0;
      for (size_t n = 0; n < weight.inputs; n++) {
        const uint32_t code = words[n / 8] >> (4 * (n % 8)) & 15;
        const float scale = parameter(weight, weight.scales, k, n / weight.group);
        const float bias = parameter(weight, weight.biases, k, n / weight.group);
        sum += x[m * weight.inputs + n] * (scale * static_cast<float>(code) + bias);
      }
      out[m * weight.outputs + k] = sum;
    }
  }
  // END SOLUTION
}

/// One row of a packed table, unpacked: `out` is `inputs` floats.
void quantized_embedding(const Packed& table, size_t row, float* out) {
  const uint32_t* words = row_of(table, row);
  for (size_t group = 0; group < groups_of(table); group++) {
    const float scale = parameter(table, table.scales, row, group);
    const float bias = parameter(table, table.biases, row, group);
    for (size_t word = group * table.group / 8; word < (group + 1) * table.group / 8; word++) {
      for (size_t code = 0; code < 8; code++) {
        out[word * 8 + code] = scale * static_cast<float>(words[word] >> (4 * code) & 15) + bias;
      }
    }
  }
}

} // namespace EXT_NS::EXT_ISA
