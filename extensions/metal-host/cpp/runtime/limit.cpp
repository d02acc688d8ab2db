// Stops a kernel that does not end: a second OS thread waits for the end of the launch, and interrupts it when that is late.
#include <link.h>
#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>

#include "worker.h"

namespace {
// Ignored where nobody handles it: one that arrives late does no harm.
constexpr int limit_signal = SIGURG;
uintptr_t kernel_begin, kernel_end;  // the instructions of the kernels' library

int find_code(dl_phdr_info* info, size_t, void* function) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const auto& segment = info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + segment.p_vaddr, end = begin + segment.p_memsz;
    if (segment.p_type != PT_LOAD || (uintptr_t)function < begin || (uintptr_t)function >= end) continue;
    kernel_begin = begin;
    kernel_end = end;
    return 1;
  }
  return 0;
}

void on_limit(int, siginfo_t*, void* machine) {
  Worker* w = current_worker;
  if (!w || !w->in_group) return;
  uintptr_t pc = 0;
#if defined(__x86_64__)
  pc = (uintptr_t)((ucontext_t*)machine)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  pc = ((ucontext_t*)machine)->uc_mcontext.pc;
#endif
  // In the middle of the runtime it could not be left behind: the next signal may find the kernel itself.
  if (pc < kernel_begin || pc >= kernel_end) return;
  memset(&w->report, 0, sizeof w->report);
  w->report.kind = MH_ENDLESS;
  w->report.pc = pc;
  if (mh_current) {
    w->report.has_who = 1;
    w->report.who = who((Thread*)mh_current);
  }
  w->failed = true;
  siglongjmp(w->escape, 1);
}

class TimeLimit {
 public:
  explicit TimeLimit(const mh_launch* launch) {
    if (!launch->limit) return;
    dl_iterate_phdr(find_code, (void*)launch->kernel->one);
    struct sigaction a {};
    a.sa_sigaction = on_limit;
    // NODEFER: the handler may not return, and the signal would stay blocked.
    a.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | SA_NODEFER;
    sigaction(limit_signal, &a, &old_);
    watcher_ = std::thread([this, limit = launch->limit, kernel = pthread_self()] {
      std::unique_lock<std::mutex> lock(mutex_);
      auto wait = std::chrono::milliseconds(limit);
      while (!done_.wait_for(lock, wait, [this] { return ended_; })) {
        pthread_kill(kernel, limit_signal);
        wait = std::chrono::milliseconds(7);
      }
    });
  }
  ~TimeLimit() {
    if (!watcher_.joinable()) return;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      ended_ = true;
    }
    done_.notify_one();
    watcher_.join();
    sigaction(limit_signal, &old_, nullptr);
  }

 private:
  std::thread watcher_;
  std::mutex mutex_;
  std::condition_variable done_;
  bool ended_ = false;
  struct sigaction old_;
};
}  // namespace
