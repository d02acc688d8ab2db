// Wrong answers to task 2.3.5: one thread a result.

// WRONG highest-code-first fn quantized_matmul: reads the codes of a word from the highest bits on
/// 1, naive: one thread a result.
template <typename T, typename S>
[[kernel]] void quantized_matmul(
    device const T* x [[buffer(0)]],
    device const uint* weight [[buffer(1)]],
    device const S* scales [[buffer(2)]],
    device const S* biases [[buffer(3)]],
    device T* out [[buffer(4)]],
    constant int& rows [[buffer(5)]],
    constant int& outputs [[buffer(6)]],
    constant int& inputs [[buffer(7)]],
    constant int& group [[buffer(8)]],
    uint2 at [[thread_position_in_grid]]) {
  const long k = long(at.x);
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
      const float code = float((codes >> (28 - 4 * i)) & 15);
      sum += float(x[word * 8 + i]) * (scale * code + bias);
    }
  }
  out[long(at.y) * outputs + k] = T(sum);
}
INSTANTIATE_PACKED(quantized_matmul)
// END WRONG

// WRONG groups-of-64 fn quantized_matmul: takes every group for one of 64
/// 1, naive: one thread a result.
template <typename T, typename S>
[[kernel]] void quantized_matmul(
    device const T* x [[buffer(0)]],
    device const uint* weight [[buffer(1)]],
    device const S* scales [[buffer(2)]],
    device const S* biases [[buffer(3)]],
    device T* out [[buffer(4)]],
    constant int& rows [[buffer(5)]],
    constant int& outputs [[buffer(6)]],
    constant int& inputs [[buffer(7)]],
    constant int& group [[buffer(8)]],
    uint2 at [[thread_position_in_grid]]) {
  const long k = long(at.x);
  x += long(at.y) * inputs;
  weight += k * (inputs / 8);
  scales += k * (inputs / group);
  biases += k * (inputs / group);
  float sum = 0;
  for (int word = 0; word < inputs / 8; word++) {
    const uint codes = weight[word];
    const float scale = float(scales[word * 8 / 64]);
    const float bias = float(biases[word * 8 / 64]);
    for (int i = 0; i < 8; i++) {
      const float code = float((codes >> (4 * i)) & 15);
      sum += float(x[word * 8 + i]) * (scale * code + bias);
    }
  }
  out[long(at.y) * outputs + k] = T(sum);
}
INSTANTIATE_PACKED(quantized_matmul)
// END WRONG

// WRONG bias-once-a-word fn quantized_matmul: adds the bias once for eight codes
/// 1, naive: one thread a result.
template <typename T, typename S>
[[kernel]] void quantized_matmul(
    device const T* x [[buffer(0)]],
    device const uint* weight [[buffer(1)]],
    device const S* scales [[buffer(2)]],
    device const S* biases [[buffer(3)]],
    device T* out [[buffer(4)]],
    constant int& rows [[buffer(5)]],
    constant int& outputs [[buffer(6)]],
    constant int& inputs [[buffer(7)]],
    constant int& group [[buffer(8)]],
    uint2 at [[thread_position_in_grid]]) {
  const long k = long(at.x);
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
      sum += float(x[word * 8 + i]) * (scale * code + (i == 0 ? bias : 0.0f));
    }
  }
  out[long(at.y) * outputs + k] = T(sum);
}
INSTANTIATE_PACKED(quantized_matmul)
// END WRONG

// WRONG rows-of-outputs fn quantized_matmul: steps from row to row of x by the number of outputs
/// 1, naive: one thread a result.
template <typename T, typename S>
[[kernel]] void quantized_matmul(
    device const T* x [[buffer(0)]],
    device const uint* weight [[buffer(1)]],
    device const S* scales [[buffer(2)]],
    device const S* biases [[buffer(3)]],
    device T* out [[buffer(4)]],
    constant int& rows [[buffer(5)]],
    constant int& outputs [[buffer(6)]],
    constant int& inputs [[buffer(7)]],
    constant int& group [[buffer(8)]],
    uint2 at [[thread_position_in_grid]]) {
  const long k = long(at.x);
  x += long(at.y) * outputs;
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
  out[long(at.y) * outputs + k] = T(sum);
}
INSTANTIATE_PACKED(quantized_matmul)
// END WRONG

// WRONG one-row fn quantized_matmul: writes all rows of x to the first row of the result
/// 1, naive: one thread a result.
template <typename T, typename S>
[[kernel]] void quantized_matmul(
    device const T* x [[buffer(0)]],
    device const uint* weight [[buffer(1)]],
    device const S* scales [[buffer(2)]],
    device const S* biases [[buffer(3)]],
    device T* out [[buffer(4)]],
    constant int& rows [[buffer(5)]],
    constant int& outputs [[buffer(6)]],
    constant int& inputs [[buffer(7)]],
    constant int& group [[buffer(8)]],
    uint2 at [[thread_position_in_grid]]) {
  const long k = long(at.x);
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
  out[k] = T(sum);
}
INSTANTIATE_PACKED(quantized_matmul)
// END WRONG

// WRONG swapped-buffers fn quantized_matmul: takes the biases for the scales
/// 1, naive: one thread a result.
template <typename T, typename S>
[[kernel]] void quantized_matmul(
    device const T* x [[buffer(0)]],
    device const uint* weight [[buffer(1)]],
    device const S* scales [[buffer(3)]],
    device const S* biases [[buffer(2)]],
    device T* out [[buffer(4)]],
    constant int& rows [[buffer(5)]],
    constant int& outputs [[buffer(6)]],
    constant int& inputs [[buffer(7)]],
    constant int& group [[buffer(8)]],
    uint2 at [[thread_position_in_grid]]) {
  const long k = long(at.x);
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
  out[long(at.y) * outputs + k] = T(sum);
}
INSTANTIATE_PACKED(quantized_matmul)
// END WRONG
