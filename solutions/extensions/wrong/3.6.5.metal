// Wrong answers to task 3.6.5: four results a SIMD group.

// WRONG first-expert fn grouped_matvec: multiplies with the first expert always
/// 2, four results a SIMD group, its lanes word by word: each x is read once for four outputs of its expert.
template <typename T, typename S>
[[kernel]] void grouped_matvec(
    device const T* x [[buffer(0)]],
    device const uint* ids [[buffer(1)]],
    device const uint* weight [[buffer(2)]],
    device const S* scales [[buffer(3)]],
    device const S* biases [[buffer(4)]],
    device T* out [[buffer(5)]],
    constant int& experts [[buffer(6)]],
    constant int& outputs [[buffer(7)]],
    constant int& inputs [[buffer(8)]],
    constant int& group [[buffer(9)]],
    uint2 group_at [[threadgroup_position_in_grid]],
    uint simd [[simdgroup_index_in_threadgroup]],
    uint simds [[simdgroups_per_threadgroup]],
    uint lane [[thread_index_in_simdgroup]]) {
  const long expert = long(ids[group_at.y]);
  const int first = int(group_at.x * simds + simd) * 4;
  const int count = min(outputs - first, 4);
  out += long(group_at.y) * outputs + first;
  if (expert >= long(experts)) {
    for (int o = int(lane); o < count; o += 32) {
      out[o] = T(NAN);
    }
    return;
  }
  x += long(group_at.y) * inputs;
  float sums[4] = {0, 0, 0, 0};
  for (int word = int(lane); word < inputs / 8; word += 32) {
    float v[8];
    float inputs_of_word = 0;
    for (int i = 0; i < 8; i++) {
      v[i] = float(x[word * 8 + i]);
      inputs_of_word += v[i];
    }
    for (int o = 0; o < count; o++) {
      const long k = first + o;
      const uint codes = weight[k * (inputs / 8) + word];
      float products = 0;
      for (int i = 0; i < 8; i++) {
        products += v[i] * float((codes >> (4 * i)) & 15);
      }
      const long parameters = k * (inputs / group) + word * 8 / group;
      sums[o] += float(scales[parameters]) * products + float(biases[parameters]) * inputs_of_word;
    }
  }
  for (int o = 0; o < count; o++) {
    const float sum = simd_sum(sums[o]);
    if (lane == 0) {
      out[o] = T(sum);
    }
  }
}
INSTANTIATE_PACKED(grouped_matvec)
// END WRONG

// WRONG whole-fours fn grouped_matvec: does not look whether four outputs are left
/// 2, four results a SIMD group, its lanes word by word: each x is read once for four outputs of its expert.
template <typename T, typename S>
[[kernel]] void grouped_matvec(
    device const T* x [[buffer(0)]],
    device const uint* ids [[buffer(1)]],
    device const uint* weight [[buffer(2)]],
    device const S* scales [[buffer(3)]],
    device const S* biases [[buffer(4)]],
    device T* out [[buffer(5)]],
    constant int& experts [[buffer(6)]],
    constant int& outputs [[buffer(7)]],
    constant int& inputs [[buffer(8)]],
    constant int& group [[buffer(9)]],
    uint2 group_at [[threadgroup_position_in_grid]],
    uint simd [[simdgroup_index_in_threadgroup]],
    uint simds [[simdgroups_per_threadgroup]],
    uint lane [[thread_index_in_simdgroup]]) {
  const long expert = long(ids[group_at.y]);
  const int first = int(group_at.x * simds + simd) * 4;
  const int count = 4;
  out += long(group_at.y) * outputs + first;
  if (expert >= long(experts)) {
    for (int o = int(lane); o < count; o += 32) {
      out[o] = T(NAN);
    }
    return;
  }
  x += long(group_at.y) * inputs;
  float sums[4] = {0, 0, 0, 0};
  for (int word = int(lane); word < inputs / 8; word += 32) {
    float v[8];
    float inputs_of_word = 0;
    for (int i = 0; i < 8; i++) {
      v[i] = float(x[word * 8 + i]);
      inputs_of_word += v[i];
    }
    for (int o = 0; o < count; o++) {
      const long k = expert * outputs + first + o;
      const uint codes = weight[k * (inputs / 8) + word];
      float products = 0;
      for (int i = 0; i < 8; i++) {
        products += v[i] * float((codes >> (4 * i)) & 15);
      }
      const long parameters = k * (inputs / group) + word * 8 / group;
      sums[o] += float(scales[parameters]) * products + float(biases[parameters]) * inputs_of_word;
    }
  }
  for (int o = 0; o < count; o++) {
    const float sum = simd_sum(sums[o]);
    if (lane == 0) {
      out[o] = T(sum);
    }
  }
}
INSTANTIATE_PACKED(grouped_matvec)
// END WRONG

