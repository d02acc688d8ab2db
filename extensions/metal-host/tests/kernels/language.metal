// More of the language, as kernels are written by people: spaces, casts, tables, structures, loops.
#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

#define TILE 8
#define SQUARE(x) ((x) * (x))

constant float table[4] = {1.0, 2.0f, .5, 1e1};
constant constexpr int COUNT = 4;
static constant const uint MASKS[2] = {0x0fu, 0xf0u};
typedef float scalar_t;
using row = float4;

namespace helpers {
inline float twice(float x) { return 2 * x; }
template <typename T> struct Pair { T a, b; T sum() const { return a + b; } };
}  // namespace helpers

namespace deep {
namespace inner {
inline float plus(float a, float b) { return a + b; }
kernel void l_scoped(device float* o [[buffer(0)]]) { o[0] = plus(1, 2); }
template <typename T> [[kernel]] void l_scoped_template(device T* o [[buffer(0)]]) { o[0] = T(plus(2, 2)); }
template [[host_name("l_scoped_half")]] [[kernel]] decltype(l_scoped_template<half>) l_scoped_template<half>;
}  // namespace inner
}  // namespace deep

struct Sizes { int rows; int columns; float scale; uchar flags[4]; };
struct Cell { float value; half2 pair; };

template <typename T> struct Name { static constexpr constant int id = 0; };
template <> struct Name<half> { static constexpr constant int id = 16; };
template <> struct Name<bfloat> { static constexpr constant int id = 17; };

static float read(device const float* p, int i) { return p[i]; }
static float read(threadgroup const float* p, int i) { return p[i]; }
static void bump(thread float& x, float by = 1) { x += by; }
static void fill(threadgroup float* to, uint n, uint t, uint threads) {
  for (uint i = t; i < n; i += threads) { to[i] = float(i); }
}
template <typename T, int N> inline void scale_all(thread T (&v)[N], T by) {
#pragma unroll
  for (int i = 0; i < N; ++i) v[i] *= by;
}

