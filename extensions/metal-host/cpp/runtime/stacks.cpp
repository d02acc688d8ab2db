// Where fibers come from: 1024 stacks at most, with a page between them that faults.
#include <sys/mman.h>

#include "worker.h"

namespace {
constexpr size_t page = 4096, stack_size = 64 << 10, sanitized_stack = 512 << 10, most_threads = 1024;

char* reserve(size_t size) {
  void* p = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? nullptr : (char*)p;
}

Fiber* take_fiber(Worker* w) {
  if (!thread_sanitizer && !w->idle.empty()) {
    Fiber* f = w->idle.back();
    w->idle.pop_back();
    return f;
  }
  Fiber* f = new Fiber;
  if (address_sanitizer || thread_sanitizer) {
    f->size = sanitized_stack;
    f->stack = reserve(f->size);
    f->own = true;
    mprotect(f->stack, page, PROT_NONE);
  } else {
    if (!w->stacks) w->stacks = reserve((most_threads + 1) * (stack_size + page));
    f->stack = w->stacks + w->fibers.size() * (stack_size + page) + page;
    f->size = stack_size;
    mprotect(f->stack - page, page, PROT_NONE);
  }
  fiber_reset(f, (int)w->fibers.size());
  w->fibers.push_back(f);
  return f;
}

// After a run that was broken off: every fiber starts anew.
void reset_fibers(Worker* w) {
  w->running = &w->main_fiber;
  w->idle.clear();
  int number = 0;
  for (Fiber* f : w->fibers) {
    fiber_reset(f, number++);
    f->fake = nullptr;
    w->idle.push_back(f);
  }
}

bool is_stack_end(const Worker* w, const char* address) {
  for (const Fiber* f : w->fibers)
    if (address >= f->stack - (f->own ? 0 : page) && address < f->stack + (f->own ? page : 0)) return true;
  return false;
}

__attribute__((noinline)) void switch_to(Worker* w, Fiber* to) {
  Fiber* from = w->running;
  w->running = to;
  w->switches++;
  if (address_sanitizer) __sanitizer_start_switch_fiber(&from->fake, to->stack, to->size);
  if (thread_sanitizer) __tsan_switch_to_fiber(to->job ? to->job->sanitizer : w->sanitizer_main, no_ordering);
  raw_switch(from, to);
  if (address_sanitizer) {
    const void* bottom;
    size_t size;
    __sanitizer_finish_switch_fiber(current_worker->running->fake, &bottom, &size);
  }
  mh_current = from->job;
}
}  // namespace
