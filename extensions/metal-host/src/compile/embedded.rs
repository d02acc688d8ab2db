//! The C++ half of the crate, carried inside it.

use crate::translate::TABLE;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../cpp/", $name)))),*]
    };
}

/// What kernels are compiled against, and the runtime.
pub(super) const FILES: &[(&str, &str)] = files![
    "include/mh/abi.h",
    "include/mh/host.h",
    "include/mh/scalar.hpp",
    "include/mh/vector.hpp",
    "include/mh/traits.hpp",
    "include/mh/math.hpp",
    "include/mh/sync.hpp",
    "include/mh/simd.hpp",
    "include/mh/matrix.hpp",
    "include/mh/atomic.hpp",
    "include/mh/bind.hpp",
    "include/mh/metal_stdlib.hpp",
    "include/shadow/mlx/backend/metal/kernels/bf16_math.h",
    "runtime/all.cpp",
    "runtime/buffers.cpp",
    "runtime/calls.cpp",
    "runtime/fault.cpp",
    "runtime/fiber.h",
    "runtime/group.cpp",
    "runtime/launch.cpp",
    "runtime/limit.cpp",
    "runtime/sanitizer.h",
    "runtime/schedule.cpp",
    "runtime/stacks.cpp",
    "runtime/worker.h",
    "child/main.cpp",
    "child/suppressions.txt",
];

/// Whether a path in a message or in debug information is the host's or the system's, and not the user's. By its end:
/// debug information may have the cache's folder in another form.
pub(crate) fn is_own(file: &str) -> bool {
    let of_host = FILES.iter().any(|(name, _)| file.ends_with(name));
    let of_system = ["/usr/include/", "/usr/lib/"].iter().any(|folder| file.starts_with(folder));
    of_host || of_system || file == TABLE || file.rsplit('/').next().is_some_and(|name| name.starts_with("temporary-"))
}

/// Metal's own headers. Empty while a source is preprocessed: their content comes afterwards, and must not be translated.
pub(super) const EMPTY_HEADERS: [&str; 19] = [
    "metal_stdlib",
    "metal_math",
    "metal_simdgroup",
    "metal_simdgroup_matrix",
    "metal_atomic",
    "metal_common",
    "metal_integer",
    "metal_compute",
    "metal_geometric",
    "metal_relational",
    "metal_types",
    "metal_matrix",
    "metal_pack",
    "metal_limits",
    "metal_type_traits",
    "metal_array",
    "metal_logging",
    "metal_uniform",
    "simd/simd.h",
];
