// Wrong answers to task 2.4.4: the root mean square of a row.

// WRONG no-barrier fn rms_norm: reads the sums of the other SIMD groups before they are written
/// 2, a group a row: SIMD groups add their squares, and all threads add the sums of the SIMD groups.
template <typename T>
[[kernel]] void rms_norm(
    device const T* x [[buffer(0)]],
    device const T* weight [[buffer(1)]],
    device T* out [[buffer(2)]],
    constant int& width [[buffer(3)]],
    constant float& eps [[buffer(4)]],
    uint row [[threadgroup_position_in_grid]],
    uint thread_at [[thread_position_in_threadgroup]],
    uint threads [[threads_per_threadgroup]],
    uint lane [[thread_index_in_simdgroup]],
    uint simd [[simdgroup_index_in_threadgroup]],
    uint simds [[simdgroups_per_threadgroup]]) {
  threadgroup float parts[32];
  x += long(row) * width;
  out += long(row) * width;
  float squares = 0;
  for (int i = int(thread_at); i < width; i += int(threads)) {
    squares += float(x[i]) * float(x[i]);
  }
  squares = simd_sum(squares);
  if (lane == 0) {
    parts[simd] = squares;
  }
  const float total = simd_sum(lane < simds ? parts[lane] : 0.0f);
  const float factor = rsqrt(total / float(width) + eps);
  for (int i = int(thread_at); i < width; i += int(threads)) {
    out[i] = T(float(x[i]) * factor * float(weight[i]));
  }
}
INSTANTIATE_FLOATS(rms_norm)
// END WRONG

// WRONG weak-barrier fn rms_norm: waits for the own SIMD group alone
/// 2, a group a row: SIMD groups add their squares, and all threads add the sums of the SIMD groups.
template <typename T>
[[kernel]] void rms_norm(
    device const T* x [[buffer(0)]],
    device const T* weight [[buffer(1)]],
    device T* out [[buffer(2)]],
    constant int& width [[buffer(3)]],
    constant float& eps [[buffer(4)]],
    uint row [[threadgroup_position_in_grid]],
    uint thread_at [[thread_position_in_threadgroup]],
    uint threads [[threads_per_threadgroup]],
    uint lane [[thread_index_in_simdgroup]],
    uint simd [[simdgroup_index_in_threadgroup]],
    uint simds [[simdgroups_per_threadgroup]]) {
  threadgroup float parts[32];
  x += long(row) * width;
  out += long(row) * width;
  float squares = 0;
  for (int i = int(thread_at); i < width; i += int(threads)) {
    squares += float(x[i]) * float(x[i]);
  }
  squares = simd_sum(squares);
  if (lane == 0) {
    parts[simd] = squares;
  }
  simdgroup_barrier(mem_flags::mem_threadgroup);
  const float total = simd_sum(lane < simds ? parts[lane] : 0.0f);
  const float factor = rsqrt(total / float(width) + eps);
  for (int i = int(thread_at); i < width; i += int(threads)) {
    out[i] = T(float(x[i]) * factor * float(weight[i]));
  }
}
INSTANTIATE_FLOATS(rms_norm)
// END WRONG

