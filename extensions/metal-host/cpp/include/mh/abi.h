// The contract between a compiled kernel library and the runtime that executes it.
#pragma once
#include <cstddef>
#include <cstdint>

// Lanes of a SIMD group, bytes a lane may pass through one SIMD-group operation, lengths of the argument tables.
enum : uint32_t { MH_LANES = 32, MH_SLOT = 64, MH_BUFFERS = 31, MH_TG_ARGS = 8 };

struct mh_u3 {
  uint32_t x, y, z;
};

// The threadgroup that is executed.
struct mh_group {
  mh_u3 position;   // threadgroup_position_in_grid
  mh_u3 size;       // threads in this group; groups at the edge of a grid of threads may be smaller
  mh_u3 full;       // dispatch_threads_per_threadgroup
  mh_u3 groups;     // threadgroups_per_grid
  mh_u3 grid;       // threads_per_grid
  uint32_t threads, simd_groups;
  void* tg_args[MH_TG_ARGS];  // memory of the [[threadgroup(n)]] parameters
};

// The GPU thread that is executed.
struct mh_thread {
  mh_group* group;
  mh_u3 in_group, in_grid;
  uint32_t index, lane, simd;
  unsigned char *in, *out;  // this lane's slots for SIMD-group operations
  uint32_t* aux;            // one more number a lane passes, such as the lane it reads from
};

struct mh_args {
  void* const* buffers;
};

// An operation over one SIMD group: reads in[lane * MH_SLOT], writes out[lane * MH_SLOT] for every active lane.
typedef void (*mh_combine)(const unsigned char* in, unsigned char* out, uint32_t active, const uint32_t* aux);

// A place in the .metal file.
struct mh_site {
  const char* what;
  const char* file;
  int32_t line;
};

enum : uint8_t { MH_SYSTEM, MH_BUFFER, MH_TG_ARG };

struct mh_param {
  uint8_t kind, index, writable, is_value;  // is_value: a reference, as set by setBytes
  uint32_t element;                         // bytes of what is pointed or referred to
  uint32_t optional;                        // a function constant says whether it is there
};

struct mh_kernel {
  const char* name;
  void (*one)(const mh_args*, mh_thread*);  // runs one thread
  void (*all)(const mh_args*, mh_group*);   // runs a group as one loop; null for kernels that synchronise
  uint32_t param_count;
  const mh_param* params;
  const char* const* names;  // two strings for each parameter: its name and its declared type
  uint32_t synchronises, max_threads, atomics;
};

extern "C" {
// initial-exec: every read would be a call otherwise, and kernels read it at each SIMD-group operation.
extern __thread mh_thread* mh_current __attribute__((tls_model("initial-exec")));

// The lane's operand is in its `in` slot. On return every live lane has arrived, `fn` ran once and results are in the `out`
// slots. *site is on the caller's stack and stays valid until then.
void mh_simd_sync(mh_combine fn, const mh_site* site);
// The same with the copies made by the runtime: code instrumented by ThreadSanitizer must not touch the slots.
void mh_simd_op(mh_combine fn, const mh_site* site, const void* in, uint32_t size, void* out, uint32_t size_out,
                uint32_t aux);
void mh_simd_barrier(uint32_t flags, const mh_site* site);
void mh_group_barrier(uint32_t flags, const mh_site* site);
// The memory of a threadgroup variable; `key` is an address unique to it.
void* mh_group_variable(const void* key, uint32_t size, uint32_t align, const mh_site* site);
// Function constants; 1 when a value was supplied.
int mh_constant_get(uint32_t index, const char* name, void* out, uint32_t size);
}
