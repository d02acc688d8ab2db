// The loops of src/loops, each compiled once for every set of instructions, and the choice between them.
//
// Pointers and numbers flow in, results are written where the caller says. Loops know nothing of MLX, and nothing of
// threads: the nodes (src/*.cpp) give them parts of the work.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ext/element.h"
#include "ext/tuning.h"

/// Declares functions in the namespace of each set.
#if defined(__x86_64__)
#define EXT_LOOPS(...)          \
  namespace EXT_NS::baseline {  \
  __VA_ARGS__                   \
  }                             \
  namespace EXT_NS::avx2 {      \
  __VA_ARGS__                   \
  }                             \
  namespace EXT_NS::avx512 {    \
  __VA_ARGS__                   \
  }
/// The function `name` of the set.
#define EXT_LOOP(set, name)                                \
  ((set) == Instructions::Avx512 ? avx512::name            \
       : (set) == Instructions::Avx2 ? avx2::name          \
                                     : baseline::name)
#else
#define EXT_LOOPS(...)          \
  namespace EXT_NS::baseline {  \
  __VA_ARGS__                   \
  }
#define EXT_LOOP(set, name) baseline::name
#endif

namespace EXT_NS {

/// A weight of `outputs` rows and `inputs` columns in 4-bit codes, eight a word, lowest nibble first.
///
/// Each `group` of columns of a row has a scale and a bias: weight = scale * code + bias.
struct Packed {
  const uint32_t* words;
  const void* scales;
  const void* biases;
  /// Of the scales and biases.
  Element element;
  size_t outputs;
  size_t inputs;
  /// 64 or 128; divides `inputs`.
  size_t group;
};

/// A view of (batch, head, token, D) whose last axis lies in a row; steps are counted in elements.
struct Heads {
  const void* data;
  int64_t batch_step;
  int64_t head_step;
  int64_t token_step;
};

/// What decode_attention computes with. `query` and the result are row contiguous (B, Hq, L, D).
struct Attention {
  Element element;
  const void* query;
  Heads key;
  Heads value;
  void* out;
  size_t batch, query_heads, heads, length, keys, dims;
  float scale;
  /// Query `i` sees the keys up to `keys - length + i`.
  bool causal;
  /// Added to the scores, by steps along (B, Hq, L, S); or null.
  const float* mask;
  int64_t mask_steps[4];
};

/// New keys or values and the pages that they go into.
struct PagedWrite {
  Element element;
  /// (1, H, L, D).
  Heads values;
  /// (P, H, page, D), row contiguous.
  void* pages;
  /// Token t goes into slot (start + t) % page of the page ids[(start + t) / page].
  const int32_t* ids;
  size_t start, heads, length, page, dims;
};

/// What paged_attention computes with. `query` and the result are row contiguous (B, Hq, L, D), keys and values are pages,
/// row contiguous (P, H, page, D).
struct PagedAttention {
  Element element;
  const void* query;
  const void* keys;
  const void* values;
  void* out;
  /// (B, columns): key s of text b is in slot s % page of page table[b * columns + s / page].
  const int32_t* table;
  size_t columns;
  /// Keys of each text, (B,).
  const int32_t* contexts;
  size_t batch, query_heads, heads, length, page, dims;
  float scale;
  /// Query `i` sees the keys up to `context - length + i`.
  bool causal;
};

/// What rope computes with: `x` and `out` are row contiguous (batch, length, heads, width).
struct Rotation {
  Element element;
  const void* x;
  void* out;
  /// The position of each batch row's first token.
  const int32_t* offsets;
  /// base^(-2i/dims) for each pair i.
  const double* frequencies;
  size_t length, heads, width, dims;
  bool traditional;
};

} // namespace EXT_NS

EXT_LOOPS(
    void to_floats(Element element, const void* from, float* to, size_t n);
    void from_floats(Element element, const float* from, void* to, size_t n);

    void rms_norm(
        Element element, const void* x, const void* weight, void* out, size_t rows, size_t width, float eps, int version);
    void swiglu(Element element, const void* gate, const void* up, void* out, size_t n, int version);
    void rope(const Rotation& rotation, size_t begin, size_t end, int version);
    void decode_attention(const Attention& attention, size_t begin, size_t end, int version);
    void paged_cache_update(const PagedWrite& write, size_t begin, size_t end, int version);
    void paged_attention(const PagedAttention& attention, size_t begin, size_t end, int version);
    void flash_attention(const PagedAttention& attention, size_t begin, size_t end, int version);

    void quantized_embedding(const Packed& table, size_t row, float* out);
    void quantized_embedding_vectors(const Packed& table, size_t row, float* out);
    void group_rows(const uint32_t* ids, size_t rows, size_t experts, size_t* begins, size_t* order);
    void expert_rows(
        const Packed& weight, const float* x, const size_t* order, size_t rows, float* out, size_t step, int version);
    void quantized_matmul(const Packed& weight, const float* x, size_t rows, float* out, size_t begin, size_t end);
    void arrange(const Packed& weight, const float* x, float* arranged, float* sums);
    void quantized_matvec(
        const Packed& weight,
        const float* x,
        const float* arranged,
        const float* sums,
        size_t rows,
        float* out,
        size_t begin,
        size_t end,
        int version);
    void round_row(
        const Packed& weight, const float* x, int16_t* whole, int16_t* arranged, float* x_scales, float* sums);
    void int16_matvec(
        const Packed& weight,
        const int16_t* whole,
        const int16_t* arranged,
        const float* x_scales,
        const float* sums,
        size_t rows,
        float* out,
        size_t begin,
        size_t end,
        int version);
    size_t tile_rows();
    size_t tile_outputs();
    void pack_rows(const float* x, size_t rows, size_t inputs, float* packed, size_t begin, size_t end);
    void tiled_matmul(
        const Packed& weight,
        const float* packed,
        size_t rows,
        float* out,
        size_t begin,
        size_t end,
        size_t from,
        size_t to,
        int version);
    void split_k_part(
        const Packed& weight,
        const float* packed,
        size_t rows,
        float* parts,
        size_t splits,
        size_t part,
        size_t begin,
        size_t end);
    void add_parts(const float* parts, size_t splits, size_t size, float* out, size_t begin, size_t end);)
