// mlx-rs seeds its random state with macOS' monotonic clock.
#include <cstdint>
#include <ctime>

extern "C" uint64_t mach_approximate_time() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return uint64_t(now.tv_sec) * 1000000000u + uint64_t(now.tv_nsec);
}
