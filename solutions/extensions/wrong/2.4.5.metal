// Wrong answers to task 2.4.5: the turns of all heads.

// WRONG no-tail fn rope: turns four heads where fewer are left
/// 2, four heads a thread: the angle and its sine and cosine are computed once for four heads.
template <typename T>
[[kernel]] void rope(
    device const T* x [[buffer(0)]],
    device const int* offsets [[buffer(1)]],
    device T* out [[buffer(2)]],
    constant const ulong* turns [[buffer(3)]],
    constant int& length [[buffer(4)]],
    constant int& heads [[buffer(5)]],
    constant int& width [[buffer(6)]],
    constant int& dims [[buffer(7)]],
    constant int& traditional [[buffer(8)]],
    uint3 at [[thread_position_in_grid]]) {
  const int pair = int(at.x);
  const int pairs = dims / 2;
  const int from = int(at.y) * 4;
  const int to = from + 4;
  const long token = long(at.z) * heads * width;
  if (pair >= pairs) {
    for (int head = from; head < to; head++) {
      const long i = token + long(head) * width + pairs + pair;
      out[i] = x[i];
    }
    return;
  }
  const int position = offsets[int(at.z) / length] + int(at.z) % length;
  const uint share = uint((ulong(position) * turns[pair]) >> 32);
  const float angle = float(share) * (2.0f * M_PI_F / 4294967296.0f);
  const float c = precise::cos(angle);
  const float s = precise::sin(angle);
  for (int head = from; head < to; head++) {
    const long first = token + long(head) * width + (traditional != 0 ? 2 * pair : pair);
    const long second = first + (traditional != 0 ? 1 : pairs);
    const float a = float(x[first]);
    const float b = float(x[second]);
    out[first] = T(a * c - b * s);
    out[second] = T(a * s + b * c);
  }
}
INSTANTIATE_FLOATS(rope)
// END WRONG

// WRONG one-offset fn rope: gives every row of the batch the first offset
/// 2, four heads a thread: the angle and its sine and cosine are computed once for four heads.
template <typename T>
[[kernel]] void rope(
    device const T* x [[buffer(0)]],
    device const int* offsets [[buffer(1)]],
    device T* out [[buffer(2)]],
    constant const ulong* turns [[buffer(3)]],
    constant int& length [[buffer(4)]],
    constant int& heads [[buffer(5)]],
    constant int& width [[buffer(6)]],
    constant int& dims [[buffer(7)]],
    constant int& traditional [[buffer(8)]],
    uint3 at [[thread_position_in_grid]]) {
  const int pair = int(at.x);
  const int pairs = dims / 2;
  const int from = int(at.y) * 4;
  const int to = min(from + 4, heads);
  const long token = long(at.z) * heads * width;
  if (pair >= pairs) {
    for (int head = from; head < to; head++) {
      const long i = token + long(head) * width + pairs + pair;
      out[i] = x[i];
    }
    return;
  }
  const int position = offsets[0] + int(at.z) % length;
  const uint share = uint((ulong(position) * turns[pair]) >> 32);
  const float angle = float(share) * (2.0f * M_PI_F / 4294967296.0f);
  const float c = precise::cos(angle);
  const float s = precise::sin(angle);
  for (int head = from; head < to; head++) {
    const long first = token + long(head) * width + (traditional != 0 ? 2 * pair : pair);
    const long second = first + (traditional != 0 ? 1 : pairs);
    const float a = float(x[first]);
    const float b = float(x[second]);
    out[first] = T(a * c - b * s);
    out[second] = T(a * s + b * c);
  }
}
INSTANTIATE_FLOATS(rope)
// END WRONG

