// Plausible wrong answers to task 2.3.3; the tests must reject each.

// WRONG bias-once-a-row fn matvec_split: the bias of the first group for all
  const uint32_t* words = row_of(weight, k);
  float total = 0;
  for (size_t group = 0; group < groups_of(weight); group++) {
    float products = 0;
    for (size_t n = group * weight.group; n < (group + 1) * weight.group; n += 8) {
      uint32_t word = words[n / 8];
      for (size_t code = 0; code < 8; code++, word >>= 4) {
        products += x[n + code] * static_cast<float>(word & 15);
      }
    }
    total += parameter(weight, weight.scales, k, group) * products;
    total += parameter(weight, weight.biases, k, 0) * sums[group];
  }
  return total;
// END WRONG

// WRONG scale-per-word fn matvec_split: the scale is applied to the running sum
  const uint32_t* words = row_of(weight, k);
  float total = 0;
  for (size_t group = 0; group < groups_of(weight); group++) {
    float products = 0;
    for (size_t n = group * weight.group; n < (group + 1) * weight.group; n += 8) {
      uint32_t word = words[n / 8];
      for (size_t code = 0; code < 8; code++, word >>= 4) {
        products += x[n + code] * static_cast<float>(word & 15);
      }
    }
    total = parameter(weight, weight.scales, k, group) * (total + products);
    total += parameter(weight, weight.biases, k, group) * sums[group];
  }
  return total;
// END WRONG

// WRONG no-bias fn matvec_vectors: forgets the bias times the sum of x
  const size_t groups = groups_of(weight);
  const size_t blocks = weight.group / (8 * GROUP_LANES);
  GroupFloats totals[rows][outs] = {};
  for (size_t group = 0; group < groups; group++) {
    GroupFloats products[rows][outs] = {};
    for (size_t block = group * blocks; block < (group + 1) * blocks; block++) {
      GroupWords words[outs];
      for (size_t o = 0; o < outs; o++) {
        words[o] = read<GroupWords>(row_of(weight, k + o) + block * GROUP_LANES);
      }
#pragma GCC unroll 8
      for (size_t code = 0; code < 8; code++) {
        const uint32_t mask = 15u << 4 * (code < 7 ? code : 6);
        GroupFloats codes[outs];
        for (size_t o = 0; o < outs; o++) {
          const GroupWords placed = (code < 7 ? words[o] : words[o] >> 4) & mask;
          codes[o] = convert<GroupFloats>(reinterpret_cast<GroupInts>(placed));
        }
        for (size_t row = 0; row < rows; row++) {
          const auto part = read<GroupFloats>(x + row * weight.inputs + (8 * block + code) * GROUP_LANES);
          for (size_t o = 0; o < outs; o++) {
            products[row][o] += codes[o] * part;
          }
        }
      }
    }
    for (size_t row = 0; row < rows; row++) {
      for (size_t o = 0; o < outs; o++) {
        totals[row][o] += products[row][o] * scales[o * groups + group];
      }
    }
  }
  for (size_t row = 0; row < rows; row++) {
    for (size_t o = 0; o < outs; o++) {
      size_t group = 0;
      for (; group + GROUP_LANES <= groups; group += GROUP_LANES) {
        const auto of_groups = read<GroupFloats>(sums + row * groups + group);
        totals[row][o] += read<GroupFloats>(biases + o * groups + group) * (0.0f * of_groups);
      }
      float total = sum(totals[row][o]);
      for (; group < groups; group++) {
        total += 0.0f * biases[o * groups + group];
      }
      out[row * weight.outputs + k + o] = total;
    }
  }
// END WRONG

// WRONG sums-of-the-first-row fn matvec_vectors: all rows take the sums of the first
  const size_t groups = groups_of(weight);
  const size_t blocks = weight.group / (8 * GROUP_LANES);
  GroupFloats totals[rows][outs] = {};
  for (size_t group = 0; group < groups; group++) {
    GroupFloats products[rows][outs] = {};
    for (size_t block = group * blocks; block < (group + 1) * blocks; block++) {
      GroupWords words[outs];
      for (size_t o = 0; o < outs; o++) {
        words[o] = read<GroupWords>(row_of(weight, k + o) + block * GROUP_LANES);
      }
#pragma GCC unroll 8
      for (size_t code = 0; code < 8; code++) {
        const uint32_t mask = 15u << 4 * (code < 7 ? code : 6);
        GroupFloats codes[outs];
        for (size_t o = 0; o < outs; o++) {
          const GroupWords placed = (code < 7 ? words[o] : words[o] >> 4) & mask;
          codes[o] = convert<GroupFloats>(reinterpret_cast<GroupInts>(placed));
        }
        for (size_t row = 0; row < rows; row++) {
          const auto part = read<GroupFloats>(x + row * weight.inputs + (8 * block + code) * GROUP_LANES);
          for (size_t o = 0; o < outs; o++) {
            products[row][o] += codes[o] * part;
          }
        }
      }
    }
    for (size_t row = 0; row < rows; row++) {
      for (size_t o = 0; o < outs; o++) {
        totals[row][o] += products[row][o] * scales[o * groups + group];
      }
    }
  }
  for (size_t row = 0; row < rows; row++) {
    for (size_t o = 0; o < outs; o++) {
      size_t group = 0;
      for (; group + GROUP_LANES <= groups; group += GROUP_LANES) {
        const auto of_groups = read<GroupFloats>(sums + group);
        totals[row][o] += read<GroupFloats>(biases + o * groups + group) * of_groups;
      }
      float total = sum(totals[row][o]);
      for (; group < groups; group++) {
        total += biases[o * groups + group] * sums[group];
      }
      out[row * weight.outputs + k + o] = total;
    }
  }
