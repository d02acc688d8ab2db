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
  throw std::runtime_error("not implemented: task 2.7.1, split_k_part (extensions/src/loops/split_k_matmul.cpp:23)");
}

/// out[i] = Σ_p parts[p * size + i] for i in begin..end, in f32 and in the order of the parts.
void add_parts(const float* parts, size_t splits, size_t size, float* out, size_t begin, size_t end) {
  throw std::runtime_error("not implemented: task 2.7.1, add_parts (extensions/src/loops/split_k_matmul.cpp:28)");
}

} // namespace EXT_NS::EXT_ISA
