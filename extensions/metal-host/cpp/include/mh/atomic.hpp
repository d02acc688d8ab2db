// Atomics. Always relaxed: Metal has no other order for them.
#pragma once
#include "mh/math.hpp"

namespace metal {
enum memory_order { memory_order_relaxed = 0, memory_order_seq_cst = 5 };
template <class T> struct atomic { T mh_value; };
typedef atomic<int> atomic_int;
typedef atomic<uint> atomic_uint;
typedef atomic<bool> atomic_bool;
typedef atomic<float> atomic_float;
typedef atomic<ulong> atomic_ulong;

template <class T> METAL_FUNC T* mh_cell(const volatile atomic<T>* o) { return const_cast<T*>(&o->mh_value); }
template <class T> METAL_FUNC T atomic_load_explicit(const volatile atomic<T>* o, memory_order) {
  T r;
  __atomic_load(mh_cell(o), &r, __ATOMIC_RELAXED);
  return r;
}
template <class T, class U> METAL_FUNC void atomic_store_explicit(volatile atomic<T>* o, U v, memory_order) {
  T t = T(v);
  __atomic_store(mh_cell(o), &t, __ATOMIC_RELAXED);
}
template <class T, class U> METAL_FUNC T atomic_exchange_explicit(volatile atomic<T>* o, U v, memory_order) {
  T t = T(v), r;
  __atomic_exchange(mh_cell(o), &t, &r, __ATOMIC_RELAXED);
  return r;
}
template <class T, class U>
METAL_FUNC bool atomic_compare_exchange_weak_explicit(volatile atomic<T>* o, T* expected, U v, memory_order, memory_order) {
  T t = T(v);
  return __atomic_compare_exchange(mh_cell(o), expected, &t, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
// As a loop, because float has no fetch-and-add of its own.
template <class T, class F> METAL_FUNC T mh_modify(volatile atomic<T>* o, F f) {
  T old, next;
  __atomic_load(mh_cell(o), &old, __ATOMIC_RELAXED);
  do next = f(old);
  while (!__atomic_compare_exchange(mh_cell(o), &old, &next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return old;
}
#define MH_MODIFY(name, expression)                                                            \
  template <class T, class U>                                                                  \
  METAL_FUNC T atomic_fetch_##name##_explicit(volatile atomic<T>* o, U u, memory_order) {       \
    T v = T(u);                                                                                \
    return mh_modify(o, [v](T e) { return T(expression); });                                   \
  }
MH_MODIFY(add, e + v) MH_MODIFY(sub, e - v) MH_MODIFY(max, e < v ? v : e) MH_MODIFY(min, v < e ? v : e)
MH_MODIFY(and, e& v) MH_MODIFY(or, e | v) MH_MODIFY(xor, e ^ v)
}  // namespace metal
