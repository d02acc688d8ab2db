// Wrong answers to task 3.4.4: four words a thread.

// WRONG highest-first fn quantized_embedding_wide: takes the highest four bits of a word for its first code
/// 2, four words a thread: scale and bias are read once for 32 codes.
template <typename T>
[[kernel]] void quantized_embedding_wide(
    device const uint* ids [[buffer(0)]],
    device const uint* weight [[buffer(1)]],
    device const T* scales [[buffer(2)]],
    device const T* biases [[buffer(3)]],
    device T* out [[buffer(4)]],
    constant int& rows [[buffer(5)]],
    constant int& words [[buffer(6)]],
    constant int& group [[buffer(7)]],
    uint2 at [[thread_position_in_grid]]) {
  const long id = long(ids[at.y]);
  const int first = int(at.x) * 4;
  out += (long(at.y) * words + first) * 8;
  if (id >= long(rows)) {
    for (int i = 0; i < 32; i++) {
      out[i] = T(NAN);
    }
    return;
  }
  weight += id * words + first;
  const long parameters = id * (words * 8 / group) + first * 8 / group;
  const float scale = float(scales[parameters]);
  const float bias = float(biases[parameters]);
  for (int word = 0; word < 4; word++) {
    const uint codes = weight[word];
    for (int i = 0; i < 8; i++) {
      out[word * 8 + i] = T(scale * float((codes >> (28 - 4 * i)) & 15) + bias);
    }
  }
}
INSTANTIATE_FLOATS(quantized_embedding_wide)
// END WRONG

// WRONG first-group fn quantized_embedding_wide: takes scale and bias of the first group of the row for all groups
/// 2, four words a thread: scale and bias are read once for 32 codes.
template <typename T>
[[kernel]] void quantized_embedding_wide(
    device const uint* ids [[buffer(0)]],
    device const uint* weight [[buffer(1)]],
    device const T* scales [[buffer(2)]],
    device const T* biases [[buffer(3)]],
    device T* out [[buffer(4)]],
    constant int& rows [[buffer(5)]],
    constant int& words [[buffer(6)]],
    constant int& group [[buffer(7)]],
    uint2 at [[thread_position_in_grid]]) {
  const long id = long(ids[at.y]);
  const int first = int(at.x) * 4;
  out += (long(at.y) * words + first) * 8;
  if (id >= long(rows)) {
    for (int i = 0; i < 32; i++) {
      out[i] = T(NAN);
    }
    return;
  }
  weight += id * words + first;
  const long parameters = id * (words * 8 / group);
  const float scale = float(scales[parameters]);
  const float bias = float(biases[parameters]);
  for (int word = 0; word < 4; word++) {
    const uint codes = weight[word];
    for (int i = 0; i < 8; i++) {
      out[word * 8 + i] = T(scale * float((codes >> (4 * i)) & 15) + bias);
    }
  }
}
INSTANTIATE_FLOATS(quantized_embedding_wide)
// END WRONG

// WRONG one-word fn quantized_embedding_wide: unpacks one word of the four
/// 2, four words a thread: scale and bias are read once for 32 codes.
template <typename T>
[[kernel]] void quantized_embedding_wide(
    device const uint* ids [[buffer(0)]],
    device const uint* weight [[buffer(1)]],
    device const T* scales [[buffer(2)]],
    device const T* biases [[buffer(3)]],
    device T* out [[buffer(4)]],
    constant int& rows [[buffer(5)]],
    constant int& words [[buffer(6)]],
    constant int& group [[buffer(7)]],
    uint2 at [[thread_position_in_grid]]) {
  const long id = long(ids[at.y]);
  const int first = int(at.x) * 4;
  out += (long(at.y) * words + first) * 8;
  if (id >= long(rows)) {
    for (int i = 0; i < 32; i++) {
      out[i] = T(NAN);
    }
    return;
  }
  weight += id * words + first;
  const long parameters = id * (words * 8 / group) + first * 8 / group;
  const float scale = float(scales[parameters]);
  const float bias = float(biases[parameters]);
  for (int word = 0; word < 1; word++) {
    const uint codes = weight[word];
    for (int i = 0; i < 8; i++) {
      out[word * 8 + i] = T(scale * float((codes >> (4 * i)) & 15) + bias);
    }
  }
}
INSTANTIATE_FLOATS(quantized_embedding_wide)
// END WRONG

// WRONG row-of-the-lookup fn quantized_embedding_wide: takes the parameters of the row that is written, not of the one that is looked up
/// 2, four words a thread: scale and bias are read once for 32 codes.
template <typename T>
[[kernel]] void quantized_embedding_wide(
    device const uint* ids [[buffer(0)]],
    device const uint* weight [[buffer(1)]],
    device const T* scales [[buffer(2)]],
    device const T* biases [[buffer(3)]],
    device T* out [[buffer(4)]],
    constant int& rows [[buffer(5)]],
    constant int& words [[buffer(6)]],
    constant int& group [[buffer(7)]],
    uint2 at [[thread_position_in_grid]]) {
  const long id = long(ids[at.y]);
  const int first = int(at.x) * 4;
  out += (long(at.y) * words + first) * 8;
  if (id >= long(rows)) {
    for (int i = 0; i < 32; i++) {
      out[i] = T(NAN);
    }
    return;
  }
  weight += id * words + first;
  const long parameters = long(at.y) * (words * 8 / group) + first * 8 / group;
  const float scale = float(scales[parameters]);
  const float bias = float(biases[parameters]);
  for (int word = 0; word < 4; word++) {
    const uint codes = weight[word];
    for (int i = 0; i < 8; i++) {
      out[word * 8 + i] = T(scale * float((codes >> (4 * i)) & 15) + bias);
    }
  }
}
INSTANTIATE_FLOATS(quantized_embedding_wide)
// END WRONG

// WRONG any-id fn quantized_embedding_wide: looks up every id, also one behind the table
/// 2, four words a thread: scale and bias are read once for 32 codes.
template <typename T>
[[kernel]] void quantized_embedding_wide(
    device const uint* ids [[buffer(0)]],
    device const uint* weight [[buffer(1)]],
    device const T* scales [[buffer(2)]],
    device const T* biases [[buffer(3)]],
    device T* out [[buffer(4)]],
    constant int& rows [[buffer(5)]],
    constant int& words [[buffer(6)]],
    constant int& group [[buffer(7)]],
    uint2 at [[thread_position_in_grid]]) {
  const long id = long(ids[at.y]);
  const int first = int(at.x) * 4;
  out += (long(at.y) * words + first) * 8;
  if (id < 0) {
    for (int i = 0; i < 32; i++) {
      out[i] = T(NAN);
    }
    return;
  }
  weight += id * words + first;
  const long parameters = id * (words * 8 / group) + first * 8 / group;
  const float scale = float(scales[parameters]);
  const float bias = float(biases[parameters]);
  for (int word = 0; word < 4; word++) {
    const uint codes = weight[word];
    for (int i = 0; i < 8; i++) {
      out[word * 8 + i] = T(scale * float((codes >> (4 * i)) & 15) + bias);
    }
  }
}
INSTANTIATE_FLOATS(quantized_embedding_wide)
// END WRONG
