/* Launching kernels from C and C++ code that a Rust program is linked with: the program makes a `metal_host::Host` and hands
   over its `metal_host_api`. Nothing here is linked by name. */
#pragma once
#include <stddef.h>

enum metal_host_kind {
  METAL_HOST_READ = 0,       /* memory that the kernel reads */
  METAL_HOST_WRITE = 1,      /* memory that it fills */
  METAL_HOST_READ_WRITE = 2, /* memory that it changes */
  METAL_HOST_BYTES = 3,      /* a constant, copied by the call */
  METAL_HOST_UNBOUND = 4,    /* nothing at this index */
  METAL_HOST_THREADGROUP = 5 /* `bytes` for the next [[threadgroup(n)]] parameter; no buffer index */
};

/* The first is [[buffer(0)]], the next [[buffer(1)]]. */
struct metal_host_argument {
  int kind;
  void* memory;
  size_t bytes;
};

struct metal_host_launch {
  const char* file; /* the .metal file */
  const char* kernel;
  const struct metal_host_argument* arguments;
  size_t argument_count;
  size_t grid[3];
  size_t group[3];
  int by_threads; /* grid counts threads, else threadgroups */
};

struct metal_host_api {
  void* host;
  /* 0 when the kernel ran; else 1, and as much of the report as fits is in `report`, ended by a zero. */
  int (*run)(void* host, const struct metal_host_launch* launch, char* report, size_t report_size);
  /* The most threads of a group of the kernel; 0 when there is no such kernel, and `report` says why. */
  size_t (*max_threads)(void* host, const char* file, const char* kernel, char* report, size_t report_size);
};
