// Plausible wrong answers to task 2.7.4; the tests must reject each.

// WRONG towards-zero fn round_eight: cuts the fraction off
  GroupFloats most = {};
  for (size_t i = 0; i < 8; i += GROUP_LANES) {
    const auto values = read<GroupFloats>(x + i);
    most = larger(most, larger(values, -values));
  }
  const float top = largest(most);
  const float inverse = top > 0 ? MOST / top : 0;
  for (size_t i = 0; i < 8; i += GROUP_LANES) {
    const auto rounded = convert<GroupWhole>(convert<GroupInts>(read<GroupFloats>(x + i) * inverse));
    std::memcpy(whole + i, &rounded, sizeof(rounded));
  }
  return top / MOST;
// END WRONG

// WRONG largest-not-farthest fn round_eight: the largest x, not the largest |x|: what is farther below 0 overflows
  GroupFloats most = {};
  for (size_t i = 0; i < 8; i += GROUP_LANES) {
    const auto values = read<GroupFloats>(x + i);
    most = larger(most, values);
  }
  const float top = largest(most);
  const float inverse = top > 0 ? MOST / top : 0;
  for (size_t i = 0; i < 8; i += GROUP_LANES) {
    const auto rounded = convert<GroupWhole>(nearest(read<GroupFloats>(x + i) * inverse));
    std::memcpy(whole + i, &rounded, sizeof(rounded));
  }
  return top / MOST;
// END WRONG

// WRONG bytes fn round_eight: rounds to 127, as for 8 bits
  GroupFloats most = {};
  for (size_t i = 0; i < 8; i += GROUP_LANES) {
    const auto values = read<GroupFloats>(x + i);
    most = larger(most, larger(values, -values));
  }
  const float top = largest(most);
  const float inverse = top > 0 ? 127 / top : 0;
  for (size_t i = 0; i < 8; i += GROUP_LANES) {
    const auto rounded = convert<GroupWhole>(nearest(read<GroupFloats>(x + i) * inverse));
    std::memcpy(whole + i, &rounded, sizeof(rounded));
  }
  return top / 127;
// END WRONG

// WRONG overflows fn round_eight: the largest becomes 32,768, which 16 bits do not hold
  GroupFloats most = {};
  for (size_t i = 0; i < 8; i += GROUP_LANES) {
    const auto values = read<GroupFloats>(x + i);
    most = larger(most, larger(values, -values));
  }
  const float top = largest(most);
  const float inverse = top > 0 ? (MOST + 1) / top : 0;
  for (size_t i = 0; i < 8; i += GROUP_LANES) {
    const auto rounded = convert<GroupWhole>(nearest(read<GroupFloats>(x + i) * inverse));
    std::memcpy(whole + i, &rounded, sizeof(rounded));
  }
  return top / (MOST + 1);
// END WRONG

// WRONG first-half fn round_eight: looks for the largest among the first four
  GroupFloats most = {};
  for (size_t i = 0; i < 4; i++) {
    most[0] = x[i] > most[0] ? x[i] : (-x[i] > most[0] ? -x[i] : most[0]);
  }
  const float top = largest(most);
  const float inverse = top > 0 ? MOST / top : 0;
  for (size_t i = 0; i < 8; i += GROUP_LANES) {
    const auto rounded = convert<GroupWhole>(nearest(read<GroupFloats>(x + i) * inverse));
    std::memcpy(whole + i, &rounded, sizeof(rounded));
  }
  return top / MOST;
// END WRONG

// WRONG one-scale-a-group fn int16_split: the scale of the first word of x for its group
  const uint32_t* words = row_of(weight, k);
  float total = 0;
  for (size_t group = 0; group < groups_of(weight); group++) {
    float products = 0;
    for (size_t at = group * weight.group / 8; at < (group + 1) * weight.group / 8; at++) {
      uint32_t word = words[at];
      int32_t of_word = 0;
      for (size_t code = 0; code < 8; code++, word >>= 4) {
        of_word += whole[8 * at + code] * static_cast<int32_t>(word & 15);
      }
      products += x_scales[at / (weight.group / 8) * (weight.group / 8)] * static_cast<float>(of_word);
    }
    total += parameter(weight, weight.scales, k, group) * products;
    total += parameter(weight, weight.biases, k, group) * sums[group];
  }
  return total;
