// C++ code that launches axpby through the function pointers it is handed.
#include <cstring>

#include "metal_host.h"

// out = 3 x + y on n threads; the status of the launch, and its report.
extern "C" int call_axpby(const metal_host_api* api, const char* file, const float* x, const float* y, float* out, size_t n,
                          size_t threads, char* report, size_t report_size) {
  const size_t most = api->max_threads(api->host, file, "axpby_float32", report, report_size);
  if (most == 0) return 2;
  float alpha = 3, beta = 1;
  const metal_host_argument arguments[] = {
      {METAL_HOST_READ, const_cast<float*>(x), n * sizeof(float)},
      {METAL_HOST_READ, const_cast<float*>(y), n * sizeof(float)},
      {METAL_HOST_WRITE, out, n * sizeof(float)},
      {METAL_HOST_BYTES, &alpha, sizeof alpha},
      {METAL_HOST_BYTES, &beta, sizeof beta},
  };
  metal_host_launch launch{};
  launch.file = file;
  launch.kernel = "axpby_float32";
  launch.arguments = arguments;
  launch.argument_count = 5;
  launch.grid[0] = threads;
  launch.group[0] = threads < most ? threads : most;
  launch.grid[1] = launch.grid[2] = launch.group[1] = launch.group[2] = 1;
  launch.by_threads = 1;
  return api->run(api->host, &launch, report, report_size);
}
