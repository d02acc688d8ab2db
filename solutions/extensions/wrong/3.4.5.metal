// Wrong answers to task 3.4.5: a group a row of queries.

// WRONG no-barrier fn paged_attention: adds the sums of the SIMD groups before all have written theirs
/// 2, a group a row: SIMD groups take keys in turn, their lanes the D elements; at the end their sums meet.
template <typename T>
[[kernel]] void paged_attention(
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
  const int shared_head = head / (query_heads / heads);
  const int keys = contexts[batch];
  const int visible = causal != 0 ? max(keys - (length - 1 - token), 0) : keys;
  query += long(row) * dims;
  out += long(row) * dims;
  table += batch * columns;
  float sums[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  float most = -INFINITY;
  float total = 0;
  for (int s = int(simd); s < visible; s += int(simds)) {
    const long at = ((long(table[s / page]) * heads + shared_head) * page + s % page) * dims;
    float score = 0;
    for (int d = int(lane); d < dims; d += 32) {
      score += float(query[d]) * float(key_pages[at + d]);
    }
    score = simd_sum(score) * scale;
    const float before = most;
    most = max(most, score);
    const float shrink = precise::exp(before - most);
    const float weight = precise::exp(score - most);
    total = total * shrink + weight;
    for (int d = int(lane); d < dims; d += 32) {
      sums[d / 32] = sums[d / 32] * shrink + weight * float(value_pages[at + d]);
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
INSTANTIATE_FLOATS(paged_attention)
// END WRONG

// WRONG pages-in-order fn paged_attention: takes page 0, 1, 2 .. of the pool for those of the text
/// 2, a group a row: SIMD groups take keys in turn, their lanes the D elements; at the end their sums meet.
template <typename T>
[[kernel]] void paged_attention(
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
  const int shared_head = head / (query_heads / heads);
  const int keys = contexts[batch];
  const int visible = causal != 0 ? max(keys - (length - 1 - token), 0) : keys;
  query += long(row) * dims;
  out += long(row) * dims;
  table += batch * columns;
  float sums[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  float most = -INFINITY;
  float total = 0;
  for (int s = int(simd); s < visible; s += int(simds)) {
    const long at = ((long(s / page) * heads + shared_head) * page + s % page) * dims;
    float score = 0;
    for (int d = int(lane); d < dims; d += 32) {
      score += float(query[d]) * float(key_pages[at + d]);
    }
    score = simd_sum(score) * scale;
    const float before = most;
    most = max(most, score);
    const float shrink = precise::exp(before - most);
    const float weight = precise::exp(score - most);
    total = total * shrink + weight;
    for (int d = int(lane); d < dims; d += 32) {
      sums[d / 32] = sums[d / 32] * shrink + weight * float(value_pages[at + d]);
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
INSTANTIATE_FLOATS(paged_attention)
// END WRONG

// WRONG first-text fn paged_attention: reads the pages of the first text for all
/// 2, a group a row: SIMD groups take keys in turn, their lanes the D elements; at the end their sums meet.
template <typename T>
[[kernel]] void paged_attention(
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
  const int shared_head = head / (query_heads / heads);
  const int keys = contexts[batch];
  const int visible = causal != 0 ? max(keys - (length - 1 - token), 0) : keys;
  query += long(row) * dims;
  out += long(row) * dims;
  float sums[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  float most = -INFINITY;
  float total = 0;
  for (int s = int(simd); s < visible; s += int(simds)) {
    const long at = ((long(table[s / page]) * heads + shared_head) * page + s % page) * dims;
    float score = 0;
    for (int d = int(lane); d < dims; d += 32) {
      score += float(query[d]) * float(key_pages[at + d]);
    }
    score = simd_sum(score) * scale;
    const float before = most;
    most = max(most, score);
    const float shrink = precise::exp(before - most);
    const float weight = precise::exp(score - most);
    total = total * shrink + weight;
    for (int d = int(lane); d < dims; d += 32) {
      sums[d / 32] = sums[d / 32] * shrink + weight * float(value_pages[at + d]);
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
INSTANTIATE_FLOATS(paged_attention)
// END WRONG

// WRONG sees-all fn paged_attention: lets every query see all keys
/// 2, a group a row: SIMD groups take keys in turn, their lanes the D elements; at the end their sums meet.
template <typename T>
[[kernel]] void paged_attention(
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
  const int shared_head = head / (query_heads / heads);
  const int keys = contexts[batch];
  const int visible = keys;
  query += long(row) * dims;
  out += long(row) * dims;
  table += batch * columns;
  float sums[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  float most = -INFINITY;
  float total = 0;
  for (int s = int(simd); s < visible; s += int(simds)) {
    const long at = ((long(table[s / page]) * heads + shared_head) * page + s % page) * dims;
    float score = 0;
    for (int d = int(lane); d < dims; d += 32) {
      score += float(query[d]) * float(key_pages[at + d]);
    }
    score = simd_sum(score) * scale;
    const float before = most;
    most = max(most, score);
    const float shrink = precise::exp(before - most);
    const float weight = precise::exp(score - most);
    total = total * shrink + weight;
    for (int d = int(lane); d < dims; d += 32) {
      sums[d / 32] = sums[d / 32] * shrink + weight * float(value_pages[at + d]);
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
INSTANTIATE_FLOATS(paged_attention)
// END WRONG

// WRONG unequal-scales fn paged_attention: adds sums that were weighed against different largest scores
/// 2, a group a row: SIMD groups take keys in turn, their lanes the D elements; at the end their sums meet.
template <typename T>
[[kernel]] void paged_attention(
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
  const int shared_head = head / (query_heads / heads);
  const int keys = contexts[batch];
  const int visible = causal != 0 ? max(keys - (length - 1 - token), 0) : keys;
  query += long(row) * dims;
  out += long(row) * dims;
  table += batch * columns;
  float sums[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  float most = -INFINITY;
  float total = 0;
  for (int s = int(simd); s < visible; s += int(simds)) {
    const long at = ((long(table[s / page]) * heads + shared_head) * page + s % page) * dims;
    float score = 0;
    for (int d = int(lane); d < dims; d += 32) {
      score += float(query[d]) * float(key_pages[at + d]);
    }
    score = simd_sum(score) * scale;
    const float before = most;
    most = max(most, score);
    const float shrink = precise::exp(before - most);
    const float weight = precise::exp(score - most);
    total = total * shrink + weight;
    for (int d = int(lane); d < dims; d += 32) {
      sums[d / 32] = sums[d / 32] * shrink + weight * float(value_pages[at + d]);
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
      sum += totals[g] == 0 ? 0.0f : shared[g * dims + d];
    }
    out[d] = T(total == 0 ? 0.0f : sum / total);
  }
}
INSTANTIATE_FLOATS(paged_attention)
// END WRONG

// WRONG groups-of-heads fn paged_attention_naive: takes key heads in turn, not a group of query heads for each
/// 1, naive: one thread a row, one key after the other.
template <typename T>
[[kernel]] void paged_attention_naive(
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
  const int shared_head = head % heads;
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
INSTANTIATE_FLOATS(paged_attention_naive)
// END WRONG
