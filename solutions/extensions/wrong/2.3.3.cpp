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
  // A sum waits for the one before it; where registers are left, even and odd codes have one each.
  constexpr size_t chains = rows == 1 ? 2 : 1;
  GroupFloats totals[rows][outs] = {};
  for (size_t block = 0; block < groups * blocks; block++) {
    GroupWords words[outs];
    for (size_t o = 0; o < outs; o++) {
      const uint32_t* at = row_of(weight, k + o * step) + block * GROUP_LANES;
      __builtin_prefetch(at + AHEAD);
      words[o] = read<GroupWords>(at);
    }
    GroupFloats products[rows][outs][chains] = {};
#pragma GCC unroll 8
    for (size_t code = 0; code < 8; code++) {
      for (size_t o = 0; o < outs; o++) {
        const GroupWords placed = code < 7 ? words[o] & (15u << 4 * code) : words[o] >> 28;
        const auto codes = convert<GroupFloats>(reinterpret_cast<GroupInts>(placed));
        for (size_t row = 0; row < rows; row++) {
          const auto part = read<GroupFloats>(x + row * weight.inputs + (8 * block + code) * GROUP_LANES);
          products[row][o][code % chains] += codes * part;
        }
      }
    }
    for (size_t row = 0; row < rows; row++) {
      for (size_t o = 0; o < outs; o++) {
        for (const auto product : products[row][o]) {
          totals[row][o] += product * scales[o][block / blocks];
        }
      }
    }
  }
  for (size_t row = 0; row < rows; row++) {
    for (size_t o = 0; o < outs; o++) {
      size_t group = 0;
      for (; group + GROUP_LANES <= groups; group += GROUP_LANES) {
        const auto of_groups = read<GroupFloats>(sums + row * groups + group);
        totals[row][o] += read<GroupFloats>(biases[o] + group) * (0.0f * of_groups);
      }
      float total = sum(totals[row][o]);
      for (; group < groups; group++) {
        total += 0.0f * biases[o][group];
      }
      out[row * weight.outputs + k + o * step] = total;
    }
  }
// END WRONG

// WRONG sums-of-the-first-row fn matvec_vectors: all rows take the sums of the first
  const size_t groups = groups_of(weight);
  // A sum waits for the one before it; where registers are left, even and odd codes have one each.
  constexpr size_t chains = rows == 1 ? 2 : 1;
  GroupFloats totals[rows][outs] = {};
  for (size_t block = 0; block < groups * blocks; block++) {
    GroupWords words[outs];
    for (size_t o = 0; o < outs; o++) {
      const uint32_t* at = row_of(weight, k + o * step) + block * GROUP_LANES;
      __builtin_prefetch(at + AHEAD);
      words[o] = read<GroupWords>(at);
    }
    GroupFloats products[rows][outs][chains] = {};
#pragma GCC unroll 8
    for (size_t code = 0; code < 8; code++) {
      for (size_t o = 0; o < outs; o++) {
        const GroupWords placed = code < 7 ? words[o] & (15u << 4 * code) : words[o] >> 28;
        const auto codes = convert<GroupFloats>(reinterpret_cast<GroupInts>(placed));
        for (size_t row = 0; row < rows; row++) {
          const auto part = read<GroupFloats>(x + row * weight.inputs + (8 * block + code) * GROUP_LANES);
          products[row][o][code % chains] += codes * part;
        }
      }
    }
    for (size_t row = 0; row < rows; row++) {
      for (size_t o = 0; o < outs; o++) {
        for (const auto product : products[row][o]) {
          totals[row][o] += product * scales[o][block / blocks];
        }
      }
    }
  }
  for (size_t row = 0; row < rows; row++) {
    for (size_t o = 0; o < outs; o++) {
      size_t group = 0;
      for (; group + GROUP_LANES <= groups; group += GROUP_LANES) {
        const auto of_groups = read<GroupFloats>(sums + group);
        totals[row][o] += read<GroupFloats>(biases[o] + group) * of_groups;
      }
      float total = sum(totals[row][o]);
      for (; group < groups; group++) {
        total += biases[o][group] * sums[group];
      }
      out[row * weight.outputs + k + o * step] = total;
    }
  }
// END WRONG

// WRONG first-block-of-a-group fn matvec_vectors: scales by the block instead of the group
  const size_t groups = groups_of(weight);
  // A sum waits for the one before it; where registers are left, even and odd codes have one each.
  constexpr size_t chains = rows == 1 ? 2 : 1;
  GroupFloats totals[rows][outs] = {};
  for (size_t block = 0; block < groups * blocks; block++) {
    GroupWords words[outs];
    for (size_t o = 0; o < outs; o++) {
      const uint32_t* at = row_of(weight, k + o * step) + block * GROUP_LANES;
      __builtin_prefetch(at + AHEAD);
      words[o] = read<GroupWords>(at);
    }
    GroupFloats products[rows][outs][chains] = {};
#pragma GCC unroll 8
    for (size_t code = 0; code < 8; code++) {
      for (size_t o = 0; o < outs; o++) {
        const GroupWords placed = code < 7 ? words[o] & (15u << 4 * code) : words[o] >> 28;
        const auto codes = convert<GroupFloats>(reinterpret_cast<GroupInts>(placed));
        for (size_t row = 0; row < rows; row++) {
          const auto part = read<GroupFloats>(x + row * weight.inputs + (8 * block + code) * GROUP_LANES);
          products[row][o][code % chains] += codes * part;
        }
      }
    }
    for (size_t row = 0; row < rows; row++) {
      for (size_t o = 0; o < outs; o++) {
        for (const auto product : products[row][o]) {
          totals[row][o] += product * scales[o][block % groups];
        }
      }
    }
  }
  for (size_t row = 0; row < rows; row++) {
    for (size_t o = 0; o < outs; o++) {
      size_t group = 0;
      for (; group + GROUP_LANES <= groups; group += GROUP_LANES) {
        const auto of_groups = read<GroupFloats>(sums + row * groups + group);
        totals[row][o] += read<GroupFloats>(biases[o] + group) * of_groups;
      }
      float total = sum(totals[row][o]);
      for (; group < groups; group++) {
        total += biases[o][group] * sums[row * groups + group];
      }
      out[row * weight.outputs + k + o * step] = total;
    }
  }
