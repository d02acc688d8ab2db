// decode_attention on the GPU (task 2.5.2, optional): softmax(query * scale @ key^T + mask) @ value. Dispatched by
// src/decode_attention.cpp: attention_naive with a thread a row of queries, attention with a group a row. Rows are those of
// (B, Hq, L, D); a row that sees no key is 0.
//
// Buffers: query 0, key 1, value 2, mask 3 (B, Hq, L, S) f32, out 4, query_heads 5 (Hq), heads 6 (H), length 7 (L), keys 8
// (S), dims 9 (D, at most 256), kind 10 (0 no mask, 1 causal: token i of L sees the keys up to S - L + i, 2 the mask of
// buffer 3), scale 11. Keys and values are parts of a cache: element (b, h, s, d) is at b * steps[0] + h * steps[1] + s *
// steps[2] + d * steps[3] with the steps of buffers 12 and 13.
#include <metal_stdlib>
using namespace metal;

#define INSTANTIATE(function, dtype, T) \
  template [[host_name(#function "_" #dtype)]] [[kernel]] decltype(function<T>) function<T>;
#define INSTANTIATE_FLOATS(function)      \
  INSTANTIATE(function, float32, float)   \
  INSTANTIATE(function, float16, half)    \
  INSTANTIATE(function, bfloat16, bfloat)

// Task 2.5.2: the kernel `attention_naive` goes here.

// Task 2.5.2: the kernel `attention` goes here.