// END WRONG

// WRONG short-sums fn int16_split: adds products up in 16 bits
  const uint32_t* words = row_of(weight, k);
  float total = 0;
  for (size_t group = 0; group < groups_of(weight); group++) {
    float products = 0;
    for (size_t at = group * weight.group / 8; at < (group + 1) * weight.group / 8; at++) {
      uint32_t word = words[at];
      int16_t of_word = 0;
      for (size_t code = 0; code < 8; code++, word >>= 4) {
        of_word = static_cast<int16_t>(of_word + whole[8 * at + code] * static_cast<int32_t>(word & 15));
      }
      products += x_scales[at] * static_cast<float>(of_word);
    }
    total += parameter(weight, weight.scales, k, group) * products;
    total += parameter(weight, weight.biases, k, group) * sums[group];
  }
  return total;
// END WRONG

// WRONG no-bias fn int16_split: forgets the bias
  const uint32_t* words = row_of(weight, k);
  float total = 0;
  for (size_t group = 0; group < groups_of(weight); group++) {
    float products = 0;
    for (size_t at = group * weight.group / 8; at < (group + 1) * weight.group / 8; at++) {
      uint32_t word = words[at];
      int32_t of_word = 0;
      for (size_t code = 0; code < 8; code++, word >>= 4) {
        of_word += whole[8 * at + code] * static_cast<int32_t>(word & 15);
      }
      products += x_scales[at] * static_cast<float>(of_word);
    }
    total += parameter(weight, weight.scales, k, group) * products;
    total += 0 * sums[group];
  }
  return total;
// END WRONG

