// The last error of each thread, and the package's name.
#include "ext/entry.h"

#include <string>

namespace EXT_NS {

static thread_local std::string last_failure;

int fail(const char* what) {
  last_failure = what;
  return 1;
}

} // namespace EXT_NS

extern "C" const char* EXT_SYMBOL(last_error)() {
  return EXT_NS::last_failure.c_str();
}

/// Which package this archive was built for: its own name, whatever the linker did.
extern "C" const char* EXT_SYMBOL(package)() {
  return EXT_PACKAGE;
}
