// Barriers, and how a lane takes part in an operation of its SIMD group.
#pragma once
#include "mh/abi.h"
#include "mh/math.hpp"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif
// The last lane computes for all, in slots that belong to the runtime: ThreadSanitizer would take that for races.
#if defined(__SANITIZE_THREAD__)
#define MH_UNSEEN __attribute__((no_sanitize("thread"), noinline))
#define MH_SLOT_ACCESS inline __attribute__((no_sanitize("thread")))
#else
#define MH_UNSEEN
#define MH_SLOT_ACCESS inline
#endif

// Where a kernel called: defaults of parameters are evaluated at the call.
#define MH_AT int mh_line = __builtin_LINE(), const char* mh_file = __builtin_FILE()
#define MH_SITE(what) mh_site mh_here{what, mh_file, mh_line}

namespace metal {
enum class mem_flags : uint32_t {
  mem_none = 0, mem_device = 1, mem_threadgroup = 2, mem_texture = 4, mem_threadgroup_imageblock = 8
};
constexpr mem_flags operator|(mem_flags a, mem_flags b) { return mem_flags(uint32_t(a) | uint32_t(b)); }
METAL_FUNC void threadgroup_barrier(mem_flags f, MH_AT) {
  MH_SITE("threadgroup_barrier");
  mh_group_barrier(uint32_t(f), &mh_here);
}
METAL_FUNC void simdgroup_barrier(mem_flags f, MH_AT) {
  MH_SITE("simdgroup_barrier");
  mh_simd_barrier(uint32_t(f), &mh_here);
}
}  // namespace metal

namespace mh {
template <class T> MH_SLOT_ACCESS T slot_read(const unsigned char* slots, int lane) {
  T t;
  __builtin_memcpy((void*)&t, slots + lane * MH_SLOT, sizeof(T));
  return t;
}
template <class T> MH_SLOT_ACCESS void slot_write(unsigned char* slots, int lane, const T& t) {
  __builtin_memcpy(slots + lane * MH_SLOT, (const void*)&t, sizeof(T));
}
// Hands `in` over, waits for the others, takes `out`.
METAL_FUNC void exchange(mh_combine fn, const mh_site* site, const void* in, uint32_t size, void* out, uint32_t size_out,
                         uint32_t aux) {
#if defined(__SANITIZE_THREAD__)
  mh_simd_op(fn, site, in, size, out, size_out, aux);
#else
  mh_thread* thread = mh_current;
  __builtin_memcpy(thread->in, in, size);
  *thread->aux = aux;
  mh_simd_sync(fn, site);
  __builtin_memcpy(out, thread->out, size_out);
#endif
}
template <class T> METAL_FUNC T collective(mh_combine fn, const mh_site* site, const T& x, uint32_t aux = 0) {
  static_assert(sizeof(T) <= MH_SLOT, "value too large for a SIMD-group operation");
  T result;
  exchange(fn, site, &x, sizeof(T), &result, sizeof(T), aux);
  return result;
}
}  // namespace mh
