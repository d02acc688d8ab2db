// Work for several threads: pieces of a range, given out one by one to whoever is free.
#pragma once

#include <algorithm>
#include <cstddef>

#include "ext/symbol.h"

namespace EXT_NS {

/// Calls `call(context, piece)` once for each piece, on the caller's thread and up to `threads - 1` others; returns when
/// all are done. What a piece throws is thrown here, after the others have ended. When another stream has the threads,
/// the caller does all pieces alone.
void run_pieces(int threads, size_t pieces, void (*call)(void*, size_t), void* context);

/// Calls `work(begin, end)` for pieces of 0..n of `grain` each, the last one shorter. Which thread gets which piece
/// changes from run to run, so a piece must not depend on the others.
template <typename Work>
void parallel(int threads, size_t n, size_t grain, Work&& work) {
  struct Context {
    size_t n;
    size_t grain;
    Work& work;
  } context{n, std::max<size_t>(grain, 1), work};
  const size_t pieces = (n + context.grain - 1) / context.grain;
  run_pieces(
      threads,
      pieces,
      [](void* pointer, size_t piece) {
        auto& context = *static_cast<Context*>(pointer);
        const size_t begin = piece * context.grain;
        context.work(begin, std::min(context.n, begin + context.grain));
      },
      &context);
}

} // namespace EXT_NS
