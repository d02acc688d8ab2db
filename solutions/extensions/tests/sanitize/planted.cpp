// Mistakes that the sanitizers must find, one for each argument; `cargo xtask ci` runs them before the real kernels.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>

/// What a kernel does with a row: the sum of `n` floats.
__attribute__((noinline)) static float sum(const float* row, size_t n) {
  float total = 0;
  for (size_t i = 0; i < n; i++) {
    total += row[i];
  }
  return total;
}

/// The code at a place of a packed word.
__attribute__((noinline)) static uint32_t code(uint32_t word, int place) {
  return word >> (4 * place) & 15;
}

int main(int, char** arguments) {
  const char* which = arguments[1];
  auto row = std::make_unique_for_overwrite<float[]>(64);
  if (std::strcmp(which, "unwritten") == 0) {
    // 63 of 64: memory that nothing was written to reads as NaN.
    std::memset(row.get(), 0, 63 * sizeof(float));
    const float total = sum(row.get(), 64);
    std::printf("the sum is %s\n", std::isnan(total) ? "not a number" : "a number");
    return std::isnan(total) ? 1 : 0;
  }
  std::memset(row.get(), 0, 64 * sizeof(float));
  float total = 0;
  if (std::strcmp(which, "beyond") == 0) {
    total = sum(row.get(), 65);
  } else if (std::strcmp(which, "freed") == 0) {
    const float* after = row.get();
    row.reset();
    total = sum(after, 64);
  } else if (std::strcmp(which, "shift") == 0) {
    total = static_cast<float>(code(0x76543210, 8));
  }
  std::printf("%g\n", total);
  return 0;
}
