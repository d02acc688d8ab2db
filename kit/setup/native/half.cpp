// mlx-c declares these with Arm's 16-bit float types, so x86_64 has none of them; here they carry the bits as they are.
#include <cstdint>
#include <cstring>
#include <exception>
#include <stdexcept>

#include "mlx/c/array.h"
#include "mlx/c/error.h"
#include "mlx/mlx.h"

namespace {

mlx::core::array& checked(mlx_array array) {
  if (array.ctx == nullptr) {
    throw std::runtime_error("the array is empty");
  }
  return *static_cast<mlx::core::array*>(array.ctx);
}

template <class Half>
int item(uint16_t* bits, mlx_array array) {
  try {
    Half value = checked(array).item<Half>();
    std::memcpy(bits, &value, sizeof(*bits));
    return 0;
  } catch (const std::exception& error) {
    mlx_error(error.what());
    return 1;
  }
}

template <class Half>
const uint16_t* data(mlx_array array) {
  try {
    return reinterpret_cast<const uint16_t*>(checked(array).data<Half>());
  } catch (const std::exception& error) {
    mlx_error(error.what());
    return nullptr;
  }
}

} // namespace

extern "C" {

int mlx_array_item_float16(uint16_t* bits, mlx_array array) {
  return item<mlx::core::float16_t>(bits, array);
}

int mlx_array_item_bfloat16(uint16_t* bits, mlx_array array) {
  return item<mlx::core::bfloat16_t>(bits, array);
}

const uint16_t* mlx_array_data_float16(mlx_array array) {
  return data<mlx::core::float16_t>(array);
}

const uint16_t* mlx_array_data_bfloat16(mlx_array array) {
  return data<mlx::core::bfloat16_t>(array);
}
}
