// Plausible wrong answers to task 3.4.1; the tests must reject each.

// WRONG highest-first fn quantized_embedding_vectors: takes the highest nibble of a word for the first code
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
        const GroupWords codes = (words[word] >> (28 - (shifts + 4 * static_cast<uint32_t>(code)))) & 15;
        const GroupFloats values = convert<GroupFloats>(reinterpret_cast<GroupInts>(codes)) * scale + bias;
        std::memcpy(out + 8 * word + code, &values, sizeof(values));
      }
    }
  }
// END WRONG

// WRONG first-scale fn quantized_embedding_vectors: every group has the scale of the first
  GroupWords shifts;
  for (int lane = 0; lane < GROUP_LANES; lane++) {
    shifts[lane] = 4 * static_cast<uint32_t>(lane);
  }
  const uint32_t* words = row_of(table, row);
  const size_t of_group = table.group / 8;
  for (size_t group = 0; group < groups_of(table); group++) {
    const float scale = parameter(table, table.scales, row, 0);
    const float bias = parameter(table, table.biases, row, group);
    for (size_t word = group * of_group; word < (group + 1) * of_group; word++) {
      for (size_t code = 0; code < 8; code += GROUP_LANES) {
        const GroupWords codes = (words[word] >> (shifts + 4 * static_cast<uint32_t>(code))) & 15;
        const GroupFloats values = convert<GroupFloats>(reinterpret_cast<GroupInts>(codes)) * scale + bias;
        std::memcpy(out + 8 * word + code, &values, sizeof(values));
      }
    }
  }
// END WRONG

// WRONG no-bias fn quantized_embedding_vectors: the bias is added to the first group alone
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
        const GroupFloats values = convert<GroupFloats>(reinterpret_cast<GroupInts>(codes)) * scale + (group == 0 ? bias : 0.0f);
        std::memcpy(out + 8 * word + code, &values, sizeof(values));
      }
    }
  }
// END WRONG

// WRONG no-mask fn quantized_embedding_vectors: the codes above stay in the lane
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
        const GroupWords codes = (words[word] >> (shifts + 4 * static_cast<uint32_t>(code))) & 255;
        const GroupFloats values = convert<GroupFloats>(reinterpret_cast<GroupInts>(codes)) * scale + bias;
        std::memcpy(out + 8 * word + code, &values, sizeof(values));
      }
    }
  }
// END WRONG
