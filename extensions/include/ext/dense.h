// Arrays as the loops want them: their elements in a row, whatever view they are.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

#include "ext/kernel.h"
#include "ext/loops.h"
#include "ext/pool.h"
#include "ext/strided.h"
#include "mlx/ops.h"

namespace EXT_NS {

/// A line of the cache, in bytes.
constexpr std::align_val_t LINE{64};

struct Release {
  void operator()(void* memory) const {
    ::operator delete[](memory, LINE);
  }
};

template <typename T>
using Scratch = std::unique_ptr<T[], Release>;

/// Memory that is not filled first. It begins with a line of the cache, so that no vector lies in two of them.
template <typename T>
Scratch<T> scratch(size_t n) {
  return Scratch<T>(static_cast<T*>(::operator new[](n * sizeof(T), LINE)));
}

/// The loops' name of a float dtype; refuses the other dtypes.
inline Element element_of(const mx::array& array, const char* argument) {
  switch (array.dtype().val()) {
    case mx::Dtype::Val::float32:
      return Element::Float32;
    case mx::Dtype::Val::float16:
      return Element::Float16;
    case mx::Dtype::Val::bfloat16:
      return Element::Bfloat16;
    default:
      throw std::invalid_argument(std::string(argument) + " must be float32, float16 or bfloat16");
  }
}

/// The elements of an array in row-major order: where they lie, or a copy of a view. Lives in the node's work.
class Dense {
 public:
  explicit Dense(const mx::array& array) : data_(array.data<char>()) {
    if (array.flags().row_contiguous) {
      return;
    }
    const size_t size = array.itemsize();
    copy_ = scratch<char>(array.nbytes());
    // Heads that trade places with tokens keep their rows: a copy a row, not an element.
    const bool rows = array.ndim() > 0 && array.strides().back() == 1;
    const size_t run = rows ? static_cast<size_t>(array.shape().back()) : 1;
    Walk walk(array, array.ndim() - (rows ? 1 : 0));
    for (size_t i = 0; i < array.size(); i += run, walk.next()) {
      std::memcpy(copy_.get() + i * size, data_ + walk.at() * static_cast<int64_t>(size), run * size);
    }
    data_ = copy_.get();
  }

  template <typename T>
  const T* as() const {
    return reinterpret_cast<const T*>(data_);
  }

 private:
  Scratch<char> copy_;
  const char* data_;
};

/// How many elements a thread should have at least: less takes longer to give away than to do.
constexpr size_t GRAIN = 16384;

/// The elements of an array of floats as f32, in row-major order.
class DenseFloats {
 public:
  DenseFloats(const mx::array& array, const Tuning& tuning) : dense_(array), data_(dense_.as<float>()) {
    const auto element = element_of(array, "the array");
    if (element == Element::Float32) {
      return;
    }
    floats_ = scratch<float>(array.size());
    parallel(tuning.threads, array.size(), GRAIN, [&](size_t begin, size_t end) {
      EXT_LOOP(tuning.instructions, to_floats)(
          element, dense_.as<uint16_t>() + begin, floats_.get() + begin, end - begin);
    });
    data_ = floats_.get();
  }

  const float* data() const {
    return data_;
  }

 private:
  Dense dense_;
  Scratch<float> floats_;
  const float* data_;
};

/// A place for f32 results, which are rounded into the array's dtype by `finish`.
class FloatResult {
 public:
  explicit FloatResult(mx::array& array) : array_(array), element_(element_of(array, "the result")) {
    if (element_ != Element::Float32) {
      floats_ = scratch<float>(array.size());
    }
  }

  float* data() {
    return floats_ ? floats_.get() : array_.data<float>();
  }

  void finish(const Tuning& tuning) {
    if (floats_) {
      parallel(tuning.threads, array_.size(), GRAIN, [&](size_t begin, size_t end) {
        auto* to = reinterpret_cast<uint16_t*>(array_.data<char>()) + begin;
        EXT_LOOP(tuning.instructions, from_floats)(element_, floats_.get() + begin, to, end - begin);
      });
    }
  }

 private:
  mx::array& array_;
  Element element_;
  Scratch<float> floats_;
};

/// Metal kernels read rows; loops make their own copy of a view when they need one.
inline mx::array rows_for_device(const mx::array& array, const mx::Stream& stream) {
  const bool for_metal = stream.device == mx::Device::gpu || metal_host() != nullptr;
  return for_metal ? mx::contiguous(array, false, stream) : array;
}

} // namespace EXT_NS
