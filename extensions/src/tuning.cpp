// The settings of include/ext/tuning.h: read from the environment and the machine once, changed through C symbols.
#include "ext/tuning.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#include "ext/entry.h"

namespace EXT_NS {

static constexpr int MOST_THREADS = 256;

/// 0 until somebody asks: then TINY_LLM_THREADS, or as many as the machine gives this process.
static std::atomic<int> chosen_threads = 0;
/// -1 until somebody asks: then the best that the processor has.
static std::atomic<int> chosen_instructions = -1;
static std::atomic<int> chosen_version = 0;

static int threads_of_environment() {
  const char* text = std::getenv("TINY_LLM_THREADS");
  if (text == nullptr || *text == '\0') {
    return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, MOST_THREADS);
  }
  int threads = 0;
  const char* end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, threads);
  if (error != std::errc() || rest != end || threads < 1 || threads > MOST_THREADS) {
    throw std::invalid_argument(
        "TINY_LLM_THREADS is " + std::string(text) + ", but it must be a whole number from 1 to " +
        std::to_string(MOST_THREADS));
  }
  return threads;
}

static bool has(Instructions set) {
  switch (set) {
    case Instructions::Baseline:
      return true;
#if defined(__x86_64__)
    case Instructions::Avx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
    case Instructions::Avx512:
      return has(Instructions::Avx2) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
    default:
      return false;
  }
}

static Instructions best_instructions() {
  for (auto set : {Instructions::Avx512, Instructions::Avx2}) {
    if (has(set)) {
      return set;
    }
  }
  return Instructions::Baseline;
}

Tuning tuning() {
  if (chosen_threads == 0) {
    chosen_threads = threads_of_environment();
  }
  if (chosen_instructions < 0) {
    chosen_instructions = static_cast<int>(best_instructions());
  }
  return {chosen_threads, static_cast<Instructions>(chosen_instructions.load()), chosen_version};
}

} // namespace EXT_NS

extern "C" int EXT_SYMBOL(threads)(int* threads) {
  return EXT_NS::guarded([&] { *threads = EXT_NS::tuning().threads; });
}

extern "C" int EXT_SYMBOL(set_threads)(int threads) {
  using namespace EXT_NS;
  return guarded([&] {
    if (threads < 1 || threads > MOST_THREADS) {
      throw std::invalid_argument("the number of threads must be from 1 to " + std::to_string(MOST_THREADS));
    }
    chosen_threads = threads;
  });
}

extern "C" int EXT_SYMBOL(instructions)(int* set) {
  return EXT_NS::guarded([&] { *set = static_cast<int>(EXT_NS::tuning().instructions); });
}

/// 1 where the processor has them.
extern "C" int EXT_SYMBOL(has_instructions)(int set) {
  return EXT_NS::has(static_cast<EXT_NS::Instructions>(set)) ? 1 : 0;
}

extern "C" int EXT_SYMBOL(set_instructions)(int set) {
  using namespace EXT_NS;
  return guarded([&] {
    if (!has(static_cast<Instructions>(set))) {
      throw std::invalid_argument("this processor does not have these instructions");
    }
    chosen_instructions = set;
  });
}

extern "C" void EXT_SYMBOL(set_version)(int version) {
  EXT_NS::chosen_version = version;
}
