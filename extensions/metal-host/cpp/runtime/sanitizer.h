// Calls of the sanitizers' runtimes; present only in a process that has one.
#pragma once
#include <cstddef>

extern "C" {
void __sanitizer_start_switch_fiber(void**, const void*, size_t) __attribute__((weak));
void __sanitizer_finish_switch_fiber(void*, const void**, size_t*) __attribute__((weak));
void* __tsan_create_fiber(unsigned) __attribute__((weak));
void* __tsan_get_current_fiber() __attribute__((weak));
void __tsan_destroy_fiber(void*) __attribute__((weak));
void __tsan_switch_to_fiber(void*, unsigned) __attribute__((weak));
void __tsan_set_fiber_name(void*, const char*) __attribute__((weak));
void __tsan_acquire(void*) __attribute__((weak));
void __tsan_release(void*) __attribute__((weak));
void __asan_poison_memory_region(void const volatile*, size_t) __attribute__((weak));
}

namespace {
// ThreadSanitizer has the functions of the first kind too, but not the poisoning.
const bool address_sanitizer = __asan_poison_memory_region != nullptr;
const bool thread_sanitizer = __tsan_create_fiber != nullptr;
constexpr unsigned no_ordering = 1;  // a switch alone orders nothing: only barriers do
}  // namespace