// END WRONG

// WRONG first-block-of-a-group fn matvec_vectors: scales by the block instead of the group
  const size_t groups = groups_of(weight);
  const size_t blocks = weight.group / (8 * GROUP_LANES);
  GroupFloats totals[rows][outs] = {};
  for (size_t group = 0; group < groups; group++) {
    GroupFloats products[rows][outs] = {};
    for (size_t block = group * blocks; block < (group + 1) * blocks; block++) {
      GroupWords words[outs];
      for (size_t o = 0; o < outs; o++) {
        words[o] = read<GroupWords>(row_of(weight, k + o) + block * GROUP_LANES);
      }
#pragma GCC unroll 8
      for (size_t code = 0; code < 8; code++) {
        const uint32_t mask = 15u << 4 * (code < 7 ? code : 6);
        GroupFloats codes[outs];
        for (size_t o = 0; o < outs; o++) {
          const GroupWords placed = (code < 7 ? words[o] : words[o] >> 4) & mask;
          codes[o] = convert<GroupFloats>(reinterpret_cast<GroupInts>(placed));
        }
        for (size_t row = 0; row < rows; row++) {
          const auto part = read<GroupFloats>(x + row * weight.inputs + (8 * block + code) * GROUP_LANES);
          for (size_t o = 0; o < outs; o++) {
            products[row][o] += codes[o] * part;
          }
        }
      }
    }
    for (size_t row = 0; row < rows; row++) {
      for (size_t o = 0; o < outs; o++) {
        totals[row][o] += products[row][o] * scales[o * groups + group * blocks % groups];
      }
    }
  }
  for (size_t row = 0; row < rows; row++) {
    for (size_t o = 0; o < outs; o++) {
      size_t group = 0;
      for (; group + GROUP_LANES <= groups; group += GROUP_LANES) {
        const auto of_groups = read<GroupFloats>(sums + row * groups + group);
        totals[row][o] += read<GroupFloats>(biases + o * groups + group) * of_groups;
      }
      float total = sum(totals[row][o]);
      for (; group < groups; group++) {
        total += biases[o * groups + group] * sums[row * groups + group];
      }
      out[row * weight.outputs + k + o] = total;
    }
  }
// END WRONG

// WRONG last-code-signed fn matvec_vectors: the highest nibble stays in its place and is negative from 8 on
  const size_t groups = groups_of(weight);
  const size_t blocks = weight.group / (8 * GROUP_LANES);
  GroupFloats totals[rows][outs] = {};
  for (size_t group = 0; group < groups; group++) {
    GroupFloats products[rows][outs] = {};
    for (size_t block = group * blocks; block < (group + 1) * blocks; block++) {
      GroupWords words[outs];
      for (size_t o = 0; o < outs; o++) {
        words[o] = read<GroupWords>(row_of(weight, k + o) + block * GROUP_LANES);
      }
#pragma GCC unroll 8
      for (size_t code = 0; code < 8; code++) {
        const uint32_t mask = 15u << 4 * code;
        GroupFloats codes[outs];
        for (size_t o = 0; o < outs; o++) {
          const GroupWords placed = words[o] & mask;
          codes[o] = convert<GroupFloats>(reinterpret_cast<GroupInts>(placed)) * (code < 7 ? 1.0f : 1.0f / 16);
        }
        for (size_t row = 0; row < rows; row++) {
          const auto part = read<GroupFloats>(x + row * weight.inputs + (8 * block + code) * GROUP_LANES);
          for (size_t o = 0; o < outs; o++) {
            products[row][o] += codes[o] * part;
          }
        }
      }
    }
    for (size_t row = 0; row < rows; row++) {
      for (size_t o = 0; o < outs; o++) {
        totals[row][o] += products[row][o] * scales[o * groups + group];
      }
    }
  }
  for (size_t row = 0; row < rows; row++) {
    for (size_t o = 0; o < outs; o++) {
      size_t group = 0;
      for (; group + GROUP_LANES <= groups; group += GROUP_LANES) {
        const auto of_groups = read<GroupFloats>(sums + row * groups + group);
        totals[row][o] += read<GroupFloats>(biases + o * groups + group) * of_groups;
      }
      float total = sum(totals[row][o]);
      for (; group < groups; group++) {
        total += biases[o * groups + group] * sums[row * groups + group];
      }
      out[row * weight.outputs + k + o] = total;
    }
  }
// END WRONG