kernel void l_values(
    const device float *x [[ buffer(0) ]],
    device float       *o [[ buffer(1) ]],
    constant Sizes     &s [[ buffer(2) ]],
    device const uint8_t* bytes [[buffer(3)]])
{
  int n = 0;
  float4 a = {x[0], x[1], x[2], x[3]};
  row b = float4(x[0]) * 2 - 1;
  o[n++] = a.x + b.w + table[2] + COUNT;                                  // 1 + 1 + .5 + 4
  o[n++] = dot(a, b) + length(float2(3, 4)) + helpers::twice(1.5);        // 10 + 5 + 3
  o[n++] = float(s.rows * s.columns) * s.scale + s.flags[1];              // 6 * .5 + 7
  device const float4* x4 = reinterpret_cast<device const float4*>(x);
  o[n++] = x4[1].y;                                                       // 6
  const device float2 *x2 = (const device float2 *)x;
  o[n++] = x2[3].x + (*(device const float2*)&x[2]).y;                    // 7 + 4
  float arr[3] = {1, 2, 3};
  scale_all(arr, 2.0f);
  thread float* p = arr + 1;
  bump(*p);
  bump(arr[0], .25);
  o[n++] = arr[0] + p[0] + arr[2];                                        // 2.25 + 5 + 6
  o[n++] = Name<half>::id + Name<bfloat>::id + Name<float>::id;           // 33
  helpers::Pair<half> pair{half(1.5h), 2.h};
  o[n++] = float(pair.sum());                                             // 3.5
  uint packed = uint(bytes[0]) | uint(bytes[1]) << 8;
  o[n++] = float((packed & MASKS[0]) + ((packed & MASKS[1]) >> 4) + extract_bits(packed, 8, 4));  // 1 + 2 + 3
  half4 h = half4(a) * half(0.5);
  o[n++] = float(h.w) + float(as_type<ushort>(half(1.0)) == 0x3c00);      // 2 + 1
  bfloat z = bfloat(1.0f) / bfloat(3.0f);
  o[n++] = float(z);                                                      // 0.333984375
  bool4 mask = a > 2.0f;
  o[n++] = select(0.0f, 1.0f, mask.z) + float(any(mask)) + float(all(mask)) + select(a, b, mask).w;  // 1 + 1 + 0 + 1
  float4 c = max(a, 2.5f);
  c.zw = c.xy + 1;
  c.x *= 2;
  c[1]++;
  o[n++] = c.x + c.y * 10 + c.z * 100 + c.w * 1000;                       // 5 + 35 + 350 + 3500
  int k = 7;
  do { k -= 2; } while (k > 2);
  o[n++] = k % 3 + (k << 3) + SQUARE(k + 1) + (k > 0 ? 1 : -1) + abs(-k);  // 1 + 8 + 4 + 1 + 1
  uint3 u = uint3(1, 2, 3) + 1u;
  o[n++] = float(u.x * 100 + u.y * 10 + u.z) + popcount(255u) + clz(1u);   // 234 + 8 + 31
  o[n++] = clamp(-1.0f, 0.0f, 1.0f) + saturate(3.0f) + sign(-2.0f) + mix(1.0f, 3.0f, 0.25f) + fract(2.25f);  // 0 + 1 - 1 + 1.5 + .25
  o[n++] = isinf(-INFINITY) + isnan(NAN) + float(numeric_limits<float>::max() > 1e30f);  // 3
  Cell cell = {1.5f, half2(1, 2)};
  o[n++] = cell.value + float(cell.pair.y);                                // 3.5
  o[n++] = powr(2.0f, 3.0f) + exp2(3.0f) + rsqrt(4.0f) + metal::precise::log2(8.0f) + fast::cos(0.0f);  // 8 + 8 + .5 + 3 + 1
  int8_t negative = int8_t(-3);
  o[n++] = negative + char(2) + short(1) + float(long(1) << 33 != 0);      // -3 + 2 + 1 + 1
  switch (s.rows) { case 1: o[n++] = -1; break; case 2: { o[n++] = 22; } break; default: o[n++] = 0; }
  o[n++] = deep::inner::plus(a.x, 1);                                      // 2
}

[[kernel]] void l_group(
    device float* o [[buffer(0)]],
    device const float* x [[buffer(1)]],
    threadgroup float4* rows [[threadgroup(1)]],
    threadgroup float* extra [[threadgroup(0)]],
    uint2 t [[thread_position_in_threadgroup]],
    uint2 g [[threadgroup_position_in_grid]],
    uint2 n [[threads_per_threadgroup]],
    uint lin [[thread_index_in_threadgroup]],
    uint lane [[thread_index_in_simdgroup]])
{
  threadgroup float tile[TILE][TILE + 1];
  threadgroup float4 quads[TILE];
  threadgroup uint counter[1];
  threadgroup float* flat = &tile[0][0];
  threadgroup float4* aliased = (threadgroup float4*)extra;
  fill(extra, 64, lin, 64);
  if (lin == 0) counter[0] = 0;
  tile[t.y][t.x] = x[t.y * n.x + t.x];
  if (t.y == 0) { quads[t.x] = float4(t.x); rows[t.x] = float4(t.x, 1, 2, 3); }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_fetch_add_explicit((threadgroup atomic_uint*)counter, 1u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float turned = tile[t.x][t.y];
  simdgroup_float8x8 m, identity(1.0f), product;
  simdgroup_load(m, flat, TILE + 1);
  simdgroup_multiply(product, m, identity);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lin < 32) simdgroup_store(product, flat, TILE + 1, ulong2(0), true);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint2 v = simd_shuffle_xor(uint2(lane, lane + 1), 1);
  o[(g.y * 2 + g.x) * 64 + lin] = turned + tile[t.y][t.x] * 1000 + counter[0] + quads[t.x].z + rows[t.y].x + aliased[2].y + read(extra, 3) + read(x, 1) + float(v.y - v.x);
}
