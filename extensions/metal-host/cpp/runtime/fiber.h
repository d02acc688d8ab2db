// Fibers: stacks that one OS thread switches between. A switch is a function call that saves the registers a callee must
// keep; 2 to 9 ns, where ucontext (the fallback for other processors) makes a system call and takes 200.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ucontext.h>

extern "C" void mh_switch(void** save, void* to);

#if !defined(MH_UCONTEXT) && !defined(__x86_64__) && !defined(__aarch64__)
#define MH_UCONTEXT 1
#endif

namespace {
struct Thread;
struct Fiber {
  void* sp = nullptr;
  char* stack = nullptr;
  size_t size = 0;
  bool own = false;        // mapped for itself, not a piece of the worker's stacks
  Thread* job = nullptr;   // the GPU thread that runs on it
  void* fake = nullptr;    // AddressSanitizer's
  ucontext_t* context = nullptr;
};
void fiber_main();  // what a fiber runs (schedule.cpp)

#if defined(MH_UCONTEXT)
constexpr const char* switch_kind = "ucontext";
extern "C" void mh_switch(void**, void*) {}
ucontext_t* context_of(Fiber* f) {
  if (!f->context) f->context = (ucontext_t*)calloc(1, sizeof(ucontext_t));
  return f->context;
}
void raw_switch(Fiber* from, Fiber* to) { swapcontext(context_of(from), context_of(to)); }
void fiber_reset(Fiber* f, int) {
  ucontext_t* c = context_of(f);
  getcontext(c);
  c->uc_stack.ss_sp = f->stack;
  c->uc_stack.ss_size = f->size;
  c->uc_link = nullptr;
  makecontext(c, fiber_main, 0);
}
#else
#if defined(__x86_64__)
constexpr const char* switch_kind = "assembly, x86-64";
asm(R"(
.text
.globl mh_switch
.hidden mh_switch
.type mh_switch,@function
mh_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmp *%rcx
.size mh_switch,.-mh_switch
)");
// What mh_switch pops from a fresh stack: six registers and the address to go to.
void* first_frame(char* top, void (*start)()) {
  void** sp = (void**)top;
  *--sp = nullptr;
  *--sp = (void*)start;
  for (int i = 0; i < 6; i++) *--sp = nullptr;
  return sp;
}
#else
constexpr const char* switch_kind = "assembly, aarch64";
asm(R"(
.text
.globl mh_switch
.hidden mh_switch
.type mh_switch,%function
mh_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size mh_switch,.-mh_switch
)");
void* first_frame(char* top, void (*start)()) {
  void** sp = (void**)(top - 160);
  memset(sp, 0, 160);
  sp[11] = (void*)start;  // x30, the return address
  return sp;
}
#endif
void raw_switch(Fiber* from, Fiber* to) { mh_switch(&from->sp, to->sp); }
// Stacks that all start at one offset of 64 KiB fall into the same sets of the cache: each begins a little elsewhere.
void fiber_reset(Fiber* f, int number) {
  size_t colour = (size_t)((number * 7) & 63) * 64 * 3;
  f->sp = first_frame(f->stack + f->size - 64 - colour, fiber_main);
}
#endif
}  // namespace