// WRONG parts-of-nobody fn rms_norm: adds 32 parts, also those that no SIMD group has written
/// 2, a group a row: SIMD groups add their squares, and all threads add the sums of the SIMD groups.
template <typename T>
[[kernel]] void rms_norm(
    device const T* x [[buffer(0)]],
    device const T* weight [[buffer(1)]],
    device T* out [[buffer(2)]],
    constant int& width [[buffer(3)]],
    constant float& eps [[buffer(4)]],
    uint row [[threadgroup_position_in_grid]],
    uint thread_at [[thread_position_in_threadgroup]],
    uint threads [[threads_per_threadgroup]],
    uint lane [[thread_index_in_simdgroup]],
    uint simd [[simdgroup_index_in_threadgroup]],
    uint simds [[simdgroups_per_threadgroup]]) {
  threadgroup float parts[32];
  x += long(row) * width;
  out += long(row) * width;
  float squares = 0;
  for (int i = int(thread_at); i < width; i += int(threads)) {
    squares += float(x[i]) * float(x[i]);
  }
  squares = simd_sum(squares);
  if (lane == 0) {
    parts[simd] = squares;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float total = simd_sum(parts[lane]);
  const float factor = rsqrt(total / float(width) + eps);
  for (int i = int(thread_at); i < width; i += int(threads)) {
    out[i] = T(float(x[i]) * factor * float(weight[i]));
  }
}
INSTANTIATE_FLOATS(rms_norm)
// END WRONG

// WRONG own-simd-group fn rms_norm: takes the sum of the own SIMD group for that of the row
/// 2, a group a row: SIMD groups add their squares, and all threads add the sums of the SIMD groups.
template <typename T>
[[kernel]] void rms_norm(
    device const T* x [[buffer(0)]],
    device const T* weight [[buffer(1)]],
    device T* out [[buffer(2)]],
    constant int& width [[buffer(3)]],
    constant float& eps [[buffer(4)]],
    uint row [[threadgroup_position_in_grid]],
    uint thread_at [[thread_position_in_threadgroup]],
    uint threads [[threads_per_threadgroup]],
    uint lane [[thread_index_in_simdgroup]],
    uint simd [[simdgroup_index_in_threadgroup]],
    uint simds [[simdgroups_per_threadgroup]]) {
  threadgroup float parts[32];
  x += long(row) * width;
  out += long(row) * width;
  float squares = 0;
  for (int i = int(thread_at); i < width; i += int(threads)) {
    squares += float(x[i]) * float(x[i]);
  }
  squares = simd_sum(squares);
  if (lane == 0) {
    parts[simd] = squares;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float total = squares;
  const float factor = rsqrt(total / float(width) + eps);
  for (int i = int(thread_at); i < width; i += int(threads)) {
    out[i] = T(float(x[i]) * factor * float(weight[i]));
  }
}
INSTANTIATE_FLOATS(rms_norm)
// END WRONG

// WRONG eps-outside fn rms_norm: adds eps to the root
/// 2, a group a row: SIMD groups add their squares, and all threads add the sums of the SIMD groups.
template <typename T>
[[kernel]] void rms_norm(
    device const T* x [[buffer(0)]],
    device const T* weight [[buffer(1)]],
    device T* out [[buffer(2)]],
    constant int& width [[buffer(3)]],
    constant float& eps [[buffer(4)]],
    uint row [[threadgroup_position_in_grid]],
    uint thread_at [[thread_position_in_threadgroup]],
    uint threads [[threads_per_threadgroup]],
    uint lane [[thread_index_in_simdgroup]],
    uint simd [[simdgroup_index_in_threadgroup]],
    uint simds [[simdgroups_per_threadgroup]]) {
  threadgroup float parts[32];
  x += long(row) * width;
  out += long(row) * width;
  float squares = 0;
  for (int i = int(thread_at); i < width; i += int(threads)) {
    squares += float(x[i]) * float(x[i]);
  }
  squares = simd_sum(squares);
  if (lane == 0) {
    parts[simd] = squares;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float total = simd_sum(lane < simds ? parts[lane] : 0.0f);
  const float factor = 1.0f / (sqrt(total / float(width)) + eps);
  for (int i = int(thread_at); i < width; i += int(threads)) {
    out[i] = T(float(x[i]) * factor * float(weight[i]));
  }
}
INSTANTIATE_FLOATS(rms_norm)
// END WRONG

// WRONG sum-not-mean fn rms_norm_naive: divides by the root of the sum
/// 1, naive: one thread computes a row.
template <typename T>
[[kernel]] void rms_norm_naive(
    device const T* x [[buffer(0)]],
    device const T* weight [[buffer(1)]],
    device T* out [[buffer(2)]],
    constant int& width [[buffer(3)]],
    constant float& eps [[buffer(4)]],
    uint row [[thread_position_in_grid]]) {
  x += long(row) * width;
  out += long(row) * width;
  float squares = 0;
  for (int i = 0; i < width; i++) {
    squares += float(x[i]) * float(x[i]);
  }
  const float factor = rsqrt(squares + eps);
  for (int i = 0; i < width; i++) {
    out[i] = T(float(x[i]) * factor * float(weight[i]));
  }
}
INSTANTIATE_FLOATS(rms_norm_naive)
// END WRONG

// WRONG swapped-buffers fn rms_norm: takes the weight for x
/// 2, a group a row: SIMD groups add their squares, and all threads add the sums of the SIMD groups.
template <typename T>
[[kernel]] void rms_norm(
    device const T* x [[buffer(1)]],
    device const T* weight [[buffer(0)]],
    device T* out [[buffer(2)]],
    constant int& width [[buffer(3)]],
    constant float& eps [[buffer(4)]],
    uint row [[threadgroup_position_in_grid]],
    uint thread_at [[thread_position_in_threadgroup]],
    uint threads [[threads_per_threadgroup]],
    uint lane [[thread_index_in_simdgroup]],
    uint simd [[simdgroup_index_in_threadgroup]],
    uint simds [[simdgroups_per_threadgroup]]) {
  threadgroup float parts[32];
  x += long(row) * width;
  out += long(row) * width;
  float squares = 0;
  for (int i = int(thread_at); i < width; i += int(threads)) {
    squares += float(x[i]) * float(x[i]);
  }
  squares = simd_sum(squares);
  if (lane == 0) {
    parts[simd] = squares;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float total = simd_sum(lane < simds ? parts[lane] : 0.0f);
  const float factor = rsqrt(total / float(width) + eps);
  for (int i = int(thread_at); i < width; i += int(threads)) {
    out[i] = T(float(x[i]) * factor * float(weight[i]));
  }
}
INSTANTIATE_FLOATS(rms_norm)
// END WRONG
