// paged_attention on the GPU for many query tokens (task 3.5.3, optional): tiles of queries times tiles of keys. Dispatched by
// src/paged_attention.cpp: flash_naive with a thread a row of queries; flash in groups of 128 threads, each with a tile of 16
// query tokens of one head: tiles along x, (B, Hq) along y.
//
// Buffers as in paged_attention.metal: query 0, key_pages 1, value_pages 2, table 3 (B, M), contexts 4 (B), out 5, query_heads
// 6 (Hq), heads 7 (H), length 8 (L), page 9, columns 10 (M), dims 11 (D, at most 256), causal 12, scale 13. flash has
// threadgroup memory for 16 * D floats and 16 * 17 more.
#include <metal_stdlib>
using namespace metal;

#define INSTANTIATE(function, dtype, T) \
  template [[host_name(#function "_" #dtype)]] [[kernel]] decltype(function<T>) function<T>;
#define INSTANTIATE_FLOATS(function)      \
  INSTANTIATE(function, float32, float)   \
  INSTANTIATE(function, float16, half)    \
  INSTANTIATE(function, bfloat16, bfloat)

// Task 3.5.3: the kernel `flash_naive` goes here.

// Task 3.5.3: the kernel `flash` goes here.
