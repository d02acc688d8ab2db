// Runs one launch in a process that has a sanitizer. What it reports goes to stderr.
//
// Arguments: the compiled kernels, and a file that describes the launch (written by src/run/child.rs, in that order).
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "mh/host.h"

namespace {
FILE* file;

void read(void* to, size_t size) {
  if (size && fread(to, 1, size, file) != size) {
    fprintf(stderr, "metal-host: the description of the launch ends early\n");
    exit(2);
  }
}
template <class T> T number() {
  T value;
  read(&value, sizeof value);
  return value;
}
std::string text() {
  std::string s(number<uint32_t>(), 0);
  read(&s[0], s.size());
  return s;
}
}  // namespace

int main(int count, char** arguments) {
  file = count == 3 ? fopen(arguments[2], "rb") : nullptr;
  if (!file) {
    fprintf(stderr, "metal-host: expected the compiled kernels and a launch\n");
    return 2;
  }
  const std::string name = text();
  for (uint32_t n = number<uint32_t>(); n; n--) {
    const auto index = number<uint32_t>();
    const std::string constant = text();
    const auto bits = number<uint64_t>();
    mh_constant_set(index, constant.c_str(), &bits, number<uint32_t>());
  }
  void* library = dlopen(arguments[1], RTLD_NOW);
  if (!library) {
    fprintf(stderr, "metal-host: %s\n", dlerror());
    return 2;
  }
  mh_launch launch{};
  for (auto k = (const mh_kernel* const*)dlsym(library, "mh_kernels"); k && *k; k++)
    if (name == (*k)->name) launch.kernel = *k;
  if (!launch.kernel) {
    fprintf(stderr, "metal-host: there is no kernel %s\n", name.c_str());
    return 2;
  }
  read(launch.grid, sizeof launch.grid);
  read(launch.group, sizeof launch.group);
  launch.by_threads = number<uint32_t>();
  read(launch.tg_args, sizeof launch.tg_args);
  launch.flags = number<uint32_t>();
  launch.seed = number<uint64_t>();
  launch.workers = 1;
  launch.other = ~0u;
  std::vector<mh_buffer> buffers(number<uint32_t>());
  for (mh_buffer& b : buffers) {
    b = {};
    if (!number<uint32_t>()) continue;
    b.size = number<uint64_t>();
    // Of exactly this size, so that the first byte behind it is noticed.
    b.base = (unsigned char*)malloc(b.size);
    read(b.base, b.size);
    fprintf(stderr, "metal-host: buffer %d at %p\n", int(&b - buffers.data()), (void*)b.base);
  }
  launch.buffers = buffers.data();
  launch.buffer_count = (uint32_t)buffers.size();
  return mh_run(&launch) ? 3 : 0;
}
