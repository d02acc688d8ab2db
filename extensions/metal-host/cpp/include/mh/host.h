// The contract between the runtime and the program that launches kernels (src/runtime.rs mirrors these structures).
#pragma once
#include "mh/abi.h"

enum : uint32_t {  // order of execution and checks, in mh_launch.flags
  MH_RANDOM = 1, MH_REVERSE = 2, MH_INTERLEAVE = 4,
  MH_STRICT = 8,  // guard threadgroup memory, report lanes that are missing, never take the loop
  MH_FIBERS = 16,  // never take the loop, without the checks
  MH_FRONT = 32,   // the start of threadgroup memory touches a page that faults; otherwise its end does
  MH_TIGHT = 64    // its end does to the byte, whatever that does to its alignment
};
enum : uint32_t {  // mh_report.kind
  MH_FINE, MH_FAULT, MH_DIVISION, MH_MISALIGNED, MH_STACK, MH_DIVERGED, MH_RETURNED, MH_OVERRUN, MH_ENDLESS,
  MH_INTERNAL
};
enum : uint32_t { MH_NOWHERE, MH_IN_BUFFER, MH_IN_VARIABLE, MH_IN_TG_ARG, MH_NULL };  // mh_report.region
enum : uint32_t { MH_READ, MH_WRITE, MH_ACCESS };                                     // mh_report.access

struct mh_who {  // one GPU thread
  mh_u3 in_group, group, in_grid;
  uint32_t simd, lane;
};
struct mh_wait {  // threads that wait at one place
  mh_site site;
  uint32_t count;
  mh_who first;
};

enum : uint32_t { MH_WAITS = 8 };
// What went wrong first.
struct mh_report {
  uint32_t kind, region, access, index;  // index: of the buffer or threadgroup argument
  int64_t offset;                        // of the access in bytes, from the start of what was accessed
  uint64_t size;                         // bytes of what was accessed
  uint64_t address, pc, module_base;
  char module[512];                      // the file that holds pc
  mh_site variable;                      // the threadgroup variable that was accessed
  uint32_t has_who, wait_count, live, returned;
  mh_who who;                            // who accessed, or the first thread that returned
  mh_wait wait[MH_WAITS];
};
// A SIMD-group operation that some lanes of the group did not reach.
struct mh_note {
  uint32_t present, ran, live, elsewhere;  // elsewhere: the others wait at `other`, else they returned
  mh_site site, other;
  mh_who who;
};

struct mh_buffer {  // a buffer with pages around it that fault
  unsigned char* base;
  uint64_t size;
  unsigned char* map;
  uint64_t map_size;
};

struct mh_launch {
  const mh_kernel* kernel;
  const mh_buffer* buffers;  // by buffer index; base null where nothing is bound, map null where it is not guarded
  uint32_t buffer_count;
  uint32_t grid[3], group[3], by_threads;  // by_threads: grid counts threads, else threadgroups
  uint64_t tg_args[MH_TG_ARGS];            // bytes of the [[threadgroup(n)]] parameters, 0 where there is none
  uint32_t flags, workers;
  uint64_t seed;
  uint32_t limit;                    // milliseconds after which a kernel counts as endless; 0: never. For one worker
  uint32_t fill, fill_other, other;  // byte that threadgroup memory starts with; variable number `other` has its own
  double nanoseconds;                // results
  uint64_t threads, groups, switches, simd_operations, barriers, divergent, tg_bytes;
  mh_report report;
  mh_note note;
};

extern "C" {
int mh_run(mh_launch*);  // 0, or 1 when report.kind says what is wrong
void mh_constant_set(uint32_t index, const char* name, const void* value, uint32_t size);  // before the library is loaded
void mh_constants_clear();
const char* mh_switch_kind();
// A buffer whose start or end touches a page that faults; the rest of its pages holds `fill`. MH_AT_END keeps the start
// aligned to 16 bytes, MH_EXACT does not.
enum : uint32_t { MH_AT_END, MH_AT_START, MH_EXACT };
int mh_buffer_map(mh_buffer*, uint64_t size, uint32_t place, uint32_t fill);
void mh_buffer_unmap(mh_buffer*);
// Whether bytes around the buffer, in the pages that had to be mapped, were written: -1 before, 1 behind, 0 neither.
int mh_buffer_dirty(const mh_buffer*, uint32_t fill);
// The name of a threadgroup variable of the last launch, by number; null when there is none.
const mh_site* mh_variable(uint32_t number);
}
