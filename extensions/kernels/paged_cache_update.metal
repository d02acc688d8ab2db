// paged_cache_update on the GPU (task 3.3.6, optional): new keys or values go into the pages of one text. Dispatched by
// src/paged_cache_update.cpp: paged_write_naive with a thread a token of a head, paged_write with a thread an element; both
// change pages that have their values already, which copy_pages brings there when somebody else still reads the old ones.
//
// Pages are (P, H, page, D), row by row. Token t of the new ones is number start + t of the text and lies in slot (start + t)
// % page of page ids[(start + t) / page]; an id that is no page is passed over.
#include <metal_stdlib>
using namespace metal;

#define INSTANTIATE(function, dtype, T) \
  template [[host_name(#function "_" #dtype)]] [[kernel]] decltype(function<T>) function<T>;
#define INSTANTIATE_FLOATS(function)      \
  INSTANTIATE(function, float32, float)   \
  INSTANTIATE(function, float16, half)    \
  INSTANTIATE(function, bfloat16, bfloat)

/// The pages as they are, from any view: element (p, h, s, d) is at p * steps[0] + h * steps[1] + s * steps[2] + d * steps[3].
template <typename T>
[[kernel]] void copy_pages(
    device const T* pages [[buffer(0)]],
    device T* out [[buffer(1)]],
    constant int& heads [[buffer(2)]],
    constant int& page [[buffer(3)]],
    constant int& dims [[buffer(4)]],
    constant const long* steps [[buffer(5)]],
    uint3 at [[thread_position_in_grid]]) {
  const long element = long(at.z) * heads * page * dims + long(at.y) * dims + at.x;
  const long head = at.y / uint(page);
  const long slot = at.y % uint(page);
  out[element] = pages[long(at.z) * steps[0] + head * steps[1] + slot * steps[2] + long(at.x) * steps[3]];
}
INSTANTIATE_FLOATS(copy_pages)

// Buffers: values 0, ids 1, pages 2, heads 3 (H), length 4 (L), page 5, dims 6 (D), count 7 (P), start 8, steps 9. Element (h,
// t, d) of the values is at h * steps[1] + t * steps[2] + d * steps[3], number i of the ids at i * steps[4].

// Task 3.3.6: the kernel `paged_write_naive` goes here.

// Task 3.3.6: the kernel `paged_write` goes here.
