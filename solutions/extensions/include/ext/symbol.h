// Names that differ between the two packages which are built from these sources.
//
// The learner's kernels and the reference's are linked into one test binary. With equal C symbols the linker would keep
// one of the two without a word, and both Rust wrappers would call it. So the build passes two names made from the
// package's: EXT_NS, the C++ namespace, and EXT_PREFIX, which stands in front of every C symbol.
#pragma once

#if !defined(EXT_NS) || !defined(EXT_PREFIX)
#error "EXT_NS and EXT_PREFIX come from build.rs or CMakeLists.txt"
#endif

#define EXT_PASTE_(prefix, name) prefix##name
#define EXT_PASTE(prefix, name) EXT_PASTE_(prefix, name)
#define EXT_STRING_(name) #name
#define EXT_STRING(name) EXT_STRING_(name)

/// The C symbol of `name` in this package: EXT_SYMBOL(axpby) is `extensions_axpby` or `solution_extensions_axpby`.
#define EXT_SYMBOL(name) EXT_PASTE(EXT_PREFIX, name)

/// The package's name as text, for messages.
#define EXT_PACKAGE EXT_STRING(EXT_NS)