// END WRONG

// WRONG last-code-signed fn matvec_vectors: the highest nibble stays in its place and is negative from 8 on
  const size_t groups = groups_of(weight);
  // A sum waits for the one before it; where registers are left, even and odd codes have one each.
  constexpr size_t chains = rows == 1 ? 2 : 1;
  GroupFloats totals[rows][outs] = {};
  for (size_t block = 0; block < groups * blocks; block++) {
    GroupWords words[outs];
    for (size_t o = 0; o < outs; o++) {
      const uint32_t* at = row_of(weight, k + o * step) + block * GROUP_LANES;
      __builtin_prefetch(at + AHEAD);
      words[o] = read<GroupWords>(at);
    }
    GroupFloats products[rows][outs][chains] = {};
#pragma GCC unroll 8
    for (size_t code = 0; code < 8; code++) {
      for (size_t o = 0; o < outs; o++) {
        const GroupWords placed = words[o] & (15u << 4 * code);
        const auto codes = convert<GroupFloats>(reinterpret_cast<GroupInts>(placed)) * (code < 7 ? 1.0f : 0x1p-28f);
        for (size_t row = 0; row < rows; row++) {
          const auto part = read<GroupFloats>(x + row * weight.inputs + (8 * block + code) * GROUP_LANES);
          products[row][o][code % chains] += codes * part;
        }
      }
    }
    for (size_t row = 0; row < rows; row++) {
      for (size_t o = 0; o < outs; o++) {
        for (const auto product : products[row][o]) {
          totals[row][o] += product * scales[o][block / blocks];
        }
      }
    }
  }
  for (size_t row = 0; row < rows; row++) {
    for (size_t o = 0; o < outs; o++) {
      size_t group = 0;
      for (; group + GROUP_LANES <= groups; group += GROUP_LANES) {
        const auto of_groups = read<GroupFloats>(sums + row * groups + group);
        totals[row][o] += read<GroupFloats>(biases[o] + group) * of_groups;
      }
      float total = sum(totals[row][o]);
      for (; group < groups; group++) {
        total += biases[o][group] * sums[row * groups + group];
      }
      out[row * weight.outputs + k + o * step] = total;
    }
  }
// END WRONG

// WRONG neighbouring-outputs fn matvec_vectors: takes the output behind k instead of the one `step` behind it
  const size_t groups = groups_of(weight);
  // A sum waits for the one before it; where registers are left, even and odd codes have one each.
  constexpr size_t chains = rows == 1 ? 2 : 1;
  GroupFloats totals[rows][outs] = {};
  for (size_t block = 0; block < groups * blocks; block++) {
    GroupWords words[outs];
    for (size_t o = 0; o < outs; o++) {
      const uint32_t* at = row_of(weight, k + o) + block * GROUP_LANES;
      __builtin_prefetch(at + AHEAD);
      words[o] = read<GroupWords>(at);
    }
    GroupFloats products[rows][outs][chains] = {};
#pragma GCC unroll 8
    for (size_t code = 0; code < 8; code++) {
      for (size_t o = 0; o < outs; o++) {
        const GroupWords placed = code < 7 ? words[o] & (15u << 4 * code) : words[o] >> 28;
        const auto codes = convert<GroupFloats>(reinterpret_cast<GroupInts>(placed));
        for (size_t row = 0; row < rows; row++) {
          const auto part = read<GroupFloats>(x + row * weight.inputs + (8 * block + code) * GROUP_LANES);
          products[row][o][code % chains] += codes * part;
        }
      }
    }
    for (size_t row = 0; row < rows; row++) {
      for (size_t o = 0; o < outs; o++) {
        for (const auto product : products[row][o]) {
          totals[row][o] += product * scales[o][block / blocks];
        }
      }
    }
  }
  for (size_t row = 0; row < rows; row++) {
    for (size_t o = 0; o < outs; o++) {
      size_t group = 0;
      for (; group + GROUP_LANES <= groups; group += GROUP_LANES) {
        const auto of_groups = read<GroupFloats>(sums + row * groups + group);
        totals[row][o] += read<GroupFloats>(biases[o] + group) * of_groups;
      }
      float total = sum(totals[row][o]);
      for (; group < groups; group++) {
        total += biases[o][group] * sums[row * groups + group];
      }
      out[row * weight.outputs + k + o * step] = total;
    }
  }
// END WRONG