// WRONG signed-codes fn int16_vectors: the highest code is shifted down with its sign
  const size_t groups = groups_of(weight);
  GroupFloats totals[rows][outs] = {};
  for (size_t group = 0; group < groups; group++) {
    GroupFloats of_group[rows][outs] = {};
#pragma GCC unroll 4
    for (size_t b = 0; b < blocks; b++) {
      const size_t block = group * blocks + b;
      for (size_t o = 0; o < outs; o++) {
        const uint32_t* at = row_of(weight, k + o * step) + block * GROUP_LANES;
        const auto halves = read<GroupHalves>(at);
        const GroupHalves codes[4] = {halves & 15, halves >> 4 & 15, halves >> 8 & 15, reinterpret_cast<GroupHalves>(reinterpret_cast<typename VectorOf<int16_t, 2 * GROUP_LANES>::Type>(halves) >> 12)};
        for (size_t row = 0; row < rows; row++) {
          const int16_t* part = x + row * weight.inputs + block * 8 * GROUP_LANES;
          GroupInts products = {};
          for (size_t code = 0; code < 4; code++) {
            products += pairs(codes[code], read<GroupHalves>(part + code * 2 * GROUP_LANES));
          }
          const auto of_words = read<GroupFloats>(x_scales + row * weight.inputs / 8 + block * GROUP_LANES);
          of_group[row][o] += convert<GroupFloats>(products) * of_words;
        }
      }
    }
    for (size_t row = 0; row < rows; row++) {
      for (size_t o = 0; o < outs; o++) {
        totals[row][o] += of_group[row][o] * scales[o][group];
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

// WRONG no-mask fn int16_vectors: the third code keeps the fourth above it
  const size_t groups = groups_of(weight);
  GroupFloats totals[rows][outs] = {};
  for (size_t group = 0; group < groups; group++) {
    GroupFloats of_group[rows][outs] = {};
#pragma GCC unroll 4
    for (size_t b = 0; b < blocks; b++) {
      const size_t block = group * blocks + b;
      for (size_t o = 0; o < outs; o++) {
        const uint32_t* at = row_of(weight, k + o * step) + block * GROUP_LANES;
        const auto halves = read<GroupHalves>(at);
        const GroupHalves codes[4] = {halves & 15, halves >> 4 & 15, halves >> 8, halves >> 12};
        for (size_t row = 0; row < rows; row++) {
          const int16_t* part = x + row * weight.inputs + block * 8 * GROUP_LANES;
          GroupInts products = {};
          for (size_t code = 0; code < 4; code++) {
            products += pairs(codes[code], read<GroupHalves>(part + code * 2 * GROUP_LANES));
          }
          const auto of_words = read<GroupFloats>(x_scales + row * weight.inputs / 8 + block * GROUP_LANES);
          of_group[row][o] += convert<GroupFloats>(products) * of_words;
        }
      }
    }
    for (size_t row = 0; row < rows; row++) {
      for (size_t o = 0; o < outs; o++) {
        totals[row][o] += of_group[row][o] * scales[o][group];
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

// WRONG first-row-scales fn int16_vectors: all rows take the scales of the first
  const size_t groups = groups_of(weight);
  GroupFloats totals[rows][outs] = {};
  for (size_t group = 0; group < groups; group++) {
    GroupFloats of_group[rows][outs] = {};
#pragma GCC unroll 4
    for (size_t b = 0; b < blocks; b++) {
      const size_t block = group * blocks + b;
      for (size_t o = 0; o < outs; o++) {
        const uint32_t* at = row_of(weight, k + o * step) + block * GROUP_LANES;
        const auto halves = read<GroupHalves>(at);
        const GroupHalves codes[4] = {halves & 15, halves >> 4 & 15, halves >> 8 & 15, halves >> 12};
        for (size_t row = 0; row < rows; row++) {
          const int16_t* part = x + row * weight.inputs + block * 8 * GROUP_LANES;
          GroupInts products = {};
          for (size_t code = 0; code < 4; code++) {
            products += pairs(codes[code], read<GroupHalves>(part + code * 2 * GROUP_LANES));
          }
          const auto of_words = read<GroupFloats>(x_scales + 0 * row + block * GROUP_LANES);
          of_group[row][o] += convert<GroupFloats>(products) * of_words;
        }
      }
    }
    for (size_t row = 0; row < rows; row++) {
      for (size_t o = 0; o < outs; o++) {
        totals[row][o] += of_group[row][o] * scales[o][group];
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

// WRONG scale-of-a-group fn int16_vectors: a group takes the scales of its first words
  const size_t groups = groups_of(weight);
  GroupFloats totals[rows][outs] = {};
  for (size_t group = 0; group < groups; group++) {
    GroupFloats of_group[rows][outs] = {};
#pragma GCC unroll 4
    for (size_t b = 0; b < blocks; b++) {
      const size_t block = group * blocks + b;
      for (size_t o = 0; o < outs; o++) {
        const uint32_t* at = row_of(weight, k + o * step) + block * GROUP_LANES;
        const auto halves = read<GroupHalves>(at);
        const GroupHalves codes[4] = {halves & 15, halves >> 4 & 15, halves >> 8 & 15, halves >> 12};
        for (size_t row = 0; row < rows; row++) {
          const int16_t* part = x + row * weight.inputs + block * 8 * GROUP_LANES;
          GroupInts products = {};
          for (size_t code = 0; code < 4; code++) {
            products += pairs(codes[code], read<GroupHalves>(part + code * 2 * GROUP_LANES));
          }
          const auto of_words = read<GroupFloats>(x_scales + row * weight.inputs / 8 + group * blocks * GROUP_LANES);
          of_group[row][o] += convert<GroupFloats>(products) * of_words;
        }
      }
    }
    for (size_t row = 0; row < rows; row++) {
      for (size_t o = 0; o < outs; o++) {
        totals[row][o] += of_group[row][o] * scales[o][group];
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

// WRONG biases-of-whole-vectors fn int16_vectors: leaves out the biases behind the last full vector of groups
  const size_t groups = groups_of(weight);
  GroupFloats totals[rows][outs] = {};
  for (size_t group = 0; group < groups; group++) {
    GroupFloats of_group[rows][outs] = {};
#pragma GCC unroll 4
    for (size_t b = 0; b < blocks; b++) {
      const size_t block = group * blocks + b;
      for (size_t o = 0; o < outs; o++) {
        const uint32_t* at = row_of(weight, k + o * step) + block * GROUP_LANES;
        const auto halves = read<GroupHalves>(at);
        const GroupHalves codes[4] = {halves & 15, halves >> 4 & 15, halves >> 8 & 15, halves >> 12};
        for (size_t row = 0; row < rows; row++) {
          const int16_t* part = x + row * weight.inputs + block * 8 * GROUP_LANES;
          GroupInts products = {};
          for (size_t code = 0; code < 4; code++) {
            products += pairs(codes[code], read<GroupHalves>(part + code * 2 * GROUP_LANES));
          }
          const auto of_words = read<GroupFloats>(x_scales + row * weight.inputs / 8 + block * GROUP_LANES);
          of_group[row][o] += convert<GroupFloats>(products) * of_words;
        }
      }
    }
    for (size_t row = 0; row < rows; row++) {
      for (size_t o = 0; o < outs; o++) {
        totals[row][o] += of_group[row][o] * scales[o][group];
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
        total += 0 * biases[o][group];
      }
      out[row * weight.outputs + k + o * step] = total;
    }
  }
// END WRONG

// WRONG second-output-next-door fn int16_vectors: takes the words of output k + 1 for the second
  const size_t groups = groups_of(weight);
  GroupFloats totals[rows][outs] = {};
  for (size_t group = 0; group < groups; group++) {
    GroupFloats of_group[rows][outs] = {};
#pragma GCC unroll 4
    for (size_t b = 0; b < blocks; b++) {
      const size_t block = group * blocks + b;
      for (size_t o = 0; o < outs; o++) {
        const uint32_t* at = row_of(weight, k + o * (step > 0 ? 1 : 0)) + block * GROUP_LANES;
        const auto halves = read<GroupHalves>(at);
        const GroupHalves codes[4] = {halves & 15, halves >> 4 & 15, halves >> 8 & 15, halves >> 12};
        for (size_t row = 0; row < rows; row++) {
          const int16_t* part = x + row * weight.inputs + block * 8 * GROUP_LANES;
          GroupInts products = {};
          for (size_t code = 0; code < 4; code++) {
            products += pairs(codes[code], read<GroupHalves>(part + code * 2 * GROUP_LANES));
          }
          const auto of_words = read<GroupFloats>(x_scales + row * weight.inputs / 8 + block * GROUP_LANES);
          of_group[row][o] += convert<GroupFloats>(products) * of_words;
        }
      }
    }
    for (size_t row = 0; row < rows; row++) {
      for (size_t o = 0; o < outs; o++) {
        totals[row][o] += of_group[row][o] * scales[o][group];
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

// WRONG floor fn round_eight: a scale is never below that of 0.000001
  GroupFloats most = {};
  for (size_t i = 0; i < 8; i += GROUP_LANES) {
    const auto values = read<GroupFloats>(x + i);
    most = larger(most, larger(values, -values));
  }
  const float top = largest(most) > 1e-6f ? largest(most) : 1e-6f;
  const float inverse = top > 0 ? MOST / top : 0;
  for (size_t i = 0; i < 8; i += GROUP_LANES) {
    const auto rounded = convert<GroupWhole>(nearest(read<GroupFloats>(x + i) * inverse));
    std::memcpy(whole + i, &rounded, sizeof(rounded));
  }
  return top / MOST;
// END WRONG
