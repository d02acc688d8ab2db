// The threads of src/pool.cpp under ThreadSanitizer: every piece once, failures thrown, two callers at once.
//
// Built by `cargo xtask ci`. With the argument `planted` the pieces share a sum that nothing guards, which must be found.
#include "ext/pool.h"

#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace EXT_NS;

static int wrong(const char* what) {
  std::printf("%s\n", what);
  return 1;
}

/// Whether every place was written once, by whichever thread.
static bool every_piece(int threads, size_t n, size_t grain) {
  std::vector<int> times(n);
  parallel(threads, n, grain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
      times[i]++;
    }
  });
  for (int time : times) {
    if (time != 1) {
      return false;
    }
  }
  return true;
}

/// Whether what a piece throws arrives, and whether the pool works on afterwards.
static bool failure(int threads) {
  try {
    parallel(threads, 64, 1, [](size_t begin, size_t) {
      if (begin % 7 == 3) {
        throw std::runtime_error("piece");
      }
    });
  } catch (const std::runtime_error&) {
    return every_piece(threads, 64, 1);
  }
  return false;
}

static int race() {
  size_t sum = 0;
  for (int round = 0; round < 200; round++) {
    parallel(4, 1000, 1, [&](size_t begin, size_t) { sum += begin; });
  }
  std::printf("%zu\n", sum);
  return 0;
}

int main(int count, char** arguments) {
  if (count > 1 && std::strcmp(arguments[1], "planted") == 0) {
    return race();
  }
  for (int round = 0; round < 300; round++) {
    const int threads = 1 + round % 6;
    if (!every_piece(threads, 1 + round * 3, 1 + round % 5)) {
      return wrong("a piece was left out or done twice");
    }
    if (round % 20 == 0 && !failure(threads)) {
      return wrong("a failure did not arrive");
    }
    if (round % 10 == 0) {
      bool there = false;
      std::thread other([&] { there = every_piece(threads, 500, 3); });
      const bool here = every_piece(threads, 700, 2);
      other.join();
      if (!here || !there) {
        return wrong("two callers disturbed each other");
      }
    }
  }
  std::printf("300 rounds\n");
  return 0;
}
