// quantized_embedding on the GPU: rows of a packed table. Dispatched by src/quantized_embedding.cpp, ids along y: the given
// quantized_embedding with a thread a word of eight codes, words along x; quantized_embedding_wide (task 3.4.4, optional)
// with a thread for four neighbouring words, which are in one group, because a group has 64 or 128 codes.
//
// Buffers: ids 0, weight 1, scales 2, biases 3, out 4, rows 5 of the table, words 6 of a row, group 7. The lowest four bits of
// a word are its first code; a value is scale * code + bias of its group. The row of an id that the table has not is NaN.
#include <metal_stdlib>
using namespace metal;

#define INSTANTIATE(function, dtype, T) \
  template [[host_name(#function "_" #dtype)]] [[kernel]] decltype(function<T>) function<T>;
#define INSTANTIATE_FLOATS(function)      \
  INSTANTIATE(function, float32, float)   \
  INSTANTIATE(function, float16, half)    \
  INSTANTIATE(function, bfloat16, bfloat)

/// 1, naive: one thread unpacks one word.
template <typename T>
[[kernel]] void quantized_embedding(
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
  const int word = int(at.x);
  out += (long(at.y) * words + word) * 8;
  if (id >= long(rows)) {
    for (int i = 0; i < 8; i++) {
      out[i] = T(NAN);
    }
    return;
  }
  const uint codes = weight[id * words + word];
  const long parameters = id * (words * 8 / group) + word * 8 / group;
  const float scale = float(scales[parameters]);
  const float bias = float(biases[parameters]);
  for (int i = 0; i < 8; i++) {
    out[i] = T(scale * float((codes >> (4 * i)) & 15) + bias);
  }
}
INSTANTIATE_FLOATS(quantized_embedding)

// Task 3.4.4: the kernel `quantized_embedding_wide` goes here.
