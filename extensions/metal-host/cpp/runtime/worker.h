// The state of one OS thread that executes threadgroups, one after the other.
#pragma once
#include <atomic>
#include <csetjmp>
#include <memory>
#include <string>
#include <vector>

#include "mh/host.h"
#include "fiber.h"
#include "sanitizer.h"

extern "C" {
__thread mh_thread* mh_current __attribute__((tls_model("initial-exec")));
}

namespace {
struct Simd;
struct Worker;
struct Thread : mh_thread {
  Fiber* fiber;
  Simd* group_of_lanes;
  const mh_site* waits_at;
  mh_combine combine;
  void* sanitizer;
  Worker* worker;
};
// 32 threads. Masks hold a bit for each lane; a live lane is unstarted, ready, running, or waits in one of two ways.
struct Simd {
  uint32_t all, live, unstarted, ready, in_operation, in_barrier;
  bool uniform;   // every lane in the operation called it from one place
  Thread *lanes, *first;
  alignas(64) unsigned char in[MH_LANES * MH_SLOT];
  alignas(64) unsigned char out[MH_LANES * MH_SLOT];
  uint32_t aux[MH_LANES];
  char order[2];  // addresses that ThreadSanitizer orders barriers by; two, because lanes leave one while others enter the next
  uint32_t generation;
};
struct Variable {
  const void* key;
  unsigned char* memory;
  uint32_t size;
  mh_site site;
  int argument;  // number of the [[threadgroup(n)]] parameter, or -1
};
struct Guarded {
  unsigned char* map;
  size_t size;
};

struct Worker {
  mh_launch* launch;
  mh_args args;
  mh_group group;
  uint32_t flags;
  Fiber main_fiber;
  Fiber* running = &main_fiber;
  std::vector<Fiber*> fibers, idle;
  std::vector<std::unique_ptr<Simd>> simds;
  std::vector<Thread> threads;
  uint32_t live = 0, at = 0;  // at: the SIMD group that is looked at next
  uint32_t waiting = 0, barrier_generation = 0;
  bool barrier_uniform = true;
  Thread* barrier_first = nullptr;
  char barrier_order[2], end_order;
  std::vector<Variable> variables;
  std::vector<Guarded> guarded;          // their memory in strict runs
  unsigned char* arena = nullptr;        // and otherwise
  size_t arena_size = 1 << 20, arena_at = 0;
  std::vector<unsigned char*> old_arenas;  // ThreadSanitizer: fresh addresses for every group
  std::vector<Fiber*> old_fibers;
  char* stacks = nullptr;
  uint64_t tg_bytes = 0, tg_most = 0;     // of this group, of the largest so far
  uint64_t random = 1, switches = 0, simd_operations = 0, barriers = 0, divergent = 0;
  mh_report report;
  mh_note note;
  bool failed = false;
  sigjmp_buf escape;                     // where a fault goes
  volatile bool in_group = false;
  void* sanitizer_main = nullptr;

  uint32_t next_random() {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return (uint32_t)(random >> 16);
  }
};
thread_local Worker* current_worker;

mh_who who(const Thread* t) { return {t->in_group, t->group->position, t->in_grid, t->simd, t->lane}; }
bool same(const mh_site& a, const mh_site& b) {
  return a.line == b.line && a.what == b.what && (a.file == b.file || !strcmp(a.file, b.file));
}
int lowest(uint32_t mask) { return __builtin_ctz(mask); }
uint32_t bit(int lane) { return 1u << lane; }
// Runs f for every lane of the mask.
template <class F> void each(uint32_t mask, F f) {
  for (; mask; mask &= mask - 1) f(lowest(mask));
}
}  // namespace