// WRONG swapped-layouts fn rope: turns halves where neighbours are asked for
/// 2, four heads a thread: the angle and its sine and cosine are computed once for four heads.
template <typename T>
[[kernel]] void rope(
    device const T* x [[buffer(0)]],
    device const int* offsets [[buffer(1)]],
    device T* out [[buffer(2)]],
    constant const ulong* turns [[buffer(3)]],
    constant int& length [[buffer(4)]],
    constant int& heads [[buffer(5)]],
    constant int& width [[buffer(6)]],
    constant int& dims [[buffer(7)]],
    constant int& traditional [[buffer(8)]],
    uint3 at [[thread_position_in_grid]]) {
  const int pair = int(at.x);
  const int pairs = dims / 2;
  const int from = int(at.y) * 4;
  const int to = min(from + 4, heads);
  const long token = long(at.z) * heads * width;
  if (pair >= pairs) {
    for (int head = from; head < to; head++) {
      const long i = token + long(head) * width + pairs + pair;
      out[i] = x[i];
    }
    return;
  }
  const int position = offsets[int(at.z) / length] + int(at.z) % length;
  const uint share = uint((ulong(position) * turns[pair]) >> 32);
  const float angle = float(share) * (2.0f * M_PI_F / 4294967296.0f);
  const float c = precise::cos(angle);
  const float s = precise::sin(angle);
  for (int head = from; head < to; head++) {
    const long first = token + long(head) * width + (traditional == 0 ? 2 * pair : pair);
    const long second = first + (traditional == 0 ? 1 : pairs);
    const float a = float(x[first]);
    const float b = float(x[second]);
    out[first] = T(a * c - b * s);
    out[second] = T(a * s + b * c);
  }
}
INSTANTIATE_FLOATS(rope)
// END WRONG

// WRONG rest-left-out fn rope: leaves the elements behind dims unwritten
/// 2, four heads a thread: the angle and its sine and cosine are computed once for four heads.
template <typename T>
[[kernel]] void rope(
    device const T* x [[buffer(0)]],
    device const int* offsets [[buffer(1)]],
    device T* out [[buffer(2)]],
    constant const ulong* turns [[buffer(3)]],
    constant int& length [[buffer(4)]],
    constant int& heads [[buffer(5)]],
    constant int& width [[buffer(6)]],
    constant int& dims [[buffer(7)]],
    constant int& traditional [[buffer(8)]],
    uint3 at [[thread_position_in_grid]]) {
  const int pair = int(at.x);
  const int pairs = dims / 2;
  const int from = int(at.y) * 4;
  const int to = min(from + 4, heads);
  const long token = long(at.z) * heads * width;
  if (pair >= pairs) {
    for (int head = from; head < to; head++) {
      const long i = token + long(head) * width + pairs + pair;
    }
    return;
  }
  const int position = offsets[int(at.z) / length] + int(at.z) % length;
  const uint share = uint((ulong(position) * turns[pair]) >> 32);
  const float angle = float(share) * (2.0f * M_PI_F / 4294967296.0f);
  const float c = precise::cos(angle);
  const float s = precise::sin(angle);
  for (int head = from; head < to; head++) {
    const long first = token + long(head) * width + (traditional != 0 ? 2 * pair : pair);
    const long second = first + (traditional != 0 ? 1 : pairs);
    const float a = float(x[first]);
    const float b = float(x[second]);
    out[first] = T(a * c - b * s);
    out[second] = T(a * s + b * c);
  }
}
INSTANTIATE_FLOATS(rope)
// END WRONG

