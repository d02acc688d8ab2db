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

// SOLUTION 3.5.3
/// 1, naive: one thread a row, one key after the other.
template <typename T>
[[kernel]] void flash_naive(
    device const T* query [[buffer(0)]],
    device const T* key_pages [[buffer(1)]],
    device const T* value_pages [[buffer(2)]],
    device const int* table [[buffer(3)]],
    device const int* contexts [[buffer(4)]],
    device T* out [[buffer(5)]],
    constant int& query_heads [[buffer(6)]],
    constant int& heads [[buffer(7)]],
    constant int& length [[buffer(8)]],
    constant int& page [[buffer(9)]],
    constant int& columns [[buffer(10)]],
    constant int& dims [[buffer(11)]],
    constant int& causal [[buffer(12)]],
    constant float& scale [[buffer(13)]],
    uint row [[thread_position_in_grid]]) {
  const int token = int(row) % length;
  const int head = int(row) / length % query_heads;
  const long batch = int(row) / length / query_heads;
  const int shared_head = head / (query_heads / heads);
  const int keys = contexts[batch];
  const int visible = causal != 0 ? max(keys - (length - 1 - token), 0) : keys;
  query += long(row) * dims;
  out += long(row) * dims;
  table += batch * columns;
  float sums[256];
  for (int d = 0; d < dims; d++) {
    sums[d] = 0;
  }
  float most = -INFINITY;
  float total = 0;
  for (int s = 0; s < visible; s++) {
    const long at = ((long(table[s / page]) * heads + shared_head) * page + s % page) * dims;
    float score = 0;
    for (int d = 0; d < dims; d++) {
      score += float(query[d]) * float(key_pages[at + d]);
    }
    score *= scale;
    const float before = most;
    most = max(most, score);
    const float shrink = precise::exp(before - most);
    const float weight = precise::exp(score - most);
    total = total * shrink + weight;
    for (int d = 0; d < dims; d++) {
      sums[d] = sums[d] * shrink + weight * float(value_pages[at + d]);
    }
  }
  for (int d = 0; d < dims; d++) {
    out[d] = T(total == 0 ? 0.0f : sums[d] / total);
  }
}
INSTANTIATE_FLOATS(flash_naive)
// END SOLUTION

// SOLUTION 3.5.3
/// 2, tiles: 16 keys, then their values, in threadgroup memory for 16 queries; a thread has every eighth element of one row.
template <typename T>
[[kernel]] void flash(
    device const T* query [[buffer(0)]],
    device const T* key_pages [[buffer(1)]],
    device const T* value_pages [[buffer(2)]],
    device const int* table [[buffer(3)]],
    device const int* contexts [[buffer(4)]],
    device T* out [[buffer(5)]],
    constant int& query_heads [[buffer(6)]],
    constant int& heads [[buffer(7)]],
    constant int& length [[buffer(8)]],
    constant int& page [[buffer(9)]],
    constant int& columns [[buffer(10)]],
    constant int& dims [[buffer(11)]],
    constant int& causal [[buffer(12)]],
    constant float& scale [[buffer(13)]],
    threadgroup float* tile [[threadgroup(0)]],
    threadgroup float* weights [[threadgroup(1)]],
    uint2 tile_at [[threadgroup_position_in_grid]],
    uint thread_at [[thread_index_in_threadgroup]]) {
  const int head = int(tile_at.y) % query_heads;
  const long batch = int(tile_at.y) / query_heads;
  const int shared_head = head / (query_heads / heads);
  const int keys = contexts[batch];
  const int row = int(thread_at) / 8;
  const int part = int(thread_at) % 8;
  const int token = int(tile_at.x) * 16 + row;
  // What this row sees, and what the last row of the tile does: no tile behind that is visited.
  const int visible = token >= length ? 0 : causal != 0 ? max(keys - (length - 1 - token), 0) : keys;
  const int last = min(int(tile_at.x) * 16 + 15, length - 1);
  const int reached = causal != 0 ? max(keys - (length - 1 - last), 0) : keys;
  query += (long(tile_at.y) * length + min(token, length - 1)) * dims;
  table += batch * columns;
  float sums[32];
  for (int i = 0; i < 32; i++) {
    sums[i] = 0;
  }
  float most = -INFINITY;
  float total = 0;
  for (int first = 0; first < reached; first += 16) {
    for (int i = int(thread_at); i < 16 * dims; i += 128) {
      const int s = min(first + i / dims, reached - 1);
      tile[i] = float(key_pages[((long(table[s / page]) * heads + shared_head) * page + s % page) * dims + i % dims]);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int key = part; key < 16; key += 8) {
      float score = 0;
      for (int d = 0; d < dims; d++) {
        score += float(query[d]) * tile[key * dims + d];
      }
      weights[row * 17 + key] = first + key < visible ? score * scale : -INFINITY;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int i = int(thread_at); i < 16 * dims; i += 128) {
      const int s = min(first + i / dims, reached - 1);
      tile[i] = float(value_pages[((long(table[s / page]) * heads + shared_head) * page + s % page) * dims + i % dims]);
    }
    const float before = most;
    for (int key = 0; key < 16; key++) {
      most = max(most, weights[row * 17 + key]);
    }
    const float shrink = most == -INFINITY ? 1.0f : precise::exp(before - most);
    total *= shrink;
    for (int i = 0; i < 32; i++) {
      sums[i] *= shrink;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int key = 0; key < 16 && most > -INFINITY; key++) {
      const float weight = precise::exp(weights[row * 17 + key] - most);
      total += weight;
      for (int d = part; d < dims; d += 8) {
        sums[d / 8] += weight * tile[key * dims + d];
      }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (token >= length) {
    return;
  }
  out += (long(tile_at.y) * length + token) * dims;
  for (int d = part; d < dims; d += 8) {
    out[d] = T(total == 0 ? 0.0f : sums[d / 8] / total);
  }
}
INSTANTIATE_FLOATS(flash)
// END SOLUTION
