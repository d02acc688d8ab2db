// The border between Rust and C++: handles in, a status out, and never an exception across it.
//
// A C symbol returns 0 and fills `result`, or returns 1 and leaves a sentence that EXT_SYMBOL(last_error) hands out.
// The sentence does not go through mlx_error: mlx-rs keeps what arrives there to itself, and before its first own call
// mlx-c's handler would end the process. Exceptions of `eval_cpu` are MLX's to report and do go that way.
#pragma once

#include "ext/symbol.h"

#include <exception>

#include "mlx/c/array.h"
#include "mlx/c/stream.h"

namespace EXT_NS {

/// Keeps `what` for this thread's next EXT_SYMBOL(last_error); returns the status of a failure.
int fail(const char* what);

/// Runs the body of a C symbol; turns what it throws into a status and a sentence.
template <typename Body>
int guarded(Body&& body) {
  try {
    body();
    return 0;
  } catch (const std::exception& error) {
    return fail(error.what());
  } catch (...) {
    return fail("a kernel threw something that is not an exception");
  }
}

} // namespace EXT_NS