// WRONG one-lane fn grouped_matvec: writes what one lane has found
/// 2, four results a SIMD group, its lanes word by word: each x is read once for four outputs of its expert.
template <typename T, typename S>
[[kernel]] void grouped_matvec(
    device const T* x [[buffer(0)]],
    device const uint* ids [[buffer(1)]],
    device const uint* weight [[buffer(2)]],
    device const S* scales [[buffer(3)]],
    device const S* biases [[buffer(4)]],
    device T* out [[buffer(5)]],
    constant int& experts [[buffer(6)]],
    constant int& outputs [[buffer(7)]],
    constant int& inputs [[buffer(8)]],
    constant int& group [[buffer(9)]],
    uint2 group_at [[threadgroup_position_in_grid]],
    uint simd [[simdgroup_index_in_threadgroup]],
    uint simds [[simdgroups_per_threadgroup]],
    uint lane [[thread_index_in_simdgroup]]) {
  const long expert = long(ids[group_at.y]);
  const int first = int(group_at.x * simds + simd) * 4;
  const int count = min(outputs - first, 4);
  out += long(group_at.y) * outputs + first;
  if (expert >= long(experts)) {
    for (int o = int(lane); o < count; o += 32) {
      out[o] = T(NAN);
    }
    return;
  }
  x += long(group_at.y) * inputs;
  float sums[4] = {0, 0, 0, 0};
  for (int word = int(lane); word < inputs / 8; word += 32) {
    float v[8];
    float inputs_of_word = 0;
    for (int i = 0; i < 8; i++) {
      v[i] = float(x[word * 8 + i]);
      inputs_of_word += v[i];
    }
    for (int o = 0; o < count; o++) {
      const long k = expert * outputs + first + o;
      const uint codes = weight[k * (inputs / 8) + word];
      float products = 0;
      for (int i = 0; i < 8; i++) {
        products += v[i] * float((codes >> (4 * i)) & 15);
      }
      const long parameters = k * (inputs / group) + word * 8 / group;
      sums[o] += float(scales[parameters]) * products + float(biases[parameters]) * inputs_of_word;
    }
  }
  for (int o = 0; o < count; o++) {
    const float sum = sums[o];
    if (lane == 0) {
      out[o] = T(sum);
    }
  }
}
INSTANTIATE_PACKED(grouped_matvec)
// END WRONG

// WRONG bias-once fn grouped_matvec: adds the bias, not the bias times the inputs
/// 2, four results a SIMD group, its lanes word by word: each x is read once for four outputs of its expert.
template <typename T, typename S>
[[kernel]] void grouped_matvec(
    device const T* x [[buffer(0)]],
    device const uint* ids [[buffer(1)]],
    device const uint* weight [[buffer(2)]],
    device const S* scales [[buffer(3)]],
    device const S* biases [[buffer(4)]],
    device T* out [[buffer(5)]],
    constant int& experts [[buffer(6)]],
    constant int& outputs [[buffer(7)]],
    constant int& inputs [[buffer(8)]],
    constant int& group [[buffer(9)]],
    uint2 group_at [[threadgroup_position_in_grid]],
    uint simd [[simdgroup_index_in_threadgroup]],
    uint simds [[simdgroups_per_threadgroup]],
    uint lane [[thread_index_in_simdgroup]]) {
  const long expert = long(ids[group_at.y]);
  const int first = int(group_at.x * simds + simd) * 4;
  const int count = min(outputs - first, 4);
  out += long(group_at.y) * outputs + first;
  if (expert >= long(experts)) {
    for (int o = int(lane); o < count; o += 32) {
      out[o] = T(NAN);
    }
    return;
  }
  x += long(group_at.y) * inputs;
  float sums[4] = {0, 0, 0, 0};
  for (int word = int(lane); word < inputs / 8; word += 32) {
    float v[8];
    float inputs_of_word = 0;
    for (int i = 0; i < 8; i++) {
      v[i] = float(x[word * 8 + i]);
      inputs_of_word += v[i];
    }
    for (int o = 0; o < count; o++) {
      const long k = expert * outputs + first + o;
      const uint codes = weight[k * (inputs / 8) + word];
      float products = 0;
      for (int i = 0; i < 8; i++) {
        products += v[i] * float((codes >> (4 * i)) & 15);
      }
      const long parameters = k * (inputs / group) + word * 8 / group;
      sums[o] += float(scales[parameters]) * products + float(biases[parameters]);
    }
  }
  for (int o = 0; o < count; o++) {
    const float sum = simd_sum(sums[o]);
    if (lane == 0) {
      out[o] = T(sum);
    }
  }
}
INSTANTIATE_PACKED(grouped_matvec)
// END WRONG

// WRONG any-expert fn grouped_naive: computes with every id, also one behind the experts
/// 1, naive: one thread a result.
template <typename T, typename S>
[[kernel]] void grouped_naive(
    device const T* x [[buffer(0)]],
    device const uint* ids [[buffer(1)]],
    device const uint* weight [[buffer(2)]],
    device const S* scales [[buffer(3)]],
    device const S* biases [[buffer(4)]],
    device T* out [[buffer(5)]],
    constant int& experts [[buffer(6)]],
    constant int& outputs [[buffer(7)]],
    constant int& inputs [[buffer(8)]],
    constant int& group [[buffer(9)]],
    uint2 at [[thread_position_in_grid]]) {
  const long expert = long(ids[at.y]);
  out += long(at.y) * outputs + at.x;
  if (expert < 0) {
    *out = T(NAN);
    return;
  }
  const long k = expert * outputs + at.x;
  x += long(at.y) * inputs;
  weight += k * (inputs / 8);
  scales += k * (inputs / group);
  biases += k * (inputs / group);
  float sum = 0;
  for (int word = 0; word < inputs / 8; word++) {
    const uint codes = weight[word];
    const float scale = float(scales[word * 8 / group]);
    const float bias = float(biases[word * 8 / group]);
    for (int i = 0; i < 8; i++) {
      const float code = float((codes >> (4 * i)) & 15);
      sum += float(x[word * 8 + i]) * (scale * code + bias);
    }
  }
  *out = T(sum);
}
INSTANTIATE_PACKED(grouped_naive)
// END WRONG
