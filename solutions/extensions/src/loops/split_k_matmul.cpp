// quantized_matmul with the inner axis split into parts, for few outputs and many threads (task 2.7.1).
#include <algorithm>
#include <stdexcept>

#include "ext/packed.h"

namespace EXT_NS::EXT_ISA {

/// 1, parts: the inner axis too is shared out among threads, each part into a matrix of its own; these are added up.
///
/// Part `part` of `splits`: its share of the groups, as equal as whole groups allow, for the outputs begin..end.
///
/// `parts` is (splits, rows, outputs); the tiled kernel writes into the part's own matrix.
void split_k_part(
    const Packed& weight,
    const float* packed,
    size_t rows,
    float* parts,
    size_t splits,
    size_t part,
    size_t begin,
    size_t end) {
  // SOLUTION 2.7.1 weight, packed, rows, parts, splits, part, begin, end
  const size_t groups = groups_of(weight);
  const size_t from = groups * part / splits * weight.group;
  const size_t to = groups * (part + 1) / splits * weight.group;
  float* out = parts + part * rows * weight.outputs;
  tiled_matmul(weight, packed, rows, out, begin, end, from, to, 0);
  // END SOLUTION
}

/// out[i] = Σ_p parts[p * size + i] for i in begin..end, in f32 and in the order of the parts.
void add_parts(const float* parts, size_t splits, size_t size, float* out, size_t begin, size_t end) {
  // SOLUTION 2.7.1 parts, splits, size, out, begin, end
  size_t i = begin;
  for (; i + LANES <= end; i += LANES) {
    Floats sum = load(parts + i);
    for (size_t part = 1; part < splits; part++) {
      sum += load(parts + part * size + i);
    }
    store(out + i, sum);
  }
  for (; i < end; i++) {
    out[i] = parts[i];
    for (size_t part = 1; part < splits; part++) {
      out[i] += parts[part * size + i];
    }
  }
  // END SOLUTION
}

} // namespace EXT_NS::EXT_ISA
