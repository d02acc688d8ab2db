// Names of <type_traits> and <limits> that kernels find in namespace metal, and small types of Metal's library.
#pragma once
#include "mh/vector.hpp"

namespace metal {
using mh::vec;
using std::is_same; using std::is_same_v; using std::enable_if; using std::enable_if_t;
using std::conditional; using std::conditional_t; using std::is_convertible; using std::is_convertible_v;
using std::integral_constant; using std::bool_constant; using std::true_type; using std::false_type;
using std::is_integral; using std::is_integral_v; using std::is_floating_point; using std::is_arithmetic;
using std::is_signed; using std::is_signed_v; using std::is_unsigned; using std::is_unsigned_v; using std::is_void;
using std::remove_reference; using std::remove_reference_t; using std::remove_cv; using std::remove_cv_t;
using std::decay; using std::decay_t; using std::make_unsigned_t; using std::declval;
using ::half; using ::bfloat; using ::uint; using ::ushort; using ::uchar; using ::ulong; using ::as_type;
typedef ::size_t size_t;
typedef ::ptrdiff_t ptrdiff_t;

template <class T>
constexpr bool is_floating_point_v = std::is_floating_point<T>::value || is_same_v<T, half> || is_same_v<T, bfloat>;
template <class T> struct make_scalar { typedef mh::ve<T> type; };
template <class T> using make_scalar_t = typename make_scalar<T>::type;
template <class T> struct is_vector : std::integral_constant<bool, (mh::vn<T> > 0)> {};
template <class T> constexpr bool is_vector_v = is_vector<T>::value;
template <class T> struct remove_addrspace { typedef T type; };
template <class T> using remove_addrspace_t = T;
template <class... B> struct _disjunction : std::disjunction<B...> {};  // MLX's headers use the underscored name

template <class T, size_t N> struct array {
  T mh_elements[N];
  T& operator[](size_t i) { return mh_elements[i]; }
  const T& operator[](size_t i) const { return mh_elements[i]; }
  static constexpr size_t size() { return N; }
};
template <class T> struct uniform {
  T mh_value;
  uniform() = default;
  constexpr uniform(T v) : mh_value(v) {}
  constexpr operator T() const { return mh_value; }
};
template <class T> inline uniform<T> make_uniform(T v) { return uniform<T>(v); }
struct os_log {  // a printf that works here
  constexpr os_log(const char*, const char*) {}
#define MH_LOG(name) \
  template <class... A> void name(const char* f, A... a) const { __builtin_printf(f, a...); __builtin_printf("\n"); }
  MH_LOG(log) MH_LOG(log_debug) MH_LOG(log_info) MH_LOG(log_error) MH_LOG(log_fault)
};

template <class T> struct numeric_limits : std::numeric_limits<T> {};
#define MH_LIMITS(T, make, largest, smallest, step)                 \
  template <> struct numeric_limits<T> {                            \
    static constexpr bool is_specialized = true;                    \
    static constexpr T max() { return make(largest); }              \
    static constexpr T lowest() { return -make(largest); }          \
    static constexpr T min() { return make(smallest); }             \
    static constexpr T epsilon() { return make(step); }             \
    static constexpr T infinity() { return T(__builtin_inff()); }   \
    static constexpr T quiet_NaN() { return T(__builtin_nanf("")); } \
  };
MH_LIMITS(half, half, 65504.0f, 6.103515625e-5f, 0.0009765625f)
MH_LIMITS(bfloat, bfloat::raw, 0x7f7f, 0x0080, 0x3c00)
}  // namespace metal
