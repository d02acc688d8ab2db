// What kernels call: operations of a SIMD group, barriers, threadgroup variables, function constants.
#include "worker.h"

namespace {
// No memcpy: a sanitizer's interceptor would count the slots as memory of the kernel.
inline void copy(unsigned char* to, const unsigned char* from, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    to[i] = from[i];
    asm volatile("");  // keeps the compiler from making it one
  }
}

struct ConstantValue {
  uint32_t index;
  std::string name;
  uint64_t bits;
};
std::vector<ConstantValue> constants;
}  // namespace

extern "C" {
void mh_simd_sync(mh_combine combine, const mh_site* site) {
  Thread* t = (Thread*)mh_current;
  Simd* s = t->group_of_lanes;
  Worker* w = t->worker;
  t->waits_at = site;
  t->combine = combine;
  if (!s->in_operation) s->first = t;
  else if (s->first->combine != combine || s->first->waits_at->line != site->line) s->uniform = false;
  s->in_operation |= bit((int)t->lane);
  if (s->in_operation == s->live && s->uniform) {
    complete(w, s, s->in_operation, combine);
    s->ready &= ~bit((int)t->lane);
    return;
  }
  const bool straight = !(w->flags & (MH_RANDOM | MH_REVERSE | MH_INTERLEAVE));
  if (s->ready && straight) {  // the usual case: another lane of this SIMD group can go on
    Thread* next = s->lanes + lowest(s->ready);
    s->ready &= s->ready - 1;
    switch_to(w, next->fiber);
    return;
  }
  block(w, t);
}

void mh_simd_op(mh_combine combine, const mh_site* site, const void* in, uint32_t size, void* out, uint32_t size_out,
                uint32_t aux) {
  Thread* t = (Thread*)mh_current;
  copy(t->in, (const unsigned char*)in, size);
  *t->aux = aux;
  mh_simd_sync(combine, site);
  copy((unsigned char*)out, t->out, size_out);
}

void mh_simd_barrier(uint32_t flags, const mh_site* site) {
  Simd* s = ((Thread*)mh_current)->group_of_lanes;
  const bool orders = thread_sanitizer && flags;  // without a memory flag it orders no memory
  const uint32_t generation = s->generation & 1;
  if (orders) __tsan_release(&s->order[generation]);
  mh_simd_sync(nullptr, site);
  if (!orders) return;
  __tsan_acquire(&s->order[generation]);
  if ((s->generation & 1) == generation) s->generation++;
}

void mh_group_barrier(uint32_t flags, const mh_site* site) {
  Thread* t = (Thread*)mh_current;
  if (!t) {
    fprintf(stderr, "metal-host: %s:%d: a barrier in a kernel that was taken for one without\n", site->file, site->line);
    abort();
  }
  Worker* w = t->worker;
  const bool orders = thread_sanitizer && flags;
  const uint32_t generation = w->barrier_generation & 1;
  t->waits_at = site;
  if (orders) __tsan_release(&w->barrier_order[generation]);
  if (!w->barrier_first) w->barrier_first = t;
  else if (!same(*w->barrier_first->waits_at, *site)) w->barrier_uniform = false;
  t->group_of_lanes->in_barrier |= bit((int)t->lane);
  if (++w->waiting == w->group.threads && w->barrier_uniform && !(w->flags & MH_RANDOM)) {
    release_barrier(w);
    t->group_of_lanes->ready &= ~bit((int)t->lane);
  } else {
    block(w, t);
  }
  if (orders) __tsan_acquire(&w->barrier_order[generation]);
}

void* mh_group_variable(const void* key, uint32_t size, uint32_t align, const mh_site* site) {
  Worker* w = mh_current ? ((Thread*)mh_current)->worker : current_worker;
  for (Variable& v : w->variables)
    if (v.key == key) return v.memory;
  return group_memory(w, size, align, *site, key, -1);
}

void mh_constants_clear() { constants.clear(); }
void mh_constant_set(uint32_t index, const char* name, const void* value, uint32_t size) {
  ConstantValue c{index, name ? name : "", 0};
  memcpy(&c.bits, value, size > 8 ? 8 : size);
  constants.push_back(c);
}
int mh_constant_get(uint32_t index, const char* name, void* out, uint32_t size) {
  for (const ConstantValue& c : constants)
    if (c.index == index || (!c.name.empty() && c.name == name)) {
      memcpy(out, &c.bits, size);
      return 1;
    }
  return 0;
}
}
