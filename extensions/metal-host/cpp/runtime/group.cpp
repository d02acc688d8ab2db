// One threadgroup: its threads, its memory, its run from the first thread to the last.
#include <sys/mman.h>

#include <cstdio>

#include "worker.h"

namespace {
constexpr size_t tg_guard = 64 << 10;

void prepare_threads(Worker* w) {
  mh_group& g = w->group;
  while (w->simds.size() < g.simd_groups) w->simds.push_back(std::make_unique<Simd>());
  if (w->threads.size() != g.threads) w->threads.assign(g.threads, Thread{});
  uint32_t index = 0;
  for (uint32_t z = 0; z < g.size.z; z++)
    for (uint32_t y = 0; y < g.size.y; y++)
      for (uint32_t x = 0; x < g.size.x; x++, index++) {
        Thread& t = w->threads[index];
        t.group = &g;
        t.worker = w;
        t.in_group = {x, y, z};
        t.in_grid = {g.position.x * g.full.x + x, g.position.y * g.full.y + y, g.position.z * g.full.z + z};
        t.index = index;
        t.lane = index % MH_LANES;
        t.simd = index / MH_LANES;
        Simd* s = t.group_of_lanes = w->simds[t.simd].get();
        t.in = s->in + t.lane * MH_SLOT;
        t.out = s->out + t.lane * MH_SLOT;
        t.aux = &s->aux[t.lane];
        if (t.lane == 0) s->lanes = &t;
      }
  for (uint32_t i = 0; i < g.simd_groups; i++) {
    Simd* s = w->simds[i].get();
    uint32_t n = g.threads - i * MH_LANES;
    s->all = s->live = s->unstarted = n >= MH_LANES ? ~0u : bit((int)n) - 1;
    s->ready = s->in_operation = s->in_barrier = s->generation = 0;
    s->uniform = true;
  }
  w->live = g.threads;
  w->at = (w->flags & MH_REVERSE) ? g.simd_groups - 1 : 0;
  w->waiting = 0;
  w->barrier_uniform = true;
  w->barrier_first = nullptr;
  w->failed = false;
}

// Forgets the memory of the last group.
void prepare_memory(Worker* w) {
  if (address_sanitizer)
    for (Variable& v : w->variables) free(v.memory);
  w->variables.clear();
  w->arena_at = 0;
  w->tg_bytes = 0;
  if (thread_sanitizer) {  // groups are not ordered with each other: the same address twice would look like a race
    w->arena_size = 64 << 10;
    w->arena = (unsigned char*)malloc(w->arena_size);
    w->old_arenas.push_back(w->arena);
    w->old_fibers.insert(w->old_fibers.end(), w->fibers.begin(), w->fibers.end());
    w->fibers.clear();
    w->idle.clear();
    // No vector may grow while fibers run: growing frees memory that another fiber wrote.
    w->fibers.reserve(2048);
    w->idle.reserve(2048);
    w->variables.reserve(256);
  }
  if (!w->arena) w->arena = (unsigned char*)aligned_alloc(4096, w->arena_size);
}

// Pages for threadgroup variable number n, between pages that fault; kept for the next group.
unsigned char* guarded_memory(Worker* w, size_t n, size_t pages) {
  while (w->guarded.size() <= n) w->guarded.push_back({nullptr, 0});
  Guarded& g = w->guarded[n];
  if (g.size != pages) {
    if (g.map) munmap(g.map, g.size + 2 * tg_guard);
    g.map = (unsigned char*)mmap(nullptr, pages + 2 * tg_guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    mprotect(g.map + tg_guard, pages, PROT_READ | PROT_WRITE);
    g.size = pages;
  }
  return g.map + tg_guard;
}

uint32_t fill_of(Worker* w, size_t n) { return n == w->launch->other ? w->launch->fill_other : w->launch->fill; }

unsigned char* group_memory(Worker* w, uint32_t size, uint32_t align, const mh_site& site, const void* key, int argument) {
  const size_t n = w->variables.size(), rounded = (size + align - 1) / align * align;
  unsigned char* p;
  if ((w->flags & MH_STRICT) && !address_sanitizer && !thread_sanitizer) {
    size_t pages = (rounded + page - 1) / page * page;
    unsigned char* start = guarded_memory(w, n, pages);
    memset(start, (int)fill_of(w, n), pages);
    p = (w->flags & MH_FRONT) ? start : start + pages - ((w->flags & MH_TIGHT) ? size : rounded);
  } else if (address_sanitizer) {
    p = (unsigned char*)aligned_alloc(align, rounded);
    memset(p, (int)fill_of(w, n), size);
  } else {
    w->arena_at = (w->arena_at + align - 1) / align * align;
    p = w->arena + w->arena_at;
    if (w->arena_at + size > w->arena_size) {  // far beyond what Metal allows; the launch is refused afterwards
      p = (unsigned char*)aligned_alloc(align, rounded);
      w->old_arenas.push_back(p);
    } else {
      w->arena_at += size;
    }
    if (!thread_sanitizer) memset(p, (int)fill_of(w, n), size);
  }
  w->tg_bytes += rounded;
  if (w->tg_bytes > w->tg_most) w->tg_most = w->tg_bytes;
  w->variables.push_back({key, p, size, site, argument});
  return p;
}

void bind_arguments(Worker* w) {
  for (uint32_t i = 0; i < MH_TG_ARGS; i++) {
    uint64_t size = w->launch->tg_args[i];
    w->group.tg_args[i] = size ? group_memory(w, (uint32_t)size, 16, {}, nullptr, (int)i) : nullptr;
  }
}

// A variable whose size is no multiple of 16 has a few bytes behind it that no page guards: were they written?
void check_overrun(Worker* w) {
  if (!(w->flags & MH_STRICT) || address_sanitizer || thread_sanitizer) return;
  if (w->flags & MH_TIGHT) return;
  for (size_t n = 0; n < w->variables.size(); n++) {
    const Variable& v = w->variables[n];
    for (uint32_t i = v.size; i % 16; i++) {
      if (v.memory[i] == fill_of(w, n)) continue;
      w->report.kind = MH_OVERRUN;
      w->report.region = v.argument < 0 ? MH_IN_VARIABLE : MH_IN_TG_ARG;
      w->report.access = MH_WRITE;
      w->report.index = (uint32_t)v.argument;
      w->report.offset = i;
      w->report.size = v.size;
      w->report.variable = v.site;
      w->failed = true;
      return;
    }
  }
}

void name_fibers(Worker* w) {
  w->sanitizer_main = __tsan_get_current_fiber();
  for (Thread& t : w->threads) {
    char name[96];
    snprintf(name, sizeof name, "thread (%u,%u,%u) of threadgroup (%u,%u,%u)", t.in_group.x, t.in_group.y, t.in_group.z,
             t.group->position.x, t.group->position.y, t.group->position.z);
    t.sanitizer = __tsan_create_fiber(0);
    __tsan_set_fiber_name(t.sanitizer, name);
  }
}

// True when every thread returned.
bool run_group(Worker* w) {
  prepare_threads(w);
  prepare_memory(w);
  bind_arguments(w);
  const mh_kernel* k = w->launch->kernel;
  if (!k->synchronises && k->all && !(w->flags & (MH_STRICT | MH_FIBERS)) && !thread_sanitizer) {
    mh_current = nullptr;
    k->all(&w->args, &w->group);
    return true;
  }
  if (thread_sanitizer) name_fibers(w);
  bool fresh;
  if (Thread* first = pick(w, fresh)) {
    Fiber* f = take_fiber(w);
    start_on(first, f);
    switch_to(w, f);
  }
  if (thread_sanitizer)
    for (Thread& t : w->threads) __tsan_destroy_fiber(t.sanitizer);
  if (!w->failed) check_overrun(w);
  if (w->failed) reset_fibers(w);
  return !w->failed;
}

// ThreadSanitizer's runs use fresh memory for every group; after the launch it can go.
void release_sanitized(Worker* w) {
  if (thread_sanitizer) {
    __tsan_acquire(&w->end_order);
    w->arena = nullptr;
    for (Fiber* f : w->old_fibers) {
      munmap(f->stack, f->size);
      delete f;
    }
    w->old_fibers.clear();
  }
  for (unsigned char* p : w->old_arenas) free(p);
  w->old_arenas.clear();
}
}  // namespace
