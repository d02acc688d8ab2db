// How a kernel gets its arguments: the types come from the function pointer, the attributes from the translator.
#pragma once
#include "mh/sync.hpp"

namespace mh {
enum system_value {
  thread_position_in_grid, thread_position_in_threadgroup, threadgroup_position_in_grid, threads_per_threadgroup,
  dispatch_threads_per_threadgroup, threadgroups_per_grid, threads_per_grid, thread_index_in_threadgroup,
  simdgroup_index_in_threadgroup, thread_index_in_simdgroup, simdgroups_per_threadgroup,
  dispatch_simdgroups_per_threadgroup, threads_per_simdgroup, thread_execution_width, thread_index_in_quadgroup,
  quadgroup_index_in_threadgroup, grid_origin
};
// Three numbers as uint, uint2 or uint3, or their ushort forms.
template <class P> inline P as(const mh_u3& u) {
  if constexpr (vn<P> == 0) {
    return P(u.x);
  } else {
    P r;
    r[0] = (ve<P>)u.x;
    r[1] = (ve<P>)u.y;
    if constexpr (vn<P> > 2) r[2] = (ve<P>)u.z;
    return r;
  }
}
template <system_value S> struct System {
  static constexpr uint8_t kind = MH_SYSTEM, index = 0, optional = 0;
  template <class Declared> static METAL_FUNC auto get(const mh_args*, const mh_thread* t) {
    typedef std::remove_cv_t<std::remove_reference_t<Declared>> P;
    const mh_group* g = t->group;
    if constexpr (S == thread_position_in_grid) return as<P>(t->in_grid);
    else if constexpr (S == thread_position_in_threadgroup) return as<P>(t->in_group);
    else if constexpr (S == threadgroup_position_in_grid) return as<P>(g->position);
    else if constexpr (S == threads_per_threadgroup) return as<P>(g->size);
    else if constexpr (S == dispatch_threads_per_threadgroup) return as<P>(g->full);
    else if constexpr (S == threadgroups_per_grid) return as<P>(g->groups);
    else if constexpr (S == threads_per_grid) return as<P>(g->grid);
    else if constexpr (S == thread_index_in_threadgroup) return P(t->index);
    else if constexpr (S == simdgroup_index_in_threadgroup) return P(t->simd);
    else if constexpr (S == thread_index_in_simdgroup) return P(t->lane);
    else if constexpr (S == simdgroups_per_threadgroup) return P(g->simd_groups);
    else if constexpr (S == dispatch_simdgroups_per_threadgroup) return P((g->full.x * g->full.y * g->full.z + 31) / 32);
    else if constexpr (S == threads_per_simdgroup || S == thread_execution_width) return P(MH_LANES);
    else if constexpr (S == thread_index_in_quadgroup) return P(t->lane & 3);
    else if constexpr (S == quadgroup_index_in_threadgroup) return P(t->index / 4);
    else return as<P>(mh_u3{0, 0, 0});
  }
};
template <int I, bool Optional = false> struct Buffer {
  static constexpr uint8_t kind = MH_BUFFER, index = I, optional = Optional;
  template <class P> static METAL_FUNC P get(const mh_args* a, const mh_thread*) {
    if constexpr (std::is_reference<P>::value) return *(std::remove_reference_t<P>*)a->buffers[I];
    else return (P)a->buffers[I];
  }
};
template <int I> struct Threadgroup {
  static constexpr uint8_t kind = MH_TG_ARG, index = I, optional = 0;
  template <class P> static METAL_FUNC P get(const mh_args*, const mh_thread* t) {
    if constexpr (std::is_reference<P>::value) return *(std::remove_reference_t<P>*)t->group->tg_args[I];
    else return (P)t->group->tg_args[I];
  }
};

template <class P, class B> constexpr mh_param describe() {
  typedef std::remove_pointer_t<std::remove_reference_t<P>> E;
  uint32_t element = 1;
  if constexpr (!std::is_void<E>::value) element = sizeof(E);
  return mh_param{B::kind, B::index, (uint8_t)(B::kind == MH_BUFFER && !std::is_const<E>::value),
                  (uint8_t)std::is_reference<P>::value, element, B::optional};
}

template <auto F, class... B> struct Kernel;
template <class R, class... P, R (*F)(P...), class... B> struct Kernel<F, B...> {
  static_assert(sizeof...(P) == sizeof...(B), "every kernel parameter needs an attribute");
  static void one(const mh_args* a, mh_thread* t) { F(B::template get<P>(a, t)...); }
  static void all(const mh_args* a, mh_group* group) {
    mh_group g = *group;  // a copy that no pointer of the kernel can alias: the loop keeps it in registers
    mh_thread t;
    t.group = &g;
    t.index = 0;
    for (uint32_t z = 0; z < g.size.z; z++)
      for (uint32_t y = 0; y < g.size.y; y++)
        for (uint32_t x = 0; x < g.size.x; x++, t.index++) {
          t.in_group = {x, y, z};
          t.in_grid = {g.position.x * g.full.x + x, g.position.y * g.full.y + y, g.position.z * g.full.z + z};
          t.lane = t.index & 31;
          t.simd = t.index >> 5;
          F(B::template get<P>(a, &t)...);
        }
  }
  static constexpr mh_param params[sizeof...(P) ? sizeof...(P) : 1] = {describe<P, B>()...};
};

template <class X> struct type_of { typedef X type; };  // lets `float[4][8]` stand where a type is expected
template <class T> METAL_FUNC T& variable(const void* key, const mh_site* site) {
  return *(T*)mh_group_variable(key, sizeof(T), alignof(T) < 16 ? 16 : alignof(T), site);
}
template <class T> inline T constant(uint32_t index, const char* name) {
  T v{};
  mh_constant_get(index, name, &v, sizeof v);
  return v;
}
inline bool constant_defined(uint32_t index, const char* name) {
  uint64_t v;
  return mh_constant_get(index, name, &v, 0) != 0;
}
}  // namespace mh
