// Turns a fault of a kernel into a report: what was accessed, how far outside, by whom.
#include <dlfcn.h>

#include <csignal>
#include <mutex>

#include "worker.h"

namespace {
constexpr int fault_signals[3] = {SIGSEGV, SIGBUS, SIGFPE};
struct sigaction old_actions[3];

void find_region(Worker* w, mh_report& r) {
  const auto* a = (const unsigned char*)r.address;
  for (uint32_t i = 0; i < w->launch->buffer_count; i++) {
    const mh_buffer& b = w->launch->buffers[i];
    if (!b.map || a < b.map || a >= b.map + b.map_size) continue;
    r.region = MH_IN_BUFFER;
    r.index = i;
    r.offset = a - b.base;
    r.size = b.size;
    return;
  }
  for (size_t i = 0; i < w->guarded.size() && i < w->variables.size() && (w->flags & MH_STRICT); i++) {
    const Guarded& g = w->guarded[i];
    if (!g.map || a < g.map || a >= g.map + g.size + 2 * tg_guard) continue;
    const Variable& v = w->variables[i];
    r.region = v.argument < 0 ? MH_IN_VARIABLE : MH_IN_TG_ARG;
    r.index = (uint32_t)v.argument;
    r.offset = a - v.memory;
    r.size = v.size;
    r.variable = v.site;
    return;
  }
  r.region = r.address < (1 << 16) ? MH_NULL : MH_NOWHERE;
}

// Runs on a stack of its own, and never returns into the kernel.
void on_fault(int sig, siginfo_t* info, void* machine) {
  Worker* w = current_worker;
  if (!w || !w->in_group) {  // not ours: the instruction runs again, under whoever handled it before
    for (int i = 0; i < 3; i++)
      if (fault_signals[i] == sig) sigaction(sig, &old_actions[i], nullptr);
    return;
  }
  mh_report& r = w->report;
  memset(&r, 0, sizeof r);
  r.address = (uint64_t)info->si_addr;
  r.access = MH_ACCESS;
  r.kind = sig == SIGFPE ? MH_DIVISION : MH_FAULT;
#if defined(__x86_64__)
  auto& registers = ((ucontext_t*)machine)->uc_mcontext.gregs;
  r.pc = (uint64_t)registers[REG_RIP];
  r.access = (registers[REG_ERR] & 2) ? MH_WRITE : MH_READ;
  // An aligned vector instruction on another address raises no page fault, but a general one without an address.
  if (sig == SIGSEGV && info->si_code == SI_KERNEL) r.kind = MH_MISALIGNED;
#elif defined(__aarch64__)
  r.pc = ((ucontext_t*)machine)->uc_mcontext.pc;
  if (sig == SIGBUS && info->si_code == BUS_ADRALN) r.kind = MH_MISALIGNED;
#endif
  if (r.kind == MH_FAULT) {
    if (is_stack_end(w, (const char*)r.address)) r.kind = MH_STACK;
    else find_region(w, r);
  }
  if (mh_current) {
    r.has_who = 1;
    r.who = who((Thread*)mh_current);
  }
  w->failed = true;
  siglongjmp(w->escape, 1);
}

// Which file holds the instruction, so that its line can be looked up.
void find_module(mh_report& r) {
  Dl_info info;
  if (!r.pc || !dladdr((void*)r.pc, &info) || !info.dli_fname) return;
  r.module_base = (uint64_t)info.dli_fbase;
  strncpy(r.module, info.dli_fname, sizeof r.module - 1);
}

// Handlers for the length of a launch. A sanitizer has its own.
struct FaultHandlers {
  const bool active = !address_sanitizer && !thread_sanitizer;
  FaultHandlers() {
    if (!active) return;
    struct sigaction a {};
    a.sa_sigaction = on_fault;
    a.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (int i = 0; i < 3; i++) sigaction(fault_signals[i], &a, &old_actions[i]);
  }
  ~FaultHandlers() {
    if (!active) return;
    for (int i = 0; i < 3; i++) sigaction(fault_signals[i], &old_actions[i], nullptr);
  }
};
// The stack for the handler, of this OS thread.
struct FaultStack {
  stack_t old;
  std::unique_ptr<char[]> memory{new char[64 << 10]};
  FaultStack() {
    stack_t s{};
    s.ss_sp = memory.get();
    s.ss_size = 64 << 10;
    sigaltstack(&s, &old);
  }
  ~FaultStack() { sigaltstack(&old, nullptr); }
};
}  // namespace
