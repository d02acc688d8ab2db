// How kernels run: on how many threads, with which instructions, and which step of their ladder.
#pragma once

#include "ext/symbol.h"

namespace EXT_NS {

/// Sets of instructions that src/loops is compiled for; the numbers are those of `Instructions` in src/tuning.rs.
enum class Instructions : int {
  /// What every machine of its kind has: SSE2 on x86-64, NEON on arm64.
  Baseline = 0,
  /// AVX2, FMA and F16C.
  Avx2 = 1,
  /// AVX-512 F, BW, DQ and VL.
  Avx512 = 2,
};

/// What a node was built with; it keeps its copy until it has run.
struct Tuning {
  /// The caller's thread included.
  int threads;
  Instructions instructions;
  /// Which step of a kernel's ladder: 1 is the naive form; 0, or more than there are, is the fastest.
  int version;
};

/// The settings now. Throws a sentence when TINY_LLM_THREADS is not a number of threads.
Tuning tuning();

} // namespace EXT_NS
