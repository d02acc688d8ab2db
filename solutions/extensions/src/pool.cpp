// The threads of include/ext/pool.h. They start when first needed and stay: starting one costs more than most kernels.
#include "ext/pool.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace EXT_NS {

namespace {

/// How often a thread without work looks for some before it sleeps: for some fifty microseconds, longer than it takes a
/// model to go from one large product to the next. Waking a sleeping thread takes about as long.
constexpr int LOOKS = 4000;

void pause() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// One call of run_pieces.
struct Job {
  size_t pieces;
  void (*call)(void*, size_t);
  void* context;
  std::atomic<size_t> next = 0;
  std::atomic<bool> failed = false;
  std::exception_ptr failure = nullptr;

  /// Takes pieces until there are none.
  void work() {
    for (size_t piece = next++; piece < pieces; piece = next++) {
      try {
        call(context, piece);
      } catch (...) {
        if (!failed.exchange(true)) {
          failure = std::current_exception();
        }
        next = pieces;
      }
    }
  }
};

class Pool {
 public:
  void run(int threads, Job& job) {
    const size_t helpers = std::min<size_t>(static_cast<size_t>(threads) - 1, job.pieces - 1);
    {
      std::lock_guard lock(mutex_);
      for (; started_ < helpers; started_++) {
        std::thread([this, index = started_] { serve(index); }).detach();
      }
      job_ = &job;
      helpers_ = helpers;
    }
    round_++;
    round_.notify_all();
    job.work();
    // A helper that has not begun is not waited for: on a busy machine it may come much later.
    {
      std::lock_guard lock(mutex_);
      job_ = nullptr;
    }
    for (int look = 0; look < LOOKS && inside_ != 0; look++) {
      pause();
    }
    std::unique_lock lock(mutex_);
    left_.wait(lock, [this] { return inside_ == 0; });
  }

 private:
  [[noreturn]] void serve(size_t index) {
    for (uint32_t seen = 0;;) {
      for (int look = 0; look < LOOKS && round_ == seen; look++) {
        pause();
      }
      round_.wait(seen);
      seen = round_;
      help(index);
    }
  }

  void help(size_t index) {
    Job* job;
    {
      std::lock_guard lock(mutex_);
      if (job_ == nullptr || index >= helpers_) {
        return;
      }
      job = job_;
      inside_++;
    }
    job->work();
    std::lock_guard lock(mutex_);
    if (--inside_ == 0) {
      left_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable left_;
  std::atomic<uint32_t> round_ = 0;
  Job* job_ = nullptr;
  size_t helpers_ = 0;
  size_t started_ = 0;
  std::atomic<size_t> inside_ = 0;
};

} // namespace

void run_pieces(int threads, size_t pieces, void (*call)(void*, size_t), void* context) {
  // Never destroyed: at the end of the process a stream may still be at work.
  static Pool& pool = *new Pool;
  static std::atomic<bool> taken = false;
  Job job{pieces, call, context};
  if (threads <= 1 || pieces <= 1 || taken.exchange(true)) {
    job.work();
  } else {
    try {
      pool.run(threads, job);
    } catch (...) {
      taken = false;
      throw;
    }
    taken = false;
  }
  if (job.failure) {
    std::rethrow_exception(job.failure);
  }
}

} // namespace EXT_NS
