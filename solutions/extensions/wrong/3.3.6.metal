// Wrong answers to task 3.3.6: tokens into pages.

// WRONG from-slot-zero fn paged_write: begins at the first slot of the first page, whatever the start is
/// 2, a thread an element, D along x: neighbours write neighbours.
template <typename T>
[[kernel]] void paged_write(
    device const T* values [[buffer(0)]],
    device const int* ids [[buffer(1)]],
    device T* pages [[buffer(2)]],
    constant int& heads [[buffer(3)]],
    constant int& length [[buffer(4)]],
    constant int& page [[buffer(5)]],
    constant int& dims [[buffer(6)]],
    constant int& count [[buffer(7)]],
    constant int& start [[buffer(8)]],
    constant const long* steps [[buffer(9)]],
    uint3 at [[thread_position_in_grid]]) {
  const int place = int(at.y);
  const int id = ids[(place / page) * steps[4]];
  if (id < 0 || id >= count) {
    return;
  }
  const T value = values[long(at.z) * steps[1] + long(at.y) * steps[2] + long(at.x) * steps[3]];
  pages[((long(id) * heads + at.z) * page + place % page) * dims + at.x] = value;
}
INSTANTIATE_FLOATS(paged_write)
// END WRONG

// WRONG slot-of-the-token fn paged_write: takes the page from the place in the text, the slot from the number of the new token
/// 2, a thread an element, D along x: neighbours write neighbours.
template <typename T>
[[kernel]] void paged_write(
    device const T* values [[buffer(0)]],
    device const int* ids [[buffer(1)]],
    device T* pages [[buffer(2)]],
    constant int& heads [[buffer(3)]],
    constant int& length [[buffer(4)]],
    constant int& page [[buffer(5)]],
    constant int& dims [[buffer(6)]],
    constant int& count [[buffer(7)]],
    constant int& start [[buffer(8)]],
    constant const long* steps [[buffer(9)]],
    uint3 at [[thread_position_in_grid]]) {
  const int place = start + int(at.y);
  const int id = ids[(place / page) * steps[4]];
  if (id < 0 || id >= count) {
    return;
  }
  const T value = values[long(at.z) * steps[1] + long(at.y) * steps[2] + long(at.x) * steps[3]];
  pages[((long(id) * heads + at.z) * page + int(at.y) % page) * dims + at.x] = value;
}
INSTANTIATE_FLOATS(paged_write)
// END WRONG

// WRONG tokens-before-heads fn paged_write: lays a page out as (page, H, D)
/// 2, a thread an element, D along x: neighbours write neighbours.
template <typename T>
[[kernel]] void paged_write(
    device const T* values [[buffer(0)]],
    device const int* ids [[buffer(1)]],
    device T* pages [[buffer(2)]],
    constant int& heads [[buffer(3)]],
    constant int& length [[buffer(4)]],
    constant int& page [[buffer(5)]],
    constant int& dims [[buffer(6)]],
    constant int& count [[buffer(7)]],
    constant int& start [[buffer(8)]],
    constant const long* steps [[buffer(9)]],
    uint3 at [[thread_position_in_grid]]) {
  const int place = start + int(at.y);
  const int id = ids[(place / page) * steps[4]];
  if (id < 0 || id >= count) {
    return;
  }
  const T value = values[long(at.z) * steps[1] + long(at.y) * steps[2] + long(at.x) * steps[3]];
  pages[((long(id) * page + place % page) * heads + at.z) * dims + at.x] = value;
}
INSTANTIATE_FLOATS(paged_write)
// END WRONG

// WRONG dense-values fn paged_write: reads the values row by row, though they may be a view
/// 2, a thread an element, D along x: neighbours write neighbours.
template <typename T>
[[kernel]] void paged_write(
    device const T* values [[buffer(0)]],
    device const int* ids [[buffer(1)]],
    device T* pages [[buffer(2)]],
    constant int& heads [[buffer(3)]],
    constant int& length [[buffer(4)]],
    constant int& page [[buffer(5)]],
    constant int& dims [[buffer(6)]],
    constant int& count [[buffer(7)]],
    constant int& start [[buffer(8)]],
    constant const long* steps [[buffer(9)]],
    uint3 at [[thread_position_in_grid]]) {
  const int place = start + int(at.y);
  const int id = ids[(place / page) * steps[4]];
  if (id < 0 || id >= count) {
    return;
  }
  const T value = values[(long(at.z) * length + at.y) * dims + at.x];
  pages[((long(id) * heads + at.z) * page + place % page) * dims + at.x] = value;
}
INSTANTIATE_FLOATS(paged_write)
// END WRONG

// WRONG first-page-only fn paged_write_naive: writes all tokens into the first page
/// 1, naive: one thread a token of a head, tokens along x, heads along y.
template <typename T>
[[kernel]] void paged_write_naive(
    device const T* values [[buffer(0)]],
    device const int* ids [[buffer(1)]],
    device T* pages [[buffer(2)]],
    constant int& heads [[buffer(3)]],
    constant int& length [[buffer(4)]],
    constant int& page [[buffer(5)]],
    constant int& dims [[buffer(6)]],
    constant int& count [[buffer(7)]],
    constant int& start [[buffer(8)]],
    constant const long* steps [[buffer(9)]],
    uint2 at [[thread_position_in_grid]]) {
  const int place = start + int(at.x);
  const int id = ids[0];
  if (id < 0 || id >= count) {
    return;
  }
  values += long(at.y) * steps[1] + long(at.x) * steps[2];
  pages += ((long(id) * heads + at.y) * page + place % page) * dims;
  for (int d = 0; d < dims; d++) {
    pages[d] = values[d * steps[3]];
  }
}
INSTANTIATE_FLOATS(paged_write_naive)
// END WRONG
