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

// SOLUTION 2.5.2
/// 1, naive: one thread a row, one key after the other.
template <typename T>
[[kernel]] void attention_naive(
    device const T* query [[buffer(0)]],
    device const T* key [[buffer(1)]],
    device const T* value [[buffer(2)]],
    device const float* mask [[buffer(3)]],
    device T* out [[buffer(4)]],
    constant int& query_heads [[buffer(5)]],
    constant int& heads [[buffer(6)]],
    constant int& length [[buffer(7)]],
    constant int& keys [[buffer(8)]],
    constant int& dims [[buffer(9)]],
    constant int& kind [[buffer(10)]],
    constant float& scale [[buffer(11)]],
    constant const long* key_steps [[buffer(12)]],
    constant const long* value_steps [[buffer(13)]],
    uint row [[thread_position_in_grid]]) {
  const int token = int(row) % length;
  const int head = int(row) / length % query_heads;
  const long batch = int(row) / length / query_heads;
  const long shared_head = head / (query_heads / heads);
  const int visible = kind == 1 ? max(keys - (length - 1 - token), 0) : keys;
  query += long(row) * dims;
  out += long(row) * dims;
  key += batch * key_steps[0] + shared_head * key_steps[1];
  value += batch * value_steps[0] + shared_head * value_steps[1];
  float sums[256];
  for (int d = 0; d < dims; d++) {
    sums[d] = 0;
  }
  float most = -INFINITY;
  float total = 0;
  for (int s = 0; s < visible; s++) {
    float score = 0;
    for (int d = 0; d < dims; d++) {
      score += float(query[d]) * float(key[s * key_steps[2] + d * key_steps[3]]);
    }
    score = score * scale + (kind == 2 ? mask[long(row) * keys + s] : 0.0f);
    if (score == -INFINITY) {
      continue;
    }
    const float before = most;
    most = max(most, score);
    const float shrink = precise::exp(before - most);
    const float weight = precise::exp(score - most);
    total = total * shrink + weight;
    for (int d = 0; d < dims; d++) {
      sums[d] = sums[d] * shrink + weight * float(value[s * value_steps[2] + d * value_steps[3]]);
    }
  }
  for (int d = 0; d < dims; d++) {
    out[d] = T(total == 0 ? 0.0f : sums[d] / total);
  }
}
INSTANTIATE_FLOATS(attention_naive)
// END SOLUTION

// SOLUTION 2.5.2
/// 2, a group a row: SIMD groups take keys in turn, their lanes the D elements; at the end their sums meet.
template <typename T>
[[kernel]] void attention(
    device const T* query [[buffer(0)]],
    device const T* key [[buffer(1)]],
    device const T* value [[buffer(2)]],
    device const float* mask [[buffer(3)]],
    device T* out [[buffer(4)]],
    constant int& query_heads [[buffer(5)]],
    constant int& heads [[buffer(6)]],
    constant int& length [[buffer(7)]],
    constant int& keys [[buffer(8)]],
    constant int& dims [[buffer(9)]],
    constant int& kind [[buffer(10)]],
    constant float& scale [[buffer(11)]],
    constant const long* key_steps [[buffer(12)]],
    constant const long* value_steps [[buffer(13)]],
    threadgroup float* shared [[threadgroup(0)]],
    uint row [[threadgroup_position_in_grid]],
    uint thread_at [[thread_position_in_threadgroup]],
    uint threads [[threads_per_threadgroup]],
    uint lane [[thread_index_in_simdgroup]],
    uint simd [[simdgroup_index_in_threadgroup]],
    uint simds [[simdgroups_per_threadgroup]]) {
  const int token = int(row) % length;
  const int head = int(row) / length % query_heads;
  const long batch = int(row) / length / query_heads;
  const long shared_head = head / (query_heads / heads);
  const int visible = kind == 1 ? max(keys - (length - 1 - token), 0) : keys;
  query += long(row) * dims;
  out += long(row) * dims;
  key += batch * key_steps[0] + shared_head * key_steps[1];
  value += batch * value_steps[0] + shared_head * value_steps[1];
  float sums[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  float most = -INFINITY;
  float total = 0;
  for (int s = int(simd); s < visible; s += int(simds)) {
    float score = 0;
    for (int d = int(lane); d < dims; d += 32) {
      score += float(query[d]) * float(key[s * key_steps[2] + d * key_steps[3]]);
    }
    score = simd_sum(score) * scale + (kind == 2 ? mask[long(row) * keys + s] : 0.0f);
    if (score == -INFINITY) {
      continue;
    }
    const float before = most;
    most = max(most, score);
    const float shrink = precise::exp(before - most);
    const float weight = precise::exp(score - most);
    total = total * shrink + weight;
    for (int d = int(lane); d < dims; d += 32) {
      sums[d / 32] = sums[d / 32] * shrink + weight * float(value[s * value_steps[2] + d * value_steps[3]]);
    }
  }
  // D sums of each SIMD group, then the largest scores, then the totals.
  threadgroup float* largest = shared + int(simds) * dims;
  threadgroup float* totals = largest + simds;
  for (int d = int(lane); d < dims; d += 32) {
    shared[int(simd) * dims + d] = sums[d / 32];
  }
  if (lane == 0) {
    largest[simd] = most;
    totals[simd] = total;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint g = 0; g < simds; g++) {
    most = max(most, largest[g]);
  }
  total = 0;
  for (uint g = 0; g < simds; g++) {
    total += totals[g] == 0 ? 0.0f : totals[g] * precise::exp(largest[g] - most);
  }
  for (int d = int(thread_at); d < dims; d += int(threads)) {
    float sum = 0;
    for (int g = 0; g < int(simds); g++) {
      sum += totals[g] == 0 ? 0.0f : shared[g * dims + d] * precise::exp(largest[g] - most);
    }
    out[d] = T(total == 0 ? 0.0f : sum / total);
  }
}
INSTANTIATE_FLOATS(attention)
// END SOLUTION
