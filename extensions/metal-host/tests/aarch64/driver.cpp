// Runs a matrix product of the translated kernels on another processor, in every order and checked, against a plain loop.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "mh/host.h"

extern "C" const mh_kernel* const mh_kernels[];

int main() {
  const int m = 64, n = 96, k = 50;
  unsigned state = 1;
  auto random = [&] {
    state = state * 1664525u + 1013904223u;
    return (int)(state >> 8) / 8388608.0f - 1.0f;
  };
  std::vector<float> a(m * k), b(k * n), c(m * n);
  for (float& x : a) x = random();
  for (float& x : b) x = random();
  const int sizes[4] = {m, n, k, 0};
  const mh_kernel* kernel = nullptr;
  for (auto p = mh_kernels; *p; p++)
    if (!strcmp((*p)->name, "gemm_f32")) kernel = *p;
  if (!kernel) return 2;
  for (uint32_t flags : {0u, (uint32_t)MH_REVERSE, (uint32_t)MH_INTERLEAVE, (uint32_t)MH_RANDOM, (uint32_t)MH_STRICT}) {
    mh_buffer buffers[4] = {};
    const void* from[4] = {a.data(), b.data(), nullptr, sizes};
    const size_t bytes[4] = {a.size() * 4, b.size() * 4, c.size() * 4, sizeof sizes};
    for (int i = 0; i < 4; i++) {
      if (mh_buffer_map(&buffers[i], bytes[i], MH_AT_END, 0xff)) return 2;
      if (from[i]) memcpy(buffers[i].base, from[i], bytes[i]);
    }
    mh_launch launch{};
    launch.kernel = kernel;
    launch.buffers = buffers;
    launch.buffer_count = 4;
    launch.grid[0] = n / 32;
    launch.grid[1] = m / 32;
    launch.grid[2] = launch.group[1] = launch.group[2] = 1;
    launch.group[0] = 128;
    launch.flags = flags;
    launch.seed = 5;
    launch.other = ~0u;
    if (mh_run(&launch)) {
      printf("flags %u: report %u\n", flags, launch.report.kind);
      return 1;
    }
    memcpy(c.data(), buffers[2].base, bytes[2]);
    for (mh_buffer& buffer : buffers) mh_buffer_unmap(&buffer);
    double worst = 0;
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int l = 0; l < k; l++) sum += (double)a[i * k + l] * b[l * n + j];
        worst = std::fmax(worst, std::fabs(sum - c[i * n + j]));
      }
    printf("%s, flags %u: worst error %.1e, %llu switches\n", mh_switch_kind(), flags, worst, (unsigned long long)launch.switches);
    if (!(worst < 1e-4)) return 1;
  }
  // A fault is caught there too: the kernel reads behind a buffer that is too small.
  mh_buffer buffers[4] = {};
  const size_t bytes[4] = {16, b.size() * 4, c.size() * 4, sizeof sizes};
  for (int i = 0; i < 4; i++)
    if (mh_buffer_map(&buffers[i], bytes[i], MH_AT_END, 0xff)) return 2;
  memcpy(buffers[3].base, sizes, sizeof sizes);
  mh_launch launch{};
  launch.kernel = kernel;
  launch.buffers = buffers;
  launch.buffer_count = 4;
  launch.grid[0] = launch.grid[1] = launch.grid[2] = launch.group[1] = launch.group[2] = 1;
  launch.group[0] = 128;
  launch.flags = MH_STRICT;
  launch.workers = 1;
  launch.other = ~0u;
  const int failed = mh_run(&launch);
  const mh_report& r = launch.report;
  printf("fault: kind %u, buffer %u of %llu bytes, offset %lld\n", r.kind, r.index, (unsigned long long)r.size, (long long)r.offset);
  return failed && r.kind == MH_FAULT && r.region == MH_IN_BUFFER && r.index == 0 && r.size == 16 && r.offset >= 16 && r.pc ? 0 : 1;
}
