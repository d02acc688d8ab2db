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

// Task 2.4.5: the kernel `rope_naive` goes here.

// Task 2.4.5: the kernel `rope` goes here.
