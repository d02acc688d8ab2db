// rope on the GPU (task 2.4.5, optional): turns the pairs of every head by the token's position. Dispatched by src/rope.cpp.
//
// x and out are (B, L, H, D). Along the grid's x are the dims/2 pairs that turn, then the D - dims elements behind them,
// which are copied; along y the heads, or every fourth of them; along z the tokens, B * L.
// Buffers: x 0, offsets 1, out 2, turns 3, length 4 (L), heads 5 (H), width 6 (D), dims 7, traditional 8.
//
// turns[i] is the share of a whole turn that pair i makes at each position, as a fraction of 2^64. Its product with a
// position drops whole turns, so that the angle of a far position is as good as that of a near one.
#include <metal_stdlib>
using namespace metal;

#define INSTANTIATE(function, dtype, T) \
  template [[host_name(#function "_" #dtype)]] [[kernel]] decltype(function<T>) function<T>;
#define INSTANTIATE_FLOATS(function)      \
  INSTANTIATE(function, float32, float)   \
  INSTANTIATE(function, float16, half)    \
  INSTANTIATE(function, bfloat16, bfloat)

// SOLUTION 2.4.5
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
  out[first] = T(a * c - b * s);
  out[second] = T(a * s + b * c);
}
INSTANTIATE_FLOATS(rope_naive)
// END SOLUTION

// SOLUTION 2.4.5
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
    const long first = token + long(head) * width + (traditional != 0 ? 2 * pair : pair);
    const long second = first + (traditional != 0 ? 1 : pairs);
    const float a = float(x[first]);
    const float b = float(x[second]);
    out[first] = T(a * c - b * s);
    out[second] = T(a * s + b * c);
  }
}
INSTANTIATE_FLOATS(rope)
// END SOLUTION
