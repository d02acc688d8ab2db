// Which GPU thread runs next. Depth first: a SIMD group goes on until it blocks, because that order shows missing barriers
// best; reverse, interleaved and random order are asked for by flags.
#include "worker.h"

namespace {
// Releases the lanes of a finished operation.
inline void complete(Worker* w, Simd* s, uint32_t mask, mh_combine combine) {
  w->simd_operations++;
  if (combine) combine(s->in, s->out, mask, s->aux);
  if (__builtin_expect(mask != s->all && (w->flags & MH_STRICT) && !w->note.present, 0)) {
    Thread* first = s->lanes + lowest(mask);
    w->note = {1, (uint32_t)__builtin_popcount(mask), (uint32_t)__builtin_popcount(s->all), 0, *first->waits_at, {}, who(first)};
  }
  s->in_operation &= ~mask;
  s->ready |= mask;
  s->uniform = true;
  if (!s->in_operation) return;
  s->first = s->lanes + lowest(s->in_operation);
  each(s->in_operation, [&](int lane) {
    if (!same(*s->lanes[lane].waits_at, *s->first->waits_at)) s->uniform = false;
  });
}

// Lanes of one SIMD group wait at different places: the operation runs for those that are earliest in the source, as a GPU
// that executes one side of a branch after the other would.
void resolve(Worker* w, Simd* s) {
  Thread* first = nullptr;
  each(s->in_operation, [&](int lane) {
    Thread* t = s->lanes + lane;
    if (!first || t->waits_at->line < first->waits_at->line) first = t;
  });
  uint32_t mask = 0;
  each(s->in_operation, [&](int lane) {
    if (same(*s->lanes[lane].waits_at, *first->waits_at)) mask |= bit(lane);
  });
  w->divergent++;
  if (!w->note.present) {
    w->note = {1, (uint32_t)__builtin_popcount(mask), (uint32_t)__builtin_popcount(s->live), 0, *first->waits_at, {}, who(first)};
    uint32_t others = (s->in_operation & ~mask) ? (s->in_operation & ~mask) : s->in_barrier;
    if (others) {
      w->note.elsewhere = 1;
      w->note.other = *s->lanes[lowest(others)].waits_at;
    }
  }
  complete(w, s, mask, first->combine);
}

void release_barrier(Worker* w) {
  for (uint32_t i = 0; i < w->group.simd_groups; i++) {
    Simd* s = w->simds[i].get();
    s->ready |= s->in_barrier;
    s->in_barrier = 0;
  }
  w->barriers++;
  w->waiting = 0;
  w->barrier_uniform = true;
  w->barrier_first = nullptr;
  w->barrier_generation++;
}

// Threads wait at different barriers, or some returned: says who is where.
void diverged(Worker* w, uint32_t kind) {
  mh_report& r = w->report;
  memset(&r, 0, sizeof r);
  r.kind = kind;
  r.live = w->live;
  for (Thread& t : w->threads) {
    if (!(t.group_of_lanes->live >> t.lane & 1)) {
      if (!r.returned++) {
        r.has_who = 1;
        r.who = who(&t);
      }
      continue;
    }
    uint32_t i = 0;
    while (i < r.wait_count && !same(r.wait[i].site, *t.waits_at)) i++;
    if (i == MH_WAITS) continue;
    if (i == r.wait_count) r.wait[r.wait_count++] = {*t.waits_at, 0, who(&t)};
    r.wait[i].count++;
  }
  w->failed = true;
}

int pick_lane(Worker* w, uint32_t mask) {
  if (w->flags & MH_RANDOM) {
    for (int n = (int)(w->next_random() % __builtin_popcount(mask)); n > 0; n--) mask &= mask - 1;
    return lowest(mask);
  }
  return (w->flags & MH_REVERSE) ? 31 - __builtin_clz(mask) : lowest(mask);
}

// A lane of this SIMD group that can run; where none can, tries to finish the operation that its lanes wait in.
uint32_t runnable(Worker* w, Simd* s, bool part) {
  uint32_t mask = s->unstarted | s->ready;
  if (mask || !s->in_operation) return mask;
  if (s->in_operation == s->live && s->uniform) complete(w, s, s->in_operation, s->lanes[lowest(s->in_operation)].combine);
  else if (part) resolve(w, s);
  return s->ready;
}

// The next thread of this group, or nullptr when the group is finished or stuck. Three rounds: in the second, operations
// run for a part of their lanes; after each, a barrier that all have reached opens.
Thread* pick(Worker* w, bool& fresh) {
  uint32_t n = w->group.simd_groups;
  if (w->flags & (MH_RANDOM | MH_INTERLEAVE)) w->at = (w->flags & MH_RANDOM) ? w->next_random() % n : (w->at + 1) % n;
  for (int round = 0; round < 3; round++) {
    for (uint32_t i = 0; i < n; i++) {
      Simd* s = w->simds[w->at].get();
      if (uint32_t mask = runnable(w, s, round == 1)) {
        if (!(w->flags & MH_RANDOM) && s->unstarted) mask = s->unstarted;
        int lane = pick_lane(w, mask);
        fresh = s->unstarted >> lane & 1;
        s->unstarted &= ~bit(lane);
        s->ready &= ~bit(lane);
        return s->lanes + lane;
      }
      w->at = (w->flags & MH_REVERSE) ? (w->at + n - 1) % n : (w->at + 1) % n;
    }
    if (w->live == 0) return nullptr;
    if (w->waiting == w->live && w->barrier_uniform) {
      if (w->live < w->group.threads && (w->flags & MH_STRICT)) {
        diverged(w, MH_RETURNED);
        return nullptr;
      }
      release_barrier(w);
    }
  }
  diverged(w, MH_DIVERGED);
  return nullptr;
}

void start_on(Thread* t, Fiber* f) {
  f->job = t;
  t->fiber = f;
}

// The running thread cannot go on: hands the OS thread to another.
__attribute__((noinline)) void block(Worker* w, Thread* me) {
  bool fresh;
  Thread* t = pick(w, fresh);
  if (!t) {
    if (!w->failed) w->report.kind = MH_INTERNAL, w->failed = true;
    switch_to(w, &w->main_fiber);
    abort();  // nobody resumes a thread of a broken group
  }
  if (t == me) return;
  if (fresh) start_on(t, take_fiber(w));
  switch_to(w, t->fiber);
}

void fiber_main() {
  if (address_sanitizer) {
    Worker* w = current_worker;
    const void* bottom;
    size_t size;
    __sanitizer_finish_switch_fiber(nullptr, &bottom, &size);
    if (!w->main_fiber.stack) {
      w->main_fiber.stack = (char*)bottom;
      w->main_fiber.size = size;
    }
  }
  for (;;) {
    Worker* w = current_worker;
    Thread* t = w->running->job;
    mh_current = t;
    w->launch->kernel->one(&w->args, t);
    t->group_of_lanes->live &= ~bit(t->lane);
    w->live--;
    if (thread_sanitizer) __tsan_release(&w->end_order);
    bool fresh;
    Thread* next = pick(w, fresh);
    Fiber* self = w->running;
    if (next && fresh && !thread_sanitizer) {  // the next thread on the same stack: only those that block need their own
      start_on(next, self);
      continue;
    }
    w->idle.push_back(self);
    if (!next) {
      switch_to(w, &w->main_fiber);
      continue;
    }
    if (fresh) start_on(next, take_fiber(w));
    switch_to(w, next->fiber);
  }
}
}  // namespace
