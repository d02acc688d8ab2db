// paged_attention on the GPU for a few query tokens (task 3.4.5, optional): softmax(query * scale @ key^T) @ value, where keys
// and values lie in pages. Dispatched by src/paged_attention.cpp: paged_attention_naive with a thread a row of queries,
// paged_attention with a group a row. Rows are those of (B, Hq, L, D); a row that sees no key is 0.
//
// Buffers: query 0, key_pages 1, value_pages 2, table 3 (B, M), contexts 4 (B), out 5, query_heads 6 (Hq), heads 7 (H), length
// 8 (L), page 9, columns 10 (M), dims 11 (D, at most 256), causal 12 (not 0: query i of L sees the keys up to context - L + i),
// scale 13. Pages are (P, H, page, D); key s of text b is in slot s % page of page table[b * columns + s / page].
#include <metal_stdlib>
using namespace metal;

#define INSTANTIATE(function, dtype, T) \
  template [[host_name(#function "_" #dtype)]] [[kernel]] decltype(function<T>) function<T>;
#define INSTANTIATE_FLOATS(function)      \
  INSTANTIATE(function, float32, float)   \
  INSTANTIATE(function, float16, half)    \
  INSTANTIATE(function, bfloat16, bfloat)

// Task 3.4.5: the kernel `paged_attention_naive` goes here.

// Task 3.4.5: the kernel `paged_attention` goes here.