// WRONG angle-in-f32 fn rope: multiplies position and frequency in f32, so that far positions lose their angle
/// 2, four heads a thread: the angle and its sine and cosine are computed once for four heads.
template <typename T>
[[kernel]] void rope(
    device const T* x [[buffer(0)]],
    device const int* offsets [[buffer(1)]],
    device T* out [[buffer(2)]],
    constant const ulong* turns [[buffer(3)]],
    constant int& length [[buffer(4)]],
    constant int& heads [[buffer(5)]],
    constant int& width [[buffer(6)]],
    constant int& dims [[buffer(7)]],
    constant int& traditional [[buffer(8)]],
    uint3 at [[thread_position_in_grid]]) {
  const int pair = int(at.x);
  const int pairs = dims / 2;
  const int from = int(at.y) * 4;
  const int to = min(from + 4, heads);
  const long token = long(at.z) * heads * width;
  if (pair >= pairs) {
    for (int head = from; head < to; head++) {
      const long i = token + long(head) * width + pairs + pair;
      out[i] = x[i];
    }
    return;
  }
  const int position = offsets[int(at.z) / length] + int(at.z) % length;
  const float frequency = float(turns[pair]) / 4294967296.0f / 4294967296.0f * (2.0f * M_PI_F);
  const float angle = float(position) * frequency;
  const float c = precise::cos(angle);
  const float s = precise::sin(angle);
  for (int head = from; head < to; head++) {
    const long first = token + long(head) * width + (traditional != 0 ? 2 * pair : pair);
    const long second = first + (traditional != 0 ? 1 : pairs);
    const float a = float(x[first]);
    const float b = float(x[second]);
    out[first] = T(a * c - b * s);
    out[second] = T(a * s + b * c);
  }
}
INSTANTIATE_FLOATS(rope)
// END WRONG

// WRONG turned-back fn rope_naive: turns the other way
/// 1, naive: one thread a pair of a head.
template <typename T>
[[kernel]] void rope_naive(
    device const T* x [[buffer(0)]],
    device const int* offsets [[buffer(1)]],
    device T* out [[buffer(2)]],
    constant const ulong* turns [[buffer(3)]],
    constant int& length [[buffer(4)]],
    constant int& heads [[buffer(5)]],
    constant int& width [[buffer(6)]],
    constant int& dims [[buffer(7)]],
    constant int& traditional [[buffer(8)]],
    uint3 at [[thread_position_in_grid]]) {
  const int pair = int(at.x);
  const int pairs = dims / 2;
  const long head = (long(at.z) * heads + long(at.y)) * width;
  if (pair >= pairs) {
    out[head + pairs + pair] = x[head + pairs + pair];
    return;
  }
  const int position = offsets[int(at.z) / length] + int(at.z) % length;
  const uint share = uint((ulong(position) * turns[pair]) >> 32);
  const float angle = float(share) * (2.0f * M_PI_F / 4294967296.0f);
  const float c = precise::cos(angle);
  const float s = precise::sin(angle);
  const long first = head + (traditional != 0 ? 2 * pair : pair);
  const long second = first + (traditional != 0 ? 1 : pairs);
  const float a = float(x[first]);
  const float b = float(x[second]);
  out[first] = T(a * c + b * s);
  out[second] = T(b * c - a * s);
}
INSTANTIATE_FLOATS(rope_naive)
// END WRONG

// WRONG own-result fn rope_naive: reads the pair from the result
/// 1, naive: one thread a pair of a head.
template <typename T>
[[kernel]] void rope_naive(
    device const T* x [[buffer(0)]],
    device const int* offsets [[buffer(1)]],
    device T* out [[buffer(2)]],
    constant const ulong* turns [[buffer(3)]],
    constant int& length [[buffer(4)]],
    constant int& heads [[buffer(5)]],
    constant int& width [[buffer(6)]],
    constant int& dims [[buffer(7)]],
    constant int& traditional [[buffer(8)]],
    uint3 at [[thread_position_in_grid]]) {
  const int pair = int(at.x);
  const int pairs = dims / 2;
  const long head = (long(at.z) * heads + long(at.y)) * width;
  if (pair >= pairs) {
    out[head + pairs + pair] = x[head + pairs + pair];
    return;
  }
  const int position = offsets[int(at.z) / length] + int(at.z) % length;
  const uint share = uint((ulong(position) * turns[pair]) >> 32);
  const float angle = float(share) * (2.0f * M_PI_F / 4294967296.0f);
  const float c = precise::cos(angle);
  const float s = precise::sin(angle);
  const long first = head + (traditional != 0 ? 2 * pair : pair);
  const long second = first + (traditional != 0 ? 1 : pairs);
  const float a = float(out[first]);
  const float b = float(x[second]);
  out[first] = T(a * c - b * s);
  out[second] = T(a * s + b * c);
}
INSTANTIATE_FLOATS(rope_naive)
// END WRONG
