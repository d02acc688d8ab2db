// quantized_embedding: rows of a packed table, unpacked (task 3.4.1).
#include <stdexcept>

#include "ext/packed.h"

namespace EXT_NS::EXT_ISA {

// 1, naive: a code after the other, in src/loops/quantized_matmul.cpp.

/// 2, vectors: a word goes into every lane, and each lane shifts its own code down.
///
/// One row of the table: `out` is `inputs` floats, code * scale + bias of its group.
void quantized_embedding_vectors(const Packed& table, size_t row, float* out) {
  throw std::runtime_error("not implemented: task 3.4.1, quantized_embedding_vectors (extensions/src/loops/quantized_embedding.cpp:14)");
}

// 3, threads: src/quantized_embedding.cpp gives each thread a part of the ids.

} // namespace EXT_NS::EXT_ISA
