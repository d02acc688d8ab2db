// Stands in for std::format with plain `{}` fields where the library has no <format> (gcc before 13).
#pragma once
#if defined(__cplusplus) && !__has_include(<format>)
#include <sstream>
#include <string>

namespace std {

inline void write_fields(ostringstream& out, const char* text) {
  out << text;
}

template <class First, class... Rest>
void write_fields(ostringstream& out, const char* text, const First& first, const Rest&... rest) {
  for (; *text; ++text) {
    if (text[0] == '{' && text[1] == '}') {
      out << first;
      return write_fields(out, text + 2, rest...);
    }
    out << *text;
  }
}

template <class... Fields>
string format(const char* text, const Fields&... fields) {
  ostringstream out;
  write_fields(out, text, fields...);
  return out.str();
}

} // namespace std
#endif
