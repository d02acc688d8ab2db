// quantized_embedding: rows of a packed table, unpacked (task 3.4.1).
#include <stdexcept>

#include "ext/packed.h"

namespace EXT_NS::EXT_ISA {

// 1, naive: a code after the other, in src/loops/quantized_matmul.cpp.

/// 2, vectors: a word goes into every lane, and each lane shifts its own code down.
///
/// One row of the table: `out` is `inputs` floats, code * scale + bias of its group.
void quantized_embedding_vectors(const Packed& table, size_t row, float* out) {
  // SOLUTION 3.4.1 table, row, out
  GroupWords shifts;
  for (int lane = 0; lane < GROUP_LANES; lane++) {
    shifts[lane] = 4 * static_cast<uint32_t>(lane);
  }
  const uint32_t* words = row_of(table, row);
  const size_t of_group = table.group / 8;
  for (size_t group = 0; group < groups_of(table); group++) {
    const float scale = parameter(table, table.scales, row, group);
    const float bias = parameter(table, table.biases, row, group);
    for (size_t word = group * of_group; word < (group + 1) * of_group; word++) {
      for (size_t code = 0; code < 8; code += GROUP_LANES) {
        const GroupWords codes = (words[word] >> (shifts + 4 * static_cast<uint32_t>(code))) & 15;
        const GroupFloats values = convert<GroupFloats>(reinterpret_cast<GroupInts>(codes)) * scale + bias;
        std::memcpy(out + 8 * word + code, &values, sizeof(values));
      }
    }
  }
  // END SOLUTION
}

// 3, threads: src/quantized_embedding.cpp gives each thread a part of the ids.

} // namespace EXT_NS::EXT_ISA
